"""How an overlay is painted over a tree: heat, values on a row, a pulsing ring."""

from dataclasses import replace
from typing import Final

import numpy as np
from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from gpviz.app.canvas.free_space import FreeSpace, boxes_of, overlapping
from gpviz.app.canvas.node_shapes import NodeKind, pixel_font
from gpviz.app.canvas.sprite_atlas import (
    HEAT_LEVELS,
    Blank,
    Canvas,
    Halo,
    SpritePositions,
    Stamp,
    ValueBadge,
    draw_sprite,
    paint_sprites,
    reach_of,
)
from gpviz.app.canvas.tree_frame import Frame, Ints, standing_for
from gpviz.app.theme import Theme
from gpviz.engine import Node
from gpviz.explain.moment import Overlay

_SMALLEST_HALO: Final = 0.28
"""Pixels per unit: heat is to be seen from far away, too."""
_BADGE_FROM: Final = 0.36
_SMALLEST_BADGE: Final = 0.62
_BADGE_AT: Final = (17.0, -17.0)
_SMALLEST_RING: Final = 0.35
_PULSE_START: Final = 5.0
_PULSE_DISTANCE: Final = 24.0
_STEADY: Final = (6.0, 12.0)
_SECOND_LINE_COST: Final = 0.1
_TAKEN_COST: Final = 3.0
"""Compared with hiding one node."""


def folded(overlay: Overlay, tree: Node | None, collapsed: frozenset[int]) -> Overlay:
    """The overlay for a tree with collapsed nodes: each of them has the heat of all that it hides."""
    if tree is None or not collapsed or not (overlay.heat or overlay.pulsing is not None):
        return overlay
    heat = {uid: warmth for uid, warmth in overlay.heat.items() if uid not in collapsed}
    drawn = standing_for(tree, collapsed)
    for uid, shown in drawn.items():
        if shown in collapsed and overlay.heat:
            heat[shown] = heat.get(shown, 0.0) + overlay.heat.get(uid, 0.0)
    pulsing = None if overlay.pulsing is None else drawn.get(overlay.pulsing, overlay.pulsing)
    return replace(overlay, heat=heat, pulsing=pulsing)


def without_heat(overlay: Overlay) -> Overlay:
    """The overlay with nothing in it about how promising a mutation is."""
    return replace(overlay, heat={}, title="") if overlay.heat else overlay


def is_about(overlay: Overlay, frame: Frame) -> bool:
    """Whether a frame has any of the nodes that the overlay names, if it names some."""
    if not overlay.heat and not overlay.values:
        return True
    return any(uid in frame.index for uids in (overlay.heat, overlay.values) for uid in uids)


def heat_levels(overlay: Overlay, frame: Frame) -> Ints:
    """For each node of a frame its heat compared with the strongest one there, from 0 to `HEAT_LEVELS`."""
    heat = np.array([overlay.heat.get(uid, 0.0) for uid in frame.uids.tolist()], dtype=np.float64)
    most = heat.max(initial=0.0)
    if most <= 0.0:
        return np.zeros(len(frame), dtype=np.int64)
    return np.ceil(np.clip(heat, 0.0, None) / most * HEAT_LEVELS - 1e-9).astype(np.int64)


def values_in(overlay: Overlay, frame: Frame) -> Ints:
    """For each node of a frame 1 if it is true, 0 if it is false, -1 if that is not known."""
    values = overlay.values
    return np.array([int(values.get(uid, -1)) for uid in frame.uids.tolist()], dtype=np.int64)


