"""A process of the pool: does the chunks it is given, tells what it has begun, and ends with its parent.

Nothing is loaded here that the runs do not need: every process has to load it before its first run.
"""

import atexit
import multiprocessing
import os
import signal
from threading import Thread
from typing import Any, Final

from gpviz.experiments.batch import Chunk, ChunkResult, run_chunk

__all__ = ["LEFT_TO_PARENT", "begin", "work"]

LEFT_TO_PARENT: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name))
"""The signals that are meant for the parent, even if a terminal sends them to all."""

_shared: dict[str, Any] = {}


def begin(flag: Any, begun: Any, owners: Any, niceness: int) -> None:
    """Prepare a worker: Ctrl-C is its parent's business, it does not outlive its parent, and it ends at once."""
    for number in LEFT_TO_PARENT:
        signal.signal(number, signal.SIG_IGN)
    if niceness and hasattr(os, "nice"):
        os.nice(niceness)
    _shared.update(flag=flag, begun=begun, owners=owners)
    Thread(target=_end_with_parent, daemon=True).start()
    # Nothing is left to be tidied up then, and taking apart all that was remembered takes up to half a second.
    atexit.register(os._exit, 0)


def _end_with_parent() -> None:
    # The queue that chunks come by is open at both ends in every worker, so its end is never seen.
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def work(chunk: Chunk, slot: int) -> ChunkResult:
    flag, begun = _shared["flag"], _shared["begun"]
    _shared["owners"][slot] = os.getpid()

    def is_cancelled() -> bool:
        begun[slot] += 1  # it is asked before each run
        return bool(flag.value)

    return run_chunk(chunk, is_cancelled)
