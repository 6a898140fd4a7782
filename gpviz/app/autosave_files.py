"""Files that survive a crash.

A running program locks its own. One that nobody has locked was left behind, and is offered at the next start.
"""

import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Generic, TypeVar

from PySide6.QtCore import QLockFile

from gpviz.engine import GpvizError

Content = TypeVar("Content")


class AutosaveFile:
    """A file of this program, locked until it is released."""

    def __init__(self, folder: Path, prefix: str) -> None:
        # Not the process's number: another program may get the same one, and would overwrite what is left.
        self.path = folder / f"{prefix}{secrets.token_hex(8)}.gpviz"
        self._lock = _lock_of(self.path)
        self._lock.tryLock(0)

    def remove(self) -> None:
        """Nothing needs to be restored."""
        _remove(self.path)

    def release(self) -> None:
        """The program ends; what is there is offered at the next start."""
        self._lock.unlock()


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
