"""The target AND_n and how far a tree is from it, against truth tables."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine.formula import parse
from gpviz.engine.randomness import columns
from gpviz.engine.target import Conjunction
from tests.engine.strategies import error_of_shape, shape_of, table_of_tree, trees

N = 6
TRUE_ROW = 1 << (2**N - 1)


@given(trees())
def test_the_error_is_the_number_of_rows_that_differ(tree):
    assert Conjunction(N).error(tree) == error_of_shape(shape_of(tree), N)


@pytest.mark.parametrize("n", [1, 2, 5, 16, 64, 100, 1000])
def test_a_conjunction_of_some_of_the_variables_differs_on_all_other_rows_where_it_is_true(n):
    some = (n + 1) // 2
    tree = parse("&".join(f"x{variable}" for variable in range(1, some + 1)))
    assert Conjunction(n).error(tree) == 2 ** (n - some) - 1


@given(trees())
def test_the_generalisation_error_is_the_exact_share_of_wrong_rows(tree):
    assert Conjunction(N).generalisation_error(tree) == Fraction(error_of_shape(shape_of(tree), N), 2**N)


@given(trees(), trees())
def test_the_joint_error_tells_rows_wrong_together_from_rows_wrong_alone(parent, offspring):
    a, b = table_of_tree(parent, N) ^ TRUE_ROW, table_of_tree(offspring, N) ^ TRUE_ROW
    expected = ((a & b).bit_count(), (a & ~b).bit_count(), (b & ~a).bit_count())
    assert Conjunction(N).joint(parent, offspring) == expected


@given(st.integers(1, 12), st.integers(0, 2**64 - 1), st.integers(1, 100), st.data())
def test_the_true_rows_of_a_sample_are_those_where_every_column_is(n, key, rows, data):
    known = data.draw(st.sets(st.integers(1, n)))
    everything = columns(key, list(range(1, n + 1)), rows)
    expected = (1 << rows) - 1
    for column in everything.values():
        expected &= column
    drawn = {variable: everything[variable] for variable in known}
    assert Conjunction(n).true_rows(drawn, key, rows) == expected
