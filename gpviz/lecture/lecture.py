"""Lectures: scenes over runs, with captions and notes, and the JSON files they are kept in."""

import json
import os
import re
import stat
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

from gpviz import assets
from gpviz.engine.errors import GpvizError, InvalidValueError
from gpviz.engine.interruption import checkpoint
from gpviz.files.file_io import read_file, reading, shown_path, write_file
from gpviz.files.reader import (
    Anything,
    Instance,
    Kind,
    Line,
    ListOf,
    Number,
    OneOf,
    Record,
    Text,
    Whole,
    check_fields,
    check_version,
    listed,
    parse_json,
    record_of,
    within,
)
from gpviz.lecture.scene_content import ContentKind, SceneComparison, SceneContent, content_data_of
from gpviz.page_list import scene_pages
from gpviz.runs.branches import MAX_BRANCHES, MAX_TOTAL_ITERATIONS
from gpviz.runs.history import MAX_ITERATIONS
from gpviz.runs.run_file import MAX_FILE_BYTES, RunFile, SavedBranch, data_of, run_file_of

PANELS: Final = ("caption", "curves", "theory")
"""What can stand below the tree, in the order of their keys; the theory is drawn in the curves: the time strip."""

MAX_SCENES: Final = 500
MAX_RUNS: Final = 100
MAX_TITLE_LENGTH: Final = 200
MAX_CAPTION_LENGTH: Final = 1000
MAX_CAPTIONS: Final = 50
"""How many captions a scene may have before that of its last iteration."""
MAX_TEXT_LENGTH: Final = 20_000
MAX_SPEED: Final = 1_000_000.0

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


@dataclass(frozen=True, slots=True)
class SceneCaption:
    """A text for a chosen iteration of a scene, which checks that the iteration is one of its own."""

    iteration: Annotated[int, Whole(0, MAX_ITERATIONS)]
    text: Annotated[str, Text(MAX_CAPTION_LENGTH, is_required=True)]

    def __post_init__(self) -> None:
        check_fields(self)


class _PageName:
    """The name of a page that a scene may show, or empty for none."""

    def read(self, name: str, value: object) -> str:
        names = [info.name for info in scene_pages()]
        if not isinstance(value, str) or value not in ("", *names):
            raise InvalidValueError(name, value, f"{listed(names)}, or empty for none")
        return value


