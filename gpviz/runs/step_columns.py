"""The iterations of a run as columns: a snapshot of its history, read in blocks, and the table of the columns.

A snapshot is the history at one moment; another thread may read it while the history grows. It gives the
columns in blocks, many values at once, and the trees one after the other. The size of a rejected deletion and
the state of a tree are not recorded; they are marked as unknown until they are looked up. Logs, queries and
`History.columns` use the column names of the table.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from gpviz.analysis.drift_bounds import stage_bounds, stage_of
from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Function, Operation, Side, State, Verdict
from gpviz.engine.errors import InvalidValueError, TooComplexError
from gpviz.engine.formula import ASCII, format_formula
from gpviz.engine.interruption import checkpoint
from gpviz.engine.mutation import Mutation, apply_all, fresh_uids
from gpviz.engine.prime_implicants import TooMany
from gpviz.engine.target import Conjunction, target_for
from gpviz.engine.tree import ROOT, Node, node_at
from gpviz.runs.step_encoding import (
    FIELDS,
    Changes,
    Property,
    functions_of,
    has_property,
    operations_of,
    sides_of,
    verdicts_of,
)

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

BOOLEANS: Final = ("false", "true")

GENERALISATION_ERROR: Final = "generalisation_error"
FORMULA: Final = "formula"
"""Two columns that are read from trees, and take as long as making these."""

STATES: Final = tuple(State)
"""The states in the order of their numbers in a block."""

_NO_ERROR: Final = -1
_INS: Final = tuple(Operation).index(Operation.INS)
_AND: Final = tuple(Function).index(Function.AND)
_DEL: Final = tuple(Operation).index(Operation.DEL)
_CHUNK: Final = 1_024
"""How many changes are applied to a tree before asking whether to stop."""
_ROWS: Final = 8192
_LARGEST_EXACT: Final = 2**53
"""Floats cannot hold every whole number beyond this one."""


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


class Column(NamedTuple):
    """The values of a block's rows, and where they are defined and known: an array, or True if everywhere."""

    values: npt.NDArray[Any]
    is_defined: Any = True
    is_known: Any = True


@dataclass(frozen=True, slots=True)
class StepColumn:
    """A column of numbers: a text is given by its index in ``labels``, a truth value as 0 or 1."""

    name: str
    about: str
    of_block: Callable[[Block], npt.NDArray[Any] | Column]
    labels: tuple[str, ...] = ()

    @property
    def is_truth(self) -> bool:
        """Whether its values are true or false."""
        return self.labels is BOOLEANS

    def column(self, block: Block) -> Column:
        """The values of a block."""
        column = self.of_block(block)
        return column if isinstance(column, Column) else Column(column)


def _error_change(block: Block) -> Column:
    offspring, is_offspring = block.errors(block.offspring_error_codes)
    parent, is_parent = block.errors(block.parent_error_codes)
    return Column(offspring - parent, is_offspring & is_parent)


def _values(members: type[StrEnum]) -> tuple[str, ...]:
    return tuple(member.value for member in members)


# fmt: off
_ALL: Final = (
    StepColumn("iteration", "the number of the iteration, from 1", lambda block: block.iterations),
    StepColumn("operation", "the operation that was drawn",
               lambda block: operations_of(block.codes), _values(Operation)),
    StepColumn("node", "the number of the chosen node, counted in preorder; the root is 1",
               lambda block: block.snapshot.node_indices[block.rows] + np.uint32(1)),
    StepColumn("variable", "the variable that was drawn, such as 4 or x4; DEL ignores it",
               lambda block: block.snapshot.variables[block.rows]),
    StepColumn("function", "the function that was drawn; only INS uses it",
               lambda block: functions_of(block.codes), _values(Function)),
    StepColumn("side", "where INS puts the new leaf", lambda block: sides_of(block.codes), _values(Side)),
    StepColumn("verdict", "what became of the offspring",
               lambda block: verdicts_of(block.codes), _values(Verdict)),
    StepColumn("offspring_leaves", "the leaves of the offspring",
               lambda block: Column(block.offspring_leaves(), is_known=block.removed[1])),
    StepColumn("offspring_error", "the error of the offspring, if it was evaluated",
               lambda block: Column(*block.errors(block.offspring_error_codes))),
    StepColumn("parent_error", "the error of the tree before",
               lambda block: Column(*block.errors(block.parent_error_codes))),
    StepColumn("error", "the error of the surviving tree",
               lambda block: Column(*block.errors(block.error_codes))),
    StepColumn("leaves", "the leaves of the surviving tree", lambda block: block.leaves),
    StepColumn("ors", "the ORs in the surviving tree", lambda block: block.snapshot.changes.ors[block.numbers]),
    StepColumn("distinct", "the different variables in the surviving tree",
               lambda block: block.snapshot.changes.distinct[block.numbers]),
    StepColumn("full", "whether the tree before has as many leaves as the limit allows",
               lambda block: block.is_full, BOOLEANS),
    StepColumn("duplicate_accepted",
               "whether an accepted INS or SUB brought a variable that the tree already had",
               lambda block: block.duplicate_accepted, BOOLEANS),
    StepColumn("or_accepted", "whether INS of an OR was accepted",
               lambda block: has_property(block.codes, Property.OR_ACCEPTED), BOOLEANS),
    StepColumn("true_error_grew", "whether a sample accepted an offspring that is worse on all rows",
               lambda block: has_property(block.codes, Property.TRUE_ERROR_GREW), BOOLEANS),
    # A log leaves out what follows from these.
    StepColumn("accepted", "whether the offspring was accepted",
               lambda block: has_property(block.codes, Property.ACCEPTED), BOOLEANS),
    StepColumn("error_change", "the offspring's error minus its parent's", _error_change),
    StepColumn("size", "the nodes of the surviving tree", lambda block: (2 * block.leaves - 1).clip(0)),
    StepColumn("size_removed", "how many nodes DEL removes in the offspring; otherwise 0",
               lambda block: Column(block.removed[0], is_known=block.removed[1])),
    StepColumn("root_and", "whether a root-and was drawn: INS of an AND at the root",
               lambda block: block.is_root_and, BOOLEANS),
    StepColumn("stage",
               "the drift theorem's stage of the parent's error: 0 below n, 1 from n, 2 from n², 3 from n⁴",
               lambda block: Column(*block.stages())),
)
# fmt: on

