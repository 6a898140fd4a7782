"""Helpers for painting: vector output or pixels, translucent colours, and hatching."""

from math import ceil, floor
from typing import Final

from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QColor, QPaintEngine, QPainter

_VECTOR_ENGINES: Final = (QPaintEngine.Type.SVG, QPaintEngine.Type.Pdf)


def is_vector(painter: QPainter) -> bool:
    """Whether it paints an SVG or a PDF, in which text stays text and shapes stay shapes."""
    return painter.paintEngine().type() in _VECTOR_ENGINES


def faded(colour: str, opacity: float) -> QColor:
    """The colour with this opacity from 0 to 1."""
    made = QColor(colour)
    made.setAlphaF(opacity)
    return made


def diagonals(area: QRectF, period: float) -> list[QLineF]:
    """Lines from the lower left to the upper right; those of neighbouring areas line up."""
    left, right, top, bottom = area.left(), area.right(), area.top(), area.bottom()
    numbers = range(ceil((left + top) / period), floor((right + bottom) / period) + 1)
    return [
        QLineF(start, total - start, end, total - end)
        for total in (number * period for number in numbers)
        if (end := min(right, total - top)) > (start := max(left, total - bottom))
    ]
