"""Reads whole files within a limit, and writes them so that a crash leaves either the old or the new one."""

import errno
import os
import re
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep, time
from typing import Final

from gpviz.engine.errors import GpvizError
from gpviz.engine.interruption import Deadline, Stopped, stoppable
from gpviz.escaping import terminal_text

_ENDING: Final = re.compile(r"\.[A-Za-z]\w*")
_WINDOWS_LOOP: Final = 1921
_WINDOWS_SHARED: Final = (32, 33)
_WINDOWS_IN_USE: Final = (5, *_WINDOWS_SHARED)  # 5 is access denied, also for an open file
_IN_USE_SECONDS: Final = 1.0
_NO_SPACE: Final = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
_STRAY_SECONDS: Final = 86_400
MOST_READING_SECONDS: Final = 20.0
"""A file that takes longer to be read and checked is given up."""


class FileTooLargeError(GpvizError):
    """A file is larger than whoever reads it allows."""


def shown_path(path: str | os.PathLike[str]) -> str:
    """The path as it appears in a message: on one line, also where its bytes are no text."""
    return terminal_text(os.fspath(path))


def with_ending(path: Path, ending: str) -> Path:
    """The path, with this ending where it has none: the end of ``run 0.5`` is a number."""
    is_named = not path.name or _ENDING.fullmatch(path.suffix)
    return path if is_named else path.with_name(f"{path.name}{ending}")


def resolved_path(path: str | os.PathLike[str]) -> Path:
    """Where the path leads, all links followed; raises `OSError` where they lead in a circle.

    From 3.13 on Python's own way no longer complains of a circle.
    """
    real = Path(os.path.realpath(path))
    try:
        real.stat()
    except OSError as error:
        if _is_link_loop(error):
            raise
    return real


def file_mode(path: Path) -> int | None:
    """The mode of what is there, for `stat.S_ISREG` and the like; None if there is nothing.

    Raises `OSError` where that cannot be known. From 3.14 on Python's `exists` and `is_file` say no then.
    """
    try:
        return path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):  # no file has a name that cannot be one
        return None


def error_reason(error: Exception) -> str:
    """What the system says, without its number and the path."""
    if _is_link_loop(error):
        return "its links lead in a circle"  # the systems do not agree on how to say it
    if getattr(error, "errno", None) == errno.ENOENT:
        return "there is no such file or folder"
    if getattr(error, "errno", None) in _NO_SPACE:
        return "the disk is full"
    code = getattr(error, "winerror", None)
    if code in _WINDOWS_SHARED:
        return "another program has it open"
    number, strerror = getattr(error, "errno", None), getattr(error, "strerror", None)
    if code is not None and number not in (None, errno.EINVAL):
        return os.strerror(number)  # Windows says it in the language of its user
    return str(strerror or error)


def write_error(path: str | os.PathLike[str], error: Exception) -> GpvizError:
    """What to raise where a file cannot be written."""
    return GpvizError(f"{shown_path(path)}: it cannot be written; {error_reason(error)}.")


def read_error(path: str | os.PathLike[str], error: Exception) -> GpvizError:
    """What to raise where a file cannot be read."""
    return GpvizError(f"{shown_path(path)}: it cannot be read; {error_reason(error)}.")


def _is_link_loop(error: Exception) -> bool:
    return getattr(error, "errno", None) == errno.ELOOP or getattr(error, "winerror", None) == _WINDOWS_LOOP


def read_file(path: str | os.PathLike[str], most_bytes: int) -> bytes:
    """The content of a file; raises `GpvizError` where there is none, `FileTooLargeError` for a larger one."""
    try:
        # Opening a pipe could wait for ever, so what it is comes before what is in it.
        mode = Path(path).stat().st_mode
        if not stat.S_ISREG(mode):
            kind = "a directory" if stat.S_ISDIR(mode) else "a device or a pipe"
            raise GpvizError(f"{shown_path(path)}: it is {kind}, not a file.")
        with Path(path).open("rb") as file:
            content = file.read(most_bytes + 1)
            size = max(os.fstat(file.fileno()).st_size, len(content))
    except (OSError, ValueError) as error:
        raise read_error(path, error) from error
    if len(content) > most_bytes:
        raise FileTooLargeError(
            f"{shown_path(path)}: it is {size:,} bytes long, and {most_bytes:,} are allowed."
        )
    return content


