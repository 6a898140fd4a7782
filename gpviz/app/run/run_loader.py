"""Opening a run file: it is read, checked and replayed in the background, and shown only when all is well."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from gpviz.app.run.branch_controller import RecordedBranch
from gpviz.app.tasks import BackgroundTask
from gpviz.engine.interruption import ShouldStop
from gpviz.runs.branches import Branches
from gpviz.runs.history import History
from gpviz.runs.replay import generalisation_of, replay_all, stuck_since
from gpviz.runs.run_file import Bookmark, RunFile, branches_of, load

_PROGRESS_MS: Final = 100


@dataclass(frozen=True, slots=True)
class LoadedRun:
    """A run that was replayed to its end, with all its branches; the one of ``shown`` was on show."""

    path: Path | None
    bookmarks: tuple[Bookmark, ...]
    branches: Branches
    recorded_branches: Mapping[int, RecordedBranch]
    shown: int

    @property
    def recorded(self) -> RecordedBranch:
        """What is recorded of the branch that was on show."""
        return self.recorded_branches[self.shown]

    @property
    def history(self) -> History:
        """What is recorded of that branch."""
        return self.recorded.history


class RunLoader(QObject):
    """Opens one file at a time; opening another one gives up the first."""

    loaded = Signal(object)
    failed = Signal(str)
    progressed = Signal(int, int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = BackgroundTask("gpviz loader", self)
        self._background.finished.connect(self._on_finished)
        self._background.failed.connect(self._on_failed)
        self._progress = (0, 0)
        self._timer = QTimer(self)
        self._timer.setInterval(_PROGRESS_MS)
        self._timer.timeout.connect(self._on_timer)

    @property
    def is_busy(self) -> bool:
        return self._background.is_busy

    def open(self, run: Path | RunFile) -> None:
        """Begin to open a file, or to replay a run that is in no file of its own."""
        self._progress = (0, 0)
        self._background.ask(lambda should_stop: self._load(run, should_stop))
        self._timer.start()

    def cancel(self) -> None:
        """Give up what is being opened."""
        self._timer.stop()
        self._background.cancel()

    def close(self) -> None:
        self._timer.stop()
        self._background.close()

    def _load(self, run: Path | RunFile, should_stop: ShouldStop) -> LoadedRun:
        """In the background."""
        path = run if isinstance(run, Path) else None
        run_file = load(run) if isinstance(run, Path) else run

        def on_progress(done: int, total: int) -> bool:
            self._progress = (done, total)
            return should_stop()

        recorded_branches = {
            index: RecordedBranch(
                history,
                generalisation_of(search, history, should_stop),
                stuck_since(search, should_stop),
            )
            for index, (search, history) in enumerate(replay_all(run_file, on_progress))
        }
        return LoadedRun(path, run_file.bookmarks, branches_of(run_file), recorded_branches, run_file.shown)

    @Slot()
    def _on_timer(self) -> None:
        if self._progress[1]:
            self.progressed.emit(*self._progress)

    @Slot(object)
    def _on_finished(self, run: LoadedRun) -> None:
        self._timer.stop()
        self.loaded.emit(run)

    @Slot(str)
    def _on_failed(self, problem: str) -> None:
        self._timer.stop()
        self.failed.emit(problem)
