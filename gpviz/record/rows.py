"""The truth table of a moment as a picture: which rows are right, wrong, fixed or broken by the step."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from gpviz.engine import Node, TooComplexError, Verdict
from gpviz.engine.boolean_function import TooMany, masks_of
from gpviz.engine.target import target_for
from gpviz.record.moment import Moment
from gpviz.record.rows_cells import is_true_on, true_cells, values_on
from gpviz.record.rows_grid import MOST_COMPLETE, Grid, grid_for
from gpviz.record.rows_sample import DrawnRows, Witness, drawn_rows

__all__ = [
    "CellClass",
    "Counts",
    "DrawnRows",
    "Grid",
    "RowTable",
    "Witness",
    "is_quick",
    "table_of",
    "values_on",
]

_QUICK_VARIABLES: Final = 18
_QUICK_LEAVES: Final = 400
_QUICK_PRODUCTS: Final = 24
_QUICK_ROWS: Final = 20_000
"""What is larger than these takes longer than a few milliseconds."""


class CellClass(IntEnum):
    """What a cell shows. The larger one is the more worth seeing where several share a place."""

    RIGHT = 0
    WRONG = 1
    FIXED = 2
    BROKEN = 3
    BLANK = 4
    """The tree is empty: it computes nothing."""


class Counts(NamedTuple):
    """On how many of all 2^n rows parent and offspring are both right, both wrong, or only one of them."""

    right: int
    wrong: int
    fixed: int
    broken: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RowTable:
    """The truth table of a moment.

    ``before`` and ``after`` are what is compared: parent and offspring, whatever the verdict; where there is
    nothing to compare, both are the tree on show, or None if it is empty. ``counts`` is None where counting takes
    too long, and ``drawn`` where the iteration drew no rows.
    """

    moment: Moment
    before: Node | None
    after: Node | None
    grid: Grid
    classes: npt.NDArray[np.uint8]
    counts: Counts | None
    drawn: DrawnRows | None = None

    @property
    def is_comparison(self) -> bool:
        """Whether there is a parent and an offspring."""
        return self.before is not self.after

    @property
    def survivor(self) -> Node | None:
        """The tree on show."""
        return self.after if self.is_offspring_shown else self.before

    @property
    def is_offspring_shown(self) -> bool:
        """Whether the offspring is the tree on show."""
        step = self.moment.step
        return (
            step is not None
            and step.is_accepted
            and not (self.moment.is_preview or self.moment.is_verdict_hidden)
        )

    @property
    def error(self) -> int | None:
        """On how many of all rows the tree on show is wrong."""
        if self.counts is None or self.before is None:
            return None
        return self.counts.wrong + (self.counts.broken if self.is_offspring_shown else self.counts.fixed)

    def assignment_of(self, row: int, column: int) -> int:
        """The mask of the variables that are 1 in a cell."""
        return self.grid.assignment_of(row, column)

    def cell_of(self, mask: int) -> tuple[int, int] | None:
        """The row and the column of an assignment; None where it has no cell."""
        return self.grid.cell_of(mask)

    def class_of(self, mask: int) -> CellClass:
        """The class of any row, with a cell or without."""
        if self.before is None or self.after is None:
            return CellClass.BLANK
        if mask == (1 << self.grid.n) - 1:
            return CellClass.RIGHT
        was_wrong, is_wrong = is_true_on(self.before, mask), is_true_on(self.after, mask)
        return CellClass(((was_wrong ^ is_wrong) << 1) | is_wrong)


def table_of(moment: Moment) -> RowTable:
    """The truth table of a moment. While the verdict is hidden, it is the parent's."""
    before, after = _compared(moment)
    n = moment.config.n
    if before is None or after is None:
        grid = grid_for(n)
        blank = np.full(grid.shape, CellClass.BLANK, dtype=np.uint8)
        return RowTable(moment=moment, before=None, after=None, grid=grid, classes=blank, counts=None)
    grid = grid_for(n, before) if before is after else grid_for(n, before, after)
    was_wrong = _wrong_cells(before, grid)
    is_wrong = was_wrong if _is_same(before, after) else _wrong_cells(after, grid)
    classes = (was_wrong ^ is_wrong).view(np.uint8)
    classes <<= 1
    classes |= is_wrong.view(np.uint8)
    counts = _counted(was_wrong, is_wrong) if grid.is_complete else _counts(n, before, after)
    return RowTable(
        moment=moment,
        before=before,
        after=after,
        grid=grid,
        classes=classes,
        counts=counts,
        drawn=_drawn(moment, grid, before, after),
    )


def is_quick(moment: Moment) -> bool:
    """Whether the table takes no more than a few milliseconds."""
    config = moment.config
    if config.n <= MOST_COMPLETE and config.n > _QUICK_VARIABLES:
        return False
    if config.sampler == "rows" and (config.rows or 0) > _QUICK_ROWS:
        return False
    products = 1
    for tree in {id(tree): tree for tree in _compared(moment) if tree is not None}.values():
        if isinstance(tree.value, TooMany):
            if tree.leaves > _QUICK_LEAVES or config.n > MOST_COMPLETE:
                return False
        else:
            products *= len(masks_of(tree.value))
    return config.n <= MOST_COMPLETE or products <= _QUICK_PRODUCTS


def _compared(moment: Moment) -> tuple[Node | None, Node | None]:
    if moment.is_verdict_hidden:
        return moment.parent, moment.parent
    if moment.step is None:
        return moment.tree, moment.tree
    # The empty tree is neither right nor wrong, so there is nothing to compare its first leaf with.
    before = moment.offspring if moment.parent is None else moment.parent
    return before, before if moment.offspring is None else moment.offspring


def _is_same(before: Node, after: Node) -> bool:
    return before is after or before.value == after.value


def _wrong_cells(tree: Node, grid: Grid) -> npt.NDArray[np.bool_]:
    """Every monotone function is true where AND_n is, so a tree is wrong in its other true cells."""
    cells = true_cells(tree, grid)
    cells[0, 0] = False
    return cells


def _counted(was_wrong: npt.NDArray[np.bool_], is_wrong: npt.NDArray[np.bool_]) -> Counts:
    both = int(np.count_nonzero(was_wrong & is_wrong))
    fixed = int(np.count_nonzero(was_wrong)) - both
    broken = int(np.count_nonzero(is_wrong)) - both
    return Counts(was_wrong.size - both - fixed - broken, both, fixed, broken)


def _counts(n: int, before: Node, after: Node) -> Counts | None:
    target = target_for(n)
    try:
        joint = target.joint(before, after)
    except TooComplexError:
        return None
    return Counts(target.rows - sum(joint), *joint)


def _drawn(moment: Moment, grid: Grid, before: Node, after: Node) -> DrawnRows | None:
    config, step = moment.config, moment.step
    if config.rows is None or config.sampler != "rows" or step is None or moment.is_verdict_hidden:
        return None
    is_alike = step.verdict is Verdict.UNCHANGED
    return drawn_rows(config, step.iteration, grid, before, before if is_alike else after)
