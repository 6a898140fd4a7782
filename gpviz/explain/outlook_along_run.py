"""The outlook along a run, worked out piece by piece, and the steps that decided it.

The tree changes at accepted mutations only, so a run is a row of stretches, each with one tree and one outlook.
First a few stretches over the whole run are looked at with few continuations; then those between two that differ,
the largest difference first, down to the step that made it; then those beside such a step again, with more
continuations; then all the others, as long as they are not too many. So the picture is rough at first and becomes
finer where the run was decided. What is stuck for good stays so, and needs no more looks. Trees that differ only
in the order of children and the names of variables share their continuations.

Continuations follow from the seed of the run and the tree, and there are as many of them as the wanted error
takes. So what is known in the end does not depend on what was looked at first.

Of a run on samples it is the chance not to be done within the iterations that it has left. A run is thought to
have 10,000 iterations in all; one that is longer, 100,000, and so on. What is left is rounded to two digits, so
that trees of the same kind can still share their continuations.

Nothing here has a thread of its own: whoever wants the picture takes a `Job`, lets it work wherever it likes, and
then asks again. A run is asked in one thread. Runs that share what is known of their trees may be asked in
several, and their jobs be at work at the same time: what another one has found meanwhile is not worked out again.
"""

import itertools
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable
from functools import partial
from math import hypot
from threading import Lock
from typing import Final, NamedTuple

import numpy as np

from gpviz.analysis.markov_chain import solved_chain
from gpviz.analysis.outlook import (
    BATCH,
    LEFT_BY_DEFAULT,
    STUCK,
    WANTED_ERROR,
    Continuations,
    Outlook,
    ended_outlook,
    exact_outlook,
    known_outlook,
)
from gpviz.engine.config import Rules, RunConfig
from gpviz.engine.errors import TooComplexError
from gpviz.engine.stuck import NormalForms
from gpviz.engine.tree import Node
from gpviz.runs.history import History

DECISIVE_RISE: Final = 0.05
"""A step that raises the chance to end stuck by at least so much is decisive."""
_ERRORS_APART: Final = 2.0
"""And it must not be luck: the rise is at least so many of its standard errors."""
_ERRORS_FOR_SURE: Final = 4.0
"""Where it is fewer, the estimates are made twice as precise as is wanted."""
_COARSE: Final = 32
"""So many stretches, spread over the run, are looked at first."""
_MOST_STRETCHES: Final = 256
"""So many of them are looked at in the end, besides those on the way to a decisive step."""
_MOST_REMEMBERED: Final = 1_024
"""If there are more, as the run goes on, some that differ little from those beside them are forgotten."""
_LITTLE: Final = 0.02
_FIRST_CONTINUATIONS: Final = 50
_MOST_KINDS: Final = 20_000
_LARGEST_COMPARED: Final = 200
"""Larger trees hardly ever come again, and to find out takes long."""


class OutlookPoint(NamedTuple):
    """The outlook from one iteration until just before ``stop``, or to the end of the run if that is None."""

    iteration: int
    stop: int | None
    outlook: Outlook


class DecisiveStep(NamedTuple):
    """An accepted step that changed the chance to end stuck, with the outlooks before and after it."""

    iteration: int
    before: Outlook
    after: Outlook

    @property
    def rise(self) -> float:
        return self.after.stuck - self.before.stuck

    @property
    def rise_error(self) -> float:
        """The standard error of the rise."""
        return hypot(self.before.stuck_error, self.after.stuck_error)

    @property
    def matters(self) -> bool:
        """Whether the chance rose or fell by 5 points or more, and not by the luck of the continuations."""
        return abs(self.rise) >= max(DECISIVE_RISE, _ERRORS_APART * self.rise_error)

    @property
    def is_settled(self) -> bool:
        """Whether it is clear that it matters, or that it does not."""
        return self.matters or abs(self.rise) + _ERRORS_APART * self.rise_error < DECISIVE_RISE


class Job(NamedTuple):
    """One piece of work: find the outlook of a tree, or make it more precise. It does not change the run.

    It passes the engine's checkpoints. If it is stopped at one, the work done so far is kept.
    """

    work: Callable[[], None]


