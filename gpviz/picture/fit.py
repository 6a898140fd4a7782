"""How large a tree is drawn and where: as large as the picture allows, with its root always at the top.

The root is the anchor: it stays in the middle while the tree has space on both sides of it, whatever the step.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import floor, log2
from typing import Final

from gpviz.engine import Node
from gpviz.picture.layout import Positions, place
from gpviz.picture.space import Rect, Segment, around

_EDGE: Final = 36.0
"""What the outermost nodes need around their centres, with a ring, at scale 1."""
_CLOSEST: Final = (67.0, 66.0)
_CLOSEST_ANYWHERE: Final = (77.0, 77.0)
_WIDEST: Final = (118.0, 94.0)
"""How far neighbours and levels are apart, in pixels at scale 1; neighbours in any direction need more."""
_WIDEST_FOR_NOTES: Final = (130.0, 112.0)
_LARGEST: Final = 1.3
_SMALLEST: Final = 0.02
_STEPS_PER_DOUBLING: Final = 16
"""A scale is one of these steps, so that a small change of the tree seldom changes the size of every node."""
_STRETCH_STEP: Final = 4.0
_LEAST_WHOLE: Final = 0.3
"""From this scale on nodes stand at whole pixels: a shift of half a pixel is not seen."""
_SLACK_ABOVE: Final = 0.3
_MOST_ABOVE: Final = 0.13
"""The part of the free height that is left above a small tree, and of the whole height at most."""
_LEAST_BETWEEN: Final = 0.3
"""The share of the width that has to be free between the corners, so that a tree may stand there."""

_NATURAL_UNIT: Final = 84.0
"""How far neighbours and levels are apart where there is enough space, in pixels at scale 1."""
_NATURAL_EDGES: Final = 90.0


@dataclass(frozen=True, slots=True)
class Fit:
    """Where the unit positions of a layout are in the picture, and how large nodes are."""

    scale: float
    x: float
    y: float
    unit_x: float
    unit_y: float

    def place(self, position: tuple[float, float]) -> tuple[float, float]:
        """The pixels of a position; whole ones, so that equal nodes look equal, unless nodes are tiny."""
        x, y = self.x + position[0] * self.unit_x, self.y + position[1] * self.unit_y
        return (x, y) if self.scale < _LEAST_WHOLE else (float(round(x)), float(round(y)))


def fitted(
    positions: Positions,
    edges: Sequence[tuple[int, int]],
    area: Rect,
    corners: Sequence[Rect],
    unit: float,
    *,
    is_layered: bool,
    below: float,
    has_notes: bool,
) -> Fit:
    """The largest drawing in an area of which the ``corners`` are taken; ``below`` stays free under the leaves.

    It depends on nothing but these, so the same tree always stands in the same place.
    """
    shape = _Shape(positions, unit, is_layered=is_layered, below=below, has_notes=has_notes)
    whole = shape.fit_in(area)
    if not _hits(positions, edges, whole, corners):
        return whole
    return max((shape.fit_in(each) for each in _free_areas(area, corners)), key=lambda fit: fit.scale)


def natural_size(tree: Node | None, scale: float, folded: Collection[int] = ()) -> tuple[float, float]:
    """How large a picture has to be so that a tree with nodes of this scale looks neither lost nor squeezed."""
    if tree is None:
        return _NATURAL_EDGES * scale, 2 * _NATURAL_EDGES * scale
    left, top, right, bottom = _span_of(place(tree, folded=frozenset(folded)))
    across, down = right - left, bottom - top
    return (across * _NATURAL_UNIT + _NATURAL_EDGES) * scale, (down * _NATURAL_UNIT + _NATURAL_EDGES) * scale


def _span_of(positions: Positions) -> Rect:
    xs, ys = [x for x, _ in positions.values()], [y for _, y in positions.values()]
    return Rect(min(xs), min(ys), max(xs), max(ys))


def _free_areas(area: Rect, corners: Sequence[Rect]) -> Iterator[Rect]:
    """What is below the corners of an area, and what is between them."""
    yield area._replace(top=max(corner.bottom for corner in corners))
    middle = area.middle[0]
    left = max((corner.right for corner in corners if corner.left < middle), default=area.left)
    right = min((corner.left for corner in corners if corner.left >= middle), default=area.right)
    if right - left > _LEAST_BETWEEN * (area.right - area.left):
        yield Rect(left, area.top, right, area.bottom)


def _hits(positions: Positions, edges: Sequence[tuple[int, int]], fit: Fit, corners: Sequence[Rect]) -> bool:
    """Whether a node or an edge lies on one of the corners."""
    lowest = max((corner.bottom for corner in corners), default=0.0)
    reach = _EDGE * fit.scale
    places = {uid: fit.place(position) for uid, position in positions.items()}
    high = {uid for uid, (_, y) in places.items() if y - reach < lowest}  # nothing else can lie on a corner
    rects = [around(*places[uid], reach, reach) for uid in high]
    segments = [
        Segment(*places[above], *places[below]) for above, below in edges if above in high or below in high
    ]
    return any(
        any(rect.overlaps(corner) for rect in rects) or any(segment.crosses(corner) for segment in segments)
        for corner in corners
    )


class _Shape:
    """What a tree needs, whatever the area: its positions, and how close and how far apart they may be."""

    def __init__(
        self, positions: Positions, unit: float, *, is_layered: bool, below: float, has_notes: bool
    ) -> None:
        self._left, self._top, self._right, self._bottom = _span_of(positions)
        self._across, self._down = self._right - self._left, self._bottom - self._top
        self._largest = _LARGEST * unit
        self._below = below
        self._is_layered = is_layered
        self._closest = _CLOSEST if is_layered else _CLOSEST_ANYWHERE
        self._widest = _WIDEST_FOR_NOTES if has_notes else _WIDEST

    def fit_in(self, area: Rect) -> Fit:
        """As large as an area allows."""
        scale = self._scale_in(area)
        edge = _EDGE * scale
        width, height = area.right - area.left - 2 * edge, area.bottom - area.top - self._below - 2 * edge
        unit_x = _stretched(width, self._across, self._closest[0], self._widest[0], scale)
        unit_y = _stretched(height, self._down, self._closest[1], self._widest[1], scale)
        x = area.middle[0]
        if not self._is_layered:
            unit_x = unit_y = min(unit_x, unit_y)
            x -= (self._left + self._right) / 2 * unit_x
        x = min(max(x, area.left + edge - self._left * unit_x), area.right - edge - self._right * unit_x)
        slack = max(height - self._down * unit_y, 0.0)
        above = min(_SLACK_ABOVE * slack, _MOST_ABOVE * (area.bottom - area.top))
        return Fit(scale, x, area.top + edge + above - self._top * unit_y, unit_x, unit_y)

    def _scale_in(self, area: Rect) -> float:
        across = (area.right - area.left) / (self._across * self._closest[0] + 2 * _EDGE)
        down = (area.bottom - area.top - self._below) / (self._down * self._closest[1] + 2 * _EDGE)
        wanted = max(min(across, down, self._largest), _SMALLEST)
        return float(2.0 ** (floor(log2(wanted) * _STEPS_PER_DOUBLING + 1e-9) / _STEPS_PER_DOUBLING))


def _stretched(space: float, length: float, closest: float, widest: float, scale: float) -> float:
    """How long a unit is that fills a space, in steps for the same reason as the scale."""
    if length <= 0:
        return widest * scale
    wanted = floor(space / length / scale / _STRETCH_STEP + 1e-9) * _STRETCH_STEP
    return min(max(wanted, closest), widest) * scale
