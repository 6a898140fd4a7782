"""The outlook along a run, worked out piece by piece, and the steps that decided it.

The tree changes at accepted mutations only, so a run is a row of stretches, each with one tree and one outlook.
First a few stretches over the whole run are looked at with few continuations; then those between two that differ,
the largest difference first, down to the step that made it; then all the others, and all of them again with more
continuations. So the picture is rough at first and becomes finer where the run was decided. Trees that differ only
in the order of children and the names of variables share their continuations.

Nothing here has a thread of its own: whoever wants the picture takes a `Job`, lets it work wherever it likes, and
hands back its answer.
"""

import itertools
from bisect import bisect_right
from dataclasses import dataclass
from math import hypot
from typing import Final, NamedTuple

import numpy as np

from gpviz.engine.config import Rules, RunConfig
from gpviz.engine.outlook import WANTED_ERROR, Continuations, Outlook, known_outlook
from gpviz.engine.stuck import NormalForms
from gpviz.engine.tree import Node
from gpviz.run.history import History

__all__ = [
    "DECISIVE_RISE",
    "DecisiveStep",
    "Job",
    "KnownKinds",
    "OutlookPoint",
    "RunOutlook",
    "decisive_steps",
]

DECISIVE_RISE: Final = 0.05
"""A step that raises the chance to end stuck by at least so much is decisive."""
_ERRORS_APART: Final = 2.0
"""And it is certain to rise: by so many standard errors of the two estimates."""
_COARSE: Final = 32
"""So many stretches, spread over the run, are looked at first."""
_FIRST_CONTINUATIONS: Final = 50
_MOST_KINDS: Final = 20_000
_LARGE_DIFFERENCE: Final = 0.05
"""Between stretches whose chances differ by more the others are looked at early."""


@dataclass(frozen=True, slots=True)
class OutlookPoint:
    """The outlook from one iteration on, up to the next change of the tree."""

    iteration: int
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
        """Whether the chance rose or fell by much, and did so for certain."""
        return abs(self.rise) >= max(DECISIVE_RISE, _ERRORS_APART * self.rise_error)

    @property
    def is_settled(self) -> bool:
        """Whether it is certain that it matters, or that it does not."""
        return self.matters or abs(self.rise) + _ERRORS_APART * self.rise_error < DECISIVE_RISE


class Job:
    """One piece of work: to find the outlook of a tree, or make it more precise. It touches nothing of the run."""

    def __init__(self, kind: "_Kind", count: int) -> None:
        self.kind = kind
        self._count = count

    def work(self) -> None:
        """Do it, passing the engine's checkpoints. Stopped there, what was done by then stays done."""
        kind = self.kind
        if kind.continuations is None:
            kind.known = known_outlook(kind.tree, kind.rules)
            if kind.known is not None:
                return
            kind.continuations = Continuations(
                kind.tree, kind.rules, kind.seed, kind.iteration, within=kind.within
            )
        kind.continuations.extend(self._count)


class _Kind:
    """A kind of tree that the run has come to, and what is known of its outlook."""

    def __init__(
        self, tree: Node | None, rules: Rules, seed: int, iteration: int, within: int | None
    ) -> None:
        self.tree = tree
        self.rules = rules
        self.seed = seed
        self.iteration = iteration
        self.within = within
        self.known: Outlook | None = None
        self.continuations: Continuations | None = None

    @property
    def outlook(self) -> Outlook | None:
        if self.known is not None:
            return self.known
        if self.continuations is None or not self.continuations.count:
            return None
        return self.continuations.outlook()

    def is_done(self, wanted_error: float) -> bool:
        if self.known is not None:
            return True
        return self.continuations is not None and self.continuations.is_precise(wanted_error)


