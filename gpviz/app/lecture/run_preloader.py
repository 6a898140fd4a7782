"""Replays the runs of a lecture in the background, first the one that a scene waits for."""

from functools import partial
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from gpviz.app.lecture.scene_player import ReadyBranch, runs_shown
from gpviz.app.run.branch_controller import RecordedBranch
from gpviz.app.tasks import BackgroundTask
from gpviz.engine import GpvizError
from gpviz.engine.interruption import ShouldStop
from gpviz.lecture.lecture import Lecture
from gpviz.runs.replay import Cancelled, generalisation_of, replay_all, stuck_since
from gpviz.runs.run_file import RunFile

_PROGRESS_MS: Final = 100


class RunPreloader(QObject):
    """Replays each run that a lecture shows, once, and hands it over."""

    run_ready = Signal(int, object)
    failed = Signal(int, str)
    progressed = Signal(int, int, int)
    """The run that is replayed, how many of its iterations are done, and of how many."""

    def __init__(self, lecture: Lecture, first: int = 0, parent: QObject | None = None) -> None:
        """The runs of the scenes from ``first`` on come before those of the scenes before it."""
        super().__init__(parent)
        self._lecture = lecture
        scenes = lecture.scenes[first:] + lecture.scenes[:first]
        self._waiting = list(dict.fromkeys(run for scene in scenes for run in runs_shown(scene)))
        self._now: int | None = None
        self._progress = (0, 0)
        self._background = BackgroundTask("gpviz lecture", self)
        self._background.finished.connect(self._on_finished)
        self._background.failed.connect(self._on_failed)
        self._timer = QTimer(self)
        self._timer.setInterval(_PROGRESS_MS)
        self._timer.timeout.connect(self._on_timer)

    @property
    def is_busy(self) -> bool:
        return self._now is not None

    def start(self) -> None:
        """Begin with the first run, unless one is wanted already."""
        if self._now is None:
            self._go_on()

    def want(self, run: int) -> None:
        """A scene waits for this run, so it comes before the others."""
        if run == self._now or run not in self._waiting:
            return
        self._waiting.remove(run)
        if self._now is not None:
            self._waiting.insert(0, self._now)
        self._waiting.insert(0, run)
        self._go_on()

    def close(self) -> None:
        """Give up what is not done yet, and end the thread."""
        self._timer.stop()
        self._waiting.clear()
        self._now = None
        self._background.close()

    def _go_on(self) -> None:
        self._now = self._waiting.pop(0) if self._waiting else None
        self._progress = (0, 0)
        if self._now is None:
            self._timer.stop()
            return
        self._background.ask(partial(self._replay, self._lecture.runs[self._now]))
        self._timer.start()

    def _replay(self, run_file: RunFile, should_stop: ShouldStop) -> tuple[ReadyBranch, ...]:
        """In the background."""

        def on_progress(done: int, total: int) -> bool:
            if not should_stop():
                self._progress = (done, total)
                return False
            return True

        return tuple(
            ReadyBranch(
                search,
                RecordedBranch(
                    history, generalisation_of(search, history, should_stop), stuck_since(search, should_stop)
                ),
            )
            for search, history in replay_all(run_file, on_progress)
        )

    @Slot()
    def _on_timer(self) -> None:
        if self._now is not None and self._progress[1]:
            self.progressed.emit(self._now, *self._progress)

    @Slot(object)
    def _on_finished(self, branches: tuple[ReadyBranch, ...]) -> None:
        run = self._now
        self._go_on()
        if run is not None:
            self.run_ready.emit(run, branches)

    @Slot(object)
    def _on_failed(self, problem: Exception) -> None:
        run = self._now
        self._go_on()
        if isinstance(problem, Cancelled) or run is None:
            return
        if not isinstance(problem, GpvizError):
            raise problem
        self.failed.emit(run, str(problem))
