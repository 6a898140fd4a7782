"""The stored form of a history: a row of 23 bytes for each iteration, and the trees it went through.

A tree shares most of its nodes with the one before, but what it does not share adds up in a run of millions. So of
the trees of long ago only some are kept; any other is made again from the last one kept and the mutations since.
"""

from collections import OrderedDict
from typing import Any, Final, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from gpviz.engine.mutation import Mutation, apply, fresh_uids
from gpviz.engine.step import Step
from gpviz.engine.tree import Node, largest_uid, node_path
from gpviz.engine.words import Function, Operation
from gpviz.record.codes import CODES, FIELDS, PLANTED, Property, has_property
from gpviz.record.columns import Column, ErrorCodes

__all__ = ["Changes", "Log"]

_LEFT_OUT: Final = object()
_MOST_RECENT: Final = 50_000
_STRIDE: Final = 128
_MOST_MADE_AGAIN: Final = 4096
"""How many trees of long ago are remembered once they were looked at, so that they stay the same objects."""

# Looking up a member of an enumeration takes longer than storing an iteration.
_INS: Final = Operation.INS
_DEL: Final = Operation.DEL
_OR: Final = Function.OR


class Changes(NamedTuple):
    """The iterations that brought another tree, iteration 0 first, and how large that tree is."""

    iterations: npt.NDArray[np.int64]
    leaves: npt.NDArray[np.int64]
    ors: npt.NDArray[np.int64]


class Log:
    """The columns of a history; row r belongs to iteration r + 1."""

    def __init__(self, start: Node | None) -> None:
        self.codes = Column(np.uint8)
        self.nodes = Column(np.uint32)
        self.variables = Column(np.uint16)
        self.parent_errors = Column(np.int64)
        self.offspring_errors = Column(np.int64)
        self.error_codes = ErrorCodes()
        self._change_iterations = Column(np.int64)
        self._change_leaves = Column(np.int64)
        self._change_ors = Column(np.int64)
        self._trees: list[Any] = []
        self._first_uid = largest_uid(start) + 1
        self._thinned = 0
        self._made_again: OrderedDict[int, Node | None] = OrderedDict()
        self._add_changes([0], [start], [0 if start is None else start.ors])

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def columns(self) -> tuple[Column[Any], ...]:
        """What is kept of each iteration."""
        return (self.codes, self.nodes, self.variables, self.parent_errors, self.offspring_errors)

    def extend(self, steps: list[Step]) -> None:
        """Add these iterations at the end."""
        (
            _, operations, nodes, variables, functions, sides, verdicts,
            _, offspring_errors, parent_errors, _, trees, is_truly_worse,
        ) = zip(*steps, strict=True)  # fmt: skip
        count = len(steps)
        drawn = zip(operations, functions, sides, verdicts, is_truly_worse, strict=True)
        codes = np.fromiter(map(CODES.__getitem__, drawn), dtype=np.uint8, count=count)
        changed = np.flatnonzero(has_property(codes, Property.CHANGED)).tolist()
        if changed and self._trees[-1] is None:
            codes[changed[0]] += PLANTED
        parent_codes, offspring_codes = self.error_codes.encode(parent_errors, offspring_errors)

        ors = self._change_ors[-1]
        all_ors = []
        tree = self._trees[-1]
        for row in changed:
            if operations[row] is _INS:
                ors += tree is not None and functions[row] is _OR
            elif ors and operations[row] is _DEL:
                ors -= _ors_deleted(tree, nodes[row])
            all_ors.append(ors)
            tree = trees[row]
        first = len(self) + 1
        self._add_changes([row + first for row in changed], [trees[row] for row in changed], all_ors)
        self.codes.extend(codes)
        self.nodes.extend(np.fromiter(nodes, dtype=np.uint32, count=count))
        self.variables.extend(np.fromiter(variables, dtype=np.uint16, count=count))
        self.parent_errors.extend(parent_codes)
        self.offspring_errors.extend(offspring_codes)

    def mutation(self, row: int) -> Mutation:
        """What was drawn."""
        fields = FIELDS[self.codes[row]]
        return Mutation(fields.operation, self.nodes[row], self.variables[row], fields.function, fields.side)

    def tree(self, iteration: int) -> Node | None:
        """The tree that survived this iteration; at 0 the start."""
        number = int(self._change_iterations.view().searchsorted(iteration, side="right")) - 1
        kept = self._trees[number]
        return self._tree_made_again(number) if kept is _LEFT_OUT else cast("Node | None", kept)

    def changes(self) -> Changes:
        """When the tree changed, and its size from then on."""
        return Changes(self._change_iterations.view(), self._change_leaves.view(), self._change_ors.view())

    def _thin_out(self) -> None:
        """Of the trees of long ago only every so manieth is kept; the others follow from it and the mutations."""
        last = len(self._trees) - _MOST_RECENT
        while self._thinned + _STRIDE < last:
            first, self._thinned = self._thinned + 1, self._thinned + _STRIDE
            self._trees[first : self._thinned] = [_LEFT_OUT] * (_STRIDE - 1)

    def _tree_made_again(self, number: int) -> Node | None:
        made = self._made_again.get(number)
        if made is not None:
            self._made_again.move_to_end(number)
            return made
        start = number - number % _STRIDE
        tree: Node | None = self._trees[start]
        iterations = self._change_iterations.view(start + 1, number + 1).tolist()
        for place, iteration in enumerate(iterations, start=start + 1):
            known = self._made_again.get(place)
            if known is None:
                known = apply(tree, self.mutation(iteration - 1), fresh_uids(self._first_uid, iteration))
                self._made_again[place] = known
            tree = known
        while len(self._made_again) > _MOST_MADE_AGAIN:
            self._made_again.popitem(last=False)
        return tree

    def _add_changes(self, iterations: list[int], trees: list[Node | None], ors: list[int]) -> None:
        leaves = [0 if tree is None else tree.leaves for tree in trees]
        self._trees += trees
        if len(self._trees) - self._thinned > 2 * _MOST_RECENT:
            self._thin_out()
        self._change_iterations.extend(np.array(iterations, dtype=np.int64))
        self._change_leaves.extend(np.array(leaves, dtype=np.int64))
        self._change_ors.extend(np.array(ors, dtype=np.int64))


def _ors_deleted(tree: Node | None, node: int) -> int:
    """How many ORs go with this node and its parent; counting those of the whole tree would take long."""
    assert tree is not None
    deleted, path = node_path(tree, node)
    return deleted.ors + (path[-1][0].function is _OR)
