"""Finds the outlook of a tree: how runs that go on from it end, and how many iterations they still take.

A run from a tree either reaches the error goal or never does, and the chance of that is a property of the tree and
the rules. It changes only when the tree does. Averaged over what the next iteration can do it stays what it is, so
along a run it is a martingale. The outlook is about runs that draw their mutations from here on: a script that is
not over yet does not count.

Where the reachable trees are few, the outlook is exact (`gpviz.analysis.markov_chain`). Otherwise it is estimated
from continuations, independent runs from the tree, each until it is solved or proven to be stuck. Their seeds
follow from a seed, an iteration and the tree, so that the answer is always the same; more continuations refine it.

No tree of a run on samples is stuck for good. There it is the chance not to be done within the iterations that are
left, always from continuations.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Final

from gpviz.analysis.markov_chain import MOST_STATES, solved_chain
from gpviz.engine.config import Rules, RunConfig, check_tree, config_under, rules_of
from gpviz.engine.enums import State
from gpviz.engine.errors import TooComplexError
from gpviz.engine.interruption import Deadline, ShouldStop, Stopped, checkpoint, stoppable
from gpviz.engine.many_runs import ManyRuns, run_many
from gpviz.engine.randomness import key_of, word
from gpviz.engine.stuck import StableForms, can_get_stuck, tree_state
from gpviz.engine.target import target_for
from gpviz.engine.tree import Node

WANTED_ERROR: Final = 0.015
"""The standard error of the chance to end stuck that is small enough."""
GIVEN_UP_AFTER: Final = 100_000
"""A continuation that is neither solved nor proven to be stuck after so many iterations is given up."""
LEFT_BY_DEFAULT: Final = 10_000
"""How many iterations a run on samples has left, unless somebody says otherwise."""
BATCH: Final = 100
"""The error is looked at after every so many continuations."""
_LEAST_CONTINUATIONS: Final = 20
"""Fewer continuations say too little."""
_ENOUGH_ITERATIONS: Final = 1_000_000
"""The most iterations that are spent on an estimate: fewer with a large tree, on which they take longer, and more
where somebody wants a smaller error than usual."""
_LARGE: Final = 50
"""A tree with at least this many leaves is large."""
_PIECE: Final = 10_000
"""About this many iterations are done before their results are counted."""
_SMALL_CHAIN: Final = 1_000
"""A chain with at most this many states is solved in a fraction of a second."""
_MOST_MUTATIONS: Final = 50_000
"""The mutations looked at to find out whether a tree is stuck, before any continuation: a fraction of a second."""
_MOST_RUNS: Final = 1_000
_MOST_SECONDS: Final = 3.0
"""The average of a run is found from so many runs, or from those that are done by then."""
_FIRST_SEED: Final = 1 << 32
"""The seeds of continuations are the words of a key from this index on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """How runs from a tree end.

    ``stuck`` is the probability never to reach the error goal, ``remaining`` the expected number of further
    iterations of the runs that do; None where none does. Both have standard errors, 0 where they are known
    exactly. Of the ``continuations``, ``given_up`` were neither solved nor proven to be stuck: they count as not
    stuck, so that with some of them ``stuck`` is a lower bound.

    Of a run on samples, ``stuck`` is the probability not to be done ``within`` so many iterations, and
    ``final_generalisation_error`` the expected one at its end, be it done or not.
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

    @property
    def is_surely_stuck(self) -> bool:
        """Whether it is known that no run from the tree is ever solved."""
        return self.is_exact and self.stuck == 1.0


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
    on_progress: Callable[[Outlook], object] | None = None,
) -> Outlook:
    """The outlook of a tree, exact or to the wanted standard error of ``stuck``.

    The continuations follow from the tree, the seed of the configuration and the iteration, so that another
    iteration gives other continuations. Once ``should_stop`` says so the answer is what is known by then; raises
    `Stopped` if that is nothing. ``on_progress`` is called now and then with what is known so far. Raises
    `TooComplexError` where an error takes too long to count.
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
                if on_progress is not None:
                    on_progress(continuations.outlook())
            return exact_outlook(tree, rules) or continuations.outlook()
        except Stopped:
            if not continuations.count:
                raise
            return continuations.outlook()


def known_outlook(tree: Node | None, rules: Rules) -> Outlook | None:
    """The outlook where it takes no continuations: of solved and stuck trees, and in a small chain; else None."""
    if rules.is_sampled:
        return None
    if tree is not None and target_for(rules.n).error(tree) <= rules.accept_error:
        return SOLVED
    exact = exact_outlook(tree, rules, most_states=_SMALL_CHAIN)
    if exact is not None:
        return exact
    if can_get_stuck(rules) and tree_state(tree, rules, _MOST_MUTATIONS).state is State.STUCK:
        return STUCK
    checkpoint()  # where it was stopped the state is unknown
    return None


def ended_outlook(tree: Node | None, rules: Rules, within: int | None = None) -> Outlook:
    """The outlook of a tree with which a run has ended as solved; on samples that is no property of the tree."""
    wrong = None
    if rules.is_sampled and tree is not None:
        wrong = float(target_for(rules.n).generalisation_error(tree))
    return replace(
        SOLVED,
        within=within,
        final_generalisation_error=wrong,
        final_generalisation_error_error=None if wrong is None else 0.0,
    )


def exact_outlook(tree: Node | None, rules: Rules, *, most_states: int = MOST_STATES) -> Outlook | None:
    """The outlook from the chain, which is solved if it was not yet; None where it has more states."""
    chain = solved_chain(rules, tree, most_states=most_states)
    value = None if chain is None else chain.value_of(tree)
    if value is None:
        return None
    error = None if value.remaining is None else 0.0
    return Outlook(stuck=value.stuck, remaining=value.remaining, remaining_error=error, is_exact=True)


