"""How T grows with n: the fit of c n ln n, T over n ln n, the residuals, and what is proven."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from gpviz.experiments.figures.cell_groups import Group, groups_of, x_axis_of
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
from gpviz.experiments.figures.ticks import tick_text
from gpviz.experiments.plan import Plan
from gpviz.experiments.statistics.cell_statistics import CellSummary
from gpviz.experiments.statistics.scaling import ScalingFit, bounds_of, fit_scaling

__all__ = ["scaling_figure", "scaling_problem"]

_EMPTY: Final = (
    "No cell has two solved runs yet. Once some have, this shows T against n with the fit c n ln n, the ratio"
    " T / (n ln n), the residuals of the fit and the bounds that are proven."
)
_LOWER_LABEL: Final = "the paper's lower bound on T (order n log n; number derived here)"
_LOWER_LOOK: Final = 6
_CURVE: Final = 60
_SIGMAS: Final = 2.4
"""Residuals up to 2 are what chance brings; the axis shows at least these."""


def scaling_problem(plan: Plan) -> str:
    """Why it cannot be drawn; empty if it can."""
    if x_axis_of(plan).setting != "n":
        return "The plan does not vary n, so T cannot be plotted against n."
    if len({cell.config.n for cell in plan.cells if cell.config.n >= 2}) < 2:
        return "To see how T grows takes at least two values of n, from 2 on."
    return ""


def scaling_figure(
    plan: Plan,
    summaries: Sequence[CellSummary],
    chosen: int,
    *,
    is_log_x: bool,
    is_log_y: bool,
    has_upper: bool,
) -> Figure:
    """The three plots, of every series of the plan."""
    groups = groups_of(plan)[:MOST_SERIES]
    top: list[Series] = []
    ratios: list[Series] = []
    residuals: list[Series] = []
    notes: list[str] = []
    legend: list[LegendEntry] = []
    short = ""
    for look, group in enumerate(groups):
        fit = fit_scaling(_points(group, summaries))
        if fit is None:
            continue
        name = group.label or "all runs"
        top += [_measured(group, summaries, name, look), _fitted(group, fit, name, look)]
        legend.append(LegendEntry(f"{name}, fit {fit.c:.2f} n ln n", look, Kind.POINTS))
        ratios.append(_ratios(fit, name, look))
        residuals.append(_residuals(fit, name, look))
        if chosen in {cell.number for cell in group.cells}:
            notes.append(f"{name}: {fit.verdict}")
            short = f"{name}: {fit.answer}"
    if not top:
        return Figure("How T grows with n", empty=_EMPTY)
    top += _bounds(groups, is_lower=True)
    upper = _bounds(groups, is_lower=False)
    if upper and has_upper:
        top += upper
    elif upper:
        last = upper[0]
        notes.append(
            f"The paper's upper bound, of order ℓ n log² n, lies far above: {tick_text(_rounded(last.y[-1]))} at"
            f" n = {last.x[-1]:.0f}."
        )
    bare = Axis(is_log=is_log_x, values=x_axis_of(plan).values, has_labels=False)
    return Figure(
        "How T grows with n",
        (
            Panel(
                bare,
                Axis("T (iterations)", is_log_y, starts_at_zero=True, short_title="T"),
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


def _points(group: Group, summaries: Sequence[CellSummary]) -> list[tuple[int, float | None, float | None]]:
    found = [(cell.config.n, summaries[cell.number].T) for cell in group.cells]
    return [(n, moments.mean, moments.standard_error) for n, moments in found]


def _measured(group: Group, summaries: Sequence[CellSummary], name: str, look: int) -> Series:
    points: list[Point] = []
    for cell in group.cells:
        moments, n = summaries[cell.number].T, cell.config.n
        if moments.mean is None or moments.low is None or moments.high is None:
            continue
        words = (
            f"{name}, n = {n}: mean T {grouped(moments.mean)} ({grouped(moments.low)} to {grouped(moments.high)}),"
            f" {moments.count:,} runs"
        )
        points.append(Point(n, moments.mean, words, max(moments.low, 1.0), moments.high))
    return series_of("", look, Kind.MARKERS, points)


def _fitted(group: Group, fit: ScalingFit, name: str, look: int) -> Series:
    sizes = [cell.config.n for cell in group.cells if cell.config.n >= 2]
    words = f"{name}: c n ln n with c = {fit.c:.3f} ± {fit.c_error:.3f}"
    curve = [float(n) for n in np.geomspace(min(sizes), max(sizes), _CURVE)]
    return series_of("", look, Kind.LINE, (Point(n, fit.value(n), words) for n in curve))


def _ratios(fit: ScalingFit, name: str, look: int) -> Series:
    points: list[Point] = []
    for one in fit.ratios:
        words = f"{name}, n = {one.n}: T / (n ln n) = {one.ratio:.3f} ± {one.standard_error:.3f}"
        half = 1.96 * one.standard_error
        points.append(Point(one.n, one.ratio, words, one.ratio - half, one.ratio + half))
    return series_of("", look, Kind.POINTS, points)


def _residuals(fit: ScalingFit, name: str, look: int) -> Series:
    points: list[Point] = []
    for one in fit.ratios:
        side = "above" if one.residual > 0 else "below"
        words = f"{name}, n = {one.n}: T is {abs(one.residual):.1f} standard errors {side} the fit"
        points.append(Point(one.n, one.residual, words))
    return series_of("", look, Kind.MARKERS, points)


def _bounds(groups: Sequence[Group], *, is_lower: bool) -> list[Series]:
    """The lower bound, which all series share, or the upper bound of each that has one."""
    found: list[Series] = []
    for look, group in enumerate(groups):
        points = [
            Point(cell.config.n, bound.value, f"n = {cell.config.n}: {bound.label}: {grouped(bound.value)}")
            for cell in group.cells
            for bound in bounds_of(cell.config)
            if cell.config.n >= 2 and (bound.kind == "lower") == is_lower
        ]
        if points and is_lower:
            return [series_of(_LOWER_LABEL, _LOWER_LOOK, Kind.BOUND, points)]
        if points:
            found.append(series_of(f"the paper's upper bound, {group.label}", look, Kind.BOUND, points))
    return found


def _rounded(value: float) -> float:
    return float(f"{value:.1e}")
