"""Numbers as a person reads them."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.experiments.statistics.probability import wilson
from gpviz.number_text import (
    bounded_percent,
    chance_text,
    change_text,
    counted,
    exact_chance_text,
    percent_texts,
    share_text,
    signed_text,
)


@pytest.mark.parametrize(
    ("count", "runs", "expected"),
    [
        (0, 20_000, ("0", "0", "0.019")),
        (4, 20_000, ("0.020", "0.008", "0.051")),
        (2, 300, ("0.7", "0.2", "2.4")),
        (0, 3, ("0", "0", "56.1")),
        (300, 300, ("100", "98.7", "100")),
        (1, 10**6, ("0.00010", "0.00002", "0.00057")),
        (0, 0, ("0", "0", "100")),
    ],
)
def test_a_share_has_as_many_digits_as_its_interval_needs(count, runs, expected):
    assert percent_texts(count / max(1, runs), *wilson(count, runs)) == expected


@pytest.mark.parametrize(
    ("share", "expected"), [(0.0, "0.000"), (0.018, "0.018"), (0.0002, "0.00020"), (0.001, "0.001")]
)
def test_a_small_share_is_never_told_as_none(share, expected):
    assert share_text(share) == expected


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (Fraction(0), "0 %"),
        (Fraction(1), "100 %"),
        (1.0 - 1e-12, "100 %"),
        (Fraction(9999, 10000), "> 99 %"),
        (Fraction(1, 3), "33.3 %"),
        (Fraction(1, 8), "12.5 %"),
        (Fraction(1, 4), "25 %"),
        (Fraction(31, 1000), "3.1 %"),
        (Fraction(31, 10000), "0.31 %"),
        (Fraction(1, 3200), "1 in 3,200"),
        (1e-18, "1 in 1.0 × 10¹⁸"),
    ],
)
def test_chances_are_read_as_per_cent_or_as_one_in_many(chance: Fraction | float, text: str) -> None:
    assert chance_text(chance) == text


@given(st.fractions(0, 1))
def test_no_chance_is_rounded_to_never_or_always(chance: Fraction) -> None:
    assert (chance_text(chance) == "0 %") is (chance == 0)
    assert (chance_text(chance) == "100 %") is (chance == 1)


def test_exact_texts_have_the_fraction_where_there_is_one() -> None:
    assert exact_chance_text(Fraction(1, 3)) == "1/3 = 33.33 %"
    assert exact_chance_text(Fraction(1, 3_000_000)) == "1/3,000,000 = 1 in 3,000,000"
    assert exact_chance_text(0.25) == "25 %"
    assert exact_chance_text(Fraction(0)) == "0 %"


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (Fraction(-434, 1000), "−0.434"),
        (12.0, "+12"),
        (Fraction(-31, 1_000_000), "−3.1 × 10⁻⁵"),
        (999.7, "+1,000"),
        (-Fraction(2**80), "−1.2 × 10²⁴"),
    ],
)
def test_signed_numbers_are_short(number: Fraction | float, text: str) -> None:
    assert signed_text(number) == text


@pytest.mark.parametrize(
    ("chance", "error", "text"),
    [
        (0.0, 0.0, "0 %"),
        (1.0, 0.0, "100 %"),
        (0.214, 0.015, "21 %"),
        (0.9999, 0.0, "> 99 %"),
        (0.0001, 0.0, "< 1 %"),
        (1.0, 0.0134, "> 97 %"),
        (1.0, 0.001, "> 99 %"),
        (0.0, 0.0134, "< 3 %"),
        (0.0, 0.001, "< 1 %"),
        (0.004, 0.0036, "< 2 %"),
        (0.986, 0.005, "99 %"),
    ],
)
def test_only_what_is_certain_is_nothing_or_all(chance: float, error: float, text: str) -> None:
    assert bounded_percent(chance, error) == text


def test_things_are_counted_in_the_singular_and_in_the_plural() -> None:
    assert [counted(number, "leaf") for number in (0, 1, 2)] == ["0 leaves", "1 leaf", "2 leaves"]
    assert counted(0, "match", "no") == "no matches"
    assert counted(1_000, "accepted move") == "1,000 accepted moves"
    assert [counted(text, "row") for text in ("1", "0.5")] == ["1 row", "0.5 rows"]


def test_a_change_has_its_sign() -> None:
    assert [change_text(change) for change in (None, 0, 1234, -5)] == ["–", "±0", "+1,234", "−5"]
    assert change_text(-12_645_678, 9_999_999) == "−1.3 × 10⁷"
