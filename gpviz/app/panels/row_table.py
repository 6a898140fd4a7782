"""What tables have in common whose rows are chosen as a whole and not typed into."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

__all__ = ["set_up_rows"]


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
