"""Layouts that take long, computed beside the window's thread; the window looks now and then for the outcome."""

import threading
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from gpviz.engine import GpvizError
from gpviz.layout.graph import TreeGraph
from gpviz.layout.layouts import positions_of
from gpviz.layout.tidy import Positions

__all__ = ["LayoutWorker"]

_LOOK_INTERVAL_MS: Final = 15


class _Job:
    """One layout to compute. The thread that does it knows nothing of Qt, so it may outlive any widget."""

    def __init__(self, key: object, graph: TreeGraph, name: str) -> None:
        self.key = key
        self._graph = graph
        self._name = name
        self.positions: Positions | None = None
        self.problem: GpvizError | None = None
        self.failure: Exception | None = None
        self.thread = threading.Thread(target=self._run, name="gpviz layout", daemon=True)

    def _run(self) -> None:
        try:
            self.positions = positions_of(self._graph, self._name)
        except GpvizError as problem:
            self.problem = problem
        except Exception as failure:  # told in the window's thread, where somebody hears it
            self.failure = failure


class LayoutWorker(QObject):
    """Computes one layout at a time; of those asked for meanwhile only the last one is computed."""

    layout_finished = Signal(object, object)
    """The key it was asked for with, and the positions."""
    layout_failed = Signal(object, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._job: _Job | None = None
        self._next: _Job | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_INTERVAL_MS)
        self._timer.timeout.connect(self._on_timeout)

    @property
    def is_busy(self) -> bool:
        return self._job is not None

    def request(self, key: object, graph: TreeGraph, name: str) -> None:
        """Compute a layout; what was asked for before is forgotten."""
        job = _Job(key, graph, name)
        if self._job is None:
            self._begin(job)
        else:
            self._next = job

    def forget(self) -> None:
        """Nobody waits for what is being computed any more."""
        self._next = None
        if self._job is not None:
            self._job.key = None

    def shut_down(self) -> None:
        """Wait for the thread; nothing is told afterwards."""
        self._timer.stop()
        self._next = None
        if self._job is not None:
            self._job.thread.join()
            self._job = None

    def _begin(self, job: _Job) -> None:
        self._job = job
        job.thread.start()
        self._timer.start()

    @Slot()
    def _on_timeout(self) -> None:
        job = self._job
        if job is None or job.thread.is_alive():
            return
        job.thread.join()
        self._job = None
        self._timer.stop()
        following, self._next = self._next, None
        if following is not None:
            self._begin(following)
        elif job.failure is not None:
            raise job.failure
        elif job.key is not None and job.positions is not None:
            self.layout_finished.emit(job.key, job.positions)
        elif job.key is not None:
            self.layout_failed.emit(job.key, str(job.problem))
