"""Keeps curves, timeline, step panel and transport at the cursor, each as often as it is worth."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, Slot

from gpviz.app.document import Document
from gpviz.app.pacing import FramePlan, RefreshLimiter, shows_every_step
from gpviz.app.panels.step_panel import StepPanel
from gpviz.app.panels.transport_bar import TransportBar
from gpviz.app.plots.curves_loader import CurvesLoader
from gpviz.app.plots.timeline import Timeline
from gpviz.app.run_controller import RunController
from gpviz.explain.tree_text import position_text

__all__ = ["PanelsSync"]

_CURVES_MS: Final = 50
_TIMELINE_MS: Final = 150
_WORDS_MS: Final = 150
_FRAME_SECONDS: Final = 0.018
_SHARE: Final = 26
"""A view is brought up to date again only after this many times what it took."""


class PanelsSync(QObject):
    """Follows the controller.

    While a run plays, curves and words are brought up to date some times a second, within the controller's frames;
    when it stands, at once.
    """

    def __init__(
        self,
        controller: RunController,
        document: Document,
        curves: CurvesLoader,
        timeline: Timeline,
        step_panel: StepPanel,
        transport: TransportBar,
        parent: QObject | None = None,
        *,
        plan: FramePlan | None = None,
    ) -> None:
        super().__init__(parent)
        self._plan = plan or FramePlan()
        self._controller = controller
        self._document = document
        self._curves = curves
        self._timeline = timeline
        self._step_panel = step_panel
        self._transport = transport
        self._pulses: tuple[tuple[RefreshLimiter, Callable[[], None]], ...] = (
            (RefreshLimiter(_WORDS_MS, _SHARE), self._show_words),
            (RefreshLimiter(_TIMELINE_MS, _SHARE), self._refresh_timeline),
            (RefreshLimiter(_CURVES_MS, 2 * _SHARE), self._hold_and_refresh_curves),
        )
        self._has_held_curves = False
        controller.run_changed.connect(self._on_run_changed)
        controller.history_grew.connect(self._on_history_grew)
        controller.cursor_moved.connect(self._on_cursor_moved)
        controller.frame_ended.connect(self._on_frame_ended)
        controller.playing_changed.connect(self._on_playing_changed)
        controller.speed_changed.connect(self._on_speed_changed)
        controller.rate_changed.connect(self._on_rate_changed)
        document.bookmarks_changed.connect(self._on_bookmarks_changed)
        for view in (curves, timeline):
            view.iteration_chosen.connect(controller.go_to)
        timeline.bookmark_chosen.connect(controller.go_to)
        transport.speed_chosen.connect(controller.set_speed)

    def show_all(self) -> None:
        """Bring every view to the run on show."""
        self._on_run_changed()
        self._on_speed_changed()
        self._on_bookmarks_changed()

    @Slot()
    def _on_run_changed(self) -> None:
        history = self._controller.history
        self._curves.show_history(history)
        self._timeline.show_history(history)
        self._refresh_all()

    @Slot()
    def _on_history_grew(self) -> None:
        if not self._controller.is_playing:
            self._refresh_all()

    @Slot()
    def _on_cursor_moved(self) -> None:
        if not self._controller.is_playing or shows_every_step(self._controller.speed):
            self._curves.show_cursor(self._controller.cursor)
            self._timeline.show_cursor(self._controller.cursor)
            self._show_words()

    @Slot()
    def _on_frame_ended(self) -> None:
        """Bring at most one view up to date in a frame, so that none takes long."""
        if self._has_held_curves:
            self._paint_curves()
        elif self._controller.is_playing:
            self._refresh_one()
        self._plan.is_full = self._has_held_curves or any(
            pulse.is_due_within(_FRAME_SECONDS) for pulse, _ in self._shown_pulses()
        )

    def _shown_pulses(self) -> tuple[tuple[RefreshLimiter, Callable[[], None]], ...]:
        """Without the curves where another page has their place."""
        return self._pulses if self._curves.isVisible() else self._pulses[:-1]

    def _refresh_one(self) -> None:
        for pulse, refresh in self._shown_pulses():
            with pulse as is_due:
                if is_due:
                    refresh()
                    return

    @Slot()
    def _on_playing_changed(self) -> None:
        self._refresh_all()

    @Slot()
    def _on_speed_changed(self) -> None:
        self._transport.set_speed(self._controller.speed)

    @Slot()
    def _on_rate_changed(self) -> None:
        # A slow pace is kept to; measured over a moment it would only flicker.
        is_slow = shows_every_step(self._controller.speed)
        self._transport.set_rate(None if is_slow else self._controller.rate)

    @Slot()
    def _on_bookmarks_changed(self) -> None:
        self._timeline.set_bookmarks(self._document.bookmarks)

    def _refresh_all(self) -> None:
        if self._has_held_curves:
            self._paint_curves()
        self._refresh_curves()
        self._refresh_timeline()
        self._show_words()

    def _refresh_curves(self) -> None:
        controller = self._controller
        if controller.config.is_sampled:
            known = controller.generalisation
            self._curves.show_generalisation(known.iterations, known.shares)
        self._curves.refresh()
        self._curves.show_stuck_since(controller.stuck_since)
        self._curves.show_cursor(controller.cursor)

    def _hold_and_refresh_curves(self) -> None:
        """At full speed they are painted in the next frame."""
        if self._controller.is_full_speed:
            self._curves.hold_painting()
            self._has_held_curves = True
        self._refresh_curves()

    def _paint_curves(self) -> None:
        self._has_held_curves = False
        self._curves.paint_held()

    def _refresh_timeline(self) -> None:
        self._timeline.refresh()
        self._timeline.show_stuck_since(self._controller.stuck_since)
        self._timeline.show_cursor(self._controller.cursor)

    def _show_words(self) -> None:
        controller = self._controller
        self._step_panel.show_step(controller.history, controller.cursor)
        self._transport.set_position(position_text(controller.history, controller.cursor))
