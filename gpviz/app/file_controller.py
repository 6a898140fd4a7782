"""Opens, saves and starts runs without losing what a person made by hand."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QMessageBox, QWidget

from gpviz.app.autosave import Orphan
from gpviz.app.branch_controller import BranchController
from gpviz.app.document import Document
from gpviz.app.file_dialogs import FileDialogs
from gpviz.app.run_controller import RunController
from gpviz.app.run_loader import LoadedRun, RunLoader
from gpviz.app.settings import Settings
from gpviz.engine import GpvizError, Node, RunConfig
from gpviz.run.lecture import is_lecture_file
from gpviz.run.run_description import RunFile

__all__ = ["FileController"]

_FILTER: Final = "Runs, lectures and experiments of gpviz (*.gpviz *.gpvizx);;All files (*)"


@dataclass(frozen=True, slots=True)
class _Request:
    """What is to happen with the run that is being opened."""

    plays: bool = False
    orphan: Orphan | None = None
    shown: int | None = None
    cursor: int | None = None


class FileController(FileDialogs):
    """Puts runs on show: new ones, and those in files."""

    opened = Signal(object)
    lecture_met = Signal(object)
    """The file at this path is no run but a lecture."""
    experiment_met = Signal(object)
    """The file at this path is no run but an experiment."""
    progressed = Signal(str)
    problem_met = Signal(str)
    told = Signal(str)

    def __init__(
        self,
        controller: RunController,
        branch_controller: BranchController,
        document: Document,
        settings: Settings,
        window: QWidget,
    ) -> None:
        super().__init__(settings, window, "run")
        self._controller = controller
        self._branch_desk = branch_controller
        self._document = document
        self._request: _Request | None = None
        self._released: object = None  # what a person has said may go
        self.loader = RunLoader(self)
        self.loader.loaded.connect(self._on_loaded)
        self.loader.failed.connect(self._on_failed)
        self.loader.progressed.connect(self._on_progressed)

    def start_run(self, config: RunConfig, start: Node | None) -> bool:
        """Put a new run on show; False if a person would rather keep the one there is."""
        if not self.may_let_go():
            return False
        self.cancel()
        self._document.start_anew()
        self._controller.start_run(config, start)
        return True

    def open(self, path: Path, *, plays: bool = False, orphan: Orphan | None = None) -> None:
        """Begin to open a file; the run on show stays until the other is ready.

        What was left behind by a crash (``orphan``) is a run nobody has saved.
        """
        from gpviz.experiments.store import is_store
        from gpviz.experiments.store_paths import SUFFIX  # the database is not loaded before a file is opened

        if orphan is None and (path.suffix.lower() == SUFFIX or is_store(path)):
            self.experiment_met.emit(path)
            return
        if orphan is None and is_lecture_file(path):
            self.lecture_met.emit(path)
        elif self.may_let_go():
            self._released = self._made_by_hand()
            self._request = _Request(plays, orphan)
            self.progressed.emit(f"Opening {path.name} …")
            self.loader.open(path)

    def open_run(self, run_file: RunFile, branch: int, iteration: int) -> None:
        """Begin to put a run on show that is in no file of its own, at this iteration of this branch."""
        if self.may_let_go():
            self._released = self._made_by_hand()
            self._request = _Request(shown=branch, cursor=iteration)
            self.progressed.emit("Opening the run …")
            self.loader.open_run(run_file)

    def cancel(self) -> bool:
        """Give up what is being opened; False if nothing is."""
        if not self.loader.is_busy and self._held is None:
            return False
        self.loader.cancel()
        self._held = self._request = None
        self.told.emit("")
        return True

    def ask_and_open(self) -> None:
        """Let a person choose the file."""
        path = self._choose_to_open(_FILTER)
        if path is not None:
            self.open(path)

    def save(self) -> bool:
        """Save the run where it is saved already, or ask where."""
        return self._save_to(self._document.path) if self._document.path else self.ask_and_save()

    def ask_and_save(self) -> bool:
        """Let a person choose where to save; existing files are asked about."""
        config = self._controller.config
        name = f"n{config.n}-seed{config.seed}.gpviz" if config.seed < 10**12 else f"n{config.n}.gpviz"
        proposal = self._document.path or Path(self._folder()) / name
        path = self._choose_to_save(proposal, _FILTER)
        return path is not None and self._save_to(path)

    def may_let_go(self) -> bool:
        """Whether the run on show may go: ask if it has bookmarks or branches that are not saved."""
        if not self._document.would_lose_something:
            return True
        made = {"bookmarks": bool(self._document.bookmarks), "branches": self._document.has_branches}
        what = " and ".join(name for name, is_there in made.items() if is_there)
        with self._asking():
            answer = self._answer_about_saving(
                f"The {what} of this run are not saved.", "If you do not save them they are lost."
            )
            if answer == QMessageBox.StandardButton.Save:
                return self.save()
        if answer != QMessageBox.StandardButton.Discard:
            return False
        self._released = self._made_by_hand()  # once is enough
        return True

    def _made_by_hand(self) -> object:
        return self._document.bookmarks, self._document.branches

    def close(self) -> None:
        self.loader.close()

    @Slot(object)
    def _on_loaded(self, run: LoadedRun) -> None:
        if self._holds_back(run):
            return
        request, self._request = self._request, None
        is_changed = self._made_by_hand() != self._released
        if request is None or (is_changed and not self.may_let_go()):
            self.told.emit("")
            return
        shown = run.shown if request.shown is None else request.shown
        self._branch_desk.adopt(run.branches, run.stands, shown)
        if request.cursor is not None:
            self._controller.go_to(request.cursor)
        self._document.start_anew(
            None if request.orphan else run.path, run.bookmarks, is_modified=request.orphan is not None
        )
        if request.orphan is not None:
            self.told.emit(f"The run is restored: {len(run.history):,} iterations.")
        elif run.path is not None:
            self._remember(run.path)
            self.told.emit(f"{run.path.name} is open: {len(run.history):,} iterations.")
        else:
            self.told.emit(f"The run is open: {len(run.history):,} iterations.")
        self.opened.emit(request.orphan)
        if request.plays:
            self._controller.go_first()
            self._controller.play()

    def _deliver(self, read: LoadedRun) -> None:
        self._on_loaded(read)

    @Slot(str)
    def _on_failed(self, problem: str) -> None:
        self._request = None
        self.told.emit("")
        self.problem_met.emit(problem)

    @Slot(int, int)
    def _on_progressed(self, done: int, total: int) -> None:
        self.progressed.emit(f"Replaying: {done:,} of {total:,} iterations (Esc cancels) …")

    def _save_to(self, path: Path) -> bool:
        try:
            self._document.save_as(path, self._branch_desk.describe(self._document.bookmarks))
        except GpvizError as problem:
            self.problem_met.emit(str(problem))
            return False
        self._remember(path)
        self.told.emit(f"The run is saved as {path.name}.")
        return True
