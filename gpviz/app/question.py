"""The one door for questions: asked about one thing after another, answered from memory or in the background."""

from collections.abc import Callable, Hashable
from time import monotonic
from typing import Any, Final

from PySide6.QtCore import QEvent, QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from gpviz.app.tasks import BackgroundTask, Work
from gpviz.app.timers import single_shot
from gpviz.explain.answers_by_tree import AnswersByTree

_LONGEST_PAUSE_SECONDS: Final = 0.4
"""A question waits no longer than this, however quickly others came before."""
_LATE_MS: Final = 150
"""Until then the answer about the previous thing stays on show, so that nothing flickers."""


class Question(QObject):
    """The same question about one thing after another. It remembers answers, and awaits only the latest.

    While things come faster than answers, it starts work only now and then, on the latest, and waits twice as long
    each time another one interrupts it. With ``calm_ms`` it starts only when nothing else has come for so long.

    It belongs to its asker: ``show`` gets the answers, and ``show_problem`` a sentence where there is none. While
    a widget that asks is hidden nothing is worked out; what it has asked last is, when it is shown again.
    """

    asked = Signal()
    answered = Signal(object)
    progressed = Signal(object)
    """What the work reports on its way."""
    grown_late = Signal()
    """The answer takes so long that the user should see that it is still to come."""
    settled = Signal()
    """No answer is awaited any more: it has come, there is none, or nobody wants it now."""

    def __init__(
        self,
        asker: QObject,
        show: Callable[[Any], None],
        show_problem: Callable[[str], None],
        *,
        remembers: int | AnswersByTree[Any] = 0,
        calm_ms: int = 0,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        super().__init__(asker)
        self._known = AnswersByTree[Any](remembers) if isinstance(remembers, int) else remembers
        self._remembers = remembers != 0
        self._calm_ms = calm_ms
        self._clock = clock
        self._task = BackgroundTask(f"gpviz {type(asker).__name__}", self)
        self._task.finished.connect(self._on_finished)
        self._task.failed.connect(self._on_failed)
        self._task.failed.connect(show_problem)
        self._task.progressed.connect(self.progressed)
        self._asked: tuple[object, Hashable, Work] | None = None
        self._asked_at = self._begun_at = 0.0
        self._cost = 0.0
        self._pause = single_shot(self, self._begin)
        self._late = single_shot(self, self._on_late, _LATE_MS)
        self.answered.connect(show)
        if isinstance(asker, QWidget):
            asker.installEventFilter(self)

    @property
    def is_busy(self) -> bool:
        """Whether an answer is still to come."""
        return self._task.is_busy or self._pause.isActive()

    def ask(self, subject: object, key: Hashable, work: Work, *, calm_ms: int | None = None) -> None:
        """Ask about a subject (a tree, a run, a file), which is compared as an object, and a key (rules, a range).

        ``work`` is done only if the answer is not known yet; what is being worked out already goes on.
        """
        if self.is_busy and self._asked is not None:
            asked_subject, asked_key, _ = self._asked
            if asked_subject is subject and asked_key == key:
                return
        self.asked.emit()
        now = self._clock()
        since, self._asked_at = now - self._asked_at, now
        if self._task.is_busy:
            self._cost = min(max(2 * self._cost, now - self._begun_at), _LONGEST_PAUSE_SECONDS)
        self._task.cancel()
        known = self.known(subject, key)
        if known is not None:
            self.cancel()
            self.answered.emit(known)
            return
        self._asked = subject, key, work
        if not self._late.isActive():
            self._late.start()
        calm_ms = self._calm_ms if calm_ms is None else calm_ms
        if calm_ms:
            self._pause.start(calm_ms)
        elif since >= self._cost:
            self._begin()
        elif not self._pause.isActive():
            self._pause.start(round(1000 * self._cost))

    def known(self, subject: object, key: Hashable) -> Any:
        """The answer, if it is remembered."""
        return self._known.get(subject, key) if self._remembers else None

    def cancel(self) -> None:
        """Nobody waits for the answer any more."""
        self._stop()
        self._asked = None

    def forget(self) -> None:
        """Nobody waits for the answer any more, and none is remembered."""
        self.cancel()
        self._known.clear()

    def close(self) -> None:
        """Ask for nothing any more, and wait until what is being done has stopped."""
        self.cancel()
        self._task.close()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Hide and not event.spontaneous():
            self._stop()
        elif event.type() is QEvent.Type.Show and self._asked is not None and not self.is_busy:
            self._late.start()
            self._begin()
        return super().eventFilter(watched, event)

    def _stop(self) -> None:
        self._late.stop()
        self._pause.stop()
        self._task.cancel()
        self.settled.emit()

    @Slot()
    def _begin(self) -> None:
        assert self._asked is not None
        self._pause.stop()
        self._begun_at = self._clock()
        self._task.ask(self._asked[2])

    @Slot(object)
    def _on_finished(self, answer: object) -> None:
        assert self._asked is not None
        self._late.stop()
        self._cost = min(self._clock() - self._begun_at, _LONGEST_PAUSE_SECONDS)
        (subject, key, _), self._asked = self._asked, None
        if self._remembers:
            self._known.put(subject, key, answer)
        self.answered.emit(answer)
        self.settled.emit()

    @Slot()
    def _on_failed(self) -> None:
        self._late.stop()
        self._asked = None
        self.settled.emit()

    @Slot()
    def _on_late(self) -> None:
        if self.is_busy:
            self.grown_late.emit()


def close_questions(asker: QObject) -> None:
    """End all that somebody has asked; every question is told to stop before the first is waited for."""
    asked = asker.findChildren(Question)
    for question in asked:
        question.cancel()
    for question in asked:
        question.close()
