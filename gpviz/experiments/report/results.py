"""The results that the report is about: the stores of its plans, made, found and read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from gpviz.experiments.plan import Plan, find_plan
from gpviz.experiments.run_row import RunRow
from gpviz.experiments.statistics.cell_statistics import CellSummary, summarise
from gpviz.experiments.statistics.exact_comparison import exact_cells
from gpviz.experiments.store import Store
from gpviz.experiments.store_paths import resume_store
from gpviz.experiments.totals import Totals

PLANS: Final = ("table1", "table2", "figure2", "insert-only")
"""The plans that the report needs; figure 3 shows other measures of the runs of figure 2."""


def store_path(folder: Path, name: str) -> Path:
    """Where the runs of a plan are kept."""
    return folder / f"{name}.gpvizx"


def open_store(folder: Path, name: str, runs: int | None) -> Store:
    """The store of a plan in a folder, made or found, with at least as many runs a cell as are asked for.

    ``runs`` is None for as many as the plan has. A store that has more of them already keeps them.
    """
    plan = find_plan(name)
    if runs is not None:
        plan = plan.replaced(runs=runs)
    path = store_path(folder, name)
    if not path.exists():
        return Store.create(path, plan)
    with Store.open(path) as store:
        there = store.plan.runs
    return resume_store(path, plan.replaced(runs=max(plan.runs, there)))


@dataclass(frozen=True)
class Results:
    """What came of a plan. ``values`` reads a column of a cell's solved runs, ``stuck`` its stuck runs."""

    plan: Plan
    totals: Sequence[Totals]
    summaries: Sequence[CellSummary]
    seconds: float
    values: Callable[[int, str], npt.NDArray[np.int64]]
    stuck: Callable[[int], Sequence[RunRow]]

    @property
    def runs(self) -> int:
        """How many runs there are in all cells."""
        return sum(totals.runs for totals in self.totals)

    @property
    def iterations(self) -> int:
        """How many iterations they took together."""
        return sum(totals.iterations for totals in self.totals)


def results_of(store: Store) -> Results:
    """The results in a store, which has to stay open as long as they are used."""
    totals = store.totals()

    def values(cell: int, column: str) -> npt.NDArray[np.int64]:
        return store.values(cell, column, outcome="solved")

    def stuck(cell: int) -> list[RunRow]:
        return [row for row in store.rows(cell) if row.outcome == "stuck"]

    exact, _ = exact_cells(store.plan.cells)
    return Results(store.plan, totals, summarise(store.plan, totals, exact), store.seconds, values, stuck)
