"""Made-up results: what the report says must follow from whatever was found."""

from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from gpviz.engine.config import RunConfig
from gpviz.experiments.plan import find_plan
from gpviz.experiments.report.results import Results
from gpviz.experiments.statistics.cell_statistics import summarise
from gpviz.experiments.statistics.exact_comparison import exact_cells
from gpviz.experiments.statistics.paper_tables import paper_cell
from gpviz.experiments.totals import Sums, Totals

RUNS = 6
"""The runs of a cell where they are truly done."""

Shift = Callable[[RunConfig], float]


def sums_of(values: npt.NDArray[np.int64]) -> Sums:
    return Sums(len(values), int(values.sum()), int((values**2).sum()))


def totals_of(mean: float, sd: float, count: int, *, stuck: int = 0) -> Totals:
    """Totals of a cell whose solved runs took so many iterations on average."""
    return totals_from(values_of(mean, sd, count), stuck=stuck)


def totals_from(values: npt.NDArray[np.int64], *, stuck: int = 0) -> Totals:
    """Totals of a cell whose solved runs took these iterations."""
    count = len(values)
    totals = Totals(runs=count + stuck, solved=count, stuck=stuck, iterations=int(values.sum()))
    totals.solved_runs["iterations"] = sums_of(values)
    for name in ("leaves", "ors", "ors_accepted"):
        totals.solved_runs[name] = sums_of(np.full(count, 4))
    return totals


def values_of(mean: float, sd: float, count: int, *, luck: int = 0) -> npt.NDArray[np.int64]:
    """Whole numbers with about this mean and this standard deviation; each luck has them in another order."""
    order = np.random.default_rng(luck).permutation(_normal(count))
    return np.rint(mean + sd * order).astype(np.int64)


@lru_cache
def _normal(count: int) -> npt.NDArray[np.float64]:
    values = np.array([NormalDist().inv_cdf((index + 0.5) / count) for index in range(count)])
    spread = values.std(ddof=1) if count > 1 else 1.0
    return values / spread


def results_with(
    name: str,
    shift: Shift = lambda config: 0.0,
    count: int = 4000,
    *,
    is_full: bool = False,
) -> Results:
    """Results of a plan of the tables whose mean T is the paper's and a shift.

    All values of a full one are as the paper's, S and B too.
    """
    plan = find_plan(name).replaced(runs=count)
    values: list[npt.NDArray[np.int64]] = []
    totals: list[Totals] = []
    for cell in plan.cells:
        paper = paper_cell(cell.config)
        assert paper is not None
        values.append(values_of(paper.T + shift(cell.config), paper.T_sd, count, luck=cell.number))
        stuck = round(paper.stuck / paper.solved * count) if is_full else 0
        totals.append(totals_from(values[-1], stuck=stuck))
        if is_full:
            totals[-1].solved_runs["leaves"] = Sums(
                count,
                round(paper.S * count),
                round((count - 1) * paper.S_sd**2 + (paper.S * count) ** 2 / count),
            )

    def read(cell: int, column: str) -> npt.NDArray[np.int64]:
        return np.arange(count) if column == "number" else values[cell]

    summaries = summarise(plan, totals, exact_cells(plan.cells)[0])
    return Results(plan, totals, summaries, 1.0, read, lambda cell: [])
