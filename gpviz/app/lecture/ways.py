"""The way of a speaker through a run that is shown without a lecture, by the same clicks as through scenes."""

from typing import Protocol

from PySide6.QtCore import QObject, Signal, Slot

from gpviz.app.lecture.player import Upcoming
from gpviz.app.run_controller import RunController
from gpviz.record.facts import position_text
from gpviz.record.moment import moment_at

__all__ = ["PlainWay", "Way"]


class Way(Protocol):
    """What clicks can ask for."""

    def forward(self, *, is_held: bool = False) -> None: ...
    def back(self, *, is_held: bool = False) -> None: ...
    def next_scene(self) -> None: ...
    def previous_scene(self) -> None: ...
    def restart_scene(self) -> None: ...
    def go_first(self) -> None: ...
    def go_last(self) -> None: ...
    def toggle_playing(self) -> None: ...
    def next_moment(self) -> Upcoming: ...


class PlainWay(QObject):
    """Each click is an iteration, and each accepted mutation is what a scene is in a lecture."""

    moved = Signal()

    def __init__(self, controller: RunController, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._controller = controller
        controller.cursor_moved.connect(self._on_moved)
        controller.run_changed.connect(self._on_moved)

    @property
    def place_text(self) -> str:
        """Where the run is."""
        return position_text(self._controller.history, self._controller.cursor)

    def forward(self, *, is_held: bool = False) -> None:
        self._controller.step_forward()

    def back(self, *, is_held: bool = False) -> None:
        self._controller.step_back()

    def next_scene(self) -> None:
        self._controller.go_next_accepted()

    def previous_scene(self) -> None:
        self._controller.go_previous_accepted()

    def restart_scene(self) -> None:
        """Nothing: a clicker's start button must not lose the place."""

    def go_first(self) -> None:
        self._controller.go_first()

    def go_last(self) -> None:
        self._controller.go_live()

    def toggle_playing(self) -> None:
        self._controller.toggle_playing()

    def next_moment(self) -> Upcoming:
        """What the next click shows."""
        history, cursor = self._controller.history, self._controller.cursor
        title = f"Iteration {cursor + 1:,}"
        if cursor < len(history):
            return Upcoming(title=title, moment=moment_at(history, cursor + 1))
        return Upcoming(title="The next iteration is computed when you go on.", is_sentence=True)

    def close(self) -> None:
        """Hear no more of the controller, which lives on."""
        self._controller.cursor_moved.disconnect(self._on_moved)
        self._controller.run_changed.disconnect(self._on_moved)

    @Slot()
    def _on_moved(self) -> None:
        self.moved.emit()
