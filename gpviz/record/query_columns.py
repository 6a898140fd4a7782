"""A query on the columns of a history, many iterations at once.

What a column does not tell, the size of a rejected deletion and the state of a tree, is at first unknown. So a
condition has two answers for each row: whether it is surely true, and whether it may be. Only for the rows where
these differ is the unknown looked up.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from gpviz.engine import Function, Node, Operation, RunConfig, Side, State, Verdict
from gpviz.engine.mutation import Mutation, apply, apply_all, fresh_uids
from gpviz.engine.tree import node_at
from gpviz.record.query_fields import Field
from gpviz.record.query_parser import AllOf, Comparison, Condition, Not
from gpviz.record.query_state import STATES
from gpviz.record.query_steps import SIGNS
from gpviz.run.history import History
from gpviz.run.step_codes import FIELDS as CODE_FIELDS
from gpviz.run.step_codes import CodeFields, Property, has_property

__all__ = ["Block", "Bools", "Record", "Walk", "answers"]

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

_NONE: Final = -1
_SMALLEST, _LARGEST = -(2**63), 2**63 - 1
_SOLVED: Final = STATES.index(State.SOLVED)
_CLIMBING: Final = STATES.index(State.CLIMBING)
_CHUNK: Final = 1_024
"""So many changes are done to a tree before it is asked whether to go on."""


def _table(value_of: Callable[[CodeFields], int]) -> Ints:
    """A value for each of the 256 codes."""
    table = np.zeros(256, dtype=np.int64)
    for code, fields in CODE_FIELDS.items():
        table[code] = value_of(fields)
    return table


_TABLES: Final = {
    "verdict": _table(lambda fields: tuple(Verdict).index(fields.verdict)),
    "accepted": _table(lambda fields: fields.verdict.is_accepted),
    "mutation": _table(lambda fields: tuple(Operation).index(fields.operation)),
    "function": _table(lambda fields: tuple(Function).index(fields.function)),
    "side": _table(lambda fields: tuple(Side).index(fields.side)),
    "truly_worse": _table(lambda fields: fields.is_truly_worse),
}
_IS_DELETION: Final = _table(
    lambda fields: fields.operation is Operation.DEL and not fields.is_planted
).astype(np.bool_)
_IS_INSERTION: Final = _table(lambda fields: fields.operation is Operation.INS).astype(np.bool_)
_IS_ACCEPTED: Final = _TABLES["accepted"].astype(np.bool_)
_IS_REJECTED_DELETION: Final = _IS_DELETION & ~_IS_ACCEPTED


class Record:
    """What a history holds at this moment. It never changes, so another thread may look through it."""

    def __init__(self, history: History) -> None:
        log = history._settled()
        self.length = len(history)
        self.configs = history.configs
        self.start = history.start
        self.first_uid = history.first_uid
        self.codes = log.codes.view()
        self.nodes = log.nodes.view()
        self.variables = log.variables.view()
        self.parent_errors = log.parent_errors.view()
        self.offspring_errors = log.offspring_errors.view()
        self.changes = log.changes()
        self.large_errors = log.error_codes.large  # it grows at its end, and keeps what it has

    def config_at(self, iteration: int) -> tuple[RunConfig, int]:
        """The configuration of this iteration, and the last iteration that has it."""
        number = max(place for place, (first, _) in enumerate(self.configs) if first <= iteration)
        is_last = number + 1 == len(self.configs)
        return self.configs[number][1], self.length if is_last else self.configs[number + 1][0] - 1

    def error_of(self, code: int) -> int:
        """The error with this code, which is not that of None."""
        return code if code >= 0 else self.large_errors[-2 - code]

    def mutation(self, row: int) -> Mutation:
        """What was drawn."""
        fields = CODE_FIELDS[int(self.codes[row])]
        node, variable = int(self.nodes[row]), int(self.variables[row])
        return Mutation(fields.operation, node, variable, fields.function, fields.side)

    def plateaus(self) -> Ints:
        """For each change a number that grows with every improvement and every change of size."""
        rows = self.changes.iterations[1:] - 1
        is_new = has_property(self.codes[rows], Property.IMPROVED) | (np.diff(self.changes.leaves) != 0)
        return np.concatenate(([0], np.cumsum(is_new)))


class Walk:
    """The trees of a record one after the other, made without the history, which its own thread is using."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._number = 0
        self._tree: Node | None = record.start

    def tree(self, number: int, should_stop: Callable[[], bool]) -> Node | None:
        """The tree that this change brought; who should stop gets another."""
        if number < self._number:
            self._number, self._tree = 0, self._record.start
        while self._number < number and not should_stop():
            end = min(number, self._number + _CHUNK)
            iterations = self._record.changes.iterations[self._number + 1 : end + 1].tolist()
            changes = [
                (self._record.mutation(iteration - 1), fresh_uids(self._record.first_uid, iteration))
                for iteration in iterations
            ]
            # One change shares its nodes with the tree before.
            self._tree = (
                apply(self._tree, *changes[0]) if len(changes) == 1 else apply_all(self._tree, changes)
            )
            self._number = end
        return self._tree


