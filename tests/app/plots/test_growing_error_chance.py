"""Chances to accept a worse tree are found in the background, coarse first, while somebody looks."""

from itertools import pairwise
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.analysis.neighbourhood import chance_of_growing_error
from gpviz.app.plots.growing_error_chance import ChanceCurve, coarse_first
from gpviz.engine.errors import TooComplexError
from gpviz.engine.interruption import Deadline, checkpoint
from tests.app.plots.runs import SAMPLED, grow, recorded
from tests.patience import PATIENCE_MS


@pytest.fixture
def curve(qapp):
    made = ChanceCurve()
    yield made
    made.shut_down()


@given(st.integers(0, 5_000), st.integers(0, 5_000), st.integers(2, 300))
def test_numbers_come_once_the_ends_first_and_never_too_many(start, length, most):
    numbers = list(coarse_first(start, start + length, most))
    assert len(set(numbers)) == len(numbers) <= min(length, most + 3)
    assert all(start <= number < start + length for number in numbers)
    assert set(numbers[:2]) == ({start, start + length - 1} if length else set())
    if length <= most:
        assert len(numbers) == length
    ordered = sorted(numbers)
    assert all(later - earlier <= 2 * max(length / most, 1) for earlier, later in pairwise(ordered))


def test_every_tree_in_view_has_its_exact_chance(curve, qtbot):
    history = recorded(SAMPLED, 60)
    curve.show_history(history)
    curve.look_at(0, 60)
    qtbot.waitUntil(lambda: not curve.is_busy, timeout=PATIENCE_MS)
    changes = history.changes().iterations
    assert curve.iterations.tolist() == changes.tolist()
    for iteration, chance in zip(changes.tolist(), curve.chances.tolist(), strict=True):
        assert chance == chance_of_growing_error(history.tree_at(iteration), SAMPLED)
    assert curve.chance_at(60) == curve.chances[-1]


def test_only_what_is_in_view_is_looked_at_and_what_is_known_stays(curve, qtbot):
    history = recorded(SAMPLED, 60)
    curve.show_history(history)
    curve.look_at(30, 40)
    qtbot.waitUntil(lambda: not curve.is_busy, timeout=PATIENCE_MS)
    changes = history.changes().iterations
    known = curve.iterations.tolist()
    assert [at for at in known if 30 < at <= 40] == [at for at in changes.tolist() if 30 < at <= 40]
    assert 0 < len(known) < len(changes)
    assert curve.chance_at(1) is None
    curve.look_at(0, 60)
    qtbot.waitUntil(lambda: not curve.is_busy, timeout=PATIENCE_MS)
    assert curve.iterations.tolist() == changes.tolist()


def test_a_run_that_grows_fast_is_looked_at_when_it_stands(curve, qtbot):
    history = recorded(SAMPLED, 40)
    curve.show_history(history)
    grow(history, 60)
    curve.look_at(0, 100)
    assert curve.is_busy
    assert not curve._task.is_busy
    qtbot.waitUntil(lambda: not curve.is_busy, timeout=PATIENCE_MS)
    assert curve.iterations[-1] == history.changes().iterations[-1]


def test_while_more_is_to_be_found_the_last_that_is_known_holds_until_the_next_tree(curve):
    history = recorded(SAMPLED, 40)
    curve.show_history(history)
    assert curve.known_until == 0
    curve.work_out_now(0, 40)
    assert curve.known_until == inf
    last = len(history.changes().iterations)
    grow(history, 60)
    assert curve.known_until == history.changes().iterations[last]


def test_who_stops_hears_nothing_any_more(curve, qtbot):
    curve.show_history(recorded(SAMPLED, 60))
    heard: list[int] = []
    curve.changed.connect(lambda: heard.append(1))
    curve.look_at(0, 60)
    curve.stop()
    assert not curve.is_busy
    curve.shut_down()  # which waits for the thread
    qtbot.wait(0)
    assert not heard
    assert not len(curve.chances)


def test_a_tree_too_tangled_has_no_chance_and_the_others_have_theirs(curve, qtbot, monkeypatch):
    history = recorded(SAMPLED, 40)
    tangled = history.tree_at(int(history.changes().iterations[3]))

    def chance_of(tree, rules):
        if tree is tangled:
            raise TooComplexError
        return 0.5

    monkeypatch.setattr("gpviz.app.plots.growing_error_chance.chance_of_growing_error", chance_of)
    curve.show_history(history)
    curve.look_at(0, 40)
    qtbot.waitUntil(lambda: not curve.is_busy, timeout=PATIENCE_MS)
    assert np.isnan(curve.chances).tolist() == [place == 3 for place in range(len(curve.chances))]
    assert curve.chance_at(int(history.changes().iterations[3])) is None


def test_a_picture_is_made_of_what_is_known_when_the_time_is_over(curve, monkeypatch):
    seconds = [0.0]

    def chance_of(tree, rules):
        seconds[0] += 4.0
        checkpoint()
        return 0.5

    module = "gpviz.app.plots.growing_error_chance"
    monkeypatch.setattr(f"{module}.chance_of_growing_error", chance_of)
    monkeypatch.setattr(f"{module}.Deadline", lambda most: Deadline(most, lambda: seconds[0]))
    curve.show_history(recorded(SAMPLED, 40))
    curve.work_out_now(0, 40)
    assert curve.chances.tolist() == [0.5] * 4
