"""The stages of the drift theorem, between the errors n, n², n⁴, n⁸ and so on: how long runs stay in each."""

from collections.abc import Sequence
from math import log
from typing import Final

import numpy as np

from gpviz.engine.config import RunConfig
from gpviz.experiments.figures.cell_groups import cell_label
from gpviz.experiments.figures.figure import (
    MOST_SERIES,
    Axis,
    Figure,
    Kind,
    Panel,
    Point,
    Series,
    grouped,
    named,
    series_of,
)
from gpviz.experiments.plan import Plan
from gpviz.experiments.statistics.cell_statistics import CellSummary, Moments
from gpviz.number_text import stage_text

_EMPTY: Final = (
    "No solved runs in these cells yet. Once there are, this shows how many iterations they take in each stage of"
    " the drift theorem: while the error is below n, from n to n², from n² to n⁴, and so on."
)
_DODGE: Final = 0.05
"""How far apart points of different cells are drawn within a stage."""


def stages_problem(plan: Plan) -> str:
    """Why it cannot be drawn; empty if it can."""
    if all(cell.config.is_sampled for cell in plan.cells):
        return "The plan measures on sampled rows; the stages of the drift theorem are about all rows."
    return ""


def stages_figure(
    plan: Plan, cells: Sequence[int], summaries: Sequence[CellSummary], *, is_log_y: bool
) -> Figure:
    """The mean iterations in each stage: bars for one cell, a line of points each for several."""
    title = "Iterations in each stage of the drift theorem"
    known = [
        (cell, stages)
        for cell in cells
        if (stages := summaries[cell].stages) is not None and summaries[cell].solved
    ]
    shown = known[:MOST_SERIES]
    if not shown:
        return Figure(title, empty=_EMPTY)
    count = max(len(moments) for _, moments in shown)
    is_single = len(shown) == 1
    names = tuple(stage_text(stage, count if is_single else count + 1) for stage in range(count))
    series: list[Series] = []
    for look, (cell, moments) in enumerate(shown):
        aside = _DODGE * (look - (len(shown) - 1) / 2)
        label = cell_label(plan, cell)
        points = _points(label, names, moments, aside)
        if is_single:
            heights = np.array([each.mean for each in moments], dtype=np.float64)
            edges = np.arange(count + 1, dtype=np.float64) - 0.5
            hints = tuple(point.hint for point in points)
            series.append(Series("", look, Kind.BARS, edges, heights, hints=hints))
        series.append(series_of(label, look, Kind.MARKERS if is_single else Kind.POINTS, points))
    why_no_log = ""
    if any((one.y <= 0).any() for one in series):
        why_no_log = "In some stage no run spent an iteration, which a logarithmic axis cannot show."
    panel = Panel(
        Axis("error before the iteration", names=named(names)),
        Axis("mean iterations", is_log_y and not why_no_log, starts_at_zero=True),
        tuple(series),
    )
    note = (
        "Where two stages are equally high, a run gets from n⁸ to n⁴ as fast as from n² to n. Means of solved runs"
        " with 95 % intervals; the highest stage is cut off at 2ⁿ."
    )
    if is_single and (bound := _bound(plan.cells[shown[0][0]].config)) is not None:
        note += (
            f" By the theorem's proof a run spends at most 72 ℓ n ln n = {grouped(bound)} iterations in each stage"
            " above n on average, not counting those in which the tree is full."
        )
    if len(known) > len(shown):
        note += f" The first {MOST_SERIES} of {len(known)} cells are drawn."
    return Figure(title, (panel,), note, empty=_EMPTY, why_no_log_y=why_no_log)


def _points(label: str, names: Sequence[str], moments: Sequence[Moments], aside: float) -> list[Point]:
    points: list[Point] = []
    for stage, each in enumerate(moments):
        assert each.mean is not None
        low = each.mean if each.low is None else max(each.low, 0.0)
        high = each.mean if each.high is None else each.high
        text = f"{label}, {names[stage]}: {grouped(each.mean)} iterations ({grouped(low)} to {grouped(high)})"
        points.append(Point(stage + aside, each.mean, text, low, high))
    return points


def _bound(config: RunConfig) -> float | None:
    """The most iterations from trees that are not full that the theorem's proof allows any stage but the first.

    From the error n^(2^k) to its root these are 36 ℓ n (1 + 2^k ln n) / (2^(k-1) + 1), which is less for every k.
    """
    n, limit = config.n, config.max_leaves
    if limit is None or limit < n or n < 2:
        return None
    return 72 * limit * n * log(n)
