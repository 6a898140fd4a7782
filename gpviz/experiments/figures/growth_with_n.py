"""How T grows with n: a fit with c n ln n and the proven bounds; on sampled rows T / lg n and the pitfalls."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from math import log2
from typing import Final

import numpy as np

from gpviz.engine.errors import GpvizError
from gpviz.engine.settings import MAX_N
from gpviz.engine.step import NO_PITFALL, PITFALLS
from gpviz.experiments.figures.axis_ticks import tick_text
from gpviz.experiments.figures.cell_groups import Group, groups_of, x_axis_of
from gpviz.experiments.figures.chart_values import ChartInput
from gpviz.experiments.figures.figure import (
    MOST_SERIES,
    Axis,
    Figure,
    Kind,
    LegendEntry,
    Panel,
    Point,
    Rule,
    RuleKind,
    Series,
    grouped,
    series_of,
)
from gpviz.experiments.plan import Plan
from gpviz.experiments.statistics.cell_statistics import CellSummary
from gpviz.experiments.statistics.growth import (
    ScalingFit,
    bounds_crossing,
    bounds_of,
    coverage,
    fit_scaling,
)
from gpviz.experiments.statistics.probability import wilson
from gpviz.experiments.totals import Totals

_EMPTY: Final = (
    "No cell has two solved runs yet. Once some have, this shows T against n with the fit c n ln n, the ratio"
    " T / (n ln n), the residuals of the fit and the bounds that are proven."
)
_BOUNDS: Final = {
    "coupon collecting": (6, Kind.BOUND),
    "super-multiplicative drift": (4, Kind.BOUND),
    "multiplicative drift": (3, Kind.OTHER_BOUND),
}
"""The looks of what is proven."""
_CURVE: Final = 60
_BEYOND: Final = 2.5
"""Where the bounds are shown, they go on to so many times the n at which they cross."""
_SIGMAS: Final = 2.4
"""Residuals up to 2 are what chance brings; the axis shows at least these."""


def scaling_problem(plan: Plan) -> str:
    """Why it cannot be drawn; empty if it can."""
    if x_axis_of(plan).setting != "n":
        return "The plan does not vary n, so T cannot be plotted against n."
    if len({cell.config.n for cell in plan.cells if cell.config.n >= 2}) < 2:
        return "To see how T grows takes at least two values of n, from 2 on."
    return ""


def scaling_figure(given: ChartInput) -> Figure:
    """The three plots, of every series of the plan; or T alone with all bounds for the chosen cell's series."""
    plan, summaries = given.plan, given.summaries
    groups = groups_of(plan)[:MOST_SERIES]
    series = _chosen_group(groups, given.cell)
    has_bounds = given.has_upper and bool(_bounds(series, "upper", None))
    top: list[Series] = []
    ratios: list[Series] = []
    residuals: list[Series] = []
    notes: list[str] = []
    legend: list[LegendEntry] = []
    short = ""
    for look, group in enumerate(groups):
        fit = fit_scaling(_points(group, summaries))
        if fit is None or (has_bounds and group is not series):
            continue
        name = group.label or "all runs"
        top += [_measured(group, summaries, name, look), _fitted(group, fit, name, look)]
        legend.append(LegendEntry(f"{name}, fit {fit.c:.2f} n ln n", look, Kind.POINTS))
        ratios.append(_ratios(fit, name, look))
        residuals.append(_residuals(fit, name, look))
        if given.cell in {cell.number for cell in group.cells}:
            notes.append(f"{name}: {fit.verdict}")
            short = f"{name}: {fit.answer}"
    if not top:
        return Figure("How T grows with n", empty=_EMPTY)
    if has_bounds:
        return _bounds_figure(given, series, top, tuple(legend))
    top += _bounds(series, "lower", None)
    notes += _upper_notes(series)
    bare = Axis(is_log=given.is_log_x, values=x_axis_of(plan).values, has_labels=False)
    return Figure(
        "How T grows with n",
        (
            Panel(
                bare,
                Axis("T (iterations)", given.is_log_y, starts_at_zero=True, short_title="T"),
                tuple(top),
                weight=3,
            ),
            Panel(bare, Axis("T / (n ln n)", short_title="T/(n ln n)"), tuple(ratios), weight=2),
            Panel(
                replace(bare, title="n (variables)", has_labels=True),
                Axis("residual (σ)", reach=_SIGMAS),
                tuple(residuals),
                rules=(Rule("", RuleKind.LEVEL, 0.0),),
                weight=2,
            ),
        ),
        " ".join(notes),
        short,
        is_stacked=True,
        empty=_EMPTY,
        extra_legend=tuple(legend),
    )


