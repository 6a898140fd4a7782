"""Where a node is seen, and which node is at a place."""

from typing import Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize

from gpviz.app.canvas.camera import Camera
from gpviz.app.canvas.scene import Frame
from gpviz.app.canvas.shapes import extent_of

__all__ = ["node_at", "rect_of"]

_REACH: Final = 24.0
_SMALLEST_REACH: Final = 9.0
"""In pixels: how near the mouse has to come to a node that is drawn very small."""


def rect_of(frame: Frame, camera: Camera, size: QSize, uid: int) -> QRectF | None:
    """The rectangle of a node in a view of this size; None if it is not part of the frame."""
    number = frame.index.get(uid)
    if number is None:
        return None
    x, y = camera.to_view(float(frame.x[number]), float(frame.y[number]), size.width(), size.height())
    across, down = (part * camera.scale for part in extent_of(frame.face_at(number).kind))
    return QRectF(x - across, y - down, 2 * across, 2 * down)


def node_at(frame: Frame, camera: Camera, size: QSize, place: QPointF) -> int | None:
    """The node at this place of the view; one that is on its way out is none."""
    if not len(frame):
        return None
    x, y = camera.from_view(place.x(), place.y(), size.width(), size.height())
    distance = ((frame.x - x) * camera.scale_x) ** 2 + ((frame.y - y) * camera.scale_y) ** 2
    distance[frame.opacity < 0.5] = np.inf
    nearest = int(distance.argmin())
    reach = max(_REACH * camera.scale, _SMALLEST_REACH)
    return int(frame.uids[nearest]) if distance[nearest] <= reach * reach else None
