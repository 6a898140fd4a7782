"""Counting verdicts between any two iterations gives what counting them one by one gives."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gpviz.runs.curve_series import BLOCK, VerdictCounts
from gpviz.runs.step_encoding import CODES, FIELDS, VERDICTS

codes_of_runs = st.lists(st.sampled_from(sorted(CODES.values())), max_size=5 * BLOCK).map(
    lambda codes: np.array(codes, dtype=np.uint8)
)


def brute_force(codes: np.ndarray, start: int, stop: int) -> tuple[int, ...]:
    kinds = [FIELDS[code].verdict for code in codes[max(start - 1, 0) : max(stop - 1, 0)].tolist()]
    return tuple(kinds.count(verdict) for verdict in VERDICTS)


def counted(codes: np.ndarray, parts: int = 1) -> VerdictCounts:
    counts = VerdictCounts()
    for end in np.linspace(0, len(codes), parts + 1).astype(int)[1:]:
        counts.take_in(codes[:end])
    return counts


@given(codes_of_runs, st.integers(0, 6 * BLOCK), st.integers(0, 6 * BLOCK))
def test_counts_are_those_of_counting_one_by_one(codes, start, stop):
    start, stop = sorted((max(start, 1), max(stop, 1)))
    assert counted(codes).between(start, stop) == brute_force(codes, start, stop)


@given(codes_of_runs, st.integers(1, 9))
def test_taking_in_part_by_part_gives_the_same_as_all_at_once(codes, parts):
    edges = np.arange(len(codes) + 2)
    assert (counted(codes, parts).before(edges) == counted(codes).before(edges)).all()
