"""Runs experiments in a thread of its own, and tells the window ten times a second how far they are."""

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from gpviz.engine.errors import GpvizError
from gpviz.engine.interruption import Stopped, stoppable
from gpviz.experiments.chunk_worker import ChunkResult
from gpviz.experiments.plan import Plan
from gpviz.experiments.plan_runner import Executor, Progress, run_plan
from gpviz.experiments.pool import PoolExecutor
from gpviz.experiments.store import Store
from gpviz.experiments.store_paths import new_store_path
from gpviz.files.file_io import error_reason, shown_path

ExecutorFactory = Callable[[int], Executor]
"""Makes what runs the chunks, with this many workers; it is called in the runner's thread."""

_PROGRESS_MS: Final = 100
_NICENESS: Final = 5


def low_priority_pool(jobs: int) -> Executor:
    """Processes that leave the window the first turn."""
    return PoolExecutor(jobs, niceness=_NICENESS)


class _SharedProgress:
    """What the thread and the window share: the file, the progress, the outcome, and whether to stop."""

    def __init__(self) -> None:
        self.news: deque[Path | Progress] = deque()
        """What the window has not read yet."""
        self.outcome: bool | Exception | None = None
        self.is_cancelled = threading.Event()
        self.is_shutting_down = threading.Event()

    def put(self, progress: Progress) -> bool:
        """Report progress to the window; True if the experiment is to stop."""
        self.news.append(progress)
        return self.is_cancelled.is_set()


class _AbandonableExecutor:
    """An executor that no longer waits for its workers once the program is shutting down."""

    def __init__(self, executor: Executor, is_shutting_down: threading.Event) -> None:
        self._executor = executor
        self._is_shutting_down = is_shutting_down
        self.submit = executor.submit
        self.notes = executor.notes
        self.cancel = executor.cancel
        self.close = executor.close

    @property
    def workers(self) -> int:
        return self._executor.workers

    def wait(self, timeout_s: float) -> list[ChunkResult]:
        return self._executor.wait(0.0 if self._is_shutting_down.is_set() else timeout_s)


class ExperimentRunner(QObject):
    """One experiment at a time. Each one ends with exactly one of ``ended`` and ``failed``."""

    opened = Signal(object)
    """The file of the experiment that has begun is there: its path."""
    progressed = Signal(object)
    """A `Progress`."""
    ended = Signal(bool)
    """Whether all runs are done; if not, it was cancelled, and what is done is kept."""
    failed = Signal(str)

    def __init__(
        self, make_executor: ExecutorFactory = low_priority_pool, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._make_executor = make_executor
        self._shared = _SharedProgress()
        self._thread: threading.Thread | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_PROGRESS_MS)
        self._timer.timeout.connect(self._on_timer)

    @property
    def is_running(self) -> bool:
        return self._thread is not None

    @property
    def is_cancelling(self) -> bool:
        """Whether it is about to end before its time."""
        return self.is_running and self._shared.is_cancelled.is_set()

    def run(self, open_store: Callable[[], Store], jobs: int) -> None:
        """Begin or go on with the experiment in a file, which is opened in the thread; none may be running."""
        shared = self._shared = _SharedProgress()
        # One of Python's own: a pool of processes registers whatever thread it is used in, for good.
        self._thread = threading.Thread(
            target=_run, args=(shared, open_store, self._make_executor, jobs), name="gpviz experiment"
        )
        self._thread.start()
        self._timer.start()

    def cancel(self) -> None:
        """End soon; what is done is kept."""
        self._shared.is_cancelled.set()

    def shut_down(self) -> bool:
        """End now, without a word, and wait until no worker is left; what has come back from them is kept.

        Says whether an experiment is cut short by that.
        """
        self._shared.is_shutting_down.set()
        self._shared.is_cancelled.set()
        self._timer.stop()
        if self._thread is None:
            return False
        self._thread.join()
        self._thread = None
        return self._shared.outcome is False

    @Slot()
    def _on_timer(self) -> None:
        outcome, news = self._shared.outcome, self._shared.news
        progress: Progress | None = None
        notes: tuple[str, ...] = ()
        while news:
            latest = news.popleft()
            if isinstance(latest, Path):
                self.opened.emit(latest)
            else:
                progress, notes = latest, (*notes, *latest.notes)
        if progress is not None:
            self.progressed.emit(replace(progress, notes=notes))
        if outcome is not None and self._thread is not None:
            self._thread.join()
            self._thread = None
            self._timer.stop()
            self._end(outcome)

    def _end(self, outcome: bool | Exception) -> None:
        if isinstance(outcome, bool):
            self.ended.emit(outcome)
        elif isinstance(outcome, GpvizError):
            self.failed.emit(str(outcome))
        else:
            reason = error_reason(outcome)
            self.failed.emit(f"The experiment ended unexpectedly ({reason}); the finished runs are kept.")
            if not isinstance(outcome, OSError):
                raise outcome


def _run(
    shared: _SharedProgress, open_store: Callable[[], Store], make_executor: ExecutorFactory, jobs: int
) -> None:
    """The thread's work; whatever comes of it is left in ``shared``."""
    try:
        with stoppable(shared.is_cancelled.is_set):
            store = open_store()
        is_kept = False
        try:
            executor = _AbandonableExecutor(make_executor(jobs), shared.is_shutting_down)
            shared.news.append(store.path)
            try:
                is_finished = run_plan(store, executor, shared.put, shared.is_cancelled.is_set)
            finally:
                executor.close()
            is_kept = not shared.is_shutting_down.is_set()
        finally:
            store.close(keeps_empty=is_kept)  # what failed or was left at once is nothing to go on with
        # The window waits for this thread from now on: nothing slow may be left to do.
        shared.outcome = is_finished
    except Stopped:
        shared.outcome = False
    except Exception as problem:  # whoever started it hears of it
        shared.outcome = problem


def new_store(path: Path | None, plan: Plan) -> Store:
    """A new file for an experiment; without a path it is where experiments are kept."""
    if path is not None and path.exists():
        raise GpvizError(
            f"{shown_path(path)}: this file already exists and was not changed; choose another name, or "
            "open it with Experiment > Open and press Continue."
        )
    return Store.create(path or new_store_path(plan), plan)
