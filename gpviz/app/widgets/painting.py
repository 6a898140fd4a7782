"""Tells whether a painter's work stays shapes and text, as in a file to be printed, scaled or searched."""

from typing import Final

from PySide6.QtGui import QPaintEngine, QPainter

__all__ = ["is_vector"]

_VECTOR_ENGINES: Final = (QPaintEngine.Type.SVG, QPaintEngine.Type.Pdf)


def is_vector(painter: QPainter) -> bool:
    """Whether it paints into such a file; text is then to be text, and no pixels are to be copied."""
    return painter.paintEngine().type() in _VECTOR_ENGINES
