"""Finds free space beside a tree: how much of it a box put over the canvas would hide."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF

from gpviz.app.canvas.tree_frame import Floats, Frame

__all__ = ["FreeSpace", "boxes_of", "crossed", "overlapping"]

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
_OUTSIDE: Final = 4.0
"""In pixels: what is nearer to the border than this counts as out of view."""


@dataclass(frozen=True)
class FreeSpace:
    """The places of the nodes in pixels, and the rectangle that is seen."""

    frame: Frame
    x: Floats
    y: Floats
    scale: float
    view: QRectF
    top_margin: float = 0.0
    below: float = 0.0
    """How far the words under a leaf reach below it."""
    words: tuple[QRectF, ...] = ()
    """What else is written on the picture."""

    @property
    def room(self) -> QRectF:
        """Where something may be put."""
        return self.view.adjusted(_OUTSIDE, _OUTSIDE + self.top_margin, -_OUTSIDE, -_OUTSIDE)

    def place(self, uid: int) -> QPointF | None:
        """Where a node is seen; None if it is not part of the picture."""
        number = self.frame.index.get(uid)
        return None if number is None else QPointF(float(self.x[number]), float(self.y[number]))

    def covered(self, box: QRectF, apart_from: int | None = None) -> float:
        """How much a rectangle hides, in nodes; what is out of view counts many times."""
        return float(self.covered_by(boxes_of([box]), apart_from)[0])

    def covered_by(self, boxes: Floats, apart_from: int | None = None) -> Floats:
        """The same for each of many rectangles: rows of left, top, right and bottom."""
        reach = _REACH * self.scale
        is_near = (self.x > -reach) & (self.x < self.view.right() + reach)
        is_near &= (self.y > -reach - self.below) & (self.y < self.view.bottom() + reach)
        if apart_from is not None and apart_from in self.frame.index:
            is_near[self.frame.index[apart_from]] = False
        x, y = self.x[is_near], self.y[is_near]
        left, top, right, bottom = (boxes[:, [side]] for side in range(4))
        across = np.minimum(x + reach, right) - np.maximum(x - reach, left)
        down = np.minimum(y + reach + self.below, bottom) - np.maximum(y - reach, top)
        shares = np.clip(across, 0.0, None) * np.clip(down, 0.0, None) / (2 * reach) ** 2
        return np.asarray(shares.sum(axis=1) + 50.0 * self._lost(boxes))

    def hidden_by(self, boxes: Floats) -> Floats:
        """What each of many rectangles costs as a place for words: the nodes that it touches, too."""
        touched = overlapping(boxes, self.boxes()).sum(axis=1)
        hidden = self.covered_by(boxes) + _TOUCH_COST * touched
        if self.words:
            hidden += _WORD_COST * overlapping(boxes, boxes_of(self.words)).sum(axis=1)
        return np.asarray(hidden)

    def crossed_by(self, boxes: Floats) -> Floats:
        """What the edges cost that run through each of some rectangles."""
        if len(self.frame) > _MOST_NODES:
            return np.zeros(len(boxes))
        return np.asarray(_EDGE_COST * crossed(boxes, self.lines()).sum(axis=1))

    def boxes(self) -> Floats:
        """Rectangles that hold the nodes."""
        reach = _LARGEST_REACH * self.scale
        return np.column_stack([self.x - reach, self.y - reach, self.x + reach, self.y + reach])

    def lines(self) -> Floats:
        """The edges in pixels, a row of two points each."""
        a, b = self.frame.edge_a, self.frame.edge_b
        return np.column_stack([self.x[a], self.y[a], self.x[b], self.y[b]])

    def _lost(self, boxes: Floats) -> Floats:
        """The share of each rectangle that is out of view."""
        room = self.room
        across = np.minimum(boxes[:, 2], room.right()) - np.maximum(boxes[:, 0], room.left())
        down = np.minimum(boxes[:, 3], room.bottom()) - np.maximum(boxes[:, 1], room.top())
        area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
        seen = np.clip(across, 0.0, None) * np.clip(down, 0.0, None)
        return np.asarray(1.0 - seen / np.maximum(area, 1.0))


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
