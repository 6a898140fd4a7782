"""The captions of a scene at chosen iterations: a line for each, to be written, moved and deleted."""

from collections.abc import Collection, Iterable
from typing import Final

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from gpviz.app.widgets.fields import NumberField, TextBox, mark_wrong, set_tip
from gpviz.app.widgets.layouts import column_in
from gpviz.lecture.lecture import MAX_CAPTIONS, SceneCaption

_LINES: Final = 2
_WIDEST_NUMBER: Final = "0000000"
_ITERATION_TIP: Final = "The iteration at which this caption is shown; every click stops there."
_TEXT_TIP: Final = (
    "The sentence below the tree from this iteration on; a scene that plays by itself keeps it until "
    "the next caption."
)
_ADD_TIP: Final = "Add a caption at the start of the scene, or at an iteration you choose."
_SINGLE_TIP: Final = "The scene shows a single moment; its caption is above."


class CaptionRows(QWidget):
    """Shows captions as they are typed, right or wrong; whoever reads them says what is wrong."""

    edited = Signal()
    editing_ended = Signal()
    added = Signal()
    """A person asks for one more."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: list[_Row] = []
        self._column: QVBoxLayout = column_in(self, spacing=4)
        self.add_button = QPushButton("Add a caption at an iteration")
        self.add_button.setAccessibleName("Add a caption at an iteration")
        self.add_button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.add_button.clicked.connect(self.added)
        self._column.addWidget(self.add_button)
        self.set_possible(True)

    def show_captions(self, captions: Iterable[SceneCaption]) -> None:
        """Show these, and nothing of what was typed before."""
        wanted = list(captions)
        while len(self.rows) > len(wanted):
            self._drop(self.rows[-1])
        while len(self.rows) < len(wanted):
            self._append()
        for row, caption in zip(self.rows, wanted, strict=True):
            row.show_caption(str(caption.iteration), caption.text)
        self.mark(())

    def entries(self) -> list[tuple[str, str]]:
        """Iteration and text of each line, as they are typed."""
        return [(row.iteration.text(), row.text.toPlainText()) for row in self.rows]

    def mark(self, wrong: Collection[int]) -> None:
        """Mark the lines at these places, and no others, as wrong."""
        for place, row in enumerate(self.rows):
            mark_wrong(row.iteration, is_wrong=place in wrong)
        self.add_button.setVisible(len(self.rows) < MAX_CAPTIONS)

    def set_possible(self, is_possible: bool) -> None:
        """Whether the scene has room for one more."""
        self.add_button.setEnabled(is_possible)
        set_tip(self.add_button, _ADD_TIP if is_possible else _SINGLE_TIP)

    def add_row(self, iteration: int) -> None:
        """One more line, to be written now."""
        row = self._append()
        row.show_caption(str(iteration), "")
        row.text.setFocus()

    def _append(self) -> "_Row":
        row = _Row()
        row.iteration.textEdited.connect(self.edited)
        row.text.textChanged.connect(self.edited)
        row.iteration.editingFinished.connect(self.editing_ended)
        row.text.left.connect(self.editing_ended)
        row.delete_button.clicked.connect(self._on_deleted)
        self._column.insertWidget(len(self.rows), row)
        self.rows.append(row)
        return row

    def _drop(self, row: "_Row") -> None:
        self.rows.remove(row)
        row.hide()
        row.deleteLater()

    @Slot()
    def _on_deleted(self) -> None:
        row = next(each for each in self.rows if each.delete_button is self.sender())
        self._drop(row)
        self.add_button.setFocus()
        self.edited.emit()
        self.editing_ended.emit()


class _Row(QWidget):
    """An iteration, its caption, and a button to delete both."""

    def __init__(self) -> None:
        super().__init__()
        self.iteration = NumberField()
        self.iteration.setAccessibleName("Iteration of the caption")
        set_tip(self.iteration, _ITERATION_TIP)
        self.text = TextBox(_LINES)
        self.text.setAccessibleName("Caption at this iteration")
        set_tip(self.text, _TEXT_TIP)
        self.text.setPlaceholderText("what is said at this iteration")
        self.delete_button = QPushButton("✕")
        self.delete_button.setAccessibleName("Delete this caption")
        set_tip(self.delete_button, "Delete this caption and its iteration.")
        self.delete_button.setAutoDefault(False)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(5)
        grid.addWidget(self.iteration, 0, 0)
        grid.addWidget(self.text, 0, 1, 2, 1)
        grid.addWidget(self.delete_button, 0, 2)
        grid.setColumnStretch(1, 1)
        grid.setRowStretch(1, 1)
        self.iteration.setFixedWidth(self.fontMetrics().horizontalAdvance(_WIDEST_NUMBER) + 16)

    def show_caption(self, iteration: str, text: str) -> None:
        with QSignalBlocker(self.iteration):
            self.iteration.set_value(iteration)
        self.text.set_text(text)
