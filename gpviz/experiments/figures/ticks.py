"""Where the ticks of the axes are and what they say: errors of any size, and numbers of iterations."""

from dataclasses import dataclass
from math import ceil, floor, log2, log10
from typing import Final

import numpy as np
import numpy.typing as npt

__all__ = ["ErrorScale", "Tick", "count_ticks", "error_text", "power_text", "short_error"]

Tick = tuple[float, str]
"""A place on an axis and its label."""

_SUPERSCRIPTS: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_MOST_POWERS_OF_TWO: Final = 12
_FEW_TICKS: Final = 4
_LARGEST_PLAIN: Final = 10**9


@dataclass(frozen=True, slots=True)
class ErrorScale:
    """How errors are placed on their axis: by the logarithm of error + 1, or as they are.

    Coordinates on a linear scale count ``unit`` errors each, so that they stay small whatever the errors are.
    """

    is_log: bool = True
    unit: float = 1.0

    def places(self, levels: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """The coordinates of errors that are given as log2(error + 1)."""
        values = np.asarray(levels, dtype=np.float64)
        return values if self.is_log else (np.exp2(values) - 1.0) / self.unit

    def place(self, error: float) -> float:
        """The coordinate of one error."""
        return float(np.log2(error + 1.0)) if self.is_log else error / self.unit

    def ticks(self, top: float, most: int) -> list[Tick]:
        """At most about this many labelled ticks from error 0 to the coordinate ``top``."""
        if self.is_log:
            return _log_ticks(top, most)
        step = nice_step(top * self.unit / max(most, 1))
        values = [step * i for i in range(floor(top * self.unit / step * (1 + 1e-9)) + 1)]
        return [(value / self.unit, short_error(value)) for value in values]


def nice_step(least: float) -> float:
    """The smallest of 1, 2, 5, 10, 20, 50, ... that is not below ``least``."""
    if least <= 1:
        return 1.0
    power = 10.0 ** floor(log10(least) + 1e-12)
    return next(factor * power for factor in (1, 2, 5, 10, 20) if factor * power >= least * (1 - 1e-9))


def count_ticks(low: float, high: float, most: int) -> list[Tick]:
    """Ticks for whole numbers from ``low`` to ``high``, at most about this many."""
    step = int(nice_step((high - low) / max(most, 1)))
    values = range(ceil(max(low, 0) / step) * step, floor(high) + 1, step)
    return [(float(value), _count_text(value, step)) for value in values]


def error_text(error: int) -> str:
    """An error in full as long as a person can read it, and after that by its first digits."""
    if error < _LARGEST_PLAIN:
        return f"{error:,}"
    digits = str(error)
    return f"{digits[0]}.{digits[1:3]}·{power_text(10, len(digits) - 1)}"


def power_text(base: int, exponent: int) -> str:
    """A power as one writes it, 10⁶."""
    return f"{base}{str(exponent).translate(_SUPERSCRIPTS)}"


def short_error(error: float) -> str:
    """A round error as a tick says it: 0, 500, 1k, 250k, 10⁶, 2·10³⁸."""
    if error < 1000:
        return f"{error:.0f}"
    if error < 1e6 * (1 - 1e-9):
        return f"{error / 1000:g}k"
    exponent = floor(log10(error) + 1e-9)
    mantissa = f"{error / 10.0**exponent:.3g}"
    power = power_text(10, exponent)
    return power if mantissa == "1" else f"{mantissa}·{power}"


def _log_ticks(top: float, most: int) -> list[Tick]:
    """The errors 2^k - 1 as long as they are few, since these are what conjunctions are wrong on; else 10^k.

    Where they are few they are counted from the top, as a person looks for the largest error first.
    """
    gap = top / max(most, 1)
    if top <= _MOST_POWERS_OF_TWO + 0.5:
        step = max(1, ceil(gap - 1e-9))
        levels = range(floor(top + 1e-9), step - 1, -step)
        return [(0.0, "0"), *((float(level), str(2**level - 1)) for level in reversed(levels))]
    digits = top / log2(10)
    step = next((s for s in (1, 2, 3, 6, 9, 12) if s >= digits / max(most, 1)), 10 * ceil(digits / most / 10))
    # Round exponents are easier to read, but a few of them may end far below the top.
    start = floor(digits) % step if most <= _FEW_TICKS else 0
    ticks = [(0.0, "0")]
    for exponent in range(start, floor(digits) + 1, step):
        place = log2(10.0**exponent + 1)
        if place - ticks[-1][0] >= gap * (1 - 1e-9) and place <= top:
            ticks.append((place, short_error(10.0**exponent)))
    return ticks


def _count_text(value: int, step: int) -> str:
    if value >= 10**6 and step >= 10**4:
        return f"{value / 1e6:.10g}M"
    if value >= 10**4 and step >= 100:
        return f"{value / 1e3:,.10g}k"
    return f"{value:,}"
