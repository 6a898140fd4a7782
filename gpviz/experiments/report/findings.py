"""What the runs say, in sentences that follow from their numbers and change with them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, Literal

from gpviz.experiments.normal import chi_square_sf, p_text
from gpviz.experiments.paper import TableVerdict, table_verdict
from gpviz.experiments.report.words import cell_words, counted, listed, number, signed
from gpviz.experiments.summary import CellSummary

__all__ = [
    "FAR",
    "Finding",
    "Gap",
    "closing",
    "gap_of",
    "grade_of",
    "measured_shift",
    "small_cells",
    "table_finding",
]

FAR: Final = 2.0
"""From so many standard errors on a difference is called one."""

VERY_FAR: Final = 3.0
SMALL_N: Final = 4
"""Where the printed algorithm and the printed numbers are apart in all cells."""

_CLEAR: Final = 0.01
_ROUNDING: Final = 0.1**2 / 12  # the paper's means have one digit after the point

Kind = Literal["good", "mixed", "bad", "unknown"]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something found: what kind of news it is, a word or two for it, and the sentence."""

    kind: Kind
    word: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Gap:
    """The mean difference in T of some cells, ours less the paper's, each weighted by how sure it is.

    The cells of a plan share their seeds, so that chance moves our means together: runs on one seed begin alike
    and often stay so for long. ``error`` counts them as if they moved together fully, which is the most it can be;
    the paper's means are taken as independent.

    ``outside`` are the cells that are by themselves more than two standard errors away.
    """

    mean: float
    error: float
    chi_square: float
    outside: tuple[CellSummary, ...]
    summaries: tuple[CellSummary, ...]

    @property
    def cells(self) -> int:
        """How many cells were compared."""
        return len(self.summaries)

    @property
    def z(self) -> float:
        """The difference in standard errors."""
        return self.mean / self.error

    @property
    def words(self) -> str:
        """The difference with its standard error and z."""
        return f"{signed(self.mean, 1)} ± {number(self.error, 1)} iterations, z = {signed(self.z)}"


def gap_of(summaries: Iterable[CellSummary]) -> Gap | None:
    """How far these cells are from the paper together; None where no cell can be compared."""
    weights = total = chi_square = theirs = ours = 0.0
    outside: list[CellSummary] = []
    compared: list[CellSummary] = []
    for summary in summaries:
        paper, mean, error = summary.paper, summary.T.mean, summary.T.standard_error
        if paper is None or paper.z_T is None or mean is None or error is None:
            continue
        paper_variance = paper.cell.T_sd**2 / paper.cell.solved + _ROUNDING
        variance = error**2 + paper_variance
        compared.append(summary)
        weights += 1 / variance
        total += (mean - paper.cell.T) / variance
        theirs += paper_variance / variance**2
        ours += error / variance
        chi_square += paper.z_T**2
        if abs(paper.z_T) > FAR:
            outside.append(summary)
    if not compared:
        return None
    error_of_mean = sqrt(theirs + ours**2) / weights
    return Gap(total / weights, error_of_mean, chi_square, tuple(outside), tuple(compared))


def small_cells(summaries: Sequence[CellSummary], *, empty_tree: str = "any") -> list[CellSummary]:
    """The cells with n = 4, for one way with the empty tree."""
    return [
        summary
        for summary in summaries
        if summary.cell.config.n == SMALL_N and summary.cell.config.empty_tree == empty_tree
    ]


def grade_of(z: float | None) -> Kind:
    """Whether a value is close to the paper's, a little off, or far from it."""
    if z is None:
        return "unknown"
    return "good" if abs(z) <= FAR else "mixed" if abs(z) <= VERY_FAR else "bad"


