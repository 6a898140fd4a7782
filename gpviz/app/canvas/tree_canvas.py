"""The tree canvas: the picture of a moment, moved, zoomed, folded and asked, by mouse and keyboard."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from gpviz.analysis.redundant_leaves import Analysis
from gpviz.app.canvas.camera import WHOLE, Zoom, near_to
from gpviz.app.canvas.folding import neighbour_of, resting_uids
from gpviz.app.canvas.minimap import Minimap
from gpviz.app.canvas.motion import Motion, calmed
from gpviz.app.canvas.node_card import NodeCard
from gpviz.app.canvas.painter import item_painter, rect_of
from gpviz.app.canvas.tree_layout import TreeLayout
from gpviz.app.theme import DEFAULT_FONT_SIZE, Theme
from gpviz.app.timers import single_shot
from gpviz.app.widgets.focus_order import KeyboardFocus
from gpviz.app.widgets.themed import Themed
from gpviz.engine import Inner, Node, RunConfig
from gpviz.engine.tree import nodes_of
from gpviz.explain.moment import Moment, Overlay
from gpviz.explain.node_descriptions import description_of, node_title, notes_text
from gpviz.picture.changes import drawn_step
from gpviz.picture.compose import picture_of
from gpviz.picture.drawing import LABEL, items_of
from gpviz.picture.items import Item, Shape
from gpviz.picture.nodes import extent_of, standing_for
from gpviz.picture.options import Options
from gpviz.picture.picture import Banner, Picture
from gpviz.picture.regions import Regions, regions_of
from gpviz.picture.space import Rect, union_of
from gpviz.runs.history import Origin

_REACH: Final = 24.0
_SMALLEST_REACH: Final = 9.0
"""In pixels: how near the mouse has to come to a node, and to one that is drawn very small."""
MOST_MOVING_NODES: Final = 250
"""Larger trees jump: a motion that stutters explains nothing."""
FIT_MS: Final = 180
FOLD_MS: Final = 200
_STATE_MS: Final = 900
"""How long the picture takes to show that its tree is stuck or solved."""
_DESCRIPTION_DELAY_MS: Final = 300
_PULSE_MS: Final = 1100
_PULSE_TICK_MS: Final = 33
_PULSE_GROWTH: Final = 0.35
RESTING_ITERATIONS: Final = 30
"""What has not changed in so many iterations rests."""
_ZOOM_STEP: Final = 1.25
_ZOOM_PER_DEGREE: Final = 1.0015
_DRAG_DISTANCE: Final = 5
_READABLE: Final = 11.0
_NEAR_LABEL: Final = 15.0
"""In pixels at unit 1: smaller labels are looked at from nearby, and how large they are then."""
_BESIDE_PLACE: Final = 40.0
"""What is seen around the places of a step at least, at unit 1."""
_PAN_SHARE: Final = 0.18
_REVEALED_MARGIN: Final = 12.0
_CORNER: Final = 6.0
_DIRECTIONS: Final = {
    int(Qt.Key.Key_Up): "parent",
    int(Qt.Key.Key_Down): "child",
    int(Qt.Key.Key_Left): "left",
    int(Qt.Key.Key_Right): "right",
}
_PANS: Final = {"parent": (0, -1), "child": (0, 1), "left": (-1, 0), "right": (1, 0)}
_NO_OVERLAY: Final = Overlay()


class TreeCanvas(KeyboardFocus, Themed, QWidget):
    """The picture of a moment, to be looked at and asked. Uids name nodes; ``None`` is no node."""

    following_changed = Signal(bool)
    """Somebody has taken over, or wants to see the whole tree, so the mutation is followed no longer."""
    node_hovered = Signal(object)
    """Somebody may know more about the node that the card is about; None when there is no card any more."""
    node_selected = Signal(object)
    state_shown = Signal()
    """More is known of the tree on show, such as that it is stuck."""
    regions_changed = Signal()
    """Counter, banner and tree have other places."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.moment: Moment | None = None
        self.picture: Picture | None = None
        self._regions: Regions | None = None
        self._analysis: Analysis | None = None
        self._origin: Origin | tuple[RunConfig, None, tuple[()]] | None = None
        self._options = Options()
        """What is to be seen; the size, the layout and what is folded are added for each picture."""
        self._text_scale: float | None = None
        self.collapsed: frozenset[int] = frozenset()
        self._resting: frozenset[int] = frozenset()
        self._opened: frozenset[int] = frozenset()
        """What is folded by hand, what is folded because it rests, and what of that was opened by hand."""
        self._earlier: Node | None = None
        self.is_following = self._is_hurried = False
        self.is_fitted = True
        """Whether the zoom is the one that suits the tree, as nobody has taken over."""
        self._is_selection_followed = self._is_motion_reduced = False
        self._layout = TreeLayout(self)
        self._layout.arranged.connect(self._on_arranged)
        self.layout_refused = self._layout.refused
        self._motion = Motion(self)
        self._motion.moved.connect(self._on_moved)
        self.minimap = Minimap(self)
        self.minimap.place_chosen.connect(self._look_at)
        self._hovered: int | None = None
        self.selected_uid: int | None = None
        self.card = NodeCard(self)
        self._asked: int | None = None
        """The node that the card is about: the one under the mouse, or else the selected one."""
        self._told = self._extra = ""
        self._pulse_timer = QTimer(self)
        self._pulse_timer.setInterval(_PULSE_TICK_MS)
        self._pulse_timer.timeout.connect(self._on_pulse_ticked)
        self._pulse = 0.0
        self._describing = single_shot(self, self.describe_now, _DESCRIPTION_DELAY_MS)
        self._pressed: QPointF | None = None
        self._dragged: QPointF | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("Syntax tree")
        self.describe_now()

    # What is shown

    @property
    def is_moving(self) -> bool:
        """Whether a transition runs."""
        return self._motion.is_moving

    def show_picture(
        self,
        moment: Moment | None,
        duration_ms: int = 0,
        *,
        earlier: Node | None = None,
        banner: Banner | None = None,
        analysis: Analysis | None = None,
    ) -> None:
        """Go to the picture of this moment within so many milliseconds; 0 jumps.

        What rests, as it is as in an ``earlier`` tree, is folded while the step is elsewhere. A ``banner`` stands
        for the one of the moment. What is known of the tree already is its ``analysis``.
        """
        if moment is not None and moment.is_verdict_hidden and not moment.is_preview:
            moment = replace(moment, tree=moment.parent, is_preview=True)  # or the tree would tell
        origin = None if moment is None else moment.origin or (moment.config, None, ())
        if origin != self._origin:  # it numbers its nodes anew
            self._origin = origin
            self.collapsed = self._resting = self._opened = frozenset()
            self._select(None)
        self.moment = moment
        self._options = replace(self._options, banner=banner)
        self._analysis = analysis or self._analysis
        if self._analysis is not None and not _is_about(self._analysis, moment):
            self._analysis = None
        self._set_earlier(earlier)
        self._is_selection_followed = False
        if self._compose():
            self._go(self._items(), duration_ms)
            self._let_go_of_hidden()
        self._describing.start()

    def show_analysis(self, analysis: Analysis | None) -> None:
        """Add what is known of the tree on show; an analysis of another tree or under other rules is ignored."""
        if analysis is self._analysis or (analysis is not None and not _is_about(analysis, self.moment)):
            return
        self._analysis = analysis
        state = "" if self.picture is None else self.picture.state
        if self._compose():
            has_new_state = self.picture is not None and self.picture.state != state
            self._change(_STATE_MS if has_new_state else 0)
            self.state_shown.emit()
        self._show_card()
        self._describing.start()

    def apply_theme(self, theme: Theme) -> None:
        self._refresh()
        self._show_card()
        self.update()

    def set_text_scale(self, scale: float | None) -> None:
        """Write this many times as large as usual in a picture of its size; None follows the theme's type."""
        if scale != self._text_scale:
            self._text_scale = scale
            self._refresh()

    def set_redundant_shown(self, is_shown: bool) -> None:
        """Shade the leaves the tree could do without."""
        self._set_options(replace(self._options, has_redundant=is_shown))

    def set_ghosts_shown(self, is_shown: bool) -> None:
        """Mark what the step did or would have done."""
        self._set_options(replace(self._options, has_marks=is_shown))

    def set_reasons_shown(self, is_shown: bool) -> None:
        """Say below each leaf of a stuck tree why it cannot go."""
        self._set_options(replace(self._options, has_reasons=is_shown))

    @property
    def overlay(self) -> Overlay | None:
        """What lies over the tree."""
        return None if self._options.overlay == _NO_OVERLAY else self._options.overlay

    def set_overlay(self, overlay: Overlay | None) -> None:
        """Lay this over the tree; of nodes that are not on show nothing is painted."""
        self._set_options(replace(self._options, overlay=overlay or _NO_OVERLAY))
        self._keep_rhythm()

    def set_reduced_motion(self, is_reduced: bool) -> None:
        """Jump instead of moving."""
        self._is_motion_reduced = is_reduced
        if is_reduced:
            self.finish_motion()
        self._keep_rhythm()

    @property
    def state(self) -> str:
        """STUCK, SOLVED or DONE, if that is to be seen; else empty."""
        return "" if self.picture is None else self.picture.state

    @property
    def banner_rect(self) -> QRectF:
        """The place of the banner; empty where there is none."""
        rect = None if self._regions is None else self._regions.banner
        return QRectF() if rect is None else _qt_rect(rect)

    @property
    def is_pulsing(self) -> bool:
        """Whether a node pulses, so that it is found."""
        return self._pulse_timer.isActive()

    def finish_motion(self) -> None:
        """End a transition at once."""
        self._motion.finish()

    def shut_down(self) -> None:
        """Stop everything that moves or computes; call it before the window goes."""
        self._motion.stop()
        self._pulse_timer.stop()
        self._describing.stop()
        self._layout.shut_down()

    @Slot()
    def describe_now(self) -> None:
        """Bring the description for screen readers up to date, which otherwise waits for a quiet moment."""
        self._describing.stop()
        if self.selected_uid is not None and self._asked == self.selected_uid:
            self.setAccessibleDescription(self.card.text)
            return
        parts = [description_of(self.moment)]
        if self.resting:
            parts.append(
                f"Folded because unchanged for {RESTING_ITERATIONS} iterations: {len(self.resting)}."
            )
        if not self._is_verdict_hidden and self._options.has_reasons:
            parts.append(notes_text(self._analysis))
        self.setAccessibleDescription(" ".join(filter(None, parts)))

    # From the moment to items

    @property
    def _tree(self) -> Node | None:
        return None if self.moment is None else self.moment.tree

    @property
    def _is_verdict_hidden(self) -> bool:
        return self.moment is not None and self.moment.is_verdict_hidden

    def _options_now(self) -> Options:
        theme, folded = self.theme, self._folded
        layout, positions = self._layout.layout_of(self._tree, folded)
        scale = self._text_scale
        return replace(
            self._options,
            width=float(self.width()),
            height=float(self.height()),
            layout=layout,
            positions=positions,
            text_scale=theme.font_size / DEFAULT_FONT_SIZE if scale is None else scale,
            line_scale=theme.line_scale,
            folded=folded,
            selected=self.selected_uid,
            overlay=self._overlay_now(),
        )

    def _overlay_now(self) -> Overlay:
        """What lies over the tree: folded nodes stand for what they hide, and a hidden verdict stays so."""
        overlay, tree, folded = self._options.overlay, self._tree, self._folded
        heat, pulsing = overlay.heat, overlay.pulsing
        if self._is_verdict_hidden and heat:
            overlay, heat = replace(overlay, heat={}, title=""), {}
        if tree is None or not folded or not (heat or pulsing is not None):
            return overlay
        shown = standing_for(tree, dict.fromkeys(_shown_uids(tree, folded)))
        summed: dict[int, float] = {}
        for uid, warmth in heat.items():
            if uid in shown:
                summed[shown[uid]] = summed.get(shown[uid], 0.0) + warmth
        return replace(overlay, heat=summed, pulsing=None if pulsing is None else shown.get(pulsing, pulsing))

    def _compose(self) -> bool:
        """Make the picture of the moment as it is to be seen now; False if it is as it was."""
        before, regions = self.picture, self._regions
        self.picture = self._regions = None
        if self.moment is not None:
            options = self._options_now()
            self.picture = picture_of(self.moment, options, self._analysis)
            self._regions = regions_of(self.moment.config, options)
            nearer = self._followed_zoom()
            if nearer is not None:
                options = replace(options, zoom=nearer.scale)
                self.picture = picture_of(self.moment, options, self._analysis)
        if self._regions != regions:
            self.regions_changed.emit()
        return self.picture != before

    def _items(self) -> tuple[Item, ...]:
        return () if self.picture is None else items_of(self.picture)

    def _go(self, items: Sequence[Item], duration_ms: int) -> None:
        """Move to the picture as it is now."""
        is_large = self.drawn_nodes > MOST_MOVING_NODES
        self._motion.go_to(items, self._goal(), 0 if is_large or self._is_still else duration_ms)
        self._keep_rhythm()

    def _change(self, duration_ms: int = 0) -> None:
        """The same without a new step; one that is on its way goes on."""
        if self.is_moving:
            self._motion.change_to(self._items(), self._goal())
        else:
            self._go(calmed(self._items()), duration_ms)
        self._let_go_of_hidden()

    def _refresh(self, duration_ms: int = 0) -> None:
        """Show what is different now."""
        if self._compose():
            self._change(duration_ms)

    def _set_options(self, options: Options) -> None:
        if options != self._options:
            self._options = options
            self._refresh()

    @property
    def _is_still(self) -> bool:
        """Whether nothing may move, as nobody wants it or would see it."""
        return self._is_motion_reduced or not self.isVisible()

    @Slot()
    def _on_moved(self) -> None:
        self._place_minimap()
        self._place_card()
        self.update()

    def _keep_rhythm(self) -> None:
        picture = self.picture
        pulsing = None if picture is None else picture.overlay.pulsing
        is_shown = picture is not None and any(node.uid == pulsing for node in picture.nodes)
        is_pulsing = is_shown and not self._is_still
        if is_pulsing and not self._pulse_timer.isActive():
            self._pulse = 0.0
            self._pulse_timer.start()
        elif not is_pulsing:
            self._pulse_timer.stop()

    @Slot()
    def _on_pulse_ticked(self) -> None:
        self._pulse = (self._pulse + _PULSE_TICK_MS / _PULSE_MS) % 1.0
        self.update()

    # Layout

    @property
    def layout_name(self) -> str:
        return self._layout.name

    @property
    def is_layout_refused(self) -> bool:
        """Whether the tree is tidy because the chosen layout does not suit one of its size."""
        return self._layout.is_refusing

    @property
    def is_layout_pending(self) -> bool:
        """Whether a slow layout is still being computed."""
        return self._layout.is_waiting

    @property
    def drawn_nodes(self) -> int:
        """How many nodes are laid out; what is folded does not count."""
        return 0 if self.picture is None else len(self.picture.nodes)

    def set_layout(self, name: str) -> None:
        """Draw trees in the layout of this name."""
        if name != self.layout_name or self.is_layout_refused:
            self._layout.choose(name)
            self._refresh(FOLD_MS)

    @Slot()
    def _on_arranged(self) -> None:
        self._refresh(FOLD_MS)

    # Zooming and following

    @property
    def zoom(self) -> Zoom:
        """How the tree is seen at this moment."""
        return self._motion.zoom

    @Slot()
    def fit(self) -> None:
        """Show the whole tree, and keep it in view from now on."""
        self.is_fitted = True
        self._stop_following()
        self._glide()

    @Slot()
    def toggle_whole(self) -> None:
        """Show the whole tree, or if that is so already, a large one around its mutation again."""
        if self.is_fitted and not self.is_following:
            self.set_following(True)
        else:
            self.fit()

    @Slot()
    def zoom_in(self) -> None:
        self._zoom(_ZOOM_STEP, QPointF(self.rect().center()))

    @Slot()
    def zoom_out(self) -> None:
        self._zoom(1.0 / _ZOOM_STEP, QPointF(self.rect().center()))

    def set_following(self, is_following: bool) -> None:
        """Show a large tree from nearby, around the mutation of each step, or else always the whole of it."""
        if is_following == self.is_following:
            return
        self.is_following = is_following
        if is_following:
            self.is_fitted = True
        self._glide()
        self.following_changed.emit(is_following)

    def set_hurried(self, is_hurried: bool) -> None:
        """Whether steps come too fast to look at each of them from nearby."""
        if is_hurried != self._is_hurried:
            self._is_hurried = is_hurried
            self._glide()

    def _zoom(self, factor: float, about: QPointF) -> None:
        self._take(self.zoom.zoomed(factor, about.x(), about.y()))

    def _pan(self, across: int, down: int) -> None:
        """Move the view by a part of its size."""
        self._take(self.zoom.panned(-across * _PAN_SHARE * self.width(), -down * _PAN_SHARE * self.height()))

    def _take(self, zoom: Zoom) -> None:
        """The user has taken over: nothing else moves the view until it is fitted again."""
        self.is_fitted = False
        self._stop_following()
        self._motion.take_zoom(zoom)

    def _stop_following(self) -> None:
        """Somebody wants to see something else. In a tree that is seen as a whole following goes on."""
        if self.is_following and self._followed_zoom() is not None:
            self.is_following = False
            self.following_changed.emit(False)

    def _glide(self) -> None:
        """See the tree by the zoom that suits it now."""
        if self._compose() or self._goal() != self._motion.goal:
            self._change(FIT_MS)

    def _goal(self) -> Zoom:
        """The zoom that suits the picture, or the one that somebody has chosen."""
        return (self._followed_zoom() or WHOLE) if self.is_fitted else self._motion.goal

    def _followed_zoom(self) -> Zoom | None:
        """The zoom on what the step is about, where labels are too small else; None for the whole tree."""
        picture, regions = self.picture, self._regions
        is_followed = self.is_following and not self._is_hurried
        if not is_followed or picture is None or regions is None or picture.state:
            return None
        label = LABEL * picture.scale
        place = self._place_of_step(picture) if label < _READABLE * picture.unit else None
        if place is None:
            return None
        scale = _NEAR_LABEL * picture.unit / label
        around = _BESIDE_PLACE * picture.unit
        tree = picture.tree_bounds.grown(around / scale)
        return near_to(place.grown(around / scale), tree, regions.tree, scale, self._motion.goal)

    def _place_of_step(self, picture: Picture) -> Rect | None:
        """The rectangle of what the step is about, or of a selected node that was out of view."""
        uids = {uid for change in picture.changes for uid in (*change.nodes, change.anchor)}
        ghosts = [ghost for change in picture.changes for ghost in change.ghosts]
        if self._is_selection_followed:
            uids, ghosts = {self.selected_uid}, []
        found = [node for node in picture.nodes if node.uid in uids] + ghosts
        return union_of(extent_of(node, picture.scale) for node in found) if found else None

    def _reveal(self, uid: int) -> None:
        """Bring a node into view that is not, or is below the minimap."""
        box, regions = self.node_rect(uid), self._regions
        if box is None or regions is None:
            return
        view = _qt_rect(regions.tree.grown(-_REVEALED_MARGIN))
        if view.contains(box) and not (self.minimap.isVisible() and box.intersects(self.minimap.geometry())):
            return
        if self.is_fitted and self.zoom != WHOLE:
            self._is_selection_followed = True
            self._glide()
        elif not self.is_fitted:
            away = view.center() - box.center()
            self._take(self._motion.goal.panned(away.x(), away.y()))

    # Folding

    @property
    def resting(self) -> frozenset[int]:
        """The nodes whose subtrees are hidden because they have not changed for long."""
        return self._resting - self._opened

    @property
    def _folded(self) -> frozenset[int]:
        return self.collapsed | self.resting

    def toggle_collapsed(self, uid: int) -> None:
        """Hide or show the subtree of an inner node."""
        if uid in self.resting and uid not in self.collapsed:
            self._opened |= {uid}
        elif any(node.uid == uid and isinstance(node, Inner) for node in nodes_of(self._tree)):
            self.collapsed ^= {uid}
        self._refresh(FOLD_MS)

    @Slot()
    def toggle_collapsed_selected(self) -> None:
        if self.selected_uid is not None:
            self.toggle_collapsed(self.selected_uid)

    @Slot()
    def expand_all(self) -> None:
        self._opened |= self._resting
        self.collapsed = frozenset()
        self._refresh(FOLD_MS)

    def fold_resting(self, earlier: Node | None) -> None:
        """Fold what is as it was in an ``earlier`` tree, of the same picture; None unfolds it."""
        self._set_earlier(earlier)
        self._refresh(FOLD_MS)
        self._describing.start()

    def _set_earlier(self, earlier: Node | None) -> None:
        if (earlier is None) != (self._earlier is None):
            self._opened = frozenset()
        self._earlier = earlier
        self._resting = self._resting_now()

    def _resting_now(self) -> frozenset[int]:
        if self.moment is None or self._earlier is None:
            return frozenset()
        drawn = drawn_step(self.moment)
        places = {*drawn.ring, *drawn.leaving, drawn.anchor, drawn.moves_up} - {None}
        return resting_uids(drawn.tree, self._earlier, [uid for uid in places if uid is not None])

    # Hovering and selecting

    def set_hover_text(self, uid: int, text: str) -> None:
        """Say more about a node, if the card is still about it."""
        if uid == self._asked:
            self._told = text
            self._show_card()

    def set_hover_extra(self, uid: int, text: str) -> None:
        """One more line about a node, if the card is still about it; empty takes it away."""
        if uid == self._asked and text != self._extra:
            self._extra = text
            self._show_card()

    def node_rect(self, uid: int) -> QRectF | None:
        """Where a node is seen once nothing moves."""
        picture = self.picture
        node = None if picture is None else next((each for each in picture.nodes if each.uid == uid), None)
        if picture is None or node is None:
            return None
        rect, zoom = extent_of(node, picture.scale), self._motion.goal
        return QRectF(QPointF(*zoom.place(*rect[:2])), QPointF(*zoom.place(*rect[2:])))

    def node_at(self, place: QPointF) -> int | None:
        """The node at this place of the canvas."""
        picture, zoom = self.picture, self.zoom
        if picture is None or not picture.nodes:
            return None
        x, y = zoom.point_at(place.x(), place.y())
        node = min(picture.nodes, key=lambda each: (each.x - x) ** 2 + (each.y - y) ** 2)
        reach = max(_REACH * picture.scale * zoom.scale, _SMALLEST_REACH) / zoom.scale
        return node.uid if (node.x - x) ** 2 + (node.y - y) ** 2 <= reach * reach else None

    def node_number_of(self, uid: int | None) -> int | None:
        """The number of a node of the tree on show, in preorder from 1, as a mutation names it."""
        nodes = enumerate(nodes_of(self._tree), start=1)
        return next((number for number, node in nodes if node.uid == uid), None)

    def select(self, uid: int | None) -> None:
        """Select a node of the tree."""
        if uid is None or self.node_rect(uid) is not None:
            self._select(uid)
            self._ask()

    def _select(self, uid: int | None) -> None:
        if uid != self.selected_uid:
            self.selected_uid = uid
            self.node_selected.emit(uid)
            self._describing.start()
            self._refresh()

    def _select_neighbour(self, direction: str) -> None:
        if self.selected_uid is None:
            found = None if self._tree is None else self._tree.uid
        else:
            found = neighbour_of(self._tree, self.selected_uid, direction, self._folded)
        if found is not None:
            self._point_at(None)
            self.select(found)
            self._reveal(found)

    def _let_go_of_hidden(self) -> None:
        """Let go of nodes that are no longer shown; the selection moves to what hides them."""
        tree = self._tree
        shown = set() if self.picture is None else {node.uid for node in self.picture.nodes}
        if self.selected_uid is not None and self.selected_uid not in shown:
            standing = {} if tree is None else standing_for(tree, dict.fromkeys(shown))
            self._select(standing.get(self.selected_uid))
        if self._hovered not in shown:
            self._hovered = None
        # A node that stays may have another subtree, so it is asked about anew.
        self._ask(is_anew=True)

    def _ask(self, *, is_anew: bool = False) -> None:
        """Have the card tell of the node under the mouse, or else of the selected one."""
        uid = self._hovered
        if uid is None and (self.moment is None or not self.moment.is_preview):
            uid = self.selected_uid  # beside a preview it would cover what is proposed there
        if uid == self._asked and not (is_anew and uid is not None):
            return
        self._asked = uid
        self._told = self._extra = ""
        self._show_card()
        self.node_hovered.emit(uid)

    def _show_card(self) -> None:
        title = None if self._asked is None else node_title(self._tree, self._asked)
        if title is None or self._asked is None:
            self.card.hide()
            return
        # While a verdict is hidden, nothing is said of what becomes of a node.
        lines = () if self._is_verdict_hidden else (self._told, self._extra)
        self.card.set_text(title, "\n".join(filter(None, lines)))
        self._describing.start()
        self._place_card()

    def _place_card(self) -> None:
        """Bring the card to where its node is."""
        box = None if self._asked is None else self.node_rect(self._asked)
        picture, zoom = self.picture, self._motion.goal
        if box is None or picture is None or not box.intersects(QRectF(self.rect())):
            self.card.hide()
            return
        nodes = [QRectF(QPointF(*zoom.place(node.x, node.y)), QSize(1, 1)) for node in picture.nodes]
        self.card.place_beside(box.toAlignedRect(), nodes)

    def _hover(self, uid: int | None) -> None:
        self.setCursor(Qt.CursorShape.ArrowCursor if uid is None else Qt.CursorShape.PointingHandCursor)
        self._point_at(uid)

    def _point_at(self, uid: int | None) -> None:
        if uid != self._hovered:
            self._hovered = uid
            self.update()
        self._ask()

    # What lies over it

    def _place_minimap(self) -> None:
        """Show the whole tree in a corner, unless it is in view."""
        regions = self._regions
        self.minimap.show_view(self.picture, self.zoom, None if regions is None else regions.tree)

    @Slot(float, float)
    def _look_at(self, x: float, y: float) -> None:
        """Bring a point of the picture to the middle."""
        regions, zoom = self._regions, self.zoom
        if regions is not None:
            seen_x, seen_y = zoom.place(x, y)
            middle_x, middle_y = regions.tree.middle
            self._take(zoom.panned(middle_x - seen_x, middle_y - seen_y))

    # Events

    def sizeHint(self) -> QSize:
        return QSize(720, 520)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 180)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = self.theme.colours
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(colours.window))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(colours.border), 1.0))
            painter.setBrush(QColor(colours.panel))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), _CORNER, _CORNER)
            self._paint_items(painter)
            if self.has_focus_ring and self.hasFocus():
                half = self.theme.line_scale
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(QColor(colours.accent), 2.0 * half))
                inside = QRectF(self.rect()).adjusted(half, half, -half, -half)
                painter.drawRoundedRect(inside, _CORNER, _CORNER)

    def _paint_items(self, painter: QPainter) -> None:
        items = self._motion.items
        if self._pulse_timer.isActive():
            items = [self._pulsing(item) if item.key.startswith("pulse") else item for item in items]
        printer = item_painter(self.theme.colours)
        if self.zoom == WHOLE:
            printer.paint(painter, items)
        else:
            printer.paint(painter, [item for item in items if not item.is_fixed], self.zoom)
            fixed = [item for item in items if item.is_fixed]
            self._paint_grounds(painter, fixed)
            printer.paint(painter, fixed)
        box = None if self._hovered is None else self.node_rect(self._hovered)
        if box is not None and not self.is_moving:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(self.theme.colours.muted), 1.4 * self.theme.line_scale))
            painter.drawRoundedRect(box.adjusted(-4.0, -4.0, 4.0, 4.0), 8.0, 8.0)

    def _paint_grounds(self, painter: QPainter, fixed: Sequence[Item]) -> None:
        """Cover a tree that is seen from nearby behind the words in the upper corners."""
        corners = () if self._regions is None else self._regions.corners
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.theme.colours.panel))
        rects = [rect_of(item) for item in fixed if item.key != "frame"]
        for corner in corners:
            ground = QRectF()
            for rect in rects:
                if _qt_rect(corner).contains(rect.center()):
                    ground = ground.united(rect)
            painter.drawRoundedRect(ground.adjusted(-6.0, -4.0, 6.0, 4.0), _CORNER, _CORNER)

    def _pulsing(self, item: Item) -> Item:
        """The ring as large as it is at this moment, and the paler, the larger."""
        points, grown = item.points, 1.0 + _PULSE_GROWTH * self._pulse
        if item.shape is Shape.DISC:
            points = (*points[:2], points[2] * grown)
        elif item.shape is Shape.BOX:
            x, y, width, height, corner = points
            more = (grown - 1.0) / 2
            points = (x - more * width, y - more * height, width * grown, height * grown, corner * grown)
        else:
            x, y = sum(points[::2]) / len(points[::2]), sum(points[1::2]) / len(points[1::2])
            points = tuple(
                (y if number % 2 else x) + grown * (each - (y if number % 2 else x))
                for number, each in enumerate(points)
            )
        return item._replace(points=points, opacity=item.opacity * (1.0 - 0.8 * self._pulse))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._keep_rhythm()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._keep_rhythm()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._refresh()

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
        self._take(self.zoom.panned(place.x() - before.x(), place.y() - before.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton or self._pressed is None:
            event.ignore()
            return
        was_dragged = self._dragged is not None
        self._pressed = self._dragged = None
        uid = self.node_at(event.position())
        if not was_dragged:
            self.select(uid)
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
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self._pan(*_PANS[direction])
            else:
                self._select_neighbour(direction)
        elif event.key() == Qt.Key.Key_Escape and self.selected_uid is not None:
            self.select(None)
        else:
            super().keyPressEvent(event)

    def take_first_focus(self) -> None:
        """Have the keyboard from the start; that is seen once it is used to move the focus."""
        self.setFocus()


def _qt_rect(rect: Rect) -> QRectF:
    return QRectF(QPointF(rect.left, rect.top), QPointF(rect.right, rect.bottom))


def _is_about(analysis: Analysis, moment: Moment | None) -> bool:
    return moment is not None and analysis.is_of(moment.tree, moment.rules)


def _shown_uids(tree: Node, folded: frozenset[int]) -> list[int]:
    found, pending = [], [tree]
    while pending:
        node = pending.pop()
        found.append(node.uid)
        if isinstance(node, Inner) and node.uid not in folded:
            pending += (node.left, node.right)
    return found
