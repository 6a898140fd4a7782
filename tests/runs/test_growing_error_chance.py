"""The chances to accept a worse tree are found coarse first, those in view only."""

from itertools import pairwise
from math import inf

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gpviz.analysis.neighbourhood import chance_of_growing_error
from gpviz.engine.errors import TooComplexError
from gpviz.engine.interruption import Deadline, checkpoint
from gpviz.runs.growing_error_chance import GrowingErrorChances, chances_of, coarse_first
from tests.app.plots.runs import SAMPLED, grow, recorded


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


def look_at(curve: GrowingErrorChances, first: int, last: int) -> None:
    """Find out all that is to be found out between these iterations."""
    while trees := curve.unknown(first, last):
        curve.take(chances_of(trees, lambda: False))


def test_every_tree_in_view_has_its_exact_chance():
    history = recorded(SAMPLED, 60)
    curve = GrowingErrorChances(history)
    look_at(curve, 0, 60)
    changes = history.changes().iterations
    assert curve.iterations.tolist() == changes.tolist()
    for iteration, chance in zip(changes.tolist(), curve.chances.tolist(), strict=True):
        assert chance == chance_of_growing_error(history.tree_at(iteration), SAMPLED)
    assert curve.chance_at(60) == curve.chances[-1]


def test_only_what_is_in_view_is_looked_at_and_what_is_known_stays():
    history = recorded(SAMPLED, 60)
    curve = GrowingErrorChances(history)
    look_at(curve, 30, 40)
    changes = history.changes().iterations
    known = curve.iterations.tolist()
    assert [at for at in known if 30 < at <= 40] == [at for at in changes.tolist() if 30 < at <= 40]
    assert 0 < len(known) < len(changes)
    assert curve.chance_at(1) is None
    look_at(curve, 0, 60)
    assert curve.iterations.tolist() == changes.tolist()


def test_while_more_is_to_be_found_the_last_that_is_known_holds_until_the_next_tree():
    history = recorded(SAMPLED, 40)
    curve = GrowingErrorChances(history)
    assert curve.known_until == 0
    curve.work_out_now(0, 40)
    assert curve.known_until == inf
    last = len(history.changes().iterations)
    grow(history, 60)
    assert curve.known_until == history.changes().iterations[last]


def test_who_is_told_to_stop_looks_at_no_further_tree():
    curve = GrowingErrorChances(recorded(SAMPLED, 60))
    trees = curve.unknown(0, 60)
    assert len(trees) > 1
    assert len(chances_of(trees, lambda: True)) <= 1


def test_a_tree_too_tangled_has_no_chance_and_the_others_have_theirs(monkeypatch):
    history = recorded(SAMPLED, 40)
    tangled = history.tree_at(int(history.changes().iterations[3]))

    def chance_of(tree, rules):
        if tree is tangled:
            raise TooComplexError
        return 0.5

    monkeypatch.setattr("gpviz.runs.growing_error_chance.chance_of_growing_error", chance_of)
    curve = GrowingErrorChances(history)
    look_at(curve, 0, 40)
    assert np.isnan(curve.chances).tolist() == [place == 3 for place in range(len(curve.chances))]
    assert curve.chance_at(int(history.changes().iterations[3])) is None


def test_a_picture_is_made_of_what_is_known_when_the_time_is_over(monkeypatch):
    seconds = [0.0]

    def chance_of(tree, rules):
        seconds[0] += 4.0
        checkpoint()
        return 0.5

    module = "gpviz.runs.growing_error_chance"
    monkeypatch.setattr(f"{module}.chance_of_growing_error", chance_of)
    monkeypatch.setattr(f"{module}.Deadline", lambda most: Deadline(most, lambda: seconds[0]))
    curve = GrowingErrorChances(recorded(SAMPLED, 40))
    curve.work_out_now(0, 40)
    assert curve.chances.tolist() == [0.5] * 4
