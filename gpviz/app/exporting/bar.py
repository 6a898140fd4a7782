"""The progress of exports: a small bar for the status bar, with a way to cancel and a way to the result."""

from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QSizePolicy, QToolButton, QWidget

__all__ = ["ExportBar"]

_BAR_LETTERS: Final = 16
_RESULT_MS: Final = 30_000


class ExportBar(QWidget):
    """Hidden unless something is being written, or was written just now."""

    cancel_chosen = Signal()
    folder_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = QLabel()
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.progress = QProgressBar()
        self.progress.setAccessibleName("Progress of the export")
        self.progress.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.cancel_button = _button("Cancel", "Give this export up; no file is left of it.")
        self.folder_button = _button("Open folder", "Show where the file is.")
        self.dismiss_button = _button("×", "Take this message away.")
        self.dismiss_button.setAccessibleName("Dismiss")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        for part in (self.label, self.progress, self.cancel_button, self.folder_button, self.dismiss_button):
            layout.addWidget(part)
        self.cancel_button.clicked.connect(self.cancel_chosen)
        self.folder_button.clicked.connect(self.folder_chosen)
        self.dismiss_button.clicked.connect(self.clear)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_RESULT_MS)
        self._timer.timeout.connect(self.clear)
        self.clear()

    def show_job(self, text: str, waiting: int) -> None:
        """Something begins; so many others wait for it."""
        self._timer.stop()
        self._set_text(text, waiting)
        self.progress.setRange(0, 0)
        self._arrange(is_running=True)

    def show_progress(self, text: str, done: int, total: int, waiting: int) -> None:
        """How far it is."""
        self._set_text(text, waiting)
        self.progress.setRange(0, max(total, 1))
        self.progress.setValue(min(done, total))

    def show_result(self, text: str) -> None:
        """It is written; there is a way to it for a while."""
        self._set_text(text, 0)
        self._arrange(is_running=False)
        self._timer.start()

    @Slot()
    def clear(self) -> None:
        """Nothing to tell."""
        self._timer.stop()
        self.hide()

    def _arrange(self, *, is_running: bool) -> None:
        self.progress.setVisible(is_running)
        self.progress.setFixedWidth(_BAR_LETTERS * self.fontMetrics().averageCharWidth())
        self.cancel_button.setVisible(is_running)
        self.folder_button.setVisible(not is_running)
        self.dismiss_button.setVisible(not is_running)
        self.show()

    def _set_text(self, text: str, waiting: int) -> None:
        self.label.setText(f"{text} ({waiting} more to come)" if waiting else text)
        self.label.setToolTip(text)


def _button(text: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setToolTip(tip)
    button.setProperty("role", "small")
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return button