def paint_heat(canvas: Canvas, overlay: Overlay, around: FreeSpace) -> None:
    """A halo behind each node that has heat; the stronger, the larger."""
    frame = around.frame
    levels = heat_levels(overlay, frame)
    hot = np.flatnonzero(levels)
    if not len(hot):
        return
    kinds = np.array([int(face.kind) for face in frame.faces], dtype=np.int64)[frame.face[hot]]
    known, which = np.unique(kinds * (HEAT_LEVELS + 1) + levels[hot], return_inverse=True)
    by_number = {int(face.kind): face.kind for face in frame.faces}
    halos = [Halo(by_number[code // (HEAT_LEVELS + 1)], code % (HEAT_LEVELS + 1)) for code in known.tolist()]
    _paint(canvas, halos, which, hot, around, max(around.scale, _SMALLEST_HALO))


def paint_blanks(canvas: Canvas, dimmed: Ints, around: FreeSpace) -> None:
    """Clear the places of nodes that will be painted faintly."""
    frame = around.frame
    blanks = [Blank(face.kind) for face in frame.faces]
    _paint(canvas, blanks, frame.face[dimmed], dimmed, around, around.scale)


def paint_badges(canvas: Canvas, values: Ints, around: FreeSpace) -> None:
    """The value beside each node, where there is room for it to be read."""
    if around.scale < _BADGE_FROM:
        return
    known = np.flatnonzero(values >= 0)
    x, y = (
        places + away * around.scale for places, away in zip((around.x, around.y), _BADGE_AT, strict=True)
    )
    scale = max(around.scale, _SMALLEST_BADGE)
    badges = [ValueBadge(False), ValueBadge(True)]
    ones = np.ones(len(known))
    opacity = around.frame.opacity[known]
    paint_sprites(
        canvas, SpritePositions(badges, values[known], x[known], y[known], opacity, ones, ones), scale
    )


def _paint(
    canvas: Canvas,
    stamps: list[Halo] | list[Blank],
    which: Ints,
    nodes: Ints,
    around: FreeSpace,
    scale: float,
) -> None:
    """Stamps in the middle of some nodes, which grow and turn with them."""
    frame = around.frame
    places = SpritePositions(
        tuple[Stamp, ...](stamps), which, around.x[nodes], around.y[nodes], frame.opacity[nodes],
        frame.size[nodes], frame.flip[nodes],
    )  # fmt: skip
    paint_sprites(canvas, places, scale)


def paint_pulse(painter: QPainter, uid: int, phase: float | None, around: FreeSpace, theme: Theme) -> None:
    """A ring that grows and fades with the phase from 0 to 1; two rings at rest without one."""
    scale = max(around.scale, _SMALLEST_RING)
    rings = [(_STEADY[0], 1.0), (_STEADY[1], 0.7)]
    if phase is not None:
        rings = [(_PULSE_START, 1.0), (_PULSE_START + _PULSE_DISTANCE * phase, (1.0 - phase) ** 1.3)]
    painter.setBrush(Qt.BrushStyle.NoBrush)
    colour = QColor(theme.colours.accent)
    for grown, strength in rings:
        outline = around.outline(uid, grown, _SMALLEST_RING)
        if outline is not None:
            colour.setAlphaF(strength)
            painter.setPen(QPen(colour, 3.0 * theme.line_scale * min(max(scale, 0.6), 1.2)))
            painter.drawPath(outline)


def paint_title(
    painter: QPainter, overlay: Overlay, around: FreeSpace, theme: Theme, taken: list[QRectF]
) -> QRectF:
    """What the overlay means, in the corner where it hides least, with a key; where that is."""
    font = pixel_font(theme, 0.95)
    line = QFontMetricsF(font).height()
    key = _key_of(overlay)
    margin, step = 0.5 * line, 1.25 * line
    key_width = step * len(key) + (margin if key else 0.0)
    around_text = QSizeF(key_width + 2 * margin, margin)
    box, lines = _place(overlay.title, font, around_text, around, taken)
    painter.save()
    back = QColor(theme.colours.panel)
    back.setAlphaF(0.88)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(back)
    painter.drawRoundedRect(box, 5.0, 5.0)
    for number, (stamp, size) in enumerate(key):
        painter.save()
        painter.translate(box.left() + margin + step * (number + 0.5), box.center().y())
        scale = size * 0.5 * line / reach_of(stamp)[0]
        painter.scale(scale, scale)
        draw_sprite(painter, stamp, theme)
        painter.restore()
    painter.setFont(font)
    painter.setPen(QColor(theme.colours.text))
    flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
    painter.drawText(box.adjusted(margin + key_width, 0.0, 4.0, 0.0), flags, "\n".join(lines))
    painter.restore()
    return box


def _key_of(overlay: Overlay) -> list[tuple[Stamp, float]]:
    """What stands before the title, and how large: halos from weak to strong, or both values."""
    if overlay.heat:
        return [(Halo(NodeKind.AND, HEAT_LEVELS // 4), 0.75), (Halo(NodeKind.AND, HEAT_LEVELS), 1.25)]
    return [(ValueBadge(True), 1.0), (ValueBadge(False), 1.0)] if overlay.values else []


def _place(
    title: str, font: QFont, around_text: QSizeF, around: FreeSpace, taken: list[QRectF]
) -> tuple[QRectF, list[str]]:
    """The corner where the title hides least, and its lines: one, or two where that is better."""
    metrics = QFontMetricsF(font)
    room = around.room
    choices: list[tuple[QRectF, list[str]]] = []
    for lines in ([title], _halves(title)):
        most = max(room.width() - around_text.width(), 1.0)
        cut = [metrics.elidedText(line, Qt.TextElideMode.ElideRight, most) for line in lines]
        width = around_text.width() + max(metrics.horizontalAdvance(line) for line in cut)
        height = around_text.height() + len(cut) * metrics.lineSpacing()
        rows, columns = (room.top(), room.bottom() - height), (room.left(), room.right() - width)
        choices += [(QRectF(x, y, width, height), cut) for y in rows for x in columns]
    boxes = boxes_of(box for box, _ in choices)
    cost = around.cost_of(boxes) + np.array([_SECOND_LINE_COST * (len(lines) - 1) for _, lines in choices])
    if taken:
        cost = cost + _TAKEN_COST * overlapping(boxes, boxes_of(taken)).sum(axis=1)
    return choices[int(cost.argmin())]


def _halves(title: str) -> list[str]:
    """The title in two lines of about the same length, divided between words, and never before a %."""
    words = title.replace(" %", "\u00a0%").split(" ")
    cuts = [(" ".join(words[:number]), " ".join(words[number:])) for number in range(1, len(words))]
    return list(min(cuts, key=lambda halves: max(map(len, halves)))) if cuts else [title]
