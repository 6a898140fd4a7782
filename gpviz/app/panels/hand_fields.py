"""The parts of the page for mutations by hand: a choice among a few buttons, and groups in rows that fit."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gpviz.app.panels.fields import NumberField

__all__ = ["Group", "Rows", "Segments", "ShortNumberField"]


class Segments(QWidget):
    """A few buttons of which one is chosen; the arrow keys go from one to the next."""

    value_changed = Signal()

    def __init__(
        self, name: str, choices: Sequence[tuple[str, str, str]], parent: QWidget | None = None
    ) -> None:
        """``choices`` are values, with what is written on the button and its tip."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self.buttons: dict[str, QToolButton] = {}
        self._group = QButtonGroup(self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(3)
        for value, text, tip in choices:
            button = QToolButton()
            button.setText(text)
            button.setCheckable(True)
            button.setToolTip(tip)
            button.setAccessibleName(f"{name}: {text}")
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.setProperty("takes_arrows", True)  # they choose the next button
            self._group.addButton(button)
            self.buttons[value] = button
            layout.addWidget(button)
        next(iter(self.buttons.values())).setChecked(True)
        self._group.buttonToggled.connect(self._on_toggled)
        self._emphasise()

    def value(self) -> str:
        """The value that is chosen."""
        return next(value for value, button in self.buttons.items() if button.isChecked())

    def set_value(self, value: str) -> None:
        """Choose a value."""
        self.buttons[value].setChecked(True)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange:
            self._emphasise()

    def _emphasise(self) -> None:
        """Fill the chosen one, so that it is not taken for the one with the focus."""
        for button in self.buttons.values():
            role = "primary" if button.isChecked() and self.isEnabled() else ""
            if (button.property("role") or "") != role:
                button.setProperty("role", role)
                button.style().unpolish(button)
                button.style().polish(button)

    @Slot(QAbstractButton, bool)
    def _on_toggled(self, button: QAbstractButton, is_checked: bool) -> None:
        if is_checked:
            self._emphasise()
            self.value_changed.emit()


class ShortNumberField(NumberField):
    """A field for a number of a few digits, no wider than that."""

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance("0" * 6) + self.fontMetrics().height()
        return QSize(width, super().sizeHint().height() + 6)  # as high as the buttons beside it

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class Group(QWidget):
    """A field with its name above it."""

    def __init__(self, name: str, field: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = label = QLabel(name)
        label.setProperty("role", "muted")
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setBuddy(field)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(1)
        layout.addWidget(label)
        layout.addWidget(field)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)


class Rows(QWidget):
    """Widgets one beside the other, in as many rows as the width asks for."""

    def __init__(self, widgets: Sequence[QWidget], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._widgets = tuple(widgets)
        self._columns = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(14)
        self._grid.setVerticalSpacing(4)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self._arrange(len(self._widgets))

    @property
    def columns(self) -> int:
        """How many stand in a row."""
        return self._columns

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Use as few rows as there is width for."""
        columns = len(self._widgets)
        while columns > 1 and self._width_in(columns) > self.width():
            columns -= 1
        # Rows of the same length look better than a last one with a single widget.
        rows = -(-len(self._widgets) // columns)
        self._arrange(-(-len(self._widgets) // rows))

    def _width_in(self, columns: int) -> int:
        hints = [widget.sizeHint().width() for widget in self._widgets]
        widths = [max(hints[column::columns]) for column in range(columns)]
        return sum(widths) + self._grid.horizontalSpacing() * (columns - 1)

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        for column in range(self._columns + 1):
            self._grid.setColumnStretch(column, 0)
        self._columns = columns
        for place, widget in enumerate(self._widgets):
            row, column = divmod(place, columns)
            self._grid.addWidget(
                widget, row, column, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
            )
        self._grid.setColumnStretch(columns, 1)
