"""The page of branches: the ways the run went and could have gone, forking, comparing, undo and redo."""

from collections.abc import Sequence
from typing import ClassVar, Final

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from gpviz.app.panels.branches_forms import ForkForms
from gpviz.app.panels.branches_list import BranchList, BranchModel
from gpviz.app.panels.fields import ElidedLabel, heading, sentence
from gpviz.app.panels.tall_area import TallArea
from gpviz.app.theme import Theme
from gpviz.record.branches_comparing import Comparison, Summary, standing_of
from gpviz.record.history import History

__all__ = ["BranchesPage"]

_WIDEST_MINIMUM: Final = 600


class BranchesPage(QWidget):
    """Shows the branches it is given, and says what a person would like to do with them."""

    title: ClassVar[str] = "Branches"

    branch_chosen = Signal(int)
    rename_requested = Signal(int, str)
    remove_requested = Signal(int)
    fork_with_seed_requested = Signal(object)
    fork_with_requested = Signal(object)
    comparison_requested = Signal(int, int)
    stepping_requested = Signal(int, int)
    """The two branches are to be stepped through side by side."""
    undo_requested = Signal()
    redo_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = BranchModel(self)
        self.list = BranchList(self._model)
        self.forms = ForkForms()
        self.problem = sentence("problem")
        self.problem.hide()
        self.show_button = _button("Show", "Put the selected branch on show, where it was left (Enter).")
        self.rename_button = _button("Rename", "Give the selected branch another name (F2).")
        self.compare_button = _button(
            "Compare", "Compare the two selected branches, or the selected one with the one on show."
        )
        self.remove_button = _button(
            "Remove", "Remove the selected branch and what grew out of its own iterations (Del)."
        )
        self.fork_button = _button("Fork …", "Make a branch that goes on from here with other settings.")
        self.undo_button = _button("↶", "Undo: take back what was done last to the branches.", "Undo")
        self.redo_button = _button("↷", "Redo: do again what was undone.", "Redo")
        self._is_forking = False
        self._pair: list[int] = []
        self.comparison = _ComparisonView()
        self._lay_out()
        self._connect()
        self.set_undo(can_undo=False, can_redo=False)
        self._refresh()

    # --- what comes in ---

    def set_branches(self, summaries: Sequence[Summary], shown: int) -> None:
        """Show these branches; what is selected stays selected, or else the one on show is."""
        chosen = [number for number in self.list.chosen_ids() if number in {s.branch.id for s in summaries}]
        if shown != self._model.shown:
            chosen = [shown]
        self._model.show_branches(tuple(summaries), shown)
        self.list.select(chosen or [shown])
        self.list.fit_rows()
        self._show_list()
        self._refresh()

    def set_undo(self, *, can_undo: bool, can_redo: bool) -> None:
        """Whether there is something to undo and to redo."""
        self.undo_button.setEnabled(can_undo)
        self.redo_button.setEnabled(can_redo)

    def show_moment(self, history: History, iteration: int) -> None:
        """The cursor is here; a fork would be here too."""
        row = self._model.row_of(self._model.shown)
        was_stuck = row >= 0 and self._model.summaries[row].standing.outcome == "stuck"
        self._model.show_standing(standing_of(history, is_stuck=was_stuck))
        self.forms.show_place(history.config, history.tree_at(iteration), iteration)

    def show_comparison(self, comparison: Comparison) -> None:
        """Two branches side by side, in the place of the list."""
        self.comparison.show_comparison(comparison)
        self._stack.setCurrentWidget(self._comparison_area)

    def set_theme(self, theme: Theme) -> None:
        """The rows are as high as the theme's type."""
        self.list.fit_rows()
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """What the list needs alone: where there is no more room, the forms are shown in its place."""
        width = self._left.minimumSizeHint().width() + 16
        return QSize(min(width, _WIDEST_MINIMUM), super().minimumSizeHint().height())

    def _fit(self) -> None:
        """Where list and forms have no room beside each other, one is shown at a time."""
        forms = self.forms.minimumSizeHint().width() + self._forms_area.verticalScrollBar().sizeHint().width()
        is_narrow = self.width() < self._left.minimumSizeHint().width() + forms + 40
        self._forms_area.setMinimumWidth(0 if is_narrow else forms)
        self._left.setVisible(not (is_narrow and self._is_forking))
        self._forms_area.setVisible(self._is_forking or not is_narrow)
        self.fork_button.setVisible(is_narrow)
        self.forms.back_button.setVisible(is_narrow)

    # --- what happens ---

    @Slot()
    def _refresh(self) -> None:
        chosen = self.list.chosen_ids()
        is_one = len(chosen) == 1
        self.show_button.setEnabled(is_one and chosen[0] != self._model.shown)
        self.rename_button.setEnabled(is_one)
        self.remove_button.setEnabled(is_one and not self._is_original(chosen[0]))
        self.compare_button.setEnabled(len(self._compared(chosen)) == 2)

    def _is_original(self, branch_id: int) -> bool:
        return self._model.summaries[self._model.row_of(branch_id)].branch.is_original

    def _compared(self, chosen: list[int]) -> list[int]:
        if len(chosen) == 1 and chosen[0] != self._model.shown:
            return [self._model.shown, chosen[0]]
        return chosen

    @Slot(str)
    def _say(self, text: str) -> None:
        self.problem.setText(text)
        self.problem.setVisible(bool(text))

    @Slot()
    def _on_show(self) -> None:
        self.branch_chosen.emit(self.list.chosen_ids()[0])

    @Slot()
    def _on_rename(self) -> None:
        self.list.edit(self._model.index(self._model.row_of(self.list.chosen_ids()[0]), 0))

    @Slot()
    def _on_remove(self) -> None:
        self.remove_requested.emit(self.list.chosen_ids()[0])

    @Slot()
    def _on_compare(self) -> None:
        self._pair = self._compared(self.list.chosen_ids())
        self.comparison_requested.emit(*self._pair)

    @Slot()
    def _on_step_compared(self) -> None:
        self.stepping_requested.emit(*self._pair)

    @Slot()
    def _on_fork(self) -> None:
        self._is_forking = True
        self._fit()
        self.forms.seed.setFocus()

    @Slot()
    def _show_list(self) -> None:
        self._is_forking = False
        self._stack.setCurrentWidget(self._main)
        self._fit()

    # --- how it is made ---

    def _connect(self) -> None:
        self.list.branch_chosen.connect(self.branch_chosen)
        self.list.branch_removed.connect(self.remove_requested)
        self.list.selectionModel().selectionChanged.connect(self._refresh)
        self._model.name_typed.connect(self.rename_requested)
        self._model.name_refused.connect(self._say)
        self.forms.seed_requested.connect(self.fork_with_seed_requested)
        self.forms.changes_requested.connect(self.fork_with_requested)
        self.show_button.clicked.connect(self._on_show)
        self.rename_button.clicked.connect(self._on_rename)
        self.remove_button.clicked.connect(self._on_remove)
        self.compare_button.clicked.connect(self._on_compare)
        self.undo_button.clicked.connect(self.undo_requested)
        self.redo_button.clicked.connect(self.redo_requested)
        self.comparison.closed.connect(self._show_list)
        self.comparison.step_button.clicked.connect(self._on_step_compared)
        self.fork_button.clicked.connect(self._on_fork)
        self.forms.back_button.clicked.connect(self._show_list)

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(4)
        for button in (self.show_button, self.compare_button, self.rename_button, self.remove_button):
            buttons.addWidget(button)
        buttons.addWidget(self.fork_button)
        buttons.addStretch(1)
        for button in (self.undo_button, self.redo_button):
            buttons.addWidget(button)
        self._left = QWidget()
        left = QVBoxLayout(self._left)
        left.setContentsMargins(0, 0, 0, 0)
        left.setSpacing(5)
        left.addWidget(self.list, 1)
        left.addWidget(self.problem)
        left.addLayout(buttons)
        self._forms_area = TallArea(self.forms)
        self._main = QWidget()
        beside = QHBoxLayout(self._main)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(14)
        beside.addWidget(self._left, 3)
        beside.addWidget(self._forms_area, 2)
        self._comparison_area = TallArea(self.comparison)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._main)
        self._stack.addWidget(self._comparison_area)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 4, 8, 6)
        layout.addWidget(self._stack)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)


