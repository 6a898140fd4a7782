"""Charts of the drift: the expected change by error, and the stages of the proof."""

from collections.abc import Sequence
from math import log, nan
from typing import Final

import numpy as np

from gpviz.engine.config import RunConfig
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
from gpviz.experiments.plan import Plan
from gpviz.experiments.statistics.cell_statistics import DriftCurve, Moments, drift_curve
from gpviz.number_text import stage_text

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


def drift_figure(given: ChartInput) -> Figure:
    """The measured drift of some cells and what the paper proves."""
    cells, totals = given.cells, given.totals
    title = "Relative gain of an iteration against the error"
    series: list[Series] = []
    shown = 0
    reasons: dict[str, None] = {}
    for cell in cells:
        if cell >= len(totals) or shown == MOST_SERIES:
            continue
        config, own, label = given.plan.cells[cell].config, totals[cell], given.label(given.plan, cell)
        curve, full = drift_curve(config, own), drift_curve(config, own, "full")
        if curve is None:
            continue
        series += _series(curve, label, shown)
        if full is not None:
            points = _measured(full, label)
            if len(cells) > 1:  # few iterations have wide intervals, which would hide other cells
                points = [point._replace(low=nan, high=nan) for point in points]
            series.append(series_of("", shown, Kind.HOLLOW, points))
        if curve.why_no_bound:
            reasons[curve.why_no_bound] = None
        shown += 1
    panel = Panel(
        Axis("error before the iteration (wrong rows)", given.is_log_x),
        Axis("mean relative gain", given.is_log_y, starts_at_zero=True),
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
            float(each.error),
            each.gain,
            f"{name}: errors {_power(each.level)}: an iteration removes {100 * each.gain:.3g} % of the error ("
            f"{each.iterations:,} iterations)",
            each.low,
            each.high,
        )
        for each in curve.points
    ]


def _series(curve: DriftCurve, label: str, look: int) -> list[Series]:
    found = [series_of(label, look, Kind.POINTS, _measured(curve, label))]
    proven = [
        Point(
            float(each.error),
            each.bound,
            f"{label}: the paper proves at least {100 * each.bound:.3g} % at errors {_power(each.level)}",
        )
        for each in curve.points
        if each.bound is not None
    ]
    if proven:
        found.append(series_of("", look, Kind.BOUND, proven))
    return found


def _power(level: int) -> str:
    if level == 0:
        return "1"
    return f"{2**level:,} to {2 ** (level + 1) - 1:,}" if level < 20 else f"about 2^{level}"


_NO_STAGES: Final = (
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


def stages_figure(given: ChartInput) -> Figure:
    """The mean iterations in each stage: bars for one cell, a line of points each for several."""
    title = "Iterations in each stage of the drift theorem"
    known = [
        (cell, stages)
        for cell in given.cells
        if (stages := given.summaries[cell].stages) is not None and given.summaries[cell].solved
    ]
    shown = known[:MOST_SERIES]
    if not shown:
        return Figure(title, empty=_NO_STAGES)
    count = max(len(moments) for _, moments in shown)
    is_single = len(shown) == 1
    names = tuple(stage_text(stage, count if is_single else count + 1) for stage in range(count))
    series: list[Series] = []
    for look, (cell, moments) in enumerate(shown):
        aside = _DODGE * (look - (len(shown) - 1) / 2)
        label = given.label(given.plan, cell)
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
        Axis("mean iterations", given.is_log_y and not why_no_log, starts_at_zero=True),
        tuple(series),
    )
    note = (
        "Where two stages are equally high, a run gets from n⁸ to n⁴ as fast as from n² to n. Means of solved runs"
        " with 95 % intervals; the highest stage is cut off at 2ⁿ."
    )
    if is_single and (bound := _bound(given.plan.cells[shown[0][0]].config)) is not None:
        note += (
            f" By the theorem's proof a run spends at most 72 ℓ n ln n = {grouped(bound)} iterations in each stage"
            " above n on average, not counting those in which the tree is full."
        )
    if len(known) > len(shown):
        note += f" The first {MOST_SERIES} of {len(known)} cells are drawn."
    return Figure(title, (panel,), note, empty=_NO_STAGES, why_no_log_y=why_no_log)


def _points(label: str, names: Sequence[str], moments: Sequence[Moments], aside: float) -> list[Point]:
    points: list[Point] = []
    for stage, each in enumerate(moments):
        assert each.mean_low_high is not None
        mean, low, high = each.mean_low_high
        text = f"{label}, {names[stage]}: {grouped(mean)} iterations ({grouped(low)} to {grouped(high)})"
        points.append(Point(stage + aside, mean, text, low, high))
    return points


def _bound(config: RunConfig) -> float | None:
    """The most iterations from trees that are not full that the theorem's proof allows any stage but the first.

    From the error n^(2^k) to its root these are 36 ℓ n (1 + 2^k ln n) / (2^(k-1) + 1), which is less for every k.
    """
    n, limit = config.n, config.max_leaves
    if limit is None or limit < n or n < 2:
        return None
    return 72 * limit * n * log(n)
