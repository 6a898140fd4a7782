"""Shades the stretches of a run in which parents are full, for the curves and the time strip alike."""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRectF
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPen

from gpviz.app.theme import Theme
from gpviz.app.widgets.paint_helpers import diagonals, faded, is_vector
from gpviz.runs.curve_series import FullCounts

_STRENGTHS: Final = 4
_FILL: Final = 0.15
_HATCH: Final = 0.4
"""How opaque the fill and its hatching are where every parent is full."""
_PERIOD: Final = 7.0
_LEAST_HATCHED: Final = 3.0
"""In pixels: how far the hatching repeats itself, and from which width on it is seen."""


class Shade(NamedTuple):
    """From one iteration to another, and how many of the parents there are full, from 0 to 1."""

    start: float
    end: float
    strength: float


class Shades(NamedTuple):
    """How strongly it is shaded between each two of some iterations, which ascend; 0 for not at all."""

    edges: npt.NDArray[np.float64]
    strengths: npt.NDArray[np.float64]

    @property
    def pieces(self) -> list[Shade]:
        """What is shaded."""
        ends = zip(self.edges.tolist(), self.edges[1:].tolist(), self.strengths.tolist(), strict=False)
        return [Shade(start, end, strength) for start, end, strength in ends if strength]

    def between(self, left: float, right: float) -> "Shades":
        """Cut off what is beyond these iterations."""
        return Shades(self.edges.clip(left, right), self.strengths)


NO_SHADES: Final = Shades(np.zeros(1), np.zeros(0))


def shades_between(full: FullCounts, low: float, high: float, columns: int) -> Shades:
    """What is to be shaded between two iterations, in so many columns; neighbours alike are one."""
    low, high = max(low, 0.0), min(high, float(len(full)))
    if high <= low or not columns:
        return NO_SHADES
    edges = np.linspace(low, high, columns + 1)
    strengths = np.ceil(full.shares(edges) * _STRENGTHS - 1e-9) / _STRENGTHS
    heads = np.flatnonzero(np.diff(strengths, prepend=-1.0))
    return Shades(edges[np.append(heads, columns)], strengths[heads])


def paint_shades(painter: QPainter, shades: Shades, top: float, height: float, theme: Theme) -> None:
    """Fill and hatch each shade with its own strength; the edges are in pixels."""
    if not shades.strengths.any():
        return
    if not is_vector(painter):
        _paint_pixels(painter, shades, top, height, theme)
        return
    areas = [(QRectF(start, top, end - start, height), strength) for start, end, strength in shades.pieces]
    for area, strength in areas:
        painter.fillRect(area, faded(theme.colours.edge, _FILL * strength))
    painter.setPen(QPen(faded(theme.colours.edge, _HATCH), theme.line_scale))
    for area, _ in areas:
        if area.width() >= _LEAST_HATCHED:
            painter.drawLines(diagonals(area, _PERIOD * theme.line_scale))


def _paint_pixels(painter: QPainter, shades: Shades, top: float, height: float, theme: Theme) -> None:
    """All of them at once, as one picture that repeats itself downwards, which is far faster than many lines."""
    edges = shades.edges.round().astype(np.int64)
    left, right = int(edges[0]), int(edges[-1])
    if left == right:
        return
    strengths = np.repeat(shades.strengths, np.diff(edges))
    period, width = round(_PERIOD * theme.line_scale), max(1.0, theme.line_scale)
    is_line = (np.arange(period)[:, None] + np.arange(left, right)) % period < width
    opacities = np.where(is_line, _HATCH, _FILL * strengths) * (strengths > 0)
    colour = QColor(theme.colours.edge)
    # As QImage has them in memory, each made darker by how opaque it is.
    parts = np.array([colour.blue(), colour.green(), colour.red(), 255])
    pixels = (opacities[:, :, None] * parts).round().astype(np.uint8).tobytes()
    image = QImage(
        pixels, right - left, period, 4 * (right - left), QImage.Format.Format_ARGB32_Premultiplied
    )
    painter.setBrushOrigin(left, 0)
    painter.fillRect(QRectF(left, top, right - left, height), QBrush(image.copy()))
    painter.setBrushOrigin(0, 0)
