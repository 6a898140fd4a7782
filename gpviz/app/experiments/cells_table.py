"""The table of cells, live: how far each is, what its runs come to, and the paper's values beside them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelection,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QAction, QColor, QFontMetrics, QGuiApplication, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from gpviz.app.theme import Theme, load_theme
from gpviz.app.widgets.fields import sentence
from gpviz.app.widgets.table_setup import SortableHeader, set_up_rows
from gpviz.engine.settings import NO_VALUE, LimitExpression, setting
from gpviz.experiments.figures.ticks import tick_text
from gpviz.experiments.paper_tables import table_verdict
from gpviz.experiments.plan import Plan
from gpviz.experiments.statistics import CellSummary, Moments

__all__ = ["COLUMNS", "GRADES", "CellRow", "CellsModel", "CellsTable", "Column", "setting_column"]

# The columns of the table of cells: their heads, what they say of a cell, and what they are sorted by.

GRADES: Final = {
    "agrees": ("✓", "improved", 0),
    "a little off": ("≈", "stuck", 1),
    "differs": ("✗", "problem", 2),
    "too few runs": ("…", "muted", 3),
}
"""For each grade of a cell beside the paper its sign, its colour, and its place in the order."""

_Z_HINT: Final = (
    "z says how many standard errors ours lies above the paper's, below if negative; chance alone keeps it between"
    " −2 and 2 in 95 of 100 cells."
)
_LEFT: Final = ("verdict", "progress")
_CENTRE: Final = int(Qt.AlignmentFlag.AlignCenter)
_RIGHT: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_Index = QModelIndex | QPersistentModelIndex
_MEASURED: Final = 40
"""So many rows have a say in how wide the columns are."""
_ROOM_FOR_SIGN: Final = "\N{NO-BREAK SPACE}" * 4
_PADDING: Final = 16
_BAR: Final = "00000"
"""The bar of a cell's progress is as wide as this."""
_SWATCH: Final = 10
_EMPTY: Final = (
    "No plan is chosen yet. Its cells will be listed here, with what their runs come to and the paper's values"
    " beside them."
)


class CellRow(NamedTuple):
    """What is known of a cell."""

    summary: CellSummary
    done: int
    median: float | None


class Column(NamedTuple):
    header: str
    hint: str
    text: Callable[[CellRow], str]
    key: Callable[[CellRow], Any]
    widest: str = ""


def _moments_text(moments: Moments, decimals: int) -> str:
    if moments.mean is None:
        return NO_VALUE
    mean = f"{moments.mean:,.{decimals}f}"
    return mean if moments.sd is None else f"{mean} ({moments.sd:,.{decimals}f})"


def _z_text(z: float | None) -> str:
    return "" if z is None else f"  z {z:+.1f}".replace("-", "−")


def _stuck_text(row: CellRow) -> str:
    share = row.summary.stuck_share
    if share is None:
        return NO_VALUE
    return f"{100 * share:.1f} % ({100 * row.summary.stuck_low:.1f} to {100 * row.summary.stuck_high:.1f})"


def _iterations_of_paper(row: CellRow) -> str:
    paper = row.summary.paper
    return NO_VALUE if paper is None else f"{paper.cell.T:.1f}{_z_text(paper.z_T)}"


def _leaves_of_paper(row: CellRow) -> str:
    paper = row.summary.paper
    return NO_VALUE if paper is None else f"{paper.cell.S:.1f}{_z_text(paper.z_S)}"


def _stuck_of_paper(row: CellRow) -> str:
    paper = row.summary.paper
    if paper is None or paper.cell.B is None:
        return NO_VALUE
    return f"{100 * paper.cell.B:.1f} %{_z_text(paper.z_B)}"


def _z_key(name: str) -> Callable[[CellRow], Any]:
    def key(row: CellRow) -> Any:
        return None if row.summary.paper is None else getattr(row.summary.paper, name)

    return key


def _verdict_text(row: CellRow) -> str:
    paper = row.summary.paper
    return NO_VALUE if paper is None else f"{GRADES[paper.grade][0]} {paper.grade}"


def _verdict_key(row: CellRow) -> Any:
    return None if row.summary.paper is None else GRADES[row.summary.paper.grade][2]


