"""Results of runs that nobody did, so that every sentence of the report can be had."""

from collections.abc import Callable

import numpy as np

from gpviz.engine.config import RunConfig
from gpviz.experiments.paper import paper_cell
from gpviz.experiments.plan import Plan, find_plan
from gpviz.experiments.report.results import Results
from gpviz.experiments.summary import CellSummary, summarise
from gpviz.experiments.totals import Sums, Totals

RUNS = 6
"""The runs of a cell where they are truly done."""


def sums_of(mean: float, sd: float, count: int) -> Sums:
    """Sums of whole numbers with about this mean and this standard deviation."""
    total = round(mean * count)
    return Sums(count, total, round((count - 1) * sd**2 + total**2 / count))


def totals_of(mean: float, sd: float, count: int, *, stuck: int = 0) -> Totals:
    """Totals of a cell whose solved runs took so many iterations on average."""
    totals = Totals(runs=count + stuck, solved=count, stuck=stuck, iterations=round(mean * count))
    totals.solved_runs["iterations"] = sums_of(mean, sd, count)
    for name in ("leaves", "ors", "ors_accepted"):
        totals.solved_runs[name] = sums_of(4.0, 0.0, count)
    return totals


def beside_paper(plan: Plan, shift: Callable[[RunConfig], float], count: int = 4000) -> list[CellSummary]:
    """Cells whose mean T is the paper's and a shift."""
    totals = []
    for cell in plan.cells:
        paper = paper_cell(cell.config)
        assert paper is not None
        totals.append(totals_of(paper.T + shift(cell.config), paper.T_sd, count))
    return summarise(plan, totals)


def results_with(
    name: str, shift: Callable[[RunConfig], float] = lambda config: 0.0, count: int = 4000
) -> Results:
    """Results of a plan of the tables with such cells and no single runs."""
    plan = find_plan(name)
    summaries = beside_paper(plan, shift, count)
    totals = [totals_of(each.T.mean or 0.0, each.T.sd or 0.0, count) for each in summaries]
    return Results(plan, totals, summaries, 1.0, lambda cell, column: np.empty(0, np.int64), lambda cell: [])
