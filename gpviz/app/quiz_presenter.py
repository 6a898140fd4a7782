"""Guess first: before the next iteration is shown it is asked whether its offspring will be accepted."""

from PySide6.QtCore import QObject, Signal, Slot

from gpviz.app.run_controller import RunController
from gpviz.engine import Step
from gpviz.record.limits import MAX_ITERATIONS
from gpviz.record.moment import Moment, moment_at
from gpviz.record.pausing import next_pause
from gpviz.record.phases import hidden_preview

__all__ = ["QuizPresenter"]


class QuizPresenter(QObject):
    """Asks about the iteration after the cursor, and counts the right guesses.

    While it is on, `next` takes the place of the controller's ``step_forward``. The iteration that is asked about
    is already recorded: whoever shows what lies after the cursor gives the answer away.
    """

    switched = Signal(bool)
    asked = Signal(object)
    """With the `Moment` to show: what is proposed to the tree on show, without its end."""
    answered = Signal(bool, object)
    """Whether the guess was right, and the `Step`, which is now under the cursor."""
    revealed = Signal(object)
    """Nobody has guessed; with the `Step`, which is now under the cursor."""
    withdrawn = Signal()
    score_changed = Signal(int, int)
    """How many guesses were right, and how many there were."""
    paused_by = Signal(str)
    """The iteration that was made for the question is one that the run pauses at."""

    def __init__(self, controller: RunController, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._controller = controller
        self._is_on = False
        self._right = 0
        self._guesses = 0
        self._step: Step | None = None
        self._is_preparing = False
        self._is_fresh = False
        controller.history_grew.connect(self._on_history_grew)
        controller.cursor_moved.connect(self._withdraw)
        controller.run_changed.connect(self._withdraw)
        controller.playing_changed.connect(self._on_playing_changed)
        controller.problem_met.connect(self._on_problem_met)

    @property
    def is_on(self) -> bool:
        """Whether it asks."""
        return self._is_on

    @property
    def is_asking(self) -> bool:
        """Whether a question waits for its answer."""
        return self._step is not None

    @property
    def score(self) -> tuple[int, int]:
        """How many guesses were right, and how many there were, since it was switched on."""
        return self._right, self._guesses

    @Slot(bool)
    def set_on(self, is_on: bool) -> None:
        """Ask from now on, with a new score; or no longer."""
        if is_on == self._is_on:
            return
        self._is_on = is_on
        if is_on:
            self._count(0, 0)
        else:
            self._withdraw()
        self.switched.emit(is_on)

    @Slot()
    def next(self) -> None:
        """Ask about the next iteration; a question that is open is answered instead. Off, it steps forward."""
        if not self._is_on:
            self._controller.step_forward()
        elif self.is_asking:
            self.reveal()
        elif not self._is_preparing:
            self._prepare()

    @Slot(bool)
    def guess(self, is_accepted: bool) -> None:
        """Count a guess, and show how the iteration ended."""
        step = self._step
        if step is None:
            return
        was_right = step.is_accepted == is_accepted
        self._count(self._right + was_right, self._guesses + 1)
        self._show(step)
        self.answered.emit(was_right, step)
        self._tell_pause(step)

    @Slot()
    def reveal(self) -> None:
        """Show how the iteration ended, and count nothing."""
        step = self._step
        if step is None:
            return
        self._show(step)
        self.revealed.emit(step)
        self._tell_pause(step)

    def _prepare(self) -> None:
        controller = self._controller
        if controller.is_playing:
            controller.pause()
        self._is_fresh = controller.is_at_end
        if len(controller.history) >= MAX_ITERATIONS and controller.is_at_end:
            controller.step_forward()  # it tells that there are no more
        elif controller.is_at_end:
            self._is_preparing = True
            controller.prepare_next()
        else:
            self._ask()

    def _ask(self) -> None:
        self._is_preparing = False
        history, cursor = self._controller.history, self._controller.cursor
        moment: Moment = moment_at(history, cursor + 1)
        self._step = moment.step
        self.asked.emit(hidden_preview(moment))

    def _show(self, step: Step) -> None:
        self._step = None  # so that the cursor's move withdraws nothing
        self._controller.go_to(step.iteration)

    def _tell_pause(self, step: Step) -> None:
        """What was made without being followed has told nobody that the run pauses there."""
        controller, iteration = self._controller, step.iteration
        if not self._is_fresh or controller.cursor != iteration:
            return
        rules, stuck_since = controller.rules, controller.stuck_since
        found = next_pause(controller.history, iteration - 1, iteration + 1, rules, stuck_since)
        if found is not None:
            self.paused_by.emit(found[1])

    def _count(self, right: int, guesses: int) -> None:
        if (right, guesses) != self.score:
            self._right, self._guesses = right, guesses
            self.score_changed.emit(right, guesses)

    @Slot()
    def _on_history_grew(self) -> None:
        if self._is_preparing and not self._controller.is_at_end:
            self._ask()

    @Slot()
    def _on_playing_changed(self) -> None:
        if self._controller.is_playing:
            self._withdraw()

    @Slot(str)
    def _on_problem_met(self, problem: str) -> None:
        self._is_preparing = False

    @Slot()
    def _withdraw(self) -> None:
        was_asking = self.is_asking
        self._step = None
        self._is_preparing = False
        if was_asking:
            self.withdrawn.emit()
