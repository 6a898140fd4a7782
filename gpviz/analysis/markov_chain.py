"""Solves the Markov chain of RLS-GP exactly where it is small: how every run ends, seen from every tree.

The states are kinds of trees (`gpviz.analysis.markov_states`), which are few as long as the limit is small,
whatever n is. The error never rises, so the chain is solved error by error, from the smallest up: what lies below
is known by then. Of the trees with one error most are full, and between full trees only substitutions lead, which
keep the shape. So the full trees are eliminated shape by shape, and what is left is one small system.

A run is stuck once no sequence of accepted mutations leads from its tree to the error goal. Such states are found
first, and the systems are about the others, from each of which a run ends for certain.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import sqrt
from threading import Event, Lock
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from gpviz.analysis.markov_states import TreeKinds, count_labelled_shapes
from gpviz.engine.config import Rules, RunConfig, check_tree, rules_of
from gpviz.engine.enums import Function
from gpviz.engine.interruption import ShouldStop, checkpoint, stoppable
from gpviz.engine.tree import Inner, Node, nodes_of

ROWS_AT_ONCE: Final = 64
"""How many rows of the system are eliminated at a time."""
_MOST_NUMBERS: Final = 2_000_000
"""How many numbers of the system are changed between two checkpoints."""
MOST_STATES: Final = 50_000
"""A chain with more states is too large to be solved."""
_LABELLED_PER_KIND: Final = 4
"""A shape can be labelled in at most about so many ways that make one kind of tree."""
_MOST_SHAPES: Final = 4_000
"""More shapes take too long, even where few variables leave few kinds of each."""
_MOST_LEAVES: Final = 15
"""Larger trees have no number in 64 bits."""
_LARGEST_SYSTEM: Final = 4_000
"""A system with more unknowns takes too long to eliminate."""
_REMEMBERED: Final = 8
_REMEMBERED_STATES: Final = 200_000
"""This many chains are remembered, or fewer if they have more states: a state takes about a kilobyte."""
_ROUNDING: Final = 1e-12
_PATIENCE_S: Final = 0.02
"""How often a thread that waits for the work of another asks whether to stop."""

OnProgress = Callable[[int, int], object]
"""Called with how many states are solved, and of how many."""

_Numbers = npt.NDArray[np.float64]
_Integers = npt.NDArray[np.int64]
_Truths = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ExactValue:
    """How runs from a tree end.

    ``stuck`` is the probability never to reach the error goal. All else is about the runs that do reach it, and
    None if there are none: ``remaining`` is the expected number of further iterations, ``remaining_sd`` their
    standard deviation, ``leaves`` and ``ors`` the expected numbers of these in the tree that reaches it, and
    ``leaves_sd`` again a standard deviation. ``states`` counts the kinds of trees in the chain.
    """

    stuck: float
    remaining: float | None
    remaining_sd: float | None
    leaves: float | None
    leaves_sd: float | None
    ors: float | None
    states: int


class Iterations(NamedTuple):
    """The probabilities with which a single iteration leads from one state to another."""

    sources: _Integers
    targets: _Integers
    probabilities: _Numbers

    def chosen(self, which: _Truths | _Integers | slice) -> "Iterations":
        """The chosen ones of them."""
        return Iterations(self.sources[which], self.targets[which], self.probabilities[which])


class SolvedChain:
    """A Markov chain, and how runs from each of its states end.

    The empty tree is state 0. Of all kinds of trees, only some are states of the chain.
    """

    def __init__(
        self,
        kinds: TreeKinds,
        is_state: _Truths,
        iterations: Iterations,
        on_progress: OnProgress | None = None,
    ) -> None:
        self._kinds = kinds
        self._is_state = is_state
        self.iterations = iterations
        self.is_solved: _Truths = kinds.is_solved
        self.states = int(is_state.sum())
        sources, targets, _ = iterations
        is_hopeful = _leading_to(kinds.is_solved & is_state, sources, targets)
        self._is_hopeless = is_state & ~is_hopeful
        self._is_safe = is_state & ~_leading_to(self._is_hopeless, sources, targets)
        is_open = is_state & is_hopeful & ~kinds.is_solved
        self._ends = np.zeros((kinds.count, 5))
        self._times = np.zeros((kinds.count, 2))
        leaves = kinds.leaves[kinds.is_solved]
        self._ends[kinds.is_solved, 0] = 1.0
        self._ends[kinds.is_solved, 1:4] = np.stack((leaves, leaves**2, kinds.ors[kinds.is_solved]), axis=1)
        self._ends[self._is_hopeless, 4] = 1.0
        done = self.states - int(is_open.sum())
        for level in _levels(kinds, is_open, iterations):
            if on_progress is not None:
                on_progress(done, self.states)
            self._solve(level)
            done += len(level.members)

    def _solve(self, level: "_Level") -> None:
        """Solve the states of one error, once those of smaller errors are solved.

        A row of ``_ends`` has the probability that a run is solved, the expected leaves of its final tree, their
        squares, its ORs, all counted as 0 for runs that are not solved, and the probability to end stuck. A row of
        ``_times`` has the expected iterations and their squares, counted likewise.
        """
        ends = level.solved(level.from_outside(self._ends))
        self._ends[level.members] = np.maximum(ends, 0.0)
        success = ends[:, 0]
        # One more iteration on every way that ends well: if T is the time from the next tree, 1 + T, and for the
        # squares 1 + 2 T + T^2.
        first = level.solved(level.from_outside(self._times[:, 0]) + success)
        self._times[level.members, 0] = first
        self._times[level.members, 1] = level.solved(
            level.from_outside(self._times[:, 1]) + 2 * first - success
        )

    def value_of(self, tree: Node | None) -> ExactValue | None:
        """How runs from a tree end; None if the tree is not in the chain."""
        number = self._kinds.number_of(tree)
        if number is None or not self._is_state[number]:
            return None
        if self._is_hopeless[number]:
            return ExactValue(1.0, None, None, None, None, None, self.states)
        success, leaves, squares, ors, stuck = map(float, self._ends[number])
        if self._is_safe[number]:
            stuck = 0.0
        mean, mean_leaves = float(self._times[number, 0]) / success, leaves / success
        return ExactValue(
            stuck=stuck,
            remaining=mean,
            remaining_sd=_sd(float(self._times[number, 1]) / success, mean),
            leaves=mean_leaves,
            leaves_sd=_sd(squares / success, mean_leaves),
            ors=ors / success,
            states=self.states,
        )


def _sd(mean_square: float, mean: float) -> float:
    variance = mean_square - mean**2
    # What is left of a difference of equal numbers is rounding.
    return sqrt(variance) if variance > _ROUNDING * mean_square else 0.0


def largest_limit(rules: Rules, most_states: int = MOST_STATES) -> int:
    """The largest limit for which the kinds of trees may be few enough, under otherwise the same rules."""
    limit = 1
    while limit < _MOST_LEAVES and _is_worth_enumerating(
        len(rules.functions), rules.n, limit + 1, most_states
    ):
        limit += 1
    return limit


def solved_chain(
    config: RunConfig | Rules,
    start: Node | None = None,
    *,
    most_states: int = MOST_STATES,
    should_stop: ShouldStop | None = None,
    on_progress: OnProgress | None = None,
) -> SolvedChain | None:
    """A solved chain that has this tree among its states; None if it would be too large.

    It is remembered, so it costs nothing to ask again. Raises `Stopped` once ``should_stop`` says so.
    ``on_progress`` is called now and then, with how many states are solved of how many.
    """
    rules = rules_of(config)
    check_tree(start, rules)
    if rules.is_sampled or rules.max_leaves is None:
        return None
    functions = tuple(each for each in Function if each in rules.functions or _has(start, each))
    if not _is_worth_enumerating(len(functions), rules.n, rules.max_leaves, most_states):
        return None
    with stoppable(should_stop):
        if functions == rules.functions:
            chain = _chain(rules, None, most_states, on_progress)
            if start is None or chain is None or chain.value_of(start) is not None:
                return chain
        return _chain(rules, functions, most_states, on_progress)


def _is_worth_enumerating(functions: int, n: int, limit: int, most_states: int) -> bool:
    """Whether the kinds of trees may be few enough, from a count that needs none of them."""
    if limit > _MOST_LEAVES:
        return False
    # With a single variable a shape can be labelled in one way only.
    return all(
        count_labelled_shapes(functions, limit, variables, most=most) <= most
        for variables, most in ((1, _MOST_SHAPES), (n, most_states * _LABELLED_PER_KIND))
    )


def _has(tree: Node | None, function: Function) -> bool:
    return any(isinstance(node, Inner) and node.function is function for node in nodes_of(tree))


_chains: Final[OrderedDict[object, SolvedChain | None]] = OrderedDict()
_in_the_making: Final[dict[object, Event]] = {}
_lock: Final = Lock()


def _chain(
    rules: Rules, functions: tuple[Function, ...] | None, most_states: int, on_progress: OnProgress | None
) -> SolvedChain | None:
    """What `_made` makes, remembered. If several threads ask at once, one of them makes it and the others wait."""
    key = (rules, functions, most_states)
    while True:
        with _lock:
            if key in _chains:
                _chains.move_to_end(key)
                return _chains[key]
            made = _in_the_making.get(key)
            if made is None:
                made = _in_the_making[key] = Event()
                break
        checkpoint()
        made.wait(_PATIENCE_S)
    try:
        chain = _made(rules, functions, most_states, on_progress)
        with _lock:
            _chains[key] = chain
            while len(_chains) > 1 and (
                len(_chains) > _REMEMBERED or _states_remembered() > _REMEMBERED_STATES
            ):
                _chains.popitem(last=False)
        return chain
    finally:
        with _lock:
            del _in_the_making[key]
        made.set()


def _states_remembered() -> int:
    return sum(0 if chain is None else chain.states for chain in _chains.values())


def _made(
    rules: Rules, functions: tuple[Function, ...] | None, most_states: int, on_progress: OnProgress | None
) -> SolvedChain | None:
    """The chain of runs from the empty tree, or, if functions are given, from any tree with these functions."""
    kinds = TreeKinds(rules, functions or rules.functions)
    if functions is None:
        # No tree of a larger error than that of a first leaf is ever accepted.
        may_be_reached = kinds.true_rows <= kinds.true_rows[1]
    else:
        may_be_reached = np.ones(kinds.count, dtype=np.bool_)
    if _largest_system(kinds, may_be_reached & ~kinds.is_solved) > _LARGEST_SYSTEM:
        return None
    iterations = _iterations(kinds, may_be_reached & ~kinds.is_solved)
    is_state = may_be_reached
    if functions is None:
        is_first = np.zeros(kinds.count, dtype=np.bool_)
        is_first[0] = True
        is_state = _leading_to(is_first, iterations.targets, iterations.sources)
        iterations = iterations.chosen(is_state[iterations.sources])
    if is_state.sum() > most_states:
        return None
    return SolvedChain(kinds, is_state, iterations, on_progress)


def _largest_system(kinds: TreeKinds, is_open: _Truths) -> int:
    """How many trees that are not full have the same error, at most."""
    return int(np.bincount(kinds.true_rows[is_open & (kinds.leaves < kinds.most_leaves)], minlength=1).max())


def _iterations(kinds: TreeKinds, is_wanted: _Truths) -> Iterations:
    """The accepted iterations from the wanted kinds."""
    pieces = [Iterations(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))]
    true_rows = kinds.true_rows
    for steps in kinds.steps(is_wanted):
        checkpoint()
        is_accepted = (true_rows[steps.targets] <= true_rows[steps.sources]) | (steps.sources == 0)
        # All transitions between two kinds are in one piece.
        pairs = steps.sources[is_accepted] * kinds.count + steps.targets[is_accepted]
        pairs, inverse = np.unique(pairs, return_inverse=True)
        draws = np.bincount(inverse, steps.draws[is_accepted])
        sources, targets = np.divmod(pairs, kinds.count)
        pieces.append(Iterations(sources, targets, draws / kinds.draws[sources]))
    checkpoint()
    return Iterations(*(np.concatenate(each) for each in zip(*pieces, strict=True)))


def _leading_to(goal: _Truths, sources: _Integers, targets: _Integers) -> _Truths:
    """The states from which the goal can be reached, and the goal itself."""
    found = goal.copy()
    while True:
        checkpoint()
        more = sources[found[targets]]
        if found[more].all():
            return found
        found[more] = True


class Elimination:
    """The linear system I - Q of a chain, where Q has the probabilities between some of its states.

    The constructor eliminates it once, in the array that it is given; `solved` then takes any right side.

    Rows are eliminated in blocks, with checkpoints between them. No rows have to be swapped: in every row the
    number on the diagonal is at least as large as the sum of the others, and elimination keeps it so.
    """

    def __init__(self, system: _Numbers) -> None:
        self._system = system
        self._blocks = [slice(start, start + ROWS_AT_ONCE) for start in range(0, len(system), ROWS_AT_ONCE)]
        for rows in self._blocks:
            checkpoint()
            after = slice(rows.stop, None)
            system[rows, after] = np.linalg.solve(system[rows, rows], system[rows, after])
            strip = max(_MOST_NUMBERS // len(system), 1)
            for start in range(rows.stop, len(system), strip):
                checkpoint()
                others = slice(start, start + strip)
                system[others, after] -= system[others, rows] @ system[rows, after]

    def solved(self, right: _Numbers) -> _Numbers:
        """The solution for a right side, or for each column of it."""
        system = self._system
        solution = right.copy()
        for rows in self._blocks:
            checkpoint()
            after = slice(rows.stop, None)
            solution[rows] = np.linalg.solve(system[rows, rows], solution[rows])
            solution[after] -= system[after, rows] @ solution[rows]
        for rows in reversed(self._blocks):
            after = slice(rows.stop, None)
            solution[rows] -= system[rows, after] @ solution[after]
        return solution


class _FullTrees(NamedTuple):
    """The full trees of one shape in a level, eliminated: how they and the smaller trees depend on each other.

    Deletions lead from them to the trees ``smaller``, insertions to them from the ``origins``.
    """

    members: slice
    elimination: Elimination
    smaller: _Integers
    by_smaller: _Numbers
    origins: _Integers
    from_origins: _Numbers


class _Level:
    """The system of all unsolved states of one error from which the goal can be reached.

    Smaller trees come first, then the full ones, shape by shape.
    """

    def __init__(
        self, members: _Integers, smaller: int, shapes: _Integers, leaving: _Numbers, inside: Iterations,
        outside: Iterations,
    ) -> None:  # fmt: skip
        self.members = members
        self._outside = outside
        self._smaller = smaller
        system = np.zeros((smaller, smaller))
        system[np.arange(smaller), np.arange(smaller)] = leaving[:smaller]
        sources, targets, probabilities = inside
        is_between = (sources < smaller) & (targets < smaller)
        system[sources[is_between], targets[is_between]] -= probabilities[is_between]
        growing = inside.chosen((sources < smaller) & (targets >= smaller))
        growing = growing.chosen(np.argsort(growing.targets, kind="stable"))
        checkpoint()
        full = inside.chosen(sources >= smaller)
        full = full.chosen(np.argsort(full.sources, kind="stable"))
        self._full: list[_FullTrees] = []
        bounds = smaller + np.flatnonzero(np.diff(shapes[smaller:], prepend=-1, append=-1))
        for start, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            checkpoint()
            here = slice(*np.searchsorted(full.sources, (start, stop)).tolist())
            there = slice(*np.searchsorted(growing.targets, (start, stop)).tolist())
            eliminated = _eliminated(
                slice(start, stop),
                leaving,
                full.chosen(here),
                growing.chosen(there),
            )
            self._full.append(eliminated)
            _, _, columns, by_smaller, rows, from_origins = eliminated
            system[np.ix_(rows, columns)] -= from_origins @ by_smaller
        self._elimination = Elimination(system)

    def from_outside(self, values: _Numbers) -> _Numbers:
        """What one iteration is expected to contribute from the values of other levels, which are known."""
        sources, targets, probabilities = self._outside
        brought = np.zeros((len(self.members), *values.shape[1:]))
        weights = probabilities.reshape(-1, *[1] * (values.ndim - 1))
        np.add.at(brought, sources, weights * values[targets])
        return brought

    def solved(self, right: _Numbers) -> _Numbers:
        """The solution of the system for a right side."""
        solution = right.copy()
        smaller = solution[: self._smaller]
        for full in self._full:
            alone = full.elimination.solved(right[full.members])
            solution[full.members] = alone
            smaller[full.origins] -= full.from_origins @ alone
        smaller[:] = self._elimination.solved(smaller)
        for full in self._full:
            solution[full.members] -= full.by_smaller @ smaller[full.smaller]
        return solution


def _eliminated(members: slice, leaving: _Numbers, inside: Iterations, growing: Iterations) -> _FullTrees:
    """The full trees of one shape, from the iterations that begin with them and those that lead to them."""
    start, count = members.start, members.stop - members.start
    block = np.diag(leaving[members])
    sources, targets, probabilities = inside
    is_within = targets >= start
    block[sources[is_within] - start, targets[is_within] - start] -= probabilities[is_within]
    smaller, columns = np.unique(targets[~is_within], return_inverse=True)
    to_smaller = np.zeros((count, len(smaller)))
    to_smaller[sources[~is_within] - start, columns] = -probabilities[~is_within]
    origins, rows = np.unique(growing.sources, return_inverse=True)
    from_origins = np.zeros((len(origins), count))
    from_origins[rows, growing.targets - start] = -growing.probabilities
    elimination = Elimination(block)
    return _FullTrees(members, elimination, smaller, elimination.solved(to_smaller), origins, from_origins)


def _levels(kinds: TreeKinds, is_open: _Truths, iterations: Iterations) -> Iterator[_Level]:
    """The systems of the open states, from the smallest error up; the empty tree comes last."""
    sources, _, probabilities = iterations
    errors = kinds.true_rows.copy()
    errors[0] = errors.max() + 1
    leaving: _Numbers = np.bincount(sources, probabilities, minlength=kinds.count).astype(float)
    index_in_level = np.zeros(kinds.count, np.int64)
    full_leaves = kinds.most_leaves
    for error in np.unique(errors[is_open]):
        checkpoint()
        members = np.flatnonzero(is_open & (errors == error))
        index_in_level[members] = np.arange(len(members))
        is_source = np.zeros(kinds.count, dtype=np.bool_)
        is_source[members] = True
        here = iterations.chosen(is_source[sources])
        checkpoint()
        is_inside = is_source[here.targets]
        inside, outside = here.chosen(is_inside), here.chosen(~is_inside)
        checkpoint()
        yield _Level(
            members,
            int((kinds.leaves[members] < full_leaves).sum()),
            kinds.shapes[members],
            leaving[members],
            Iterations(index_in_level[inside.sources], index_in_level[inside.targets], inside.probabilities),
            outside._replace(sources=index_in_level[outside.sources]),
        )
