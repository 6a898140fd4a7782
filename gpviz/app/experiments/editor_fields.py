"""The fields of the plan editor: large numbers, and choices of which several can be ticked."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from gpviz.app.experiments.plan_draft import grouped, ungrouped
from gpviz.app.widgets.fields import NumberField, sentence

__all__ = ["CountField", "FieldGrid", "TicksField", "align", "mark_wrong"]


class CountField(NumberField):
    """A whole number that is shown in groups of three digits, and may be typed with or without them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.editingFinished.connect(self._on_editing_finished)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            super().keyPressEvent(event)
            return
        with QSignalBlocker(self):  # it counts what has no commas
            self.setText(ungrouped(self.text()))
        super().keyPressEvent(event)
        self._on_editing_finished()

    @Slot()
    def _on_editing_finished(self) -> None:
        text = grouped(self.text())
        if text != self.text():
            self.setText(text)


class TicksField(QWidget):
    """A few values, each with a box to tick; they stand below one another, so that long words find room."""

    ticked = Signal()

    def __init__(self, choices: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.boxes: dict[str, QCheckBox] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(1)
        for key, words in choices:
            box = self.boxes[key] = QCheckBox(words)
            box.toggled.connect(self._on_toggled)
            column.addWidget(box)

    def describe(self, title: str, hint: str) -> None:
        """Say what is chosen, to those who read and to those who listen."""
        self.setAccessibleName(title)
        for box in self.boxes.values():
            box.setAccessibleName(f"{title}: {box.text()}")
            box.setToolTip(hint)

    def values(self) -> tuple[str, ...]:
        """What is ticked, in the order of the boxes."""
        return tuple(key for key, box in self.boxes.items() if box.isChecked())

    def set_values(self, values: Sequence[str]) -> None:
        """Tick these and no others, without a word."""
        for key, box in self.boxes.items():
            with QSignalBlocker(box):
                box.setChecked(key in values)

    @Slot(bool)
    def _on_toggled(self, _is_on: bool) -> None:
        self.ticked.emit()


class FieldGrid(QWidget):
    """Fields below one another, each with its name before it and room for a sentence about it below."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        self._parts: dict[str, tuple[QLabel, QWidget, QLabel]] = {}

    def add(self, name: str, title: str, field: QWidget, hint: str) -> None:
        """Put a field below those that are there."""
        row = self._grid.rowCount()
        label = QLabel(title)
        label.setToolTip(hint)
        if isinstance(field, TicksField):
            field.describe(title, hint)
            label.setBuddy(next(iter(field.boxes.values())))
            self._grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
        else:
            label.setBuddy(field)
            field.setToolTip(hint)
            field.setAccessibleName(title)
            field.setAccessibleDescription(hint)
            self._grid.addWidget(label, row, 0)
        problem = sentence("problem")
        problem.setObjectName(f"problem_{name}")
        problem.hide()
        self._grid.addWidget(field, row, 1)
        self._grid.addWidget(problem, row + 1, 0, 1, 2)
        self._parts[name] = (label, field, problem)

    def label_width(self) -> int:
        """How much room the names of the fields have."""
        return self._grid.columnMinimumWidth(0)

    def needed_width(self, metrics: QFontMetrics) -> int:
        """How much room they need, seen or not."""
        return max(metrics.horizontalAdvance(label.text()) for label, _, _ in self._parts.values())

    def set_label_width(self, width: int) -> None:
        """Give the names of the fields so much room."""
        self._grid.setColumnMinimumWidth(0, width)

    def show_field(self, name: str, is_shown: bool) -> None:
        """Show or hide a field with all that belongs to it."""
        label, field, problem = self._parts[name]
        label.setVisible(is_shown)
        field.setVisible(is_shown)
        if not is_shown:
            problem.hide()

    def tell(self, name: str, problem: str) -> bool:
        """Say what is wrong with a field, or nothing; False if there is no such field here."""
        if name not in self._parts:
            return False
        _, field, label = self._parts[name]
        label.setText(problem)
        label.setVisible(bool(problem))
        mark_wrong(field, bool(problem))
        return True

    def names(self) -> tuple[str, ...]:
        """The names of the fields."""
        return tuple(self._parts)

    def problem_of(self, name: str) -> str:
        """What is told about a field."""
        return self._parts[name][2].text()


def align(grids: Sequence[FieldGrid], font: QFont) -> None:
    """Let the fields of all grids begin at the same place."""
    metrics = QFontMetrics(font)
    width = max(grid.needed_width(metrics) for grid in grids)
    for grid in grids:
        grid.set_label_width(width)


def mark_wrong(field: QWidget, is_wrong: bool) -> None:
    """Give a field the frame of a wrong one, or take it away."""
    role = "wrong" if is_wrong else ""
    if isinstance(field, QLineEdit) and (field.property("role") or "") != role:
        field.setProperty("role", role)
        field.style().unpolish(field)
        field.style().polish(field)
