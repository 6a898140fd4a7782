"""What is known of the outlooks of the run on show, and what the step under the cursor did to its chances.

When a step has been on show for a moment, the outlooks of the trees before and after it are found as precisely as
it takes to say whether it matters, which costs little. What pages ask for comes after it. Nothing is done while a
run is too fast to show each step.
"""

from functools import partial
from threading import Event
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from gpviz.app.player.pacing import shows_every_step
from gpviz.app.player.player import Player
from gpviz.app.question import Question, close_questions
from gpviz.app.tasks import Breath, Working
from gpviz.engine.interruption import Deadline, stoppable
from gpviz.engine.stuck import can_get_stuck
from gpviz.explain.outlook_along_run import DecisiveStep, Job, KnownKinds, RunOutlook
from gpviz.explain.outlook_text import rise_text
from gpviz.runs.history import History

_CALM_MS: Final = 300
"""A step is looked into when it has been on show for so long."""
_MOST_SECONDS: Final = 4.0
"""No more work goes into one step."""
_TURN_SECONDS: Final = 0.02
"""How often work for a page asks, while the step's goes on, whether anybody still waits for it."""
_READABLE_ERROR: Final = 0.03
"""The standard error of a rise that is shown while it is still being made more precise."""
_MOST_LEAVES: Final = 1_000
"""Continuations of larger trees take too long to be waited for."""


class OutlookFinder(QObject):
    """Keeps what is known of the trees of the run on show, for the pages and for the text of the step.

    Without a player, as before an audience, there is no step to look into.
    """

    step_changed = Signal()
    """What is known of the step under the cursor has changed."""
    problem_met = Signal(str)
    """The outlook of the step cannot be found."""

    def __init__(self, player: Player | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._player = player
        self.kinds: Final = KnownKinds()
        """What is known of kinds of trees, also of those of other branches."""
        self.step: DecisiveStep | None = None
        """The step under the cursor with the outlooks before and after it, if it matters for sure."""
        self._run: tuple[History, RunOutlook] | None = None
        self._seen: tuple[History, int, bool] | None = None
        self._is_beside_run = True
        self._is_step_over = Event()
        self._is_step_over.set()
        self._question = Question(self, self._show_step, self.problem_met.emit, calm_ms=_CALM_MS)
        self._question.progressed.connect(self._on_progressed)

    def run_of(self, history: History) -> RunOutlook:
        """What is known of a run, up to its end; of the one before nothing is kept but the kinds of its trees."""
        if self._run is None or self._run[0] is not history:
            self._run = history, RunOutlook(history, kinds=self.kinds)
        self._run[1].extend()
        return self._run[1]

    @property
    def is_resting(self) -> bool:
        """Whether it waits for a run that is too fast to show each step."""
        player = self._player
        return player is not None and player.is_playing and not shows_every_step(player.speed)

    @property
    def step_text(self) -> str:
        """What the step under the cursor did to the chance to end stuck, as a sentence; empty if little."""
        return "" if self.step is None else rise_text(self.step.before, self.step.after)

    def work(self, job: Job, working: Working) -> None:
        """Do a job for a page, in its thread: after what is done for the step, and with rests beside a run."""
        while not self._is_step_over.wait(_TURN_SECONDS) and not working():
            pass
        with stoppable(Breath(working) if self._is_beside_run else working):
            job.work()

    def look_again(self) -> None:
        """More may be known of the step that is told of."""
        if self.step is not None:
            self._ask()

    def let_go(self) -> None:
        """Keep nothing of a log that may be long."""
        self._run = None

    def close(self) -> None:
        """End its thread."""
        close_questions(self)

    @Slot()
    def follow(self) -> None:
        """Look into the step under the cursor if it is another one, or if the run is slow enough again."""
        player = self._player
        assert player is not None
        self._is_beside_run = player.is_playing
        before, history, cursor = self._seen, player.run.history, player.cursor
        self._seen = history, cursor, self.is_resting
        is_other = before is None or before[0] is not history or before[1] != cursor
        if is_other:
            self._show_step(None)
        if is_other or self.is_resting:
            self._question.cancel()
        if not self.is_resting and (is_other or (self.step is None and self._seen != before)):
            self._ask()

    def _ask(self) -> None:
        assert self._player is not None
        history, iteration = self._player.run.history, self._player.cursor
        if not iteration or not can_get_stuck(rules := history.rules_after(iteration)):
            return
        step = history.step_at(iteration)
        if step.is_change and step.leaves <= _MOST_LEAVES and history.rules_after(iteration - 1) == rules:
            alone = History(history.config_at(iteration), step.parent)
            alone.append(step._replace(iteration=1))
            alone = alone.beginning(1, history.config_after(iteration))
            self._question.ask(history, iteration, partial(self._look_into, alone, iteration))

    def _look_into(self, step: History, iteration: int, working: Working) -> DecisiveStep | None:
        """What a step did, if that matters; ``step`` is a run of nothing else, so that no other thread uses it."""
        run, deadline = RunOutlook(step, kinds=self.kinds), Deadline(_MOST_SECONDS)
        self._is_step_over.clear()
        try:
            with stoppable(Breath(working) if self._is_beside_run else working):
                while not deadline() and (job := run.step_job(1)) is not None:
                    job.work()
                    found = run.change_at(1)
                    if found is not None and found.matters and found.rise_error <= _READABLE_ERROR:
                        working.report(found._replace(iteration=iteration))
        finally:
            self._is_step_over.set()
        found = run.change_at(1)
        return found._replace(iteration=iteration) if found is not None and found.matters else None

    @Slot(object)
    def _on_progressed(self, found: DecisiveStep) -> None:
        """A number that somebody reads changes once, when it is known well, and not with each piece of work."""
        if self.step is None:
            self._show_step(found)

    def _show_step(self, found: DecisiveStep | None) -> None:
        if found != self.step:
            self.step = found
            self.step_changed.emit()
