"""Moves a canvas from what it shows to other items and another zoom."""

from collections.abc import Sequence

from PySide6.QtCore import QAbstractAnimation, QObject, QVariantAnimation, Signal, Slot

from gpviz.app.canvas.camera import WHOLE, Zoom, mixed
from gpviz.app.canvas.painter import resting
from gpviz.picture.items import Enter, Item
from gpviz.picture.motion import MOVE, SHORTEST_MS, between


def calmed(items: Sequence[Item]) -> list[Item]:
    """The same where nothing flashes or shakes, as only a new step does."""
    return [each._replace(enter=Enter.FADE) if each.enter is Enter.SHAKE else each for each in resting(items)]


class Motion(QObject):
    """The items and the zoom on show, and how they move to others; a new motion begins where everything is."""

    moved = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.items: Sequence[Item] = ()
        self.zoom = self.goal = self._start = WHOLE
        self._before: Sequence[Item] = ()
        self._after: Sequence[Item] = ()
        self._animation = QVariantAnimation(self)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.valueChanged.connect(self._on_value_changed)

    @property
    def is_moving(self) -> bool:
        """Whether the end is still to be reached."""
        return self._animation.state() is not QAbstractAnimation.State.Stopped

    def go_to(self, items: Sequence[Item], goal: Zoom, duration_ms: int) -> None:
        """Move within so many milliseconds; at once, if nobody could follow it."""
        self._animation.stop()
        self._before, self._after = self.items, items
        self._start, self.goal = self.zoom, goal
        if duration_ms < SHORTEST_MS or not self._before:
            self._arrive()
            return
        self._animation.setDuration(duration_ms)
        self._animation.start()

    def change_to(self, items: Sequence[Item], goal: Zoom) -> None:
        """End the motion at these instead; be there at once if nothing moves."""
        self._after, self.goal = items, goal
        if not self.is_moving:
            self._arrive()

    def take_zoom(self, zoom: Zoom) -> None:
        """This zoom from now on, whatever else moves."""
        self.zoom = self.goal = self._start = zoom
        self.moved.emit()

    def finish(self) -> None:
        """Be at the end of the motion at once."""
        if self.is_moving:
            self._animation.stop()
            self._arrive()

    def stop(self) -> None:
        """Move no more."""
        self._animation.stop()

    def _arrive(self) -> None:
        self.items, self.zoom = resting(self._after), self.goal
        self.moved.emit()

    @Slot(object)
    def _on_value_changed(self, share: float) -> None:
        if share >= 1.0:
            self._animation.stop()
            self._arrive()
        elif self.is_moving:
            self.items = between(self._before, self._after, share)
            self.zoom = mixed(self._start, self.goal, MOVE.progress(share))
            self.moved.emit()
