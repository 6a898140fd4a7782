"""The history gives back what was appended: steps, trees, offspring, errors, and the columns made of them."""

import gc
import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Operation, Verdict
from gpviz.engine.formula import parse
from gpviz.engine.mutation import apply, fresh_uids
from gpviz.engine.search import RlsGp
from gpviz.engine.target import target_for
from gpviz.engine.tree import Leaf, Node, largest_uid, nodes_of
from gpviz.runs.history import History
from gpviz.runs.step_encoding import VERDICTS
from tests.engine.strategies import labels_of
from tests.runs.runs import STUCK, Recorded, history_of, recorded, recorded_runs, steps_of
from tests.thoroughness import every_day

MANY_KINDS = [
    RunConfig(n=16, limit="2n", seed=1),
    RunConfig(n=100, limit="n+1", deletion="leaf", seed=2),
    RunConfig(n=1000, limit="inf", seed=3),
    RunConfig(n=8, limit="n", fitness="sampled", rows=5, sampler="rows", seed=4),
    RunConfig(n=30, limit="inf", fitness="sampled", rows=10**6, sampler="counts", seed=5),
    RunConfig(n=6, limit="2n", empty_tree="insert-only", seed=6),
]


@given(recorded_runs())
def test_every_step_comes_back_as_it_was_appended(run: Recorded):
    _, steps, history = run
    back = [history.step_at(t) for t in range(1, len(history) + 1)]
    assert back == steps
    assert [[type(value) for value in step] for step in back] == [
        [type(value) for value in step] for step in steps
    ]


@pytest.mark.parametrize("config", MANY_KINDS, ids=lambda config: f"n={config.n}-{config.fitness}")
def test_long_runs_of_every_kind_come_back_too(config: RunConfig):
    _, steps, history = recorded(config, every_day(600, thorough=2000))
    assert [history.step_at(t) for t in range(1, len(history) + 1)] == steps


@given(recorded_runs())
def test_every_tree_has_the_nodes_that_survived_and_is_always_the_same_object(run: Recorded):
    search, steps, history = run
    asked = [history.tree_at(step.iteration) for step in steps]
    assert history.tree_at(0) is search.start
    assert [labels_of(tree) for tree in asked] == [labels_of(step.tree) for step in steps]
    assert all(history.tree_at(step.iteration) is tree for step, tree in zip(steps, asked, strict=True))


@given(recorded_runs())
def test_an_offspring_is_the_survivor_or_what_the_mutation_makes_of_the_tree(run: Recorded):
    search, steps, history = run
    first_uid = largest_uid(search.start) + 1
    for step in steps:
        offspring = history.offspring_at(step.iteration)
        if step.is_accepted:
            assert offspring is history.tree_at(step.iteration)
        else:
            proposed = apply(step.tree, step.mutation, fresh_uids(first_uid, step.iteration))
            assert labels_of(offspring) == labels_of(proposed)
        assert (0 if offspring is None else offspring.leaves) == step.offspring_leaves
        if offspring is not None and step.verdict is not Verdict.TOO_LARGE and not search.sampler:
            assert search.target.error(offspring) == step.offspring_error


@pytest.mark.parametrize("iteration", [-1, 11, 0])
def test_there_is_no_step_outside_the_run(iteration: int):
    _, _, history = recorded(RunConfig(n=4), 10)
    with pytest.raises(IndexError, match=f"iteration {iteration} of a history with 10"):
        history.step_at(iteration)


@pytest.mark.parametrize("iteration", [1, 3, 5])
def test_an_iteration_out_of_turn_is_refused(iteration: int):
    steps = steps_of(RunConfig(n=4), 5)
    history = history_of(RunConfig(n=4), steps[:3])
    with pytest.raises(ValueError, match=f"iteration {iteration} cannot follow iteration 3"):
        history.append(steps[iteration - 1])
    assert len(history) == 3


@given(recorded_runs())
def test_verdicts_and_errors_are_those_of_the_steps(run: Recorded):
    search, steps, history = run
    is_judged = search.start is not None and search.sampler is None
    assert history.error_at(0) == (search.target.error(search.start) if is_judged else None)
    assert [history.error_at(step.iteration) for step in steps] == [step.error for step in steps]
    assert [VERDICTS[number] for number in history.verdicts()] == [step.verdict for step in steps]
    errors = [math.nan if step.error is None else float(step.error) for step in steps]
    np.testing.assert_array_equal(history.errors(), np.array(errors))
    proposed = [math.nan if step.offspring_error is None else float(step.offspring_error) for step in steps]
    np.testing.assert_array_equal(history.offspring_errors(), np.array(proposed))


