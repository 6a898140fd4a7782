"""What the runs say, in sentences that follow from their numbers and change with them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, Literal

import numpy as np

from gpviz.experiments.report.report_data import Results
from gpviz.experiments.report.report_text import cell_words, listed, number, signed
from gpviz.experiments.statistics.cell_statistics import CellSummary
from gpviz.experiments.statistics.paper_tables import FAR, FEWEST, ROUNDING, VERY_FAR, table_verdict

_IF: Final = "If only an insertion adds the first leaf (insert-only),"

Kind = Literal["good", "mixed", "bad", "unknown"]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something found: what kind of news it is, a word or two for it, and the sentence."""

    kind: Kind
    word: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Gap:
    """The mean difference in T over some cells, ours less the paper's, with its standard error.

    The cells of a plan share their seeds, so that chance moves our means together; ``error`` counts that as the
    runs show it. The paper's means are taken as independent of each other.
    """

    mean: float
    error: float
    summaries: tuple[CellSummary, ...]

    @property
    def z(self) -> float:
        """The difference in standard errors."""
        return self.mean / self.error

    @property
    def words(self) -> str:
        """The difference with its standard error and z."""
        return f"{signed(self.mean, 1)} ± {number(self.error, 1)} iterations, z = {signed(self.z)}"

    @property
    def outside(self) -> tuple[CellSummary, ...]:
        """The cells that are by themselves more than two standard errors away."""
        return tuple(
            each
            for each in self.summaries
            if each.paper is not None and each.paper.z_T is not None and abs(each.paper.z_T) > FAR
        )


def gap_of(results: Results, summaries: Iterable[CellSummary]) -> Gap | None:
    """How far these cells are from the paper on average; None where no cell can be compared."""
    compared: list[CellSummary] = []
    total = theirs = 0.0
    for summary in summaries:
        paper, mean = summary.paper, summary.T.mean
        if paper is None or mean is None or summary.T.count < FEWEST:
            continue
        compared.append(summary)
        total += mean - paper.cell.T
        theirs += paper.cell.T_sd**2 / paper.cell.solved + ROUNDING
    if not compared:
        return None
    count = len(compared)
    ours = _variance(results, [(each, 1 / count) for each in compared])
    return Gap(total / count, sqrt(ours + theirs / count**2), tuple(compared))


def _variance(results: Results, weighted: Iterable[tuple[CellSummary, float]]) -> float:
    """The variance of a weighted sum of our means of T, for cells whose runs share their seeds by their numbers.

    What a seed adds to the sum is one value, however many cells it has a part in, and seeds are independent.
    """
    parts = np.zeros(results.plan.runs)
    for summary, weight in weighted:
        cell, mean = summary.cell.number, summary.T.mean
        if mean is not None:
            deviations = results.values(cell, "iterations") - mean
            parts[results.values(cell, "number")] += weight / summary.T.count * deviations
    return float(parts @ parts)


def cells_of(summaries: Sequence[CellSummary], n: int, *, empty_tree: str = "any") -> list[CellSummary]:
    """The cells with one n, for one way with the empty tree."""
    return [
        summary
        for summary in summaries
        if summary.cell.config.n == n and summary.cell.config.empty_tree == empty_tree
    ]


def grade_of(z: float | None) -> Kind:
    """Whether a value is close to the paper's, a little off, or far from it."""
    if z is None:
        return "unknown"
    return "good" if abs(z) <= FAR else "mixed" if abs(z) <= VERY_FAR else "bad"


def table_finding(summaries: Sequence[CellSummary]) -> Finding:
    """Whether a table as a whole agrees with the paper's."""
    verdict = table_verdict(each.paper for each in summaries if each.paper is not None)
    kind: Kind = "good"
    if not verdict.values:
        kind = "unknown"
    elif verdict.different:
        kind = "mixed" if 2 * verdict.different < verdict.values else "bad"
    return Finding(kind, verdict.word, verdict.reasons)


def measured_shift(
    results: Results, pairs: Iterable[tuple[CellSummary, CellSummary]]
) -> tuple[float, float] | None:
    """By how much the second cells of the pairs take longer on average, and the standard error of that."""
    known = [
        (one, other, other.T.mean - one.T.mean)
        for one, other in pairs
        if one.T.mean is not None and other.T.mean is not None
    ]
    if not known:
        return None
    count = len(known)
    weighted = [
        (each, sign / count) for one, other, _ in known for each, sign in ((one, -1), (other, 1))
    ]  # fmt: skip
    return sum(shift for *_, shift in known) / count, sqrt(_variance(results, weighted))


