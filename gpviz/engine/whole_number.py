"""Checks whole numbers that somebody gives or types: plain ints in a range, or an error with what is allowed."""

import re
from operator import index
from typing import SupportsIndex

import numpy as np

from gpviz.engine.errors import InvalidValueError


def whole_number(field: str, value: object, least: int, most: int, context: str = "") -> int:
    """The value as an int in the range; raises `InvalidValueError` with the field and what is allowed."""
    number = read_number(value)
    if number is not None and least <= number <= most:
        return number
    allowed = f"{range_text(least, most)}{context}"
    raise InvalidValueError(field, value if number is None else number, allowed)


def range_text(least: int, most: int) -> str:
    """The range as a text, such as ``a whole number from 1 to 9``."""
    return f"a whole number from {least} to {_power(most) if most > 10**18 else most}"


def read_number(value: object) -> int | None:
    """The whole number in what somebody has given (numpy's are fine) or typed; None for anything else."""
    if type(value) is int:
        return value
    if isinstance(value, str):
        return int(value) if re.fullmatch(r"\s*[+-]?[0-9]{1,1500}\s*", value) else None
    if isinstance(value, SupportsIndex) and not isinstance(value, bool | np.bool):
        try:
            return index(value)
        except TypeError:  # an array looks like a number, but only one with a single number is one
            return None
    return None


def _power(number: int) -> str:
    """A power of two, or one less, as a person writes it."""
    exponent = number.bit_length()
    return f"2^{exponent} - 1" if number + 1 == 1 << exponent else f"2^{exponent - 1}"
