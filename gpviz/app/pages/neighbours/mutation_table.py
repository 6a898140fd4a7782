"""The table of mutations: every one that the next iteration can draw, what it does to the error, its chance."""

from collections import Counter
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QModelIndex, QObject, Qt
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QFrame, QHeaderView, QTableView, QWidget

from gpviz.analysis.neighbourhood import Neighbour
from gpviz.app.theme import Theme, readable_on
from gpviz.app.widgets.tables import (
    CENTRE,
    LEFT,
    RIGHT,
    Column,
    SortableHeader,
    TableModel,
    add_sort_menu,
    set_up_rows,
    sorted_indexes,
)
from gpviz.app.widgets.themed import Themed
from gpviz.engine import UNICODE, Mutation, Node, Operation, Verdict
from gpviz.engine.mutation import is_root_and
from gpviz.engine.tree import ROOT, nodes_of
from gpviz.explain.neighbour_outlooks import NeighbourOutlooks
from gpviz.explain.next_iteration_odds import MutationOdds, acceptance, likely_verdict
from gpviz.explain.step_text import VERDICT_SYMBOLS, name_of, phrase, verdict_word
from gpviz.number_text import chance_text, change_text, exact_chance_text, number_text, signed_text

MUTATION: Final = "mutation"
STUCK_AFTER: Final = "stuck_after"
"""The names of two columns: what is done, and the chance to end stuck after it."""
ALL: Final = ""
ROOT_AND: Final = "root-and"
FATAL_MOVES: Final = "fatal"
"""What is listed beside single operations and verdicts: all, root-ands, moves after which every run is stuck."""

_NONE: Final = "–"
_VERDICTS: Final = {verdict: index for index, verdict in enumerate(Verdict)}
_OPERATIONS: Final = {operation: index for index, operation in enumerate(Operation)}
_PADDING: Final = 14
_LINES: Final = 1.55
"""The height of a row, as a multiple of the type's."""
_LARGE: Final = 1_000_000
"""Errors from here on are too long to stand before and behind an arrow."""
_HEAD_TYPE: Final = 0.85
_ARROW: Final = 22
_ROOT_AND_HINT: Final = (
    "A root-and: the whole tree and a new leaf below an ∧. The paper's drift argument counts these."
)
_SIDES_HINT: Final = "The new leaf goes to the left or the right: both compute the same, so they share a row."


class Sorting(NamedTuple):
    """How the table is sorted, and the verdict and the operation of which it is listed."""

    column: str = "change"
    is_descending: bool = False
    verdict: str = ALL
    operation: str = ALL


DEFAULT_SORTING: Final = Sorting()


class Order(NamedTuple):
    """The indexes of the listed neighbours, in the order of a sorting."""

    sorting: Sorting
    indexes: list[int]


