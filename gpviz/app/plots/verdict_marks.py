"""The marks of the steps: a sign for each verdict, and bins of many steps in which the best verdict shows."""

from math import floor, log10
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from gpviz.app.theme import Theme
from gpviz.engine import Verdict
from gpviz.runs.curve_series import VerdictCounts
from gpviz.runs.step_encoding import VERDICTS

WIDTHS: Final = {
    Verdict.IMPROVED: 1.1,
    Verdict.NEUTRAL: 0.56,
    Verdict.UNCHANGED: 0.22,
    Verdict.WORSE: 0.4,
    Verdict.TOO_LARGE: 0.4,
}
"""How wide each mark is, in heights of a line of type: improvements are large, rejections small."""
LEAST_PITCH: Final = 0.75
"""In the same unit: marks that would be closer to each other are gathered."""
_IMPROVED: Final = VERDICTS.index(Verdict.IMPROVED)


class Marks(NamedTuple):
    """Marks in the order of their iterations."""

    x: npt.NDArray[np.float64]
    """At which iteration each stands; between two where it is for several."""
    verdicts: npt.NDArray[np.intp]
    """The positions of the verdicts in `VERDICTS`."""
    size: int = 1
    """How many iterations have one mark."""


NO_MARKS: Final = Marks(np.empty(0), np.empty(0, dtype=np.intp))


def best_verdicts(counts: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
    """For each row of counts in the order of `VERDICTS` the best verdict in it, as its position there.

    One improvement among a million iterations is seen, whatever else happened beside it.
    """
    return np.argmax(counts > 0, axis=1)


def bin_size(least: float) -> int:
    """The smallest of 1, 2, 5, 10, 20, 50, ... that is not below ``least``."""
    if least <= 1:
        return 1
    power = 10 ** floor(log10(least))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least)


def bin_of(iteration: int, size: int) -> tuple[int, int]:
    """The first and the last iteration of the bin that has this one, however long the run is."""
    first = (iteration - 1) // size * size + 1
    return first, first + size - 1


def marks_between(
    counts: VerdictCounts, first: int, last: int, size: int, improved: npt.NDArray[np.int64]
) -> Marks:
    """A mark for each bin of so many iterations that has some from the first to the last.

    Where some of the improvements are known, the mark of a bin with them stands at the first one.
    """
    first, last = max(first, 1), min(last, len(counts))
    if last < first:
        return NO_MARKS
    edges = np.arange((first - 1) // size, (last - 1) // size + 2) * size + 1
    edges[-1] = min(edges[-1], last + 1)
    verdicts = best_verdicts(np.diff(counts.before(edges), axis=0))
    x = (edges[:-1] + edges[1:] - 1) / 2
    if size > 1 and len(improved):
        found = improved[np.minimum(improved.searchsorted(edges[:-1]), len(improved) - 1)]
        x = np.where((verdicts == _IMPROVED) & (edges[:-1] <= found) & (found < edges[1:]), found, x)
    return Marks(x, verdicts, size)


def paint_marks(
    painter: QPainter, x: npt.NDArray[np.float64], marks: Marks, y: float, theme: Theme, unit: float
) -> None:
    """Paint marks at these places in pixels, at a height; the improvements lie over all others."""
    for number in range(len(VERDICTS) - 1, -1, -1):
        places = x[marks.verdicts == number].tolist()
        if not places:
            continue
        verdict = VERDICTS[number]
        paint_mark = _PAINTERS[verdict]
        paint_mark(
            painter, places, y, QColor(theme.colours.of_verdict(verdict)), WIDTHS[verdict] * unit, theme
        )


def _paint_points(
    painter: QPainter, places: list[float], y: float, colour: QColor, width: float, _theme: Theme
) -> None:
    painter.setPen(QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawPoints([QPointF(x, y) for x in places])


def _paint_crosses(
    painter: QPainter, places: list[float], y: float, colour: QColor, width: float, theme: Theme
) -> None:
    half = width / 2
    painter.setPen(QPen(colour, _line(width, theme)))
    painter.drawLines([QLineF(x - half, y - half, x + half, y + half) for x in places])
    painter.drawLines([QLineF(x - half, y + half, x + half, y - half) for x in places])


def _paint_squares(
    painter: QPainter, places: list[float], y: float, colour: QColor, width: float, theme: Theme
) -> None:
    half = width / 2
    solid, flat = Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap
    painter.setPen(QPen(colour, _line(width, theme), solid, flat, Qt.PenJoinStyle.MiterJoin))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for x in places:
        painter.drawRect(QRectF(x - half, y - half, width, width))


def _paint_triangles(
    painter: QPainter, places: list[float], y: float, colour: QColor, width: float, theme: Theme
) -> None:
    half = width / 2
    painter.setPen(QPen(QColor(theme.colours.panel), 1.0))  # so that neighbours are told apart
    painter.setBrush(colour)
    for x in places:
        painter.drawPolygon(
            QPolygonF([QPointF(x, y - half), QPointF(x + half, y + half), QPointF(x - half, y + half)])
        )


def _line(width: float, theme: Theme) -> float:
    return min(1.4 * theme.line_scale, 0.3 * width)


_PAINTERS: Final = {
    Verdict.IMPROVED: _paint_triangles,
    Verdict.NEUTRAL: _paint_points,
    Verdict.UNCHANGED: _paint_points,
    Verdict.WORSE: _paint_crosses,
    Verdict.TOO_LARGE: _paint_squares,
}
