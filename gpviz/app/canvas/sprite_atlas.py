"""Nodes, halos and badges painted once into an atlas of pictures, from which whole trees are copied."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log2
from typing import Any, Final

import numpy as np
import shiboken6
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

from gpviz.app.canvas.node_shapes import Face, NodeKind, draw_face, draw_text, extent_of, outline_of
from gpviz.app.canvas.tree_frame import Floats, Ints
from gpviz.app.theme import Theme

HEAT_LEVELS: Final = 12
_LEAST_GROWN: Final = 4.0
_MOST_GROWN: Final = 14.0
_RINGS: Final = 9
_BADGE: Final = 8.5
_BADGE_TEXT: Final = 13.0

_WIDTH: Final = 1024
_MOST_ATLASES: Final = 8
_SMALLEST_NODE_SCALE: Final = 0.07
"""However far away, a node stays a visible dot."""
_MERGING_SCALE: Final = 0.05
_REACH: Final = 64.0


@dataclass(frozen=True, slots=True)
class Halo:
    """A soft halo to lie behind a face of this kind, from level 1 to `HEAT_LEVELS`."""

    kind: NodeKind
    level: int

    @property
    def grown(self) -> float:
        """How far it reaches beyond the face."""
        return _LEAST_GROWN + (_MOST_GROWN - _LEAST_GROWN) * self.level / HEAT_LEVELS


@dataclass(frozen=True, slots=True)
class Blank:
    """The place of a face without the face, so that no edge is seen through one that is dimmed."""

    kind: NodeKind


@dataclass(frozen=True, slots=True)
class ValueBadge:
    """The value of a node: a filled round 1 or a hollow square 0."""

    is_true: bool


Stamp = Face | Halo | Blank | ValueBadge


def reach_of(stamp: Stamp) -> tuple[float, float]:
    """How far a stamp reaches from its centre, across and down, without the width of its lines."""
    if isinstance(stamp, ValueBadge):
        return _BADGE, _BADGE
    if isinstance(stamp, Halo):
        box = outline_of(stamp.kind, stamp.grown).boundingRect()
        return max(-box.left(), box.right()), max(-box.top(), box.bottom())
    return extent_of(stamp.kind)


def draw_sprite(painter: QPainter, stamp: Stamp, theme: Theme, scale: float = 1.0) -> None:
    """Paint a stamp around the origin, in units of the drawing of which each will be ``scale`` pixels."""
    if isinstance(stamp, Face):
        draw_face(painter, stamp, theme, scale)
    elif isinstance(stamp, Halo):
        _draw_halo(painter, stamp, theme)
    elif isinstance(stamp, Blank):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.colours.panel))
        painter.drawPath(outline_of(stamp.kind))
    else:
        _draw_badge(painter, stamp, theme)


def _draw_halo(painter: QPainter, halo: Halo, theme: Theme) -> None:
    """Outlines within each other, each of them faint, and a line near the face."""
    share = halo.level / HEAT_LEVELS
    colour = QColor(theme.colours.improved)
    colour.setAlphaF(0.05 + 0.09 * share)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    for ring in range(_RINGS, 0, -1):
        painter.drawPath(outline_of(halo.kind, halo.grown * ring / _RINGS))
    colour.setAlphaF(0.2 + 0.8 * share)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colour, (0.8 + 2.2 * share) * theme.line_scale))
    painter.drawPath(outline_of(halo.kind, 2.5))


def _draw_badge(painter: QPainter, badge: ValueBadge, theme: Theme) -> None:
    colours = theme.colours
    line = 1.6 * min(theme.line_scale, 1.4)
    radius = _BADGE - line / 2
    box = QRectF(-radius, -radius, 2 * radius, 2 * radius)
    if badge.is_true:
        painter.setPen(QPen(QColor(colours.panel), line))
        painter.setBrush(QColor(colours.text))
        painter.drawEllipse(QPointF(0.0, 0.0), radius, radius)
    else:
        painter.setPen(QPen(QColor(colours.muted), line))
        painter.setBrush(QColor(colours.panel))
        painter.drawRoundedRect(box, 2.5, 2.5)
    ink = QColor(colours.panel if badge.is_true else colours.muted)
    draw_text(painter, "1" if badge.is_true else "0", _BADGE_TEXT, ink, 2 * radius, -0.6)


class Atlas:
    """The stamps at ``scale`` pixels per unit, on a device with ``ratio`` real pixels per pixel."""

    def __init__(self, theme: Theme, scale: float, ratio: float) -> None:
        self.scale = scale
        self.ratio = ratio
        self._theme = theme
        self._cells: dict[Stamp, tuple[float, float, float, float]] = {}
        self._left = 0
        self._top = 0
        self._row_height = 0
        self.pixmap = QPixmap(_WIDTH, 64)
        self.pixmap.fill(Qt.GlobalColor.transparent)

    def cells(self, stamps: Sequence[Stamp]) -> Floats:
        """For each stamp its rectangle in the picture: left, top, width, height. Missing ones are painted."""
        missing = [stamp for stamp in stamps if stamp not in self._cells]
        if missing:
            self._paint(missing)
        return np.array([self._cells[stamp] for stamp in stamps], dtype=np.float64).reshape(-1, 4)

    def _paint(self, stamps: list[Stamp]) -> None:
        places = [(stamp, self._room_for(stamp)) for stamp in stamps if stamp not in self._cells]
        if self._top + self._row_height > self.pixmap.height():
            self._grow()
        painter = QPainter(self.pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        factor = self.scale * self.ratio
        for stamp, (left, top, width, height) in places:
            painter.save()
            painter.setClipRect(QRectF(left, top, width, height))
            painter.translate(left + width / 2, top + height / 2)
            painter.scale(factor, factor)
            draw_sprite(painter, stamp, self._theme, self.scale)
            painter.restore()
        painter.end()

    def _room_for(self, stamp: Stamp) -> tuple[float, float, float, float]:
        half_width, half_height = reach_of(stamp)
        border = max(2.0 * self._theme.line_scale, 1.0 / self.scale)
        factor = self.scale * self.ratio
        # Even sizes: the middle of a cell is then the corner of a pixel, and can be put on one.
        width = 2 * (ceil((half_width + border) * factor) + 1)
        height = 2 * (ceil((half_height + border) * factor) + 1)
        if self._left + width > self.pixmap.width() and self._left:
            self._top += self._row_height
            self._left = self._row_height = 0
        cell = (float(self._left), float(self._top), float(width), float(height))
        self._left += width
        self._row_height = max(self._row_height, height)
        self._cells[stamp] = cell
        return cell

    def _grow(self) -> None:
        height = self.pixmap.height()
        while height < self._top + self._row_height:
            height *= 2
        larger = QPixmap(self.pixmap.width(), height)
        larger.fill(Qt.GlobalColor.transparent)
        painter = QPainter(larger)
        painter.drawPixmap(0, 0, self.pixmap)
        painter.end()
        self.pixmap = larger


class AtlasCache:
    """The atlases of a theme that were used last.

    A picture at rest gets stamps at exactly its size. While sizes change from frame to frame, stamps of a nearby
    size are scaled instead, as painting them all for every frame would take too long.
    """

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._atlases: OrderedDict[tuple[float, float], Atlas] = OrderedDict()

    def at(self, scale: float, ratio: float, is_moving: bool = False) -> Atlas:
        """The atlas for this scale."""
        exact = (scale, ratio)
        if is_moving and exact not in self._atlases:
            exact = (2.0 ** (ceil(4 * log2(scale)) / 4), ratio)
        atlas = self._atlases.pop(exact, None) or Atlas(self._theme, *exact)
        self._atlases[exact] = atlas
        while len(self._atlases) > _MOST_ATLASES:
            self._atlases.popitem(last=False)
        return atlas


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
class SpritePositions:
    """For each stamp where it is in pixels, which of ``stamps`` it is, and how strong, large and turned."""

    stamps: Sequence[Stamp]
    which: Ints
    x: Floats
    y: Floats
    opacity: Floats
    size: Floats
    flip: Floats


def paint_sprites(canvas: Canvas, places: SpritePositions, scale: float) -> None:
    """Paint stamps at this many pixels per unit."""
    node_scale = max(scale, _SMALLEST_NODE_SCALE)
    if canvas.atlases is None:
        _paint_each(canvas, places, node_scale)
    else:
        _paint_copies(canvas, canvas.atlases, places, scale, node_scale)


def _paint_copies(
    canvas: Canvas, atlases: AtlasCache, places: SpritePositions, scale: float, node_scale: float
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
    # What to copy from the atlas and where to, in the memory layout of Qt's fragments.
    table = np.zeros((len(seen), 10))
    table[:, 0], table[:, 1] = x[seen], y[seen]
    table[:, 2:6] = atlas.cells(places.stamps)[places.which[seen]]
    table[:, 6:8] = node_scale / (atlas.scale * ratio)
    table[:, 6] *= places.size[seen] * places.flip[seen]
    table[:, 7] *= places.size[seen]
    table[:, [0, 1, 6, 7]] *= ratio
    table[:, 9] = places.opacity[seen]
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    # The array has the memory layout of so many fragments, which spares making an object of each.
    first_one: Any = shiboken6.Shiboken.wrapInstance(table.ctypes.data, QPainter.PixmapFragment)
    painter.save()
    painter.scale(1.0 / ratio, 1.0 / ratio)  # so that copying needs no resampling on any screen
    painter.drawPixmapFragments(first_one, len(table), atlas.pixmap)
    painter.restore()


def _paint_each(canvas: Canvas, places: SpritePositions, node_scale: float) -> None:
    painter = canvas.painter
    for number in range(len(places.which)):
        painter.save()
        painter.translate(float(places.x[number]), float(places.y[number]))
        size = node_scale * float(places.size[number])
        painter.scale(size * float(places.flip[number]), size)
        painter.setOpacity(float(places.opacity[number]))
        draw_sprite(painter, places.stamps[int(places.which[number])], canvas.theme, node_scale)
        painter.restore()