def _columns(
    odds: MutationOdds | None = None, outlooks: NeighbourOutlooks | None = None
) -> tuple[Column[Neighbour], ...]:
    """The columns for the mutations of a tree.

    In a sampled run errors are those to be expected in the sample.
    """
    tree = None if odds is None else odds.tree
    names = _names_of(tree)
    share = odds.row_share if odds is not None and odds.rules.is_sampled else None
    is_large = odds is not None and (odds.error or 0) >= _LARGE

    def text(one: Neighbour) -> str:
        mutation = one.mutation
        if not names:
            return f"Plant {UNICODE.variable(mutation.variable)}" if one.leaves else "Change nothing"
        said = phrase(mutation, names[mutation.node - 1])
        return said[0].upper() + said[1:]

    def hint(one: Neighbour) -> str:
        lines = [f"{text(one)}: {_verdict_word(one)}."]
        if names:
            lines.append(f"Node {one.mutation.node:,} in preorder.")
        if is_root_and(tree, one.mutation):
            lines.append(_ROOT_AND_HINT)
        if names and one.mutation.operation is Operation.INS:
            lines.append(_SIDES_HINT)
        return "\n".join(lines)

    def error(one: Neighbour) -> str:
        change = one.error_change
        if one.error is None:
            return _NONE
        if change is None:
            return number_text(one.error)
        if share is None and not is_large:
            return f"{number_text(one.error - change)} → {number_text(one.error)}"
        if not change:
            return "0"
        return change_text(change) if share is None else signed_text(change * share)

    def error_hint(one: Neighbour) -> str | None:
        if one.error is None:
            return None
        if share is None or one.error_change is None:
            return f"The error would be {number_text(one.error)}."
        change = change_text(one.error_change) if one.error_change else "0"
        return f"On all rows the error would change by {change} and be {number_text(one.error)}."

    def stuck_after(one: Neighbour) -> float | None:
        after = None if outlooks is None else outlooks.after(one.mutation)
        return None if after is None else after.stuck

    def is_fatal(one: Neighbour) -> bool:
        return outlooks is not None and outlooks.is_fatal(one.mutation)

    def is_trap(one: Neighbour) -> bool:
        """Whether it is fatal, but looks good."""
        return one.verdict is Verdict.IMPROVED and is_fatal(one)

    return (
        _column(
            "verdict",
            "",
            "The verdict; in a sampled run, how the offspring most likely looks on the sample.",
            "≈",
            lambda one: _VERDICTS[likely_verdict(one)],
            lambda one: VERDICT_SYMBOLS[likely_verdict(one)],
            CENTRE,
            hint=lambda one: _chances_hint(one) or f"{_verdict_word(one).capitalize()}.",
            spoken=_verdict_word,
            colour=lambda one, theme: QColor(theme.colours.of_verdict(likely_verdict(one))),
        ),
        _column(
            MUTATION, "Mutation", "What is done to which node.", "", _mutation_key, text, LEFT, hint=hint
        ),
        _column(
            "change",
            "Error",
            "How many rows are wrong, before and after; in a sampled run, how their number is expected to change"
            " in the sample. Offspring that are too large are not evaluated.",
            "63 → 31",
            # Of those that change as much the likeliest comes first.
            lambda one: None if one.error_change is None else (one.error_change, one.probability.denominator),
            error,
            hint=error_hint,
        ),
        _column(
            "accepted",
            "Accepted",
            "The probability that it is accepted once drawn.",
            "100 %",
            acceptance,
            lambda one: chance_text(acceptance(one)),
            hint=_chances_hint,
        ),
        _column(
            STUCK_AFTER,
            "Stuck after",
            "The chance to end stuck after this step. † fatal: then every run ends stuck, which is not so now; "
            "▲ though it improves the error.",
            "100 %",
            stuck_after,
            lambda one: "" if outlooks is None else outlooks.text(one),
            hint=lambda one: None if outlooks is None else outlooks.hint(one),
            fill=lambda one, theme: _fatal_fill(theme, is_trap=is_trap(one)) if is_fatal(one) else None,
            colour=lambda one, theme: _fatal_text(theme, is_trap=is_trap(one)) if is_fatal(one) else None,
            font=lambda one, theme: theme.font(is_bold=True) if is_fatal(one) else None,
        ),
        _column(
            "probability",
            "Chance",
            "The probability that the next iteration draws exactly this.",
            "1.85 %",
            lambda one: -one.probability.denominator,  # the numerator is 1, and fractions are slow to compare
            lambda one: chance_text(one.probability),
            hint=lambda one: exact_chance_text(one.probability),
        ),
    )


def _column(
    name: str, head: str, tip: str, widest: str, key: Any, text: Any, align: int = RIGHT, **parts: Any
) -> Column[Neighbour]:
    tip = f"{tip}\nClick, or press Return in this column, to sort by it."
    return Column(name, text, head, tip, key, widest, align, **parts)


def _names_of(tree: Node | None) -> list[str]:
    """What the nodes are called, in preorder; those that would be called the same have their numbers."""
    nodes = list(nodes_of(tree))
    names = [name_of(node, number) for number, node in enumerate(nodes, start=ROOT)]
    times = Counter(names)
    return [
        name if times[name] == 1 else f"{name} at {number:,}" for number, name in enumerate(names, start=ROOT)
    ]


def _mutation_key(one: Neighbour) -> tuple[int, int, int, str]:
    mutation = one.mutation
    is_deletion = mutation.operation is Operation.DEL
    function = mutation.function.value if mutation.operation is Operation.INS else ""
    variable = 0 if is_deletion else mutation.variable
    return _OPERATIONS[mutation.operation], mutation.node, variable, function


def _verdict_word(one: Neighbour) -> str:
    return verdict_word(likely_verdict(one), is_sampled=one.chances is not None)


