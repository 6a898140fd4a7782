"""The errors a person can cause, each a sentence that says what is wrong and what is allowed."""

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
