"""Paints the marks of a step over a tree: rings and ghosts at their places, and its tag near them."""

from math import sqrt
from typing import Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QTransform

from gpviz.app.canvas.faces import Face
from gpviz.app.canvas.ghosts import Deleted, Inserted, Marks, Planted, Substituted
from gpviz.app.canvas.shapes import draw_face, extent_of, outline_of
from gpviz.app.canvas.surroundings import Surroundings
from gpviz.app.canvas.tag import paint_tag
from gpviz.app.theme import Theme

__all__ = ["paint_marks"]

_SMALLEST_GHOST: Final = 0.6
_SMALLEST_INSERTED: Final = 0.8
_INSERTED_BESIDE: Final = ((46.0, 22.0), (54.0, -4.0), (64.0, 8.0), (44.0, -30.0), (40.0, 40.0))
"""Places for an inserted leaf, seen from its function; the one that covers least is taken."""
_SMALLEST_RING: Final = 0.35
_INSERTED_ABOVE_ROOT: Final = 47.0
_INSERTED_AWAY: Final = 54.0
_SUBSTITUTED_AWAY: Final = 68.0
_SUBSTITUTED_WAYS: Final = (
    (0.0, 1.0), (1.0, 0.0), (-1.0, 0.0), (0.0, -1.0), (0.8, 0.6), (-0.8, 0.6), (0.8, -0.6), (-0.8, -0.6),
)  # fmt: skip


def paint_marks(
    painter: QPainter, marks: Marks, around: Surroundings, theme: Theme, resting: Surroundings | None = None
) -> list[QRectF]:
    """Paint what a step did or would have done, and say which places that takes.

    While the tree moves, ``resting`` is how it will be at rest: the tag is already there, to be read in peace.
    """
    colour = QColor(marks.colour(theme.colours))
    taken: list[QRectF] = []
    for uid in marks.ringed:
        if not isinstance(marks.ghost, Deleted | Inserted):
            taken += _paint_ring(painter, uid, around, colour, theme)
    ghost = marks.ghost
    if isinstance(ghost, Inserted):
        taken += _paint_inserted(painter, ghost, around, colour, theme)
    elif isinstance(ghost, Deleted):
        taken += _paint_deleted(painter, ghost, around, colour, theme)
    elif isinstance(ghost, Substituted):
        taken += _paint_substituted(painter, ghost, around, colour, theme)
    elif isinstance(ghost, Planted):
        taken += _paint_planted(painter, ghost, around, colour, theme)
    elif marks.is_preview and not len(around.frame):
        taken.append(_planting_box(around, theme))
    if resting is not None:
        around = resting
        taken = [box for uid in marks.ringed if (box := _ring_box(uid, resting)) is not None] or taken
    if any(box.intersects(around.view) for box in taken):
        taken = [*taken, paint_tag(painter, marks, taken, around, theme)]
    return taken


def _pen(colour: QColor, width: float, is_dashed: bool = False) -> QPen:
    pen = QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    if is_dashed:
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setDashPattern([3.0, 2.0])
    return pen


def _ghost_scale(around: Surroundings) -> float:
    """Ghosts stay large enough to be read in a tree that is seen from far away."""
    return max(around.scale, _SMALLEST_GHOST)


def _ring(uid: int, around: Surroundings) -> QPainterPath | None:
    """The outline of a ring around a node."""
    centre = around.place(uid)
    if centre is None:
        return None
    kind = around.frame.face_at(around.frame.index[uid]).kind
    scale = max(around.scale, _SMALLEST_RING)
    return QTransform.fromTranslate(centre.x(), centre.y()).scale(scale, scale).map(outline_of(kind, 6.0))


def _ring_box(uid: int, around: Surroundings) -> QRectF | None:
    outline = _ring(uid, around)
    return None if outline is None else outline.boundingRect()


def _paint_ring(
    painter: QPainter, uid: int, around: Surroundings, colour: QColor, theme: Theme
) -> list[QRectF]:
    """A ring with a halo around a node."""
    outline = _ring(uid, around)
    if outline is None:
        return []
    scale = max(around.scale, _SMALLEST_RING)
    halo = QColor(colour)
    halo.setAlphaF(0.28)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(_pen(halo, 10.0 * theme.line_scale * min(scale, 1.2)))
    painter.drawPath(outline)
    painter.setPen(_pen(colour, 3.2 * theme.line_scale * min(max(scale, 0.6), 1.2)))
    painter.drawPath(outline)
    return [outline.boundingRect()]


def _paint_ghost_face(
    painter: QPainter, face: Face, centre: QPointF, scale: float, colour: QColor, theme: Theme
) -> QRectF:
    """A node that is not there: its face lightened, with a dashed outline in the verdict's colour."""
    place = QTransform.fromTranslate(centre.x(), centre.y()).scale(scale, scale)
    outline = place.map(outline_of(face.kind))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.colours.panel))
    painter.drawPath(outline)
    painter.save()
    painter.translate(centre)
    painter.scale(scale, scale)
    painter.setOpacity(painter.opacity() * 0.6)
    draw_face(painter, face, theme, scale)
    painter.restore()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(_pen(colour, 2.4 * theme.line_scale, is_dashed=True))
    painter.drawPath(outline)
    return outline.boundingRect()


