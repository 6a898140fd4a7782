"""Chunks of runs as a worker does them: what is kept of each run, and what they come to together.

Nothing is loaded here that the runs do not need: every process of a pool has to load it before its first run.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from math import sqrt
from threading import Thread
from time import perf_counter
from typing import Any, Final, NamedTuple

from gpviz.engine.config import RunConfig
from gpviz.engine.errors import GpvizError, TooComplexError
from gpviz.engine.search import RlsGp
from gpviz.engine.settings import MAX_N
from gpviz.engine.step import Step
from gpviz.engine.target import target_for

__all__ = [
    "FAILED",
    "LEFT_TO_PARENT",
    "SUMMED",
    "Chunk",
    "ChunkResult",
    "Drift",
    "RunRow",
    "Sums",
    "Totals",
    "begin",
    "decode_path",
    "encode_path",
    "run_chunk",
    "run_one",
    "totals_of",
    "work",
]

SUMMED: Final = ("iterations", "leaves", "ors", "ors_accepted")
"""The measures of a run whose sums and sums of squares are kept, over the solved runs."""

_ONE: Final = 1 << 53
_COUNTS: Final = ("runs", "solved", "stuck", "stopped", "failed", "iterations")
_LAG: Final = "stuck_lag"
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
class Totals:
    """What the runs of a cell, or some of them, come to.

    All are whole numbers, so that the order in which runs are added never matters. ``solved_runs`` holds the sums
    of each measure over the solved runs, as the paper has them. ``wrong_rows`` is summed over the runs for which
    it is known, solved ones only. ``iterations`` are those of all runs, whatever became of them; in ``stuck_lag``
    of them runs were stuck already and it was not noticed yet, None in older files, which do not say. ``drift`` is
    there where errors are exact, and goes by b, see `Drift`.
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

    def add(self, row: RunRow, improvements: Sequence[Improvement], *, is_exact: bool) -> None:
        """Take in a run and its improvements."""
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
        if is_exact:
            self._add_drift(improvements, row.iterations)

    def _add_drift(self, improvements: Sequence[Improvement], last: int) -> None:
        drift = self.drift
        then: list[tuple[int, int | None]] = [*improvements[1:], (last, None)]
        for (iteration, error), (until, less) in zip(improvements, then, strict=False):
            if until == iteration:
                continue
            level = error.bit_length() - 1
            entry = drift.get(level)
            if entry is None:
                entry = drift[level] = Drift()
            entry.iterations += until - iteration
            if less is not None:
                entry.gain += (error - less) * _ONE // error

    def merge(self, other: Totals) -> None:
        """Take in those of other runs."""
        for name in _COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        lag, more = self.stuck_lag, other.stuck_lag
        self.stuck_lag = None if lag is None or more is None else lag + more
        for name, sums in self.solved_runs.items():
            sums.merge(other.solved_runs[name])
        self.wrong_rows.merge(other.wrong_rows)
        for level, theirs in other.drift.items():
            ours = self.drift.setdefault(level, Drift())
            ours.iterations += theirs.iterations
            ours.gain += theirs.gain

    def as_dict(self) -> dict[str, Any]:
        """As plain data, ready for JSON; the same for the same runs in whatever order."""
        return {
            **{name: getattr(self, name) for name in _COUNTS},
            **({} if self.stuck_lag is None else {_LAG: self.stuck_lag}),
            "solved_runs": {name: self.solved_runs[name].as_dict() for name in SUMMED},
            "wrong_rows": self.wrong_rows.as_dict(),
            "drift": {
                str(level): {"iterations": drift.iterations, "gain": drift.gain}
                for level, drift in sorted(self.drift.items())
            },
        }

    @classmethod
    def from_dict(cls, data: object) -> Totals:
        """What `as_dict` made plain data of; raises `GpvizError` where it is something else."""
        has_lag = type(data) is dict and _LAG in data
        plain = _table(data, (*_FIELDS, _LAG) if has_lag else _FIELDS)
        sums = _table(plain["solved_runs"], SUMMED)
        drift = plain["drift"]
        if not isinstance(drift, dict) or len(drift) > MAX_N + 1:
            raise _damaged_totals()
        totals = cls(
            **{name: _count(plain[name]) for name in _COUNTS},
            solved_runs={name: _sums(sums[name]) for name in SUMMED},
            wrong_rows=_sums(plain["wrong_rows"]),
            drift={_level(level): _drift(entry) for level, entry in drift.items()},
        )
        totals.stuck_lag = (
            _count(plain[_LAG], totals.iterations + 1) if has_lag else None if totals.stuck else 0
        )
        if totals.runs != totals.solved + totals.stuck + totals.stopped + totals.failed:
            raise _damaged_totals()
        if any(totals.solved_runs[name].count != totals.solved for name in SUMMED):
            raise _damaged_totals()
        return totals


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


