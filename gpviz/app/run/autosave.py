"""Autosave: writes what is on show to the data folder every few seconds, and offers it again after a crash.

A running program locks its own files. A file without a lock was left behind.
"""

import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, Generic, TypeVar
from weakref import ref

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal, Slot

from gpviz.app.player.player import Player
from gpviz.app.preferences import data_folder
from gpviz.app.run.run_document import Document
from gpviz.app.tasks import BackgroundTask
from gpviz.engine import GpvizError
from gpviz.runs.run_file import Bookmark, RunFile, load, save

Content = TypeVar("Content")


class UnsavedFile(Generic[Content]):
    """A file that a crashed program left. It is locked until it is restored or discarded."""

    def __init__(self, path: Path, lock: QLockFile, content: Content) -> None:
        self.path = path
        self.content = content
        self._lock = lock

    def discard(self) -> None:
        """Delete it: it was restored, or nobody wants it."""
        _remove(self.path)
        self._lock.unlock()


def unsaved_files(folder: Path, prefix: str, load: Callable[[Path], Content]) -> list[UnsavedFile[Content]]:
    """What earlier programs left behind, newest first; what cannot be read is put aside."""
    for stray in folder.glob(f"{prefix}*.lock"):
        lock = _lock_of(stray)
        if not stray.with_suffix(".gpviz").exists() and lock.tryLock(0):
            lock.unlock()  # of a program that ended before it had anything to keep
    found = []
    for path in sorted(folder.glob(f"{prefix}*.gpviz"), key=_modified, reverse=True):
        lock = _lock_of(path)
        if not lock.tryLock(0):
            continue  # its program is alive; it may be this one
        try:
            found.append(UnsavedFile(path, lock, load(path)))
        except GpvizError:
            with suppress(OSError):  # another program may have put it aside meanwhile
                path.rename(path.with_suffix(".damaged"))
            lock.unlock()
    return found


def _remove(path: Path) -> None:
    with suppress(OSError):  # a file that cannot go is offered at the next start, which does no harm
        path.unlink(missing_ok=True)


def _lock_of(path: Path) -> QLockFile:
    lock = QLockFile(str(path.with_suffix(".lock")))
    lock.setStaleLockTime(0)
    return lock


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # it has gone meanwhile
        return 0.0


_INTERVAL_MS: Final = 3000


class AutosaveFile(QObject):
    """Writes something to a file of this program whenever it has changed; on a proper end the file goes."""

    failed = Signal(str)

    def __init__(self, folder: Path, prefix: str, kind: str, parent: QObject | None = None) -> None:
        """``kind`` is what is written, in one word."""
        super().__init__(parent)
        self._kind = kind
        # Not the process's number: another program may get the same one, and would overwrite what is left.
        self.path = folder / f"{prefix}{secrets.token_hex(8)}.gpviz"
        self._lock = _lock_of(self.path)
        self._lock.tryLock(0)
        self._saved: object = None
        self._taken_over: list[UnsavedFile[Any]] = []
        self._background = BackgroundTask("gpviz autosave", self)
        self._background.failed.connect(self._on_failed)
        self._background.finished.connect(self._on_saved)
        self._has_failed = False
        self._is_kept = False
        self._timer = QTimer(self)
        self._timer.setInterval(_INTERVAL_MS)
        self._timer.timeout.connect(self.save_if_changed)
        self._timer.start()

    def _mark(self) -> object:
        """What changes with what there is to write; None where there is nothing."""
        raise NotImplementedError

    def _writing(self) -> Callable[[], None]:
        """What writes it as it is now."""
        raise NotImplementedError

    @Slot()
    def save_if_changed(self) -> None:
        """Write it if there is something new in it."""
        mark = self._mark()
        if mark is None or mark == self._saved:
            return
        self._saved = mark
        try:
            write = self._writing()
        except GpvizError as problem:
            self._on_failed(str(problem))
            return
        self._background.ask(lambda _: write())

    @Slot(str)
    def _on_failed(self, problem: str) -> None:
        self._saved = None
        if not self._has_failed:  # once is enough until it works again
            self._has_failed = True
            self.failed.emit(f"The {self._kind} is not being autosaved: {problem}")

    @Slot()
    def _on_saved(self) -> None:
        self._has_failed = False
        if self._saved is None:
            self.forget()  # nobody needs it any more
        while self._taken_over:
            self._taken_over.pop().discard()

    @Slot(object)
    def take_over(self, left: UnsavedFile[Any]) -> None:
        """What was left behind is on show: its file may go as soon as it is written again."""
        self._taken_over.append(left)
        self._saved = None
        self.save_if_changed()

    def forget(self) -> None:
        """Nothing needs to be restored: it is saved elsewhere, or no longer on show."""
        self._saved = None
        _remove(self.path)

    def keep(self) -> None:
        """Write it now, and leave it to be offered at the next start."""
        self._timer.stop()
        self._background.close()  # else what it is writing might come later than this
        self._is_kept = True
        with suppress(GpvizError):  # the program is being ended; then what was written last is kept
            self._writing()()

    def close(self) -> None:
        """The program ends properly: nothing needs to be restored, unless it is to be kept."""
        self._timer.stop()
        self._background.close()
        if not self._is_kept:
            _remove(self.path)
        self._lock.unlock()


_PREFIX: Final = "autosave-"


Orphan = UnsavedFile[RunFile]
"""A run whose program ended without saying goodbye."""


def orphans(folder: Path) -> list[Orphan]:
    """The runs that earlier programs left behind, newest first."""
    return unsaved_files(folder, _PREFIX, load)


class Autosave(AutosaveFile):
    """Autosaves the run on show."""

    def __init__(
        self,
        player: Player,
        document: Document,
        describe: Callable[[Iterable[Bookmark]], RunFile],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(data_folder(), _PREFIX, "run", parent)
        self._player = player
        self._describe = describe
        self._document = document

    def _mark(self) -> object:
        history, document = self._player.run.history, self._document
        if not (len(history) or document.bookmarks or document.has_branches):
            return None
        # The log of a run that is no longer on show may be hundreds of megabytes.
        return ref(history), len(history), document.bookmarks, document.branches

    def _writing(self) -> Callable[[], None]:
        return partial(save, self.path, self._describe(self._document.bookmarks))
