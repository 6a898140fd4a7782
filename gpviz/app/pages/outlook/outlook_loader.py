"""Works out the outlook along a run in the background, as long as somebody looks at it."""

from time import monotonic
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from gpviz.app.tasks import BackgroundTask, Breath
from gpviz.engine.interruption import ShouldStop, stoppable
from gpviz.explain.run_outlook import Job, KnownKinds, RunOutlook
from gpviz.runs.history import History

_FAST: Final = 30
_REST_MS: Final = 300
"""While more iterations come in so much time nobody can read a chance, and the run has all of the processor."""
_BREAK: Final = 3.0
"""Beside a run that is slower it rests after each piece of work, so many times as long as that has taken."""


class OutlookLoader(QObject):
    """The outlook along the run on show, one piece of work after the other; what is near the cursor comes first.

    What was found out stays known when nobody looks any more, also for the other branches of the run.
    """

    changed = Signal()
    """More is known, or nothing more is to come."""
    problem_met = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.kinds = KnownKinds()
        """What is known of kinds of trees, which others may share."""
        self._history: History | None = None
        self.run: RunOutlook | None = None
        """What is known of the history on show."""
        self._length = 0  # of the history when it was last asked for more
        self._known_length = 0  # of what the outlook knows of it
        self._near = 0
        self._last: int | None = None
        self._wanted: int | None = None  # the beginning of the stretch of the cursor that it works on
        self._has_failed = False
        self._is_run_fast = False
        self._asked_at = 0.0
        self._task = BackgroundTask("gpviz outlook", self)
        self._task.finished.connect(self._on_finished)
        self._task.failed.connect(self._on_failed)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._ask)

    @property
    def is_busy(self) -> bool:
        """Whether more is going to be known."""
        return self._task.is_busy or self._rest.isActive()

    @property
    def is_resting(self) -> bool:
        """Whether it waits for a run that is fast."""
        return self._rest.isActive() and self._is_run_fast

    def show_history(self, history: History) -> None:
        """Be about this run."""
        if history is not self._history:
            self.let_go()
            self._history = history
            self._length = self._known_length = len(history)
            self.run = RunOutlook(history, kinds=self.kinds)

    def let_go(self) -> None:
        """Keep nothing of a log that may be long."""
        self.stop()
        self._history = self.run = None
        self._has_failed = False

    def look_at(self, cursor: int, last: int | None) -> None:
        """Find out about the run, up to iteration ``last`` or all of it; the tree at the cursor comes first."""
        self._near, self._last = cursor, last
        self._take_in()
        if self.run is not None and not self._has_failed and (not self.is_busy or self._is_far()):
            self._ask()

    def stop(self) -> None:
        """Nobody looks any more."""
        self._rest.stop()
        self._task.cancel()

    def shut_down(self) -> None:
        """End the thread."""
        self._rest.stop()
        self._task.close()

    def _take_in(self) -> None:
        """Know of the iterations that the run has made since."""
        if self._history is not None and self.run is not None and len(self._history) != self._known_length:
            self._known_length = len(self._history)
            self.run.extend()

    def _is_far(self) -> bool:
        """Whether it works on something else than the tree at the cursor, though nothing is known of that."""
        if not self._task.is_busy or self.run is None or self.run.at(self._near) is not None:
            return False
        return self._wanted != self.run.start_of(self._near)

    @Slot()
    def _ask(self) -> None:
        history, run = self._history, self.run
        if history is None or run is None:
            return
        grown, self._length = len(history) - self._length, len(history)
        self._is_run_fast = grown > _FAST
        if self._is_run_fast:
            self._rest.start(_REST_MS)
            return
        self._take_in()
        self._wanted = None if run.at(self._near) is not None else run.start_of(self._near)
        job = run.next_job(self._near, self._last)
        if job is not None:
            self._asked_at = monotonic()
            self._task.ask(lambda should_stop: _work(job, Breath(should_stop) if grown else should_stop))

    @Slot(object)
    def _on_finished(self, _nothing: object) -> None:
        if self._history is not None and len(self._history) != self._length:
            self._rest.start(round(1000 * _BREAK * (monotonic() - self._asked_at)))
        else:
            self._ask()
        self.changed.emit()

    @Slot(object)
    def _on_failed(self, problem: Exception) -> None:
        self._has_failed = True
        self.problem_met.emit(str(problem))


def _work(job: Job, should_stop: ShouldStop) -> None:
    with stoppable(should_stop):
        job.work()
