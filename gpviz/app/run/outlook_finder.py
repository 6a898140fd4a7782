"""Works out outlooks in the background: of the step on show, of the run, and of what a page asks for.

The step comes first: when it has been on show for a moment, the outlooks of the trees before and after it are
found as precisely as it takes to say whether the step matters, which costs little. Then comes what a page wants to
know. Nothing is done while a run is too fast to show each step.
"""

from collections.abc import Callable
from enum import Enum
from functools import partial
from time import perf_counter
from typing import Final, Protocol

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from gpviz.app.player.pacing import shows_every_step
from gpviz.app.player.player import Player
from gpviz.app.tasks import BackgroundTask, Breath
from gpviz.engine.interruption import ShouldStop, stoppable
from gpviz.engine.stuck import can_get_stuck
from gpviz.explain.outlook_along_run import DecisiveStep, Job, KnownKinds, RunOutlook
from gpviz.explain.outlook_text import rise_text
from gpviz.runs.history import History

_CALM_MS: Final = 300
"""A step is looked into when it has been on show for so long."""
_CHANGED_MS: Final = 50
"""What is found is reported no more often than this."""
_MOST_SECONDS: Final = 4.0
"""No more work goes into one step."""
_READABLE_ERROR: Final = 0.03
"""The standard error of a rise that is shown while it is still being made more precise."""
_MOST_LEAVES: Final = 1_000
"""Continuations of larger trees take too long to be waited for."""


class JobSource(Protocol):
    """Somebody who has outlooks to be worked out."""

    def next_job(self) -> Job | None: ...


class _Purpose(Enum):
    STEP = "step"
    SOURCE = "source"


