"""What is seen at this moment, and the one motion that brings it to what shall be seen."""

from typing import Final

from PySide6.QtCore import QAbstractAnimation, QObject, QVariantAnimation, Signal, Slot

from gpviz.app.canvas.camera import Camera, mixed
from gpviz.app.canvas.scene import EMPTY, Frame
from gpviz.app.canvas.transition import Transition, eased

__all__ = ["Mover"]

_MOST_MOVING_NODES: Final = 4000
"""Larger trees jump: a motion that stutters explains nothing."""


class Mover(QObject):
    """A frame and a camera on their way to others. A new goal starts from where everything is now."""

    moved = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.frame: Frame = EMPTY
        self.target: Frame = EMPTY
        self.camera = self.goal = self._departure = Camera()
        self._transition: Transition | None = None
        self._animation = QVariantAnimation(self)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.valueChanged.connect(self._on_value_changed)

    @property
    def is_moving(self) -> bool:
        return self._transition is not None

    @property
    def share(self) -> float:
        """How much of the way is done, as it looks."""
        return 1.0 if self._transition is None else eased(float(self._animation.currentValue() or 0.0))

    def go_to(self, frame: Frame, goal: Camera, duration_ms: int) -> None:
        """Move within so many milliseconds; 0 jumps."""
        self._animation.stop()
        self.target, self.goal = frame, goal
        if duration_ms <= 0 or max(len(frame), len(self.frame)) > _MOST_MOVING_NODES:
            self._arrive()
            return
        self._departure = self.camera if len(self.frame) else goal
        self._transition = Transition(self.frame, frame)
        self._animation.setDuration(duration_ms)
        self._animation.start()

    def set_goal(self, goal: Camera) -> None:
        """The same tree shall be seen by another camera: at once, or at the end of a motion."""
        self.goal = goal
        if self._transition is None:
            self.camera = goal
            self.moved.emit()

    def take_camera(self, camera: Camera) -> None:
        """This camera from now on, whatever else moves."""
        self.camera = self.goal = self._departure = camera
        self.moved.emit()

    def finish(self) -> None:
        """End a motion at once."""
        if self._transition is not None:
            self._animation.stop()
            self._arrive()

    def stop(self) -> None:
        """Move no more."""
        self._animation.stop()

    def put_to(self, progress: float) -> None:
        """Hold a motion at this progress from 0 to 1, as a film does frame by frame."""
        self._animation.pause()
        self._animation.setCurrentTime(round(progress * self._animation.duration()))

    def _arrive(self) -> None:
        self._transition = None
        self.frame, self.camera = self.target, self.goal
        self.moved.emit()

    @Slot(object)
    def _on_value_changed(self, progress: float) -> None:
        if self._transition is None or self._animation.state() is QAbstractAnimation.State.Stopped:
            return
        if progress >= 1.0:
            self._arrive()
            return
        self.frame = self._transition.at(progress)
        self.camera = mixed(self._departure, self.goal, eased(progress))
        self.moved.emit()
