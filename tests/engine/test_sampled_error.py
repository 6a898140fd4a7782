"""The error on sampled rows: both samplers against rows evaluated one by one and against theory."""

from collections import defaultdict
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine.enums import Function
from gpviz.engine.formula import parse
from gpviz.engine.prime_implicants import TooMany
from gpviz.engine.randomness import columns, key_of
from gpviz.engine.sampled_error import (
    CountSampler,
    RowSampler,
    Sampler,
    _chances,
    evaluate,
    verdict_chances,
)
from gpviz.engine.target import Conjunction, JointErrors
from gpviz.engine.tree import Node
from tests.engine.chance import assert_distribution, binomial_probabilities
from tests.engine.strategies import Shape, few_implicants, remade, shape_of, table_of_tree, trees
from tests.thoroughness import every_day

N = 6
KEYS = st.integers(0, 2**64 - 1)
SAMPLERS = [RowSampler, CountSampler]
DRAWS = every_day(1000, thorough=4000)


def is_true(shape: Shape, row: list[bool]) -> bool:
    if isinstance(shape, int):
        return row[shape - 1]
    function, left, right = shape
    if function is Function.AND:
        return is_true(left, row) and is_true(right, row)
    return is_true(left, row) or is_true(right, row)


def sampled_rows(key: int, n: int, rows: int) -> list[list[bool]]:
    drawn = columns(key, list(range(1, n + 1)), rows)
    return [[bool(drawn[variable] >> r & 1) for variable in range(1, n + 1)] for r in range(rows)]


def naive_error(key: int, tree: Node, n: int, rows: int) -> int:
    return sum(is_true(shape_of(tree), row) != all(row) for row in sampled_rows(key, n, rows))


class TestRowSampler:
    @given(trees(), trees(), KEYS, st.integers(1, 130))
    def test_errors_are_those_on_the_rows_of_the_key(self, parent, offspring, key, rows):
        expected = (naive_error(key, parent, N, rows), naive_error(key, offspring, N, rows))
        assert RowSampler(rows, Conjunction(N)).errors(key, parent, offspring) == expected

    @given(trees(), KEYS, st.integers(1, 130))
    def test_the_error_of_one_tree_is_that_on_the_same_rows(self, tree, key, rows):
        assert RowSampler(rows, Conjunction(N)).error(key, tree) == naive_error(key, tree, N, rows)

    @given(trees(), trees(), KEYS, st.integers(1, 130))
    def test_trees_with_too_many_implicants_are_evaluated_too(self, parent, offspring, key, rows):
        expected = (naive_error(key, parent, N, rows), naive_error(key, offspring, N, rows))
        with few_implicants(1, products=1):
            found = RowSampler(rows, Conjunction(N)).errors(key, remade(parent), remade(offspring))
        assert found == expected


class TestEvaluate:
    @given(trees(), KEYS)
    def test_a_bit_is_the_value_in_its_row(self, tree, key):
        rows = sampled_rows(key, N, 70)
        true_rows = evaluate(tree, columns(key, list(range(1, N + 1)), 70))
        assert [bool(true_rows >> r & 1) for r in range(70)] == [is_true(shape_of(tree), row) for row in rows]


@cache
def joint_probabilities(parent: Node, offspring: Node, n: int, rows: int) -> dict[tuple[int, int], float]:
    """The exact distribution of the two errors, one row after the other."""
    target = 1 << (2**n - 1)
    a, b = table_of_tree(parent, n) ^ target, table_of_tree(offspring, n) ^ target
    one_row = {
        (1, 1): (a & b).bit_count() / 2**n,
        (1, 0): (a & ~b).bit_count() / 2**n,
        (0, 1): (b & ~a).bit_count() / 2**n,
    }
    one_row[0, 0] = 1 - sum(one_row.values())
    total = {(0, 0): 1.0}
    for _ in range(rows):
        longer: dict[tuple[int, int], float] = defaultdict(float)
        for (i, j), probability in total.items():
            for (di, dj), share in one_row.items():
                if share:
                    longer[i + di, j + dj] += probability * share
        total = longer
    return total


PAIRS = [
    ("x1", "x1 & x2"),
    ("x1 & x2", "x1"),
    ("x1 & x2", "x2 & x3"),
    ("x1 | x2", "x3"),
    ("x1 | x2", "x2 | x1"),
    ("x1 & x2 & x3", "x1 | x2 & x3"),
    ("x1 & x2 & x3", "x3 & x2 & x1"),
]


def drawn_errors(sampler: Sampler, parent: Node, offspring: Node, draws: int) -> list[tuple[int, int]]:
    return [sampler.errors(key_of(11, i), parent, offspring) for i in range(1, draws + 1)]


