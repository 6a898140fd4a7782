"""Numbers as a person reads them."""

import pytest

from gpviz.experiments.statistics.probability import wilson
from gpviz.number_text import percent_texts, share_text


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


def test_a_share_without_an_interval_has_a_digit_after_the_point():
    assert percent_texts(0.25, 0.25, 0.25) == ("25.0", "25.0", "25.0")


@pytest.mark.parametrize(
    ("share", "expected"), [(0.0, "0.000"), (0.018, "0.018"), (0.0002, "0.00020"), (0.001, "0.001")]
)
def test_a_small_share_is_never_told_as_none(share, expected):
    assert share_text(share) == expected
