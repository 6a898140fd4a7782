"""Measured and printed values beside exact ones."""

from itertools import count
from math import sqrt

import pytest

from gpviz.analysis import exact
from gpviz.engine import RunConfig
from gpviz.experiments.chunk_worker import Chunk, run_chunk
from gpviz.experiments.plan import Plan
from gpviz.experiments.statistics import exact_comparison
from gpviz.experiments.statistics.cell_statistics import summarise
from gpviz.experiments.statistics.exact_comparison import (
    ExactDistances,
    compare_with_exact,
    exact_cell,
    exact_cells,
    paper_distances,
)
from gpviz.experiments.statistics.paper_tables import paper_cell
from gpviz.experiments.totals import Totals

SMALL = RunConfig(n=4, limit="n+1", deletion="leaf")


def test_runs_are_as_far_from_the_exact_values_as_chance_puts_them():
    totals = run_chunk(Chunk(0, SMALL, 0, 400, 10**6)).totals
    cell = exact(SMALL)
    found = compare_with_exact(SMALL, totals, cell)
    mean = totals.solved_runs["iterations"].mean
    assert mean is not None
    assert cell.mean is not None
    assert cell.sd is not None
    assert found.ours.z_T == pytest.approx((mean - cell.mean) / (cell.sd / sqrt(totals.solved)))
    for z in (found.ours.z_T, found.ours.z_S, found.ours.z_B):
        assert z is not None
        assert abs(z) < 4


def test_the_papers_means_of_short_runs_are_judged_against_the_truth():
    paper = paper_cell(RunConfig(n=4, limit="n", deletion="subtree"))
    assert paper is not None
    found = paper_distances(paper, exact(RunConfig(n=4, limit="n", deletion="subtree")))
    assert found.z_T == pytest.approx((51.2 - 47.7332) / sqrt(30.9234**2 / 500 + 0.01 / 12), rel=1e-4)
    assert (found.z_S, found.z_B) == (0.0, None)


def test_without_runs_nothing_is_compared():
    assert compare_with_exact(SMALL, Totals(), exact(SMALL)).ours == ExactDistances()


@pytest.mark.parametrize(
    "config",
    [
        RunConfig(n=4, limit="2n"),
        RunConfig(n=8, limit="4"),
        RunConfig(n=4, limit="inf"),
        RunConfig(n=4, limit="4", fitness="sampled", rows=9),
    ],
)
def test_a_cell_that_takes_longer_than_a_moment_has_none(config):
    assert exact_cell(config) is None


class TestPlan:
    PLAN = Plan(name="small", settings={"deletion": "leaf"}, grid={"n": [2, 3, 8], "limit": ["n", "2n"]})

    def test_exact_values_are_by_cell(self):
        found, is_complete = exact_cells(self.PLAN.cells)
        assert is_complete
        assert list(found) == [0, 1, 2]
        assert found[2] == exact(self.PLAN.cells[2].config)

    def test_with_little_time_some_are_found_at_a_time(self, monkeypatch):
        monkeypatch.setattr(exact_comparison, "_known", {})
        clock = count()
        monkeypatch.setattr(exact_comparison, "monotonic", lambda: next(clock))
        found = [exact_cells(self.PLAN.cells, most_seconds=0.5) for _ in range(6)]
        assert [len(values) for values, _ in found] == [1, 2, 3, 3, 3, 3]
        assert [is_complete for _, is_complete in found] == [False] * 5 + [True]

    def test_a_summary_has_them_if_they_are_given(self):
        totals = [Totals() for _ in self.PLAN.cells]
        assert all(summary.exact is None for summary in summarise(self.PLAN, totals))
        found, _ = exact_cells(self.PLAN.cells)
        summaries = summarise(self.PLAN, totals, found)
        assert [summary.exact is not None for summary in summaries] == [True] * 3 + [False] * 3
