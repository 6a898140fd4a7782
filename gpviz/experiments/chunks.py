"""Chunks of runs as a worker does them: what is kept of each run, and what they come to together.

Nothing is loaded here that the runs do not need: every process of a pool has to load it before its first run.
"""

from __future__ import annotations

import atexit
import gc
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from math import sqrt
from threading import Thread
from time import perf_counter
from typing import Any, Final, NamedTuple

from gpviz.analysis.drift_bounds import stage_bounds
from gpviz.engine.compiled import runner as compiled_runner
from gpviz.engine.config import RunConfig
from gpviz.engine.errors import GpvizError, TooComplexError
from gpviz.engine.interruption import Stopped, stoppable
from gpviz.engine.many_runs import NONE, OUTCOMES, run_many
from gpviz.engine.search import RlsGp
from gpviz.engine.settings import MAX_N
from gpviz.engine.step import NO_PITFALL, PITFALLS, RunCounts, Step
from gpviz.engine.target import target_for

SUMMED: Final = ("iterations", "leaves", "ors", "ors_accepted")
"""The measures of a run whose sums and sums of squares are kept, over the solved runs."""

_ONE: Final = 1 << 53
_NO_ERROR: Final = -1
_COUNTS: Final = ("runs", "solved", "stuck", "stopped", "failed", "iterations")
_LAG: Final = "stuck_lag"
_COUNTED: Final = "counts"
_MOST_STAGES: Final = len(stage_bounds(MAX_N))
_FIELDS: Final = (*_COUNTS, "solved_runs", "wrong_rows", "drift")

FAILED: Final = "failed"
"""The outcome of a run whose tree became too complex to be evaluated."""
_MAX_BITS: Final = MAX_N + 64
"""More bits than any number of a path has."""
LEFT_TO_PARENT: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name))
"""The signals that are meant for the parent, even if a terminal sends them to all."""
_shared: dict[str, Any] = {}

Improvement = tuple[int, int]
"""An iteration that improved, and the error it brought."""


@dataclass(slots=True)
class Sums:
    """How many values there are, their sum, and the sum of their squares."""

    count: int = 0
    total: int = 0
    squares: int = 0

    def add(self, value: int) -> None:
        self.count += 1
        self.total += value
        self.squares += value * value

    def merge(self, other: Sums) -> None:
        self.count += other.count
        self.total += other.total
        self.squares += other.squares

    def as_dict(self) -> dict[str, int]:
        """As plain data."""
        return {"count": self.count, "total": self.total, "squares": self.squares}

    @property
    def mean(self) -> float | None:
        """The mean; None of no values."""
        return self.total / self.count if self.count else None

    @property
    def sd(self) -> float | None:
        """The standard deviation of a sample, with one less in the denominator; None of fewer than two values."""
        if self.count < 2:
            return None
        above = self.count * self.squares - self.total**2
        # Wrong rows may have a thousand bits, their squares more than a number with a point can hold.
        shift = max(above.bit_length() - 900, 0) // 2
        return sqrt((above >> 2 * shift) / (self.count * (self.count - 1))) * 2.0**shift


@dataclass(slots=True)
class Drift:
    """Of the iterations whose parent had an error from 2^b to 2^(b+1) - 1: how many, and what they gained.

    ``gain`` is the sum of the relative gains, (x - y) / x for an error that went from x to y, in units of 2^-53.
    """

    iterations: int = 0
    gain: int = 0

    @property
    def mean_gain(self) -> float:
        """The expected relative gain of one iteration."""
        return self.gain / (_ONE * self.iterations) if self.iterations else 0.0


