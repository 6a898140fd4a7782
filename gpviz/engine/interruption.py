"""Lets somebody stop a long computation: it passes checkpoints, and ends at one of them.

Counting the rows of a tangled tree may take seconds, deep below whoever asked for it. So whether to go on is asked
at `checkpoint`, which every long loop of the engine passes, and what it asks is set around the whole computation:

    with stoppable(should_stop):
        state = tree_state(tree, config)

Where nobody waits in such a block a checkpoint costs next to nothing. Each thread has its own.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

__all__ = ["ShouldStop", "Stopped", "checkpoint", "stoppable"]

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
