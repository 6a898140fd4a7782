"""Plots that stay as they are under the mouse: pyqtgraph's own zooming and panning is not wanted."""

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

__all__ = ["StillPlots"]


class StillPlots(pg.GraphicsLayoutWidget):
    """Leaves the wheel to what is around it, and the keys, too."""

    mouse_left = Signal()
    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def wheelEvent(self, event: Any) -> None:
        event.ignore()

    def leaveEvent(self, event: QEvent) -> None:
        self.mouse_left.emit()
        super().leaveEvent(event)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        if event is not None:  # pyqtgraph calls this by itself while it is being made
            self.resized.emit()
