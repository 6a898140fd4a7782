"""Chunks on the cores of this machine: a pool of processes, and a new one when a process of it dies."""

import multiprocessing
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from itertools import pairwise
from multiprocessing.process import BaseProcess
from multiprocessing.sharedctypes import RawArray, RawValue
from threading import Timer
from time import monotonic
from typing import Any, Final, NamedTuple, Self

from gpviz.engine.errors import GpvizError, whole_number
from gpviz.experiments.chunk_worker import LEFT_TO_PARENT, Chunk, ChunkResult, begin, work
from gpviz.runs.settings_text import settings_text

MAX_JOBS: Final = 61 if sys.platform == "win32" else 256
MAX_STRIKES: Final = 3
"""So many times a run may take its worker along, or all workers may end without a result, until it is over."""

_GRACE_S: Final = 1.0
_SLOTS: Final = 4 * MAX_JOBS + 64
_COMMON: Final = 0  # the slot of all chunks for which there is none left
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


class _Task(NamedTuple):
    """A chunk that a worker has, and the slot in which the worker counts the runs it has begun."""

    chunk: Chunk
    slot: int


class PoolExecutor:
    """An `Executor` with processes of this machine, by default one for each core.

    Where a worker dies all are replaced, and what they have not handed back is done again. The run that a dead
    worker was at is then tried alone; if it takes its worker along each time, the plan ends there.
    """

    def __init__(self, jobs: int | None = None, *, niceness: int = 0) -> None:
        self.workers = default_jobs() if jobs is None else whole_number("jobs", jobs, 1, MAX_JOBS)
        self._niceness = niceness
        self._pool: ProcessPoolExecutor | None = None
        self._tasks: dict[Future[ChunkResult], _Task] = {}
        self._slots = list(range(1, _SLOTS))
        self._notes: list[str] = []
        self._strikes: Counter[tuple[int, int]] = Counter()
        self._breaks = 0
        self._problem: GpvizError | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_problem: object) -> None:
        self.close()

    @property
    def pids(self) -> list[int]:
        """The processes of the workers that have been started."""
        return [process.pid for process in self._processes() if process.pid is not None]

    def submit(self, chunk: Chunk) -> None:
        slot = self._slots.pop() if self._slots else _COMMON
        try:
            future = self._submit(chunk, slot)
        except BrokenProcessPool:
            # Let it fail when it is waited for, as the other futures of a broken pool do.
            future = Future()
            future.set_exception(BrokenProcessPool())
        self._tasks[future] = _Task(chunk, slot)

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
        self._slots = list(range(1, _SLOTS))
        self._strikes.clear()
        self._breaks = 0
        self._problem = None

    def _submit(self, chunk: Chunk, slot: int) -> "Future[ChunkResult]":
        pool = self._pool or self._start()
        self._begun[slot] = self._owners[slot] = 0
        with _signals_held():
            try:
                return pool.submit(work, chunk, slot)
            except OSError as error:
                raise GpvizError(
                    f"The workers cannot be started; {error.strerror or error}. Fewer jobs may help."
                ) from error

    def _start(self) -> ProcessPoolExecutor:
        # Without locks: a worker that is killed while it holds one would stop all others.
        self._flag: Any = RawValue("b", 0)
        self._begun: Any = RawArray("q", _SLOTS)
        self._owners: Any = RawArray("q", _SLOTS)
        # The window has threads, so that a plain copy of this process may be a broken one.
        self._pool = ProcessPoolExecutor(
            self.workers,
            multiprocessing.get_context("spawn"),
            begin,
            (self._flag, self._begun, self._owners, self._niceness),
        )
        return self._pool

    def _processes(self) -> list[BaseProcess]:
        return list((getattr(self._pool, "_processes", None) or {}).values())

    def _collect(self, finished: "set[Future[ChunkResult]]") -> list[ChunkResult]:
        results = [result for future in finished if (result := self._result(future)) is not None]
        if any(future in self._tasks for future in finished):
            processes, is_cancelled = self._processes(), bool(self._flag.value)
            self._notes.append(_REPLACED)
            self._shut_down()
            results += [
                result for future in list(self._tasks) if (result := self._result(future)) is not None
            ]
            if results:
                self._breaks = 0
            tasks, self._tasks = list(self._tasks.values()), {}
            self._free(*tasks)
            if tasks and not is_cancelled:
                try:
                    self._begin_again(tasks, self._suspects(tasks, processes))
                except GpvizError as problem:
                    self._problem = problem  # raised once what has come back is safe
        elif results:
            self._breaks = 0
        if not self._tasks:
            self._strikes.clear()  # what comes next may be of another plan
        return [result for result in results if result.rows]

    def _result(self, future: "Future[ChunkResult]") -> ChunkResult | None:
        """What came of a chunk; None where its worker, or another one, has died before it came back."""
        chunk = self._tasks[future].chunk
        try:
            result = future.result(timeout=0)
        except (BrokenProcessPool, CancelledError, TimeoutError):
            return None
        except MemoryError as error:
            raise GpvizError(f"There is not enough memory for {runs_text(chunk)}.") from error
        self._free(self._tasks.pop(future))
        return result

    def _free(self, *tasks: _Task) -> None:
        self._slots += [task.slot for task in tasks if task.slot != _COMMON]

    def _begin_again(self, tasks: list[_Task], suspects: dict[int, Chunk]) -> None:
        """Have all that has not come back done by new workers, the runs in question alone."""
        self._breaks += 1
        for culprit in suspects.values():
            self._strikes[culprit.cell, culprit.first] += 1
            if self._strikes[culprit.cell, culprit.first] >= MAX_STRIKES:
                raise GpvizError(
                    f"A run ended its worker {MAX_STRIKES} times, {runs_text(culprit)}; the finished "
                    "runs are kept."
                )
        if self._breaks >= MAX_STRIKES:
            raise GpvizError(
                f"The workers ended {self._breaks} times in a row without a result, the last time with "
                f"{runs_text(tasks[0].chunk)}; the finished runs are kept."
            )
        for chunk, slot in tasks:
            culprit_run = suspects[slot].first if slot in suspects else chunk.first
            end = chunk.first + chunk.runs
            cuts = (chunk.first, culprit_run, culprit_run + 1 if slot in suspects else culprit_run, end)
            for first, until in pairwise(cuts):
                if until > first:
                    self.submit(chunk._replace(first=first, runs=until - first))

    def _suspects(self, tasks: list[_Task], processes: list[BaseProcess]) -> dict[int, Chunk]:
        """By their slots, the runs that a worker was at when it died; that of others was ended with it."""
        codes = {process.pid: process.exitcode for process in processes}
        suspects: dict[int, Chunk] = {}
        for chunk, slot in tasks:
            begun = self._begun[slot]
            if slot != _COMMON and begun and codes.get(self._owners[slot]) not in (0, -signal.SIGTERM):
                suspects[slot] = chunk._replace(first=chunk.first + begun - 1, runs=1)
        return suspects

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
