"""Work longer than a frame, in a thread of its own: the latest request wins, and its answer comes as a signal."""

import threading
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QThread, Signal, Slot

from gpviz.app.thread_relay import ThreadRelay

__all__ = ["BackgroundTask", "ShouldStop"]

ShouldStop = Callable[[], bool]
"""Told to the work, so that it can end early when nobody waits for it any more."""


class _Helper(QObject):
    finished = Signal(int, object)
    failed = Signal(int, object)

    def __init__(self) -> None:
        super().__init__()
        self.condition = threading.Condition()
        self.work: tuple[int, Callable[[ShouldStop], Any]] | None = None
        self.latest = 0
        self.is_quitting = False

    @Slot()
    def serve(self) -> None:
        while (wish := self._next()) is not None:
            number, work = wish
            try:
                answer = work(lambda number=number: self._is_outdated(number))  # type: ignore[misc]
            except Exception as problem:  # whoever asked is told
                self.failed.emit(number, problem)
            else:
                self.finished.emit(number, answer)

    def _next(self) -> tuple[int, Callable[[ShouldStop], Any]] | None:
        with self.condition:
            while self.work is None and not self.is_quitting:
                self.condition.wait()
            wish, self.work = self.work, None
            return None if self.is_quitting else wish

    def _is_outdated(self, number: int) -> bool:
        return self.is_quitting or self.latest != number


class BackgroundTask(QObject):
    """One thread and one piece of work at a time. Answers to outdated wishes are dropped."""

    finished = Signal(object)
    failed = Signal(object)

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._helper = _Helper()
        self._thread = QThread()
        self._thread.setObjectName(name)
        self._helper.moveToThread(self._thread)
        self._thread.started.connect(self._helper.serve)
        self._answers, self._problems = ThreadRelay(self._on_finished), ThreadRelay(self._on_failed)
        self._helper.finished.connect(self._answers.deliver)
        self._helper.failed.connect(self._problems.deliver)
        self._is_waiting = False

    @property
    def is_busy(self) -> bool:
        """Whether an answer is still to come."""
        return self._is_waiting

    def ask(self, work: Callable[[ShouldStop], Any]) -> None:
        """Have this done instead of whatever was asked for before; once closed, nothing is done."""
        if self._helper.is_quitting:
            return
        with self._helper.condition:
            self._helper.latest += 1
            self._helper.work = (self._helper.latest, work)
            self._helper.condition.notify()
        self._is_waiting = True
        if not self._thread.isRunning():
            self._thread.start()

    def cancel(self) -> None:
        """Nobody waits for the answer any more."""
        with self._helper.condition:
            self._helper.latest += 1
            self._helper.work = None
        self._is_waiting = False

    def close(self) -> None:
        """End the thread; work that asks whether it should stop ends early."""
        with self._helper.condition:
            self._helper.is_quitting = True
            self._helper.condition.notify()
        self._is_waiting = False
        self._thread.quit()
        self._thread.wait()

    def _on_finished(self, number: int, answer: object) -> None:
        if number == self._helper.latest and self._is_waiting:
            self._is_waiting = False
            self.finished.emit(answer)

    def _on_failed(self, number: int, problem: object) -> None:
        if number == self._helper.latest and self._is_waiting:
            self._is_waiting = False
            self.failed.emit(problem)
