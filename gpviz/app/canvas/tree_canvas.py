"""The tree canvas: a tree on show that is zoomed, panned, folded and asked, by mouse and keyboard."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
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
from gpviz.app.canvas.animation import MOST_MOVING_NODES, Animator, Leg
from gpviz.app.canvas.callout import callout_height, callout_place
from gpviz.app.canvas.camera import Bounds, Camera, Margins, fitted, near_to
from gpviz.app.canvas.free_space import FreeSpace
from gpviz.app.canvas.minimap import Minimap, is_in_view, minimap_box
from gpviz.app.canvas.mutation_marks import Marks, mark_boxes, marks_of, pair_marks_of, tint_of
from gpviz.app.canvas.node_card import NodeCard
from gpviz.app.canvas.node_shapes import LABEL_SIZE, extent_of
from gpviz.app.canvas.overlay import folded, without_heat
from gpviz.app.canvas.parent_and_offspring import Pair, has_pair, heading_height, pair_of
from gpviz.app.canvas.sprite_atlas import AtlasCache
from gpviz.app.canvas.stuck_leaf_notes import MOST_NOTES, Notes, hint_height, note_height, placed_notes
from gpviz.app.canvas.tree_frame import Frame, neighbour_of, resting_uids, standing_for
from gpviz.app.canvas.tree_layout import FrameBuilder
from gpviz.app.canvas.tree_painter import Drawing, free_space_of, paint_drawing
from gpviz.app.theme import Theme
from gpviz.app.timers import single_shot
from gpviz.app.widgets.themed import Themed
from gpviz.engine import Inner, Leaf, Node
from gpviz.engine.tree import nodes_of, variables_of
from gpviz.explain.moment import Moment, Overlay
from gpviz.explain.node_descriptions import description_of, node_text, node_title, notes_text
from gpviz.explain.step_picture import StepPicture, step_picture
from gpviz.explain.tree_state_text import LeafGroup, groups_of, leaf_notes
from gpviz.runs.history import Origin

_REACH: Final = 24.0
_SMALLEST_REACH: Final = 9.0
"""In pixels: how near the mouse has to come to a node that is drawn very small."""

_SHORTEST_PROPOSAL_MS: Final = 180
_SHORTEST_BEFORE_MS: Final = 900
_LONGEST_GLIDE_MS: Final = 700
FIT_MS: Final = 180
FOLD_MS: Final = 200
_DESCRIPTION_DELAY_MS: Final = 300
_LARGEST_FITTED_SCALE: Final = 1.5
_PULSE_MS: Final = 1100
_PULSE_TICK_MS: Final = 33
_PULSE_REACH: Final = 72.0
_SMALLEST_PULSE: Final = 0.35
RESTING_ITERATIONS: Final = 30
"""What has not changed in so many iterations rests."""
_ZOOM_STEP: Final = 1.25
_ZOOM_PER_DEGREE: Final = 1.0015
_DRAG_DISTANCE: Final = 5
_BELOW_CALLOUT: Final = 10.0
_BESIDE_NOTES: Final = 1.6
"""What else stays free on both sides for notes, for each point of the size of type."""
_LEAST_WITH_NOTES: Final = 0.5
_LEAST_WITH_CALLOUT: Final = 0.7
"""So much of its size a tree keeps at least when words want room beside it."""
_LEVELS_WITH_NOTES: Final = (0.95, 1.15, 1.35)
"""How far apart the levels of a tree are at least so that notes find room between them; the least that will do."""
_USUAL_NOTE: Final = ("delete +9", "relabel ≥ +9")
_REASONS_HINT: Final = "Why each leaf stays: see the page Proof"
_READABLE: Final = 10.0
"""In pixels at the usual size of type: labels that are smaller are looked at from nearby."""
_NEARER: Final = (1.0, 1.2, 1.45, 1.75)
"""How much larger than just readable a part of the tree may be, so that its callout finds room."""
_LEAST_READABLE: Final = 0.8
"""How much smaller it may be, so that more of a large part that goes is in view."""
_BESIDE_PLACE: Final = 40.0
"""In the drawing's units: what is seen around the places of a step at least."""
_PAN_SHARE: Final = 0.18
_REVEALED_MARGIN: Final = 12.0
_BY_KEYBOARD: Final = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)
_DIRECTIONS: Final = {
    int(Qt.Key.Key_Up): "parent",
    int(Qt.Key.Key_Down): "child",
    int(Qt.Key.Key_Left): "left",
    int(Qt.Key.Key_Right): "right",
}
_PANS: Final = {"parent": (0, -1), "child": (0, 1), "left": (-1, 0), "right": (1, 0)}


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


def step_times(duration_ms: int) -> list[tuple[float, float]]:
    """When, as shares of its time, a step glides to what was before, to the proposal, and to the verdict.

    A short one leaves out what was before, and a very short one the proposal. However long it is, nodes glide
    for a moment and then rest.
    """
    if duration_ms < _SHORTEST_PROPOSAL_MS:
        return [(0.0, 1.0)]
    is_long = duration_ms >= _SHORTEST_BEFORE_MS
    begins = (0.0, 0.14, 0.5) if is_long else (0.0, 0.55)
    lengths = (0.1, 0.22, 0.2) if is_long else (0.4, 0.45)
    longest = _LONGEST_GLIDE_MS / duration_ms
    return [(begin, begin + min(length, longest)) for begin, length in zip(begins, lengths, strict=True)]


