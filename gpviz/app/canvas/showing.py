"""Shows a tree with its marks: a picture of a run, the way to the next one, what lies over it, and the camera."""

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QHideEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from gpviz.app.canvas.arranging import Arranger
from gpviz.app.canvas.atlas import AtlasCache
from gpviz.app.canvas.camera import Camera, Margins
from gpviz.app.canvas.framing import Framing
from gpviz.app.canvas.ghosts import Marks, marks_of, pair_marks_of
from gpviz.app.canvas.inquiry import Inquiry
from gpviz.app.canvas.laying import OverlayKeeper
from gpviz.app.canvas.mover import Mover
from gpviz.app.canvas.notes import note_height
from gpviz.app.canvas.overlay import Overlay
from gpviz.app.canvas.paint import Drawing, paint_drawing, surroundings_of
from gpviz.app.canvas.pairing import Pair, has_pair, heading_height, is_offspring_own, pair_of
from gpviz.app.canvas.pointing import rect_of
from gpviz.app.canvas.scene import Floats, Frame
from gpviz.app.canvas.wording import description_of, notes_of
from gpviz.app.theme import Theme, load_theme
from gpviz.engine import Node, RunConfig
from gpviz.engine.tree_analysis import Analysis
from gpviz.record.moment import Moment

__all__ = ["FOLD_MS", "TreeView"]

FOLD_MS: Final = 200
_DESCRIPTION_DELAY_MS: Final = 300
_LARGEST_FITTED_SCALE: Final = 1.5
_PULSE_REACH: Final = 72.0
_SMALLEST_PULSE: Final = 0.35