@pytest.mark.parametrize("kind", SAMPLERS)
class TestDistribution:
    @pytest.mark.parametrize("rows", [6, 40])
    @pytest.mark.parametrize(("parent", "offspring"), PAIRS)
    def test_the_two_errors_have_their_joint_distribution(self, kind, parent, offspring, rows):
        a, b = parse(parent), parse(offspring)
        assert_distribution(
            drawn_errors(kind(rows, Conjunction(3)), a, b, DRAWS), joint_probabilities(a, b, 3, rows)
        )

    @pytest.mark.parametrize("rows", [6, 40])
    def test_so_have_those_of_trees_with_too_many_implicants(self, kind, rows):
        with few_implicants(1, products=1):
            a, b = remade(parse("(x1 | x2) & (x2 | x3)")), remade(parse("(x1 | x3) & (x1 | x2)"))
        assert isinstance(a.value, TooMany)
        assert_distribution(
            drawn_errors(kind(rows, Conjunction(3)), a, b, DRAWS // 2), joint_probabilities(a, b, 3, rows)
        )

    @pytest.mark.parametrize("rows", [6, 40])
    @pytest.mark.parametrize("formula", ["x1", "x1 & x2", "x1 | x2 | x3", "x1 & x2 & x3"])
    def test_the_error_of_one_tree_is_binomial(self, kind, formula, rows):
        sampler, tree = kind(rows, Conjunction(3)), parse(formula)
        wrong = table_of_tree(tree, 3).bit_count() - 1
        expected = binomial_probabilities(rows, wrong / 8) if wrong else {0: 1.0}
        assert_distribution([sampler.error(key_of(12, i), tree) for i in range(1, DRAWS + 1)], expected)

    @given(tree=trees(n=2, max_leaves=4), other=trees(n=2, max_leaves=4), key=KEYS)
    def test_trees_with_one_function_have_one_error(self, kind, tree, other, key):
        parent_error, offspring_error = kind(100, Conjunction(2)).errors(key, tree, other)
        if table_of_tree(tree, 2) == table_of_tree(other, 2):
            assert parent_error == offspring_error


MANY = 10**9


class TestManyRows:
    """A thousand million rows, which nobody can draw."""

    # Of 16 rows the parent is wrong on 3, the offspring on 1, and both on 0.

    def test_an_error_far_too_small_to_be_seen_is_not_seen(self):
        sampler = CountSampler(MANY, Conjunction(1000))
        tree = parse("&".join(f"x{variable}" for variable in range(1, 900)))
        assert sampler.error(key_of(1, 1), tree) == 0

    @given(key=KEYS, others=st.lists(KEYS, max_size=3), rows=st.sampled_from([3, 100, 10**6, MANY]))
    def test_a_sampler_that_was_prepared_draws_the_same(self, key, others, rows):
        parent, offspring = parse("x1 & x2"), parse("x2 & x3 & x4")
        prepared, plain = (CountSampler(rows, Conjunction(4)) for _ in range(2))
        assert prepared.prepare([*others, key]) == [*others, key]
        assert prepared.errors(key, parent, offspring) == plain.errors(key, parent, offspring)
        assert prepared.error(key, parent) == plain.error(key, parent)

    def test_an_offspring_that_is_better_everywhere_is_never_worse_on_a_sample(self):
        sampler = CountSampler(10**12, Conjunction(4))
        errors = drawn_errors(sampler, parse("x1 & x2"), parse("x1 & x2 & x3"), DRAWS // 2)
        assert all(offspring <= parent for parent, offspring in errors)


@pytest.mark.parametrize(
    ("joint", "rows"),
    [
        (JointErrors(3, 2, 0), 9),
        (JointErrors(3, 0, 2), 9),
        (JointErrors(1, 4, 2), 20),
        (JointErrors(0, 8, 8), 9),
        (JointErrors(5, 0, 0), 4),
    ],
)
def test_verdict_chances_are_the_multinomial_sums(joint: JointErrors, rows: int) -> None:
    from math import comb

    better, worse = joint.only_parent / 16, joint.only_offspring / 16
    sums = {"improved": 0.0, "neutral": 0.0, "worse": 0.0}
    for a in range(rows + 1):
        for b in range(rows + 1 - a):
            ways = comb(rows, a) * comb(rows - a, b)
            p = ways * better**a * worse**b * (1 - better - worse) ** (rows - a - b)
            sums["improved" if b < a else "worse" if b > a else "neutral"] += p
    assert verdict_chances(joint, 16, rows) == pytest.approx(tuple(sums.values()), abs=1e-12)


def test_verdict_chances_of_huge_samples_are_finite_and_sum_to_one() -> None:
    for joint in (JointErrors(0, 1, 1), JointErrors(0, 2**20, 2**20 - 1), JointErrors(0, 2**29, 1)):
        chances = verdict_chances(joint, 2**30, 10**9)
        assert sum(chances) == pytest.approx(1)
        assert min(chances) >= 0


@pytest.mark.parametrize(
    ("better", "worse", "rows", "expected"),
    [(2**-99, 0.0, 1000, 1000 * 2**-99), (1e-20, 1e-20, 10, 1e-19), (2**-60, 0.125, 30, 5.4e-19)],
)
def test_tiny_chances_are_not_lost(better: float, worse: float, rows: int, expected: float) -> None:
    assert _chances(better, worse, rows)[0] == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize(("better", "worse"), [(0.5, 0.5), (0.4, 0.6), (0.25, 0.25), (0.3, 0.2)])
def test_chances_with_many_differing_rows_are_the_exact_sums(better: float, worse: float) -> None:
    from math import comb

    rows = 150
    even = sum(
        comb(rows, a) * comb(rows - a, a) * better**a * worse**a * (1 - better - worse) ** (rows - 2 * a)
        for a in range(rows // 2 + 1)
    )
    assert _chances(better, worse, rows)[1] == pytest.approx(even, abs=1e-12)
