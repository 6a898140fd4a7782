"""Stamps painted once and kept: one picture for all of them at one size, from which whole trees are copied."""

from collections import OrderedDict
from collections.abc import Sequence
from math import ceil, log2
from typing import Final

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from gpviz.app.canvas.scene import Floats
from gpviz.app.canvas.stamps import Stamp, draw_stamp, reach_of
from gpviz.app.theme import Theme

__all__ = ["Atlas", "AtlasCache"]

_WIDTH: Final = 1024
_MOST_ATLASES: Final = 8


class Atlas:
    """The stamps at ``scale`` pixels per unit, on a device with ``ratio`` real pixels per pixel."""

    def __init__(self, theme: Theme, scale: float, ratio: float) -> None:
        self.scale = scale
        self.ratio = ratio
        self._theme = theme
        self._cells: dict[Stamp, tuple[float, float, float, float]] = {}
        self._left = 0
        self._top = 0
        self._row_height = 0
        self.pixmap = QPixmap(_WIDTH, 64)
        self.pixmap.fill(Qt.GlobalColor.transparent)

    def cells(self, stamps: Sequence[Stamp]) -> Floats:
        """For each stamp its rectangle in the picture: left, top, width, height. Missing ones are painted."""
        missing = [stamp for stamp in stamps if stamp not in self._cells]
        if missing:
            self._paint(missing)
        return np.array([self._cells[stamp] for stamp in stamps], dtype=np.float64).reshape(-1, 4)

    def _paint(self, stamps: list[Stamp]) -> None:
        places = [(stamp, self._room_for(stamp)) for stamp in stamps if stamp not in self._cells]
        if self._top + self._row_height > self.pixmap.height():
            self._grow()
        painter = QPainter(self.pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        factor = self.scale * self.ratio
        for stamp, (left, top, width, height) in places:
            painter.save()
            painter.setClipRect(QRectF(left, top, width, height))
            painter.translate(left + width / 2, top + height / 2)
            painter.scale(factor, factor)
            draw_stamp(painter, stamp, self._theme, self.scale)
            painter.restore()
        painter.end()

    def _room_for(self, stamp: Stamp) -> tuple[float, float, float, float]:
        half_width, half_height = reach_of(stamp)
        border = max(2.0 * self._theme.line_scale, 1.0 / self.scale)
        factor = self.scale * self.ratio
        # Even sizes: the middle of a cell is then the corner of a pixel, and can be put on one.
        width = 2 * (ceil((half_width + border) * factor) + 1)
        height = 2 * (ceil((half_height + border) * factor) + 1)
        if self._left + width > self.pixmap.width() and self._left:
            self._top += self._row_height
            self._left = self._row_height = 0
        cell = (float(self._left), float(self._top), float(width), float(height))
        self._left += width
        self._row_height = max(self._row_height, height)
        self._cells[stamp] = cell
        return cell

    def _grow(self) -> None:
        height = self.pixmap.height()
        while height < self._top + self._row_height:
            height *= 2
        larger = QPixmap(self.pixmap.width(), height)
        larger.fill(Qt.GlobalColor.transparent)
        painter = QPainter(larger)
        painter.drawPixmap(0, 0, self.pixmap)
        painter.end()
        self.pixmap = larger


class AtlasCache:
    """The atlases of a theme that were used last.

    A picture at rest gets stamps at exactly its size. While sizes change from frame to frame, stamps of a nearby
    size are scaled instead, as painting them all for every frame would take too long.
    """

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._atlases: OrderedDict[tuple[float, float], Atlas] = OrderedDict()

    def at(self, scale: float, ratio: float, is_moving: bool = False) -> Atlas:
        """The atlas for this scale."""
        exact = (scale, ratio)
        if is_moving and exact not in self._atlases:
            exact = (2.0 ** (ceil(4 * log2(scale)) / 4), ratio)
        atlas = self._atlases.pop(exact, None) or Atlas(self._theme, *exact)
        self._atlases[exact] = atlas
        while len(self._atlases) > _MOST_ATLASES:
            self._atlases.popitem(last=False)
        return atlas
