"""Tables and lists: rows of any kind in columns described as data, and how their views behave."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any, Final, Generic, Protocol, TypeVar

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QAction, QFont, QFontMetrics, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QStyleOptionHeader, QTableView, QWidget

from gpviz.app.theme import Theme, load_theme
from gpviz.app.widgets.mac_safe_menu import MacSafeMenu
from gpviz.app.widgets.themed import Themed
from gpviz.engine import GpvizError
from gpviz.escaping import label_text, menu_text, tooltip_text

Row = TypeVar("Row")
RowRead = TypeVar("RowRead", covariant=True)
TableIndex = QModelIndex | QPersistentModelIndex

LEFT: Final = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
CENTRE: Final = int(Qt.AlignmentFlag.AlignCenter)
RIGHT: Final = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
UNKNOWN: Final = "…"
"""What stands in a row that is still being read."""


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """What a column shows of a row; a part that is None is not there.

    ``key`` is what it is sorted by, ``spoken`` its text for a screen reader, ``edited`` the text that a person
    changes, and ``check`` makes of what was typed what is meant, or raises a `GpvizError`. ``widest`` is a text as
    wide as usual.
    """

    name: str
    text: Callable[[Row], str]
    head: str = ""
    tip: str = ""
    key: Callable[[Row], Any] | None = None
    widest: str = ""
    align: int = LEFT
    head_align: int | None = None
    hint: Callable[[Row], str | None] | None = None
    spoken: Callable[[Row], str] | None = None
    edited: Callable[[Row], str] | None = None
    check: Callable[[Row, str], str] | None = None
    icon: Callable[[Row, Theme], Any] | None = None
    colour: Callable[[Row, Theme], Any] | None = None
    fill: Callable[[Row, Theme], Any] | None = None
    font: Callable[[Row, Theme], Any] | None = None


class Rows(Protocol[RowRead]):
    """Rows to be shown: a list, or what reads them when they are looked at. One not read yet is None."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> RowRead | None: ...


_PARTS: Final[dict[int, str]] = {
    Qt.ItemDataRole.DisplayRole: "text",
    Qt.ItemDataRole.ToolTipRole: "hint",
    Qt.ItemDataRole.AccessibleTextRole: "spoken",
    Qt.ItemDataRole.EditRole: "edited",
    Qt.ItemDataRole.DecorationRole: "icon",
    Qt.ItemDataRole.ForegroundRole: "colour",
    Qt.ItemDataRole.BackgroundRole: "fill",
    Qt.ItemDataRole.FontRole: "font",
}
_THEMED: Final = ("icon", "colour", "fill", "font")
_TEXTS: Final = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole)


