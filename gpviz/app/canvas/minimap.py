"""The minimap: the whole tree in a corner of the canvas while only a part of it is in view."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import shiboken6
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gpviz.app.canvas.camera import Bounds, Camera
from gpviz.app.canvas.free_space import FreeSpace, boxes_of
from gpviz.app.canvas.mutation_marks import Marks
from gpviz.app.canvas.node_shapes import NodeKind
from gpviz.app.canvas.tree_frame import EMPTY, Floats, Frame
from gpviz.app.theme import Theme, readable_on
from gpviz.app.widgets.themed import Themed
from gpviz.escaping import tooltip_text

_WIDTH: Final = 200.0
_HEIGHT: Final = 150.0
"""The room for a minimap in pixels, at the usual size of type."""
_LARGEST_SHARE: Final = 0.36
_SMALLEST_VIEW: Final = (380.0, 260.0)
"""A smaller view has no minimap, which would hide too much of it."""
_PADDING: Final = 7.0
_AWAY: Final = 8.0
_ON_A_MARK: Final = 1000.0
_CHANGE_COST: Final = 2.0
"""What covering the step costs, compared with covering a node, and what leaving the corner it is in does."""
_OUT_OF_VIEW: Final = 4.0
_SMALLEST_DOT: Final = 1.6
_LARGEST_DOT: Final = 4.5
_MARK: Final = 4.0


def minimap_box(
    around: FreeSpace, camera: Camera, theme: Theme, marked: Sequence[QRectF] = (), last: QRectF | None = None
) -> QRectF | None:
    """The corner of the view where a minimap hides least; None if the view is too small for one.

    ``last`` is where it was before, which it leaves only for a clearly better corner.
    """
    view, bounds = around.view, around.frame.bounds
    larger = theme.font_size / 10.0
    is_small = view.width() < _SMALLEST_VIEW[0] * larger or view.height() < _SMALLEST_VIEW[1] * larger
    if is_small:
        return None
    size = _size_of(bounds, camera, view, larger)
    room = view.adjusted(_AWAY, _AWAY + around.top_margin, -_AWAY, -_AWAY)
    right, bottom = room.right() - size.width(), room.bottom() - size.height()
    corners = ((right, bottom), (room.left(), bottom), (right, room.top()), (room.left(), room.top()))
    boxes = [QRectF(QPointF(*corner), size) for corner in corners]
    costs = around.cost_of(boxes_of(boxes))
    for number, box in enumerate(boxes):
        costs[number] += _ON_A_MARK * any(box.intersects(mark) for mark in marked)
        costs[number] += _CHANGE_COST * (last is not None and not box.intersects(last))
    return boxes[int(costs.argmin())]


def is_in_view(frame: Frame, camera: Camera, width: float, height: float) -> bool:
    """Whether all nodes are in a view of this size."""
    bounds, most = frame.bounds, _OUT_OF_VIEW
    left, top = camera.to_view(bounds.left, bounds.top, width, height)
    right, bottom = camera.to_view(bounds.right, bounds.bottom, width, height)
    is_inside = left >= -most and top >= -most and right <= width + most and bottom <= height + most
    return is_inside or not len(frame)


def _size_of(bounds: Bounds, camera: Camera, view: QRectF, larger: float) -> QSizeF:
    """As large as there is room for, in the proportions of the drawing."""
    width = min(_WIDTH * larger, _LARGEST_SHARE * view.width())
    height = min(_HEIGHT * larger, _LARGEST_SHARE * view.height())
    across = max(bounds.right - bounds.left, 1.0) * camera.stretch_x
    down = max(bounds.bottom - bounds.top, 1.0) * camera.stretch_y
    inner = min((width - 2 * _PADDING) / across, (height - 2 * _PADDING) / down)
    least = 0.4 * height
    return QSizeF(
        round(max(inner * across + 2 * _PADDING, least)), round(max(inner * down + 2 * _PADDING, least))
    )


class Minimap(Themed, QWidget):
    """All nodes as dots, what is in view as a rectangle, and the step as a large dot.

    A click or a drag moves the view. The keyboard moves it on the canvas, so this takes no focus.
    """

    place_chosen = Signal(float, float)
    """The point of the drawing that is to be in the middle of the view."""

    def __init__(self, canvas: QWidget) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._frame: Frame = EMPTY
        self._camera = Camera()
        self._marks: Marks | None = None
        self.setAccessibleName("Minimap")
        self.setAccessibleDescription("The whole tree is not in view.")
        self.setToolTip(
            tooltip_text(
                "The whole tree, and the part of it that is in view. Click or drag to move the view."
            )
        )
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.hide()

    def show_view(self, box: QRectF | None, frame: Frame, camera: Camera, marks: Marks | None) -> None:
        """Show at this place of the canvas these nodes, what this camera sees of them, and where the step is."""
        if box is None:
            self.hide()
            return
        self._frame, self._camera, self._marks = frame, camera, marks
        self.setGeometry(box.toRect())
        self.show()
        self.update()

    def _marked(self) -> list[int]:
        """The places in the frame of what the step is about."""
        about = () if self._marks is None else self._marks.about
        return [self._frame.index[uid] for uid in about if uid in self._frame.index]

    def describe(self) -> None:
        """Say how much is in view, for one who does not see it."""
        if self.isHidden() or not len(self._frame):
            return
        width, height = self._canvas.width(), self._canvas.height()
        x = (self._frame.x - self._camera.x) * self._camera.scale_x + width / 2
        y = (self._frame.y - self._camera.y) * self._camera.scale_y + height / 2
        is_seen = (x >= 0.0) & (x <= width) & (y >= 0.0) & (y <= height)
        numbers, step = self._marked(), ""
        if numbers:
            step = " The step is in view." if is_seen[numbers].any() else " The step is out of view."
        self.setAccessibleDescription(f"{int(is_seen.sum())} of {len(self._frame)} nodes are in view.{step}")

    def _view_rect(self) -> QRectF:
        """Where the part that is in view is drawn."""
        width, height = self._canvas.width(), self._canvas.height()
        left, top = self._camera.from_view(0.0, 0.0, width, height)
        right, bottom = self._camera.from_view(width, height, width, height)
        (x1, x2), (y1, y2) = self._to_map(np.array([left, right]), np.array([top, bottom]))
        inner = QRectF(self.rect()).adjusted(2.0, 2.0, -2.0, -2.0)
        return QRectF(QPointF(x1, y1), QPointF(x2, y2)).intersected(inner)

    def _scales(self) -> tuple[float, float]:
        """Pixels per unit of the drawing, which has the proportions that it has on the canvas."""
        bounds, camera = self._frame.bounds, self._camera
        across = max(bounds.right - bounds.left, 1.0) * camera.stretch_x
        down = max(bounds.bottom - bounds.top, 1.0) * camera.stretch_y
        scale = min((self.width() - 2 * _PADDING) / across, (self.height() - 2 * _PADDING) / down)
        return scale * camera.stretch_x, scale * camera.stretch_y

    def _to_map(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        bounds = self._frame.bounds
        across, down = self._scales()
        return (
            (x - (bounds.left + bounds.right) / 2) * across + self.width() / 2,
            (y - (bounds.top + bounds.bottom) / 2) * down + self.height() / 2,
        )

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = self.theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colours.muted), 1.2 * self.theme.line_scale))
        painter.setBrush(QColor(colours.window))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1.0, 1.0, -1.0, -1.0), 5.0, 5.0)
        if len(self._frame):
            x, y = self._to_map(self._frame.x, self._frame.y)
            self._paint_tree(painter, x, y)
            self._paint_view(painter)
            self._paint_marks(painter, x, y)
        painter.end()

    def _paint_tree(self, painter: QPainter, x: Floats, y: Floats) -> None:
        frame, colours = self._frame, self.theme.colours
        if len(frame.edge_a):
            a, b = frame.edge_a, frame.edge_b
            lines = np.ascontiguousarray(np.column_stack([x[a], y[a], x[b], y[b]]))
            painter.setPen(QPen(QColor(colours.edge), 0.6))
            # The array has the memory layout of so many lines, which spares making an object of each.
            first: Any = shiboken6.Shiboken.wrapInstance(lines.ctypes.data, QLineF)
            painter.drawLines(first, len(lines))
        dot = min(max(42.0 * self._scales()[0], _SMALLEST_DOT), _LARGEST_DOT)
        kinds = np.array([face.kind for face in frame.faces])[frame.face]
        inks = (
            (kinds == NodeKind.LEAF, colours.muted),
            ((kinds == NodeKind.AND) | (kinds == NodeKind.AND_STACK), colours.and_fill),
            ((kinds == NodeKind.OR) | (kinds == NodeKind.OR_STACK), colours.or_border),
        )
        for is_meant, ink in inks:
            points = np.ascontiguousarray(np.column_stack([x[is_meant], y[is_meant]]))
            if len(points):
                painter.setPen(QPen(QColor(ink), dot, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
                start: Any = shiboken6.Shiboken.wrapInstance(points.ctypes.data, QPointF)
                painter.drawPoints(start, len(points))

    def _paint_view(self, painter: QPainter) -> None:
        accent = QColor(self.theme.colours.accent)
        fill = QColor(accent)
        fill.setAlphaF(0.12)
        painter.setBrush(fill)
        painter.setPen(QPen(accent, 2.0 * self.theme.line_scale))
        painter.drawRect(self._view_rect())

    def _paint_marks(self, painter: QPainter, x: Floats, y: Floats) -> None:
        """One large dot in the middle of what the step is about."""
        numbers = self._marked()
        if self._marks is not None and numbers:
            colour = QColor(self._marks.colour(self.theme.colours))
            radius = _MARK * self.theme.line_scale
            painter.setBrush(colour)
            painter.setPen(QPen(readable_on(colour, self.theme, is_large=True), 1.4))
            painter.drawEllipse(QPointF(float(x[numbers].mean()), float(y[numbers].mean())), radius, radius)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._move_view(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._move_view(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def _move_view(self, place: QPointF) -> None:
        bounds = self._frame.bounds
        across, down = self._scales()
        x = (place.x() - self.width() / 2) / across + (bounds.left + bounds.right) / 2
        y = (place.y() - self.height() / 2) / down + (bounds.top + bounds.bottom) / 2
        self.place_chosen.emit(
            min(max(x, bounds.left), bounds.right),
            min(max(y, bounds.top), bounds.bottom),
        )
