"""Shades the stretches of a run in which parents are full, for the curves and the timeline alike."""

from collections.abc import Sequence
from math import ceil, floor
from typing import Final, NamedTuple

import numpy as np
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from gpviz.app.theme import Theme
from gpviz.run.series import FullCounts

__all__ = ["Shade", "paint_shades", "shades_between"]

_STRENGTHS: Final = 4
_FILL: Final = 0.16
_HATCH: Final = 0.34
"""How opaque the fill and its hatching are where every parent is full."""
_PERIOD: Final = 7.0
_LEAST_HATCHED: Final = 3.0
"""In pixels: how far the hatching repeats itself, and from which width on it is seen."""


class Shade(NamedTuple):
    """From one iteration to another, and how many of the parents there are full, from 0 to 1."""

    start: float
    end: float
    strength: float


def shades_between(full: FullCounts, low: float, high: float, columns: int) -> list[Shade]:
    """What is to be shaded between two iterations, in so many columns; neighbours alike are one."""
    low, high = max(low, 0.0), min(high, float(len(full)))
    if high <= low or not columns:
        return []
    edges = np.linspace(low, high, columns + 1)
    strengths = np.ceil(full.shares(edges) * _STRENGTHS - 1e-9)
    heads = np.flatnonzero(np.diff(strengths, prepend=-1.0))
    tails = np.append(heads[1:], columns)
    return [
        Shade(float(edges[head]), float(edges[tail]), float(strengths[head]) / _STRENGTHS)
        for head, tail in zip(heads.tolist(), tails.tolist(), strict=True)
        if strengths[head]
    ]


def paint_shades(painter: QPainter, shades: Sequence[tuple[QRectF, float]], theme: Theme) -> None:
    """Fill and hatch these rectangles, each as strongly as it is told."""
    painter.setPen(Qt.PenStyle.NoPen)
    for room, strength in shades:
        painter.fillRect(room, _faded(theme, _FILL * strength))
    painter.setPen(QPen(_faded(theme, _HATCH), theme.line_scale))
    period = _PERIOD * theme.line_scale
    lines = [
        line for room, _ in shades if room.width() >= _LEAST_HATCHED for line in _diagonals(room, period)
    ]
    painter.drawLines(lines)


def _faded(theme: Theme, opacity: float) -> QColor:
    colour = QColor(theme.colours.edge)
    colour.setAlphaF(opacity)
    return colour


def _diagonals(room: QRectF, period: float) -> list[QLineF]:
    """Lines from the lower left to the upper right; those of neighbours continue each other."""
    left, right, top, bottom = room.left(), room.right(), room.top(), room.bottom()
    sums = (
        number * period for number in range(ceil((left + top) / period), floor((right + bottom) / period) + 1)
    )
    return [
        QLineF(start, total - start, end, total - end)
        for total in sums
        if (end := min(right, total - top)) > (start := max(left, total - bottom))
    ]
