"""Exact cells: what they tell, against runs, and the sentences where there is none."""

from functools import cache
from math import sqrt

import pytest

from gpviz.analysis import ExactCell, exact
from gpviz.analysis.exact_statistics import QUANTILES
from gpviz.engine import InvalidValueError, Outcome, Result, RlsGp, RunConfig
from tests.engine.chance import assert_mean

RUNS = 1_000
CELL = RunConfig(n=4, limit="n+1", deletion="leaf")


@cache
def runs() -> list[Result]:
    return [RlsGp(CELL.replaced(seed=seed)).run(stop_when_stuck=True) for seed in range(RUNS)]


def solved_runs() -> list[Result]:
    return [result for result in runs() if result.outcome is Outcome.SOLVED]


@cache
def cell() -> ExactCell:
    return exact(CELL)


class TestRuns:
    def test_as_many_get_stuck(self):
        stuck = cell().stuck
        assert stuck == pytest.approx(0.006843, rel=1e-3)
        assert_mean([result.outcome is Outcome.STUCK for result in runs()], stuck, sqrt(stuck * (1 - stuck)))

    def test_the_others_take_as_long_and_end_with_as_large_trees(self):
        exactly = cell()
        assert exactly.mean is not None
        assert exactly.sd is not None
        assert exactly.leaves is not None
        assert exactly.leaves_sd is not None
        assert exactly.ors is not None
        assert_mean([result.iterations for result in solved_runs()], exactly.mean, exactly.sd)
        assert_mean([result.leaves for result in solved_runs()], exactly.leaves, exactly.leaves_sd)
        assert_mean([result.ors for result in solved_runs()], exactly.ors, sqrt(exactly.ors))

    def test_as_many_are_solved_by_each_quantile(self):
        quantiles = cell().quantiles
        assert quantiles is not None
        for name, share in QUANTILES.items():
            by_then = [result.iterations <= quantiles[name] for result in solved_runs()]
            before = [result.iterations < quantiles[name] for result in solved_runs()]
            error = 4 * sqrt(share * (1 - share) / len(by_then))
            assert sum(by_then) / len(by_then) >= share - error
            assert sum(before) / len(before) <= share + error


def test_the_first_leaf_is_the_whole_run_where_there_is_one_variable():
    value = exact(RunConfig(n=1, limit="3"))
    assert (value.stuck, value.mean, value.sd, value.leaves, value.states) == (0.0, 1.0, 0.0, 1.0, 2)
    assert value.quantiles == dict.fromkeys(QUANTILES, 1)


def test_if_only_an_insertion_adds_the_first_leaf_a_quantile_is_that_of_the_wait():
    quantiles = exact(RunConfig(n=1, limit="1", empty_tree="insert-only")).quantiles
    assert quantiles == {"q05": 1, "q25": 1, "median": 2, "q75": 4, "q95": 8}  # 1 - (2/3)^t


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"n": 8, "limit": "n+1"}, "limit: 'n+1' is not allowed; it must be at most 7 leaves"),
        ({"n": 4, "limit": "inf"}, "limit: 'inf' is not allowed; it must be at most 7 leaves"),
        (
            {"n": 12, "limit": "9", "functions": "AND"},
            "limit: '9' is not allowed; it must be at most 8 leaves",
        ),
        ({"n": 4, "fitness": "sampled", "rows": 3}, "rows: 3 is not allowed; it must be left out"),
    ],
)
def test_what_cannot_be_solved_is_refused_with_what_is_allowed(settings, problem):
    with pytest.raises(InvalidValueError, match=f"^{problem}".replace("+", r"\+")):
        exact(RunConfig(**settings))
