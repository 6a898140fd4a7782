"""The marks of a step: rings around what is new, dashes around what goes, crosses on what is rejected."""

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from gpviz.app.canvas.callout import Place, callout_place, paint_callout
from gpviz.app.canvas.free_space import FreeSpace
from gpviz.app.canvas.node_shapes import NodeKind, extent_of, placeholder_circle
from gpviz.app.canvas.parent_and_offspring import is_offspring_own
from gpviz.app.canvas.tree_frame import standing_for
from gpviz.app.theme import Colours, Theme
from gpviz.engine import Inner, Operation, Side, Verdict
from gpviz.engine.tree import node_path
from gpviz.explain.moment import Moment
from gpviz.explain.step_picture import StepPicture, step_picture
from gpviz.explain.step_text import Callout, callout_of

_RING: Final = 6.0
_DASHED_RING: Final = 5.0
_ARM: Final = 9.0
_ARM_OUTSIDE: Final = 7.0
"""In the drawing's units: how far rings are away; how long an arm of a cross is, and how far it sticks out."""
_DIAGONALS: Final = {NodeKind.AND: (14.1, 14.1), NodeKind.OR: (12.6, 12.6)}
"""Where the outline of a round face or a diamond is, seen from its centre along the diagonals."""
_PLACEHOLDER_WORDS: Final = (26.0, 6.0)
"""The room of the words below the circle of the empty tree, for each point of the size of type."""
_SMALLEST_RING: Final = 0.35
_MOST_DASHED: Final = 300
_MOST_CROSSED: Final = 12
"""Of a larger part that is rejected only the first nodes are crossed out; the dashes are around all of it."""
_TINTS: Final = {
    Verdict.IMPROVED: "improved",
    Verdict.NEUTRAL: "neutral",
    Verdict.UNCHANGED: "unchanged",
    Verdict.WORSE: "worse",
    Verdict.TOO_LARGE: "too_large",
}


@dataclass(frozen=True, slots=True)
class Marks:
    """What to mark, by uid, and what to say. Without a verdict nobody is told it yet, or it is still to come."""

    verdict: Verdict | None
    callout: Callout
    full_callout: Callout
    """What the callout will say once the verdict is told; there is room for that from the beginning."""
    about: tuple[int, ...]
    """What the callout is about."""
    ringed: tuple[int, ...] = ()
    dashed: tuple[int, ...] = ()
    crossed: tuple[int, ...] = ()
    arrow: tuple[int, int] | None = None
    """From the place of the old label of a leaf to that of the new one."""

    def colour(self, colours: Colours) -> str:
        tint: str = getattr(colours, tint_of(self.verdict))
        return tint


def tint_of(verdict: Verdict | None) -> str:
    """The name of the colour for what a step is about."""
    return "accent" if verdict is None else _TINTS[verdict]


def marks_of(
    moment: Moment | None, collapsed: frozenset[int] = frozenset(), *, is_proposal: bool = False
) -> Marks | None:
    """The marks of a moment; what a collapsed node hides is marked on that node.

    As a proposal, of what was drawn and not of what became of it.
    """
    callout = None if moment is None else callout_of(moment)
    if moment is None or moment.step is None or callout is None:
        return None
    picture = step_picture(moment, is_proposal=is_proposal)
    is_open = is_proposal or moment.is_verdict_hidden
    return Marks(
        None if is_open else moment.step.verdict,
        callout._replace(outcome="", word="") if is_proposal else callout,
        callout,
        **_placed(picture, collapsed),
    )


