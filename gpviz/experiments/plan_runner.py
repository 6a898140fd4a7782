"""Runs a plan: cuts what is left into chunks, hands them out, stores each, and reports how far it is."""

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import log
from time import monotonic
from typing import Final, Protocol

from gpviz.engine.config import RunConfig
from gpviz.engine.errors import GpvizError
from gpviz.engine.interruption import ShouldStop, Stopped, stoppable
from gpviz.experiments.chunk_worker import Chunk, ChunkResult
from gpviz.experiments.plan import Plan
from gpviz.experiments.store import Store

_AIM_S: Final = 1.0
"""How long a chunk is to take: long beside what it costs to send and to write it, short enough to watch."""

_LEAST_S: Final = 0.02
_FIRST_S: Final = 0.05
_MOST_FIRST_RUNS: Final = 16
_MOST_RUNS: Final = 4_096
_GROWTH: Final = 8  # a chunk is at most this many times as long as what its expected time was measured by
_SHARES: Final = 4  # what is left is cut into so many chunks a worker, so that none has a long tail
_END: Final = 3  # the end begins when so many chunks or runs a worker are left, the longest there are

_TICK_S: Final = 0.2
_AHEAD: Final = 2  # chunks a worker: while one is done, the next lies ready
_GRACE_S: Final = 2.0


@dataclass(slots=True)
class _Cell:
    """What is known of a cell: the runs that nobody was given yet, and what those that are done have cost."""

    config: RunConfig
    gaps: deque[range]
    waiting: int
    guess: float
    left: int = 0
    runs: int = 0
    seconds: float = 0.0
    is_begun: bool = False


@dataclass(slots=True)
class _SubmittedChunk:
    """A chunk that somebody was given, and the numbers of its runs that have not come back."""

    cell: int
    numbers: set[int] = field(default_factory=set)


class Work:
    """What is left of a plan: hands out chunks, and learns from what comes back how long they take.

    Every cell has a small chunk first, those that look slow before others. From then on the cell with most runs
    to do is next, so that all grow alike, and an experiment that is cancelled is no lopsided one. Towards the end
    the runs that take longest come first and the shortest last, in ever smaller chunks, so that all workers end
    together.
    """

    def __init__(self, plan: Plan, missing: Sequence[Sequence[range]]) -> None:
        self._max_iterations = plan.max_iterations
        self._cells: list[_Cell] = []
        for cell, gaps in zip(plan.cells, missing, strict=True):
            count = sum(len(gap) for gap in gaps)
            entry = _Cell(
                cell.config, deque(gap for gap in gaps if gap), count, _guess(cell.config), left=count
            )
            self._cells.append(entry)
        self._flights: list[_SubmittedChunk] = []
        self._measured_s = 0.0
        self._guessed_s = 0.0

    @property
    def in_flight(self) -> int:
        """How many chunks have not come back."""
        return len(self._flights)

    def next_chunk(self, workers: int) -> Chunk | None:
        """The next chunk for one of so many workers; None where all runs are handed out."""
        workers = max(workers, 1)
        waiting = [number for number, cell in enumerate(self._cells) if cell.waiting]
        if not waiting:
            return None
        costs = {number: self._cost(self._cells[number]) for number in waiting}
        waiting_s = sum(cost * self._cells[number].waiting for number, cost in costs.items())
        is_ending = waiting_s < _END * workers * max(_AIM_S, *costs.values())
        number = max(waiting, key=lambda each: self._priority(each, costs[each], is_ending=is_ending))
        cell = self._cells[number]
        gap = cell.gaps.popleft()
        runs = min(self._runs(cell, waiting_s / workers), len(gap))
        if runs < len(gap):
            cell.gaps.appendleft(gap[runs:])
        cell.waiting -= runs
        cell.is_begun = True
        self._flights.append(_SubmittedChunk(number, set(gap[:runs])))
        return Chunk(number, cell.config, gap.start, runs, self._max_iterations)

    def take(self, result: ChunkResult) -> bool:
        """Learn from what came back; False if nobody waits for these runs, so that they must not count."""
        numbers = {row.number for row in result.rows}
        for position, flight in enumerate(self._flights):
            if flight.cell == result.cell and numbers and numbers <= flight.numbers:
                flight.numbers -= numbers
                if not flight.numbers:
                    del self._flights[position]
                break
        else:
            return False
        cell = self._cells[result.cell]
        cell.left -= len(numbers)
        cell.runs += len(numbers)
        cell.seconds += result.seconds
        self._measured_s += result.seconds
        self._guessed_s += cell.guess * len(numbers)
        return True

    def seconds_left(self) -> float | None:
        """How long one worker would need for all that has not come back; None until anything is measured."""
        if not self._guessed_s:
            return None
        return sum(self._cost(cell) * cell.left for cell in self._cells if cell.left)

    def _priority(self, number: int, cost: float, *, is_ending: bool) -> tuple[int, float, float, int]:
        """The largest comes next: cells that nobody has begun first, and those that nobody has measured last."""
        cell = self._cells[number]
        rank = 2 if not cell.is_begun else 1 if cell.runs else 0
        more = 0 if is_ending or rank == 2 else cell.waiting
        return rank, more, cost, -number

    def _runs(self, cell: _Cell, left_s: float) -> int:
        """How many runs of a cell to hand out, where each worker has still so much to do."""
        cost = max(self._cost(cell), 1e-6)
        if not cell.runs:
            return max(1, min(int(_FIRST_S / cost), _MOST_FIRST_RUNS))
        aim = min(_AIM_S, max(_LEAST_S, left_s / _SHARES))
        return max(1, min(int(aim / cost), _GROWTH * cell.runs, _MOST_RUNS))

    def _cost(self, cell: _Cell) -> float:
        """The expected seconds of a run: as measured, or as guessed by the cells that were measured."""
        if cell.runs:
            return cell.seconds / cell.runs
        return cell.guess * (self._measured_s / self._guessed_s if self._guessed_s else 1.0)


