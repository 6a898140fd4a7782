"""The lists of the page that finds iterations: what was found, told row by row when it is seen, and examples."""

from collections import OrderedDict
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from gpviz.app.theme import Theme, load_theme
from gpviz.engine import GpvizError
from gpviz.record.codes import VERDICTS
from gpviz.record.history import History
from gpviz.record.query import EXAMPLES
from gpviz.record.telling import VERDICT_SYMBOLS, VERDICT_WORDS, tell, tell_briefly

__all__ = ["ExamplesModel", "ResultsModel", "RowsView"]

_Index = QModelIndex | QPersistentModelIndex
_MOST_TOLD: Final = 512
_TEXT_ROLES: Final = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole)
_HEADINGS: Final = ("Iteration", "Symbol", "Verdict", "What happened")
_ITERATION, _SYMBOL, _VERDICT, _TELLING = range(4)


class ResultsModel(QAbstractTableModel):
    """The iterations found: their numbers, their verdicts, and what happened in a line."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._history: History | None = None
        self._iterations = np.zeros(0, dtype=np.int64)
        self._told: OrderedDict[int, str] = OrderedDict()
        self._theme = load_theme("light")

    @property
    def iterations(self) -> npt.NDArray[np.int64]:
        """What was found, in order."""
        return self._iterations

    def set_theme(self, theme: Theme) -> None:
        """Use this theme's colours."""
        self._theme = theme
        if len(self._iterations):
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._iterations) - 1, _TELLING))

    def clear(self, history: History | None) -> None:
        """Forget what was found; what is found next belongs to this history."""
        self.beginResetModel()
        self._history = history
        self._iterations = np.zeros(0, dtype=np.int64)
        self._told.clear()
        self.endResetModel()

    def add(self, iterations: npt.NDArray[np.int64]) -> None:
        """Add what was found after the rest."""
        if not len(iterations):
            return
        before = len(self._iterations)
        self.beginInsertRows(QModelIndex(), before, before + len(iterations) - 1)
        self._iterations = np.concatenate((self._iterations, iterations))
        self.endInsertRows()

    def row_of(self, iteration: int) -> int | None:
        """The row of an iteration, if it was found."""
        row = int(np.searchsorted(self._iterations, iteration))
        is_there = row < len(self._iterations) and self._iterations[row] == iteration
        return row if is_there else None

    def next_after(self, iteration: int) -> int | None:
        """The first one found after this iteration."""
        row = int(np.searchsorted(self._iterations, iteration, side="right"))
        return int(self._iterations[row]) if row < len(self._iterations) else None

    def last_before(self, iteration: int) -> int | None:
        """The last one found before this iteration."""
        row = int(np.searchsorted(self._iterations, iteration)) - 1
        return int(self._iterations[row]) if row >= 0 else None

    def rowCount(self, parent: _Index | None = None) -> int:  # noqa: N802
        return 0 if parent is not None and parent.isValid() else len(self._iterations)

    def columnCount(self, parent: _Index | None = None) -> int:  # noqa: N802
        return 0 if parent is not None and parent.isValid() else len(_HEADINGS)

    def headerData(  # noqa: N802
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        is_heading = orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        return _HEADINGS[section] if is_heading else None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        history = self._history
        if history is None:
            return None
        iteration, column = int(self._iterations[index.row()]), index.column()
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column == _ITERATION else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{tell(history, iteration)}\nEnter or a double click goes there."
        if role in _TEXT_ROLES and column == _ITERATION:
            return f"t = {iteration:,}"
        if role in _TEXT_ROLES and column == _TELLING:
            return self._telling(history, iteration)
        if column in (_SYMBOL, _VERDICT):
            verdict = VERDICTS[int(history.verdicts(iteration, iteration + 1)[0])]
            if role in _TEXT_ROLES:
                return VERDICT_SYMBOLS[verdict] if column == _SYMBOL else VERDICT_WORDS[verdict]
            if role == Qt.ItemDataRole.ForegroundRole and column == _SYMBOL:
                return QColor(self._theme.colours.of_verdict(verdict))
        return None

    def _telling(self, history: History, iteration: int) -> str:
        """What happened, remembered for the rows on show."""
        text = self._told.get(iteration)
        if text is None:
            try:
                text = tell_briefly(history, iteration)
            except GpvizError as problem:
                text = str(problem)
            self._told[iteration] = text
            if len(self._told) > _MOST_TOLD:
                self._told.popitem(last=False)
        return text


class ExamplesModel(QAbstractTableModel):
    """Queries to begin with and what they find."""

    def rowCount(self, parent: _Index | None = None) -> int:  # noqa: N802
        return 0 if parent is not None and parent.isValid() else len(EXAMPLES)

    def columnCount(self, parent: _Index | None = None) -> int:  # noqa: N802
        return 0 if parent is not None and parent.isValid() else 2

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role in _TEXT_ROLES:
            return EXAMPLES[index.row()][index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{EXAMPLES[index.row()][1]}.\nA click or Enter puts this query into the field."
        return None


class RowsView(QTableView):
    """A list of whole rows with neither grid nor heads, whose Return key chooses."""

    row_chosen = Signal(int)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().hide()
        self.horizontalHeader().setStretchLastSection(True)
        self.horizontalHeader().setMinimumSectionSize(8)
        self.verticalHeader().hide()
        # Asking each of a hundred thousand rows for its height would take long.
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(1)

    def set_widths(self, widest: tuple[str, ...]) -> None:
        """Make rows as high as the type, and the first columns as wide as these texts."""
        metrics = self.fontMetrics()
        self.verticalHeader().setDefaultSectionSize(round(metrics.height() * 1.3))
        for column, text in enumerate(widest):
            self.setColumnWidth(column, metrics.horizontalAdvance(text) + 2 * metrics.averageCharWidth())

    def minimumSizeHint(self) -> QSize:
        row = self.verticalHeader().defaultSectionSize()
        return QSize(super().minimumSizeHint().width(), 2 * row + 2 * self.frameWidth() + 8)

    def sizeHint(self) -> QSize:
        row = self.verticalHeader().defaultSectionSize()
        return QSize(super().sizeHint().width(), 6 * row + 2 * self.frameWidth() + 8)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.row_chosen.emit(self.currentIndex().row())
        elif event.key() == Qt.Key.Key_Space:
            event.ignore()  # the key plays the run
        else:
            super().keyPressEvent(event)
