"""Opens, saves and starts runs without losing what the user made by hand.

A file is read, checked and replayed in the background, and shown only when all is well.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QMessageBox, QWidget

from gpviz.app.dialogs.file_dialogs import FileDialogs
from gpviz.app.player.player import Player
from gpviz.app.preferences import Preferences
from gpviz.app.run.autosave import Orphan
from gpviz.app.run.branch_controller import BranchController, RecordedBranch
from gpviz.app.run.run_document import Document
from gpviz.app.tasks import Working
from gpviz.engine import GpvizError, RunConfig, parse
from gpviz.engine.mutation_script import check_script
from gpviz.lecture.lecture import is_lecture_file
from gpviz.runs.branches import Branches
from gpviz.runs.replay import generalisation_of, replay_all, stuck_since
from gpviz.runs.run_file import Bookmark, RunFile, branches_of, load
from gpviz.runs.show_request import ShowRequest


@dataclass(frozen=True, slots=True)
class LoadedRun:
    """A run that was replayed to its end, with all its branches; the one of ``shown`` was on show."""

    path: Path | None
    bookmarks: tuple[Bookmark, ...]
    branches: Branches
    recorded_branches: Mapping[int, RecordedBranch]
    shown: int


def load_run(run: Path | RunFile, working: Working) -> LoadedRun:
    """Read a file, or take a run that is in no file of its own, and replay it."""
    path = run if isinstance(run, Path) else None
    run_file = load(run) if isinstance(run, Path) else run

    def on_progress(done: int, total: int) -> bool:
        working.report((done, total))
        return working()

    recorded_branches = {
        index: RecordedBranch(
            history, generalisation_of(search, history, working), stuck_since(search, working)
        )
        for index, (search, history) in enumerate(replay_all(run_file, on_progress))
    }
    return LoadedRun(path, run_file.bookmarks, branches_of(run_file), recorded_branches, run_file.shown)


_FILTER: Final = "Runs, lectures and experiments of gpviz (*.gpviz *.gpvizx);;All files (*)"


class FileController(FileDialogs):
    """Puts runs on show: new ones, and those in files."""

    run_shown = Signal(object)
    """The run that this `ShowRequest` asked for has come on show."""
    restored = Signal(object)
    """What is on show now is this `Orphan`."""
    lecture_met = Signal(object)
    """The file at this path is no run but a lecture."""
    experiment_met = Signal(object)
    """The file at this path is no run but an experiment."""

    def __init__(
        self,
        player: Player,
        branch_controller: BranchController,
        document: Document,
        preferences: Preferences,
        window: QWidget,
    ) -> None:
        super().__init__(preferences, window, "run", _FILTER)
        self._player = player
        self._branch_controller = branch_controller
        self._document = document
        self._released: object = None  # what a person has said may go
        self._reader.progressed.connect(self._on_progressed)

    @Slot(object)
    def show_run(self, request: ShowRequest) -> bool:
        """Put a run on show, or begin to open it; False if a person would rather keep the one there is."""
        if not isinstance(request.run, RunConfig):
            return self._begin_to_open(request.run, request)
        branch = self._branch_controller.branch_asked_for(request)
        if branch is not None:
            self.cancel()
            self._branch_controller.switch_to(branch)
        elif request.branch:
            self.problem_met.emit("The branch is no longer open; open its run again to continue it.")
            return False
        elif not self._start_run(request.run, request):
            return False
        if request.iteration is not None:
            self._player.run_to(request.iteration)
        self.run_shown.emit(request)
        return True

    def open(self, path: Path, *, plays: bool = False) -> None:
        """Begin to open a file, whatever is in it; the run on show stays until the other is ready."""
        from gpviz.experiments.store_file import is_store
        from gpviz.experiments.store_paths import SUFFIX  # the database is not loaded before a file is opened

        if path.suffix.lower() == SUFFIX or is_store(path):
            self.experiment_met.emit(path)
        elif is_lecture_file(path):
            self.lecture_met.emit(path)
        else:
            self.show_run(ShowRequest(run=path, plays=plays))

    def restore(self, orphan: Orphan) -> None:
        """Begin to open what was left behind by a crash: a run nobody has saved."""
        self._begin_to_open(orphan.path, ShowRequest(run=orphan.path), orphan)

    def save(self) -> bool:
        """Save the run where it is saved already, or ask where."""
        return self._save_to(self._document.path) if self._document.path else self.ask_and_save()

    def ask_and_save(self) -> bool:
        """Let a person choose where to save; existing files are asked about."""
        config = self._player.run.config
        name = f"n{config.n}-seed{config.seed}.gpviz" if config.seed < 10**12 else f"n{config.n}.gpviz"
        proposal = self._document.path or Path(self._folder()) / name
        path = self._choose_to_save(proposal)
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

    def _start_run(self, config: RunConfig, request: ShowRequest) -> bool:
        try:
            tree = parse(request.start, config.n) if request.start else None
        except GpvizError as problem:
            self.problem_met.emit(f"start: {problem}")
            return False
        try:
            check_script(request.script, config)
        except GpvizError as problem:
            self.problem_met.emit(str(problem))
            return False
        if not self.may_let_go():
            return False
        self.cancel()
        self._document.start_anew(title=request.title, explanation=request.explanation)
        self._player.start_run(config, tree, request.script)
        if request.speed is not None:
            self._player.set_speed(request.speed)
        return True

    def _begin_to_open(self, run: Path | RunFile, request: ShowRequest, orphan: Orphan | None = None) -> bool:
        if not self.may_let_go():
            return False
        self._released = self._made_by_hand()
        self.progressed.emit(f"Opening {run.name if isinstance(run, Path) else 'the run'} …")
        self._reader.ask(lambda working: (load_run(run, working), request, orphan))
        return True

    def _made_by_hand(self) -> object:
        return self._document.bookmarks, self._document.branches

    def close(self) -> None:
        self._reader.close()

    @Slot(object)
    def _deliver(self, read: tuple[LoadedRun, ShowRequest, Orphan | None]) -> None:
        if self._holds_back(read):
            return
        if self._made_by_hand() != self._released and not self.may_let_go():
            self.reported.emit("")
            return
        run, request, orphan = read
        shown = run.shown if request.branch is None else request.branch
        self._branch_controller.adopt(run.branches, run.recorded_branches, shown)
        if request.iteration is not None:
            self._player.go_to(request.iteration)
        self._document.start_anew(
            None if orphan else run.path,
            run.bookmarks,
            is_modified=orphan is not None,
            title=request.title,
            explanation=request.explanation,
        )
        if orphan is not None:
            what = "The run is restored"
        elif run.path is not None:
            self._remember(run.path)
            what = f"{run.path.name} is open"
        else:
            what = "The run is open"
        self.reported.emit(f"{what}: {len(run.recorded_branches[run.shown].history):,} iterations.")
        self.run_shown.emit(request)
        if orphan is not None:
            self.restored.emit(orphan)
        if request.plays:
            self._player.go_first()
            self._player.play()

    @Slot(object)
    def _on_progressed(self, progress: tuple[int, int]) -> None:
        done, total = progress
        self.progressed.emit(f"Replaying: {done:,} of {total:,} iterations (Esc cancels) …")

    def _save_to(self, path: Path) -> bool:
        try:
            self._document.save_as(path, self._branch_controller.describe(self._document.bookmarks))
        except GpvizError as problem:
            self.problem_met.emit(str(problem))
            return False
        self._remember(path)
        self.reported.emit(f"The run is saved as {path.name}.")
        return True