def _expected_text(row: CellRow) -> str:
    expected = row.summary.expected_running_time
    return NO_VALUE if expected is None else f"{expected:,.1f}"


def _error_text(row: CellRow) -> str:
    error = row.summary.generalisation_error
    return NO_VALUE if error is None else tick_text(float(f"{error:.2e}"))


COLUMNS: Final = {
    "progress": Column(
        "Runs", "How many runs are done, and how many there are to be.", lambda row: "", lambda row: row.done
    ),
    "verdict": Column(
        "Verdict", "Whether the cell agrees with the paper: ✓ all z within 2, ≈ within 3, ✗ beyond.",
        _verdict_text, _verdict_key, "≈ a little off",
    ),
    "stuck": Column(
        "B, stuck", "B, the share of runs proven to be stuck for ever, with its 95 % interval.", _stuck_text,
        lambda row: row.summary.stuck_share, "0.7 % (0.2 to 2.4)",
    ),
    "paper_B": Column(
        "Paper's B", f"The paper's share of stuck runs. {_Z_HINT}", _stuck_of_paper, _z_key("z_B"),
        "0.8 %  z −0.3",
    ),
    "T": Column(
        "T (sd)", "T, the iterations of solved runs: mean and standard deviation.",
        lambda row: _moments_text(row.summary.T, 1), lambda row: row.summary.T.mean, "146.7 (85.3)",
    ),
    "paper_T": Column(
        "Paper's T", f"The paper's mean of T. {_Z_HINT}", _iterations_of_paper, _z_key("z_T"), "151.8  z −0.3",
    ),
    "S": Column(
        "S (sd)", "S, the leaves of the final tree of solved runs: mean and standard deviation.",
        lambda row: _moments_text(row.summary.S, 2), lambda row: row.summary.S.mean, "12.7 (2.3)",
    ),
    "paper_S": Column(
        "Paper's S", f"The paper's mean of S. {_Z_HINT}", _leaves_of_paper, _z_key("z_S"), "12.7  z −0.3",
    ),
    "median": Column(
        "Median T", "Half of the solved runs took at most so many iterations.",
        lambda row: NO_VALUE if row.median is None else f"{row.median:,.1f}", lambda row: row.median,
    ),
    "expected": Column(
        "Expected time", "Iterations spent on all runs, also on those that were not solved, for each that was.",
        _expected_text, lambda row: row.summary.expected_running_time, "1,234.5",
    ),
    "ended": Column(
        "Ended", "Runs that were stopped at the plan's max_iterations, or whose tree became too complex.",
        lambda row: f"{row.summary.stopped + row.summary.failed:,}",
        lambda row: row.summary.stopped + row.summary.failed,
    ),
    "solved": Column(
        "Solved", "Runs that found a correct tree.", lambda row: f"{row.summary.solved:,}",
        lambda row: row.summary.solved, "10,000",
    ),
    "ors": Column(
        "ORs (sd)", "ORs in the final tree of solved runs: mean and standard deviation.",
        lambda row: _moments_text(row.summary.ors, 2), lambda row: row.summary.ors.mean, "0.22 (0.51)",
    ),
    "ors_accepted": Column(
        "ORs accepted", "ORs that were accepted on the way to a solution: mean and standard deviation.",
        lambda row: _moments_text(row.summary.ors_accepted, 2), lambda row: row.summary.ors_accepted.mean,
    ),
    "error": Column(
        "Gen. error", "The generalisation error: the share of all rows on which the result is wrong, on average.",
        _error_text, lambda row: row.summary.generalisation_error, "1.25·10⁻⁵",
    ),
}  # fmt: skip
"""In the order of the table: what one looks for first is in sight on a small screen, too."""


def setting_column(name: str) -> Column:
    described = setting(name)

    def text(row: CellRow) -> str:
        return described.cell_text(row.summary.cell.config)

    def key(row: CellRow) -> Any:
        config = row.summary.cell.config
        value = described.value_of(config)
        if isinstance(described.kind, LimitExpression):
            return float("inf") if config.max_leaves is None else config.max_leaves
        return value if isinstance(value, int) or value is None else str(value)

    return Column(described.column_title, described.table_help, text, key)


