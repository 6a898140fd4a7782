"""Errors are sentences for a person, and they survive the way from another process."""

import copy
import pickle

import pytest

from gpviz.engine.errors import FormulaError, GpvizError, InvalidValueError, TooComplexError, shown

ERRORS = [
    GpvizError("a sentence."),
    TooComplexError("another sentence."),
    InvalidValueError("n", 0, "at least 1"),
    FormulaError("this is wrong", 7),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_every_error_is_one_a_person_can_put_right(error):
    assert isinstance(error, GpvizError)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize(
    "travel", [lambda error: pickle.loads(pickle.dumps(error)), copy.copy], ids=["pickle", "copy"]
)
def test_an_error_keeps_its_type_and_sentence_when_it_travels(error, travel):
    arrived = travel(error)
    assert (type(arrived), str(arrived), vars(arrived)) == (type(error), str(error), vars(error))


@pytest.mark.parametrize(
    ("value", "text"),
    [(3, "3"), ("a", "'a'"), ("a\nb", r"'a\nb'"), (None, "None"), (2**200 - 1, str(2**200 - 1)[:57] + "...")],
)
def test_a_value_is_shown_as_it_is(value, text):
    assert shown(value) == text


def test_a_number_too_long_to_print_is_described():
    assert shown(10**5000) == "a number of 16610 bits"


@pytest.mark.parametrize("value", [[10**5000], {"n": 10**5000}, (1, 10**5000)], ids=["list", "dict", "tuple"])
def test_a_number_too_long_to_print_may_be_anywhere_in_the_value(value):
    assert len(shown(value)) <= 60
