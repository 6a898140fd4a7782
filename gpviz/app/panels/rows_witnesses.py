"""The list of the witnesses: the drawn rows on which parent and offspring differ, which decided the verdict."""

from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtWidgets import QListView, QWidget

from gpviz.engine import Verdict
from gpviz.record.rows import DrawnRows
from gpviz.record.rows_words import assignment_text, witness_text
from gpviz.record.telling import VERDICT_SYMBOLS

__all__ = ["WitnessList"]

_Index = QModelIndex | QPersistentModelIndex


class _Witnesses(QAbstractListModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.drawn: DrawnRows | None = None

    def rowCount(self, parent: _Index | None = None) -> int:  # noqa: N802
        if self.drawn is None or (parent is not None and parent.isValid()):
            return 0
        return len(self.drawn.witnesses)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self.drawn is None:
            return None
        witness = self.drawn.witnesses[index.row()]
        row = assignment_text(self.drawn.mask_of(witness.number), self.drawn.n)
        if role == Qt.ItemDataRole.DisplayRole:
            verdict = Verdict.IMPROVED if witness.is_parent_wrong else Verdict.WORSE
            return f"{VERDICT_SYMBOLS[verdict]} {row}"
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return f"Drawn row {witness.number + 1:,}: {row}; {witness_text(witness)}."
        return None

    def set_drawn(self, drawn: DrawnRows | None) -> None:
        self.beginResetModel()
        self.drawn = drawn
        self.endResetModel()


class WitnessList(QListView):
    """The witnesses; ▲ speaks for the offspring and ▼ against it. Going to one tells its row."""

    row_picked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._witnesses = _Witnesses(self)
        self.setModel(self._witnesses)
        self.setUniformItemSizes(True)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Rows that decided the verdict")
        self.setToolTip(
            "The drawn rows on which parent and offspring differ: ▲ only the parent is wrong, "
            "▼ only the offspring is wrong."
        )
        self.selectionModel().currentChanged.connect(self._on_current_changed)
        self.clicked.connect(self._on_clicked)

    def set_drawn(self, drawn: DrawnRows | None) -> None:
        """List the witnesses of these rows."""
        if drawn is not self._witnesses.drawn:
            self._witnesses.set_drawn(drawn)

    def count(self) -> int:
        """How many are listed."""
        return self._witnesses.rowCount()

    def sizeHint(self) -> QSize:
        return QSize(200, 2 * self._line() + 2 * self.frameWidth() + 8)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self._line() + 2 * self.frameWidth() + 8)

    def _line(self) -> int:
        return max(self.sizeHintForRow(0), self.fontMetrics().height())

    @Slot(QModelIndex, QModelIndex)
    def _on_current_changed(self, current: QModelIndex, previous: QModelIndex) -> None:
        self._tell(current)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self._tell(index)  # also if it is where the keyboard already is

    def _tell(self, index: QModelIndex) -> None:
        drawn = self._witnesses.drawn
        if drawn is not None and index.isValid():
            self.row_picked.emit(drawn.mask_of(drawn.witnesses[index.row()].number))