def _placed(picture: StepPicture, collapsed: frozenset[int]) -> dict[str, Any]:
    """Which nodes on show get which mark."""
    about, ringed = picture.places, picture.ringed
    drawn = standing_for(picture.tree, collapsed) if collapsed else {}
    if any(drawn.get(uid, uid) != uid for uid in about):
        ringed = tuple(dict.fromkeys(drawn.get(uid, uid) for uid in about if uid >= 0))
        return {"about": ringed, "ringed": ringed}
    dashed = tuple(uid for uid in about if uid in picture.leaving)
    other = picture.other
    arrow = None
    if other is not None:
        arrow = (other.uid, other.leaf) if other.is_old else (other.leaf, other.uid)
    crossed = picture.rejected[:_MOST_CROSSED]
    return {"about": about, "ringed": ringed, "dashed": dashed, "crossed": crossed, "arrow": arrow}


def pair_marks_of(moment: Moment, collapsed: frozenset[int]) -> Marks | None:
    """The marks of a parent beside its offspring: the mutated place is ringed in both."""
    step, parent, offspring = moment.step, moment.parent, moment.offspring
    callout = callout_of(moment)
    if step is None or parent is None or offspring is None or callout is None:
        return None
    node, path = node_path(parent, step.node)
    made, _ = node_path(offspring, step.node) if step.operation is not Operation.DEL else (node, path)
    if step.operation is Operation.DEL and path:
        made = path[-1][1]  # what moved up
    changed = [made.uid]
    if step.operation is Operation.INS and isinstance(made, Inner) and made.uid not in collapsed:
        changed.append((made.left if step.side is Side.LEFT else made.right).uid)
    left = [standing_for(parent, collapsed)[node.uid]]
    drawn = standing_for(offspring, collapsed)
    right = list(dict.fromkeys(drawn[uid] for uid in changed))
    if is_offspring_own(moment):
        left = [~uid for uid in left]
    else:
        right = [~uid for uid in right]
    ringed = (*left, *right)
    verdict = None if moment.is_verdict_hidden else step.verdict
    return Marks(verdict, callout, callout, ringed, ringed)


def mark_boxes(marks: Marks, around: FreeSpace) -> list[QRectF]:
    """The rectangles of what a callout is about, with the rings around it; of a large part, of its beginning."""
    outlines = (around.outline(uid, _RING, _SMALLEST_RING) for uid in marks.about[:_MOST_CROSSED])
    return [outline.boundingRect() for outline in outlines if outline is not None]


class PlacedCallout(NamedTuple):
    """Where the callout of a step stands, and the line to what it is about."""

    place: Place
    line: QLineF


def placed_callout(marks: Marks, resting: FreeSpace, theme: Theme) -> PlacedCallout | None:
    """The callout in the picture at rest, where it stands already while the tree still moves.

    None if what it is about is out of view.
    """
    marked = mark_boxes(marks, resting)
    taken: list[QRectF] = []
    if not len(resting.frame) and not marks.about:
        circle = placeholder_circle(resting.view, resting.top_margin, theme)
        across, down = (side * theme.font_size for side in _PLACEHOLDER_WORDS)
        marked, taken = [circle], [QRectF(circle.center().x() - across / 2, circle.bottom(), across, down)]
    if not any(box.intersects(resting.view) for box in marked):
        return None
    place = callout_place(marks.full_callout, marked, taken, resting, theme)
    return PlacedCallout(place, resting.leader(place.box, marked))


def paint_leader(painter: QPainter, marks: Marks, callout: PlacedCallout, theme: Theme) -> None:
    """The line from a callout to what it is about; below the nodes, so that it strikes none of them out."""
    painter.setPen(QPen(QColor(marks.colour(theme.colours)), 1.6 * theme.line_scale))
    painter.drawLine(callout.line)


def paint_marks(
    painter: QPainter, marks: Marks, around: FreeSpace, callout: PlacedCallout | None, theme: Theme
) -> list[QRectF]:
    """Paint what a step did or would have done, and its callout, and say which places that takes."""
    colour = QColor(marks.colour(theme.colours))
    for uid in marks.ringed:
        _paint_ring(painter, uid, around, colour, theme)
    for uid in marks.dashed[:_MOST_DASHED]:
        _paint_dashes(painter, uid, around, colour, theme)
    if marks.arrow is not None:
        _paint_arrow(painter, *marks.arrow, around, colour, theme)
    for uid in marks.crossed:
        _paint_cross(painter, uid, around, colour, theme)
    boxes = mark_boxes(marks, around)
    if callout is None:
        return boxes
    paint_callout(painter, marks.callout, marks.verdict, callout.place, colour, theme)
    return [*boxes, callout.place.box]


