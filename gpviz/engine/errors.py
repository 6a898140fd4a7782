"""The errors that users can cause, which say what is wrong and what is allowed; checks whole numbers."""

import re
from operator import index
from typing import SupportsIndex

import numpy as np

_LONGEST_SHOWN = 60


def shown(value: object) -> str:
    """The value as it appears in a message: quoted, and never longer than a line."""
    if isinstance(value, int) and value.bit_length() > 200:
        return f"a number of {value.bit_length()} bits"
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # digits by the thousand, or a list too deep to write down
        return f"a {type(value).__name__} too large to show"
    if len(text) <= _LONGEST_SHOWN:
        return text
    return f"{text[: _LONGEST_SHOWN - 3]}..."


class GpvizError(Exception):
    """Something a person can put right; its text is one sentence for that person."""


class InvalidValueError(GpvizError, ValueError):
    """A field has a value it may not have."""

    def __init__(self, field: str, value: object, allowed: str) -> None:
        super().__init__(f"{field}: {shown(value)} is not allowed; it must be {allowed}.")
        self.field = field
        self.value = value
        self.allowed = allowed

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.field, self.value, self.allowed))


class FormulaError(GpvizError, ValueError):
    """A formula cannot be read; ``column`` (from 1) says where."""

    def __init__(self, problem: str, column: int) -> None:
        super().__init__(f"formula, column {column}: {problem}.")
        self.problem = problem
        self.column = column

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.problem, self.column))


class TooComplexError(GpvizError):
    """An exact answer exists, but finding it would take longer than anyone wants to wait."""


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
