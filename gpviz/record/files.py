"""Whole files, read within a limit and written so that a crash leaves either the old or the new one."""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gpviz.engine.errors import GpvizError

__all__ = ["check_writable", "read_file", "replacing", "shown_path", "write_file"]


def shown_path(path: str | os.PathLike[str]) -> str:
    """The path as it appears in a message: on one line, also where its bytes are no text."""
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in os.fspath(path)
    )


def read_file(path: str | os.PathLike[str], most_bytes: int) -> bytes:
    """The content of a file of at most this size; raises `GpvizError` where there is none."""
    try:
        # Opening a pipe could wait for ever, so what it is comes before what is in it.
        mode = Path(path).stat().st_mode
        if not stat.S_ISREG(mode):
            kind = "a directory" if stat.S_ISDIR(mode) else "a device or a pipe"
            raise GpvizError(f"{shown_path(path)}: it is {kind}, not a file.")
        with Path(path).open("rb") as file:
            content = file.read(most_bytes + 1)
    except (OSError, ValueError) as error:
        raise GpvizError(f"{shown_path(path)}: it cannot be read; {_reason(error)}.") from error
    if len(content) > most_bytes:
        raise GpvizError(f"{shown_path(path)}: it is larger than {most_bytes:,} bytes, the most allowed.")
    return content


def write_file(path: str | os.PathLike[str], content: bytes) -> None:
    """Replace or make the file in one go; where that fails raises `GpvizError`, and what was there stays.

    An existing file keeps its permissions; a link keeps pointing to its file, which is the one replaced.
    """
    with replacing(path) as draft, draft.open("xb") as file:
        file.write(content)


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """The path of a draft, to be written by whoever knows how; at the end it takes the place of the file.

    Where that fails, or is given up by an exception, nothing is left of it, and what was there stays.
    """
    with _drafting(path) as (draft, target):
        permissions = _permissions_of(target)
        yield draft
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        if permissions is not None:
            draft.chmod(permissions)
        draft.replace(target)


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
        target = Path(path).resolve()
    except (OSError, ValueError, RuntimeError) as error:  # a loop of links is a RuntimeError
        raise GpvizError(f"{shown_path(path)}: it cannot be written; {_reason(error)}.") from error
    draft = target.parent / f".gpviz-{secrets.token_hex(8)}.tmp"
    try:
        yield draft, target
    except OSError as error:
        raise GpvizError(f"{shown_path(path)}: it cannot be written; {_reason(error)}.") from error
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def _permissions_of(path: Path) -> int | None:
    """Those of the file there, None if there is no file; a file that may not be written is an error."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(mode):
        raise IsADirectoryError("it is not a file")
    if not os.access(path, os.W_OK):
        raise PermissionError("it is write-protected")
    return stat.S_IMODE(mode)


def _reason(error: Exception) -> str:
    """What the system says, without its number and the path."""
    strerror = getattr(error, "strerror", None)
    return str(strerror or error)
