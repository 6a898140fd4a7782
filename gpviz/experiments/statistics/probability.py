"""The few distributions that the statistics of experiments need, without a library for them."""

from functools import lru_cache
from math import ceil, cos, erfc, exp, floor, lgamma, log, log1p, pi, sin, sqrt
from statistics import NormalDist
from typing import Final

import numpy as np
import numpy.typing as npt

LEVEL: Final = 0.95
"""The level of every interval."""

_NORMAL: Final = NormalDist()
_TINIEST: Final = 1e-300
_MANY: Final = 200
"""From so many degrees of freedom on, the expansion of t in their inverse is exact to ten digits."""

_SAME: Final = 1e-9
_FAR_OUT: Final = 40
"""So many standard deviations away, and counts, no binomial number is ever seen."""


def normal_quantile(p: float) -> float:
    """The value below which the standard normal distribution has the share p, 0 < p < 1."""
    return _NORMAL.inv_cdf(p)


Z: Final = normal_quantile((1 + LEVEL) / 2)
"""The half width of a normal interval in standard errors, about 1.96."""


def two_sided_p(z: float) -> float:
    """How likely a standard normal value is to be at least this far from zero."""
    return erfc(abs(z) / sqrt(2))


def z_of_p(p: float) -> float:
    """The z, from 0 up, whose two-sided p-value this is; no more than about 37 for the smallest of them."""
    return abs(_NORMAL.inv_cdf(max(p, _TINIEST) / 2))


def wilson(successes: float, trials: int) -> tuple[float, float]:
    """The 95 % interval of Wilson for a share; it begins at exactly 0 for none and ends at exactly 1 for all.

    ``successes`` need not be whole: for the sum of values between 0 and 1, whose variance is at most that of
    zeros and ones with the same mean, it is a cautious interval of their mean. Without trials it is 0 to 1.
    """
    if trials < 1:
        return 0.0, 1.0
    share = min(1.0, successes / trials)
    shrink = Z * Z / trials
    centre = (share + shrink / 2) / (1 + shrink)
    half = Z * sqrt(share * (1 - share) / trials + shrink / (4 * trials)) / (1 + shrink)
    low = 0.0 if successes <= 0 else max(0.0, centre - half)
    high = 1.0 if successes >= trials else min(1.0, centre + half)
    return low, high


def best_of_chance(good: npt.NDArray[np.int64], runs: int, count: int) -> npt.NDArray[np.float64]:
    """How likely at least one of ``count`` runs is good, where so many of ``runs`` independent ones were.

    It is the share of all choices of ``count`` of the runs, none twice, that have a good one among them. Its
    expectation is exactly 1 - (1 - p)^count, if each run is good with probability p; with the share of good runs
    in place of p that formula would be too low on average.
    """
    if not 1 <= count <= runs:
        raise ValueError(f"{count} of {runs} runs")
    bad = runs - np.asarray(good, dtype=np.float64)
    none = np.ones_like(bad)
    for drawn in range(count):
        none *= np.maximum(bad - drawn, 0.0) / (runs - drawn)
    return 1.0 - none


def best_of_interval(good: int, runs: int, count: int) -> tuple[float, float]:
    """The 95 % interval of the chance that one of ``count`` runs is good: that of Wilson for one run, raised."""
    low, high = wilson(good, runs)
    return 1 - (1 - low) ** count, 1 - (1 - high) ** count


@lru_cache(maxsize=1024)
def t_quantile(p: float, freedom: int) -> float:
    """The value below which Student's t with so many degrees of freedom has the share p, 0 < p < 1."""
    if not 0 < p < 1 or freedom < 1:
        raise ValueError(f"no quantile {p} of t with {freedom} degrees of freedom")
    if p == 0.5:
        return 0.0
    if p < 0.5:
        return -t_quantile(1 - p, freedom)
    if freedom >= _MANY:
        return _t_expanded(normal_quantile(p), freedom)
    low, high = 0.0, pi / 2  # by the angle: what lies beyond every bound of t lies below a right angle
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return sqrt(freedom) * sin(middle) / cos(middle)
        if _t_within(middle, freedom) < 2 * p - 1:
            low = middle
        else:
            high = middle


