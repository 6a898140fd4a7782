"""What a sample of rows decides: the chances that an offspring looks better, equal or worse."""

from functools import lru_cache
from math import ceil, exp, inf, log1p, sqrt

import numpy as np

from gpviz.engine.target import Joint

__all__ = ["verdict_chances"]

_SPREADS = 12.0


def verdict_chances(joint: Joint, all_rows: int, rows: int) -> tuple[float, float, float]:
    """The probabilities of IMPROVED, NEUTRAL and WORSE when ``rows`` rows are drawn of ``all_rows``."""
    return _chances(joint.only_parent / all_rows, joint.only_offspring / all_rows, rows)


@lru_cache(maxsize=4096)
def _chances(better: float, worse: float, rows: int) -> tuple[float, float, float]:
    """The same, given the probabilities that a row counts against the parent and against the offspring."""
    if not worse:
        none = _none_of(better, rows)
        return 1.0 - none, none, 0.0
    if not better:
        none = _none_of(worse, rows)
        return 0.0, none, 1.0 - none
    return _by_transform(better, worse, rows)


def _none_of(p: float, rows: int) -> float:
    return exp(rows * log1p(-p)) if p < 1.0 else 0.0


def _by_transform(better: float, worse: float, rows: int) -> tuple[float, float, float]:
    """The distribution of the difference of the errors, through its characteristic function.

    The difference is a sum of independent steps -1, 0 or +1. Twelve standard deviations around its mean hold all
    but a negligible part of it, so a transform over that window is exact to rounding.
    """
    mean = rows * (worse - better)
    spread = sqrt(rows * (better + worse - (worse - better) ** 2))
    reach = ceil(_SPREADS * spread + 40)
    size = 1 << (2 * reach + 1).bit_length()
    centre = round(mean)
    angle = 2.0 * np.pi * np.fft.rfftfreq(size)
    # log1p keeps the precision where single steps are rare.
    step = better * np.expm1(1j * angle) + worse * np.expm1(-1j * angle)
    transform = np.exp(rows * np.log1p(step) + 1j * angle * centre)
    weights = np.fft.irfft(transform, size)
    offsets = np.fft.fftfreq(size, 1.0 / size)
    difference = centre + offsets
    weights = np.clip(weights, 0.0, inf)
    weights /= weights.sum()
    improved = float(weights[difference < -0.5].sum())
    neutral = float(weights[np.abs(difference) < 0.5].sum())
    return improved, neutral, max(0.0, 1.0 - improved - neutral)
