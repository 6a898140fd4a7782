"""How the report writes numbers, and what it finds in made-up runs."""

import pytest

from gpviz.experiments.plan import find_plan
from gpviz.experiments.report.page import readings_finding, table_finding
from gpviz.experiments.report.tables import grade_of, number, paper_table, signed, small_share
from gpviz.experiments.statistics.cell_statistics import summarise
from tests.experiments.report.made_up import results_with, totals_of


@pytest.mark.parametrize(
    ("value", "text"),
    [(1234.56, "1,234.6"), (-2.0, "\N{MINUS SIGN}2.0"), (-0.04, "0.0"), (None, "\N{EN DASH}")],
)
def test_numbers_have_a_true_minus_and_zero_has_none(value, text):
    assert number(value) == text


@pytest.mark.parametrize(("value", "text"), [(1.0, "+1.00"), (-1.0, "\N{MINUS SIGN}1.00"), (0.001, "0.00")])
def test_signed_numbers_always_have_their_sign_except_zero(value, text):
    assert signed(value) == text


@pytest.mark.parametrize(
    ("share", "text"), [(0.0, "0.000"), (0.25, "0.250"), (2.1e-6, "2.1 × 10⁻⁶"), (None, "\N{EN DASH}")]
)
def test_a_small_share_keeps_its_digits(share, text):
    assert small_share(share).replace("\N{NO-BREAK SPACE}", " ") == text


@pytest.mark.parametrize(("z", "grade"), [(None, "unknown"), (-2, "good"), (2.5, "mixed"), (-3.1, "bad")])
def test_the_grade_of_a_z_goes_by_its_size(z, grade):
    assert grade_of(z) == grade


def test_a_cell_that_is_off_has_a_cross():
    assert "✗" in paper_table("Table 1", results_with("table1", lambda config: 20.0 * (config.n == 4)))


@pytest.mark.parametrize(
    ("shifts", "grade", "word"),
    [
        ({}, "good", "Agrees"),
        ({(8, "n"): -10.0}, "good", "Agrees"),  # beyond two standard errors of its own, but one of 48
        ({(4, "2n"): -6.5, (8, "2n"): 20.0}, "mixed", "Differs in 2 of 48 values"),
    ],
)
def test_a_table_differs_if_a_value_is_further_off_than_chance_puts_any_of_them(shifts, grade, word):
    results = results_with("table1", lambda config: shifts.get((config.n, config.limit), 0.0), is_full=True)
    finding = table_finding(results.summaries)
    assert (finding.grade, finding.word) == (grade, word)


def test_a_table_of_which_most_values_are_off_is_bad_news():
    assert table_finding(results_with("table2", lambda config: 60.0).summaries).grade == "bad"


@pytest.mark.parametrize("count", [0, 9])
def test_a_table_with_few_runs_has_no_verdict(count):
    plan = find_plan("table2")
    totals = [totals_of(40, 20, count) for _ in plan.cells]
    assert table_finding(summarise(plan, totals)).grade == "unknown"


def test_the_two_readings_are_counted_cell_by_cell_and_judged_against_exact_values():
    results = results_with("insert-only", lambda config: -6.0 if config.empty_tree == "any" else -0.2)
    finding = readings_finding(results.summaries)
    assert (finding.grade, finding.word) == ("good", "0 of 8 cells agree as printed, 8 with insert-only")
    assert "−6.0 iterations as printed, and −0.2 if" in finding.sentence
    assert "z = +3.27 as printed and z = −0.03 with insert-only" in finding.sentence


def test_the_two_readings_are_not_judged_with_few_runs():
    assert readings_finding(results_with("insert-only", count=9).summaries).grade == "unknown"
