"""Nothing but a tree, for a page that says the rest: as large as it may be, cropped to its own proportions."""

from typing import Final

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QWidget

from gpviz.app.canvas.camera import Camera
from gpviz.app.canvas.node_shapes import extent_of
from gpviz.app.canvas.sprite_atlas import AtlasCache
from gpviz.app.canvas.tree_frame import Frame
from gpviz.app.canvas.tree_painter import Drawing, paint_drawing
from gpviz.app.theme import Theme

__all__ = ["BareTree"]

_BORDER: Final = 3.0
"""What the lines of the outermost nodes need, in the drawing's units."""
_EMPTY: Final = (24.0, 14.0)
"""The room of the empty tree, which is a circle with a sentence, for each point of the size of type."""
_LARGEST_COMPOSED: Final = 1.0
"""A larger tree is enlarged as a whole, with its lines, and a smaller one keeps lines that can be seen."""
_LEAST_SIDE: Final = 8


class BareTree(QWidget):
    """A frame of the canvas without anything around it, at most this large."""

    def __init__(self, frame: Frame, theme: Theme, width: int, height: int) -> None:
        super().__init__()
        self._frame = frame
        self._theme = theme
        self._atlases = AtlasCache(theme)
        self._box = _box_of(frame, theme)
        self._scale = min(width / self._box.width(), height / self._box.height())
        self.resize(
            max(min(round(self._scale * self._box.width()), width), _LEAST_SIDE),
            max(min(round(self._scale * self._box.height()), height), _LEAST_SIDE),
        )

    def take_background(self) -> None:
        """Have the background of the tree everywhere, also where a page is a little larger than the picture."""
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, QColor(self._theme.colours.panel))
        self.setPalette(palette)

    def paintEvent(self, _event: QPaintEvent) -> None:
        composed = min(self._scale, _LARGEST_COMPOSED)
        enlarged = self._scale / composed
        centre = self._box.center()
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self._theme.colours.panel))
            painter.scale(enlarged, enlarged)
            paint_drawing(
                painter,
                Drawing(
                    camera=Camera(composed, centre.x(), centre.y()),
                    frame=self._frame,
                    placeholder=("The tree is empty", ""),
                ),
                self.width() / enlarged,
                self.height() / enlarged,
                self._theme,
                self._atlases,
                painter.deviceTransform().m11(),
            )


def _box_of(frame: Frame, theme: Theme) -> QRectF:
    """Everything that is painted of a tree, in the drawing's units."""
    if not len(frame):
        width, height = (theme.font_size * side for side in _EMPTY)
        return QRectF(-width / 2, -height / 2, width, height)
    across, down = np.array([extent_of(face.kind) for face in frame.faces])[frame.face].T + _BORDER
    left, top = float((frame.x - across).min()), float((frame.y - down).min())
    right, bottom = float((frame.x + across).max()), float((frame.y + down).max())
    return QRectF(left, top, right - left, bottom - top)
