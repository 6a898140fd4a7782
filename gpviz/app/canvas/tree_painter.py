"""Paints a tree with any painter: on the screen from an atlas of sprites, elsewhere as lines and outlines."""

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import shiboken6
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from gpviz.app.canvas.camera import Camera
from gpviz.app.canvas.free_space import FreeSpace
from gpviz.app.canvas.mutation_marks import Marks, paint_leader, paint_marks, placed_callout
from gpviz.app.canvas.node_shapes import draw_text, pixel_font, placeholder_circle
from gpviz.app.canvas.overlay import (
    is_about,
    paint_badges,
    paint_blanks,
    paint_heat,
    paint_pulse,
    paint_title,
    values_in,
)
from gpviz.app.canvas.parent_and_offspring import Heading, heading_boxes, paint_headings
from gpviz.app.canvas.sprite_atlas import AtlasCache, Canvas, SpritePositions, paint_sprites
from gpviz.app.canvas.stuck_leaf_notes import Notes, PlacedNotes, paint_notes, paint_root_note, placed_notes
from gpviz.app.canvas.tree_frame import EMPTY, Floats, Frame, Ints
from gpviz.app.theme import Theme
from gpviz.app.widgets.paint_helpers import is_vector
from gpviz.explain.moment import Overlay

_EDGE_WIDTH: Final = 1.8
_MERGING_SCALE: Final = 0.05
_DIMMED: Final = 0.38
_FAINT_EDGE: Final = 0.5
_STRONG_EDGE: Final = 2.2
_SMALLEST_RING: Final = 0.3
_STRENGTHS: Final = 8
"""Edges on their way in or out are painted in this many groups of equal opacity."""


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """Everything that is to be seen, as plain data. ``goal`` is what a moving drawing will be at rest."""

    camera: Camera
    frame: Frame = EMPTY
    marks: Marks | None = None
    marks_opacity: float = 1.0
    redundant: frozenset[int] = frozenset()
    notes: Notes | None = None
    root: int | None = None
    """The node to mark as the root, where its place does not tell."""
    selected: int | None = None
    has_focus: bool = False
    hovered: int | None = None
    is_moving: bool = False
    goal: tuple[Frame, Camera] | None = None
    overlay: Overlay | None = None
    pulse: float | None = None
    """How far the ring around the pulsing node has come, from 0 to 1; None is at rest."""
    headings: tuple[Heading, ...] = ()
    placeholder: tuple[str, str] = ("The tree is empty", "")
    top_margin: float = 0.0
    covered: tuple[QRectF, ...] = ()
    """Where something else lies over the drawing; words keep out of there."""


