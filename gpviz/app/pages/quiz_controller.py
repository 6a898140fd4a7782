"""Guess first: before the next iteration is shown it is asked whether its offspring will be accepted."""

from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from gpviz.app.pages.phase_controller import PhaseController
from gpviz.app.player.player import Player
from gpviz.app.player.shown_moment import Changed, MomentChange
from gpviz.app.question import Question
from gpviz.engine import State, Step, Verdict
from gpviz.engine.mutation import apply, fresh_uids
from gpviz.explain.iteration_phases import hidden_preview
from gpviz.explain.moment import Moment, moment_at
from gpviz.runs.branches import search_at
from gpviz.runs.history import MAX_ITERATIONS

_STUCK: Final = "This tree is stuck: nothing better can be reached. The right arrow steps on."
_SOLVED: Final = "Solved: the tree computes the target. The right arrow steps on."
_GOOD_ENOUGH: Final = "The error goal is reached. The right arrow steps on."


class QuizController(QObject):
    """Asks about the iteration after the cursor, and counts the right guesses.

    While it is on, `next`, `next_phase` and `toggle_playing` stand in for what steps and plays the run. At
    the live end the iteration that is asked about is drawn aside, and recorded only when it is shown, so that
    nothing in the window gives it away.
    """

    switched = Signal(bool)
    asked = Signal(object)
    """With the `Moment` to show: what is proposed to the tree on show, without its end."""
    answered = Signal(bool, object)
    """Whether the guess was right, and the `Step`, which is now under the cursor."""
    revealed = Signal(object)
    """Nobody has guessed; with the `Step`, which is now under the cursor."""
    withdrawn = Signal()
    """The question, or what was said of the last one, is no longer about the iteration on show."""
    score_changed = Signal(int, int)
    """How many guesses were right, and how many there were."""
    stayed = Signal(str)
    """Why the run does not play, as a sentence."""

    def __init__(
        self,
        player: Player,
        phases: PhaseController | None,
        parent: QObject | None = None,
        *,
        tree_state: Callable[[], State | None] | None = None,
    ) -> None:
        """Without ``phases`` none are opened or played; ``tree_state`` tells the state of the tree on show."""
        super().__init__(parent)
        self._player = player
        self._phases = phases
        self._tree_state = tree_state
        self.is_on = False
        """Whether it asks."""
        self.score = (0, 0)
        """How many guesses were right, and how many there were, since it was switched on."""
        self._step: Step | None = None
        self._has_answered = False  # whether how the last question ended is still on show
        self._end: tuple[int, Callable[[], None]] | None = None
        """The iteration to come, and what is said then."""
        self._drawing = Question(self, self._on_drawn, self._on_failed)
        player.moment_changed.connect(self._on_moment_changed)
        player.playing_changed.connect(self._on_playing_changed)

    @property
    def is_asking(self) -> bool:
        """Whether a question waits for its answer."""
        return self._step is not None

    def close(self) -> None:
        """End its thread, and hear no more of the player, which may live on."""
        self._drawing.close()
        self._player.moment_changed.disconnect(self._on_moment_changed)
        self._player.playing_changed.disconnect(self._on_playing_changed)

    @Slot(bool)
    def set_on(self, is_on: bool) -> None:
        """Ask from now on, with a new score; or no longer."""
        if is_on == self.is_on:
            return
        self.is_on = is_on
        if is_on:
            self._count(0, 0)
            if self._player.is_playing:
                self._player.pause()
        self.withdraw()
        self.switched.emit(is_on)

    @Slot()
    def next(self) -> None:
        """Ask about the next iteration; a question that is open is answered instead. Off, it steps forward."""
        if not self.is_on:
            self._player.step_forward()
        elif self.is_asking:
            self.reveal()
        elif not self._drawing.is_busy:
            self._prepare()

    @Slot()
    def next_phase(self) -> None:
        """To the next phase; where that is in the next iteration, ask first."""
        if self._phases is None or (self.is_on and self._phases.goes_on_next):
            self.next()
        else:
            self._phases.down()

    @Slot()
    def toggle_playing(self) -> None:
        """Play or pause; while it asks before each verdict, go on to the next question instead.

        Where the run pauses by its rules, as the tree is solved or stuck, it does not play on by the same key.
        """
        played = self._player if self._phases is None else self._phases
        is_playing = self._player.is_playing if self._phases is None else self._phases.is_run_playing
        reason = "" if is_playing else self._reason_to_stay()
        if self.is_on and not is_playing:
            self.next()
        elif reason:
            self.stayed.emit(reason)
        else:
            played.toggle_playing()

    def _reason_to_stay(self) -> str:
        player, state = self._player, None if self._tree_state is None else self._tree_state()
        history, cursor = player.run.history, player.cursor
        if not player.is_at_live_end or cursor < history.script_end:
            return ""
        if state is State.STUCK and player.rules.stuck:
            return _STUCK
        if not player.rules.solved or not history.config_after(cursor).is_solved(history.error_at(cursor)):
            return ""
        return _SOLVED if state is State.SOLVED else _GOOD_ENOUGH

    @Slot(bool)
    def guess(self, is_accepted: bool) -> None:
        """Count a guess, and show how the iteration ended."""
        step = self._step
        if step is not None:
            was_right = step.is_accepted == is_accepted
            right, guesses = self.score
            self._count(right + was_right, guesses + 1)
            self._show(step, partial(self.answered.emit, was_right, step))

    @Slot()
    def reveal(self) -> None:
        """Show how the iteration ended, and count nothing."""
        step = self._step
        if step is not None:
            self._show(step, partial(self.revealed.emit, step))

    def _prepare(self) -> None:
        player = self._player
        if player.is_playing:
            player.pause()
        history, cursor = player.run.history, player.cursor
        if not player.is_at_live_end:
            self._ask(moment_at(history, cursor + 1))
        elif cursor >= MAX_ITERATIONS:
            player.step_forward()  # it tells that there are no more
        else:
            search = search_at(history, cursor)
            self._drawing.ask(history, cursor, lambda _: search.step())

    def _ask(self, moment: Moment) -> None:
        if moment.step is not None and moment.step.verdict is Verdict.UNCHANGED:
            self._player.step_forward()  # the offspring is the parent: there is nothing to guess
            return
        self._step = moment.step
        self.asked.emit(hidden_preview(moment))

    def _show(self, step: Step, tell: Callable[[], None]) -> None:
        self._step = None
        self._end = step.iteration, tell
        self._player.step_forward()  # which draws the same again where it is not recorded

    def _count(self, right: int, guesses: int) -> None:
        if (right, guesses) != self.score:
            self.score = right, guesses
            self.score_changed.emit(right, guesses)

    @Slot(object)
    def _on_drawn(self, step: Step) -> None:
        history, cursor = self._player.run.history, self._player.cursor
        parent = history.tree_at(cursor)
        offspring = step.tree
        if not step.is_accepted:
            offspring = apply(parent, step.mutation, fresh_uids(history.first_uid, step.iteration))
        self._ask(
            Moment(
                config=history.config_after(cursor),
                iteration=step.iteration,
                tree=step.tree,
                step=step,
                parent=parent,
                offspring=offspring,
                origin=history.origin,
            )
        )

    @Slot(str)
    def _on_failed(self, _problem: str) -> None:
        """The run itself meets the same problem, and tells it."""
        self._player.step_forward()

    @Slot(object)
    def _on_moment_changed(self, change: MomentChange) -> None:
        if Changed.RUN in change.what:
            self.withdraw()
        elif Changed.CURSOR in change.what:
            self._follow_cursor()

    def _follow_cursor(self) -> None:
        end, self._end = self._end, None
        if end is not None and end[0] == self._player.cursor:
            self._has_answered = True
            end[1]()
        else:
            self.withdraw()

    @Slot()
    def _on_playing_changed(self) -> None:
        if self._player.is_playing:
            self.withdraw()

    @Slot()
    def withdraw(self) -> None:
        """Ask no longer what is being asked, and tell no longer how it ended."""
        is_outdated = self.is_asking or self._has_answered
        self._step = self._end = None
        self._has_answered = False
        self._drawing.cancel()
        if is_outdated:
            self.withdrawn.emit()