def midpoint_gap(results: Results, pairs: Iterable[tuple[CellSummary, CellSummary]]) -> Gap | None:
    """How far the midpoint between the two cells of each pair is from the paper, on average.

    Its sign says which of the two is closer to the paper. Both have the same seeds, so what these have in common
    does not blur it, and there is one question with one error instead of two that may be answered differently.
    """
    compared: list[tuple[CellSummary, float]] = []
    total = theirs = 0.0
    count = 0
    for one, other in pairs:
        paper = one.paper
        if paper is None or one.T.mean is None or other.T.mean is None:
            continue
        if min(one.T.count, other.T.count) < FEWEST:
            continue
        count += 1
        compared += [(one, 0.5), (other, 0.5)]
        total += (one.T.mean + other.T.mean) / 2 - paper.cell.T
        theirs += paper.cell.T_sd**2 / paper.cell.solved + ROUNDING
    if not count:
        return None
    ours = _variance(results, [(each, weight / count) for each, weight in compared])
    return Gap(total / count, sqrt(ours + theirs / count**2), tuple(each for each, _ in compared))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Which of two readings is closer to the paper, judged by the differences of runs with the same seeds.

    ``shift`` is by how much the second takes longer, with its standard error; ``midpoint_gap`` is what the
    function of that name says.
    """

    midpoint_gap: Gap
    shift: tuple[float, float]

    @property
    def is_clear(self) -> bool:
        """Whether it can be told: the two are apart and the paper is off their midpoint, by more than chance."""
        mean, error = self.shift
        return abs(mean) > FAR * error and abs(self.midpoint_gap.z) > FAR

    @property
    def is_second(self) -> bool:
        """Whether the second is the closer one."""
        return self.midpoint_gap.mean * self.shift[0] < 0


def comparison_of(results: Results, pairs: Sequence[tuple[CellSummary, CellSummary]]) -> Comparison | None:
    """Which cell of the pairs is closer to the paper; None without enough runs."""
    gap, shift = midpoint_gap(results, pairs), measured_shift(results, pairs)
    return None if gap is None or shift is None else Comparison(gap, shift)


def closing(before: Gap | None, after: Gap | None, closer: Comparison | None) -> Finding:
    """Whether planting the first leaf by an insertion only closes the gap to the paper.

    It does if the paper's means are closer to the second reading than to the first, by more than chance brings,
    and not to be told from it.
    """
    if before is None or after is None or closer is None:
        return Finding(
            "unknown", "Too few runs to tell", "There are too few solved runs to compare the two readings."
        )
    if not closer.is_clear:
        mean, error = closer.shift
        return Finding(
            "unknown",
            "Too few runs to tell",
            f"The mean difference of T to the paper is {before.words}, as printed, and {after.words}, if only an"
            f" insertion adds the first leaf. With the same seeds the second takes {number(abs(mean), 1)} ±"
            f" {number(error, 1)} iterations {'longer' if mean >= 0 else 'less'}. The paper's mean lies too close"
            " to the middle of the two for these runs to tell which it matches.",
        )
    numbers = f"the mean difference of T to the paper goes from {before.words}, to {after.words}"
    left = _outside_words(after)
    if not closer.is_second:
        return Finding("bad", "The gap stays", f"{_IF} {numbers}, so this does not help. {left}")
    if abs(after.z) <= FAR:
        return Finding("good", "The gap closes", f"{_IF} {numbers}, no longer to be told from none. {left}")
    return Finding("mixed", "The gap narrows", f"{_IF} {numbers}, which is closer but still apart. {left}")


def _outside_words(gap: Gap) -> str:
    """Which cells are still off by themselves."""
    count = len(gap.summaries)
    if not gap.outside:
        return f"Then all {count} cells lie within {FAR:g} standard errors of the paper's."
    return (
        f"Then {count - len(gap.outside)} of {count} cells lie within {FAR:g} standard errors of the paper's; not"
        f" {far_words(gap)}."
    )


def far_words(gap: Gap) -> str:
    """The cells that are off by themselves, with their z."""
    return listed(
        [
            f"{cell_words(each.cell.config, has_n=False)} (z = {signed(each.paper.z_T)})"
            for each in gap.outside
            if each.paper is not None
        ]
    )
