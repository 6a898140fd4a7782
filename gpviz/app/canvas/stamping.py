"""Paints many stamps at their places: copied from an atlas on the screen, as lines and outlines elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import shiboken6
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from gpviz.app.canvas.atlas import AtlasCache
from gpviz.app.canvas.scene import Floats, Ints
from gpviz.app.canvas.stamps import Stamp, draw_stamp
from gpviz.app.theme import Theme

__all__ = ["Canvas", "Places", "paint_stamps"]

_SMALLEST_NODE_SCALE: Final = 0.07
"""However far away, a node stays a visible dot."""
_MERGING_SCALE: Final = 0.05
_REACH: Final = 64.0


@dataclass(frozen=True)
class Canvas:
    """What is painted on: a painter, the part that is seen, and where painted stamps are kept, if anywhere."""

    painter: QPainter
    view: QRectF
    theme: Theme
    atlases: AtlasCache | None
    ratio: float
    is_moving: bool


@dataclass(frozen=True)
class Places:
    """For each stamp where it is in pixels, which of ``stamps`` it is, and how strong, large and turned."""

    stamps: Sequence[Stamp]
    which: Ints
    x: Floats
    y: Floats
    opacity: Floats
    size: Floats
    flip: Floats


def paint_stamps(canvas: Canvas, places: Places, scale: float) -> None:
    """Paint stamps at this many pixels per unit."""
    node_scale = max(scale, _SMALLEST_NODE_SCALE)
    if canvas.atlases is None:
        _paint_each(canvas, places, node_scale)
    else:
        _paint_copies(canvas, canvas.atlases, places, scale, node_scale)


def _paint_copies(
    canvas: Canvas, atlases: AtlasCache, places: Places, scale: float, node_scale: float
) -> None:
    painter, ratio, x, y = canvas.painter, canvas.ratio, places.x, places.y
    atlas = atlases.at(node_scale, ratio, canvas.is_moving)
    reach = _REACH * node_scale
    is_seen = (x > -reach) & (x < canvas.view.width() + reach)
    is_seen &= (y > -reach) & (y < canvas.view.height() + reach)
    seen = np.flatnonzero(is_seen & (places.opacity > 0.0))
    if scale < _MERGING_SCALE:
        # Of nodes on the same pixel one is painted, so the work is bounded by the view and not by the tree.
        _, first = np.unique(np.round(x[seen]) * 65536.0 + np.round(y[seen]), return_index=True)
        seen = seen[np.sort(first)]
    if not len(seen):
        return
    cells = atlas.cells(places.stamps)[places.which[seen]]
    factor = node_scale / (atlas.scale * ratio)
    table = _fragments(x[seen], y[seen], cells, factor, places.opacity[seen])
    table[:, 6] *= places.size[seen] * places.flip[seen]
    table[:, 7] *= places.size[seen]
    table[:, [0, 1, 6, 7]] *= ratio
    table = np.ascontiguousarray(table)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    # The array has the memory layout of so many fragments, which spares making an object of each.
    first_one: Any = shiboken6.Shiboken.wrapInstance(table.ctypes.data, QPainter.PixmapFragment)
    painter.save()
    painter.scale(1.0 / ratio, 1.0 / ratio)  # so that copying needs no resampling on any screen
    painter.drawPixmapFragments(first_one, len(table), atlas.pixmap)
    painter.restore()


def _fragments(x: Floats, y: Floats, cells: Floats, factor: float, opacity: Floats) -> Floats:
    """What to copy from an atlas and where to, in the memory layout of Qt's fragments."""
    table = np.zeros((len(x), 10))
    table[:, 0], table[:, 1] = x, y
    table[:, 2:6] = cells
    table[:, 6:8] = factor
    table[:, 9] = opacity
    return table


def _paint_each(canvas: Canvas, places: Places, node_scale: float) -> None:
    painter = canvas.painter
    for number in range(len(places.which)):
        painter.save()
        painter.translate(float(places.x[number]), float(places.y[number]))
        size = node_scale * float(places.size[number])
        painter.scale(size * float(places.flip[number]), size)
        painter.setOpacity(float(places.opacity[number]))
        draw_stamp(painter, places.stamps[int(places.which[number])], canvas.theme, node_scale)
        painter.restore()
