"""How likely each tree of a sampled run is followed by one that is worse, the trees far apart first."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from math import inf, isnan, nan
from time import monotonic
from typing import Final

import numpy as np
import numpy.typing as npt

from gpviz.analysis.neighbourhood import chance_of_growing_error
from gpviz.engine import Node, Rules, TooComplexError
from gpviz.engine.interruption import Deadline, ShouldStop, Stopped, stoppable
from gpviz.runs.history import History

_MOST: Final = 200
"""So many trees of those in view are looked at."""
_AT_ONCE: Final = 8
_SECONDS_AT_ONCE: Final = 0.05
_SECONDS_A_TREE: Final = 5.0
"""A tree that takes longer is left out."""
_SECONDS_FOR_PICTURE: Final = 20.0

TreeOfChange = tuple[int, Node | None, Rules]
"""A tree, by the number of the change that brought it."""


def coarse_first(start: int, stop: int, most: int) -> Iterator[int]:
    """At most about so many of the numbers from start to before stop, first few and far apart, then those between.

    They are multiples of a power of two, so that those of a range that grows or shrinks are for the most part the
    same. The first and the last one lead the way.
    """
    if stop <= start:
        return
    ends = {start, stop - 1}
    yield from sorted(ends)
    finest = 1
    while stop - start > finest * most:
        finest *= 2
    given = 0  # the multiples of this stride
    stride = max(1 << (stop - start).bit_length(), finest)
    while stride >= finest:
        for number in range(-(-start // stride) * stride, stop, stride):
            if number not in ends and (not given or number % given):
                yield number
        given = stride
        stride //= 2


class GrowingErrorChances:
    """The chances of the trees of one history, as far as they are known.

    A chance belongs to a change: the iteration that brought the tree, and holds until the next that is known.
    """

    def __init__(self, history: History) -> None:
        self._history = history
        self._known: dict[int, float] = {}  # the chance by the number of the change

    @property
    def iterations(self) -> npt.NDArray[np.int64]:
        """From when on each of the chances holds."""
        return self._history.changes().iterations[sorted(self._known)]

    @property
    def chances(self) -> npt.NDArray[np.float64]:
        """The chances; nan where a tree is too tangled."""
        return np.array([self._known[number] for number in sorted(self._known)], dtype=np.float64)

    @property
    def known_until(self) -> float:
        """Up to which iteration the last of them holds; for good, if it is that of the last tree."""
        if not self._known:
            return 0.0
        changes = self._history.changes().iterations
        following = max(self._known) + 1
        return inf if following >= len(changes) else float(changes[following])

    def chance_at(self, iteration: int) -> float | None:
        """That of the tree of this iteration, if it is known."""
        number = int(self._history.changes().iterations.searchsorted(iteration, side="right")) - 1
        chance = self._known.get(number, nan)
        return None if isnan(chance) else chance

    def unknown(self, first: int, last: int) -> list[TreeOfChange]:
        """The trees between these iterations that are to be looked at next."""
        iterations = self._history.changes().iterations
        start = max(int(iterations.searchsorted(first, side="right")) - 1, 0)
        stop = int(iterations.searchsorted(last, side="right"))
        numbers = (number for number in coarse_first(start, stop, _MOST) if number not in self._known)
        return [self._tree_of(number, int(iterations[number])) for number in islice(numbers, _AT_ONCE)]

    def _tree_of(self, number: int, iteration: int) -> TreeOfChange:
        return number, self._history.tree_at(iteration), self._history.rules_after(iteration)

    def take(self, found: list[tuple[int, float]]) -> None:
        """Know these, too."""
        self._known.update(found)

    def work_out_now(self, first: int, last: int) -> None:
        """Find out about the trees between these iterations before returning, as far as that takes seconds."""
        deadline = Deadline(_SECONDS_FOR_PICTURE)
        while not deadline() and (trees := self.unknown(first, last)):
            self.take(chances_of(trees, deadline))


def chances_of(trees: list[TreeOfChange], should_stop: ShouldStop) -> list[tuple[int, float]]:
    """The chances of the first of these trees, as many as take a moment and at least one, unless it is to stop."""
    found: list[tuple[int, float]] = []
    start = monotonic()
    with suppress(Stopped):
        for number, tree, rules in trees:
            found.append((number, _chance_of(tree, rules, should_stop)))
            if should_stop() or monotonic() - start > _SECONDS_AT_ONCE:
                break
    return found


def _chance_of(tree: Node | None, rules: Rules, should_stop: ShouldStop) -> float:
    try:
        with stoppable(should_stop), stoppable(Deadline(_SECONDS_A_TREE)):
            return float(chance_of_growing_error(tree, rules))
    except TooComplexError:
        return nan
    except Stopped:
        if should_stop():
            raise
        return nan
