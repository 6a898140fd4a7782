"""The drift: which part of the error an iteration takes away, as measured, and the least the paper proves."""

from dataclasses import dataclass
from typing import Final, Literal

from gpviz.analysis.drift_bounds import paper_bound
from gpviz.engine.config import RunConfig
from gpviz.experiments.statistics.probability import wilson
from gpviz.experiments.totals import Totals

Part = Literal["not full", "full"]

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
    error that goes from x to y, mostly 0. ``part`` says which iterations count: those whose tree was not full,
    which ``bounds`` is about, or those with a full tree.

    ``lows`` and ``highs`` are about 95 % intervals. Each gain is between 0 and 1, so the sum of gains varies at
    most as one of zeros and ones with the same expectations does; Wilson's interval for that is, if anything, too
    wide.

    ``bounds`` is the paper's bound at the smallest error of each level, where it is smallest, so it holds for the
    whole level; None if there is no bound. It rests on insertions alone, and so holds for both kinds of deletion.
    ``label`` says what the bound is, or why there is none.
    """

    levels: tuple[int, ...]
    errors: tuple[int, ...]
    gains: tuple[float, ...]
    lows: tuple[float, ...]
    highs: tuple[float, ...]
    iterations: tuple[int, ...]
    bounds: tuple[float, ...] | None
    label: str
    part: Part


def drift_curve(config: RunConfig, totals: Totals, part: Part = "not full") -> DriftCurve | None:
    """The drift that the runs of a cell had, from the smallest error up; None where it was not measured.

    It is not measured on sampled rows, whose errors go up and down by chance.
    """
    drift = totals.counts.full_drift if part == "full" else totals.drift_below_limit
    levels = tuple(sorted(level for level, entry in drift.items() if level >= 0 and entry.iterations))
    if not levels:
        return None
    n, limit = config.n, config.max_leaves
    entries = [drift[level] for level in levels]
    intervals = [wilson(entry.mean_gain * entry.iterations, entry.iterations) for entry in entries]
    errors = tuple(1 << level for level in levels)
    label = BOUND_LABEL
    bounds = None
    if limit is None:
        label = _NO_LIMIT
    elif n < 2:
        label = _ONE_VARIABLE
    elif limit < n:
        label = _SMALL_LIMIT
    else:
        bounds = tuple(paper_bound(error, n, limit) for error in errors)
    return DriftCurve(
        levels=levels,
        errors=errors,
        gains=tuple(entry.mean_gain for entry in entries),
        lows=tuple(low for low, _ in intervals),
        highs=tuple(high for _, high in intervals),
        iterations=tuple(entry.iterations for entry in entries),
        bounds=bounds,
        label=label,
        part=part,
    )
