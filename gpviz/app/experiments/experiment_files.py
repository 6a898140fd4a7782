"""Experiment files: reads the one on show while it grows, lists the others, and saves results."""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path
from time import perf_counter
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from gpviz.app.dialogs.file_dialogs import ask_to_open, ask_to_save
from gpviz.app.tasks import BackgroundTask
from gpviz.engine.errors import GpvizError
from gpviz.engine.interruption import ShouldStop, stoppable
from gpviz.experiments.figures.chart_values import ValueReader, ValuesRequest
from gpviz.experiments.iohprofiler import write_ioh
from gpviz.experiments.plan import Plan
from gpviz.experiments.result_tables import cells_data, csv_text, latex_tables, spreads_of, write_runs_csv
from gpviz.experiments.statistics.cell_statistics import CellSummary, Spread, summarise
from gpviz.experiments.statistics.exact_comparison import exact_cells
from gpviz.experiments.store import Store
from gpviz.experiments.store_paths import SUFFIX, recent_stores, stores_folder
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
_MOST_KEPT: Final = 8
_FIRST_S: Final = 0.1
"""How long the first reading may spend on medians, and each on exact values: the table must not wait."""
_LATER_S: Final = 3.0
"""How long each later reading may spend on medians: after every reading the window shows all cells again."""

_READ_MS: Final = 500
_PROGRESS_MS: Final = 100
_PATIENCE: Final = 4
"""Reading takes at most 1 / _PATIENCE of the time: with very many cells it would hold up the window."""


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


@dataclass(frozen=True, slots=True)
class KeptExperiment:
    """An experiment that is kept: enough to offer it."""

    path: Path
    title: str
    done: int
    total: int

    @property
    def is_whole(self) -> bool:
        """Whether all of its runs are done."""
        return self.done >= self.total


def read_experiment(
    path: Path,
    reader: ValueReader,
    should_stop: ShouldStop = lambda: False,
    *,
    is_running: bool = False,
    on_progress: Callable[[int, int], object] | None = None,
) -> ShownExperiment:
    """The experiment in a file; raises `GpvizError` if there is none.

    ``reader`` reads the medians little by little: they need every run, while everything else needs only the
    totals. The median of a cell that is still getting runs is not read, because it would soon change.
    ``on_progress`` is called with the number of cells whose totals have been read, and the number of all
    cells.
    """
    with stoppable(should_stop), Store.open(path) as store:
        plan, totals = store.plan, store.totals(on_progress)
        runs = [total.runs for total in totals]
        lasting = tuple(cell for cell, done in enumerate(runs) if done >= plan.runs or not is_running)
        spreads = reader.read(path, ValuesRequest("spread", "iterations", lasting), runs, should_stop)
        medians = {cell: spread.median for cell, spread in spreads.items() if isinstance(spread, Spread)}
        exact, has_all_exact = exact_cells(plan.cells, most_seconds=_FIRST_S)
        summaries = summarise(plan, totals, exact)
        is_complete = reader.is_complete and has_all_exact
        return ShownExperiment(path, plan, totals, summaries, store.seconds, medians, is_complete)


def kept_experiments(should_stop: ShouldStop) -> list[KeptExperiment]:
    """The last experiments that are kept, newest first; files that cannot be read are left out."""
    found: list[KeptExperiment] = []
    for path in recent_stores()[:_MOST_KEPT]:
        if should_stop():
            break
        with suppress(GpvizError), Store.open(path) as store:  # it is a list of offers, not of complaints
            done = sum(totals.runs for totals in store.totals())
            found.append(
                KeptExperiment(path, store.plan.title or store.plan.name, done, store.plan.total_runs)
            )
    return found


