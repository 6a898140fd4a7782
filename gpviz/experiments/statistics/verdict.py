"""What an experiment found, in one sentence first: how many of its cells agree with the paper."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from gpviz.experiments.statistics.cell_statistics import CellSummary
from gpviz.experiments.statistics.paper_tables import (
    AGREES,
    FAR,
    FEWEST,
    TOO_FEW,
    PaperComparison,
    table_verdict,
)
from gpviz.number_text import counted

_NOT_IN_PAPER: Final = "The paper has no values for these settings."
_EXACT_RULE: Final = f"A cell agrees if T, S and B lie within {FAR:g} standard errors of the exact values."
_BY_CHANCE: Final = "no further off than chance explains"
_KNOWN: Final = "off for a known reason: the paper's T is higher where n = 4"
_MORE_THAN_KNOWN: Final = "off by more than that reason explains"
_UNLIKELY: Final = "further off than chance explains"


@dataclass(frozen=True, slots=True)
class ExperimentVerdict:
    """``headline`` ends without a full stop.

    ``remarks`` are sentences about the cells that do not agree or are not counted; ``details`` are those with
    z and p.
    """

    headline: str
    remarks: str
    details: str

    @property
    def text(self) -> str:
        """All of it as one paragraph."""
        return " ".join(filter(None, (f"{self.headline}.", self.remarks, self.details)))


def experiment_verdict(summaries: Sequence[CellSummary], planned_runs: int = 0) -> ExperimentVerdict:
    """What the cells say so far; without ``planned_runs`` all runs of each are taken to be done.

    A cell agrees with the paper if T, S and B lie within 2 standard errors of the paper's. Where the paper has
    none of the cells their exact values take its place, and where these are not known either, it says what became
    of the runs.
    """
    is_going_on = any(summary.runs < planned_runs for summary in summaries)
    compared = [summary.paper for summary in summaries if summary.paper is not None]
    table = table_verdict(compared)
    judged = [paper for paper in compared if paper.grade != TOO_FEW] if table.values else []
    exactly = [_is_as_exact(summary) for summary in summaries if _has_exact(summary)]
    begin = "so far " if is_going_on else ""
    remarks: list[str] = []
    details = ""
    if judged:
        agreeing = sum(paper.grade == AGREES for paper in judged)
        headline = begin + _agreement(agreeing, len(judged), len(summaries), "the paper")
        remarks = _why_off(compared, table.different_cells)
        details = " ".join([table.reasons, *_exact_sentences(exactly)])
    elif compared:
        headline = "Too few runs to compare with the paper"
        remarks.append(f"A cell needs at least {FEWEST} solved runs.")
    elif exactly:
        headline = begin + _agreement(sum(exactly), len(exactly), len(summaries), "the exact values")
        details = _EXACT_RULE
    else:
        headline, remarks = _outcomes(summaries, begin)
    remarks += _left_out(summaries, planned_runs, has_judged=bool(judged))
    return ExperimentVerdict(f"{headline[:1].upper()}{headline[1:]}", " ".join(remarks), details)


def _agreement(agreeing: int, judged: int, cells: int, what: str) -> str:
    """How many cells agree with the paper, or with the exact values."""
    things = "cell" if judged == cells else "compared cell"
    if judged == 1:
        return f"the {things} {'agrees' if agreeing else 'does not agree'} with {what}"
    if not agreeing:
        return f"none of the {counted(judged, things)} agrees with {what}"
    number = f"all {judged:,}" if agreeing == judged else f"{agreeing:,} of {judged:,}"
    return f"{number} {things}s {'agrees' if agreeing == 1 else 'agree'} with {what}"


def _exact_sentences(exactly: Sequence[bool]) -> list[str]:
    """How many of the cells that have exact values agree with these."""
    if not exactly:
        return []
    agree = "agrees" if sum(exactly) == 1 else "agree"
    return [
        f"Exact values are known for {counted(len(exactly), 'cell')}; {sum(exactly):,} {agree} with them."
    ]


def _why_off(compared: Sequence[PaperComparison], different: Collection[int]) -> list[str]:
    """Why cells do not agree with the paper, each of them for one reason."""
    counts = Counter(
        _KNOWN if paper.is_first_leaf_seen else _UNLIKELY if position in different else _BY_CHANCE
        for position, paper in enumerate(compared)
        if paper.grade not in (AGREES, TOO_FEW)
    )
    if counts[_KNOWN]:
        more = sum(
            paper.is_first_leaf_likely and not paper.is_first_leaf_seen
            for position, paper in enumerate(compared)
            if position in different
        )
        counts += Counter({_MORE_THAN_KNOWN: more, _UNLIKELY: -more})
    return [
        f"{counts[reason]:,} {_is(counts[reason])} {reason}."
        for reason in (_BY_CHANCE, _KNOWN, _MORE_THAN_KNOWN, _UNLIKELY)
        if counts[reason]
    ]


def _outcomes(summaries: Sequence[CellSummary], begin: str) -> tuple[str, list[str]]:
    """What became of runs that can be compared with nothing."""
    runs = sum(summary.runs for summary in summaries)
    if not runs:
        return "No run is done yet", []
    solved = sum(summary.solved for summary in summaries)
    stuck = sum(summary.stuck for summary in summaries)
    number = f"all {counted(runs, 'run')}" if solved == runs else f"{solved:,} of {counted(runs, 'run')}"
    verb = "was" if solved == 1 else "were"
    return f"{begin}{number} {verb} solved", [f"{counted(stuck, 'run')} got stuck."] if stuck else []


def _left_out(summaries: Sequence[CellSummary], planned_runs: int, *, has_judged: bool) -> list[str]:
    """Which cells could not be compared as they should, and why."""
    cells = len(summaries)
    remarks: list[str] = []
    not_in_paper = sum(summary.paper is None for summary in summaries)
    too_few = sum(
        summary.paper is not None and summary.paper.grade == TOO_FEW and summary.runs >= planned_runs
        for summary in summaries
    )
    stopped = sum(summary.stopped > 0 for summary in summaries)
    incomplete = sum(summary.runs < planned_runs for summary in summaries)
    if too_few and has_judged:
        verb = "has" if too_few == 1 else "have"
        remarks.append(f"{counted(too_few, 'cell')} {verb} too few solved runs to compare.")
    if not_in_paper == cells:
        remarks.append(_NOT_IN_PAPER)
    elif not_in_paper:
        remarks.append(f"The paper has no values for {counted(not_in_paper, 'cell')}.")
    if stopped:
        remarks.append(
            f"In {counted(stopped, 'cell')} runs were stopped at max_iterations, so T and B are too low there."
        )
    if incomplete == cells:
        remarks.append("No cell is complete yet.")
    elif incomplete:
        remarks.append(f"{incomplete:,} of {cells:,} cells {_is(incomplete)} not complete yet.")
    return remarks


def _has_exact(summary: CellSummary) -> bool:
    """Whether it has exact values, and enough runs to be held against them."""
    return summary.exact is not None and summary.solved >= FEWEST


def _is_as_exact(summary: CellSummary) -> bool:
    assert summary.exact is not None
    ours = summary.exact.ours
    return all(z is not None and abs(z) <= FAR for z in (ours.z_T, ours.z_S, ours.z_B))


def _is(count: int) -> str:
    return "is" if count == 1 else "are"
