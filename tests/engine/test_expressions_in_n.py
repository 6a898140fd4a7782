"""Numbers that depend on n: what can be written, and what it comes to, against the same worked out elsewhere."""

from fractions import Fraction
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine.config import RunConfig
from gpviz.engine.errors import GpvizError
from gpviz.engine.expressions_in_n import expression_value, is_expression


@pytest.mark.parametrize(
    ("text", "n", "value"),
    [
        ("n lg^2 n", 16, 256),
        ("n lg^2 n", 64, 2304),
        ("n lg² n", 512, 41472),
        ("n*lg^2(n)", 512, 41472),
        ("n lg^2 n", 50, 1593),  # 1592.7…
        ("n^1.5", 16, 64),
        ("n^1.5", 50, 354),  # 353.6
        ("n^0.5", 49, 7),
        ("2 lg n", 64, 12),
        ("2 lg n", 50, 12),  # 11.3
        ("0.5 lg^2 n", 64, 18),
        ("ln n", 1, 0),
        ("10 ln n", 50, 40),  # 39.1
        ("2n", 8, 16),
        ("n+1", 8, 9),
        ("n (n - 1) / 2", 8, 28),
        ("n / 3", 10, 4),
        ("n^20", 50, 50**20),
        ("N LG N", 8, 24),
        ("n - 20", 8, -12),
    ],
)
def test_an_expression_comes_to_its_value_rounded_up(text: str, n: int, value: int) -> None:
    assert is_expression(text)
    assert expression_value(text, n) == value


@given(st.integers(1, 40), st.integers(1, 400))
def test_quotients_are_rounded_up_exactly(divisor: int, n: int) -> None:
    assert expression_value(f"n / {divisor}", n) == ceil(Fraction(n, divisor))


@pytest.mark.parametrize(
    "text",
    [
        "", "12", "1.5", "2^10", "n^", "lg", "lg lg n", "n**2", "n^-1", "-n", "n^1e9", "n^101", "foo", "n;1", "m",
        "10 000 n", "(n", "n)", "n + ", "__import__('os')", "n" * 61, "((((n", "lg(n", "n^n", "n_1",
    ],
)  # fmt: skip
def test_what_is_no_expression_is_recognised(text: str) -> None:
    assert not is_expression(text)
    assert expression_value(text, 8) is None


@pytest.mark.parametrize("text", ["n / lg n", "n^99"])
def test_an_expression_may_have_no_value_for_some_n(text: str) -> None:
    n = 1 if "lg" in text else 100
    assert is_expression(text)
    assert expression_value(text, n) is None


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            {"n": 1, "rows": "lg n"},
            "rows: 'lg n' is not allowed; it must be a whole number from 1 to 10000000 with the sampler 'rows',"
            " and for n = 1 it comes to 0.",
        ),
        (
            {"n": 64, "rows": "n^12"},
            "rows: 'n^12' is not allowed; it must be a whole number from 1 to 10000000 with the sampler 'rows',"
            " and for n = 64 it comes to 4.7 × 10²¹.",
        ),
        (
            {"n": 8, "rows": "n log n"},
            "rows: 'n log n' is not allowed; it must be a whole number from 1 to 10000000 with the sampler 'rows',"
            " or an expression in n such as 'n lg^2 n', 'n^1.5' or '2 lg n'.",
        ),
        (
            {"n": 8, "rows": 5, "accept_error": "two"},
            "accept_error: 'two' is not allowed; it must be a whole number from 0 to 2^1000, or an expression in n"
            " such as 'n lg^2 n', 'n^1.5' or '2 lg n'.",
        ),
    ],
)
def test_what_an_expression_may_not_be_is_said_in_a_sentence(
    settings: dict[str, object], sentence: str
) -> None:
    with pytest.raises(GpvizError) as caught:
        RunConfig(fitness="sampled", **settings)  # type: ignore[arg-type]  # texts are accepted for numbers
    assert str(caught.value) == sentence
