"""The fields of a step that a query can ask for: one table of their names, meanings, and how each is read.

A field is read from a block of recorded rows, many values at once, or from a single step of a run under way.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, StrEnum
from types import MappingProxyType
from typing import Any, Final, NamedTuple, final

import numpy as np
import numpy.typing as npt

from gpviz.engine import (
    Function,
    Node,
    Operation,
    RunConfig,
    Side,
    State,
    Step,
    TooComplexError,
    Verdict,
    tree_state,
)
from gpviz.engine.config import is_full
from gpviz.engine.drift_bound import stage_of
from gpviz.engine.mutation import is_root_and
from gpviz.engine.stuck import has_spare_leaf
from gpviz.engine.tree import ROOT, node_at, variables_of
from gpviz.run.snapshot import STATES, Block
from gpviz.run.step_codes import Property, functions_of, has_property, operations_of, sides_of, verdicts_of

__all__ = ["FIELDS", "NAMES", "Column", "Field", "Kind", "StateFinder", "StepRow", "field_named"]


class Column(NamedTuple):
    """The values of a block's rows, and where they are defined and known: an array, or True if everywhere."""

    values: npt.NDArray[Any]
    is_defined: Any = True
    is_known: Any = True


_CLIMBING: Final = STATES.index(State.CLIMBING)
_STUCK: Final = STATES.index(State.STUCK)


class Kind(Enum):
    """What a field's values are."""

    NUMBER = "number"
    WORD = "word"
    BOOLEAN = "boolean"


@dataclass(frozen=True, slots=True)
class Field:
    """A field. All its values are numbers: a word is its place in ``words``, and a truth 0 or 1.

    ``of_step`` gives the value of a single step, or None where it is undefined; ``of_block`` the values of all
    rows, as a `Column` where some may be undefined or not known.
    """

    name: str
    about: str
    of_step: "Callable[[StepRow], int | None]"
    of_block: Callable[[Block], npt.NDArray[Any] | Column]
    words: tuple[str, ...] = ()

    @property
    def kind(self) -> Kind:
        """What its values are."""
        if not self.words:
            return Kind.NUMBER
        return Kind.BOOLEAN if self.words is _BOOLEANS else Kind.WORD

    def column(self, block: Block) -> Column:
        """The values of a block."""
        column = self.of_block(block)
        return column if isinstance(column, Column) else Column(column)

    def number_of(self, word: str) -> int | None:
        """The place of a word, however its letters are written; None if it is none of this field's."""
        wanted = word.lower()
        return next((place for place, known in enumerate(self.words) if known.lower() == wanted), None)


class StateFinder:
    """Looks at the trees of one run in their order, and gives their states as places in `STATES`.

    Stuck trees only lead to stuck trees. Where only STUCK is asked for, more is left out: a tree below the limit
    is never stuck, and between an improvement or a change of size and the next, which is what callers number as a
    plateau, either all trees are stuck or none is.
    """

    def __init__(self, config: RunConfig, *, only_stuck: bool) -> None:
        self._config = config
        self._only_stuck = only_stuck and not config.is_sampled
        self._tree: Node | None = None
        self._plateau = -1
        self._state = _CLIMBING
        self.is_stuck_for_good = False

    def state(self, tree: Node | None, plateau: int, should_stop: Callable[[], bool] | None = None) -> int:
        """The state of this tree, which is of no matter once it is stuck for good; who should stop gets any."""
        if self.is_stuck_for_good:
            return _STUCK
        if tree is None:
            return _CLIMBING
        if tree is not self._tree and not (self._only_stuck and plateau == self._plateau):
            self._state = self._found(tree, should_stop)
            self._tree, self._plateau = tree, plateau
            self.is_stuck_for_good = self._state == _STUCK
        return self._state

    def _found(self, tree: Node, should_stop: Callable[[], bool] | None) -> int:
        limit = self._config.max_leaves
        if self._only_stuck and (limit is None or tree.leaves < limit or has_spare_leaf(tree, self._config)):
            return _CLIMBING  # or solved, which is no matter here
        try:
            return STATES.index(tree_state(tree, self._config, should_stop=should_stop).state)
        except TooComplexError:  # then nobody knows
            return STATES.index(State.UNDECIDED)