def _paint_inserted(
    painter: QPainter, ghost: Inserted, around: Surroundings, colour: QColor, theme: Theme
) -> list[QRectF]:
    node = around.place(ghost.uid)
    if node is None:
        return []
    scale = _ghost_scale(around)
    above = None if ghost.above is None else around.place(ghost.above)
    top = QPointF(node.x(), node.y() - 2 * _INSERTED_ABOVE_ROOT * scale) if above is None else above
    function = (node + top) / 2 if above is not None else _above_root(node, ghost, scale, around)
    # Between two levels there is little room, so the function is as large as its edge is long.
    across, down = extent_of(ghost.function.kind)
    length = QLineF(node, top).length() - (2 * down + 4.0) * around.scale
    small = scale * min(max(length / (2 * across * scale), _SMALLEST_INSERTED), 1.0)
    side = -1.0 if ghost.is_left else 1.0
    half = QPointF(*extent_of(ghost.leaf.kind)) * (0.85 * scale)
    leaves = [function + QPointF(side * beside, below) * scale for beside, below in _INSERTED_BESIDE]
    leaf = min(leaves, key=lambda place: around.covered(QRectF(place - half, place + half)))
    painter.setPen(_pen(colour, 2.0 * theme.line_scale, is_dashed=True))
    painter.drawLine(function, leaf)
    for end in (node, above):
        if end is not None:
            painter.drawLine(_up_to(function, end, 20.0 * around.scale))
    return [
        _paint_ghost_face(painter, ghost.leaf, leaf, 0.85 * scale, colour, theme),
        _paint_ghost_face(painter, ghost.function, function, small, colour, theme),
    ]


def _above_root(node: QPointF, ghost: Inserted, scale: float, around: Surroundings) -> QPointF:
    """The place of a new root: above the old one, and aside if there is too little room above."""
    highest = around.room.top() + extent_of(ghost.function.kind)[1] * scale
    up = min(_INSERTED_ABOVE_ROOT * scale, max(node.y() - highest, 0.0))
    away = _INSERTED_AWAY * max(scale, around.scale)
    side = -1.0 if ghost.is_left else 1.0
    aside = 0.0 if up >= _INSERTED_ABOVE_ROOT * scale else sqrt(max(away * away - up * up, 0.0))
    return node + QPointF(side * aside, -up)


def _up_to(start: QPointF, end: QPointF, short: float) -> QLineF:
    """The line to a point, this much short of it."""
    line = QLineF(start, end)
    line.setLength(max(line.length() - short, 0.0))
    return line


def _paint_deleted(
    painter: QPainter, ghost: Deleted, around: Surroundings, colour: QColor, theme: Theme
) -> list[QRectF]:
    """Two dashed lines across what would have gone, and a dashed box around it if it is more than a leaf."""
    places = [place for uid in ghost.uids if (place := around.place(uid)) is not None]
    if not places:
        return []
    reach = 22.0 * max(around.scale, _SMALLEST_RING)
    left, right = min(place.x() for place in places), max(place.x() for place in places)
    top, bottom = min(place.y() for place in places), max(place.y() for place in places)
    box = QRectF(QPointF(left - reach, top - reach), QPointF(right + reach, bottom + reach))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(_pen(colour, 2.2 * theme.line_scale, is_dashed=True))
    painter.drawLines([QLineF(box.topLeft(), box.bottomRight()), QLineF(box.topRight(), box.bottomLeft())])
    if len(places) > 1:
        painter.drawRoundedRect(box, 10.0, 10.0)
    return [box]


def _paint_substituted(
    painter: QPainter, ghost: Substituted, around: Surroundings, colour: QColor, theme: Theme
) -> list[QRectF]:
    """The other leaf beside the old one, where it covers least, and an arrow to it."""
    node = around.place(ghost.uid)
    if node is None:
        return []
    scale = _ghost_scale(around)
    across, down = extent_of(ghost.leaf.kind)
    half = QPointF(across + 3.0, down + 3.0) * scale
    ways = [QPointF(*way) for way in _SUBSTITUTED_WAYS]

    def cost(way: QPointF) -> float:
        centre = node + way * (_SUBSTITUTED_AWAY * scale)
        return around.covered(QRectF(centre - half, centre + half), ghost.uid)

    way = min(ways, key=cost)
    centre = node + way * (_SUBSTITUTED_AWAY * scale)
    reach = across if way.x() else down
    start, end = node + way * ((reach + 8.0) * scale), centre - way * ((reach + 2.0) * scale)
    painter.setPen(_pen(colour, 2.4 * theme.line_scale))
    painter.drawLine(start, end)
    head = way * (-6.0 * scale)
    aside = QPointF(-head.y(), head.x()) * 0.8
    painter.drawPolyline([end + head + aside, end, end + head - aside])
    return [_paint_ghost_face(painter, ghost.leaf, centre, _ghost_scale(around), colour, theme)]


def _paint_planted(
    painter: QPainter, ghost: Planted, around: Surroundings, colour: QColor, theme: Theme
) -> list[QRectF]:
    box = _planting_box(around, theme)
    _paint_ghost_face(painter, ghost.leaf, box.center(), _ghost_scale(around), colour, theme)
    return [box]


def _planting_box(around: Surroundings, theme: Theme) -> QRectF:
    """Where the first leaf will be on the empty canvas."""
    radius = 3.2 * theme.font_size
    centre = QPointF(around.view.center().x(), (around.view.height() + around.top_margin) / 2 - radius)
    return QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)
