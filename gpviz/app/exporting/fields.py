"""The fields of the export dialog: choices and numbers."""

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QSizePolicy, QSpinBox, QWidget

__all__ = ["Choice", "Number"]


class Choice(QComboBox):
    """A choice among a few values, each with the words a person reads; the wheel scrolls past it."""

    def __init__(self, name: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setToolTip(tip)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContentsOnFirstShow)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def set_choices(self, choices: Mapping[str, str]) -> None:
        """Offer these; what was chosen stays so if it is among them. Nothing is told."""
        chosen, was_blocked = self.value(), self.blockSignals(True)
        self.clear()
        for value, text in choices.items():
            self.addItem(text, value)
        self.blockSignals(was_blocked)
        self.choose(chosen)

    def value(self) -> str:
        """The value that is chosen."""
        return str(self.currentData())

    def choose(self, value: str) -> None:
        """Choose a value, if there is such a one; nothing is told."""
        place = self.findData(value)
        if place >= 0:
            was_blocked = self.blockSignals(True)
            self.setCurrentIndex(place)
            self.blockSignals(was_blocked)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()  # whoever scrolls the dialog does not mean this field


class Number(QSpinBox):
    """A whole number within a range."""

    def __init__(self, name: str, tip: str, least: int, most: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setToolTip(tip)
        self.setRange(least, most)
        self.setGroupSeparatorShown(True)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setStepType(QAbstractSpinBox.StepType.AdaptiveDecimalStepType)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def put(self, number: int) -> None:
        """Show a number; nothing is told."""
        was_blocked = self.blockSignals(True)
        self.setValue(number)
        self.blockSignals(was_blocked)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
