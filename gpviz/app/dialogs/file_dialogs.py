"""Asks about files: which to open, where to save, and what may be replaced."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from gpviz.app.dialogs.message_dialogs import ask_about_saving, says_yes
from gpviz.app.preferences import Preferences
from gpviz.app.tasks import BackgroundTask
from gpviz.files.file_io import shown_path, with_ending

_SUFFIX: Final = ".gpviz"


def ask_to_open(window: QWidget | None, title: str, folder: str, filters: str) -> Path | None:
    """The file that a person chooses; None if none."""
    name, _ = QFileDialog.getOpenFileName(window, title, folder, filters)
    return Path(name) if name else None


def ask_to_save(
    window: QWidget | None, title: str, proposal: Path, filters: Mapping[str, str]
) -> Path | None:
    """Where a person wants a file; None for nowhere. ``filters`` has the endings with what the dialog says.

    A name without an ending gets that of the chosen filter. Replacing an existing file is confirmed.
    """
    name, chosen = QFileDialog.getSaveFileName(window, title, str(proposal), ";;".join(filters.values()))
    if not name:
        return None
    ending = next((each for each, text in filters.items() if text == chosen), next(iter(filters)))
    path = with_ending(Path(name), ending)
    # The dialog has asked about the file as it was typed, without an ending.
    return path if path == Path(name) or may_replace(window, path) else None


def may_replace(window: QWidget | None, path: Path) -> bool:
    """Ask about a file that exists."""
    question = f"{shown_path(path.name)} already exists. Replace it?"
    return not path.exists() or says_yes(window, "Replace the file?", question)


class FileDialogs(QObject):
    """Base of what opens and saves files of one kind.

    While a question is open, what was read meanwhile is held back: the question is about what is there now.
    """

    recent_changed = Signal()
    progressed = Signal(str)
    problem_met = Signal(str)
    reported = Signal(str)

    def __init__(self, preferences: Preferences, window: QWidget | None, kind: str, filters: str) -> None:
        """``kind`` is what its files hold, in one word, and ``filters`` what the dialogs offer."""
        super().__init__(window)
        self._preferences = preferences
        self._window = window
        self._kind = kind
        self._filters = filters
        self._reader = BackgroundTask(f"gpviz {kind} reader", self)
        self._reader.finished.connect(self._deliver)
        self._reader.failed.connect(self._on_read_failed)
        self._is_asking = False
        self._held: Any = None

    def open(self, path: Path) -> None:
        """Begin to open a file; what is there stays until the other is read."""
        raise NotImplementedError

    def ask_and_open(self) -> None:
        """Let a person choose the file."""
        path = self.choose_file(f"Open a {self._kind}", self._filters)
        if path is not None:
            self.open(path)

    def cancel(self) -> bool:
        """Give up what is being opened; False if nothing is."""
        if not self._reader.is_busy and self._held is None:
            return False
        self._reader.cancel()
        self._held = None
        self.reported.emit("")
        return True

    @Slot(str)
    def _on_read_failed(self, problem: str) -> None:
        self.reported.emit("")
        self.problem_met.emit(problem)

    @contextmanager
    def _asking(self) -> Iterator[None]:
        was_asking, self._is_asking = self._is_asking, True
        try:
            yield
        finally:
            self._is_asking = was_asking
            if self._held is not None and not was_asking:
                QTimer.singleShot(0, self._deliver_held)

    @Slot()
    def _deliver_held(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            self._deliver(held)

    def _deliver(self, read: Any) -> None:
        """Take in what was read; it comes again here when a question was in the way."""
        raise NotImplementedError

    def _holds_back(self, read: Any) -> bool:
        """Whether what was read has to wait for an answer."""
        if self._is_asking:
            self._held = read
        return self._is_asking

    def choose_file(self, title: str, filters: str) -> Path | None:
        """Let a person choose a file to open."""
        with self._asking():
            return ask_to_open(self._window, title, self._folder(), filters)

    def _choose_to_save(self, proposal: Path) -> Path | None:
        with self._asking():
            return ask_to_save(self._window, f"Save the {self._kind}", proposal, {_SUFFIX: self._filters})

    def _answer_about_saving(self, text: str, more: str) -> QMessageBox.StandardButton:
        """Save, Discard or Cancel."""
        return ask_about_saving(self._window, f"Save the {self._kind}?", text, more)

    def _remember(self, path: Path) -> None:
        self._preferences.add_recent_file(path)
        self._preferences.set_text("folder", str(path.absolute().parent))
        self.recent_changed.emit()

    def _folder(self) -> str:
        folder = self._preferences.text("folder")
        return folder if folder and Path(folder).is_dir() else str(Path.home())
