"""What a run reports: an iteration as a step, many of them as a buffer of plain numbers, its end as a result."""

from fractions import Fraction
from typing import Final, NamedTuple

from gpviz.engine.enums import Function, Operation, Outcome, Side, Verdict
from gpviz.engine.mutation import Mutation
from gpviz.engine.target import target_for
from gpviz.engine.tree import Node, count_leaves_of, svg_of

DRAW_NUMBERS: Final = {
    (operation, function): number
    for number, (operation, function) in enumerate(
        (operation, function) for function in Function for operation in Operation
    )
}
"""The number of an operation and a function together: operation + 3 function, each by its index."""

PITFALLS: Final = ("duplicate_accepted", "or_accepted", "true_error_grew")
"""The properties of a `Step` that the paper's theorem on sampled rows shows to be rare."""
NO_PITFALL: Final = "no_pitfall"
"""The name for a run in which none of them ever happened."""

_SIDES: Final = {side: number for number, side in enumerate(Side)}
_VERDICTS: Final = {verdict: number for number, verdict in enumerate(Verdict)}
_CHANGING: Final = (Verdict.IMPROVED, Verdict.NEUTRAL)


class Step(NamedTuple):
    """One iteration: what was drawn, what came of it, the tree that survived, and its parent, the tree before.

    ``node`` is the number of the chosen node of the parent, as in `Mutation`. An iteration that changes nothing
    has the same tree as its parent.

    ``error`` is the survivor's; in a sampled run all errors are on the iteration's own rows. An error is None
    where the algorithm does not look: the empty tree has none, and an offspring beyond the limit is rejected
    unseen. ``true_error_grew`` marks an offspring that a sample accepted although its error on all rows is larger.
    """

    iteration: int
    operation: Operation
    node: int
    variable: int
    function: Function
    side: Side
    verdict: Verdict
    offspring_leaves: int
    offspring_error: int | None
    parent_error: int | None
    error: int | None
    tree: Node | None
    true_error_grew: bool
    parent: Node | None

    @property
    def mutation(self) -> Mutation:
        """What HVL-Prime drew."""
        return Mutation(self.operation, self.node, self.variable, self.function, self.side)

    @property
    def leaves(self) -> int:
        """The number of leaves of the surviving tree."""
        return 0 if self.tree is None else self.tree.leaves

    @property
    def ors(self) -> int:
        """The number of ORs in the surviving tree."""
        return 0 if self.tree is None else self.tree.ors

    @property
    def is_accepted(self) -> bool:
        return self.verdict.is_accepted

    @property
    def is_change(self) -> bool:
        """Whether the offspring was accepted and is another tree than its parent."""
        return self.verdict in _CHANGING

    @property
    def duplicate_accepted(self) -> bool:
        """Whether an accepted INS or SUB added a variable that is now on at least two leaves."""
        tree = self.tree
        if tree is None or self.operation is Operation.DEL or not self.is_change:
            return False
        return count_leaves_of(tree, self.variable, most=2) == 2

    @property
    def or_accepted(self) -> bool:
        """Whether an INS of an OR was accepted; the first leaf comes without a function."""
        is_insertion = self.operation is Operation.INS and self.leaves > 1
        return is_insertion and self.function is Function.OR and self.is_change

    def _repr_svg_(self) -> str:
        return svg_of(self)


class Result(NamedTuple):
    """How a run ended. ``stuck_since`` is the first iteration after which no better tree was reachable."""

    outcome: Outcome
    iterations: int
    error: int | None
    leaves: int
    ors: int
    accepted: int
    improved: int
    ors_accepted: int
    stuck_since: int | None
    tree: Node | None
    n: int

    @property
    def generalisation_error(self) -> Fraction | None:
        """The probability that the final tree is wrong on a random row; None for the empty tree."""
        return None if self.tree is None else target_for(self.n).generalisation_error(self.tree)

    def _repr_svg_(self) -> str:
        return svg_of(self)


class RunCounts:
    """What `RlsGp.run` counts on request, from the iteration at which it is called.

    ``duplicate_accepted`` and ``true_error_grew`` are the numbers of steps with that property, and
    ``full_iterations`` that of iterations with a full parent. For each improvement ``full_at`` has the number of
    the latter up to and with the improving iteration, and whether that was one of them.
    """

    __slots__ = ("duplicate_accepted", "full_at", "full_iterations", "full_since", "true_error_grew")

    def __init__(self) -> None:
        self.duplicate_accepted = 0
        self.true_error_grew = 0
        self.full_iterations = 0
        self.full_at: list[tuple[int, bool]] = []
        self.full_since = 0
        """The iteration that made the tree full; those since then are counted once it no longer is."""


class _Columns(NamedTuple):
    """The numbers of the iterations in a buffer, column by column."""

    drawn: list[int]
    variables: list[int]
    node_indices: list[int]
    sides: list[int]
    verdicts: list[int]
    offspring_errors: list[int | None]
    parent_errors: list[int | None]
    true_error_grew: list[bool]


_WIDTH: Final = len(_Columns._fields)


class StepBuffer:
    """Consecutive iterations, the first of which is ``first``: eight numbers each, and every tree that was new.

    Sides and verdicts are given by their indices in their enumerations, and nodes by the number of nodes before
    them in preorder: fingerprints of runs are made from these numbers.
    """

    __slots__ = ("first", "numbers", "trees")

    def __init__(self, first: int = 1) -> None:
        self.first = first
        self.numbers: list[int | None] = []
        self.trees: list[Node | None] = []

    @classmethod
    def of(cls, steps: list[Step]) -> "StepBuffer":
        """A buffer with these steps, which must follow one another."""
        buffer = cls(steps[0].iteration)
        for step in steps:
            buffer.add(step)
        return buffer

    def __len__(self) -> int:
        return len(self.numbers) // _WIDTH

    @property
    def last(self) -> int:
        """The last iteration in it; of an empty buffer, the one before its first."""
        return self.first + len(self) - 1

    @property
    def columns(self) -> _Columns:
        """The numbers, column by column."""
        numbers: list[int] = self.numbers  # type: ignore[assignment]  # only errors are None
        return _Columns(*(numbers[column::_WIDTH] for column in range(_WIDTH)))  # type: ignore[arg-type]

    def add(self, step: Step) -> None:
        """Add a step at the end."""
        if step.iteration != self.last + 1:
            raise ValueError(f"iteration {step.iteration} cannot follow iteration {self.last}")
        verdict = step.verdict
        self.numbers += (
            DRAW_NUMBERS[step.operation, step.function], step.variable, step.node - 1, _SIDES[step.side],
            _VERDICTS[verdict], step.offspring_error, step.parent_error, step.true_error_grew,
        )  # fmt: skip
        if verdict in _CHANGING:
            self.trees.append(step.tree)

    def clear(self) -> None:
        """Empty the buffer; it goes on with the next iteration."""
        self.first += len(self)
        self.numbers.clear()
        self.trees.clear()
