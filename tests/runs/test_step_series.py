"""A series known where it changes is shown truly from afar and from nearby, and taken in once."""

import numpy as np
import pytest

from gpviz.runs.curve_series import StepSeries

ROWS = 100


def steps(count: int, gap: int = 3, first: int = 0) -> tuple[np.ndarray, np.ndarray]:
    return first + gap * np.arange(count), np.random.default_rng(1).random(count)


def filled(iterations: np.ndarray, shares: np.ndarray) -> StepSeries:
    series = StepSeries(ROWS)
    series.show(iterations, shares)
    while not series.take_in(1000):
        pass
    return series


def shares_of(line) -> np.ndarray:
    return (np.exp2(line.y) - 1) / ROWS


def test_from_nearby_every_step_is_shown():
    iterations, shares = steps(50)
    line = filled(iterations, shares).line(0, 200, 1000)
    assert shares_of(line)[::2] == pytest.approx(shares)
    assert line.x[-1] == 200


def test_from_afar_the_extremes_and_the_last_value_are_kept():
    iterations, shares = steps(40_000)
    shares[12_345] = 1.0
    line = filled(iterations, shares).line(0, 130_000, 500)
    assert line.is_dense
    assert len(line.x) < 3000
    found = shares_of(line)
    assert found.max() == pytest.approx(1.0)
    assert line.x[found.argmax()] == pytest.approx(3 * 12_345, abs=400)
    assert (line.x[-1], found[-1]) == (130_000, pytest.approx(shares[-1]))


@pytest.mark.parametrize("first", [0, 500])
def test_longer_arrays_add_to_what_was_taken_in(first):
    iterations, shares = steps(30_000, first=first)
    series = filled(iterations[:10_000], shares[:10_000])
    series.show(iterations, shares)
    while not series.take_in(777):
        pass
    fresh = filled(iterations, shares).line(0, 100_000, 100)
    assert all(
        np.array_equal(a, b, equal_nan=True) for a, b in zip(series.line(0, 100_000, 100), fresh, strict=True)
    )


def test_the_value_at_an_iteration_is_known():
    series = filled(np.array([5, 10]), np.array([np.nan, 0.25]))
    assert [series.share_at(t) for t in (4, 5, 10, 99)] == [None, None, 0.25, 0.25]
