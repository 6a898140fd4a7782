"""The shapes, labels and badges of nodes: what a node is painted as, in the units of the drawing."""

from enum import IntEnum
from functools import lru_cache
from typing import Final, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen, QPolygonF

from gpviz.app.theme import Colours, Theme, readable_on, words_font
from gpviz.app.widgets.paint_helpers import is_vector
from gpviz.engine import UNICODE, Function, Leaf, Node, Verdict
from gpviz.explain.step_text import VERDICT_SYMBOLS

LABEL_SIZE: Final = 20.0
_COUNT_SIZE: Final = 14.0
_WORD_SIZE: Final = 12.5
_BORDER: Final = 1.8
_AND_RADIUS: Final = 20.0
_OR_RADIUS: Final = 24.0
_BOX: Final = QRectF(-20.0, -18.0, 40.0, 36.0)
_BOX_RADIUS: Final = 8.0
_BOX_TEXT_WIDTH: Final = 35.0
_SECOND_BORDER: Final = 1.2
_BETWEEN_BORDERS: Final = 1.7
_TEXT_WIDTH_INSIDE: Final = 27.0
"""A redundant leaf has two borders: the width of the inner one, the gap, and what is left for the label."""
_SMALLEST_TEXT: Final = 7.0
_FULL_TEXT: Final = 8.5
"""In pixels: text below the first is left out rather than smudged, above the second it has its full strength."""
_DRAFT_SIZE: Final = 200
"""Text is outlined once at this size and then scaled, so that it is the same at every size and on every device."""
_SYMBOL_TEXT: Final = 18.0
_GHOST_BORDER: Final = 2.4
_GHOST_DASH: Final = 5.5
_GHOST_GAP: Final = 3.8
_GHOST_FILL: Final = 0.08
_GHOST_INK: Final = 0.3
"""How much of the verdict's colour is in the fill of a ghost, and of the background in its label."""


class NodeKind(IntEnum):
    """A circle, a diamond, a box, and the triangles of collapsed subtrees."""

    AND = 0
    OR = 1
    LEAF = 2
    AND_STACK = 3
    OR_STACK = 4

    @property
    def is_stack(self) -> bool:
        return self in (NodeKind.AND_STACK, NodeKind.OR_STACK)


class Face(NamedTuple):
    """What a node looks like, but for its place and size."""

    kind: NodeKind
    label: str
    is_redundant: bool = False
    tint: str = ""
    """Of a ghost, which is drawn though it is not in the tree: the name of the colour of its outline."""
    is_struck: bool = False


_AND = Face(NodeKind.AND, UNICODE.conjunction)
_OR = Face(NodeKind.OR, UNICODE.disjunction)


def face_of(node: Node, is_collapsed: bool = False) -> Face:
    """The face of a node; a collapsed one says of how many leaves it is."""
    if isinstance(node, Leaf):
        return leaf_face(node.variable)
    if is_collapsed:
        kind = NodeKind.AND_STACK if node.function is Function.AND else NodeKind.OR_STACK
        return Face(kind, f"of {node.leaves} leaves")
    return _AND if node.function is Function.AND else _OR


def leaf_face(variable: int) -> Face:
    return Face(NodeKind.LEAF, UNICODE.variable(variable))


_HALF_EXTENTS: Final = {
    NodeKind.AND: (_AND_RADIUS, _AND_RADIUS),
    NodeKind.OR: (_OR_RADIUS, _OR_RADIUS),
    NodeKind.LEAF: (20.0, 18.0),
    NodeKind.AND_STACK: (27.0, 24.0),
    NodeKind.OR_STACK: (27.0, 24.0),
}


def extent_of(kind: NodeKind) -> tuple[float, float]:
    """How far a face reaches from its centre, across and down."""
    return _HALF_EXTENTS[kind]


def outline_of(kind: NodeKind, grown: float = 0.0) -> QPainterPath:
    """The outline of a face, this much larger on every side."""
    path = QPainterPath()
    if kind is NodeKind.AND:
        radius = _AND_RADIUS + grown
        path.addEllipse(QPointF(0.0, 0.0), radius, radius)
    elif kind is NodeKind.OR:
        _add_rounded(path, _diamond(_OR_RADIUS + 1.4 * grown), 5.0 + grown)
    elif kind.is_stack:
        _add_rounded(path, _triangle(grown), 7.0 + grown)
    else:
        box = _BOX.adjusted(-grown, -grown, grown, grown)
        path.addRoundedRect(box, _BOX_RADIUS + grown, _BOX_RADIUS + grown)
    return path


