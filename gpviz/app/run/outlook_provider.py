"""Works out in the background what the step on show does to the outlook, and what its neighbours would do.

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

from gpviz.app.pacing import shows_every_step
from gpviz.app.run.run_controller import RunController
from gpviz.app.tasks import BackgroundTask, Breath
from gpviz.engine.errors import TooComplexError
from gpviz.engine.interruption import ShouldStop, stoppable
from gpviz.engine.stuck import can_get_stuck
from gpviz.explain.outlook_text import rise_text
from gpviz.explain.run_outlook import DecisiveStep, Job, KnownKinds, RunOutlook

_CALM_MS: Final = 300
"""A step is looked into when it has been on show for so long."""
_CHANGED_MS: Final = 50
"""What is found is told no more often than this."""
_MOST_SECONDS: Final = 4.0
"""No more work goes into one step."""
_READABLE_ERROR: Final = 0.03
"""The standard error of a rise that is told while it is still being made more precise."""
_MOST_LEAVES: Final = 1_000
"""Continuations of larger trees take too long to be waited for."""


class JobSource(Protocol):
    """Somebody else who has outlooks to be worked out."""

    def next_job(self) -> Job | None: ...


class _Purpose(Enum):
    STEP = "step"
    SOURCE = "source"


class OutlookProvider(QObject):
    """Keeps what is known of the trees of the run on show, and makes more known, piece by piece."""

    outlook_changed = Signal()
    """More is known."""
    step_told = Signal()
    """What is to be said of the step under the cursor has changed."""

    def __init__(
        self,
        controller: RunController,
        parent: QObject | None = None,
        *,
        calm_ms: int = _CALM_MS,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        super().__init__(parent)
        self._controller = controller
        self._clock = clock
        self.kinds: Final = KnownKinds()
        """What is known of kinds of trees; whoever adds to it has the provider do the work."""
        self._run: RunOutlook | None = None
        self._length = 0
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
        controller.run_changed.connect(self._on_run_changed)
        controller.cursor_moved.connect(self._on_cursor_moved)
        controller.playing_changed.connect(self._on_pace_changed)
        controller.speed_changed.connect(self._on_pace_changed)

    @property
    def run(self) -> RunOutlook:
        """What is known of the run on show, up to its end."""
        history = self._controller.history
        if self._run is None:
            self._run = RunOutlook(history, kinds=self.kinds)
        elif len(history) != self._length:
            self._run.extend()
        self._length = len(history)
        return self._run

    @property
    def is_busy(self) -> bool:
        """Whether something is being worked out, or about to be."""
        return self._task.is_busy or self._calm.isActive()

    @property
    def told_step(self) -> DecisiveStep | None:
        """The step under the cursor with the outlooks before and after it, if it matters for sure."""
        told = self._step
        return told[1] if told is not None and told[0] == self._controller.cursor else None

    @property
    def told_text(self) -> str:
        """What the step under the cursor did to the chance to end stuck, as a sentence; empty if little."""
        told = self.told_step
        return "" if told is None else rise_text(told.before, told.after)

    def tell_step_again(self) -> None:
        """Tell of the step with what is known by now: somebody else may have found out more."""
        if not self._is_step_wanted and self.told_step is not None:
            self._tell_step(is_done=True)

    def set_source(self, source: JobSource | None) -> None:
        """Do also the jobs of somebody, or of nobody any more."""
        if source is not self._source:
            self._source = source
            self._leave(_Purpose.SOURCE)
            self._go_on()

    def close(self) -> None:
        """End its thread, and hear no more of the controller."""
        controller = self._controller
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

    @property
    def _is_too_fast(self) -> bool:
        return self._controller.is_playing and not shows_every_step(self._controller.speed)

    def _go_on(self) -> None:
        if self._task.is_busy or self._is_too_fast:
            return
        job = self._step_job()
        self._purpose = _Purpose.STEP
        if job is None and self._source is not None:
            job = self._source.next_job()
            self._purpose = _Purpose.SOURCE
        if job is not None:
            self._begun = self._clock()
            self._task.ask(partial(_work, job, is_beside_run=self._controller.is_playing))

    def _leave(self, purpose: _Purpose) -> None:
        """Nobody wants any more what is being worked out for this."""
        if self._purpose is purpose:
            self._task.cancel()

    def _step_job(self) -> Job | None:
        """What is to be found out to say whether the step under the cursor matters; None when that is known."""
        if not self._is_step_wanted:
            return None
        iteration = self._controller.cursor
        job = self.run.step_job(iteration) if self._spent < _MOST_SECONDS else None
        if job is None:
            self._is_step_wanted = False
        self._tell_step(is_done=job is None)
        return job

    def _may_matter(self) -> bool:
        """Whether the step under the cursor is one that can change the outlook at all, and not too much work."""
        history, iteration = self._controller.history, self._controller.cursor
        if not iteration or not can_get_stuck(history.rules_after(iteration)):
            return False
        tree = history.tree_at(iteration)
        return tree is not None and tree.leaves <= _MOST_LEAVES

    def _tell_step(self, *, is_done: bool) -> None:
        """A number that somebody reads changes once, when it is known well, and not with each piece of work."""
        iteration = self._controller.cursor
        if self.told_step is not None and not is_done:
            return
        found = self.run.change_at(iteration)
        is_known = found is not None and (is_done or found.rise_error <= _READABLE_ERROR)
        step = (iteration, found) if found is not None and is_known and found.matters else None
        if step != self._step:
            self._step = step
            self.step_told.emit()

    def _forget_step(self) -> None:
        self._is_step_wanted = False
        self._spent = 0.0
        self._leave(_Purpose.STEP)
        if self._step is not None:
            self._step = None
            self.step_told.emit()
        self._calm.start()

    # --- what happens ---

    @Slot()
    def _on_calm(self) -> None:
        self._is_step_wanted = not self._is_too_fast and self._may_matter()
        self._go_on()

    @Slot()
    def _on_late(self) -> None:
        self.outlook_changed.emit()

    @Slot()
    def _on_worked(self) -> None:
        if self._purpose is _Purpose.STEP:
            self._spent += self._clock() - self._begun
        if not self._late.isActive():
            self._late.start()
        self._go_on()

    @Slot(object)
    def _on_failed(self, problem: Exception) -> None:
        """Nothing more is found out about a run with trees that take too long to count."""
        self._is_step_wanted = False
        self._source = None
        if not isinstance(problem, TooComplexError):
            raise problem

    @Slot()
    def _on_run_changed(self) -> None:
        self._run = None
        self._forget_step()

    @Slot()
    def _on_cursor_moved(self) -> None:
        self._forget_step()
        self._go_on()

    @Slot()
    def _on_pace_changed(self) -> None:
        if self._is_too_fast:
            self._task.cancel()
            self._calm.stop()
            return
        if not self._is_step_wanted and self.told_step is None:
            self._calm.start()
        self._go_on()


def _work(job: Job, should_stop: ShouldStop, *, is_beside_run: bool) -> None:
    with stoppable(Breath(should_stop) if is_beside_run else should_stop):
        job.work()
