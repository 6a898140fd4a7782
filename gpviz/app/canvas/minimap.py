"""The minimap: the whole tree in a corner of the canvas while only a part of it is in view."""

from typing import Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from gpviz.app.canvas.camera import WHOLE, Zoom
from gpviz.app.widgets.themed import Themed
from gpviz.escaping import tooltip_text
from gpviz.picture.picture import Picture, PlacedNode
from gpviz.picture.space import Rect

_WIDTH: Final = 200.0
_HEIGHT: Final = 150.0
_LARGEST_SHARE: Final = 0.3
"""The space for a minimap in pixels at unit 1, and its part of the canvas at most."""
_SMALLEST_VIEW: Final = (380.0, 260.0)
"""A smaller canvas has no minimap, which would hide too much of it."""
_PADDING: Final = 7.0
_OUT_OF_VIEW: Final = 4.0
_SMALLEST_DOT: Final = 1.6
_LARGEST_DOT: Final = 4.5
_MARK: Final = 4.0


class Minimap(Themed, QWidget):
    """All nodes as dots, what is in view as a rectangle, and the step as a large dot.

    A click or a drag moves the view. The keyboard moves it on the canvas, so this takes no focus.
    """

    place_chosen = Signal(float, float)
    """The point of the picture that is to be in the middle of the view."""

    def __init__(self, canvas: QWidget) -> None:
        super().__init__(canvas)
        self._picture: Picture | None = None
        self._view = Rect(0.0, 0.0, 0.0, 0.0)
        """The part of the picture that is in view."""
        self.setAccessibleName("Minimap")
        self.setAccessibleDescription("The whole tree is not in view.")
        self.setToolTip(
            tooltip_text(
                "The whole tree, and the part of it that is in view. Click or drag to move the view."
            )
        )
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.hide()

    def show_view(self, picture: Picture | None, zoom: Zoom, view: Rect | None) -> None:
        """Show the tree of a picture, and what of it this zoom brings into a view; nothing if that is all."""
        if picture is None or view is None or zoom == WHOLE or not picture.nodes:
            self.hide()
            return
        seen = self._view = Rect(*zoom.point_at(*view[:2]), *zoom.point_at(*view[2:]))
        is_small = view.right - view.left < _SMALLEST_VIEW[0] or view.bottom - view.top < _SMALLEST_VIEW[1]
        if is_small or seen.grown(_OUT_OF_VIEW).holds(picture.tree_bounds):
            self.hide()
            return
        self._picture = picture
        anchors = {change.anchor for change in picture.changes}
        steps = [node for node in picture.nodes if node.uid in anchors]
        chosen = [node for node in picture.nodes if node.uid == picture.selected]
        box = self._box(picture, view)
        if any(box.contains(QPointF(*zoom.place(node.x, node.y))) for node in (*steps, *chosen)):
            box.moveRight(view.right)
        self.setGeometry(box.toRect())
        count = sum(_is_in(node, seen) for node in picture.nodes)
        is_step_seen = any(_is_in(node, seen) for node in steps)
        step = f" The step is {'in' if is_step_seen else 'out of'} view." if steps else ""
        self.setAccessibleDescription(f"{count} of {len(picture.nodes)} nodes are in view.{step}")
        self.show()
        self.update()

    def _box(self, picture: Picture, view: Rect) -> QRectF:
        """The lower left corner of the view, in the proportions of the tree."""
        tree = picture.tree_bounds
        across, down = tree.right - tree.left, tree.bottom - tree.top
        most = min(_WIDTH * picture.unit, _LARGEST_SHARE * (view.right - view.left))
        highest = min(_HEIGHT * picture.unit, _LARGEST_SHARE * (view.bottom - view.top))
        scale = min(most / max(across, 1.0), highest / max(down, 1.0))
        width = max(across * scale, 0.4 * highest) + 2 * _PADDING
        height = max(down * scale, 0.4 * highest) + 2 * _PADDING
        return QRectF(view.left, view.bottom - height, width, height)

    def _scale(self, tree: Rect) -> float:
        across = (self.width() - 2 * _PADDING) / max(tree.right - tree.left, 1.0)
        return min(across, (self.height() - 2 * _PADDING) / max(tree.bottom - tree.top, 1.0))

    def _to_map(self, x: float, y: float) -> QPointF:
        assert self._picture is not None
        tree = self._picture.tree_bounds
        scale, (middle_x, middle_y) = self._scale(tree), tree.middle
        return QPointF((x - middle_x) * scale + self.width() / 2, (y - middle_y) * scale + self.height() / 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        picture, colours = self._picture, self.theme.colours
        if picture is None:
            return
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(colours.muted), 1.2 * self.theme.line_scale))
            painter.setBrush(QColor(colours.window))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1.0, 1.0, -1.0, -1.0), 5.0, 5.0)
            places = {node.uid: self._to_map(node.x, node.y) for node in picture.nodes}
            painter.setPen(QPen(QColor(colours.edge), 0.6))
            painter.drawLines([QLineF(places[edge.parent], places[edge.child]) for edge in picture.edges])
            dot = 42.0 * picture.scale * self._scale(picture.tree_bounds)
            width = min(max(dot, _SMALLEST_DOT), _LARGEST_DOT)
            painter.setPen(QPen(QColor(colours.edge), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawPoints(QPolygonF(list(places.values())))
            self._paint_view(painter)
            for change in picture.changes:
                if change.anchor in places:
                    painter.setPen(Qt.PenStyle.NoPen)
                    painter.setBrush(QColor(getattr(colours, change.colour)))
                    painter.drawEllipse(places[change.anchor], _MARK, _MARK)

    def _paint_view(self, painter: QPainter) -> None:
        view, ink = self._view, QColor(self.theme.colours.text)
        inner = QRectF(self.rect()).adjusted(2.0, 2.0, -2.0, -2.0)
        seen = QRectF(self._to_map(view.left, view.top), self._to_map(view.right, view.bottom))
        painter.setPen(QPen(ink, 1.6 * self.theme.line_scale))
        ink.setAlphaF(0.08)
        painter.setBrush(ink)
        painter.drawRect(seen.intersected(inner))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._move_view(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._move_view(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def _move_view(self, place: QPointF) -> None:
        if self._picture is not None:
            tree = self._picture.tree_bounds
            scale, (middle_x, middle_y) = self._scale(tree), tree.middle
            x = (place.x() - self.width() / 2) / scale + middle_x
            y = (place.y() - self.height() / 2) / scale + middle_y
            x, y = min(max(x, tree.left), tree.right), min(max(y, tree.top), tree.bottom)
            self.place_chosen.emit(x, y)


def _is_in(node: PlacedNode, view: Rect) -> bool:
    return view.left < node.x < view.right and view.top < node.y < view.bottom
