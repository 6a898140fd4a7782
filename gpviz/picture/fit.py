"""How large a tree is drawn and where: as large as the picture allows, with its root always at the top.

The root is the anchor: it stays in the middle while the tree has space on both sides of it, whatever the step.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import floor, log2
from typing import Final

from gpviz.picture.layout import Positions
from gpviz.picture.space import Rect, Segment, around

HALF_DISC: Final = 26.0
HALF_BOX: Final = (26.0, 24.0)
HALF_DIAMOND: Final = 32.0
"""How far nodes reach from their centres, at scale 1."""
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
_SLACK_ABOVE: Final = 0.3
_MOST_ABOVE: Final = 0.13
"""The part of the free height that is left above a small tree, and of the whole height at most."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Where the unit positions of a layout are in the picture, and how large nodes are."""

    scale: float
    x: float
    y: float
    unit_x: float
    unit_y: float

    def place(self, position: tuple[float, float]) -> tuple[float, float]:
        """The pixels of a position."""
        return self.x + position[0] * self.unit_x, self.y + position[1] * self.unit_y


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
    xs, ys = [x for x, _ in positions.values()], [y for _, y in positions.values()]
    span = min(xs), min(ys), max(xs), max(ys)
    widest = _WIDEST_FOR_NOTES if has_notes else _WIDEST
    best: Fit | None = None
    for number, candidate in enumerate(_areas(area, corners)):
        scale = _largest(span, candidate, below, unit, is_layered=is_layered)
        if best is not None and scale <= best.scale:
            continue
        fit = _in_area(span, candidate, scale, below, widest, is_layered=is_layered)
        if number == 0:  # nothing keeps it out of the corners but its own shape
            least = max(
                _largest(span, each, below, unit, is_layered=is_layered) for each in _areas(area, corners)
            )
            while fit.scale > least and _hits(positions, edges, fit, corners):
                scale *= 2 ** (-1 / _STEPS_PER_DOUBLING)
                fit = _in_area(span, candidate, scale, below, widest, is_layered=is_layered)
            if _hits(positions, edges, fit, corners):
                continue
        best = fit
    assert best is not None
    return best


def _areas(area: Rect, corners: Sequence[Rect]) -> Iterator[Rect]:
    """The whole area, what is below its corners, and what is between them."""
    yield area
    if corners:
        yield area._replace(top=max(corner.bottom for corner in corners))
        left = max((corner.right for corner in corners if corner.left < area.middle[0]), default=area.left)
        right = min((corner.left for corner in corners if corner.left >= area.middle[0]), default=area.right)
        if right - left > 0.3 * (area.right - area.left):
            yield Rect(left, area.top, right, area.bottom)


def _largest(
    span: tuple[float, float, float, float], area: Rect, below: float, unit: float, *, is_layered: bool
) -> float:
    """The largest scale, a step of the scale of sizes, at which a tree fits an area."""
    left, top, right, bottom = span
    closest = _CLOSEST if is_layered else _CLOSEST_ANYWHERE
    across = (area.right - area.left) / ((right - left) * closest[0] + 2 * _EDGE)
    down = (area.bottom - area.top - below) / ((bottom - top) * closest[1] + 2 * _EDGE)
    wanted = max(min(across, down, _LARGEST * unit), _SMALLEST)
    return float(2.0 ** (floor(log2(wanted) * _STEPS_PER_DOUBLING + 1e-9) / _STEPS_PER_DOUBLING))


def _in_area(
    span: tuple[float, float, float, float],
    area: Rect,
    scale: float,
    below: float,
    widest: tuple[float, float],
    *,
    is_layered: bool,
) -> Fit:
    left, top, right, bottom = span
    edge = _EDGE * scale
    width, height = area.right - area.left - 2 * edge, area.bottom - area.top - below - 2 * edge
    closest = _CLOSEST if is_layered else _CLOSEST_ANYWHERE
    unit_x = _stretched(width, right - left, closest[0], widest[0], scale)
    unit_y = _stretched(height, bottom - top, closest[1], widest[1], scale)
    if not is_layered:
        unit_x = unit_y = min(unit_x, unit_y)
    middle = area.middle[0]
    if not is_layered:
        middle -= (left + right) / 2 * unit_x
    x = min(max(middle, area.left + edge - left * unit_x), area.right - edge - right * unit_x)
    slack = max(height - (bottom - top) * unit_y, 0.0)
    above = min(_SLACK_ABOVE * slack, _MOST_ABOVE * (area.bottom - area.top))
    return Fit(scale, x, area.top + edge + above - top * unit_y, unit_x, unit_y)


def _stretched(space: float, length: float, closest: float, widest: float, scale: float) -> float:
    """How long a unit is that fills a space, in steps for the same reason as the scale."""
    if length <= 0:
        return widest * scale
    wanted = floor(space / length / scale / _STRETCH_STEP + 1e-9) * _STRETCH_STEP
    return min(max(wanted, closest), widest) * scale


def _hits(positions: Positions, edges: Sequence[tuple[int, int]], fit: Fit, corners: Sequence[Rect]) -> bool:
    """Whether a node or an edge lies on one of the corners."""
    if not corners:
        return False
    reach = _EDGE * fit.scale
    places: Mapping[int, tuple[float, float]] = {
        uid: fit.place(position) for uid, position in positions.items()
    }
    if any(around(x, y, reach, reach).overlaps(corner) for x, y in places.values() for corner in corners):
        return True
    return any(
        Segment(*places[above], *places[below]).crosses(corner)
        for above, below in edges
        for corner in corners
    )