class StoreWatch(QObject):
    """What is on show as it was last read; nothing is on show before the first reading has come."""

    experiment_read = Signal(object, bool)
    """A `ShownExperiment`, and whether it is another experiment, or another plan, than what was on show."""
    failed = Signal(str)
    progressed = Signal(int, int)
    """For an experiment that is not yet on show: how many cells have been read, and how many there are."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._progress = (0, 0)
        self._progress_timer = QTimer(self)
        self._progress_timer.setInterval(_PROGRESS_MS)
        self._progress_timer.timeout.connect(self._on_progress_timer)
        self.path: Path | None = None
        """The file of the experiment on show."""
        self.experiment: ShownExperiment | None = None
        """The experiment on show as it was last read."""
        self.is_behind = False
        """Whether the experiment has ended, and how it ended is still being read."""
        self._asked_at = 0.0
        self._values = ValueReader()
        self._reader = BackgroundTask("gpviz reader", self)
        self._finder = BackgroundTask("gpviz finder", self)
        self.kept_found = self._finder.finished
        """Tells the experiments that are kept, newest first: a list of `KeptExperiment`."""
        self._timer = QTimer(self)
        self._timer.setInterval(_READ_MS)
        self._timer.timeout.connect(self._on_timer)
        self._reader.finished.connect(self._on_read)
        self._reader.failed.connect(self._on_failed)
        self._finder.failed.connect(self._on_failed)

    @property
    def is_opening(self) -> bool:
        """Whether an experiment is being read that is not on show yet."""
        return self._progress_timer.isActive()

    def read(self, path: Path) -> None:
        """Begin to read an experiment, to be put on show."""
        is_running = self._timer.isActive()

        def on_progress(done: int, total: int) -> None:
            self._progress = (done, total)

        def work(should_stop: ShouldStop) -> ShownExperiment:
            return read_experiment(
                path, self._values, should_stop, is_running=is_running, on_progress=on_progress
            )

        is_first = self.experiment is None or self.experiment.path != path
        self._values.enough_s = _FIRST_S if is_first else _LATER_S
        if is_first:
            self._progress = (0, 0)
            self._progress_timer.start()
        self._asked_at = perf_counter()
        self._reader.ask(work)

    @Slot(object)
    def follow(self, path: Path) -> None:
        """The experiment in this file begins to grow: it is read again and again."""
        self.path = path
        self._timer.start(_READ_MS)
        self.read(path)

    def unfollow(self) -> None:
        """It does not grow any more: it is read a last time."""
        self._timer.stop()
        if self.path is not None:
            self.is_behind = True
            self.read(self.path)

    def give_up(self) -> None:
        """Nobody waits for what is being read."""
        self.is_behind = False
        self._progress_timer.stop()
        self._reader.cancel()

    def put_away(self) -> None:
        """Nothing is on show any more."""
        self.give_up()
        self.path = self.experiment = None

    def look_for_kept(self) -> None:
        """Begin to look for the experiments that are kept."""
        self._finder.ask(kept_experiments)

    def shut_down(self) -> None:
        """End every thread."""
        self._timer.stop()
        self._progress_timer.stop()
        self._reader.close()
        self._finder.close()

    @Slot()
    def _on_timer(self) -> None:
        if self.path is not None and not self._reader.is_busy:
            self.read(self.path)

    @Slot()
    def _on_progress_timer(self) -> None:
        self.progressed.emit(*self._progress)

    @Slot(object)
    def _on_read(self, experiment: ShownExperiment) -> None:
        self._progress_timer.stop()
        self._timer.setInterval(max(_READ_MS, int(_PATIENCE * 1000 * (perf_counter() - self._asked_at))))
        self.is_behind = False
        before = self.experiment
        is_new = before is None or (before.path, before.plan) != (experiment.path, experiment.plan)
        self.path, self.experiment = experiment.path, experiment
        if not experiment.is_complete and not self._timer.isActive():
            self.read(experiment.path)  # before anyone hears of it, as they may want another one
        self.experiment_read.emit(experiment, is_new)

    @Slot(str)
    def _on_failed(self, problem: str) -> None:
        self.is_behind = False
        self._progress_timer.stop()
        self.failed.emit(problem)


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

    def save(self, store_path: Path, kind: str, target: Path) -> None:
        """Begin to write; while another file is being written this is refused with a sentence."""
        if self._background.is_busy:
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
