"""Sentences that follow from numbers: each is had with made-up runs."""

from dataclasses import replace

import pytest

from gpviz.engine.config import RunConfig
from gpviz.experiments.chunks import Totals
from gpviz.experiments.plan import find_plan
from gpviz.experiments.report.findings import (
    cells_of,
    closing,
    gap_of,
    grade_of,
    measured_shift,
    table_finding,
)
from gpviz.experiments.report.gap_to_paper_section import gap_finding, gap_section
from gpviz.experiments.report.report_data import Results
from gpviz.experiments.statistics.cell_statistics import summarise
from gpviz.experiments.statistics.paper_tables import _chance_words
from tests.experiments.report.made_up import growing_results, results_with, totals_of


def readings(any_shift: float, insert_shift: float, *, is_one_luck: bool = False) -> Results:
    def shift(config: RunConfig) -> float:
        return any_shift if config.empty_tree == "any" else insert_shift

    return results_with("insert-only", shift, is_one_luck=is_one_luck)


@pytest.mark.parametrize(
    ("any_shift", "insert_shift", "kind", "words"),
    [
        (-2.4, -0.2, "good", "no longer to be told from none"),
        (-5.0, -2.5, "mixed", "closer but still apart"),
        (-2.4, -4.0, "bad", "so this does not help"),
        (-1.1, 0.9, "unknown", "too close to the middle of the two"),
    ],
)
def test_whether_the_gap_closes_is_read_from_the_runs(any_shift, insert_shift, kind, words):
    finding = gap_finding(readings(any_shift, insert_shift))
    assert finding.kind == kind
    assert words in finding.sentence


def test_the_page_says_that_the_gap_stays_where_it_does():
    text = gap_section(readings(-2.4, -4.0))
    assert "The gap stays." in text
    assert "The gap closes." not in text


@pytest.mark.parametrize(
    ("any_shift", "insert_shift", "words"),
    [
        (0.0, 0.5, "too few runs to tell the two readings apart"),
        (-5.0, 0.0, "speaks for insert-only"),
        (0.0, 5.0, "speaks against insert-only"),
        (-8.0, -6.0, "Neither reading fits"),
    ],
)
def test_what_larger_n_say_of_both_readings_is_read_from_the_runs(any_shift, insert_shift, words):
    def shift(config: RunConfig) -> float:
        return 0.0 if config.n == 4 else any_shift if config.empty_tree == "any" else insert_shift

    assert words in gap_section(results_with("insert-only", shift))


def test_without_runs_nothing_is_claimed():
    plan = find_plan("insert-only")
    summaries = summarise(plan, [Totals() for _ in plan.cells])
    results = replace(readings(0.0, 0.0), summaries=summaries)
    assert gap_of(results, summaries) is None
    assert closing(None, None, None).kind == "unknown"
    assert measured_shift(results, zip(summaries[::2], summaries[1::2], strict=True)) is None


def test_of_a_handful_of_runs_no_gap_is_said_to_close():
    results = results_with("insert-only", lambda config: -30.0 if config.empty_tree == "any" else 0.0, 9)
    assert gap_finding(results).kind == "unknown"
    assert "speaks" not in gap_section(results)


def test_the_gap_is_the_mean_difference_with_its_error():
    results = readings(-2.4, 0.0)
    gap = gap_of(results, cells_of(results.summaries, 4))
    assert gap is not None
    assert len(gap.summaries) == 8
    assert gap.mean == pytest.approx(-2.4, abs=0.02)
    assert gap.z == pytest.approx(gap.mean / gap.error)


@pytest.mark.parametrize("is_one_luck", [False, True])
def test_the_error_of_several_cells_counts_what_their_seeds_have_in_common(is_one_luck):
    results = readings(0.0, 0.0, is_one_luck=is_one_luck)
    cells = cells_of(results.summaries, 4)
    gap = gap_of(results, cells)
    assert gap is not None
    ours = [each.T.standard_error or 0.0 for each in cells]
    theirs = sum(each.paper.cell.T_sd**2 / each.paper.cell.solved for each in cells if each.paper is not None)
    together = sum(ours) ** 2 if is_one_luck else sum(error**2 for error in ours)
    assert gap.error == pytest.approx((together + theirs) ** 0.5 / 8, rel=0.02)


