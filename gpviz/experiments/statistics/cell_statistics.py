"""Statistics of the runs of each cell: shares, means and how sure they are, how T is distributed, the drift."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, inf, log, sqrt
from typing import Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from gpviz.analysis import ExactCell
from gpviz.analysis.drift_bounds import paper_bound, stage_bounds
from gpviz.engine.config import RunConfig
from gpviz.experiments.plan import Cell, Plan
from gpviz.experiments.statistics.exact_comparison import ExactComparison, compare_with_exact
from gpviz.experiments.statistics.paper_tables import PaperComparison, compare
from gpviz.experiments.statistics.probability import LEVEL, t_quantile, wilson
from gpviz.experiments.totals import Sums, Totals

Floats = npt.NDArray[np.float64]
_FEWEST_BINS: Final = 5
_MOST_BINS: Final = 60


@dataclass(frozen=True, slots=True)
class Moments:
    """Mean and standard deviation of some values, and the 95 % interval of the mean.

    The interval is Student's, from ``low`` to ``high``: right for normal values, and close to it for many of
    whatever kind. The mean is None of no values; the rest is None of fewer than two.
    """

    count: int
    mean: float | None
    sd: float | None
    low: float | None
    high: float | None

    @property
    def mean_low_high(self) -> tuple[float, float, float] | None:
        """The mean of values that are never negative, and its interval, without width for a single value."""
        if self.mean is None:
            return None
        if self.low is None or self.high is None:
            return self.mean, self.mean, self.mean
        return self.mean, max(self.low, 0.0), self.high

    @property
    def standard_error(self) -> float | None:
        """The standard deviation of the mean."""
        return None if self.sd is None else self.sd / sqrt(self.count)


@dataclass(frozen=True, slots=True)
class Share:
    """A share and its 95 % interval."""

    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class CellSummary:
    """What the runs of a cell come to.

    ``stuck_share`` is among all runs that are done, with Wilson's 95 % interval; None, from 0 to 1, of no runs. A
    run that was stopped does not count as stuck, as that is not proven. T
    (iterations), S (leaves), ORs in the result and ORs accepted on the way are those of the solved runs.
    ``final_generalisation_error`` is the mean share of all 2^n rows on which the result of a solved run is wrong.

    ``pitfalls`` are the shares of the runs that are done in which each of the `PITFALLS` happened at least once,
    and of those in which none did. ``share_full`` is the share of iterations with a full parent among all
    iterations of all runs, with an interval by how much the runs differ, see `_ratio`; None without a limit.
    ``stages`` are the iterations that solved runs spent in each stage of the drift theorem, from the one below n
    up; None on sampled rows.

    ``expected_running_time`` is what it takes on average to get one solution without restarts: infinite as soon as
    a run gets stuck, as it stays so for ever, also while none is solved; None, as it is not known, while none is
    solved and none is stuck. ``time_with_restarts`` is what it takes if a run restarts with another seed in the
    very iteration in which it gets stuck, however much later that was noticed: the iterations of all runs up to
    then, over the number of solved runs; None while none is solved. In both, runs that were stopped or failed
    begin anew as well.
    """

    cell: Cell
    runs: int
    solved: int
    stuck: int
    stopped: int
    failed: int
    stuck_share: float | None
    stuck_low: float
    stuck_high: float
    T: Moments
    S: Moments
    ors: Moments
    ors_accepted: Moments
    final_generalisation_error: float | None
    pitfalls: Mapping[str, Share] | None
    share_full: Moments | None
    stages: tuple[Moments, ...] | None
    expected_running_time: float | None
    time_with_restarts: float | None
    paper: PaperComparison | None
    exact: ExactComparison | None = None
    """None where the cell is too large for exact values, or these are not asked for."""

    def moments_of(self, measure: str) -> Moments:
        """A measure of single runs that has a mean."""
        names = {"iterations": "T", "leaves": "S"}
        moments: Moments = getattr(self, names.get(measure, measure))
        return moments

    def share_of(self, measure: str) -> Share | None:
        """A measure that is a share of the runs or of their iterations; None where it is not defined or not known.

        Of one run the share of full iterations has no interval; it is given as one without width.
        """
        if measure == "stuck":
            share = self.stuck_share
            return None if share is None else Share(share, self.stuck_low, self.stuck_high)
        if measure != "share_full":
            return None if self.pitfalls is None else self.pitfalls[measure]
        full = None if self.share_full is None else self.share_full.mean_low_high
        return None if full is None else Share(*full)


@dataclass(frozen=True, slots=True)
class Spread:
    """How values are spread out.

    A quantile between two values lies on the straight line between them: with values v[0] <= ... <= v[m], the
    quantile q is at position q * m.
    """

    count: int
    minimum: float
    q05: float
    q25: float
    median: float
    q75: float
    q95: float
    maximum: float


def summarise(
    plan: Plan, totals: Sequence[Totals], exact: Mapping[int, ExactCell] | None = None
) -> list[CellSummary]:
    """What the runs of each cell of a plan come to, by cell; beside exact values, where these are given."""
    known = exact or {}
    return [
        summarise_cell(cell, each, known.get(cell.number))
        for cell, each in zip(plan.cells, totals, strict=True)
    ]


def summarise_cell(cell: Cell, totals: Totals, exact: ExactCell | None = None) -> CellSummary:
    """What the runs of one cell come to."""
    sums = totals.solved_runs
    low, high = wilson(totals.stuck, totals.runs)
    wrong = totals.wrong_rows
    return CellSummary(
        cell=cell,
        runs=totals.runs,
        solved=totals.solved,
        stuck=totals.stuck,
        stopped=totals.stopped,
        failed=totals.failed,
        stuck_share=totals.stuck / totals.runs if totals.runs else None,
        stuck_low=low,
        stuck_high=high,
        T=moments_of(sums["iterations"]),
        S=moments_of(sums["leaves"]),
        ors=moments_of(sums["ors"]),
        ors_accepted=moments_of(sums["ors_accepted"]),
        # A quotient of whole numbers, rounded once, however many rows there are.
        final_generalisation_error=wrong.total / (wrong.count << cell.config.n) if wrong.count else None,
        pitfalls=_pitfalls(totals),
        share_full=None if cell.config.max_leaves is None else _share_full(totals),
        stages=None if cell.config.is_sampled else _stages(totals, cell.config.n),
        expected_running_time=_running_time(totals),
        time_with_restarts=(
            (totals.iterations - totals.stuck_lag) / totals.solved if totals.solved else None
        ),
        paper=compare(cell.config, totals),
        exact=None if exact is None else compare_with_exact(cell.config, totals, exact),
    )


def _running_time(totals: Totals) -> float | None:
    if totals.stuck:
        return inf
    return totals.iterations / totals.solved if totals.solved else None


def _pitfalls(totals: Totals) -> dict[str, Share] | None:
    if not totals.runs:
        return None
    counts = totals.counts.pitfalls
    return {name: Share(count / totals.runs, *wilson(count, totals.runs)) for name, count in counts.items()}


def _share_full(totals: Totals) -> Moments | None:
    counts = totals.counts
    if not totals.iterations:
        return None
    share = _ratio(counts.full, totals.iterations, counts.squares, counts.products)
    if counts.full.total:
        return share
    # That no run differs says little where nothing was seen: in so many runs it may well be missed.
    return replace(share, low=0.0, high=wilson(0, totals.runs)[1])


def _ratio(part: Sums, whole: int, squares: int, products: int) -> Moments:
    """What all parts are of all wholes, which is not the mean of the shares: a long run counts for more.

    ``part`` are the sums of the parts; ``whole`` is the sum of the wholes, ``squares`` of their squares, and
    ``products`` of each part times its whole. To the first order the ratio R varies as the mean of the deviations
    (part - R whole) / (mean whole) does, so their standard deviation is given, and Student's interval.
    """
    ratio = Fraction(part.total, whole)
    if part.count < 2:
        return Moments(part.count, float(ratio), None, None, None)
    deviations = part.squares - 2 * ratio * products + ratio**2 * squares
    sd = sqrt(deviations / (part.count - 1)) * part.count / whole
    half = t_quantile((1 + LEVEL) / 2, part.count - 1) * sd / sqrt(part.count)
    mean = float(ratio)
    return Moments(part.count, mean, sd, max(0.0, mean - half), min(1.0, mean + half))


def _stages(totals: Totals, n: int) -> tuple[Moments, ...]:
    found = (totals.counts.stages.get(stage, Sums()) for stage in range(len(stage_bounds(n))))
    # A run that was never in a stage spent no iteration there, which adds nothing to the sums.
    return tuple(moments_of(Sums(totals.solved, sums.total, sums.squares)) for sums in found)


def moments_of(sums: Sums) -> Moments:
    """The moments of values whose sums these are."""
    mean, sd = sums.mean, sums.sd
    if mean is None or sd is None:
        return Moments(sums.count, mean, None, None, None)
    half = t_quantile((1 + LEVEL) / 2, sums.count - 1) * sd / sqrt(sums.count)
    return Moments(sums.count, mean, sd, mean - half, mean + half)


def spread_of(values: npt.ArrayLike) -> Spread | None:
    """How these values are spread out; None of none."""
    array = np.asarray(values, dtype=np.float64)
    if not array.size:
        return None
    quantiles = np.quantile(array, (0, 0.05, 0.25, 0.5, 0.75, 0.95, 1))
    return Spread(array.size, *(float(quantile) for quantile in quantiles))


def ecdf(values: npt.ArrayLike, runs: int) -> tuple[Floats, Floats]:
    """The iterations in which runs were solved, ascending, and the share of all runs solved by each.

    ``values`` are the iterations of the solved runs. All other runs, ``runs`` in all, count as never solved: right
    for stuck ones. A curve of steps: from t[i] on it is share[i].
    """
    t, counts = np.unique(np.asarray(values, dtype=np.float64), return_counts=True)
    solved = int(counts.sum())
    if solved > runs:
        raise ValueError(f"{solved} runs solved of {runs}")
    return t, np.cumsum(counts) / max(runs, 1)


def histogram_edges(values: npt.ArrayLike, *, is_log: bool = False, most: int = _MOST_BINS) -> Floats:
    """Edges of bins for whole numbers from 0, equally wide, or for ``is_log`` with equal ratios.

    They lie half-way between whole numbers, so no value is on an edge and every bin can hold some; in a
    logarithmic histogram the first bins may thus be wider than the rest. How many there are follows Freedman and
    Diaconis: a width of twice the distance of the quartiles over the cube root of the number of values. A
    logarithmic one leaves zeros out. Of no values there are no edges.
    """
    array = np.asarray(values, dtype=np.float64)
    if not array.size:
        return np.empty(0)
    low, high = float(array.min()) - 0.5, float(array.max()) + 0.5
    if is_log and high < 1:
        return np.empty(0)
    if not is_log:
        width = max(1, ceil((high - low) / _bins(array, high - low, most)))
        count = ceil((high - low) / width)
        return low + width * np.arange(count + 1, dtype=np.float64)
    low = max(low, 0.5)
    span = log(high / low)
    count = _bins(np.log(np.maximum(array, 1.0)), span, most)
    edges = low * np.exp(span * np.arange(count + 1) / count)
    return np.unique(np.concatenate(([low], np.floor(edges[1:-1]) + 0.5, [high])))


def _bins(array: Floats, span: float, most: int) -> int:
    first, third = np.quantile(array, (0.25, 0.75))
    width = 2 * float(third - first) / array.size ** (1 / 3)
    wanted = ceil(span / width) if width > 0 else _FEWEST_BINS
    return min(most, max(_FEWEST_BINS, wanted))


Part = Literal["not full", "full"]

_NO_LIMIT: Final = (
    "without a limit on the leaves the paper gives no lower bound, as its bound is divided by the limit"
)
_SMALL_LIMIT: Final = "the paper gives a lower bound only for limits of at least n leaves"
_ONE_VARIABLE: Final = "with one variable there is no error to lose, and no lower bound"


class DriftPoint(NamedTuple):
    """The iterations whose parent had an error of 2^level or more, but less than twice as much.

    ``gain`` is the mean of (x - y) / x for an error that goes from x to y, mostly 0; ``low`` to ``high`` is
    about its 95 % interval. Each gain is between 0 and 1, so the sum of gains varies no more than a sum of
    zeros and ones with the same expectations; Wilson's interval for that sum is, if anything, too wide.

    ``bound`` is the paper's lower bound, (log_n x + 1) / (36 ℓ n) for error x, or None if there is none. It
    is taken at the smallest error of the level, where it is smallest, so it holds for the whole level. It
    counts insertions only, so it holds for both kinds of deletion, as long as the tree has fewer than ℓ
    leaves.
    """

    level: int
    iterations: int
    gain: float
    low: float
    high: float
    bound: float | None

    @property
    def error(self) -> int:
        """The smallest error of the level."""
        return 1 << self.level


@dataclass(frozen=True, slots=True)
class DriftCurve:
    """The relative gain of an iteration by the error before it, from the smallest error up.

    ``part`` says which iterations count: those whose tree was not full, which the bounds are about, or those with
    a full tree. ``why_no_bound`` is empty where there are bounds.
    """

    points: tuple[DriftPoint, ...]
    part: Part
    why_no_bound: str


def drift_curve(config: RunConfig, totals: Totals, part: Part = "not full") -> DriftCurve | None:
    """The drift that the runs of a cell had; None where it was not measured.

    It is not measured on sampled rows, whose errors go up and down by chance.
    """
    drift = totals.counts.full_drift if part == "full" else totals.drift_below_limit
    n, limit = config.n, config.max_leaves
    why_no_bound = ""
    if limit is None:
        why_no_bound = _NO_LIMIT
    elif n < 2:
        why_no_bound = _ONE_VARIABLE
    elif limit < n:
        why_no_bound = _SMALL_LIMIT
    points: list[DriftPoint] = []
    for level, entry in sorted(drift.items()):
        if level >= 0 and entry.iterations:
            low, high = wilson(entry.mean_gain * entry.iterations, entry.iterations)
            bound = None if limit is None or why_no_bound else paper_bound(1 << level, n, limit)
            points.append(DriftPoint(level, entry.iterations, entry.mean_gain, low, high, bound))
    return DriftCurve(tuple(points), part, why_no_bound) if points else None