class KnownKinds:
    """What is known of kinds of trees, for several runs that come to the same ones, as branches do.

    It keeps nothing of a run itself. What is known of the kinds is forgotten once they are ``most``.
    """

    def __init__(self, most: int = _MOST_KINDS) -> None:
        self._most = most
        self.clear()

    def clear(self) -> None:
        """Forget them all."""
        self._forms = NormalForms(keeps_grouping=True)
        self._kinds: dict[tuple[int, Rules, int, int | None], _Kind] = {}

    def of(self, tree: Node | None, config: RunConfig, iteration: int) -> _Kind:
        """The kind of a tree that a run of this configuration has come to."""
        if len(self._kinds) >= self._most:
            self.clear()
        form = -1 if tree is None else self._forms.of(tree)
        key = form, config.rules, config.seed, None
        kind = self._kinds.get(key)
        if kind is None:
            kind = self._kinds[key] = _Kind(tree, config.rules, config.seed, iteration, None)
        return kind


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
        self._wanted_error = wanted_error
        self._kinds = KnownKinds() if kinds is None else kinds
        self._first = first
        self._last = last
        self._starts: list[int] = []
        self._of_start: dict[int, _Kind] = {}
        self.extend()

    def extend(self) -> None:
        """Take in the iterations that the run has made since."""
        history = self._history
        settings = [max(first - 1, 0) for first, _ in history.configs]
        starts = np.union1d(history.changes().iterations, settings)
        begin = int(np.searchsorted(starts, self._first, side="right")) - 1
        end = None if self._last is None else int(np.searchsorted(starts, self._last, side="right"))
        self._starts = starts[begin:end].tolist()

    @property
    def starts(self) -> list[int]:
        """The iterations from which on the run has another tree, or other rules; from the first wanted one."""
        return self._starts

    def start_of(self, iteration: int) -> int:
        """Where the stretch of this iteration begins."""
        return self._starts[bisect_right(self._starts, iteration) - 1]

    def at(self, iteration: int) -> Outlook | None:
        """The outlook of the tree of this iteration, where it is known."""
        kind = self._of_start.get(self.start_of(iteration))
        return None if kind is None else kind.outlook

    def change_at(self, iteration: int) -> DecisiveStep | None:
        """What this iteration's step did to the outlook; None where it changed no tree, and as long as unknown."""
        kinds = self._kinds_around(iteration)
        if kinds is None:
            return None
        before, after = (kind.outlook for kind in kinds)
        return None if before is None or after is None else DecisiveStep(iteration, before, after)

    def step_job(self, iteration: int) -> Job | None:
        """What to work out next to know whether this iteration's step matters, and how much."""
        kinds = self._kinds_around(iteration)
        if kinds is None:
            return None
        for kind in kinds:
            if kind.outlook is None:
                return Job(kind, _FIRST_CONTINUATIONS)
        change = self.change_at(iteration)
        assert change is not None
        rough = [kind for kind in kinds if not kind.is_done(self._wanted_error)]
        if not rough or (change.is_settled and not change.matters):
            return None
        return Job(max(rough, key=_error_of), _FIRST_CONTINUATIONS)

    def points(self) -> list[OutlookPoint]:
        """What is known, in the order of the run."""
        return [
            OutlookPoint(start, known)
            for start in self._starts
            if (kind := self._of_start.get(start)) is not None and (known := kind.outlook) is not None
        ]

    def progress(self) -> tuple[int, int]:
        """How much is done, and of how much: every stretch is looked at, and made precise."""
        kinds = [self._of_start.get(start) for start in self._starts]
        looked_at = [kind for kind in kinds if kind is not None and kind.outlook is not None]
        precise = sum(kind.is_done(self._wanted_error) for kind in looked_at)
        return len(looked_at) + precise, 2 * len(self._starts)

    @property
    def is_complete(self) -> bool:
        """Whether every stretch is known to the wanted error."""
        return self.next_job() is None

    def next_job(self, near: int | None = None, last: int | None = None) -> Job | None:
        """What to work out next, None when all is done; the stretch of iteration ``near`` comes first.

        With ``last`` nobody wants to know of the iterations after it.
        """
        starts = self._starts if last is None else self._starts[: bisect_right(self._starts, last)]
        if near is not None:
            kind = self._kind(self.start_of(near))
            if kind.outlook is None:
                return Job(kind, _FIRST_CONTINUATIONS)
        while (start := self._next_unknown(starts)) is not None:
            kind = self._kind(start)
            if kind.outlook is None:  # otherwise it is known from another stretch, or another run
                return Job(kind, _FIRST_CONTINUATIONS)
        kinds = {id(kind): kind for kind in map(self._kind, starts)}
        rough = [kind for kind in kinds.values() if not kind.is_done(self._wanted_error)]
        if not rough:
            return None
        return Job(max(rough, key=_error_of), _FIRST_CONTINUATIONS)

    def _next_unknown(self, starts: list[int]) -> int | None:
        """The stretch that is to be looked at next, of those of which nothing is known."""
        known = [place for place, start in enumerate(starts) if self._is_known(start)]
        if not known or known[0] != 0:
            return starts[0]
        if known[-1] != len(starts) - 1:
            return starts[-1]
        gaps = [(first, last) for first, last in itertools.pairwise(known) if last - first > 1]
        if not gaps:
            return None

        def urgency(gap: tuple[int, int]) -> tuple[int, float]:
            first, last = gap
            width = last - first
            if len(known) < _COARSE:
                return 2, width
            difference = abs(self._chance(starts[last]) - self._chance(starts[first]))
            return (1, difference) if difference > _LARGE_DIFFERENCE else (0, width)

        first, last = max(gaps, key=urgency)
        return starts[(first + last) // 2]

    def _kinds_around(self, iteration: int) -> tuple[_Kind, _Kind] | None:
        """The kinds of the trees before and after a step; None where they are alike, or other rules begin."""
        history = self._history
        if not 0 < iteration == self.start_of(iteration):
            return None
        if history.rules_after(iteration - 1) != history.rules_after(iteration):
            return None
        before, after = self._kind(self.start_of(iteration - 1)), self._kind(iteration)
        return None if before is after else (before, after)

    def _is_known(self, start: int) -> bool:
        kind = self._of_start.get(start)
        return kind is not None and kind.outlook is not None

    def _chance(self, start: int) -> float:
        known = self._of_start[start].outlook
        assert known is not None
        return known.stuck

    def _kind(self, start: int) -> _Kind:
        """The kind of tree of a stretch."""
        kind = self._of_start.get(start)
        if kind is None:
            history = self._history
            config = history.config_after(start)
            kind = self._of_start[start] = self._kinds.of(history.tree_at(start), config, start)
        return kind

    def decisive_steps(self) -> list[DecisiveStep]:
        """The steps that are known to have raised the chance to end stuck by much, in the order of the run."""
        return decisive_steps(self._starts, self.points())


def _error_of(kind: _Kind) -> float:
    return 0.0 if kind.outlook is None else kind.outlook.stuck_error


def decisive_steps(starts: list[int], points: list[OutlookPoint]) -> list[DecisiveStep]:
    """Those of the known points that follow each other without a stretch between them and rise by much."""
    place = {start: number for number, start in enumerate(starts)}
    steps = []
    for one, other in itertools.pairwise(points):
        if place[other.iteration] != place[one.iteration] + 1:
            continue
        step = DecisiveStep(other.iteration, one.outlook, other.outlook)
        if step.rise > 0 and step.matters:
            steps.append(step)
    return steps
