"""Divides a window between the tree, a page and what stands beside them, by one rule for every window.

Trees need height. Where a window is wide, a page stands beside the tree and leaves it the whole height; else it
stands below. A page may also fill the room, with the tree as a thumbnail.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from PySide6.QtCore import QRect, QSize, Qt

GAP: Final = 8
"""Between two panes, where the grip is that moves the line between them."""
_WIDE: Final = 1260
WIDE_SHAPE: Final = 1.4
"""A window is wide if it has more than so many times its height, and is not small."""
_THUMBNAIL_SHAPE: Final = 0.75
"""The height of a thumbnail in shares of its width."""


class Arrangement(StrEnum):
    """Where the page is."""

    BESIDE = "beside"
    BELOW = "below"
    FILLED = "filled"


class Pane(StrEnum):
    """The parts of a window that share its room."""

    SETTINGS = "settings"
    TREE = "tree"
    STRIP = "strip"
    WORDS = "words"
    PAGE = "page"


def arrangement_for(width: int, height: int) -> Arrangement:
    """Where a page stands in a window of this size, unless it fills it."""
    is_wide = width >= _WIDE and width > WIDE_SHAPE * height
    return Arrangement.BESIDE if is_wide else Arrangement.BELOW


@dataclass(frozen=True, slots=True)
class GripPlace:
    """Where the line between a pane and the rest is, what both share, and which way the pane lies."""

    place: QRect
    total: int
    side: Qt.Edge
    """The side of the shared room on which the pane is."""

    @property
    def is_upright(self) -> bool:
        """Whether the line goes down, so that it is moved to the left and right."""
        return self.side in (Qt.Edge.LeftEdge, Qt.Edge.RightEdge)

    @property
    def grows_forwards(self) -> bool:
        """Whether the pane grows when the line moves to the right or down."""
        return self.side in (Qt.Edge.LeftEdge, Qt.Edge.TopEdge)


@dataclass(slots=True)
class Division:
    """The rectangles of the panes on show, and the lines between them by the panes whose sizes they change."""

    panes: dict[Pane, QRect] = field(default_factory=dict)
    grips: dict[Pane, GripPlace] = field(default_factory=dict)


Wanted = Callable[[Pane, int], float]
"""How much a pane would like of so many pixels that it shares with what is beside it."""


def divide(
    room: QRect,
    arrangement: Arrangement,
    shown: Collection[Pane],
    least: Mapping[Pane, QSize],
    wanted: Wanted,
    tree_height: int = 0,
) -> Division:
    """Give every pane its room; the tree has what the others leave, and they yield before it has too little.

    ``least`` are the sizes without which the panes cannot be used. With less than ``tree_height`` for the tree the
    strip below it goes.
    """
    cutter = _Cutter(Division(), least, wanted)
    tree = least[Pane.TREE]
    if Pane.SETTINGS in shown:
        others = [pane for pane in (Pane.WORDS, Pane.PAGE) if pane in shown]
        widest = max((least[pane].width() + GAP for pane in others), default=0)
        room = cutter.cut(room, Pane.SETTINGS, Qt.Edge.LeftEdge, tree.width() + widest)
    if arrangement is Arrangement.FILLED and Pane.PAGE in shown:
        room = cutter.cut(room, Pane.PAGE, Qt.Edge.LeftEdge, tree.width())
        height = min(max(round(_THUMBNAIL_SHAPE * room.width()), tree.height()), room.height())
        thumbnail = QRect(room.left(), room.top(), room.width(), height)
        room = room.adjusted(0, height + GAP, 0, 0)
        if Pane.WORDS in shown and room.height() >= least[Pane.WORDS].height():
            cutter.division.panes[Pane.WORDS] = room
        else:
            thumbnail.setBottom(room.bottom())
        room = thumbnail
    elif arrangement is Arrangement.BELOW:
        if Pane.PAGE in shown:
            room = cutter.cut(room, Pane.PAGE, Qt.Edge.BottomEdge, tree.height())
        if Pane.WORDS in shown:
            room = cutter.cut(room, Pane.WORDS, Qt.Edge.RightEdge, tree.width())
    else:
        if Pane.PAGE in shown:
            room = cutter.cut(room, Pane.PAGE, Qt.Edge.RightEdge, tree.width())
            if Pane.WORDS in shown:
                column = cutter.division.panes[Pane.PAGE]
                page = cutter.cut(column, Pane.WORDS, Qt.Edge.TopEdge, least[Pane.PAGE].height())
                cutter.division.panes[Pane.PAGE] = page
        elif Pane.WORDS in shown:
            width = min(least[Pane.WORDS].width(), room.width() // 2)
            cutter.division.panes[Pane.WORDS] = QRect(
                room.right() + 1 - width, room.top(), width, room.height()
            )
            room = room.adjusted(0, 0, -(width + GAP), 0)
        has_room = room.height() - GAP - least.get(Pane.STRIP, QSize()).height() >= tree_height
        if Pane.STRIP in shown and has_room:
            room = cutter.cut(room, Pane.STRIP, Qt.Edge.BottomEdge, max(tree.height(), tree_height))
    cutter.division.panes[Pane.TREE] = room
    return cutter.division


@dataclass(frozen=True, slots=True)
class _Cutter:
    """Cuts panes off the sides of a rectangle."""

    division: Division
    least: Mapping[Pane, QSize]
    wanted: Wanted

    def cut(self, room: QRect, pane: Pane, side: Qt.Edge, least_rest: int) -> QRect:
        """Give a pane what it would like of a side, and return the rest."""
        is_upright = side in (Qt.Edge.LeftEdge, Qt.Edge.RightEdge)
        total = (room.width() if is_upright else room.height()) - GAP
        own = self.least[pane]
        least_own = min(own.width() if is_upright else own.height(), total // 2)
        size = round(min(max(self.wanted(pane, total), least_own), max(total - least_rest, least_own)))
        rest = total - size
        is_first = side in (Qt.Edge.LeftEdge, Qt.Edge.TopEdge)
        lengths = (size, GAP, rest) if is_first else (rest, GAP, size)
        parts = []
        start = room.left() if is_upright else room.top()
        for length in lengths:
            across = QRect(start, room.top(), length, room.height())
            down = QRect(room.left(), start, room.width(), length)
            parts.append(across if is_upright else down)
            start += length
        mine, grip, other = parts if is_first else reversed(parts)
        self.division.panes[pane] = mine
        self.division.grips[pane] = GripPlace(grip, total, side)
        return other
