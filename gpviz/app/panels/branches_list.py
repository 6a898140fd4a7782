"""The list of branches: a row for each, its children below it; names are edited in place."""

from typing import Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from gpviz.engine import GpvizError
from gpviz.record.branches import checked_name
from gpviz.record.branches_comparing import Standing, Summary

__all__ = ["BranchList", "BranchModel"]

_Index = QModelIndex | QPersistentModelIndex
_COLUMNS: Final = ("branch", "forks", "iterations", "error", "leaves", "outcome")
_TIPS: Final = (
    "What the branch is called; ▶ is on show.",
    "After which iteration of the branch above it goes its own way.",
    "How many iterations it has, those in common included.",
    "The error of its last tree.",
    "How many leaves its last tree has.",
    "Solved; stuck, where that is proven; or open.",
)
_SHOWN: Final = "▶ "
_CHILD: Final = "└ "
_WIDEST_INDENT: Final = 6


class BranchModel(QAbstractTableModel):
    """The branches as rows; a name that a person types becomes a wish, not a change."""

    name_typed = Signal(int, str)
    name_refused = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.summaries: tuple[Summary, ...] = ()
        self.shown = 0

    def show_branches(self, summaries: tuple[Summary, ...], shown: int) -> None:
        self.beginResetModel()
        self.summaries, self.shown = summaries, shown
        self.endResetModel()

    def show_standing(self, standing: Standing) -> None:
        """How the branch on show stands now."""
        for row, summary in enumerate(self.summaries):
            if summary.branch.id == self.shown and summary.standing != standing:
                changed = Summary(summary.branch, summary.depth, standing)
                self.summaries = (*self.summaries[:row], changed, *self.summaries[row + 1 :])
                self.dataChanged.emit(self.index(row, 0), self.index(row, len(_COLUMNS) - 1))

    def row_of(self, branch_id: int) -> int:
        """The row of a branch, or -1."""
        for row, summary in enumerate(self.summaries):
            if summary.branch.id == branch_id:
                return row
        return -1

    def rowCount(self, parent: _Index | None = None) -> int:  # noqa: N802
        return 0 if parent is not None and parent.isValid() else len(self.summaries)

    def columnCount(self, parent: _Index | None = None) -> int:  # noqa: N802
        return 0 if parent is not None and parent.isValid() else len(_COLUMNS)

    def headerData(  # noqa: N802
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.DisplayRole:
                return _COLUMNS[section]
            if role == Qt.ItemDataRole.ToolTipRole:
                return _TIPS[section]
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(section)
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        summary, column = self.summaries[index.row()], index.column()
        is_shown = summary.branch.id == self.shown
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(summary, column, is_shown)
        if role == Qt.ItemDataRole.EditRole:
            return summary.branch.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken(summary, column, is_shown)
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{summary.branch.name}\nEnter or a double click shows it; F2 renames it."
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        if role == Qt.ItemDataRole.FontRole and is_shown:
            font = QFont()
            font.setBold(True)
            return font
        return None

    def setData(self, index: _Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802
        branch = self.summaries[index.row()].branch
        try:
            name = checked_name(value.strip() if isinstance(value, str) else value)
        except GpvizError as error:
            self.name_refused.emit(str(error))
            return False
        self.name_refused.emit("")
        if name != branch.name:
            self.name_typed.emit(branch.id, name)
        return True

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
        return flags | Qt.ItemFlag.ItemIsEditable if index.column() == 0 else flags

    def _text(self, summary: Summary, column: int, is_shown: bool) -> str:
        standing = summary.standing
        if column == 0:
            depth = min(summary.depth, _WIDEST_INDENT)
            indent = f"{'    ' * (depth - 1)}{_CHILD}" if depth else ""
            return f"{indent}{_SHOWN if is_shown else ''}{summary.branch.name}"
        return (
            summary.origin_text,
            f"{standing.iterations:,}",
            standing.error_text,
            f"{standing.leaves:,}",
            standing.outcome,
        )[column - 1]

    def _spoken(self, summary: Summary, column: int, is_shown: bool) -> str:
        if column:
            return f"{_COLUMNS[column]}: {self._text(summary, column, is_shown)}"
        return f"{summary.branch.name}{', on show' if is_shown else ''}"


class BranchList(QTableView):
    """The view of the rows; Return means show it, and Delete means remove it."""

    branch_chosen = Signal(int)
    branch_removed = Signal(int)

    def __init__(self, model: BranchModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setModel(model)
        self.setAccessibleName("Branches")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(30)
        self.doubleClicked.connect(self._on_double_clicked)

    def chosen_ids(self) -> list[int]:
        """The branches that are selected, in their order."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        return [self._model.summaries[row].branch.id for row in rows]

    def select(self, ids: list[int]) -> None:
        """Select these branches, as far as they are there."""
        self.clearSelection()
        flags = self.selectionModel().SelectionFlag
        for branch_id in ids:
            row = self._model.row_of(branch_id)
            if row >= 0:
                index = self._model.index(row, 0)
                self.selectionModel().setCurrentIndex(index, flags.Select | flags.Rows)

    def fit_rows(self) -> None:
        """Rows as high as the type."""
        height = round(self.fontMetrics().height() * 1.35)
        self.verticalHeader().setDefaultSectionSize(height)
        self.verticalHeader().setMinimumSectionSize(height)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.state() is QAbstractItemView.State.EditingState:
            event.accept()  # the Return that ends an edit is meant for the editor alone
            return
        chosen = self.chosen_ids()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and len(chosen) == 1:
            self.branch_chosen.emit(chosen[0])
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and len(chosen) == 1:
            self.branch_removed.emit(chosen[0])
        else:
            super().keyPressEvent(event)

    @Slot(QModelIndex)
    def _on_double_clicked(self, index: QModelIndex) -> None:
        self.branch_chosen.emit(self._model.summaries[index.row()].branch.id)


def _alignment(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
