"""Pace of playing and showing: speeds, how many iterations are due at a tick, and when a view is due again."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from math import inf, isfinite, isnan, log
from time import perf_counter, thread_time
from typing import Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from gpviz.app.player.shown_moment import Detail
from gpviz.picture.motion import SHORTEST_MS, WEIGHTS
from gpviz.runs.history import History
from gpviz.runs.step_encoding import VERDICTS

_EVERY_STEP: Final = 30.0
_SWEEP_SECONDS: Final = 3.0
_FEWEST_A_SECOND: Final = 2000.0
_LATE_SECONDS: Final = 0.25
_RATE_SECONDS: Final = 0.5
_BY_HAND_MS: Final = 250
_IMPROVED_BY_HAND: Final = 1.6
_SLOW: Final = 1.0
_MEAN_WEIGHT: Final = 0.95
"""The usual weight, so that an ordinary run keeps about the pace that was asked for.

Over the steps of a preset up to where its run ends, for the 15 presets of at least 50 steps, the mean is between
0.71 and 1.58; the mean of these is 0.98, and their median 0.93.
"""
_MOTION_SHARE: Final = 0.7
_SLOW_MOTION_SHARE: Final = 0.9
"""The part of a step's time in which it is on its way; a slow one rests on its way as well."""

_TREE_SECONDS: Final = 0.1
_TREE_SHARE: Final = 12.0
"""Of a fast run a tree, with all that is shown with it, comes at most so often. To work it out takes at most one
part in so many of the time; to paint it takes as long again."""

SPEEDS: Final = (
    *(0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0, 120.0, 250.0, 500.0),
    *(1000.0, 2000.0, 5000.0, 10_000.0, 20_000.0, 50_000.0, 100_000.0),
    inf,
)
"""In iterations per second. Each is about twice the one before, so its index is as good as its logarithm."""


def shows_every_step(speed: float) -> bool:
    """Whether each step of a run that plays at this speed is shown; of faster ones, what there is now and then."""
    return speed <= _EVERY_STEP


def is_slow(speed: float) -> bool:
    """Whether there is time enough for every step, whatever comes of it."""
    return speed < _SLOW


def step_weights(history: History, iterations: Sequence[int]) -> npt.NDArray[np.float64]:
    """How much longer than a neutral step each iteration deserves to be on show; the start counts as one."""
    table = np.array([WEIGHTS[verdict] for verdict in VERDICTS])
    first, last = max(iterations[0], 1), iterations[-1]
    weights = np.concatenate([[1.0], table[history.verdicts(first, last + 1)]])
    return weights[np.maximum(np.asarray(iterations) - first + 1, 0)]


def time_weight(histories: Iterable[History], iteration: int, speed: float | None) -> float:
    """How many times the usual time an iteration takes; where several runs are on show the heaviest step decides.

    By hand (None) only an improvement takes longer.
    """
    if speed is not None and (is_slow(speed) or not shows_every_step(speed)):
        return 1.0
    weights = [step_weights(each, [iteration])[0] for each in histories if iteration <= len(each)]
    heaviest = float(max(weights, default=1.0))
    if speed is None:
        return _IMPROVED_BY_HAND if heaviest > 1.0 else 1.0
    return heaviest / _MEAN_WEIGHT


def transition_ms(speed: float | None, weight: float = 1.0) -> int:
    """How long a step is on its way: most of its time where it plays, a moment by hand (None)."""
    if speed is None:
        return round(_BY_HAND_MS * weight)
    if not shows_every_step(speed):
        return 0
    share = _SLOW_MOTION_SHARE if is_slow(speed / weight) else _MOTION_SHARE
    duration_ms = round(1000 * share * weight / speed)
    return duration_ms if duration_ms >= SHORTEST_MS else 0


class Pace:
    """Turns a speed into whole iterations, one after the other where every step is shown.

    As fast as possible means, for what is recorded already, the whole of it in a few seconds. After a long delay
    only a part is caught up, so that nothing leaps.
    """

    def __init__(self, clock: Callable[[], float] = perf_counter) -> None:
        self._clock = clock
        self._speed = 1.0
        self._owed = 0.0
        self._last = clock()

    def restart(self, speed: float) -> None:
        """Begin anew; the first iteration is due at once."""
        self._speed = speed
        self._owed = 1.0
        self._last = self._clock()

    def change(self, speed: float) -> None:
        """Go on at another speed; what is owed stays owed, but a heavy step need not be waited for any more."""
        self._speed = speed
        self._owed = max(self._owed, 0.0)

    def weigh(self, weight: float) -> None:
        """Keep the step that is shown now for so many times the usual time."""
        self._owed += 1.0 - weight

    def due(self, recorded: int) -> int:
        """How many iterations are due now."""
        now = self._clock()
        speed = max(recorded / _SWEEP_SECONDS, _FEWEST_A_SECOND) if math.isinf(self._speed) else self._speed
        # At a slow pace one step is owed after its full time, however long that is.
        most = max(_LATE_SECONDS * speed, 1.0)
        self._owed = min(self._owed + min((now - self._last) * speed, most), most + 1.0)
        self._last = now
        due = max(int(self._owed), 0)
        if shows_every_step(speed):
            due = min(due, 1)
        self._owed -= due
        return due


