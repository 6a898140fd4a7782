"""Lays out parent and offspring beside each other in one frame, with a heading above each.

A node that both trees have has one uid and is in the frame twice: the tree on show keeps its uids, those of the
other tree are complemented, which makes them negative.
"""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import numpy as np
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from gpviz.app.canvas.camera import Camera
from gpviz.app.canvas.free_space import FreeSpace
from gpviz.app.canvas.node_shapes import pixel_font
from gpviz.app.canvas.tree_frame import TIDY_UNIT, Frame, frame_of
from gpviz.app.theme import Theme
from gpviz.engine import Node
from gpviz.explain.moment import Moment
from gpviz.picture.layout import graph_of, tidy_layout

_GAP: Final = 116.0
"""From the last node of the one tree to the first of the other, in the drawing's units."""
_REACH: Final = 27.0
_ABOVE: Final = 12.0
"""In pixels: from the highest node, or the ring around it, to the word above it."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A word above a tree which reaches from left to right in the drawing, and up to its top."""

    text: str
    left: float
    right: float
    top: float


@dataclass(frozen=True, eq=False)
class Pair:
    """Both trees as one drawing."""

    parent: Node
    offspring: Node
    frame: Frame
    headings: tuple[Heading, Heading]

    def is_of(self, picture: Moment | None) -> bool:
        """Whether these are the trees of a picture."""
        return picture is not None and self.parent is picture.parent and self.offspring is picture.offspring


def has_pair(picture: Moment | None) -> bool:
    """Whether a picture has two trees to show; an empty parent is not shown."""
    return (
        picture is not None
        and picture.step is not None
        and picture.parent is not None
        and picture.offspring is not None
    )


def is_offspring_own(picture: Moment) -> bool:
    """Whether the tree on show is the offspring."""
    return picture.step is not None and picture.step.is_accepted and not picture.is_preview


def pair_of(picture: Moment, collapsed: frozenset[int]) -> Pair:
    """Both trees of a picture that has them, tidy, the parent on the left."""
    parent, offspring, is_own = picture.parent, picture.offspring, is_offspring_own(picture)
    assert parent is not None
    assert offspring is not None
    left, right = _frame(parent, collapsed), _frame(offspring, collapsed)
    left = _moved(left, -left.bounds.left, is_own=not is_own)
    right = _moved(right, left.bounds.right + _GAP - right.bounds.left, is_own=is_own)
    headings = (_heading("parent", left), _heading("offspring", right))
    return Pair(parent, offspring, _joined(left, right), headings)


def heading_height(theme: Theme) -> float:
    """What the words need above the trees, in pixels."""
    return 1.4 * pixel_font(theme, 1.1).pixelSize() + _ABOVE


def heading_boxes(
    headings: tuple[Heading, ...], camera: Camera, view: QRectF, theme: Theme
) -> tuple[QRectF, ...]:
    """Where the words are seen."""
    metrics = QFontMetricsF(pixel_font(theme, 1.1, is_bold=True))
    height = heading_height(theme) - _ABOVE
    boxes = []
    for heading in headings:
        middle = (heading.left + heading.right) / 2
        x, y = camera.to_view(middle, heading.top, view.width(), view.height())
        width = metrics.horizontalAdvance(heading.text) + 8.0
        boxes.append(QRectF(x - width / 2, y - _REACH * camera.scale - _ABOVE - height, width, height))
    return tuple(boxes)


def paint_headings(
    painter: QPainter, headings: tuple[Heading, ...], camera: Camera, around: FreeSpace, theme: Theme
) -> None:
    """The words above the trees, and a line between the trees."""
    view, room = around.view, around.room
    for left, right in pairwise(headings):
        x, _ = camera.to_view((left.right + right.left) / 2, 0.0, view.width(), view.height())
        painter.setPen(QPen(QColor(theme.colours.border), theme.line_scale))
        painter.drawLine(QLineF(x, room.top(), x, room.bottom()))
    painter.setFont(pixel_font(theme, 1.1, is_bold=True))
    painter.setPen(QColor(theme.colours.muted))
    for heading, box in zip(headings, around.words, strict=True):
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, heading.text)


def _frame(tree: Node, collapsed: frozenset[int]) -> Frame:
    return frame_of(tree, tidy_layout(graph_of(tree, collapsed)), collapsed, TIDY_UNIT)


def _heading(text: str, frame: Frame) -> Heading:
    bounds = frame.bounds
    return Heading(text, bounds.left, bounds.right, bounds.top)


def _moved(frame: Frame, across: float, *, is_own: bool) -> Frame:
    """The frame with its top at 0 and moved across; the nodes of the other tree get uids of their own."""
    uids = frame.uids if is_own else ~frame.uids
    return replace(frame, uids=uids, x=frame.x + across, y=frame.y - frame.bounds.top)


def _joined(left: Frame, right: Frame) -> Frame:
    count = len(left)
    return Frame(
        uids=np.concatenate([left.uids, right.uids]),
        x=np.concatenate([left.x, right.x]),
        y=np.concatenate([left.y, right.y]),
        size=np.concatenate([left.size, right.size]),
        flip=np.concatenate([left.flip, right.flip]),
        opacity=np.concatenate([left.opacity, right.opacity]),
        face=np.concatenate([left.face, right.face + len(left.faces)]),
        faces=left.faces + right.faces,
        edge_a=np.concatenate([left.edge_a, right.edge_a + count]),
        edge_b=np.concatenate([left.edge_b, right.edge_b + count]),
        edge_opacity=np.concatenate([left.edge_opacity, right.edge_opacity]),
    )