@pytest.mark.parametrize(
    ("start", "stop"), [(1, None), (3, 9), (5, 5), (9, 3), (-4, 99), (10, 11), (11, None)]
)
def test_a_part_of_a_column_is_cut_as_a_range_of_iterations(start: int, stop: int | None):
    _, _, history = recorded(RunConfig(n=8, seed=3), 10)
    wanted = [t for t in range(start, 11 if stop is None else stop) if 1 <= t <= 10]
    for column in (history.codes, history.verdicts, history.errors, history.offspring_errors):
        expected = [column()[t - 1] for t in wanted]
        np.testing.assert_array_equal(column(start, stop), np.array(expected))


@given(recorded_runs(), st.integers(0, 150))
def test_the_changes_say_when_the_tree_changed_and_what_it_was_then(run: Recorded, cut: int):
    """Also where a branch goes on from another history."""
    search, steps, whole = run
    cut = min(cut, len(steps))
    history = whole.beginning(cut)
    history.extend(steps[cut:])
    changing = [step for step in steps if step.verdict in (Verdict.IMPROVED, Verdict.NEUTRAL)]
    trees = [search.start, *(step.tree for step in changing)]
    leaves = [_variables_on(tree) for tree in trees]
    is_copy = [
        step.operation is not Operation.DEL and after.count(step.variable) > 1
        for step, after in zip(changing, leaves[1:], strict=True)
    ]
    changes = history.changes()
    assert changes.iterations.tolist() == [0, *(step.iteration for step in changing)]
    assert changes.leaves.tolist() == [0 if tree is None else tree.leaves for tree in trees]
    assert changes.ors.tolist() == [0 if tree is None else tree.ors for tree in trees]
    assert changes.distinct.tolist() == [len(set(variables)) for variables in leaves]
    assert changes.is_duplicate.tolist() == [False, *is_copy]


def test_arrays_cannot_be_written():
    _, _, history = recorded(RunConfig(n=8), 10)
    for array in (
        history.codes(),
        history.verdicts(),
        history.errors(),
        history.offspring_errors(),
        *history.changes(),
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_a_reader_keeps_what_it_got():
    config = RunConfig(n=8, seed=5)
    steps = steps_of(config, 5000)
    history = history_of(config, steps[:1000])
    taken = (history.codes(), history.errors(), history.offspring_errors(), *history.changes())
    copies = [array.copy() for array in taken]
    for step in steps[1000:]:
        history.append(step)
    assert len(history.codes()) == 5000
    for array, copy in zip(taken, copies, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_a_rejected_iteration_takes_less_than_40_bytes():
    config, start = STUCK
    search = RlsGp(config, start)
    for _ in range(1000):
        search.step()  # fills what the engine remembers, which is not the history's
    search = RlsGp(config, start)
    tracemalloc.start()
    try:
        history = History(config, start)
        accepted = 0
        for _ in range(20_000):
            step = search.step()
            history.append(step)
            accepted += step.is_accepted
        del step
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert accepted < 10_000
    assert taken / len(history) < 40


def test_a_start_beyond_the_truth_table_still_has_its_error():
    history = History(RunConfig(n=100, limit="inf"), parse("x1 | x2"))
    assert history.error_at(0) == target_for(100).error(parse("x1 | x2")) == 3 * 2**98 - 1


@given(recorded_runs(), st.integers(1, 80))
def test_rows_made_elsewhere_give_the_same_history(run: Recorded, together: int):
    search, steps, history = run
    other = History(search.config, search.start)
    encoder = other.encoder
    for first in range(0, len(steps), together):
        other.take_in(encoder.encode(steps[first : first + together]))
    assert other.fingerprint() == history.fingerprint()
    assert [other.step_at(t) for t in range(1, len(other) + 1)] == steps


def test_an_encoder_that_is_ahead_does_not_show_in_the_fingerprint():
    config = RunConfig(n=80, limit="inf", seed=1)  # its errors are too large for a column
    search, ahead, behind = RlsGp(config), History(config), History(config)
    steps = [search.step() for _ in range(200)]
    first, _ = ahead.encoder.encode(steps[:20]), ahead.encoder.encode(steps[20:])
    ahead.take_in(first)
    behind.extend(steps[:20])
    assert ahead.fingerprint() == behind.fingerprint()


def test_rows_that_do_not_follow_are_refused():
    search, history = RlsGp(RunConfig(n=4, seed=1)), History(RunConfig(n=4, seed=1))
    steps = [search.step() for _ in range(10)]
    first, second = history.encoder.encode(steps[:5]), history.encoder.encode(steps[5:])
    with pytest.raises(ValueError, match="iteration 6 cannot follow iteration 0"):
        history.take_in(second)
    history.take_in(first)
    history.take_in(second)
    assert len(history) == 10


def _variables_on(tree: Node | None) -> list[int]:
    return [node.variable for node in nodes_of(tree) if isinstance(node, Leaf)]
