"""Keeps the views at the cursor: the stage, curves, timeline and panels, each as often as it is worth."""

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QObject, QTimer, Slot

from gpviz.analysis.redundant_leaves import Analysis, analyse
from gpviz.app.canvas.stage import Stage
from gpviz.app.canvas.tree_canvas import RESTING_ITERATIONS
from gpviz.app.panels.step_panel import StepPanel
from gpviz.app.panels.transport_bar import TransportBar
from gpviz.app.player.pacing import FramePlan, RefreshLimiter, shows_every_step, transition_ms
from gpviz.app.player.played_run import PlayedRun
from gpviz.app.player.player import Player
from gpviz.app.plots.lazy_curves import CurvesLoader
from gpviz.app.plots.timeline import Timeline
from gpviz.app.run.run_document import Document
from gpviz.app.tasks import BackgroundTask
from gpviz.engine import Node
from gpviz.explain.answers_by_tree import AnswersByTree
from gpviz.explain.moment import Moment, moment_at, tree_at
from gpviz.explain.tree_text import caption_of, node_facts, position_text

_FRAMES_A_SECOND: Final = 60.0
_FOLLOWED_A_SECOND: Final = 4.0
"""Faster steps are too many to look at each of them from nearby."""
_CALM_MS: Final = 120
_SHARE: Final = 14
"""Trees that outrun frames get at most one part in so many of the time; large ones are then shown less often."""
_OUTRUN_MS: Final = 50
_MOST_REMEMBERED: Final = 256


_CURVES_MS: Final = 50
_TIMELINE_MS: Final = 150
_WORDS_MS: Final = 150
_FRAME_SECONDS: Final = 0.018
_PANELS_SHARE: Final = 26
"""A view is brought up to date again only after this many times what it took."""