@final
class StepRow:
    """The last step of a run that goes on from a tree, and what need not be looked up again for the next."""

    step: Step

    def __init__(
        self,
        config: RunConfig,
        tree: Node | None,
        *,
        only_stuck: bool = False,
        should_stop: Callable[[], bool] | None = None,
    ) -> None:
        self.config = config
        self.parent = tree
        self._plateau = 0
        self._states = StateFinder(config, only_stuck=only_stuck)
        self._should_stop = should_stop
        self._counted: Node | None = None
        self._ors = 0
        self._distinct = 0

    def count_plateau(self) -> None:
        """The step has brought another tree."""
        step, parent = self.step, self.parent
        if step.verdict is Verdict.IMPROVED or parent is None or parent.leaves != step.leaves:
            self._plateau += 1

    def ors(self) -> int:
        """The ORs in the tree."""
        self._count()
        return self._ors

    def distinct(self) -> int:
        """The number of different variables in the tree."""
        self._count()
        return self._distinct

    def stage(self) -> int | None:
        """The stage of the drift theorem that the parent's error is in; on sampled rows there is none."""
        error = self.step.parent_error
        return stage_of(error, self.config.n) if error and not self.config.is_sampled else None

    def _count(self) -> None:
        """Counting takes a while, so it is done once for each tree."""
        tree = self.step.tree
        if tree is not self._counted:
            self._counted, self._ors = tree, self.step.ors
            self._distinct = variables_of(tree).bit_count()

    def state(self) -> int:
        """The state of the tree, which finding may take long."""
        return self._states.state(self.step.tree, self._plateau, self._should_stop)


def _error_change_of_step(row: StepRow) -> int | None:
    offspring, parent = row.step.offspring_error, row.step.parent_error
    return None if offspring is None or parent is None else offspring - parent


def _error_change_of_block(block: Block) -> Column:
    offspring, is_offspring = block.errors(block.offspring_error_codes)
    parent, is_parent = block.errors(block.parent_error_codes)
    return Column(offspring - parent, is_offspring & is_parent)


def _size_removed(row: StepRow) -> int:
    step, parent = row.step, row.parent
    if step.operation is not Operation.DEL or parent is None or step.node == ROOT:
        return 0
    return node_at(parent, step.node).size


def _places(words: type[StrEnum]) -> dict[StrEnum, int]:
    return {word: place for place, word in enumerate(words)}


def _values(words: type[StrEnum]) -> tuple[str, ...]:
    return tuple(word.value for word in words)


_VERDICTS: Final = _places(Verdict)
_OPERATIONS: Final = _places(Operation)
_FUNCTIONS: Final = _places(Function)
_SIDES: Final = _places(Side)
_BOOLEANS: Final = ("false", "true")

