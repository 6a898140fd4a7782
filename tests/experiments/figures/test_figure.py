"""Axes, their ticks and ranges, and what a figure says of itself."""

import numpy as np
import pytest

from gpviz.experiments.figures.figure import Axis, Kind, Panel, Series, grouped


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


def test_a_logarithmic_axis_has_no_position_for_zero():
    axis = Axis(is_log=True)
    assert np.isnan(axis.positions([0.0, 100.0])[0])
    assert axis.positions([0.0, 100.0])[1] == 2


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
