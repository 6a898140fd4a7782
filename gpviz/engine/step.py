"""What is told of a run: each iteration as a step, and its end as a result."""

from fractions import Fraction
from typing import NamedTuple

from gpviz.engine.enums import Function, Operation, Outcome, Side, Verdict
from gpviz.engine.mutation import Mutation
from gpviz.engine.target import target_for
from gpviz.engine.tree import Node

__all__ = ["Result", "Step"]


class Step(NamedTuple):
    """One iteration: what was drawn, what came of it, and the tree that survived.

    ``error`` is the survivor's; in a sampled run all errors are on the iteration's own rows. An error is None
    where the algorithm does not look: the empty tree has none, and an offspring beyond the limit is rejected
    unseen. ``is_truly_worse`` marks an offspring that a sample accepted although its error on all rows is larger.
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
    is_truly_worse: bool

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
