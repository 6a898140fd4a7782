"""How the tree is seen: as it is, or one part of it from nearby."""

from typing import Final, NamedTuple

from gpviz.picture.items import Item, Shape
from gpviz.picture.space import Rect

SMALLEST: Final = 0.05
LARGEST: Final = 60.0
"""How far one can go away and come near."""
_MIDDLE: Final = 0.5
"""The share of the view, across and down, in which a place that is looked at from nearby has to be."""


class Zoom(NamedTuple):
    """How the tree is seen: its points are scaled, then moved."""

    scale: float = 1.0
    x: float = 0.0
    y: float = 0.0

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the picture is seen."""
        return x * self.scale + self.x, y * self.scale + self.y

    def point_at(self, x: float, y: float) -> tuple[float, float]:
        """The point of the picture that is seen here."""
        return (x - self.x) / self.scale, (y - self.y) / self.scale

    def of_item(self, item: Item) -> Item:
        """The item as it is seen."""
        if item.is_fixed or self == WHOLE:
            return item
        points, scale = item.points, self.scale
        if item.shape in (Shape.LINE, Shape.POLYGON):
            xs = [x * scale + self.x for x in points[::2]]
            ys = [y * scale + self.y for y in points[1::2]]
            seen = tuple(each for point in zip(xs, ys, strict=True) for each in point)
        else:
            seen = (*self.place(*points[:2]), *(size * scale for size in points[2:]))
        return item._replace(points=seen, width=item.width * scale)

    def zoomed(self, factor: float, x: float, y: float) -> "Zoom":
        """Nearer about a place of the view, which keeps showing the same point."""
        scale = min(max(self.scale * factor, SMALLEST), LARGEST)
        at_x, at_y = self.point_at(x, y)
        return Zoom(scale, x - at_x * scale, y - at_y * scale)

    def panned(self, dx: float, dy: float) -> "Zoom":
        """Moved so that the tree follows by so many pixels."""
        return self._replace(x=self.x + dx, y=self.y + dy)


def near_to(place: Rect, tree: Rect, view: Rect, scale: float, before: Zoom | None = None) -> Zoom:
    """What shows a place of the tree in the middle of a view, and beside the tree no more than it must.

    What is already in the middle part of the view, as seen ``before``, stays where it is.
    """
    found = []
    starts, ends = tree[:2], tree[2:]
    old = None if before is None or before.scale != scale else before.point_at(*view.middle)
    for axis, middle in enumerate(view.middle):
        half = (view[axis + 2] - view[axis]) / scale / 2
        if 2 * half >= ends[axis] - starts[axis]:
            wanted = (starts[axis] + ends[axis]) / 2
        else:
            wanted = (place[axis] + place[axis + 2]) / 2
            if old is not None:
                reach = max(_MIDDLE * half - (place[axis + 2] - place[axis]) / 2, 0.0)
                wanted = min(max(old[axis], wanted - reach), wanted + reach)
            wanted = min(max(wanted, starts[axis] + half), ends[axis] - half)
        found.append(middle - wanted * scale)
    return Zoom(scale, *found)


def mixed(before: Zoom, after: Zoom, share: float) -> Zoom:
    """On the way from one to the other; sizes change evenly to the eye."""
    if share >= 1.0 or before == after:
        return after
    scale = before.scale * (after.scale / before.scale) ** share
    # The point that stays in its place all the way, or else places change evenly.
    part = share if after.scale == before.scale else (scale - before.scale) / (after.scale - before.scale)
    return Zoom(scale, before.x + (after.x - before.x) * part, before.y + (after.y - before.y) * part)


WHOLE: Final = Zoom()
"""The picture as it is, in which the tree is as large as there is space for."""
