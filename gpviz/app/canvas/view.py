"""The tree canvas: shows a picture of a run, moves to the next one, and is zoomed, panned, folded and asked."""

from collections.abc import Mapping
from typing import Any, Final

from PySide6.QtCore import (
    QEvent,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from gpviz.app.canvas.arranging import Arranger
from gpviz.app.canvas.atlas import AtlasCache
from gpviz.app.canvas.camera import Camera, Margins, fitted
from gpviz.app.canvas.folding import inner_at_depth, inner_uids, neighbour_of
from gpviz.app.canvas.ghosts import Marks, marks_of
from gpviz.app.canvas.inquiry import Inquiry
from gpviz.app.canvas.mover import Mover
from gpviz.app.canvas.notes import note_height
from gpviz.app.canvas.paint import Drawing, paint_drawing, surroundings_of
from gpviz.app.canvas.pointing import node_at, rect_of
from gpviz.app.canvas.scene import Floats, Frame
from gpviz.app.canvas.viewstate import checked_view_state
from gpviz.app.canvas.wording import description_of, notes_of
from gpviz.app.theme import Theme, load_theme
from gpviz.engine import Node, RunConfig
from gpviz.engine.analysis import Analysis
from gpviz.record.moment import Moment

__all__ = ["TreeCanvas"]

FOLD_MS: Final = 200
_FIT_MS: Final = 180
_DESCRIPTION_DELAY_MS: Final = 300
_LARGEST_FITTED_SCALE: Final = 1.5
_ZOOM_STEP: Final = 1.25
_ZOOM_PER_DEGREE: Final = 1.0015
_DRAG_DISTANCE: Final = 5

_DIRECTIONS: Final = {
    int(Qt.Key.Key_Up): "parent",
    int(Qt.Key.Key_Down): "child",
    int(Qt.Key.Key_Left): "left",
    int(Qt.Key.Key_Right): "right",
}


class TreeCanvas(QWidget):
    """One tree with its marks. Uids name nodes; ``None`` is no node."""

    node_hovered = Signal(object)
    """The node the card is about, by mouse or by selection."""
    node_selected = Signal(object)
    fitted_changed = Signal(bool)
    layout_refused = Signal(str)
    collapsed_changed = Signal()

    def __init__(self, parent: QWidget | None = None, *, theme: Theme | None = None) -> None:
        super().__init__(parent)
        self._theme = theme or load_theme("light")
        self._picture: Moment | None = None
        self._config: RunConfig | None = None
        self._tree: Node | None = None
        self._analysis: Analysis | None = None
        self._marks: Marks | None = None
        self._collapsed: frozenset[int] = frozenset()
        self._is_fitted = True
        self._is_redundant_shown = self._is_reasons_shown = self._is_ghosts_shown = True
        self._is_motion_reduced = False
        self._reserved_top = 0.0
        self._pressed: QPointF | None = None
        self._dragged: QPointF | None = None
        self._has_focus_ring = False
        self._atlases = AtlasCache(self._theme)
        self._arranger = Arranger(self)
        self._arranger.arranged.connect(self._on_arranged)
        self._arranger.refused.connect(self.layout_refused)
        self._mover = Mover(self)
        self._mover.moved.connect(self._on_moved)
        self._inquiry = Inquiry(self._theme, self, self.node_rect, self._covered)
        self._inquiry.node_asked.connect(self.node_hovered)
        self._inquiry.node_selected.connect(self.node_selected)
        self._inquiry.changed.connect(self.update)
        self._describing = QTimer(self)
        self._describing.setSingleShot(True)
        self._describing.setInterval(_DESCRIPTION_DELAY_MS)
        self._describing.timeout.connect(self.describe_now)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Syntax tree")
        self.describe_now()

    # What is shown

    @property
    def picture(self) -> Moment | None:
        return self._picture

    @property
    def is_moving(self) -> bool:
        """Whether a transition runs."""
        return self._mover.is_moving

    def show_picture(self, picture: Moment | None, duration_ms: int = 0) -> None:
        """Go to this picture within so many milliseconds; 0 jumps."""
        tree = None if picture is None else picture.tree
        config = None if picture is None else picture.config
        is_other_run = config is not self._config
        if is_other_run:
            # It numbers its nodes anew.
            self._config = config
            self._collapsed = frozenset()
            self._inquiry.select(None)
        self._picture = picture
        if tree is not self._tree or is_other_run:
            self._tree = tree
            self._analysis = None
            self._marks = marks_of(picture, self._collapsed)
            self._go_to(self._arranger.arrange(tree, self._collapsed), duration_ms)
            self._inquiry.set_tree(self._tree, self._mover.target, self._collapsed)
        else:
            self._marks = marks_of(picture, self._collapsed)
            self.update()
        self._describing.start()

    def show_analysis(self, analysis: Analysis | None) -> None:
        """Add what is known of the tree on show; an analysis of another tree is ignored."""
        if analysis is not None and analysis.tree is not self._tree:
            return
        self._analysis = analysis
        self._inquiry.set_analysis(analysis)
        self._glide()
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._atlases = AtlasCache(theme)
        self._refit()
        self._inquiry.set_theme(theme)
        self.update()

    def set_redundant_shown(self, is_shown: bool) -> None:
        """Shade the leaves the tree could do without."""
        self._is_redundant_shown = is_shown
        self.update()

    def set_ghosts_shown(self, is_shown: bool) -> None:
        """Mark what the step did or would have done."""
        self._is_ghosts_shown = is_shown
        self.update()

    def set_reasons_shown(self, is_shown: bool) -> None:
        """Say below each leaf of a stuck tree why it cannot go."""
        self._is_reasons_shown = is_shown
        self._glide()
        self.update()

    def set_reduced_motion(self, is_reduced: bool) -> None:
        """Jump instead of moving."""
        self._is_motion_reduced = is_reduced
        if is_reduced:
            self.finish_motion()

    def set_reserved_top(self, height: float, *, is_gliding: bool = True) -> None:
        """Keep the tree out of this much at the top, where something lies over the canvas."""
        if height != self._reserved_top:
            self._reserved_top = height
            if is_gliding:
                self._glide()
            else:
                self._refit()
            self.update()

    def drawing(self) -> Drawing:
        """What is to be seen at this moment, as plain data; `paint_drawing` paints it anywhere."""
        analysis = self._analysis
        return Drawing(
            camera=self._mover.camera,
            frame=self._mover.frame,
            marks=self._marks if self._is_ghosts_shown else None,
            marks_opacity=self._mover.share,
            redundant=analysis.redundant if analysis and self._is_redundant_shown else frozenset(),
            notes=self._notes(),
            root=None if self._arranger.is_layered or self._tree is None else self._tree.uid,
            selected=self._inquiry.selected,
            has_focus=self.hasFocus(),
            hovered=self._inquiry.hovered,
            is_moving=self.is_moving,
            goal=(self._mover.target, self._mover.goal) if self.is_moving else None,
            placeholder=self._placeholder(),
            top_margin=self._reserved_top,
        )

    def _notes(self) -> dict[int, str]:
        return notes_of(self._analysis) if self._is_reasons_shown else {}

    @Slot()
    def describe_now(self) -> None:
        """Bring the description for screen readers up to date, which otherwise waits for a quiet moment."""
        self._describing.stop()
        self.setAccessibleDescription(description_of(self._picture))

    def shut_down(self) -> None:
        """Stop everything that moves or computes; call it before the window goes."""
        self._mover.stop()
        self._describing.stop()
        self._arranger.shut_down()

    def _placeholder(self) -> tuple[str, str]:
        if self._picture is None:
            return "No run yet", "Start one to see its tree grow."
        return "The tree is empty", "The first mutation plants a leaf."

    # Layout

    @property
    def layout_name(self) -> str:
        return self._arranger.layout_name

    @property
    def is_layout_pending(self) -> bool:
        """Whether a slow layout is still being computed."""
        return self._arranger.is_waiting

    def set_layout(self, name: str) -> None:
        """Draw trees in the layout of this name."""
        if name != self.layout_name:
            self._arranger.set_layout(name)
            self._rearrange()

    def _rearrange(self) -> None:
        self._marks = marks_of(self._picture, self._collapsed)
        self._go_to(self._arranger.arrange(self._tree, self._collapsed), FOLD_MS)
        self._inquiry.set_tree(self._tree, self._mover.target, self._collapsed)

    @Slot(object)
    def _on_arranged(self, frame: Frame) -> None:
        self._go_to(frame, FOLD_MS)

    # Motion

    def finish_motion(self) -> None:
        """End a transition at once."""
        self._mover.finish()

    def hold_motion(self, progress: float) -> None:
        """Hold a running transition at this progress from 0 to 1."""
        self._mover.put_to(progress)

    def _go_to(self, frame: Frame, duration_ms: int) -> None:
        """Move from what is seen now to this frame, and to the camera that shows it."""
        goal = self._fitting_camera(frame) if self._is_fitted else self._mover.goal
        is_still = self._is_motion_reduced or not self.isVisible()
        self._mover.go_to(frame, goal, 0 if is_still else duration_ms)

    @Slot()
    def _on_moved(self) -> None:
        self._inquiry.place()
        self.update()

    # Camera

    @property
    def is_fitted(self) -> bool:
        """Whether the whole tree is kept in view."""
        return self._is_fitted

    @property
    def camera(self) -> Camera:
        return self._mover.camera

    @Slot()
    def fit(self) -> None:
        """Show the whole tree, and keep it in view from now on."""
        self._set_fitted(True)
        self._go_to(self._mover.target, _FIT_MS)

    @Slot()
    def zoom_in(self) -> None:
        self._zoom(_ZOOM_STEP, QPointF(self.rect().center()))

    @Slot()
    def zoom_out(self) -> None:
        self._zoom(1.0 / _ZOOM_STEP, QPointF(self.rect().center()))

    def _fitting_camera(self, frame: Frame) -> Camera:
        usual = Margins()
        below = note_height(self._theme) if self._notes() else 0.0
        margins = usual._replace(top=usual.top + self._reserved_top, bottom=usual.bottom + below)
        most = _LARGEST_FITTED_SCALE * self._theme.font_size / 10.0
        return fitted(frame.bounds, self.width(), self.height(), margins, most)

    def _refit(self) -> None:
        """Show the whole tree again after the room for it has changed."""
        if self._is_fitted:
            self._mover.set_goal(self._fitting_camera(self._mover.target))

    def _glide(self) -> None:
        """The same, but to be seen, as what takes the room comes while somebody looks at the tree."""
        if self._mover.is_moving or not len(self._mover.target):
            self._refit()
        elif self._is_fitted and self._fitting_camera(self._mover.target) != self._mover.goal:
            self._go_to(self._mover.target, _FIT_MS)

    def _zoom(self, factor: float, about: QPointF) -> None:
        self._take_camera(
            self._mover.camera.zoomed(factor, about.x(), about.y(), self.width(), self.height())
        )

    def _take_camera(self, camera: Camera) -> None:
        """The user has taken over: nothing else moves the camera until it is fitted again."""
        self._set_fitted(False)
        self._mover.take_camera(camera)

    def _set_fitted(self, is_fitted: bool) -> None:
        if is_fitted != self._is_fitted:
            self._is_fitted = is_fitted
            self.fitted_changed.emit(is_fitted)

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
        if found is not None:
            self._inquiry.hover(None)
            self.select(found)

    def node_rect(self, uid: int) -> QRectF | None:
        """Where a node is seen at this moment."""
        return rect_of(self._mover.frame, self._mover.camera, self.size(), uid)

    def node_at(self, place: QPointF) -> int | None:
        """The node at this place of the canvas."""
        uid = node_at(self._mover.frame, self._mover.camera, self.size(), place)
        return uid if uid in self._mover.target.index else None

    def _hover(self, uid: int | None) -> None:
        self.setCursor(Qt.CursorShape.ArrowCursor if uid is None else Qt.CursorShape.PointingHandCursor)
        self._inquiry.hover(uid)

    def _covered(self, boxes: Floats) -> Floats:
        around = surroundings_of(self.drawing(), self.width(), self.height(), self._theme)
        return around.hidden_by(boxes) + around.crossed_by(boxes)

    # Plain data

    def view_state(self) -> dict[str, Any]:
        """How the tree is shown, ready for JSON."""
        goal = self._mover.goal
        return {
            "layout": self.layout_name,
            "redundant": self._is_redundant_shown,
            "ghosts": self._is_ghosts_shown,
            "reasons": self._is_reasons_shown,
            "collapsed": sorted(self._collapsed),
            "fitted": self._is_fitted,
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
        if state.get("fitted", self._is_fitted):
            self.fit()
        elif "camera" in state:
            self._take_camera(Camera(*state["camera"]))
        self.update()

    # Events

    def sizeHint(self) -> QSize:
        return QSize(720, 520)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 180)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._theme.colours.panel))
        paint_drawing(
            painter,
            self.drawing(),
            self.width(),
            self.height(),
            self._theme,
            self._atlases,
            self.devicePixelRatioF(),
        )
        if self._has_focus_ring:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(self._theme.colours.accent), 2.0 * self._theme.line_scale))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(2.0, 2.0, -2.0, -2.0), 5.0, 5.0)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._refit()
        self._inquiry.place()

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
        self._take_camera(self._mover.camera.panned(place.x() - before.x(), place.y() - before.y()))

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
