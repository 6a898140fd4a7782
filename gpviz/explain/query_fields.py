"""The fields of a step that a query can ask for: the columns of a run and the state of its tree.

A field is read from a block of recorded rows, many values at once, or from a single step of a run under way.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, StrEnum
from types import MappingProxyType
from typing import Final, final

from gpviz.analysis.drift_bounds import stage_of
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
from gpviz.engine.mutation import is_root_and
from gpviz.engine.stuck import has_spare_leaf
from gpviz.engine.tree import ROOT, node_at, variables_of
from gpviz.runs.step_columns import STATES, STEP_COLUMNS, Column, StepColumn

_CLIMBING: Final = STATES.index(State.CLIMBING)
_STUCK: Final = STATES.index(State.STUCK)


class Kind(Enum):
    """What a field's values are."""

    NUMBER = "number"
    WORD = "word"
    BOOLEAN = "boolean"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field(StepColumn):
    """A field of queries; ``of_step`` gives its value in a single step, or None if it is undefined."""

    of_step: "Callable[[StepRow], int | None]"

    @property
    def kind(self) -> Kind:
        """What its values are."""
        if not self.labels:
            return Kind.NUMBER
        return Kind.BOOLEAN if self.is_truth else Kind.WORD

    def number_of(self, word: str) -> int | None:
        """The index of a word, however its letters are written; None if it is none of this field's."""
        wanted = word.lower()
        return next((index for index, known in enumerate(self.labels) if known.lower() == wanted), None)


class StateFinder:
    """Looks at the trees of one run in their order, and gives their states as indexes of `STATES`.

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


def _error_change(row: StepRow) -> int | None:
    offspring, parent = row.step.offspring_error, row.step.parent_error
    return None if offspring is None or parent is None else offspring - parent


def _size_removed(row: StepRow) -> int:
    step, parent = row.step, row.parent
    if step.operation is not Operation.DEL or parent is None or step.node == ROOT:
        return 0
    return node_at(parent, step.node).size


def _indexes(words: type[StrEnum]) -> dict[StrEnum, int]:
    return {word: index for index, word in enumerate(words)}


_VERDICTS: Final = _indexes(Verdict)
_OPERATIONS: Final = _indexes(Operation)
_FUNCTIONS: Final = _indexes(Function)
_SIDES: Final = _indexes(Side)

_OF_STEP: Final[dict[str, "Callable[[StepRow], int | None]"]] = {
    "iteration": lambda row: row.step.iteration,
    "verdict": lambda row: _VERDICTS[row.step.verdict],
    "accepted": lambda row: row.step.verdict.is_accepted,
    "operation": lambda row: _OPERATIONS[row.step.operation],
    "function": lambda row: _FUNCTIONS[row.step.function],
    "variable": lambda row: row.step.variable,
    "node": lambda row: row.step.node,
    "side": lambda row: _SIDES[row.step.side],
    "error": lambda row: row.step.error,
    "parent_error": lambda row: row.step.parent_error,
    "offspring_error": lambda row: row.step.offspring_error,
    "error_change": _error_change,
    "leaves": lambda row: row.step.leaves,
    "offspring_leaves": lambda row: row.step.offspring_leaves,
    "size": lambda row: 0 if row.step.tree is None else row.step.tree.size,
    "ors": lambda row: row.ors(),
    "distinct": lambda row: row.distinct(),
    "size_removed": _size_removed,
    "full": lambda row: is_full(row.parent, row.config),
    "root_and": lambda row: is_root_and(row.parent, row.step.mutation),
    "duplicate_accepted": lambda row: row.step.duplicate_accepted,
    "or_accepted": lambda row: row.step.or_accepted,
    "true_error_grew": lambda row: row.step.true_error_grew,
    "stage": lambda row: row.stage(),
}
"""How the value of a column is read from a single step, in the order in which fields are suggested."""


def _field(name: str) -> Field:
    column = STEP_COLUMNS[name]
    # In a query, `and` and `or` in small letters join conditions.
    labels = tuple(word.name for word in Function) if name == "function" else column.labels
    return Field(name, column.about, column.of_block, labels, of_step=_OF_STEP[name])


_STATE: Final = Field(
    "state",
    "the state of the surviving tree; working it out may take long",
    lambda block: Column(block.states[0], is_known=block.states[1]),
    tuple(state.value for state in State),
    of_step=lambda row: row.state(),
)

FIELDS: Final = MappingProxyType({field.name: field for field in (*map(_field, _OF_STEP), _STATE)})
"""The fields by their names."""

NAMES: Final = tuple(FIELDS)
"""The names to suggest."""


def field_named(word: str) -> Field | None:
    """The field of this name, however its letters are written; ``t`` is the iteration."""
    name = word.lower()
    return FIELDS.get("iteration" if name == "t" else name)
