"""The terminal, pipe or file that a command prints to: which signs it can show, tables, and a closed pipe."""

import errno
import json
import os
import re
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from io import TextIOBase, UnsupportedOperation
from pathlib import Path
from typing import Final, TextIO

from gpviz.engine.errors import GpvizError
from gpviz.number_text import SUBSCRIPTS, SUPERSCRIPTS

_SIGNS: Final = "∧∨₁├─└│·"
_EXPONENT: Final = re.compile(f"[⁻{SUPERSCRIPTS}]+")
_ASCII: Final[Mapping[int, int | str]] = {
    **str.maketrans(f"{SUBSCRIPTS}{SUPERSCRIPTS}", "01234567890123456789"),
    **str.maketrans("∧∨¬ℓ×✕−⁻–├└─│", "&|~lxx---|`-|"),
    ord("⊤"): "true",
    ord("∞"): "inf",
    ord("→"): "->",
    ord("±"): "+/-",
    ord("≥"): ">=",
    ord("≤"): "<=",
    ord("…"): "...",
}


def show(text: str, stream: TextIO | None = None) -> None:
    """Print a text, usually to the standard output, in ASCII where that can show no more."""
    stream = stream or sys.stdout
    print(text if _shows_unicode(stream) else ascii_text(text), file=stream, flush=True)


def show_result(options: Namespace, data: Callable[[], object], text: Callable[[], str]) -> None:
    """Print a command's result: as JSON with --json, else as text unless the command is to be quiet."""
    if options.json:
        print(json.dumps(data(), indent=2))
    elif not getattr(options, "quiet", False):
        show(text())


def _shows_unicode(stream: TextIO) -> bool:
    try:
        _SIGNS.encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def ascii_text(text: str) -> str:
    """The text without the signs that a terminal may lack."""
    text = _EXPONENT.sub(lambda power: f"^{power[0]}", text.replace(" · ", ", "))
    return text.translate(_ASCII)


class _Nowhere(TextIOBase):
    """Takes what is printed, and keeps nothing of it. On Windows the null device would call itself a terminal."""

    def write(self, text: str, /) -> int:
        return len(text)


def prepare_streams() -> None:
    """Let them take anything that is printed. Started without a console, Python has none at all."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None or stream.closed:
            setattr(sys, name, _Nowhere())
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a path or a note may hold what a terminal cannot show


def is_read(stream: TextIO | None) -> bool:
    """Whether somebody may read what is written there.

    What a desktop starts has no such stream on Windows, one to nowhere on macOS and one to the log on Linux.
    """
    if stream is None or sys.platform == "win32":  # where consoles and pipes look like the null device
        return stream is not None
    try:
        found = os.fstat(stream.fileno())
    except (OSError, ValueError):  # one that is no file, which somebody has put there to read it
        return True
    is_log = os.environ.get("JOURNAL_STREAM") == f"{found.st_dev}:{found.st_ino}"
    return not is_log and not os.path.samestat(found, Path(os.devnull).stat())


def is_closed_pipe(problem: OSError) -> bool:
    """Whether who reads the output has gone, which is no error: `gpviz check x1 | head -1`."""
    if isinstance(problem, BrokenPipeError):
        return True
    # Windows says this of it, and also of a file with a name that it does not allow.
    return sys.platform == "win32" and problem.errno == errno.EINVAL and problem.filename is None


def forget_output() -> None:
    """Let what is left to flush when Python ends go nowhere."""
    # What is no file has nothing to flush.
    with suppress(UnsupportedOperation), Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


class TableOutput:
    """The standard output for a table that grows, the same bytes on every system: UTF-8, lines that end in LF.

    Once nobody reads it any more, ``has_reader`` is false, and what is written is lost.
    """

    def __init__(self) -> None:
        if not sys.stdout.writable():  # what stands in for one that is not there
            raise GpvizError("--trace: there is no standard output here; name a file.")
        sys.stdout.flush()
        self.has_reader = True
        self._bytes = getattr(sys.stdout, "buffer", None)

    def write(self, text: str) -> None:
        """Write some lines, which a reader gets at once."""
        if not self.has_reader:
            return
        try:
            if self._bytes is None:  # somebody has put a text stream there
                sys.stdout.write(text)
            else:
                self._bytes.write(text.encode())
                self._bytes.flush()
        except OSError as problem:
            if not is_closed_pipe(problem):
                raise
            self.has_reader = False
            forget_output()


# --- tables ---


def facts_text(facts: Sequence[tuple[str, str]], width: int = 0) -> str:
    """Names and values below each other, indented; the names take at least ``width`` characters."""
    width = max(width, *(len(name) for name, _ in facts))
    return "\n".join(f"  {name:<{width}}  {value}" for name, value in facts)


def table_text(
    lines: Sequence[Sequence[str]],
    heads: Sequence[str] = (),
    *,
    left: int,
    heading: tuple[int, str] | None = None,
) -> str:
    """Columns below each other; the first ``left`` of them begin and the others end below each other.

    A ``heading`` stands over all columns from the one with its number on; the last of these begins, too.
    """
    rows = [heads, *lines] if heads else lines
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    last = len(widths) - 1 if heading is not None else None

    def row_text(row: Sequence[str]) -> str:
        cells = [
            cell.ljust(width) if column < left or column == last else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        return "  ".join(cells).rstrip()

    texts = [row_text(row) for row in rows]
    if heading is not None:
        first, title = heading
        start = sum(widths[:first]) + 2 * first
        texts.insert(0, f"{'':{start}}{f' {title} '.center(len(texts[0]) - start, '─')}")
    return "\n".join(texts)
