"""Binomial random numbers whose cost does not grow with the number of trials.

Few expected successes are found by walking along the distribution, many by transformed rejection
(Hörmann's BTRS, 1993). Only +, -, *, / and square roots of doubles are used, which IEEE 754 rounds in one
way, and a logarithm and an exponential made of them: the C library's may differ in the last bit from one
platform to the next, and with it a run.
"""

from functools import lru_cache
from math import floor, frexp, ldexp, sqrt
from typing import Final, NamedTuple

from gpviz.engine.randomness import uniform

__all__ = ["binomial"]

_FEW_EXPECTED: Final = 10.0
_LN2_HIGH: Final = 0.693147180369123816490  # its last 21 bits are 0, so small multiples are exact
_LN2_LOW: Final = 1.90821492927058770002e-10
_HALF_LN_TWO_PI: Final = 0.918938533204672741780


def binomial(trials: int, p: float, key: int, index: int) -> tuple[int, int]:
    """How many of ``trials`` succeed with probability ``p``, from the words of a key.

    Words are taken from ``index`` on; the second result is the index of the first word not taken.
    """
    if trials == 0 or p <= 0.0:
        return 0, index
    if p >= 1.0:
        return trials, index
    if p > 0.5:
        failures, index = binomial(trials, 1.0 - p, key, index)
        return trials - failures, index
    if trials * p < _FEW_EXPECTED:
        return _by_walking(trials, p, uniform(key, index)), index + 1
    return _by_rejection(trials, p, key, index)


def _by_walking(trials: int, p: float, u: float) -> int:
    """The number whose cumulative probability first exceeds u."""
    odds = p / (1.0 - p)
    probability = _none(trials, p)
    successes = 0
    while u >= probability:
        u -= probability
        successes += 1
        if successes > trials or probability < 1e-300:
            return successes - 1  # u was in the rounding error at the end of the distribution
        probability *= odds * ((trials - successes + 1) / successes)
    return successes


class _Hat(NamedTuple):
    """The constants of the transformed rejection."""

    a: float
    b: float
    centre: float
    quick: float
    alpha: float
    peak: float


def _by_rejection(trials: int, p: float, key: int, index: int) -> tuple[int, int]:
    a, b, centre, quick, alpha, peak = _hat(trials, p)
    while True:
        u = uniform(key, index) - 0.5
        v = uniform(key, index + 1)
        index += 2
        edge = 0.5 - abs(u)
        if edge == 0.0:
            continue
        successes = floor((2.0 * a / edge + b) * u + centre)
        if edge >= 0.07 and v <= quick:
            return successes, index
        if not 0 <= successes <= trials:
            continue
        v *= alpha / (a / (edge * edge) + b)
        if v == 0.0 or _log(v) <= _log_probability(successes, trials, p) - peak:
            return successes, index


@lru_cache(maxsize=1024)
def _hat(trials: int, p: float) -> _Hat:
    spread = sqrt(trials * p * (1.0 - p))
    b = 1.15 + 2.53 * spread
    return _Hat(
        a=-0.0873 + 0.0248 * b + 0.01 * p,
        b=b,
        centre=trials * p + 0.5,
        quick=0.92 - 4.2 / b,
        alpha=(2.83 + 5.1 / b) * spread,
        peak=_log_probability(floor((trials + 1) * p), trials, p),
    )


@lru_cache(maxsize=1024)
def _none(trials: int, p: float) -> float:
    """The probability of no success."""
    return _exp(trials * _log_one_minus(p))


def _log_probability(successes: int, trials: int, p: float) -> float:
    """The logarithm of the binomial probability, in Loader's form, which does not cancel."""
    failures = trials - successes
    if successes == 0:
        return trials * _log_one_minus(p)
    if failures == 0:
        return trials * _log(p)
    return (
        _stirling_error(trials)
        - _stirling_error(successes)
        - _stirling_error(failures)
        - _deviance(successes, trials * p)
        - _deviance(failures, trials * (1.0 - p))
        - _HALF_LN_TWO_PI
        + 0.5 * _log(trials / successes / failures)
    )


def _deviance(x: float, mean: float) -> float:
    """x ln(x / mean) + mean - x."""
    difference = x - mean
    ratio = difference / (x + mean)
    if abs(ratio) >= 0.1:
        return x * _log(x / mean) - difference
    total = difference * ratio
    term = 2.0 * x * ratio
    ratio *= ratio
    divisor = 1
    while True:
        term *= ratio
        divisor += 2
        longer = total + term / divisor
        if longer == total:
            return total
        total = longer


def _stirling_error(k: int) -> float:
    """ln(k!) less Stirling's approximation."""
    if k < len(_SMALL_STIRLING_ERRORS):
        return _SMALL_STIRLING_ERRORS[k]
    x = 1.0 / k
    y = x * x
    return x * (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y / 1188))))


def _log(x: float) -> float:
    mantissa, exponent = frexp(x)
    if mantissa < 0.7071067811865476:
        mantissa *= 2.0
        exponent -= 1
    return exponent * _LN2_HIGH + (exponent * _LN2_LOW + _twice_artanh((mantissa - 1.0) / (mantissa + 1.0)))


def _log_one_minus(p: float) -> float:
    """ln(1 - p) for p up to 1/2, exact also for tiny p."""
    return _twice_artanh(-p / (2.0 - p))


def _twice_artanh(z: float) -> float:
    square = z * z
    total = 0.0
    for divisor in range(35, 1, -2):
        total = (total + 1.0 / divisor) * square
    return 2.0 * (z + z * total)


def _exp(x: float) -> float:
    doublings = floor(x / (_LN2_HIGH + _LN2_LOW) + 0.5)
    rest = x - doublings * _LN2_HIGH - doublings * _LN2_LOW
    total = 1.0
    for divisor in range(20, 0, -1):
        total = 1.0 + rest * total / divisor
    return ldexp(total, doublings)


def _small_stirling_errors() -> list[float]:
    errors = [0.0]
    log_factorial = 0.0
    for k in range(1, 16):
        log_factorial += _log(k)
        errors.append(log_factorial - (k + 0.5) * _log(k) + k - _HALF_LN_TWO_PI)
    return errors


_SMALL_STIRLING_ERRORS: Final = _small_stirling_errors()
