"""Decides which part of the drawing is seen: the whole of it, kept in view, or what somebody chose to look at."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from gpviz.app.canvas.camera import Camera, Margins, fitted
from gpviz.app.canvas.mover import Mover
from gpviz.app.canvas.scene import Frame

__all__ = ["FIT_MS", "Framing"]

FIT_MS: Final = 180


class Framing(QObject):
    """Moves to frames by the camera that suits them."""

    fitted_changed = Signal(bool)

    def __init__(self, canvas: QWidget, mover: Mover, room: Callable[[], tuple[Margins, float]]) -> None:
        """``room`` says what stays free around a drawing, and how large it may be."""
        super().__init__(canvas)
        self.is_fitted = True
        self.is_motion_reduced = False
        self._canvas = canvas
        self._mover = mover
        self._room = room
        self._is_aside = False
        self._waiting: Camera | None = None

    @property
    def is_still(self) -> bool:
        """Whether nothing may move, as nobody wishes it or would see it."""
        return self.is_motion_reduced or not self._canvas.isVisible()

    @property
    def chosen(self) -> Camera:
        """The camera of the tree on show, also while another drawing is looked at."""
        return self._mover.goal if self._waiting is None else self._waiting

    def go_to(self, frame: Frame, duration_ms: int) -> None:
        """Move from what is seen now to this frame, and to the camera that shows it."""
        self._go(frame, self._fitting(frame) if self.is_fitted else self._mover.goal, duration_ms)

    def go_aside(self, frame: Frame, duration_ms: int) -> None:
        """The same to the whole of a drawing in which everything has another place.

        A camera that somebody chose waits until `come_back`.
        """
        if not self._is_aside:
            self._is_aside = True
            self._waiting = None if self.is_fitted else self._mover.goal
            self._go(frame, self._fitting(frame), duration_ms)
        else:
            self.go_to(frame, duration_ms)

    def come_back(self, frame: Frame, duration_ms: int) -> None:
        """Move to a frame, and if another drawing was looked at, to the camera from before it."""
        waiting, was_aside = self._waiting, self._is_aside
        self._waiting, self._is_aside = None, False
        if not was_aside or self.is_fitted:
            self.go_to(frame, duration_ms)
        elif waiting is None:
            self.set_fitted(True)
            self.go_to(frame, duration_ms)
        else:
            self._go(frame, waiting, duration_ms)

    def refit(self) -> None:
        """Show the whole tree again after the room for it has changed."""
        if self.is_fitted:
            self._mover.set_goal(self._fitting(self._mover.target))

    def glide(self) -> None:
        """The same, but to be seen, as what takes the room comes while somebody looks at the tree."""
        if self._mover.is_moving or not len(self._mover.target):
            self.refit()
        elif self.is_fitted and self._fitting(self._mover.target) != self._mover.goal:
            self.go_to(self._mover.target, FIT_MS)

    def take(self, camera: Camera) -> None:
        """The user has taken over: nothing else moves the camera until it is fitted again."""
        self.set_fitted(False)
        self._mover.take_camera(camera)

    def set_fitted(self, is_fitted: bool) -> None:
        """Keep the whole tree in view, or no longer."""
        if is_fitted != self.is_fitted:
            self.is_fitted = is_fitted
            self.fitted_changed.emit(is_fitted)

    def _go(self, frame: Frame, goal: Camera, duration_ms: int) -> None:
        self._mover.go_to(frame, goal, 0 if self.is_still else duration_ms)

    def _fitting(self, frame: Frame) -> Camera:
        margins, most = self._room()
        return fitted(frame.bounds, self._canvas.width(), self._canvas.height(), margins, most)
