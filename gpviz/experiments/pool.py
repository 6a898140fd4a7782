"""Chunks on the cores of this machine: a pool of processes, and a new one when a process of it dies."""

import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing.process import BaseProcess
from multiprocessing.sharedctypes import RawValue
from threading import Timer
from time import monotonic
from typing import Any, Final, Self

from gpviz.engine.errors import GpvizError, whole_number
from gpviz.experiments.chunk_worker import LEFT_TO_PARENT, Chunk, ChunkResult, begin, work
from gpviz.runs.settings_text import settings_text

MAX_JOBS: Final = 61 if sys.platform == "win32" else 256
_MOST_BREAKS: Final = 3
"""So many times in a row workers may end without a result of any of them, until it is over."""

_GRACE_S: Final = 1.0
_REPLACED: Final = "A worker ended unexpectedly; a new one repeats its runs."


def default_jobs() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return min(len(os.sched_getaffinity(0)), MAX_JOBS)
    return min(os.cpu_count() or 1, MAX_JOBS)


def runs_text(chunk: Chunk) -> str:
    """A chunk as a message names it: the settings of its cell, and its seeds."""
    config = chunk.config.replaced(seed=chunk.config.seed + chunk.first)
    text = settings_text(config)
    if chunk.runs == 1:
        return text
    return f"{text} to {config.seed + chunk.runs - 1}"


class PoolExecutor:
    """An `Executor` with processes of this machine, by default one for each core.

    Where a worker dies all are replaced, and what they have not handed back is done again.
    """

    def __init__(self, jobs: int | None = None, *, niceness: int = 0) -> None:
        self.workers = default_jobs() if jobs is None else whole_number("jobs", jobs, 1, MAX_JOBS)
        self._niceness = niceness
        self._pool: ProcessPoolExecutor | None = None
        self._tasks: dict[Future[ChunkResult], Chunk] = {}
        self._notes: list[str] = []
        self._breaks = 0
        self._problem: GpvizError | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_problem: object) -> None:
        self.close()

    def submit(self, chunk: Chunk) -> None:
        try:
            future = self._submit(chunk)
        except BrokenProcessPool:
            # Let it fail when it is waited for, as the other futures of a broken pool do.
            future = Future()
            future.set_exception(BrokenProcessPool())
        self._tasks[future] = chunk

    def wait(self, timeout_s: float) -> list[ChunkResult]:
        deadline = monotonic() + timeout_s
        results: list[ChunkResult] = []
        while self._tasks and not results and self._problem is None:
            finished, _ = wait(self._tasks, max(0.0, deadline - monotonic()), FIRST_COMPLETED)
            if not finished:
                break
            results = self._collect(finished)
        if self._problem is not None and not results:
            raise self._problem
        return results

    def notes(self) -> list[str]:
        notes, self._notes = self._notes, []
        return notes

    def cancel(self) -> None:
        if self._pool is not None:
            self._flag.value = 1  # chunks that nobody has begun come back empty

    def close(self) -> None:
        self.cancel()
        self._shut_down()
        self._tasks.clear()
        self._breaks = 0
        self._problem = None

    def _submit(self, chunk: Chunk) -> "Future[ChunkResult]":
        pool = self._pool or self._start()
        with _signals_held():
            try:
                return pool.submit(work, chunk)
            except OSError as error:
                raise GpvizError(
                    f"The workers cannot be started; {error.strerror or error}. Fewer jobs may help."
                ) from error

    def _start(self) -> ProcessPoolExecutor:
        # Without locks: a worker that is killed while it holds one would stop all others.
        self._flag: Any = RawValue("b", 0)
        # The window has threads, so that a plain copy of this process may be a broken one.
        self._pool = ProcessPoolExecutor(
            self.workers,
            multiprocessing.get_context("spawn"),
            begin,
            (self._flag, self._niceness),
        )
        return self._pool

    def _processes(self) -> list[BaseProcess]:
        return list((getattr(self._pool, "_processes", None) or {}).values())

    def _collect(self, finished: "set[Future[ChunkResult]]") -> list[ChunkResult]:
        results = [result for future in finished if (result := self._result(future)) is not None]
        if any(future in self._tasks for future in finished):
            is_cancelled = bool(self._flag.value)
            self._notes.append(_REPLACED)
            self._shut_down()
            results += [
                result for future in list(self._tasks) if (result := self._result(future)) is not None
            ]
            self._breaks = 0 if results else self._breaks
            chunks, self._tasks = list(self._tasks.values()), {}
            if chunks and not is_cancelled:
                try:
                    self._begin_again(chunks)
                except GpvizError as problem:
                    self._problem = problem  # raised once what has come back is safe
        elif results:
            self._breaks = 0
        return [result for result in results if result.rows]

    def _result(self, future: "Future[ChunkResult]") -> ChunkResult | None:
        """What came of a chunk; None where its worker, or another one, has died before it came back."""
        chunk = self._tasks[future]
        try:
            result = future.result(timeout=0)
        except (BrokenProcessPool, CancelledError, TimeoutError):
            return None
        except MemoryError as error:
            raise GpvizError(f"There is not enough memory for {runs_text(chunk)}.") from error
        del self._tasks[future]
        return result

    def _begin_again(self, chunks: list[Chunk]) -> None:
        """Have all that has not come back done by new workers."""
        self._breaks += 1
        if self._breaks >= _MOST_BREAKS:
            raise GpvizError(
                f"The workers ended {self._breaks} times in a row without a result, the last time with "
                f"{runs_text(chunks[0])}; the finished runs are kept."
            )
        for chunk in chunks:
            self.submit(chunk)

    def _shut_down(self) -> None:
        """End the workers, in kindness if they are quick."""
        pool = self._pool
        if pool is None:
            return
        killer = Timer(_GRACE_S, _kill, (self._processes(),))
        killer.start()
        try:
            pool.shutdown(wait=True, cancel_futures=True)
        finally:
            killer.cancel()
            killer.join()
            self._pool = None


def _kill(processes: list[BaseProcess]) -> None:
    for process in processes:
        with suppress(ValueError, OSError):  # it has ended meanwhile
            process.kill()


@contextmanager
def _signals_held() -> Iterator[None]:
    """A process that starts now is not hit by what is meant for this one, not even before it can say so."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, LEFT_TO_PARENT)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
