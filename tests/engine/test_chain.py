"""Whole runs against the exact solution of RLS-GP's Markov chain on small problems."""

from functools import cache
from math import sqrt
from typing import Any

import pytest

from gpviz.engine.chain import SolvedChain, solved_chain
from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Outcome
from gpviz.engine.search import RlsGp
from gpviz.engine.step import Result
from gpviz.engine.tree import Leaf, Node
from tests.engine.chain import Cell, Exact, Plant, class_of, solve
from tests.engine.chance import assert_mean

RUNS = 4000
CELLS = [
    Cell(n, limit, deletion, empty_tree=empty_tree)
    for n, limits in ((2, (2, 3, 4)), (3, (3, 4)))
    for limit in limits
    for deletion in ("leaf", "subtree")
    for empty_tree in ("any", "insert-only")
] + [
    Cell(3, 5, "leaf"),
    Cell(3, 6, "subtree", functions=("and",)),
    Cell(3, 3, "leaf", functions=("and",), empty_tree="insert-only"),
    Cell(4, 4, "leaf"),
    Cell(4, 4, "subtree"),
]


@cache
def exact(cell: Cell) -> Exact:
    return solve(cell)


@cache
def runs(cell: Cell) -> list[Result]:
    config: dict[str, Any] = cell._asdict() | {"limit": str(cell.limit)}
    return [RlsGp(RunConfig(**config, seed=seed)).run(max_iterations=2000) for seed in range(RUNS)]


def solved_runs(cell: Cell) -> list[Result]:
    return [result for result in runs(cell) if result.outcome is Outcome.SOLVED]


def plain(tree: Node) -> Plant:
    if isinstance(tree, Leaf):
        return tree.variable
    return tree.function.value, plain(tree.left), plain(tree.right)


@pytest.fixture(
    scope="module", params=CELLS, ids=lambda cell: "-".join(map(str, cell)).replace("('and', 'or')-", "")
)
def cell(request: pytest.FixtureRequest) -> Cell:
    """Each cell in turn: all that is asked of one is asked in one go, as its runs are long."""
    return request.param


class TestRuns:
    def test_the_mean_number_of_iterations_is_that_of_the_chain(self, cell):
        times = [result.iterations for result in solved_runs(cell)]
        assert_mean(times, exact(cell).mean, exact(cell).sd)

    def test_the_spread_of_the_iterations_is_that_of_the_chain(self, cell):
        squares = [(result.iterations - exact(cell).mean) ** 2 for result in solved_runs(cell)]
        assert_mean(squares, exact(cell).sd ** 2, spread_of(squares))

    def test_the_mean_number_of_leaves_at_success_is_that_of_the_chain(self, cell):
        leaves = [float(result.leaves) for result in solved_runs(cell)]
        assert_mean(leaves, exact(cell).leaves, spread_of(leaves) or 1e-9)

    def test_the_share_of_stuck_runs_is_that_of_the_chain(self, cell):
        stuck = max(exact(cell).stuck, 0.0)
        never = [result.outcome is not Outcome.SOLVED for result in runs(cell)]
        assert_mean(never, stuck, sqrt(stuck * (1 - stuck)) if stuck > 1e-9 else 1e-9)

    def test_a_run_that_did_not_end_has_a_tree_that_can_never_reach_the_target(self, cell):
        last = {result.tree for result in runs(cell) if result.outcome is not Outcome.SOLVED}
        classes = {class_of(plain(tree), cell.n) for tree in last if tree is not None}
        assert classes <= exact(cell).hopeless


def spread_of(values: list[float]) -> float:
    mean = sum(values) / len(values)
    return sqrt(sum((value - mean) ** 2 for value in values) / len(values))


class TestChain:
    """The chain itself, where its answers are known."""

    def test_a_single_variable_is_reached_by_the_first_leaf(self):
        assert exact(Cell(1, 1, "leaf"))[:4] == (0.0, 1.0, 0.0, 1.0)

    def test_waiting_for_an_insertion_costs_two_iterations(self):
        patient = exact(Cell(2, 2, "leaf", empty_tree="insert-only"))
        assert patient.mean == pytest.approx(exact(Cell(2, 2, "leaf")).mean + 2)

    def test_four_variables_with_leaf_deletion_get_stuck_now_and_then(self):
        assert exact(Cell(4, 4, "leaf"))[:3] == pytest.approx((0.004931, 45.7786, 28.9861), rel=1e-4)

    def test_four_variables_with_subtree_deletion_never_do(self):
        assert exact(Cell(4, 4, "subtree"))[:3] == pytest.approx((0, 47.7332, 30.9234), rel=1e-4)


def chain_of(cell: Cell) -> SolvedChain:
    settings: dict[str, Any] = cell._asdict() | {"limit": str(cell.limit)}
    chain = solved_chain(RunConfig(**settings))
    assert chain is not None
    return chain


class TestSolvedChain:
    """The chain that the engine solves, which takes trees together in arrays."""

    @pytest.mark.parametrize("cell", [cell for cell in CELLS if cell.limit < 5], ids=str)
    def test_it_says_what_the_chain_without_the_engine_says(self, cell):
        value = chain_of(cell).value_of(None)
        assert value is not None
        assert value.stuck == pytest.approx(exact(cell).stuck, abs=1e-12)
        assert value.remaining == pytest.approx(exact(cell).mean, rel=1e-12)
        assert value.remaining_sd == pytest.approx(exact(cell).sd, rel=1e-12)
        assert value.leaves == pytest.approx(exact(cell).leaves, rel=1e-12)

    @pytest.mark.parametrize(("n", "limit", "states"), [(2, 2, 5), (3, 5, 722), (4, 5, 857)])
    @pytest.mark.parametrize("deletion", ["leaf", "subtree"])
    def test_it_counts_what_a_run_can_reach_with_the_empty_tree_and_the_solved_ones(
        self, n, limit, states, deletion
    ):
        assert chain_of(Cell(n, limit, deletion)).states == states
