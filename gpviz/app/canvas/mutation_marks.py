"""The marks of a step on the tree: rings and ghosts of what it did or would do, and a tag with the verdict."""

from dataclasses import dataclass
from math import hypot, sqrt
from typing import Final

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QTransform

from gpviz.app.canvas.free_space import FreeSpace, boxes_of, crossed, overlapping
from gpviz.app.canvas.node_shapes import (
    Face,
    draw_badge,
    draw_face,
    extent_of,
    face_of,
    function_face,
    leaf_face,
    outline_of,
    pixel_font,
)
from gpviz.app.canvas.tree_frame import Frame
from gpviz.app.theme import Colours, Theme
from gpviz.engine import UNICODE, Inner, Node, Operation, RunConfig, Side, Step, Verdict
from gpviz.engine.tree import node_at, node_path, nodes_of
from gpviz.explain.moment import Moment
from gpviz.number_text import number_text

__all__ = [
    "Deleted",
    "Ghost",
    "Inserted",
    "Marks",
    "Planted",
    "Substituted",
    "compact",
    "marks_of",
    "paint_marks",
    "paint_tag",
    "pair_marks_of",
    "reason_of",
    "words_of",
]

_LARGEST_EXACT: Final = 9_999_999
_PLANTING: Final = "First leaf"
"""On the empty tree every operation does this."""
_CONDITIONAL: Final = {
    Verdict.IMPROVED: "would improve",
    Verdict.NEUTRAL: "would be neutral",
    Verdict.WORSE: "would be worse",
    Verdict.TOO_LARGE: "would be too large",
}

