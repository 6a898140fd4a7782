"""Paints the tag of a step: its verdict, its operation and the reason, where they hide little of the tree."""

from math import hypot
from typing import Final

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from gpviz.app.canvas.badges import draw_badge, pixel_font
from gpviz.app.canvas.ghosts import Marks
from gpviz.app.canvas.scene import Frame
from gpviz.app.canvas.surroundings import Surroundings, boxes_of, crossed, overlapping
from gpviz.app.theme import Theme

__all__ = ["paint_tag"]

_AWAY: Final = (8.0, 22.0, 44.0)
_GRID: Final = (13, 11)
_MOST_COMPARED: Final = 24
_MOST_NODES: Final = 400
"""In larger trees only the places next to the mark are tried, which takes less time."""
_LONG_WAY: Final = 20.0
"""In pixels: a tag that is further away gets a line to what it is about."""
_OVERLAP_COST: Final = 10.0
_LEADER_COST: Final = 0.8
_COST_PER_PIXEL: Final = 0.004
_CROWDED: Final = 0.5
"""Compared with hiding one node."""
_MOST_REMEMBERED: Final = 4


def paint_tag(
    painter: QPainter, marks: Marks, taken: list[QRectF], around: Surroundings, theme: Theme
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
    marks: Marks, font: QFont, frame: QSizeF, taken: list[QRectF], around: Surroundings
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

    def of(
        self, width: float, height: float, taken: list[QRectF], around: Surroundings
    ) -> tuple[QRectF, float]:
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


def _place(width: float, height: float, taken: list[QRectF], around: Surroundings) -> tuple[QRectF, float]:
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
    if min(_distance(box, other) for other in taken) > _LONG_WAY:
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
