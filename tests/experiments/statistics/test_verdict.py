"""What an experiment found, in one sentence: true for what was compared, and for what was not."""

import pytest

from gpviz.experiments.plan import Plan
from gpviz.experiments.statistics.cell_statistics import summarise
from gpviz.experiments.statistics.exact_comparison import exact_cell
from gpviz.experiments.statistics.paper_tables import paper_cell
from gpviz.experiments.statistics.verdict import experiment_verdict
from gpviz.experiments.totals import Sums, Totals
from tests.experiments.report.made_up import results_with, totals_of

PLAN = Plan(
    name="small", runs=500, x="n", settings={"limit": "2n", "deletion": "subtree"}, grid={"n": (8, 12, 16)}
)


def verdict_of(totals, plan=PLAN, exact=None):
    return experiment_verdict(summarise(plan, totals, exact or {}), plan.runs)


def totals_near(cell, off=0.0, count=500):
    """Runs whose T lies so many standard errors above the paper's."""
    paper = paper_cell(cell.config)
    assert paper is not None
    totals = totals_of(paper.T + off * paper.T_sd * (1 / count + 1 / paper.solved) ** 0.5, paper.T_sd, count)
    totals.solved_runs["leaves"] = Sums(
        count, round(paper.S * count), round((count - 1) * paper.S_sd**2 + (paper.S * count) ** 2 / count)
    )
    return totals


def test_a_plan_that_agrees_says_so_and_nothing_more():
    verdict = verdict_of([totals_near(cell) for cell in PLAN.cells])
    assert (verdict.headline, verdict.remarks) == ("All 3 cells agree with the paper", "")
    assert "of 6 values (T and S of the cells) lie within 2 standard errors" in verdict.details
    assert verdict.text.startswith("All 3 cells agree with the paper. 6 of 6 values")


@pytest.mark.parametrize(
    ("offs", "headline", "remarks"),
    [
        ((0, 0, 2.4), "2 of 3 cells agree", "1 is no further off than chance explains."),
        (
            (0, 2.4, -5),
            "1 of 3 cells agrees",
            "1 is no further off than chance explains. 1 is further off than",
        ),
        ((6, 6, -6), "None of the 3 cells agrees", "3 are further off than chance explains."),
    ],
)
def test_cells_that_do_not_agree_are_counted_with_what_chance_makes_of_them(offs, headline, remarks):
    verdict = verdict_of([totals_near(cell, off) for cell, off in zip(PLAN.cells, offs, strict=True)])
    assert verdict.headline == f"{headline} with the paper"
    assert verdict.remarks.startswith(remarks)


def test_the_shorter_runs_with_four_variables_are_named_as_known():
    results = results_with(
        "table2", lambda config: -3.0 if config.n == 4 else 0.0, count=20_000, is_full=True
    )
    verdict = experiment_verdict(results.summaries)
    assert verdict.headline == "12 of 16 cells agree with the paper"
    assert verdict.remarks == "4 are off for a known reason: the paper's T is higher where n = 4."
    assert "Exact values are known for 2 cells; " in verdict.details


def test_where_the_known_reason_explains_a_part_only_that_is_said():
    def off(config):
        if config.n > 4:
            return 0.0
        return -12.0 if config.max_leaves == 4 else -3.0

    verdict = experiment_verdict(results_with("table2", off, count=20_000, is_full=True).summaries)
    assert verdict.remarks == (
        "3 are off for a known reason: the paper's T is higher where n = 4."
        " 1 is off by more than that reason explains."
    )


def test_an_experiment_that_goes_on_counts_what_it_has():
    first, second, _ = PLAN.cells
    verdict = verdict_of([totals_near(first), totals_near(second, count=200), Totals()])
    assert verdict.headline == "So far all 2 compared cells agree with the paper"
    assert verdict.remarks == "2 of 3 cells are not complete yet."
    alone = verdict_of([totals_near(first), Totals(), Totals()])
    assert alone.headline == "So far the compared cell agrees with the paper"


def test_cells_with_few_solved_runs_are_not_counted():
    plan = PLAN.replaced(runs=30)
    few = verdict_of([totals_near(cell, count=30) for cell in plan.cells], plan)
    assert few.headline == "Too few runs to compare with the paper"
    assert (few.remarks, few.details) == ("A cell needs at least 50 solved runs.", "")
    hardly = [totals_near(cell) for cell in PLAN.cells[:2]] + [Totals(runs=500, stuck=460, solved=40)]
    hardly[2].solved_runs["iterations"] = hardly[2].solved_runs["leaves"] = Sums(40, 400, 4200)
    verdict = verdict_of(hardly)
    assert verdict.headline == "All 2 compared cells agree with the paper"
    assert verdict.remarks == "1 cell has too few solved runs to compare."


def test_cells_that_the_paper_does_not_have_are_counted_apart():
    plan = PLAN.replaced(grid={"n": (8, 9)})
    totals = [totals_near(plan.cells[0]), totals_of(100, 40, 500)]
    verdict = verdict_of(totals, plan)
    assert verdict.headline == "The compared cell agrees with the paper"
    assert verdict.remarks == "The paper has no values for 1 cell."


def test_where_the_paper_has_nothing_exact_values_take_its_place():
    plan = PLAN.replaced(settings={"limit": "n", "deletion": "leaf"}, grid={"n": (3,)})
    (cell,) = plan.cells
    exact = exact_cell(cell.config)
    assert exact is not None
    assert exact.mean is not None
    assert exact.sd is not None
    near = totals_of(exact.mean, exact.sd, 500)
    near.solved_runs["leaves"] = Sums(500, 1500, 4500)
    verdict = verdict_of([near], plan, {cell.number: exact})
    assert verdict.headline == "The cell agrees with the exact values"
    assert verdict.remarks == "The paper has no values for these settings."
    far = totals_of(exact.mean + exact.sd, exact.sd, 500)
    assert (
        verdict_of([far], plan, {cell.number: exact}).headline
        == "The cell does not agree with the exact values"
    )


def test_where_nothing_can_be_compared_it_says_what_became_of_the_runs():
    plan = PLAN.replaced(grid={"n": (9, 10)})
    none = verdict_of([Totals(), Totals()], plan)
    assert (
        none.text
        == "No run is done yet. The paper has no values for these settings. No cell is complete yet."
    )
    some = verdict_of([totals_of(100, 40, 498, stuck=2), totals_of(100, 40, 400)], plan)
    assert some.headline == "So far 898 of 900 runs were solved"
    assert some.remarks == (
        "2 runs got stuck. The paper has no values for these settings. 1 of 2 cells is not complete yet."
    )


def test_stopped_runs_are_never_kept_quiet():
    totals = [totals_near(cell) for cell in PLAN.cells]
    totals[1].runs += 3
    totals[1].stopped += 3
    remark = "In 1 cell runs were stopped at max_iterations, so T and B are too low there."
    assert remark in verdict_of(totals).remarks
