"""Exact counting, also where prime implicants are too many to list, and the terms it works on."""

import pytest
from hypothesis import given, settings

from gpviz.engine import true_row_count
from gpviz.engine.enums import Function
from gpviz.engine.errors import TooComplexError
from gpviz.engine.formula import parse
from gpviz.engine.target import Conjunction
from gpviz.engine.true_row_count import count_masks, count_tree
from tests.engine.strategies import (
    few_implicants,
    mask_sets,
    remade,
    table_of_masks,
    table_of_tree,
    trees,
)

N = 8
AND, OR = Function.AND, Function.OR


@given(mask_sets(N, max_size=20))
def test_count_masks_counts_the_rows_on_which_a_conjunction_is_true(masks):
    assert count_masks(masks, N) == table_of_masks(masks, N).bit_count()


@given(trees(n=N, max_leaves=24))
def test_count_tree_counts_the_true_rows(tree):
    assert count_tree(tree, N) == table_of_tree(tree, N).bit_count()


@settings(max_examples=20)
@given(trees(n=N, min_leaves=60, max_leaves=100))
def test_count_tree_counts_the_true_rows_of_large_trees(tree):
    assert count_tree(tree, N) == table_of_tree(tree, N).bit_count()


@given(trees(n=4, max_leaves=8))
def test_variables_that_are_not_in_the_tree_double_its_rows(tree):
    assert count_tree(tree, 100) == table_of_tree(tree, 4).bit_count() << 96


@given(trees(n=N, max_leaves=24))
def test_an_error_is_exact_though_the_implicants_are_too_many(tree):
    with few_implicants(2, products=4):
        assert Conjunction(N).error(remade(tree)) == table_of_tree(tree, N).bit_count() - 1


@given(trees(n=6, max_leaves=10), trees(n=6, max_leaves=10))
def test_a_joint_error_is_exact_though_the_implicants_are_too_many(parent, offspring):
    a, b = table_of_tree(parent, 6), table_of_tree(offspring, 6)
    expected = ((a & b).bit_count() - 1, (a & ~b).bit_count(), (b & ~a).bit_count())
    with few_implicants(1, products=1):
        assert Conjunction(6).joint(remade(parent), remade(offspring)) == expected


PAIRS = "&".join(f"(x{2 * i - 1}|x{2 * i})" for i in range(1, 101))


def test_the_error_of_a_hundred_pairs_is_exact():
    assert Conjunction(200).error(parse(PAIRS)) == 3**100 - 1


def test_pairs_that_share_their_variables_in_a_chain_are_counted_exactly():
    # Rows without two neighbouring zeros: Fibonacci numbers.
    chain = parse("&".join(f"(x{i}|x{i + 1})" for i in range(1, 300)))
    before, rows = 1, 2
    for _ in range(299):
        before, rows = rows, before + rows
    assert count_tree(chain, 300) == rows


# A grid has no order of its variables in which few of them separate it.
GRID = "&".join(
    f"(x{20 * row + column + 1}|x{20 * other_row + other_column + 1})"
    for row in range(20)
    for column in range(20)
    for other_row, other_column in ((row + 1, column), (row, column + 1))
    if other_row < 20 and other_column < 20
)


def test_what_would_take_too_long_is_a_sentence(monkeypatch):
    monkeypatch.setattr(true_row_count, "MAX_CASES", 10)
    with pytest.raises(
        TooComplexError, match=r"^formula: counting .* takes more than 10 case distinctions\.$"
    ):
        count_tree(parse(GRID), 400)


def test_the_budget_for_implicants_is_kept(monkeypatch):
    monkeypatch.setattr(true_row_count, "MAX_CASES", 3)
    with pytest.raises(TooComplexError, match="more than 3 case distinctions"):
        count_masks([0b11 << shift for shift in range(20)], 21)


def test_what_fits_the_budget_is_still_counted(monkeypatch):
    monkeypatch.setattr(true_row_count, "MAX_CASES", 3)
    assert count_tree(parse("(x1 | x2) & (x1 | x3)"), 3) == 5
