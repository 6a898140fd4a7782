"""What those who paint share: whether a painter's work stays shapes and text, faint colours, and hatching."""

from math import ceil, floor
from typing import Final

from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QColor, QPaintEngine, QPainter

_VECTOR_ENGINES: Final = (QPaintEngine.Type.SVG, QPaintEngine.Type.Pdf)


def is_vector(painter: QPainter) -> bool:
    """Whether it paints into a file to be printed, scaled or searched: text is to be text then, and no pixels."""
    return painter.paintEngine().type() in _VECTOR_ENGINES


def faded(colour: str, opacity: float) -> QColor:
    """The colour, so opaque from 0 to 1."""
    made = QColor(colour)
    made.setAlphaF(opacity)
    return made


def diagonals(room: QRectF, period: float) -> list[QLineF]:
    """Lines from the lower left to the upper right; those of neighbours continue each other."""
    left, right, top, bottom = room.left(), room.right(), room.top(), room.bottom()
    numbers = range(ceil((left + top) / period), floor((right + bottom) / period) + 1)
    return [
        QLineF(start, total - start, end, total - end)
        for total in (number * period for number in numbers)
        if (end := min(right, total - top)) > (start := max(left, total - bottom))
    ]