@dataclass(slots=True)
class CellCounts:
    """What has been counted of the runs of a cell since format 3 of their files.

    ``pitfalls`` says in how many runs each of the `PITFALLS` happened at least once, and in how many none did,
    under `NO_PITFALL`. ``full`` are the sums of the iterations with a full parent, over all runs; ``squares`` and
    ``products`` are what an interval of their share needs besides: the sums, over all runs, of the squares of the
    iterations and of the iterations times those with a full parent.

    Where errors are exact there are also ``stages`` and ``full_drift``. A stage of the drift theorem, see
    `gpviz.analysis.drift_bounds.stage_of`, has the sums of the iterations that solved runs spent in it; its count
    is that of the runs that were ever in it. ``full_drift`` is the part of `Totals.drift` with a full parent.
    """

    pitfalls: dict[str, int] = field(default_factory=lambda: dict.fromkeys((*PITFALLS, NO_PITFALL), 0))
    full: Sums = field(default_factory=Sums)
    squares: int = 0
    products: int = 0
    stages: dict[int, Sums] = field(default_factory=dict)
    full_drift: dict[int, Drift] = field(default_factory=dict)

    def add(self, row: RunRow, full: int) -> None:
        """Take in the pitfalls of a run and its iterations with a full parent."""
        has_fallen = False
        for name, count in zip(PITFALLS, row.pitfalls, strict=True):
            if count:
                has_fallen = True
                self.pitfalls[name] += 1
        self.pitfalls[NO_PITFALL] += not has_fallen
        self.full.add(full)
        self.squares += row.iterations**2
        self.products += row.iterations * full

    def add_stages(self, spent: Sequence[int]) -> None:
        """Take in how many iterations a solved run spent in each stage."""
        for stage, count in enumerate(spent):
            if count:
                sums = self.stages.get(stage)
                if sums is None:
                    sums = self.stages[stage] = Sums()
                sums.add(count)

    def merge(self, other: CellCounts) -> None:
        """Take in those of other runs."""
        for name, count in other.pitfalls.items():
            self.pitfalls[name] += count
        self.full.merge(other.full)
        self.squares += other.squares
        self.products += other.products
        for stage, sums in other.stages.items():
            self.stages.setdefault(stage, Sums()).merge(sums)
        _merge_drift(self.full_drift, other.full_drift)

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "pitfalls": dict(self.pitfalls),
            "full": self.full.as_dict(),
            "squares": self.squares,
            "products": self.products,
            "stages": {str(stage): sums.as_dict() for stage, sums in sorted(self.stages.items())},
            "full_drift": _drift_data(self.full_drift),
        }

    @classmethod
    def from_dict(cls, data: object, totals: Totals) -> CellCounts:
        """What `as_dict` made plain data of, beside the totals they belong to."""
        plain = _table(data, ("pitfalls", "full", "squares", "products", "stages", "full_drift"))
        pitfalls = _table(plain["pitfalls"], (*PITFALLS, NO_PITFALL))
        stages = plain["stages"]
        if not isinstance(stages, dict) or len(stages) > _MOST_STAGES:
            raise _damaged_totals()
        most = totals.iterations**2 + 1
        counts = cls(
            {name: _count(pitfalls[name], totals.runs + 1) for name in (*PITFALLS, NO_PITFALL)},
            _sums(plain["full"]),
            _count(plain["squares"], most),
            _count(plain["products"], most),
            {_level(stage, _MOST_STAGES - 1): _sums(sums) for stage, sums in stages.items()},
            _drifts(plain["full_drift"]),
        )
        counts._check(totals)
        return counts

    def _check(self, totals: Totals) -> None:
        """See that they can be those of the totals' runs."""
        full = self.full
        fallen = totals.runs - self.pitfalls[NO_PITFALL]
        is_possible = (
            full.count == totals.runs
            and full.total <= totals.iterations
            # No run has more full iterations than iterations, and sums of products obey Cauchy and Schwarz.
            and full.squares <= self.products <= self.squares
            and self.products**2 <= full.squares * self.squares
            and totals.iterations**2 <= totals.runs * self.squares
            and max(self.pitfalls[name] for name in PITFALLS) <= fallen
            and fallen <= sum(self.pitfalls[name] for name in PITFALLS)
            and all(sums.count <= totals.solved for sums in self.stages.values())
            and sum(sums.total for sums in self.stages.values()) <= totals.solved_runs["iterations"].total
            and _is_part(self.full_drift, totals.drift)
            and sum(drift.iterations for drift in self.full_drift.values()) <= full.total
        )
        if not is_possible:
            raise _damaged_totals()


