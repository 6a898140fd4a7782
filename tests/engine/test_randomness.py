"""The random numbers: SplitMix64, bit for bit, from the seed and the iteration alone."""

import random
from itertools import chain, islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine.config import RunConfig
from gpviz.engine.randomness import (
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
