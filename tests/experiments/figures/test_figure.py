"""Axes, their ticks and ranges, and what a figure says of itself."""

import numpy as np
import pytest

from gpviz.experiments.figures.figure import Axis, Kind, Panel, Point, Series, grouped, named, series_of


@pytest.mark.parametrize("most", [1, 2, 4, 9, 30])
@pytest.mark.parametrize(
    ("low", "high"), [(0.0, 1.0), (-3.7, 12.0), (0.1, 0.4), (2.0, 38.0), (-6.0, -1.0), (3.0, 3.01)]
)
@pytest.mark.parametrize("is_log", [True, False])
def test_ticks_lie_in_the_range_in_order_and_are_not_too_many(low, high, most, is_log):
    ticks = Axis(is_log=is_log).ticks(low, high, most)
    places = [place for place, _ in ticks]
    assert places == sorted(set(places))
    assert all(low - 1e-6 <= place <= high + 1e-6 for place in places)
    assert len(ticks) <= 2 * most + 2
    assert len({text for _, text in ticks}) == len(ticks)


def test_wanted_ticks_are_where_they_are_wanted_as_far_as_there_is_room():
    axis = Axis(values=(4.0, 8.0, 12.0, 16.0))
    assert [text for _, text in axis.ticks(0, 20, 10)] == ["4", "8", "12", "16"]
    assert [text for _, text in axis.ticks(0, 20, 3)] == ["4", "12"]
    assert Axis(names=named(("a", "b", "c"))).ticks(-1, 3, 2) == [(0.0, "a"), (2.0, "c")]


def test_a_logarithmic_axis_has_no_place_for_zero():
    axis = Axis(is_log=True)
    assert np.isnan(axis.places([0.0, 100.0])[0])
    assert axis.places([0.0, 100.0])[1] == 2


def test_numbers_have_as_many_decimals_as_say_something():
    assert [grouped(x) for x in (1234.5, 146.71, 12, 1.5, 0.25, 0.00012)] == [
        "1,234", "146.7", "12", "1.50", "0.25", "0.00012",
    ]  # fmt: skip


def test_an_axis_around_zero_reaches_equally_far_to_both_sides():
    for y, reach in (([-5.0, 1.0], 5.6), ([1.0, 5.0], 5.4), ([0.1, 0.2], 2.4)):
        series = Series("", 0, Kind.MARKERS, np.array([1.0, 2.0]), np.array(y))
        panel = Panel(Axis("x"), Axis("y", reach=2.4), (series,))
        assert panel.ranges(0.01)[1] == pytest.approx((-reach, reach))


@pytest.mark.parametrize("most", [2, 3, 5])
@pytest.mark.parametrize("reach", [2.4, 3.5, 4.1, 5.6, 7.2, 9.9, 12, 38, 99])
def test_an_axis_around_zero_has_at_least_three_ticks(reach, most):
    ticks = Axis().ticks(-reach, reach, most, may_be_close=True)
    places = [place for place, _ in ticks]
    assert len(places) >= 3
    assert 0.0 in places
    assert min(np.diff(places)) >= 2 * reach / (1.6 * most) * (1 - 1e-9)


def test_counts_have_whole_ticks_on_logarithmic_axes_too():
    ticks = Axis(is_log=True, is_whole=True).ticks(-0.3, 0.4, 20)
    assert [text for _, text in ticks] == ["1", "2"]


def test_above_the_largest_value_there_is_room_for_a_marker_also_where_all_values_are_large():
    near_the_end = series_of("", 0, Kind.MARKERS, [Point(1, 0.99), Point(2, 1.0)])
    panel = Panel(Axis(), Axis(starts_at_zero=True, end=1.0), (near_the_end,))
    _, (low, high) = panel.ranges(0.05)
    assert high - 1.0 >= 0.04 * (high - low)