@dataclass(slots=True)
class Totals:
    """What the runs of a cell, or some of them, come to.

    All are whole numbers, so that the order in which runs are added never matters. ``solved_runs`` holds the sums
    of each measure over the solved runs, as the paper has them. ``wrong_rows`` is summed over the runs for which
    it is known, solved ones only. ``iterations`` are those of all runs, whatever became of them; in ``stuck_lag``
    of them runs were stuck already and it was not noticed yet, None in older files, which do not say. ``drift`` is
    there where errors are exact, and goes by b, see `Drift`. ``counts`` is None as soon as there are runs of an
    older file, of which these were not counted: what is known of the others alone would be about other runs.
    """

    runs: int = 0
    solved: int = 0
    stuck: int = 0
    stopped: int = 0
    failed: int = 0
    iterations: int = 0
    solved_runs: dict[str, Sums] = field(default_factory=lambda: {name: Sums() for name in SUMMED})
    wrong_rows: Sums = field(default_factory=Sums)
    drift: dict[int, Drift] = field(default_factory=dict)
    stuck_lag: int | None = 0
    counts: CellCounts | None = field(default_factory=CellCounts)

    def add(
        self,
        row: RunRow,
        improvements: Sequence[Improvement],
        full_at: Sequence[tuple[int, bool]] = (),
        *,
        n: int | None,
    ) -> None:
        """Take in a run and its improvements; n is None where rows are sampled, so that errors are not exact.

        ``full_at`` is what `RunCounts` says of each improvement; empty if nothing is to be told of full trees.
        """
        self.runs += 1
        outcome = row.outcome
        self.iterations += row.iterations
        if outcome == "solved":
            self.solved += 1
            sums = self.solved_runs
            sums["iterations"].add(row.iterations)
            sums["leaves"].add(row.leaves)
            sums["ors"].add(row.ors)
            sums["ors_accepted"].add(row.ors_accepted)
            if row.wrong_rows is not None:
                self.wrong_rows.add(row.wrong_rows)
        else:
            setattr(self, outcome, getattr(self, outcome) + 1)
        if row.stuck_since is not None and self.stuck_lag is not None:
            self.stuck_lag += row.iterations - row.stuck_since
        counts, full = self.counts, row.full_iterations
        if counts is None or full is None:
            counts = self.counts = None
        else:
            counts.add(row, full)
        if n is not None and improvements:
            spent = self._add_drift(improvements, row.iterations, stage_bounds(n))
            if counts is not None:
                if outcome == "solved":
                    counts.add_stages(spent)
                if full and full_at:
                    _add_full_drift(counts.full_drift, improvements, [*full_at, (full, False)])

    def _add_drift(
        self, improvements: Sequence[Improvement], last: int, stages: tuple[int, ...]
    ) -> list[int]:
        """Take in what the iterations of a run gained; returns how many there were in each stage."""
        drift = self.drift
        spent = [0] * len(stages)
        stage = len(stages) - 1
        iteration, error = improvements[0]
        for until, less in [*improvements[1:], (last, _NO_ERROR)]:
            count = until - iteration
            if count:
                level = error.bit_length() - 1
                entry = drift.get(level)
                if entry is None:
                    entry = drift[level] = Drift()
                entry.iterations += count
                if less != _NO_ERROR:
                    entry.gain += (error - less) * _ONE // error
                while error < stages[stage]:  # an error never grows
                    stage -= 1
                spent[stage] += count
            iteration, error = until, less
        return spent

    @property
    def drift_below_limit(self) -> dict[int, Drift] | None:
        """The drift of the iterations whose parent was not full, which is what the paper's bound is about.

        None where it is not known which they were.
        """
        if self.counts is None:
            return None
        found: dict[int, Drift] = {}
        for level, drift in self.drift.items():
            full = self.counts.full_drift.get(level, Drift())
            if drift.iterations > full.iterations:
                found[level] = Drift(drift.iterations - full.iterations, drift.gain - full.gain)
        return found

    def merge(self, other: Totals) -> None:
        """Take in those of other runs."""
        for name in _COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        lag, more = self.stuck_lag, other.stuck_lag
        self.stuck_lag = None if lag is None or more is None else lag + more
        for name, sums in self.solved_runs.items():
            sums.merge(other.solved_runs[name])
        self.wrong_rows.merge(other.wrong_rows)
        _merge_drift(self.drift, other.drift)
        if self.counts is None or other.counts is None:
            self.counts = None
        else:
            self.counts.merge(other.counts)

    def as_dict(self) -> dict[str, Any]:
        """As plain data, ready for JSON; the same for the same runs in whatever order."""
        return {
            **{name: getattr(self, name) for name in _COUNTS},
            **({} if self.stuck_lag is None else {_LAG: self.stuck_lag}),
            "solved_runs": {name: self.solved_runs[name].as_dict() for name in SUMMED},
            "wrong_rows": self.wrong_rows.as_dict(),
            "drift": _drift_data(self.drift),
            **({} if self.counts is None else {_COUNTED: self.counts.as_dict()}),
        }

    @classmethod
    def from_dict(cls, data: object) -> Totals:
        """What `as_dict` made plain data of; raises `GpvizError` where it is something else."""
        has_lag = type(data) is dict and _LAG in data
        has_counts = type(data) is dict and _COUNTED in data
        plain = _table(data, (*_FIELDS, *[_LAG] * has_lag, *[_COUNTED] * has_counts))
        sums = _table(plain["solved_runs"], SUMMED)
        totals = cls(
            solved_runs={name: _sums(sums[name]) for name in SUMMED},
            wrong_rows=_sums(plain["wrong_rows"]),
            drift=_drifts(plain["drift"]),
        )
        for name in _COUNTS:
            setattr(totals, name, _count(plain[name]))
        totals.stuck_lag = (
            _count(plain[_LAG], totals.iterations + 1) if has_lag else None if totals.stuck else 0
        )
        if totals.runs != totals.solved + totals.stuck + totals.stopped + totals.failed:
            raise _damaged_totals()
        if any(totals.solved_runs[name].count != totals.solved for name in SUMMED):
            raise _damaged_totals()
        if has_counts:
            totals.counts = CellCounts.from_dict(plain[_COUNTED], totals)
        elif totals.runs:
            totals.counts = None
        return totals


