"""Steps on their way into a log: consecutive ones become rows, wherever they are made."""

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from gpviz.engine.enums import Function, Operation
from gpviz.engine.step import DRAWN, Step, Tape
from gpviz.engine.tree import Node, node_path
from gpviz.record.codes import PLANTED, Property, codes_of, has_property
from gpviz.record.columns import ErrorCodes

__all__ = ["LEFT_OUT", "STRIDE", "Encoder", "Rows"]

LEFT_OUT: Final = object()
"""Stands for a tree that is not kept, because it can be made again."""

STRIDE: Final = 128
"""Of the trees a run went through every so manieth is kept for ever."""

_MANY: Final = 64
"""Of so many steps at once nobody has seen each, so most trees are left out at once."""

_INS_OR: Final = DRAWN[Operation.INS, Function.OR]
_DELS: Final = tuple(DRAWN[Operation.DEL, function] for function in Function)


class Rows(NamedTuple):
    """Consecutive iterations from ``first`` on, column by column, and the trees they brought.

    ``large_errors`` is how many errors too large for a column there have been up to here.
    """

    first: int
    codes: npt.NDArray[np.uint8]
    nodes: npt.NDArray[np.uint32]
    variables: npt.NDArray[np.uint16]
    parent_errors: npt.NDArray[np.int64]
    offspring_errors: npt.NDArray[np.int64]
    change_iterations: npt.NDArray[np.int64]
    change_leaves: npt.NDArray[np.int64]
    change_ors: npt.NDArray[np.int64]
    trees: list[Any]
    large_errors: int

    @property
    def iterations(self) -> int:
        """How many there are."""
        return len(self.codes)


class Encoder:
    """Makes rows of the steps of one run, in their order. It may be used in another thread than its log."""

    def __init__(self, start: Node | None) -> None:
        self.error_codes = ErrorCodes()
        self._length = 0
        self._changes = 1
        self._tree = start
        self._ors = 0 if start is None else start.ors

    @classmethod
    def after(
        cls, *, length: int, changes: int, tree: Node | None, ors: int, large_errors: list[int]
    ) -> "Encoder":
        """One that goes on after so many iterations, of which ``changes`` brought a tree, the start included."""
        encoder = cls(tree)
        encoder.error_codes.encode(large_errors, large_errors)
        encoder._length = length
        encoder._changes = changes
        encoder._ors = ors
        return encoder

    def encode(self, steps: list[Step]) -> Rows:
        """The rows of the next steps; there must be one at least."""
        return self.encode_tape(Tape.of(steps))

    def encode_tape(self, tape: Tape) -> Rows:
        """The rows of the next iterations, which are on the tape."""
        first, count = tape.first, len(tape)
        if first != self._length + 1:
            raise ValueError(f"iterations {first} to {tape.last} cannot follow iteration {self._length}")
        columns = tape.columns
        codes = codes_of(columns.drawn, columns.sides, columns.verdicts, columns.is_truly_worse)
        changes = np.flatnonzero(has_property(codes, Property.CHANGED))
        if len(changes) and self._tree is None:
            codes[changes[0]] += PLANTED
        offspring_errors, parent_errors = columns.offspring_errors, columns.parent_errors
        parent_codes, offspring_codes = self.error_codes.encode(parent_errors, offspring_errors)

        tree, ors = self._tree, self._ors
        all_ors = []
        for row, new_tree in zip(changes.tolist(), tape.trees, strict=True):
            drawn = columns.drawn[row]
            if drawn == _INS_OR:
                ors += tree is not None
            elif ors and drawn in _DELS:
                ors -= _ors_deleted(tree, columns.nodes[row])
            all_ors.append(ors)
            tree = new_tree
        kept: list[Any] = tape.trees.copy()
        leaves = [0 if tree is None else tree.leaves for tree in kept]
        if count >= _MANY:
            self._leave_out(kept)
        self._tree, self._ors = tree, ors
        self._length += count
        self._changes += len(changes)
        return Rows(
            first,
            codes,
            np.fromiter(columns.nodes, dtype=np.uint32, count=count),
            np.fromiter(columns.variables, dtype=np.uint16, count=count),
            parent_codes,
            offspring_codes,
            changes + first,
            np.array(leaves, dtype=np.int64),
            np.array(all_ors, dtype=np.int64),
            kept,
            len(self.error_codes.large),
        )

    def _leave_out(self, trees: list[Any]) -> None:
        """Keep the last two of these trees, which are on show next, and those that are kept for ever."""
        start = -self._changes % STRIDE  # the first whose number in the run is a multiple
        always = trees[start::STRIDE]
        trees[:-2] = [LEFT_OUT] * (len(trees) - 2)
        trees[start::STRIDE] = always


def _ors_deleted(tree: Node | None, node: int) -> int:
    """How many ORs go with this node and its parent; counting those of the whole tree would take long."""
    assert tree is not None
    deleted, path = node_path(tree, node)
    return deleted.ors + (path[-1][0].function is Function.OR)
