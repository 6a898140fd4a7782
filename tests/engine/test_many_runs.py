"""Many runs at once end as each of them does alone."""

import numpy as np
import pytest

from gpviz.engine import RlsGp, RunConfig
from gpviz.engine.interruption import Stopped, stoppable
from gpviz.engine.many_runs import NONE, OUTCOMES, run_many
from gpviz.engine.step import RunCounts

STUCK = RunConfig(n=4, limit="n+1", deletion="leaf", seed=3)
SEEDS = [*range(12), 2**64 + 5]


def test_each_run_is_the_one_of_its_seed():
    runs = run_many(STUCK, None, SEEDS, max_iterations=2000, counts=True, keeps_trees=True)
    assert len(runs) == len(SEEDS)
    assert runs.trees is not None
    assert runs.offsets is not None
    assert runs.improvements is not None
    assert runs.full_at is not None
    for row, seed in enumerate(SEEDS):
        improvements: list[tuple[int, int]] = []
        counts = RunCounts()
        result = RlsGp(STUCK.replaced(seed=seed)).run(
            max_iterations=2000, stop_when_stuck=True, improvements=improvements, counts=counts
        )
        assert OUTCOMES[runs.outcomes[row]] is result.outcome
        columns = (runs.iterations, runs.errors, runs.leaves, runs.ors, runs.accepted, runs.improved)
        assert [column[row] for column in columns] == [
            result.iterations, result.error, result.leaves, result.ors, result.accepted, result.improved,
        ]  # fmt: skip
        assert runs.ors_accepted[row] == result.ors_accepted
        assert runs.stuck_since[row] == (NONE if result.stuck_since is None else result.stuck_since)
        assert runs.trees[row] == result.tree
        a, b = runs.offsets[row : row + 2]
        assert runs.improvements[a:b].tolist() == [list(pair) for pair in improvements]
        assert runs.full_at[a:b].tolist() == [list(pair) for pair in counts.full_at]
        assert runs.full_iterations is not None
        assert runs.full_iterations[row] == counts.full_iterations
        assert runs.duplicate_accepted is not None
        assert runs.duplicate_accepted[row] == counts.duplicate_accepted


def test_errors_may_have_more_than_64_bits():
    runs = run_many(RunConfig(n=100), None, range(2), max_iterations=20)
    assert all(type(error) is int and error > 2**64 for error in runs.errors)


def test_the_run_that_is_not_wanted_any_more_does_not_begin():
    answers = iter([False, False, True])
    runs = run_many(STUCK, None, range(10), should_stop=lambda: next(answers))
    assert np.array_equal(runs.iterations, run_many(STUCK, None, range(2)).iterations)


def test_a_wish_to_stop_gives_up_all():
    with stoppable(lambda: True), pytest.raises(Stopped):
        run_many(STUCK, None, range(10))
