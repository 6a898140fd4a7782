"""Numbers as a person reads them: grouped, rounded, counted, and as ordinals."""

from decimal import Decimal
from math import ceil, floor, log10
from typing import Final

SUBSCRIPTS: Final = "₀₁₂₃₄₅₆₇₈₉"
SUPERSCRIPTS: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹"

_LARGEST_EXACT: Final = 10**12
_SMALL_SHARE: Final = 0.001
_NARROWEST: Final = 1e-12
"""A narrower interval, in percent, comes from rounding."""
_ERRORS_OF_BOUND: Final = 2.0
"""A bound is so many standard errors away: where none of N has a property, that is about 3 / N."""
_ROUNDING: Final = 1e-9
_WORDS_OF_SIGNS: Final = {"<": "less than", ">": "more than", "≥": "at least"}
_RAISED: Final = str.maketrans("-0123456789", f"⁻{SUPERSCRIPTS}")


def number_text(number: int, largest_exact: int = _LARGEST_EXACT) -> str:
    """A whole number as a person reads it: grouped, and rounded where its digits say nothing any more."""
    if abs(number) <= largest_exact:
        return f"{number:,}"
    digits, exponent = f"{Decimal(number):.1e}".split("e+")
    return f"{digits} × {power_text(10, int(exponent))}"


def rows_text(n: int) -> str:
    """The number of rows of a truth table: 256, or 2⁶⁴."""
    rows = 2**n
    return f"{rows:,}" if rows <= _LARGEST_EXACT else power_text(2, n)


def power_text(base: int | str, exponent: int) -> str:
    """A power as one writes it: 10⁶, 10⁻⁵."""
    return f"{base}{str(exponent).translate(_RAISED)}"


def counted(number: int, thing: str, zero: str = "0") -> str:
    """A number of things: 1 leaf, 2 leaves, 0 rows; ``zero`` may be another word for none of them."""
    name = thing if number == 1 else "leaves" if thing == "leaf" else f"{thing}s"
    return f"{number_text(number) if number else zero} {name}"


def percent_texts(share: float, low: float, high: float) -> tuple[str, str, str]:
    """A share and its interval as percentages, with so many digits that the interval can be told from nothing.

    Its width has two digits at least, and each number one after the point: 0.7, 0.2 and 2.4, or 0.020, 0.008 and
    0.051. Nothing and all are 0 and 100.
    """
    width = 100 * (high - low)
    digits = max(1, 1 - floor(log10(width))) if width > _NARROWEST else 1

    def text(value: float) -> str:
        return f"{100 * value:.{0 if value in (0.0, 1.0) else digits}f}"

    return text(share), text(low), text(high)


def chance_percent(chance: float, digits: int) -> str:
    """A known chance in percent with so many digits, 0 and 100 only if it is exactly that: 0.49, > 99.9."""
    if chance in (0.0, 1.0):
        return f"{100 * chance:.0f}"
    decimals = max(digits - 2, 0)
    if round(100 * chance, decimals) >= 100:
        return f"> {100 - 10.0**-decimals:.{decimals}f}"
    return f"{100 * chance:.{digits}g}"


def bounded_percent(chance: float, error: float = 0.0, *, is_least: bool = False) -> str:
    """A chance in percent, ``21 %``, or a bound near 0 and 1, ``< 3 %``.

    Of an estimate ``error`` is its standard error; where that is 0 the chance is exact. One that ``is_least``
    may be larger: ``≥ 21 %``.
    """
    if is_least and chance <= 0.99:
        return f"≥ {100 * chance:.0f} %"
    if not error and chance in (0.0, 1.0):
        return f"{100 * chance:.0f} %"
    if chance < 0.01:
        bound = ceil(100 * (chance + _ERRORS_OF_BOUND * error) - _ROUNDING)
        return f"< {min(max(1, bound), 100)} %"
    if chance > 0.99:
        bound = floor(100 * (chance - _ERRORS_OF_BOUND * error) + _ROUNDING)
        return f"> {max(min(99, bound), 0)} %"
    return f"{100 * chance:.0f} %"


def percent_in_words(percent: str) -> str:
    """``more than 97 %`` for ``> 97 %``: in a sentence one reads words."""
    sign, _, rest = percent.partition(" ")
    return f"{_WORDS_OF_SIGNS[sign]} {rest}" if sign in _WORDS_OF_SIGNS else percent


def share_text(share: float) -> str:
    """A share with three digits after the point, or with so many that two are not 0: 0.018, 0.00020."""
    return f"{share:.3f}" if share == 0 or share >= _SMALL_SHARE else f"{share:.{1 - floor(log10(share))}f}"


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th, 21st."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"


def stage_bound_text(stage: int) -> str:
    """The error from which on a stage of the drift theorem lasts: 1, n, n², n⁴, n⁸."""
    return "1" if not stage else "n" if stage == 1 else power_text("n", 2 ** (stage - 1))


def stage_text(stage: int, stages: int) -> str:
    """A stage of the drift theorem, of so many: below n, n to n², n² to n⁴, and the last one from n⁴ on."""
    if not stage:
        return "below n"
    start = stage_bound_text(stage)
    return f"from {start} on" if stage == stages - 1 else f"{start} to {stage_bound_text(stage + 1)}"
