"""The table of runs on the screen: whole rows, several at a time, and keys that open, compare and copy them."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QMenu, QTableView, QWidget

from gpviz.app.experiments.outcome_icons import ICON_SHAPE
from gpviz.app.experiments.runs_model import COLUMNS, RunsModel
from gpviz.app.theme import Theme, load_theme
from gpviz.app.widgets.table_setup import SortHead, set_up_rows

__all__ = ["Entry", "RunsView", "menu_of"]

_PADDING: Final = 16
_ROOM_FOR_SIGN: Final = 16


class Entry(NamedTuple):
    """What a menu offers: its words, the key that does the same, what it does, and whether it can."""

    text: str
    keys: str
    deed: Callable[[], None]
    is_possible: bool


class RunsView(QTableView):
    """Whole rows. Return opens the current one, Escape chooses none."""

    row_opened = Signal(int)
    copy_asked = Signal()
    menu_asked = Signal(object)

    def __init__(self, model: RunsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runs = model
        self._theme = load_theme("light")
        self._note = ""
        self._widths: list[int] = []
        self.setHorizontalHeader(SortHead(self))
        self.setModel(model)
        set_up_rows(self, "Runs")
        self.setAccessibleDescription(
            "Return opens a run in the stepper; choose two to four and press Ctrl+K to compare them."
        )
        header = self.horizontalHeader()
        header.setSortIndicatorShown(True)
        header.setResizeContentsPrecision(0)
        self.doubleClicked.connect(self._on_double_clicked)
        self.set_theme(self._theme)

    def set_theme(self, theme: Theme) -> None:
        """Make room for this theme's type."""
        self._theme = theme
        metrics = QFontMetrics(theme.font())
        self.verticalHeader().setDefaultSectionSize(metrics.height() + 7)
        self.setIconSize(QSize(round(ICON_SHAPE * metrics.ascent()), metrics.ascent()))
        self.fit_columns()
        self.viewport().update()

    def fit_columns(self) -> None:
        """Make columns as wide as what usually stands in them."""
        metrics = QFontMetrics(self._theme.font())
        plan = self._runs.plan
        self._widths = []
        for name, head in zip(self._runs.columns, self._runs.heads(), strict=True):
            texts = [COLUMNS[name].widest] if name in COLUMNS else []
            if name == "seed" and plan is not None:
                texts.append(str(plan.seed + plan.runs)[:20])
            elif name not in COLUMNS and plan is not None:
                texts += [self._runs.setting_of(cell, name) for cell in range(len(plan.cells))]
            width = max(map(metrics.horizontalAdvance, texts), default=0)
            if name == "outcome":
                width += self.iconSize().width() + 6
            width = max(width, metrics.horizontalAdvance(head) + _ROOM_FOR_SIGN)
            self._widths.append(width + _PADDING)
        self._spread_columns()

    def show_note(self, text: str) -> None:
        """Write a sentence where rows would be; for want of rows."""
        self._note = text
        self.viewport().update()

    def chosen_rows(self) -> list[range]:
        """The rows that are chosen, in order; ranges, as there may be a million."""
        selection = self.selectionModel().selection()
        parts = [selection.at(place) for place in range(selection.size())]
        found = sorted({(part.top(), part.bottom()) for part in parts})
        return [range(top, bottom + 1) for top, bottom in found]

    def choose_rows(self, rows: list[int], current: int | None) -> None:
        """Choose these rows and no others."""
        model = self.model()
        last = model.columnCount() - 1
        selection = QItemSelection()
        for row in rows:
            selection.select(model.index(row, 0), model.index(row, last))
        chooser = self.selectionModel()
        chooser.select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if current is not None:
            chooser.setCurrentIndex(model.index(current, 0), QItemSelectionModel.SelectionFlag.NoUpdate)

    def seen_rows(self) -> range:
        """The rows that are to be seen."""
        height = max(self.verticalHeader().defaultSectionSize(), 1)
        first = self.verticalScrollBar().value() // height
        return range(first, first + self.viewport().height() // height + 2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        current = self.currentIndex()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and current.isValid():
            self.row_opened.emit(current.row())
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy_asked.emit()
        elif event.key() == Qt.Key.Key_Escape and self.selectionModel().hasSelection():
            self.clearSelection()
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:  # noqa: N802
        """Nothing: it would read all rows from the file, one after the other."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._spread_columns()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        place = event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            place = self.viewport().mapToGlobal(self.visualRect(self.currentIndex()).bottomLeft())
        self.menu_asked.emit(place)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._note and not self.model().rowCount():
            with QPainter(self.viewport()) as painter:
                painter.setPen(self.palette().placeholderText().color())
                area = self.viewport().rect().adjusted(12, 12, -12, -12)
                flags = int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap)
                painter.drawText(area, flags, self._note)

    def _spread_columns(self) -> None:
        """Share out what room is left over, and no less than each column needs."""
        spare = max(self.viewport().width() - sum(self._widths), 0)
        for place, width in enumerate(self._widths):
            share = spare // (len(self._widths) - place)
            spare -= share
            self.setColumnWidth(place, width + share)

    @Slot(QModelIndex)
    def _on_double_clicked(self, index: QModelIndex) -> None:
        self.row_opened.emit(index.row())


def menu_of(entries: Sequence[Entry], parent: QWidget) -> QMenu:
    """A menu that is gone when it is closed."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for text, keys, deed, is_possible in entries:
        action = QAction(f"{text}\t{keys}" if keys else text, menu)
        action.setEnabled(is_possible)
        action.triggered.connect(deed)
        menu.addAction(action)
    return menu
