"""Decides who gets a key with two meanings: the focused field, list or button, or else a shortcut."""

from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QWidget,
)
from shiboken6 import isValid

LEAVES_SPACE: Final = "leaves_space"
"""The property of a button that leaves Space to the window."""
LEAVES_ARROWS: Final = "leaves_arrows"
"""The property of a widget that is moved by the arrows of the window."""

_MOVING: Final = {
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
}
_MOVED_BY_KEYS: Final = (QAbstractSlider, QComboBox, QAbstractItemView, QAbstractSpinBox)
_TYPED_INTO: Final = (QAbstractItemView, QAbstractSpinBox, QComboBox, QLineEdit)
_CHARACTERS_END: Final = 0x01000000  # Qt numbers the keys without a character from here on


class ShortcutConflicts(QObject):
    """Lets the widget with the focus have the keys it needs before any shortcut."""

    @Slot(QWidget, QWidget)
    def follow(self, old: QWidget | None, new: QWidget | None) -> None:
        """The focus has moved."""
        if old is not None and isValid(old):
            old.removeEventFilter(self)
        if new is not None:
            new.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and isinstance(watched, QWidget)
            and _needs(watched, event)
        ):
            event.accept()
            return True
        return super().eventFilter(watched, event)


def _needs(widget: QWidget, event: QKeyEvent) -> bool:
    key = Qt.Key(event.key())
    if key == Qt.Key.Key_Space and widget.property(LEAVES_SPACE):
        return False
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if modifiers & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier):
        return False
    if key in _MOVING:
        return isinstance(widget, _MOVED_BY_KEYS) and not widget.property(LEAVES_ARROWS)
    if key == Qt.Key.Key_Space:
        return isinstance(widget, (QAbstractButton, *_TYPED_INTO))
    return isinstance(widget, _TYPED_INTO) and event.key() < _CHARACTERS_END
