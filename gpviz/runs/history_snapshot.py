"""A history as it is at one moment, which another thread may read while the history grows.

It gives the columns in blocks, and the trees one after the other. What is in no column, the size of a rejected
deletion and the state of a tree, is marked as not known until somebody has looked it up.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from gpviz.analysis.drift_bounds import stage_bounds, stage_of
from gpviz.engine import Function, Node, Operation, RunConfig, State
from gpviz.engine.interruption import checkpoint
from gpviz.engine.mutation import Mutation, apply_all, fresh_uids
from gpviz.engine.tree import ROOT, node_at
from gpviz.runs.step_encoding import FIELDS, Property, functions_of, has_property, operations_of

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

STATES: Final = tuple(State)
"""The states in the order of their numbers in a block."""

_NO_ERROR: Final = -1
_INS: Final = tuple(Operation).index(Operation.INS)
_AND: Final = tuple(Function).index(Function.AND)
_DEL: Final = tuple(Operation).index(Operation.DEL)
_CHUNK: Final = 1_024
"""How many changes are applied to a tree before asking whether to stop."""


class Changes(NamedTuple):
    """The iterations that changed the tree, iteration 0 first, with the numbers of the new tree.

    ``distinct`` is the number of its different variables; ``is_duplicate`` says whether an insertion or a
    substitution added a variable that was there already.
    """

    iterations: Ints
    leaves: Ints
    ors: Ints
    distinct: npt.NDArray[np.uint16]
    is_duplicate: Bools


class Recorded(Protocol):
    """The part of a `History` that a snapshot reads; histories make snapshots, so their module is not imported."""

    start: Node | None
    first_uid: int

    @property
    def configs(self) -> tuple[tuple[int, RunConfig], ...]: ...
    def __len__(self) -> int: ...
    def _settled(self) -> Any: ...


class Snapshot:
    """What a history holds at this moment; it never changes."""

    def __init__(self, history: Recorded) -> None:
        log = history._settled()
        self.length = len(history)
        self.configs = history.configs
        self.start = history.start
        self.first_uid = history.first_uid
        self.codes: npt.NDArray[np.uint8] = log.codes.view()
        self.node_indices: npt.NDArray[np.uint32] = log.node_indices.view()
        self.variables: npt.NDArray[np.uint16] = log.variables.view()
        self.parent_errors: Ints = log.parent_errors.view()
        self.offspring_errors: Ints = log.offspring_errors.view()
        self.changes: Changes = log.changes()
        self._large_errors: list[int] = log.error_codes.large  # it grows at its end, and keeps what it has

    def config_at(self, iteration: int) -> tuple[RunConfig, int]:
        """The configuration of this iteration, and the last iteration that has it."""
        number = max(index for index, (first, _) in enumerate(self.configs) if first <= iteration)
        is_last = number + 1 == len(self.configs)
        return self.configs[number][1], self.length if is_last else self.configs[number + 1][0] - 1

    def errors(self, codes: Ints) -> tuple[npt.NDArray[Any], Bools]:
        """The errors with these codes, exact however large, and where there is an error at all."""
        is_defined = codes != _NO_ERROR
        is_large = codes < _NO_ERROR
        if not is_large.any():
            return codes, is_defined
        errors = codes.astype(object)
        errors[is_large] = self._exact_errors[-2 - codes[is_large]]
        return errors, is_defined

    def mutation(self, row: int) -> Mutation:
        """The mutation that was drawn."""
        fields = FIELDS[int(self.codes[row])]
        node, variable = int(self.node_indices[row]) + 1, int(self.variables[row])
        return Mutation(fields.operation, node, variable, fields.function, fields.side)

    def plateaus(self) -> Ints:
        """For each change the number of its plateau; every improvement or change of size begins another."""
        rows = self.changes.iterations[1:] - 1
        is_new = has_property(self.codes[rows], Property.IMPROVED) | (np.diff(self.changes.leaves) != 0)
        return np.concatenate(([0], np.cumsum(is_new)))

    @cached_property
    def _exact_errors(self) -> npt.NDArray[np.object_]:
        return np.array(list(self._large_errors), dtype=object)


class TreeWalk:
    """Makes the trees of a snapshot one after the other, without the history, which another thread is using."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._number = 0
        self._tree: Node | None = snapshot.start

    def tree(self, number: int, should_stop: Callable[[], bool]) -> Node | None:
        """The tree after this change; an earlier one if ``should_stop`` says so on the way."""
        snapshot = self._snapshot
        if number < self._number:
            self._number, self._tree = 0, snapshot.start
        while self._number < number and not should_stop():
            end = min(number, self._number + _CHUNK)
            iterations = snapshot.changes.iterations[self._number + 1 : end + 1].tolist()
            changes = [
                (snapshot.mutation(iteration - 1), fresh_uids(snapshot.first_uid, iteration))
                for iteration in iterations
            ]
            self._tree = apply_all(self._tree, changes)
            self._number = end
        return self._tree


