"""What tables have in common whose rows are chosen as a whole and not typed into."""

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyleOptionHeader, QTableView, QWidget

__all__ = ["SortableHeader", "set_up_rows"]

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
