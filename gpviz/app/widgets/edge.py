"""An edge between two parts of a window, which a person moves."""

from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gpviz.app.widgets.themed import Themed

_STEP: Final = 40
"""In pixels: how far a key moves it."""


class Edge(Themed, QWidget):
    """An edge that is dragged, moved by the arrow keys, and put back by a double-click."""

    moved = Signal(int)
    """By so many pixels to the right or down since it was pressed; a key presses it, too."""
    pressed = Signal()
    reset = Signal()

    def __init__(self, name: str, *, is_upright: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self._is_upright = is_upright
        self._from: QPointF | None = None
        self.setCursor(Qt.CursorShape.SplitHCursor if is_upright else Qt.CursorShape.SplitVCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setAccessibleName(name)
        self.setAccessibleDescription("The arrow keys move it, Home puts it back.")
        self.setToolTip("Drag to resize, double-click to reset")

    def paintEvent(self, event: QPaintEvent) -> None:
        if not (self.hasFocus() or self.underMouse() or self._from is not None):
            return
        line = QRectF(self.rect())
        if self._is_upright:
            line.adjust((line.width() - 3) / 2, 0, -(line.width() - 3) / 2, 0)
        else:
            line.adjust(0, (line.height() - 3) / 2, 0, -(line.height() - 3) / 2)
        with QPainter(self) as painter:
            painter.fillRect(line, QColor(self.theme.colours.muted))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._from = event.globalPosition()
            self.pressed.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._from is not None:
            way = event.globalPosition() - self._from
            self.moved.emit(round(way.x() if self._is_upright else way.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._from = None
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.reset.emit()

    def event(self, event: QEvent) -> bool:
        # Elsewhere these keys go through the run.
        if (
            event.type() is QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and (self._way_of(event) or event.key() == Qt.Key.Key_Home)
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        way = self._way_of(event)
        if way:
            self.move_by(way)
        elif event.key() == Qt.Key.Key_Home:
            self.reset.emit()
        else:
            super().keyPressEvent(event)

    def move_by(self, steps: int) -> None:
        """Move it as a key does."""
        self.pressed.emit()
        self.moved.emit(steps * _STEP)

    def _way_of(self, event: QKeyEvent) -> int:
        back, on = (
            (Qt.Key.Key_Left, Qt.Key.Key_Right) if self._is_upright else (Qt.Key.Key_Up, Qt.Key.Key_Down)
        )
        return {back: -1, on: 1}.get(Qt.Key(event.key()), 0)
