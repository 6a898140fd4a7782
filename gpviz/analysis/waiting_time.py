"""Finds out how long a tree waits: the expected number of iterations until its error falls.

Until then neutral steps lead RLS-GP over the plateau, the trees of equal error that accepted mutations can reach,
and each of them improves with a chance of its own. So the wait is that of a Markov chain. With Q the probabilities
between the trees of the plateau, the waits w of all of them solve (I - Q) w = 1, which is done where they are few.
The states are trees up to the order of children and the names of variables (`NormalForms`): renaming and
reordering map the mutations of one tree to those of the other, equally likely and with equal errors, as AND_n is
the same in all variables.

The wait is infinite for stuck trees, and for no others: no neutral step leads from a tree that is not stuck to one
that is. A stuck tree is full, so only an insertion or a substitution could have led to it. But either can be
undone, by a deletion of the new leaf or another substitution, which are just as neutral.

Where the plateau is large the wait is estimated from continuations, independent runs from the tree up to their
first improvement. Their seeds are fixed, so the answer is always the same.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, isinf, sqrt
from statistics import fmean, stdev
from typing import Final, NamedTuple

import numpy as np

from gpviz.analysis.markov_chain import Elimination
from gpviz.analysis.neighbourhood import neighbours_of
from gpviz.engine.config import Rules, RunConfig, check_tree, config_under, rules_of
from gpviz.engine.enums import Outcome, State, Verdict
from gpviz.engine.interruption import ShouldStop, Stopped, checkpoint, stoppable
from gpviz.engine.mutation import apply
from gpviz.engine.prime_implicants import TooMany
from gpviz.engine.search import RlsGp
from gpviz.engine.stuck import NormalForms, TreeState, can_get_stuck, tree_state
from gpviz.engine.target import target_for
from gpviz.engine.tree import Node

MOST_TREES: Final = 2_000
"""A plateau with more kinds of trees is too large to be solved."""
_MOST_WORK: Final = 600_000
"""The most mutations and nodes of neutral offspring looked at to find a plateau: two seconds' work."""
_MANY_VARIABLES: Final = 50
"""Judging a mutation takes longer with many variables: once more as long for every so many of them."""

MOST_ITERATIONS: Final = 1_000_000
"""If continuations with this many iterations in all say too little, the wait stays unknown."""
_LEAST_IMPROVED: Final = 20
"""Fewer continuations say too little."""
_ENOUGH_ITERATIONS: Final = 200_000
"""The most iterations spent on making an estimate more precise; fewer with a large tree, on which they take
longer."""
_LARGE: Final = 50
"""A tree with at least this many leaves is large."""
_WANTED_ERROR: Final = 0.015
"""The standard error that is small enough, as a share of the wait."""
_BATCH: Final = 500
"""The error is looked at after every so many continuations, but not after the first so many."""
_LARGEST_PIECE: Final = 1_024
"""The most iterations of a continuation between two checkpoints."""


@dataclass(frozen=True, slots=True)
class ExpectedWait:
    """How many iterations it takes on average until the error falls.

    ``wait`` is infinite for a stuck tree, and None where it is not known. If it is exact it comes from all kinds
    of ``trees`` on the plateau; otherwise it is the mean over ``continuations``, with its standard error.
    """

    wait: float | None
    is_exact: bool
    standard_error: float | None = None
    trees: int = 0
    continuations: int = 0

    @property
    def is_never(self) -> bool:
        """Whether the error never falls, as the tree is stuck."""
        return self.wait is not None and isinf(self.wait)

    @property
    def chance_to_leave(self) -> float | None:
        """The probability that the error ever falls: 0 for a stuck tree, 1 for others, None where not known."""
        return None if self.wait is None else 0.0 if self.is_never else 1.0


def expected_wait(
    tree: Node | None,
    config: RunConfig | Rules,
    *,
    state: TreeState | None = None,
    most_trees: int = MOST_TREES,
    most_iterations: int = MOST_ITERATIONS,
    should_stop: ShouldStop | None = None,
) -> ExpectedWait | None:
    """How long it takes until the error of a tree falls; None for a solved tree, which waits for nothing.

    It is exact where the plateau has no more than ``most_trees`` kinds of trees. Otherwise it is an estimate; in a
    sampled run one of how long it takes until an offspring *looks* better. A caller who knows the ``state`` of the
    tree can pass it on. Raises `Stopped` once ``should_stop`` says so, and `TooComplexError` where an error takes
    too long to count.
    """
    rules = rules_of(config)
    check_tree(tree, rules)
    with stoppable(should_stop):
        if _is_solved(tree, rules):
            return None
        if tree is not None and can_get_stuck(rules):
            known = state or tree_state(tree, rules)
            if known.state is State.STUCK:
                return ExpectedWait(inf, is_exact=True, trees=known.plateau_trees)
        exact = exact_wait(tree, rules, most_trees=most_trees)
        return exact or estimated_wait(tree, rules, most_iterations=most_iterations)


