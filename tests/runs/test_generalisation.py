"""The generalisation error of a run: arrays that grow."""

from hypothesis import given
from hypothesis import strategies as st

from gpviz.runs.history import Generalisation

ENTRIES = st.lists(st.tuples(st.integers(0, 10**12), st.floats(0, 1)), max_size=200)


def entries(curve: Generalisation) -> list[tuple[int, float]]:
    return list(zip(curve.iterations.tolist(), curve.shares.tolist(), strict=True))


@given(st.lists(ENTRIES, max_size=4))
def test_it_holds_what_was_added_in_order(parts: list[list[tuple[int, float]]]) -> None:
    curve = Generalisation()
    for part in parts:
        curve.extend(part)
    assert entries(curve) == [entry for part in parts for entry in part]
    assert len(curve) == sum(map(len, parts))


def test_an_array_taken_earlier_keeps_what_it_showed():
    curve = Generalisation()
    curve.extend((number, number / 100) for number in range(64))
    before = curve.iterations
    curve.extend((number, number / 100) for number in range(64, 1000))
    assert before.tolist() == list(range(64))
    assert entries(curve) == [(number, number / 100) for number in range(1000)]
