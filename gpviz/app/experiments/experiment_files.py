"""Experiment files: what is read of one, which are kept, where new ones go, and the results that are written."""

import json
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path
from typing import Final

from PySide6.QtWidgets import QFileDialog, QWidget

from gpviz.app.dialogs.file_dialogs import ask_to_open
from gpviz.app.tasks import Working
from gpviz.engine.errors import GpvizError
from gpviz.engine.interruption import ShouldStop
from gpviz.experiments.figures.chart_values import ValueReader, ValuesRequest
from gpviz.experiments.iohprofiler import write_ioh
from gpviz.experiments.plan import Plan
from gpviz.experiments.result_tables import cells_data, csv_text, latex_tables, spreads_of, write_runs_csv
from gpviz.experiments.statistics.cell_statistics import CellSummary, Spread, summarise
from gpviz.experiments.statistics.exact_comparison import exact_cells
from gpviz.experiments.store import Store
from gpviz.experiments.store_paths import SUFFIX, stores_folder
from gpviz.experiments.totals import Totals
from gpviz.files.file_io import shown_path, with_ending, write_file

_FILTER: Final = f"Experiments (*{SUFFIX})"
KINDS: Final = {
    "csv": ("Save the table as CSV", ".csv", "CSV (*.csv)"),
    "json": ("Save the table as JSON", ".json", "JSON (*.json)"),
    "latex": ("Save the table as LaTeX", ".tex", "LaTeX (*.tex)"),
    "runs": ("Save all runs as CSV", "-runs.csv", "CSV (*.csv)"),
    "ioh": ("Save all runs for IOHprofiler: name a new folder", "-ioh", "Folders (*)"),
}
"""By kind, the title of the question, what follows the experiment's name in that of the file, and the filter."""
FIRST_S: Final = 0.1
"""How long the first reading may spend on medians, and each on exact values: the table must not wait."""
LATER_S: Final = 3.0
"""How long each later reading may spend on medians: after every reading the window shows all cells again."""


@dataclass(frozen=True, slots=True)
class ShownExperiment:
    """An experiment as it stood when it was last read."""

    path: Path
    plan: Plan
    totals: list[Totals]
    summaries: list[CellSummary]
    seconds: float
    medians: dict[int, float] = field(default_factory=dict)
    """The median of T by cell, as far as they are read."""
    is_complete: bool = True
    """Whether all medians have been read, and exact values computed for all cells that are small enough."""

    @property
    def done_by_cell(self) -> tuple[int, ...]:
        """How many runs of each cell are done."""
        return tuple(totals.runs for totals in self.totals)

    @property
    def done(self) -> int:
        """How many runs are done."""
        return sum(self.done_by_cell)

    @property
    def is_whole(self) -> bool:
        """Whether all runs of the plan are done."""
        return self.done >= self.plan.total_runs


def read_experiment(
    path: Path, reader: ValueReader, working: Working, *, is_running: bool = False
) -> ShownExperiment:
    """The experiment in a file; raises `GpvizError` if there is none.

    ``reader`` reads the medians little by little: they need every run, while everything else needs only the
    totals. The median of a cell that is still getting runs is not read, because it would soon change.
    It reports of how many cells the totals have been read, and how many cells there are.
    """
    with Store.open(path) as store:
        plan, totals = store.plan, store.totals(lambda done, cells: working.report((done, cells)))
        runs = [total.runs for total in totals]
        lasting = tuple(cell for cell, done in enumerate(runs) if done >= plan.runs or not is_running)
        spreads = reader.read(path, ValuesRequest("spread", "iterations", lasting), runs, working)
        medians = {cell: spread.median for cell, spread in spreads.items() if isinstance(spread, Spread)}
        exact, has_all_exact = exact_cells(plan.cells, most_seconds=FIRST_S)
        summaries = summarise(plan, totals, exact)
        is_complete = reader.is_complete and has_all_exact
        return ShownExperiment(path, plan, totals, summaries, store.seconds, medians, is_complete)


def usual_folder() -> str:
    """Where experiments are kept, or else the home folder."""
    try:
        return str(stores_folder())
    except GpvizError:  # it is reported when an experiment starts
        return str(Path.home())


def ask_store(window: QWidget) -> Path | None:
    """The experiment that a person chooses."""
    filters = f"{_FILTER};;All files (*)"
    return ask_to_open(window, "Open an experiment", str(_folder_to_begin_in()), filters)


def ask_new_store(window: QWidget, proposal: str = "") -> Path | None:
    """Where a person wants the results; ``proposal`` is what the file could be called, without its ending."""
    name, _ = QFileDialog.getSaveFileName(
        window,
        "Where the results go",
        str(_new_path(_folder_to_begin_in(), proposal or "experiment")),
        _FILTER,
        _FILTER,
        QFileDialog.Option.DontConfirmOverwrite,  # no file is ever written over
    )
    return with_ending(Path(name), SUFFIX) if name else None


def _folder_to_begin_in() -> Path:
    """The usual folder, made if need be: a dialog takes the name of one that is not there for that of a file."""
    folder = Path(usual_folder())
    with suppress(OSError):  # that nothing can be written there is reported when an experiment starts
        folder.mkdir(parents=True, exist_ok=True)
    return next((each for each in (folder, *folder.parents) if each.is_dir()), Path.home())


def _new_path(folder: Path, name: str) -> Path:
    """A name in the folder that no file has."""
    endings = chain([""], (f"-{number}" for number in count(2)))
    paths = (folder / f"{name}{ending}{SUFFIX}" for ending in endings)
    return next(path for path in paths if not path.exists())


def write_results(store_path: Path, kind: str, target: Path, _should_stop: ShouldStop) -> str:
    """Write one of the `KINDS`, and say so; raises `GpvizError` where that fails, and what was there stays."""
    with Store.open(store_path) as store:
        plan = store.plan
        if kind == "ioh":
            write_ioh(store, target)
        elif kind == "runs":
            write_runs_csv(store, target)
        else:
            exact, _ = exact_cells(plan.cells)
            summaries = summarise(plan, store.totals(), exact)
            if kind == "csv":
                text = csv_text(plan, summaries, store.seconds, spreads_of(store))
            elif kind == "json":
                data = cells_data(plan, summaries, store.seconds, spreads_of(store))
                text = json.dumps(data, indent=2) + "\n"
            else:
                text = latex_tables(plan, summaries)
            write_file(target, text.encode("utf-8"))
    return f"Saved {shown_path(target.name)} in {shown_path(target.absolute().parent)}."
