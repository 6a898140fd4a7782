"""The tree canvas: a tree on show that is zoomed, panned, folded and asked, by mouse and keyboard."""

from collections.abc import Mapping
from typing import Any, Final

from PySide6.QtCore import QEvent, QPointF, QRect, Qt, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from gpviz.app.canvas.camera import Camera
from gpviz.app.canvas.faces import face_of
from gpviz.app.canvas.folding import inner_at_depth, inner_uids, neighbour_of
from gpviz.app.canvas.framing import FIT_MS
from gpviz.app.canvas.pointing import node_at
from gpviz.app.canvas.showing import TreeView
from gpviz.app.canvas.viewstate import checked_view_state
from gpviz.app.theme import Theme
from gpviz.engine.tree import nodes_of

__all__ = ["TreeCanvas"]

_ZOOM_STEP: Final = 1.25
_ZOOM_PER_DEGREE: Final = 1.0015
_DRAG_DISTANCE: Final = 5

_DIRECTIONS: Final = {
    int(Qt.Key.Key_Up): "parent",
    int(Qt.Key.Key_Down): "child",
    int(Qt.Key.Key_Left): "left",
    int(Qt.Key.Key_Right): "right",
}


class TreeCanvas(TreeView):
    """One tree with its marks. Uids name nodes; ``None`` is no node."""

    def __init__(self, parent: QWidget | None = None, *, theme: Theme | None = None) -> None:
        super().__init__(parent, theme=theme)
        self._pressed: QPointF | None = None
        self._dragged: QPointF | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    # Camera

    @Slot()
    def fit(self) -> None:
        """Show the whole tree, and keep it in view from now on."""
        self._framing.set_fitted(True)
        self._framing.go_to(self._mover.target, FIT_MS)

    @Slot()
    def zoom_in(self) -> None:
        self._zoom(_ZOOM_STEP, QPointF(self.rect().center()))

    @Slot()
    def zoom_out(self) -> None:
        self._zoom(1.0 / _ZOOM_STEP, QPointF(self.rect().center()))

    def _zoom(self, factor: float, about: QPointF) -> None:
        self._framing.take(
            self._mover.camera.zoomed(factor, about.x(), about.y(), self.width(), self.height())
        )

    # Folding

    @property
    def collapsed(self) -> frozenset[int]:
        """The nodes whose subtrees are hidden."""
        return self._collapsed

    def set_collapsed(self, uids: frozenset[int]) -> None:
        """Hide the subtrees of these nodes and no others."""
        if uids != self._collapsed:
            self._collapsed = uids
            self._rearrange()
            self.collapsed_changed.emit()

    def toggle_collapsed(self, uid: int) -> None:
        """Hide or show the subtree of an inner node."""
        if uid in inner_uids(self._tree):
            self.set_collapsed(self._collapsed ^ {uid})

    @Slot()
    def toggle_collapsed_selected(self) -> None:
        if self._inquiry.selected is not None:
            self.toggle_collapsed(self._inquiry.selected)

    @Slot()
    def expand_all(self) -> None:
        self.set_collapsed(frozenset())

    @Slot(int)
    def collapse_at_depth(self, depth: int) -> None:
        """Hide everything deeper than this; the root has depth 0."""
        self.set_collapsed(inner_at_depth(self._tree, depth))

    # Hovering and selecting

    @property
    def selected_uid(self) -> int | None:
        return self._inquiry.selected

    @property
    def hovered_uid(self) -> int | None:
        return self._inquiry.hovered

    @property
    def card_text(self) -> str:
        """What the card says, empty when there is none."""
        return self._inquiry.text

    def card_geometry(self) -> QRect:
        return self._inquiry.geometry()

    def set_hover_text(self, uid: int, text: str) -> None:
        """Say more about a node, if the card is still about it."""
        self._inquiry.tell(uid, text)

    def set_hover_extra(self, uid: int, text: str) -> None:
        """One more line about a node, if the card is still about it; empty takes it away."""
        self._inquiry.add(uid, text)

    def node_index_of(self, uid: int) -> int | None:
        """The number of a node of the tree on show, in preorder from 0, as a mutation names it."""
        return next((number for number, node in enumerate(nodes_of(self._tree)) if node.uid == uid), None)

    def label_of(self, uid: int) -> str:
        """What stands on a node of the tree on show, empty if there is no such node."""
        return next((face_of(node).label for node in nodes_of(self._tree) if node.uid == uid), "")

    def select(self, uid: int | None) -> None:
        """Select a node of the tree."""
        if uid is None or uid in self._mover.target.index:
            self._inquiry.select(uid)

    @Slot()
    def select_parent(self) -> None:
        self._select_neighbour("parent")

    @Slot()
    def select_child(self) -> None:
        self._select_neighbour("child")

    @Slot()
    def select_left(self) -> None:
        self._select_neighbour("left")

    @Slot()
    def select_right(self) -> None:
        self._select_neighbour("right")

    def _select_neighbour(self, direction: str) -> None:
        if self._tree is None:
            return
        if self._inquiry.selected is None:
            found: int | None = self._tree.uid
        else:
            found = neighbour_of(self._mover.target, self._inquiry.selected, direction)
        if found is not None and found >= 0:
            self._inquiry.hover(None)
            self.select(found)

    def node_at(self, place: QPointF) -> int | None:
        """The node at this place of the canvas."""
        uid = node_at(self._mover.frame, self._mover.camera, self.size(), place)
        is_own = uid is not None and uid >= 0  # the other tree of a pair is only looked at
        return uid if is_own and uid in self._mover.target.index else None

    def _hover(self, uid: int | None) -> None:
        self.setCursor(Qt.CursorShape.ArrowCursor if uid is None else Qt.CursorShape.PointingHandCursor)
        self._inquiry.hover(uid)

    # Plain data

    def view_state(self) -> dict[str, Any]:
        """How the tree is shown, ready for JSON."""
        goal = self._framing.chosen
        return {
            "layout": self.layout_name,
            "redundant": self._is_redundant_shown,
            "ghosts": self._is_ghosts_shown,
            "reasons": self._is_reasons_shown,
            "collapsed": sorted(self._collapsed),
            "fitted": self.is_fitted,
            "camera": [goal.scale, goal.x, goal.y, goal.stretch_x, goal.stretch_y],
        }

    def set_view_state(self, state: Mapping[str, Any]) -> None:
        """Show the tree as it was shown then; what the state does not say stays as it is."""
        state = checked_view_state(state)
        self._is_redundant_shown = state.get("redundant", self._is_redundant_shown)
        self._is_ghosts_shown = state.get("ghosts", self._is_ghosts_shown)
        self._is_reasons_shown = state.get("reasons", self._is_reasons_shown)
        self.set_layout(state.get("layout", self.layout_name))
        self.set_collapsed(frozenset(state.get("collapsed", self._collapsed)))
        if state.get("fitted", self.is_fitted):
            self.fit()
        elif "camera" in state:
            self._framing.take(Camera(*state["camera"]))
        self.update()

    # Events

    def wheelEvent(self, event: QWheelEvent) -> None:
        degrees = event.angleDelta().y()
        if degrees:
            self._zoom(_ZOOM_PER_DEGREE**degrees, event.position())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self._pressed = event.position()
        self._dragged = None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        if self._pressed is None:
            self._hover(self.node_at(place))
            return
        if self._dragged is None and (place - self._pressed).manhattanLength() < _DRAG_DISTANCE:
            return
        before = self._dragged if self._dragged is not None else self._pressed
        self._dragged = place
        self.setCursor(Qt.CursorShape.ClosedHandCursor)
        self._framing.take(self._mover.camera.panned(place.x() - before.x(), place.y() - before.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton or self._pressed is None:
            event.ignore()
            return
        was_dragged = self._dragged is not None
        self._pressed = self._dragged = None
        uid = self.node_at(event.position())
        if not was_dragged:
            self._inquiry.select(uid)
        self._hover(uid)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton:
            event.ignore()
            return
        uid = self.node_at(event.position())
        if uid is None:
            self.fit()
        else:
            self.toggle_collapsed(uid)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        direction = _DIRECTIONS.get(event.key())
        if direction is not None and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self._select_neighbour(direction)
        elif event.key() == Qt.Key.Key_Escape and self._inquiry.selected is not None:
            self.select(None)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        by_keyboard = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self._has_focus_ring = event.reason() in by_keyboard
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._has_focus_ring = False
        self.update()