def _chosen_group(groups: Sequence[Group], cell: int) -> Group:
    """The series of the chosen cell, or the first one if the cell is in none."""
    return next((group for group in groups if cell in {each.number for each in group.cells}), groups[0])


def _bounds_figure(
    given: ChartInput, group: Group, top: Sequence[Series], legend: tuple[LegendEntry, ...]
) -> Figure:
    """T and all that is proven about one series, on a logarithmic axis up to the crossing of the bounds."""
    crossing = bounds_crossing()
    largest = max(cell.config.n for cell in group.cells)
    beyond = max(largest, round(_BEYOND * crossing)) if given.is_log_x else None
    bounds = _bounds(group, "lower", beyond) + _bounds(group, "upper", beyond)
    is_crossed = any(series.x[-1] >= crossing for series in bounds if len(series.x))
    values = x_axis_of(given.plan).values
    rules = (
        (Rule(f"the upper bounds cross at n = {crossing}", RuleKind.PLACE, crossing),) if is_crossed else ()
    )
    name = group.label or "all runs"
    note = (
        f"{name}: {coverage(group.cells[0].config)} Whatever ℓ is, multiplicative drift, 12 ℓ n (1 + n ln 2),"
        f" gives the better bound up to n = {crossing - 1:,}, super-multiplicative drift from n = {crossing:,} on."
        " The lower bound, 1 + 1.5 n H(n−1), holds with every limit and without one."
    )
    return Figure(
        "T and what is proven about it",
        (
            Panel(
                Axis(
                    "n (variables)",
                    given.is_log_x,
                    values=tuple(sorted({*values, crossing})) if is_crossed else values,
                ),
                Axis("T (iterations)", given.is_log_y, starts_at_zero=True, short_title="T"),
                (*top, *bounds),
                rules=rules,
            ),
        ),
        note,
        empty=_EMPTY,
        extra_legend=legend,
    )


def _upper_notes(group: Group) -> list[str]:
    """What is to be said of the upper bounds of a series where they are not drawn."""
    config = max((cell.config for cell in group.cells), key=lambda config: config.n)
    upper = [bound for bound in bounds_of(config) if bound.kind == "upper"]
    if config.is_sampled or config.accept_error:
        return []
    if not upper:
        return [coverage(config)]
    least = min(upper, key=lambda bound: bound.value)
    return [
        f"The upper bounds lie far above: the lowest, by {least.name}, is {tick_text(_rounded(least.value))} at"
        f" n = {config.n}.",
        coverage(config),
    ]


def _points(group: Group, summaries: Sequence[CellSummary]) -> list[tuple[int, float | None, float | None]]:
    found = [(cell.config.n, summaries[cell.number].T) for cell in group.cells]
    return [(n, moments.mean, moments.standard_error) for n, moments in found]


def _measured(group: Group, summaries: Sequence[CellSummary], name: str, look: int) -> Series:
    points: list[Point] = []
    for cell in group.cells:
        moments, n = summaries[cell.number].T, cell.config.n
        if moments.mean is None or moments.low is None or moments.high is None:
            continue
        text = (
            f"{name}, n = {n}: mean T {grouped(moments.mean)} ({grouped(moments.low)} to {grouped(moments.high)}),"
            f" {moments.count:,} runs"
        )
        points.append(Point(n, moments.mean, text, max(moments.low, 1.0), moments.high))
    return series_of("", look, Kind.MARKERS, points)


