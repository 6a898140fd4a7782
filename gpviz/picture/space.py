"""Free space in a picture: whether a rectangle covers a node, an edge, or anything else that is already there."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Rect(NamedTuple):
    """A rectangle in pixels, y downwards."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def grown(self, by: float) -> "Rect":
        """This much larger on every side."""
        return Rect(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def moved(self, dx: float, dy: float) -> "Rect":
        """This much further to the right and down."""
        return Rect(self.left + dx, self.top + dy, self.right + dx, self.bottom + dy)

    def overlaps(self, other: "Rect") -> bool:
        """Whether they have an area in common."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def holds(self, other: "Rect") -> bool:
        """Whether the other one is inside."""
        return (
            self.left <= other.left
            and self.top <= other.top
            and self.right >= other.right
            and self.bottom >= other.bottom
        )


def around(x: float, y: float, across: float, down: float) -> Rect:
    """The rectangle around a point that reaches so far across and down."""
    return Rect(x - across, y - down, x + across, y + down)


def union_of(rects: Iterable[Rect]) -> Rect:
    """The smallest rectangle that holds them all."""
    lefts, tops, rights, bottoms = zip(*rects, strict=True)
    return Rect(min(lefts), min(tops), max(rights), max(bottoms))


class Segment(NamedTuple):
    """A straight line between two points."""

    x1: float
    y1: float
    x2: float
    y2: float

    def crosses(self, rect: Rect) -> bool:
        """Whether it runs through a rectangle."""
        x1, y1, x2, y2 = self
        if max(x1, x2) <= rect.left or min(x1, x2) >= rect.right:
            return False
        if max(y1, y2) <= rect.top or min(y1, y2) >= rect.bottom:
            return False
        enter, leave = 0.0, 1.0
        for start, way, low, high in (
            (x1, x2 - x1, rect.left, rect.right),
            (y1, y2 - y1, rect.top, rect.bottom),
        ):
            if way:
                one, other = (low - start) / way, (high - start) / way
                enter, leave = max(enter, min(one, other)), min(leave, max(one, other))
        return enter < leave


class Space:
    """What is taken in a picture, and what is still free inside ``area``."""

    def __init__(self, area: Rect, rects: Iterable[Rect], segments: Iterable[Segment]) -> None:
        self.area = area
        self._rects = list(rects)
        self._segments = list(segments)

    def take(self, rects: Iterable[Rect]) -> None:
        """These are taken from now on."""
        self._rects += rects

    def near(self, rect: Rect) -> "Space":
        """The same for places inside a rectangle, looked up faster."""
        return Space(
            self.area,
            [each for each in self._rects if each.overlaps(rect)],
            [each for each in self._segments if each.crosses(rect)],
        )

    def is_free(self, rect: Rect, own: Sequence[Segment] = ()) -> bool:
        """Whether a rectangle covers nothing; ``own`` are edges that it may lie on."""
        return (
            self.area.holds(rect)
            and not any(rect.overlaps(each) for each in self._rects)
            and not any(each.crosses(rect) for each in self._segments if each not in own)
        )

    def are_free(self, rects: Iterable[Rect]) -> bool:
        """Whether all of them cover nothing."""
        return all(self.is_free(rect) for rect in rects)
