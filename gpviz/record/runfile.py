"""Run files, ``*.gpviz``: a saved run and its bookmarks as JSON, to be opened and replayed.

A run is what its configuration makes it, so the file need not hold its log; the fingerprint proves that what is
replayed is what was saved. A file may come from a stranger: it is parsed and checked, never executed.
"""

import json
import os
from collections.abc import Callable
from dataclasses import fields
from typing import Any, Final

from gpviz.engine.config import RunConfig
from gpviz.engine.errors import GpvizError, InvalidValueError, shown
from gpviz.record.bookmarks import Bookmark
from gpviz.record.files import read_file, shown_path, write_file
from gpviz.record.limits import MAX_FILE_BYTES, MAX_ITERATIONS
from gpviz.record.replay import Cancelled, replay, result_of
from gpviz.record.saved import RunFile, describe
from gpviz.record.strict_json import parse_json

__all__ = [
    "MAX_ITERATIONS",
    "MIGRATIONS",
    "VERSION",
    "Cancelled",
    "RunFile",
    "describe",
    "load",
    "replay",
    "result_of",
    "save",
]

VERSION: Final = 1
MIGRATIONS: Final[dict[int, Callable[[dict[str, Any]], dict[str, Any]]]] = {}
"""For each older version the function that turns its data into that of the next one."""

_FORMAT: Final = "gpviz-run"
_KEYS: Final = ("format", "version", "config", "start", "iterations", "bookmarks", "fingerprint")


def save(path: str | os.PathLike[str], run_file: RunFile) -> None:
    """Write the file; what was there is replaced once the new file is complete, and not touched before."""
    data = {
        "format": _FORMAT,
        "version": VERSION,
        "config": run_file.config.as_dict(),
        "start": run_file.start,
        "iterations": run_file.iterations,
        "bookmarks": [{"iteration": mark.iteration, "note": mark.note} for mark in run_file.bookmarks],
        "fingerprint": run_file.fingerprint,
    }
    content = f"{json.dumps(data, indent=2, ensure_ascii=False)}\n".encode()
    if len(content) > MAX_FILE_BYTES:
        raise GpvizError(
            f"{shown_path(path)}: it cannot be written; start and bookmarks would make it {len(content):,} bytes"
            f" long, and {MAX_FILE_BYTES:,} are allowed."
        )
    write_file(path, content)


def load(path: str | os.PathLike[str]) -> RunFile:
    """What the file says, checked but not replayed; raises `GpvizError` with the file's name."""
    content = read_file(path, MAX_FILE_BYTES)
    try:
        return _run_file(_as_current(parse_json(content)))
    except GpvizError as error:
        raise GpvizError(f"{shown_path(path)}: {error}") from error


def _as_current(data: Any) -> dict[str, Any]:
    """The data of a file of any known version, as a file of the present version would have it."""
    if not isinstance(data, dict):
        raise GpvizError("it is not a run file; it has no keys.")
    if data.get("format") != _FORMAT:
        raise InvalidValueError("format", data.get("format"), f"{_FORMAT!r} in a run file")
    version = data.get("version")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise InvalidValueError("version", version, f"a whole number from 1 to {VERSION}")
    if version > VERSION:
        raise GpvizError(
            f"version: it was saved as version {shown(version)}, but this gpviz knows only up to"
            f" version {VERSION}."
        )
    current: dict[str, Any] = data
    for older in range(version, VERSION):
        current = MIGRATIONS[older](current)
    return current


def _run_file(data: dict[str, Any]) -> RunFile:
    _check_keys("", data, _KEYS)
    if not isinstance(data["bookmarks"], list):
        raise InvalidValueError("bookmarks", data["bookmarks"], "a list")
    return RunFile(
        _config(data["config"]),
        data["start"],
        data["iterations"],
        tuple(_bookmark(f"bookmarks[{index}]", mark) for index, mark in enumerate(data["bookmarks"])),
        data["fingerprint"],
    )


def _config(data: Any) -> RunConfig:
    _check_keys("config", data, tuple(setting.name for setting in fields(RunConfig)))
    try:
        config = RunConfig.from_dict(data)
    except GpvizError as error:
        raise GpvizError(f"config.{error}") from error
    for name, value in config.as_dict().items():
        # A person may type "8" where a number is asked for, but what gpviz has written is 8.
        if type(data[name]) is not type(value) or data[name] != value:
            raise InvalidValueError(f"config.{name}", data[name], f"written as {shown(value)}")
    return config


def _bookmark(name: str, data: Any) -> Bookmark:
    _check_keys(name, data, ("iteration", "note"))
    try:
        return Bookmark(data["iteration"], data["note"])
    except GpvizError as error:
        raise GpvizError(f"{name}.{error}") from error


def _check_keys(name: str, data: Any, keys: tuple[str, ...]) -> None:
    if not isinstance(data, dict):
        raise InvalidValueError(name, data, f"an object with the keys {', '.join(keys)}")
    prefix = f"{name}." if name else ""
    for key in keys:
        if key not in data:
            raise GpvizError(f"{prefix}{key}: it is missing.")
    for key in data:
        if key not in keys:
            raise GpvizError(f"{shown(prefix + key)} is unknown; the keys are {', '.join(keys)}.")
