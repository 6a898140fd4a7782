"""What tables have in common whose rows are chosen as a whole and not typed into."""

from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QStyleOptionHeader, QTableView, QWidget

from gpviz.app.widgets.mac_safe_menu import MacSafeMenu
from gpviz.escaping import menu_text

_GAP: Final = 7
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


def sort_menu(view: QTableView, sort_by: Callable[[int], object], parent: QWidget) -> QMenu:
    """All columns of a table to sort by, for those who cannot click on their heads."""
    menu = MacSafeMenu("Sort &by", parent)
    menu.aboutToShow.connect(partial(_fill_sort_menu, menu, view, sort_by))
    return menu


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
    """Heads with room for the sign of the sorting: Qt lets it touch words that end at the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(True)

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, section: int) -> None:  # noqa: N802
        super().initStyleOptionForIndex(option, section)
        is_sorted = option.sortIndicator != QStyleOptionHeader.SortIndicator.None_
        if is_sorted and option.textAlignment & Qt.AlignmentFlag.AlignRight:
            width = max(option.fontMetrics.horizontalAdvance(_AIR), 1)
            option.text += _AIR * (-(-_GAP // width))