@pytest.mark.parametrize("is_one_luck", [False, True])
def test_the_measured_shift_is_the_mean_over_the_cells_and_common_luck_cancels(is_one_luck):
    results = readings(-2.0, 0.5, is_one_luck=is_one_luck)
    pairs = list(
        zip(
            cells_of(results.summaries, 4),
            cells_of(results.summaries, 4, empty_tree="insert-only"),
            strict=True,
        )
    )
    shift = measured_shift(results, pairs)
    assert shift is not None
    assert shift[0] == pytest.approx(2.5, abs=0.02)
    if is_one_luck:
        assert shift[1] < 0.02
    else:
        variances = [(each.T.standard_error or 0.0) ** 2 for pair in pairs for each in pair]
        assert shift[1] == pytest.approx(sum(variances) ** 0.5 / 8, rel=0.05)


def test_cells_that_stay_outside_are_named():
    def shift(config: RunConfig) -> float:
        if config.empty_tree == "any":
            return -3.0
        return -5.0 if (config.deletion, config.limit) == ("leaf", "2n") else 0.0

    finding = gap_finding(results_with("insert-only", shift))
    assert finding.kind == "good"
    assert "7 of 8 cells" in finding.sentence
    assert "not leaf-only deletion, limit 2n (z = " in finding.sentence


@pytest.mark.parametrize(
    ("shifts", "kind", "word"),
    [
        ({}, "good", "Agrees"),
        ({(8, "n"): -10.0}, "good", "Agrees"),  # beyond two standard errors of its own, but one of 48
        ({(4, "2n"): -6.5, (8, "2n"): 20.0}, "mixed", "Differs in 2 of 48 values"),
    ],
)
def test_a_table_differs_if_a_value_is_further_off_than_chance_puts_any_of_them(shifts, kind, word):
    results = results_with(
        "table1", lambda config: shifts.get((config.n, config.limit), 0.0), 4000, is_full=True
    )
    finding = table_finding(results.summaries)
    assert (finding.kind, finding.word) == (kind, word)
    assert f"{48 - len(shifts)} of 48 values (T, S and B of the cells) lie within 2" in finding.sentence
    assert ("nothing unusual" in finding.sentence) == (kind == "good")


@pytest.mark.parametrize(
    ("p", "words"),
    [(1e-9, "at most 0.001"), (0.0021, "at most 0.003"), (0.11, "at most 0.11"), (0.7, "nothing unusual")],
)
def test_how_likely_chance_is_to_do_it_is_rounded_up(p, words):
    assert words in _chance_words(p, 48)


def test_a_table_of_which_most_values_are_off_is_bad_news():
    assert table_finding(results_with("table2", lambda config: 60.0).summaries).kind == "bad"


@pytest.mark.parametrize("count", [0, 9])
def test_a_table_with_few_runs_has_no_verdict(count):
    plan = find_plan("table2")
    totals = [totals_of(40, 20, count) if count else Totals() for _ in plan.cells]
    assert table_finding(summarise(plan, totals)).kind == "unknown"


@pytest.mark.parametrize(("z", "kind"), [(None, "unknown"), (-2, "good"), (2.5, "mixed"), (-3.1, "bad")])
def test_the_grade_of_a_z_goes_by_its_size(z, kind):
    assert grade_of(z) == kind


def test_the_papers_means_for_four_variables_are_judged_against_exact_ones():
    results = results_with("insert-only")
    assert gap_finding(results).sentence.endswith(
        "the paper's means of T together have z = +3.27 as printed and z = −0.03 with insert-only."
    )
    text = str(gap_section(results)).replace("\N{NO-BREAK SPACE}", " ")
    assert "as printed, from +0.40 to +2.51 standard errors, and z = +3.27 for all of them together" in text
    assert "with insert-only, from −1.13 to +1.06 standard errors, and z = −0.03 for all" in text
    rows = text.partition("Exact values")[2].split("<tr>")[3:]
    assert len(rows) == 8
    assert all(mean in row for mean, row in zip(("45.78", "39.25", "47.73", "40.15"), rows[:4], strict=True))
    assert "gpviz exact --n 4 --limit n --deletion leaf" in text


@pytest.mark.parametrize(("gap", "truth"), [(-2.4, "good"), (0.0, "bad"), (2.4, "bad")])
def test_more_runs_never_turn_a_verdict_on_the_gap_round(gap, truth):
    """Experiments that grow; insert-only takes 2 iterations longer, and as printed they are off by the gap."""

    def shift(config: RunConfig) -> float:
        return gap + 2.0 * (config.empty_tree != "any")

    counts = [20, 40, 60, 80, 100, 120, 150, 200, 300, 500, 1000, 2000]
    at_last = []
    for seed in range(10):
        grown = growing_results("insert-only", shift, seed, counts)
        kinds = [gap_finding(results).kind for results in grown]
        # A gap that narrows and one that closes are no contradiction.
        assert set(kinds) <= {"unknown", truth, "mixed" if truth == "good" else truth}, (seed, kinds)
        at_last.append(kinds[-1])
    assert at_last.count(truth) >= 8