class StageSync(QObject):
    """Follows the cursor in a run of a player: the one given, or else the first.

    The state of a tree is looked for in the background: at once when the run stands or walks, after a moment of
    calm when trees come faster than anyone can read.
    """

    def __init__(
        self,
        controller: Player,
        stage: Stage,
        parent: QObject | None = None,
        *,
        plan: FramePlan | None = None,
        run: PlayedRun | None = None,
    ) -> None:
        super().__init__(parent)
        self._chosen_run = run
        self._was_at = -1, False
        self._plan = plan or FramePlan()
        self._controller = controller
        self._stage = stage
        self._awaited: Moment | None = None
        self._pulse = RefreshLimiter(_OUTRUN_MS, _SHARE)
        self._known: AnswersByTree[Analysis] = AnswersByTree(_MOST_REMEMBERED)
        self._analyst = BackgroundTask("gpviz analyst", self)
        self._analyst.finished.connect(self._on_analysis)
        self._analyst.failed.connect(self._on_analysis_failed)
        self._guide = BackgroundTask("gpviz hover", self)
        self._guide.finished.connect(self._on_node_facts)
        self._guide.failed.connect(self._on_analysis_failed)
        self._calm = QTimer(self)
        self._calm.setSingleShot(True)
        self._calm.setInterval(_CALM_MS)
        self._calm.timeout.connect(self._ask)
        controller.run_changed.connect(self._on_run_changed)
        controller.cursor_moved.connect(self._on_cursor_moved)
        controller.playing_changed.connect(self._on_playing_changed)
        stage.canvas.node_hovered.connect(self._on_node_hovered)
        stage.canvas.set_earlier_tree(self._earlier_tree)

    @property
    def _run(self) -> PlayedRun:
        return self._controller.run if self._chosen_run is None else self._chosen_run

    @property
    def _cursor(self) -> int:
        return self._controller.cursor_in(self._run)

    @property
    def _is_moving(self) -> bool:
        return self._controller.is_moving(self._run)

    @property
    def is_busy(self) -> bool:
        """Whether something about the tree is still to be found out."""
        return self._analyst.is_busy or self._calm.isActive()

    @property
    def analysis(self) -> Analysis | None:
        """What is known of the tree under the cursor by now."""
        moment = self._tree()
        return self._known.get(moment.tree, moment.rules)

    def show_now(self, duration_ms: int = 0) -> None:
        """Show the iteration under the cursor."""
        controller = self._controller
        is_fast = self._is_moving and controller.speed > _FOLLOWED_A_SECOND
        self._stage.canvas.set_hurried(is_fast)
        is_outrun = controller.is_full_speed or (controller.direction and controller.speed > _FRAMES_A_SECOND)
        if self._is_moving and is_outrun:
            self._show_tree_only()
            return
        picture = moment_at(self._run.history, self._cursor)
        self._stage.show_picture(picture, duration_ms, keeps_state=self._is_known_stuck())
        self._stage.set_caption(caption_of(self._run.history, self._cursor))
        self._look_up(picture)

    def show_other(self, moment: Moment, caption: str, duration_ms: int = 0) -> None:
        """Show something that is not in the run, until the cursor moves or `show_now`."""
        self._stage.show_picture(moment, duration_ms)
        self._stage.set_caption(caption)

    def _show_tree_only(self) -> None:
        """When steps outrun frames nobody can read what each of them did; the tree is shown, where it changed."""
        picture = self._tree()
        before = self._stage.canvas.picture
        is_on_show = before is not None and before.step is None and before.is_same_judgement(picture)
        if self._plan.is_full or is_on_show:
            return
        with self._pulse as is_due:
            if not is_due:
                return
            self._stage.show_picture(picture, keeps_state=self._is_known_stuck())
            self._stage.set_caption(caption_of(self._run.history, self._cursor))
            self._look_up(picture)

    def _look_up(self, moment: Moment) -> None:
        """Show what is known about the tree of a moment, or see to it that it gets known."""
        known = self._known.get(moment.tree, moment.rules)
        if known is not None:
            self._analyst.cancel()
            self._calm.stop()
            self._awaited = None
            self._stage.show_analysis(known)
            return
        awaited, self._awaited = self._awaited, moment
        if awaited is not None and self.is_busy and awaited.is_same_judgement(moment):
            return  # asking again would begin it anew
        if self._is_moving and not shows_every_step(self._controller.speed):
            self._calm.start()
        else:
            self._ask()

    def _is_known_stuck(self) -> bool:
        """Whether the tree is stuck because one before it was; then its frame need not go and come again."""
        since = self._run.stuck_since
        return since is not None and self._cursor >= since

    def close(self) -> None:
        """End the threads."""
        self._controller.disconnect(self)
        self._calm.stop()
        self._analyst.close()
        self._guide.close()

    @Slot()
    def _on_run_changed(self) -> None:
        self._analyst.cancel()
        self._guide.cancel()
        self._calm.stop()
        self._awaited = None
        self._known.clear()
        self._was_at = self._cursor, self._is_moving
        self.show_now()

    @Slot()
    def _on_cursor_moved(self) -> None:
        shown, self._was_at = self._was_at, (self._cursor, self._is_moving)
        if shown != self._was_at:  # else the run has come to its end, and others go on
            self.show_now(transition_ms(self._controller.speed if self._is_moving else None))

    @Slot()
    def _on_playing_changed(self) -> None:
        if not self._is_moving:
            self.show_now()

    @Slot()
    def _ask(self) -> None:
        moment = self._tree()
        if self._known.get(moment.tree, moment.rules) is None:
            self._analyst.ask(lambda should_stop: analyse(moment.tree, moment.rules, should_stop))

    @Slot(object)
    def _on_analysis(self, analysis: Analysis) -> None:
        self._known.put(analysis.tree, analysis.rules, analysis)
        moment = self._tree()
        if analysis.is_of(moment.tree, moment.rules):
            self._stage.show_analysis(analysis)

    @Slot()
    def _on_analysis_failed(self) -> None:
        """A tree whose rows are too hard to count has no state to show."""

    @Slot(object)
    def _on_node_hovered(self, uid: int | None) -> None:
        moment = self._tree()
        tree, rules = moment.tree, moment.rules
        if uid is None or tree is None:
            self._guide.cancel()
            return
        analysis = self._known.get(tree, rules)
        self._guide.ask(lambda _: (uid, node_facts(tree, uid, rules, analysis)))

    @Slot(object)
    def _on_node_facts(self, answer: tuple[int, str]) -> None:
        self._stage.canvas.set_hover_text(*answer)

    def _earlier_tree(self, moment: Moment) -> Node | None:
        """The tree from which on nothing may have changed in what rests."""
        earlier = moment.iteration - RESTING_ITERATIONS
        return None if earlier < 0 else self._run.history.tree_at(earlier)

    def _tree(self) -> Moment:
        """The tree under the cursor, with the rules of its iteration; a branch may have others further on."""
        return tree_at(self._run.history, self._cursor)


