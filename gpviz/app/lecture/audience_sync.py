"""Keeps the audience's window at the cursor of a run, each part of it as often as it is worth."""

from typing import Final

from PySide6.QtCore import QObject, Slot

from gpviz.app.lecture.audience_window import AudienceWindow
from gpviz.app.lecture.player import shows_run
from gpviz.app.pacing import RefreshLimiter, shows_every_step
from gpviz.app.run.run_controller import RunController
from gpviz.app.view_sync import StageSync
from gpviz.explain.step_text import tell
from gpviz.explain.tree_text import position_text
from gpviz.run.lecture import Scene

__all__ = ["AudienceSync"]

_READABLE: Final = 6.0
"""Beyond this many a second nobody reads what each of them did; the place in the run is told instead."""
_PULSE_MS: Final = 120
_SHARE: Final = 12


class AudienceSync(QObject):
    """Between a controller and the audience's window.

    Below the tree the step tells itself. A scene with a caption of its own shows it when its last iteration is
    reached, of which it speaks; where there is no way to go, at once.
    """

    def __init__(
        self, controller: RunController, window: AudienceWindow, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._controller = controller
        self._window = window
        self._scene: Scene | None = None
        self._pulse = RefreshLimiter(_PULSE_MS, _SHARE)
        self._is_closed = False
        self.stage_sync = StageSync(controller, window.stage, self)
        controller.run_changed.connect(self._on_run_changed)
        controller.cursor_moved.connect(self._on_cursor_moved)
        controller.history_grew.connect(self._on_history_grew)
        controller.playing_changed.connect(self._on_playing_changed)
        controller.frame_ended.connect(self._on_frame_ended)
        window.panels_changed.connect(self._on_panels_changed)
        for view in (window.curves, window.timeline):
            view.iteration_chosen.connect(self._on_iteration_chosen)

    def show_all(self) -> None:
        """Bring everything to the run on show."""
        self.stage_sync.show_now()
        self._on_run_changed()

    def set_scene(self, scene: Scene | None) -> None:
        """Say below the tree what this scene wants to be said; without one the steps tell themselves."""
        self._scene = scene
        self._show_caption()

    def close(self) -> None:
        """Follow no longer, and end the threads."""
        if self._is_closed:
            return
        self._is_closed = True
        controller, window = self._controller, self._window
        controller.run_changed.disconnect(self._on_run_changed)
        controller.cursor_moved.disconnect(self._on_cursor_moved)
        controller.history_grew.disconnect(self._on_history_grew)
        controller.playing_changed.disconnect(self._on_playing_changed)
        controller.frame_ended.disconnect(self._on_frame_ended)
        window.panels_changed.disconnect(self._on_panels_changed)
        controller.disconnect(self.stage_sync)
        self.stage_sync.close()

    @property
    def _is_stepwise(self) -> bool:
        """Whether each step is worth showing."""
        return not self._controller.is_playing or shows_every_step(self._controller.speed)

    @Slot(int)
    def _on_iteration_chosen(self, _iteration: int) -> None:
        """Nobody travels by the mouse here; the line on show stays where the run is."""
        self._show_cursor()

    @Slot()
    def _on_run_changed(self) -> None:
        history = self._controller.history
        self._window.curves.show_history(history)
        self._window.timeline.show_history(history)
        self._refresh()

    @Slot()
    def _on_panels_changed(self) -> None:
        self._refresh()

    @Slot()
    def _on_history_grew(self) -> None:
        if not self._controller.is_playing:
            self._refresh()

    @Slot()
    def _on_playing_changed(self) -> None:
        self._refresh()

    @Slot()
    def _on_cursor_moved(self) -> None:
        if self._is_stepwise:
            self._show_cursor()

    @Slot()
    def _on_frame_ended(self) -> None:
        if not self._controller.is_playing:
            return
        with self._pulse as is_due:
            if is_due:
                self._refresh()

    def _refresh(self) -> None:
        """Take in what is new of the run."""
        controller, window = self._controller, self._window
        if window.curves.isVisible():
            if controller.config.is_sampled:
                known = controller.generalisation
                window.curves.show_generalisation(known.iterations, known.shares)
            window.curves.refresh()
        window.curves.show_stuck_since(controller.stuck_since)
        if window.timeline.isVisible():
            window.timeline.refresh()
        window.timeline.show_stuck_since(controller.stuck_since)
        self._show_cursor()

    def _show_cursor(self) -> None:
        controller, window = self._controller, self._window
        window.curves.show_cursor(controller.cursor)
        window.timeline.show_cursor(controller.cursor)
        self._show_caption()
        page = window.page
        if page is not None and page.isVisible():
            page.show_moment(controller.history, controller.cursor)

    def _show_caption(self) -> None:
        controller, window = self._controller, self._window
        history, cursor, scene = controller.history, controller.cursor, self._scene
        goes_on = scene is not None and shows_run(scene) and scene.first < scene.last
        is_own = scene is not None and bool(scene.caption) and (not goes_on or cursor >= scene.last)
        verdict = history.step_at(cursor).verdict if cursor else None
        if scene is not None and is_own:
            if goes_on and window.has_tree:
                window.show_caption(scene.caption, _place(cursor), verdict)
            else:
                window.show_caption(scene.caption)
        elif not window.has_tree and not (goes_on and scene is not None and scene.caption):
            window.show_caption("")
        elif controller.is_playing and controller.speed > _READABLE:
            window.show_caption(position_text(history, cursor))
        else:
            window.show_caption(tell(history, cursor), _place(cursor), verdict)


def _place(iteration: int) -> str:
    return f"t = {iteration:,}"