def exact_wait(
    tree: Node | None, config: RunConfig | Rules, *, most_trees: int = MOST_TREES
) -> ExpectedWait | None:
    """The wait of a tree that is not solved; None if its plateau is too large, or rows are sampled."""
    rules = rules_of(config)
    if tree is not None and not _is_worth_enumerating(tree, rules):
        return None
    plateau = _plateau_of(tree, rules, most_trees)
    if plateau is None:
        return None
    if not any(steps.improving for steps in plateau):
        return ExpectedWait(inf, is_exact=True, trees=len(plateau))
    system = np.zeros((len(plateau), len(plateau)))
    for state, steps in enumerate(plateau):
        # 1 less the probability that the tree stays, without the rounding that a difference would bring.
        system[state, state] = steps.improving + sum(steps.others.values())
        for other, probability in steps.others.items():
            system[state, other] -= probability
    waits = Elimination(system).solved(np.ones(len(plateau)))
    return ExpectedWait(float(waits[0]), is_exact=True, trees=len(plateau))


def estimated_wait(
    tree: Node | None, config: RunConfig | Rules, *, most_iterations: int = MOST_ITERATIONS
) -> ExpectedWait:
    """The wait of a tree that is not solved, from runs that go on from it.

    Where it is stopped, what it knows by then is an estimate, too, if enough runs have improved.
    """
    run = _continuation_of(tree, rules_of(config))
    enough = _ENOUGH_ITERATIONS if tree is None else _ENOUGH_ITERATIONS * _LARGE // max(_LARGE, tree.leaves)
    waits: list[int] = []
    spent = 0
    while not (spent >= enough and len(waits) >= _LEAST_IMPROVED) and not _are_precise(waits):
        try:
            iterations = run(len(waits), most_iterations - spent)
        except Stopped:
            if len(waits) < _LEAST_IMPROVED:
                raise
            break
        if iterations is None:
            return ExpectedWait(None, is_exact=False)
        waits.append(iterations)
        spent += iterations
    error = stdev(waits) / sqrt(len(waits))
    return ExpectedWait(fmean(waits), is_exact=False, standard_error=error, continuations=len(waits))


def _is_solved(tree: Node | None, rules: Rules) -> bool:
    """Whether a run on all rows ends with this tree, or one on samples can find nothing that looks better."""
    if tree is None:
        return False
    return target_for(rules.n).error(tree) <= (0 if rules.is_sampled else rules.accept_error)


def _is_worth_enumerating(tree: Node, rules: Rules) -> bool:
    """Whether it is worth the time to look for the plateau of a tree.

    Without a limit it has no end. A large tree below the limit has thousands of neutral insertions, and each
    mutation of a tangled tree takes long to judge.
    """
    if rules.is_sampled or rules.max_leaves is None or isinstance(tree.value, TooMany):
        return False
    return tree.leaves < _LARGE or tree.leaves == rules.max_leaves


class _Steps(NamedTuple):
    """Where an iteration leads from a tree: with which probability it improves, or comes to which other tree."""

    improving: float
    others: dict[int, float]


def _plateau_of(tree: Node | None, rules: Rules, most_trees: int) -> list[_Steps] | None:
    """The plateau of a tree, which comes first; None if it is too large."""
    forms = NormalForms(keeps_grouping=True)
    numbers: dict[int, int] = {} if tree is None else {forms.of(tree): 0}
    trees = [tree]
    plateau: list[_Steps] = []
    work = 0
    while len(plateau) < len(trees):
        parent = trees[len(plateau)]
        others: dict[int, float] = {}
        improving = 0.0
        for neighbour in neighbours_of(parent, rules, are_sides_merged=True):
            work += 1 + rules.n // _MANY_VARIABLES
            if neighbour.verdict is Verdict.IMPROVED:
                improving += float(neighbour.probability)
            elif neighbour.verdict is Verdict.NEUTRAL:
                offspring = apply(parent, neighbour.mutation, (-1, -2))
                work += offspring.size
                other = numbers.setdefault(forms.of(offspring), len(trees))
                if other == len(trees):
                    trees.append(offspring)
                if other != len(plateau):
                    others[other] = others.get(other, 0.0) + float(neighbour.probability)
            if len(trees) > most_trees or work > _MOST_WORK:
                return None
        plateau.append(_Steps(improving, others))
    return plateau


def _are_precise(waits: list[int]) -> bool:
    """Whether the mean of these waits has the precision that is wanted, looked at now and then."""
    if len(waits) <= _BATCH or len(waits) % _BATCH:
        return False
    return stdev(waits) <= _WANTED_ERROR * sqrt(len(waits)) * fmean(waits)


def _continuation_of(tree: Node | None, rules: Rules) -> Callable[[int, int], int | None]:
    """A function of a seed and a number of iterations: when a run from the tree improves, None if not by then."""
    error = 2**rules.n if tree is None else target_for(rules.n).error(tree)
    # A run that accepts every smaller error ends when it improves; on samples there is no such error.
    config = config_under(rules, accept_error=0 if rules.is_sampled else error - 1)
    has_improved = _has_looked_better if rules.is_sampled else _has_improved

    def run(seed: int, most_iterations: int) -> int | None:
        search = RlsGp(config.replaced(seed=seed), tree)
        while search.iteration < most_iterations:
            checkpoint()
            if has_improved(search, min(most_iterations - search.iteration, _LARGEST_PIECE)):
                return search.iteration
        return None

    return run


def _has_improved(search: RlsGp, iterations: int) -> bool:
    """Go on until the error falls, for so many iterations at most."""
    return search.run(max_iterations=search.iteration + iterations).outcome is Outcome.SOLVED


def _has_looked_better(search: RlsGp, iterations: int) -> bool:
    """Go on until an offspring looks better, for so many iterations at most."""
    return any(search.step().verdict is Verdict.IMPROVED for _ in range(iterations))
