"""What runs come to together, in whole numbers, so that the order in which they are added never matters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Any, Final

from gpviz.engine.config import MAX_N
from gpviz.engine.errors import GpvizError

if TYPE_CHECKING:
    from gpviz.experiments.batch import RunRow

__all__ = ["SUMMED", "Drift", "Sums", "Totals"]

SUMMED: Final = ("iterations", "leaves", "ors", "ors_accepted")
"""The measures of a run whose sums and sums of squares are kept, over the solved runs."""

_ONE: Final = 1 << 53
_COUNTS: Final = ("runs", "solved", "stuck", "stopped", "failed", "iterations")
_FIELDS: Final = (*_COUNTS, "solved_runs", "wrong_rows", "drift")


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

    ``solved_runs`` holds the sums of each measure over the solved runs, as the paper has them. ``wrong_rows`` is
    summed over the runs for which it is known, solved ones only. ``iterations`` are those of all runs, whatever
    became of them. ``drift`` is there where errors are exact, and goes by b, see `Drift`.
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

    def add(self, row: RunRow, improvements: Sequence[int], *, is_exact: bool) -> None:
        """Take in a run and its improvements, iterations and errors in turn."""
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
        if is_exact:
            self._add_drift(improvements, row.iterations)

    def _add_drift(self, improvements: Sequence[int], last: int) -> None:
        drift = self.drift
        for position in range(0, len(improvements), 2):
            iteration, error = improvements[position], improvements[position + 1]
            is_last = position + 2 == len(improvements)
            until = last if is_last else improvements[position + 2]
            if until == iteration:
                continue
            level = error.bit_length() - 1
            entry = drift.get(level)
            if entry is None:
                entry = drift[level] = Drift()
            entry.iterations += until - iteration
            if not is_last:
                entry.gain += (error - improvements[position + 3]) * _ONE // error

    def merge(self, other: Totals) -> None:
        """Take in those of other runs."""
        for name in _COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
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
        plain = _table(data, _FIELDS)
        sums = _table(plain["solved_runs"], SUMMED)
        drift = plain["drift"]
        if not isinstance(drift, dict) or len(drift) > MAX_N + 1:
            raise _nonsense()
        totals = cls(
            **{name: _count(plain[name]) for name in _COUNTS},
            solved_runs={name: _sums(sums[name]) for name in SUMMED},
            wrong_rows=_sums(plain["wrong_rows"]),
            drift={_level(level): _drift(entry) for level, entry in drift.items()},
        )
        if totals.runs != totals.solved + totals.stuck + totals.stopped + totals.failed:
            raise _nonsense()
        if any(totals.solved_runs[name].count != totals.solved for name in SUMMED):
            raise _nonsense()
        return totals


def _nonsense() -> GpvizError:
    return GpvizError("what its runs come to cannot be read; the file is damaged.")


def _table(value: object, names: Sequence[str]) -> dict[str, Any]:
    if type(value) is not dict or len(value) != len(names) or any(name not in value for name in names):
        raise _nonsense()
    return value


def _count(value: object, most: int = 2**63) -> int:
    if type(value) is not int or not 0 <= value < most:
        raise _nonsense()
    return value


def _level(text: str) -> int:
    if not (text.isdecimal() and text.isascii() and len(text) <= 6 and int(text) <= MAX_N):
        raise _nonsense()
    return int(text)


def _sums(value: object) -> Sums:
    data = _table(value, ("count", "total", "squares"))
    count = _count(data["count"])
    most = (count << MAX_N) + 1
    sums = Sums(count, _count(data["total"], most), _count(data["squares"], most << MAX_N))
    if sums.count * sums.squares < sums.total**2:  # then the standard deviation would be imaginary
        raise _nonsense()
    return sums


def _drift(value: object) -> Drift:
    data = _table(value, ("iterations", "gain"))
    iterations = _count(data["iterations"])
    return Drift(iterations, _count(data["gain"], iterations * _ONE + 1))
