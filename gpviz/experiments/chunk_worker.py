"""The work of a worker process: chunks of runs, one after the other.

Nothing is loaded here that the runs do not need: every process of a pool has to load it before its first run.
"""

from __future__ import annotations

import atexit
import gc
import multiprocessing
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from threading import Thread
from time import perf_counter
from typing import Any, Final, NamedTuple

from gpviz.engine.compiled import runner as compiled_runner
from gpviz.engine.config import RunConfig
from gpviz.engine.errors import TooComplexError
from gpviz.engine.interruption import Stopped, checkpoint, stoppable
from gpviz.engine.many_runs import NONE, OUTCOMES, run_many
from gpviz.engine.search import RlsGp
from gpviz.engine.step import RunCounts, Step
from gpviz.engine.target import target_for
from gpviz.experiments.run_row import FAILED, Improvement, RunRow, encode_path
from gpviz.experiments.totals import Totals

LEFT_TO_PARENT: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name))
"""The signals that are meant for the parent, even if a terminal sends them to all."""
MOST_IMPROVEMENTS: Final = 100_000
"""So many improvements of a run on sampled rows are kept at most, the first ones.

Errors on sampled rows go up and down, so a long run improves without end; its path must stay small in the file. On
all rows the error only falls, and all improvements are kept.
"""
_shared: dict[str, Any] = {}

_Ended = tuple[RunRow, list[Improvement], list[tuple[int, bool]]]
"""A run that is over: what is kept of it, and its improvements with what `RunCounts` says of them."""


class Chunk(NamedTuple):
    """Runs ``first`` to ``first + runs - 1`` of a cell, the work of one worker for a while."""

    cell: int
    config: RunConfig
    first: int
    runs: int
    max_iterations: int


class ChunkResult(NamedTuple):
    """What came of a chunk, and how long it took."""

    cell: int
    rows: list[RunRow]
    totals: Totals
    seconds: float


def run_chunk(chunk: Chunk) -> ChunkResult:
    """Do the runs of a chunk; fewer of them when stopped at a checkpoint."""
    start = perf_counter()
    totals = Totals()
    rows: list[RunRow] = []
    exact_n = None if chunk.config.is_sampled else chunk.config.n
    is_compiled = compiled_runner.can_run(chunk.config, None) and compiled_runner.is_worth_loading()
    with suppress(Stopped):
        for row, improvements, full_at in (_run_compiled if is_compiled else _run_each)(chunk):
            totals.add(row, improvements, full_at, n=exact_n)
            rows.append(row)
    return ChunkResult(chunk.cell, rows, totals, perf_counter() - start)


def _run_each(chunk: Chunk) -> Iterator[_Ended]:
    for number in range(chunk.first, chunk.first + chunk.runs):
        checkpoint()
        yield _run(chunk.config.replaced(seed=chunk.config.seed + number), number, chunk.max_iterations)


def _run_compiled(chunk: Chunk) -> Iterator[_Ended]:
    """The same where the compiled loop does all runs at once."""
    base, config = chunk.config.seed + chunk.first, chunk.config
    runs = run_many(
        config,
        None,
        range(base, base + chunk.runs),
        max_iterations=chunk.max_iterations,
        counts=True,
        should_stop=lambda: False,  # so that, stopped at a checkpoint, it returns the runs that were over
    )
    assert runs.offsets is not None
    assert runs.improvements is not None
    assert runs.full_at is not None
    assert runs.duplicate_accepted is not None
    assert runs.full_iterations is not None
    all_improvements = list(map(tuple, runs.improvements.tolist()))
    all_full_at = [(full, bool(was_full)) for full, was_full in runs.full_at.tolist()]
    ends = zip(
        runs.outcomes.tolist(), runs.iterations.tolist(), runs.errors.tolist(), runs.leaves.tolist(),
        runs.ors.tolist(), runs.accepted.tolist(), runs.improved.tolist(), runs.ors_accepted.tolist(),
        runs.stuck_since.tolist(), runs.duplicate_accepted.tolist(), runs.full_iterations.tolist(),
        pairwise(runs.offsets.tolist()), strict=True,
    )  # fmt: skip
    for number, end in enumerate(ends, chunk.first):
        (
            outcome, iterations, error, leaves, ors, accepted, improved, ors_accepted, stuck_since, duplicates,
            full, (first, last),
        ) = end  # fmt: skip
        improvements = all_improvements[first:last]
        known_error = None if error == NONE else error
        yield (
            RunRow(
                number, OUTCOMES[outcome].value, iterations, leaves, ors, ors_accepted, accepted, improved,
                known_error, known_error, None if stuck_since == NONE else stuck_since,
                *longest_wait(improvements, iterations), duplicates, 0, full, encode_path(improvements),
            ),
            improvements,
            all_full_at[first:last],
        )  # fmt: skip


