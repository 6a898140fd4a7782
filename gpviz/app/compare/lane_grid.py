"""Where the lanes are: side by side, or four of them in two rows where the window is not wide enough."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from gpviz.app.theme import Theme

__all__ = ["LaneGrid"]

_TREE: Final = 1.5
"""How many times as wide as high a tree is, as a rule."""
_HEADING: Final = 10.0
"""The height of a heading and a banner, in times the size of the type; a narrow lane needs half as much again."""


class LaneGrid(QWidget):
    """Lays out lanes of equal size."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._font_size = theme.font_size
        self._lanes: tuple[QWidget, ...] = ()
        self._columns = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(10)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)

    @property
    def columns(self) -> int:
        """How many lanes are side by side."""
        return self._columns

    def set_lanes(self, lanes: Sequence[QWidget]) -> None:
        """Show these, and take away the others."""
        self._lanes = tuple(lanes)
        self._columns = 0
        self._arrange()

    def set_theme(self, theme: Theme) -> None:
        self._font_size = theme.font_size
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        columns = self._wanted_columns()
        if columns == self._columns:
            return
        self._columns = columns
        while self._grid.count():
            self._grid.takeAt(0)
        for place in range(max(4, columns)):
            self._grid.setColumnStretch(place, 1 if place < columns else 0)
            self._grid.setRowStretch(place, 0)
        for place, lane in enumerate(self._lanes):
            row, column = divmod(place, columns)
            self._grid.addWidget(lane, row, column)
            self._grid.setRowStretch(row, 1)
            lane.show()

    def _wanted_columns(self) -> int:
        count = max(len(self._lanes), 1)
        if count < 4:
            return count
        return max((count, 2), key=self._room_for_a_tree)

    def _room_for_a_tree(self, columns: int) -> float:
        """How large a tree can be with so many lanes side by side."""
        rows = -(-len(self._lanes) // columns)
        heading = _HEADING * self._font_size * (1.0 if columns == 2 else 1.5)
        return min(self.width() / columns / _TREE, self.height() / rows - heading)