class _PanelNames:
    """Names of panels. Those of earlier versions had a legend, too, and a timeline apart from the curves."""

    def read(self, name: str, value: object) -> tuple[str, ...]:
        if isinstance(value, list | tuple):
            is_twice = "curves" in value
            value = [each for each in value if each != "legend" and not (is_twice and each == "timeline")]
            value = ["curves" if each == "timeline" else each for each in value]
        return ListOf(OneOf(PANELS), len(PANELS)).read(name, value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What is shown until the lecture goes on; checked on creation as far as it can be alone.

    The scene opens at iteration ``first`` of a branch (0 for the original) of a run of the lecture, and goes on to
    ``last``: by itself at ``speed`` iterations a second, or, where that is 0, click by click, each click going to
    the next iteration or, with ``is_by_accepted``, to the next one that changed the tree. ``text`` is Markdown, to
    be shown large; where ``has_tree`` is false, instead of the tree. The ``caption`` speaks of what is seen at
    ``last``, and is shown when that is reached. Before that ``captions`` are shown, each at its own iteration, at
    which every click stops; a scene that plays by itself shows each of them until the next. Where there is no
    caption, each step is described in a sentence.

    ``content`` stands beside the tree, or instead of it: a chart, a statement of the paper, a picture, or runs
    side by side, of which the scene's own is one and says how far the scene goes.
    """

    title: Annotated[str, Line(MAX_TITLE_LENGTH)]
    run: Annotated[int, Whole(0, MAX_RUNS - 1)] = 0
    branch: Annotated[int, Whole(0, MAX_BRANCHES - 1)] = 0
    first: Annotated[int, Whole(0, MAX_ITERATIONS)] = 0
    last: Annotated[int, Whole(0, MAX_ITERATIONS)] = 0
    is_by_accepted: bool = False
    speed: Annotated[float, Number(0, MAX_SPEED)] = 0.0
    panels: Annotated[tuple[str, ...], _PanelNames()] = ("caption",)
    page: Annotated[str, _PageName()] = ""
    has_tree: bool = True
    text: Annotated[str, Text(MAX_TEXT_LENGTH)] = ""
    caption: Annotated[str, Text(MAX_CAPTION_LENGTH)] = ""
    notes: Annotated[str, Text(MAX_TEXT_LENGTH)] = ""
    captions: Annotated[tuple[SceneCaption, ...], ListOf(record_of(SceneCaption), MAX_CAPTIONS)] = ()
    content: Annotated[SceneContent, ContentKind()] | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        if self.first > self.last:
            raise InvalidValueError(
                "first", self.first, f"at most {self.last}, the last iteration of the scene"
            )
        if len(set(self.panels)) < len(self.panels):
            raise InvalidValueError("panels", list(self.panels), "a list that names each panel once")
        _check_captions(self.captions, self.first, self.last)

    def caption_at(self, iteration: int) -> str:
        """The caption that the scene wants at this iteration, empty for none."""
        if iteration >= self.last and self.caption:
            return self.caption
        said = [each for each in self.captions if each.iteration <= iteration]
        if said and (said[-1].iteration == iteration or self.speed > 0):
            return said[-1].text
        return ""

    @property
    def needs_run(self) -> bool:
        """Whether its run has to stay: it is shown, or the scene keeps iterations of it to be shown later."""
        has_iterations = any((self.run, self.branch, self.first, self.last))
        return self.has_tree or has_iterations or isinstance(self.content, SceneComparison)

    @property
    def runs_needed(self) -> tuple[int, ...]:
        """The indexes of the runs of the lecture that have to stay for it."""
        if not self.needs_run:
            return ()
        lanes = self.content.lanes if isinstance(self.content, SceneComparison) else ()
        return tuple(dict.fromkeys((self.run, *(lane.run for lane in lanes))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Lecture:
    """Scenes in their order, and the runs they show; every run, branch and iteration of a scene exists."""

    title: Annotated[str, Line(MAX_TITLE_LENGTH)]
    runs: Annotated[tuple[RunFile, ...], ListOf(Instance(RunFile), MAX_RUNS)] = ()
    scenes: Annotated[tuple[Scene, ...], ListOf(Instance(Scene), MAX_SCENES)] = ()

    def __post_init__(self) -> None:
        check_fields(self)
        total = sum(run.iterations + sum(branch.iterations for branch in run.branches) for run in self.runs)
        if total > MAX_TOTAL_ITERATIONS:
            raise GpvizError(
                f"runs: together they have {total:,} iterations, but at most {MAX_TOTAL_ITERATIONS:,} "
                "are allowed."
            )
        for index, scene in enumerate(self.scenes):
            with within(f"scenes[{index}]"):
                _check_iterations(scene, self.runs)


def panel_title(name: str) -> str:
    """What a panel is called on the screen."""
    return "time strip" if name == "curves" else name


def captions_within(captions: tuple[SceneCaption, ...], first: int, last: int) -> tuple[SceneCaption, ...]:
    """Those that a scene with these iterations can have."""
    return tuple(each for each in captions if first <= each.iteration < last)


@dataclass(frozen=True, slots=True, kw_only=True)
class CapturedView:
    """What the window shows now: a run, a branch by its index, an iteration, and what stands beside the tree."""

    run_file: RunFile
    branch: int
    iteration: int
    panels: tuple[str, ...] = ("caption",)
    page: str = ""


def iterations_of_branch(run_file: RunFile, branch: int) -> int:
    """How many iterations a branch has; branch 0 is the original."""
    return run_file.branches[branch - 1].iterations if branch else run_file.iterations


def with_scene(lecture: Lecture, index: int, scene: Scene) -> Lecture:
    """The lecture with one more scene, which gets this index among the scenes."""
    return with_scenes(lecture, (*lecture.scenes[:index], scene, *lecture.scenes[index:]))


def replaced(lecture: Lecture, index: int, scene: Scene) -> Lecture:
    """The lecture with this scene instead of the one that has this index."""
    return with_scenes(lecture, (*lecture.scenes[:index], scene, *lecture.scenes[index + 1 :]))


def without_scene(lecture: Lecture, index: int) -> Lecture:
    """The lecture without the scene of this index, and without its run if no other scene needs it."""
    return with_scenes(lecture, lecture.scenes[:index] + lecture.scenes[index + 1 :])


def moved(lecture: Lecture, index: int, to: int) -> Lecture:
    """The lecture with the scene ``index`` moved to ``to``, the others in their order."""
    scenes = list(lecture.scenes)
    scenes.insert(to, scenes.pop(index))
    return with_scenes(lecture, scenes)


def with_scenes(lecture: Lecture, scenes: Sequence[Scene]) -> Lecture:
    """The lecture with these scenes, and with those of its runs that they need."""
    changed = replace(lecture, scenes=tuple(scenes))
    return _tidied_around(changed, changed.runs, ())[0]


def with_run(lecture: Lecture, run_file: RunFile) -> tuple[Lecture, int]:
    """The lecture with this run among its runs, and the index the run has there.

    A run that goes on where one of the lecture ends replaces it; one the lecture already has is not added again.
    Runs that no scene needs are gone.
    """
    changed, (index,) = with_runs(lecture, (run_file,))
    return changed, index


def with_runs(lecture: Lecture, run_files: Sequence[RunFile]) -> tuple[Lecture, tuple[int, ...]]:
    """As `with_run` with several runs, and the indexes they have."""
    runs = list(lecture.runs)
    indexes = []
    for run_file in run_files:
        for index, run in enumerate(runs):
            if run == run_file or _goes_on(run_file, run):
                runs[index] = run_file
                break
            if _goes_on(run, run_file):
                break
        else:
            index = len(runs)
            runs.append(run_file)
        indexes.append(index)
    return _tidied_around(lecture, runs, indexes)


def _goes_on(longer: RunFile, shorter: RunFile) -> bool:
    """Whether one run has all that the other has, with the same indexes, and perhaps more of it."""
    if (longer.config, longer.start, longer.script) != (shorter.config, shorter.start, shorter.script):
        return False
    if len(longer.branches) < len(shorter.branches):
        return False
    return _is_as_long(longer, shorter) and all(
        _branch_goes_on(one, other) for one, other in zip(longer.branches, shorter.branches, strict=False)
    )


def _branch_goes_on(longer: SavedBranch, shorter: SavedBranch) -> bool:
    if (longer.parent, longer.at, longer.config) != (shorter.parent, shorter.at, shorter.config):
        return False
    in_both = tuple(each for each in longer.forced if each[0] <= shorter.iterations)
    return in_both == shorter.forced and _is_as_long(longer, shorter)


def _is_as_long(longer: RunFile | SavedBranch, shorter: RunFile | SavedBranch) -> bool:
    """At the same length the fingerprints must agree; a longer run is known by what determines it."""
    if longer.iterations == shorter.iterations:
        return longer.fingerprint == shorter.fingerprint
    return longer.iterations > shorter.iterations


def _tidied_around(
    lecture: Lecture, runs: Sequence[RunFile], kept: Sequence[int]
) -> tuple[Lecture, tuple[int, ...]]:
    """The lecture with only the runs that a scene needs or that are ``kept``, and the kept ones' new indexes.

    The others are dropped before anything is checked, so that an unneeded run never makes them too many.
    """
    needed = {run for scene in lecture.scenes for run in scene.runs_needed} | set(kept)
    if runs == lecture.runs and len(needed) == len(runs):
        return lecture, tuple(kept)  # checking all scenes again would slow down typing
    indexes = {old: new for new, old in enumerate(sorted(needed))}
    tidied = replace(
        lecture,
        runs=tuple(runs[old] for old in indexes),
        scenes=tuple(_with_indexes(scene, indexes) for scene in lecture.scenes),
    )
    return tidied, tuple(indexes[old] for old in kept)


def _with_indexes(scene: Scene, indexes: dict[int, int]) -> Scene:
    """The scene where the runs have these indexes instead."""
    if isinstance(scene.content, SceneComparison):
        lanes = tuple(replace(lane, run=indexes[lane.run]) for lane in scene.content.lanes)
        return replace(scene, run=indexes[scene.run], content=SceneComparison(lanes))
    return replace(scene, run=indexes.get(scene.run, 0))


def _check_iterations(scene: Scene, runs: tuple[RunFile, ...]) -> None:
    """Refuse a scene whose run, branch or iterations the lecture does not have."""
    if not runs:
        if scene.needs_run:
            raise GpvizError(f"run: the scene shows run {scene.run}, but the lecture has no runs.")
        return
    Whole(0, len(runs) - 1).read("run", scene.run)
    if isinstance(scene.content, SceneComparison):
        _check_lanes(scene, scene.content, runs)
    run = runs[scene.run]
    Whole(0, len(run.branches)).read("branch", scene.branch)
    most = iterations_of_branch(run, scene.branch)
    if scene.last > most:
        where = "branch" if scene.branch else "run"
        raise InvalidValueError("last", scene.last, f"at most {most}, the iterations of its {where}")


def _check_lanes(scene: Scene, content: SceneComparison, runs: tuple[RunFile, ...]) -> None:
    for index, lane in enumerate(content.lanes):
        with within(f"content.lanes[{index}]"):
            Whole(0, len(runs) - 1).read("run", lane.run)
            Whole(0, len(runs[lane.run].branches)).read("branch", lane.branch)
    if (scene.run, scene.branch) not in [(lane.run, lane.branch) for lane in content.lanes]:
        raise GpvizError(
            f"run: the scene goes along run {scene.run}, which is not one of those that it compares."
        )


def _check_captions(captions: tuple[SceneCaption, ...], first: int, last: int) -> None:
    before = -1
    for index, caption in enumerate(captions):
        name, iteration = f"captions[{index}].iteration", caption.iteration
        if first == last:
            raise GpvizError(f"{name}: the scene shows a single moment, which has the scene's own caption.")
        if not first <= iteration < last:
            allowed = f"from {first} to {last - 1}; the caption at the last iteration is the scene's own"
            raise InvalidValueError(name, iteration, allowed)
        if iteration <= before:
            raise InvalidValueError(name, iteration, f"above {before}, the iteration of the caption before")
        before = iteration


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
        text = scene.get("text", "")
        if isinstance(text, str):  # anything else is refused when the scene is read
            text = f"{_NO_SVG}\n\n{text}".strip()[:MAX_TEXT_LENGTH]
        return {**scene, "content": None, "text": text}
    return scene