def draw_face(painter: QPainter, face: Face, theme: Theme, scale: float = 1.0) -> None:
    """Paint a face around the origin, in units of the drawing of which each will be ``scale`` pixels.

    Where the painter's device has more real pixels than that, there is room for finer lines and smaller labels.
    """
    colours = theme.colours
    pixels = scale if is_vector(painter) else abs(painter.deviceTransform().m22())
    if face.tint:
        _draw_ghost(painter, face, theme, pixels)
        return
    fill, border, text = _colours_of(face, colours)
    if face.kind is NodeKind.LEAF:
        width = max(_BORDER * theme.line_scale, 1.0 / pixels)
        painter.setPen(QPen(border, width))
    else:
        painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(fill)
    painter.drawPath(outline_of(face.kind))
    if face.is_redundant and face.kind is NodeKind.LEAF:
        second = max(_SECOND_BORDER * theme.line_scale, 1.0 / pixels)
        painter.setPen(QPen(border, second))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(outline_of(face.kind, -(width + second) / 2 - _BETWEEN_BORDERS))
    _draw_readable_label(painter, face, theme, text, pixels)


def _draw_ghost(painter: QPainter, face: Face, theme: Theme, pixels: float) -> None:
    """A node that is not in the tree: hollow and dashed; a label that was replaced is struck out."""
    colours = theme.colours
    colour = QColor(getattr(colours, face.tint))
    fill = mixed_colours(QColor(colours.panel), colour, _GHOST_FILL)
    width = max(_GHOST_BORDER * theme.line_scale, 1.0 / pixels)
    pen = QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
    pen.setDashPattern([_GHOST_DASH / width, _GHOST_GAP / width])
    painter.setPen(pen)
    painter.setBrush(fill)
    painter.drawPath(outline_of(face.kind, -width / 2))
    ink = mixed_colours(QColor(colours.text), QColor(colours.panel), _GHOST_INK)
    _draw_readable_label(painter, face, theme, ink, pixels)
    if face.is_struck:
        painter.setPen(QPen(ink, max(1.8 * theme.line_scale, 1.0 / pixels)))
        painter.drawLine(QPointF(-13.0, 5.0), QPointF(13.0, -5.0))


def mixed_colours(one: QColor, other: QColor, share: float) -> QColor:
    """One colour with this share of another in it."""
    parts = ((one.redF(), other.redF()), (one.greenF(), other.greenF()), (one.blueF(), other.blueF()))
    red, green, blue = (start + (end - start) * share for start, end in parts)
    return QColor.fromRgbF(red, green, blue)


def _draw_readable_label(painter: QPainter, face: Face, theme: Theme, colour: QColor, pixels: float) -> None:
    strength = (LABEL_SIZE * pixels - _SMALLEST_TEXT) / (_FULL_TEXT - _SMALLEST_TEXT)
    # What stays shapes and text is enlarged by whoever wants to read it.
    opacity = 1.0 if is_vector(painter) else min(max(strength, 0.0), 1.0)
    if opacity > 0.0:
        colour.setAlphaF(opacity)
        _draw_label(painter, face, theme, colour)


def placeholder_circle(view: QRectF, top_margin: float, theme: Theme) -> QRectF:
    """The circle on an empty canvas, where the first leaf will be."""
    radius = 3.2 * theme.font_size
    centre = QPointF(view.center().x(), (view.height() + top_margin) / 2 - radius)
    return QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)


def draw_text(
    painter: QPainter, text: str, size: float, colour: QColor, width: float, middle: float = 0.0
) -> None:
    """Paint text centred at the height ``middle``, shrunk if need be to be no wider than ``width``."""
    bounds = text_path(text)[1]
    scale = size / _DRAFT_SIZE
    scale = min(scale, width / max(bounds.width(), 1.0))
    painter.save()
    painter.translate(0.0, middle)
    painter.scale(scale, scale)
    # Letters of one line stand on one base line, so they are centred by the height of an x.
    painter.translate(-bounds.center().x(), _DRAFT_SIZE * 0.29)
    fill_text(painter, text, colour)
    painter.restore()


def fill_text(painter: QPainter, text: str, colour: QColor) -> None:
    """Paint text at the origin at the size of the draft: its outline, or text that can be searched for."""
    if is_vector(painter):
        painter.setFont(_draft_font())
        painter.setPen(colour)
        painter.drawText(QPointF(0.0, 0.0), text)
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawPath(text_path(text)[0])


def text_width(text: str, size: float) -> float:
    """How wide a text of this size is."""
    return text_path(text)[1].width() * size / _DRAFT_SIZE


def symbol_of(kind: NodeKind, half_width: float, half_height: float) -> QPainterPath:
    """The strokes of ∧ or ∨, which no font draws as evenly."""
    up = -1.0 if kind in (NodeKind.AND, NodeKind.AND_STACK) else 1.0
    path = QPainterPath(QPointF(-half_width, -up * half_height))
    path.lineTo(0.0, up * half_height)
    path.lineTo(half_width, -up * half_height)
    return path


