"""The axes of charts: numbers or their logarithms as coordinates, and where the ticks are."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Final

import numpy as np
import numpy.typing as npt

from gpviz.experiments.figures.ticks import Tick, power_text

__all__ = ["ChartAxis", "tick_text"]

_FACTORS: Final = ((1, 2, 3, 4, 5, 6, 8), (1, 2, 5), (1, 3), (1,))
_STEPS: Final = (1, 2, 3, 5, 10, 20, 30, 50, 100)
_FINER: Final = (5, 4, 3, 2, 1, 0.8, 0.6, 0.5, 0.4, 0.3, 0.2)
_FEW: Final = 3
"""With fewer ticks than this one cannot read a value from an axis."""
_CLOSER: Final = 1.6
"""How much closer than usual ticks may be where there would be too few."""
_SUPERSCRIPT_MINUS: Final = "⁻"


@dataclass(frozen=True, slots=True)
class ChartAxis:
    """How numbers are placed on an axis. ``names`` are those of the places 0, 1, 2, ... instead of numbers."""

    is_log: bool = False
    names: tuple[str, ...] = ()
    values: tuple[float, ...] = ()
    """Where ticks are wanted, as far as they find room."""
    is_whole: bool = False
    """Whether there is nothing between whole numbers."""

    def places(self, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """The coordinates of numbers; of those that a logarithmic axis does not have it is NaN."""
        numbers = np.asarray(values, dtype=np.float64)
        if not self.is_log:
            return numbers
        return np.log10(np.where(numbers > 0, numbers, np.nan))

    def value(self, place: float) -> float:
        """The number at a coordinate."""
        return float(10.0**place) if self.is_log else place

    def ticks(self, low: float, high: float, most: int) -> list[Tick]:
        """Ticks between two coordinates, at most about this many."""
        if self.names:
            step = max(1, ceil(len(self.names) / max(most, 1)))
            found = [(float(place), name) for place, name in enumerate(self.names)][::step]
            return [tick for tick in found if low <= tick[0] <= high]
        if self.values:
            return self._wanted(low, high, most)
        if self.is_log:
            found = _log_ticks(low, high, most)
            return [tick for tick in found if _is_whole(10.0 ** tick[0])] if self.is_whole else found
        return _linear_ticks(low, high, most, 1.0 if self.is_whole else 0.0)

    def close_ticks(self, low: float, high: float, most: int) -> list[Tick]:
        """What `ticks` has; where these are too few to read a value from, ones that are a little closer."""
        found = self.ticks(low, high, most)
        if len(found) >= _FEW or self.is_log or self.names or self.values:
            return found
        span = high - low
        power = 10.0 ** floor(log10(max(span, 1e-300)))
        closest = span / (_CLOSER * max(most, 1))
        steps = [factor * power for factor in _FINER if factor * power >= closest]
        if self.is_whole:
            steps = [step for step in steps if _is_whole(step)]
        finer = [_multiples(low, high, step) for step in steps]
        return next((ticks for ticks in finer if len(ticks) >= _FEW), max([found, *finer], key=len))

    def _wanted(self, low: float, high: float, most: int) -> list[Tick]:
        gap = (high - low) / max(most, 1)
        found: list[Tick] = []
        for value in self.values:
            place = float(self.places(value))
            if low <= place <= high and (not found or place - found[-1][0] >= gap):
                found.append((place, tick_text(value)))
        return found


def tick_text(value: float) -> str:
    """A round number as a tick says it: 0.05, 1, 250, 10k, 10⁶, 3·10⁻⁷."""
    size = abs(value)
    if size == 0 or 1e-3 <= size < 10_000:
        return f"{value:.6g}".replace("-", "−")
    if 10_000 <= size < 999_999.5:
        return f"{value / 1000:.6g}k".replace("-", "−")
    exponent = floor(log10(size) + 1e-9)
    mantissa = f"{value / 10.0**exponent:.3g}".replace("-", "−")
    power = (
        power_text(10, exponent)
        if exponent >= 0
        else f"10{_SUPERSCRIPT_MINUS}{power_text(10, -exponent)[2:]}"
    )
    return power if mantissa == "1" else f"{mantissa}·{power}"


def _is_whole(value: float) -> bool:
    return abs(value - round(value)) < 1e-6 * max(abs(value), 1.0) and round(value) != 0


def _linear_ticks(low: float, high: float, most: int, closest: float = 0.0) -> list[Tick]:
    span = max(high - low, 1e-300)
    least = max(span / max(most, 1), closest)
    power = 10.0 ** floor(log10(least))
    step = next(factor * power for factor in (1, 2, 5, 10, 20) if factor * power >= least * (1 - 1e-9))
    return _multiples(low, high, step)


def _multiples(low: float, high: float, step: float) -> list[Tick]:
    first = ceil(low / step - 1e-9)
    last = floor(high / step + 1e-9)
    return [(number * step, tick_text(round(number * step, 12))) for number in range(first, last + 1)]


def _log_ticks(low: float, high: float, most: int) -> list[Tick]:
    decades = max(high - low, 1e-9)
    gap = decades / max(most, 1)
    if decades < 0.7:  # round numbers of an ordinary axis say more than one power of ten
        ticks = _linear_ticks(10.0**low, 10.0**high, most)
        return _spread([(log10(float(value)), text) for value, text in ticks if value > 0], gap)
    for factors in _FACTORS:
        found = _powers(low, high, factors, 1)
        if len(found) <= most:
            return _spread(found, gap) if len(factors) > 1 else found
    for step in _STEPS:
        found = _powers(low, high, (1,), step)
        if len(found) <= max(most, 2):
            return found
    return found[:1]


def _powers(low: float, high: float, factors: Sequence[int], step: int) -> list[Tick]:
    return [
        (place, tick_text(factor * 10.0**exponent))
        for exponent in range(floor(low), ceil(high) + 1)
        if exponent % step == 0
        for factor in factors
        if low - 1e-9 <= (place := exponent + log10(factor)) <= high + 1e-9
    ]


def _spread(ticks: list[Tick], gap: float) -> list[Tick]:
    """Those that are far enough apart; powers of ten stay before all others."""
    kept: list[Tick] = [tick for tick in ticks if abs(tick[0] - round(tick[0])) < 1e-9]
    for tick in ticks:
        if tick not in kept and all(abs(tick[0] - other[0]) >= 0.9 * gap for other in kept):
            kept.append(tick)
    return sorted(kept)
