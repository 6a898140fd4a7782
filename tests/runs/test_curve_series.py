"""The series show a run of any length truly: nothing larger or smaller is lost, and nothing is made up."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine import RunConfig, Verdict
from gpviz.engine.tree import variables_of
from gpviz.runs.curve_series import Line, Pyramid, RunSeries, Thinned, as_levels, step_line
from gpviz.runs.history import History
from gpviz.runs.step_encoding import VERDICTS
from tests.app.plots.runs import SAMPLED, SHORT, grow, long_history, recorded

IMPROVED, WORSE = VERDICTS.index(Verdict.IMPROVED), VERDICTS.index(Verdict.WORSE)


def filled(history: History) -> RunSeries:
    series = RunSeries(history)
    while not series.take_in(10**9):
        pass
    return series


def same(first, second) -> bool:
    return all(np.array_equal(a, b, equal_nan=True) for a, b in zip(first, second, strict=True))


def value_at(line: Line, position: float) -> float:
    """The value of a line of steps at a position."""
    return float(line.y[np.searchsorted(line.x, position, side="right") - 1])


values = st.lists(st.integers(0, 50), max_size=700).map(lambda numbers: np.array(numbers, dtype=np.float32))


@given(values, st.integers(1, 12), st.integers(1, 40))
def test_a_pyramid_fed_part_by_part_is_the_same_as_fed_at_once(numbers, parts, most):
    whole, piecewise = Pyramid(), Pyramid()
    whole.extend(numbers)
    for part in np.array_split(numbers, parts):
        piecewise.extend(part)
    assert len(piecewise) == len(numbers)
    assert same(whole.line(0, len(numbers), most), piecewise.line(0, len(numbers), most))


@given(values, st.integers(1, 40))
def test_a_pyramid_keeps_the_least_and_the_largest(numbers, most):
    pyramid = Pyramid()
    pyramid.extend(numbers)
    line = pyramid.line(0, len(numbers), most)
    assert len(line.x) == len(line.y)
    assert (np.diff(line.x) >= 0).all()
    if len(numbers):
        assert (line.y.min(), line.y.max()) == (numbers.min(), numbers.max())
        assert 0 <= line.x[0] <= line.x[-1] <= len(numbers)


@given(st.integers(0, 3000), st.integers(1, 12))
def test_thinned_points_are_every_stride_th_however_they_came(count, parts):
    thinned = Thinned(capacity=100)
    numbers = np.arange(count)
    for part in np.array_split(numbers, parts):
        thinned.extend(part, part.astype(np.float64))
    x, y, stride = thinned.between(0, count)
    assert x.tolist() == numbers[::stride].tolist() == y.tolist()
    assert len(x) <= 100
    assert stride == 1 or len(x) > 50
    assert thinned.total == count


changes = st.lists(st.tuples(st.integers(1, 9), st.integers(0, 20)), min_size=1, max_size=60)


@given(changes, st.integers(0, 100), st.integers(1, 200))
def test_steps_hold_from_one_change_to_the_next(pairs, start, span):
    iterations = np.cumsum([0, *(gap for gap, _ in pairs[1:])])
    heights = np.array([height for _, height in pairs])
    line = step_line(iterations, heights, start, start + span, 10**6)
    for position in range(start, start + span):
        assert value_at(line, position) == heights[iterations.searchsorted(position, side="right") - 1]


@given(changes, st.integers(1, 20))
def test_steps_that_share_a_column_keep_their_extremes(pairs, most):
    iterations = np.cumsum([0, *(gap for gap, _ in pairs[1:])])
    heights = np.array([height for _, height in pairs])
    line = step_line(iterations, heights, 0, int(iterations[-1]), most)
    assert len(line.x) <= 8 * (most + 1) or not line.is_dense
    assert (line.y.min(), line.y.max(), line.y[-1]) == (heights.min(), heights.max(), heights[-1])


@pytest.mark.parametrize(
    "config", [SHORT, SAMPLED, RunConfig(n=128, seed=1)], ids=["short", "sampled", "128"]
)
def test_a_history_taken_in_bit_by_bit_gives_the_same_series(config):
    history = recorded(config, 300)
    series = RunSeries(history)
    while not series.take_in(7):
        pass
    grow(history, 500)
    while not series.take_in(41):
        pass
    fresh = filled(history)
    assert series.length == fresh.length == 800
    assert series.highest == fresh.highest
    for start, stop, most in ((0, 800, 3), (0, 800, 1000), (250, 400, 50)):
        assert same(series.error_line(start, stop, most), fresh.error_line(start, stop, most))
        assert same(series.improvements(start, stop, 20), fresh.improvements(start, stop, 20))
        assert same(series.rejections(start, stop, 20), fresh.rejections(start, stop, 20))
        for line, other in zip(
            series.size_lines(start, stop, most), fresh.size_lines(start, stop, most), strict=True
        ):
            assert same(line, other)


@pytest.mark.parametrize("config", [SHORT, SAMPLED], ids=["complete", "sampled"])
def test_the_curve_shows_the_error_of_every_iteration(config):
    history = recorded(config, 300)
    line = filled(history).error_line(0, 300, 10**6)
    for iteration in range(1, 301):
        assert 2 ** value_at(line, iteration) - 1 == pytest.approx(history.error_at(iteration))


def test_sizes_are_those_of_the_trees():
    history = recorded()
    leaves, ors, distinct = filled(history).size_lines(0, 200, 10**6)
    for iteration in range(201):
        tree = history.tree_at(iteration)
        assert value_at(leaves, iteration) == (tree.leaves if tree else 0)
        assert value_at(ors, iteration) == (tree.ors if tree else 0)
        assert value_at(distinct, iteration) == variables_of(tree).bit_count()


def test_every_improvement_and_every_worse_offspring_is_marked_while_they_are_few():
    history = recorded()
    series = filled(history)
    for points, verdict in (
        (series.improvements(0, 200, 500), IMPROVED),
        (series.rejections(0, 200, 500), WORSE),
    ):
        assert points.stride == 1
        assert (points.x - 1).tolist() == np.flatnonzero(history.verdicts() == verdict).tolist()
        assert points.y.tolist() == pytest.approx(
            as_levels(history.offspring_errors()[points.x - 1]).tolist()
        )


@pytest.fixture(scope="module")
def million() -> RunSeries:
    return filled(long_history(100))


def test_a_million_iterations_are_drawn_with_few_points(million):
    assert len(million.rejections(0, 10**6, 4000).x) <= 4000
    leaves, ors, _ = million.size_lines(0, 10**6, 1000)
    assert max(len(leaves.x), len(ors.x)) <= 5000
    assert leaves.is_dense


@pytest.mark.parametrize("shift", [8, 333])
@pytest.mark.parametrize(("span", "most"), [(3000, 900), (20_000, 1000), (400_000, 1000)])
def test_the_same_points_are_shown_while_the_window_moves(million, span, most, shift):
    first = million.rejections(500_000, 500_000 + span, most)
    moved = million.rejections(500_000 + shift, 500_000 + shift + span, most)
    assert first.stride == moved.stride > 1
    is_in_both = (first.x >= 500_000 + shift), (moved.x <= 500_000 + span)
    assert first.x[is_in_both[0]].tolist() == moved.x[is_in_both[1]].tolist()


def test_sampled_errors_of_a_long_run_keep_their_peaks():
    history = long_history(20, SAMPLED)
    series = filled(history)
    line = series.error_line(0, len(history), 100)
    assert line.is_dense
    assert np.nanmax(line.y) == pytest.approx(np.log2(np.nanmax(history.errors()) + 1))
    assert np.nanmin(line.y) == pytest.approx(np.log2(np.nanmin(history.errors()) + 1))


def test_an_empty_history_has_empty_series():
    series = filled(History(SHORT))
    assert len(series.error_line(0, 10, 100).x) == 0
    assert len(series.rejections(0, 10, 100).x) == 0
    assert series.size_lines(0, 10, 100)[0].y.tolist() == [0, 0]
