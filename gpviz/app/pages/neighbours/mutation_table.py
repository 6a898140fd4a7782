"""The table of mutations: every one that the next iteration can draw, with its probability and its effect."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QTableView, QWidget

from gpviz.app.theme import Theme, load_theme
from gpviz.app.widgets.table_setup import set_up_rows
from gpviz.engine import UNICODE, Mutation, Node, Operation, Verdict
from gpviz.engine.neighbourhood import Neighbour
from gpviz.engine.tree import Leaf, nodes_of
from gpviz.explain.mutation_odds import MutationOdds, acceptance, chance_text, exact_text, likely_verdict
from gpviz.explain.step_text import VERDICT_SYMBOLS, VERDICT_WORDS
from gpviz.number_text import number_text

__all__ = ["DEFAULT_SORTING", "MutationModel", "MutationTable", "Order", "Sorting", "ordered"]

_Index = QModelIndex | QPersistentModelIndex
_NONE: Final = "–"
_VERDICTS: Final = {verdict: place for place, verdict in enumerate(Verdict)}
_OPERATIONS: Final = {operation: place for place, operation in enumerate(Operation)}
_NUMERIC: Final = ("probability", "accepted", "change")
_PADDING: Final = 12
_ROOM_FOR_SIGN: Final = "\N{NO-BREAK SPACE}" * 3
"""On the right of a header is the sign of the sorting."""
_SWATCH: Final = 9


class Sorting(NamedTuple):
    """How the table is sorted and what of it is listed; None lists all."""

    column: str = "change"
    is_descending: bool = False
    verdict: Verdict | None = None
    operation: Operation | None = None


DEFAULT_SORTING: Final = Sorting()


class Order(NamedTuple):
    """The places of the listed neighbours, in the order of a sorting."""

    sorting: Sorting
    places: list[int]


class _Column(NamedTuple):
    header: str
    hint: str
    widest: str
    key: Callable[[Neighbour], Any]


_COLUMNS: Final = {
    "operation": _Column("Op.", "What is done.", "INS", lambda one: _OPERATIONS[one.mutation.operation]),
    "node": _Column(
        "Node", "The node, and its number in preorder.", "x₁₆ · 31", lambda one: one.mutation.node
    ),
    "variable": _Column(
        "Var.", "The variable that is inserted, or put in another's place.", "x₁₆", lambda one: _drawn(one)[0]
    ),
    "function": _Column("∧∨", "The function of the new inner node.", "∧", lambda one: _drawn(one)[1]),
    "change": _Column(
        "Error",
        "How the number of wrong rows changes; what is too large is not evaluated.",
        "−65,536",
        lambda one: one.error_change,
    ),
    "verdict": _Column(
        "Verdict",
        "What becomes of it; in a sampled run the most likely verdict.",
        "✕ unchanged",
        lambda one: _VERDICTS[likely_verdict(one)],
    ),
    "accepted": _Column("Accepted", "How likely it is accepted once it is drawn.", "1 in 10,000", acceptance),
    "probability": _Column(
        "Chance",
        "How likely the next iteration draws exactly this.",
        "1 in 6,048",
        lambda one: -one.probability.denominator,  # the numerator is 1, and fractions are slow to compare
    ),
    "side": _Column(
        "Side",
        "Where the new leaf goes. Left and right compute the same: both are one row.",
        "either",
        lambda one: one.mutation.operation is not Operation.INS,
    ),
}


def ordered(prospects: MutationOdds, sorting: Sorting) -> Order:
    """The neighbours that are listed, in order; those without a value come last, either way."""
    neighbours = prospects.neighbours
    places = [
        place
        for place, one in enumerate(neighbours)
        if (sorting.operation is None or one.mutation.operation is sorting.operation)
        and (sorting.verdict is None or likely_verdict(one) is sorting.verdict)
    ]
    key = _COLUMNS[sorting.column].key
    keys = [key(one) for one in neighbours]
    known = [place for place in places if keys[place] is not None]
    known.sort(key=keys.__getitem__, reverse=sorting.is_descending)
    return Order(sorting, known + [place for place in places if keys[place] is None])


class MutationModel(QAbstractTableModel):
    """The mutations as rows. Texts are made when they are looked at."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = load_theme("light")
        self._prospects: MutationOdds | None = None
        self._nodes: list[Node] = []
        self._order = Order(DEFAULT_SORTING, [])
        self._columns: list[str] = [name for name in _COLUMNS if name != "accepted"]

    @property
    def sorting(self) -> Sorting:
        """How it is sorted, and what is listed."""
        return self._order.sorting

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self._columns)

    def set_theme(self, theme: Theme) -> None:
        """Use this theme's colours."""
        self._theme = theme

    def show_prospects(self, prospects: MutationOdds | None, order: Order | None = None) -> None:
        """List these mutations, in this order if it is the one that is wanted."""
        is_sampled = prospects is not None and prospects.rules.is_sampled
        columns = [name for name in _COLUMNS if is_sampled or name != "accepted"]
        sorting = self.sorting
        if sorting.column not in columns:
            sorting = sorting._replace(column=DEFAULT_SORTING.column)
        if prospects is None:
            order = Order(sorting, [])
        elif order is None or order.sorting != sorting:
            order = ordered(prospects, sorting)
        self.beginResetModel()
        self._prospects = prospects
        self._nodes = [] if prospects is None else list(nodes_of(prospects.tree))
        self._columns = columns
        self._order = order
        self.endResetModel()

    def set_filter(self, verdict: Verdict | None, operation: Operation | None) -> None:
        """List only these; None is all."""
        self._arrange(self.sorting._replace(verdict=verdict, operation=operation))

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if not 0 <= column < len(self._columns):
            return
        is_descending = order == Qt.SortOrder.DescendingOrder
        self._arrange(self.sorting._replace(column=self._columns[column], is_descending=is_descending))

    def neighbour_at(self, row: int) -> Neighbour | None:
        """The neighbour in a row."""
        if self._prospects is None or not 0 <= row < len(self._order.places):
            return None
        return self._prospects.neighbours[self._order.places[row]]

    def row_of(self, mutation: Mutation) -> int | None:
        """The row of a mutation, if it is listed."""
        if self._prospects is None:
            return None
        neighbours = self._prospects.neighbours
        rows = enumerate(self._order.places)
        return next((row for row, place in rows if neighbours[place].mutation == mutation), None)

    def widest_texts(self) -> dict[str, list[str]]:
        """For the columns with long texts what may be the longest, so that nobody has to look at them all."""
        prospects = self._prospects
        if prospects is None or not prospects.neighbours:
            return {}
        changes = prospects.changes or {0: 0.0}
        last = f"{UNICODE.variable(prospects.rules.n)} · {len(self._nodes):,}"
        rarest = prospects.neighbours[0].probability  # an insertion
        return {
            "node": [last],
            "variable": [UNICODE.variable(prospects.rules.n)],
            "change": [_change_text(min(changes)), _change_text(max(changes))],
            "probability": [chance_text(rarest)],
        }

    def rowCount(self, parent: _Index | None = None) -> int:  # noqa: N802
        return 0 if parent is not None and parent.isValid() else len(self._order.places)

    def columnCount(self, parent: _Index | None = None) -> int:  # noqa: N802
        return 0 if parent is not None and parent.isValid() else len(self._columns)

    def headerData(  # noqa: N802
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self._columns):
            return None
        name = self._columns[section]
        column = _COLUMNS[name]
        if role == Qt.ItemDataRole.TextAlignmentRole and name in _NUMERIC:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{column.header}{_ROOM_FOR_SIGN}" if name in _NUMERIC else column.header
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{column.hint}\nA click sorts by it, or Return in this column."
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        one = self.neighbour_at(index.row())
        if one is None:
            return None
        name = self._columns[index.column()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._text(one, name)
        if role == Qt.ItemDataRole.TextAlignmentRole and name in _NUMERIC:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.DecorationRole and name == "verdict":
            return QColor(self._theme.colours.of_verdict(likely_verdict(one)))
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._hint(one, name)
        return None

    def _arrange(self, sorting: Sorting) -> None:
        if sorting == self.sorting:
            return
        self.beginResetModel()
        if self._prospects is None:
            self._order = Order(sorting, [])
        else:
            self._order = ordered(self._prospects, sorting)
        self.endResetModel()

    def _text(self, one: Neighbour, name: str) -> str:
        mutation = one.mutation
        is_insertion = mutation.operation is Operation.INS and bool(self._nodes)
        match name:
            case "operation":
                return mutation.operation.value
            case "node":
                return self._node_text(mutation.node)
            case "variable":
                return _NONE if mutation.operation is Operation.DEL else UNICODE.variable(mutation.variable)
            case "function":
                return UNICODE.function(mutation.function) if is_insertion else _NONE
            case "side":
                return "either" if is_insertion else _NONE
            case "probability":
                return chance_text(one.probability)
            case "verdict":
                verdict = likely_verdict(one)
                return f"{VERDICT_SYMBOLS[verdict]} {VERDICT_WORDS[verdict]}"
            case "accepted":
                return chance_text(acceptance(one))
            case _:
                return _change_text(one.error_change)

    def _node_text(self, number: int) -> str:
        if not self._nodes:
            return _NONE
        node = self._nodes[number]
        label = UNICODE.variable(node.variable) if isinstance(node, Leaf) else UNICODE.function(node.function)
        return f"{label} · {number + 1:,}"

    def _hint(self, one: Neighbour, name: str) -> str | None:
        if name == "probability":
            return exact_text(one.probability)
        if name == "side" and one.mutation.operation is Operation.INS and self._nodes:
            return "Left or right: both compute the same, so they share a row."
        if name == "change" and one.error is not None:
            return f"The error would be {number_text(one.error)}."
        if name in ("verdict", "accepted") and one.chances is not None:
            words = ("improved", "neutral", "worse")
            return ", ".join(f"{word} {chance_text(c)}" for word, c in zip(words, one.chances, strict=True))
        return None


class MutationTable(QTableView):
    """The table on the screen. Arrow keys move, Return sorts by the column, Escape chooses nothing."""

    def __init__(self, model: MutationModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mutations = model
        self._widths: dict[str, int] = {}
        self._fitted: tuple[tuple[str, ...], dict[str, int]] = ((), {})
        self.setModel(model)
        set_up_rows(self, "Mutations of this tree", has_several=False)
        self.setToolTip("Choose a row to see it on the tree.")
        self.setIconSize(QSize(_SWATCH, _SWATCH))
        header = self.horizontalHeader()
        header.setStretchLastSection(True)
        header.setSortIndicator(model.columns.index(model.sorting.column), Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        model.modelReset.connect(self._show_sorting)
        self.set_theme(load_theme("light"))

    def set_theme(self, theme: Theme) -> None:
        """Make room for this theme's type."""
        self._mutations.set_theme(theme)
        self._metrics = metrics = QFontMetrics(theme.font())
        self.verticalHeader().setDefaultSectionSize(metrics.height() + 5)
        self._widths = {}
        for name, column in _COLUMNS.items():
            header = column.header + (_ROOM_FOR_SIGN if name in _NUMERIC else "")
            self._widths[name] = _PADDING + max(map(metrics.horizontalAdvance, (header, column.widest)))
        self._widths["verdict"] += _SWATCH + 4
        self._fit_columns()
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._sort_by(self.currentIndex().column())
        elif event.key() == Qt.Key.Key_Escape and self.currentIndex().isValid():
            self.setCurrentIndex(QModelIndex())
            self.clearSelection()
        else:
            super().keyPressEvent(event)

    def _sort_by(self, column: int) -> None:
        """Sort by a column, or the other way round if it is sorted by it."""
        sorting = self._mutations.sorting
        is_same = self._mutations.columns[column] == sorting.column
        is_descending = is_same and not sorting.is_descending
        self.sortByColumn(column, _qt_order(is_descending))

    def _show_sorting(self) -> None:
        """Where there are other columns than before, the sign of the sorting moves along."""
        sorting, columns, header = self._mutations.sorting, self._mutations.columns, self.horizontalHeader()
        if sorting.column in columns:
            place = columns.index(sorting.column)
            if header.sortIndicatorSection() != place:
                header.blockSignals(True)
                header.setSortIndicator(place, _qt_order(sorting.is_descending))
                header.blockSignals(False)
        self._fit_columns()

    def _fit_columns(self) -> None:
        """Make columns wide enough, and none narrower, so that they stay where they are from tree to tree."""
        for name, texts in self._mutations.widest_texts().items():
            needed = max(map(self._metrics.horizontalAdvance, texts)) + _PADDING
            self._widths[name] = max(self._widths[name], needed)
        if self._fitted != (self._mutations.columns, self._widths):
            self._fitted = (self._mutations.columns, dict(self._widths))
            for place, name in enumerate(self._mutations.columns):
                self.setColumnWidth(place, self._widths[name])


def _qt_order(is_descending: bool) -> Qt.SortOrder:
    return Qt.SortOrder.DescendingOrder if is_descending else Qt.SortOrder.AscendingOrder


def _drawn(one: Neighbour) -> tuple[int | None, str | None]:
    """The variable and the function that the operation uses."""
    mutation = one.mutation
    variable = None if mutation.operation is Operation.DEL else mutation.variable
    return variable, mutation.function.value if mutation.operation is Operation.INS else None


def _change_text(change: int | None) -> str:
    if change is None:
        return _NONE
    return f"{'+' if change > 0 else '−'}{number_text(abs(change))}" if change else "0"
