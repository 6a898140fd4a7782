"""The table of a proof: leaves with their costs, improving mutations, or the steps of a way out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from gpviz.app.theme import Theme
from gpviz.engine import UNICODE, Verdict
from gpviz.record.proof import Improvement, LeafCost, PathStep, change_text, probability_text
from gpviz.record.telling import VERDICT_SYMBOLS, VERDICT_WORDS, number_text

__all__ = ["ProofTable", "Row", "improvement_rows", "leaf_rows", "path_rows"]

_Index = QModelIndex | QPersistentModelIndex
_ROWS_MEASURED: Final = 50

LEAF_HEADERS: Final = ("Leaf", "If deleted", "Best substitution", "Role")
IMPROVEMENT_HEADERS: Final = ("Mutation", "Error", "Probability")
PATH_HEADERS: Final = ("Step", "Mutation", "Error", "Verdict")


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of a row, its tooltip, and whether it is about a redundant leaf or ends with a verdict."""

    cells: tuple[str, ...]
    hint: str
    is_redundant: bool = False
    verdict: Verdict | None = None


def leaf_rows(leaves: Sequence[LeafCost]) -> list[Row]:
    """Each leaf with what its deletion and its best substitution would cost."""
    return [_leaf_row(leaf) for leaf in leaves]


def improvement_rows(improvements: Sequence[Improvement]) -> list[Row]:
    """The improving mutations, the best first."""
    return [
        Row(
            (each.words, change_text(each.error_change), probability_text(each.probability)),
            f"{each.words}. Choose it to see what it would do.",
        )
        for each in improvements
    ]


def path_rows(path: Sequence[PathStep], error: int | None) -> list[Row]:
    """The way out as a numbered list; row 0 is where it starts."""
    start = "–" if error is None else number_text(error)
    rows = [Row(("start", "The tree on show", start, ""), "The tree on show.")]
    for number, step in enumerate(path, start=1):
        word = f"{VERDICT_SYMBOLS[step.verdict]} {VERDICT_WORDS[step.verdict]}"
        cells = (f"{number:,}", step.words, number_text(step.error), word)
        rows.append(Row(cells, f"{step.words}: {VERDICT_WORDS[step.verdict]}.", verdict=step.verdict))
    return rows


def _leaf_row(leaf: LeafCost) -> Row:
    place = f"{leaf.label}, node {leaf.number + 1:,}"
    deletion = "never: the root" if leaf.deletion is None else f"error {change_text(leaf.deletion)}"
    substitution = "no other variable"
    if leaf.variable is not None:
        substitution = f"{UNICODE.variable(leaf.variable)}: error {change_text(leaf.substitution)}"
    role, words = _role(leaf)
    hint = f"The leaf {place}. {words}\nIf deleted: {deletion}\nBest substitution: {substitution}"
    return Row((place, deletion, substitution, role), hint, is_redundant=leaf.is_redundant)


def _role(leaf: LeafCost) -> tuple[str, str]:
    """What the tree has of a leaf: a word or two, and a sentence."""
    if not leaf.is_redundant:
        return "essential", "The tree needs it."
    if leaf.deletion is not None and leaf.deletion > 0:
        return "redundant, but not alone", "A subtree with it could go without loss, yet alone it cannot go."
    return "redundant", "It could go without loss."


class _Rows(QAbstractTableModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.headers: tuple[str, ...] = ()
        self.rows: list[Row] = []
        self.theme: Theme | None = None

    def show_rows(self, headers: tuple[str, ...], rows: list[Row]) -> None:
        self.beginResetModel()
        self.headers, self.rows = headers, rows
        self.endResetModel()

    def rowCount(self, parent: _Index | None = None) -> int:  # noqa: N802
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: _Index | None = None) -> int:  # noqa: N802
        return 0 if parent is not None and parent.isValid() else len(self.headers)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.rows[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.cells[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return row.hint
        if self.theme is None:
            return None
        colours = self.theme.colours
        if role == Qt.ItemDataRole.FontRole:
            is_end = row.verdict is Verdict.IMPROVED or (row.is_redundant and not index.column())
            return self.theme.font(is_bold=is_end)
        if row.is_redundant and not index.column():
            if role == Qt.ItemDataRole.BackgroundRole:
                return QColor(colours.redundant_fill)
            if role == Qt.ItemDataRole.ForegroundRole:
                return QColor(colours.leaf_text)
        return None

    def headerData(  # noqa: N802
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal or section >= len(self.headers):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.headers[section]
        if role == Qt.ItemDataRole.FontRole and self.theme is not None:
            return self.theme.font()
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None


class ProofTable(QTableView):
    """Shows rows; the arrow keys choose one."""

    row_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = _Rows(self)
        self.setModel(self._rows)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setResizeContentsPrecision(_ROWS_MEASURED)
        self.setCornerWidget(QWidget())  # Qt would paint one of its own
        self.setAccessibleName("The proof")
        self.selectionModel().currentRowChanged.connect(self._on_current_row_changed)
        self.clicked.connect(self._on_clicked)

    @property
    def rows(self) -> list[Row]:
        """What it shows."""
        return self._rows.rows

    @property
    def headers(self) -> tuple[str, ...]:
        """What its columns are."""
        return self._rows.headers

    def set_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self._rows.theme = theme
        height = round(theme.font_size * 2.0)
        self.verticalHeader().setMinimumSectionSize(height)
        self.verticalHeader().setDefaultSectionSize(height)
        self._fit()

    def show_rows(self, headers: tuple[str, ...], rows: list[Row], name: str) -> None:
        """Show other rows, none of them chosen."""
        if (headers, rows) == (self.headers, self.rows):
            return
        self._rows.show_rows(headers, rows)
        self.setAccessibleName(name)
        self._fit()

    def point_at(self, row: int | None) -> None:
        """Mark a row as chosen, without a word to anybody."""
        with QSignalBlocker(self):
            if row is None:
                self.clearSelection()
                self.selectionModel().clearCurrentIndex()
                return
            index = self._rows.index(row, 0)
            wanted = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.selectionModel().setCurrentIndex(index, wanted)
            self.scrollTo(index)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 3 * self.verticalHeader().defaultSectionSize())

    def _fit(self) -> None:
        header = self.horizontalHeader()
        widest = self.headers.index("Mutation") if "Mutation" in self.headers else len(self.headers) - 1
        for section in range(len(self.headers)):
            is_widest = section == widest
            mode = QHeaderView.ResizeMode.Stretch if is_widest else QHeaderView.ResizeMode.ResizeToContents
            header.setSectionResizeMode(section, mode)

    @Slot(QModelIndex, QModelIndex)
    def _on_current_row_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if current.isValid():
            self.row_chosen.emit(current.row())

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self.row_chosen.emit(index.row())  # also of the row that was chosen before
