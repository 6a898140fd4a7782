"""The camera: which part of the drawing is seen, and the view that shows the whole of it."""

from dataclasses import dataclass, replace
from math import floor, log2
from typing import Final, NamedTuple

SMALLEST_SCALE: Final = 1e-4
LARGEST_SCALE: Final = 8.0
_STEPS_PER_DOUBLING: Final = 16
"""A fitted scale is one of these steps, so that a small change of the tree seldom changes every size."""
_STRETCH_STEPS: Final = 16
_ROOM: Final = 27.0
"""What the outermost nodes need around their centres, in the drawing's units."""
_CLOSEST: Final = (0.86, 0.83)
_WIDEST: Final = (1.6, 1.3)
"""How much closer together, and how much further apart, nodes may be across and down to use the room there is."""
_MIDDLE: Final = 0.5
"""The share of the view, across and down, in which a place that is looked at from nearby has to be."""
_WIDEST_FULL_SIZE: Final = (1.3, 1.2)
"""Nodes that are as large as they may be stay closer together, or the tree would fall apart."""
_WIDEST_FOR_NOTES: Final = (2.4, 1.7)
"""Unless there are words between them."""


class Bounds(NamedTuple):
    """The rectangle of the centres of the nodes, in the drawing's units."""

    left: float
    top: float
    right: float
    bottom: float


class Margins(NamedTuple):
    """What stays free around the drawing, in pixels."""

    left: float = 8.0
    top: float = 6.0
    right: float = 8.0
    bottom: float = 6.0


@dataclass(frozen=True, slots=True)
class Camera:
    """The drawing's point in the middle of the view, and pixels per unit.

    Nodes have the size ``scale``; the distances between them are stretched besides, across and down.
    """

    scale: float = 1.0
    x: float = 0.0
    y: float = 0.0
    stretch_x: float = 1.0
    stretch_y: float = 1.0

    @property
    def scale_x(self) -> float:
        """Pixels per unit of distance, across."""
        return self.scale * self.stretch_x

    @property
    def scale_y(self) -> float:
        """Pixels per unit of distance, down."""
        return self.scale * self.stretch_y

    def to_view(self, x: float, y: float, width: float, height: float) -> tuple[float, float]:
        """Where a point of the drawing is seen."""
        return (x - self.x) * self.scale_x + width / 2, (y - self.y) * self.scale_y + height / 2

    def from_view(self, x: float, y: float, width: float, height: float) -> tuple[float, float]:
        """The drawing's point at this place of the view."""
        return (x - width / 2) / self.scale_x + self.x, (y - height / 2) / self.scale_y + self.y

    def panned(self, dx: float, dy: float) -> "Camera":
        """Moved so that the drawing follows by this many pixels."""
        return replace(self, x=self.x - dx / self.scale_x, y=self.y - dy / self.scale_y)

    def zoomed(self, factor: float, x: float, y: float, width: float, height: float) -> "Camera":
        """Enlarged about a place of the view, which keeps showing the same point."""
        scale = min(max(self.scale * factor, SMALLEST_SCALE), LARGEST_SCALE)
        at_x, at_y = self.from_view(x, y, width, height)
        larger = replace(self, scale=scale)
        across, down = (x - width / 2) / larger.scale_x, (y - height / 2) / larger.scale_y
        return replace(larger, x=at_x - across, y=at_y - down)


def fitted(
    bounds: Bounds, width: float, height: float, margins: Margins, most: float, *, levels: float = 0.0
) -> Camera:
    """The camera that shows all nodes inside the margins, no larger than the scale ``most``.

    Nodes become as large as they can with the least distance between them. Where that leaves room on one side,
    they spread. Levels with words between them, and only those, have a least distance ``levels``.
    """
    closest = (_CLOSEST[0], levels or _CLOSEST[1])
    free_width = max(width - margins.left - margins.right, 16.0)
    free_height = max(height - margins.top - margins.bottom, 16.0)
    across, down = bounds.right - bounds.left, bounds.bottom - bounds.top
    wanted = min(
        free_width / (across * closest[0] + 2 * _ROOM), free_height / (down * closest[1] + 2 * _ROOM)
    )
    step = floor(log2(wanted) * _STEPS_PER_DOUBLING + 1e-9)
    stepped = 2.0 ** (step / _STEPS_PER_DOUBLING)
    scale = max(min(stepped, most), SMALLEST_SCALE)
    widest = _WIDEST_FULL_SIZE if stepped > most else _WIDEST
    widest = _WIDEST_FOR_NOTES if levels else widest
    stretch_x = _stretch(free_width / scale - 2 * _ROOM, across, closest[0], widest[0])
    stretch_y = _stretch(free_height / scale - 2 * _ROOM, down, closest[1], widest[1])
    middle_x = (margins.left + width - margins.right) / 2 - width / 2
    middle_y = (margins.top + height - margins.bottom) / 2 - height / 2
    return Camera(
        scale,
        (bounds.left + bounds.right) / 2 - middle_x / (scale * stretch_x),
        (bounds.top + bounds.bottom) / 2 - middle_y / (scale * stretch_y),
        stretch_x,
        stretch_y,
    )


def near_to(
    place: Bounds,
    bounds: Bounds,
    scale: float,
    width: float,
    height: float,
    margins: Margins,
    before: Camera | None = None,
) -> Camera:
    """The camera of this scale that shows a place in its middle, and beside the drawing no more than it must.

    If the place is already in the middle part of the view of the camera ``before``, it stays there.
    """
    free = width - margins.left - margins.right, height - margins.top - margins.bottom
    aside = (margins.left - margins.right) / 2, (margins.top - margins.bottom) / 2
    starts, ends = (bounds.left, bounds.top), (bounds.right, bounds.bottom)
    stretches, middles = [], []
    for axis in (0, 1):
        length = ends[axis] - starts[axis]
        room = max(free[axis], 16.0) / scale - 2 * _ROOM
        is_whole = room >= length * _CLOSEST[axis]
        stretch = _stretch(room, length, _CLOSEST[axis], _WIDEST[axis]) if is_whole else 1.0
        offset = aside[axis] / (scale * stretch)
        half = max(room / stretch / 2, 1.0)
        if is_whole:
            middle = (starts[axis] + ends[axis]) / 2
        else:
            first, last = place[axis], place[axis + 2]
            wanted = (first + last) / 2
            if before is not None and before.scale == scale:
                reach = max(_MIDDLE * half - (last - first) / 2, 0.0)
                old = (before.x, before.y)[axis] + offset
                wanted = min(max(old, wanted - reach), wanted + reach)
            middle = min(max(wanted, starts[axis] + half), ends[axis] - half)
        stretches.append(stretch)
        middles.append(middle - offset)
    return Camera(scale, *middles, *stretches)


def _stretch(room: float, length: float, least: float, most: float) -> float:
    """How far a length is stretched to fill a room, in steps for the same reason as the scale."""
    if length <= 0.0:
        return 1.0
    stepped = floor((room / length - least) * _STRETCH_STEPS + 1e-9) / _STRETCH_STEPS + least
    return min(max(stepped, least), most)


def mixed(before: Camera, after: Camera, progress: float) -> Camera:
    """The camera on its way; sizes change evenly to the eye."""
    if progress >= 1.0:
        return after

    def between(start: float, end: float) -> float:
        return start + (end - start) * progress

    return Camera(
        before.scale * (after.scale / before.scale) ** progress,
        between(before.x, after.x),
        between(before.y, after.y),
        between(before.stretch_x, after.stretch_x),
        between(before.stretch_y, after.stretch_y),
    )
