"""Does what is left of an experiment: hands out chunks, writes each as it comes back, and tells how far it is."""

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Final, Protocol

from gpviz.engine.errors import GpvizError
from gpviz.experiments.batch import Chunk, ChunkResult, run_chunk
from gpviz.experiments.chunking import Work
from gpviz.experiments.store import Store

__all__ = ["Executor", "InlineExecutor", "Progress", "run_plan"]

_TICK_S: Final = 0.2
_AHEAD: Final = 2  # chunks a worker: while one is done, the next lies ready
_GRACE_S: Final = 2.0


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an experiment is.

    ``done`` and ``done_by_cell`` count runs, those of earlier sittings too; ``seconds`` and ``rate``, in runs a
    second, are of this sitting. ``seconds_left`` goes by what the runs that are left are expected to cost, and is
    None while that is not known. ``notes`` are sentences on what happened since the last time.
    """

    done: int
    total: int
    done_by_cell: tuple[int, ...]
    seconds: float
    rate: float
    seconds_left: float | None
    notes: tuple[str, ...]


class Executor(Protocol):
    """Whoever does the chunks: processes of this machine, or machines elsewhere."""

    @property
    def workers(self) -> int:
        """How many chunks are done at the same time, as things are now."""

    def submit(self, chunk: Chunk) -> None:
        """Have a chunk done. After `close` this begins anew."""

    def wait(self, timeout_s: float) -> list[ChunkResult]:
        """What has come back; waits until something has, or all has, or the time is over.

        A chunk comes back once, in one piece or several; after `cancel` runs of it may be missing.
        """

    def notes(self) -> list[str]:
        """Sentences on what happened since the last call."""

    def cancel(self) -> None:
        """Let the chunks end early; what they have done until then still comes back."""

    def close(self) -> None:
        """End all workers; what has not come back is given up. More than once does no harm."""


class InlineExecutor:
    """Does the chunks in this process, one after another, whenever it is waited for."""

    workers = 1

    def __init__(self) -> None:
        self._chunks: deque[Chunk] = deque()

    def submit(self, chunk: Chunk) -> None:
        self._chunks.append(chunk)

    def wait(self, timeout_s: float) -> list[ChunkResult]:
        return [run_chunk(self._chunks.popleft())] if self._chunks else []

    def notes(self) -> list[str]:
        return []

    def cancel(self) -> None:
        self._chunks.clear()

    def close(self) -> None:
        self._chunks.clear()


def run_plan(store: Store, executor: Executor, on_progress: Callable[[Progress], bool]) -> bool:
    """Do all runs that a store does not have yet; True when it has them all, False when cancelled.

    ``on_progress`` is called several times a second and after each chunk; it returns True to cancel, which keeps
    all chunks that are done. Raises `GpvizError` where the store cannot be written or the workers fail; what was
    written is kept then, too. When all is done, the workers of the executor are ready for another plan, until
    whoever made it closes it; where not all could be done, it is closed.
    """
    is_finished = False
    try:
        sitting = _Sitting(store, executor, on_progress)
        try:
            is_finished = sitting.run()
        except BaseException:
            with suppress(GpvizError):  # what went wrong first is what is told
                sitting.count_seconds()
            raise
    finally:
        if not is_finished:
            executor.close()
    return is_finished


class _Sitting:
    """One go at an experiment, from what is there to all of it, or to where it is cancelled."""

    def __init__(self, store: Store, executor: Executor, on_progress: Callable[[Progress], bool]) -> None:
        self._store = store
        self._executor = executor
        self._on_progress = on_progress
        plan = store.plan
        missing = [store.missing(cell.number) for cell in plan.cells]
        self._work = Work(plan, missing)
        self._done = [plan.runs - sum(len(gap) for gap in gaps) for gaps in missing]
        self._total = plan.total_runs
        self._before = sum(self._done)
        self._start = self._counted = monotonic()

    def run(self) -> bool:
        is_cancelled = self._tell()
        while not is_cancelled:
            self._submit()
            if not self._work.in_flight:
                break
            is_cancelled = self._take(self._executor.wait(_TICK_S))
        if is_cancelled:
            self._wind_up()
        self.count_seconds()
        self._tell()
        return sum(self._done) == self._total

    def count_seconds(self) -> None:
        """Add the time since the last chunk that was written to the store's."""
        self._store.add_seconds(self._uncounted())

    def _uncounted(self) -> float:
        """The time that the store does not know of; from now on it does."""
        before, self._counted = self._counted, monotonic()
        return self._counted - before

    def _submit(self) -> None:
        workers = self._executor.workers
        while self._work.in_flight < _AHEAD * max(workers, 1):
            chunk = self._work.next_chunk(workers)
            if chunk is None:
                return
            self._executor.submit(chunk)

    def _take(self, results: list[ChunkResult]) -> bool:
        """Write what has come back, all of it, and tell of it; whether to cancel."""
        if not results:
            return self._tell()
        is_cancelled = False
        for result in results:
            if self._work.take(result):
                self._store.add(result, self._uncounted())
                self._done[result.cell] += len(result.rows)
            is_cancelled = self._tell() or is_cancelled
        return is_cancelled

    def _wind_up(self) -> None:
        """After a cancel: what the workers have at hand is worth a moment's waiting."""
        self._executor.cancel()
        deadline = monotonic() + _GRACE_S
        while self._work.in_flight and (left := deadline - monotonic()) > 0:
            results = self._executor.wait(left)
            if not results:
                return
            self._take(results)

    def _tell(self) -> bool:
        done = sum(self._done)
        seconds = monotonic() - self._start
        left = self._work.seconds_left() if done < self._total else 0.0
        workers = self._executor.workers
        return self._on_progress(
            Progress(
                done=done,
                total=self._total,
                done_by_cell=tuple(self._done),
                seconds=seconds,
                rate=(done - self._before) / seconds if seconds > 0 else 0.0,
                seconds_left=None if left is None or (left and not workers) else left / max(workers, 1),
                notes=tuple(self._executor.notes()),
            )
        )
