"""Lecture files, ``*.gpviz``: scenes and the runs they show as JSON, checked as strictly as run files are."""

import json
import os
import re
import stat
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Final, NamedTuple

from gpviz import assets
from gpviz.engine.errors import GpvizError, InvalidValueError, shown
from gpviz.record.files import read_file, shown_path, write_file
from gpviz.record.lecture import (
    MAX_RUNS,
    MAX_SCENES,
    Lecture,
    Scene,
    moved,
    replaced,
    with_run,
    with_scene,
    without_scene,
)
from gpviz.record.limits import MAX_FILE_BYTES
from gpviz.record.runfile import data_of, run_file_of
from gpviz.record.saved import RunFile
from gpviz.record.strict_json import check_keys, parse_json

__all__ = [
    "VERSION",
    "ShippedLecture",
    "is_lecture_file",
    "lecture_data_of",
    "lecture_of",
    "load_any",
    "load_lecture",
    "moved",
    "replaced",
    "save_lecture",
    "shipped_lectures",
    "with_run",
    "with_scene",
    "without_scene",
]

VERSION: Final = 1
_FORMAT: Final = "gpviz-lecture"
_RUN_FORMAT: Final = "gpviz-run"
_KEYS: Final = ("format", "version", "title", "runs", "scenes")
_SCENE_KEYS: Final = tuple(each.name for each in fields(Scene))

# A quote within a text would be escaped, so no note in a run file can look like this.
_MARK: Final = re.compile(rb'"format"\s*:\s*"gpviz-lecture"')
_HEAD_BYTES: Final = 65_536


class ShippedLecture(NamedTuple):
    """A lecture that comes with gpviz."""

    name: str
    title: str
    path: Path


def save_lecture(path: str | os.PathLike[str], lecture: Lecture) -> None:
    """Write the file; what was there is replaced once the new file is complete, and not touched before."""
    content = f"{json.dumps(lecture_data_of(lecture), indent=2, ensure_ascii=False)}\n".encode()
    if len(content) > MAX_FILE_BYTES:
        raise GpvizError(
            f"{shown_path(path)}: it cannot be written; the lecture would make it {len(content):,} bytes long,"
            f" and {MAX_FILE_BYTES:,} are allowed."
        )
    write_file(path, content)


def lecture_data_of(lecture: Lecture) -> dict[str, Any]:
    """What a lecture file says, ready for JSON."""
    return {
        "format": _FORMAT,
        "version": VERSION,
        "title": lecture.title,
        "runs": [data_of(run) for run in lecture.runs],
        "scenes": [{**asdict(scene), "panels": list(scene.panels)} for scene in lecture.scenes],
    }


def load_lecture(path: str | os.PathLike[str]) -> Lecture:
    """What the file says, checked but not replayed; raises `GpvizError` with the file's name."""
    content = read_file(path, MAX_FILE_BYTES)
    try:
        return lecture_of(parse_json(content))
    except GpvizError as error:
        raise GpvizError(f"{shown_path(path)}: {error}") from error


def load_any(path: str | os.PathLike[str]) -> RunFile | Lecture:
    """The run or the lecture in the file, as `load_lecture` and the loading of run files give it."""
    content = read_file(path, MAX_FILE_BYTES)
    try:
        data = parse_json(content)
        is_lecture = isinstance(data, dict) and data.get("format") == _FORMAT
        return lecture_of(data) if is_lecture else run_file_of(data)
    except GpvizError as error:
        raise GpvizError(f"{shown_path(path)}: {error}") from error


def is_lecture_file(path: str | os.PathLike[str]) -> bool:
    """Whether it looks like a lecture at the beginning; a file that cannot be read does not."""
    try:
        # Opening a pipe could wait for ever, so what it is comes before what is in it.
        if not stat.S_ISREG(Path(path).stat().st_mode):
            return False
        with Path(path).open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except (OSError, ValueError):
        return False
    return _MARK.search(head) is not None


def shipped_lectures() -> tuple[ShippedLecture, ...]:
    """The lectures that come with gpviz, in the order of their file names."""
    return tuple(
        ShippedLecture(path.stem, load_lecture(path).title, path)
        for path in sorted(assets.folder("lectures").glob("*.gpviz"))
    )


def lecture_of(data: Any) -> Lecture:
    """What `lecture_data_of` has described, checked; raises `GpvizError`."""
    if not isinstance(data, dict):
        raise GpvizError("it is not a lecture; it has no keys.")
    if data.get("format") == _RUN_FORMAT:
        raise GpvizError("format: it is a run, not a lecture; open it as a run, and capture scenes from it.")
    if data.get("format") != _FORMAT:
        raise InvalidValueError("format", data.get("format"), f"{_FORMAT!r} in a lecture")
    version = data.get("version")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise InvalidValueError("version", version, f"{VERSION}, a whole number")
    if version > VERSION:
        raise GpvizError(
            f"version: it was saved as version {shown(version)}, but this gpviz knows only up to"
            f" version {VERSION}."
        )
    check_keys("", data, _KEYS)
    # Long lists are refused before anything in them is looked at.
    for key, most in (("runs", MAX_RUNS), ("scenes", MAX_SCENES)):
        if not isinstance(data[key], list):
            raise InvalidValueError(key, data[key], "a list")
        if len(data[key]) > most:
            raise GpvizError(f"{key}: there are {len(data[key]):,}, and {most} are allowed.")
    return Lecture(
        title=data["title"],
        runs=tuple(_run(f"runs[{index}]", run) for index, run in enumerate(data["runs"])),
        scenes=tuple(_scene(f"scenes[{index}]", scene) for index, scene in enumerate(data["scenes"])),
    )


def _run(name: str, data: Any) -> RunFile:
    if not isinstance(data, dict):
        raise InvalidValueError(name, data, "an object, written as in a run file")
    try:
        return run_file_of(data)
    except GpvizError as error:
        raise GpvizError(f"{name}: {error}") from error


def _scene(name: str, data: Any) -> Scene:
    check_keys(name, data, _SCENE_KEYS)
    panels = data["panels"]
    if not isinstance(panels, list):
        raise InvalidValueError(f"{name}.panels", panels, "a list")
    try:
        return Scene(**{**data, "panels": tuple(panels)})
    except GpvizError as error:
        raise GpvizError(f"{name}.{error}") from error
