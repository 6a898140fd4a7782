"""The truth table painted: a colour and a shape for each class of rows, and a picture of all cells."""

from typing import Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPolygonF

from gpviz.app.panels.chip import readable_on
from gpviz.app.theme import Theme
from gpviz.record.rows import CellClass, RowTable

__all__ = ["class_colour", "draw_symbol", "picture_of"]

_DRAWN: Final = 8
"""Added to the class of a drawn row."""

_IN_ORDER: Final = (
    CellClass.RIGHT,
    CellClass.BLANK,
    CellClass.WRONG,
    CellClass.RIGHT + _DRAWN,
    CellClass.WRONG + _DRAWN,
    CellClass.FIXED,
    CellClass.BROKEN,
    CellClass.FIXED + _DRAWN,
    CellClass.BROKEN + _DRAWN,
)
"""Where several rows share a pixel, the last of these is seen."""

_RANKS: Final = np.zeros(2 * _DRAWN, dtype=np.uint8)
_RANKS[list(_IN_ORDER)] = np.arange(len(_IN_ORDER))

_FADED: Final = 0.6
_MOST_SPECKS: Final = 3000
_SMALL: Final = 3
"""A cell of fewer pixels is not seen from afar."""

_SYMBOL_SIZE: Final = 0.3
"""Half a symbol, as a part of its cell."""

_Ranks = npt.NDArray[np.uint8]


def class_colour(kind: CellClass, theme: Theme) -> QColor:
    """The colour of a class; light and dark alone tell right from wrong."""
    colours = theme.colours
    return QColor(
        {
            CellClass.RIGHT: colours.field,
            CellClass.WRONG: colours.muted,
            CellClass.FIXED: colours.improved,
            CellClass.BROKEN: colours.worse,
            CellClass.BLANK: colours.window,
        }[kind]
    )


def draw_symbol(painter: QPainter, kind: CellClass, area: QRectF, theme: Theme) -> None:
    """The shape that tells a class without its colour: up for fixed, down for broken, none for the others."""
    if kind not in (CellClass.FIXED, CellClass.BROKEN):
        return
    centre, half = area.center(), _SYMBOL_SIZE * min(area.width(), area.height())
    rise = half if kind is CellClass.FIXED else -half
    triangle = QPolygonF(
        [
            QPointF(centre.x(), centre.y() - rise),
            QPointF(centre.x() + half, centre.y() + 0.8 * rise),
            QPointF(centre.x() - half, centre.y() + 0.8 * rise),
        ]
    )
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(readable_on(class_colour(kind, theme), theme))
    painter.drawPolygon(triangle)


def picture_of(table: RowTable, width: int, height: int, theme: Theme, *, is_drawn_told: bool) -> QImage:
    """The cells in no more than this many pixels.

    Where several share a pixel, the most telling one is seen, and a few among thousands are made larger than
    they are. ``is_drawn_told`` gives the drawn rows colours of their own.
    """
    classes = table.classes
    drawn = table.drawn if is_drawn_told else None
    if drawn is not None:
        classes = classes.copy()
        classes.reshape(-1)[drawn.cells] |= _DRAWN
        pixels = _reduced(_reduced(_RANKS[classes], height, axis=0), width, axis=1)
    else:  # classes are in that order already, and fewer pixels are ranked faster
        pixels = _RANKS[_reduced(_reduced(classes, height, axis=0), width, axis=1)]
    if width < _SMALL * classes.shape[1] and np.count_nonzero(classes) <= _MOST_SPECKS:
        pixels = _fattened(_stretched(pixels, width, height))
    pixels = np.ascontiguousarray(pixels)
    rows, columns = pixels.shape
    image = QImage(pixels.data, columns, rows, columns, QImage.Format.Format_Indexed8)
    image.setColorTable(_colour_table(theme, is_sampled=drawn is not None))
    return image.copy()  # the pixels of the first belong to numpy


def _stretched(ranks: _Ranks, width: int, height: int) -> _Ranks:
    """A pixel for each place, where there are fewer cells than places."""
    rows, columns = ranks.shape
    down, across = np.arange(height) * rows // height, np.arange(width) * columns // width
    return ranks[down[:, None], across]


def _fattened(ranks: _Ranks) -> _Ranks:
    """Every pixel spreads to its neighbours."""
    for axis in (0, 1):
        padded = np.pad(ranks, [(1, 1) if axis == each else (0, 0) for each in (0, 1)])
        parts = [np.take(padded, np.arange(ranks.shape[axis]) + shift, axis=axis) for shift in range(3)]
        ranks = np.maximum(np.maximum(parts[0], parts[1]), parts[2])
    return ranks


def _reduced(ranks: _Ranks, most: int, axis: int) -> _Ranks:
    while ranks.shape[axis] >= 2 * most:  # all at once would take several times as long
        ranks = (
            np.maximum(ranks[0::2], ranks[1::2]) if axis == 0 else np.maximum(ranks[:, 0::2], ranks[:, 1::2])
        )
    cells = ranks.shape[axis]
    if cells <= most:
        return ranks
    starts = np.arange(most) * cells // most
    reduced: _Ranks = np.maximum.reduceat(ranks, starts, axis=axis)
    return reduced


def _colour_table(theme: Theme, *, is_sampled: bool) -> list[int]:
    """For each rank its colour."""
    colours = theme.colours
    table = {kind + drawn: class_colour(kind, theme) for kind in CellClass for drawn in (0, _DRAWN)}
    if is_sampled:
        wrong = CellClass.WRONG
        table[wrong] = _blended(table[wrong], QColor(colours.panel))
        table[wrong + _DRAWN] = QColor(colours.text)
        table[CellClass.RIGHT + _DRAWN] = QColor(colours.accent)
    return [table[kind].rgb() for kind in _IN_ORDER]


def _blended(colour: QColor, other: QColor) -> QColor:
    share = _FADED
    return QColor.fromRgbF(
        share * colour.redF() + (1 - share) * other.redF(),
        share * colour.greenF() + (1 - share) * other.greenF(),
        share * colour.blueF() + (1 - share) * other.blueF(),
    )