class TableModel(QAbstractTableModel, Generic[Row]):
    """Shows rows in columns, as they are or sorted; texts are made when they are looked at.

    What a person types is a request, not a change: ``text_typed`` brings the row and the checked text,
    ``text_refused`` the row, what was typed and what is wrong with it.
    """

    text_typed = Signal(int, str)
    text_refused = Signal(int, str, str)

    def __init__(
        self,
        columns: Iterable[Column[Row]] = (),
        rows: Rows[Row] = (),
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.theme = load_theme("light")
        self.head_font: QFont | None = None
        """Where the heads are not to have the font of their view."""
        self.columns = tuple(columns)
        self.rows = rows
        """The rows as they were given, whatever they are sorted by."""
        self._order: Sequence[int] | None = None
        self._sorting: tuple[int, bool] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self.theme = theme
        self.show_again()
        if self.head_font is not None and self.columns:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns) - 1)

    # --- rows ---

    def show_rows(
        self,
        rows: Rows[Row],
        columns: Iterable[Column[Row]] | None = None,
        order: Sequence[int] | None = None,
    ) -> None:
        """Show other rows, maybe in other columns and in this order of indexes; nothing stays selected."""
        self.beginResetModel()
        if columns is not None:
            self.columns = tuple(columns)
        self.rows, self._order, self._sorting = rows, order, None
        self.endResetModel()

    def update_rows(self, rows: Rows[Row]) -> None:
        """Show what the same rows are now: what is selected, in view or being edited stays."""
        before, self.rows = self.rows, rows
        indexes = map(self.given_index, range(self.rowCount()))
        changed = [(at, given) for at, given in enumerate(indexes) if before[given] != rows[given]]
        if not changed:
            return
        pairs = [(before[given], rows[given]) for _, given in changed]
        first, last = changed[0][0], changed[-1][0]
        # Where a cell is reported to have changed, what is being typed into it is lost.
        for is_same, columns in groupby(
            enumerate(self.columns),
            lambda each: (
                each[1].check is not None and all(self._is_same_cell(each[1], *pair) for pair in pairs)
            ),
        ):
            numbers = [number for number, _ in columns]
            if not is_same:
                self.dataChanged.emit(self.index(first, numbers[0]), self.index(last, numbers[-1]), [])
        self._sort()

    def _is_same_cell(self, column: Column[Row], before: Row | None, now: Row | None) -> bool:
        """Whether a column shows the same of both rows."""
        if before is None or now is None:
            return False
        parts = ((name, getattr(column, name)) for name in _PARTS.values())
        return all(
            part is None or self._shown(name, part, before) == self._shown(name, part, now)
            for name, part in parts
        )

    def _shown(self, name: str, part: Callable[..., Any], row: Row) -> Any:
        return part(row, self.theme) if name in _THEMED else part(row)

    def add_rows(self, rows: Rows[Row]) -> None:
        """Show these, which are those on show, unsorted, and more behind them; fewer replace them all."""
        before = len(self.rows)
        if len(rows) < before:
            self.show_rows(rows)
        elif len(rows) == before:
            self.rows = rows
        else:
            self.beginInsertRows(QModelIndex(), before, len(rows) - 1)
            self.rows = rows
            self.endInsertRows()

    def show_again(self, first: int = 0, last: int | None = None) -> None:
        """Have some rows shown again, or all."""
        last = self.rowCount() - 1 if last is None else min(last, self.rowCount() - 1)
        if first <= last and self.columns:
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(self.columns) - 1), [])

    def given_index(self, at: int) -> int:
        """Which of the given rows stands here."""
        return at if self._order is None else self._order[at]

    def row_at(self, at: int) -> Row | None:
        """The row that stands here; None where there is none, or it is still to be read."""
        return self.rows[self.given_index(at)] if 0 <= at < self.rowCount() else None

    def listed(self) -> list[Row]:
        """The rows on show, as far as they are read."""
        indexes = range(len(self.rows)) if self._order is None else self._order
        return [row for row in map(self.rows.__getitem__, indexes) if row is not None]

    def text_at(self, at: int, name: str) -> str:
        """What stands in a row and the column of this name."""
        row = self.row_at(at)
        return UNKNOWN if row is None else self.columns[self.names.index(name)].text(row)

    # --- sorting ---

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column that has a key, or by -1 as the rows were given; the selection goes with its rows."""
        if column < len(self.columns):
            self._sorting = None if column < 0 else (column, order == Qt.SortOrder.DescendingOrder)
            self._sort()

    def _sort(self) -> None:
        order: Sequence[int] | None = None
        if self._sorting is not None:
            column, is_descending = self._sorting
            key = self.columns[column].key
            if key is None:
                return
            rows = [self.rows[index] for index in range(len(self.rows))]
            order = sorted_indexes([None if row is None else key(row) for row in rows], is_descending)
        self._set_order(order)

    def _set_order(self, order: Sequence[int] | None) -> None:
        """List the same rows in another order; what is selected goes with them."""
        if order == self._order:
            return
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        given = [self.given_index(index.row()) for index in before]
        self._order = order
        now = {each: at for at, each in enumerate(range(len(self.rows)) if order is None else order)}
        after = [self.index(now[each], index.column()) for each, index in zip(given, before, strict=True)]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    # --- what Qt asks ---

    def rowCount(self, parent: TableIndex | None = None) -> int:  # noqa: N802
        if parent is not None and parent.isValid():
            return 0
        return len(self.rows if self._order is None else self._order)

    def columnCount(self, parent: TableIndex | None = None) -> int:  # noqa: N802
        return 0 if parent is not None and parent.isValid() else len(self.columns)

    def headerData(  # noqa: N802
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        column = self.columns[section]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return column.head
            case Qt.ItemDataRole.ToolTipRole:
                return column.tip or None
            case Qt.ItemDataRole.TextAlignmentRole:
                return column.align if column.head_align is None else column.head_align
            case Qt.ItemDataRole.FontRole:
                return self.head_font
        return None

    def data(self, index: TableIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        column = self.columns[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return column.align
        name = _PARTS.get(role, "")
        part = getattr(column, name) if name else None
        if part is None and role == Qt.ItemDataRole.AccessibleTextRole:
            part = column.text
        if part is None:
            return None
        row = self.row_at(index.row())
        if row is None:
            return UNKNOWN if role in _TEXTS else None
        shown = self._shown(name, part, row)
        if role in _TEXTS:
            return label_text(shown)
        return tooltip_text(shown) if role == Qt.ItemDataRole.ToolTipRole and shown is not None else shown

    def setData(self, index: TableIndex, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802
        row, check = self.row_at(index.row()), self.columns[index.column()].check
        if row is None or check is None:
            return False
        try:
            text = check(row, value)
        except GpvizError as problem:
            self.text_refused.emit(index.row(), value, str(problem))
            return False
        self.text_typed.emit(index.row(), text)
        return True

    def flags(self, index: TableIndex) -> Qt.ItemFlag:
        flags = super().flags(index)
        is_edited = index.isValid() and self.columns[index.column()].check is not None
        return flags | Qt.ItemFlag.ItemIsEditable if is_edited else flags


def sorted_indexes(
    keys: Sequence[Any], is_descending: bool, listed: Iterable[int] | None = None
) -> list[int]:
    """Indexes of keys in the order of these; those whose key is None come last, either way."""
    indexes = list(range(len(keys)) if listed is None else listed)
    known = [index for index in indexes if keys[index] is not None]
    known.sort(key=keys.__getitem__, reverse=is_descending)
    return known + [index for index in indexes if keys[index] is None]


_GAP: Final = 7
_ROWS_MEASURED: Final = 50
_AIR: Final = "\N{NO-BREAK SPACE}"


def set_up_rows(view: QTableView, name: str, *, has_several: bool = True) -> None:
    """Let whole rows be chosen, several or one at a time; Tab leaves the table, and rows are equally high."""
    modes = QAbstractItemView.SelectionMode
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setSelectionMode(modes.ExtendedSelection if has_several else modes.SingleSelection)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setTabKeyNavigation(False)
    view.setShowGrid(False)
    view.setAlternatingRowColors(True)
    view.setWordWrap(False)
    view.setTextElideMode(Qt.TextElideMode.ElideRight)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setAccessibleName(name)
    view.verticalHeader().hide()
    # Asking each of a million rows for its height would take long.
    view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    view.horizontalHeader().setHighlightSections(False)
    view.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


def add_action(
    view: QTableView, text: str, act: Callable[[], object], keys: QKeySequence | None = None
) -> QAction:
    """Add an entry to the menu of a table; its keys are for the table alone."""
    action = QAction(text, view)
    action.setMenuRole(QAction.MenuRole.NoRole)  # macOS would guess a role from the text
    action.setShortcut(keys or QKeySequence())
    action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
    action.triggered.connect(act)
    view.addAction(action)
    return action


def add_sort_menu(view: QTableView, sort_by: Callable[[int], object]) -> None:
    """Add all columns of a table to its menu to sort by, for those who cannot click on their heads."""
    menu = MacSafeMenu("Sort &by", view)
    menu.aboutToShow.connect(partial(_fill_sort_menu, menu, view, sort_by))
    view.addAction(menu.menuAction())
    view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)


def _fill_sort_menu(menu: QMenu, view: QTableView, sort_by: Callable[[int], object]) -> None:
    menu.clear()
    header, model = view.horizontalHeader(), view.model()
    for section in range(header.count()):
        head = str(model.headerData(section, Qt.Orientation.Horizontal) or "")
        if head and not header.isSectionHidden(section):
            action = menu.addAction(menu_text(head))
            action.setCheckable(True)
            action.setChecked(section == header.sortIndicatorSection())
            action.triggered.connect(partial(_sort, sort_by, section))


def _sort(sort_by: Callable[[int], object], section: int, _is_checked: bool = False) -> None:
    sort_by(section)


class SortableHeader(QHeaderView):
    """Heads with space for the sorting arrow: Qt lets it touch text that is aligned to the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(True)

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, section: int) -> None:  # noqa: N802
        super().initStyleOptionForIndex(option, section)
        is_sorted = option.sortIndicator != QStyleOptionHeader.SortIndicator.None_
        if is_sorted and option.textAlignment & Qt.AlignmentFlag.AlignRight:
            width = max(option.fontMetrics.horizontalAdvance(_AIR), 1)
            option.text += _AIR * (-(-_GAP // width))


class ChoiceTable(Themed, QTableView):
    """A table in which a click, Return or the arrow keys choose a row; one column takes the free space."""

    row_chosen = Signal(int)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.listing: TableModel[Any] = TableModel(parent=self)
        self.setModel(self.listing)
        set_up_rows(self, name, has_several=False)
        self.horizontalHeader().setSectionsClickable(False)
        self.horizontalHeader().setResizeContentsPrecision(_ROWS_MEASURED)
        self.setCornerWidget(QWidget())  # Qt would paint one of its own
        self.clicked.connect(self._on_clicked)

    @property
    def rows(self) -> list[Any]:
        """What it lists."""
        return self.listing.listed()

    def apply_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self.listing.head_font = theme.font()  # the next style sheet would reset a font set on the header
        self.listing.apply_theme(theme)
        height = QFontMetrics(theme.font()).height() + 5
        self.verticalHeader().setMinimumSectionSize(height)
        self.verticalHeader().setDefaultSectionSize(height)

    def show_rows(self, rows: Rows[Any], columns: Sequence[Column[Any]], widest: int) -> None:
        """Show other rows, none of them chosen; column ``widest`` takes the free space."""
        self.listing.show_rows(rows, columns)
        for section in range(len(columns)):
            modes = QHeaderView.ResizeMode
            mode = modes.Stretch if section == widest else modes.ResizeToContents
            self.horizontalHeader().setSectionResizeMode(section, mode)
        self.updateGeometry()

    def point_at(self, row: int | None) -> None:
        """Mark a row, or none, as if it had been chosen."""
        if row is None:
            self.clearSelection()
            self.selectionModel().clearCurrentIndex()
            return
        flags = QItemSelectionModel.SelectionFlag
        index = self.listing.index(row, 0)
        self.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
        self.scrollTo(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        before = self.currentIndex().row()
        is_return = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if event.key() == Qt.Key.Key_Space:
            event.ignore()  # the key plays the run
        elif not is_return:
            super().keyPressEvent(event)
        if self.currentIndex().isValid() and (is_return or self.currentIndex().row() != before):
            self.row_chosen.emit(self.currentIndex().row())

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self.row_chosen.emit(index.row())