class Block:
    """Some consecutive rows of a snapshot under one configuration, from row ``first`` to before ``stop``.

    ``numbers`` has for each row the number of the last change, which is that of its tree.
    """

    def __init__(self, snapshot: Snapshot, first: int, most: int) -> None:
        self.config, last = snapshot.config_at(first + 1)
        self.first = first
        self.stop = min(first + most, last)
        self.rows = slice(first, self.stop)
        self.codes = snapshot.codes[self.rows]
        self.parent_error_codes = snapshot.parent_errors[self.rows]
        self.offspring_error_codes = snapshot.offspring_errors[self.rows]
        self.errors = snapshot.errors
        before = int(np.searchsorted(snapshot.changes.iterations, first, side="right")) - 1
        self.numbers = before + np.cumsum(has_property(self.codes, Property.CHANGED))
        self.snapshot = snapshot

    @property
    def iterations(self) -> Ints:
        """The iteration of each row."""
        return np.arange(self.first + 1, self.stop + 1, dtype=np.int64)

    @cached_property
    def leaves(self) -> Ints:
        """The leaves of each surviving tree."""
        leaves: Ints = self.snapshot.changes.leaves[self.numbers]
        return leaves

    @property
    def ors(self) -> Ints:
        """The ORs of each surviving tree."""
        ors: Ints = self.snapshot.changes.ors[self.numbers]
        return ors

    @property
    def distinct(self) -> npt.NDArray[np.uint16]:
        """The number of different variables in each surviving tree."""
        distinct: npt.NDArray[np.uint16] = self.snapshot.changes.distinct[self.numbers]
        return distinct

    @property
    def is_full(self) -> Bools:
        """Whether each parent had as many leaves as the limit allows."""
        if self.config.max_leaves is None:
            return np.zeros(len(self.codes), dtype=np.bool_)
        parents = self.numbers - has_property(self.codes, Property.CHANGED)
        is_full: Bools = self.snapshot.changes.leaves[parents] == self.config.max_leaves
        return is_full

    @property
    def duplicate_accepted(self) -> Bools:
        """Whether each step added a variable to its tree that was there already."""
        is_duplicate: Bools = self.snapshot.changes.is_duplicate[self.numbers]
        return has_property(self.codes, Property.CHANGED) & is_duplicate

    @property
    def is_root_and(self) -> Bools:
        """Whether an insertion of an AND at the root was drawn, and not for the empty tree."""
        is_insertion = (operations_of(self.codes) == _INS) & (functions_of(self.codes) == _AND)
        is_at_root = self.snapshot.node_indices[self.rows] == ROOT - 1
        is_root_and: Bools = is_insertion & is_at_root & (self.parent_error_codes != _NO_ERROR)
        return is_root_and

    def stages(self) -> tuple[Ints, Bools]:
        """The stage of the drift theorem that each parent's error is in, and where there is one."""
        codes, n = self.parent_error_codes, self.config.n
        if self.config.is_sampled:
            return np.zeros(len(codes), dtype=np.int64), np.zeros(len(codes), dtype=np.bool_)
        bounds = [bound for bound in stage_bounds(n) if bound < 2**63]
        stages = np.searchsorted(np.array(bounds, dtype=np.int64), codes, side="right") - 1
        large = np.flatnonzero(codes < _NO_ERROR)
        if len(large):
            kinds, inverse = np.unique(codes[large], return_inverse=True)
            errors = self.snapshot.errors(kinds)[0].tolist()
            stages[large] = np.array([stage_of(error, n) for error in errors])[inverse]
        return stages, stages >= 0

    @cached_property
    def error_codes(self) -> Ints:
        """The code of each surviving tree's error."""
        is_accepted = has_property(self.codes, Property.ACCEPTED)
        return np.where(is_accepted, self.offspring_error_codes, self.parent_error_codes)

    @cached_property
    def removed(self) -> tuple[Ints, Bools]:
        """How many nodes each deletion removes, and where that is known."""
        values = np.zeros(len(self.codes), dtype=np.int64)
        is_deletion = operations_of(self.codes) == _DEL
        changed = np.flatnonzero(is_deletion & has_property(self.codes, Property.CHANGED))
        leaves, numbers = self.snapshot.changes.leaves, self.numbers[changed]
        # Where a deletion was drawn for the empty tree, a first leaf came instead, and nothing went.
        values[changed] = np.maximum(2 * (leaves[numbers - 1] - leaves[numbers]) - 1, 0)
        is_rejected = is_deletion & ~has_property(self.codes, Property.ACCEPTED)
        if self.config.has_subtree_deletion:
            return values, ~is_rejected
        values[is_rejected] = 1
        return values, np.ones_like(is_rejected)

    def look_up_removed(self, row: int, parent: Node | None) -> None:
        """Find out how many nodes this row's deletion removes from its parent."""
        values, is_known = self.removed
        node = int(self.snapshot.node_indices[self.first + row]) + 1
        values[row] = node_at(parent, node).size if parent is not None and node != ROOT else 0
        is_known[row] = True

    def look_up_all_removed(self, walk: "TreeWalk") -> None:
        """Find out how many nodes each rejected deletion would have removed, which no column has."""

        def should_stop() -> bool:
            checkpoint()  # whoever wants it to stop is heard here
            return False

        for row in np.flatnonzero(~self.removed[1]).tolist():
            checkpoint()
            self.look_up_removed(row, walk.tree(int(self.numbers[row]), should_stop))

    def offspring_leaves(self) -> Ints:
        """The leaves of each offspring, where it is known what a deletion removes."""
        # A rejected offspring is compared with the tree that stayed; an accepted one is the tree.
        operations, removed = operations_of(self.codes), self.removed[0]
        is_rejected = ~has_property(self.codes, Property.ACCEPTED)
        is_deletion = is_rejected & (operations == _DEL)
        leaves: Ints = self.leaves + (is_rejected & (operations == _INS))
        leaves[is_deletion] -= (removed[is_deletion] + 1) // 2
        return leaves

    @cached_property
    def states(self) -> tuple[Ints, Bools]:
        """The state of each surviving tree as an index into `STATES`, and where it is known."""
        values = np.full(len(self.codes), STATES.index(State.CLIMBING), dtype=np.int64)
        if self.config.is_sampled:
            return values, self.leaves == 0
        is_solved = self.error_codes == 0
        values[is_solved] = STATES.index(State.SOLVED)
        limit = self.config.max_leaves
        return values, np.ones_like(is_solved) if limit is None else is_solved | (self.leaves < limit)
