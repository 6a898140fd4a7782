"""The sampling theorem as n grows: T over lg n, and the share of runs that meet each of the three pitfalls."""

from collections.abc import Mapping, Sequence
from math import log2
from typing import Final

import numpy as np

from gpviz.engine.step import NO_PITFALL, PITFALLS
from gpviz.experiments.figures.cell_groups import Group, groups_of, x_axis_of
from gpviz.experiments.figures.figure import (
    MOST_SERIES,
    Axis,
    Figure,
    Kind,
    Panel,
    Point,
    Series,
    grouped,
    series_of,
)
from gpviz.experiments.plan import Plan
from gpviz.experiments.statistics.cell_statistics import CellSummary
from gpviz.experiments.statistics.probability import wilson
from gpviz.experiments.totals import Totals

PITFALL_TITLES: Final[Mapping[str, str]] = {
    "duplicate_accepted": "a copy was accepted",
    "or_accepted": "an OR was accepted",
    "true_error_grew": "the true error grew",
}
_ANY: Final = "some pitfall"
_BOUND_LOOK: Final = 6
_CURVE: Final = 60
_EMPTY: Final = "No solved runs yet. Once there are, this shows T / lg n and how many runs have each pitfall."


def sampling_problem(plan: Plan) -> str:
    """Why it cannot be drawn; empty if it can."""
    if not all(cell.config.is_sampled for cell in plan.cells):
        return "The plan measures on all rows; the sampling theorem is about sampled rows."
    if x_axis_of(plan).setting != "n":
        return "The plan does not vary n, so nothing can be plotted against n."
    if len({cell.config.n for cell in plan.cells if cell.config.n >= 2}) < 2:
        return "The chart needs at least two values of n from 2 on."
    return ""


def sampling_figure(
    plan: Plan, summaries: Sequence[CellSummary], totals: Sequence[Totals], chosen: int, *, is_log_x: bool
) -> Figure:
    """T / lg n of every series, and beside it the pitfalls of the chosen cell's."""
    groups = groups_of(plan)[:MOST_SERIES]
    group = next((each for each in groups if chosen in {cell.number for cell in each.cells}), groups[0])
    times = [_times(each, summaries, look) for look, each in enumerate(groups)]
    title = "The sampling theorem: T / lg n and the pitfalls"
    if not any(len(series.y) for series in times):
        return Figure(title, empty=_EMPTY)
    x = Axis("n (variables)", is_log_x, values=x_axis_of(plan).values)
    panels = [Panel(x, Axis("T / lg n", starts_at_zero=True), tuple(times))]
    shares, covering = _pitfalls(group, totals, 0 if len(groups) == 1 else len(groups))
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
    return Figure(title, tuple(panels), note, empty=_EMPTY, why_no_log_y=why_no_log)


def _times(group: Group, summaries: Sequence[CellSummary], look: int) -> Series:
    points: list[Point] = []
    for cell in group.cells:
        moments, n = summaries[cell.number].T, cell.config.n
        if n < 2 or moments.mean is None:
            continue
        lg = log2(n)
        low = moments.mean if moments.low is None else max(moments.low, 0.0)
        high = moments.mean if moments.high is None else moments.high
        where = f"{group.label + ', ' if group.label else ''}n = {n}"
        text = (
            f"{where}: T / lg n = {moments.mean / lg:.2f} ({low / lg:.2f} to {high / lg:.2f}), T"
            f" {grouped(moments.mean)}"
        )
        points.append(Point(n, moments.mean / lg, text, low / lg, high / lg))
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