class OutlookFinder(QObject):
    """Keeps what is known of the trees of the run on show, and finds out more, piece by piece.

    Without a controller, as before an audience, it does only what its source asks for.
    """

    outlook_changed = Signal()
    """More is known, or nothing more is to come."""
    step_changed = Signal()
    """What is known of the step under the cursor has changed."""
    problem_met = Signal(str)
    """The outlooks that the source asks for cannot be found."""

    def __init__(
        self,
        controller: Player | None = None,
        parent: QObject | None = None,
        *,
        calm_ms: int = _CALM_MS,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        super().__init__(parent)
        self._controller = controller
        self._clock = clock
        self.kinds: Final = KnownKinds()
        """What is known of kinds of trees, also of those of other branches."""
        self._history: History | None = None
        self._run: RunOutlook | None = None
        self._is_step_wanted = False
        self._step: tuple[int, DecisiveStep] | None = None
        self._spent = self._begun = 0.0
        self._source: JobSource | None = None
        self._purpose: _Purpose | None = None
        self._task = BackgroundTask("gpviz outlook", self)
        self._task.finished.connect(self._on_worked)
        self._task.failed.connect(self._on_failed)
        self._calm = self._timer(calm_ms, self._on_calm)
        self._late = self._timer(_CHANGED_MS, self._on_late)
        if controller is not None:
            controller.run_changed.connect(self._on_run_changed)
            controller.cursor_moved.connect(self._on_cursor_moved)
            controller.playing_changed.connect(self._on_pace_changed)
            controller.speed_changed.connect(self._on_pace_changed)

    def run_of(self, history: History) -> RunOutlook:
        """What is known of a run, up to its end; of the one before nothing is kept but the kinds of its trees."""
        if self._run is None or history is not self._history:
            self._history = history
            self._run = RunOutlook(history, kinds=self.kinds)
        self._run.extend()
        return self._run

    @property
    def is_busy(self) -> bool:
        """Whether something is being worked out, or about to be."""
        return self._task.is_busy or self._calm.isActive()

    @property
    def is_resting(self) -> bool:
        """Whether it waits for a run that is too fast to show each step."""
        controller = self._controller
        return controller is not None and controller.is_playing and not shows_every_step(controller.speed)

    @property
    def step(self) -> DecisiveStep | None:
        """The step under the cursor with the outlooks before and after it, if it matters for sure."""
        found = self._step
        is_here = found is not None and self._controller is not None and found[0] == self._controller.cursor
        return found[1] if found is not None and is_here else None

    @property
    def step_text(self) -> str:
        """What the step under the cursor did to the chance to end stuck, as a sentence; empty if little."""
        step = self.step
        return "" if step is None else rise_text(step.before, step.after)

    def set_source(self, source: JobSource) -> None:
        """Do also the jobs of somebody, instead of those of another."""
        if source is not self._source:
            self._source = source
            self._leave(_Purpose.SOURCE)
        self._go_on()

    def drop_source(self, source: JobSource) -> None:
        """Nobody wants to know any more what this one asks for."""
        if source is self._source:
            self._source = None
            self._leave(_Purpose.SOURCE)
            self._go_on()

    def let_go(self) -> None:
        """Keep nothing of a log that may be long."""
        self._history = self._run = None

    def close(self) -> None:
        """End its thread, and hear no more of the controller."""
        controller = self._controller
        if controller is not None:
            controller.run_changed.disconnect(self._on_run_changed)
            controller.cursor_moved.disconnect(self._on_cursor_moved)
            controller.playing_changed.disconnect(self._on_pace_changed)
            controller.speed_changed.disconnect(self._on_pace_changed)
        self._calm.stop()
        self._late.stop()
        self._task.close()

    def _timer(self, interval_ms: int, act: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(interval_ms)
        timer.timeout.connect(act)
        return timer

    # --- what to do next ---

    def _go_on(self) -> None:
        if self._task.is_busy or self.is_resting:
            return
        job = self._step_job()
        self._purpose = _Purpose.STEP
        if job is None and self._source is not None:
            job = self._source.next_job()
            self._purpose = _Purpose.SOURCE
            if job is None and self.step is not None:
                self._update_step(is_done=True)  # more may be known of it by now
        if job is not None:
            self._begun = self._clock()
            is_beside_run = self._controller is None or self._controller.is_playing
            self._task.ask(partial(_work, job, is_beside_run=is_beside_run))

    def _leave(self, purpose: _Purpose) -> None:
        """Nobody wants any more what is being worked out for this."""
        if self._purpose is purpose:
            self._task.cancel()

    def _step_job(self) -> Job | None:
        """What is to be found out to say whether the step under the cursor matters; None when that is known."""
        controller = self._controller
        if not self._is_step_wanted or controller is None:
            return None
        is_affordable = self._spent < _MOST_SECONDS
        job = self.run_of(controller.run.history).step_job(controller.cursor) if is_affordable else None
        if job is None:
            self._is_step_wanted = False
        self._update_step(is_done=job is None)
        return job

    def _may_matter(self) -> bool:
        """Whether the step under the cursor is one that can change the outlook at all, and not too much work."""
        assert self._controller is not None
        history, iteration = self._controller.run.history, self._controller.cursor
        if not iteration or not can_get_stuck(history.rules_after(iteration)):
            return False
        tree = history.tree_at(iteration)
        return tree is not None and tree.leaves <= _MOST_LEAVES

    def _update_step(self, *, is_done: bool) -> None:
        """A number that somebody reads changes once, when it is known well, and not with each piece of work."""
        assert self._controller is not None
        iteration = self._controller.cursor
        if self.step is not None and not is_done:
            return
        found = self.run_of(self._controller.run.history).change_at(iteration)
        is_known = found is not None and (is_done or found.rise_error <= _READABLE_ERROR)
        step = (iteration, found) if found is not None and is_known and found.matters else None
        if step != self._step:
            self._step = step
            self.step_changed.emit()

    def _forget_step(self) -> None:
        self._is_step_wanted = False
        self._spent = 0.0
        self._leave(_Purpose.STEP)
        if self._step is not None:
            self._step = None
            self.step_changed.emit()
        self._calm.start()

    # --- what happens ---

    @Slot()
    def _on_calm(self) -> None:
        self._is_step_wanted = not self.is_resting and self._may_matter()
        self._go_on()

    @Slot()
    def _on_late(self) -> None:
        self.outlook_changed.emit()

    @Slot()
    def _on_worked(self) -> None:
        if self._purpose is _Purpose.STEP:
            self._spent += self._clock() - self._begun
        self._go_on()
        if not self._late.isActive():
            self._late.start()

    @Slot(str)
    def _on_failed(self, problem: str) -> None:
        """Nothing more is found out about a run with trees that take too long to count."""
        self._is_step_wanted = False
        self._source = None
        self.problem_met.emit(problem)

    @Slot()
    def _on_run_changed(self) -> None:
        self._history = self._run = None
        self._forget_step()

    @Slot()
    def _on_cursor_moved(self) -> None:
        self._forget_step()
        self._go_on()

    @Slot()
    def _on_pace_changed(self) -> None:
        if self.is_resting:
            self._task.cancel()
            self._calm.stop()
            return
        if not self._is_step_wanted and self.step is None:
            self._calm.start()
        self._go_on()
        self._late.start()


def _work(job: Job, should_stop: ShouldStop, *, is_beside_run: bool) -> None:
    with stoppable(Breath(should_stop) if is_beside_run else should_stop):
        job.work()
