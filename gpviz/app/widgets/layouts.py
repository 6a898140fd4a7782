"""Rows and columns of widgets."""

from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

__all__ = ["column_in", "row_in"]

Margins = tuple[int, int, int, int]


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


def _set(layout: QBoxLayout, spacing: int | None, margins: Margins) -> None:
    layout.setContentsMargins(*margins)
    if spacing is not None:
        layout.setSpacing(spacing)
