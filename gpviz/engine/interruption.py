"""Lets somebody stop a long computation: it passes checkpoints, and ends at one of them.

Counting the rows of a tangled tree may take seconds, deep below whoever asked for it. So whether to go on is asked
at `checkpoint`, which every long loop of the engine passes, and what it asks is set around the whole computation:

    with stoppable(should_stop):
        state = tree_state(tree, config)

Where nobody waits in such a block a checkpoint costs next to nothing. Each thread has its own.

How long it is from one checkpoint to the next is a matter of how much is done between them, so a loop whose turns
are of very different size counts what it does (`Effort`). A `Deadline` is a wish to stop once some time is over.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import Final

EFFORT_BETWEEN: Final = 20_000
"""So many small operations, each a fraction of a microsecond, are done between two checkpoints."""

USUAL_SECONDS: Final = 20.0
"""How long an answer about a tree may take, unless somebody gives it more or less time."""

ShouldStop = Callable[[], bool]
"""Says whether nobody waits for the answer any more."""


class Stopped(Exception):  # noqa: N818  # somebody wished it, it is no error
    """A computation has ended at a checkpoint, without an answer."""


_asked: Final[ContextVar[ShouldStop | None]] = ContextVar("should_stop", default=None)


def checkpoint() -> None:
    """End the computation here, by raising `Stopped`, if somebody wants it to stop."""
    should_stop = _asked.get()
    if should_stop is not None and should_stop():
        raise Stopped


class Effort:
    """Counts what a computation does, and passes a checkpoint after every `EFFORT_BETWEEN` small operations."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = EFFORT_BETWEEN

    def spend(self, operations: int) -> None:
        """So many small operations were done, or are about to be done."""
        self._left -= operations
        if self._left <= 0:
            self._left = EFFORT_BETWEEN
            checkpoint()


class Deadline:
    """Wants a computation to stop once so many seconds are over."""

    def __init__(self, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self.seconds = seconds
        self._clock = clock
        self._end = clock() + seconds

    def __call__(self) -> bool:
        return self._clock() >= self._end

    def part(self, share: float) -> "Deadline":
        """For one part of the computation: a share of what is left from now on."""
        return Deadline(max(self._end - self._clock(), 0.0) * share, self._clock)


@contextmanager
def stoppable(should_stop: ShouldStop | None) -> Iterator[None]:
    """Within it checkpoints ask this too, besides what they asked already; None changes nothing."""
    if should_stop is None:
        yield
        return
    outer = _asked.get()
    token = _asked.set(should_stop if outer is None else lambda: should_stop() or outer())
    try:
        yield
    finally:
        _asked.reset(token)
