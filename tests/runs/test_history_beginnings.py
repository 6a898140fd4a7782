"""The beginning of a history is a history of its own, as if it had been recorded alone."""

import copy
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpviz.engine import RlsGp, RunConfig
from gpviz.runs.history import History
from gpviz.runs.step_encoding import Property
from tests.runs.runs import STUCK, history_of, recorded, recorded_runs
from tests.thoroughness import every_day


@given(recorded_runs(), st.data())
def test_a_beginning_is_what_recording_only_so_much_gives(run, data):
    search, steps, history = run
    length = data.draw(st.integers(0, len(steps)))
    begun = history.beginning(length)
    alone = history_of(search.config, steps[:length], search.start)
    assert len(begun) == length
    assert begun.fingerprint() == alone.fingerprint()
    assert [begun.step_at(step.iteration) for step in steps[:length]] == steps[:length]
    assert begun.changes().ors.tolist() == alone.changes().ors.tolist()
    assert begun.errors().tolist() == pytest.approx(alone.errors().tolist(), nan_ok=True)
    for wanted in Property:
        assert begun.count_where(wanted) == alone.count_where(wanted)


@given(recorded_runs(), st.data())
def test_a_beginning_grows_without_changing_what_it_is_from(run, data):
    search, steps, history = run
    length = data.draw(st.integers(0, len(steps)))
    before = history.fingerprint()
    begun = history.beginning(length)
    begun.extend(steps[length:])
    assert begun.fingerprint() == before == history.fingerprint()
    assert begun.changes().ors.tolist() == history.changes().ors.tolist()
    history.append(search.step())
    assert len(begun) == len(steps)


@given(
    st.sampled_from([copy.copy, copy.deepcopy, lambda history: pickle.loads(pickle.dumps(history))]),
    recorded_runs(),
)
def test_a_copy_is_a_history_of_its_own(copied, run):
    search, steps, history = run
    other = copied(history)
    before = history.fingerprint()
    assert other.fingerprint() == before
    assert [other.step_at(step.iteration) for step in steps] == steps
    later = [search.step() for _ in range(20)]
    other.extend(later)
    assert len(other) == len(history) + 20
    assert history.fingerprint() == before
    history.extend(later)
    assert other.fingerprint() == history.fingerprint()


@settings(max_examples=every_day(2, thorough=20), deadline=None)
@given(st.integers(0, 3), st.integers(1, 6000))
def test_the_trees_of_a_long_beginning_can_all_be_had(seed, length):
    config = RunConfig(n=5, limit="inf", fitness="sampled", rows=4, seed=seed)
    search, history = RlsGp(config), History(config)
    steps = [search.step() for _ in range(6000)]
    for first in range(0, 6000, 500):
        history.extend(steps[first : first + 500])  # many at once, so that most trees are left out
    begun = history.beginning(length)
    begun.extend(steps[length:])
    for iteration in range(0, 6001, 97):
        assert begun.tree_at(iteration) == history.tree_at(iteration)
    assert begun.fingerprint() == history.fingerprint()


def test_errors_too_large_for_a_column_are_numbered_as_they_appear():
    config = RunConfig(n=80, seed=3)
    search, steps, history = recorded(config, 300)
    for length in (0, 1, 7, 150, 300):
        begun = history.beginning(length)
        assert begun.fingerprint() == history_of(config, steps[:length]).fingerprint()
        begun.extend(steps[length:])
        assert begun.fingerprint() == history.fingerprint()
        assert begun.error_at(300) == search.error


def test_trees_are_shared():
    _, _, history = recorded(RunConfig(n=6, seed=1), 200)
    assert history.beginning(150).tree_at(150) is history.tree_at(150)


def test_more_than_there_is_cannot_begin():
    _, _, history = recorded(RunConfig(n=6, seed=1), 20)
    for length in (-1, 21):
        with pytest.raises(IndexError):
            history.beginning(length)


def test_a_history_knows_under_which_configuration_each_iteration_was_made():
    config = RunConfig(n=6, seed=1)
    other, third = config.replaced(limit="n"), config.replaced(seed=5)
    _, _, history = recorded(config, 50)
    branch = history.beginning(20, other)
    assert (branch.config_at(20), branch.config_at(21), branch.config) == (config, other, other)
    twig = branch.beginning(10, third)
    assert [twig.config_at(iteration) for iteration in (0, 10, 11)] == [config, config, third]
    assert history.beginning(10).config_at(11) == config


def test_shared_iterations_are_counted_up_to_the_first_difference():
    config, start = STUCK
    _, _, history = recorded(config, 100, start)
    other, _ = RlsGp(config, start), None
    longer = history_of(config, [other.step() for _ in range(130)], start)
    assert history.shared_with(longer) == 100
    assert history.shared_with(history.beginning(0)) == 0
    branch = history.beginning(60)
    stranger = RlsGp(config.replaced(seed=9), start)
    strange = [stranger.step() for _ in range(61)][60]
    branch.append(strange._replace(tree=branch.tree_at(60)))
    assert history.shared_with(branch, 60) == history.shared_with(branch) == 60
