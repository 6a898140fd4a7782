"""Finds free space beside a tree: how much of it a box put over the canvas would hide."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final, Generic, TypeVar

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QPainterPath, QTransform

from gpviz.app.canvas.node_shapes import extent_of, outline_of
from gpviz.app.canvas.tree_frame import Floats, Frame, Ints

Bools = npt.NDArray[np.bool_]
_REACH: Final = 20.0
_LARGEST_REACH: Final = 25.0
"""How far the usual and the largest node reach from their centres."""
_TOUCH_COST: Final = 0.5
_EDGE_COST: Final = 0.15
_WORD_COST: Final = 2.0
"""What touching a node, crossing an edge or hiding a word costs, compared with hiding a whole node."""
_MOST_NODES: Final = 400
"""The edges of larger trees are not looked at, which would take too long."""
_CELL: Final = 8.0
"""In pixels: places for words are looked for on a grid of cells of this size."""
_GAP: Final = 3.0
"""In pixels: what stays free between words and what they do not hide."""
_POINTS: Final = 12
_MOST_COMPARED: Final = 24
_MOST_LED_TO: Final = 4
_APART: Final = 4
HIDING: Final = 10_000.0
_LEADER_COST: Final = 90.0
_EDGE_POINT_COST: Final = 4.0
_ASIDE_COST: Final = 0.08
_LATER_COST: Final = 12.0
"""In pixels away: what hiding something costs, crossing a node with the line, lying on an edge, being aside, and
being about another mark than the first one."""
_OUTSIDE: Final = 4.0
"""In pixels: what is nearer to the border than this counts as out of view."""


_MOST_REMEMBERED: Final = 8

Found = TypeVar("Found")


@dataclass(frozen=True)
class FreeSpace:
    """The places of the nodes in pixels, and the rectangle that is seen."""

    frame: Frame
    x: Floats
    y: Floats
    scale: float
    view: QRectF
    top_margin: float = 0.0
    words: tuple[QRectF, ...] = ()
    """What else is written on the picture."""

    @property
    def key(self) -> Hashable:
        """Equal for two of them in which the same is found."""
        words = tuple(box.getRect() for box in self.words)
        nodes = (self.frame, self.x.tobytes(), self.y.tobytes(), self.scale)
        return (nodes, self.view.getRect(), self.top_margin, words)

    @property
    def room(self) -> QRectF:
        """Where something may be put."""
        return self.view.adjusted(_OUTSIDE, _OUTSIDE + self.top_margin, -_OUTSIDE, -_OUTSIDE)

    def place(self, uid: int) -> QPointF | None:
        """Where a node is seen; None if it is not part of the picture."""
        number = self.frame.index.get(uid)
        return None if number is None else QPointF(float(self.x[number]), float(self.y[number]))

    def outline(self, uid: int, grown: float, least_scale: float) -> QPainterPath | None:
        """The outline of a node, this much larger on every side; None if it is not part of the picture."""
        place = self.place(uid)
        if place is None:
            return None
        scale = max(self.scale, least_scale)
        outline = outline_of(self.frame.face_at(self.frame.index[uid]).kind, grown)
        return QTransform.fromTranslate(place.x(), place.y()).scale(scale, scale).map(outline)

    def cost_of(self, boxes: Floats) -> Floats:
        """What each of many rectangles hides, in nodes; what is out of view counts many times.

        They are rows of left, top, right and bottom.
        """
        reach = _REACH * self.scale
        is_near = (self.x > -reach) & (self.x < self.view.right() + reach)
        is_near &= (self.y > -reach) & (self.y < self.view.bottom() + reach)
        x, y = self.x[is_near], self.y[is_near]
        left, top, right, bottom = (boxes[:, [side]] for side in range(4))
        across = np.minimum(x + reach, right) - np.maximum(x - reach, left)
        down = np.minimum(y + reach, bottom) - np.maximum(y - reach, top)
        shares = np.clip(across, 0.0, None) * np.clip(down, 0.0, None) / (2 * reach) ** 2
        room = self.room
        seen_across = np.minimum(right, room.right()) - np.maximum(left, room.left())
        seen_down = np.minimum(bottom, room.bottom()) - np.maximum(top, room.top())
        seen = np.clip(seen_across, 0.0, None) * np.clip(seen_down, 0.0, None)
        lost = (1.0 - seen / np.maximum((right - left) * (bottom - top), 1.0))[:, 0]
        cost = shares.sum(axis=1) + 50.0 * lost
        reach = _LARGEST_REACH * self.scale
        nodes = np.column_stack([self.x - reach, self.y - reach, self.x + reach, self.y + reach])
        cost += _TOUCH_COST * overlapping(boxes, nodes).sum(axis=1)
        if self.words:
            cost += _WORD_COST * overlapping(boxes, boxes_of(self.words)).sum(axis=1)
        if len(self.frame) <= _MOST_NODES:
            cost += _EDGE_COST * crossed(boxes, self.lines()).sum(axis=1)
        return np.asarray(cost)

    def lines(self) -> Floats:
        """The edges in pixels, a row of two points each."""
        a, b = self.frame.edge_a, self.frame.edge_b
        return np.column_stack([self.x[a], self.y[a], self.x[b], self.y[b]])

    def extents(self) -> Floats:
        """Rectangles that the nodes fill, each as large as its own shape."""
        kinds = np.array([extent_of(face.kind) for face in self.frame.faces]).reshape(-1, 2)
        across, down = (kinds[self.frame.face] * self.scale).T
        return np.column_stack([self.x - across, self.y - down, self.x + across, self.y + down])

    def best_place(
        self, width: float, height: float, marked: Sequence[QRectF], taken: Sequence[QRectF] = ()
    ) -> tuple[QRectF, float]:
        """The place for words near what is marked, and its cost: less than `HIDING` if they hide nothing there.

        Among the places where they hide nothing it is the one nearest to the marks, with a free line to them and
        few edges below it.
        """
        room = self.room
        rows, columns = max(int(room.height() / _CELL), 1), max(int(room.width() / _CELL), 1)
        down, across = min(ceil(height / _CELL), rows), min(ceil(width / _CELL), columns)
        solid = np.vstack([self.extents(), boxes_of((*marked, *taken, *self.words))])
        solid += np.array([-_GAP, -_GAP, _GAP, _GAP])
        solid = solid[overlapping(solid, boxes_of([room])).ravel()]
        hidden = _windows(_filled(solid, room, rows, columns), down, across)
        edges = _windows(_points(self.lines(), room, rows, columns), down, across)
        starts = zip((room.top(), room.left()), hidden.shape, strict=True)
        top, left = (start + np.arange(length) * _CELL for start, length in starts)
        away = np.full(hidden.shape, 0.0 if not marked else np.inf)
        for number, box in enumerate(marked):
            beside = np.maximum(box.left() - left - width, left - box.right()).clip(0.0)
            above = np.maximum(box.top() - top - height, top - box.bottom()).clip(0.0)
            aside = _ASIDE_COST * np.abs(left + width / 2 - box.center().x())
            later = _LATER_COST * min(number, _MOST_LED_TO)
            away = np.minimum(away, np.hypot(beside, above[:, None]) + aside + later)
        cost = np.where(hidden > 0, HIDING + hidden, 0.0) + away + _EDGE_POINT_COST * np.minimum(edges, 60)
        # The lines take longer to look at: only the best places are compared, and some further apart.
        numbers = np.arange(cost.size).reshape(cost.shape)[::_APART, ::_APART].ravel()
        best = np.concatenate([_lowest(cost.ravel()), numbers[_lowest(cost.ravel()[numbers])]])
        found = np.column_stack(np.unravel_index(best, cost.shape)).tolist()
        places = [
            QRectF(
                max(min(room.left() + column * _CELL, room.right() - width), room.left()),
                max(min(room.top() + row * _CELL, room.bottom() - height), room.top()),
                width,
                height,
            )
            for row, column in found
        ]
        full = cost.ravel()[best] + self._leaders(places, marked)[1]
        choice = int(full.argmin())
        return places[choice], float(full[choice])

    def leader(self, place: QRectF, marked: Sequence[QRectF]) -> QLineF:
        """The line from words to what is marked, preferably one that crosses nothing else."""
        return self._leaders([place], marked)[0][0]

    def _leaders(self, places: Sequence[QRectF], marked: Sequence[QRectF]) -> tuple[list[QLineF], Floats]:
        """For each place the best line from it to what is marked, and what that costs beyond being short."""
        few = marked[:_MOST_LED_TO]
        if not few:
            return [QLineF() for _ in places], np.zeros(len(places))
        lines = [line_between(place, mark) for place in places for mark in few]
        is_marked = np.zeros(len(self.frame), dtype=bool)
        for box in marked:
            is_marked |= (abs(self.x - box.center().x()) < 1.0) & (abs(self.y - box.center().y()) < 1.0)
        others = np.vstack([self.extents()[~is_marked], boxes_of(self.words)])
        ends = np.array([(line.x1(), line.y1(), line.x2(), line.y2()) for line in lines])
        others = others[overlapping(others, _reached(ends, self.view)).ravel()]
        cost = _LEADER_COST * crossed(others, ends).sum(axis=0)
        lengths = np.array([line.length() for line in lines])
        both = (cost + lengths).reshape(len(places), len(few)) + _LATER_COST * np.arange(len(few))
        best = both.argmin(axis=1) + np.arange(len(places)) * len(few)
        return [lines[number] for number in best.tolist()], np.asarray(cost[best])


class LastFound(Generic[Found]):
    """What was found last: looking for places takes as long as painting the tree, and mostly nothing changes."""

    def __init__(self) -> None:
        self._found: dict[Hashable, Found] = {}

    def of(self, key: Hashable, find: Callable[[], Found]) -> Found:
        """What is found for this key, which has in it all that decides that."""
        found = self._found.get(key)
        if found is None:
            while len(self._found) >= _MOST_REMEMBERED:
                self._found.pop(next(iter(self._found)))
            found = self._found[key] = find()
        return found


def _reached(lines: Floats, view: QRectF) -> Floats:
    """The rectangle around some lines, as far as it is seen; of a large tree little is in there."""
    points = lines.reshape(-1, 2)
    left, top = np.maximum(points.min(axis=0) - 1.0, (view.left(), view.top()))
    right, bottom = np.minimum(points.max(axis=0) + 1.0, (view.right(), view.bottom()))
    return np.array([[left, top, right, bottom]])


def _lowest(cost: Floats) -> Ints:
    """The places of the lowest costs, in order."""
    few = (
        np.argpartition(cost, _MOST_COMPARED)[:_MOST_COMPARED]
        if len(cost) > _MOST_COMPARED
        else np.arange(len(cost))
    )
    few.sort()
    return few[np.argsort(cost[few], kind="stable")]


def _filled(boxes: Floats, room: QRectF, rows: int, columns: int) -> Floats:
    """How many of some rectangles touch each cell of a room."""
    corner = np.array([room.left(), room.top(), room.left(), room.top()])
    cells = (boxes - corner) / _CELL
    left, top = np.floor(cells[:, 0]).astype(int), np.floor(cells[:, 1]).astype(int)
    right, bottom = np.ceil(cells[:, 2]).astype(int), np.ceil(cells[:, 3]).astype(int)
    left, right = np.clip(left, 0, columns), np.clip(right, 0, columns)
    top, bottom = np.clip(top, 0, rows), np.clip(bottom, 0, rows)
    change = np.zeros((rows + 1, columns + 1))
    for sign, row, column in ((1, top, left), (-1, top, right), (-1, bottom, left), (1, bottom, right)):
        np.add.at(change, (row, column), sign)
    return np.asarray(change.cumsum(axis=0).cumsum(axis=1)[:-1, :-1])


def _points(lines: Floats, room: QRectF, rows: int, columns: int) -> Floats:
    """How many points of some lines are in each cell of a room."""
    counts = np.zeros((rows, columns))
    if not len(lines) or len(lines) > _MOST_NODES:
        return counts
    share = np.linspace(0.0, 1.0, _POINTS)[:, None]
    x = ((lines[:, 0] + (lines[:, 2] - lines[:, 0]) * share - room.left()) / _CELL).astype(int).ravel()
    y = ((lines[:, 1] + (lines[:, 3] - lines[:, 1]) * share - room.top()) / _CELL).astype(int).ravel()
    is_inside = (x >= 0) & (x < columns) & (y >= 0) & (y < rows)
    np.add.at(counts, (y[is_inside], x[is_inside]), 1.0)
    return counts


def _windows(cells: Floats, down: int, across: int) -> Floats:
    """The sum of the cells in each window of so many rows and columns, by its upper left cell."""
    sums = np.zeros((cells.shape[0] + 1, cells.shape[1] + 1))
    sums[1:, 1:] = cells.cumsum(axis=0).cumsum(axis=1)
    return np.asarray(
        sums[down:, across:] - sums[:-down, across:] - sums[down:, :-across] + sums[:-down, :-across]
    )


def line_between(box: QRectF, mark: QRectF) -> QLineF:
    """The line from words to what they are about, up to its border."""
    centre = mark.center()
    corner = min(box.height() / 2, box.width() / 2)
    start = QPointF(
        max(min(centre.x(), box.right() - corner), box.left() + corner),
        max(min(centre.y(), box.bottom()), box.top()),
    )
    line = QLineF(start, centre)
    line.setLength(max(line.length() - min(mark.width(), mark.height()) / 2, 0.0))
    return line


def boxes_of(boxes: Iterable[QRectF]) -> Floats:
    """Rectangles as rows of left, top, right and bottom."""
    rows = [(box.left(), box.top(), box.right(), box.bottom()) for box in boxes]
    return np.array(rows, dtype=np.float64).reshape(-1, 4)


def overlapping(boxes: Floats, others: Floats) -> Bools:
    """For each rectangle and each of the others whether they overlap."""
    across = (boxes[:, [0]] < others[:, 2]) & (boxes[:, [2]] > others[:, 0])
    down = (boxes[:, [1]] < others[:, 3]) & (boxes[:, [3]] > others[:, 1])
    return np.asarray(across & down)


def crossed(boxes: Floats, lines: Floats) -> Bools:
    """For each rectangle and each line, a row of two points, whether the line runs through it."""
    start, delta = lines[:, :2], lines[:, 2:] - lines[:, :2]
    delta = np.where(np.abs(delta) < 1e-9, 1e-9, delta)
    enter = np.zeros((len(boxes), len(lines)))
    leave = np.ones((len(boxes), len(lines)))
    for axis in (0, 1):
        one = (boxes[:, [axis]] - start[:, axis]) / delta[:, axis]
        other = (boxes[:, [axis + 2]] - start[:, axis]) / delta[:, axis]
        enter = np.maximum(enter, np.minimum(one, other))
        leave = np.minimum(leave, np.maximum(one, other))
    return np.asarray(enter < leave)