# The cells of a plan as rows of a table that stays in place while its numbers change.


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
            self._columns = {name: setting_column(name) for name in plan.varied_settings} | COLUMNS
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


class _ProgressDelegate(QStyledItemDelegate):
    """A small bar, and the numbers beside it."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.theme = theme

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        model = index.model()
        assert isinstance(model, CellsModel)
        self.initStyleOption(option, index)
        text, option.text = option.text, ""
        style = option.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        rect = QRect(option.rect)
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        colours = self.theme.colours
        metrics = QFontMetrics(option.font)
        width = metrics.horizontalAdvance(_BAR)
        height = 2 * (metrics.height() // 5) + 1
        bar = QRect(rect.left() + 6, rect.center().y() - height // 2, width, height)
        share = min(1.0, model.row(index.row()).done / max(1, model.runs))
        painter.save()
        front = QColor(colours.accent_text if is_selected else colours.accent)
        back = QColor(front if is_selected else colours.border)
        if is_selected:
            back.setAlphaF(0.35)
        painter.fillRect(bar, back)
        painter.fillRect(QRect(bar.topLeft(), QSize(round(share * bar.width()), bar.height())), front)
        painter.restore()
        # The style writes the numbers as it writes those beside them, so that they stand on one line.
        option.rect = rect.adjusted(width + 11, 0, 0, 0)
        option.text = text
        option.state &= ~QStyle.StateFlag.State_HasFocus
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        hint = super().sizeHint(option, index)
        metrics = QFontMetrics(option.font)
        return QSize(hint.width() + metrics.horizontalAdvance(_BAR) + 20, hint.height())


class CellsTable(QWidget):
    """The table, and below it what all cells say together about the paper."""

    cell_chosen = Signal(int)
    cells_selected = Signal(object)
    """The numbers of the selected cells, as a tuple."""

    def __init__(self, theme: Theme | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme or load_theme("light")
        self.model = CellsModel(self)
        self.view = QTableView()
        self.verdict = sentence("muted")
        self.empty = sentence("muted")
        self.empty.setText(_EMPTY)
        self.copy_action = QAction("&Copy the selected rows", self)
        self.sort_action = QAction("&Sort by this column", self)
        self._delegate = _ProgressDelegate(self._theme, self)
        self._delegated: int | None = None
        self._has_sized: dict[str, int] = {}
        self._build()
        self.setFocusProxy(self.view)
        self.set_theme(self._theme)

    def show_cells(
        self,
        plan: Plan,
        summaries: Sequence[CellSummary],
        done_by_cell: Sequence[int],
        medians: Mapping[int, float] | None = None,
    ) -> None:
        """Show what the cells come to now. Selection, sorting and what is in view stay as they are."""
        known = medians or {}
        rows = [
            CellRow(summary, done, known.get(summary.cell.number))
            for summary, done in zip(summaries, done_by_cell, strict=True)
        ]
        if self.model.show_rows(plan, rows):
            self._on_new_plan()
        self._show_telling()
        self._fit_columns()
        comparisons = [summary.paper for summary in summaries if summary.paper is not None]
        text = table_verdict(comparisons).sentence if comparisons else ""
        if text != self.verdict.text():
            self.verdict.setText(text)
        self.verdict.setVisible(bool(text))
        self.empty.hide()
        self.view.show()

    def selected_cells(self) -> tuple[int, ...]:
        """The cells whose rows are selected."""
        rows = self.view.selectionModel().selectedRows()
        return tuple(sorted(self.model.cell_at(index.row()) for index in rows))

    def set_theme(self, theme: Theme) -> None:
        """Take colours and type from the theme."""
        self._theme = theme
        self.model.set_theme(theme)
        self._delegate.theme = theme
        self.view.setIconSize(QSize(_SWATCH, _SWATCH))
        self.view.verticalHeader().setDefaultSectionSize(QFontMetrics(theme.font()).height() + 7)
        self._has_sized = {}
        self._fit_columns()
        self.view.viewport().update()

    @Slot()
    def copy(self) -> None:
        """Put the selected rows on the clipboard, or all if none is, with the heads of the columns."""
        names = [name for at, name in enumerate(self.model.names) if not self.view.isColumnHidden(at)]
        chosen = sorted({index.row() for index in self.view.selectionModel().selectedRows()})
        heads = [
            self.model.headerData(self.model.names.index(name), Qt.Orientation.Horizontal) for name in names
        ]
        lines = ["\t".join(heads)]
        lines += [
            "\t".join(self.model.text_at(at, name) for name in names)
            for at in chosen or range(self.model.rowCount())
        ]
        QGuiApplication.clipboard().setText("\n".join(lines))

    @Slot()
    def sort(self) -> None:
        """Do what a click on the head of the current column does: up, down, and then as the plan has them."""
        header, column = self.view.horizontalHeader(), self.view.currentIndex().column()
        up, down = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
        if header.sortIndicatorSection() != column:
            header.setSortIndicator(column, up)
        elif header.sortIndicatorOrder() is up:
            header.setSortIndicator(column, down)
        else:
            header.setSortIndicator(-1, up)

    def _build(self) -> None:
        view = self.view
        view.setHorizontalHeader(SortableHeader(view))
        view.setModel(self.model)
        set_up_rows(view, "Cells of the plan")
        view.setAccessibleDescription(
            "One row per combination of settings, with what its runs come to; Shift+Return sorts by the column."
        )
        header = view.horizontalHeader()
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setSortIndicatorClearable(True)
        view.setSortingEnabled(True)
        view.hide()
        self.verdict.hide()
        self.verdict.setAccessibleName("What all cells say together")
        for action, keys, deed in (
            (self.copy_action, QKeySequence(QKeySequence.StandardKey.Copy), self.copy),
            (self.sort_action, QKeySequence("Shift+Return"), self.sort),
        ):
            action.setShortcut(keys)
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.triggered.connect(deed)
            view.addAction(action)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        selection = view.selectionModel()
        selection.currentRowChanged.connect(self._on_row_changed)
        selection.selectionChanged.connect(self._on_selection_changed)
        view.activated.connect(self._on_activated)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.empty)
        column.addWidget(view, 1)
        column.addWidget(self.verdict)

    def _on_new_plan(self) -> None:
        self.view.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        if self._delegated is not None:
            self.view.setItemDelegateForColumn(self._delegated, None)  # type: ignore[arg-type]
        self._delegated = self.model.names.index("progress")
        self.view.setItemDelegateForColumn(self._delegated, self._delegate)
        self._has_sized = {}

    def _show_telling(self) -> None:
        for at, name in enumerate(self.model.names):
            is_hidden = not self.model.is_telling(name)
            if is_hidden != self.view.isColumnHidden(at):
                self.view.setColumnHidden(at, is_hidden)

    def _fit_columns(self) -> None:
        """Make columns wider where that is needed, and never narrower: they are not to dance."""
        metrics = QFontMetrics(self._theme.font())
        count = min(_MEASURED, self.model.rowCount())
        for at, name in enumerate(self.model.names):
            header = f"{self.model.headerData(at, Qt.Orientation.Horizontal)}{_ROOM_FOR_SIGN}"
            widest = COLUMNS[name].widest if name in COLUMNS else ""
            texts = [header, widest, *(self.model.text_at(row, name) for row in range(count))]
            width = max(metrics.horizontalAdvance(text) for text in texts) + _PADDING
            if name == "progress":
                width += metrics.horizontalAdvance(_BAR) + 14
            if name == "verdict":
                width += _SWATCH + 6
            if width > self._has_sized.get(name, 0):
                self._has_sized[name] = width
                self.view.setColumnWidth(at, width)

    @Slot(QModelIndex, QModelIndex)
    def _on_row_changed(self, current: QModelIndex, _before: QModelIndex) -> None:
        if current.isValid():
            self.cell_chosen.emit(self.model.cell_at(current.row()))

    @Slot(QModelIndex)
    def _on_activated(self, index: QModelIndex) -> None:
        self.cell_chosen.emit(self.model.cell_at(index.row()))

    @Slot(QItemSelection, QItemSelection)
    def _on_selection_changed(self, _chosen: QItemSelection, _left: QItemSelection) -> None:
        self.cells_selected.emit(self.selected_cells())