def _guess(config: RunConfig) -> float:
    """Seconds a run may take; only the order and the proportions matter, and only until they are measured."""
    n = config.n
    if config.rows is not None:
        return 3e-7 * n * (8 + log(max(config.rows, 2)) ** 2 / (1 + config.accept_error / 16))
    return 5e-5 * n * log(n + 2) * (1 + n / 64)


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


def run_plan(
    store: Store,
    executor: Executor,
    on_progress: Callable[[Progress], bool],
    should_stop: ShouldStop | None = None,
) -> bool:
    """Do all runs that a store does not have yet; True when it has them all, False when cancelled.

    ``on_progress`` is called several times a second and after each chunk; it returns True to cancel, which keeps
    all chunks that are done. Before the first chunk, while the store is being read, ``should_stop`` is asked.
    Raises `GpvizError` where the store cannot be written or the workers fail; what was written is kept then, too.
    When all is done, the workers of the executor are ready for another plan, until whoever made it closes it;
    where not all could be done, it is closed.
    """
    is_finished = False
    try:
        try:
            with stoppable(should_stop):
                plan_run = _PlanRun(store, executor, on_progress)
        except Stopped:
            return False
        try:
            is_finished = plan_run.run()
        except BaseException:
            with suppress(GpvizError):  # what went wrong first is what is raised
                plan_run.count_seconds()
            raise
    finally:
        if not is_finished:
            executor.close()
    return is_finished


class _PlanRun:
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
        is_cancelled = self._report()
        while not is_cancelled:
            self._submit()
            if not self._work.in_flight:
                break
            is_cancelled = self._take(self._executor.wait(_TICK_S))
        if is_cancelled:
            self._await_running_chunks()
        self.count_seconds()
        self._report()
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
        """Store all results that have come back and report progress; returns whether to cancel."""
        if not results:
            return self._report()
        is_cancelled = False
        for result in results:
            if self._work.take(result):
                self._store.add(result, self._uncounted())
                self._done[result.cell] += len(result.rows)
            is_cancelled = self._report() or is_cancelled
        return is_cancelled

    def _await_running_chunks(self) -> None:
        """After a cancel, wait a moment for the chunks that the workers are busy with."""
        self._executor.cancel()
        deadline = monotonic() + _GRACE_S
        while self._work.in_flight and (left := deadline - monotonic()) > 0:
            results = self._executor.wait(left)
            if not results:
                return
            self._take(results)

    def _report(self) -> bool:
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
