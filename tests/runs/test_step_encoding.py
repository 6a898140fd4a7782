"""Errors of any size fit 64-bit columns, and the same rows always get the same codes."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gpviz.runs.step_encoding import ErrorCodes

errors = st.none() | st.integers(0, 10) | st.integers(2**63 - 2, 2**63 + 2) | st.integers(0, 2**1100)
rows = st.lists(st.tuples(errors, errors), min_size=1, max_size=30)


def encoded(codes: ErrorCodes, pairs: list[tuple[int | None, int | None]]) -> list[list[int]]:
    first, second = zip(*pairs, strict=True)
    return [column.tolist() for column in codes.encode(first, second)]


@given(rows)
def test_every_error_comes_back(pairs: list[tuple[int | None, int | None]]):
    codes = ErrorCodes()
    first, second = encoded(codes, pairs)
    assert [(codes.decode(a), codes.decode(b)) for a, b in zip(first, second, strict=True)] == pairs


@given(rows, st.data())
def test_codes_do_not_depend_on_how_many_rows_come_at_once(
    pairs: list[tuple[int | None, int | None]], data: st.DataObject
):
    at_once, in_parts = ErrorCodes(), ErrorCodes()
    cut = data.draw(st.integers(1, len(pairs)))
    first, second = encoded(in_parts, pairs[:cut])
    if cut < len(pairs):
        more_first, more_second = encoded(in_parts, pairs[cut:])
        first, second = first + more_first, second + more_second
    assert [first, second] == encoded(at_once, pairs)
    assert in_parts.large == at_once.large


@given(rows)
def test_floats_are_nearest_with_nan_for_none_and_inf_beyond(pairs: list[tuple[int | None, int | None]]):
    codes = ErrorCodes()
    first, _ = codes.encode(*zip(*pairs, strict=True))
    expected = [
        math.nan if error is None else math.inf if error >= 2**1023 else float(error) for error, _ in pairs
    ]
    np.testing.assert_array_equal(codes.as_floats(first), np.array(expected))


def test_codes_that_go_on_from_others_give_an_error_the_code_it_has():
    codes = ErrorCodes()
    codes.encode([2**99, 2**100, 2**101], [None, 2**99, 5])
    begun = codes.beginning(2)
    codes.encode([2**104], [2**101])
    assert begun.large == [2**99, 2**100]
    first, second = begun.encode([2**102, 2**100], [2**101, 2**99])
    assert (first.tolist(), second.tolist()) == ([-4, -3], [-5, -2])
    again = begun.beginning(3)
    assert [each.tolist() for each in again.encode([2**101, 2**99], [2**102, 2**100])] == [[-5, -2], [-4, -3]]
    assert [again.decode(code) for code in (-2, -3, -4, -5, -1, 7)] == [
        2**99,
        2**100,
        2**102,
        2**101,
        None,
        7,
    ]
    assert again.as_floats(np.array([-4, 3])).tolist() == [2.0**102, 3.0]