class _Column(NamedTuple):
    """Values, and which of them are undefined, unknown yet, or too large and to be made from their keys."""

    values: Ints
    undefined: Bools | None = None
    unknown: Bools | None = None
    large: Bools | None = None
    keys: tuple[Ints, ...] = ()
    exact: Callable[..., int] = int


class Block:
    """Some consecutive rows of a record under one configuration, with what is known of them."""

    def __init__(self, record: Record, first: int, most: int) -> None:
        self.record = record
        self.config, last = record.config_at(first + 1)
        stop = min(first + most, last)
        self.first = first
        self.stop = stop
        self.codes = record.codes[first:stop]
        before = int(np.searchsorted(record.changes.iterations, first, side="right")) - 1
        self.numbers = before + np.cumsum(has_property(self.codes, Property.CHANGED))
        self._columns: dict[str, _Column] = {}
        self._removed: tuple[Ints, Bools] | None = None
        self._states: tuple[Ints, Bools] | None = None

    def column(self, name: str) -> _Column:
        """The values of a field."""
        if name == "state":
            values, unknown = self.states()
            return _Column(values, unknown=unknown)
        if name in ("size_removed", "offspring_leaves"):
            return self._sizes(name)
        if name not in self._columns:
            self._columns[name] = self._plain(name)
        return self._columns[name]

    def removed(self) -> tuple[Ints, Bools]:
        """How many nodes each deletion takes away, and where that is not known yet."""
        if self._removed is None:
            values = np.zeros(len(self.codes), dtype=np.int64)
            is_changed = has_property(self.codes, Property.CHANGED)
            rows = np.flatnonzero(_IS_DELETION[self.codes] & is_changed)
            leaves, numbers = self.record.changes.leaves, self.numbers[rows]
            values[rows] = 2 * (leaves[numbers - 1] - leaves[numbers]) - 1
            unknown = _IS_REJECTED_DELETION[self.codes]
            if not self.config.has_subtree_deletion:
                values[unknown] = 1
                unknown = np.zeros_like(unknown)
            self._removed = values, unknown
        return self._removed

    def states(self) -> tuple[Ints, Bools]:
        """The state of each surviving tree, and where that is not known yet."""
        if self._states is None:
            config, leaves = self.config, self._leaves()
            values = np.full(len(self.codes), _CLIMBING, dtype=np.int64)
            if config.is_sampled:
                unknown = leaves > 0
            else:
                is_solved = self._error_codes() == 0
                values[is_solved] = _SOLVED
                is_full = np.zeros_like(is_solved)
                if config.max_leaves is not None:
                    is_full = leaves >= config.max_leaves
                unknown = is_full & ~is_solved
            self._states = values, unknown
        return self._states

    def look_up_removed(self, row: int, parent: Node | None) -> None:
        """Find out what this row's deletion takes away from the tree before it."""
        values, unknown = self.removed()
        node = int(self.record.nodes[self.first + row])
        values[row] = node_at(parent, node).size if parent is not None and node else 0
        unknown[row] = False

    def _leaves(self) -> Ints:
        leaves: Ints = self.record.changes.leaves[self.numbers]
        return leaves

    def _error_codes(self) -> Ints:
        offspring, parent = self._slices()
        return np.where(_IS_ACCEPTED[self.codes], offspring, parent)

    def _slices(self) -> tuple[Ints, Ints]:
        rows = slice(self.first, self.stop)
        return self.record.offspring_errors[rows], self.record.parent_errors[rows]

    def _sizes(self, name: str) -> _Column:
        removed, unknown = self.removed()
        if name == "size_removed":
            return _Column(removed, unknown=unknown)
        # A rejected offspring is compared with the tree that stayed; an accepted one is the tree.
        leaves = self._leaves().copy()
        is_rejected = ~_IS_ACCEPTED[self.codes]
        leaves[is_rejected & _IS_INSERTION[self.codes]] += 1
        deleted = is_rejected & _IS_DELETION[self.codes] & (removed > 0)
        leaves[deleted] -= (removed[deleted] + 1) // 2
        return _Column(leaves, unknown=unknown)

    def _plain(self, name: str) -> _Column:
        rows = slice(self.first, self.stop)
        if name in _TABLES:
            return _Column(_TABLES[name][self.codes])
        if name == "iteration":
            return _Column(np.arange(self.first + 1, self.stop + 1, dtype=np.int64))
        if name in ("node", "variable"):
            column: npt.NDArray[Any] = self.record.nodes if name == "node" else self.record.variables
            return _Column(column[rows].astype(np.int64))
        if name == "leaves":
            return _Column(self._leaves())
        if name == "size":
            return _Column(np.maximum(2 * self._leaves() - 1, 0))
        if name == "ors":
            return _Column(self.record.changes.ors[self.numbers])
        offspring, parent = self._slices()
        if name == "error_change":
            return self._errors(offspring, parent)
        if name == "error":
            return self._errors(self._error_codes())
        return self._errors(offspring if name == "offspring_error" else parent)

    def _errors(self, first: Ints, second: Ints | None = None) -> _Column:
        """Errors by their codes, or the differences of two."""
        of = self.record.error_of
        if second is None:
            return _Column(first, first == _NONE, None, _if_any(first < _NONE), (first,), of)
        undefined = (first == _NONE) | (second == _NONE)
        large = ~undefined & ((first < _NONE) | (second < _NONE))
        return _Column(
            first - second,
            undefined,
            None,
            _if_any(large),
            (first, second),
            lambda one, two: of(one) - of(two),
        )


