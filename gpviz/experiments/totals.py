"""What runs come to together, in whole numbers, so that the order in which they are added never matters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from gpviz.experiments.batch import RunRow

__all__ = ["SUMMED", "Drift", "Sums", "Totals"]

SUMMED: Final = ("iterations", "leaves", "ors", "ors_accepted")
"""The measures of a run whose sums and sums of squares are kept, over the solved runs."""

_ONE: Final = 1 << 53


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

    @property
    def mean(self) -> float | None:
        """The mean; None of no values."""
        return self.total / self.count if self.count else None

    @property
    def sd(self) -> float | None:
        """The standard deviation of a sample, with one less in the denominator; None of fewer than two values."""
        if self.count < 2:
            return None
        return sqrt((self.count * self.squares - self.total**2) / (self.count * (self.count - 1)))


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
        for name in ("runs", "solved", "stuck", "stopped", "failed", "iterations"):
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
        data = asdict(self)
        data["drift"] = {str(level): asdict(self.drift[level]) for level in sorted(self.drift)}
        return data

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Totals:
        """What `as_dict` made plain data of."""
        plain = dict(data)
        plain["solved_runs"] = {name: Sums(**sums) for name, sums in data["solved_runs"].items()}
        plain["wrong_rows"] = Sums(**data["wrong_rows"])
        plain["drift"] = {int(level): Drift(**entry) for level, entry in data["drift"].items()}
        return cls(**plain)
