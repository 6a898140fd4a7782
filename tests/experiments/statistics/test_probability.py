"""The distributions, against scipy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gpviz.experiments.statistics.probability import (
    best_of_chance,
    best_of_interval,
    binomial_p,
    chi_square_sf,
    fisher_exact,
    normal_quantile,
    p_text,
    t_quantile,
    two_sided_p,
    wilson,
    z_of_p,
)


@given(st.floats(1e-12, 1 - 1e-12))
def test_normal_quantiles_are_those_of_scipy(p):
    assert normal_quantile(p) == pytest.approx(stats.norm.ppf(p), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("freedom", [*range(1, 31), 99, 198, 199, 200, 201, 499, 10_000, 10**8])
def test_t_quantiles_are_those_of_scipy(freedom):
    for p in (0.025, 0.1, 0.5, 0.6, 0.9, 0.975, 0.995, 0.9995):
        assert t_quantile(p, freedom) == pytest.approx(stats.t.ppf(p, freedom), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("p", "freedom"), [(0.0, 5), (1.0, 5), (0.5, 0)])
def test_a_t_quantile_that_does_not_exist_is_refused(p, freedom):
    with pytest.raises(ValueError, match="no quantile"):
        t_quantile(p, freedom)


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 5, 9, 16, 31, 32, 500, 1999, 2000])
def test_the_tail_of_chi_square_is_that_of_scipy(freedom):
    for value in (1e-6, 0.1, 1.0, freedom / 2, freedom, 2 * freedom, 3 * freedom + 50):
        expected = stats.chi2.sf(value, freedom)
        assert chi_square_sf(value, freedom) == pytest.approx(expected, rel=1e-9, abs=1e-300)


def test_chi_square_is_never_less_than_nothing_and_has_some_freedom():
    assert chi_square_sf(0, 3) == 1.0
    with pytest.raises(ValueError, match="no chi-square"):
        chi_square_sf(1.0, 0)


@given(st.data(), st.integers(1, 800), st.integers(1, 500))
def test_fishers_test_is_that_of_scipy(data, first_of, second_of):
    first = data.draw(st.integers(0, first_of))
    second = data.draw(st.integers(0, second_of))
    expected = stats.fisher_exact([[first, first_of - first], [second, second_of - second]]).pvalue
    assert fisher_exact(first, first_of, second, second_of) == pytest.approx(expected, rel=1e-7, abs=1e-250)


@given(st.data(), st.integers(1, 100_000))
def test_wilsons_interval_is_that_of_scipy(data, trials):
    successes = data.draw(st.integers(0, trials))
    expected = stats.binomtest(successes, trials).proportion_ci(method="wilson")
    assert wilson(successes, trials) == pytest.approx((expected.low, expected.high), abs=1e-12)


@pytest.mark.parametrize("trials", [1, 7, 500, 10**8])
def test_wilsons_interval_is_exact_at_none_and_all(trials):
    assert wilson(0, trials)[0] == 0.0
    assert wilson(trials, trials)[1] == 1.0
    assert 0 < wilson(0, trials)[1] < 1
    assert 0 < wilson(trials, trials)[0] < 1


@given(st.floats(0, 36))
def test_z_and_its_p_value_say_the_same(z):
    assert z_of_p(two_sided_p(z)) == pytest.approx(z, abs=1e-9)
    assert z_of_p(two_sided_p(-z)) == pytest.approx(z, abs=1e-9)


@pytest.mark.parametrize(
    ("p", "text"), [(0.5, "= 0.50"), (0.048, "= 0.048"), (0.0042, "= 0.004"), (0.0009, "< 0.001")]
)
def test_p_values_are_reported_so_that_one_sees_on_which_side_of_the_border_they_are(p, text):
    assert p_text(p) == text


def test_the_best_of_some_runs_is_good_as_often_as_a_hypergeometric_draw_is_not_0():
    good = np.arange(21)
    for count in (1, 3, 20):
        expected = stats.hypergeom.sf(0, 20, good, count)
        assert best_of_chance(good, 20, count) == pytest.approx(expected)
    with pytest.raises(ValueError, match="21 of 20 runs"):
        best_of_chance(good, 20, 21)


@pytest.mark.parametrize("p", [0.05, 0.5, 0.9])
def test_the_chance_of_the_best_is_right_on_average_however_few_runs_there_are(p):
    runs, count = 6, 4
    good = np.arange(runs + 1)
    mean = (stats.binom.pmf(good, runs, p) * best_of_chance(good, runs, count)).sum()
    assert mean == pytest.approx(1 - (1 - p) ** count)


def test_the_interval_of_the_best_is_wilsons_for_a_single_run_and_narrows_towards_1():
    assert best_of_interval(7, 10, 1) == pytest.approx(wilson(7, 10))
    low, high = best_of_interval(7, 10, 8)
    assert wilson(7, 10)[0] < low < high <= 1


@pytest.mark.parametrize("probability", [0.0049, 0.3, 0.97])
@pytest.mark.parametrize("trials", [1, 20, 500])
def test_the_binomial_test_is_that_of_scipy(trials, probability):
    for successes in sorted({0, trials, trials // 3, round(trials * probability), min(trials, 3)}):
        expected = stats.binomtest(successes, trials, probability).pvalue
        assert binomial_p(successes, trials, probability) == pytest.approx(expected, rel=1e-9, abs=1e-200)


def test_what_is_certain_never_fails_and_what_is_impossible_never_happens():
    assert (binomial_p(0, 5, 0.0), binomial_p(1, 5, 0.0)) == (1.0, 0.0)
    assert (binomial_p(5, 5, 1.0), binomial_p(4, 5, 1.0)) == (1.0, 0.0)
    assert binomial_p(10**8, 10**8, 0.001) == 0.0