class PanelsSync(QObject):
    """Follows the controller.

    While a run plays, curves and words are brought up to date some times a second, within the controller's frames;
    when it stands, at once.
    """

    def __init__(
        self,
        controller: Player,
        document: Document,
        curves: Sequence[CurvesLoader],
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
        self._curves = tuple(curves)
        self._timeline = timeline
        self._step_panel = step_panel
        self._transport = transport
        self._pulses: list[tuple[RefreshLimiter, Callable[[], None]]] = [
            (RefreshLimiter(_WORDS_MS, _PANELS_SHARE), self._show_words),
            (RefreshLimiter(_TIMELINE_MS, _PANELS_SHARE), self._refresh_timeline),
        ]
        self._curves_pulse = RefreshLimiter(_CURVES_MS, 2 * _PANELS_SHARE), self._hold_and_refresh_next_curves
        self._turn = 0
        self._held_curves: CurvesLoader | None = None
        controller.run_changed.connect(self._on_run_changed)
        controller.history_grew.connect(self._on_history_grew)
        controller.cursor_moved.connect(self._on_cursor_moved)
        controller.frame_ended.connect(self._on_frame_ended)
        controller.playing_changed.connect(self._on_playing_changed)
        controller.speed_changed.connect(self._on_speed_changed)
        controller.rate_changed.connect(self._on_rate_changed)
        document.bookmarks_changed.connect(self._on_bookmarks_changed)
        for curves_view in self._curves:
            curves_view.iteration_chosen.connect(controller.go_to)
        timeline.iteration_chosen.connect(controller.go_to)
        timeline.bookmark_chosen.connect(controller.go_to)
        transport.speed_chosen.connect(controller.set_speed)

    def show_all(self) -> None:
        """Bring every view to the run on show."""
        self._on_run_changed()
        self._on_speed_changed()
        self._on_bookmarks_changed()

    @Slot(bool)
    def set_ahead_hidden(self, is_hidden: bool) -> None:
        """Show the run as if it ended at the cursor, while what comes next is to be guessed; or all of it."""
        for curves in self._curves:
            curves.set_ahead_hidden(is_hidden)
        self._timeline.set_ahead_hidden(is_hidden)

    @Slot()
    def _on_run_changed(self) -> None:
        history = self._controller.run.history
        for curves in self._curves:
            curves.show_history(history)
        self._timeline.show_history(history)
        self._refresh_all()

    @Slot()
    def _on_history_grew(self) -> None:
        if not self._controller.is_playing:
            self._refresh_all()

    @Slot()
    def _on_cursor_moved(self) -> None:
        if not self._controller.is_playing or shows_every_step(self._controller.speed):
            for curves in self._curves:
                curves.show_cursor(self._controller.cursor)
            self._timeline.show_cursor(self._controller.cursor)
            self._show_words()

    @Slot()
    def _on_frame_ended(self) -> None:
        """Bring at most one view up to date in a frame, so that none takes long."""
        if self._held_curves is not None:
            self._paint_curves()
        elif self._controller.is_playing:
            self._refresh_one()
        self._plan.is_full = self._held_curves is not None or any(
            pulse.is_due_within(_FRAME_SECONDS) for pulse, _ in self._shown_pulses()
        )

    def _shown_pulses(self) -> list[tuple[RefreshLimiter, Callable[[], None]]]:
        """Without the curves where none are to be seen."""
        return [*self._pulses, self._curves_pulse] if self._seen_curves() else self._pulses

    def _seen_curves(self) -> list[CurvesLoader]:
        return [curves for curves in self._curves if curves.isVisible()]

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
        if self._held_curves is not None:
            self._paint_curves()
        for curves in self._curves:
            self._refresh_curves(curves)
        self._refresh_timeline()
        self._show_words()

    def _refresh_curves(self, curves: CurvesLoader) -> None:
        controller = self._controller
        if controller.run.config.is_sampled:
            known = controller.run.generalisation
            curves.show_generalisation(known.iterations, known.shares)
        curves.refresh()
        curves.show_stuck_since(controller.run.stuck_since)
        curves.show_cursor(controller.cursor)

    def _hold_and_refresh_next_curves(self) -> None:
        """Those on show take turns, so that several leave the tree as much time as one.

        At full speed they are painted in the next frame.
        """
        self._turn += 1
        seen = self._seen_curves()
        curves = seen[self._turn % len(seen)]
        if self._controller.is_full_speed:
            curves.hold_painting()
            self._held_curves = curves
        self._refresh_curves(curves)

    def _paint_curves(self) -> None:
        held, self._held_curves = self._held_curves, None
        if held is not None:
            held.paint_held()

    def _refresh_timeline(self) -> None:
        self._timeline.refresh()
        self._timeline.show_stuck_since(self._controller.run.stuck_since)
        self._timeline.show_cursor(self._controller.cursor)

    def _show_words(self) -> None:
        controller = self._controller
        self._step_panel.show_step(controller.run.history, controller.cursor, controller.run.stuck_since)
        self._transport.set_position(position_text(controller.run.history, controller.cursor))
