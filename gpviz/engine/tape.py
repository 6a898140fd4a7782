"""Iterations told in plain numbers, for those who want all of them and have no time for each."""

from typing import Final, NamedTuple

from gpviz.engine.enums import Function, Operation, Side, Verdict
from gpviz.engine.step import Step
from gpviz.engine.tree import Node

__all__ = ["DRAWN", "Tape"]

DRAWN: Final = {
    (operation, function): number
    for number, (operation, function) in enumerate(
        (operation, function) for function in Function for operation in Operation
    )
}
"""The number of an operation and a function together: operation + 3 function, each by its place."""

_SIDES: Final = {side: number for number, side in enumerate(Side)}
_VERDICTS: Final = {verdict: number for number, verdict in enumerate(Verdict)}
_CHANGING: Final = (Verdict.IMPROVED, Verdict.NEUTRAL)


class _Columns(NamedTuple):
    """The numbers of the iterations on a tape, column by column."""

    drawn: list[int]
    variables: list[int]
    nodes: list[int]
    sides: list[int]
    verdicts: list[int]
    offspring_errors: list[int | None]
    parent_errors: list[int | None]
    is_truly_worse: list[bool]


_WIDTH: Final = len(_Columns._fields)


class Tape:
    """Consecutive iterations: eight numbers each, and the trees that those brought which changed the tree.

    ``first`` is the first iteration on it. Sides and verdicts are told by their places in their enumerations.
    """

    __slots__ = ("first", "numbers", "trees")

    def __init__(self, first: int = 1) -> None:
        self.first = first
        self.numbers: list[int | None] = []
        self.trees: list[Node | None] = []

    @classmethod
    def of(cls, steps: list[Step]) -> "Tape":
        """These steps, which follow one another."""
        tape = cls(steps[0].iteration)
        for step in steps:
            tape.add(step)
        return tape

    def __len__(self) -> int:
        return len(self.numbers) // _WIDTH

    @property
    def last(self) -> int:
        """The last iteration on it, or the one before it."""
        return self.first + len(self) - 1

    @property
    def columns(self) -> _Columns:
        """The numbers, column by column."""
        numbers: list[int] = self.numbers  # type: ignore[assignment]  # only errors are None
        return _Columns(*(numbers[column::_WIDTH] for column in range(_WIDTH)))  # type: ignore[arg-type]

    def add(self, step: Step) -> None:
        """Put a step at the end."""
        if step.iteration != self.last + 1:
            raise ValueError(f"iteration {step.iteration} cannot follow iteration {self.last}")
        verdict = step.verdict
        self.numbers += (
            DRAWN[step.operation, step.function], step.variable, step.node, _SIDES[step.side], _VERDICTS[verdict],
            step.offspring_error, step.parent_error, step.is_truly_worse,
        )  # fmt: skip
        if verdict in _CHANGING:
            self.trees.append(step.tree)

    def clear(self) -> None:
        """Begin anew after what is on it."""
        self.first += len(self)
        self.numbers.clear()
        self.trees.clear()
