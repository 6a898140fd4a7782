"""The files of the experiments window: plans and stores are opened and saved, results are written."""

import json
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from gpviz.app.dialogs.file_dialogs import ask_to_open, ask_to_save
from gpviz.app.tasks import BackgroundTask
from gpviz.engine.errors import GpvizError
from gpviz.engine.interruption import ShouldStop, stoppable
from gpviz.experiments.iohprofiler import write_ioh
from gpviz.experiments.plan import Plan, shipped_plans
from gpviz.experiments.result_tables import cells_data, csv_text, latex_tables, spreads_of, write_runs_csv
from gpviz.experiments.statistics.cell_statistics import summarise
from gpviz.experiments.statistics.exact_comparison import exact_cells
from gpviz.experiments.store import Store
from gpviz.experiments.store_paths import SUFFIX, stores_folder
from gpviz.files.file_io import shown_path, with_ending, write_file

_FILTER: Final = f"Experiments (*{SUFFIX})"
_MOST_ALIKE: Final = 1_000


KINDS: Final = {
    "csv": ("Save the table as CSV", ".csv", "CSV (*.csv)"),
    "json": ("Save the table as JSON", ".json", "JSON (*.json)"),
    "latex": ("Save the table as LaTeX", ".tex", "LaTeX (*.tex)"),
    "runs": ("Save all runs as CSV", "-runs.csv", "CSV (*.csv)"),
    "ioh": ("Save all runs for IOHprofiler: name a new folder", "-ioh", "Folders (*)"),
}
"""By kind, the title of the question, what follows the experiment's name in that of the file, and the filter."""


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
    endings = ("", *(f"-{number}" for number in range(2, _MOST_ALIKE)))
    paths = (folder / f"{name}{ending}{SUFFIX}" for ending in endings)
    return next((path for path in paths if not path.exists()), folder / f"{name}{SUFFIX}")


@cache
def offered_plans() -> tuple[Plan, ...]:
    """The plans that come with gpviz, read once."""
    return shipped_plans()


def write_results(store_path: Path, kind: str, target: Path, should_stop: ShouldStop) -> None:
    """Write one of the `KINDS`; raises `GpvizError` where that fails, and what was there stays.

    Raises `Stopped` where nobody waits for it any more.
    """
    with stoppable(should_stop), Store.open(store_path) as store:
        if kind == "ioh":
            write_ioh(store, target)
            return
        if kind == "runs":
            write_runs_csv(store, target)
            return
        plan = store.plan
        exact, _ = exact_cells(plan.cells)
        summaries = summarise(plan, store.totals(), exact)
        if kind == "csv":
            text = csv_text(plan, summaries, store.seconds, spreads_of(store))
        elif kind == "json":
            text = json.dumps(cells_data(plan, summaries, store.seconds, spreads_of(store)), indent=2) + "\n"
        else:
            text = latex_tables(plan, summaries)
        write_file(target, text.encode("utf-8"))


class ResultsSaver(QObject):
    """Writes one file at a time, in the background."""

    reported = Signal(str)
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = BackgroundTask("gpviz results", self)
        self._background.finished.connect(self._on_finished)
        self._background.failed.connect(self.failed)

    @property
    def is_busy(self) -> bool:
        return self._background.is_busy

    def save(self, store_path: Path, kind: str, target: Path) -> None:
        """Begin to write; what is being written waits its turn by being asked for again."""
        if self.is_busy:
            self.failed.emit("Results are still being saved; try again when that is done.")
            return
        self.reported.emit(f"Writing {shown_path(target.name)} …")

        def work(should_stop: ShouldStop) -> Path:
            write_results(store_path, kind, target, should_stop)
            return target

        self._background.ask(work)

    def ask_and_save(self, store_path: Path, kind: str, window: QWidget) -> None:
        """Let a person say where to."""
        title, ending, filters = KINDS[kind]
        proposal = Path.home() / f"{store_path.stem}{ending}"
        path = ask_to_save(window, title, proposal, {Path(f"name{ending}").suffix: filters})
        if path is not None:
            self.save(store_path, kind, path)

    def shut_down(self) -> None:
        """End the thread; what is half written is given up."""
        self._background.close()

    @Slot(object)
    def _on_finished(self, target: Path) -> None:
        self.reported.emit(f"Saved {shown_path(target.name)} in {shown_path(target.absolute().parent)}.")