def _t_within(angle: float, freedom: int) -> float:
    """How likely t is between minus and plus sqrt(freedom) * tan(angle): for whole numbers a finite sum."""
    sine, cosine = sin(angle), cos(angle)
    square = cosine * cosine
    is_odd = freedom % 2 == 1
    term = cosine if is_odd else 1.0
    total = 0.0
    for step in range(1 if is_odd else 0, freedom - 1, 2):
        total += term
        term *= square * (step + 1) / (step + 2)
    return 2 / pi * (angle + sine * total) if is_odd else sine * total


def _t_expanded(z: float, freedom: int) -> float:
    """The quantile of t from that of the normal distribution, as a series in 1 / freedom."""
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * freedom**4)
    )


def chi_square_sf(value: float, freedom: int) -> float:
    """How likely chi-square with so many degrees of freedom is to be at least this large."""
    if freedom < 1:
        raise ValueError(f"no chi-square with {freedom} degrees of freedom")
    if value <= 0:
        return 1.0
    half = value / 2
    powers = (
        [k + 0.5 for k in range(freedom // 2)] if freedom % 2 else [float(k) for k in range(freedom // 2)]
    )
    start = erfc(sqrt(half)) if freedom % 2 else 0.0
    # Each term by its logarithm: the parts of one alone may be too large or too small for a number.
    return min(1.0, start + sum(exp(power * log(half) - half - lgamma(power + 1)) for power in powers))


def fisher_exact(first: int, first_of: int, second: int, second_of: int) -> float:
    """The two-sided p-value of Fisher's exact test that first / first_of and second / second_of are alike.

    All divisions of the successes over the two groups that are no likelier than the one seen count.
    """
    successes = first + second
    least = max(0, successes - first_of)
    most = min(successes, second_of)
    likelihood = 0.0
    likelihoods = [likelihood]  # logarithms, up to a constant, by the successes of the second group
    for k in range(least, most):
        up = (successes - k) * (second_of - k)
        down = (k + 1) * (first_of - successes + k + 1)
        likelihood += log(up / down)
        likelihoods.append(likelihood)
    peak = max(likelihoods)
    weights = [exp(each - peak) for each in likelihoods]
    seen = weights[second - least] * (1 + _SAME)
    return min(1.0, sum(weight for weight in weights if weight <= seen) / sum(weights))


def binomial_p(successes: int, trials: int, probability: float) -> float:
    """The two-sided p-value of the exact test that each of the trials succeeds with this probability.

    All numbers of successes that are no likelier than the one seen count.
    """
    if probability <= 0 or probability >= 1:
        return 1.0 if successes == trials * round(probability) else 0.0
    half = _FAR_OUT * sqrt(trials * probability * (1 - probability)) + _FAR_OUT
    counts = np.arange(
        max(0, floor(trials * probability - half)), min(trials, ceil(trials * probability + half)) + 1
    )
    if not counts[0] <= successes <= counts[-1]:
        return 0.0
    likelihoods = counts * log(probability) + (trials - counts) * log1p(-probability)
    likelihoods -= np.array([lgamma(each + 1) + lgamma(trials - each + 1) for each in counts.tolist()])
    weights = np.exp(likelihoods - likelihoods.max())
    seen = weights[successes - int(counts[0])] * (1 + _SAME)
    return min(1.0, float(weights[weights <= seen].sum() / weights.sum()))


def p_text(p: float) -> str:
    """A p-value as a person reads it, with its sign: ``= 0.03`` or ``< 0.001``."""
    if p < 0.001:
        return "< 0.001"
    return f"= {p:.3f}" if p < 0.0995 else f"= {p:.2f}"
