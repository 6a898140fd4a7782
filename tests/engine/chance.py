"""Statistics for tests of random numbers. Seeds are fixed, so a test that passes once passes for ever."""

from collections import Counter
from collections.abc import Iterable, Mapping
from math import comb, exp, log, log1p, sqrt
from typing import Any

_QUANTILE = 4.2649  # of the normal distribution, at 1e-5
_LEAST_EXPECTED = 5.0


def assert_distribution(drawn: Iterable[Any], probabilities: Mapping[Any, float]) -> None:
    """The numbers drawn fit the probabilities by a chi-square test at 1e-5; rare ones count together."""
    seen = Counter(drawn)
    total = sum(seen.values())
    assert abs(sum(probabilities.values()) - 1.0) < 1e-9
    impossible = [value for value in seen if not probabilities.get(value)]
    assert not impossible, f"drawn but impossible: {impossible[:5]}"
    cells: list[tuple[float, int]] = []
    rare_expected, rare_seen = 0.0, 0
    for value, probability in probabilities.items():
        expected = total * probability
        if expected >= _LEAST_EXPECTED:
            cells.append((expected, seen[value]))
        else:
            rare_expected += expected
            rare_seen += seen[value]
    if rare_expected >= _LEAST_EXPECTED:
        cells.append((rare_expected, rare_seen))
    else:  # too rare to be tested, but not to be counted
        assert rare_seen <= rare_expected + 4 * sqrt(rare_expected) + 4
    statistic = sum((count - expected) ** 2 / expected for expected, count in cells)
    assert statistic <= _chi_square_bound(len(cells) - 1), (statistic, len(cells) - 1)


def assert_mean(values: Iterable[float], mean: float, sd: float) -> None:
    """The average lies within four standard errors of the mean."""
    drawn = list(values)
    error = sd / sqrt(len(drawn))
    average = sum(drawn) / len(drawn)
    assert abs(average - mean) <= 4 * error, f"{average}, not {mean} within 4 x {error}"


def log_probability(successes: int, trials: int, p: float) -> float:
    """The logarithm of a binomial probability, the number of ways being a whole number of any length."""
    return log(comb(trials, successes)) + successes * log(p) + (trials - successes) * log1p(-p)


def binomial_probabilities(trials: int, p: float) -> dict[int, float]:
    """The distribution of the number of successes, but for what no test can ever draw."""
    few, many = (trials * p + sign * (40 * sqrt(trials * p * (1 - p)) + 40) for sign in (-1, 1))
    likely = range(max(0, int(few)), min(trials, int(many)) + 1)
    return {successes: exp(log_probability(successes, trials, p)) for successes in likely}


def _chi_square_bound(degrees: int) -> float:
    """The quantile of the chi-square distribution, after Wilson and Hilferty."""
    if degrees == 0:
        return 1e-9
    spread = 2 / (9 * degrees)
    return degrees * (1 - spread + _QUANTILE * sqrt(spread)) ** 3
