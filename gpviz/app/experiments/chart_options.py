"""The row of choices above a chart: what is measured, which cells, and which axes are logarithmic."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLabel, QSizePolicy, QWidget

from gpviz.experiments.figures.choice import CELL_CHOICES

__all__ = ["CURVES", "ChartOptions", "Choice"]

CURVES: Final = (("solved", "solved by t"), ("unsolved", "not yet solved"))


class Choice(QWidget):
    """A label and a list to choose from."""

    chosen = Signal(str)

    def __init__(self, label: str, name: str, hint: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.box = QComboBox()
        self.box.setAccessibleName(name)
        self.box.setToolTip(hint)
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.box.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.box.setMinimumContentsLength(6)
        caption = QLabel(label)
        caption.setBuddy(self.box)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(caption)
        row.addWidget(self.box)
        self.box.activated.connect(self._on_activated)

    def set_choices(self, choices: Sequence[tuple[str, str]]) -> None:
        """Offer these; what was chosen stays if it is among them."""
        known = [(str(self.box.itemData(at)), self.box.itemText(at)) for at in range(self.box.count())]
        if known == list(choices):
            return
        before = self.value()
        self.box.clear()
        for value, text in choices:
            self.box.addItem(text, value)
        self.set_value(before)

    def value(self) -> str:
        """What is chosen."""
        return str(self.box.currentData() or "")

    def set_value(self, value: str) -> None:
        """Choose this, or the first if there is none such."""
        self.box.setCurrentIndex(max(0, self.box.findData(value)))

    @Slot(int)
    def _on_activated(self, _place: int) -> None:
        self.chosen.emit(self.value())


class ChartOptions(QWidget):
    """Shows those choices that a chart has."""

    changed = Signal()
    scales_changed = Signal(bool, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.measure = Choice("&Measure", "Measure", "What is drawn of each run.")
        self.cells = Choice(
            "&Cells", "Cells drawn", "Which cells are drawn, starting from the one chosen in the table."
        )
        self.cells.set_choices(CELL_CHOICES)
        self.curve = Choice(
            "C&urve", "Curve", "The share of runs solved by iteration t, or the share not yet solved."
        )
        self.curve.set_choices(CURVES)
        self.upper = QCheckBox("&Upper bound")
        self.upper.setToolTip("Draw the paper's upper bound too, which lies far above what is measured.")
        self.log_x = QCheckBox("log &x")
        self.log_x.setToolTip("A logarithmic x axis.")
        self.log_x.setAccessibleName("Logarithmic x axis")
        self.log_y = QCheckBox("log &y")
        self.log_y.setToolTip("A logarithmic y axis.")
        self.log_y.setAccessibleName("Logarithmic y axis")
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(8, 2, 8, 2)
        self.row.setSpacing(10)
        for choice in (self.measure, self.curve, self.cells):
            self.row.addWidget(choice)
            choice.chosen.connect(self._on_chosen)
        self.row.addWidget(self.upper)
        self.row.addStretch(1)
        self.upper.toggled.connect(self._on_toggled)
        self.log_x.clicked.connect(self._on_scale_clicked)
        self.log_y.clicked.connect(self._on_scale_clicked)

    def offer(
        self,
        *,
        measures: Sequence[tuple[str, str]],
        cells: Sequence[tuple[str, str]],
        has_curve: bool,
        has_upper: bool,
    ) -> None:
        """Show the choices of a chart."""
        self.measure.setVisible(bool(measures))
        if measures:
            self.measure.set_choices(measures)
        self.cells.setVisible(bool(cells))
        if cells:
            self.cells.set_choices(cells)
        self.curve.setVisible(has_curve)
        self.upper.setVisible(has_upper)
        self.setVisible(bool(measures) or bool(cells) or has_curve or has_upper)

    def set_scales(self, *, is_log_x: bool, is_log_y: bool, has_x: bool, why_no_y: str = "") -> None:
        """Show which axes are logarithmic, and which can be; ``why_no_y`` says why the y axis cannot."""
        self.log_x.setChecked(is_log_x)
        self.log_x.setEnabled(has_x)
        self.log_x.setToolTip(
            "A logarithmic x axis." if has_x else "This chart's x axis has no numbers above 0."
        )
        self.log_y.setChecked(is_log_y and not why_no_y)
        self.log_y.setEnabled(not why_no_y)
        self.log_y.setToolTip(why_no_y or "A logarithmic y axis.")

    @Slot(str)
    def _on_chosen(self, _value: str) -> None:
        self.changed.emit()

    @Slot(bool)
    def _on_toggled(self, _is_checked: bool) -> None:
        self.changed.emit()

    @Slot(bool)
    def _on_scale_clicked(self, _is_checked: bool) -> None:
        self.scales_changed.emit(self.log_x.isChecked(), self.log_y.isChecked())