def _add_full_drift(
    drift: dict[int, Drift], improvements: Sequence[Improvement], full_at: Sequence[tuple[int, bool]]
) -> None:
    """Take in the drift of the iterations with a full parent.

    ``full_at`` has an entry for each improvement, and a last one, which is none, for the end of the run.
    """
    errors = [*(error for _, error in improvements), 0]
    for (error, less), ((before, _), (after, was_full)) in zip(
        pairwise(errors), pairwise(full_at), strict=True
    ):
        if after > before:
            entry = drift.setdefault(error.bit_length() - 1, Drift())
            entry.iterations += after - before
            if was_full:
                entry.gain += (error - less) * _ONE // error


def _merge_drift(ours: dict[int, Drift], theirs: dict[int, Drift]) -> None:
    for level, drift in theirs.items():
        entry = ours.setdefault(level, Drift())
        entry.iterations += drift.iterations
        entry.gain += drift.gain


def _is_part(part: dict[int, Drift], whole: dict[int, Drift]) -> bool:
    """Whether nothing of one drift is more than in the other."""
    return all(
        level in whole
        and drift.iterations <= whole[level].iterations
        and drift.gain <= whole[level].gain
        # and what is left over is possible as well
        and whole[level].gain - drift.gain <= (whole[level].iterations - drift.iterations) * _ONE
        for level, drift in part.items()
    )


def _drift_data(drift: dict[int, Drift]) -> dict[str, dict[str, int]]:
    return {
        str(level): {"iterations": entry.iterations, "gain": entry.gain}
        for level, entry in sorted(drift.items())
    }


def _damaged_totals() -> GpvizError:
    return GpvizError("what its runs come to cannot be read; the file is damaged.")


def _table(value: object, names: Sequence[str]) -> dict[str, Any]:
    if type(value) is not dict or len(value) != len(names) or any(name not in value for name in names):
        raise _damaged_totals()
    return value


def _count(value: object, most: int = 2**63) -> int:
    if type(value) is not int or not 0 <= value < most:
        raise _damaged_totals()
    return value


def _level(text: str, most: int) -> int:
    if not (text.isdecimal() and text.isascii() and len(text) <= 6 and int(text) <= most):
        raise _damaged_totals()
    return int(text)


def _sums(value: object) -> Sums:
    data = _table(value, ("count", "total", "squares"))
    count = _count(data["count"])
    most = (count << MAX_N) + 1
    sums = Sums(count, _count(data["total"], most), _count(data["squares"], most << MAX_N))
    if sums.count * sums.squares < sums.total**2:  # then the standard deviation would be imaginary
        raise _damaged_totals()
    return sums