def _chances_hint(one: Neighbour) -> str | None:
    if one.chances is None:
        return None
    names = (
        verdict_word(verdict, is_sampled=True)
        for verdict in (Verdict.IMPROVED, Verdict.NEUTRAL, Verdict.WORSE)
    )
    return ", ".join(f"{name} {chance_text(c)}" for name, c in zip(names, one.chances, strict=True))


def _fatal_fill(theme: Theme, *, is_trap: bool) -> QColor:
    return QColor(theme.colours.stuck if is_trap else theme.colours.stuck_fill)


def _fatal_text(theme: Theme, *, is_trap: bool) -> QColor:
    """What can be read on the fill."""
    return readable_on(QColor(theme.colours.stuck), theme) if is_trap else QColor(theme.colours.stuck_text)


def ordered(odds: MutationOdds, sorting: Sorting, outlooks: NeighbourOutlooks | None = None) -> Order:
    """The neighbours that are listed, in order; those without a value come last, either way."""
    neighbours = odds.neighbours
    indexes = [
        index
        for index, one in enumerate(neighbours)
        if sorting.operation in (ALL, one.mutation.operation.value)
        or (sorting.operation == ROOT_AND and is_root_and(odds.tree, one.mutation))
        if sorting.verdict in (ALL, likely_verdict(one).value)
        or (sorting.verdict == FATAL_MOVES and outlooks is not None and outlooks.is_fatal(one.mutation))
    ]
    columns = _columns(outlooks=outlooks)
    key = next(column.key for column in columns if column.name == sorting.column)
    assert key is not None
    return Order(sorting, sorted_indexes([key(one) for one in neighbours], sorting.is_descending, indexes))


