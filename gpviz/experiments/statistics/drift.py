"""The drift: which part of the error an iteration takes away, as measured, and the least the paper proves."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import log
from typing import Final

from gpviz.engine.config import RunConfig
from gpviz.experiments.chunks import Totals
from gpviz.experiments.statistics.probability import wilson

__all__ = [
    "BOUND_LABEL",
    "DriftCurve",
    "careful_bound",
    "drift_curve",
    "least_false",
    "paper_bound",
]

BOUND_LABEL: Final = (
    "the paper's lower bound, (log_n x + 1) / (36 ℓ n) for error x, as long as the tree has fewer than ℓ leaves,"
    " its limit"
)
_NO_LIMIT: Final = (
    "without a limit on the leaves the paper gives no lower bound, as its bound is divided by the limit"
)
_SMALL_LIMIT: Final = "the paper gives a lower bound only for limits of at least n leaves"
_ONE_VARIABLE: Final = "with one variable there is no error to lose, and no lower bound"


@dataclass(frozen=True, slots=True)
class DriftCurve:
    """The relative gain of an iteration, by the error before it.

    Entry i is about the iterations whose parent had an error of ``errors[i]`` = 2^levels[i] or more, but less than
    twice as much; there were ``iterations[i]`` of them in all runs. ``gains`` are means of (x - y) / x for an
    error that goes from x to y, mostly 0. All iterations count, also those with a full tree, of which ``bounds``
    says nothing: where trees are full most of the time, what is measured may lie below it.

    ``lows`` and ``highs`` are about 95 % intervals. Each gain is between 0 and 1, so the sum of gains varies at
    most as one of zeros and ones with the same expectations does; Wilson's interval for that is, if anything, too
    wide.

    ``bounds`` is the paper's bound at the smallest error of each level, where it is smallest, so it holds for the
    whole level; None if there is no bound. It rests on insertions alone, and so holds for both kinds of deletion.
    ``careful_bounds`` is what the same argument gives when nothing is rounded away, see `careful_bound`. ``label``
    says what the bound is, or why there is none.
    """

    levels: tuple[int, ...]
    errors: tuple[int, ...]
    gains: tuple[float, ...]
    lows: tuple[float, ...]
    highs: tuple[float, ...]
    iterations: tuple[int, ...]
    bounds: tuple[float, ...] | None
    careful_bounds: tuple[float, ...] | None
    label: str


def drift_curve(config: RunConfig, totals: Totals) -> DriftCurve | None:
    """The drift that the runs of a cell had, from the smallest error up; None where it was not measured.

    It is not measured on sampled rows, whose errors go up and down by chance.
    """
    levels = tuple(sorted(level for level, entry in totals.drift.items() if level >= 0 and entry.iterations))
    if not levels:
        return None
    n, limit = config.n, config.max_leaves
    entries = [totals.drift[level] for level in levels]
    intervals = [wilson(entry.mean_gain * entry.iterations, entry.iterations) for entry in entries]
    errors = tuple(1 << level for level in levels)
    label = BOUND_LABEL
    bounds = careful = None
    if limit is None:
        label = _NO_LIMIT
    elif n < 2:
        label = _ONE_VARIABLE
    elif limit < n:
        label = _SMALL_LIMIT
    else:
        bounds = tuple(paper_bound(error, n, limit) for error in errors)
        careful = tuple(careful_bound(error, n, limit) for error in errors)
    return DriftCurve(
        levels=levels,
        errors=errors,
        gains=tuple(entry.mean_gain for entry in entries),
        lows=tuple(low for low, _ in intervals),
        highs=tuple(high for _, high in intervals),
        iterations=tuple(entry.iterations for entry in entries),
        bounds=bounds,
        careful_bounds=careful,
        label=label,
    )


def paper_bound(error: int, n: int, limit: int) -> float:
    """The least expected relative gain from this error as the paper's drift theorem uses it, for n from 2 on.

    It is (log_n x + 1) / (36 ℓ n), for a tree that is not full. It follows for every n from 2 on from
    `careful_bound`: of x >= 2 wrong rows half have at least k = floor(log_n(x / 2)) + 1 variables false and the
    others at least one, so on average there are (k + 1) / 2 >= (k + 2) / 3 > (log_n x + 1) / 3 of them.

    On its way there the paper prints the larger bound k / (12 ℓ n). Its argument counts only the half of the rows
    with many variables false, which leaves half of that, so for k >= 2 the printed step is not fully proven.
    """
    return (log(error) / log(n) + 1) / (36 * limit * n)


def careful_bound(error: int, n: int, limit: int) -> float:
    """The least expected relative gain from this error that the paper's argument gives, in full.

    A row on which the tree is wrong becomes right when one of the variables false in it is put under an AND at the
    root. With fewer leaves than the limit there are at most 2 ℓ - 3 nodes, so each variable has a probability of
    at least 1 / (6 n (2 ℓ - 3)) for that. The wrong rows have the fewest variables false when they are those with
    one, then those with two, and so on.
    """
    nodes = max(1, 2 * limit - 3)
    return float(Fraction(least_false(error, n), error) / (6 * n * nodes))


@lru_cache(maxsize=4096)
def least_false(rows: int, n: int) -> int:
    """The fewest variables that are false in so many different rows, all but the all-true one, taken together."""
    total = 0
    choices = 1  # ways to choose the false variables, and so many rows have them
    for count in range(1, n + 1):
        choices = choices * (n - count + 1) // count
        taken = min(rows, choices)
        total += taken * count
        rows -= taken
        if not rows:
            break
    return total
