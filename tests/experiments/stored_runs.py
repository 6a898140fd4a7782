"""Stores with runs of known values."""

from pathlib import Path
from typing import Any

from gpviz.experiments.chunk_worker import ChunkResult
from gpviz.experiments.plan import Plan, plan_of
from gpviz.experiments.run_row import RunRow, encode_path
from gpviz.experiments.store import Store
from gpviz.experiments.totals import Totals


def plan(runs: int = 5, **changes: Any) -> Plan:
    data: dict[str, Any] = {
        "runs": runs,
        "seed": 10,
        "config": {"deletion": "leaf"},
        "grid": {"limit": ["n", "2n"], "n": [4, 8]},
    }
    return plan_of("small", data | changes)


def row(number: int, **changes: Any) -> RunRow:
    """A run of known values: the larger its number, the sooner it was done."""
    values: dict[str, Any] = {
        "number": number, "outcome": "solved", "iterations": 1000 - number, "leaves": 4 + number % 3,
        "ors": number % 2, "ors_accepted": number, "accepted": 9, "improved": 2, "error": 0, "wrong_rows": 0,
        "stuck_since": None, "wait_from": 3, "wait": 20 + number, "duplicate_accepted": number % 4,
        "true_error_grew": 0, "full_iterations": number % 2, "path": encode_path([(1, 7), (23, 0)]),
    }  # fmt: skip
    return RunRow(**(values | changes))


STUCK = {"outcome": "stuck", "error": 3, "wrong_rows": 3, "stuck_since": 17}


def add(store: Store, cell: int, rows: list[RunRow]) -> None:
    totals = Totals()
    for each in rows:
        totals.add(each, [], n=None)
    store.add(ChunkResult(cell, rows, totals, 0.1))


def small_store(folder: Path) -> Path:
    """Four cells of five runs; the third run of the second cell is stuck."""
    path = folder / "small.gpvizx"
    with Store.create(path, plan()) as store:
        for cell in range(4):
            add(
                store,
                cell,
                [row(number, **(STUCK if (cell, number) == (1, 2) else {})) for number in range(5)],
            )
    return path


def many(folder: Path, runs: int) -> Path:
    """A first cell with as many runs as a window never shows at a time."""
    path = folder / "many.gpvizx"
    with Store.create(path, plan(runs)) as store:
        add(store, 0, [row(number) for number in range(runs)])
    return path