STEP_COLUMNS: Final = MappingProxyType({column.name: column for column in _ALL})
"""The columns by their names."""

LOG_COLUMNS: Final = tuple(STEP_COLUMNS)[: tuple(STEP_COLUMNS).index("true_error_grew") + 1]
"""The columns of a log."""

_OF_REMOVED: Final = frozenset(("offspring_leaves", "size_removed"))
"""Columns that are not known for a rejected deletion before its tree is made again."""


def generalisation_error(tree: Node | None, target: Conjunction) -> float | None:
    """The generalisation error of a tree; None for the empty tree, and where it takes too long to count.

    It passes checkpoints.
    """
    if tree is None or isinstance(tree.value, TooMany):
        return None
    try:
        return float(target.generalisation_error(tree))
    except TooComplexError:
        return None


def arrays_of(snapshot: Snapshot, names: Iterable[str]) -> dict[str, npt.NDArray[Any]]:
    """The columns with these names, each as an array with a value for every iteration."""
    wanted = checked_names(names, (*STEP_COLUMNS, GENERALISATION_ERROR, FORMULA))
    parts: dict[str, list[Column]] = {name: [] for name in wanted}
    walk, needs_removed = TreeWalk(snapshot), not _OF_REMOVED.isdisjoint(wanted)
    row = 0
    while True:
        block = Block(snapshot, row, _ROWS)
        if needs_removed:
            block.look_up_all_removed(walk)
        for name in wanted:
            if name in STEP_COLUMNS:
                parts[name].append(STEP_COLUMNS[name].column(block))
        row = block.stop
        if row >= snapshot.length:
            break
        checkpoint()
    of_trees = _of_trees(snapshot, [name for name in wanted if name not in STEP_COLUMNS])
    return {
        name: of_trees[name] if name in of_trees else _joined(STEP_COLUMNS[name], parts[name])
        for name in wanted
    }


def checked_names(names: Iterable[object], allowed: Sequence[str]) -> list[str]:
    """The names of columns that somebody has given, each once; raises `InvalidValueError` for any other."""
    wanted: dict[str, None] = {}
    for name in names:
        if not isinstance(name, str) or name not in allowed:
            raise InvalidValueError("column", name, f"one of {', '.join(allowed)}")
        wanted[name] = None
    return list(wanted)


def _of_trees(snapshot: Snapshot, names: list[str]) -> dict[str, npt.NDArray[Any]]:
    """The columns that are read from trees: each tree is made once, and its value holds until the next one."""
    if not names:
        return {}
    iterations, target, walk = (
        snapshot.changes.iterations,
        target_for(snapshot.configs[0][1].n),
        TreeWalk(snapshot),
    )
    found: dict[str, list[Any]] = {name: [] for name in names}
    for number in range(len(iterations)):
        checkpoint()
        tree = walk.tree(number, lambda: False)
        for name, values in found.items():
            values.append(
                format_formula(tree, ASCII) if name == FORMULA else generalisation_error(tree, target)
            )
    which = np.searchsorted(iterations, np.arange(1, snapshot.length + 1), side="right") - 1
    kinds = {FORMULA: np.dtype(object), GENERALISATION_ERROR: np.dtype(np.float64)}
    return {name: np.array(values, dtype=kinds[name])[which] for name, values in found.items()}


def _joined(column: StepColumn, parts: list[Column]) -> npt.NDArray[Any]:
    values = np.concatenate([part.values for part in parts])
    if column.is_truth:
        return values.astype(np.bool_)
    if column.labels:
        labels: npt.NDArray[Any] = np.array(column.labels)[values]
        return labels
    is_defined = np.concatenate([np.broadcast_to(part.is_defined, part.values.shape) for part in parts])
    return exact_array(values, is_defined)


def exact_array(values: npt.NDArray[Any], is_defined: npt.NDArray[np.bool_]) -> npt.NDArray[Any]:
    """Whole numbers of which some may be missing, in the simplest array that holds them exactly.

    It has 64-bit integers; where numbers are missing, floats and nan; and where these cannot hold a number
    exactly, Python's own integers and None.
    """
    is_large = values.dtype == object and not all(-(2**63) <= value < 2**63 for value in values[is_defined])
    if is_defined.all() and not is_large:
        return values.astype(np.int64)
    if not is_large and (np.abs(values[is_defined].astype(np.int64)) <= _LARGEST_EXACT).all():
        numbers = np.full(len(values), np.nan)
        numbers[is_defined] = values[is_defined].astype(np.float64)
        return numbers
    exact = values.astype(object)
    exact[~is_defined] = None
    return exact
