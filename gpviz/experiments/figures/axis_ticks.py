"""Where the ticks of any axis are and what they say: round numbers, powers of ten, whole numbers, and errors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log2, log10, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

from gpviz.number_text import power_text

Tick = tuple[float, str]
"""A position on an axis and its label."""

_FACTORS: Final = ((1, 2, 3, 4, 5, 6, 8), (1, 2, 5), (1, 3), (1,))
_EXPONENT_STEPS: Final = (1, 2, 3, 5, 10, 20, 30, 50, 100)
_FINER: Final = (5, 4, 3, 2, 1, 0.8, 0.6, 0.5, 0.4, 0.3, 0.2)
_FEW: Final = 3
"""With fewer ticks than this one cannot read a value from an axis."""
_CLOSER: Final = 1.6
"""How much closer than usual ticks may be where there would be too few."""
_LARGEST_FLOAT_POWER: Final = 300
"""Of ten: beyond it powers are written with their exponents alone."""
_MOST_POWERS_OF_TWO: Final = 12
_FEW_ERRORS: Final = 4
_LARGEST_PLAIN: Final = 10**9
_LARGEST_EXPONENT: Final = 307.0
"""Beyond it no multiple of a power of ten is a float."""


# --- what a tick says ---


def tick_text(value: float, thousands_from: float = 10_000) -> str:
    """A round number as a tick says it: 0.05, 1, 2,500, 10k, 10⁶, 3·10⁻⁷."""
    size = abs(value)
    if size == 0 or 1e-3 <= size < thousands_from * (1 - 1e-9):
        return f"{value:,.6g}".replace("-", "−")
    if thousands_from * (1 - 1e-9) <= size < 999_999.5:
        return f"{value / 1000:.6g}k".replace("-", "−")
    exponent = floor(log10(size) + 1e-9)
    mantissa = f"{value / 10.0**exponent:.3g}".replace("-", "−")
    power = power_text(10, exponent)
    return power if mantissa == "1" else f"{mantissa}·{power}"


def error_text(error: int) -> str:
    """An error in full as long as a person can read it, and after that by its first digits."""
    if error < _LARGEST_PLAIN:
        return f"{error:,}"
    digits = str(error)
    return f"{digits[0]}.{digits[1:3]}·{power_text(10, len(digits) - 1)}"


def _count_text(value: float, step: float) -> str:
    """A whole number in the largest unit in which it and its neighbours, a step away, are short."""
    if value >= 10**6 and step >= 10**4:
        return f"{value / 1e6:.10g}M"
    if value >= 10**4 and step >= 100:
        return f"{value / 1e3:,.10g}k"
    return f"{value:,.0f}"


def _error_tick(error: float) -> str:
    """Of errors thousands are written with a k: 0, 500, 1k, 250k, 10⁶, 2·10³⁸."""
    return tick_text(error, thousands_from=1000)


# --- where the ticks are ---


def linear_ticks(
    low: float, high: float, most: int, *, is_whole: bool = False, may_be_close: bool = False
) -> list[Tick]:
    """Round numbers from ``low`` to ``high``, at most about this many.

    Where these would be too few to read a value from, and they may be close, they are a little closer.
    """
    span = max(high - low, 1e-300)
    found = _multiples(low, high, _round_step(span / max(most, 1), 1.0 if is_whole else 0.0))
    if len(found) >= _FEW or not may_be_close:
        return found
    power = 10.0 ** floor(log10(span))
    closest = span / (_CLOSER * max(most, 1))
    steps = [factor * power for factor in _FINER if factor * power >= closest]
    finer = [_multiples(low, high, step) for step in steps if not is_whole or _is_whole(step)]
    return next((ticks for ticks in finer if len(ticks) >= _FEW), max([found, *finer], key=len))


def count_ticks(low: float, high: float, most: int) -> list[Tick]:
    """Whole numbers from ``low`` to ``high`` but none below 0, at most about this many."""
    step = _round_step((high - low) / max(most, 1), 1.0)
    return _multiples(max(low, 0.0), high, step, lambda value: _count_text(value, step))


def log_ticks(low: float, high: float, most: int, *, is_whole: bool = False) -> list[Tick]:
    """Ticks of a logarithmic axis; positions are logarithms to the base 10."""
    low, high = max(low, -_LARGEST_EXPONENT), min(high, _LARGEST_EXPONENT)
    found = _decimal_ticks(low, high, most) if low < high else []
    return [tick for tick in found if _is_whole(10.0 ** tick[0])] if is_whole else found


def _round_step(least: float, closest: float = 0.0) -> float:
    """The smallest of 1, 2, 5, 10, 20, 50, ... and their tenths that is not below ``least`` or ``closest``."""
    least = max(least, closest)
    power = 10.0 ** floor(log10(least) + 1e-12)
    return next(factor * power for factor in (1, 2, 5, 10, 20) if factor * power >= least * (1 - 1e-9))


def _multiples(low: float, high: float, step: float, text: Callable[[float], str] = tick_text) -> list[Tick]:
    first = ceil(low / step - 1e-9)
    last = floor(high / step + 1e-9)
    return [(number * step, text(round(number * step, 12))) for number in range(first, last + 1)]


def _is_whole(value: float) -> bool:
    return abs(value - round(value)) < 1e-6 * max(abs(value), 1.0) and round(value) != 0


def _decimal_ticks(low: float, high: float, most: int) -> list[Tick]:
    decades = max(high - low, 1e-9)
    gap = decades / max(most, 1)
    if decades < 0.7:  # round numbers of an ordinary axis say more than one power of ten
        ticks = linear_ticks(10.0**low, 10.0**high, most)
        return _spread([(log10(value), text) for value, text in ticks if value > 0], gap)
    for factors in _FACTORS:
        found = _powers(low, high, factors, 1)
        if len(found) <= most:
            return _spread(found, gap) if len(factors) > 1 else found
    for step in _EXPONENT_STEPS:
        found = _powers(low, high, (1,), step)
        if len(found) <= max(most, 2):
            return found
    return found[:1]


def _powers(low: float, high: float, factors: Sequence[int], step: int) -> list[Tick]:
    return [
        (position, tick_text(factor * 10.0**exponent))
        for exponent in range(floor(low), ceil(high) + 1)
        if exponent % step == 0
        for factor in factors
        if low - 1e-9 <= (position := exponent + log10(factor)) <= high + 1e-9
    ]


def _spread(ticks: list[Tick], gap: float) -> list[Tick]:
    """Those that are far enough apart; powers of ten stay before all others."""
    kept: list[Tick] = [tick for tick in ticks if abs(tick[0] - round(tick[0])) < 1e-9]
    for tick in ticks:
        if tick not in kept and all(abs(tick[0] - other[0]) >= 0.9 * gap for other in kept):
            kept.append(tick)
    return sorted(kept)


# --- errors ---


@dataclass(frozen=True, slots=True)
class ErrorScale:
    """Where errors stand on their axis: by the logarithm of error + 1, or as they are.

    Coordinates on a linear scale count ``unit`` errors each, so that they stay small whatever the errors are. Of
    errors of dozens of digits the last few would share the last pixels of a logarithmic scale: one that
    ``is_root_log`` places errors by the square root of the logarithm, so that there is more space the fewer digits
    there are.
    """

    is_log: bool = True
    unit: float = 1.0
    is_root_log: bool = False

    @property
    def name(self) -> str:
        """What the scale is called, in little space."""
        return ("√log" if self.is_root_log else "log") if self.is_log else "linear"

    def places(self, levels: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """The coordinates of errors that are given as log2(error + 1)."""
        values = np.asarray(levels, dtype=np.float64)
        if self.is_log:
            return np.sqrt(values) if self.is_root_log else values
        return (np.exp2(values) - 1.0) / self.unit

    def place(self, error: float) -> float:
        """The coordinate of one error."""
        if not self.is_log:
            return error / self.unit
        level = float(np.log2(error + 1.0))
        return sqrt(level) if self.is_root_log else level

    def ticks(self, top: float, most: int) -> list[Tick]:
        """At most about this many labelled ticks from error 0 to the coordinate ``top``."""
        if self.is_log:
            return _root_log_levels(top, most) if self.is_root_log else _error_levels(top, most)
        largest = top * self.unit
        found = _multiples(0.0, largest, _round_step(largest / max(most, 1), 1.0), _error_tick)
        return [(value / self.unit, text) for value, text in found]


def _error_levels(top: float, most: int) -> list[Tick]:
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
    start = floor(digits) % step if most <= _FEW_ERRORS else 0
    ticks = [(0.0, "0")]
    for exponent in range(start, floor(digits) + 1, step):
        position = _level_of_power(exponent)
        if position - ticks[-1][0] >= gap * (1 - 1e-9) and position <= top:
            ticks.append((position, _power_tick(exponent)))
    return ticks


def _root_log_levels(top: float, most: int) -> list[Tick]:
    """0 and powers of ten on a root-log scale; the larger they are, the rounder are their exponents."""
    gap = top / max(most, 1)
    ticks = [(0.0, "0")]
    for exponent in range(floor(top**2 / log2(10)) + 1):
        position = sqrt(_level_of_power(exponent))
        is_round = exponent % (1 if exponent < 6 else 3 if exponent < 30 else 10) == 0
        if is_round and position <= top and position - ticks[-1][0] >= gap * (1 - 1e-9):
            ticks.append((position, _power_tick(exponent)))
    return ticks


def _level_of_power(exponent: int) -> float:
    """log2(10^exponent + 1), also where no float is as large as the power."""
    return log2(10.0**exponent + 1) if exponent < _LARGEST_FLOAT_POWER else exponent * log2(10)


def _power_tick(exponent: int) -> str:
    return _error_tick(10.0**exponent) if exponent < _LARGEST_FLOAT_POWER else power_text(10, exponent)
