"""What the runs of a cell come to: counts and exact sums, which add up in whatever order runs are done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import sqrt
from typing import Any, Final

from gpviz.analysis.drift_bounds import stage_bounds
from gpviz.engine.errors import GpvizError
from gpviz.engine.settings import MAX_N
from gpviz.engine.step import NO_PITFALL, PITFALLS
from gpviz.experiments.run_row import Improvement, RunRow

SUMMED: Final = ("iterations", "leaves", "ors", "ors_accepted")
"""The measures of a run whose sums and sums of squares are kept, over the solved runs."""

_ONE: Final = 1 << 53
_NO_ERROR: Final = -1
_COUNTS: Final = ("runs", "solved", "stuck", "stopped", "failed", "iterations", "stuck_lag")
_MOST_STAGES: Final = len(stage_bounds(MAX_N))
_FIELDS: Final = (*_COUNTS, "solved_runs", "wrong_rows", "drift", "counts")


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
    """Pitfalls, full trees and stages, counted over the runs of a cell.

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

    def add(self, row: RunRow) -> None:
        """Take in the pitfalls of a run and its iterations with a full parent."""
        has_fallen = False
        for name, count in zip(PITFALLS, row.pitfalls, strict=True):
            if count:
                has_fallen = True
                self.pitfalls[name] += 1
        self.pitfalls[NO_PITFALL] += not has_fallen
        self.full.add(row.full_iterations)
        self.squares += row.iterations**2
        self.products += row.iterations * row.full_iterations

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
    of them runs were stuck already and it was not noticed yet. ``drift`` is there where errors are exact, and goes
    by b, see `Drift`.
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
    stuck_lag: int = 0
    counts: CellCounts = field(default_factory=CellCounts)

    def add(
        self,
        row: RunRow,
        improvements: Sequence[Improvement],
        full_at: Sequence[tuple[int, bool]] = (),
        *,
        n: int | None,
    ) -> None:
        """Take in a run and its improvements; n is None where rows are sampled, so that errors are not exact.

        ``full_at`` is what `RunCounts` says of each improvement; empty if nothing is counted of full trees.
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
        if row.stuck_since is not None:
            self.stuck_lag += row.iterations - row.stuck_since
        counts = self.counts
        counts.add(row)
        if n is not None and improvements:
            spent = self._add_drift(improvements, row.iterations, stage_bounds(n))
            if outcome == "solved":
                counts.add_stages(spent)
            if row.full_iterations and full_at:
                _add_full_drift(counts.full_drift, improvements, [*full_at, (row.full_iterations, False)])

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
    def drift_below_limit(self) -> dict[int, Drift]:
        """The drift of the iterations whose parent was not full, which is what the paper's bound is about."""
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
        for name, sums in self.solved_runs.items():
            sums.merge(other.solved_runs[name])
        self.wrong_rows.merge(other.wrong_rows)
        _merge_drift(self.drift, other.drift)
        self.counts.merge(other.counts)

    def as_dict(self) -> dict[str, Any]:
        """As plain data, ready for JSON; the same for the same runs in whatever order."""
        return {
            **{name: getattr(self, name) for name in _COUNTS},
            "solved_runs": {name: self.solved_runs[name].as_dict() for name in SUMMED},
            "wrong_rows": self.wrong_rows.as_dict(),
            "drift": _drift_data(self.drift),
            "counts": self.counts.as_dict(),
        }

    @classmethod
    def from_dict(cls, data: object) -> Totals:
        """What `as_dict` made plain data of; raises `GpvizError` where it is something else."""
        plain = _table(data, _FIELDS)
        sums = _table(plain["solved_runs"], SUMMED)
        totals = cls(
            solved_runs={name: _sums(sums[name]) for name in SUMMED},
            wrong_rows=_sums(plain["wrong_rows"]),
            drift=_drifts(plain["drift"]),
        )
        for name in _COUNTS:
            setattr(totals, name, _count(plain[name]))
        if totals.stuck_lag > totals.iterations:
            raise _damaged_totals()
        if totals.runs != totals.solved + totals.stuck + totals.stopped + totals.failed:
            raise _damaged_totals()
        if any(totals.solved_runs[name].count != totals.solved for name in SUMMED):
            raise _damaged_totals()
        totals.counts = CellCounts.from_dict(plain["counts"], totals)
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
