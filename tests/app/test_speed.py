"""The scale of playing speeds."""

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.app.player.pacing import SPEEDS, faster, position_of, rate_text, slower, speed_at, speed_text


def test_the_scale_goes_from_a_step_in_twenty_seconds_to_as_fast_as_it_can():
    assert [speed_text(speed) for speed in SPEEDS[:5]] == [
        *("1 step in 20 s", "1 step in 10 s", "1 step in 5 s", "1 step in 2 s", "1 step/s")
    ]
    assert SPEEDS[-1] == inf
    assert list(SPEEDS) == sorted(set(SPEEDS))


@given(st.floats(0.01, 1e7))
def test_any_speed_is_shown_at_the_nearest_notch(speed):
    shown = speed_at(position_of(speed))
    assert shown != inf
    assert all(abs(shown / speed - 1) <= abs(other / speed - 1) * 2 for other in SPEEDS[:-1])


@given(st.floats(0.01, 1e7) | st.just(inf))
def test_faster_and_slower_go_to_the_next_notch(speed):
    assert faster(speed) > speed or speed == inf
    assert slower(speed) < speed or speed <= SPEEDS[0]
    assert faster(speed) in SPEEDS
    assert slower(speed) in SPEEDS


@pytest.mark.parametrize(
    ("speed", "text"),
    [
        (0.5, "1 step in 2 s"),
        (1.0, "1 step/s"),
        (4.0, "4 steps/s"),
        (1.5, "1.5 steps/s"),
        (1000.0, "1,000 steps/s"),
        (inf, "as fast as possible"),
    ],
)
def test_a_speed_has_words(speed, text):
    assert speed_text(speed) == text


@pytest.mark.parametrize(
    ("rate", "text"),
    [
        (0.0, "0.0 iterations/s"),
        (3.96, "4.0 iterations/s"),
        (99.7, "100 iterations/s"),
        (61_234.5, "61,000 iterations/s"),
        (123_456.0, "120,000 iterations/s"),
    ],
)
def test_a_rate_is_rounded_so_that_it_does_not_flicker(rate, text):
    assert rate_text(rate) == text
