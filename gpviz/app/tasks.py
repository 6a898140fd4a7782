"""Background work longer than a frame: the latest request wins, and its answer comes as a signal.

Everything that takes long is started here: a `BackgroundTask` for each asker, and threads that all of them share.
A thread is there only while there is work, and for a moment after it, so a window at rest has none, and nobody
waits for the work of another. Outdated work is stopped, also at the checkpoints of the engine
(`gpviz.engine.interruption`); so closing a window takes as long as it is to the next of them.

Only these have threads of their own: the worker that makes the steps of a run (`app.player.worker`), which lives
as long as the run, hands over one result after the other and waits for the window's frames; the runner of
experiments, which report their end also when cancelled; and the encoder of a film, which is fed frame by frame.
"""

import threading
from collections import deque
from collections.abc import Callable
from time import monotonic, sleep
from typing import Any, Final, Protocol
from weakref import WeakMethod, WeakSet

from PySide6.QtCore import SIGNAL, QObject, Signal, Slot

from gpviz.engine.errors import GpvizError
from gpviz.engine.interruption import ShouldStop, stoppable

_IDLE_SECONDS: Final = 2.0
"""A thread ends when it has been idle for this long. Starting one for each small job would take time."""
_WORK_SECONDS: Final = 0.001
_BREATH_SECONDS: Final = 0.004
_REPORT_SECONDS: Final = 0.05
"""How far work has come is reported no more often than this."""
_open_tasks: "Final[WeakSet[BackgroundTask]]" = WeakSet()


class Working(Protocol):
    """What work asks whether to stop, and where it reports how far it has come."""

    def __call__(self) -> bool: ...

    def report(self, progress: object) -> None:
        """Say how far it is; of what comes too often, some is left out."""


Work = Callable[[Working], Any]


class ThreadRelay(QObject):
    """Calls a method, in the thread it was made in, when a signal of another thread is connected to its slots.

    It does not keep the method's object alive: the object usually keeps the relay.

    To deliver a signal from another thread, Qt takes a lock that belongs to its receiver; to connect or
    disconnect a signal of that object it takes the same lock, and in Python either may hold the interpreter's
    lock as well. As the relay has no signals of its own, the two never meet.
    """

    def __init__(self, method: Callable[..., None]) -> None:
        super().__init__()
        self._method = WeakMethod(method)

    @Slot()
    def notify(self) -> None:
        """Call the method."""
        method = self._method()
        if method is not None:
            method()

    @Slot(int, object)
    def deliver(self, number: int, answer: object) -> None:
        """Call the method with these."""
        method = self._method()
        if method is not None:
            method(number, answer)


class _SharedThreads:
    """Threads that do what they are given; there are as many as there is work at the same time."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._waiting: deque[Callable[[], None]] = deque()
        self._idle = 0
        self._users = 0

    def run(self, serve: Callable[[], None]) -> None:
        """Do this at once, in some thread."""
        with self._condition:
            self._waiting.append(serve)
            if self._idle >= len(self._waiting):
                self._condition.notify()
                return
        # It ends with the program whatever it does: nobody waits for an answer then.
        threading.Thread(target=self._work, name="gpviz task", daemon=True).start()

    def add_user(self) -> None:
        """Somebody has something to do, and may have more until it goes."""
        with self._condition:
            self._users += 1

    def remove_user(self) -> None:
        """Somebody has nothing to do any more; without anybody no thread stays."""
        with self._condition:
            self._users -= 1
            if not self._users:
                self._condition.notify_all()

    def _work(self) -> None:
        while (serve := self._next()) is not None:
            serve()
            del serve  # while it waits, a thread keeps nobody alive

    def _next(self) -> Callable[[], None] | None:
        with self._condition:
            self._idle += 1
            self._condition.wait_for(lambda: self._waiting or not self._users, _IDLE_SECONDS)
            self._idle -= 1
            return self._waiting.popleft() if self._waiting else None


_threads: Final = _SharedThreads()


def cancel_all_tasks() -> None:
    """Tell all work at once to stop, for a program that ends and is about to close one task after the other.

    Only what is to be finished goes on.
    """
    for task in list(_open_tasks):
        task.cancel()


def is_any_task_busy() -> bool:
    """Whether something is being worked out beside the window."""
    return any(task.is_busy for task in _open_tasks)


class _Answers(QObject):
    """What a thread emits; nobody else connects to it or lets go of it meanwhile."""

    finished = Signal(int, object)
    failed = Signal(int, object)
    progressed = Signal(int, object)


class _Requests:
    """What was asked for, between the window's thread and the one that does it."""

    def __init__(self, name: str, answers: _Answers) -> None:
        self.latest = 0
        self.is_closed = False
        self._name = name
        self._answers = answers
        self._condition = threading.Condition()
        self._work: tuple[int, Work] | None = None
        self._is_served = False

    def put(self, work: Work) -> None:
        """Have this done next, and nothing that was asked for before."""
        with self._condition:
            self.latest += 1
            self._work = (self.latest, work)
            if self._is_served:
                return
            self._is_served = True
        _threads.run(self._serve)

    def drop(self) -> None:
        """Nothing of what was asked for is to be done."""
        with self._condition:
            self.latest += 1
            self._work = None

    def close(self, *, is_given_up: bool) -> None:
        """Take nothing more, and wait until nothing is done; what was asked for is given up, or done first."""
        with self._condition:
            if is_given_up:
                self.is_closed = True
                self._work = None
            self._condition.wait_for(lambda: not self._is_served)
            self.is_closed = True

    def _serve(self) -> None:
        """Do what is asked for until there is no more; one piece of work at a time."""
        threading.current_thread().name = self._name
        while (request := self._next()) is not None:
            self._do(*request)
            # Once nothing is known to be done, the window may go, and must not be deleted in this thread.
            del request

    def _do(self, number: int, work: Work) -> None:
        working = _Working(self, number, self._answers)
        try:
            with stoppable(working):
                answer = work(working)
        except Exception as problem:  # the asker gets it
            self._answers.failed.emit(number, problem)
        else:
            self._answers.finished.emit(number, answer)

    def _next(self) -> tuple[int, Work] | None:
        with self._condition:
            request, self._work = self._work, None
            if request is None:
                self._is_served = False
                self._condition.notify_all()
            return request


