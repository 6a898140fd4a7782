"""What the page of scenes shows while there are none: how to begin, and the lectures that come with gpviz."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget

from gpviz.app.panels.fields import sentence

__all__ = ["HowToBegin"]

_LINES: Final = (
    "A lecture is a list of scenes that you click through.",
    "Bring the window to what you want to show, and press Capture.",
    "Or open a lecture that comes with gpviz, and make it your own:",
)


class HowToBegin(QWidget):
    """Three lines, and a button for each lecture that comes with gpviz."""

    shipped_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 6, 4, 4)
        layout.setSpacing(5)
        self.lines = [sentence("" if number else "title") for number in range(len(_LINES))]
        for label, text in zip(self.lines, _LINES, strict=True):
            label.setText(text)
            layout.addWidget(label)
        self.buttons: list[_ShippedButton] = []
        self._row = QVBoxLayout()
        self._row.setSpacing(4)
        layout.addLayout(self._row)
        layout.addStretch(1)

    def set_shipped(self, lectures: Sequence[tuple[str, str, Path]]) -> None:
        """Offer these: name, title and path of each."""
        for button in self.buttons:
            button.hide()
            button.deleteLater()
        self.buttons = [_ShippedButton(title, path) for _, title, path in lectures]
        for button in self.buttons:
            button.chosen.connect(self.shipped_requested)
            self._row.addWidget(button)
        self.lines[-1].setVisible(bool(self.buttons))


class _ShippedButton(QPushButton):
    """Opens a lecture that comes with gpviz."""

    chosen = Signal(object)

    def __init__(self, title: str, path: Path) -> None:
        super().__init__(title)
        self._title = title
        self._path = path
        self.setAccessibleName(f"Open the lecture {title}")
        self.setToolTip(
            f"{title}\nOpen this lecture; it stays as it is, and what you change is saved elsewhere."
        )
        # A long title must not widen the page.
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(60)
        self.clicked.connect(self._on_clicked)

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self._title) + self._frame_width() + 6
        return QSize(width, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = self.width() - self._frame_width()
        self.setText(self.fontMetrics().elidedText(self._title, Qt.TextElideMode.ElideRight, room))

    def _frame_width(self) -> int:
        return super().sizeHint().width() - self.fontMetrics().horizontalAdvance(self.text())

    @Slot()
    def _on_clicked(self) -> None:
        self.chosen.emit(self._path)