class RateMeter:
    """Iterations a second, over about half a second."""

    def __init__(self, clock: Callable[[], float] = perf_counter) -> None:
        self._clock = clock
        self.rate: float | None = None
        self._counted = 0
        self._since = clock()

    def restart(self) -> None:
        self.rate = None
        self._counted = 0
        self._since = self._clock()

    def count(self, iterations: int) -> None:
        self._counted += iterations

    def is_due(self, now: float) -> bool:
        """Whether there is a new rate to show."""
        taken = now - self._since
        if taken < _RATE_SECONDS:
            return False
        self.rate = self._counted / taken
        self._counted = 0
        self._since = now
        return True


class FastFrames:
    """Which frames show something of a run that is too fast to show each step; each next one only paints it.

    They are few enough that it gets only its share of the time. What counts is the time of the processor: while
    other programs are busy, frames are late anyway, and need not be rare besides.
    """

    def __init__(
        self, clock: Callable[[], float] = perf_counter, work_clock: Callable[[], float] = thread_time
    ) -> None:
        self._clock = clock
        self._work_clock = work_clock
        self.restart()

    def restart(self, *, is_behind: bool = True) -> None:
        """Begin anew, after everything has been shown; behind is what shows less than all of a step."""
        self.is_behind = self.is_paint_due = is_behind
        self._begun_at = self._work_clock()
        self._next = self._clock()

    def begin(self) -> Detail:
        """What a frame shows that begins now."""
        self.is_behind = True
        self.is_paint_due = not self.is_paint_due and self._clock() >= self._next
        self._begun_at = self._work_clock()
        return Detail.TREE if self.is_paint_due else Detail.NOTHING

    def end(self) -> None:
        """The frame is over."""
        if self.is_paint_due:
            spent = self._work_clock() - self._begun_at
            self._next = self._clock() + max(_TREE_SECONDS, _TREE_SHARE * spent)


def speed_at(position: int) -> float:
    """The speed at a position of the slider; beyond its ends it is that at the ends."""
    return SPEEDS[min(max(position, 0), len(SPEEDS) - 1)]


def position_of(speed: float) -> int:
    """The position of the slider nearest to a speed, by ratio."""
    if isnan(speed) or speed <= SPEEDS[0]:
        return 0
    last_finite = len(SPEEDS) - 2
    if not isfinite(speed):
        return last_finite + 1
    return min(range(last_finite + 1), key=lambda index: abs(log(SPEEDS[index] / speed)))


def faster(speed: float) -> float:
    """The next faster speed of the scale."""
    return speed_at(bisect_right(SPEEDS, speed))


def slower(speed: float) -> float:
    """The next slower speed of the scale."""
    return speed_at(bisect_left(SPEEDS, speed) - 1)


def speed_text(speed: float) -> str:
    """A speed as text: ``4 steps/s``, ``1 step in 20 s``, ``as fast as possible``."""
    if not isfinite(speed):
        return "as fast as possible"
    if speed < 1:
        return f"1 step in {1 / speed:.2g} s"
    return "1 step/s" if speed == 1 else f"{_plain(speed)} steps/s"


def rate_text(rate: float) -> str:
    """A measured rate with two digits that mean something, so that it does not flicker."""
    if rate < 10:
        return f"{rate:.1f} iterations/s"
    whole = round(rate)
    return f"{round(whole, 2 - len(str(whole))):,} iterations/s"


def _plain(speed: float) -> str:
    return f"{speed:,.0f}" if speed == int(speed) else f"{speed:,.1f}"


class Throttle(QObject):
    """Passes on the latest of the values it is given, at most one every ``interval_ms``."""

    passed = Signal(object)

    def __init__(self, interval_ms: int, parent: QObject) -> None:
        super().__init__(parent)
        self._waiting: list[object] = []
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(interval_ms)
        self._timer.timeout.connect(self._on_timeout)

    @property
    def is_waiting(self) -> bool:
        """Whether a value is still to be passed on."""
        return bool(self._waiting)

    def give(self, value: object) -> None:
        """Pass the value on, now or after a moment, unless another one follows."""
        if self._timer.isActive():
            self._waiting = [value]
        else:
            self._timer.start()
            self.passed.emit(value)

    def cancel(self) -> None:
        """Forget what has not been passed on."""
        self._waiting = []
        self._timer.stop()

    @Slot()
    def _on_timeout(self) -> None:
        if self._waiting:
            self._timer.start()
            self.passed.emit(self._waiting.pop())