def average_run(
    start: Node | None, config: RunConfig, should_stop: ShouldStop, on_progress: Callable[[Outlook], object]
) -> Outlook:
    """The outlook from the start of a run: exact, or from as many runs as a person waits for.

    These are twice as many each time, up to a thousand, and ``on_progress`` is called with what they give. Raises
    `TooComplexError` where an error takes too long to count.
    """
    rules = config.rules
    with stoppable(should_stop):
        known = known_outlook(start, rules)
        if known is not None:
            return known
        continuations, deadline = Continuations(start, rules, config.seed), Deadline(_MOST_SECONDS)
        while continuations.count < _MOST_RUNS and not (continuations.count and deadline()):
            continuations.extend(min(max(continuations.count, 2), _MOST_RUNS - continuations.count))
            on_progress(continuations.outlook())
        return exact_outlook(start, rules) or continuations.outlook()


class Continuations:
    """Independent runs from a tree, as many as are wanted, and the outlook that follows from them."""

    def __init__(
        self, tree: Node | None, rules: Rules, seed: int = 0, iteration: int = 0, *, within: int | None = None
    ) -> None:
        self._tree = tree
        self._rules = rules
        self._config = config_under(rules)
        form = 0 if tree is None else StableForms(keeps_grouping=True).of(tree)
        self._key = word(key_of(seed, iteration) ^ form, 1)
        self._within = (within or LEFT_BY_DEFAULT) if rules.is_sampled else None
        self._is_chance_known = self._within is None and not can_get_stuck(rules)
        self._iterations = 0  # of all
        self._times = _Sums()  # iterations of the solved ones
        self._wrong = _Sums()  # shares of wrong rows at the end
        self.count = 0
        self.stuck = 0
        self.given_up = 0

    def extend(self, count: int) -> None:
        """Do so many more of them; if it is stopped at a checkpoint, those that are over count."""
        goal = self.count + count
        while self.count < goal:
            usual = max(self._iterations // self.count, 1) if self.count else _PIECE // 4
            piece = min(goal - self.count, max(_PIECE // usual, 1))
            first = _FIRST_SEED + self.count
            self._do([word(self._key, number) for number in range(first, first + piece)])
            checkpoint()

    def _do(self, seeds: Sequence[int]) -> None:
        is_sampled = self._within is not None
        try:
            runs = run_many(
                self._config,
                self._tree,
                seeds,
                max_iterations=GIVEN_UP_AFTER if self._within is None else self._within,
                stop_when_stuck=not is_sampled,
                keeps_trees=is_sampled,
                should_stop=_never,  # so that, stopped at a checkpoint, it returns the runs that were over
            )
        except TooComplexError:
            if len(seeds) > 1:
                for seed in seeds:
                    self._do([seed])
                return
            self.count += 1
            self.given_up += 1
            return
        self._count(runs)

    def _count(self, runs: ManyRuns) -> None:
        self.count += len(runs)
        self._iterations += int(runs.iterations.sum())
        self._times.add(runs.iterations[runs.is_solved].tolist())
        if self._within is None:
            self.stuck += int(runs.is_stuck.sum())
            self.given_up += int(runs.is_stopped.sum())
        else:
            self.stuck += int(runs.is_stopped.sum())
            self._wrong.add(self._wrong_share(tree) for tree in runs.trees or ())

    def _wrong_share(self, tree: Node | None) -> float | None:
        if tree is None:
            return None
        try:
            return float(target_for(self._rules.n).generalisation_error(tree))
        except TooComplexError:
            return None

    @property
    def stuck_error(self) -> float:
        """The standard error of the chance to end stuck.

        It is that of a share with two more of either kind, so that few continuations that almost all end alike do
        not look certain, and are not the last ones because of that.
        """
        if not self.count or self._is_chance_known:
            return 0.0
        count = self.count + 4
        share = (self.stuck + 2) / count
        return sqrt(share * (1 - share) / count)

    def is_precise(self, wanted_error: float = WANTED_ERROR) -> bool:
        """Whether there are enough of them, or more would take too long."""
        if self.count >= BATCH and self.stuck_error <= wanted_error:
            return True
        size = 0 if self._tree is None else self._tree.leaves
        enough = _ENOUGH_ITERATIONS * _LARGE / max(_LARGE, size) * max(1.0, WANTED_ERROR / wanted_error) ** 2
        return self.count >= _LEAST_CONTINUATIONS and self._iterations >= enough

    def outlook(self) -> Outlook:
        """The outlook they give; there must be some."""
        return Outlook(
            stuck=self.stuck / self.count,
            stuck_error=self.stuck_error,
            remaining=self._times.mean,
            remaining_error=self._times.error,
            continuations=self.count,
            given_up=self.given_up,
            within=self._within,
            final_generalisation_error=self._wrong.mean,
            final_generalisation_error_error=self._wrong.error,
        )


def _never() -> bool:
    return False


class _Sums:
    """The sums of numbers and of their squares, and the mean that follows from them."""

    def __init__(self) -> None:
        self._count = 0
        self._total: float = 0
        self._squares: float = 0

    def add(self, numbers: Iterable[float | None]) -> None:
        """Add these numbers; None is left out."""
        for number in numbers:
            if number is not None:
                self._count += 1
                self._total += number
                self._squares += number * number

    @property
    def mean(self) -> float | None:
        return self._total / self._count if self._count else None

    @property
    def error(self) -> float | None:
        """The standard error of the mean; None of fewer than two numbers."""
        if self._count < 2:
            return None
        squares = self._squares - self._total * self._total / self._count
        return sqrt(max(squares, 0.0) / (self._count - 1) / self._count)
