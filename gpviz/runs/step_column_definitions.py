"""The table of the columns that describe the iterations of a run: their names, meanings, and how each is read.

Logs, queries and `History.columns` use these names. A column is read from a block of recorded rows, many values at
once.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from gpviz.engine.enums import Function, Operation, Side, Verdict
from gpviz.engine.errors import InvalidValueError, TooComplexError
from gpviz.engine.formula import ASCII, format_formula
from gpviz.engine.interruption import checkpoint
from gpviz.engine.prime_implicants import TooMany
from gpviz.engine.target import Conjunction, target_for
from gpviz.engine.tree import Node
from gpviz.runs.history_snapshot import Block, Snapshot, TreeWalk
from gpviz.runs.step_encoding import (
    Property,
    functions_of,
    has_property,
    operations_of,
    sides_of,
    verdicts_of,
)

BOOLEANS: Final = ("false", "true")

GENERALISATION_ERROR: Final = "generalisation_error"
FORMULA: Final = "formula"
"""Two columns that are read from trees, and take as long as making these."""

_ROWS: Final = 8192
_LARGEST_EXACT: Final = 2**53
"""Floats cannot hold every whole number beyond this one."""


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
    StepColumn("ors", "the ORs in the surviving tree", lambda block: block.ors),
    StepColumn("distinct", "the different variables in the surviving tree", lambda block: block.distinct),
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
