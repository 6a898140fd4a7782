"""Lecture files: a lecture as JSON, which is read with care, and the lectures that come with gpviz."""

import json
import os
import re
import stat
from collections.abc import Callable
from dataclasses import asdict, fields
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from gpviz import assets
from gpviz.engine.errors import GpvizError, InvalidValueError
from gpviz.engine.interruption import checkpoint
from gpviz.files.file_io import read_file, reading, shown_path, write_file
from gpviz.files.strict_json import check_keys, checked_version, parse_json
from gpviz.lecture.lecture import (
    MAX_CAPTIONS,
    MAX_RUNS,
    MAX_SCENES,
    Lecture,
    Scene,
    SceneCaption,
    check_count,
)
from gpviz.lecture.scene_content import content_data_of, content_of
from gpviz.runs.run_file import MAX_FILE_BYTES, RunFile, data_of, run_file_of

VERSION: Final = 4
_FORMAT: Final = "gpviz-lecture"
_RUN_FORMAT: Final = "gpviz-run"
_KEYS: Final = ("format", "version", "title", "runs", "scenes")
# A quote within a text would be escaped, so no note in a run file can look like this.
_MARK: Final = re.compile(rb'"format"\s*:\s*"gpviz-lecture"')
_HEAD_BYTES: Final = 65_536
_FIRST_LECTURE: Final = "why-stuck"
_CAPTION_KEYS: Final = tuple(each.name for each in fields(SceneCaption))
_SCENE_KEYS: Final = tuple(each.name for each in fields(Scene))
_LATER_SCENE_KEYS: Final = ("captions", "content")
_FIRST_SCENE_KEYS: Final = tuple(name for name in _SCENE_KEYS if name not in _LATER_SCENE_KEYS)
"""What a scene had in the first version of the format; all that came later may be missing."""
_LATER_PAGES: Final = {"outlook": 4}
"""The pages that scenes of the first version cannot show, with the version from which on they can."""


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
    """What a lecture file says, ready for JSON.

    It is written as the first version that has all that is in it, so that every gpviz that can show it opens it.
    """
    return {
        "format": _FORMAT,
        "version": max((_version_of(scene) for scene in lecture.scenes), default=1),
        "title": lecture.title,
        "runs": [data_of(run) for run in lecture.runs],
        "scenes": [_data_of_scene(scene) for scene in lecture.scenes],
    }


def _version_of(scene: Scene) -> int:
    """The first version of the format that has such a scene."""
    if scene.page in _LATER_PAGES:
        return _LATER_PAGES[scene.page]
    if scene.content is not None or "theory" in scene.panels:
        return 3
    return 2 if scene.captions else 1


def _data_of_scene(scene: Scene) -> dict[str, Any]:
    data = {name: getattr(scene, name) for name in _FIRST_SCENE_KEYS}
    data["panels"] = list(scene.panels)
    if scene.captions:
        data["captions"] = [asdict(caption) for caption in scene.captions]
    if scene.content is not None:
        data["content"] = content_data_of(scene.content)
    return data


def load_lecture(
    path: str | os.PathLike[str], on_progress: Callable[[int, int], object] | None = None
) -> Lecture:
    """What the file says, checked but not replayed; raises `GpvizError` with the file's name.

    ``on_progress`` is told how many of its runs and scenes are checked, and how many there are. Whoever does not
    wait any more ends it at a checkpoint (`gpviz.engine.interruption`).
    """
    content = read_file(path, MAX_FILE_BYTES)
    with reading(path):
        return lecture_of(parse_json(content), on_progress)


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


def lecture_of(data: Any, on_progress: Callable[[int, int], object] | None = None) -> Lecture:
    """What `lecture_data_of` has described, checked; raises `GpvizError`. It is told as in `load_lecture`."""
    if not isinstance(data, dict):
        raise GpvizError("it is not a lecture; it has no keys.")
    if data.get("format") == _RUN_FORMAT:
        raise GpvizError("format: it is a run, not a lecture; open it as a run, and capture scenes from it.")
    if data.get("format") != _FORMAT:
        raise InvalidValueError("format", data.get("format"), f"{_FORMAT!r} in a lecture")
    checked_version(data, VERSION, f"a whole number from 1 to {VERSION}")
    check_keys("", data, _KEYS)
    # Long lists are refused before anything in them is looked at.
    for key, most in (("runs", MAX_RUNS), ("scenes", MAX_SCENES)):
        if not isinstance(data[key], list):
            raise InvalidValueError(key, data[key], "a list")
        if len(data[key]) > most:
            raise GpvizError(f"{key}: there are {len(data[key]):,}, but at most {most} are allowed.")
    runs: list[RunFile] = []
    scenes: list[Scene] = []

    def pass_on() -> None:
        checkpoint()
        if on_progress is not None:
            on_progress(len(runs) + len(scenes), len(data["runs"]) + len(data["scenes"]))

    for index, run in enumerate(data["runs"]):
        pass_on()
        runs.append(_run(f"runs[{index}]", run))
    for index, scene in enumerate(data["scenes"]):
        pass_on()
        scenes.append(_scene(f"scenes[{index}]", scene))
    pass_on()
    return Lecture(title=data["title"], runs=tuple(runs), scenes=tuple(scenes))


def _run(name: str, data: Any) -> RunFile:
    if not isinstance(data, dict):
        raise InvalidValueError(name, data, "an object, written as in a run file")
    try:
        return run_file_of(data)
    except GpvizError as error:
        raise GpvizError(f"{name}: {error}") from error


def _scene(name: str, data: Any) -> Scene:
    later = [key for key in _LATER_SCENE_KEYS if isinstance(data, dict) and key in data]
    check_keys(name, data, (*_FIRST_SCENE_KEYS, *later))
    for key in ("panels", "captions"):
        if key in data and not isinstance(data[key], list):
            raise InvalidValueError(f"{name}.{key}", data[key], "a list")
    captions = data.get("captions", [])
    try:
        check_count("captions", len(captions), MAX_CAPTIONS)
        return Scene(
            **{
                **data,
                "panels": tuple(data["panels"]),
                "captions": tuple(_caption(index, each) for index, each in enumerate(captions)),
                "content": content_of(data["content"]) if "content" in data else None,
            }
        )
    except GpvizError as error:
        raise GpvizError(f"{name}.{error}") from error


def _caption(index: int, data: Any) -> SceneCaption:
    name = f"captions[{index}]"
    check_keys(name, data, _CAPTION_KEYS)
    try:
        return SceneCaption(**data)
    except GpvizError as error:
        raise GpvizError(f"{name}.{error}") from error
