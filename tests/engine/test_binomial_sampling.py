"""Binomial numbers: the right distribution, from words alone, at a cost that does not grow."""

import math
from collections.abc import Iterator
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine import binomial_sampling as module
from gpviz.engine.binomial_sampling import binomial
from gpviz.engine.randomness import key_of, uniforms
from tests.engine.chance import assert_distribution, assert_mean, binomial_probabilities
from tests.thoroughness import every_day

DRAWS = every_day(2500, thorough=10_000)


def drawn(trials: int, p: float, draws: int = DRAWS, seed: int = 1) -> list[int]:
    return [binomial(trials, p, uniforms(key_of(seed, i))) for i in range(1, draws + 1)]


def with_taken(trials: int, p: float, key: int) -> tuple[int, int]:
    """A number, and how many draws it took."""
    taken = count()
    draws: Iterator[float] = (draw for draw, _ in zip(uniforms(key), taken, strict=False))
    successes = binomial(trials, p, draws)
    return successes, next(taken)


CASES = [
    (1, 0.3),
    (5, 0.5),
    (10, 0.01),
    (19, 0.5),  # walking, just below ten expected
    (20, 0.5),  # rejection, exactly ten expected
    (21, 0.5),
    (99, 0.1),
    (101, 0.1),
    (1000, 0.0099),
    (1000, 0.01),
    (1000, 0.0101),
    (25, 0.41),
    (40, 0.4),
    (200, 0.25),
    (1000, 0.5),
    (5000, 0.02),
    (30, 0.7),
    (12, 0.9),
    (60, 0.999),
    (400, 0.51),
]


class TestDistribution:
    @pytest.mark.parametrize(("trials", "p"), CASES)
    def test_it_is_the_binomial_one(self, trials, p):
        assert_distribution(drawn(trials, p), binomial_probabilities(trials, p))

    def test_a_million_trials_with_few_successes_are_poisson_like(self):
        # The exact probabilities, each from the one before.
        trials, p = 10**6, 4e-6
        probabilities = [(1 - p) ** trials]
        for k in range(40):
            probabilities.append(probabilities[-1] * (trials - k) / (k + 1) * p / (1 - p))
        assert_distribution(drawn(trials, p), dict(enumerate(probabilities)))

    @pytest.mark.parametrize("trials", [10**9, 10**12])
    @pytest.mark.parametrize("p", [1e-11, 3e-9, 0.001, 0.3, 0.5, 0.8])
    def test_the_mean_is_right_for_very_many_trials(self, trials, p):
        sd = math.sqrt(trials * p * (1 - p))
        assert_mean(drawn(trials, p, DRAWS // 2), trials * p, sd)

    @pytest.mark.parametrize("trials", [10**9, 10**12])
    @pytest.mark.parametrize("p", [3e-9, 0.001, 0.3, 0.5, 0.8])
    def test_the_variance_is_right_for_very_many_trials(self, trials, p):
        # A squared deviation has variance (kurtosis - 1) variance^2, and that bracket is 2 + (1 - 6pq) / npq.
        mean, variance = trials * p, trials * p * (1 - p)
        spread = variance * math.sqrt(2 + (1 - 6 * p * (1 - p)) / variance)
        assert_mean(((k - mean) ** 2 for k in drawn(trials, p, DRAWS // 2)), variance, spread)

    @pytest.mark.parametrize(("trials", "p"), [(200, 0.2), (10**12, 0.3)])
    def test_successive_numbers_of_a_key_are_independent(self, trials, p):
        mean, variance = trials * p, trials * p * (1 - p)
        products = []
        for i in range(1, DRAWS // 2 + 1):
            draws = uniforms(key_of(3, i))
            first, second = binomial(trials, p, draws), binomial(trials, p, draws)
            products.append((first - mean) * (second - mean) / variance)
        assert_mean(products, 0.0, 1.0)


class TestEdges:
    @pytest.mark.parametrize("p", [0.0, 0.3, 0.5, 1.0])
    def test_no_trials_have_no_successes_and_take_no_draws(self, p):
        assert with_taken(0, p, 5) == (0, 0)

    @pytest.mark.parametrize("trials", [1, 100, 10**12])
    def test_probability_zero_has_no_successes_and_takes_no_draws(self, trials):
        assert with_taken(trials, 0.0, 5) == (0, 0)

    @pytest.mark.parametrize("trials", [1, 100, 10**12])
    def test_probability_one_has_only_successes_and_takes_no_draws(self, trials):
        assert with_taken(trials, 1.0, 5) == (trials, 0)

    @given(st.integers(1, 10**12), st.floats(0, 1), st.integers(0, 2**64 - 1))
    def test_the_number_is_between_none_and_all(self, trials, p, key):
        assert 0 <= binomial(trials, p, uniforms(key)) <= trials

    def test_few_expected_successes_take_one_draw(self):
        assert with_taken(100, 0.05, 5)[1] == 1

    @given(st.integers(1, 10**6), st.integers(1, 2**20 - 1), st.integers(0, 10**6))
    def test_failures_are_successes_of_the_other_kind(self, trials, p_numerator, key):
        p = p_numerator / 2**21  # below one half, and 1 - p is exact
        successes, taken = with_taken(trials, p, key)
        assert with_taken(trials, 1 - p, key) == (trials - successes, taken)

    def test_numbers_are_pinned(self):
        cases = [(10, 0.3), (100, 0.7), (10**4, 0.25), (10**9, 1e-3), (10**12, 0.5), (10**12, 1e-12)]
        assert [binomial(trials, p, uniforms(12345)) for trials, p in cases] == PINNED


PINNED = [1, 73, 2462, 999113, 499999555626, 0]


def another_library(value: float, excess: float) -> float:
    """What a C library might give that is far worse than any: wrong from the eleventh digit on."""
    return value * (1 + excess)


@pytest.mark.parametrize("excess", [-1e-11, 1e-11])
class TestOtherPlatforms:
    """The C library's functions may be a little different elsewhere; the numbers drawn are not."""

    @pytest.fixture
    def elsewhere(self, monkeypatch, excess):
        for name in ("exp", "log", "log1p"):
            theirs = getattr(math, name)
            monkeypatch.setattr(module, name, lambda x, theirs=theirs: another_library(theirs(x), excess))

    @pytest.mark.parametrize(
        ("trials", "p"), [(100, 0.05), (1000, 0.003), (20, 0.5), (1000, 0.2), (10**6, 1e-4)]
    )
    @pytest.mark.usefixtures("elsewhere")
    def test_the_numbers_are_the_same(self, trials, p, monkeypatch):
        found = drawn(trials, p, DRAWS // 3)
        monkeypatch.undo()
        assert found == drawn(trials, p, DRAWS // 3)