def answers(condition: Condition, block: Block) -> tuple[Bools, Bools]:
    """For each row whether the condition is surely true, and whether it may be."""
    if isinstance(condition, Comparison):
        return _compared(condition, block)
    if isinstance(condition, Not):
        sure, maybe = answers(condition.part, block)
        return ~maybe, ~sure
    join: Callable[[Bools, Bools], Bools] = np.logical_and if isinstance(condition, AllOf) else np.logical_or
    sure, maybe = answers(condition.parts[0], block)
    for part in condition.parts[1:]:
        other_sure, other_maybe = answers(part, block)
        sure, maybe = join(sure, other_sure), join(maybe, other_maybe)
    return sure, maybe


def _compared(comparison: Comparison, block: Block) -> tuple[Bools, Bools]:
    compare = SIGNS[comparison.operator]
    left = block.column(comparison.field.name)
    if isinstance(comparison.value, Field):
        right = block.column(comparison.value.name)
        sides: tuple[_Column, ...] = (left, right)
        truth: Bools = compare(left.values, right.values)
    else:
        number = comparison.value
        sides = (left,)
        if _SMALLEST <= number <= _LARGEST:
            truth = compare(left.values, np.int64(number))
        else:  # no value in the column comes near it
            truth = np.full(len(left.values), compare(0, number), dtype=np.bool_)
    large = _joined(*(side.large for side in sides))
    if large is not None:
        _compare_large(comparison, sides, large, truth)
    undefined = _joined(*(side.undefined for side in sides))
    if undefined is not None:
        truth &= ~undefined
    unknown = _joined(*(side.unknown for side in sides))
    return (truth, truth) if unknown is None else (truth & ~unknown, truth | unknown)


def _compare_large(comparison: Comparison, sides: tuple[_Column, ...], large: Bools, truth: Bools) -> None:
    """Compare what is too large for a column; few different errors stand in many rows."""
    undefined = _joined(*(side.undefined for side in sides))
    rows = np.flatnonzero(large if undefined is None else large & ~undefined)
    if not len(rows):
        return
    keys = [key[rows] for side in sides for key in (side.keys or (side.values,))]
    distinct, places = np.unique(np.stack(keys, axis=1), axis=0, return_inverse=True)
    compare = SIGNS[comparison.operator]
    found = []
    for numbers in distinct.tolist():
        operands = []
        for side in sides:
            width = len(side.keys) or 1
            operands.append(side.exact(*numbers[:width]))
            numbers = numbers[width:]
        if len(operands) == 1:
            assert isinstance(comparison.value, int)
            operands.append(comparison.value)
        found.append(compare(*operands))
    truth[rows] = np.array(found, dtype=np.bool_)[places.reshape(-1)]


def _joined(*masks: Bools | None) -> Bools | None:
    given = [mask for mask in masks if mask is not None]
    if not given:
        return None
    return given[0] if len(given) == 1 else given[0] | given[1]


def _if_any(mask: Bools) -> Bools | None:
    return mask if mask.any() else None
