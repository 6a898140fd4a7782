"""The plan's own figure: its measures along its axis, a series for each combination of the other settings."""

from collections.abc import Sequence

from gpviz.experiments.figures.cell_groups import MEASURE_TITLES, XAxis, groups_of, x_axis_of
from gpviz.experiments.figures.chart_values import ChartInput
from gpviz.experiments.figures.figure import (
    MOST_SERIES,
    Axis,
    Figure,
    Kind,
    LegendEntry,
    Panel,
    Point,
    Series,
    grouped,
    named,
    series_of,
)
from gpviz.experiments.plan import SHARES, Plan
from gpviz.experiments.statistics.cell_statistics import CellSummary
from gpviz.number_text import percent_texts

_EMPTY = (
    "No runs yet. Once there are, this shows their means with 95 % intervals along the plan's axis, and the"
    " paper's values beside them."
)
_PAPER = "hollow: the paper's values"
_MOST_TICKS = 16
_DODGE = 0.007
"""How far apart, in parts of the axis, points at one position are drawn, so that no error bar hides another."""


def measures_problem(plan: Plan) -> str:
    """Why the figure cannot be drawn; empty if it can."""
    if not x_axis_of(plan).setting:
        return "The plan varies nothing, so there is nothing to plot along an axis."
    return ""


def measures_figure(given: ChartInput) -> Figure:
    """The figure, from what the cells come to."""
    plan = given.plan
    groups = groups_of(plan)
    panels = tuple(_panel(given, measure) for measure in plan.measures)
    has_paper = any(series.kind is Kind.HOLLOW for panel in panels for series in panel.series)
    note = "Means of solved runs with 95 % intervals."
    shares = [measure for measure in plan.measures if measure in SHARES]
    if shares:
        what = (
            "the share of runs stuck" if shares == ["stuck"] else "shares of all runs or of their iterations"
        )
        note = f"Means of solved runs, and {what}, with 95 % intervals."
    if len(groups) > MOST_SERIES:
        note += f" The first {MOST_SERIES} of {len(groups)} series are drawn; the table has them all."
    extra = (LegendEntry(_PAPER, 0, Kind.HOLLOW),) if has_paper else ()
    reasons = [
        _why_no_log(measure, panel.series) for measure, panel in zip(plan.measures, panels, strict=True)
    ]
    if given.is_log_y and any(reasons) and not all(reasons):
        kept = [
            MEASURE_TITLES[measure].partition(" (")[0]
            for measure, reason in zip(plan.measures, reasons, strict=True)
            if reason
        ]
        note += f" The axis of {' and of '.join(kept)} stays linear: a logarithmic one has no 0."
    return Figure(
        plan.title or plan.name, panels, note, empty=_EMPTY, extra_legend=extra,
        why_no_log_y=reasons[0] if reasons and all(reasons) else "",
    )  # fmt: skip


def _panel(given: ChartInput, measure: str) -> Panel:
    axis, is_log_x = x_axis_of(given.plan), given.is_log_x
    series: list[Series] = []
    groups = groups_of(given.plan)[:MOST_SERIES]
    count = len(groups)
    for look, group in enumerate(groups):
        points: list[Point] = []
        paper: list[Point] = []
        for cell in group.cells:
            summary = given.summaries[cell.number]
            at = axis.positions[cell.number]
            x = _shifted(at, axis, look - (count - 1) / 2, is_log_x=is_log_x)
            name = f"{group.label}, " if group.label else ""
            where = f"{name}{axis.setting} = {axis.names[round(at)] if axis.names else grouped(at)}"
            values = _values(summary, measure)
            if values is not None:
                mean, low, high = values
                points.append(
                    Point(x, mean, f"{where}: {_measure_text(measure, mean, low, high)}", low, high)
                )
            theirs = _paper_value(summary, measure)
            if theirs is not None:
                text = f"{where}: the paper has {_measure_text(measure, theirs, theirs, theirs)}"
                paper.append(Point(x, theirs, text))
        if paper:
            series.append(series_of("", look, Kind.HOLLOW, paper))
        series.append(series_of(group.label, look, Kind.POINTS, points))
    is_even = axis.setting == "n" or not is_log_x  # powers of ten say more of rows than 316 does
    wanted = axis.values if not axis.names and len(axis.values) <= _MOST_TICKS and is_even else ()
    return Panel(
        Axis(axis.title, is_log_x and not axis.names, values=wanted, names=named(axis.names)),
        Axis(
            MEASURE_TITLES[measure], given.is_log_y and not _why_no_log(measure, series), starts_at_zero=True
        ),
        tuple(series) if any(len(one.y) for one in series if one.kind is Kind.POINTS) else (),
    )


def _why_no_log(measure: str, series: Sequence[Series]) -> str:
    """Why a panel cannot have a logarithmic y axis; empty if it can."""
    if measure in SHARES or measure == "final_generalisation_error":
        return "A share may be 0, which a logarithmic axis cannot show."
    if any((one.y <= 0).any() for one in series):
        return "A mean is 0, which a logarithmic axis cannot show."
    return ""


def _shifted(position: float, axis: XAxis, steps: float, *, is_log_x: bool) -> float:
    """A position a few steps beside that of a cell."""
    low, high = axis.ends
    if is_log_x and low > 0:
        return float(position * (high / low) ** (_DODGE * steps))
    return position + _DODGE * steps * (high - low)


def _values(summary: CellSummary, measure: str) -> tuple[float, float, float] | None:
    if measure in SHARES:
        found = summary.share_of(measure)
        return None if found is None else (100 * found.share, 100 * found.low, 100 * found.high)
    if measure == "final_generalisation_error":
        error = summary.final_generalisation_error
        return None if error is None else (error, error, error)
    return summary.moments_of(measure).mean_low_high


def _paper_value(summary: CellSummary, measure: str) -> float | None:
    if summary.paper is None:
        return None
    cell = summary.paper.cell
    stuck = None if cell.B is None else 100 * cell.B
    return {"iterations": cell.T, "leaves": cell.S, "stuck": stuck}.get(measure)


def _measure_text(measure: str, mean: float, low: float, high: float) -> str:
    if measure in SHARES:
        share, least, most = percent_texts(mean / 100, low / 100, high / 100)
        text = f"{share} % {SHARES[measure]}"
        return text if low == high else f"{text} ({least} to {most} %)"
    name = MEASURE_TITLES[measure].partition(" (")[0]
    text = f"{name} {grouped(mean)}"
    return text if low == high else f"{text} ({grouped(low)} to {grouped(high)})"
