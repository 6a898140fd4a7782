"""The two sides of the grid of a truth table: a bar for each variable where it is 1, and its name if it fits."""

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter

from gpviz.app.theme import Theme
from gpviz.engine import UNICODE
from gpviz.record.rows_grid import Axis, Grid

__all__ = ["FRAME", "draw_sides", "sides_of"]

FRAME: Final = 3
"""Around the cells, so that those at the edges, where all but a few variables are 1, are not painted over."""

_BAR: Final = 3
_MOST_NAMED: Final = 3
"""More variables than that along a side have no room for their names."""

_LEAST_CELL: Final = 14
"""Smaller cells need the room more than the names do."""

_SCALE: Final = 0.8


def sides_of(grid: Grid, theme: Theme, height: int) -> tuple[int, int]:
    """The room for the variables to the left of the cells and above them, in a picture of this height."""
    has_names = _has_names(grid, theme, height)
    left = len(grid.down.variables) * _strip(grid.down, theme, is_down=True, has_names=has_names)
    top = len(grid.across.variables) * _strip(grid.across, theme, is_down=False, has_names=has_names)
    return left + FRAME, top + FRAME


def draw_sides(painter: QPainter, grid: Grid, area: QRectF, theme: Theme, height: int) -> None:
    """Draw them around the cells; the variable that changes least is outermost."""
    has_names = _has_names(grid, theme, height)
    painter.setFont(theme.font(_SCALE))
    painter.setPen(QColor(theme.colours.muted))
    for axis, is_down in ((grid.down, True), (grid.across, False)):
        strip = _strip(axis, theme, is_down=is_down, has_names=has_names)
        whole, start = (area.height(), area.top()) if is_down else (area.width(), area.left())
        for number, variable in enumerate(axis.variables):
            for first, length in _runs(axis.values_of(variable).tolist()):
                begin, extent = start + first * whole / axis.length, length * whole / axis.length
                gap = 1 if extent > _BAR else 0
                bar = QRectF((number + 1) * strip - _BAR - 1, begin + gap, _BAR, extent - 2 * gap)
                words = QRectF(number * strip, begin, strip - _BAR - 2, extent)
                if not is_down:
                    bar, words = _turned(bar), _turned(words)
                painter.fillRect(bar, QColor(theme.colours.edge))
                if has_names:
                    painter.drawText(words, Qt.AlignmentFlag.AlignCenter, UNICODE.variable(variable))


def _has_names(grid: Grid, theme: Theme, height: int) -> bool:
    names = len(grid.across.variables)
    if names > _MOST_NAMED:
        return False
    top = names * _strip(grid.across, theme, is_down=False, has_names=True)
    return height - top >= _LEAST_CELL * grid.shape[0]


def _strip(axis: Axis, theme: Theme, *, is_down: bool, has_names: bool) -> int:
    """The room for one variable."""
    if not has_names or not axis.variables:
        return _BAR + 1
    metrics = QFontMetrics(theme.font(_SCALE))
    widest = max(metrics.horizontalAdvance(UNICODE.variable(variable)) for variable in axis.variables)
    return _BAR + 2 + (widest if is_down else metrics.height())


def _turned(area: QRectF) -> QRectF:
    return QRectF(area.y(), area.x(), area.height(), area.width())


def _runs(values: list[bool]) -> list[tuple[int, int]]:
    """Where a value is true: the first place and the length of each stretch."""
    runs: list[tuple[int, int]] = []
    start: int | None = None
    for place, value in enumerate([*values, False]):
        if value and start is None:
            start = place
        elif not value and start is not None:
            runs.append((start, place - start))
            start = None
    return runs