def paint_drawing(
    painter: QPainter,
    drawing: Drawing,
    width: float,
    height: float,
    theme: Theme,
    atlases: AtlasCache | None = None,
    ratio: float = 1.0,
) -> None:
    """Paint a drawing into a rectangle at the origin; without atlases every face is painted by itself."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if is_vector(painter):
        atlases = None  # copies would be pixels
    frame, camera = drawing.frame, drawing.camera
    # A face whose middle is on the corner of a pixel is copied as it is, and stays sharp.
    around = _nodes_and_words(drawing, width, height, theme, ratio if atlases is not None else None)
    overlay = drawing.overlay or Overlay()
    canvas = Canvas(painter, around.view, theme, atlases, ratio, drawing.is_moving)
    # Words stand where they will when nothing moves, and at the same place whatever pixels there are.
    goal, goal_camera = drawing.goal or (frame, camera)
    resting = _nodes_and_words(replace(drawing, frame=goal, camera=goal_camera), width, height, theme)
    notes = _notes_in(drawing, resting, theme)
    # While the tree moves, the notes of the leaves go with them, as they will be at rest.
    notes_now = notes.moved(resting, around) if drawing.is_moving else notes
    resting = replace(resting, words=(*resting.words, *notes.boxes))
    around = replace(around, words=(*around.words, *notes_now.boxes))
    marks = drawing.marks if drawing.marks_opacity > 0.0 else None
    callout = None if marks is None else placed_callout(marks, resting, theme)
    if marks is not None and callout is not None:
        painter.setOpacity(drawing.marks_opacity)
        paint_leader(painter, marks, callout, theme)
        painter.setOpacity(1.0)
    if len(frame):
        values = values_in(overlay, frame) if overlay.values else None
        _paint_edges(painter, around, values, theme)
        if overlay.heat:
            paint_heat(canvas, overlay, around)
        colours = theme.colours
        _paint_ring(painter, around, drawing.root, 6.0, 2.0 * theme.line_scale, colours.muted)
        _paint_ring(painter, around, drawing.hovered, 3.0, 2.0 * theme.line_scale, colours.accent)
        strong = (3.0, colours.text) if drawing.has_focus else (2.0, colours.accent)
        _paint_ring(painter, around, drawing.selected, 4.0, strong[0] * theme.line_scale, strong[1])
        _paint_faces(canvas, drawing, around, values)
        if overlay.pulsing is not None:
            paint_pulse(painter, overlay.pulsing, drawing.pulse, around, theme)
        if values is not None:
            paint_badges(canvas, values, around)
    else:
        _paint_placeholder(painter, drawing, width, height, theme)
    if drawing.notes is not None and drawing.notes.is_shown:
        paint_notes(painter, notes_now, theme)
    taken = list(drawing.covered)
    if drawing.marks_opacity > 0.0:
        painter.setOpacity(drawing.marks_opacity)
        if drawing.headings:
            paint_headings(painter, drawing.headings, drawing.camera, around, theme)
        if marks is not None:
            taken += paint_marks(painter, marks, around, callout, theme)
        painter.setOpacity(1.0)
    if drawing.root is not None:
        paint_root_note(painter, drawing.root, around, theme, taken)
    if overlay.title and is_about(overlay, goal):
        paint_title(painter, overlay, resting, theme, taken)


def free_space_of(drawing: Drawing, width: float, height: float, theme: Theme) -> FreeSpace:
    """Where everything is seen, and the words that are written there."""
    around = _nodes_and_words(drawing, width, height, theme)
    placed = _notes_in(drawing, around, theme)
    return replace(around, words=(*around.words, *placed.boxes))


def _nodes_and_words(
    drawing: Drawing, width: float, height: float, theme: Theme, ratio: float | None = None
) -> FreeSpace:
    """Where everything is seen but the notes; with a ratio given, nodes at rest are put on real pixels."""
    frame, camera = drawing.frame, drawing.camera
    x = (frame.x - camera.x) * camera.scale_x + width / 2
    y = (frame.y - camera.y) * camera.scale_y + height / 2
    if ratio is not None and not drawing.is_moving:
        x, y = np.round(x * ratio) / ratio, np.round(y * ratio) / ratio
    view = QRectF(0.0, 0.0, width, height)
    words = (*heading_boxes(drawing.headings, camera, view, theme), *drawing.covered)
    return FreeSpace(frame, x, y, camera.scale, view, drawing.top_margin, words)


def _notes_in(drawing: Drawing, around: FreeSpace, theme: Theme) -> PlacedNotes:
    """Where the notes are written, or would be; nowhere if nothing has to keep clear of them."""
    notes = drawing.notes
    if notes is None or not (notes.is_shown or drawing.marks):
        return PlacedNotes(0.0)
    return placed_notes(notes, around, theme)


def _paint_edges(painter: QPainter, around: FreeSpace, values: Ints | None, theme: Theme) -> None:
    """All edges; where values are known, those that carry a true one are strong and those of a false one faint."""
    frame, scale = around.frame, around.scale
    if not len(frame.edge_a):
        return
    a, b = frame.edge_a, frame.edge_b
    lines = around.lines()
    strength = frame.edge_opacity * np.minimum(frame.opacity[a], frame.opacity[b])
    carried = np.full(len(b), -1) if values is None else values[b]
    strength = np.ceil(np.where(carried == 0, _FAINT_EDGE * strength, strength) * _STRENGTHS)
    if scale < _MERGING_SCALE:
        # Lines shorter than a pixel are lost under their nodes.
        is_long = np.abs(lines[:, :2] - lines[:, 2:]).max(axis=1) > 0.5
        lines, strength, carried = lines[is_long], strength[is_long], carried[is_long]
    width = min(max(_EDGE_WIDTH * scale, 0.6), 2.6) * theme.line_scale
    is_ghostly = np.array([bool(tint) for tint in frame.edge_tint], dtype=bool)
    if is_ghostly.any() and len(is_ghostly) == len(strength):
        for tint in dict.fromkeys(filter(None, frame.edge_tint)):
            chosen = np.array([each == tint for each in frame.edge_tint], dtype=bool)
            colour = QColor(getattr(theme.colours, tint))
            _paint_lines(painter, lines[chosen], strength[chosen], colour, 1.2 * width, is_dashed=True)
        lines, strength, carried = lines[~is_ghostly], strength[~is_ghostly], carried[~is_ghostly]
    is_true = carried == 1
    _paint_lines(painter, lines[~is_true], strength[~is_true], QColor(theme.colours.edge), width)
    if is_true.any():
        strong = max(_STRONG_EDGE * width, 1.6)
        _paint_lines(painter, lines[is_true], strength[is_true], QColor(theme.colours.accent), strong)


def _paint_lines(
    painter: QPainter,
    lines: Floats,
    strength: Floats,
    colour: QColor,
    width: float,
    *,
    is_dashed: bool = False,
) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for level in np.unique(strength[strength > 0]).tolist():
        colour.setAlphaF(level / _STRENGTHS)
        pen = QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
        if is_dashed:
            pen.setDashPattern([3.0, 2.0])
        painter.setPen(pen)
        group = np.ascontiguousarray(lines[strength == level])
        # The array has the memory layout of so many lines, which spares making an object of each.
        first: Any = shiboken6.Shiboken.wrapInstance(group.ctypes.data, QLineF)
        painter.drawLines(first, len(group))


def _paint_faces(canvas: Canvas, drawing: Drawing, around: FreeSpace, values: Ints | None) -> None:
    """The nodes; redundant leaves have faces of their own, and with values, false ones are dimmed."""
    frame, opacity = drawing.frame, drawing.frame.opacity
    faces, face = frame.faces, frame.face
    if drawing.redundant:
        is_redundant = np.isin(frame.uids, np.array(sorted(drawing.redundant), dtype=np.int64))
        face = np.where(is_redundant, face + len(faces), face)
        faces += tuple(each._replace(is_redundant=True) for each in faces)
    if values is not None:
        paint_blanks(canvas, np.flatnonzero(values == 0), around)
        opacity = np.where(values == 0, _DIMMED * opacity, opacity)
    places = SpritePositions(faces, face, around.x, around.y, opacity, frame.size, frame.flip)
    paint_sprites(canvas, places, around.scale)


def _paint_ring(
    painter: QPainter, around: FreeSpace, uid: int | None, grown: float, width: float, colour: str
) -> None:
    """The outline of the node under the mouse, of the selected one, or of the root."""
    outline = None if uid is None else around.outline(uid, grown, _SMALLEST_RING)
    if outline is not None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(colour), width))
        painter.drawPath(outline)


def _paint_placeholder(
    painter: QPainter, drawing: Drawing, width: float, height: float, theme: Theme
) -> None:
    """An empty circle where the root will be, and what it means."""
    colours = theme.colours
    title, body = drawing.placeholder
    circle = placeholder_circle(QRectF(0.0, 0.0, width, height), drawing.top_margin, theme)
    centre, radius = circle.center(), circle.width() / 2
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(colours.muted), 2.0 * theme.line_scale, Qt.PenStyle.DashLine))
    painter.drawEllipse(centre, radius, radius)
    painter.save()
    painter.translate(centre)
    draw_text(painter, "∅", 1.1 * radius, QColor(colours.muted), radius)
    painter.restore()
    painter.setPen(QColor(colours.text))
    painter.setFont(pixel_font(theme, 1.3, is_bold=True))
    flags = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
    top = centre.y() + 1.4 * radius
    box = QRectF(12.0, top, width - 24.0, height - top)
    used = painter.boundingRect(box, flags, title)
    painter.drawText(box, flags, title)
    painter.setPen(QColor(colours.muted))
    painter.setFont(pixel_font(theme))
    painter.drawText(box.adjusted(0.0, used.height() + 4.0, 0.0, 0.0), flags, body)