def _drifts(value: object) -> dict[int, Drift]:
    if not isinstance(value, dict) or len(value) > MAX_N + 1:
        raise _damaged_totals()
    return {_level(level, MAX_N): _drift(entry) for level, entry in value.items()}


def _drift(value: object) -> Drift:
    data = _table(value, ("iterations", "gain"))
    iterations = _count(data["iterations"])
    return Drift(iterations, _count(data["gain"], iterations * _ONE + 1))


class RunRow(NamedTuple):
    """What is kept of a run.

    Its seed is the cell's and ``number`` together. ``outcome`` is solved, stuck, stopped (at the plan's
    ``max_iterations``) or failed. ``error`` is the final one as the run measured it, ``wrong_rows`` says on how
    many rows of the complete truth table the final tree is wrong, None if that is not known. The longest time
    without an improvement began after iteration ``wait_from`` and took ``wait`` iterations. ``duplicate_accepted``
    and ``true_error_grew`` say how often that happened, as ``ors_accepted`` does, and ``full_iterations`` how many
    iterations had a full parent; they are None of a run that was done before they were counted. ``path`` are the
    improvements, as `decode_path` reads them.
    """

    number: int
    outcome: str
    iterations: int
    leaves: int
    ors: int
    ors_accepted: int
    accepted: int
    improved: int
    error: int | None
    wrong_rows: int | None
    stuck_since: int | None
    wait_from: int
    wait: int
    duplicate_accepted: int | None
    true_error_grew: int | None
    full_iterations: int | None
    path: bytes

    @property
    def pitfalls(self) -> tuple[int | None, int, int | None]:
        """How often each of the `PITFALLS` happened."""
        return self.duplicate_accepted, self.ors_accepted, self.true_error_grew

    @property
    def notable_iteration(self) -> int:
        """Where to look: the iteration in which it became stuck, or in which its longest wait began."""
        return self.stuck_since if self.stuck_since is not None else self.wait_from


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


def run_chunk(chunk: Chunk, is_cancelled: Callable[[], bool] | None = None) -> ChunkResult:
    """Do the runs of a chunk; when cancelled, or stopped at a checkpoint, fewer of them."""
    start = perf_counter()
    totals = Totals()
    rows: list[RunRow] = []
    exact_n = _exact_n(chunk.config)
    is_compiled = compiled_runner.can_run(chunk.config, None) and compiled_runner.is_worth_loading()
    with suppress(Stopped):
        for row, improvements, full_at in (_run_compiled if is_compiled else _run_each)(chunk, is_cancelled):
            totals.add(row, improvements, full_at, n=exact_n)
            rows.append(row)
    return ChunkResult(chunk.cell, rows, totals, perf_counter() - start)


def _run_each(chunk: Chunk, is_cancelled: Callable[[], bool] | None) -> Iterator[_Ended]:
    for number in range(chunk.first, chunk.first + chunk.runs):
        if is_cancelled is not None and is_cancelled():
            break
        yield _run(chunk.config.replaced(seed=chunk.config.seed + number), number, chunk.max_iterations)


def _run_compiled(chunk: Chunk, is_cancelled: Callable[[], bool] | None) -> Iterator[_Ended]:
    """The same where the compiled loop does all runs at once."""
    base, config = chunk.config.seed + chunk.first, chunk.config
    runs = run_many(
        config,
        None,
        range(base, base + chunk.runs),
        max_iterations=chunk.max_iterations,
        counts=True,
        should_stop=is_cancelled,
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
                *_longest_wait(improvements, iterations), duplicates, 0, full, encode_path(improvements),
            ),
            improvements,
            all_full_at[first:last],
        )  # fmt: skip


def _exact_n(config: RunConfig) -> int | None:
    return None if config.is_sampled else config.n


def run_one(config: RunConfig, number: int, max_iterations: int) -> RunRow:
    """Do one run, whose seed is in the configuration."""
    return _run(config, number, max_iterations)[0]


