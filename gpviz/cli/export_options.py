"""What `gpviz export` is asked for, read from its options and checked as far as that goes without the run."""

import argparse
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from gpviz.engine import GpvizError, InvalidValueError
from gpviz.engine.config import whole_number
from gpviz.engine.errors import shown
from gpviz.export.request import (
    FORMATS,
    OPTIONS,
    Every,
    ExportRequest,
    What,
    check_request,
    format_of,
    options_for,
    what_for,
)
from gpviz.run.limits import MAX_ITERATIONS

__all__ = ["Wish", "read_wish"]

_Kind = TypeVar("_Kind", What, Every)
_SIZE: Final = re.compile(r"([0-9]{1,6})[x×]([0-9]{1,6})", re.ASCII | re.IGNORECASE)
_RANGE: Final = re.compile(r"([0-9]{0,9}):([0-9]{0,9})", re.ASCII)
_OFTEN_OF_NO_USE: Final = tuple(part for part in OPTIONS if part not in ("what", "path"))


@dataclass(frozen=True, slots=True)
class Wish:
    """What the options say as far as they can be read without the run; None is the usual value."""

    what: What
    path: Path
    at: int | None
    first: int | None
    last: int | None
    every: Every
    theme: str
    width: int
    height: int
    scale: float
    pace: float
    is_fragment: bool
    is_bare: bool
    title: str

    def on(self, length: int) -> ExportRequest:
        """The request to a run of this length, checked."""
        request = ExportRequest(
            what=self.what,
            path=self.path,
            at=length if self.at is None else self.at,
            first=self.first or 0,
            last=length if self.last is None else self.last,
            every=self.every,
            theme=self.theme,
            width=self.width,
            height=self.height,
            scale=self.scale,
            pace=self.pace,
            is_fragment=self.is_fragment,
            is_bare=self.is_bare,
            title=self.title,
        )
        check_request(request, length)
        return request


def read_wish(options: argparse.Namespace, title: str) -> Wish:
    """What the options say; ``title`` is the usual one. Raises `GpvizError` for what cannot be meant."""
    path: Path = options.to
    is_range = options.range is not None or options.every is not None
    suffix = format_of(path)
    what = what_for(path, is_range=is_range) if options.what is None else _choice("what", options.what, What)
    if suffix not in FORMATS[what]:
        endings = " or ".join(f".{each}" for each in FORMATS[what])
        raise GpvizError(
            f"--to: {shown(path.name)} is not allowed; the {what} (--what) can be written as {endings}."
        )
    _check_use(options, what, suffix)
    first, last = _range(options.range)
    width, height = _size(options.size)
    return Wish(
        what,
        path,
        None if options.at is None else whole_number("--at", options.at, 0, MAX_ITERATIONS),
        first,
        last,
        _choice("every", options.every or "all", Every),
        options.theme or "light",
        width,
        height,
        _number("--scale", options.scale),
        _number("--pace", options.pace),
        options.fragment,
        options.bare,
        options.title if options.title is not None else title,
    )


def _check_use(options: argparse.Namespace, what: What, suffix: str) -> None:
    """An option that would do nothing is a misunderstanding, and better told than ignored."""
    used = options_for(what, suffix)
    for part in _OFTEN_OF_NO_USE:
        if getattr(options, part) in (None, False) or part in used:
            continue
        useful = [
            f"the {kind} as {' or '.join(f'.{each}' for each in endings)}"
            for kind in What
            if (endings := [each for each in FORMATS[kind] if part in options_for(kind, each)])
        ]
        raise GpvizError(
            f"{OPTIONS[part]}: there is no use for it in the {what} as .{suffix}; it is for {', '.join(useful)}."
        )


def _choice(part: str, text: str, kind: type[_Kind]) -> _Kind:
    try:
        return kind(text)
    except ValueError:
        raise InvalidValueError(OPTIONS[part], text, f"one of {', '.join(kind)}") from None


def _range(text: str | None) -> tuple[int | None, int | None]:
    if text is None:
        return None, None
    found = _RANGE.fullmatch(text.strip())
    if found is None:
        raise InvalidValueError("--range", text, "two iterations with a colon, such as 0:300, 100: or :300")
    first, last = (int(part) if part else None for part in found.groups())
    return first, last


def _size(text: str | None) -> tuple[int, int]:
    if text is None:
        return 1280, 720
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise InvalidValueError("--size", text, "width x height in pixels, such as 1280x720")
    return int(found[1]), int(found[2])


def _number(option: str, text: str | None) -> float:
    try:
        return 1.0 if text is None else float(text)
    except ValueError:
        raise InvalidValueError(option, text, "a number such as 2 or 0.5") from None
