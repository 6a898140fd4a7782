"""What a sample of rows decides: the chances that an offspring looks better, equal or worse."""

from functools import lru_cache
from math import ceil, exp, expm1, lgamma, log, log1p, sqrt
from typing import Final

import numpy as np

from gpviz.engine.target import Joint

__all__ = ["verdict_chances"]

_SPREADS: Final = 12.0
_FEW: Final = 30.0
_MOST_OF_FEW: Final = 200
_MOST_FREQUENCIES: Final = 1_000_000


def verdict_chances(joint: Joint, all_rows: int, rows: int) -> tuple[float, float, float]:
    """The probabilities of IMPROVED, NEUTRAL and WORSE when ``rows`` rows are drawn of ``all_rows``."""
    return _chances(joint.only_parent / all_rows, joint.only_offspring / all_rows, rows)


@lru_cache(maxsize=4096)
def _chances(better: float, worse: float, rows: int) -> tuple[float, float, float]:
    """The same, given the probabilities that a row counts against the parent and against the offspring."""
    if not worse:
        return _some_of(better, rows), _none_of(better, rows), 0.0
    if not better:
        return 0.0, _none_of(worse, rows), _some_of(worse, rows)
    if rows * (better + worse) < _FEW:
        return _by_cases(better, worse, rows)
    return _by_transform(better, worse, rows)


def _none_of(p: float, rows: int) -> float:
    return exp(rows * log1p(-p)) if p < 1.0 else 0.0


def _some_of(p: float, rows: int) -> float:
    return -expm1(rows * log1p(-p)) if p < 1.0 else 1.0


def _by_cases(better: float, worse: float, rows: int) -> tuple[float, float, float]:
    """Few rows differ: go through how many do, and how many of those speak for the offspring."""
    differs = better + worse
    improved = worsened = 0.0
    neutral = _none_of(differs, rows)
    log_ways = 0.0
    for count in range(1, min(rows, _MOST_OF_FEW) + 1):
        log_ways += log(rows - count + 1)
        log_rest = (rows - count) * log1p(-differs) if differs < 1.0 else 0.0
        if differs == 1.0 and count < rows:
            continue
        for against in range(count + 1):  # as many rows speak against the parent
            log_p = log_ways + log_rest - lgamma(against + 1) - lgamma(count - against + 1)
            p = exp(log_p + against * log(better) + (count - against) * log(worse))
            if 2 * against > count:
                improved += p
            elif 2 * against < count:
                worsened += p
            else:
                neutral += p
    return improved, neutral, worsened


def _by_transform(better: float, worse: float, rows: int) -> tuple[float, float, float]:
    """The distribution of the difference of the errors, from its characteristic function.

    The difference is a sum of independent steps -1, 0 or +1. Twelve standard deviations around its mean hold all
    of it but a negligible part, and frequencies beyond as many inverse deviations carry nothing; so about a
    hundred frequencies give each chance with an absolute error below 1e-9, however many rows there are.
    """
    mean = rows * (worse - better)
    spread = sqrt(rows * (better + worse - (worse - better) ** 2))
    if spread < 1e-6 or abs(mean) > 100 * spread + 1000:
        return (1.0, 0.0, 0.0) if mean < 0 else (0.0, 0.0, 1.0)
    reach = ceil(_SPREADS * spread + 40)
    size = 2 * reach + 1
    first, last = round(mean) - reach, round(mean) + reach
    count = min(reach, ceil(size * _SPREADS / (2 * np.pi * spread)))
    if rows * log(max(1e-300, abs(1.0 - 2.0 * (better + worse)))) > -45.0:
        count = min(reach, _MOST_FREQUENCIES)  # nearly every row differs: even and odd differences part
    angle = 2.0 * np.pi * np.arange(1, count + 1) / size
    step = better * np.expm1(-1j * angle) + worse * np.expm1(1j * angle)
    is_dead = np.abs(1.0 + step) < 1e-300
    logarithm = np.log1p(np.where(is_dead, 0.0, step))

    def chance(low: int, high: int) -> float:
        """The probability of a difference from low to high."""
        if low > high:
            return 0.0
        turned = np.exp(rows * logarithm - 1j * angle * low)
        turned[is_dead] = 0.0
        waves = np.expm1(-1j * angle * (high - low + 1)) / np.expm1(-1j * angle)
        total = (high - low + 1 + 2.0 * float(np.sum((turned * waves).real))) / size
        return min(1.0, max(0.0, total))

    improved = chance(first, min(last, -1))
    neutral = chance(0, 0) if first <= 0 <= last else 0.0
    worsened = chance(max(first, 1), last)
    whole = improved + neutral + worsened
    return improved / whole, neutral / whole, worsened / whole
