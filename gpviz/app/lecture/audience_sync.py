"""Keeps the audience's window at the cursor of a run, each part of it as often as it is worth."""

from typing import Final

from PySide6.QtCore import QObject, Slot

from gpviz.app.lecture.audience_window import AudienceWindow
from gpviz.app.lecture.scene_player import asks_at_steps, shows_run
from gpviz.app.pages.quiz_controller import QuizController
from gpviz.app.player.pacing import RefreshLimiter, shows_every_step, transition_ms
from gpviz.app.player.player import Player
from gpviz.app.view_sync import StageSync
from gpviz.engine import Step
from gpviz.explain.moment import Moment
from gpviz.explain.step_text import callout_of, tell
from gpviz.explain.tree_text import position_text
from gpviz.lecture.lecture import Scene
from gpviz.lecture.scene_content import SceneComparison

_READABLE: Final = 6.0
"""Beyond this many a second nobody reads what each of them did; the place in the run is told instead."""
_SWITCHED_ON: Final = "Guess first: the next click asks before it shows what happens."
_SWITCHED_ON_ELSEWHERE: Final = (
    "Guess first is on: where each click is one step, it asks before it shows what happens."
)
_PULSE_MS: Final = 120
_SHARE: Final = 12
_CONTENT_MS: Final = 50
_CONTENT_SHARE: Final = 4


class AudienceSync(QObject):
    """Between a controller and the audience's window.

    Below the tree the step tells itself. A scene with captions of its own shows each when its iteration is
    reached, of which it speaks; where there is no way to go, at once.
    """

    def __init__(
        self,
        controller: Player,
        window: AudienceWindow,
        quiz: QuizController,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._quiz = quiz
        self._question = ""
        self._result = ""
        self._hint = ""
        self._controller = controller
        self._window = window
        self._scene: Scene | None = None
        self._pulse = RefreshLimiter(_PULSE_MS, _SHARE)
        self._content_pulse = RefreshLimiter(_CONTENT_MS, _CONTENT_SHARE)
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
        quiz.switched.connect(self._on_quiz_switched)
        quiz.asked.connect(self._on_asked)
        quiz.answered.connect(self._on_answered)
        quiz.revealed.connect(self._on_revealed)
        quiz.withdrawn.connect(self._on_withdrawn)
        self._follow_quiz()

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
        quiz = self._quiz
        quiz.switched.disconnect(self._on_quiz_switched)
        quiz.asked.disconnect(self._on_asked)
        quiz.answered.disconnect(self._on_answered)
        quiz.revealed.disconnect(self._on_revealed)
        quiz.withdrawn.disconnect(self._on_withdrawn)
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
        history = self._controller.run.history
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

    @Slot(bool)
    def _on_quiz_switched(self, is_on: bool) -> None:
        self._result = ""
        self._hint = ""
        if is_on:
            self._hint = _SWITCHED_ON if self._asks_next else _SWITCHED_ON_ELSEWHERE
        self._follow_quiz()
        self._refresh()
        self._hint = ""

    @property
    def _asks_next(self) -> bool:
        """Whether the next click asks, while Guess first is on."""
        scene = self._scene
        return scene is None or (asks_at_steps(scene) and self._controller.cursor < scene.last)

    @Slot(object)
    def _on_asked(self, moment: Moment) -> None:
        callout = callout_of(moment)
        assert callout is not None
        self._question = f"{callout.operation} {callout.operands}: accepted or rejected?{self._score_text}"
        self._result = ""
        self.stage_sync.show_other(moment, "", transition_ms(None))
        self._window.set_question_open(True)
        self._show_caption()

    @Slot(bool, object)
    def _on_answered(self, was_right: bool, _step: Step) -> None:
        right, guesses = self._quiz.score
        self._end_question(f"{'✓ Right' if was_right else '✗ Wrong'} ({right:,} of {guesses:,}). ")

    @property
    def _score_text(self) -> str:
        right, guesses = self._quiz.score
        return f" ({right:,} of {guesses:,} right so far)" if guesses else ""

    @Slot(object)
    def _on_revealed(self, _step: Step) -> None:
        self._end_question("")

    @Slot()
    def _on_withdrawn(self) -> None:
        was_open = bool(self._question)
        self._end_question("")
        if was_open:
            self.stage_sync.show_now()

    def _end_question(self, result: str) -> None:
        self._question, self._result = "", result
        self._window.set_question_open(False)
        self._show_caption()

    def _follow_quiz(self) -> None:
        """Nothing shows what is ahead while it is to be guessed, and what is asked and answered is seen."""
        self._window.set_guess_first(self._quiz.is_on)
        for view in (self._window.curves, self._window.timeline):
            view.set_ahead_hidden(self._quiz.is_on)

    def _refresh(self) -> None:
        """Take in what is new of the run."""
        controller, window = self._controller, self._window
        if window.curves.isVisible():
            if controller.run.config.is_sampled:
                known = controller.run.generalisation
                window.curves.show_generalisation(known.iterations, known.shares)
            window.curves.refresh()
        window.curves.show_stuck_since(controller.run.stuck_since)
        if window.timeline.isVisible():
            window.timeline.refresh()
        window.timeline.show_stuck_since(controller.run.stuck_since)
        self._show_cursor()

    def _show_cursor(self) -> None:
        controller, window = self._controller, self._window
        window.curves.show_cursor(controller.cursor)
        window.timeline.show_cursor(controller.cursor)
        self._show_content()
        self._show_caption()
        page = window.page
        if page is not None and page.isVisible():
            page.show_moment(controller.run.history, controller.cursor)

    def _show_content(self) -> None:
        """Bring a comparison to the cursor; where that outruns the eye, as often as there is time for it."""
        controller, content = self._controller, self._window.content
        if not controller.is_playing or controller.speed <= _READABLE:
            speed = controller.speed if controller.is_playing else None
            content.show_iteration(controller.cursor, transition_ms(speed))
            return
        with self._content_pulse as is_due:
            if is_due:
                content.show_iteration(controller.cursor, is_hurried=True)

    def _show_caption(self) -> None:
        controller, window, scene = self._controller, self._window, self._scene
        history, cursor = controller.run.history, controller.cursor
        verdict = history.step_at(cursor).verdict if cursor else None
        goes_on = scene is not None and shows_run(scene) and scene.first < scene.last
        has_own = scene is not None and bool(scene.caption or scene.captions)
        own = "" if scene is None else scene.caption_at(cursor) if goes_on else scene.caption
        if self._question:
            window.show_caption(self._question, _place(cursor + 1))
        elif self._hint:
            window.show_caption(self._hint)
        elif self._result:
            window.show_caption(f"{self._result}{own or tell(history, cursor)}", _place(cursor), verdict)
        elif scene is not None and isinstance(scene.content, SceneComparison):
            window.show_caption(own, _place(cursor))
        elif own and goes_on and window.has_tree:
            window.show_caption(own, _place(cursor), verdict)
        elif own or (not window.has_tree and not (goes_on and has_own)):
            window.show_caption(own)
        elif controller.is_playing and controller.speed > _READABLE:
            window.show_caption(position_text(history, cursor))
        else:
            window.show_caption(tell(history, cursor), _place(cursor), verdict)


def _place(iteration: int) -> str:
    return f"t = {iteration:,}"
