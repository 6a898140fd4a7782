"""Times and rates in the words of the experiments window."""

from math import log
from typing import Final

__all__ = ["duration_words", "estimate_words", "rate_words"]

_ROUGH: Final = (1, 2, 3, 5, 10, 20, 30)
_FINE: Final = (*range(1, 10), *range(10, 60, 5))
_UNITS: Final = ((1, "s", "1 s"), (60, "min", "a minute"), (3600, "h", "an hour"))
"""Each with its name, and what one of it is called."""
_DAY: Final = 86_400


def duration_words(seconds: float) -> str:
    """A time as a person says it: under 1 s, 12 s, 3 min 20 s, 2 h 5 min, 4 days."""
    if seconds < 1:
        return "less than 1 s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        minutes, rest = divmod(whole, 60)
        return f"{minutes} min {rest} s" if rest and minutes < 10 else f"{minutes} min"
    if whole < 172_800:
        hours, rest = divmod(round(whole / 60), 60)
        return f"{hours:,} h {rest} min" if rest and hours < 10 else f"{hours:,} h"
    return f"{round(whole / 86_400):,} days"


def estimate_words(seconds: float, *, is_rough: bool) -> str:
    """A time that is only reckoned, as exact as it is known: about 25 s, very roughly a minute."""
    if seconds < 1:
        return "less than 1 s"
    about = "very roughly" if is_rough else "about"
    if seconds > 0.9 * _DAY:
        days = round(seconds / _DAY)
        if is_rough and days > 9:
            days = round(days, 1 - len(str(days)))
        return f"{about} {days:,} days" if days > 1 else f"{about} a day"
    known = [
        (number * size, one if number == 1 else f"{number} {unit}")
        for size, unit, one in _UNITS
        for number in (_ROUGH if is_rough else _FINE)
        if number * size < _DAY
    ]
    return f"{about} {min(known, key=lambda each: abs(log(seconds / each[0])))[1]}"


def rate_words(rate: float) -> str:
    """Runs a second, or a minute where they are slow."""
    if rate >= 10:
        return f"{rate:,.0f} runs a second"
    if rate >= 1:
        return f"{rate:.1f} runs a second"
    return f"{rate * 60:.1f} runs a minute"
