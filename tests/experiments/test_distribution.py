"""ECDF, Kaplan-Meier and bins: against scipy, and what must hold whatever the runs."""

import warnings
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from gpviz.experiments.statistics import ecdf, ecdf_band, histogram_edges, survival

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


def test_the_band_holds_the_whole_curve_in_at_least_95_of_100_cases():
    random = np.random.default_rng(30)
    trials, runs = 1000, 60
    held = 0
    for values in random.geometric(0.02, (trials, runs)):
        t, share = ecdf(values, runs)
        low, high = ecdf_band(share, runs)
        # The true curve goes up in whole numbers: before a step it is that of the number below.
        before_low, before_high = ecdf_band(np.concatenate(([0.0], share[:-1])), runs)
        true, before = stats.geom.cdf(t, 0.02), stats.geom.cdf(t - 1, 0.02)
        is_after = np.all((low <= true) & (true <= high))
        held += bool(is_after and np.all((before_low <= before) & (before <= before_high)))
    assert held / trials > 0.95 - 5 * sqrt(0.95 * 0.05 / trials)


def test_the_band_is_as_wide_everywhere_and_stays_between_0_and_1():
    low, high = ecdf_band([0.0, 0.5, 1.0], 200)
    half = sqrt(log(40) / 400)
    assert list(low) == pytest.approx([0, 0.5 - half, 1 - half])
    assert list(high) == pytest.approx([half, 0.5 + half, 1])
    assert [float(each[0]) for each in ecdf_band([0.5], 0)] == [0.0, 1.0]


@settings(max_examples=40)
@given(TIMES, st.lists(st.integers(1, 60), max_size=30), st.integers(0, 5))
def test_survival_is_that_of_scipy_with_stuck_runs_at_risk_for_ever(solved, stopped, stuck):
    found = survival(solved, stopped, stuck)
    censored = np.array([*stopped, *[1000] * stuck], dtype=float)
    expected = stats.ecdf(stats.CensoredData(uncensored=solved, right=censored)).sf
    assert found.share == pytest.approx(expected.evaluate(found.t))
    inner = found.share > 1e-12
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # it has no interval where the share is 0
        interval = expected.confidence_interval(method="log-log")
    assert found.low[inner] == pytest.approx(interval.low.evaluate(found.t)[inner])
    assert found.high[inner] == pytest.approx(interval.high.evaluate(found.t)[inner])


@given(TIMES, st.integers(0, 5))
def test_without_stopped_runs_survival_is_one_minus_the_ecdf(solved, stuck):
    found = survival(solved, stuck=stuck)
    t, share = ecdf(solved, len(solved) + stuck)
    assert list(found.t) == list(t)
    assert found.share == pytest.approx(1 - share, abs=1e-12)


@given(TIMES, st.lists(st.integers(1, 60), max_size=30), st.integers(0, 5))
def test_survival_falls_and_lies_within_its_interval(solved, stopped, stuck):
    found = survival(solved, stopped, stuck)
    assert np.all(np.diff(found.share) <= 0)
    assert np.all((found.low <= found.share + 1e-12) & (found.share <= found.high + 1e-12))
    assert np.all((found.low >= 0) & (found.high <= 1))


def test_when_all_runs_are_solved_the_last_interval_begins_at_0():
    found = survival([2, 5, 9])
    assert (found.share[-1], found.low[-1]) == (0.0, 0.0)
    assert found.high[-1] == found.high[-2] > 0
    single = survival([4])
    assert (single.share[0], single.low[0], single.high[0]) == (0.0, 0.0, 1.0)


def test_survival_of_no_solved_run_has_no_steps():
    assert survival([], [10, 20], 3).t.size == 0


def test_stopped_runs_do_not_bias_survival():
    random = np.random.default_rng(31)
    waits, ends = random.geometric(0.01, 4000), random.geometric(0.01, 4000)
    found = survival(waits[waits <= ends], ends[waits > ends])
    place = np.searchsorted(found.t, 100, side="right") - 1
    assert found.share[place] == pytest.approx(stats.geom.sf(found.t[place], 0.01), abs=0.05)
    naive = 1 - ecdf(waits[waits <= ends], 4000)[1][place]
    assert naive > found.share[place] + 0.1


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
