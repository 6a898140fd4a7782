"""The sections whose words depend on what was found."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Outcome
from gpviz.engine.search import RlsGp
from gpviz.engine.stuck import NormalForms
from gpviz.experiments.chunks import RunRow, Sums, Totals, run_one
from gpviz.experiments.plan import Plan, find_plan
from gpviz.experiments.report.distribution_section import _drift_words, spread_section
from gpviz.experiments.report.gap_to_paper_section import gap_section
from gpviz.experiments.report.page import _never_stuck
from gpviz.experiments.report.paper_tables_section import table_section
from gpviz.experiments.report.report_data import Results
from gpviz.experiments.report.sampled_rows_section import _claims, _small, per_decade, sampled_section
from gpviz.experiments.report.stuck_trees_section import stuck_section, stuck_trees
from gpviz.experiments.statistics.cell_statistics import summarise
from gpviz.experiments.statistics.measured_drift import DriftCurve
from gpviz.experiments.statistics.paper_tables import PaperComparison
from tests.experiments.report.made_up import results_with, totals_of

STUCK = ((0, 436), (4, 123), (0, 100), (0, 101))
"""Cell and number of runs of table 1: the first two get stuck, the others do not."""


def empty_results(plan: Plan) -> Results:
    totals = [Totals() for _ in plan.cells]
    return Results(
        plan,
        totals,
        summarise(plan, totals),
        0.0,
        lambda cell, column: np.empty(0, np.int64),
        lambda cell: [],
    )


@pytest.fixture(scope="module")
def stuck_results() -> Results:
    plan = find_plan("table1")
    rows: dict[int, list[RunRow]] = {}
    for cell, run in STUCK:
        row = run_one(plan.cells[cell].config_of(run), run, plan.max_iterations)
        if row.outcome == "stuck":
            rows.setdefault(cell, []).append(row)
    totals = [totals_of(40, 20, 100, stuck=len(rows.get(cell.number, ()))) for cell in plan.cells]

    def stuck(cell: int) -> Sequence[RunRow]:
        return rows.get(cell, [])

    return Results(
        plan, totals, summarise(plan, totals), 1.0, lambda cell, column: np.empty(0, np.int64), stuck
    )


class TestStuck:
    def test_the_trees_are_those_on_which_the_runs_end(self, stuck_results):
        trees = stuck_trees(stuck_results)
        assert [(each.config.limit, each.config.seed) for each in trees] == [("n", 437), ("n+1", 124)]
        for each in trees:
            result = RlsGp(each.config).run(stop_when_stuck=True)
            assert result.outcome is Outcome.STUCK
            assert (result.tree, result.stuck_since, result.error) == (
                each.tree,
                each.stuck_since,
                each.error,
            )

    def test_no_two_are_alike(self, stuck_results):
        forms = NormalForms()
        twice = replace(stuck_results, stuck=lambda cell: [*stuck_results.stuck(cell)] * 3)
        numbers = [forms.of(each.tree) for each in stuck_trees(twice)]
        assert len(numbers) == len(set(numbers)) == 2

    def test_a_run_that_is_not_stuck_here_is_not_shown(self, stuck_results):
        row = stuck_results.stuck(0)[0]._replace(number=0)
        assert stuck_trees(replace(stuck_results, stuck=lambda cell: [row] if cell == 0 else [])) == []

    def test_each_is_shown_with_the_command_that_comes_to_it(self, stuck_results):
        text = stuck_section(stuck_results).replace('<span class="whole">', "").replace("</span>", "")
        assert "gpviz run --n 4 --limit n --deletion leaf --seed 437" in text
        assert text.count("<svg") == 2
        assert "In all trees below an OR joins the same function twice" in text
        assert "All have as many leaves as their limit allows" in text

    def test_where_no_run_got_stuck_there_is_no_tree(self):
        text = stuck_section(results_with("table1"))
        assert "got stuck, so there is no tree to show" in text
        assert "<svg" not in text

    @pytest.mark.parametrize(("stuck_limit", "begins"), [(None, "None of our"), ("n+1", "1 run got stuck. ")])
    def test_with_subtree_deletion_the_theorem_is_quoted_for_the_limits_it_is_about(
        self, stuck_limit, begins
    ):
        text = _never_stuck(self._with_a_stuck_run(stuck_limit))
        assert text.startswith(begins)
        assert "(1 + c) n with a constant c > 0, here 2n" in text
        assert "neither n and n + 1 nor runs without a limit" in text

    def test_only_a_run_stuck_below_a_limit_of_the_theorem_contradicts_it(self):
        text = _never_stuck(self._with_a_stuck_run("2n"))
        assert text == "1 run got stuck, 1 with limit 2n, where the paper proves a finite expected time."

    @staticmethod
    def _with_a_stuck_run(limit: str | None) -> Results:
        results = results_with("table2")
        totals = list(results.totals)
        for cell in results.plan.cells:
            if cell.config.limit == limit:
                totals[cell.number] = totals_of(1, 1, 2, stuck=1)
                break
        return replace(results, totals=totals)


class TestSampled:
    def test_the_slope_is_per_factor_of_ten(self):
        assert per_decade([(10, 1), (100, 24), (1000, 47)]) == pytest.approx(23)
        assert per_decade([(10, 1), (100, 24)]) is None
        assert per_decade([(10, 1)] * 3) is None

    @pytest.mark.parametrize(
        ("share", "text"), [(0.0, "0.000"), (0.25, "0.250"), (2.1e-6, "2.1 × 10⁻⁶"), (None, "\N{EN DASH}")]
    )
    def test_a_small_share_keeps_its_digits(self, share, text):
        assert _small(share).replace("\N{NO-BREAK SPACE}", " ") == text

    def test_what_is_out_of_order_is_named(self):
        plan = find_plan("figure2").replaced(grid={"accept_error": [0, 8], "rows": [10, 100, 1000]})
        means = [5, 30, 60, 4, 31, 40]
        summaries = summarise(plan, [totals_of(mean, 1, 10) for mean in means])
        text = "".join(_claims({0: summaries[:3], 8: summaries[3:]}))
        assert "with these exceptions: A\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}0 against 8 at 100 rows" in text
        orderly = summarise(plan, [totals_of(mean, 1, 10) for mean in [5, 30, 60, 4, 29, 40]])
        assert "at least as long, as in the paper" in "".join(_claims({0: orderly[:3], 8: orderly[3:]}))

    @pytest.mark.parametrize(
        ("ors", "wrong", "words"),
        [
            ((3, 1), (5, 9), "keep on average 0.30 and 0.10 ORs"),
            (
                (3, 1),
                (5, 9),
                "better results for A\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}0: the same holds here",
            ),
            ((1, 3), (5, 9), "here that does not hold throughout"),
            ((3, 1), (9, 5), "here that does not hold throughout"),
        ],
    )
    def test_what_is_left_in_the_results_is_told_beside_the_paper(self, ors, wrong, words):
        plan = find_plan("figure2").replaced(grid={"accept_error": [0, 8], "rows": [1000]})
        totals = [totals_of(mean, 1, 10) for mean in (60, 40)]
        for each, left, rows in zip(totals, ors, wrong, strict=True):
            each.solved_runs["ors"] = Sums(10, left, left)
            each.wrong_rows = Sums(10, rows << 50, 0)
        one, other = summarise(plan, totals)
        assert words in "".join(_claims({0: [one], 8: [other]}))

    def test_without_runs_nothing_is_claimed(self):
        text = sampled_section(empty_results(find_plan("figure2")))
        assert "takes longer" not in text
        assert "ORs and are wrong" not in text
        assert "at least as long" not in text


class TestDrift:
    CURVE = DriftCurve((0, 1), (1, 2), (0.2, 0.3), (0, 0), (1, 1), (10, 10), (0.1, 0.1), (0.1, 0.1), "bound")

    def test_gains_above_the_bound_are_told_as_such(self):
        assert "2.0 to 3.0 times the bound in all 2" in _drift_words("limit n", self.CURVE)

    def test_gains_below_the_bound_are_told_as_such(self):
        assert "below the bound in 1 of 2" in _drift_words("limit n", replace(self.CURVE, gains=(0.05, 0.3)))
        words = _drift_words("limit n", replace(self.CURVE, gains=(0.0, 0.0)))
        assert "below the bound in 2 of 2 classes of errors; the bound" in words

    def test_without_a_bound_there_is_none(self):
        assert _drift_words("limit ∞", replace(self.CURVE, bounds=None)) == "With limit ∞ there is no bound."


def test_sections_stand_without_any_run():
    tables = [empty_results(find_plan(name)) for name in ("table1", "table2")]
    assert "too few" in gap_section(empty_results(find_plan("insert-only")))
    assert "<svg" in spread_section(*tables)
    assert "No cell has enough solved runs" in table_section("table1", "Table 1", "", tables[0])


def test_cells_that_are_off_are_told_in_words():
    def shift(config: RunConfig) -> float:
        return 20.0 if (config.n, config.limit) == (4, "n") else 0.0

    results = results_with("table1", shift)
    text = table_section("table1", "Table 1", "", results)
    odd = next(each.paper for each in results.summaries if each.cell.config.n == 4)
    assert isinstance(odd, PaperComparison)
    assert odd.verdict in text
    assert "✗" in text
