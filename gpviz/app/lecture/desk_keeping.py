"""Keeping a lecture in the making: it is written in the background, and what a crash leaves is found again."""

import secrets
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEventLoop, QLockFile, QObject, Signal, Slot

from gpviz.app.background import Background, ShouldStop
from gpviz.engine import GpvizError
from gpviz.record.lecture import Lecture
from gpviz.record.lecture_file import load_lecture, save_lecture

__all__ = ["LectureWriter", "LeftLecture", "Writing", "lectures_left"]

_PREFIX: Final = "lecture-autosave-"


class LeftLecture:
    """A lecture whose program ended without saying goodbye. It is held until it is restored or discarded."""

    def __init__(self, path: Path, lock: QLockFile, lecture: Lecture) -> None:
        self.path = path
        self.lecture = lecture
        self._lock = lock

    def discard(self) -> None:
        """Delete it: it was restored, or nobody wants it."""
        with suppress(OSError):  # a file that cannot go is offered again, which does no harm
            self.path.unlink(missing_ok=True)
        self._lock.unlock()


def lectures_left(folder: Path) -> list[LeftLecture]:
    """The lectures that earlier programs left behind, newest first; what cannot be read is put aside."""
    for stray in folder.glob(f"{_PREFIX}*.lock"):
        lock = _lock_of(stray)
        if not stray.with_suffix(".gpviz").exists() and lock.tryLock(0):
            lock.unlock()  # of a program that ended before it had anything to keep
    found = []
    for path in sorted(folder.glob(f"{_PREFIX}*.gpviz"), key=_modified, reverse=True):
        lock = _lock_of(path.with_suffix(".lock"))
        if not lock.tryLock(0):
            continue  # its program is alive; it may be this one
        try:
            found.append(LeftLecture(path, lock, load_lecture(path)))
        except GpvizError:
            with suppress(OSError):  # another program may have put it aside meanwhile
                path.rename(path.with_suffix(".damaged"))
            lock.unlock()
    return found


@dataclass(frozen=True, slots=True)
class Writing:
    """A lecture to be written to a file. ``document`` tells which lecture it was when others came and went."""

    path: Path
    lecture: Lecture
    document: int


class LectureWriter(QObject):
    """Writes lectures one after the other, in the background, and keeps the one in the making beside them."""

    written = Signal(object)
    failed = Signal(object, object)
    idled = Signal()

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # Not the process's number: another program may get the same one, and would overwrite what is left.
        self.autosave_path = folder / f"{_PREFIX}{secrets.token_hex(8)}.gpviz"
        self._lock = _lock_of(self.autosave_path.with_suffix(".lock"))
        self._lock.tryLock(0)
        self._waiting: deque[Writing] = deque()
        self._current: Writing | None = None
        self._is_kept = False
        self._background = Background("gpviz lecture writer", self)
        self._background.finished.connect(self._on_finished)
        self._background.failed.connect(self._on_failed)

    @property
    def is_busy(self) -> bool:
        """Whether something is still to be written."""
        return self._current is not None

    def write(self, writing: Writing) -> None:
        """Write this after whatever is to be written before; of several for one file only the last counts."""
        self._waiting = deque(other for other in self._waiting if other.path != writing.path)
        self._waiting.append(writing)
        self._go_on()

    def is_autosave(self, writing: Writing) -> bool:
        """Whether it is what a crash would leave, and not what a person saved."""
        return writing.path == self.autosave_path

    def settle(self) -> None:
        """Wait until everything is written; meanwhile the window is painted, but takes no wishes."""
        while self.is_busy:
            loop = QEventLoop()
            self.idled.connect(loop.quit)
            loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)

    def forget(self) -> None:
        """What is kept for the case of a crash is saved now, or not wanted."""
        self._waiting = deque(other for other in self._waiting if not self.is_autosave(other))
        if self._current is not None and self.is_autosave(self._current):
            return  # whoever waits for it will ask again
        with suppress(OSError):  # a file that cannot go is offered at the next start, which does no harm
            self.autosave_path.unlink(missing_ok=True)

    def keep(self, lecture: Lecture) -> None:
        """The program is being ended: write the lecture now, to be offered at the next start."""
        self._background.close()  # else what it is writing might come later than this
        self._waiting.clear()
        self._current = None
        self._is_kept = True
        with suppress(GpvizError):  # then what was written last is kept
            save_lecture(self.autosave_path, lecture)

    def close(self) -> None:
        """Write what is to be written, and end; nothing needs to be restored, unless it is to be kept."""
        self.settle()
        self._background.close()
        if not self._is_kept:
            self.forget()
        self._lock.unlock()

    def _go_on(self) -> None:
        if self._current is None and self._waiting:
            self._current = self._waiting.popleft()
            self._background.ask(partial(_write, self._current))

    def _take_current(self) -> Writing | None:
        current, self._current = self._current, None
        return current

    @Slot(object)
    def _on_finished(self, _answer: object) -> None:
        self.written.emit(self._take_current())
        self._after()

    @Slot(object)
    def _on_failed(self, problem: Exception) -> None:
        self.failed.emit(self._take_current(), problem)
        self._after()

    def _after(self) -> None:
        self._go_on()
        if not self.is_busy:
            self.idled.emit()


def _write(writing: Writing, _should_stop: ShouldStop) -> None:
    save_lecture(writing.path, writing.lecture)


def _lock_of(path: Path) -> QLockFile:
    lock = QLockFile(str(path))
    lock.setStaleLockTime(0)
    return lock


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # it has gone meanwhile
        return 0.0
