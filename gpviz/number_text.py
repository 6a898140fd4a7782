"""Numbers as a person reads them: grouped, rounded, counted, and as ordinals."""

from decimal import Decimal
from fractions import Fraction
from math import ceil, floor, log10
from typing import Final

SUBSCRIPTS: Final = "₀₁₂₃₄₅₆₇₈₉"
SUPERSCRIPTS: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹"

_LARGEST_EXACT: Final = 10**12
_SMALL_SHARE: Final = 0.001
_SMALLEST_PERCENT: Final = 0.001
"""A smaller chance is one in so many."""
_NARROWEST: Final = 1e-12
"""A narrower interval, in percent, comes from rounding."""
_ERRORS_OF_BOUND: Final = 2.0
"""A bound is so many standard errors away: where none of N has a property, that is about 3 / N."""
_ROUNDING: Final = 1e-9
_IRREGULAR: Final = {"leaf": "leaves", "match": "matches", "query": "queries", "branch": "branches"}
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


def counted(number: int | str, thing: str, zero: str = "0") -> str:
    """A number of things: 1 leaf, 2 leaves, 0 rows; ``zero`` may be another word for none of them.

    A number that is not whole comes as the text it is written with.
    """
    text = number if isinstance(number, str) else number_text(number) if number else zero
    return f"{text} {thing if text == '1' else _plural(thing)}"


def _plural(thing: str) -> str:
    """The plural of a noun, such as accepted moves, whose last word may be an irregular one."""
    for one, many in _IRREGULAR.items():
        if thing.endswith(one):
            return f"{thing.removesuffix(one)}{many}"
    return f"{thing}s"


def change_text(change: int | None, largest_exact: int = _LARGEST_EXACT) -> str:
    """A change of a whole number, such as an error: ``+3``, ``−16``, ``±0``, or a dash where nothing is known."""
    if change is None:
        return "–"
    sign = "+" if change > 0 else "−" if change else "±"
    return f"{sign}{number_text(abs(change), largest_exact)}"


def amount_text(number: int) -> str:
    """A whole number in little space: 300, 2¹⁶, 10⁶; 6.6·10⁴ where it is rounded."""
    if number < 10_000:
        return f"{number:,}"
    if number.bit_count() == 1:
        return power_text(2, number.bit_length() - 1)
    mantissa, exponent = f"{Decimal(number):.1e}".split("e+")
    power = power_text(10, int(exponent))
    is_exact = Decimal(mantissa).scaleb(int(exponent)) == number
    if is_exact:
        mantissa = mantissa.removesuffix(".0")
    return power if mantissa == "1" else f"{mantissa}·{power}"


def signed_text(number: Fraction | float) -> str:
    """A number with its sign, in a few digits: −0.434, +12, −3.1 × 10⁻⁵, 0."""
    size = -number if number < 0 else number
    if not size:
        return "0"
    if size >= 100:
        text = number_text(round(size))
    elif size >= _SMALLEST_PERCENT:
        text = f"{float(size):.3g}"
    else:
        digits, power = f"{float(size):.1e}".split("e")
        text = f"{digits} × {power_text(10, int(power))}"
    return f"{'−' if number < 0 else '+'}{text}"


def with_sign(value: float, digits: int) -> str:
    """A number with its sign and so many digits after the point: +1.2, −0.4, 0.0."""
    text = f"{abs(value):,.{digits}f}"
    return f"{'−' if value < 0 else '+'}{text}" if text.strip("0.") else text


def chance_text(chance: Fraction | float) -> str:
    """A probability as a person reads it: 33.3 %, 3.1 %, 0.31 %, 1 in 3,200; never 0 or 100 % without being it."""
    value = float(chance)
    if not chance:
        return "0 %"
    if value < _SMALLEST_PERCENT:
        return f"1 in {number_text(round(1 / chance))}"
    if value > 0.995:
        is_all = chance == 1 if isinstance(chance, Fraction) else 1.0 - value < 1e-9
        return "100 %" if is_all else "> 99 %"
    digits = 1 if value >= 0.00995 else 2
    text = f"{100 * value:.{digits}f}"
    return f"{text.removesuffix('.0') if value >= 0.0995 else text} %"


def exact_chance_text(chance: Fraction | float) -> str:
    """A probability with all that is known of it: the fraction where there is one, and more digits."""
    value = float(chance)
    percent = (
        f"{100 * value:.4g} %" if value >= 1e-6 or not value else f"1 in {number_text(round(1 / chance))}"
    )
    if isinstance(chance, Fraction) and 1 < chance.denominator < 10**9:
        return f"{chance.numerator:,}/{chance.denominator:,} = {percent}"
    return percent


def percent_texts(share: float, low: float, high: float) -> tuple[str, str, str]:
    """A share and its interval as percentages, with so many digits that the interval is not rounded away.

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