def _run(config: RunConfig, number: int, max_iterations: int) -> _Ended:
    improvements: list[Improvement] = []
    counts = RunCounts()
    search = RlsGp(config)
    outcome = FAILED
    stuck_since = None
    try:
        result = search.run(
            max_iterations=max_iterations, stop_when_stuck=True, improvements=improvements, counts=counts
        )
        outcome, stuck_since = result.outcome.value, result.stuck_since
    except TooComplexError:
        counts = RunCounts()
        search = _up_to_failure(config, max_iterations, improvements, counts)
    tree, error = search.tree, search.error
    wrong_rows = error
    if config.is_sampled or outcome == FAILED:
        try:
            wrong_rows = None if tree is None else target_for(config.n).error(tree)
        except TooComplexError:
            wrong_rows = None
    wait_from, wait = _longest_wait(improvements, search.iteration)
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
    improvements.clear()
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


def _longest_wait(improvements: list[Improvement], last: int) -> tuple[int, int]:
    """The iteration after which the longest time without an improvement began, and how long it was."""
    start = wait = before = 0
    for iteration, _ in improvements:
        if iteration - before > wait:
            start, wait = before, iteration - before
        before = iteration
    if last - before > wait:
        start, wait = before, last - before
    return start, wait


def encode_path(improvements: Iterable[Improvement]) -> bytes:
    """Improvements, as `RlsGp.run` tells them, in few bytes: seven bits each, lowest first.

    Of an iteration it is the distance from the one before.
    """
    content = bytearray()
    before = 0
    for iteration, error in improvements:
        for number in (iteration - before, error):
            while number > 127:
                content.append(number & 127 | 128)
                number >>= 7
            content.append(number)
        before = iteration
    return bytes(content)


def decode_path(content: bytes) -> list[Improvement]:
    """The iterations that improved, each with the error it brought; raises `GpvizError` if it is no path."""
    numbers: list[int] = []
    number = shift = 0
    for byte in content:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(number)
            number = shift = 0
        elif shift > _MAX_BITS:
            break
    if shift or len(numbers) % 2:
        raise GpvizError("The improvements of this run cannot be read; the file is damaged.")
    path: list[Improvement] = []
    iteration = 0
    for wait, error in zip(numbers[::2], numbers[1::2], strict=True):
        iteration += wait
        path.append((iteration, error))
    return path


def totals_of(rows: Sequence[RunRow], chunk: Chunk, full_drift: object) -> Totals:
    """What runs of a chunk come to, by their rows and paths; raises `GpvizError` where these cannot be true.

    Only ``full_drift``, as plain data, cannot be found out from them.
    """
    totals = Totals()
    for row in rows:
        path = decode_path(row.path)
        _check_run(row, path, chunk)
        totals.add(row, path, n=_exact_n(chunk.config))
    counts = totals.counts
    if counts is not None:
        counts.full_drift = _drifts(full_drift)
        counts._check(totals)
        full = sum(drift.iterations for drift in counts.full_drift.values())
        if not chunk.config.is_sampled and full != counts.full.total:
            raise _damaged_totals()
    return totals


def _check_run(row: RunRow, path: list[tuple[int, int]], chunk: Chunk) -> None:
    """See that a row and its path can be those of one run; only where rows are sampled the error may also rise."""
    last, most_wrong = row.iterations, 1 << chunk.config.n
    counts = (row.leaves, row.ors, row.ors_accepted, row.accepted, row.improved, row.stuck_since or 0)
    later = (row.duplicate_accepted, row.true_error_grew, row.full_iterations)
    iterations = [0, *(iteration for iteration, _ in path), last + 1]
    is_possible = (
        last <= chunk.max_iterations
        and max(*counts, row.wait_from + row.wait) <= last
        and all(count is not None and 0 <= count <= last for count in later)
        and (row.wrong_rows or 0) <= most_wrong
        and all(before < after for before, after in pairwise(iterations))
    )
    if not chunk.config.is_sampled:
        errors = [most_wrong + 1, *(error for _, error in path)]
        is_possible = is_possible and all(before > after for before, after in pairwise(errors))
        is_possible = is_possible and (row.error == errors[-1] or not path)
        is_possible = is_possible and (not path or errors[-1] > 0 or path[-1][0] == last)
    if not is_possible:
        raise GpvizError(f"What is told of run {row.number} cannot be true.")


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

    if compiled_runner.is_loaded() and not gc.get_freeze_count():
        gc.freeze()  # numba has a hundred thousand objects that nobody needs to look through again and again
    with stoppable(lambda: bool(flag.value)):
        return run_chunk(chunk, is_cancelled)
