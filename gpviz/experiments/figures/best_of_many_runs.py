"""The chance that the best of λ runs is good, from the runs of a cell."""

from functools import partial
from typing import Final

import numpy as np

from gpviz.engine.step import NO_PITFALL
from gpviz.experiments.figures.cell_groups import MEASURE_TITLES, cell_label
from gpviz.experiments.figures.chart_values import Steps
from gpviz.experiments.figures.ecdf import stairs
from gpviz.experiments.figures.figure import (
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
from gpviz.experiments.statistics.probability import best_of_chance, best_of_interval
from gpviz.experiments.totals import Totals

_COUNTS: Final = (1, 2, 4, 8, 16)
_EMPTY: Final = (
    "No solved runs in this cell yet. Once there are, this shows how likely it is that the best of λ runs is"
    " solved within t iterations."
)
_HOW: Final = (
    "Exact: of all choices of λ different runs among the {runs:,}, the share in which the best is that good."
)
_SPARE: Final = 4
"""There are at least so many times as many runs as λ: else a choice of them says little about others."""


def best_of_figure(
    plan: Plan,
    cell: int,
    measure: str,
    steps: Steps | None,
    totals: Totals,
    *,
    is_log_x: bool,
    is_log_y: bool,
) -> Figure:
    """How good the best of λ runs of a cell is; beside it how likely one is solved at all or avoids all pitfalls.

    A run is the better the smaller its value of the measure is, and one that is not solved is never good.
    """
    title = f"The best of λ runs: {cell_label(plan, cell)}"
    if steps is None:
        return Figure(title, empty=_EMPTY)
    counts = [count for count in _COUNTS if count == 1 or _SPARE * count <= steps.runs]
    panels = [_curves(measure, steps, counts, is_log_x=is_log_x, is_log_y=is_log_y)]
    good, text = _good(plan, cell, totals)
    note = _HOW.format(runs=steps.runs)
    if good < totals.runs:
        panels.append(_chances(good, totals.runs, counts, text, is_log_y=is_log_y))
        note += f" {100 * good / totals.runs:.3g} % of single runs are {text}; bars are 95 % intervals."
    else:
        note += f" All runs are {text}."
    if measure == "iterations":
        note += " λ runs side by side make λ times as many evaluations."
    return Figure(title, tuple(panels), note, empty=_EMPTY)


def _good(plan: Plan, cell: int, totals: Totals) -> tuple[int, str]:
    """How many runs are good in themselves, and what that is: free of pitfalls where rows are sampled."""
    if plan.cells[cell].config.is_sampled:
        return totals.counts.pitfalls[NO_PITFALL], "free of pitfalls"
    return totals.solved, "solved"


def _curves(measure: str, steps: Steps, counts: list[int], *, is_log_x: bool, is_log_y: bool) -> Panel:
    name = MEASURE_TITLES[measure].partition(" (")[0]
    # What a logarithmic axis cannot show is there from its left edge on.
    hidden = int(np.searchsorted(steps.t, 0.0, side="right")) if is_log_x else 0
    shown = steps.t[hidden:] if hidden < len(steps.t) else np.ones(1)
    first, last = (shown[0] / 1.3, shown[-1] * 1.3) if is_log_x else (0.0, shown[-1] * 1.08 or 1.0)
    solved = np.rint(steps.share * steps.runs).astype(np.int64)
    drawn: list[Series] = []
    for look, count in enumerate(counts):
        chance = best_of_chance(solved, steps.runs, count)
        base = float(chance[hidden - 1]) if hidden else 0.0
        visible = chance[hidden:] if hidden < len(chance) else chance[-1:]
        x, y = stairs(Steps(shown, visible, steps.runs), first, last, base)
        drawn.append(
            Series(
                f"λ = {count}", look, Kind.STEPS, x, y, tell=partial(_point_text, name, count, steps, solved)
            )
        )
    return Panel(
        Axis(MEASURE_TITLES[measure], is_log_x),
        Axis(f"chance that the best has at most this {name}", is_log_y, starts_at_zero=True, end=1.0,
             short_title="chance"),
        tuple(drawn),
    )  # fmt: skip


def _point_text(name: str, count: int, steps: Steps, solved: np.ndarray, x: float, chance: float) -> str:
    """What is said of a point of a curve, with its interval."""
    at = int(np.searchsorted(steps.t, x, side="right")) - 1
    low, high = best_of_interval(int(solved[at]) if at >= 0 else 0, steps.runs, count)
    return (
        f"λ = {count}: the best has {name} at most {grouped(x)} with a chance of {100 * chance:.3g} %"
        f" ({100 * low:.3g} to {100 * high:.3g} %)"
    )


def _chances(good: int, runs: int, counts: list[int], phrase: str, *, is_log_y: bool) -> Panel:
    points = []
    for index, count in enumerate(counts):
        chance = float(best_of_chance(np.array([good]), runs, count)[0])
        low, high = best_of_interval(good, runs, count)
        high = max(high, chance)
        text = f"λ = {count}: at least one is {phrase} with a chance of {100 * chance:.4g} %"
        points.append(Point(index, chance, f"{text} ({100 * low:.4g} to {100 * high:.4g} %)", low, high))
    return Panel(
        Axis("λ (runs)", names=named(tuple(map(str, counts)))),
        Axis(f"chance that at least one is {phrase}", is_log_y, end=1.0, short_title="chance"),
        (series_of("", 0, Kind.POINTS, points),),
    )
