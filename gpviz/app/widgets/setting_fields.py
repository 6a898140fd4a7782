"""The fields of the settings of a run, made from the table of settings, and the grid that they stand in."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QWidget

from gpviz.app.widgets.fields import ChoiceField, LimitField, NumberField, mark_wrong, sentence, set_tip
from gpviz.app.widgets.layouts import column_in, row_in
from gpviz.engine.settings import Choice, Setting, WholeNumber

SettingField = NumberField | ChoiceField | LimitField
"""Each has ``value()`` and ``set_value()`` for texts as a person types them, and the signals ``value_changed`` and
``return_pressed``."""


def setting_field(row: Setting) -> SettingField:
    """A field for one value of a setting."""
    if isinstance(row.kind, Choice):
        return ChoiceField(row.kind.choices)
    return NumberField() if isinstance(row.kind, WholeNumber) else LimitField()


class TicksField(QWidget):
    """A few values, each with a box to tick; they stand below one another, so that long texts fit."""

    value_changed = Signal()

    def __init__(self, choices: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.boxes: dict[str, QCheckBox] = {}
        column = column_in(self, spacing=1)
        for key, text in choices:
            box = self.boxes[key] = QCheckBox(text)
            box.toggled.connect(self._on_toggled)
            column.addWidget(box)

    def describe(self, title: str, hint: str) -> None:
        """Describe the boxes by tooltips and for screen readers."""
        self.setAccessibleName(title)
        for box in self.boxes.values():
            box.setAccessibleName(f"{title}: {box.text()}")
            set_tip(box, hint)

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
        self.value_changed.emit()


class FieldGrid(QWidget):
    """Fields below one another, each with its name before it and a line for its problem below."""

    def __init__(self, spacing: int = 5, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(spacing)
        self._grid.setColumnStretch(1, 1)
        self._fields: dict[str, QWidget] = {}
        self._parts: dict[str, tuple[QLabel, QWidget, QLabel]] = {}

    def add(self, name: str, title: str, field: QWidget, hint: str, beside: QWidget | None = None) -> None:
        """Put a field below those that are there, with something small to the right of it."""
        row = self._grid.rowCount()
        label = QLabel(title)
        set_tip(label, hint)
        if isinstance(field, TicksField):
            field.describe(title, hint)
            label.setBuddy(next(iter(field.boxes.values())))
            self._grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
        else:
            label.setBuddy(field)
            set_tip(field, hint)
            field.setAccessibleName(title)
            self._grid.addWidget(label, row, 0)
        problem = sentence("problem")
        problem.setObjectName(f"problem_{name}")
        problem.hide()
        box = field if beside is None else _side_by_side(field, beside)
        self._grid.addWidget(box, row, 1)
        self._grid.addWidget(problem, row + 1, 0, 1, 2)
        self._fields[name] = field
        self._parts[name] = (label, box, problem)

    def add_line(self, widget: QWidget) -> None:
        """Put something that is no field below those that are there."""
        self._grid.addWidget(widget, self._grid.rowCount(), 0, 1, 2, Qt.AlignmentFlag.AlignLeft)

    def label_width(self) -> int:
        """The width of the names of the fields."""
        return self._grid.columnMinimumWidth(0)

    def needed_width(self, metrics: QFontMetrics) -> int:
        """The width that they need, seen or not."""
        return max(metrics.horizontalAdvance(label.text()) for label, _, _ in self._parts.values())

    def set_label_width(self, width: int) -> None:
        """Set the width of the names of the fields."""
        self._grid.setColumnMinimumWidth(0, width)

    def show_field(self, name: str, is_shown: bool) -> None:
        """Show or hide a field with all that belongs to it."""
        label, box, problem = self._parts[name]
        label.setVisible(is_shown)
        box.setVisible(is_shown)
        if not is_shown:
            problem.hide()

    def tell(self, problems: dict[str, str]) -> None:
        """Say what is wrong with the fields, by their names; nothing about those that are right."""
        for name, (_, _, label) in self._parts.items():
            problem = problems.get(name, "")
            if label.text() != problem:
                label.setText(problem)
            label.setVisible(bool(problem))
            mark_wrong(self._fields[name], is_wrong=bool(problem))

    def names(self) -> tuple[str, ...]:
        """The names of the fields."""
        return tuple(self._parts)

    def problem_label(self, name: str) -> QLabel:
        """The label that says what is wrong with a field."""
        return self._parts[name][2]


def _side_by_side(field: QWidget, beside: QWidget) -> QWidget:
    box = QWidget()
    line = row_in(box, spacing=6)
    line.addWidget(field, 1)
    line.addWidget(beside)
    return box


def align(grids: Sequence[FieldGrid], font: QFont) -> None:
    """Align the fields of all grids."""
    metrics = QFontMetrics(font)
    width = max(grid.needed_width(metrics) for grid in grids)
    for grid in grids:
        grid.set_label_width(width)
