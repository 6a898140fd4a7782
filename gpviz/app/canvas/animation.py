"""Animates the change from one tree to the next: kept nodes glide, added ones grow, removed ones fade."""

from collections.abc import Mapping, Sequence
from math import pi
from typing import Final, NamedTuple

import numpy as np
from PySide6.QtCore import QAbstractAnimation, QObject, QVariantAnimation, Signal, Slot

from gpviz.app.canvas.camera import Camera, mixed
from gpviz.app.canvas.tree_frame import EMPTY, Floats, Frame, Ints

MOST_MOVING_NODES: Final = 4000
"""Larger trees jump: a motion that stutters explains nothing."""


def eased(progress: float) -> float:
    """Time bent so that a motion starts and ends gently."""
    progress = min(max(progress, 0.0), 1.0)
    return progress * progress * (3.0 - 2.0 * progress)


class Transition:
    """The frames between ``before`` and ``after``. Nodes of ``after`` come first in their arrays.

    What is kept, added and removed is told by the nodes on show, not by two trees: a transition may start in the
    middle of another one, whose removed nodes are still to be seen, and collapsing hides nodes that stay in the
    tree.
    """

    def __init__(self, before: Frame, after: Frame) -> None:
        self.before = before
        self.after = after
        old, kept = _found(before, after.uids), _found(after, before.uids)
        is_added = old < 0
        gone = np.flatnonzero((kept < 0) & (before.opacity > 0.0))
        self._uids = np.concatenate([after.uids, before.uids[gone]])
        self._faces = after.faces + before.faces
        new_face = np.concatenate([after.face, before.face[gone] + len(after.faces)])
        old_face = (
            np.where(is_added, after.face, before.face[old] + len(after.faces)) if len(before) else after.face
        )
        self._old_face = np.concatenate([old_face, new_face[len(after) :]])
        self._new_face = new_face
        # A node that becomes a ghost, or is one no longer, stays as it is.
        is_relabelled = [
            self._faces[a][:2] != self._faces[b][:2] for a, b in zip(self._old_face, new_face, strict=True)
        ]
        self._is_relabelled = np.array(is_relabelled, dtype=bool)

        def both(values: Floats, coming: Floats) -> Floats:
            kept = np.where(is_added, coming, values[old]) if len(before) else coming
            return np.concatenate([kept, values[gone]])

        nothing = np.zeros(len(after))
        leaving = np.zeros(len(gone))
        coming_x, coming_y = _origins(after, before, old)
        going_x, going_y = _origins(before, after, kept)
        self._x = both(before.x, coming_x), np.concatenate([after.x, going_x[gone]])
        self._y = both(before.y, coming_y), np.concatenate([after.y, going_y[gone]])
        self._size = both(before.size, nothing), np.concatenate([after.size, leaving + 0.5])
        self._flip = both(before.flip, nothing + 1.0)
        self._opacity = both(before.opacity, nothing), np.concatenate([after.opacity, leaving])
        self._edge_tint: tuple[str, ...] = ()
        self._set_edges()

    def _set_edges(self) -> None:
        """The edges of both frames; one that both have keeps its strength."""
        place = {uid: number for number, uid in enumerate(self._uids.tolist())}
        old, new = _edges(self.before, place), _edges(self.after, place)
        pairs = list(old.keys() | new.keys())
        nothing = (0.0, "")
        if self.before.edge_tint or self.after.edge_tint:
            newer = new if self.after.edge_tint else {}
            self._edge_tint = tuple((newer.get(pair) or old.get(pair, nothing))[1] for pair in pairs)
        self._edge_a, self._edge_b = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        self._edge_opacity = (
            np.array([old.get(pair, nothing)[0] for pair in pairs]),
            np.array([new.get(pair, nothing)[0] for pair in pairs]),
        )

    def at(self, progress: float) -> Frame:
        """The frame at this progress: exactly ``before`` at 0, exactly ``after`` at 1."""
        if progress <= 0.0:
            return self.before
        if progress >= 1.0:
            return self.after
        share = eased(progress)
        turn = abs(np.cos(pi * share))
        return Frame(
            uids=self._uids,
            x=_mixed(self._x, share),
            y=_mixed(self._y, share),
            size=_mixed(self._size, share),
            flip=np.where(self._is_relabelled, turn, self._flip + (1.0 - self._flip) * share),
            opacity=_mixed(self._opacity, share),
            face=self._new_face if share >= 0.5 else self._old_face,
            faces=self._faces,
            edge_a=self._edge_a,
            edge_b=self._edge_b,
            edge_opacity=_mixed(self._edge_opacity, share),
            ghosts=self.after.ghosts,
            edge_tint=self._edge_tint,
        )


def _edges(frame: Frame, place: Mapping[int, int]) -> dict[tuple[int, int], tuple[float, str]]:
    """The strength and the tint of each edge of a frame, by the places of its ends, as far as these are given."""
    ends = zip(frame.uids[frame.edge_a].tolist(), frame.uids[frame.edge_b].tolist(), strict=True)
    looks = zip(frame.edge_opacity.tolist(), frame.edge_tint or [""] * len(frame.edge_a), strict=True)
    return {
        (place[a], place[b]): look
        for (a, b), look in zip(ends, looks, strict=True)
        if a in place and b in place
    }


