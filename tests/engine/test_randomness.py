"""The random numbers of a run: its words, what follows from them, and binomial numbers with their distribution."""

import math
import random
from collections.abc import Iterator
from itertools import chain, count, islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine import randomness as module
from gpviz.engine.config import RunConfig
from gpviz.engine.randomness import (
    binomial,
    columns,
    first_uniforms,
    key_blocks,
    key_of,
    root_of,
    roots_of,
    uniforms,
    word,
)
from gpviz.engine.search import RlsGp
from tests.engine.chance import assert_distribution, assert_mean, binomial_probabilities
from tests.thoroughness import every_day

SEEDS = st.integers(0, 2**4096 - 1)
WORDS = st.integers(0, 2**64 - 1)


def splitmix64(state: int) -> int:
    """Steele, Lea and Flood's generator: the output for a state that has been advanced."""
    z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return z ^ z >> 31


def advanced(state: int, steps: int) -> int:
    return (state + steps * 0x9E3779B97F4A7C15) % 2**64


class TestWords:
    def test_they_are_the_published_outputs_of_splitmix64(self):
        assert [word(1234567, i) for i in range(1, 6)] == [
            6457827717110365317,
            3203168211198807973,
            9817491932198370423,
            4593380528125082431,
            16408922859458223821,
        ]

    @given(WORDS, st.integers(-(2**70), 2**70))
    def test_they_are_splitmix64_at_every_index(self, key, index):
        assert word(key, index) == splitmix64(advanced(key, index))

    @given(WORDS, st.integers(0, 100))
    def test_a_uniform_number_is_the_upper_53_bits_of_its_word(self, key, index):
        assert next(uniforms(key, index)) == (word(key, index) >> 11) / 2**53

    @given(st.lists(WORDS, max_size=5), st.integers(1, 6))
    def test_the_first_numbers_of_many_keys_are_those_of_each(self, keys, count):
        assert first_uniforms(keys, count) == [tuple(islice(uniforms(key), count)) for key in keys]


class TestKeys:
    @given(SEEDS)
    def test_a_root_folds_the_64_bit_digits_of_the_seed_lowest_first(self, seed):
        root = 0
        for digit in [seed >> 64 * i & 2**64 - 1 for i in range(max(1, -(-seed.bit_length() // 64)))]:
            root = splitmix64(advanced(root ^ digit, 1))
        assert root_of(seed) == root

    @given(SEEDS, st.integers(1, 2**40))
    def test_the_key_of_an_iteration_is_its_word_of_the_root(self, seed, iteration):
        assert key_of(seed, iteration) == word(root_of(seed), iteration)

    @pytest.mark.parametrize("iteration", [1, 2, 2**40])
    @pytest.mark.parametrize("seed", [0, 2**64 - 1, 2**64, 3**40])
    def test_blocks_of_keys_are_the_keys_of_consecutive_iterations(self, seed, iteration):
        keys = islice(chain.from_iterable(key_blocks(seed, iteration)), 9000)
        assert list(keys) == [key_of(seed, t) for t in range(iteration, iteration + 9000)]

    def test_the_keys_are_pinned(self):
        seeds = (0, 1, 7431, 2**64 - 1, 2**64, 3**200)
        assert [[key_of(seed, t) for t in (1, 2, 1_000_000)] for seed in seeds] == PINNED_KEYS


PINNED_KEYS = [
    [12035550249420947055, 12935080325729570654, 2005938638641001607],
    [6791897765849424158, 17405687883870564846, 2894437909673535515],
    [11238955748266971505, 16824386954240333059, 1821519946475456964],
    [6755974106381971767, 13665441387248026780, 149150339407985012],
    [4964578127960768432, 12049418925942065841, 6413475967265359001],
    [11143022539941825656, 15970443450164772744, 11149716740219475815],
]


class TestColumns:
    @given(WORDS, st.lists(st.integers(1, 30), min_size=1, max_size=6, unique=True), st.integers(1, 200))
    def test_bit_r_of_a_column_is_bit_r_of_its_words(self, key, variables, rows):
        width = -(-rows // 64)
        expected = {}
        for variable in variables:
            first = 1 + (variable - 1) * width
            bits = [word(key, first + r // 64) >> r % 64 & 1 for r in range(rows)]
            expected[variable] = sum(bit << r for r, bit in enumerate(bits))
        assert columns(key, variables, rows) == expected

    @given(WORDS, st.integers(1, 1000), st.integers(1, 300))
    def test_a_column_does_not_depend_on_the_others(self, key, variable, rows):
        assert columns(key, [3, variable, 1001], rows)[variable] == columns(key, [variable], rows)[variable]


RUNS = [
    RunConfig(n=6, seed=3),
    RunConfig(n=6, seed=3, fitness="sampled", rows=50),
    RunConfig(n=6, seed=3, fitness="sampled", rows=10**6, sampler="counts"),
]


@pytest.mark.parametrize("config", RUNS, ids=["complete", "rows", "counts"])
class TestGlobalState:
    def test_a_run_leaves_the_global_generators_alone(self, config):
        python_before, numpy_before = random.getstate(), np.random.get_state()
        RlsGp(config).run(max_iterations=200)
        assert random.getstate() == python_before
        assert all(np.array_equal(a, b) for a, b in zip(np.random.get_state(), numpy_before, strict=True))


@pytest.mark.parametrize("seeds", [[], [0, 1, 2**64 - 1], [5, 2**64, 3 * 2**200 + 7]])
def test_roots_of_many_seeds_are_those_of_each(seeds):
    assert roots_of(seeds).tolist() == [root_of(seed) for seed in seeds]


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


@pytest.mark.parametrize(
    ("trials", "p"),
    [(20, 0.5), (34, 0.3), (100, 0.1), (10**6, 1e-5), (1000, 0.5), (10**9, 1.1e-8), (10**12, 0.5)],
)
def test_rejection_has_a_hat_above_the_distribution_and_a_squeeze_below_it(trials, p):
    """That makes it exact, and too few numbers are drawn above to notice if it was not quite so."""
    spread = math.sqrt(trials * p * (1 - p))
    a, b, quick = module._hat(spread, p)
    peak = module._log_probability(math.floor((trials + 1) * p), trials, p)
    for i in range(1, 500):
        u = i / 500 - 0.5
        edge = 0.5 - abs(u)
        successes = math.floor((2 * a / edge + b) * u + trials * p + 0.5)
        if 0 <= successes <= trials:
            height = math.exp(module._log_probability(successes, trials, p) - peak)
            chance = height * (a / edge**2 + b) / ((2.83 + 5.1 / b) * spread)
            assert chance <= 1
            assert edge < 0.07 or quick <= chance


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
