"""Sentences that follow from numbers: each is had with made-up runs."""

import pytest

from gpviz.engine.config import RunConfig
from gpviz.experiments.plan import find_plan
from gpviz.experiments.report.findings import (
    closing,
    gap_of,
    grade_of,
    measured_shift,
    small_cells,
    table_finding,
)
from gpviz.experiments.report.gap import EXACT, gap_finding, gap_section
from gpviz.experiments.summary import summarise
from gpviz.experiments.totals import Totals
from tests.engine.chain import Cell, solve
from tests.experiments.report.made_up import beside_paper, results_with


def readings(any_shift: float, insert_shift: float):
    def shift(config: RunConfig) -> float:
        return any_shift if config.empty_tree == "any" else insert_shift

    return results_with("insert-only", shift)


@pytest.mark.parametrize(
    ("any_shift", "insert_shift", "kind", "words"),
    [
        (-2.4, -0.2, "good", "insert-only brings the difference from"),
        (-5.0, -2.5, "mixed", "closer but still apart"),
        (-2.4, -4.0, "bad", "does not help"),
        (-0.1, 1.9, "unknown", "no gap to close"),
    ],
)
def test_whether_the_gap_closes_is_read_from_the_runs(any_shift, insert_shift, kind, words):
    finding = gap_finding(readings(any_shift, insert_shift))
    assert finding.kind == kind
    assert words in finding.sentence


def test_the_page_says_that_the_gap_stays_where_it_does():
    text = gap_section([], readings(-2.4, -4.0))
    assert "The gap stays." in text
    assert "The gap closes." not in text


def test_without_runs_nothing_is_claimed():
    plan = find_plan("insert-only")
    summaries = summarise(plan, [Totals() for _ in plan.cells])
    assert gap_of(summaries) is None
    assert closing(None, None).kind == "unknown"
    assert measured_shift(zip(summaries[::2], summaries[1::2], strict=True)) is None


def test_the_gap_is_the_mean_difference_with_its_error():
    gap = gap_of(small_cells(readings(-2.4, 0.0).summaries))
    assert gap is not None
    assert gap.cells == 8
    assert gap.mean == pytest.approx(-2.4, abs=0.01)
    assert gap.z == pytest.approx(gap.mean / gap.error)


def test_our_errors_count_as_if_chance_moved_all_cells_together_and_the_papers_do_not():
    cells = small_cells(readings(0.0, 0.0).summaries)[:1] * 16
    gap, alone = gap_of(cells), gap_of(cells[:1])
    assert gap is not None
    assert alone is not None
    ours, paper = cells[0].T.standard_error, cells[0].paper
    assert ours is not None
    assert paper is not None
    theirs = alone.error**2 - ours**2
    assert gap.error == pytest.approx((theirs / 16 + ours**2) ** 0.5)
    assert theirs == pytest.approx(paper.cell.T_sd**2 / paper.cell.solved, rel=0.01)


def test_cells_that_stay_outside_are_named_and_the_rest_is_told_too():
    def shift(config: RunConfig) -> float:
        if config.empty_tree == "any":
            return -3.0
        return -5.0 if (config.deletion, config.limit) == ("leaf", "2n") else 0.0

    finding = gap_finding(results_with("insert-only", shift))
    assert finding.kind == "good"
    assert "7 of 8 cells" in finding.sentence
    assert "what is left is leaf-only deletion, limit 2n" in finding.sentence
    assert "Without it the difference is 0.0" in finding.sentence


def test_the_measured_shift_is_the_mean_over_the_cells():
    results = readings(-2.0, 0.5)
    pairs = zip(
        small_cells(results.summaries), small_cells(results.summaries, empty_tree="insert-only"), strict=True
    )
    shift = measured_shift(pairs)
    assert shift is not None
    assert shift[0] == pytest.approx(2.5, abs=0.01)


@pytest.mark.parametrize(
    ("small", "large", "kind", "word"),
    [
        (0.0, 0.0, "good", "Agrees"),
        (-4.0, 0.0, "mixed", "Agrees, but for n = 4"),
        (0.0, 60.0, "bad", "Differs"),
    ],
)
def test_a_table_agrees_or_not_by_its_runs(small, large, kind, word):
    summaries = beside_paper(find_plan("table1"), lambda config: small if config.n == 4 else large, 500)
    finding, verdict = table_finding(summaries)
    assert (finding.kind, finding.word) == (kind, word)
    assert verdict.cells == 16


def test_a_table_without_runs_has_no_verdict():
    plan = find_plan("table2")
    assert table_finding(summarise(plan, [Totals() for _ in plan.cells]))[0].kind == "unknown"


@pytest.mark.parametrize(("z", "kind"), [(None, "unknown"), (-2, "good"), (2.5, "mixed"), (-3.1, "bad")])
def test_the_grade_of_a_z_goes_by_its_size(z, kind):
    assert grade_of(z) == kind


@pytest.mark.parametrize("exact", EXACT, ids=lambda exact: f"{exact.deletion}-{exact.empty_tree}")
def test_the_exact_values_are_those_of_the_chain(exact):
    solved = solve(Cell(4, 4, exact.deletion, empty_tree=exact.empty_tree))
    assert exact[2:] == pytest.approx(solved[:3], abs=5e-5)