def run_one(config: RunConfig, number: int, max_iterations: int) -> RunRow:
    """Do one run, whose seed is in the configuration."""
    return _run(config, number, max_iterations)[0]


class _SampledImprovements(list[Improvement]):
    """The first improvements of a run, and the longest wait among all of them."""

    def __init__(self) -> None:
        super().__init__()
        self._wait_from = self._wait = self._last = 0

    def append(self, improvement: Improvement) -> None:
        self._wait_from, self._wait = self.longest_wait(improvement[0])
        self._last = improvement[0]
        if len(self) < MOST_IMPROVEMENTS:
            super().append(improvement)

    def longest_wait(self, last: int) -> tuple[int, int]:
        """What the function `longest_wait` would return if all improvements had been kept."""
        wait = last - self._last
        return (self._last, wait) if wait > self._wait else (self._wait_from, self._wait)


class _NothingKept(list[tuple[int, bool]]):
    """Forgets at once what `RunCounts` says of each improvement: it is about the drift of exact errors."""

    def append(self, _: tuple[int, bool]) -> None:
        pass


def _new_records(config: RunConfig) -> tuple[list[Improvement], RunCounts]:
    """Where a run writes its improvements and counts; where rows are sampled these stay small."""
    counts = RunCounts()
    if not config.is_sampled:
        return [], counts
    counts.full_at = _NothingKept()
    return _SampledImprovements(), counts


def _run(config: RunConfig, number: int, max_iterations: int) -> _Ended:
    improvements, counts = _new_records(config)
    search = RlsGp(config)
    outcome = FAILED
    stuck_since = None
    try:
        result = search.run(
            max_iterations=max_iterations, stop_when_stuck=True, improvements=improvements, counts=counts
        )
        outcome, stuck_since = result.outcome.value, result.stuck_since
    except TooComplexError:
        improvements, counts = _new_records(config)
        search = _up_to_failure(config, max_iterations, improvements, counts)
    tree, error = search.tree, search.error
    wrong_rows = error
    if config.is_sampled or outcome == FAILED:
        try:
            wrong_rows = None if tree is None else target_for(config.n).error(tree)
        except TooComplexError:
            wrong_rows = None
    wait_from, wait = longest_wait(improvements, search.iteration)
    return (
        RunRow(
            number, outcome, search.iteration, 0 if tree is None else tree.leaves, 0 if tree is None else tree.ors,
            search.ors_accepted, search.accepted, search.improved, error, wrong_rows, stuck_since,
            wait_from, wait, counts.duplicate_accepted, counts.true_error_grew, counts.full_iterations,
            encode_path(improvements),
        ),
        improvements,
        counts.full_at,
    )  # fmt: skip


def _up_to_failure(
    config: RunConfig, max_iterations: int, improvements: list[Improvement], counts: RunCounts
) -> RlsGp:
    """The run again, as it stands before the iteration that fails: while nobody looks on, it does not say."""
    search = RlsGp(config)
    with suppress(TooComplexError):
        search.run(
            max_iterations=max_iterations,
            stop_when_stuck=True,
            on_step=_look_on,
            improvements=improvements,
            counts=counts,
        )
    return search


def _look_on(step: Step) -> bool:
    return False


def longest_wait(improvements: list[Improvement], last: int) -> tuple[int, int]:
    """The iteration after which the longest time without an improvement began, and how long it was."""
    if isinstance(improvements, _SampledImprovements):
        return improvements.longest_wait(last)
    start = wait = before = 0
    for iteration, _ in improvements:
        if iteration - before > wait:
            start, wait = before, iteration - before
        before = iteration
    if last - before > wait:
        start, wait = before, last - before
    return start, wait


def begin(flag: Any, niceness: int) -> None:
    """Prepare a worker: Ctrl-C is its parent's business, it does not outlive its parent, and it ends at once."""
    for number in LEFT_TO_PARENT:
        signal.signal(number, signal.SIG_IGN)
    if niceness and hasattr(os, "nice"):
        os.nice(niceness)
    _shared.update(flag=flag)
    Thread(target=_end_with_parent, daemon=True).start()
    # Nothing is left to be tidied up then, and taking apart all that was remembered takes up to half a second.
    atexit.register(os._exit, 0)


def _end_with_parent() -> None:
    # The queue that chunks come by is open at both ends in every worker, so its end is never seen.
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def work(chunk: Chunk) -> ChunkResult:
    flag = _shared["flag"]
    if compiled_runner.is_loaded() and not gc.get_freeze_count():
        gc.freeze()  # numba has a hundred thousand objects that nobody needs to look through again and again
    with stoppable(lambda: bool(flag.value)):
        return run_chunk(chunk)
