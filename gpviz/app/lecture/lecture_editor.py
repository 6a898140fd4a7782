"""The editor of lectures: captures and changes scenes, with undo, saves and opens lectures, and autosaves."""

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple
from weakref import proxy

from PySide6.QtCore import QEventLoop, Signal, Slot
from PySide6.QtGui import QUndoCommand, QUndoStack
from PySide6.QtWidgets import QMessageBox, QWidget

from gpviz import assets
from gpviz.app.dialogs.file_dialogs import FileDialogs
from gpviz.app.preferences import Preferences
from gpviz.app.run.autosave import AutosaveFile, UnsavedFile, unsaved_files
from gpviz.app.tasks import BackgroundTask
from gpviz.engine import GpvizError
from gpviz.engine.interruption import ShouldStop
from gpviz.experiments.figures.figure_data import check_charts
from gpviz.files.file_io import reading
from gpviz.lecture.lecture import (
    CapturedView,
    Lecture,
    Scene,
    SceneCaption,
    load_lecture,
    moved,
    replaced,
    save_lecture,
    with_runs,
    without_scene,
)
from gpviz.lecture.scene_content import (
    MAX_LABEL_LENGTH,
    ComparedRun,
    SceneComparison,
    SceneContent,
    content_kind,
    content_name,
)
from gpviz.lecture.scene_editing import (
    bounded,
    captured,
    duplicated,
    shortened,
    updated,
    with_content,
    with_content_scene,
)
from gpviz.runs.run_file import RunFile
from gpviz.runs.show_request import ShowRequest

_PREFIX: Final = "lecture-autosave-"
_FILTER: Final = "Lectures of gpviz (*.gpviz);;All files (*)"
_NEW: Final = Lecture(title="Untitled lecture")
_MOST_UNDO: Final = 200
_EDIT_ID: Final = 1


UnsavedLecture = UnsavedFile[Lecture]
"""A lecture that was left behind by a program that crashed."""


def unsaved_lectures(folder: Path) -> list[UnsavedLecture]:
    """The lectures that earlier programs left behind, newest first."""
    return unsaved_files(folder, _PREFIX, _loaded)


def _loaded(path: Path) -> Lecture:
    lecture = load_lecture(path)
    with reading(path):
        check_charts(lecture)
    return lecture


class _State(NamedTuple):
    """A lecture and the index of its chosen scene, -1 for none."""

    lecture: Lecture
    chosen: int


class _Edit(QUndoCommand):
    """A change of the lecture. What is typed into a field (``typed``) without a break is one edit."""

    def __init__(
        self, editor: "LectureEditor", before: _State, after: _State, typed: tuple[object, ...] | None
    ) -> None:
        super().__init__()
        self._editor = proxy(editor)  # which owns the stack of edits
        self._before = before
        self._after = after
        self._typed = typed

    def undo(self) -> None:
        self._editor.end_change()
        self._editor.set_state(*self._before)

    def redo(self) -> None:
        self._editor.set_state(*self._after)

    def id(self) -> int:
        return _EDIT_ID

    def mergeWith(self, other: QUndoCommand) -> bool:  # noqa: N802
        if not isinstance(other, _Edit) or other._typed is None or other._typed != self._typed:
            return False
        self._after = other._after
        return True


class _LectureAutosave(AutosaveFile):
    """Autosaves the lecture of an editor while it has changes that are not saved."""

    def __init__(self, folder: Path, editor: "LectureEditor") -> None:
        super().__init__(folder, _PREFIX, "lecture", editor)
        self._editor = proxy(editor)  # which owns this

    def _mark(self) -> object:
        return self._editor.lecture if self._editor.is_modified else None

    def _writing(self) -> Callable[[], None]:
        return partial(save_lecture, self.path, self._editor.lecture)


