"""Paints the items of a picture with Qt: on a widget, in an image, or on a page of a PDF.

To fill and stroke a small shape takes longer than to copy it. So on a screen every small shape and text is painted
once into a sprite, for each part of a pixel that it may begin at, and copied from there.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import lru_cache
from math import floor
from typing import Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
    QPixmap,
    QPolygonF,
    QTransform,
)

from gpviz.app.canvas.camera import WHOLE, Zoom
from gpviz.app.theme import FONT_FAMILIES, MATHS_FAMILIES, Colours
from gpviz.app.widgets.paint_helpers import is_vector
from gpviz.picture.colours import colour_of
from gpviz.picture.items import DASH, LEAST_LABEL, Enter, Font, Item, Shape

_FAMILIES: Final = {
    Font.WORDS: FONT_FAMILIES,
    Font.BOLD: FONT_FAMILIES,
    Font.MATHS: MATHS_FAMILIES,
}
_TYPE: Final = 100
"""In pixels: the size of the type whose outlines are kept, and scaled to every other."""
_LARGEST_SPRITE: Final = 40_000.0
"""In square pixels; what is larger is painted anew each time."""
_FURTHEST: Final = 100.0
"""In pixels: so is a box that is wider, or a disc or a text that is larger."""
_MOST_PIXELS: Final = 8_000_000
"""Of all sprites that are kept."""
_PHASES: Final = (4, 2)
"""Into how many parts a pixel is divided, across and down."""
_LEAST_ROUND: Final = 3.0
"""In pixels: the ends of thinner lines are not rounded, which nobody sees and takes ten times as long."""
_LEAST_OPACITY: Final = 0.01
_SHARES: Final = {"start": 0.0, "middle": 0.5, "end": 1.0}
"""How much of a text is on the left of its place."""


def resting(items: Iterable[Item]) -> list[Item]:
    """Those that are seen while nothing moves."""
    return [item for item in items if item.enter is not Enter.FLASH]


def _face(font: Font) -> QFont:
    face = QFont(list(_FAMILIES[font]))
    face.setPixelSize(_TYPE)
    face.setBold(font is Font.BOLD)
    face.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return face


@lru_cache(maxsize=4096)
def _outlines(text: str, font: Font) -> tuple[QPainterPath, float]:
    """The outlines of a text in type of a fixed size, and how wide it is."""
    face = _face(font)
    path = QPainterPath()
    path.addText(0.0, 0.0, face, text)
    return path, QFontMetricsF(face).horizontalAdvance(text)


def _text_place(item: Item) -> QTransform:
    """From the outlines of a text to its place and size."""
    x, y, size = item.points
    width = _outlines(item.text, item.font)[1]
    scale = size / _TYPE
    left = x - _SHARES[item.anchor] * width * scale
    return QTransform(scale, 0.0, 0.0, scale, left, y)


def _text_path(item: Item) -> QPainterPath:
    return _text_place(item).map(_outlines(item.text, item.font)[0])


def _polygon(points: tuple[float, ...]) -> QPolygonF:
    return QPolygonF([QPointF(x, y) for x, y in zip(points[::2], points[1::2], strict=True)])


def _size_of(points: tuple[float, ...]) -> tuple[float, ...]:
    """Corners, seen from the first one."""
    left, top = points[:2]
    return (*[round(x - left, 2) for x in points[2::2]], *[round(y - top, 2) for y in points[3::2]])


def _moved(item: Item, dx: float, dy: float) -> Item:
    points = item.points
    if item.shape in (Shape.POLYGON, Shape.LINE):
        shifts = (dx, dy) * (len(points) // 2)
        return item._replace(points=tuple(map(sum, zip(points, shifts, strict=True))))
    return item._replace(points=(points[0] + dx, points[1] + dy, *points[2:]))


def rect_of(item: Item) -> QRectF:
    """All that is painted of an item, stroke included."""
    points = item.points
    if item.shape is Shape.DISC:
        x, y, radius = points
        rect = QRectF(x - radius, y - radius, 2 * radius, 2 * radius)
    elif item.shape is Shape.BOX:
        rect = QRectF(*points[:4])
    elif item.shape is Shape.TEXT:
        rect = _text_path(item).boundingRect()
    else:
        rect = _polygon(points).boundingRect()
    half = item.width / 2 + 1.0
    return rect.adjusted(-half, -half, half, half)


class ItemPainter:
    """Paints items in the colours of a theme; one for each theme is enough."""

    def __init__(self, colours: Colours) -> None:
        self._colours: Mapping[str, str] = asdict(colours)
        self._inks: dict[str, QColor] = {}
        self._brushes: dict[str, QBrush] = {}
        self._pens: dict[tuple[str, float, bool], QPen] = {}
        self._sprites: dict[tuple[object, ...], tuple[QPixmap, float, float]] = {}
        self._pixels = 0

    def ink(self, name: str) -> QColor:
        """The colour of this name."""
        ink = self._inks.get(name)
        if ink is None:
            ink = self._inks[name] = QColor(colour_of(name, self._colours))
        return ink

    def paint(self, painter: QPainter, items: Iterable[Item], zoom: Zoom = WHOLE) -> None:
        """Paint items in their order; those of the tree as they are zoomed."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        has_pixels = not is_vector(painter)
        ratio = painter.deviceTransform().m11()
        lines: list[QLineF] = []
        look: tuple[str, float, float] | None = None
        for each in items:
            if each.opacity < _LEAST_OPACITY:
                continue
            item = zoom.of_item(each)
            if item.is_label and item.points[2] < LEAST_LABEL:
                continue
            if item.shape is Shape.LINE and len(item.points) == 4 and not item.is_dashed:
                if look != (item.stroke, item.width, item.opacity):
                    self._paint_lines(painter, lines, look)
                    lines, look = [], (item.stroke, item.width, item.opacity)
                lines.append(QLineF(*item.points))
                continue
            self._paint_lines(painter, lines, look)
            lines, look = [], None
            painter.setOpacity(item.opacity)
            if not (has_pixels and self._paint_sprite(painter, item, ratio)):
                self._paint_item(painter, item)
        self._paint_lines(painter, lines, look)
        painter.setOpacity(1.0)

    def _paint_lines(
        self, painter: QPainter, lines: list[QLineF], look: tuple[str, float, float] | None
    ) -> None:
        if look is not None:
            stroke, width, opacity = look
            painter.setOpacity(opacity)
            painter.setPen(self._pen(stroke, width, is_dashed=False))
            painter.drawLines(lines)

    def _paint_item(self, painter: QPainter, item: Item) -> None:
        if item.shape is Shape.TEXT and is_vector(painter):
            painter.save()
            painter.setTransform(_text_place(item), combine=True)
            painter.setFont(_face(item.font))
            painter.setPen(self.ink(item.fill))
            painter.drawText(QPointF(0.0, 0.0), item.text)
            painter.restore()
            return
        if item.shape is Shape.TEXT:
            painter.fillPath(_text_path(item), self._brush(item.fill))
            return
        painter.setPen(
            self._pen(item.stroke, item.width, is_dashed=item.is_dashed) if item.stroke else Qt.PenStyle.NoPen
        )
        if item.shape is Shape.LINE:
            painter.drawPolyline(_polygon(item.points))
            return
        painter.setBrush(self._brush(item.fill) if item.fill else Qt.BrushStyle.NoBrush)
        if item.shape is Shape.DISC:
            x, y, radius = item.points
            painter.drawEllipse(QPointF(x, y), radius, radius)
        elif item.shape is Shape.BOX:
            x, y, width, height, radius = item.points
            painter.drawRoundedRect(QRectF(x, y, width, height), radius, radius)
        else:
            painter.drawPolygon(_polygon(item.points))

    def _paint_sprite(self, painter: QPainter, item: Item, ratio: float) -> bool:
        """Copy a small item from its sprite; False if it is none."""
        points = item.points
        has_corners = item.shape in (Shape.POLYGON, Shape.LINE)
        if len(points) == 4 or (not has_corners and points[2] > _FURTHEST):
            return False
        x, y = points[0] * ratio, points[1] * ratio
        column, row = floor(x), floor(y)
        phase = floor((x - column) * _PHASES[0]), floor((y - row) * _PHASES[1])
        size = _size_of(points) if has_corners else points[2:]
        look = item.shape, size, item.fill, item.stroke, item.width, item.is_dashed
        key = (*look, item.text, item.font, item.anchor, phase, ratio)
        sprite = self._sprites.get(key)
        if sprite is None:
            made = self._sprite(item, phase, ratio)
            if made is None:
                return False
            self._pixels += made[0].width() * made[0].height()
            if self._pixels > _MOST_PIXELS:
                self._sprites.clear()
                self._pixels = 0
            sprite = self._sprites[key] = made
        pixmap, left, top = sprite
        painter.drawPixmap(QPointF((column + left) / ratio, (row + top) / ratio), pixmap)
        return True

    def _sprite(
        self, item: Item, phase: tuple[int, int], ratio: float
    ) -> tuple[QPixmap, float, float] | None:
        """An item painted alone, and how far in pixels from its first point that begins; None if it is large."""
        middle = [(part + 0.5) / parts / ratio for part, parts in zip(phase, _PHASES, strict=True)]
        item = _moved(item, middle[0] - item.points[0], middle[1] - item.points[1])
        rect = rect_of(item)
        left, top = floor(rect.left() * ratio), floor(rect.top() * ratio)
        width = floor(rect.right() * ratio) + 1 - left
        height = floor(rect.bottom() * ratio) + 1 - top
        if width * height > _LARGEST_SPRITE * ratio * ratio:
            return None
        pixmap = QPixmap(width, height)
        pixmap.fill(Qt.GlobalColor.transparent)
        with QPainter(pixmap) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.translate(-left, -top)
            painter.scale(ratio, ratio)
            self._paint_item(painter, item)
        pixmap.setDevicePixelRatio(ratio)
        return pixmap, left, top

    def _brush(self, name: str) -> QBrush:
        brush = self._brushes.get(name)
        if brush is None:
            brush = self._brushes[name] = QBrush(self.ink(name))
        return brush

    def _pen(self, name: str, width: float, *, is_dashed: bool) -> QPen:
        key = name, round(width, 2), is_dashed
        pen = self._pens.get(key)
        if pen is None:
            is_thin = width < _LEAST_ROUND and not is_dashed
            cap = Qt.PenCapStyle.FlatCap if is_thin else Qt.PenCapStyle.RoundCap
            join = Qt.PenJoinStyle.RoundJoin
            pen = QPen(self._brush(name), key[1], Qt.PenStyle.SolidLine, cap, join)
            if is_dashed:
                pen.setDashPattern([part / 2 for part in DASH])
            self._pens[key] = pen
        return pen


@lru_cache(maxsize=8)
def item_painter(colours: Colours) -> ItemPainter:
    """The painter of these colours."""
    return ItemPainter(colours)
