"""Asks about files: where to open and to save, what may be replaced, and what may go unsaved."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from gpviz.app.dialogs.message_dialogs import ask_about_saving, says_yes
from gpviz.app.preferences import Preferences
from gpviz.files.file_io import shown_path, with_ending

_SUFFIX: Final = ".gpviz"


class FileDialogs(QObject):
    """What opens and saves, with questions that a person answers in their own time.

    While one is asked, what was read meanwhile is held back: the question is about what is there now.
    """

    recent_changed = Signal()

    def __init__(self, preferences: Preferences, window: QWidget | None, kind: str) -> None:
        """``kind`` is what its files hold, in one word."""
        super().__init__(window)
        self._preferences = preferences
        self._window = window
        self._kind = kind
        self._is_asking = False
        self._held: Any = None

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

    def _choose_to_open(self, filters: str) -> Path | None:
        with self._asking():
            name, _ = QFileDialog.getOpenFileName(
                self._window, f"Open a {self._kind}", self._folder(), filters
            )
        return Path(name) if name else None

    def _choose_to_save(self, proposal: Path, filters: str) -> Path | None:
        """Existing files are asked about."""
        with self._asking():
            chosen, _ = QFileDialog.getSaveFileName(
                self._window, f"Save the {self._kind}", str(proposal), filters
            )
        if not chosen:
            return None
        path = with_ending(Path(chosen), _SUFFIX)
        is_asked = path == Path(chosen) or not path.exists()
        return path if is_asked or self._may_replace(path) else None

    def _answer_about_saving(self, text: str, more: str) -> QMessageBox.StandardButton:
        """Save, Discard or Cancel."""
        return ask_about_saving(self._window, f"Save the {self._kind}?", text, more)

    def _may_replace(self, path: Path) -> bool:
        with self._asking():
            question = f"{shown_path(path.name)} already exists. Replace it?"
            return says_yes(self._window, "Replace the file?", question)

    def _remember(self, path: Path) -> None:
        self._preferences.add_recent_file(path)
        self._preferences.set_text("folder", str(path.absolute().parent))
        self.recent_changed.emit()

    def _folder(self) -> str:
        folder = self._preferences.text("folder")
        return folder if folder and Path(folder).is_dir() else str(Path.home())