class _Kind:
    """A kind of tree that a run has come to, and what is known of its outlook."""

    def __init__(
        self,
        tree: Node | None,
        rules: Rules,
        seed: int,
        within: int | None,
        chains: dict[Rules, bool],
        *,
        is_end: bool,
    ) -> None:
        self.rules = rules
        self.outlook: Outlook | None = None
        self.is_too_complex = False
        self._tree = tree
        self._seed = seed
        self._within = within
        self._chains = chains
        self._is_end = is_end
        self._goal = _FIRST_CONTINUATIONS
        self._is_chain_tried = False
        self._continuations: Continuations | None = None
        self._lock = Lock()

    @property
    def is_looked_at(self) -> bool:
        return self.outlook is not None or self.is_too_complex

    @property
    def is_stuck(self) -> bool:
        """Whether it is known for certain that no run from here is solved, and so that nothing will change."""
        return self.outlook is not None and self.outlook.is_surely_stuck

    @property
    def is_exact(self) -> bool:
        return self.is_too_complex or (self.outlook is not None and self.outlook.is_exact)

    def is_done(self, wanted_error: float) -> bool:
        """Whether it is known to the wanted error, or cannot be."""
        continuations = self._continuations
        if self.is_exact or continuations is None or self._has_untried_chain:
            return self.is_exact
        return continuations.count >= self._goal and continuations.is_precise(wanted_error)

    @property
    def _has_untried_chain(self) -> bool:
        """Whether the chain of the rules is solved, and may know the outlook exactly."""
        return not self._is_chain_tried and self._chains.get(self.rules, False)

    def look(self) -> None:
        """Find the outlook, if nobody else has meanwhile."""
        with self._lock:
            if not self.is_looked_at:
                self._refine()

    def refine(self, wanted_error: float) -> None:
        """Make the outlook more precise, if it still is not to the wanted error."""
        with self._lock:
            if not self.is_done(wanted_error):
                self._refine()

    def _refine(self) -> None:
        """Find the outlook, or make it more precise; too complex, it stays unknown."""
        try:
            if self._continuations is None or self._has_untried_chain:
                known = self._known()
                if known is not None:
                    self.outlook = known
                    return
            self._continue()
        except TooComplexError:
            self.is_too_complex = True

    def _known(self) -> Outlook | None:
        if self._is_end:
            return ended_outlook(self._tree, self.rules, self._within)
        if self._has_untried_chain:
            exact = exact_outlook(self._tree, self.rules)
            self._is_chain_tried = True
            if exact is not None:
                return exact
        return known_outlook(self._tree, self.rules)

    def _continue(self) -> None:
        continuations = self._continuations
        if continuations is None:
            continuations = Continuations(self._tree, self.rules, self._seed, within=self._within)
            self._continuations = continuations
        if continuations.count >= self._goal:
            self._goal = BATCH * (self._goal // BATCH + 1)
        try:
            continuations.extend(self._goal - continuations.count)
        finally:
            if continuations.count:
                self.outlook = continuations.outlook()


class KnownKinds:
    """What is known of kinds of trees, for several runs that come to the same ones, as branches do.

    It keeps nothing of a run itself. What is known of the kinds is forgotten once they are ``most``.
    """

    def __init__(self, most: int = _MOST_KINDS) -> None:
        self._most = most
        self._lock = Lock()
        self._chains: dict[Rules, bool] = {}  # whether there is one, where that is known
        self.clear()

    def clear(self) -> None:
        """Forget them all."""
        self._forms = NormalForms(keeps_grouping=True)
        self._kinds: dict[tuple[object, ...], _Kind] = {}

    def of(
        self,
        tree: Node | None,
        config: RunConfig,
        within: int | None = None,
        *,
        is_end: bool = False,
    ) -> _Kind:
        """The kind of a tree that a run of this configuration has come to, or has ended with."""
        with self._lock:
            if len(self._kinds) >= self._most:
                self.clear()
            key = self._form(tree), config.rules, config.seed, within, is_end
            kind = self._kinds.get(key)
            if kind is None:
                kind = _Kind(tree, config.rules, config.seed, within, self._chains, is_end=is_end)
                self._kinds[key] = kind
            return kind

    def _form(self, tree: Node | None) -> object:
        if tree is None or tree.leaves > _LARGEST_COMPARED:
            return tree
        return self._forms.of(tree)

    def chain_job(self, rules: Rules) -> Job | None:
        """What to do to know all outlooks under these rules exactly; None where that is done, or cannot be."""
        return None if rules.is_sampled or rules in self._chains else Job(partial(self.solve_chain, rules))

    def solve_chain(self, rules: Rules) -> None:
        """Solve the chain of these rules if it is small enough, and use it for all kinds there are."""
        self._chains[rules] = solved_chain(rules) is not None
        if self._chains[rules]:
            for kind in list(self._kinds.values()):
                if kind.rules == rules:
                    kind.refine(WANTED_ERROR)


class _Known(NamedTuple):
    """A stretch that was looked at; what it says holds for all stretches up to before ``end``."""

    stretch: int
    end: int
    kind: _Kind

    @property
    def outlook(self) -> Outlook | None:
        return self.kind.outlook


class RunOutlook:
    """The outlook along one run, as far as it is known."""

    def __init__(
        self,
        history: History,
        *,
        wanted_error: float = WANTED_ERROR,
        kinds: KnownKinds | None = None,
        first: int = 0,
        last: int | None = None,
    ) -> None:
        """With ``kinds`` it begins with what is known from other runs.

        ``first`` and ``last`` are the iterations that somebody wants to know of; all, unless they are given.
        """
        self._history = history
        self._length = len(history)
        self._wanted_error = wanted_error
        self._kinds = KnownKinds() if kinds is None else kinds
        self._last = last
        self._horizon = _usual_horizon(history)
        changes = history.changes().iterations
        settings = [max(start - 1, 0) for start, _ in history.configs]
        starts = np.union1d(changes, settings)
        starts = starts[max(int(np.searchsorted(starts, first, side="right")) - 1, 0) :]
        if last is not None:
            starts = starts[: max(int(np.searchsorted(starts, last, side="right")), 1)]
        self._starts: list[int] = starts.tolist()
        self._changes_seen = len(changes)
        # An index is that of a stretch. These are the stretches that begin with other rules.
        self._other_rules = [
            bisect_left(self._starts, start) for start in settings if start > self._starts[0]
        ]
        self._kind_at: dict[int, _Kind] = {}
        self._indexes: list[int] = []  # of those, in order
        self._most_remembered = _MOST_REMEMBERED

    def extend(self) -> None:
        """Take in the iterations that the run has made since."""
        if len(self._history) == self._length:
            return
        self._length = len(self._history)
        changes = self._history.changes().iterations
        new = changes[self._changes_seen :].tolist()
        self._changes_seen = len(changes)
        if self._last is not None:
            new = new[: bisect_right(new, self._last)]
        self._starts += new
        horizon = _usual_horizon(self._history)
        if horizon != self._horizon:
            self._horizon = horizon
            if any(config.is_sampled for _, config in self._history.configs):
                self._kind_at.clear()
                self._indexes.clear()

    # --- what is known ---

    @property
    def starts(self) -> list[int]:
        """The iterations from which on the run has another tree, or other rules; from the first wanted one."""
        return self._starts

    def start_of(self, iteration: int) -> int:
        """Where the stretch of this iteration begins."""
        return self._starts[self._index(iteration)]

    def at(self, iteration: int) -> Outlook | None:
        """The outlook of the tree of this iteration, where it is known."""
        index = self._index(iteration)
        kind = self._kind_at.get(index)
        if kind is not None and kind.outlook is not None:
            return kind.outlook
        return STUCK if self._is_surely_stuck(index) else None

    def is_too_complex(self, iteration: int) -> bool:
        """Whether the outlook of this iteration stays unknown, as errors take too long to count."""
        kind = self._kind_at.get(self._index(iteration))
        return kind is not None and kind.is_too_complex

    def points(self) -> list[OutlookPoint]:
        """What is known, in the order of the run."""
        stops = [*self._starts, None]
        return [
            OutlookPoint(self._starts[index], stops[end], kind.outlook)
            for index, end, kind in self._known()
            if kind.outlook is not None
        ]

    def change_at(self, iteration: int) -> DecisiveStep | None:
        """What this iteration's step did to the outlook; None where it changed no tree, and as long as unknown."""
        indexes = self._indexes_around(iteration)
        if indexes is None:
            return None
        before, after = (self.at(self._starts[index]) for index in indexes)
        return None if before is None or after is None else DecisiveStep(iteration, before, after)

    def decisive_steps(self) -> list[DecisiveStep]:
        """The steps that are known to have raised the chance to end stuck by much, in the order of the run."""
        return [
            step
            for one, other in itertools.pairwise(self._known())
            if one.end == other.stretch and one.outlook is not None and other.outlook is not None
            if (step := DecisiveStep(self._starts[other.stretch], one.outlook, other.outlook)).rise > 0
            if step.matters
        ]

    def the_decisive_step(self) -> DecisiveStep | None:
        """The step with the largest rise, the first of equal ones; final once no `decisive_job` is left."""
        return max(self.decisive_steps(), key=lambda step: step.rise, default=None)

    def progress(self) -> tuple[int, int]:
        """How much is done, and of how much; a stretch counts when looked at, and again when precise."""
        most = min(len(self._starts), _MOST_STRETCHES)
        looked_at = precise = 0
        for index, end, kind in self._known():
            looked_at += end - index
            precise += end - index if kind.is_done(self._wanted_error) else 0
        return min(looked_at, most) + min(precise, most), 2 * most

    # --- what to do ---

    def next_job(self, near: int | None = None, last: int | None = None) -> Job | None:
        """What to work out next, None when all is done; the stretch of iteration ``near`` comes first.

        Iterations after ``last`` are left out.
        """
        return self._job(near, last, is_whole=True)

    def decisive_job(self, near: int | None = None) -> Job | None:
        """What to work out next to know all decisive steps; None when they are known, which is far sooner.

        The stretch of iteration ``near`` is looked at as well.
        """
        return self._job(near, None, is_whole=False)

    def step_job(self, iteration: int) -> Job | None:
        """What to work out next to know whether this iteration's step matters, and how much."""
        indexes = self._indexes_around(iteration)
        if indexes is None:
            return None
        for index in indexes:
            job = self._first_look(index)
            if job is not None:
                return job
        change = self.change_at(iteration)
        if change is None or (change.is_settled and not change.matters):
            return None
        return self._refinement([self._kind(index) for index in indexes if not self._is_surely_stuck(index)])

    def _job(self, near: int | None, last: int | None, *, is_whole: bool) -> Job | None:
        """The most urgent job; ask again after each piece of work."""
        last_index = len(self._starts) - 1 if last is None else self._index(last)
        look = None if near is None else self._first_look(self._index(near))
        look = look or self._look_at_jumps(last_index)
        if look is not None:
            return look
        known = self._known_up_to(last_index)
        here = []
        if near is not None and not self._is_surely_stuck(self._index(near)):
            here = [self._kind(self._index(near))]
        job = (
            self._refinement(here)
            or self._refinement(_beside_jumps(known))
            or self._refinement(_beside_doubtful_steps(known), self._wanted_error / 2)
        )
        if job is not None or not is_whole:
            return job
        return (
            self._chain_job(known)
            or self._look_in_gaps(last_index)
            or self._refinement([each.kind for each in known])
        )

    def _chain_job(self, known: list[_Known]) -> Job | None:
        """A job that solves the chain of some rules, after which all outlooks under these rules are exact."""
        jobs = (self._kinds.chain_job(each.kind.rules) for each in known if not each.kind.is_exact)
        return next(filter(None, jobs), None)

    def _look_at_jumps(self, last_index: int) -> Job | None:
        """A first look at some stretch: at first spread over the run, then where the outlook jumps."""
        while True:
            known = self._known_up_to(last_index)
            if not known or known[0].stretch:
                index = 0
            elif known[-1].end <= last_index:
                index = last_index
            else:
                gaps = _gaps(known)
                if len(known) >= _COARSE:
                    gaps = [gap for gap in gaps if _is_jump(*gap)]
                if not gaps:
                    return None
                index = _middle(max(gaps, key=_difference if len(known) >= _COARSE else _width))
            job = self._first_look(index)
            if job is not None:
                return job

    def _look_in_gaps(self, last_index: int) -> Job | None:
        """A first look in the middle of the widest gap, until enough stretches are known."""
        while True:
            known = self._known_up_to(last_index)
            gaps = _gaps(known)
            if not gaps or len(known) >= _MOST_STRETCHES:
                return None
            job = self._first_look(_middle(max(gaps, key=_width)))
            if job is not None:
                return job

    def _refinement(self, kinds: list[_Kind], wanted_error: float | None = None) -> Job | None:
        """A job that makes the roughest of these more precise; None if all are precise enough."""
        wanted_error = wanted_error or self._wanted_error
        rough = [kind for kind in kinds if not kind.is_done(wanted_error)]
        return Job(partial(max(rough, key=_error_of).refine, wanted_error)) if rough else None

    def _first_look(self, index: int) -> Job | None:
        """A job that looks at a stretch; None if it is known already, perhaps from another run."""
        if self._is_surely_stuck(index):
            return None
        kind = self._kind(index)
        return None if kind.is_looked_at else Job(kind.look)

    # --- the stretches ---

    def _index(self, iteration: int) -> int:
        return max(bisect_right(self._starts, iteration) - 1, 0)

    def _known(self) -> list[_Known]:
        """The stretches of which something is known."""
        known = []
        end = 0
        for index in self._indexes:
            kind = self._kind_at[index]
            if index >= end and kind.is_looked_at:
                end = self._end_of_rules(index) if kind.is_stuck else index + 1
                known.append(_Known(index, end, kind))
        return known

    def _known_up_to(self, last_index: int) -> list[_Known]:
        return [each for each in self._known() if each.stretch <= last_index]

    def _end_of_rules(self, index: int) -> int:
        """The first stretch after this one with other rules."""
        number = bisect_right(self._other_rules, index)
        return self._other_rules[number] if number < len(self._other_rules) else len(self._starts)

    def _is_surely_stuck(self, index: int) -> bool:
        """Whether an earlier stretch is stuck for good."""
        return any(each.stretch < index < each.end for each in self._known())

    def _indexes_around(self, iteration: int) -> tuple[int, int] | None:
        """The stretches before and after a step; None where their trees are alike, or other rules begin."""
        history = self._history
        index = self._index(iteration)
        if not index or self._starts[index] != iteration:
            return None
        if history.rules_after(iteration - 1) != history.rules_after(iteration):
            return None
        if self._is_surely_stuck(index):
            return None
        return None if self._kind(index - 1) is self._kind(index) else (index - 1, index)

    def _kind(self, index: int) -> _Kind:
        """The kind of tree of a stretch."""
        kind = self._kind_at.get(index)
        if kind is None:
            if len(self._indexes) >= self._most_remembered:
                self._forget_some()
            history, start = self._history, self._starts[index]
            config = history.config_after(start)
            within, is_end = None, False
            if config.is_sampled:
                within = _rounded(self._horizon - start)
                is_end = start > 0 and history.config_at(start).is_solved(history.error_at(start))
            kind = self._kinds.of(history.tree_at(start), config, within, is_end=is_end)
            self._kind_at[index] = kind
            insort(self._indexes, index)
        return kind

    def _forget_some(self) -> None:
        """Every other stretch that differs little from those beside it."""
        known = self._known()
        jumps = {
            each.stretch
            for one, other in itertools.pairwise(known)
            if _difference((one, other)) > _LITTLE
            for each in (one, other)
        }
        ends = {each.stretch for each in (known[:1] + known[-1:])}
        kept = {each.stretch for each in known[::2]} | jumps | ends
        self._kind_at = {index: kind for index, kind in self._kind_at.items() if index in kept}
        self._indexes = sorted(self._kind_at)
        self._most_remembered = max(_MOST_REMEMBERED, 2 * len(self._indexes))


def _gaps(known: list[_Known]) -> list[tuple[_Known, _Known]]:
    """The pairs with stretches between them of which nothing is known."""
    return [(one, other) for one, other in itertools.pairwise(known) if one.end < other.stretch]


def _width(gap: tuple[_Known, _Known]) -> int:
    return gap[1].stretch - gap[0].end


def _middle(gap: tuple[_Known, _Known]) -> int:
    return (gap[0].end + gap[1].stretch - 1) // 2


def _difference(gap: tuple[_Known, _Known]) -> float:
    one, other = gap[0].outlook, gap[1].outlook
    return 0.0 if one is None or other is None else abs(other.stuck - one.stuck)


def _is_jump(one: _Known, other: _Known) -> bool:
    """Whether the chances differ by 5 points or more, and not by the luck of the continuations."""
    if one.outlook is None or other.outlook is None:
        return False
    return DecisiveStep(0, one.outlook, other.outlook).matters


def _beside_jumps(known: list[_Known]) -> list[_Kind]:
    """The kinds of stretches that seem to differ by about as much as is decisive from the next ones looked at."""
    return [
        each.kind
        for pair in itertools.pairwise(known)
        if _difference(pair) >= DECISIVE_RISE / 2
        for each in pair
    ]


def _beside_doubtful_steps(known: list[_Known]) -> list[_Kind]:
    """The kinds before and after steps that seem to be decisive, or almost so, but may be so by chance.

    A run has many steps, so two errors are not much.
    """
    return [
        each.kind
        for one, other in itertools.pairwise(known)
        if one.end == other.stretch and one.outlook is not None and other.outlook is not None
        if (step := DecisiveStep(0, one.outlook, other.outlook)).rise >= DECISIVE_RISE / 2
        if step.rise < _ERRORS_FOR_SURE * step.rise_error
        for each in (one, other)
    ]


def _error_of(kind: _Kind) -> float:
    return 0.0 if kind.outlook is None else kind.outlook.stuck_error


def _usual_horizon(history: History) -> int:
    """How many iterations a run on samples is thought to have in all."""
    horizon = LEFT_BY_DEFAULT
    while horizon < len(history):
        horizon *= 10
    return horizon


def _rounded(iterations: int) -> int:
    """To two digits, and at least 1."""
    return int(float(f"{max(iterations, 1):.1e}"))
