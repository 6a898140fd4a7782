"""Cells of a table against the exact solution of RLS-GP's Markov chain for tiny n."""

from functools import cache
from math import sqrt

import pytest

from gpviz.experiments.chunk_worker import Chunk, run_chunk
from gpviz.experiments.plan import plan_of
from gpviz.experiments.totals import Totals
from tests.analysis.independent_chain import Cell, Exact, solve

RUNS = 1500
MOST_ERRORS = 4.5
"""In standard errors: that all is right and one mean of ten lies further away has a probability below 1e-4."""

CELLS = [
    Cell(3, 3, "leaf"),
    Cell(3, 3, "leaf", empty_tree="insert-only"),
    Cell(4, 4, "leaf"),
    Cell(4, 4, "subtree"),
]


@cache
def exact(cell: Cell) -> Exact:
    return solve(cell)


@cache
def totals_of(cell: Cell) -> Totals:
    settings = {"n": cell.n, "limit": cell.limit, "deletion": cell.deletion, "empty_tree": cell.empty_tree}
    plan = plan_of("tiny", {"runs": RUNS, "seed": 1, "config": settings})
    return run_chunk(Chunk(0, plan.cells[0].config, 0, plan.runs, plan.max_iterations)).totals


@pytest.mark.parametrize(
    "cell", CELLS, ids=lambda cell: f"{cell.n}-{cell.limit}-{cell.deletion}-{cell.empty_tree}"
)
class TestCell:
    def test_every_run_is_solved_or_proven_stuck(self, cell):
        totals = totals_of(cell)
        assert totals.solved + totals.stuck == RUNS

    def test_the_share_of_stuck_runs_is_the_exact_one(self, cell):
        share = max(exact(cell).stuck, 0.0)
        if share < 1e-9:
            assert totals_of(cell).stuck == 0
        else:
            error = sqrt(share * (1 - share) / RUNS)
            assert abs(totals_of(cell).stuck / RUNS - share) < MOST_ERRORS * error

    def test_the_mean_of_the_iterations_is_the_exact_one(self, cell):
        sums = totals_of(cell).solved_runs["iterations"]
        assert sums.mean is not None
        assert abs(sums.mean - exact(cell).mean) < MOST_ERRORS * exact(cell).sd / sqrt(sums.count)

    def test_the_deviation_of_the_iterations_is_the_exact_one(self, cell):
        # Sums of geometric variables have a fourth moment of at most 9 times the square of the second.
        sums = totals_of(cell).solved_runs["iterations"]
        assert sums.sd is not None
        relative = MOST_ERRORS * sqrt(8 / sums.count) / 2
        assert abs(sums.sd / exact(cell).sd - 1) < relative

    def test_the_mean_of_the_leaves_is_the_exact_one(self, cell):
        sums = totals_of(cell).solved_runs["leaves"]
        assert sums.mean is not None
        assert sums.sd is not None
        assert abs(sums.mean - exact(cell).leaves) <= MOST_ERRORS * sums.sd / sqrt(sums.count) + 1e-9


def test_the_chain_gives_the_known_numbers_at_4():
    leaf, subtree = exact(Cell(4, 4, "leaf")), exact(Cell(4, 4, "subtree"))
    assert (round(leaf.stuck, 5), round(leaf.mean, 3), round(leaf.sd, 3)) == (0.00493, 45.779, 28.986)
    assert (round(subtree.mean, 3), round(subtree.sd, 3)) == (47.733, 30.923)


def test_planting_by_insertion_only_takes_two_iterations_more():
    cell = Cell(3, 3, "leaf")
    insert_only = cell._replace(empty_tree="insert-only")
    assert exact(insert_only).mean - exact(cell).mean == pytest.approx(2)
    means = [totals_of(each).solved_runs["iterations"].mean for each in (insert_only, cell)]
    variance = exact(cell).sd ** 2 + exact(insert_only).sd ** 2
    assert means[0] is not None
    assert means[1] is not None
    assert abs(means[0] - means[1] - 2) < MOST_ERRORS * sqrt(variance / (RUNS * 0.9))