def _fitted(group: Group, fit: ScalingFit, name: str, look: int) -> Series:
    sizes = [cell.config.n for cell in group.cells if cell.config.n >= 2]
    text = f"{name}: c n ln n with c = {fit.c:.3f} ± {fit.c_error:.3f}"
    curve = [float(n) for n in np.geomspace(min(sizes), max(sizes), _CURVE)]
    return series_of("", look, Kind.LINE, (Point(n, fit.value(n), text) for n in curve))


def _ratios(fit: ScalingFit, name: str, look: int) -> Series:
    points: list[Point] = []
    for one in fit.ratios:
        text = f"{name}, n = {one.n}: T / (n ln n) = {one.ratio:.3f} ± {one.standard_error:.3f}"
        half = 1.96 * one.standard_error
        points.append(Point(one.n, one.ratio, text, one.ratio - half, one.ratio + half))
    return series_of("", look, Kind.POINTS, points)


def _residuals(fit: ScalingFit, name: str, look: int) -> Series:
    points: list[Point] = []
    for one in fit.ratios:
        side = "above" if one.residual > 0 else "below"
        text = f"{name}, n = {one.n}: T is {abs(one.residual):.1f} standard errors {side} the fit"
        points.append(Point(one.n, one.residual, text))
    return series_of("", look, Kind.MARKERS, points)


def _bounds(group: Group, kind: str, beyond: int | None) -> list[Series]:
    """What is proven of the cells of a series, and of its settings with larger n up to ``beyond``."""
    configs = {cell.config.n: cell.config for cell in group.cells if cell.config.n >= 2}
    if not configs:
        return []
    last = max(configs)
    if beyond is not None:
        sizes = {round(n) for n in np.geomspace(last, max(beyond, last), _CURVE)} | {bounds_crossing()}
        for n in sorted(sizes):
            if last < n <= min(beyond, MAX_N):
                with suppress(GpvizError):  # many times n may be more leaves than there can be
                    configs[n] = configs[last].replaced(n=n)
    points: dict[str, list[Point]] = {}
    for n, config in configs.items():
        for bound in bounds_of(config):
            if bound.kind == kind:
                hint = f"n = {n}: {bound.name}, {bound.label}: {grouped(bound.value)}"
                points.setdefault(bound.name, []).append(Point(n, bound.value, hint))
    return [series_of(_bound_label(kind, name), *_BOUNDS[name], found) for name, found in points.items()]


def _bound_label(kind: str, name: str) -> str:
    return f"lower bound: {name}" if kind == "lower" else f"upper bound while not full: {name}"


def _rounded(value: float) -> float:
    return float(f"{value:.1e}")


# --- the sampling theorem ---


PITFALL_TITLES: Final[Mapping[str, str]] = {
    "duplicate_accepted": "a copy was accepted",
    "or_accepted": "an OR was accepted",
    "true_error_grew": "the true error grew",
}
_ANY: Final = "some pitfall"
_BOUND_LOOK: Final = 6
_NO_SAMPLED_RUNS: Final = (
    "No solved runs yet. Once there are, this shows T / lg n and how many runs have each pitfall."
)


def sampling_problem(plan: Plan) -> str:
    """Why it cannot be drawn; empty if it can."""
    if not all(cell.config.is_sampled for cell in plan.cells):
        return "The plan measures on all rows; the sampling theorem is about sampled rows."
    if x_axis_of(plan).setting != "n":
        return "The plan does not vary n, so nothing can be plotted against n."
    if len({cell.config.n for cell in plan.cells if cell.config.n >= 2}) < 2:
        return "The chart needs at least two values of n from 2 on."
    return ""