class _ComparisonView(QWidget):
    """Two branches side by side: a small table, and what became of them in words."""

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = sentence("")
        self.words.setAccessibleName("The comparison in words")
        self.cells: list[tuple[str, str, str]] = []
        self._table = QWidget()
        self.close_button = _button("Back", "Back to the forms that fork a branch.")
        self.close_button.clicked.connect(self.closed)
        self.step_button = _button("Side by side …", "Step through the two in a window of their own.")
        top = QHBoxLayout()
        top.addWidget(heading("COMPARED"), 1)
        top.addWidget(self.step_button)
        top.addWidget(self.close_button)
        told = QVBoxLayout()
        told.setSpacing(6)
        told.addLayout(top)
        told.addWidget(self.words)
        told.addStretch(1)
        self._box = QHBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(20)
        self._box.addWidget(self._table, 3)
        self._box.addLayout(told, 4)

    def show_comparison(self, comparison: Comparison) -> None:
        """Show these two."""
        self.words.setText(comparison.words)
        self.cells = [("", comparison.one, comparison.other), *comparison.table]
        table = QWidget()
        grid = QGridLayout(table)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(1)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(2, 1)
        for row, texts in enumerate(self.cells):
            for column, text in enumerate(texts):
                cell = QLabel(text) if not column else ElidedLabel()
                cell.setText(text)
                cell.setToolTip(text)
                if not column:
                    cell.setProperty("role", "muted")
                elif not row:
                    cell.setProperty("role", "title")
                grid.addWidget(cell, row, column)
        grid.setRowStretch(len(self.cells), 1)
        self._box.replaceWidget(self._table, table)
        self._table.hide()
        self._table.deleteLater()
        self._table = table


def _button(text: str, tip: str, name: str = "") -> QPushButton:
    button = QPushButton(text)
    button.setToolTip(tip)
    button.setAccessibleName(name or text)
    return button
