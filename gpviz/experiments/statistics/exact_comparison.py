"""What was measured, and what the paper printed, beside the exact values of a cell that is small enough."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from time import monotonic
from typing import Final

from gpviz.analysis import ExactCell, exact
from gpviz.engine import InvalidValueError
from gpviz.engine.config import Rules, RunConfig
from gpviz.experiments.plan import Cell
from gpviz.experiments.statistics.paper_tables import PAPER_RUNS, ROUNDING, PaperCell, paper_cell
from gpviz.experiments.statistics.probability import binomial_p, z_of_p
from gpviz.experiments.totals import Sums, Totals

_MOST_STATES: Final = 2_500
"""Beside the runs of an experiment nobody waits for exact values: so few states take a tenth of a second."""
_MOST_VARIABLES: Final = 6
_SAME: Final = 1e-9


@dataclass(frozen=True, slots=True)
class ExactDistances:
    """How many standard errors T, S and B lie above the exact values, below if negative; None where not known.

    For T and S the standard error is the exact standard deviation over the root of the number of solved runs.
    Where that is 0, z is 0 if they agree, else None. The z of B has the same two-sided p-value as the exact test
    of the number of stuck runs.
    """

    z_T: float | None = None  # noqa: N815 - the paper's names
    z_S: float | None = None  # noqa: N815
    z_B: float | None = None  # noqa: N815


@dataclass(frozen=True, slots=True)
class ExactComparison:
    """The exact values of a cell, and how far ours and the paper's are from them."""

    cell: ExactCell
    ours: ExactDistances
    paper: ExactDistances | None
    """None where the paper has no such cell."""


_known: Final[dict[Rules, ExactCell | None]] = {}


def exact_cell(config: RunConfig) -> ExactCell | None:
    """The exact values for these settings; None where they would take longer than a moment, or there are none.

    They are remembered.
    """
    rules = config.rules
    if rules not in _known:
        _known[rules] = _found(rules)
    return _known[rules]


def _found(rules: Rules) -> ExactCell | None:
    if rules.n > _MOST_VARIABLES:
        return None
    try:
        return exact(rules, most_states=_MOST_STATES)
    except InvalidValueError:  # too large, or on sampled rows
        return None


def exact_cells(
    cells: Iterable[Cell], *, most_seconds: float | None = None
) -> tuple[dict[int, ExactCell], bool]:
    """The exact values by cell, as far as they are found in this time, and whether these are all.

    At least one cell more is looked at each time.
    """
    found: dict[int, ExactCell] = {}
    start, has_looked = monotonic(), False
    for cell in cells:
        if cell.config.rules not in _known:
            if has_looked and most_seconds is not None and monotonic() - start > most_seconds:
                return found, False
            has_looked = True
        value = exact_cell(cell.config)
        if value is not None:
            found[cell.number] = value
    return found, True


def compare_with_exact(config: RunConfig, totals: Totals, cell: ExactCell) -> ExactComparison:
    """What the runs of a cell came to, and the paper's, beside its exact values."""
    iterations, leaves = totals.solved_runs["iterations"], totals.solved_runs["leaves"]
    ours = ExactDistances(
        z_T=_z_of_sums(iterations, cell.mean, cell.sd),
        z_S=_z_of_sums(leaves, cell.leaves, cell.leaves_sd),
        z_B=_z_of_stuck(totals.stuck, totals.runs, cell.stuck),
    )
    paper = paper_cell(config)
    return ExactComparison(cell, ours, None if paper is None else paper_distances(paper, cell))


def paper_distances(paper: PaperCell, cell: ExactCell) -> ExactDistances:
    """How far the paper's values, which are rounded, are from the exact ones."""
    return ExactDistances(
        z_T=_z_of_mean(paper.T, paper.solved, cell.mean, cell.sd, rounding=ROUNDING),
        z_S=_z_of_mean(paper.S, paper.solved, cell.leaves, cell.leaves_sd, rounding=ROUNDING),
        z_B=None if paper.B is None else _z_of_stuck(paper.stuck, PAPER_RUNS, cell.stuck),
    )


def _z_of_sums(ours: Sums, mean: float | None, sd: float | None) -> float | None:
    return None if ours.mean is None else _z_of_mean(ours.mean, ours.count, mean, sd)


def _z_of_mean(
    ours: float, count: int, mean: float | None, sd: float | None, *, rounding: float = 0.0
) -> float | None:
    if mean is None or sd is None:
        return None
    error = sqrt(sd**2 / count + rounding)
    if abs(ours - mean) <= _SAME * max(1.0, mean):
        return 0.0
    return (ours - mean) / error if error else None


def _z_of_stuck(stuck: int, runs: int, probability: float) -> float | None:
    if not runs:
        return None
    p = binomial_p(stuck, runs, probability)
    sign = 1 if stuck >= runs * probability else -1
    return sign * z_of_p(p) if p < 1 else 0.0