def _pen(colour: QColor, width: float, is_dashed: bool = False) -> QPen:
    pen = QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    if is_dashed:
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setDashPattern([3.0, 2.0])
    return pen


def _scale(around: FreeSpace) -> float:
    return max(around.scale, _SMALLEST_RING)


def _line_width(around: FreeSpace, theme: Theme, width: float) -> float:
    return width * theme.line_scale * min(max(_scale(around), 0.6), 1.2)


def _paint_ring(painter: QPainter, uid: int, around: FreeSpace, colour: QColor, theme: Theme) -> None:
    """A ring with a halo around a node."""
    outline = around.outline(uid, _RING, _SMALLEST_RING)
    if outline is None:
        return
    halo = QColor(colour)
    halo.setAlphaF(0.28)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(_pen(halo, 10.0 * theme.line_scale * min(_scale(around), 1.2)))
    painter.drawPath(outline)
    painter.setPen(_pen(colour, _line_width(around, theme, 3.2)))
    painter.drawPath(outline)


def _paint_dashes(painter: QPainter, uid: int, around: FreeSpace, colour: QColor, theme: Theme) -> None:
    """Dashes around a node that is still there."""
    outline = around.outline(uid, _DASHED_RING, _SMALLEST_RING)
    if outline is not None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(_pen(colour, _line_width(around, theme, 2.6), is_dashed=True))
        painter.drawPath(outline)


def _paint_cross(painter: QPainter, uid: int, around: FreeSpace, colour: QColor, theme: Theme) -> None:
    """The four arms of a cross at the corners of a node, between which its label can be read."""
    centre = around.place(uid)
    if centre is None:
        return
    kind = around.frame.face_at(around.frame.index[uid]).kind
    across, down = _DIAGONALS.get(kind) or extent_of(kind)
    scale = _scale(around)
    arms = []
    for side, up in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
        corner = QPointF(side * (across + _ARM_OUTSIDE), up * (down + _ARM_OUTSIDE)) * scale
        arms.append(QLineF(centre + corner, centre + corner - QPointF(side, up) * (_ARM * scale)))
    back = QColor(theme.colours.panel)
    for ink, width in ((back, 6.5), (colour, 3.6)):
        painter.setPen(_pen(ink, _line_width(around, theme, width)))
        painter.drawLines(arms)


def _paint_arrow(
    painter: QPainter, start: int, end: int, around: FreeSpace, colour: QColor, theme: Theme
) -> None:
    """A short arrow between the two labels of a leaf."""
    tail, head = around.place(start), around.place(end)
    if tail is None or head is None:
        return
    scale = _scale(around)
    line = QLineF(tail, head)
    reach = min(
        extent_of(around.frame.face_at(around.frame.index[end]).kind)[0], line.length() / scale * 0.36
    )
    spare = line.length() - 2 * (reach + 2.0) * scale
    if spare <= 2.0:
        return
    way = QPointF(line.dx(), line.dy()) / line.length()
    tip = head - way * ((reach + 7.0) * scale)
    tail = tail + way * ((reach + 2.0) * scale)
    if QPointF.dotProduct(tip - tail, way) < 3.0 * scale:
        tail = tip - way * (3.0 * scale)
    painter.setPen(_pen(colour, _line_width(around, theme, 2.6)))
    painter.drawLine(tail, tip)
    back = way * (-5.5 * scale)
    aside = QPointF(-back.y(), back.x()) * 0.8
    painter.drawPolyline([tip + back + aside, tip, tip + back - aside])
