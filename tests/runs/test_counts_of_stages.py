"""Iterations are counted by the stage their parent's error is in, and by whether their parent is full."""

import numpy as np
import pytest

from gpviz.analysis.drift_bounds import stage_bounds, stage_of
from gpviz.engine import RlsGp, RunConfig, parse
from gpviz.engine.step import Step
from gpviz.number_text import stage_text
from gpviz.runs.curve_series import FullCounts, RunSeries
from gpviz.runs.history import History
from tests.app.plots.runs import SAMPLED, grow, recorded


def run(config: RunConfig, iterations: int) -> tuple[History, list[Step]]:
    search, history = RlsGp(config), History(config)
    steps = [search.step() for _ in range(iterations)]
    history.extend(steps)
    return history, steps


def filled(history: History, slice_length: int = 10**9) -> RunSeries:
    series = RunSeries(history)
    while not series.take_in(slice_length):
        pass
    return series


def test_each_iteration_is_in_the_stage_of_its_parents_error():
    history, steps = run(RunConfig(n=64, seed=2), 1_000)
    stages = filled(history).stages
    assert stages is not None
    for last in (0, 1, 119, 120, 121, 700, 1_000):
        expected = [0] * len(stage_bounds(64))
        for step in steps[:last]:
            if step.parent_error:
                expected[stage_of(step.parent_error, 64)] += 1
        assert stages.up_to(last) == expected


def test_an_error_just_below_a_bound_is_in_the_stage_before_though_no_float_tells_them_apart():
    n = 128  # n⁸ is 2⁵⁶
    assert float(2**56 - 1) == n**8
    start = parse(" & ".join(f"x{number}" for number in range(1, n - 56)))
    search, history = RlsGp(RunConfig(n=n), start), History(RunConfig(n=n), start)
    while search.step().error != 2**56 - 1:
        pass
    grow(history, search.iteration + 10)
    series = filled(history)
    assert series.stages is not None
    assert series.stages.up_to(search.iteration) == [0, 0, 0, 0, search.iteration, 0]
    assert series.stages.up_to(search.iteration + 10) == [0, 0, 0, 10, search.iteration, 0]


def test_sampled_runs_have_no_stages():
    assert filled(recorded(SAMPLED)).stages is None


@pytest.mark.parametrize("slice_length", [1, 13, 10**9])
@pytest.mark.parametrize("limit", ["n", "n+1", "inf"])
def test_a_parent_is_full_when_it_has_as_many_leaves_as_the_limit(limit, slice_length):
    history, steps = run(RunConfig(n=8, limit=limit, seed=2), 600)
    most = history.config.max_leaves
    sizes = [0, *(0 if step.tree is None else step.tree.leaves for step in steps)]
    is_full = [most is not None and size == most for size in sizes[:-1]]
    full = filled(history, slice_length).full
    assert full.before(np.arange(601)).tolist() == np.cumsum([0, *is_full]).tolist()


def test_a_branch_with_a_larger_limit_is_no_longer_full():
    history, _ = run(RunConfig(n=8, limit="n", seed=2), 300)
    assert history.sizes_at(300)[0] == 8
    branch = history.beginning(300, RunConfig(n=8, limit="2n", seed=2))
    search = RlsGp(branch.config, branch.tree_at(300))
    branch.extend(
        [step._replace(iteration=300 + step.iteration) for step in [search.step() for _ in range(5)]]
    )
    full = FullCounts()
    full.take_in(branch, 306)
    before, after = full.before([300, 305])
    assert before == after > 0


def test_the_share_of_full_parents_between_two_positions_counts_parts_of_iterations():
    history, _ = run(RunConfig(n=8, limit="n", seed=2), 600)
    full = filled(history).full
    turn = next(at for at in range(600) if full.before([at + 1])[0] > 0)
    assert full.shares(np.array([turn - 0.5, turn + 0.5])).tolist() == [0.5]


def test_stages_are_called_by_their_bounds():
    assert [stage_text(stage, 4) for stage in range(4)] == ["below n", "n to n²", "n² to n⁴", "from n⁴ on"]
