"""Monotone functions as prime implicants, and sets of variables as bit masks, against truth tables."""

import copy
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine.prime_implicants import (
    MAX_IMPLICANTS,
    TOO_MANY,
    TooMany,
    conjoin,
    disjoin,
    from_masks,
    masks_of,
    support,
    variables_in,
)
from gpviz.engine.true_row_count import count_rows
from tests.engine.strategies import (
    few_implicants,
    mask_sets,
    remade,
    table_of_masks,
    table_of_tree,
    table_of_value,
    trees,
)

N = 8


def functions(n: int = N) -> st.SearchStrategy[Any]:
    return mask_sets(n, max_size=8).map(from_masks)


class TestMeaning:
    @given(mask_sets(N))
    def test_from_masks_is_the_or_of_the_conjunctions(self, masks):
        assert table_of_value(listed(from_masks(masks)), N) == table_of_masks(masks, N)

    @given(functions(), functions())
    def test_conjoin_is_and(self, f, g):
        assert table_of_value(listed(conjoin(f, g)), N) == table_of_value(f, N) & table_of_value(g, N)

    @given(functions(), functions())
    def test_disjoin_is_or(self, f, g):
        assert table_of_value(listed(disjoin(f, g)), N) == table_of_value(f, N) | table_of_value(g, N)

    @given(trees(n=N))
    def test_the_value_of_a_tree_is_its_function(self, tree):
        assert table_of_value(tree.value, N) == table_of_tree(tree, N)

    @given(functions())
    def test_count_rows_counts_the_true_rows(self, f):
        assert count_rows(f, N) == table_of_value(f, N).bit_count()

    @given(functions(6), st.integers(6, 12))
    def test_every_variable_the_function_lacks_doubles_its_rows(self, f, n):
        assert count_rows(f, n) == table_of_value(f, 6).bit_count() << (n - 6)

    @given(functions())
    def test_the_support_is_what_the_function_depends_on(self, f):
        table = table_of_value(f, N)
        deciding = {
            variable
            for variable in range(1, N + 1)
            if any(table >> row & 1 != table >> (row ^ 1 << (variable - 1)) & 1 for row in range(2**N))
        }
        assert variables_in(support(f)) == sorted(deciding)


class TestForm:
    @given(trees(n=3, max_leaves=6), trees(n=3, max_leaves=6))
    def test_values_are_equal_exactly_when_functions_are(self, a, b):
        assert (a.value == b.value) is (table_of_tree(a, 3) == table_of_tree(b, 3))

    @given(functions())
    def test_no_prime_implicant_contains_another(self, f):
        masks = masks_of(f)
        assert not [(a, b) for a in masks for b in masks if a != b and a & b == a]

    @given(functions())
    def test_a_conjunction_is_a_plain_mask(self, f):
        assert isinstance(f, int) is (len(masks_of(f)) == 1)

    @given(functions())
    def test_the_core_is_what_all_prime_implicants_share(self, f):
        if isinstance(f, tuple):
            core = -1
            for mask in masks_of(f):
                core &= mask
            assert f[0] == core


class TestTooMany:
    def test_it_equals_nothing_not_even_itself(self):
        others: list[Any] = [TOO_MANY, TooMany(), 0b1, from_masks([0b01, 0b10])]
        assert not [other for other in others if other == TOO_MANY]

    @pytest.mark.parametrize("other", [0b11, from_masks([0b01, 0b10]), TOO_MANY])
    @pytest.mark.parametrize("join", [conjoin, disjoin])
    def test_it_stays_whatever_it_is_joined_with(self, join, other):
        assert join(TOO_MANY, other) is join(other, TOO_MANY) is TOO_MANY

    def test_as_many_as_allowed_are_listed(self):
        assert len(masks_of(listed(from_masks(1 << bit for bit in range(MAX_IMPLICANTS))))) == MAX_IMPLICANTS

    def test_a_product_that_would_be_too_large_is_not_multiplied_out(self):
        sums = [from_masks(1 << bit for bit in range(start, start + 65)) for start in (0, 65)]
        assert conjoin(*sums) is TOO_MANY

    def test_pickling_and_copying_give_the_same_object(self):
        assert (
            pickle.loads(pickle.dumps(TOO_MANY)) is copy.copy(TOO_MANY) is copy.deepcopy(TOO_MANY) is TOO_MANY
        )

    @given(trees(n=6, max_leaves=14))
    def test_a_function_is_either_right_or_too_many(self, tree):
        with few_implicants(3, products=6):
            value = remade(tree).value
        assert isinstance(value, TooMany) or table_of_value(value, 6) == table_of_tree(tree, 6)


def listed(value: Any) -> Any:
    assert not isinstance(value, TooMany)
    return value