def _mixed(ends: tuple[Floats, Floats], share: float) -> Floats:
    before, after = ends
    return before + (after - before) * share


def _found(frame: Frame, uids: Ints) -> Ints:
    """Where these nodes are in a frame, -1 for those it does not show."""
    return np.array([frame.index.get(uid, -1) for uid in uids.tolist()], dtype=np.int64)


def _origins(frame: Frame, other: Frame, found: Ints) -> tuple[Floats, Floats]:
    """Where the nodes that only ``frame`` shows come from, or go to.

    That is their own place, or the collapsed node of the other frame that hides them there.
    """
    x, y = frame.x.copy(), frame.y.copy()
    if not any(face.kind.is_stack for face in other.faces):
        return x, y
    above = np.full(len(frame), -1, dtype=np.int64)
    above[frame.edge_b] = frame.edge_a
    for number in np.flatnonzero(found < 0).tolist():
        up = int(above[number])
        while up >= 0 and found[up] < 0:
            up = int(above[up])
        if up >= 0 and other.face_at(int(found[up])).kind.is_stack:
            x[number], y[number] = other.x[found[up]], other.y[found[up]]
    return x, y


class Leg(NamedTuple):
    """A part of a motion: to this frame, from one share of the time to another."""

    frame: Frame
    begin: float = 0.0
    end: float = 1.0


class Animator(QObject):
    """A frame and a camera on their way to others, leg by leg. A new way starts from where everything is now."""

    moved = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.frame: Frame = EMPTY
        self.target: Frame = EMPTY
        self.camera = self.goal = self._departure = Camera()
        self.leg = 0
        """The number of the leg that is under way, or done last."""
        self._legs: tuple[Leg, ...] = ()
        self._transition: Transition | None = None
        self._progress = 1.0
        self._animation = QVariantAnimation(self)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.valueChanged.connect(self._on_value_changed)

    @property
    def is_moving(self) -> bool:
        """Whether there is still some way to go."""
        return bool(self._legs)

    @property
    def is_resting(self) -> bool:
        """Whether nothing moves at the moment: at the end of the way, or between two legs."""
        return not self._legs or not 0.0 < self._share_of_leg < 1.0

    @property
    def share(self) -> float:
        """How much of the leg under way is done, as it looks."""
        return 1.0 if not self._legs else eased(self._share_of_leg)

    @property
    def _share_of_leg(self) -> float:
        leg = self._legs[self.leg]
        return min(max((self._progress - leg.begin) / max(leg.end - leg.begin, 1e-9), 0.0), 1.0)

    def go_along(self, legs: Sequence[Leg], goal: Camera, duration_ms: int) -> None:
        """Move from leg to leg within so many milliseconds in all; 0 jumps to the end of the last one.

        The camera is at its goal with the first leg.
        """
        self._animation.stop()
        self.target, self.goal = legs[-1].frame, goal
        self._legs = tuple(legs)
        if duration_ms <= 0 or max(len(self.target), len(self.frame)) > MOST_MOVING_NODES:
            self._arrive()
            return
        self._start_leg(0)
        self._progress = 0.0
        self._animation.setDuration(duration_ms)
        self._animation.start()

    def _start_leg(self, number: int) -> None:
        """Set out from where everything is now."""
        self.leg = number
        self._departure = self.camera if len(self.frame) else self.goal
        self._transition = Transition(self.frame, self._legs[number].frame)

    def set_goal(self, goal: Camera) -> None:
        """The same tree shall be seen by another camera: at once, or at the end of a motion."""
        self.goal = goal
        if not self._legs:
            self.camera = goal
            self.moved.emit()

    def take_camera(self, camera: Camera) -> None:
        """This camera from now on, whatever else moves."""
        self.camera = self.goal = self._departure = camera
        self.moved.emit()

    def finish(self) -> None:
        """End a motion at once."""
        if self._legs:
            self._animation.stop()
            self._arrive()

    def stop(self) -> None:
        """Move no more."""
        self._animation.stop()

    def hold_at(self, progress: float) -> None:
        """Hold a motion at this progress from 0 to 1, as a film does frame by frame."""
        self._animation.pause()
        self._animation.setCurrentTime(round(progress * self._animation.duration()))

    def _arrive(self) -> None:
        self.leg = len(self._legs) - 1
        self._legs = ()
        self._transition = None
        self._progress = 1.0
        self.frame, self.camera = self.target, self.goal
        self.moved.emit()

    @Slot(object)
    def _on_value_changed(self, progress: float) -> None:
        if not self._legs or self._animation.state() is QAbstractAnimation.State.Stopped:
            return
        if progress >= 1.0:
            self._arrive()
            return
        was_resting = self.is_resting
        self._progress = progress
        while self.leg + 1 < len(self._legs) and progress >= self._legs[self.leg + 1].begin:
            self.frame, self.camera = self._legs[self.leg].frame, self.goal
            self._start_leg(self.leg + 1)
            was_resting = False
        if was_resting and self.is_resting:
            return  # between two legs there is nothing to paint
        assert self._transition is not None
        self.frame = self._transition.at(self._share_of_leg)
        self.camera = mixed(self._departure, self.goal, eased(self._share_of_leg))
        self.moved.emit()
