"""The stored form of a history: a row of 23 bytes for each iteration, and the trees it went through.

A tree shares most of its nodes with the one before, but what it does not share adds up in a run of millions. So of
the trees of long ago only some are kept; any other is made again from the last one kept and the mutations since.
"""

from collections import OrderedDict
from typing import Any, Final, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from gpviz.engine.mutation import Mutation, apply, apply_all, fresh_uids
from gpviz.engine.tree import Node, largest_uid
from gpviz.record.codes import FIELDS
from gpviz.record.columns import Column
from gpviz.record.encoding import LEFT_OUT, STRIDE, Encoder, Rows

__all__ = ["Changes", "Log"]

_MOST_RECENT: Final = 2_000
_MOST_MADE_AGAIN: Final = 4096
"""How many trees of long ago are remembered once they were looked at, so that they stay the same objects."""


class Changes(NamedTuple):
    """The iterations that brought another tree, iteration 0 first, and how large that tree is."""

    iterations: npt.NDArray[np.int64]
    leaves: npt.NDArray[np.int64]
    ors: npt.NDArray[np.int64]


class Log:
    """The columns of a history; row r belongs to iteration r + 1."""

    def __init__(self, start: Node | None) -> None:
        self.encoder = Encoder(start)
        self.codes = Column(np.uint8)
        self.nodes = Column(np.uint32)
        self.variables = Column(np.uint16)
        self.parent_errors = Column(np.int64)
        self.offspring_errors = Column(np.int64)
        self.error_codes = self.encoder.error_codes
        self._large_errors = 0
        self._change_iterations = Column(np.int64)
        self._change_leaves = Column(np.int64)
        self._change_ors = Column(np.int64)
        self._trees: list[Any] = [start]
        self._first_uid = largest_uid(start) + 1
        self._thinned = 0
        self._made_again: OrderedDict[int, Any] = OrderedDict()
        leaves, ors = (0, 0) if start is None else (start.leaves, start.ors)
        for column, value in (
            (self._change_iterations, 0),
            (self._change_leaves, leaves),
            (self._change_ors, ors),
        ):
            column.extend(np.array([value], dtype=np.int64))

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def columns(self) -> tuple[Column[Any], ...]:
        """What is kept of each iteration."""
        return (self.codes, self.nodes, self.variables, self.parent_errors, self.offspring_errors)

    @property
    def large_errors(self) -> list[int]:
        """The errors in it that have a code for being too large; the encoder may be ahead."""
        return self.error_codes.large[: self._large_errors]

    def beginning(self, iterations: int) -> "Log":
        """A log of its own with the first iterations of this one; columns are copied, trees are shared."""
        changes = int(self._change_iterations.view().searchsorted(iterations, side="right"))
        tree = self.tree(iterations)
        copy = Log(cast("Node | None", self._trees[0]))
        for column, source in zip(copy.columns, self.columns, strict=True):
            column.extend(source.view(0, iterations))
        for column, source in (
            (copy._change_iterations, self._change_iterations),
            (copy._change_leaves, self._change_leaves),
            (copy._change_ors, self._change_ors),
        ):
            column.extend(source.view(1, changes))
        copy._trees = [*self._trees[: changes - 1], tree]
        copy._thinned = min(self._thinned, (changes - 1) // STRIDE * STRIDE)
        copy._made_again = OrderedDict(
            (number, made) for number, made in self._made_again.items() if number < changes - 1
        )
        copy._large_errors = _large_errors_in(copy.parent_errors.view(), copy.offspring_errors.view())
        copy.encoder = Encoder.after(
            length=iterations,
            changes=changes,
            tree=tree,
            ors=copy._change_ors[changes - 1],
            large_errors=self.error_codes.large[: copy._large_errors],
        )
        copy.error_codes = copy.encoder.error_codes
        return copy

    def add(self, rows: Rows) -> None:
        """Add these iterations at the end."""
        self.codes.extend(rows.codes)
        self.nodes.extend(rows.nodes)
        self.variables.extend(rows.variables)
        self.parent_errors.extend(rows.parent_errors)
        self.offspring_errors.extend(rows.offspring_errors)
        self._large_errors = rows.large_errors
        self._change_iterations.extend(rows.change_iterations)
        self._change_leaves.extend(rows.change_leaves)
        self._change_ors.extend(rows.change_ors)
        self._trees += rows.trees
        if len(self._trees) - self._thinned > _MOST_RECENT + STRIDE:
            self._thin_out()

    def mutation(self, row: int) -> Mutation:
        """What was drawn."""
        fields = FIELDS[self.codes[row]]
        return Mutation(fields.operation, self.nodes[row], self.variables[row], fields.function, fields.side)

    def tree(self, iteration: int) -> Node | None:
        """The tree that survived this iteration; at 0 the start."""
        number = int(self._change_iterations.view().searchsorted(iteration, side="right")) - 1
        kept = self._trees[number]
        return self._tree_made_again(number) if kept is LEFT_OUT else cast("Node | None", kept)

    def changes(self) -> Changes:
        """When the tree changed, and its size from then on."""
        return Changes(self._change_iterations.view(), self._change_leaves.view(), self._change_ors.view())

    def _thin_out(self) -> None:
        """Of the trees of long ago only every so manieth is kept; the others follow from it and the mutations."""
        last = len(self._trees) - _MOST_RECENT
        while self._thinned + STRIDE < last:
            first, self._thinned = self._thinned + 1, self._thinned + STRIDE
            self._trees[first : self._thinned] = [LEFT_OUT] * (STRIDE - 1)

    def _tree_made_again(self, number: int) -> Node | None:
        made: Node | None = self._made_again.get(number)
        if made is not None:
            self._made_again.move_to_end(number)
            return made
        start = number - 1
        while (tree := self._made_again.get(start, self._trees[start])) is LEFT_OUT:
            start -= 1
        changes = [
            (self.mutation(iteration - 1), fresh_uids(self._first_uid, iteration))
            for iteration in self._change_iterations.view(start + 1, number + 1).tolist()
        ]
        if len(changes) == 1:
            made = apply(cast("Node | None", tree), *changes[0])  # which shares its nodes with the one before
        else:
            made = apply_all(cast("Node | None", tree), changes)
        self._made_again[number] = made
        if len(self._made_again) > _MOST_MADE_AGAIN:
            self._made_again.popitem(last=False)
        return made


def _large_errors_in(*columns: npt.NDArray[np.int64]) -> int:
    """How many errors these rows have codes for; they are numbered -2, -3, ... as they first appear."""
    smallest = min((int(column.min()) for column in columns if len(column)), default=0)
    return max(0, -1 - smallest)
