"""Autosave: the run on show is written to the data folder every few seconds, and offered again after a crash."""

import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal, Slot

from gpviz.app.run.document import Document
from gpviz.app.run.run_controller import RunController
from gpviz.app.settings import data_folder
from gpviz.app.tasks import BackgroundTask
from gpviz.engine import GpvizError
from gpviz.run.bookmarks import Bookmark
from gpviz.run.run_file import RunFile, load, save

__all__ = ["Autosave", "Orphan", "orphans"]

_INTERVAL_MS: Final = 3000
_PREFIX: Final = "autosave-"


class Orphan:
    """A run whose program ended without saying goodbye. It is held until it is restored or discarded."""

    def __init__(self, path: Path, lock: QLockFile, run_file: RunFile) -> None:
        self.path = path
        self.run_file = run_file
        self._lock = lock

    def discard(self) -> None:
        """Delete it: it was restored, or nobody wants it."""
        with suppress(OSError):  # a file that cannot go is offered again, which does no harm
            self.path.unlink(missing_ok=True)
        self._lock.unlock()


def orphans(folder: Path, own: Path) -> list[Orphan]:
    """The runs that earlier programs left behind, newest first; what cannot be read is put aside."""
    _remove_stray_locks(folder)
    found = []
    for path in sorted(folder.glob(f"{_PREFIX}*.gpviz"), key=_modified, reverse=True):
        if path == own:
            continue
        lock = QLockFile(str(path.with_suffix(".lock")))
        lock.setStaleLockTime(0)
        if not lock.tryLock(0):
            continue  # its program is alive
        try:
            found.append(Orphan(path, lock, load(path)))
        except GpvizError:
            with suppress(OSError):  # another program may have put it aside meanwhile
                path.rename(path.with_suffix(".damaged"))
            lock.unlock()
    return found


class Autosave(QObject):
    """Writes the run on show whenever it has changed, in the background; on a proper end the file goes."""

    failed = Signal(str)

    def __init__(
        self,
        controller: RunController,
        document: Document,
        describe: Callable[[Iterable[Bookmark]], RunFile],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._controller = controller
        self._describe = describe
        self._document = document
        # Not the process's number: another program may get the same one, and would overwrite what is left.
        self.path = data_folder() / f"{_PREFIX}{secrets.token_hex(8)}.gpviz"
        self._lock = QLockFile(str(self.path.with_suffix(".lock")))
        self._lock.setStaleLockTime(0)
        self._lock.tryLock(0)
        self._saved: tuple[object, ...] | None = None
        self._taken_over: list[Orphan] = []
        self._background = BackgroundTask("gpviz autosave", self)
        self._background.failed.connect(self._on_failed)
        self._background.finished.connect(self._on_saved)
        self._has_failed = False
        self._is_kept = False
        self._timer = QTimer(self)
        self._timer.setInterval(_INTERVAL_MS)
        self._timer.timeout.connect(self.save_if_changed)
        self._timer.start()

    @Slot()
    def save_if_changed(self) -> None:
        """Write the run if there is something new in it."""
        history = self._controller.history
        mark = (history, len(history), self._document.bookmarks, self._document.branches)
        is_empty = not (len(history) or self._document.bookmarks or self._document.has_branches)
        if mark == self._saved or is_empty:
            return
        self._saved = mark
        try:
            run_file = self._describe(self._document.bookmarks)
        except GpvizError as problem:
            self._on_failed(problem)
            return
        self._background.ask(lambda _: save(self.path, run_file))

    @Slot(object)
    def _on_failed(self, problem: Exception) -> None:
        self._saved = None
        if not self._has_failed:  # once is enough until it works again
            self._has_failed = True
            self.failed.emit(f"The run is not being autosaved: {problem}")

    @Slot()
    def _on_saved(self) -> None:
        self._has_failed = False
        while self._taken_over:
            self._taken_over.pop().discard()

    @Slot(object)
    def take_over(self, orphan: Orphan) -> None:
        """An orphan is on show: it may go as soon as the run that it was is saved again."""
        self._taken_over.append(orphan)
        self.save_if_changed()

    def keep(self) -> None:
        """Write the run now, and leave it to be offered at the next start."""
        self._timer.stop()
        self._background.close()  # else what it is writing might come later than this
        self._is_kept = True
        with suppress(GpvizError):  # the program is being ended; then what was written last is kept
            save(self.path, self._describe(self._document.bookmarks))

    def close(self) -> None:
        """The program ends properly: nothing needs to be restored, unless it is to be kept."""
        self._timer.stop()
        self._background.close()
        if self._is_kept:
            self._lock.unlock()
            return
        with suppress(OSError):  # a file that cannot go is offered at the next start, which does no harm
            self.path.unlink(missing_ok=True)
        self._lock.unlock()


def _remove_stray_locks(folder: Path) -> None:
    """Locks of programs that ended before they had anything to save."""
    for path in folder.glob(f"{_PREFIX}*.lock"):
        lock = QLockFile(str(path))
        lock.setStaleLockTime(0)
        if not path.with_suffix(".gpviz").exists() and lock.tryLock(0):
            lock.unlock()


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # it has gone meanwhile
        return 0.0
