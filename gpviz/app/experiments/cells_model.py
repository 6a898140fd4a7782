"""The cells of a plan as rows of a table that stays in place while its numbers change."""

from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from gpviz.app.experiments.cells_columns import COLUMNS, GRADES, CellRow, Column, setting_column
from gpviz.app.theme import Theme, load_theme
from gpviz.experiments.plan import Plan
from gpviz.experiments.setting_words import varied_settings

__all__ = ["CellsModel"]

_Index = QModelIndex | QPersistentModelIndex
_LEFT: Final = ("verdict", "progress")
_CENTRE: Final = int(Qt.AlignmentFlag.AlignCenter)
_RIGHT: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


class CellsModel(QAbstractTableModel):
    """The cells as rows, in the order of the plan or of a column. Texts are made when they are looked at."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = load_theme("light")
        self._plan: Plan | None = None
        self._rows: list[CellRow] = []
        self._order: list[int] = []
        self._sorting: tuple[int, bool] | None = None
        self._columns: dict[str, Column] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self._columns)

    @property
    def runs(self) -> int:
        """How many runs a cell is to have."""
        return 0 if self._plan is None else self._plan.runs

    def set_theme(self, theme: Theme) -> None:
        """Use this theme's colours."""
        self._theme = theme

    def show_rows(self, plan: Plan, rows: list[CellRow]) -> bool:
        """Show these; whether everything is new, because the plan is another one."""
        is_new = self._plan is None or [cell.config for cell in self._plan.cells] != [
            cell.config for cell in plan.cells
        ]
        if is_new:
            self.beginResetModel()
            self._columns = {name: setting_column(name) for name in varied_settings(plan)} | COLUMNS
            self._plan, self._rows, self._sorting = plan, rows, None
            self._order = list(range(len(rows)))
            self.endResetModel()
            return True
        changed = [at for at, cell in enumerate(self._order) if self._rows[cell] != rows[cell]]
        is_longer = self._plan is not None and self._plan.runs != plan.runs
        self._plan, self._rows = plan, rows
        if is_longer:
            changed = list(range(len(rows)))
        if changed:
            self.dataChanged.emit(
                self.index(changed[0], 0), self.index(changed[-1], len(self._columns) - 1), []
            )
            self._arrange()
        return False

    def is_telling(self, name: str) -> bool:
        """Whether a column says anything about this plan."""
        if self._plan is None or name not in COLUMNS:
            return True
        configs = [cell.config for cell in self._plan.cells]
        summaries = [row.summary for row in self._rows]
        has_paper = any(summary.paper is not None for summary in summaries)
        match name:
            case "stuck":
                return any(summary.stuck for summary in summaries) or any(
                    config.deletion == "leaf" for config in configs
                )
            case "paper_B":
                return any(
                    summary.paper is not None and summary.paper.cell.B is not None for summary in summaries
                )
            case "paper_T" | "paper_S" | "verdict":
                return has_paper
            case "ended":
                return any(summary.stopped or summary.failed for summary in summaries)
            case "expected":  # else it is the mean of T
                return any(summary.solved < summary.runs for summary in summaries)
            case "median":
                return any(row.median is not None for row in self._rows)
            case "error":
                return any(config.is_sampled for config in configs)
            case "ors_accepted":
                return "ors_accepted" in self._plan.measures
            case "ors":
                return any(len(config.functions) > 1 for config in configs)
        return True

    def cell_at(self, row: int) -> int:
        """The number of the cell in a row."""
        return self._order[row]

    def row_of(self, cell: int) -> int:
        """The row of a cell."""
        return self._order.index(cell)

    def row(self, at: int) -> CellRow:
        """What is known of the cell in a row."""
        return self._rows[self._order[at]]

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if column < len(self._columns):
            self._sorting = None if column < 0 else (column, order == Qt.SortOrder.DescendingOrder)
            self._arrange()

    def _arrange(self) -> None:
        """Put the rows in order; those without a value come last, either way."""
        order = list(range(len(self._rows)))
        if self._sorting is not None:
            column, is_descending = self._sorting
            key = list(self._columns.values())[column].key
            keys = [key(row) for row in self._rows]
            known = [cell for cell in order if keys[cell] is not None]
            known.sort(key=keys.__getitem__, reverse=is_descending)
            order = known + [cell for cell in order if keys[cell] is None]
        if order == self._order:
            return
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        cells = [self._order[index.row()] for index in before]
        self._order = order
        rows = {cell: at for at, cell in enumerate(order)}
        after = [self.index(rows[cell], index.column()) for cell, index in zip(cells, before, strict=True)]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    def rowCount(self, parent: _Index | None = None) -> int:  # noqa: N802
        return 0 if parent is not None and parent.isValid() else len(self._order)

    def columnCount(self, parent: _Index | None = None) -> int:  # noqa: N802
        return 0 if parent is not None and parent.isValid() else len(self._columns)

    def headerData(  # noqa: N802
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self._columns):
            return None
        column = list(self._columns.values())[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            name = self.names[section]  # between heads at the right and at the left there would be no gap
            return _CENTRE if name == "progress" else None if name in _LEFT else _RIGHT
        if role == Qt.ItemDataRole.DisplayRole:
            return column.header
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{column.hint}\nA click sorts by it, and so does Shift+Return in the column."
        return None

    def text_at(self, at: int, name: str) -> str:
        """What a row says in a column."""
        row = self.row(at)
        return f"{row.done:,} / {self.runs:,}" if name == "progress" else self._columns[name].text(row)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        name = self.names[index.column()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.text_at(index.row(), name)
        if role == Qt.ItemDataRole.TextAlignmentRole and name not in _LEFT:
            return _RIGHT
        paper = self.row(index.row()).summary.paper
        if paper is None:
            return None
        if role == Qt.ItemDataRole.DecorationRole and name == "verdict":
            return QColor(getattr(self._theme.colours, GRADES[paper.grade][1]))
        if role == Qt.ItemDataRole.ToolTipRole:
            cell = paper.cell
            if name == "paper_T":
                return f"The paper: mean {cell.T}, standard deviation {cell.T_sd}, 500 runs."
            if name == "paper_S":
                return f"The paper: mean {cell.S}, standard deviation {cell.S_sd}, 500 runs."
            if name == "verdict":
                return f"{paper.verdict[:1].upper()}{paper.verdict[1:]}."
        return None
