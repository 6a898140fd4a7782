"""Heads of columns that leave room for the sign of the sorting, also where their words stand at the right."""

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QStyleOptionHeader, QWidget

__all__ = ["SortHead"]

_GAP: Final = 7
_AIR: Final = "\N{NO-BREAK SPACE}"


class SortHead(QHeaderView):
    """Qt lets the sign touch words that end at the right; here they end a little before it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(True)

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, section: int) -> None:  # noqa: N802
        super().initStyleOptionForIndex(option, section)
        is_sorted = option.sortIndicator != QStyleOptionHeader.SortIndicator.None_
        if is_sorted and option.textAlignment & Qt.AlignmentFlag.AlignRight:
            width = max(option.fontMetrics.horizontalAdvance(_AIR), 1)
            option.text += _AIR * (-(-_GAP // width))
