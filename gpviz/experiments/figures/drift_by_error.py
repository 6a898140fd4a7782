"""The drift: which part of the error an iteration takes away on average, and the paper's lower bound."""

from collections.abc import Callable, Sequence
from math import nan

from gpviz.experiments.figures.cell_groups import cell_label
from gpviz.experiments.figures.figure import (
    MOST_SERIES,
    Axis,
    Figure,
    Kind,
    LegendEntry,
    Panel,
    Point,
    Series,
    series_of,
)
from gpviz.experiments.plan import Plan
from gpviz.experiments.statistics.measured_drift import DriftCurve, drift_curve
from gpviz.experiments.totals import Totals

_EMPTY = (
    "No runs in these cells yet. Once there are, this shows the mean relative gain of an iteration against the"
    " error before it, while the tree is not full and while it is, and the paper's lower bound."
)

_BOUND = "dotted: the paper's lower bound while the tree is not full"
_FULL = "hollow: while the tree is full"


def drift_problem(plan: Plan) -> str:
    """Why it cannot be drawn; empty if it can."""
    if all(cell.config.is_sampled for cell in plan.cells):
        return (
            "The plan measures on sampled rows, whose errors go up and down by chance, so no drift is kept."
        )
    return ""


def drift_figure(
    plan: Plan,
    cells: Sequence[int],
    totals: Sequence[Totals],
    *,
    is_log_x: bool = True,
    is_log_y: bool = True,
    label: Callable[[Plan, int], str] = cell_label,
) -> Figure:
    """The measured drift of these cells and what the paper proves."""
    title = "Relative gain of an iteration against the error"
    series: list[Series] = []
    shown = 0
    reasons: dict[str, None] = {}
    for cell in cells:
        if cell >= len(totals) or shown == MOST_SERIES:
            continue
        config, own = plan.cells[cell].config, totals[cell]
        curve, full = drift_curve(config, own), drift_curve(config, own, "full")
        if curve is None:
            continue
        series += _series(curve, label(plan, cell), shown)
        if full is not None:
            points = _measured(full, label(plan, cell))
            if len(cells) > 1:  # few iterations have wide intervals, which would hide other cells
                points = [point._replace(low=nan, high=nan) for point in points]
            series.append(series_of("", shown, Kind.HOLLOW, points))
        if curve.bounds is None:
            reasons[curve.label] = None
        shown += 1
    panel = Panel(
        Axis("error before the iteration (wrong rows)", is_log_x),
        Axis("mean relative gain", is_log_y, starts_at_zero=True),
        tuple(series),
    )
    note = "Each point stands for the errors from it to just under twice it; bars are 95 % intervals."
    if len(cells) > shown == MOST_SERIES:
        note += f" The first {MOST_SERIES} of {len(cells)} cells are drawn."
    if reasons:
        note += " " + " ".join(f"{reason[:1].upper()}{reason[1:]}." for reason in reasons)
    kinds = {one.kind for one in series}
    signs = (LegendEntry(_FULL, 0, Kind.HOLLOW), LegendEntry(_BOUND, 0, Kind.BOUND))
    extra = tuple(entry for entry in signs if entry.kind in kinds)
    return Figure(title, (panel,) if series else (), note, empty=_EMPTY, extra_legend=extra)


def _measured(curve: DriftCurve, label: str) -> list[Point]:
    name = f"{label}, {curve.part}"
    return [
        Point(
            float(error), gain,
            f"{name}: errors {_power(level)}: an iteration removes {100 * gain:.3g} % of the error ("
            f"{count:,} iterations)",
            low, high,
        )
        for error, level, gain, count, low, high in zip(
            curve.errors, curve.levels, curve.gains, curve.iterations, curve.lows, curve.highs, strict=True
        )
    ]  # fmt: skip


def _series(curve: DriftCurve, label: str, look: int) -> list[Series]:
    found = [series_of(label, look, Kind.POINTS, _measured(curve, label))]
    if curve.bounds is not None:
        proven = [
            Point(
                float(error), bound,
                f"{label}: the paper proves at least {100 * bound:.3g} % at errors {_power(level)}",
            )
            for error, level, bound in zip(curve.errors, curve.levels, curve.bounds, strict=True)
        ]  # fmt: skip
        found.append(series_of("", look, Kind.BOUND, proven))
    return found


def _power(level: int) -> str:
    if level == 0:
        return "1"
    return f"{2**level:,} to {2 ** (level + 1) - 1:,}" if level < 20 else f"about 2^{level}"
