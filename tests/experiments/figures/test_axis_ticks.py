"""Tick labels say errors and iterations, never logarithms, and leave each other room."""

from itertools import pairwise
from math import log10

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.experiments.figures.axis_ticks import (
    ErrorScale,
    count_ticks,
    error_text,
    linear_ticks,
    log_ticks,
    tick_text,
)

LOG = ErrorScale()


def labels(ticks) -> list[str]:
    return [text for _, text in ticks]


@given(st.floats(0.5, 1001), st.integers(1, 30))
def test_labels_on_a_logarithmic_scale_are_in_order_and_find_space(top, most):
    positions = [position for position, _ in LOG.ticks(top, most)]
    assert positions[0] == 0
    assert positions[-1] <= top + 1e-6
    assert all(b - a >= top / most * 0.999 for a, b in pairwise(positions))


@given(st.floats(0.5, 1e12), st.integers(1, 30), st.integers(0, 960))
def test_labels_on_a_linear_scale_start_with_zero_and_are_few(top, most, bits):
    ticks = ErrorScale(is_log=False, unit=2.0**bits).ticks(top, most)
    assert labels(ticks)[0] == "0"
    assert len(ticks) <= most + 2
    assert all(position <= top * 1.001 for position, _ in ticks)


@pytest.mark.parametrize("error", [0, 1, 7, 2**20, 2**128])
def test_an_error_has_its_position_on_both_scales(error):
    for scale in (LOG, ErrorScale(is_log=False, unit=2.0**88)):
        assert scale.place(float(error)) == pytest.approx(float(scale.places([LOG.place(float(error))])[0]))


@pytest.mark.parametrize(
    ("low", "high", "most", "expected"),
    [
        (0, 4, 10, ["0", "1", "2", "3", "4"]),
        (-10, 420, 5, ["0", "100", "200", "300", "400"]),
        (0, 60_000, 6, ["0", "10k", "20k", "30k", "40k", "50k", "60k"]),
        (0, 2_500_000, 5, ["0", "500k", "1M", "1.5M", "2M", "2.5M"]),
        (1_234_560, 1_234_581, 2, ["1,234,560", "1,234,580"]),
        (1_200_000, 1_204_000, 2, ["1,200k", "1,202k", "1,204k"]),
    ],
)
def test_iterations_are_whole_numbers(low, high, most, expected):
    assert labels(count_ticks(low, high, most)) == expected


@pytest.mark.parametrize(
    ("error", "text"), [(0, "0"), (1234, "1,234"), (2**30, "1.07·10⁹"), (2**128, "3.40·10³⁸")]
)
def test_an_error_is_said_in_full_while_it_can_be_read(error, text):
    assert error_text(error) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (0.05, "0.05"),
        (250, "250"),
        (2500, "2,500"),
        (10_000, "10k"),
        (1e6, "10⁶"),
        (3e-7, "3·10⁻⁷"),
        (-2, "−2"),
        (2e38, "2·10³⁸"),
    ],
)
def test_a_tick_is_short(value, text):
    assert tick_text(value) == text


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 130, ["0", "20", "40", "60", "80", "100", "120"]),
        (-0.3, 0.4, ["−0.3", "−0.2", "−0.1", "0", "0.1", "0.2", "0.3", "0.4"]),
        (0, 1, ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        (0, 9000, ["0", "2,000", "4,000", "6,000", "8,000"]),
        (4, 4, ["4"]),
    ],
)
def test_ticks_are_round_numbers_within_the_range(low, high, expected):
    assert labels(linear_ticks(low, high, 8)) == expected


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (10, 1e6, ["10", "100", "1,000", "10k", "100k", "10⁶"]),
        (90, 1100, ["100", "200", "500", "1,000"]),
        (1e-4, 0.1, ["10⁻⁴", "0.001", "0.01", "0.1"]),
    ],
)
def test_a_logarithmic_axis_has_powers_of_ten_and_what_is_between_where_these_are_few(low, high, expected):
    assert labels(log_ticks(log10(low), log10(high), 6)) == expected


@pytest.mark.parametrize("span", [(-12, 313), (299.9, 315), (306.9, 308.5), (-330, -305), (310, 320)])
def test_a_logarithmic_axis_has_ticks_as_far_as_there_are_numbers(span):
    positions = [position for position, _ in log_ticks(span[0], span[1], 6)]
    assert all(-308 < position < 308 and span[0] <= position <= span[1] for position in positions)
    assert positions or span[0] > 307


ROOT_LOG = ErrorScale(is_root_log=True)


@pytest.mark.parametrize("most", [3, 6, 12])
@pytest.mark.parametrize("bits", [80, 200, 1000])
def test_ticks_of_a_root_log_scale_are_round_apart_and_where_their_errors_are(bits: int, most: int) -> None:
    top = ROOT_LOG.place(2.0**bits)
    ticks = ROOT_LOG.ticks(top, most)
    positions = [position for position, _ in ticks]
    assert positions == sorted(positions)
    assert ticks[0] == (0.0, "0")
    assert 3 <= len(ticks) <= most + 1
    assert all(after - before >= top / most * 0.999 for before, after in pairwise(positions))
    assert positions[-1] <= top


@pytest.mark.parametrize("is_root_log", [False, True])
@pytest.mark.parametrize("n", [830, 1000, 2000])
def test_errors_beyond_the_largest_float_have_ticks(n, is_root_log):
    scale = ErrorScale(is_root_log=is_root_log)
    top = 1.12 * float(scale.places([n])[0])
    ticks = scale.ticks(top, 8)
    assert len(ticks) > 3
    positions = [position for position, _ in ticks]
    assert positions == sorted(positions)
    assert positions[-1] <= top
    assert all(text.startswith("10") for _, text in ticks[2:])
