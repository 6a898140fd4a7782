"""What a mouse does that QTest does not do: it turns its wheel, and moves while a button is held."""

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

_NONE = Qt.MouseButton.NoButton


def turn_wheel(
    widget: QWidget, degrees: int, place: QPointF | None = None, keys=Qt.KeyboardModifier.NoModifier
) -> bool:
    """Turn it over this place; whether the widget had a use for it."""
    at = QPointF(5, 5) if place is None else place
    event = QWheelEvent(
        at, widget.mapToGlobal(at), QPoint(), QPoint(0, degrees), _NONE, keys,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


def move_mouse(widget: QWidget, place: QPointF, held: Qt.MouseButton = _NONE) -> None:
    event = QMouseEvent(
        QEvent.Type.MouseMove, place, widget.mapToGlobal(place), _NONE, held, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(widget, event)


def drag_mouse(widget: QWidget, start: QPointF, offset: QPointF) -> None:
    """Drag from here by so much, with the left button."""
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QTest.mousePress(widget, left, none, start.toPoint())
    move_mouse(widget, start + offset / 2, left)
    move_mouse(widget, start + offset, left)
    QTest.mouseRelease(widget, left, none, (start + offset).toPoint())