def _draw_label(painter: QPainter, face: Face, theme: Theme, colour: QColor) -> None:
    if face.kind is NodeKind.LEAF:
        room = _TEXT_WIDTH_INSIDE if face.is_redundant else _BOX_TEXT_WIDTH
        draw_text(painter, face.label, LABEL_SIZE, colour, room)
        return
    width = 3.2 * min(theme.line_scale, 1.3)
    if is_vector(painter):
        # Strokes cannot be searched for, so below them is the letter, which nobody sees.
        unseen = QColor(colour)
        unseen.setAlphaF(0.0)
        symbol = (
            UNICODE.conjunction if face.kind in (NodeKind.AND, NodeKind.AND_STACK) else UNICODE.disjunction
        )
        draw_text(painter, symbol, _SYMBOL_TEXT, unseen, _BOX_TEXT_WIDTH)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    pen = QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    if not face.kind.is_stack:
        painter.setPen(pen)
        painter.drawPath(symbol_of(face.kind, 6.2, 7.0))
        return
    pen.setWidthF(width * 0.7)
    painter.setPen(pen)
    painter.save()
    painter.translate(0.0, -10.5)
    painter.drawPath(symbol_of(face.kind, 3.8, 4.0))
    painter.restore()
    number, _, word = face.label.rpartition(" ")  # a triangle has most room at its base
    draw_text(painter, number, _COUNT_SIZE, colour, 29.0, 3.0)
    draw_text(painter, word, _WORD_SIZE, colour, 41.0, 15.5)


@lru_cache(maxsize=4096)
def text_path(text: str) -> tuple[QPainterPath, QRectF]:
    """The outline of a text on its base line, and its bounds, at the size of the draft."""
    path = QPainterPath()
    path.addText(0.0, 0.0, _draft_font(), text)
    return path, path.boundingRect()


def _draft_font() -> QFont:
    font = words_font()
    font.setPixelSize(_DRAFT_SIZE)
    return font


def _colours_of(face: Face, colours: Colours) -> tuple[QColor, QColor, QColor]:
    """Fill, border and text."""
    if face.kind in (NodeKind.AND, NodeKind.AND_STACK):
        names = colours.and_fill, colours.and_fill, colours.and_text
    elif face.kind in (NodeKind.OR, NodeKind.OR_STACK):
        names = colours.or_fill, colours.or_border, colours.or_text
    elif face.is_redundant:
        names = colours.redundant_fill, colours.redundant_border, colours.leaf_text
    else:
        names = colours.leaf_fill, colours.leaf_border, colours.leaf_text
    fill, border, text = names
    return QColor(fill), QColor(border), QColor(text)


def _diamond(radius: float) -> QPolygonF:
    return QPolygonF(
        [QPointF(0.0, -radius), QPointF(radius, 0.0), QPointF(0.0, radius), QPointF(-radius, 0.0)]
    )


def _triangle(grown: float) -> QPolygonF:
    return QPolygonF(
        [
            QPointF(0.0, -26.0 - 1.6 * grown),
            QPointF(29.0 + 1.6 * grown, 23.0 + grown),
            QPointF(-29.0 - 1.6 * grown, 23.0 + grown),
        ]
    )


def _add_rounded(path: QPainterPath, corners: QPolygonF, radius: float) -> None:
    """Add a polygon with its corners rounded."""
    count = corners.size()
    for number in range(count):
        before, corner, after = (corners.at((number + step) % count) for step in (-1, 0, 1))
        start = _towards(corner, before, radius)
        if number:
            path.lineTo(start)
        else:
            path.moveTo(start)
        path.quadTo(corner, _towards(corner, after, radius))
    path.closeSubpath()


def _towards(start: QPointF, end: QPointF, distance: float) -> QPointF:
    vector = end - start
    length = (vector.x() ** 2 + vector.y() ** 2) ** 0.5
    return start + vector * (min(distance, length / 2) / length)


def draw_badge(painter: QPainter, verdict: Verdict | None, box: QRectF, theme: Theme) -> None:
    """Paint a verdict's badge into a square: round for what was accepted, square for what was rejected.

    A verdict that nobody is told yet, None, is a question mark on a shape between the two.
    """
    colours = theme.colours
    colour = QColor(colours.accent if verdict is None else colours.of_verdict(verdict))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    corner = box.width() * (0.36 if verdict is None else 0.5 if verdict.is_accepted else 0.22)
    painter.drawRoundedRect(box, corner, corner)
    symbol = "?" if verdict is None else VERDICT_SYMBOLS[verdict]
    bounds = text_path(symbol)[1]
    scale = min(box.width() * 0.58 / bounds.width(), box.height() * 0.55 / bounds.height())
    painter.save()
    painter.translate(box.center())
    painter.scale(scale, scale)
    painter.translate(QPointF(0.0, 0.0) - bounds.center())
    fill_text(painter, symbol, readable_on(colour, theme, is_large=True))
    painter.restore()


def pixel_font(theme: Theme, scale: float = 1.0, *, is_bold: bool = False) -> QFont:
    """The theme's font by pixels, which are the same on a screen, in a picture file and on paper."""
    font = words_font()
    font.setPixelSize(max(round(theme.font_size * scale * 4 / 3), 1))
    font.setBold(is_bold)
    return font
