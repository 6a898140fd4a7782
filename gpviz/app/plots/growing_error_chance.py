"""Works out in the background how likely each tree of a sampled run is followed by one that is worse."""

from collections.abc import Iterator
from contextlib import suppress
from math import inf, isnan, nan
from time import monotonic
from typing import Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, Signal, Slot

from gpviz.analysis.neighbourhood import chance_of_growing_error
from gpviz.app.tasks import BackgroundTask, Breath
from gpviz.app.timers import single_shot
from gpviz.engine import Node, Rules, TooComplexError
from gpviz.engine.interruption import Deadline, ShouldStop, Stopped, stoppable
from gpviz.runs.history import History

_MOST: Final = 200
"""So many trees of those in view are looked at."""
_AT_ONCE: Final = 8
_SECONDS_AT_ONCE: Final = 0.05
_FAST: Final = 30
_REST_MS: Final = 300
"""While so many iterations come in so much time nobody can read a chance, and the run has all of the processor."""
_SECONDS_A_TREE: Final = 5.0
"""A tree that takes longer is left out."""
_SECONDS_FOR_PICTURE: Final = 20.0

_Asked = tuple[int, Node | None, Rules]


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


class ChanceCurve(QObject):
    """The chances of the trees of one history, as far as they are known.

    A chance belongs to a change: the iteration that brought the tree, and holds until the next that is known.
    """

    changed = Signal()
    """More of them are known."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._history: History | None = None
        self._known: dict[int, float] = {}  # the chance by the number of the change
        self._range = (0, 0)
        self._length = 0  # of the history when it was last looked at
        self._task = BackgroundTask("gpviz chance", self)
        self._task.finished.connect(self._on_finished)
        self._rest = single_shot(self, self._ask, _REST_MS)

    @property
    def is_busy(self) -> bool:
        """Whether more is going to be known."""
        return self._task.is_busy or self._rest.isActive()

    @property
    def iterations(self) -> npt.NDArray[np.int64]:
        """From when on each of the chances holds."""
        if self._history is None:
            return np.empty(0, dtype=np.int64)
        return self._history.changes().iterations[sorted(self._known)]

    @property
    def chances(self) -> npt.NDArray[np.float64]:
        """The chances; nan where a tree is too tangled."""
        return np.array([self._known[number] for number in sorted(self._known)], dtype=np.float64)

    @property
    def known_until(self) -> float:
        """Up to which iteration the last of them holds; for good, if it is that of the last tree."""
        if self._history is None or not self._known:
            return 0.0
        changes = self._history.changes().iterations
        following = max(self._known) + 1
        return inf if following >= len(changes) else float(changes[following])

    def chance_at(self, iteration: int) -> float | None:
        """That of the tree of this iteration, if it is known."""
        if self._history is None:
            return None
        number = int(self._history.changes().iterations.searchsorted(iteration, side="right")) - 1
        chance = self._known.get(number, nan)
        return None if isnan(chance) else chance

    def show_history(self, history: History) -> None:
        """Forget everything: there is another run."""
        self.stop()
        self._history = history
        self._length = len(history)
        self._known = {}

    def look_at(self, first: int, last: int) -> None:
        """Find out about the trees between these iterations."""
        self._range = first, last
        if not self.is_busy:
            self._ask()

    def stop(self) -> None:
        """Nobody looks any more."""
        self._rest.stop()
        self._task.cancel()

    def shut_down(self) -> None:
        """End the thread."""
        self._rest.stop()
        self._task.close()

    def work_out_now(self, first: int, last: int) -> None:
        """Find out about the trees between these iterations before returning, as far as that takes seconds."""
        self._range = first, last
        deadline = Deadline(_SECONDS_FOR_PICTURE)
        while not deadline() and (asked := self._next()):
            self._known.update(_chances_of(asked, deadline))

    def _next(self) -> list[_Asked]:
        """What is to be looked at next; the trees are taken out of the history in the window's thread."""
        history = self._history
        if history is None:
            return []
        iterations = history.changes().iterations
        start = max(int(iterations.searchsorted(self._range[0], side="right")) - 1, 0)
        stop = int(iterations.searchsorted(self._range[1], side="right"))
        asked: list[_Asked] = []
        for number in coarse_first(start, stop, _MOST):
            if number in self._known:
                continue
            iteration = int(iterations[number])
            asked.append((number, history.tree_at(iteration), history.rules_after(iteration)))
            if len(asked) == _AT_ONCE:
                break
        return asked

    @Slot()
    def _ask(self) -> None:
        length = len(self._history or ())
        grown, self._length = length - self._length, length
        if grown > _FAST:
            self._rest.start()
            return
        asked = self._next()
        if asked:
            self._task.ask(
                lambda should_stop: _chances_of(asked, Breath(should_stop) if grown else should_stop)
            )

    @Slot(object)
    def _on_finished(self, found: list[tuple[int, float]]) -> None:
        self._known.update(found)
        self.changed.emit()
        self._ask()


def _chances_of(asked: list[_Asked], should_stop: ShouldStop) -> list[tuple[int, float]]:
    """The chances of the first of these trees, as many as take a moment and at least one, unless it is to stop."""
    found: list[tuple[int, float]] = []
    start = monotonic()
    with suppress(Stopped):
        for number, tree, rules in asked:
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
