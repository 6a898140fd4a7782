"""The rows of a truth table laid out as a grid in Gray-code order: which cell is which assignment.

The first half of the variables shown runs down, the others run across. Along either side the assignments follow
a Gray code, so that neighbouring cells differ in exactly one variable. In the top left cell every variable is
1; it is the only row on which AND_n is true. Of a large table only a part is shown: every variable that is not
on the grid is 1 there.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from gpviz.engine import Leaf, Node
from gpviz.engine.boolean_function import TooMany, masks_of, union, variables_in
from gpviz.engine.tree import nodes_of

__all__ = ["MOST_COMPLETE", "Axis", "Grid", "grid_for"]

MOST_COMPLETE: Final = 20
"""With more variables than that, the table is not shown as a whole."""

_MOST_SHOWN: Final = 16
_MOST_MISSING: Final = 4
"""Places kept for variables that the trees do not use, as that is where they are wrong."""


class Axis:
    """The assignments of some variables in Gray-code order; the first variable changes least often."""

    def __init__(self, variables: tuple[int, ...]) -> None:
        self.variables = variables
        self.length = 1 << len(variables)
        steps = np.arange(self.length, dtype=np.uint32)
        self.codes = ~(steps ^ (steps >> 1)) & np.uint32(self.length - 1)
        """For each place, the assignment; the first variable is the highest bit."""
        self.places = np.empty(self.length, dtype=np.int64)
        """For each assignment, its place."""
        self.places[self.codes] = np.arange(self.length)
        highest = len(variables) - 1
        self._bits = [
            (1 << (variable - 1), 1 << (highest - i), highest - i) for i, variable in enumerate(variables)
        ]

    def code_of(self, mask: int) -> int:
        """The variables of a mask that are on this axis, in this axis's own bits."""
        code = 0
        for bit, own, _ in self._bits:
            if mask & bit:
                code |= own
        return code

    def mask_of(self, place: int) -> int:
        """The variables of this axis that are 1 at a place."""
        code = int(self.codes[place])
        return union(bit for bit, own, _ in self._bits if code & own)

    def values_of(self, variable: int) -> npt.NDArray[np.bool_]:
        """For each place, whether this variable is 1 there."""
        shift = len(self.variables) - 1 - self.variables.index(variable)
        return ((self.codes >> np.uint32(shift)) & np.uint32(1)).astype(np.bool_)

    def codes_from(self, values: Callable[[int], npt.NDArray[np.uint8]]) -> npt.NDArray[np.uint32]:
        """The codes of many assignments, given by each variable's values on them as zeros and ones."""
        codes = np.zeros(1, dtype=np.uint32)
        for variable, (_, _, shift) in zip(self.variables, self._bits, strict=True):
            codes = codes | (values(variable).astype(np.uint32) << np.uint32(shift))
        return codes


@dataclass(frozen=True)
class Grid:
    """A grid over some of the n variables: the first half of those given runs down, the others run across."""

    n: int
    variables: tuple[int, ...]

    @cached_property
    def down(self) -> Axis:
        return Axis(self.variables[: len(self.variables) // 2])

    @cached_property
    def across(self) -> Axis:
        return Axis(self.variables[len(self.variables) // 2 :])

    @property
    def shape(self) -> tuple[int, int]:
        """The number of its rows and of its columns."""
        return self.down.length, self.across.length

    @property
    def is_complete(self) -> bool:
        """Whether every row of the truth table has a cell."""
        return len(self.variables) == self.n

    @cached_property
    def fixed(self) -> int:
        """The mask of the variables that are 1 in all cells, as they are not on the grid."""
        return ((1 << self.n) - 1) & ~union(1 << (variable - 1) for variable in self.variables)

    def assignment_of(self, row: int, column: int) -> int:
        """The mask of the variables that are 1 in a cell."""
        return self.down.mask_of(row) | self.across.mask_of(column) | self.fixed

    def cell_of(self, mask: int) -> tuple[int, int] | None:
        """The row and the column of an assignment; None where it has no cell."""
        if self.fixed & ~mask:
            return None
        down, across = self.down, self.across
        return int(down.places[down.code_of(mask)]), int(across.places[across.code_of(mask)])


@lru_cache(maxsize=32)
def _grid(n: int, variables: tuple[int, ...]) -> Grid:
    return Grid(n, variables)


def grid_for(n: int, *trees: Node) -> Grid:
    """The grid on which these trees are looked at: all variables, or of many those that tell most."""
    if n <= MOST_COMPLETE:
        return _grid(n, tuple(range(1, n + 1)))
    counts = [_occurrences(tree) for tree in trees]
    used = _by_relevance(counts)
    known = set(used)
    missing = [variable for variable in range(1, n + 1) if variable not in known]
    chosen = used[: _MOST_SHOWN - min(_MOST_MISSING, len(missing))]
    chosen += missing[: _MOST_SHOWN - len(chosen)]
    # Dealt out in turn, as a side with all that are missing would leave the other one empty.
    return _grid(n, (*sorted(chosen[::2]), *sorted(chosen[1::2])))


def _by_relevance(counts: list[tuple[int, dict[int, int]]]) -> list[int]:
    """Those in which the trees differ come first, then those needed in a part of a tree only."""
    used = {variable for _, seen in counts for variable in seen}

    def order(variable: int) -> tuple[bool, bool, int, int]:
        times = [seen.get(variable, 0) for _, seen in counts]
        is_everywhere = all(time == whole for time, (whole, _) in zip(times, counts, strict=True))
        return len(set(times)) == 1, is_everywhere, -sum(times), variable

    return sorted(used, key=order)


def _occurrences(tree: Node) -> tuple[int, dict[int, int]]:
    """The number of a tree's products, and in how many of them each variable is; or else of its leaves."""
    seen: dict[int, int] = {}
    if isinstance(tree.value, TooMany):
        for node in nodes_of(tree):
            if isinstance(node, Leaf):
                seen[node.variable] = seen.get(node.variable, 0) + 1
        return tree.leaves, seen
    masks = masks_of(tree.value)
    for mask in masks:
        for variable in variables_in(mask):
            seen[variable] = seen.get(variable, 0) + 1
    return len(masks), seen
