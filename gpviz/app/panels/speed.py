"""The scale of playing speeds, from one step in two seconds to as fast as it can, and its words."""

from bisect import bisect_left, bisect_right
from math import inf, isfinite, isnan, log
from typing import Final

__all__ = ["SPEEDS", "faster", "position_of", "rate_text", "slower", "speed_at", "speed_text"]

SPEEDS: Final = (
    *(0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0, 120.0, 250.0, 500.0),
    *(1000.0, 2000.0, 5000.0, 10_000.0, 20_000.0, 50_000.0, 100_000.0),
    inf,
)
"""In iterations per second. Each is about twice the one before, so its place is as good as its logarithm."""


def speed_at(position: int) -> float:
    """The speed at a place of the slider; places beyond its ends count as the ends."""
    return SPEEDS[min(max(position, 0), len(SPEEDS) - 1)]


def position_of(speed: float) -> int:
    """The place of the slider that is nearest to a speed, as the ear or eye measures: by its ratio."""
    if isnan(speed) or speed <= SPEEDS[0]:
        return 0
    last_finite = len(SPEEDS) - 2
    if not isfinite(speed):
        return last_finite + 1
    return min(range(last_finite + 1), key=lambda place: abs(log(SPEEDS[place] / speed)))


def faster(speed: float) -> float:
    """The next faster speed of the scale."""
    return speed_at(bisect_right(SPEEDS, speed))


def slower(speed: float) -> float:
    """The next slower speed of the scale."""
    return speed_at(bisect_left(SPEEDS, speed) - 1)


def speed_text(speed: float) -> str:
    """A speed in words: ``4 steps/s``, ``1 step in 2 s``, ``as fast as it can``."""
    if not isfinite(speed):
        return "as fast as it can"
    if speed < 1:
        return f"1 step in {1 / speed:.2g} s"
    return "1 step/s" if speed == 1 else f"{_plain(speed)} steps/s"


def rate_text(rate: float) -> str:
    """A measured rate with two digits that mean something, so that it does not flicker."""
    if rate < 10:
        return f"{rate:.1f} iterations/s"
    whole = round(rate)
    return f"{round(whole, 2 - len(str(whole))):,} iterations/s"


def _plain(speed: float) -> str:
    return f"{speed:,.0f}" if speed == int(speed) else f"{speed:,.1f}"
