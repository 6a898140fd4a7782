"""The steps that decided the stuck runs of a cell: at which errors and sizes they happened."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from gpviz.engine.stuck import can_get_stuck
from gpviz.experiments.decisive_steps import CellDecisiveSteps, DecisiveStepFinding
from gpviz.experiments.figures.chart_values import ChartInput
from gpviz.experiments.figures.figure import Axis, Figure, Kind, Panel, Series, named
from gpviz.experiments.plan import Plan
from gpviz.number_text import counted

_EMPTY: Final = (
    "No stuck runs in this cell yet. Once there are, this shows at which errors and sizes their decisive steps"
    " happened."
)
_BAR_WIDTH: Final = 0.42
_DOES: Final = {True: "improved the error", False: "kept the error"}
_MOST_BARS: Final = 16
"""With more sizes several of them share a bar."""


def decisive_problem(plan: Plan) -> str:
    """Why it cannot be drawn; empty if it can."""
    if any(can_get_stuck(cell.config.rules) for cell in plan.cells):
        return ""
    if all(cell.config.is_sampled for cell in plan.cells):
        return "The plan measures on sampled rows, where no run gets stuck for good."
    return "No run of this plan can get stuck."


def decisive_figure(given: ChartInput) -> Figure:
    """How many decisive steps there are by the error and by the leaves before them, and how many improve."""
    found: CellDecisiveSteps | None = given.digests.get(given.cell)
    title = f"Decisive steps of {given.label(given.plan, given.cell)}"
    if found is None or not found.stuck:
        return Figure(title, empty=_EMPTY)
    taken = [finding for finding, _ in found.decided]
    if not taken:
        return Figure(title, empty=found.text)
    errors = _panel("error before the step", "error", *_by_error(taken), taken, is_log_y=given.is_log_y)
    leaves = _panel("leaves before the step", "leaves", *_by_leaves(taken), taken, is_log_y=given.is_log_y)
    return Figure(title, (errors, leaves), found.text, empty=_EMPTY)


def _panel(
    title: str,
    what: str,
    names: Sequence[str],
    positions: Sequence[int],
    taken: Sequence[DecisiveStepFinding],
    *,
    is_log_y: bool,
) -> Panel:
    """Bars of the improving and of the neutral steps, side by side."""

    def bars(label: str, look: int, left: float, *, is_improving: bool) -> Series:
        chosen = [
            index for index, each in zip(positions, taken, strict=True) if each.is_improving == is_improving
        ]
        # Between two bars there is one of no height, as the bars of a series have their edges in common.
        edges = np.arange(len(names))[:, None] + np.array([left, left + _BAR_WIDTH])
        heights = np.full(2 * len(names) - 1, np.nan)
        heights[::2] = np.bincount(chosen, minlength=len(names))
        hints = [""] * len(heights)
        for index, name in enumerate(names):
            every = counted(positions.count(index), "decisive step")
            hints[2 * index] = f"{what} {name}: {int(heights[2 * index]):,} of {every} {_DOES[is_improving]}"
        return Series(label, look, Kind.BARS, edges.ravel(), heights, hints=tuple(hints))

    return Panel(
        Axis(title, names=named(tuple(names))),
        Axis(f"stuck runs by {what}", is_log_y, is_whole=True, starts_at_zero=True, short_title="stuck runs"),
        (
            bars("improving steps", 2, -_BAR_WIDTH, is_improving=True),
            bars("neutral steps", 5, 0.0, is_improving=False),
        ),
    )


def _by_error(taken: Sequence[DecisiveStepFinding]) -> tuple[list[str], list[int]]:
    """Names of ranges of errors, each twice as large as the one before, and in which one each step is.

    A conjunction that lacks k of the variables, and is right otherwise, has the error 2^k - 1.
    """
    errors = [_error_before(each) for each in taken]
    levels = [error.bit_length() for error in errors]
    lowest = min(levels)
    names = [_range_text(1 << level >> 1, (1 << level) - 1) for level in range(lowest, max(levels) + 1)]
    return names, [level - lowest for level in levels]


def _by_leaves(taken: Sequence[DecisiveStepFinding]) -> tuple[list[str], list[int]]:
    sizes = [each.leaves_before for each in taken]
    lowest = min(sizes)
    width = -(-(max(sizes) - lowest + 1) // _MOST_BARS)
    positions = [(size - lowest) // width for size in sizes]
    starts = [lowest + index * width for index in range(max(positions) + 1)]
    return [_range_text(start, start + width - 1) for start in starts], positions


def _range_text(first: int, last: int) -> str:
    return f"{first:,}" if first == last else f"{first:,}–{last:,}"


def _error_before(finding: DecisiveStepFinding) -> int:
    """The empty tree has none; it counts as 0, which no other tree before a decisive step has."""
    assert finding.taken is not None
    return finding.taken.parent_error or 0
