"""Plans whose runs are few, and their stores, for everything that draws or reads experiments."""

from pathlib import Path
from typing import Any, Final

import numpy as np

from gpviz.experiments.chunk_worker import Chunk, run_chunk
from gpviz.experiments.figures.chart_values import ValueReader, ValuesRequest
from gpviz.experiments.plan import Plan
from gpviz.experiments.store import Store
from gpviz.experiments.totals import Totals

LEAF: Final = {
    "title": "Leaf deletion",
    "runs": 30,
    "x": "n",
    "measures": ["iterations", "leaves", "stuck"],
    "config": {"deletion": "leaf"},
    "grid": {"limit": ["n", "2n"], "n": [4, 8]},
}
SAMPLED: Final = {
    "runs": 12,
    "x": "rows",
    "measures": ["iterations", "final_generalisation_error", "ors", "ors_accepted"],
    "config": {"n": 12, "limit": "inf", "fitness": "sampled", "sampler": "counts"},
    "grid": {"accept_error": [0, 8], "rows": [10, 100, 1000]},
}
COUPLED: Final = {
    "runs": 15,
    "x": "n",
    "config": {"fitness": "sampled", "sampler": "counts", "limit": "inf", "rows": "n lg^2 n"},
    "grid": {"accept_error": ["2 lg n", "lg n"], "n": [8, 16, 32]},
}
"""Its rows and accepted error depend on n."""

ORS: Final = {
    "runs": 12,
    "x": "n",
    "measures": ["iterations", "ors", "stuck"],
    "config": {"deletion": "leaf"},
    "grid": {"limit": ["n", "2n"], "n": [4, 6, 8]},
}
"""A measure of it is a count that may be 0."""

STUCK: Final = {
    "runs": 13,
    "seed": 54,
    "config": {"n": 4, "deletion": "leaf"},
    "grid": {"limit": ["n", "n+1"]},
}
"""The last run of both cells gets stuck, and the first one of the second."""


def filled(path: Path, plan: Plan) -> Path:
    """A store with all runs of a plan."""
    with Store.create(path, plan) as store:
        for cell in plan.cells:
            store.add(run_chunk(Chunk(cell.number, cell.config, 0, plan.runs, plan.max_iterations)))
    return path


def totals_of(path: Path) -> list[Totals]:
    """What the cells come to."""
    with Store.open(path) as store:
        return store.totals()


def values_of(path: Path, cell: int, column: str = "iterations") -> np.ndarray:
    """A column of the solved runs of a cell."""
    with Store.open(path) as store:
        return store.values(cell, column, outcome="solved")


def read(path: Path, request: ValuesRequest) -> dict[int, Any]:
    """What a chart reads."""
    return ValueReader().read(path, request, None, lambda: False)