class Room(NamedTuple):
    """What stays free around a tree, and with words between its levels how far these are apart at least."""

    margins: Margins
    levels: float = 0.0

    def with_more(self, *, above: float = 0.0, below: float = 0.0, beside: float = 0.0) -> "Room":
        """Room for words, too; beside the tree, so that the notes of its outermost leaves need no more lines."""
        left, top, right, bottom = self.margins
        return self._replace(margins=Margins(left + beside, top + above, right + beside, bottom + below))


class TreeCanvas(Themed, QWidget):
    """One tree with its marks, to be looked at and asked. Uids name nodes; ``None`` is no node."""

    following_changed = Signal(bool)
    """Somebody has taken over, or wants to see the whole tree, so the mutation is followed no longer."""
    node_hovered = Signal(object)
    """Somebody may know more about the node that the card is about; None when there is no card any more."""
    node_selected = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.picture: Moment | None = None
        self._origin: Origin | None = None
        self._tree: Node | None = None
        self._analysis: Analysis | None = None
        self._leaf_notes: Mapping[int, tuple[str, ...]] = {}
        self._leaf_groups: tuple[LeafGroup, ...] = ()
        self._reasons_hint = _REASONS_HINT
        self._marks: Marks | None = None
        self._is_step_under_way = False
        self._stages: tuple[Marks | None, ...] = ()
        """The marks of each leg of a motion."""
        self.collapsed: frozenset[int] = frozenset()
        self._resting: frozenset[int] = frozenset()
        self._opened: frozenset[int] = frozenset()
        """What is folded by hand, what is folded because it rests, and what of that was opened by hand."""
        self._earlier: Node | None = None
        self._is_redundant_shown = self._is_reasons_shown = self._is_ghosts_shown = True
        self._is_side_by_side = False
        self.is_following = self.is_thumbnail = self._is_hurried = False
        self.is_fitted = True
        """Whether the camera is the one that suits the tree, as nobody has taken over."""
        self._is_near = False
        """Whether it shows only the part around the place to look at."""
        self._chosen_camera: Camera | None = None
        """The one somebody chose before parent and offspring came."""
        self._is_motion_reduced = False
        self._is_selection_followed = False
        self._pair: Pair | None = None
        self._reserved_top = 0.0
        self._cleared = QRectF()
        self._has_focus_ring = False
        self._atlases = AtlasCache(self.theme)
        self._frame_builder = FrameBuilder(self)
        self._frame_builder.arranged.connect(self._on_arranged)
        self.layout_refused = self._frame_builder.refused
        self._animator = Animator(self)
        self._animator.moved.connect(self._on_moved)
        self.minimap = Minimap(self)
        self.minimap.place_chosen.connect(self._look_at)
        self._minimap_box: QRectF | None = None
        self._hovered: int | None = None
        self.selected_uid: int | None = None
        self.card = NodeCard(self)
        self._asked: int | None = None
        """The node that the card is about: the one under the mouse, or else the selected one."""
        self._told = self._extra = ""
        self.overlay: Overlay | None = None
        self._pulse = 0.0
        self._pulse_timer = QTimer(self)
        self._pulse_timer.setInterval(_PULSE_TICK_MS)
        self._pulse_timer.timeout.connect(self._on_pulse_ticked)
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
        return self._animator.is_moving

    @property
    def is_verdict_pending(self) -> bool:
        """Whether a step is on its way, and what became of it is not shown yet."""
        return self.is_moving and self._animator.leg < len(self._stages) - 1

    def show_picture(
        self, picture: Moment | None, duration_ms: int = 0, *, earlier: Node | None = None
    ) -> None:
        """Go to this picture within so many milliseconds; 0 jumps.

        What rests, as it is as in an ``earlier`` tree, is folded while the step is elsewhere.
        """
        picture = _unrevealed(picture)
        tree = None if picture is None else picture.tree
        origin = None if picture is None else picture.origin or (picture.config, None, ())
        is_other_run = origin != self._origin
        if is_other_run:
            # It numbers its nodes anew.
            self._origin = origin
            self.collapsed = self._resting = self._opened = frozenset()
            self._select(None)
        before, self.picture = self.picture, picture
        if tree is not self._tree or is_other_run:
            self._tree = tree
            self._analysis = None
            self._leaf_notes, self._leaf_groups = {}, ()
        elif self._analysis is not None and not _is_about(self._analysis, picture):
            self.show_analysis(None)
        is_same = not is_other_run and _is_same_picture(before, picture)
        if is_same and (earlier is None) != (self._earlier is None):
            is_same, self._opened = False, frozenset()
        self._earlier = earlier
        if not is_same or self._is_pair_stale():
            self._arrange(duration_ms, is_next=_is_next(before, picture) and not is_other_run)
            self._let_go_of_hidden()
        self._describing.start()

    @property
    def _is_verdict_hidden(self) -> bool:
        return self.picture is not None and self.picture.is_verdict_hidden

    @property
    def _shown_marks(self) -> Marks | None:
        return self._marks if self._is_ghosts_shown else None

    def _marks_now(self, *, is_proposal: bool = False) -> Marks | None:
        if self.picture is None or self._pair is None:
            return marks_of(self.picture, self._folded, is_proposal=is_proposal)
        return pair_marks_of(self.picture, self._folded)

    def show_analysis(self, analysis: Analysis | None) -> None:
        """Add what is known of the tree on show; an analysis of another tree or under other rules is ignored."""
        if analysis is not None and not _is_about(analysis, self.picture):
            return
        self._analysis = analysis
        self._leaf_notes, self._leaf_groups = leaf_notes(analysis), groups_of(analysis)
        self._show_card()
        self._describing.start()
        self._glide()
        self.update()

    def apply_theme(self, theme: Theme) -> None:
        self._atlases = AtlasCache(theme)
        self._refit()
        self._show_card()
        self.update()

    def set_redundant_shown(self, is_shown: bool) -> None:
        """Shade the leaves the tree could do without."""
        self._is_redundant_shown = is_shown
        self.update()

    def set_ghosts_shown(self, is_shown: bool) -> None:
        """Mark what the step did or would have done."""
        if is_shown != self._is_ghosts_shown:
            self._is_ghosts_shown = is_shown
            self._rearrange()
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
        self._keep_rhythm()
        self.update()

    def set_reserved_top(self, height: float) -> None:
        """Keep the tree out of this much at the top, where something lies over the canvas."""
        if height != self._reserved_top:
            self._reserved_top = height
            self._refit()
            self.update()

    def set_cleared(self, box: QRectF) -> None:
        """Show nothing of the tree here, where words stand before it."""
        if box != self._cleared:
            self._cleared = box
            self.update()

    def drawing(self) -> Drawing:
        """What is to be seen at this moment, as plain data; `paint_drawing` paints it anywhere."""
        is_told = not self._is_verdict_hidden
        analysis = self._analysis if self._is_redundant_shown and is_told else None
        marks = self._marks_on_leg(self._animator.leg) if self._stages and self.is_moving else self._marks
        return Drawing(
            camera=self._animator.camera,
            frame=self._animator.frame,
            marks=marks if self._is_ghosts_shown else None,
            marks_opacity=self._marks_opacity(),
            redundant=frozenset() if analysis is None else analysis.redundant,
            notes=self._notes(),
            root=self._marked_root(),
            selected=self.selected_uid,
            has_focus=self.hasFocus(),
            hovered=self._hovered,
            is_moving=self.is_moving,
            goal=(self._animator.target, self._animator.goal) if self.is_moving else None,
            placeholder=self._placeholder(),
            top_margin=self._reserved_top,
            covered=() if self._minimap_box is None else (self._minimap_box,),
            overlay=self._shown_overlay(),
            pulse=self._pulse if self._pulse_timer.isActive() else None,
            headings=() if self._pair is None else self._pair.headings,
        )

    def _marks_opacity(self) -> float:
        """Marks come with the first part of a motion; what is marked already stays so until its verdict."""
        leg = self._animator.leg
        is_later = self.is_moving and leg > 0 and self._marks_on_leg(leg - 1) is not None
        return 1.0 if is_later or not self._is_step_under_way else self._animator.share

    def _marks_on_leg(self, leg: int) -> Marks | None:
        """A motion that is still seen when another begins may have had more legs."""
        return self._stages[min(leg, len(self._stages) - 1)]

    def _marked_root(self) -> int | None:
        """The root, if its place does not tell that it is one."""
        is_clear = self._pair is not None or self._frame_builder.is_layered
        return None if is_clear or self._tree is None else self._tree.uid

    def set_reasons_hint(self, hint: str) -> None:
        """What stands on a stuck tree whose leaves have no room for their notes, such as where to read them."""
        self._reasons_hint = hint
        self.update()

    def _notes(self) -> Notes | None:
        """The notes on a stuck tree; on any other full one only room for them, as it may turn out to be stuck."""
        tree, picture = self._tree, self.picture
        if not self._is_reasons_shown or tree is None or picture is None:
            return None
        marked = frozenset(() if self._shown_marks is None else self._shown_marks.about)
        if self._leaf_notes and not self._is_verdict_hidden:
            groups = self._leaf_groups if self._marked_root() is None else ()
            return Notes(self._leaf_notes, groups, self._reasons_hint, marked)
        # Where there is no step, they come faster than they can be shown.
        is_fleeting = picture.step is None and picture.iteration > 0
        if self._pair is not None or is_fleeting or not _may_be_stuck(picture):
            return None
        nodes = nodes_of(tree) if tree.leaves <= MOST_NOTES else ()
        leaves = {node.uid: _USUAL_NOTE for node in nodes if isinstance(node, Leaf)}
        return Notes(leaves, (), self._reasons_hint, marked, is_shown=False)

    @Slot()
    def describe_now(self) -> None:
        """Bring the description for screen readers up to date, which otherwise waits for a quiet moment."""
        self._describing.stop()
        if self.selected_uid is not None and self._asked == self.selected_uid:
            self.setAccessibleDescription(self.card.text)
            return
        beside = "" if self._pair is None else " Parent and offspring are beside each other."
        folded = len(self._resting - self._opened)
        if folded:
            beside += f" Folded because unchanged for {RESTING_ITERATIONS} iterations: {folded}."
        notes = "" if self._is_verdict_hidden or not self._is_reasons_shown else notes_text(self._analysis)
        self.setAccessibleDescription(f"{description_of(self.picture)}{beside}{notes and ' '}{notes}")
        self.minimap.describe()

    def shut_down(self) -> None:
        """Stop everything that moves or computes; call it before the window goes."""
        self._animator.stop()
        self._pulse_timer.stop()
        self._describing.stop()
        self._frame_builder.shut_down()

    def _placeholder(self) -> tuple[str, str]:
        if self.picture is None:
            return "No run yet", "Start one to see its tree grow."
        return "The tree is empty", "The first mutation adds a leaf."

    # What lies over it

    def set_overlay(self, overlay: Overlay | None) -> None:
        """Lay this over the tree; of nodes that are not on show nothing is painted."""
        if overlay != self.overlay:
            self.overlay = overlay
            self._keep_rhythm()
            self.update()

    def _shown_overlay(self) -> Overlay | None:
        """What is painted: collapsed nodes stand for what they hide, and a hidden verdict stays so."""
        if self.overlay is None:
            return None
        overlay = folded(self.overlay, self._tree, self._folded)
        return without_heat(overlay) if self._is_verdict_hidden else overlay

    def _pulsing(self) -> int | None:
        """The node that pulses."""
        overlay = self._shown_overlay()
        uid = None if overlay is None else overlay.pulsing
        return uid if uid in self._animator.target.index else None

    def _keep_rhythm(self) -> None:
        is_pulsing = not self._is_still and self._pulsing() is not None
        if is_pulsing and not self._pulse_timer.isActive():
            self._pulse = 0.0
            self._pulse_timer.start()
        elif not is_pulsing:
            self._pulse_timer.stop()

    @Slot()
    def _on_pulse_ticked(self) -> None:
        self._pulse = (self._pulse + _PULSE_TICK_MS / _PULSE_MS) % 1.0  # by ticks, so it never jumps
        uid = self._pulsing()
        place = None if uid is None else self.node_rect(uid)
        if place is not None:
            reach = _PULSE_REACH * max(self._animator.camera.scale, _SMALLEST_PULSE)
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
    def _wants_pair(self) -> bool:
        return self._is_side_by_side and has_pair(self.picture)

    def _is_pair_stale(self) -> bool:
        if self._pair is None or not self._wants_pair:
            return self._wants_pair != (self._pair is not None)
        return not self._pair.is_of(self.picture)

    def _arrange(self, duration_ms: int, *, is_next: bool = False) -> None:
        """Bring the tree, or both trees, to their places; the next step of what is on show comes bit by bit."""
        self._resting = self._resting_now()
        had_pair = self._pair is not None
        self._pair = pair_of(self.picture, self._folded) if self._wants_pair and self.picture else None
        self._marks = self._marks_now()
        self._stages = (self._marks,)
        self._is_step_under_way = True
        self._is_selection_followed = False
        if self._pair is not None:
            legs = [Leg(self._pair.frame)]
        else:
            legs = self._legs(duration_ms) if is_next and not self._is_still else [Leg(self._arranged())]
        self._go_between_drawings(legs, duration_ms, had_pair=had_pair)
        self._keep_rhythm()

    def _arranged(self) -> Frame:
        picture = self.picture
        if picture is None:
            return self._frame_builder.arrange(StepPicture(None), self._folded)
        shown = step_picture(picture) if self._is_ghosts_shown else StepPicture(picture.tree)
        tint = tint_of(None if self._marks is None else self._marks.verdict)
        return self._frame_builder.arrange(shown, self._folded, tint)

    def _legs(self, duration_ms: int) -> list[Leg]:
        """What a step shows on its way: the tree before it, what is proposed, and the verdict."""
        picture = self.picture
        times = step_times(duration_ms)
        if picture is None or picture.step is None or not self._is_ghosts_shown or len(times) == 1:
            return [Leg(self._arranged())]
        if (
            max(tree.size for tree in (picture.parent, picture.offspring) if tree is not None)
            > MOST_MOVING_NODES
        ):
            return [Leg(self._arranged())]
        stages: list[Marks | None] = []
        frames: list[Frame] = []
        if len(times) > 2:
            frames.append(self._frame_builder.arrange(StepPicture(picture.parent), self._folded))
            stages.append(None)
        last = self._arranged()
        proposal = step_picture(picture, is_proposal=True)
        frames += [self._frame_builder.frame_of_other(proposal, tint_of(None)), last]
        stages += [self._marks_now(is_proposal=True), self._marks]
        self._stages = tuple(stages)
        return [Leg(frame, begin, end) for frame, (begin, end) in zip(frames, times, strict=True)]

    def _room_for_words(self, frame: Frame, camera: Camera) -> Room:
        """The room that the tree leaves for its notes and the callout of its step.

        The tree comes first: where notes would make it much smaller, a sentence stands for them.
        """
        room, has_notes = self._room(), self._notes() is not None
        if not len(frame) or not (self._shown_marks or has_notes):
            return room
        without = room.with_more(below=hint_height(self.theme)) if has_notes else room
        with_notes = room.with_more(below=self.notes_height)
        for_notes = [with_notes._replace(levels=levels) for levels in _LEVELS_WITH_NOTES if has_notes]
        for words in (*for_notes, without):
            is_with_notes = words is not without
            least = camera.scale * (_LEAST_WITH_NOTES if is_with_notes else _LEAST_WITH_CALLOUT)
            for more in self._rooms_with_callout(words) if self._shown_marks else (words,):
                fitted = self._fitted(frame, more)
                if fitted.scale < least:
                    continue
                if is_with_notes and not self._has_notes_room(frame, fitted):
                    break  # nor would they fit a tree that is smaller still
                if self._has_callout_room(frame, fitted):
                    return more
        return without

    def _rooms_with_callout(self, words: Room) -> tuple[Room, ...]:
        """The room for other words, and ways to have room for the callout as well."""
        height, beside = callout_height(self.theme) + _BELOW_CALLOUT, _BESIDE_NOTES * self.theme.font_size
        below = words.with_more(below=height)
        # A smaller tree may have notes on more lines, which then take the room that was meant for the callout.
        return words, below, below.with_more(beside=beside), words.with_more(above=height, beside=beside)

    def _has_callout_room(self, frame: Frame, camera: Camera) -> bool:
        """Whether the callout of the step, if there is one, would hide nothing."""
        marks = self._shown_marks
        if marks is None:
            return True
        box = self._minimap_box_at(frame, camera)
        around = self._free_space(frame=frame, camera=camera, covered=() if box is None else (box,))
        boxes = mark_boxes(marks, around)
        return not boxes or callout_place(marks.full_callout, boxes, (), around, self.theme).is_free

    def _has_notes_room(self, frame: Frame, camera: Camera) -> bool:
        """Whether all notes would find a place.

        It is the same for all full trees of this shape, stuck or not, so that none moves once that is known.
        """
        notes = self._notes()
        if notes is None:
            return True
        leaves = dict.fromkeys(notes.leaves, _USUAL_NOTE)
        usual = replace(notes, leaves=leaves, groups=(), marked=frozenset())
        around = self._free_space(frame=frame, camera=camera, covered=(), notes=None)
        return bool(placed_notes(usual, around, self.theme).leaves)

    # Layout

    @property
    def layout_name(self) -> str:
        return self._frame_builder.layout_name

    @property
    def is_layout_refused(self) -> bool:
        """Whether the tree is tidy because the chosen layout does not suit one of its size."""
        return self._frame_builder.is_refusing

    @property
    def drawn_nodes(self) -> int:
        """How many nodes are laid out; what is collapsed does not count."""
        return len(self._animator.target)

    @property
    def is_layout_pending(self) -> bool:
        """Whether a slow layout is still being computed."""
        return self._frame_builder.is_waiting

    def set_layout(self, name: str) -> None:
        """Draw trees in the layout of this name."""
        if name != self.layout_name or self.is_layout_refused:
            self._frame_builder.set_layout(name)
            self._rearrange()

    def _rearrange(self) -> None:
        self._arrange(FOLD_MS)
        self._let_go_of_hidden()

    @Slot(object)
    def _on_arranged(self, frame: Frame) -> None:
        if self._pair is None:
            self._go_to([Leg(frame)], FOLD_MS)
            self._keep_rhythm()

    # Motion

    def finish_motion(self) -> None:
        """End a transition at once."""
        self._animator.finish()

    def hold_motion(self, progress: float) -> None:
        """Hold a running transition at this progress from 0 to 1."""
        self._animator.hold_at(progress)

    @Slot()
    def _on_moved(self) -> None:
        if not self.is_moving:
            self._is_step_under_way = False
            self._stages = (self._marks,)
        self._place_minimap()
        self._place_card()
        self.update()

    # Camera

    @property
    def camera(self) -> Camera:
        return self._animator.camera

    @property
    def _is_still(self) -> bool:
        """Whether nothing may move, as nobody wants it or would see it."""
        return self._is_motion_reduced or not self.isVisible()

    def _go_between_drawings(self, legs: Sequence[Leg], duration_ms: int, *, had_pair: bool) -> None:
        """Move on; in the drawing of a pair everything has another place, so a chosen camera waits meanwhile."""
        has_pair = self._pair is not None
        if has_pair and not had_pair:
            self._chosen_camera = None if self.is_fitted else self._animator.goal
            self._move(legs, self._fit(legs[-1].frame), duration_ms)
        elif has_pair == had_pair or self.is_fitted:
            self._go_to(legs, duration_ms)
        elif self._chosen_camera is None:
            self.is_fitted = True
            self._go_to(legs[-1:], duration_ms)
        else:
            self._move(legs[-1:], self._chosen_camera, duration_ms)

    def _go_to(self, legs: Sequence[Leg], duration_ms: int) -> None:
        """Move from what is seen now along these legs, and to the camera that suits the last one.

        A camera that comes near or leaves always glides.
        """
        was_near = self._is_near
        goal = self._fit(legs[-1].frame) if self.is_fitted else self._animator.goal
        if not duration_ms and was_near != self._is_near and len(self._animator.target):
            self._move(legs, self._animator.goal, 0)
            duration_ms = FIT_MS
        self._move(legs, goal, duration_ms)

    def _move(self, legs: Sequence[Leg], goal: Camera, duration_ms: int) -> None:
        self._animator.go_along(legs, goal, 0 if self._is_still else duration_ms)

    def _glide(self) -> None:
        """See the tree by the camera that suits it now, and see it come, unless somebody has taken over."""
        target = self._animator.target
        if self._animator.is_moving or not len(target):
            self._refit()
        elif self.is_fitted and (camera := self._fit(target)) != self._animator.goal:
            self._move([Leg(target)], camera, FIT_MS)

    def _refit(self) -> None:
        """The same at once."""
        if self.is_fitted:
            self._animator.set_goal(self._fit(self._animator.target))

    def _fit(self, frame: Frame) -> Camera:
        """The camera that shows a frame with room for words; where labels get too small, the step from nearby."""
        camera = self._fitted(frame, self._room())
        place = self._followed_place(frame) if camera.scale < self._readable_scale else None
        if place is not None:
            camera = self._near_to(place, frame)
        else:
            camera = self._fitted(frame, self._room_for_words(frame, camera))
        self._is_near = place is not None
        return camera

    def _fitted(self, frame: Frame, room: Room) -> Camera:
        most = _LARGEST_FITTED_SCALE * (self.theme.font_size / 10.0)
        return fitted(frame.bounds, self.width(), self.height(), room.margins, most, levels=room.levels)

    def _near_to(self, place: Bounds, frame: Frame) -> Camera:
        """The camera that moves least, or else the one from furthest away, at which a callout finds room."""
        margins, width, height = self._room().margins, self.width(), self.height()
        before = self._animator.goal if self._is_near else None
        across = (width - margins.left - margins.right) / max(place.right - place.left, 1.0)
        down = (height - margins.top - margins.bottom) / max(place.bottom - place.top, 1.0)
        scales = [min(self._readable_scale * nearer, across, down) for nearer in _NEARER]
        choices = [near_to(place, frame.bounds, scales[0], width, height, margins, before)]
        choices += [near_to(place, frame.bounds, scale, width, height, margins) for scale in scales]
        return next((camera for camera in choices if self._has_callout_room(frame, camera)), choices[0])

    def _room(self) -> Room:
        """What stays free around the tree in any case."""
        above = self._reserved_top + (heading_height(self.theme) if self._pair else 0.0)
        return Room(Margins()).with_more(above=above)

    @property
    def _readable_scale(self) -> float:
        """At smaller scales labels are too small."""
        return _READABLE / LABEL_SIZE * (self.theme.font_size / 10.0)

    @property
    def notes_height(self) -> float:
        """What is kept free below the tree for notes."""
        notes, tree, picture = self._notes(), self._tree, self.picture
        if notes is None or tree is None or picture is None:
            return 0.0
        return note_height(self.theme, has_groups=tree.ors > 0 and not picture.rules.has_subtree_deletion)

    def node_rect(self, uid: int) -> QRectF | None:
        """Where a node is seen at this moment."""
        return rect_of(self._animator.frame, self._animator.camera, self.size(), uid)

    def _free_space(self, **changes: Any) -> FreeSpace:
        """What is free at this moment, or would be if something of the drawing were different."""
        drawing = replace(self.drawing(), **changes)
        return free_space_of(drawing, self.width(), self.height(), self.theme)

    # Following the mutation

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

    def set_thumbnail(self, is_thumbnail: bool) -> None:
        """Whether the canvas is only there to keep the whole tree in sight, however small."""
        if is_thumbnail != self.is_thumbnail:
            self.is_thumbnail = is_thumbnail
            self._glide()

    def _stop_following(self) -> None:
        """Somebody wants to see something else; where nothing was followed, nothing has to end."""
        if self._is_near and self.is_fitted:
            self.is_fitted = False  # so that nothing moves yet
            self.set_following(False)

    def _followed_place(self, frame: Frame) -> Bounds | None:
        """The rectangle to look at from nearby, None for the whole tree."""
        is_followed = self.is_following and not self._is_hurried and not self.is_thumbnail
        if self._pair is not None or not is_followed or self._marks is None:
            return None
        about = self._marks.about
        if self._is_selection_followed and self.selected_uid is not None:
            about = (self.selected_uid,)
        numbers = [frame.index[uid] for uid in about if uid in frame.index]
        if not numbers:
            return None
        least, margins = self._readable_scale * _LEAST_READABLE, self._room().margins
        width = self.width() - margins.left - margins.right
        height = self.height() - margins.top - margins.bottom
        place = None
        for x, y in zip(frame.x[numbers].tolist(), frame.y[numbers].tolist(), strict=True):
            # What is most telling comes first; the rest of a part that is too large is out of view.
            grown = _with_point(place, x, y)
            across, down = grown.right - grown.left, grown.bottom - grown.top
            if place is None or (across * least <= width and down * least <= height):
                place = grown
        return place

    # Minimap

    def _minimap_box_at(self, frame: Frame, camera: Camera) -> QRectF | None:
        if self._pair is not None or is_in_view(frame, camera, self.width(), self.height()):
            return None
        around = self._free_space(frame=frame, camera=camera, covered=())
        marked = [] if self._marks is None else mark_boxes(self._marks, around)
        return minimap_box(around, camera, self.theme, marked, self._minimap_box)

    def _place_minimap(self) -> None:
        """Bring the minimap to its corner, and show what is in view now."""
        target = self._animator.target
        self._minimap_box = self._minimap_box_at(target, self._animator.goal)
        self.minimap.show_view(self._minimap_box, target, self._animator.camera, self._shown_marks)

    @Slot(float, float)
    def _look_at(self, x: float, y: float) -> None:
        self._take(replace(self._animator.camera, x=x, y=y))

    # Events

    def sizeHint(self) -> QSize:
        return QSize(720, 520)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 180)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self.theme.colours.panel))
        paint_drawing(
            painter,
            self.drawing(),
            self.width(),
            self.height(),
            self.theme,
            self._atlases,
            painter.deviceTransform().m11(),  # real pixels per pixel, on a screen and in a picture of any scale
        )
        painter.fillRect(self._cleared, QColor(self.theme.colours.panel))
        if self._has_focus_ring and self.hasFocus():
            half = self.theme.line_scale
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(self.theme.colours.accent), 2.0 * half))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(half, half, -half, -half), 5.0, 5.0)
        painter.end()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._keep_rhythm()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._keep_rhythm()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._refit()
        self._place_minimap()
        self._place_card()

    # Zooming

    @Slot()
    def fit(self) -> None:
        """Show the whole tree, and keep it in view from now on."""
        self._stop_following()
        self.is_fitted = True
        self._go_to([Leg(self._animator.target)], FIT_MS)
        if self._is_near:
            self.set_following(False)  # the tree has grown since somebody looked at it by hand

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

    def _zoom(self, factor: float, about: QPointF) -> None:
        self._take(self._animator.camera.zoomed(factor, about.x(), about.y(), self.width(), self.height()))

    def _pan(self, across: int, down: int) -> None:
        """Move the view by a part of its size."""
        dx, dy = across * _PAN_SHARE * self.width(), down * _PAN_SHARE * self.height()
        self._take(self._animator.camera.panned(-dx, -dy))

    def _take(self, camera: Camera) -> None:
        """The user has taken over: nothing else moves the camera until it is fitted again."""
        self._stop_following()
        self.is_fitted = False
        self._animator.take_camera(camera)

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
            self._rearrange()
        elif any(node.uid == uid and isinstance(node, Inner) for node in nodes_of(self._tree)):
            self.collapsed ^= {uid}
            self._rearrange()

    @Slot()
    def toggle_collapsed_selected(self) -> None:
        if self.selected_uid is not None:
            self.toggle_collapsed(self.selected_uid)

    @Slot()
    def expand_all(self) -> None:
        if self._folded:
            self._opened |= self._resting
            self.collapsed = frozenset()
            self._rearrange()

    def _resting_now(self) -> frozenset[int]:
        picture = self.picture
        if picture is None or self._earlier is None:
            return frozenset()
        shown = step_picture(picture)
        return resting_uids(shown.tree, self._earlier, frozenset(shown.places))

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

    def _let_go_of_hidden(self) -> None:
        """Let go of nodes that are no longer shown; the selection moves to what hides them."""
        shown = self._animator.target.index
        if self.selected_uid is not None and self.selected_uid not in shown:
            self._select(standing_for(self._tree, self._folded).get(self.selected_uid))
        if self._hovered not in shown:
            self._hovered = None
        # A node that stays may have another subtree, so it is asked about anew.
        self._ask(is_anew=True)

    def _ask(self, *, is_anew: bool = False) -> None:
        """Have the card tell of the node under the mouse, or else of the selected one."""
        uid = self._hovered
        if uid is None and (self.picture is None or not self.picture.is_preview):
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
        told = self._told or node_text(self._asked, self._analysis)
        lines = () if self._is_verdict_hidden else (told, self._extra)
        self.card.set_text(title, "\n".join(filter(None, lines)))
        self._describing.start()
        self._place_card()

    def _place_card(self) -> None:
        """Bring the card to where its node is now."""
        place = None if self._asked is None else self.node_rect(self._asked)
        if place is None or not place.intersects(QRectF(self.rect())):
            self.card.hide()
        else:
            self.card.place_beside(place.toAlignedRect(), self._free_space())

    def node_number_of(self, uid: int | None) -> int | None:
        """The number of a node of the tree on show, in preorder from 1, as a mutation names it."""
        nodes = enumerate(nodes_of(self._tree), start=1)
        return next((number for number, node in nodes if node.uid == uid), None)

    def select(self, uid: int | None) -> None:
        """Select a node of the tree."""
        target = self._animator.target
        if uid is None or (uid in target.index and uid not in target.ghosts):
            self._select(uid)
            self._ask()

    def _select(self, uid: int | None) -> None:
        if uid != self.selected_uid:
            self.selected_uid = uid
            self.node_selected.emit(uid)
            self._describing.start()
            self.update()

    def _select_neighbour(self, direction: str) -> None:
        if self.selected_uid is None:
            found = None if self._tree is None else self._tree.uid
        else:
            found = neighbour_of(self._tree, self.selected_uid, direction, self._folded)
        if found is not None:
            self._point_at(None)
            self.select(found)
            self._reveal(found)

    def _reveal(self, uid: int) -> None:
        """Bring a node into view that is not, or is below the minimap."""
        box = rect_of(self._animator.target, self._animator.goal, self.size(), uid)
        if box is None:
            return
        away = _REVEALED_MARGIN
        room = QRectF(self.rect()).adjusted(away, away + self._reserved_top, -away, -away)
        is_covered = self._minimap_box is not None and self._minimap_box.intersects(box)
        if room.contains(box) and not is_covered:
            return
        if self._is_near and self.is_fitted:
            self._is_selection_followed = True
            self._glide()
        elif not self.is_fitted:
            middle = box.center() - QRectF(self.rect()).center()
            self._take(self._animator.goal.panned(-middle.x(), -middle.y()))

    def node_at(self, place: QPointF) -> int | None:
        """The node at this place of the canvas."""
        uid = node_at(self._animator.frame, self._animator.camera, self.size(), place)
        is_own = uid is not None and uid >= 0  # the other tree of a pair is only looked at
        target = self._animator.target
        return uid if is_own and uid in target.index and uid not in target.ghosts else None

    def _hover(self, uid: int | None) -> None:
        self.setCursor(Qt.CursorShape.ArrowCursor if uid is None else Qt.CursorShape.PointingHandCursor)
        self._point_at(uid)

    def _point_at(self, uid: int | None) -> None:
        if uid != self._hovered:
            self._hovered = uid
            self.update()
        self._ask()

    # Mouse and keyboard

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
        self._take(self._animator.camera.panned(place.x() - before.x(), place.y() - before.y()))

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
        """Have the keyboard from the start, and let it be seen until the mouse is used."""
        self._has_focus_ring = True  # while the window is not shown, no event tells of the focus
        self.setFocus()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() is not Qt.FocusReason.ActiveWindowFocusReason:  # it then is as it was
            self._has_focus_ring = event.reason() in _BY_KEYBOARD
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.ActiveWindowFocusReason:
            self._has_focus_ring = False
        self.update()