def table_finding(summaries: Sequence[CellSummary]) -> tuple[Finding, TableVerdict]:
    """Whether a table as a whole agrees with the paper's, and the counts of all its cells.

    The cells with n = 4 are looked at for a common shift, the others for more distance than chance makes.
    """
    verdict = table_verdict(summary.paper for summary in summaries if summary.paper is not None)
    small = gap_of(small_cells(summaries))
    large = gap_of(summary for summary in summaries if summary.cell.config.n != SMALL_N)
    if small is None or large is None:
        return Finding("unknown", "Too few runs to tell", verdict.sentence), verdict
    p = chi_square_sf(large.chi_square, large.cells)
    is_shifted, is_close = abs(small.z) > FAR, p >= _CLEAR
    close = large.cells - len(large.outside)
    larger = (
        f"{close} of the {counted(large.cells, 'mean')} of T with n > {SMALL_N}"
        f" {'lies' if close == 1 else 'lie'} within {FAR:g} standard errors of the paper's (chi-square"
        f" {number(large.chi_square)} for {counted(large.cells, 'cell')}, p {p_text(p)})"
    )
    shift = f"with n = {SMALL_N} ours less the paper's is {small.words}"
    sentence = f"{larger}; {shift}."
    if is_close:
        word = f"Agrees, but for n = {SMALL_N}" if is_shifted else "Agrees"
        return Finding("mixed" if is_shifted else "good", word, sentence), verdict
    return Finding("bad", "Differs", sentence), verdict


def measured_shift(pairs: Iterable[tuple[CellSummary, CellSummary]]) -> tuple[float, float] | None:
    """By how much the second cells of the pairs take longer on average, and the standard error of that.

    The cells share their seeds, so the error is counted as if chance moved all pairs together.
    """
    total = error = 0.0
    count = 0
    for one, other in pairs:
        errors = (one.T.standard_error, other.T.standard_error)
        if one.T.mean is None or other.T.mean is None or errors[0] is None or errors[1] is None:
            continue
        count += 1
        total += other.T.mean - one.T.mean
        error += sqrt(errors[0] ** 2 + errors[1] ** 2)
    return (total / count, error / count) if count else None


def closing(before: Gap | None, after: Gap | None) -> Finding:
    """Whether planting the first leaf by an insertion only closes the gap to the paper."""
    if before is None or after is None:
        return Finding(
            "unknown", "Too few runs to tell", "There are too few solved runs to compare the two readings."
        )
    if abs(before.z) <= FAR:
        return Finding(
            "unknown",
            "No gap to be seen",
            f"In these runs the algorithm as printed is not clearly apart from the paper ({before.words}), so"
            f" there is no gap to close; with insertions only the difference is {after.words}. More runs would"
            " show more.",
        )
    numbers = f"from {before.words}, to {after.words}"
    left = _outside_words(after)
    if abs(after.z) <= FAR:
        return Finding("good", "The gap closes", f"insert-only brings the difference {numbers}. {left}")
    if abs(after.mean) < abs(before.mean):
        return Finding(
            "mixed",
            "The gap narrows",
            f"insert-only brings the difference {numbers}, which is closer but still apart. {left}",
        )
    return Finding(
        "bad", "The gap stays", f"insert-only does not help: the difference goes {numbers}. {left}"
    )


def _outside_words(gap: Gap) -> str:
    """Which cells are still off by themselves."""
    if not gap.outside:
        return f"Then all {gap.cells} cells lie within {FAR:g} standard errors of the paper's."
    cells = listed(
        [
            f"{cell_words(each.cell.config, has_n=False)} (z = {signed(each.paper.z_T)})"
            for each in gap.outside
            if each.paper is not None
        ]
    )
    close = gap.cells - len(gap.outside)
    words = (
        f"Then {close} of {gap.cells} cells lie within {FAR:g} standard errors of the paper's; what is left is"
        f" {cells}."
    )
    rest = gap_of(each for each in gap.summaries if each not in gap.outside)
    if rest is None:
        return words
    return f"{words} Without {'it' if len(gap.outside) == 1 else 'them'} the difference is {rest.words}."
