"""Numbers as a person reads them: grouped, rounded, counted, and as ordinals."""

from decimal import Decimal
from typing import Final

__all__ = ["counted", "number_text", "ordinal", "rows_text"]

_LARGEST_EXACT: Final = 10**12
_SUPERSCRIPTS: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_PLURALS: Final = {"leaf": "leaves", "row": "rows"}


def number_text(number: int, largest_exact: int = _LARGEST_EXACT) -> str:
    """A whole number as a person reads it: grouped, and rounded where its digits say nothing any more."""
    if abs(number) <= largest_exact:
        return f"{number:,}"
    digits, exponent = f"{Decimal(number):.1e}".split("e+")
    return f"{digits} × 10{exponent.translate(_SUPERSCRIPTS)}"


def rows_text(n: int) -> str:
    """The number of rows of a truth table: 256, or 2⁶⁴."""
    rows = 2**n
    return f"{rows:,}" if rows <= _LARGEST_EXACT else f"2{str(n).translate(_SUPERSCRIPTS)}"


def counted(number: int, thing: str) -> str:
    """A number of things: 1 leaf, 2 leaves, no rows."""
    name = thing if number == 1 else _PLURALS[thing]
    return f"{number_text(number) if number else 'no'} {name}"


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th, 21st."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"
