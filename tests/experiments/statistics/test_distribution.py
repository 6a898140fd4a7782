"""ECDF, Kaplan-Meier and bins: against scipy, and what must hold whatever the runs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gpviz.experiments.statistics.cell_statistics import ecdf, histogram_edges

TIMES = st.lists(st.integers(1, 60), min_size=1, max_size=80)


@given(TIMES)
def test_the_ecdf_of_solved_runs_is_that_of_scipy(values):
    t, share = ecdf(np.array(values), len(values))
    expected = stats.ecdf(values).cdf
    assert list(t) == list(expected.quantiles)
    assert share == pytest.approx(expected.probabilities)


def test_stuck_runs_are_never_solved():
    t, share = ecdf([3, 3, 9], 6)
    assert list(t) == [3, 9]
    assert list(share) == [2 / 6, 3 / 6]


def test_the_ecdf_of_no_solved_run_has_no_steps():
    for runs in (0, 5):
        t, share = ecdf(np.empty(0, dtype=np.int64), runs)
        assert t.size == share.size == 0


def test_more_solved_runs_than_runs_are_refused():
    with pytest.raises(ValueError, match="3 runs solved of 2"):
        ecdf([1, 2, 3], 2)


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=200), st.booleans())
def test_every_value_is_inside_a_bin_and_on_no_edge(values, is_log):
    edges = histogram_edges(values, is_log=is_log)
    assert np.histogram(values, edges)[0].sum() == len(values)
    assert np.all(np.diff(edges) >= 1)
    assert np.all(edges % 1 == 0.5)
    assert 1 <= edges.size - 1 <= 60


def test_bins_are_equally_wide_or_have_equal_ratios():
    values = np.random.default_rng(32).geometric(0.002, 500)
    widths = np.diff(histogram_edges(values))
    assert np.all(widths == widths[0])
    assert 10 < widths.size < 60
    edges = histogram_edges(values, is_log=True)
    ratios = np.diff(np.log(edges[edges > 50]))
    assert ratios.max() < 1.2 * ratios.min()


def test_a_histogram_has_bins_for_one_value_and_none_for_no_value():
    assert list(histogram_edges([7] * 20)) == [6.5, 7.5]
    assert list(histogram_edges([7] * 20, is_log=True)) == [6.5, 7.5]
    assert histogram_edges([]).size == 0
    assert histogram_edges([0, 0], is_log=True).size == 0
    assert histogram_edges([0, 5], is_log=True)[0] == 0.5
    assert histogram_edges(np.arange(10_000), most=12).size <= 13
