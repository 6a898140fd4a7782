"""What those who paint share: whether a painter's work stays shapes and text, and colours made fainter."""

from typing import Final

from PySide6.QtGui import QColor, QPaintEngine, QPainter

__all__ = ["faded", "is_vector"]

_VECTOR_ENGINES: Final = (QPaintEngine.Type.SVG, QPaintEngine.Type.Pdf)


def is_vector(painter: QPainter) -> bool:
    """Whether it paints into a file to be printed, scaled or searched: text is to be text then, and no pixels."""
    return painter.paintEngine().type() in _VECTOR_ENGINES


def faded(colour: str, opacity: float) -> QColor:
    """The colour, so opaque from 0 to 1."""
    made = QColor(colour)
    made.setAlphaF(opacity)
    return made