class TreeView(QWidget):
    """One tree with its marks, to be looked at. Uids name nodes; ``None`` is no node."""

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
        self._is_redundant_shown = self._is_reasons_shown = self._is_ghosts_shown = True
        self._is_side_by_side = False
        self._pair: Pair | None = None
        self._reserved_top = 0.0
        self._has_focus_ring = False
        self._atlases = AtlasCache(self._theme)
        self._arranger = Arranger(self)
        self._arranger.arranged.connect(self._on_arranged)
        self._arranger.refused.connect(self.layout_refused)
        self._mover = Mover(self)
        self._mover.moved.connect(self._on_moved)
        self._framing = Framing(self, self._mover, self._room)
        self._framing.fitted_changed.connect(self.fitted_changed)
        self._inquiry = Inquiry(self._theme, self, self.node_rect, self._covered)
        self._inquiry.node_asked.connect(self.node_hovered)
        self._inquiry.node_selected.connect(self.node_selected)
        self._inquiry.changed.connect(self.update)
        self._laid = OverlayKeeper(self)
        self._laid.rhythm.ticked.connect(self._on_ticked)
        self._describing = QTimer(self)
        self._describing.setSingleShot(True)
        self._describing.setInterval(_DESCRIPTION_DELAY_MS)
        self._describing.timeout.connect(self.describe_now)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
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
        picture = _unrevealed(picture)
        tree = None if picture is None else picture.tree
        config = None if picture is None else picture.config
        is_other_run = config is not self._config
        if is_other_run:
            # It numbers its nodes anew.
            self._config = config
            self._collapsed = frozenset()
            self._inquiry.select(None)
        self._picture = picture
        self._inquiry.set_silent(self._is_verdict_hidden)
        self._inquiry.set_selected_told(picture is None or not picture.is_preview)
        if tree is not self._tree or is_other_run:
            self._tree = tree
            self._analysis = None
            self._arrange(duration_ms)
            self._inquiry.set_tree(self._tree, self._mover.target, self._collapsed)
        elif self._is_pair_stale():
            self._arrange(duration_ms)
        else:
            self._marks = self._marks_now()
            self.update()
        self._describing.start()

    @property
    def _is_verdict_hidden(self) -> bool:
        return self._picture is not None and self._picture.is_verdict_hidden

    def _marks_now(self) -> Marks | None:
        if self._picture is None or self._pair is None:
            return marks_of(self._picture, self._collapsed)
        is_own = is_offspring_own(self._picture)
        return pair_marks_of(self._picture, self._collapsed, is_offspring_own=is_own)

    def show_analysis(self, analysis: Analysis | None) -> None:
        """Add what is known of the tree on show; an analysis of another tree is ignored."""
        if analysis is not None and analysis.tree is not self._tree:
            return
        self._analysis = analysis
        self._inquiry.set_analysis(analysis)
        self._framing.glide()
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._atlases = AtlasCache(theme)
        self._framing.refit()
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
        self._framing.glide()
        self.update()

    def set_reduced_motion(self, is_reduced: bool) -> None:
        """Jump instead of moving."""
        self._framing.is_motion_reduced = is_reduced
        if is_reduced:
            self.finish_motion()
        self._keep_rhythm()
        self.update()

    def set_reserved_top(self, height: float, *, is_gliding: bool = True) -> None:
        """Keep the tree out of this much at the top, where something lies over the canvas."""
        if height != self._reserved_top:
            self._reserved_top = height
            if is_gliding:
                self._framing.glide()
            else:
                self._framing.refit()
            self.update()

    def drawing(self) -> Drawing:
        """What is to be seen at this moment, as plain data; `paint_drawing` paints it anywhere."""
        is_told = not self._is_verdict_hidden
        analysis = self._analysis if self._is_redundant_shown and is_told else None
        return Drawing(
            camera=self._mover.camera,
            frame=self._mover.frame,
            marks=self._marks if self._is_ghosts_shown else None,
            marks_opacity=self._mover.share,
            redundant=frozenset() if analysis is None else analysis.redundant,
            notes=self._notes() if is_told else {},
            root=self._marked_root(),
            selected=self._inquiry.selected,
            has_focus=self.hasFocus(),
            hovered=self._inquiry.hovered,
            is_moving=self.is_moving,
            goal=(self._mover.target, self._mover.goal) if self.is_moving else None,
            placeholder=self._placeholder(),
            top_margin=self._reserved_top,
            overlay=self._laid.shown(self._tree, self._collapsed, is_told=is_told),
            pulse=self._laid.rhythm.phase,
            headings=() if self._pair is None else self._pair.headings,
        )

    def _marked_root(self) -> int | None:
        """The root, if its place does not tell that it is one."""
        is_clear = self._pair is not None or self._arranger.is_layered
        return None if is_clear or self._tree is None else self._tree.uid

    def _notes(self) -> dict[int, str]:
        return notes_of(self._analysis) if self._is_reasons_shown else {}

    @Slot()
    def describe_now(self) -> None:
        """Bring the description for screen readers up to date, which otherwise waits for a quiet moment."""
        self._describing.stop()
        beside = "" if self._pair is None else " Parent and offspring are beside each other."
        self.setAccessibleDescription(f"{description_of(self._picture)}{beside}")

    def shut_down(self) -> None:
        """Stop everything that moves or computes; call it before the window goes."""
        self._mover.stop()
        self._laid.rhythm.set_running(False)
        self._describing.stop()
        self._arranger.shut_down()

    def _placeholder(self) -> tuple[str, str]:
        if self._picture is None:
            return "No run yet", "Start one to see its tree grow."
        return "The tree is empty", "The first mutation plants a leaf."

    # What lies over it

    @property
    def overlay(self) -> Overlay | None:
        """What lies over the tree."""
        return self._laid.overlay

    def set_overlay(self, overlay: Overlay | None) -> None:
        """Lay this over the tree; of nodes that are not on show nothing is painted."""
        if overlay != self._laid.overlay:
            self._laid.overlay = overlay
            self._keep_rhythm()
            self.update()

    def _pulsing(self) -> int | None:
        return self._laid.pulsing(self._tree, self._collapsed, self._mover.target)

    def _keep_rhythm(self) -> None:
        self._laid.rhythm.set_running(not self._framing.is_still and self._pulsing() is not None)

    @Slot()
    def _on_ticked(self) -> None:
        uid = self._pulsing()
        place = None if uid is None else self.node_rect(uid)
        if place is not None:
            reach = _PULSE_REACH * max(self._mover.camera.scale, _SMALLEST_PULSE)
            around = QRectF(0.0, 0.0, 2 * reach, 2 * reach)
            around.moveCenter(place.center())
            self.update(around.toAlignedRect())

    # Parent and offspring

    def set_side_by_side(self, is_side_by_side: bool) -> None:
        """Show the offspring beside its parent where a picture has both; an empty parent is not shown."""
        if is_side_by_side != self._is_side_by_side:
            self._is_side_by_side = is_side_by_side
            if self._is_pair_stale():
                self._arrange(FOLD_MS)
                self._describing.start()

    @property
    def is_pair_shown(self) -> bool:
        """Whether parent and offspring are beside each other now."""
        return self._pair is not None

    def _is_pair_stale(self) -> bool:
        is_wanted = self._is_side_by_side and has_pair(self._picture)
        if self._pair is None or not is_wanted:
            return is_wanted != (self._pair is not None)
        return not self._pair.is_of(self._picture)

    def _arrange(self, duration_ms: int) -> None:
        """Bring the tree, or both trees, to their places."""
        is_wanted = self._is_side_by_side and has_pair(self._picture)
        self._pair = pair_of(self._picture, self._collapsed) if is_wanted and self._picture else None
        self._marks = self._marks_now()
        if self._pair is not None:
            self._framing.go_aside(self._pair.frame, duration_ms)
        else:
            self._framing.come_back(self._arranger.arrange(self._tree, self._collapsed), duration_ms)
        self._keep_rhythm()

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
        self._arrange(FOLD_MS)
        self._inquiry.set_tree(self._tree, self._mover.target, self._collapsed)

    @Slot(object)
    def _on_arranged(self, frame: Frame) -> None:
        if self._pair is None:
            self._framing.go_to(frame, FOLD_MS)
            self._keep_rhythm()

    # Motion

    def finish_motion(self) -> None:
        """End a transition at once."""
        self._mover.finish()

    def hold_motion(self, progress: float) -> None:
        """Hold a running transition at this progress from 0 to 1."""
        self._mover.put_to(progress)

    @Slot()
    def _on_moved(self) -> None:
        self._inquiry.place()
        self.update()

    # Camera

    @property
    def is_fitted(self) -> bool:
        """Whether the whole tree is kept in view."""
        return self._framing.is_fitted

    @property
    def camera(self) -> Camera:
        return self._mover.camera

    def _room(self) -> tuple[Margins, float]:
        """What stays free around the tree, and the largest scale for it."""
        usual = Margins()
        below = note_height(self._theme) if self._notes() else 0.0
        above = self._reserved_top + (heading_height(self._theme) if self._pair else 0.0)
        margins = usual._replace(top=usual.top + above, bottom=usual.bottom + below)
        return margins, _LARGEST_FITTED_SCALE * self._theme.font_size / 10.0

    def node_rect(self, uid: int) -> QRectF | None:
        """Where a node is seen at this moment."""
        return rect_of(self._mover.frame, self._mover.camera, self.size(), uid)

    def _covered(self, boxes: Floats) -> Floats:
        around = surroundings_of(self.drawing(), self.width(), self.height(), self._theme)
        return around.hidden_by(boxes) + around.crossed_by(boxes)

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
            painter.deviceTransform().m11(),  # real pixels per pixel, on a screen and in a picture of any scale
        )
        if self._has_focus_ring:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(self._theme.colours.accent), 2.0 * self._theme.line_scale))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(2.0, 2.0, -2.0, -2.0), 5.0, 5.0)
        painter.end()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._keep_rhythm()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._keep_rhythm()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._framing.refit()
        self._inquiry.place()


def _unrevealed(picture: Moment | None) -> Moment | None:
    """The picture; where its verdict is hidden, of the parent, as the tree that survives would tell."""
    if picture is None or picture.step is None or not picture.is_verdict_hidden or picture.is_preview:
        return picture
    return replace(picture, tree=picture.parent, is_preview=True)
