"""The table of cells, live: how far each is, what its runs come to, and the paper's values beside them."""

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import (
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

from gpviz.app.experiments.cells_columns import COLUMNS, CellRow
from gpviz.app.experiments.cells_model import CellsModel
from gpviz.app.theme import Theme, load_theme
from gpviz.app.widgets.fields import sentence
from gpviz.app.widgets.table_setup import SortHead, set_up_rows
from gpviz.experiments.paper import table_verdict
from gpviz.experiments.plan import Plan
from gpviz.experiments.summary import CellSummary

__all__ = ["CellsTable"]

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
        view.setHorizontalHeader(SortHead(view))
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
