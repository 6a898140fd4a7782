"""Columns grow at their end, share rows with those they began from, and keep what their views showed."""

import pickle
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.runs.append_only_columns import MOST_JOINED, Column


@given(st.lists(st.lists(st.integers(0, 2**32 - 1), max_size=200), max_size=20))
def test_a_column_holds_what_it_was_given_in_order(parts: list[list[int]]):
    column = Column(np.uint32)
    for part in parts:
        column.extend(np.array(part, dtype=np.uint32))
    assert column.view().tolist() == [value for part in parts for value in part]


SHARED = MOST_JOINED + 5_000


def begun_column(own: int) -> tuple[Column[np.int64], Column[np.int64]]:
    """A long column, and one that goes on from where it was."""
    column = Column(np.int64)
    column.extend(np.arange(SHARED + 1_000))
    begun = column.beginning(SHARED)
    begun.extend(-np.arange(own))
    return column, begun


def test_a_column_that_goes_on_from_another_shares_its_rows():
    column, begun = begun_column(10)
    assert len(begun) == SHARED + 10
    assert begun.view(100, 200).tolist() == list(range(100, 200))
    assert begun.view(SHARED - 2, SHARED + 3).tolist() == [SHARED - 2, SHARED - 1, 0, -1, -2]
    assert begun.view(SHARED + 9).tolist() == [-9]
    assert [begun[row] for row in (0, SHARED - 1, SHARED, SHARED + 9, -1)] == [0, SHARED - 1, 0, -9, -9]
    assert np.shares_memory(begun.view(100, 200), column.view(100, 200))


def test_a_shared_column_becomes_one_of_its_own_when_many_of_its_rows_are_looked_at():
    column, begun = begun_column(10)
    expected = [*range(SHARED), *range(0, -10, -1)]
    assert begun.view().tolist() == expected
    assert not np.shares_memory(begun.view(100, 200), column.view(100, 200))
    begun.extend(np.array([7]))
    column.extend(np.array([8]))
    assert begun.view().tolist() == [*expected, 7]
    assert column.view().tolist() == [*range(SHARED + 1_000), 8]


def test_what_either_column_adds_the_other_does_not_see():
    column, begun = begun_column(0)
    column.extend(np.arange(500_000))
    begun.extend(np.array([5]))
    again = begun.beginning(SHARED + 1)
    again.extend(np.array([6, 7]))
    assert again.view(SHARED - 1).tolist() == [SHARED - 1, 5, 6, 7]
    assert begun.view(SHARED - 1).tolist() == [SHARED - 1, 5]
    assert column.view(SHARED - 1, SHARED + 1).tolist() == [SHARED - 1, SHARED]


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("value", [-1, 0, 77, SHARED - 1, SHARED, SHARED + 3, SHARED + 99])
def test_an_index_is_found_in_a_shared_column_as_in_any(value: int, side: Literal["left", "right"]):
    column = Column(np.int64)
    column.extend(np.arange(SHARED))
    begun = column.beginning(SHARED)
    begun.extend(np.arange(SHARED, SHARED + 20) // 2 * 2)
    expected = np.concatenate(list(begun.parts())).searchsorted(value, side=side)
    assert begun.searchsorted(value, side=side) == expected
    assert np.shares_memory(begun.view(100, 200), column.view(100, 200))


def test_a_pickled_column_reserves_nothing():
    column = Column(np.int64)
    column.extend(np.arange(100_000))
    begun = column.beginning(80_000)
    begun.extend(np.arange(5))
    for each in (column, begun):
        pickled = pickle.dumps(each)
        assert len(pickled) < 8 * len(each) + 1000
        again = pickle.loads(pickled)
        assert again.view().tolist() == each.view().tolist()
        again.extend(np.arange(3))
        assert len(again) == len(each) + 3
