"""A query on single steps, as a run makes them: a test made of small functions, and what it has to look up."""

import operator
from collections.abc import Callable
from types import MappingProxyType
from typing import Final

from gpviz.engine import Function, Node, Operation, RunConfig, Side, Step, Verdict
from gpviz.engine.tree import node_at
from gpviz.record.query_fields import FIELDS, Field
from gpviz.record.query_parser import AllOf, AnyOf, Comparison, Condition, Not
from gpviz.record.query_state import StateLook

__all__ = ["SIGNS", "Look", "Tester", "fields_in", "is_only_of_stuck", "tester"]

SIGNS: Final = MappingProxyType(
    {
        "==": operator.eq,
        "!=": operator.ne,
        "<": operator.lt,
        "<=": operator.le,
        ">": operator.gt,
        ">=": operator.ge,
    }
)

_VERDICTS: Final = {verdict: place for place, verdict in enumerate(Verdict)}
_OPERATIONS: Final = {operation: place for place, operation in enumerate(Operation)}
_FUNCTIONS: Final = {function: place for place, function in enumerate(Function)}
_SIDES: Final = {side: place for place, side in enumerate(Side)}
_STUCK: Final = FIELDS["state"].number_of("STUCK")


class Look:
    """What a test of one run's steps looks up and need not look up again for the same tree."""

    def __init__(
        self, config: RunConfig, *, only_stuck: bool = False, should_stop: Callable[[], bool] | None = None
    ) -> None:
        self._should_stop = should_stop
        self._states = StateLook(config, only_stuck=only_stuck)
        self._tree: Node | None = None
        self._ors = 0
        self.plateau = 0

    def ors(self, tree: Node | None) -> int:
        """The ORs in a tree, which counting takes a while."""
        if tree is not self._tree:
            self._tree, self._ors = tree, 0 if tree is None else tree.ors
        return self._ors

    def state(self, tree: Node | None) -> int:
        """The state of a tree."""
        return self._states.state(tree, self.plateau, self._should_stop)


Reader = Callable[[Step, Node | None, Look], int | None]
Tester = Callable[[Step, Node | None, Look], bool]


def _error_change(step: Step, parent: Node | None, look: Look) -> int | None:
    if step.offspring_error is None or step.parent_error is None:
        return None
    return step.offspring_error - step.parent_error


def _size_removed(step: Step, parent: Node | None, look: Look) -> int:
    if step.operation is not Operation.DEL or parent is None or not step.node:
        return 0
    return node_at(parent, step.node).size


_READERS: Final[dict[str, Reader]] = {
    "iteration": lambda step, parent, look: step.iteration,
    "verdict": lambda step, parent, look: _VERDICTS[step.verdict],
    "accepted": lambda step, parent, look: step.verdict.is_accepted,
    "mutation": lambda step, parent, look: _OPERATIONS[step.operation],
    "function": lambda step, parent, look: _FUNCTIONS[step.function],
    "variable": lambda step, parent, look: step.variable,
    "node": lambda step, parent, look: step.node,
    "side": lambda step, parent, look: _SIDES[step.side],
    "error": lambda step, parent, look: step.error,
    "parent_error": lambda step, parent, look: step.parent_error,
    "offspring_error": lambda step, parent, look: step.offspring_error,
    "error_change": _error_change,
    "leaves": lambda step, parent, look: step.leaves,
    "offspring_leaves": lambda step, parent, look: step.offspring_leaves,
    "size": lambda step, parent, look: 0 if step.tree is None else step.tree.size,
    "ors": lambda step, parent, look: look.ors(step.tree),
    "size_removed": _size_removed,
    "truly_worse": lambda step, parent, look: step.is_truly_worse,
    "state": lambda step, parent, look: look.state(step.tree),
}


def fields_in(condition: Condition) -> frozenset[str]:
    """The names of the fields that it asks for."""
    if isinstance(condition, Comparison):
        other = condition.value
        return frozenset(
            {condition.field.name, other.name} if isinstance(other, Field) else {condition.field.name}
        )
    parts = (condition.part,) if isinstance(condition, Not) else condition.parts
    return frozenset().union(*map(fields_in, parts))


def is_only_of_stuck(condition: Condition) -> bool:
    """Whether no other state than STUCK is asked for."""
    if isinstance(condition, Comparison):
        return condition.field.name != "state" or condition.value == _STUCK
    parts = (condition.part,) if isinstance(condition, Not) else condition.parts
    return all(map(is_only_of_stuck, parts))


def tester(condition: Condition) -> Tester:
    """The condition as a function of a step, the tree before it, and what looks things up."""
    if isinstance(condition, Comparison):
        return _comparing(condition)
    if isinstance(condition, Not):
        negated = tester(condition.part)
        return lambda step, parent, look: not negated(step, parent, look)
    # What takes longest is asked last, and often not at all.
    tests = [tester(part) for part in sorted(condition.parts, key=lambda part: "state" in fields_in(part))]
    if isinstance(condition, AnyOf):
        return lambda step, parent, look: any(test(step, parent, look) for test in tests)
    assert isinstance(condition, AllOf)
    first, *others = tests

    def all_of(step: Step, parent: Node | None, look: Look) -> bool:
        return first(step, parent, look) and all(test(step, parent, look) for test in others)

    return all_of


def _comparing(comparison: Comparison) -> Tester:
    read, compare = _READERS[comparison.field.name], SIGNS[comparison.operator]
    if isinstance(comparison.value, Field):
        read_other = _READERS[comparison.value.name]

        def with_field(step: Step, parent: Node | None, look: Look) -> bool:
            value, other = read(step, parent, look), read_other(step, parent, look)
            return value is not None and other is not None and bool(compare(value, other))

        return with_field
    wanted = comparison.value

    def with_number(step: Step, parent: Node | None, look: Look) -> bool:
        value = read(step, parent, look)
        return value is not None and bool(compare(value, wanted))

    return with_number
