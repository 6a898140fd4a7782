"""Rows and columns of widgets."""

from typing import Final

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

Margins = tuple[int, int, int, int]

NO_LIMIT: Final = 16_777_215
"""The largest size that Qt knows."""


def row_in(parent: QWidget, *, spacing: int | None = None, margins: Margins = (0, 0, 0, 0)) -> QHBoxLayout:
    """A row that fills a widget but for its margins: left, top, right and bottom."""
    layout = QHBoxLayout(parent)
    _set(layout, spacing, margins)
    return layout


def column_in(parent: QWidget, *, spacing: int | None = None, margins: Margins = (0, 0, 0, 0)) -> QVBoxLayout:
    """A column that fills a widget but for its margins: left, top, right and bottom."""
    layout = QVBoxLayout(parent)
    _set(layout, spacing, margins)
    return layout


def turn_to_shape(layout: QBoxLayout, size: QSize, least: float = 1.0) -> bool:
    """Put the parts of a row below each other where the height is at least this share of the width.

    Whether they are so now.
    """
    is_upright = size.height() > least * size.width()
    wanted = QBoxLayout.Direction.TopToBottom if is_upright else QBoxLayout.Direction.LeftToRight
    if layout.direction() is not wanted:
        layout.setDirection(wanted)
    return is_upright


def _set(layout: QBoxLayout, spacing: int | None, margins: Margins) -> None:
    layout.setContentsMargins(*margins)
    if spacing is not None:
        layout.setSpacing(spacing)
