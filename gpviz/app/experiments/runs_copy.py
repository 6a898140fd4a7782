"""Copies runs of the table as text: their rows, their seeds, or what to type to see them in a terminal."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication

from gpviz.app.background import Background
from gpviz.app.experiments.runs_model import RunsModel
from gpviz.app.experiments.runs_reader import read_rows
from gpviz.app.experiments.runs_words import command_line
from gpviz.engine.errors import GpvizError
from gpviz.experiments.store import StoredRun

__all__ = ["MOST_COPIED", "RunCopier"]

MOST_COPIED: Final = 10_000


class RunCopier(QObject):
    """Puts runs on the clipboard; those that are not known yet are read in the background first."""

    failed = Signal(object)

    def __init__(self, model: RunsModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._background = Background("gpviz-run-copy", self)
        self._background.finished.connect(self._on_read)
        self._background.failed.connect(self.failed)

    @property
    def is_busy(self) -> bool:
        """Whether runs are still being read."""
        return self._background.is_busy

    def copy_rows(self, rows: Sequence[range], known: Sequence[StoredRun]) -> None:
        """Copy these rows with the heads above them; ``known`` are the runs in them, as far as they are known."""
        count = sum(map(len, rows))
        if not count or self._model.path is None:
            return
        if count > MOST_COPIED:
            problem = f"Copy: {count:,} rows are chosen; at most {MOST_COPIED:,} are allowed."
            self.failed.emit(GpvizError(problem))
        elif len(known) == count:
            self._on_read(known)
        else:
            self._background.ask(partial(read_rows, self._model.path, self._model.query, rows))

    def copy_seeds(self, runs: Sequence[StoredRun]) -> None:
        """Copy the seeds of runs."""
        _to_clipboard([str(self._model.config_of(run).seed) for run in runs])

    def copy_commands(self, runs: Sequence[StoredRun]) -> None:
        """Copy what to type to see runs in a terminal."""
        _to_clipboard([command_line(self._model.config_of(run), run.row) for run in runs])

    def cancel(self) -> None:
        """Nobody waits for what is being read."""
        self._background.cancel()

    def close(self) -> None:
        """End the thread."""
        self._background.close()

    @Slot(object)
    def _on_read(self, runs: Sequence[StoredRun]) -> None:
        lines = [self._model.heads(), *(self._model.row_texts(run) for run in runs)]
        _to_clipboard(["\t".join(texts) for texts in lines] + [""])


def _to_clipboard(lines: Sequence[str]) -> None:
    if lines:
        QGuiApplication.clipboard().setText("\n".join(lines))