def _with_point(place: Bounds | None, x: float, y: float) -> Bounds:
    """A rectangle with one more node in it."""
    aside = _BESIDE_PLACE
    box = Bounds(x - aside, y - aside, x + aside, y + aside)
    if place is None:
        return box
    left, top = min(place.left, box.left), min(place.top, box.top)
    return Bounds(left, top, max(place.right, box.right), max(place.bottom, box.bottom))


def _is_about(analysis: Analysis, picture: Moment | None) -> bool:
    return picture is not None and analysis.is_of(picture.tree, picture.rules)


def _unrevealed(picture: Moment | None) -> Moment | None:
    """The picture; where its verdict is hidden, of the parent, as the tree that survives would tell."""
    if picture is None or picture.step is None or not picture.is_verdict_hidden or picture.is_preview:
        return picture
    return replace(picture, tree=picture.parent, is_preview=True)


def _may_be_stuck(picture: Moment) -> bool:
    """Whether the tree of a moment may turn out to be stuck, as far as a glance tells: it is full and wrong."""
    tree, rules, step = picture.tree, picture.rules, picture.step
    if tree is None or tree.leaves != rules.max_leaves or rules.is_sampled:
        return False
    if step is not None:
        return bool(step.parent_error if picture.is_preview else step.error)
    return tree.ors > 0 or variables_of(tree).bit_count() < rules.n


def _is_same_picture(one: Moment | None, other: Moment | None) -> bool:
    """Whether two moments look the same, so that nothing has to move."""
    if one is None or other is None:
        return one is other
    return (
        one.tree is other.tree
        and one.parent is other.parent
        and _drawn(one) == _drawn(other)
        and one.is_preview == other.is_preview
        and one.is_verdict_hidden == other.is_verdict_hidden
    )


def _drawn(moment: Moment) -> tuple[object, ...] | None:
    """What tells the step of a moment from others of the same tree."""
    step = moment.step
    return None if step is None else (moment.iteration, step.mutation, step.verdict)


def _is_next(one: Moment | None, other: Moment | None) -> bool:
    """Whether a moment is the step that follows on the tree of another."""
    if one is None or other is None or other.step is None or other.is_preview:
        return False
    return other.parent is one.tree and other.iteration == one.iteration + 1
