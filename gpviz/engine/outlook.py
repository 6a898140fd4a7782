"""Finds the outlook of a tree: how runs that go on from it end, and how many iterations they still take.

A run from a tree reaches the error goal or gets stuck for good, and with which chance is a property of the tree
and the rules. It changes only where the tree does. Averaged over what the next iteration can bring it stays what
it is, so along a run it is a martingale.

Where the reachable trees are few, the outlook is exact (`gpviz.engine.chain`). Otherwise it is estimated from
continuations, independent runs from the tree, each until it is solved or proven to be stuck. Their seeds follow
from a seed and an iteration, so that the answer can be had again; more continuations refine it.

No tree of a run on samples is stuck for good. There it is the chance not to be done within the iterations that are
left, always from continuations.
"""

from dataclasses import dataclass
from math import sqrt
from typing import Final

from gpviz.engine.config import Rules, RunConfig, check_tree, config_under, rules_of
from gpviz.engine.enums import Outcome, State
from gpviz.engine.interruption import ShouldStop, Stopped, checkpoint, stoppable
from gpviz.engine.randomness import key_of, word
from gpviz.engine.search import RlsGp
from gpviz.engine.stuck import can_get_stuck, tree_state
from gpviz.engine.target import target_for
from gpviz.engine.tree import Node

__all__ = [
    "GIVEN_UP_AFTER",
    "WANTED_ERROR",
    "Continuations",
    "Outlook",
    "known_outlook",
    "outlook",
]

WANTED_ERROR: Final = 0.015
"""The standard error of the chance to end stuck that is small enough."""
GIVEN_UP_AFTER: Final = 100_000
"""A continuation that is neither solved nor proven to be stuck after so many iterations is given up."""
LEFT_BY_DEFAULT: Final = 10_000
"""How many iterations a run on samples has left, unless somebody says so."""
BATCH: Final = 100
"""After each so many continuations the error is looked at."""
MOST_CONTINUATIONS: Final = 20_000
_FIRST_SEED: Final = 1 << 32
"""Continuation i has this word of the iteration's key, and those after it, as its seed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """How runs from a tree end.

    ``stuck`` is the probability never to reach the error goal, ``remaining`` the expected number of further
    iterations of the runs that do; None where none does. Both have standard errors, 0 where they are known
    exactly. Of the ``continuations``, ``given_up`` were neither solved nor proven to be stuck: they count as not
    stuck, so that with some of them ``stuck`` is a lower bound.

    Of a run on samples, ``stuck`` is the probability not to be done ``within`` so many iterations, and
    ``final_generalisation_error`` the expected one at its end.
    """

    stuck: float
    stuck_error: float = 0.0
    remaining: float | None = None
    remaining_error: float | None = None
    is_exact: bool = False
    continuations: int = 0
    given_up: int = 0
    within: int | None = None
    final_generalisation_error: float | None = None
    final_generalisation_error_error: float | None = None


SOLVED: Final = Outlook(stuck=0.0, remaining=0.0, remaining_error=0.0, is_exact=True)
STUCK: Final = Outlook(stuck=1.0, is_exact=True)


def outlook(
    tree: Node | None,
    config: RunConfig | Rules,
    *,
    iteration: int = 0,
    wanted_error: float = WANTED_ERROR,
    within: int | None = None,
    should_stop: ShouldStop | None = None,
) -> Outlook:
    """The outlook of a tree, exact or to the wanted standard error of ``stuck``.

    The continuations follow from the seed of the configuration and the iteration that brought the tree. Once
    ``should_stop`` says so the answer is what is known by then; raises `Stopped` if that is nothing.
    """
    rules = rules_of(config)
    check_tree(tree, rules)
    seed = config.seed if isinstance(config, RunConfig) else 0
    with stoppable(should_stop):
        known = known_outlook(tree, rules)
        if known is not None:
            return known
        continuations = Continuations(tree, rules, seed, iteration, within=within)
        try:
            while not continuations.is_precise(wanted_error):
                continuations.extend(BATCH)
        except Stopped:
            if not continuations.count:
                raise
        return continuations.outlook()


def known_outlook(tree: Node | None, rules: Rules) -> Outlook | None:
    """The outlook where it takes no continuations: of solved and stuck trees, and where the chain is small."""
    if rules.is_sampled:
        return None
    if tree is not None:
        if target_for(rules.n).error(tree) <= rules.accept_error:
            return SOLVED
        if can_get_stuck(rules) and tree_state(tree, rules).state is State.STUCK:
            return STUCK
    return None


class Continuations:
    """Independent runs from a tree, ever more of them, and what they come to."""

    def __init__(
        self, tree: Node | None, rules: Rules, seed: int = 0, iteration: int = 0, *, within: int | None = None
    ) -> None:
        self._tree = tree
        self._rules = rules
        self._config = config_under(rules)
        self._key = key_of(seed, iteration)
        self._within = (within or LEFT_BY_DEFAULT) if rules.is_sampled else None
        self.count = 0
        self.stuck = 0
        self.given_up = 0
        self._iterations = 0  # of solved runs, and the squares of these
        self._squares = 0
        self._wrong = 0.0  # the shares of wrong rows at the end, and their squares
        self._wrong_squares = 0.0

    def extend(self, count: int) -> None:
        """Do so many more of them; stopped at a checkpoint, those that have ended count."""
        most = GIVEN_UP_AFTER if self._within is None else self._within
        for _ in range(count):
            checkpoint()
            seed = word(self._key, _FIRST_SEED + self.count)
            search = RlsGp(self._config.replaced(seed=seed), self._tree)
            result = search.run(max_iterations=most, stop_when_stuck=self._within is None)
            self.count += 1
            if result.outcome is Outcome.SOLVED:
                self._iterations += result.iterations
                self._squares += result.iterations**2
            elif result.outcome is Outcome.STUCK or self._within is not None:
                self.stuck += 1
            else:
                self.given_up += 1
            if self._within is not None and result.tree is not None:
                wrong = float(target_for(self._rules.n).generalisation_error(result.tree))
                self._wrong += wrong
                self._wrong_squares += wrong**2

    @property
    def stuck_error(self) -> float:
        """The standard error of the chance to end stuck.

        It is that of a share with one more of either kind, so that few continuations that all end alike do not
        look certain.
        """
        if not self.count or not (self._within is not None or can_get_stuck(self._rules)):
            return 0.0
        share = (self.stuck + 1) / (self.count + 2)
        return sqrt(share * (1 - share) / self.count)

    def is_precise(self, wanted_error: float = WANTED_ERROR) -> bool:
        """Whether there are enough of them."""
        return self.count >= BATCH and (self.stuck_error <= wanted_error or self.count >= MOST_CONTINUATIONS)

    def outlook(self) -> Outlook:
        """What they have come to; there must be some."""
        solved = self.count - self.stuck - self.given_up
        remaining = self._iterations / solved if solved else None
        wrong = wrong_error = None
        if self._within is not None:
            wrong, wrong_error = (
                self._wrong / self.count,
                _error(self.count, self._wrong, self._wrong_squares),
            )
        return Outlook(
            stuck=self.stuck / self.count,
            stuck_error=self.stuck_error,
            remaining=remaining,
            remaining_error=_error(solved, self._iterations, self._squares),
            continuations=self.count,
            given_up=self.given_up,
            within=self._within,
            final_generalisation_error=wrong,
            final_generalisation_error_error=wrong_error,
        )


def _error(count: int, total: float, squares: float) -> float | None:
    """The standard error of a mean; None of fewer than two values."""
    if count < 2:
        return None
    return sqrt(max(squares - total * total / count, 0.0) / (count - 1) / count)