def sampling_figure(given: ChartInput) -> Figure:
    """T / lg n of every series, and beside it the pitfalls of the chosen cell's."""
    groups = groups_of(given.plan)[:MOST_SERIES]
    group = _chosen_group(groups, given.cell)
    times = [_times(each, given.summaries, look) for look, each in enumerate(groups)]
    title = "The sampling theorem: T / lg n and the pitfalls"
    if not any(len(series.y) for series in times):
        return Figure(title, empty=_NO_SAMPLED_RUNS)
    x = Axis("n (variables)", given.is_log_x, values=x_axis_of(given.plan).values)
    panels = [Panel(x, Axis("T / lg n", starts_at_zero=True), tuple(times))]
    shares, covering = _pitfalls(group, given.totals, 0 if len(groups) == 1 else len(groups))
    note = (
        "The theorem: T is of order log n, and all pitfalls are avoided with probability 1 − O(log² n / n)."
    )
    if shares:
        panels.append(Panel(x, Axis("share of runs", starts_at_zero=True), tuple(shares)))
        name = f" of {group.label}" if group.label else ""
        note += (
            f" Pitfalls{name}: {covering:.3g} lg² n / n is the smallest multiple of lg² n / n that no share of"
            " runs with some pitfall exceeds; it is fitted to them, not proven. Bars are 95 % intervals."
        )
    why_no_log = "A share may be 0, which a logarithmic axis cannot show."
    return Figure(title, tuple(panels), note, empty=_NO_SAMPLED_RUNS, why_no_log_y=why_no_log)


def _times(group: Group, summaries: Sequence[CellSummary], look: int) -> Series:
    points: list[Point] = []
    for cell in group.cells:
        known, n = summaries[cell.number].T.mean_low_high, cell.config.n
        if n < 2 or known is None:
            continue
        mean, low, high = known
        lg = log2(n)
        where = f"{group.label + ', ' if group.label else ''}n = {n}"
        text = f"{where}: T / lg n = {mean / lg:.2f} ({low / lg:.2f} to {high / lg:.2f}), T {grouped(mean)}"
        points.append(Point(n, mean / lg, text, low / lg, high / lg))
    return series_of(group.label, look, Kind.POINTS, points)


def _pitfalls(group: Group, totals: Sequence[Totals], look: int) -> tuple[list[Series], float]:
    """The share of runs with any pitfall and with each, and the multiple of lg² n / n that covers the first.

    Their looks begin with this one.
    """
    points: dict[str, list[Point]] = {name: [] for name in (NO_PITFALL, *PITFALLS)}
    covering = 0.0
    sizes: list[int] = []
    for cell in group.cells:
        own, n = totals[cell.number], cell.config.n
        if n < 2 or not own.runs:
            continue
        sizes.append(n)
        for name, found in points.items():
            count = own.counts.pitfalls[name]
            count = own.runs - count if name == NO_PITFALL else count
            share, (low, high) = count / own.runs, wilson(count, own.runs)
            text = f"n = {n}: {PITFALL_TITLES.get(name, _ANY)} in {count:,} of {own.runs:,} runs"
            found.append(Point(n, share, f"{text} ({100 * low:.3g} to {100 * high:.3g} %)", low, high))
            if name == NO_PITFALL:
                covering = max(covering, share * n / log2(n) ** 2)
    if not sizes:
        return [], 0.0
    # Copies alone are nearly as frequent, and would hide it if its markers were no larger.
    series = [series_of(_ANY, look, Kind.HOLLOW, points[NO_PITFALL])]
    for index, name in enumerate(PITFALLS, look + 1):
        series.append(series_of(PITFALL_TITLES[name], index, Kind.POINTS, points[name]))
    curve = [float(n) for n in np.geomspace(min(sizes), max(sizes), _CURVE)]
    bound = (Point(n, covering * log2(n) ** 2 / n) for n in curve)
    series.append(series_of(f"{covering:.2g} lg² n / n", _BOUND_LOOK, Kind.BOUND, bound))
    return series, covering