class MutationModel(TableModel[Neighbour]):
    """The mutations as rows; some of them only, if that is wanted."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent=parent)
        self.sorting = DEFAULT_SORTING
        """How it is sorted, and what is listed."""
        self._odds: MutationOdds | None = None
        self._outlooks: NeighbourOutlooks | None = None
        self._has_outlooks = False
        self.show_odds(None)

    def show_odds(self, odds: MutationOdds | None, order: Order | None = None) -> None:
        """List these mutations, in this order if it is the one that is wanted."""
        self._odds = odds
        is_sampled = odds is not None and odds.rules.is_sampled
        outlooks = self._outlooks if self._outlooks is not None and self._outlooks.odds is odds else None
        is_there = {STUCK_AFTER: self._has_outlooks, "accepted": is_sampled}
        columns = [each for each in _columns(odds, outlooks) if is_there.get(each.name, True)]
        if self.sorting.column not in {column.name for column in columns}:
            self.sorting = self.sorting._replace(column=DEFAULT_SORTING.column)
        if odds is None:
            self.show_rows((), columns)
        else:
            if order is None or order.sorting != self.sorting:
                order = ordered(odds, self.sorting, outlooks)
            self.show_rows(odds.neighbours, columns, order.indexes)

    def set_outlooks(self, outlooks: NeighbourOutlooks | None, *, has_column: bool) -> None:
        """Show these outlooks after the mutations, in a column that is there or not."""
        if outlooks is not self._outlooks or has_column != self._has_outlooks:
            self._outlooks, self._has_outlooks = outlooks, has_column
            self.show_odds(self._odds)

    def refresh_outlooks(self, *, is_sorted: bool) -> None:
        """More is known of the outlooks. Where they decide what is listed, and where, it is listed anew or not."""
        if STUCK_AFTER not in self.names or (not self.rowCount() and self.sorting.verdict != FATAL_MOVES):
            return
        index = self.names.index(STUCK_AFTER)
        if self.rowCount():
            self.dataChanged.emit(self.index(0, index), self.index(self.rowCount() - 1, index), [])
        if not is_sorted or self._odds is None:
            return
        if self.sorting.verdict == FATAL_MOVES:
            if len(ordered(self._odds, self.sorting, self._outlooks).indexes) != self.rowCount():
                self.show_odds(self._odds)
        elif self.sorting.column == STUCK_AFTER:
            self._set_order(ordered(self._odds, self.sorting, self._outlooks).indexes)

    def set_filter(self, verdict: str, operation: str) -> None:
        """List only these."""
        self._arrange(self.sorting._replace(verdict=verdict, operation=operation))

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if 0 <= column < len(self.columns):
            is_descending = order == Qt.SortOrder.DescendingOrder
            self._arrange(self.sorting._replace(column=self.names[column], is_descending=is_descending))

    def row_of_mutation(self, mutation: Mutation) -> int | None:
        """The row of a mutation, if it is listed."""
        return next((row for row, one in enumerate(self.listed()) if one.mutation == mutation), None)

    def _arrange(self, sorting: Sorting) -> None:
        if sorting != self.sorting:
            self.sorting = sorting
            self.show_odds(self._odds)


class MutationTable(Themed, QTableView):
    """The table on the screen. Arrow keys move, Return sorts by the column, Escape chooses nothing."""

    def __init__(self, model: MutationModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mutations = model
        self._widths: dict[str, int] = {}
        self._lengths: dict[str, int] = {}  # of the longest text that each width was measured with
        self._fitted: tuple[str, ...] = ()
        self.setModel(model)
        self.setHorizontalHeader(SortableHeader())
        set_up_rows(self, "Mutations of this tree", has_several=False)
        self.setProperty("role", "plain")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAlternatingRowColors(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setToolTip("Choose a row to see it on the tree.")
        header = self.horizontalHeader()
        header.setMinimumSectionSize(1)
        header.setSortIndicator(model.names.index(model.sorting.column), Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        add_sort_menu(self, self._sort_by)
        model.modelReset.connect(self._show_sorting)
        self.follow_theme()

    def apply_theme(self, theme: Theme) -> None:
        """Fit the rows and columns to this theme's type."""
        metrics = QFontMetrics(theme.font())
        self._mutations.head_font = theme.font(_HEAD_TYPE)
        self._mutations.apply_theme(theme)
        self.verticalHeader().setDefaultSectionSize(round(_LINES * metrics.height()))
        head = QFontMetrics(theme.font(_HEAD_TYPE))
        self._widths = {
            each.name: max(
                head.horizontalAdvance(each.head) + (_ARROW if each.head else 0),
                metrics.horizontalAdvance(each.widest),
            )
            + _PADDING
            for each in _columns()
        }
        self._fitted, self._lengths = (), {}
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
        is_same = self._mutations.names[column] == sorting.column
        is_descending = is_same and not sorting.is_descending
        self.sortByColumn(column, _qt_order(is_descending))

    def _show_sorting(self) -> None:
        """Move the sort arrow along with its column when the columns have changed."""
        sorting, columns, header = self._mutations.sorting, self._mutations.names, self.horizontalHeader()
        if sorting.column in columns:
            index = columns.index(sorting.column)
            if header.sortIndicatorSection() != index:
                header.blockSignals(True)
                header.setSortIndicator(index, _qt_order(sorting.is_descending))
                header.blockSignals(False)
        self._fit_columns()
        self.executeDelayedItemsLayout()  # a moment later it would paint all again

    def _fit_columns(self) -> None:
        """Make columns wide enough, and none narrower, so that they stay where they are from tree to tree."""
        model = self._mutations
        is_other, self._fitted = model.names != self._fitted, model.names
        modes = QHeaderView.ResizeMode
        first = max(self.rowAt(0), 0)
        last = first + self.viewport().height() // self.verticalHeader().defaultSectionSize() + 1
        in_view = [one for row in range(first, last) if (one := model.row_at(row)) is not None]
        for index, column in enumerate(model.columns):
            # To have Qt measure them all, tree after tree, takes longer than a frame.
            texts = [column.text(one) for one in in_view]
            longest = max(range(len(texts)), key=lambda row: len(texts[row]), default=None)
            needed = 0
            if longest is not None and len(texts[longest]) > self._lengths.get(column.name, 0):
                self._lengths[column.name] = len(texts[longest])
                needed = self.sizeHintForIndex(model.index(first + longest, index)).width() + _PADDING // 2
            if is_other:
                mode = modes.Stretch if column.name == MUTATION else modes.Fixed
                self.horizontalHeader().setSectionResizeMode(index, mode)
            if column.name != MUTATION and (is_other or needed > self._widths[column.name]):
                self._widths[column.name] = max(self._widths[column.name], needed)
                self.setColumnWidth(index, self._widths[column.name])


def _qt_order(is_descending: bool) -> Qt.SortOrder:
    return Qt.SortOrder.DescendingOrder if is_descending else Qt.SortOrder.AscendingOrder