class _Working:
    """Whether nobody waits for the answer to a request any more, and how far it has come."""

    def __init__(self, requests: _Requests, number: int, answers: _Answers) -> None:
        self._requests = requests
        self._number = number
        self._answers = answers
        self._reported_at = 0.0

    def __call__(self) -> bool:
        return self._requests.is_closed or self._requests.latest != self._number

    def report(self, progress: object) -> None:
        now = monotonic()
        if now - self._reported_at >= _REPORT_SECONDS:
            self._reported_at = now
            self._answers.progressed.emit(self._number, progress)


class Breath:
    """Asks whether to stop, and lets other threads work for a moment after each piece of work.

    It is for work beside a run that goes on, so that nothing in the window stutters.
    """

    def __init__(self, should_stop: ShouldStop) -> None:
        self._should_stop = should_stop
        self._last = monotonic()

    def __call__(self) -> bool:
        if monotonic() - self._last > _WORK_SECONDS:
            sleep(_BREATH_SECONDS)
            self._last = monotonic()
        return self._should_stop()


class BackgroundTask(QObject):
    """Does one piece of work at a time for one asker. Answers to outdated requests are dropped.

    ``finished`` brings the answer, ``progressed`` what the work reports on the way, and ``failed`` a sentence for
    the user, in the thread that the task was made in. An unexpected error, or any error if nothing is connected to
    ``failed``, is raised there as well. Work that must be completed even when the program ends, such as writing a
    file, is not ``cancelled_at_end``.
    """

    finished = Signal(object)
    failed = Signal(str)
    progressed = Signal(object)

    def __init__(self, name: str, parent: QObject | None = None, *, cancelled_at_end: bool = True) -> None:
        super().__init__(parent)
        self._answers = _Answers()
        self._relays = [
            ThreadRelay(self._on_finished),
            ThreadRelay(self._on_failed),
            ThreadRelay(self._on_progressed),
        ]
        signals = self._answers.finished, self._answers.failed, self._answers.progressed
        for signal, relay in zip(signals, self._relays, strict=True):
            signal.connect(relay.deliver)
        self._requests = _Requests(name, self._answers)
        self._is_waiting = False
        self._is_user = False
        self._is_cancelled_at_end = cancelled_at_end
        if cancelled_at_end:
            _open_tasks.add(self)

    @property
    def is_busy(self) -> bool:
        """Whether an answer is still to come."""
        return self._is_waiting

    def ask(self, work: Work) -> None:
        """Have this done instead of whatever was asked for before; once closed, nothing is done.

        The work asks its argument whether to stop, and reports to it; the engine's checkpoints raise `Stopped`.
        """
        if self._requests.is_closed:
            return
        if not self._is_user:
            self._is_user = True
            _threads.add_user()
        self._is_waiting = True
        self._requests.put(work)

    def cancel(self) -> None:
        """Nobody waits for the answer any more."""
        self._is_waiting = False
        self._requests.drop()

    def close(self) -> None:
        """Ask for nothing any more, and wait until what is being done has stopped, or must be and is done."""
        if self._requests.is_closed:
            return
        self._is_waiting = False
        self._requests.close(is_given_up=self._is_cancelled_at_end)
        _open_tasks.discard(self)
        if self._is_user:
            _threads.remove_user()

    def _on_finished(self, number: int, answer: object) -> None:
        if number == self._requests.latest and self._is_waiting:
            self._is_waiting = False
            self.finished.emit(answer)

    def _on_progressed(self, number: int, progress: object) -> None:
        if number == self._requests.latest and self._is_waiting:
            self.progressed.emit(progress)

    def _on_failed(self, number: int, problem: Exception) -> None:
        if number != self._requests.latest or not self._is_waiting:
            return
        self._is_waiting = False
        is_foreseen = isinstance(problem, GpvizError)
        is_heard = self.receivers(SIGNAL("failed(QString)")) > 0
        self.failed.emit(str(problem) if is_foreseen else f"Unexpected error ({problem!r}).")
        if not is_foreseen or not is_heard:
            raise problem