# fmt: off
_ALL: Final = (
    Field("iteration", "the number of the iteration, from 1",
          lambda row: row.step.iteration, lambda block: block.iterations),
    Field("verdict", "what became of the offspring",
          lambda row: _VERDICTS[row.step.verdict], lambda block: verdicts_of(block.codes), _values(Verdict)),
    Field("accepted", "whether the offspring was accepted",
          lambda row: row.step.verdict.is_accepted, lambda block: has_property(block.codes, Property.ACCEPTED),
          _BOOLEANS),
    Field("operation", "the operation that was drawn",
          lambda row: _OPERATIONS[row.step.operation], lambda block: operations_of(block.codes),
          _values(Operation)),
    Field("function", "the function that was drawn; only INS uses it",
          lambda row: _FUNCTIONS[row.step.function], lambda block: functions_of(block.codes),
          tuple(word.name for word in Function)),
    Field("variable", "the variable that was drawn, such as 4 or x4; DEL ignores it",
          lambda row: row.step.variable, lambda block: block.snapshot.variables[block.rows]),
    Field("node", "the number of the chosen node in preorder, from 1, the root",
          lambda row: row.step.node, lambda block: block.snapshot.node_indices[block.rows] + np.uint32(1)),
    Field("side", "where INS puts the new leaf",
          lambda row: _SIDES[row.step.side], lambda block: sides_of(block.codes), _values(Side)),
    Field("error", "the error of the surviving tree",
          lambda row: row.step.error, lambda block: Column(*block.errors(block.error_codes))),
    Field("parent_error", "the error of the tree before",
          lambda row: row.step.parent_error, lambda block: Column(*block.errors(block.parent_error_codes))),
    Field("offspring_error", "the error of the offspring, if it was evaluated",
          lambda row: row.step.offspring_error,
          lambda block: Column(*block.errors(block.offspring_error_codes))),
    Field("error_change", "the offspring's error minus its parent's",
          _error_change_of_step, _error_change_of_block),
    Field("leaves", "the leaves of the surviving tree",
          lambda row: row.step.leaves, lambda block: block.leaves),
    Field("offspring_leaves", "the leaves of the offspring",
          lambda row: row.step.offspring_leaves,
          lambda block: Column(block.offspring_leaves(), is_known=block.removed[1])),
    Field("size", "the nodes of the surviving tree",
          lambda row: 0 if row.step.tree is None else row.step.tree.size,
          lambda block: (2 * block.leaves - 1).clip(0)),
    Field("ors", "the ORs in the surviving tree",
          lambda row: row.ors(), lambda block: block.ors),
    Field("distinct", "the different variables in the surviving tree",
          lambda row: row.distinct(), lambda block: block.distinct),
    Field("size_removed", "how many nodes DEL removed in the offspring; otherwise 0",
          _size_removed, lambda block: Column(block.removed[0], is_known=block.removed[1])),
    Field("full", "whether the tree before has as many leaves as the limit allows",
          lambda row: is_full(row.parent, row.config), lambda block: block.is_full, _BOOLEANS),
    Field("root_and", "whether a root-and was drawn: INS of an AND at the root",
          lambda row: is_root_and(row.parent, row.step.mutation), lambda block: block.is_root_and, _BOOLEANS),
    Field("duplicate_accepted", "whether an accepted INS or SUB brought a variable that the tree had already",
          lambda row: row.step.duplicate_accepted, lambda block: block.duplicate_accepted, _BOOLEANS),
    Field("or_accepted", "whether INS of an OR was accepted",
          lambda row: row.step.or_accepted, lambda block: has_property(block.codes, Property.OR_ACCEPTED),
          _BOOLEANS),
    Field("true_error_grew", "whether a sample accepted an offspring that is worse on all rows",
          lambda row: row.step.true_error_grew,
          lambda block: has_property(block.codes, Property.TRUE_ERROR_GREW), _BOOLEANS),
    Field("stage", "the drift theorem's stage of the parent's error: 0 below n, 1 from n, 2 from n², 3 from n⁴",
          lambda row: row.stage(), lambda block: Column(*block.stages())),
    Field("state", "the state of the surviving tree; working it out may take long",
          lambda row: row.state(), lambda block: Column(block.states[0], is_known=block.states[1]),
          _values(State)),
)
# fmt: on

FIELDS: Final = MappingProxyType({field.name: field for field in _ALL})
"""The fields by their names."""

_ALIASES: Final = {
    "t": "iteration",
    "mutation": "operation",
    "or_count": "ors",
    "nodes": "size",
    "is_truly_worse": "true_error_grew",
    "truly_worse": "true_error_grew",
}
"""Names that fields had before, and short ones. The fields that a log has too are called as its columns are."""

NAMES: Final = tuple(FIELDS)
"""The names to suggest."""


def field_named(word: str) -> Field | None:
    """The field of this name, however its letters are written."""
    name = word.lower()
    return FIELDS.get(_ALIASES.get(name, name))
