"""Hides the mouse over a window when it has not moved for a while."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, Slot
from PySide6.QtGui import QCursor, QGuiApplication
from PySide6.QtWidgets import QWidget

__all__ = ["Stillness"]

_LOOK_MS: Final = 200
_PATIENCE: Final = 15
"""So many looks without a move, three seconds together, and the mouse is hidden."""


class Stillness(QObject):
    """Looks at the mouse some times a second, as no widget hears of all its moves."""

    def __init__(self, window: QWidget, where: Callable[[], QPoint] = QCursor.pos) -> None:
        super().__init__(window)
        self._window = window
        self._where = where
        self._last = QPoint()
        self._looks = 0
        self._is_hidden = False
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self.look)

    @property
    def is_hidden(self) -> bool:
        """Whether the mouse is hidden now."""
        return self._is_hidden

    def start(self) -> None:
        self._looks = 0
        self._last = QPoint(self._where())
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()
        self._show()

    @Slot()
    def look(self) -> None:
        """See whether the mouse has moved."""
        place = self._where()
        is_over = self._window.isActiveWindow() and self._window.frameGeometry().contains(place)
        if place != self._last or not is_over:
            self._last = QPoint(place)
            self._looks = 0
            self._show()
            return
        self._looks += 1
        if self._looks >= _PATIENCE and not self._is_hidden:
            self._is_hidden = True
            QGuiApplication.setOverrideCursor(Qt.CursorShape.BlankCursor)

    def _show(self) -> None:
        if self._is_hidden:
            self._is_hidden = False
            QGuiApplication.restoreOverrideCursor()