_AWAY: Final = (8.0, 22.0, 44.0)
_GRID: Final = (13, 11)
_MOST_COMPARED: Final = 24
_MOST_NODES: Final = 400
"""In larger trees only the places next to the mark are tried, which takes less time."""
_LONG_DISTANCE: Final = 20.0
"""In pixels: a tag that is further away gets a line to what it is about."""
_OVERLAP_COST: Final = 10.0
_LEADER_COST: Final = 0.8
_COST_PER_PIXEL: Final = 0.004
_CROWDED: Final = 0.5
"""Compared with hiding one node."""
_MOST_REMEMBERED: Final = 4
_SMALLEST_GHOST: Final = 0.6
_SMALLEST_INSERTED: Final = 0.8
_INSERTED_BESIDE: Final = ((46.0, 22.0), (54.0, -4.0), (64.0, 8.0), (44.0, -30.0), (40.0, 40.0))
"""Places for an inserted leaf, seen from its function; the one that covers least is taken."""
_SMALLEST_RING: Final = 0.35
_INSERTED_ABOVE_ROOT: Final = 47.0
_INSERTED_AWAY: Final = 54.0
_SUBSTITUTED_AWAY: Final = 68.0
_SUBSTITUTED_DIRECTIONS: Final = (
    (0.0, 1.0), (1.0, 0.0), (-1.0, 0.0), (0.0, -1.0), (0.8, 0.6), (-0.8, 0.6), (0.8, -0.6), (-0.8, -0.6),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Inserted:
    """A function and a leaf that are not inserted above the node ``uid``."""

    uid: int
    above: int | None
    function: Face
    leaf: Face
    is_left: bool


@dataclass(frozen=True, slots=True)
class Deleted:
    """A subtree that is not deleted: its root and all its nodes."""

    uid: int
    uids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Substituted:
    """A leaf that does not become another one."""

    uid: int
    leaf: Face


@dataclass(frozen=True, slots=True)
class Planted:
    """A first leaf that is not planted."""

    leaf: Face


Ghost = Inserted | Deleted | Substituted | Planted


@dataclass(frozen=True, slots=True)
class Marks:
    """The nodes to ring in the verdict's colour, the first of them being the mutated place, and what to say.

    Without a verdict nobody is told it yet, and the marks are in no verdict's colour.
    """

    verdict: Verdict | None
    title: str
    text: str
    ringed: tuple[int, ...] = ()
    ghost: Ghost | None = None
    is_preview: bool = False

    def colour(self, colours: Colours) -> str:
        return colours.accent if self.verdict is None else colours.of_verdict(self.verdict)


def marks_of(picture: Moment | None, collapsed: frozenset[int] = frozenset()) -> Marks | None:
    """The marks of a picture; what a collapsed node hides is marked on that node."""
    if picture is None or picture.step is None:
        return None
    if picture.is_preview:
        ringed, ghost = _proposed(picture, picture.step, collapsed)
    elif picture.step.is_accepted:
        ringed, ghost = _changed(picture.parent, picture.tree, picture.step, collapsed), None
    else:
        ringed, ghost = _refused(picture.tree, picture.step, collapsed)
    return _marks_with_words(picture, picture.step, ringed, ghost)


def pair_marks_of(picture: Moment, collapsed: frozenset[int], *, is_offspring_own: bool) -> Marks | None:
    """The marks of a parent beside its offspring: the mutated place is ringed in both."""
    step, parent, offspring = picture.step, picture.parent, picture.offspring
    if step is None or parent is None or offspring is None:
        return None
    chosen, _ = _refused(parent, step, collapsed)
    changed = _changed(parent, offspring, step, collapsed)
    if is_offspring_own:
        chosen = tuple(~uid for uid in chosen)
    else:
        changed = tuple(~uid for uid in changed)
    return _marks_with_words(picture, step, chosen + changed, None)


def _marks_with_words(picture: Moment, step: Step, ringed: tuple[int, ...], ghost: Ghost | None) -> Marks:
    is_planted = picture.parent is None and step.offspring_leaves > 0
    title = _PLANTING if is_planted else step.operation.value
    verdict = None if picture.is_verdict_hidden else step.verdict
    return Marks(verdict, title, words_of(picture, step), ringed, ghost, picture.is_preview)


def _proposed(picture: Moment, step: Step, collapsed: frozenset[int]) -> tuple[tuple[int, ...], Ghost | None]:
    """What a preview shows on the parent, whatever would become of it."""
    if picture.tree is None and not step.offspring_leaves:
        return (), None  # the empty tree has nothing to delete or to substitute
    ringed, ghost = _refused(picture.tree, step, collapsed)
    is_root_deleted = isinstance(ghost, Deleted) and not step.node
    if is_root_deleted and not picture.is_verdict_hidden:
        return ringed, None  # it stays, and striking out the whole tree would say something else
    return ringed, ghost


def _refused(
    tree: Node | None, step: Step, collapsed: frozenset[int]
) -> tuple[tuple[int, ...], Ghost | None]:
    """The chosen node of the parent, and the ghost of what it did not become."""
    if tree is None:
        return (), Planted(leaf_face(step.variable))
    node, path = node_path(tree, step.node)
    ancestors = [ancestor.uid for ancestor, _ in path]
    hiding = _hiding(ancestors, collapsed)
    if hiding is not None:
        return (hiding,), None
    above = ancestors[-1] if ancestors else None
    return (node.uid,), _ghost(step, node, above, collapsed)


def _ghost(step: Step, node: Node, above: int | None, collapsed: frozenset[int]) -> Ghost:
    if step.operation is Operation.INS:
        is_left = step.side is Side.LEFT
        return Inserted(node.uid, above, function_face(step.function), leaf_face(step.variable), is_left)
    if step.operation is Operation.SUB:
        return Substituted(node.uid, leaf_face(step.variable))
    is_hidden = node.uid in collapsed
    return Deleted(node.uid, (node.uid,) if is_hidden else tuple(each.uid for each in nodes_of(node)))


def _changed(
    parent: Node | None, tree: Node | None, step: Step, collapsed: frozenset[int]
) -> tuple[int, ...]:
    """The nodes that a step made or changed in its offspring; after a deletion the subtree that moved up."""
    if tree is None:
        return ()
    if parent is None:
        return (tree.uid,)
    is_deletion = step.operation is Operation.DEL and step.verdict is not Verdict.UNCHANGED
    node, path = node_path(parent if is_deletion else tree, step.node)
    if is_deletion:
        _, node = path.pop()
    hiding = _hiding([ancestor.uid for ancestor, _ in path], collapsed)
    if hiding is not None:
        return (hiding,)
    if step.operation is Operation.INS and isinstance(node, Inner) and node.uid not in collapsed:
        leaf = node.left if step.side is Side.LEFT else node.right
        return (node.uid, leaf.uid)
    return (node.uid,)


def _hiding(ancestors: list[int], collapsed: frozenset[int]) -> int | None:
    """The topmost collapsed node on the way from the root."""
    return next((uid for uid in ancestors if uid in collapsed), None)


def words_of(picture: Moment, step: Step) -> str:
    """What a tag says after the operation: how it ended, how it would end, or only what is asked."""
    if picture.is_verdict_hidden:
        return f"{_proposal(picture.parent, step)}: accepted?"
    reason = reason_of(step, picture.config)
    if not picture.is_preview:
        return reason
    if step.verdict is Verdict.UNCHANGED:
        return "would change nothing"
    if picture.parent is None:
        return f"would be planted: {reason}"
    return f"{_CONDITIONAL[step.verdict]}: {reason}"


def _proposal(parent: Node | None, step: Step) -> str:
    """What the operation is to do, after its name: ``x₄ with ∧``, ``x₁ by x₄``, ``∨ with its 3 leaves``."""
    variable = UNICODE.variable(step.variable)
    if parent is None:
        return variable if step.offspring_leaves else "on the empty tree"
    if step.operation is Operation.INS:
        return f"{variable} with {UNICODE.function(step.function)}"
    node = node_at(parent, step.node)
    if step.operation is Operation.SUB:
        return f"{face_of(node).label} by {variable}"
    return face_of(node).label if node.leaves == 1 else f"{face_of(node).label} with its {node.leaves} leaves"


def reason_of(step: Step, config: RunConfig) -> str:
    """Why the offspring won or lost."""
    if step.verdict is Verdict.TOO_LARGE:
        limit = config.max_leaves
        return f"{step.offspring_leaves} leaves > limit {limit}"
    if step.verdict is Verdict.UNCHANGED:
        return "changes nothing"
    where = " on these rows" if config.is_sampled else ""
    before, after = step.parent_error, step.offspring_error
    if after is None:
        return "the empty tree"
    if before is None:
        return f"error {compact(after)}{where}"
    if before == after:
        return f"error stays {compact(after)}{where}"
    if compact(before) == compact(after):
        return f"error {compact(after)}, {compact(after - before, is_signed=True)}{where}"
    return f"error {compact(before)} → {compact(after)}{where}"


def compact(number: int, *, is_signed: bool = False) -> str:
    """A number as one reads it on a picture: very large ones as a power of ten, − as a minus sign."""
    sign = "−" if number < 0 else "+" if is_signed else ""
    return f"{sign}{number_text(abs(number), _LARGEST_EXACT)}"


def paint_tag(
    painter: QPainter, marks: Marks, taken: list[QRectF], around: FreeSpace, theme: Theme
) -> QRectF:
    """The badge, the operation and the reason in a pill near what is marked; where that is."""
    bold, plain = pixel_font(theme, 1.0, is_bold=True), pixel_font(theme, 1.0)
    gap = 0.55 * plain.pixelSize()
    badge = 1.45 * plain.pixelSize()
    title_width = QFontMetricsF(bold).horizontalAdvance(marks.title)
    frame_width = gap * 0.5 + badge + gap + title_width + gap + 1.2 * gap
    box, lines = _best_place(marks, plain, QSizeF(frame_width, badge + gap), taken, around)
    colours = theme.colours
    colour = QColor(marks.colour(colours))
    corner = (badge + gap) / 2.4
    _paint_leader(painter, box, taken, colour, theme)
    painter.setBrush(QColor(colours.panel))
    painter.setPen(QPen(colour, 1.8 * theme.line_scale))
    painter.drawRoundedRect(box, corner, corner)
    square = QRectF(box.left() + gap / 2, box.center().y() - badge / 2, badge, badge)
    draw_badge(painter, marks.verdict, square, theme)
    painter.setPen(QColor(colours.text))
    middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
    left = box.left() + gap * 1.5 + badge
    painter.setFont(bold)
    painter.drawText(QRectF(left, box.top(), title_width + gap, box.height()), middle, marks.title)
    painter.setFont(plain)
    left += title_width + gap
    painter.drawText(QRectF(left, box.top(), box.right() - left, box.height()), middle, "\n".join(lines))
    return box


def _best_place(
    marks: Marks, font: QFont, frame: QSizeF, taken: list[QRectF], around: FreeSpace
) -> tuple[QRectF, list[str]]:
    """Where the tag hides least, and its words on one line; those of a preview on two where one has no room."""
    metrics = QFontMetricsF(font)
    most = max(around.room.width() - frame.width(), 1.0)

    def placed(text: list[str]) -> tuple[float, QRectF, list[str]]:
        lines = [metrics.elidedText(line, Qt.TextElideMode.ElideRight, most) for line in text]
        width = frame.width() + max(metrics.horizontalAdvance(line) for line in lines)
        height = frame.height() + (len(lines) - 1) * metrics.lineSpacing()
        place, cost = _last_places.of(width, height, taken, around)
        return cost, place, lines

    cost, place, lines = placed([marks.text])
    head, colon, tail = marks.text.partition(": ")
    if marks.is_preview and colon and cost > _CROWDED:
        second = placed([f"{head}:", tail])
        if second[0] < cost:
            _, place, lines = second
    return place, lines


class _LastPlaces:
    """The places found last: looking for one takes as long as painting the tree, and mostly nothing changes."""

    def __init__(self) -> None:
        self._found: dict[tuple[object, ...], tuple[Frame, QRectF, float]] = {}

    def of(self, width: float, height: float, taken: list[QRectF], around: FreeSpace) -> tuple[QRectF, float]:
        """A place for a tag of this size, and what it costs there."""
        key = (
            *(width, height, around.scale, around.top_margin, around.below, around.view.getRect()),
            *(box.getRect() for box in (*taken, *around.words)),
            *(
                around.x[:1].tolist()
                + around.y[:1].tolist()
                + around.x[-1:].tolist()
                + around.y[-1:].tolist()
            ),
            id(around.frame),
        )
        found = self._found.get(key)
        if found is None:
            while len(self._found) >= _MOST_REMEMBERED:
                self._found.pop(next(iter(self._found)))
            # The frame is kept, so that its id stays its own.
            found = self._found[key] = (around.frame, *_place(width, height, taken, around))
        return QRectF(found[1]), found[2]


_last_places: Final = _LastPlaces()


def _place(width: float, height: float, taken: list[QRectF], around: FreeSpace) -> tuple[QRectF, float]:
    """The place near the marks where the tag hides least, and its cost; inside the view in any case."""
    room = around.room
    marked = _united(taken)
    corners = _corners_beside(marked, width, height)
    if len(around.frame) <= _MOST_NODES:
        across = np.linspace(room.left(), max(room.right() - width, room.left()), _GRID[0])
        down = np.linspace(room.top(), max(room.bottom() - height, room.top()), _GRID[1])
        corners += [(x, y) for x in across.tolist() for y in down.tolist()]
    places = [
        QRectF(
            max(min(x, room.right() - width), room.left()),
            max(min(y, room.bottom() - height), room.top()),
            width,
            height,
        )
        for x, y in corners
    ]
    boxes = boxes_of(places)
    cost = around.hidden_by(boxes) + _OVERLAP_COST * overlapping(boxes, boxes_of(taken)).sum(axis=1)
    cost += _COST_PER_PIXEL * np.array([_distance(place, marked) for place in places])
    # Lines take longer to look at, and can only decide between places that are good otherwise.
    best = np.argsort(cost, kind="stable")[:_MOST_COMPARED]
    nodes = around.boxes()
    others = nodes[~overlapping(nodes, boxes_of(taken)).any(axis=1)]
    leaders = [_leader(places[number], taken) for number in best.tolist()]
    rows = np.array([(line.x1(), line.y1(), line.x2(), line.y2()) for line in leaders])
    crossings = _LEADER_COST * crossed(others, rows).sum(axis=0)
    full = cost[best] + around.crossed_by(boxes[best]) + crossings
    return places[int(best[full.argmin()])], float(full.min())


def _corners_beside(marked: QRectF, width: float, height: float) -> list[tuple[float, float]]:
    """Where the top left corner is for the places all around what is marked, nearer and further away."""
    across = marked.center().x() - width / 2
    down = marked.center().y() - height / 2
    corners: list[tuple[float, float]] = []
    for away in _AWAY:
        right, left = marked.right() + away, marked.left() - away - width
        above, below = marked.top() - away - height, marked.bottom() + away
        corners += [
            (right, down), (left, down), (right, above), (left, above),
            (across, above), (across, below), (right, below), (left, below),
            (marked.left(), above), (marked.right() - width, above),
            (marked.left(), below), (marked.right() - width, below),
        ]  # fmt: skip
    return corners


def _paint_leader(painter: QPainter, box: QRectF, taken: list[QRectF], colour: QColor, theme: Theme) -> None:
    """A thin line from a tag that is far away to the nearest mark."""
    if min(_distance(box, other) for other in taken) > _LONG_DISTANCE:
        painter.setPen(QPen(colour, 1.2 * theme.line_scale))
        painter.drawLine(_leader(box, taken))


def _leader(box: QRectF, taken: list[QRectF]) -> QLineF:
    """The line from a tag to the nearest mark."""
    mark = min(taken, key=lambda other: _distance(box, other))
    centre = mark.center()
    start = QPointF(
        max(min(centre.x(), box.right() - box.height() / 2), box.left() + box.height() / 2),
        max(min(centre.y(), box.bottom()), box.top()),
    )
    line = QLineF(start, centre)
    line.setLength(max(line.length() - min(mark.width(), mark.height()) / 2, 0.0))
    return line


def _united(boxes: list[QRectF]) -> QRectF:
    union = QRectF(boxes[0])
    for box in boxes[1:]:
        union = union.united(box)
    return union


def _distance(one: QRectF, other: QRectF) -> float:
    """The free space between two rectangles."""
    across = max(one.left() - other.right(), other.left() - one.right(), 0.0)
    down = max(one.top() - other.bottom(), other.top() - one.bottom(), 0.0)
    return hypot(across, down)


def paint_marks(
    painter: QPainter, marks: Marks, around: FreeSpace, theme: Theme, resting: FreeSpace | None = None
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


def _ghost_scale(around: FreeSpace) -> float:
    """Ghosts stay large enough to be read in a tree that is seen from far away."""
    return max(around.scale, _SMALLEST_GHOST)


def _ring(uid: int, around: FreeSpace) -> QPainterPath | None:
    """The outline of a ring around a node."""
    centre = around.place(uid)
    if centre is None:
        return None
    kind = around.frame.face_at(around.frame.index[uid]).kind
    scale = max(around.scale, _SMALLEST_RING)
    return QTransform.fromTranslate(centre.x(), centre.y()).scale(scale, scale).map(outline_of(kind, 6.0))


def _ring_box(uid: int, around: FreeSpace) -> QRectF | None:
    outline = _ring(uid, around)
    return None if outline is None else outline.boundingRect()


def _paint_ring(painter: QPainter, uid: int, around: FreeSpace, colour: QColor, theme: Theme) -> list[QRectF]:
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
    painter: QPainter, ghost: Inserted, around: FreeSpace, colour: QColor, theme: Theme
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


def _above_root(node: QPointF, ghost: Inserted, scale: float, around: FreeSpace) -> QPointF:
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
    painter: QPainter, ghost: Deleted, around: FreeSpace, colour: QColor, theme: Theme
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
    painter: QPainter, ghost: Substituted, around: FreeSpace, colour: QColor, theme: Theme
) -> list[QRectF]:
    """The other leaf beside the old one, where it covers least, and an arrow to it."""
    node = around.place(ghost.uid)
    if node is None:
        return []
    scale = _ghost_scale(around)
    across, down = extent_of(ghost.leaf.kind)
    half = QPointF(across + 3.0, down + 3.0) * scale
    directions = [QPointF(*direction) for direction in _SUBSTITUTED_DIRECTIONS]

    def cost(direction: QPointF) -> float:
        centre = node + direction * (_SUBSTITUTED_AWAY * scale)
        return around.covered(QRectF(centre - half, centre + half), ghost.uid)

    direction = min(directions, key=cost)
    centre = node + direction * (_SUBSTITUTED_AWAY * scale)
    reach = across if direction.x() else down
    start, end = node + direction * ((reach + 8.0) * scale), centre - direction * ((reach + 2.0) * scale)
    painter.setPen(_pen(colour, 2.4 * theme.line_scale))
    painter.drawLine(start, end)
    head = direction * (-6.0 * scale)
    aside = QPointF(-head.y(), head.x()) * 0.8
    painter.drawPolyline([end + head + aside, end, end + head - aside])
    return [_paint_ghost_face(painter, ghost.leaf, centre, _ghost_scale(around), colour, theme)]


def _paint_planted(
    painter: QPainter, ghost: Planted, around: FreeSpace, colour: QColor, theme: Theme
) -> list[QRectF]:
    box = _planting_box(around, theme)
    _paint_ghost_face(painter, ghost.leaf, box.center(), _ghost_scale(around), colour, theme)
    return [box]


def _planting_box(around: FreeSpace, theme: Theme) -> QRectF:
    """Where the first leaf will be on the empty canvas."""
    radius = 3.2 * theme.font_size
    centre = QPointF(around.view.center().x(), (around.view.height() + around.top_margin) / 2 - radius)
    return QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)
