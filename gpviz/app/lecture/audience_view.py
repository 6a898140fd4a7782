"""What the audience sees of a run: the tree, a page or what a scene shows, the time strip, and a caption."""

from typing import Final

from PySide6.QtCore import QObject, Slot

from gpviz.app.lecture.audience_window import AudienceWindow
from gpviz.app.lecture.scene_player import asks_at_steps, shows_run
from gpviz.app.moment_view import MomentView, TreePart
from gpviz.app.pages.quiz_controller import QuizController
from gpviz.app.player.pacing import transition_ms
from gpviz.app.player.player import Player
from gpviz.app.player.shown_moment import MomentChange, ShownMoment
from gpviz.engine import Step
from gpviz.explain.moment import Moment
from gpviz.explain.step_text import mutation_text, tell
from gpviz.explain.tree_text import position_text
from gpviz.lecture.lecture import Scene
from gpviz.lecture.scene_content import SceneComparison

_READABLE: Final = 6.0
"""Beyond this many a second nobody reads what each of them did; where the run is stands there instead."""
_SWITCHED_ON: Final = "Guess first: the next click asks before it shows what happens."
_SWITCHED_ON_ELSEWHERE: Final = (
    "Guess first is on: where each click is one step, it asks before it shows what happens."
)


class AudienceView(QObject):
    """Shows what is under the cursor in the audience's window.

    Below the tree the step tells itself. A scene with captions of its own shows each when its iteration is
    reached, of which it speaks; where there is no way to go, at once.
    """

    def __init__(
        self,
        player: Player,
        window: AudienceWindow,
        quiz: QuizController,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._quiz = quiz
        self._question = ""
        self._result = ""
        self._player = player
        self._window = window
        self._scene: Scene | None = None
        self._iteration = player.cursor
        self.tree = TreePart(window.canvas, self)
        self._view = MomentView(self.tree, self, window.strip)
        player.moment_changed.connect(self._on_moment_changed)
        window.panels_changed.connect(self.show_all)
        window.strip.iteration_chosen.connect(self.show_all)  # nobody travels by the mouse here
        quiz.switched.connect(self._on_quiz_switched)
        quiz.asked.connect(self._on_asked)
        quiz.answered.connect(self._on_answered)
        quiz.revealed.connect(self._on_revealed)
        quiz.withdrawn.connect(self._on_withdrawn)
        window.set_guess_first(quiz.is_on)

    @Slot()
    def show_all(self) -> None:
        """Bring everything to the cursor."""
        self._view.follow(self._player)

    def set_scene(self, scene: Scene | None) -> None:
        """Say below the tree what this scene wants to be said; without one the steps tell themselves."""
        self._scene = scene
        self._show_caption()

    def close(self) -> None:
        """Follow no longer, and end the threads."""
        for source in (self._player, self._window, self._quiz):
            source.disconnect(self)
        self.tree.close()

    def show_moment(self, shown: ShownMoment) -> None:
        """Show the scene's comparison, the caption and the page."""
        self._iteration = shown.iteration
        is_readable = not self._player.is_playing or self._player.speed <= _READABLE
        self._window.content.show_iteration(shown.iteration, shown.duration_ms, is_hurried=not is_readable)
        self._show_caption()
        page = self._window.page
        if page is not None and page.isVisible():
            page.show_moment(shown.history, shown.iteration)

    @Slot(object)
    def _on_moment_changed(self, change: MomentChange) -> None:
        self._view.follow(self._player, change)

    @Slot(bool)
    def _on_quiz_switched(self, is_on: bool) -> None:
        self._result = ""
        self._window.set_guess_first(is_on)
        if is_on:
            self._window.show_caption(_SWITCHED_ON if self._asks_next else _SWITCHED_ON_ELSEWHERE)
        else:
            self._show_caption()

    @property
    def _asks_next(self) -> bool:
        """Whether the next click asks, while Guess first is on."""
        scene = self._scene
        return scene is None or (asks_at_steps(scene) and self._player.cursor < scene.last)

    @Slot(object)
    def _on_asked(self, moment: Moment) -> None:
        tried = mutation_text(moment).capitalize()
        self._question = f"{tried}: accepted or rejected?{self._score_text}"
        self._result = ""
        self.tree.show_other(moment, "", transition_ms(None))
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
            self.tree.show_again()

    def _end_question(self, result: str) -> None:
        self._question, self._result = "", result
        self._window.set_question_open(False)
        self._show_caption()

    def _show_caption(self) -> None:
        player, window, scene = self._player, self._window, self._scene
        history, cursor = player.run.history, self._iteration
        verdict = history.step_at(cursor).verdict if cursor else None
        goes_on = scene is not None and shows_run(scene) and scene.first < scene.last
        has_own = scene is not None and bool(scene.caption or scene.captions)
        own = "" if scene is None else scene.caption_at(cursor) if goes_on else scene.caption
        if self._question:
            window.show_caption(self._question, _time_text(cursor + 1))
        elif self._result:
            window.show_caption(f"{self._result}{own or tell(history, cursor)}", _time_text(cursor), verdict)
        elif scene is not None and isinstance(scene.content, SceneComparison):
            window.show_caption(own, _time_text(cursor))
        elif own and goes_on and window.has_tree:
            window.show_caption(own, _time_text(cursor), verdict)
        elif own or (not window.has_tree and not (goes_on and has_own)):
            window.show_caption(own)
        elif player.is_playing and player.speed > _READABLE:
            window.show_caption(position_text(history, cursor))
        else:
            window.show_caption(tell(history, cursor), _time_text(cursor), verdict)


def _time_text(iteration: int) -> str:
    return f"t = {iteration:,}"