@contextmanager
def reading(path: str | os.PathLike[str]) -> Iterator[None]:
    """For the reading and checking of a stranger's file, which may be made to take for ever.

    What is wrong with the file, or that it takes too long, raises `GpvizError` with its name; whoever does not
    wait any more ends it at the next checkpoint.
    """
    deadline = Deadline(MOST_READING_SECONDS)
    try:
        with stoppable(deadline):
            yield
    except Stopped:
        if not deadline():
            raise
        raise GpvizError(
            f"{shown_path(path)}: it cannot be read within {deadline.seconds:.0f} seconds, the most allowed."
        ) from None
    except GpvizError as error:
        raise GpvizError(f"{shown_path(path)}: {error}") from error


def write_file(path: str | os.PathLike[str], content: bytes) -> None:
    """Replace or make the file in one go; where that fails raises `GpvizError`, and what was there stays.

    An existing file keeps its permissions; a link keeps pointing to its file, which is the one replaced.
    """
    with replacing(path) as draft, draft.open("xb") as file:
        file.write(content)


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """The path of a draft, to be written by whoever knows how; at the end it replaces the file.

    Where that fails, or is given up by an exception, nothing is left of it, and what was there stays.
    """
    with _drafting(path) as (draft, target):
        permissions = _permissions_of(target)
        yield draft
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        if permissions is not None:
            draft.chmod(permissions)
        move_file(draft, target)


def move_file(source: Path, target: Path) -> None:
    """Move a file on the same file system; whatever was there is replaced.

    Windows refuses that as long as another program looks into one of them, as those do that search for viruses or
    copy files to elsewhere. They are done soon, so it is tried again for a second.
    """
    deadline = monotonic() + _IN_USE_SECONDS
    while True:
        try:
            source.replace(target)
            return
        except PermissionError as error:
            if getattr(error, "winerror", None) not in _WINDOWS_IN_USE:
                raise
            if monotonic() > deadline:
                raise PermissionError("another program has it open") from error
        sleep(_IN_USE_SECONDS / 20)


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raise the `GpvizError` that writing the file would raise now, so that it is known before long work."""
    with _drafting(path) as (draft, target):
        _permissions_of(target)
        draft.touch(exist_ok=False)


@contextmanager
def _drafting(path: str | os.PathLike[str]) -> Iterator[tuple[Path, Path]]:
    """A name for a draft, and the file it is to replace; whatever happens, no draft is left behind.

    The draft lies beside the file, because only within one file system is a replacement a single act.
    """
    try:
        target = resolved_path(path)
    except (OSError, ValueError) as error:
        raise write_error(path, error) from error
    remove_abandoned_drafts(target.parent)
    draft = target.parent / f".gpviz-{secrets.token_hex(8)}.tmp"
    try:
        yield draft, target
    except BrokenPipeError:
        raise  # not of a file: nobody reads how far it is any more
    except OSError as error:
        raise write_error(path, error) from error
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def remove_abandoned_drafts(folder: Path) -> None:
    """Remove the drafts in a folder whose program was killed long ago."""
    with suppress(OSError):  # they may be somebody else's, and do no harm
        for stray in folder.glob(".gpviz-*.tmp"):
            with suppress(OSError):
                if time() - stray.stat().st_mtime > _STRAY_SECONDS:
                    if stray.is_dir():
                        shutil.rmtree(stray)
                    else:
                        stray.unlink()


def _permissions_of(path: Path) -> int | None:
    """Those of the file there, None if there is no file; a file that may not be written is an error."""
    mode = file_mode(path)
    if mode is None:
        return None
    if not stat.S_ISREG(mode):
        raise IsADirectoryError("it is not a file")
    if not os.access(path, os.W_OK):
        raise PermissionError("it is write-protected")
    return stat.S_IMODE(mode)
