"""Exports the run on show: asks what is wanted, paints pictures at once, and starts the rest in the background."""

import json
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication, QImage
from PySide6.QtWidgets import (
    QProgressBar,
    QSizePolicy,
    QWidget,
)

from gpviz.app.dialogs.message_dialogs import bring_up
from gpviz.app.export.dialog import ExportDialog
from gpviz.app.export.jobs import ExportJob
from gpviz.app.preferences import Preferences
from gpviz.app.tasks import BackgroundTask
from gpviz.app.timers import single_shot
from gpviz.app.widgets.fields import PlainLabel, small_button
from gpviz.app.widgets.layouts import row_in
from gpviz.engine.errors import GpvizError
from gpviz.engine.interruption import ShouldStop
from gpviz.escaping import tooltip_text
from gpviz.export.registry import kind_named, write
from gpviz.export.request import LABELS, ExportRequest, Subject, check_request, ending_of
from gpviz.files.file_io import replacing, shown_path
from gpviz.runs.history import History
from gpviz.runs.run_file import RunFile

_BAR_LETTERS: Final = 16
_RESULT_MS: Final = 30_000
_PREFERENCE: Final = "export"


class ExportBar(QWidget):
    """The progress of exports in the status bar, with a way to cancel and a way to the result.

    It is hidden unless something is being written, or was written just now.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = PlainLabel()
        self.progress = QProgressBar()
        self.progress.setAccessibleName("Progress of the export")
        self.progress.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.cancel_button = small_button("Cancel", "Cancel this export; no file is left behind.")
        self.folder_button = small_button("Open folder", "Open the folder of the file.")
        self.dismiss_button = small_button("×", "Close this message.", "Dismiss")
        buttons = self.cancel_button, self.folder_button, self.dismiss_button
        for button in buttons:
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        row_in(self, self.label, self.progress, *buttons, spacing=8)
        self.dismiss_button.clicked.connect(self.clear)
        self._timer = single_shot(self, self.clear, _RESULT_MS)
        self.clear()

    def show_progress(self, text: str, done: int, total: int, waiting: int) -> None:
        """Show how far an export is (unknown if the total is 0), and how many others are waiting."""
        self._timer.stop()
        self.progress.setRange(0, total)
        self.progress.setValue(min(done, total))
        self._show(text, waiting, is_running=True)

    def show_result(self, text: str) -> None:
        """Show for a while what was written, with a button for its folder."""
        self._show(text, 0, is_running=False)
        self._timer.start()

    @Slot()
    def clear(self) -> None:
        """Hide it."""
        self._timer.stop()
        self.hide()

    def _show(self, text: str, waiting: int, *, is_running: bool) -> None:
        self.label.setText(f"{text} ({waiting} more waiting)" if waiting else text)
        self.label.setToolTip(tooltip_text(text))
        self.progress.setVisible(is_running)
        self.progress.setFixedWidth(_BAR_LETTERS * self.fontMetrics().averageCharWidth())
        self.cancel_button.setVisible(is_running)
        self.folder_button.setVisible(not is_running)
        self.dismiss_button.setVisible(not is_running)
        self.show()


class ExportController(QObject):
    """Exports the run on show. Long exports run one after the other, each in its own process."""

    reported = Signal(str)
    """A message for the status bar."""
    problem_met = Signal(str)

    def __init__(
        self,
        window: QWidget,
        describe: Callable[[], RunFile],
        subject: Callable[[], Subject],
        cursor: Callable[[], int],
        preferences: Preferences,
        *,
        title: Callable[[], str] = lambda: "",
    ) -> None:
        """The run on show is asked for by calls, because it can be another one each time."""
        super().__init__(window)
        self._window = window
        self._describe = describe
        self._subject = subject
        self._cursor = cursor
        self._preferences = preferences
        self._title = title
        self._waiting: deque[ExportJob] = deque()
        self._running: ExportJob | None = None
        self._pictures: list[BackgroundTask] = []
        self._last_folder = Path()
        self.dialog: ExportDialog | None = None
        self.bar = ExportBar(window)
        self.bar.cancel_button.clicked.connect(self.cancel)
        self.bar.folder_button.clicked.connect(self.open_folder)

    @property
    def is_busy(self) -> bool:
        """Whether something is still to be written."""
        return bool(self._waiting or self._pictures or self._running is not None)

    # --- asking ---

    @Slot()
    @Slot(str)
    def ask(self, kind: str = "") -> None:
        """Open the dialog with the kind of this name, or that of the last time."""
        if self.dialog is not None:
            bring_up(self.dialog)
            return
        history = self._subject().history
        dialog = ExportDialog(
            history,
            self._cursor(),
            self._choices(),
            self._window,
            kind=kind_named(kind) if kind else None,
            name=_name_of(history),
            title=self._title(),
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(self._on_accepted)
        dialog.finished.connect(self._on_dialog_finished)
        self.dialog = dialog
        dialog.open()

    # --- doing ---

    def export(self, request: ExportRequest) -> None:
        """Write the file, which may be there already: a picture at once, anything else in its turn."""
        try:
            subject = self._subject()
            check_request(request, len(subject.history), LABELS)
            if request.format.is_quick(request, subject):
                self._write_now(request, subject)
                return
            job = ExportJob(request, self._describe(), self)
        except GpvizError as problem:
            self.problem_met.emit(str(problem))
            return
        job.progressed.connect(self._on_progressed)
        job.ended.connect(self._on_ended)
        self._waiting.append(job)
        self._go_on()

    def _write_now(self, request: ExportRequest, subject: Subject) -> None:
        """Write what is quick as it is now; pixels are packed into their file in the background."""
        QGuiApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
        try:
            if not request.kind.picture or ending_of(request.path) != "png":
                write(request, subject)
                self._report_written(request.path)
                return
            picture = _painted(request, subject)
        finally:
            QGuiApplication.restoreOverrideCursor()
        task = BackgroundTask("gpviz picture", self)
        for ended in (task.finished, task.failed):
            ended.connect(self._drop_finished_tasks)
        task.finished.connect(self._report_written)
        task.failed.connect(self.problem_met)
        self._pictures.append(task)
        task.ask(partial(_pack, picture, request.path))

    @Slot()
    def cancel(self) -> None:
        """Give up the export that is being written; those that wait for it come next."""
        if self._running is not None:
            self._running.cancel()

    def close(self) -> None:
        """End everything at once; nothing half-written is left behind."""
        if self.dialog is not None:
            self.dialog.reject()
        self._waiting.clear()
        while self._pictures:
            self._pictures.pop().close()
        if self._running is not None:
            self._running.close()
            self._running = None
        self.bar.clear()

    @Slot()
    def open_folder(self) -> None:
        """Show the folder of the file that was written last."""
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._last_folder)))

    def _go_on(self) -> None:
        """Begin the next export if none is being written."""
        if self._running is None and self._waiting:
            self._running = self._waiting.popleft()
            self._running.start()
            self.bar.show_progress(f"{self._running.name}: starting", 0, 0, len(self._waiting))

    @Slot(str, int, int)
    def _on_progressed(self, phase: str, done: int, total: int) -> None:
        if self._running is not None:
            doing = "replaying the run" if phase == "replay" else "writing"
            text = f"{self._running.name}: {doing}"
            self.bar.show_progress(text, done, total, len(self._waiting))

    @Slot(str)
    def _on_ended(self, problem: str) -> None:
        """Start the next export, and say how this one ended."""
        job, self._running = self._running, None
        assert job is not None
        job.deleteLater()
        self.bar.clear()
        self._go_on()
        if problem:
            self.problem_met.emit(problem)
        elif job.is_cancelled:
            self.reported.emit(f"The export of {job.name} was cancelled; nothing was written.")
        else:
            self._report_written(job.request.path)

    @Slot()
    def _drop_finished_tasks(self) -> None:
        for task in [task for task in self._pictures if not task.is_busy]:
            self._pictures.remove(task)
            task.close()
            task.deleteLater()

    @Slot(object)
    def _report_written(self, path: Path) -> None:
        self._last_folder = path.absolute().parent
        if self._running is None:
            self.bar.show_result(shown_path(path.name))  # the message beside it says that it is written
        self.reported.emit(f"{shown_path(path)} is written.")

    @Slot()
    def _on_accepted(self) -> None:
        if self.dialog is not None:
            self._remember(self.dialog.choices())
            self.export(self.dialog.request())

    @Slot()
    def _on_dialog_finished(self) -> None:
        self.dialog = None

    def _choices(self) -> dict[str, str]:
        """What was chosen the last time; what cannot be read is left out."""
        try:
            data = json.loads(self._preferences.text(_PREFERENCE, "{}"))
        except ValueError:
            return {}
        if not isinstance(data, dict):
            return {}
        return {name: value for name, value in data.items() if isinstance(value, str)}

    def _remember(self, choices: dict[str, str]) -> None:
        self._preferences.set_text(_PREFERENCE, json.dumps(choices))


def _painted(request: ExportRequest, subject: Subject) -> QImage:
    from gpviz.app.export.pictures import picture_of  # and with it everything that can be on one

    return picture_of(request, subject)


def _pack(picture: QImage, path: Path, _should_stop: ShouldStop) -> Path:
    """Write a picture as PNG, which takes ten times as long as painting it; returns the path."""
    picture.setText("Software", "gpviz")
    with replacing(path) as draft:
        if not picture.save(str(draft), "PNG"):  # type: ignore[call-overload]  # PySide takes a text
            draft.open("ab").close()  # raises the reason, if the system knows it
            raise OSError("the disk may be full")
    return path


def _name_of(history: History) -> str:
    config = history.config
    return f"n{config.n}-seed{config.seed}" if config.seed < 10**12 else f"n{config.n}"
