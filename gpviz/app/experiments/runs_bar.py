"""The line above the table of runs: which outcome, which cell, in which order, and a seed to go to."""

from typing import Final

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QPushButton, QSizePolicy, QWidget

from gpviz.app.experiments.runs_words import OUTCOMES, cell_words
from gpviz.experiments.plan import Plan

__all__ = ["ORDERS", "RunsBar"]

ORDERS: Final = {
    "number": "By number",
    "stuck_first": "Stuck first",
    "slowest": "Slowest",
    "largest": "Largest",
    "most_ors": "Most ORs",
    "most_ors_accepted": "Most ORs accepted",
    "longest_wait": "Longest wait",
}
"""The orders that a person can choose, in words."""

_ORDER_HINTS: Final = {
    "slowest": "Most iterations first. Stuck runs come last: they would go on for ever.",
    "longest_wait": "The longest wait for an improvement first. Stuck runs come last: they wait for ever.",
}

_GAP: Final = 6


class RunsBar(QWidget):
    """Filters, order and the field for a seed."""

    filter_changed = Signal()
    seed_asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.outcome_field = _choice("Outcome", "Lists only the runs that ended like this.")
        self.outcome_field.addItem("All", None)
        for outcome in OUTCOMES:
            self.outcome_field.addItem(outcome.capitalize(), outcome)
        self.cell_field = _choice("Cell", "Lists only the runs with these settings.")
        self.cell_field.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.cell_field.setMinimumContentsLength(12)
        self.cell_field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.order_field = _choice(
            "Order",
            "What is listed first; stuck runs come last among the slowest and the longest waits, as they would go"
            " on for ever. A click on the head of a column sorts too.",
        )
        for order, words in ORDERS.items():
            self.order_field.addItem(words, order)
            self.order_field.setItemData(
                self.order_field.count() - 1, _ORDER_HINTS.get(order), Qt.ItemDataRole.ToolTipRole
            )
        self.seed_field = _SeedField()
        self.seed_field.setAccessibleName("Seed to go to")
        self.seed_field.setPlaceholderText("e.g. 17")
        self.seed_field.setToolTip(
            "Goes to the run with this seed (Ctrl+G, then Return). Again: to the next run with it, and round."
        )
        self.seed_field.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.go_button = QPushButton("Go")
        self.go_button.setAccessibleName("Go to the seed")
        self.go_button.setToolTip(
            "Goes to the run with this seed; again: to the next run with it, and round."
        )
        self.go_button.setAutoDefault(False)
        self.seed_row = QWidget()
        """What goes to a seed, to be put where there is room: all in one line is too much for large type."""
        self._labels: dict[QWidget, QLabel] = {}
        layout = _line(self)
        self._add(layout, "&Outcome", self.outcome_field)
        self._add(layout, "Ce&ll", self.cell_field, 1)
        self._add(layout, "O&rder", self.order_field)
        seed_layout = _line(self.seed_row)
        self._add(seed_layout, "Go to see&d", self.seed_field, 1)
        seed_layout.addWidget(self.go_button)
        for choice in (self.outcome_field, self.cell_field, self.order_field):
            choice.currentIndexChanged.connect(self._on_changed)
        self.seed_field.returnPressed.connect(self._on_seed_asked)
        self.go_button.clicked.connect(self._on_seed_asked)
        self.show_plan(None)

    @property
    def outcome(self) -> str | None:
        """The outcome that is listed; None for all."""
        value: str | None = self.outcome_field.currentData()
        return value

    @property
    def cell(self) -> int | None:
        """The cell that is listed; None for all."""
        value: int | None = self.cell_field.currentData()
        return value

    @property
    def order(self) -> str:
        """The order."""
        return str(self.order_field.currentData())

    def show_plan(self, plan: Plan | None) -> None:
        """Offer the cells of a plan; where there is one only, there is nothing to choose."""
        self.cell_field.blockSignals(True)
        self.cell_field.clear()
        self.cell_field.addItem("All", None)
        if plan is not None and len(plan.cells) > 1:
            self.cell_field.addItems([cell_words(plan, cell.number) for cell in plan.cells])
            for place, cell in enumerate(plan.cells, start=1):
                self.cell_field.setItemData(place, cell.number)
        self.cell_field.blockSignals(False)
        has_cells = self.cell_field.count() > 1
        self.cell_field.setEnabled(has_cells)
        self._labels[self.cell_field].setEnabled(has_cells)

    def choose(self, *, outcome: str | None, cell: int | None, order: str) -> None:
        """Show this choice, without saying that it has changed."""
        for field, value in (
            (self.outcome_field, outcome),
            (self.cell_field, cell),
            (self.order_field, order),
        ):
            field.blockSignals(True)
            # Qt finds no item by the value None.
            field.setCurrentIndex(0 if value is None else field.findData(value))
            field.blockSignals(False)

    def _add(self, layout: QHBoxLayout, text: str, field: QWidget, stretch: int = 0) -> None:
        """Put a field behind those that are there, with its name before it."""
        label = QLabel(text)
        label.setProperty("role", "muted")
        label.setBuddy(field)
        self._labels[field] = label
        if layout.count():
            layout.addSpacing(_GAP)
        layout.addWidget(label)
        layout.addWidget(field, stretch)

    @Slot(int)
    def _on_changed(self, _: int) -> None:
        self.filter_changed.emit()

    @Slot()
    def _on_seed_asked(self) -> None:
        self.seed_asked.emit(self.seed_field.text())


def _line(widget: QWidget) -> QHBoxLayout:
    layout = QHBoxLayout(widget)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(_GAP)
    return layout


class _SeedField(QLineEdit):
    """A field that is never too narrow for a usual seed, whatever the size of the type."""

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(hint.width() + self.fontMetrics().horizontalAdvance("000000"), hint.height())


def _choice(name: str, hint: str) -> QComboBox:
    field = QComboBox()
    field.setAccessibleName(name)
    field.setToolTip(hint)
    field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    field.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    return field
