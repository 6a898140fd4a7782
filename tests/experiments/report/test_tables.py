"""How the report writes numbers, and what it finds in made-up runs."""

import pytest

from gpviz.experiments.plan import find_plan
from gpviz.experiments.report.page import readings_finding, table_finding
from gpviz.experiments.report.tables import grade_of, number
from gpviz.experiments.statistics.cell_statistics import summarise
from tests.experiments.report.made_up import results_with, totals_of


@pytest.mark.parametrize(
    ("value", "text"),
    [(1234.56, "1,234.6"), (-2.0, "\N{MINUS SIGN}2.0"), (-0.04, "0.0"), (None, "\N{EN DASH}")],
)
def test_numbers_have_a_true_minus_and_zero_has_none(value, text):
    assert number(value) == text


@pytest.mark.parametrize(("z", "grade"), [(None, "unknown"), (-2, "good"), (2.5, "mixed"), (-3.1, "bad")])
def test_the_grade_of_a_z_goes_by_its_size(z, grade):
    assert grade_of(z) == grade


@pytest.mark.parametrize(
    ("shifts", "grade", "word"),
    [
        ({}, "good", "All 16 cells agree with the paper"),
        (
            {(8, "n"): -10.0},
            "good",
            "15 of 16 cells agree with the paper",
        ),  # beyond two standard errors of its own, but one of 48
        ({(4, "2n"): -6.5, (8, "2n"): 20.0}, "mixed", "14 of 16 cells agree with the paper"),
    ],
)
def test_a_table_differs_if_a_value_is_further_off_than_chance_puts_any_of_them(shifts, grade, word):
    results = results_with("table1", lambda config: shifts.get((config.n, config.limit), 0.0), is_full=True)
    finding = table_finding(results.summaries)
    assert (finding.grade, finding.word) == (grade, word)


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
