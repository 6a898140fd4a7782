"""Which part of the drawing is seen: a scale and a centre, and the ones that show the whole of it."""

from dataclasses import dataclass, replace
from math import floor, log2
from typing import Final, NamedTuple

__all__ = ["LARGEST_SCALE", "SMALLEST_SCALE", "Bounds", "Camera", "Margins", "fitted", "mixed"]

SMALLEST_SCALE: Final = 1e-4
LARGEST_SCALE: Final = 8.0
_STEPS_PER_DOUBLING: Final = 8
"""A fitted scale is one of these steps, so that a small change of the tree seldom changes every size."""


class Bounds(NamedTuple):
    """A rectangle in the drawing's units."""

    left: float
    top: float
    right: float
    bottom: float


class Margins(NamedTuple):
    """What stays free around the drawing, in pixels."""

    left: float = 24.0
    top: float = 10.0
    right: float = 24.0
    bottom: float = 10.0


@dataclass(frozen=True, slots=True)
class Camera:
    """Pixels per unit of the drawing, and the drawing's point in the middle of the view."""

    scale: float = 1.0
    x: float = 0.0
    y: float = 0.0

    def to_view(self, x: float, y: float, width: float, height: float) -> tuple[float, float]:
        """Where a point of the drawing is seen."""
        return (x - self.x) * self.scale + width / 2, (y - self.y) * self.scale + height / 2

    def from_view(self, x: float, y: float, width: float, height: float) -> tuple[float, float]:
        """The drawing's point at this place of the view."""
        return (x - width / 2) / self.scale + self.x, (y - height / 2) / self.scale + self.y

    def panned(self, dx: float, dy: float) -> "Camera":
        """Moved so that the drawing follows by this many pixels."""
        return replace(self, x=self.x - dx / self.scale, y=self.y - dy / self.scale)

    def zoomed(self, factor: float, x: float, y: float, width: float, height: float) -> "Camera":
        """Enlarged about a place of the view, which keeps showing the same point."""
        scale = min(max(self.scale * factor, SMALLEST_SCALE), LARGEST_SCALE)
        at_x, at_y = self.from_view(x, y, width, height)
        return Camera(scale, at_x - (x - width / 2) / scale, at_y - (y - height / 2) / scale)


def fitted(bounds: Bounds, width: float, height: float, margins: Margins, most: float) -> Camera:
    """The camera that shows all of ``bounds`` inside the margins, no larger than the scale ``most``."""
    free_width = max(width - margins.left - margins.right, 16.0)
    free_height = max(height - margins.top - margins.bottom, 16.0)
    wanted = min(
        free_width / max(bounds.right - bounds.left, 1.0), free_height / max(bounds.bottom - bounds.top, 1.0)
    )
    step = floor(log2(wanted) * _STEPS_PER_DOUBLING + 1e-9)
    scale = max(min(2.0 ** (step / _STEPS_PER_DOUBLING), most), SMALLEST_SCALE)
    middle_x = (margins.left + width - margins.right) / 2 - width / 2
    middle_y = (margins.top + height - margins.bottom) / 2 - height / 2
    return Camera(
        scale,
        (bounds.left + bounds.right) / 2 - middle_x / scale,
        (bounds.top + bounds.bottom) / 2 - middle_y / scale,
    )


def mixed(before: Camera, after: Camera, progress: float) -> Camera:
    """The camera on its way; sizes change evenly to the eye."""
    if progress >= 1.0:
        return after
    scale = before.scale * (after.scale / before.scale) ** progress
    return Camera(
        scale,
        before.x + (after.x - before.x) * progress,
        before.y + (after.y - before.y) * progress,
    )
