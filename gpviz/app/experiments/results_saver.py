"""Saves what an experiment came to: tables as CSV, JSON and LaTeX, and all runs for IOHprofiler."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from gpviz.app.tasks import BackgroundTask, ShouldStop
from gpviz.engine.errors import GpvizError
from gpviz.experiments.chunks import RunRow
from gpviz.experiments.iohprofiler import write_ioh
from gpviz.experiments.result_tables import cells_data, csv_text, latex_text, spreads_of, write_runs_csv
from gpviz.experiments.statistics.cell_statistics import summarise
from gpviz.experiments.store import Store
from gpviz.run.file_io import shown_path, write_file

__all__ = ["KINDS", "ResultsSaver", "SavingCancelled", "write_results"]

KINDS: Final = {
    "csv": ("Save the table as CSV", ".csv", "CSV (*.csv)"),
    "json": ("Save the table as JSON", ".json", "JSON (*.json)"),
    "latex": ("Save the table as LaTeX", ".tex", "LaTeX (*.tex)"),
    "runs": ("Save all runs as CSV", "-runs.csv", "CSV (*.csv)"),
    "ioh": ("Save all runs for IOHprofiler: name a new folder", "-ioh", "Folders (*)"),
}
"""By kind, the title of the question, what follows the experiment's name in that of the file, and the filter."""


class SavingCancelled(Exception):  # noqa: N818  # nobody has made a mistake
    """Nobody waits for it any more."""


class _Reader(Store):
    """A store that stops reading when nobody waits for it any more."""

    should_stop: ShouldStop | None = None

    def rows(self, cell: int) -> Iterator[RunRow]:
        for row in super().rows(cell):
            self._go_on()
            yield row

    def paths(self, cell: int) -> Iterator[tuple[int, bytes]]:
        for path in super().paths(cell):
            self._go_on()
            yield path

    def values(self, cell: int, column: str, *, outcome: str | None = None) -> npt.NDArray[np.int64]:
        self._go_on()
        return super().values(cell, column, outcome=outcome)

    def _go_on(self) -> None:
        if self.should_stop is not None and self.should_stop():
            raise SavingCancelled


def write_results(store_path: Path, kind: str, target: Path, should_stop: ShouldStop) -> None:
    """Write one of the `KINDS`; raises `GpvizError` where that fails, and what was there stays."""
    with _Reader.open(store_path) as store:
        store.should_stop = should_stop
        if kind == "ioh":
            write_ioh(store, target)
            return
        if kind == "runs":
            write_runs_csv(store, target)
            return
        plan = store.plan
        summaries = summarise(plan, store.totals())
        if kind == "csv":
            text = csv_text(plan, summaries, store.seconds, spreads_of(store))
        elif kind == "json":
            text = json.dumps(cells_data(plan, summaries, store.seconds, spreads_of(store)), indent=2) + "\n"
        else:
            text = latex_text(plan, summaries)
        write_file(target, text.encode("utf-8"))


class ResultsSaver(QObject):
    """Writes one file at a time, in the background."""

    told = Signal(str)
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = BackgroundTask("gpviz results", self)
        self._background.finished.connect(self._on_finished)
        self._background.failed.connect(self._on_failed)

    @property
    def is_busy(self) -> bool:
        return self._background.is_busy

    def save(self, store_path: Path, kind: str, target: Path) -> None:
        """Begin to write; what is being written waits its turn by being asked for again."""
        if self.is_busy:
            self.failed.emit("Results are being saved; wait until that is done.")
            return
        self.told.emit(f"{shown_path(target.name)} is being written …")

        def work(should_stop: ShouldStop) -> Path:
            write_results(store_path, kind, target, should_stop)
            return target

        self._background.ask(work)

    def ask_and_save(self, store_path: Path, kind: str, window: QWidget) -> None:
        """Let a person say where to."""
        title, ending, filters = KINDS[kind]
        proposal = Path.home() / f"{store_path.stem}{ending}"
        name, _ = QFileDialog.getSaveFileName(window, title, str(proposal), filters)
        if name:
            target, suffix = Path(name), Path(f"name{ending}").suffix
            self.save(store_path, kind, target if target.suffix or not suffix else target.with_suffix(suffix))

    def shut_down(self) -> None:
        """End the thread; what is half written is given up."""
        self._background.close()

    @Slot(object)
    def _on_finished(self, target: Path) -> None:
        self.told.emit(f"{shown_path(target.name)} is written in {shown_path(target.absolute().parent)}.")

    @Slot(object)
    def _on_failed(self, problem: Exception) -> None:
        if not isinstance(problem, GpvizError):
            raise problem
        self.failed.emit(str(problem))
