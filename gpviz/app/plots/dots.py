"""Many dots in a plot, drawn at once: a scatter plot without the bookkeeping for each of its points."""

from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from gpviz.app.vectors import is_vector

__all__ = ["Dots"]


class Dots(pg.GraphicsObject):
    """Dots of one size and colour, round ones with a ring around them or small square ones."""

    def __init__(self, *, is_round: bool) -> None:
        super().__init__()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self._is_round = is_round
        self._x = np.empty(0)
        self._y = np.empty(0)
        self._size = 1.0
        self._colour = QColor()
        self._ring = QColor()

    @property
    def x(self) -> npt.NDArray[np.float64]:
        """Where they are."""
        return self._x

    @property
    def y(self) -> npt.NDArray[np.float64]:
        """How high they are."""
        return self._y

    def set_points(self, x: npt.NDArray[Any], y: npt.NDArray[np.float64]) -> None:
        """Draw these points, which are in the order of ``x``."""
        self._x = np.asarray(x, dtype=np.float64)
        self._y = y
        self.update()

    def set_look(self, size: float, colour: QColor, ring: QColor | None = None) -> None:
        """Size in pixels, colour, and the colour around round ones."""
        self._size = size
        self._colour = colour
        self._ring = ring or colour
        self.update()

    def set_size(self, size: float) -> None:
        """Size in pixels."""
        self._size = size

    def boundingRect(self) -> QRectF:
        return QRectF(self.viewRect() or QRectF())

    def viewRangeChanged(self) -> None:  # noqa: N802
        self.prepareGeometryChange()

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        place = painter.worldTransform()
        reach = (self._size + 2) / (abs(place.m11()) or 1.0)
        exposed = option.exposedRect
        # A cursor that moves uncovers a narrow strip, and only that is drawn anew.
        first, last = self._x.searchsorted([exposed.left() - reach, exposed.right() + reach])
        if last <= first:
            return
        points = pg.functions.create_qpolygonf(int(last - first))
        pixels = pg.functions.ndarray_from_qpolygonf(points)
        pixels[:, 0] = self._x[first:last] * place.m11() + place.dx()
        pixels[:, 1] = self._y[first:last] * place.m22() + place.dy()
        painter.resetTransform()
        if self._is_round:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for colour, size in ((self._ring, self._size + 2), (self._colour, self._size)):
                painter.setPen(QPen(colour, size, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
                painter.drawPoints(points)
            return
        if is_vector(painter):
            painter.setPen(QPen(self._colour, self._size, Qt.PenStyle.SolidLine, Qt.PenCapStyle.SquareCap))
            painter.drawPoints(points)
            return
        # Points of one pixel several times are many times as fast as points of several pixels.
        painter.setPen(QPen(self._colour, 1))
        side = max(1, round(self._size))
        for right, down in product(range(side), repeat=2):
            painter.resetTransform()
            painter.translate(right - side // 2, down - side // 2)
            painter.drawPoints(points)