class LectureEditor(FileDialogs):
    """Holds the lecture in the making. Every change can be undone, and is autosaved."""

    lecture_changed = Signal()
    rehearsal_asked = Signal(int)
    presentation_asked = Signal()
    run_requested = Signal(object)
    """The run of a scene is to come on show; a `ShowRequest`."""
    opened = Signal()

    def __init__(self, folder: Path, preferences: Preferences, window: QWidget | None = None) -> None:
        super().__init__(preferences, window, "lecture", _FILTER)
        self.lecture = _NEW
        self.index = -1
        """The chosen scene, -1 for none."""
        self.path: Path | None = None
        """Where it is saved; None if it is not, or comes with gpviz."""
        self._saved: Lecture | None = _NEW
        self._document = 0  # the number of the lecture among those edited so far
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(_MOST_UNDO)
        self.undo_stack.indexChanged.connect(self.lecture_changed)
        self._typing = 0  # counts the stretches of typing without a break
        self._released: Lecture | None = None  # what the user has agreed to lose
        self.autosave = _LectureAutosave(folder, self)
        self.autosave.failed.connect(self.problem_met)
        self._writer = BackgroundTask("gpviz lecture writer", self, cancelled_at_end=False)
        self._writer.finished.connect(self._on_written)
        self._writer.failed.connect(self.problem_met)

    @property
    def is_modified(self) -> bool:
        """Whether there are changes that are not saved."""
        return self._saved is None or self.lecture != self._saved

    # --- other lectures ---

    def new(self) -> None:
        """Begin an empty lecture, unless the user would rather keep the current one."""
        if self.may_let_go():
            self._reader.cancel()
            self.adopt(_NEW)

    def open(self, path: Path) -> None:
        """Begin to open a file; the current lecture stays until the other is read."""
        if self.may_let_go():
            self._released = self.lecture
            self.progressed.emit(f"Opening {path.name} (Esc cancels) …")
            self._reader.ask(lambda _: (path, _loaded(path)))

    def adopt(self, lecture: Lecture, path: Path | None = None, *, is_modified: bool = False) -> None:
        """Edit another lecture, without a question; ``path`` is where Save will write it."""
        self._document += 1
        self.path = path
        self._saved = None if is_modified else lecture
        self.set_state(lecture, 0 if lecture.scenes else -1)
        if self.undo_stack.count():
            self.undo_stack.clear()  # which emits lecture_changed
        else:
            self.lecture_changed.emit()
        if not is_modified:
            self.autosave.forget()

    def restore(self, left: UnsavedLecture) -> None:
        """Edit what a crash left behind; its file is deleted once the lecture is autosaved again.

        If the user would rather keep the current lecture, it is offered again at the next start.
        """
        if self.may_let_go():
            self._reader.cancel()
            self.adopt(left.content, is_modified=True)
            self.autosave.take_over(left)
            self.reported.emit(f"The lecture is restored: {len(left.content.scenes):,} scenes.")

    # --- the scenes ---

    @Slot(int)
    def choose(self, index: int) -> None:
        """Another scene is chosen."""
        if 0 <= index < len(self.lecture.scenes):
            self.index = index

    def capture(self, view: CapturedView, *, after: int | None = None) -> bool:
        """Add a scene of this view after another one or at the end; False, with a sentence, if that fails."""
        index = len(self.lecture.scenes) if after is None else after + 1
        report = f"Scene {index + 1} shows iteration {view.iteration:,}."
        return self._do(lambda: captured(self.lecture, index, view), index - 1, index, report=report)

    def update_from_view(self, index: int, view: CapturedView) -> bool:
        """Let a scene show this view; its texts and speed stay, and in the same run its last iteration."""
        return self._do_and_report_lost(lambda: updated(self.lecture, index, view), index)

    def take_bound(self, index: int, view: CapturedView, *, is_last: bool) -> bool:
        """Let a scene open or end at the iteration of this view, which must be of its own run and branch."""
        return self._do_and_report_lost(lambda: bounded(self.lecture, index, view, is_last=is_last), index)

    def change(self, index: int, scene: Scene) -> bool:
        """Replace a scene. Changes of the same fields until `end_change` are undone in one go."""
        before = self.lecture.scenes[index]
        names = tuple(
            each.name for each in fields(Scene) if getattr(before, each.name) != getattr(scene, each.name)
        )
        return self._do(lambda: replaced(self.lecture, index, scene), index, index, (index, *names))

    def rename(self, title: str) -> bool:
        """Give the lecture another title."""
        return self._do(lambda: replace(self.lecture, title=title), self.index, self.index, ("title",))

    @Slot()
    def end_change(self) -> None:
        """What is typed next is undone by itself."""
        self._typing += 1

    def duplicate(self, index: int) -> bool:
        """Add a copy of a scene behind it."""
        return self._do(lambda: duplicated(self.lecture, index), index, index + 1)

    def remove(self, index: int) -> bool:
        """Remove a scene."""
        title = self.lecture.scenes[index].title
        after = min(index, len(self.lecture.scenes) - 2)
        report = f"The scene “{title}” is removed; Undo brings it back."
        return self._do(lambda: without_scene(self.lecture, index), index, after, report=report)

    def move(self, index: int, to: int) -> bool:
        """Give a scene another index."""
        return self._do(lambda: moved(self.lecture, index, to), index, to)

    def add_content(self, content: SceneContent, *, after: int | None = None) -> bool:
        """Add a scene with this content after another one or at the end; False, with a sentence, if that fails."""
        index = len(self.lecture.scenes) if after is None else after + 1
        report = self._added_text(index, content_kind(content))
        title = content_name(content)
        return self._do(
            lambda: with_content_scene(self.lecture, index, title, content), index - 1, index, report=report
        )

    def add_comparison(self, title: str, lanes: Sequence[tuple[str, RunFile, int]]) -> bool:
        """Add a scene at the end that compares these runs: the label, run and branch of each."""
        index = len(self.lecture.scenes)

        def make() -> Lecture:
            lecture, runs = with_runs(self.lecture, [run for _, run, _ in lanes])
            compared = tuple(
                ComparedRun(shortened(label)[:MAX_LABEL_LENGTH], run, branch)
                for (label, _, branch), run in zip(lanes, runs, strict=True)
            )
            return with_content_scene(lecture, index, title, SceneComparison(compared))

        return self._do(make, index - 1, index, report=self._added_text(index, "comparison"))

    def _added_text(self, index: int, kind: str) -> str:
        return f"Scene {index + 1} of “{self.lecture.title}” shows a {kind}."

    def set_content(self, index: int, content: SceneContent | None) -> bool:
        """Let a scene hold this content, or none; its texts stay."""
        return self._do_and_report_lost(lambda: with_content(self.lecture, index, content), index)

    def show_in_window(self, index: int) -> None:
        """Ask for the run of a scene at its first iteration."""
        scene = self.lecture.scenes[index]
        if not self.lecture.runs or (scene.content is not None and not scene.needs_run):
            self.problem_met.emit(f"The scene “{scene.title}” shows no run; Rehearse shows it.")
            return
        run_file = self.lecture.runs[scene.run]
        self.run_requested.emit(ShowRequest(run=run_file, branch=scene.branch, iteration=scene.first))

    # --- files ---

    def save(self) -> bool:
        """Save the lecture to its file, or ask for one; False if the user cancels."""
        return self._save_to(self.path) if self.path else self.ask_and_save()

    def ask_and_save(self) -> bool:
        """Let the user choose where to save."""
        proposal = self.path or Path(self._folder()) / f"{_file_name(self.lecture.title)}.gpviz"
        path = self._choose_to_save(proposal)
        if path is None:
            return False
        if _is_shipped(path):
            self.problem_met.emit(
                f"{path.name} comes with gpviz and cannot be changed; save the lecture elsewhere."
            )
            return False
        return self._save_to(path)

    def may_let_go(self) -> bool:
        """Whether the lecture may be lost; the user is asked if it has unsaved changes."""
        self.settle()
        if not self.is_modified:
            return True
        with self._asking():
            answer = self._answer_about_saving(
                f"The lecture “{self.lecture.title}” is not saved.",
                "If you do not save it, your changes are lost.",
            )
            if answer == QMessageBox.StandardButton.Save:
                is_asked = self.save()
                self.settle()
                return is_asked and not self.is_modified
        if answer != QMessageBox.StandardButton.Discard:
            return False
        self._released = self.lecture
        return True

    def settle(self) -> None:
        """Wait until what is being written is; the window is painted meanwhile, but takes no input."""
        while self._writer.is_busy:
            loop = QEventLoop()
            self._writer.finished.connect(loop.quit)
            self._writer.failed.connect(loop.quit)
            loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)

    def keep(self) -> None:
        """Autosave at once, as the program ends; what is not saved is offered at the next start."""
        if self.is_modified:
            self.autosave.keep()

    def close(self) -> None:
        """End what is done in the background. Whether the lecture may be lost is asked before, by `may_let_go`."""
        self._reader.close()
        self.settle()
        self._writer.close()
        self.autosave.close()

    # --- what happens ---

    def _do(
        self,
        make: Callable[[], Lecture],
        before: int,
        after: int,
        typed: tuple[object, ...] | None = None,
        *,
        report: str = "",
    ) -> bool:
        """Change the lecture to what ``make`` returns, and report it; if that fails, say why and return False.

        ``before`` and ``after`` are the chosen scenes, ``typed`` is the field that the user is typing into.
        """
        try:
            lecture = make()
        except GpvizError as problem:
            self.problem_met.emit(str(problem))
            return False
        if lecture != self.lecture:
            states = _State(self.lecture, before), _State(lecture, after)
            in_one_go = None if typed is None else (self._typing, *typed)
            self.undo_stack.push(_Edit(self, *states, in_one_go))
        if report:
            self.reported.emit(report)
        return True

    def _do_and_report_lost(self, make: Callable[[], Lecture], index: int) -> bool:
        """Change the range of a scene, and say which of its captions are lost."""
        before = self.lecture.scenes[index].captions
        is_done = self._do(make, index, index)
        if is_done:
            after = self.lecture.scenes[index].captions
            lost = [caption for caption in before if caption not in after]
            if lost:
                self.reported.emit(_lost_text(lost))
        return is_done

    def set_state(self, lecture: Lecture, index: int) -> None:
        """Show this lecture without adding an edit."""
        self.lecture, self.index = lecture, index

    def _save_to(self, path: Path) -> bool:
        self.settle()
        lecture, document = self.lecture, self._document

        def write(_: ShouldStop) -> tuple[Path, Lecture, int]:
            save_lecture(path, lecture)
            return path, lecture, document

        self._writer.ask(write)
        return True

    @Slot(object)
    def _on_written(self, written: tuple[Path, Lecture, int]) -> None:
        path, lecture, document = written
        if document == self._document:
            self.path, self._saved = path, lecture
            if not self.is_modified:
                self.autosave.forget()
            self.lecture_changed.emit()
        self._remember(path)
        self.reported.emit(f"The lecture is saved as {path.name}.")

    @Slot(object)
    def _deliver(self, read: tuple[Path, Lecture]) -> None:
        if self._holds_back(read):
            return
        path, lecture = read
        if self.lecture is not self._released and not self.may_let_go():
            self.reported.emit("")
            return
        is_shipped = _is_shipped(path)
        self.adopt(lecture, None if is_shipped else path)
        if not is_shipped:
            self._remember(path)
        self.reported.emit(f"{lecture.title} is open: {len(lecture.scenes):,} scenes.")
        self.opened.emit()


def _lost_text(captions: list[SceneCaption]) -> str:
    iterations = ", ".join(f"{caption.iteration:,}" for caption in captions)
    return f"Captions outside the scene are gone (iteration {iterations}); Undo brings them back."


def _is_shipped(path: Path) -> bool:
    """Whether the file comes with gpviz; such a file is never written."""
    try:
        return path.resolve().parent == assets.folder("lectures").resolve()
    except (GpvizError, OSError):  # no lectures are installed
        return False


def _file_name(title: str) -> str:
    """A file name that every system accepts."""
    kept = "".join(each if each.isalnum() else " " for each in title).split()
    return "-".join(kept)[:60].strip("-").lower() or "lecture"
