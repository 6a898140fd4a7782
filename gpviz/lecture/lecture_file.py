"""Lecture files: a lecture as JSON, which is read with care, and the lectures that come with gpviz."""

import json
import os
import re
import stat
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from gpviz import assets
from gpviz.engine.errors import GpvizError, InvalidValueError
from gpviz.engine.interruption import checkpoint
from gpviz.files.file_io import read_file, reading, shown_path, write_file
from gpviz.files.reader import Anything, Kind, ListOf, Record, check_version, parse_json, record_of, within
from gpviz.lecture.lecture import MAX_RUNS, MAX_SCENES, Lecture, Scene
from gpviz.lecture.scene_content import content_data_of
from gpviz.runs.run_file import MAX_FILE_BYTES, RunFile, data_of, run_file_of

VERSION: Final = 4
"""The one that is written; version 1.0.0 wrote the smaller ones for lectures that did not need this one."""
_FORMAT: Final = "gpviz-lecture"
_RUN_FORMAT: Final = "gpviz-run"
# A quote within a text would be escaped, so no note in a run file can look like this.
_MARK: Final = re.compile(rb'"format"\s*:\s*"gpviz-lecture"')
_HEAD_BYTES: Final = 65_536
_FIRST_LECTURE: Final = "why-stuck"
_FIELDS: Final[dict[str, Kind]] = {
    "format": Anything(),
    "version": Anything(),
    "title": Anything(),
    "runs": ListOf(Anything(), MAX_RUNS),
    "scenes": ListOf(Anything(), MAX_SCENES),
}
_NO_SVG: Final = (
    "The picture of this scene was an SVG, which gpviz no longer shows: use a PNG or a JPEG instead."
)


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
        "scenes": [_data_of_scene(scene) for scene in lecture.scenes],
    }


def _data_of_scene(scene: Scene) -> dict[str, Any]:
    data = {name: getattr(scene, name) for name in record_of(Scene).fields}
    data["panels"] = list(scene.panels)
    data["captions"] = [asdict(caption) for caption in scene.captions]
    if scene.content is None:
        del data["content"]
    else:
        data["content"] = content_data_of(scene.content)
    return data


def load_lecture(path: str | os.PathLike[str]) -> Lecture:
    """What the file says, checked but not replayed; raises `GpvizError` with the file's name.

    Whoever does not wait any more ends it at a checkpoint (`gpviz.engine.interruption`).
    """
    content = read_file(path, MAX_FILE_BYTES)
    with reading(path):
        return lecture_of(parse_json(content))


def load_any(path: str | os.PathLike[str]) -> RunFile | Lecture:
    """The run or the lecture in the file, as `load_lecture` and the loading of run files give it."""
    content = read_file(path, MAX_FILE_BYTES)
    with reading(path):
        data = parse_json(content)
        is_lecture = isinstance(data, dict) and data.get("format") == _FORMAT
        return lecture_of(data) if is_lecture else run_file_of(data)


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
    """The lectures that come with gpviz: the first for everybody, then the others in the order of their names."""
    paths = sorted(
        assets.folder("lectures").glob("*.gpviz"), key=lambda path: (path.stem != _FIRST_LECTURE, path)
    )
    return tuple(ShippedLecture(path.stem, _title(path), path) for path in paths)


@cache  # these files do not change, and every window offers them
def _title(path: Path) -> str:
    return load_lecture(path).title


def lecture_of(data: Any) -> Lecture:
    """What `lecture_data_of` has described, checked; raises `GpvizError`."""
    if not isinstance(data, dict):
        raise GpvizError("it is not a lecture; it has no keys.")
    if data.get("format") == _RUN_FORMAT:
        raise GpvizError("format: it is a run, not a lecture; open it as a run, and capture scenes from it.")
    if data.get("format") != _FORMAT:
        raise InvalidValueError("format", data.get("format"), f"{_FORMAT!r} in a lecture")
    check_version(data, range(1, VERSION + 1))
    values = Record(_FIELDS, frozenset(_FIELDS)).read("", data)
    runs: list[RunFile] = []
    scenes: list[Scene] = []
    for index, run in enumerate(values["runs"]):
        checkpoint()
        with within(f"runs[{index}]"):
            runs.append(run_file_of(run))
    for index, scene in enumerate(values["scenes"]):
        checkpoint()
        scenes.append(record_of(Scene).read(f"scenes[{index}]", _without_what_is_gone(scene)))
    return Lecture(title=values["title"], runs=tuple(runs), scenes=tuple(scenes))


def _without_what_is_gone(scene: Any) -> Any:
    """A scene of version 1.0.0 without what gpviz no longer has: the Function page, now part of Rows, and SVG."""
    if not isinstance(scene, dict):
        return scene
    content = scene.get("content")
    if scene.get("page") == "function":
        scene = {**scene, "page": "rows"}
    if isinstance(content, dict) and (content.get("kind"), content.get("format")) == ("picture", "svg"):
        return {**scene, "content": None, "text": f"{_NO_SVG}\n\n{scene.get('text', '')}".strip()}
    return scene
