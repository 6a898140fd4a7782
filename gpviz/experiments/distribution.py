"""How T is distributed: the share of runs solved by an iteration, with bands, and bins for histograms."""

from dataclasses import dataclass
from math import ceil, log, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

from gpviz.experiments.normal import LEVEL, Z

__all__ = ["Floats", "Survival", "ecdf", "ecdf_band", "histogram_edges", "survival"]

Floats = npt.NDArray[np.float64]

_FEWEST_BINS: Final = 5
_MOST_BINS: Final = 60


@dataclass(frozen=True, slots=True)
class Survival:
    """The share of runs that are not solved by iteration ``t``, with a 95 % interval for each t alone.

    It is Kaplan and Meier's: a run that was stopped counts as at risk until then. Without such runs it is one
    minus the plain share of solved runs. The intervals are Greenwood's on the scale log(-log(share)), so they stay
    between 0 and 1; where the share is 0 there is none, and the upper end is that of the step before.
    """

    t: Floats
    share: Floats
    low: Floats
    high: Floats


def ecdf(values: npt.ArrayLike, runs: int) -> tuple[Floats, Floats]:
    """The iterations in which runs were solved, ascending, and the share of all runs solved by each.

    ``values`` are the iterations of the solved runs. All other runs, ``runs`` in all, count as never solved: right
    for stuck ones; see `survival` where some were stopped. A curve of steps: from t[i] on it is share[i].
    """
    t, counts = np.unique(np.asarray(values, dtype=np.float64), return_counts=True)
    solved = int(counts.sum())
    if solved > runs:
        raise ValueError(f"{solved} runs solved of {runs}")
    return t, np.cumsum(counts) / max(runs, 1)


def ecdf_band(share: npt.ArrayLike, runs: int) -> tuple[Floats, Floats]:
    """The band that holds the whole true curve with probability at least 95 %, by Dvoretzky, Kiefer and Wolfowitz.

    It is as wide everywhere: sqrt(ln(2 / 0.05) / (2 runs)) to either side.
    """
    values = np.asarray(share, dtype=np.float64)
    half = sqrt(log(2 / (1 - LEVEL)) / (2 * runs)) if runs else 1.0
    return np.clip(values - half, 0.0, 1.0), np.clip(values + half, 0.0, 1.0)


def survival(solved: npt.ArrayLike, stopped: npt.ArrayLike = (), stuck: int = 0) -> Survival:
    """The share of runs not solved yet, from the iterations of solved and of stopped runs.

    ``stuck`` runs are never solved, so they stay at risk for ever. A run that failed is best counted as stopped.
    """
    t, counts = np.unique(np.asarray(solved, dtype=np.float64), return_counts=True)
    ends = np.sort(np.asarray(stopped, dtype=np.float64))
    if not t.size:
        return Survival(t, t, t, t)
    total = int(counts.sum()) + ends.size + stuck
    before = np.concatenate(([0], np.cumsum(counts)[:-1]))
    # A run stopped in the very iteration in which another is solved was still at risk there.
    at_risk = total - before - np.searchsorted(ends, t, side="left")
    is_last = counts == at_risk
    share: Floats = np.cumprod(1 - counts / at_risk, dtype=np.float64)
    left = np.where(is_last, 1, at_risk - counts)
    variance = np.cumsum(counts / (at_risk * left))
    inside = np.where(is_last, 0.5, share)
    half = Z * np.sqrt(variance) / np.abs(np.log(inside))
    low = np.where(is_last, 0.0, inside ** np.exp(half))
    high = np.where(is_last, 0.0, inside ** np.exp(-half))
    if is_last[-1]:
        high[-1] = high[-2] if t.size > 1 else 1.0
    return Survival(t, share, low, high)


def histogram_edges(values: npt.ArrayLike, *, is_log: bool = False, most: int = _MOST_BINS) -> Floats:
    """Edges of bins for whole numbers from 0, equally wide, or for ``is_log`` with equal ratios.

    They lie half-way between whole numbers, so no value is on an edge and every bin can hold some; in a
    logarithmic histogram the first bins may thus be wider than the rest. How many there are follows Freedman and
    Diaconis: a width of twice the distance of the quartiles over the cube root of the number of values. A
    logarithmic one has no place for zeros. Of no values there are no edges.
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