def _level(text: str) -> int:
    if not (text.isdecimal() and text.isascii() and len(text) <= 6 and int(text) <= MAX_N):
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


def _drift(value: object) -> Drift:
    data = _table(value, ("iterations", "gain"))
    iterations = _count(data["iterations"])
    return Drift(iterations, _count(data["gain"], iterations * _ONE + 1))


class RunRow(NamedTuple):
    """What is kept of a run.

    Its seed is the cell's and ``number`` together. ``outcome`` is solved, stuck, stopped (at the plan's
    ``max_iterations``) or failed. ``error`` is the final one as the run measured it, ``wrong_rows`` says on how
    many rows of the complete truth table the final tree is wrong, None if that is not known. The longest time
    without an improvement began after iteration ``wait_from`` and took ``wait`` iterations. ``path`` are the
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
    path: bytes

    @property
    def decisive_iteration(self) -> int:
        """Where to look: the iteration in which it became stuck, or in which its longest wait began."""
        return self.stuck_since if self.stuck_since is not None else self.wait_from


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
    """Do the runs of a chunk; when cancelled, fewer of them."""
    start = perf_counter()
    totals = Totals()
    rows: list[RunRow] = []
    base = chunk.config.seed
    for number in range(chunk.first, chunk.first + chunk.runs):
        if is_cancelled is not None and is_cancelled():
            break
        row, improvements = _run(chunk.config.replaced(seed=base + number), number, chunk.max_iterations)
        totals.add(row, improvements, is_exact=not chunk.config.is_sampled)
        rows.append(row)
    return ChunkResult(chunk.cell, rows, totals, perf_counter() - start)


def run_one(config: RunConfig, number: int, max_iterations: int) -> RunRow:
    """Do one run, whose seed is in the configuration."""
    return _run(config, number, max_iterations)[0]


def _run(config: RunConfig, number: int, max_iterations: int) -> tuple[RunRow, list[Improvement]]:
    improvements: list[Improvement] = []
    search = RlsGp(config)
    outcome = FAILED
    stuck_since = None
    try:
        result = search.run(max_iterations=max_iterations, stop_when_stuck=True, improvements=improvements)
        outcome, stuck_since = result.outcome.value, result.stuck_since
    except TooComplexError:
        search = _up_to_failure(config, max_iterations, improvements)
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
            wait_from, wait, encode_path(improvements),
        ),
        improvements,
    )  # fmt: skip


def _up_to_failure(config: RunConfig, max_iterations: int, improvements: list[Improvement]) -> RlsGp:
    """The run again, as it stands before the iteration that fails: while nobody looks on, it does not say."""
    improvements.clear()
    search = RlsGp(config)
    with suppress(TooComplexError):
        search.run(
            max_iterations=max_iterations, stop_when_stuck=True, on_step=_look_on, improvements=improvements
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


def totals_of(rows: Sequence[RunRow], chunk: Chunk) -> Totals:
    """What runs of a chunk come to, by their rows and paths; raises `GpvizError` where these cannot be true."""
    totals = Totals()
    for row in rows:
        path = decode_path(row.path)
        _check_run(row, path, chunk)
        totals.add(row, path, is_exact=not chunk.config.is_sampled)
    return totals


def _check_run(row: RunRow, path: list[tuple[int, int]], chunk: Chunk) -> None:
    """See that a row and its path can be those of one run; only where rows are sampled the error may also rise."""
    last, most_wrong = row.iterations, 1 << chunk.config.n
    counts = (row.leaves, row.ors, row.ors_accepted, row.accepted, row.improved, row.stuck_since or 0)
    iterations = [0, *(iteration for iteration, _ in path), last + 1]
    is_possible = (
        last <= chunk.max_iterations
        and max(*counts, row.wait_from + row.wait) <= last
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

    return run_chunk(chunk, is_cancelled)
