"""What a scene of a lecture may show beside a tree: a chart, a comparison of runs, a statement, or a picture.

All of it is plain data within the lecture's file, so that a lecture needs no other file.
"""

import base64
import binascii
import json
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Final

from gpviz.engine.errors import GpvizError, InvalidValueError
from gpviz.escaping import label_text
from gpviz.files.reader import Line, OneOf, Text, Whole, check_fields, listed, parse_json, record_of, within
from gpviz.paper_statements import load_statements, statement
from gpviz.runs.branches import MAX_BRANCHES
from gpviz.runs.presets import MAX_LANES, MIN_LANES

MAX_LABEL_LENGTH: Final = 60
MAX_ALT_LENGTH: Final = 1000
MAX_PICTURE_BYTES: Final = 4_000_000
PICTURE_FORMATS: Final = ("png", "jpeg")
_PICTURE_STARTS: Final = {"png": b"\x89PNG\r\n\x1a\n", "jpeg": b"\xff\xd8\xff"}
_MAX_FIGURE_VALUES: Final = 100_000
"""Numbers, texts and everything else in a chart, together."""
_MAX_SOURCE: Final = 200
_BASE64: Final = "the bytes of a picture in base64"


class _FigureJson:
    """A figure as JSON. However it was written, the same figure is the same text."""

    def read(self, name: str, value: object) -> str:
        if not isinstance(value, str | dict):
            raise InvalidValueError(name, value, "an object that describes a figure")
        text = value if isinstance(value, str) else json.dumps(value)
        with within(name):
            data = parse_json(text.encode("utf-8", "surrogatepass"), _MAX_FIGURE_VALUES)
        compact = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        return Text(len(compact)).read(name, compact)


class _PictureBytes:
    """The bytes of a picture, which a file has in base64."""

    def read(self, name: str, value: object) -> bytes:
        if not isinstance(value, str | bytes):
            raise InvalidValueError(name, value, _BASE64)
        try:
            content = value if isinstance(value, bytes) else base64.b64decode(value, validate=True)
        except (binascii.Error, ValueError) as error:
            raise GpvizError(f"{name}: it is not {_BASE64}.") from error
        if len(content) > MAX_PICTURE_BYTES:
            raise GpvizError(
                f"{name}: the picture has {len(content):,} bytes; at most {MAX_PICTURE_BYTES:,} are allowed."
            )
        return content


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneChart:
    """A chart of an experiment, as it was when it was put into the lecture.

    ``figure`` is what the figure shows, as `gpviz.experiments.figures.figure_data` writes, reads and checks it.
    ``plan``, ``chart``, ``runs`` and ``seed`` say how it can be made again: the name of the plan, the kind of the
    chart, and how many runs each cell had from which seed on.
    """

    plan: Annotated[str, Line(_MAX_SOURCE)]
    chart: Annotated[str, Line(_MAX_SOURCE)]
    runs: Annotated[int, Whole(0, 10**8)]
    seed: Annotated[int, Whole(0, 2**4096 - 1)]
    figure: Annotated[str, _FigureJson()]

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """One run of a comparison: the indexes of a run of the lecture and of its branch, and what it is called."""

    label: Annotated[str, Line(MAX_LABEL_LENGTH)]
    run: Annotated[int, Whole(0, 10**6)]
    branch: Annotated[int, Whole(0, MAX_BRANCHES - 1)] = 0

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True, slots=True)
class SceneComparison:
    """Runs side by side, all at the iteration of the scene; one that ends before it is shown at its end."""

    lanes: tuple[ComparedRun, ...]

    def __post_init__(self) -> None:
        check_fields(self)
        if not MIN_LANES <= len(self.lanes) <= MAX_LANES:
            raise GpvizError(
                f"lanes: there are {len(self.lanes)}, but a comparison has {MIN_LANES} to {MAX_LANES} runs."
            )
        for index, lane in enumerate(self.lanes):
            if (lane.run, lane.branch) in [(other.run, other.branch) for other in self.lanes[:index]]:
                raise GpvizError(
                    f"lanes[{index}]: run {lane.run} is listed already; each may be listed once."
                )


@dataclass(frozen=True, slots=True)
class SceneStatement:
    """A statement of the paper, by its name, such as ``theorem-1``."""

    name: Annotated[str, Line(_MAX_SOURCE)]

    def __post_init__(self) -> None:
        check_fields(self)
        if self.name not in [each.id for each in load_statements()]:
            raise InvalidValueError("name", self.name, "one of the paper's statements, such as 'theorem-1'")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenePicture:
    """A picture, and a text that says what it shows, for those who cannot see it."""

    format: Annotated[str, OneOf(PICTURE_FORMATS)]
    alt: Annotated[str, Text(MAX_ALT_LENGTH, is_required=True)]
    content: Annotated[bytes, _PictureBytes()]

    def __post_init__(self) -> None:
        check_fields(self)
        with within("content"):
            found = format_of_picture(self.content)
        if found != self.format:
            raise GpvizError(
                f"content: the picture is said to be {self.format.upper()}, but is {found.upper()}."
            )


def format_of_picture(content: bytes) -> str:
    """Which of the formats it is by its first bytes; raises `GpvizError` if it is none of them."""
    for name, start in _PICTURE_STARTS.items():
        if content.startswith(start):
            return name
    raise GpvizError("it is not a PNG or JPEG picture.")


SceneContent = SceneChart | SceneComparison | SceneStatement | ScenePicture
_KINDS: Final = {
    "chart": SceneChart,
    "comparison": SceneComparison,
    "statement": SceneStatement,
    "picture": ScenePicture,
}


class ContentKind:
    """What a scene shows: in a file, an object whose ``kind`` says which."""

    def read(self, name: str, value: object) -> SceneContent:
        if isinstance(value, SceneContent):
            return value
        kind = value.get("kind") if isinstance(value, dict) else None
        if not isinstance(value, dict) or not isinstance(kind, str) or kind not in _KINDS:
            raise InvalidValueError(name, value if kind is None else kind, listed(_KINDS))
        content: SceneContent = record_of(_KINDS[kind]).read(
            name, {key: each for key, each in value.items() if key != "kind"}
        )
        return content


def content_kind(content: SceneContent) -> str:
    """What it is in one word: chart, comparison, statement or picture."""
    return next(kind for kind, made in _KINDS.items() if isinstance(content, made))


def content_name(content: SceneContent) -> str:
    """What it shows, such as the title of a chart."""
    match content:
        case SceneChart():
            return label_text(json.loads(content.figure)["title"])
        case SceneStatement():
            return statement(content.name).heading
        case ScenePicture():
            return content.alt
        case SceneComparison():
            return ", ".join(lane.label for lane in content.lanes)


def content_title(content: SceneContent) -> str:
    """What it is, what it shows, and where it comes from."""
    title = f"{content_kind(content).capitalize()}: {content_name(content)}"
    if isinstance(content, SceneChart):
        return f"{title} (plan {content.plan}, {content.runs:,} runs a cell, seed {content.seed})"
    return title


def content_data_of(content: SceneContent) -> dict[str, Any]:
    """What a lecture file says of it, ready for JSON."""
    data = {"kind": content_kind(content), **asdict(content)}
    match content:
        case SceneChart():
            data["figure"] = json.loads(content.figure)
        case ScenePicture():
            data["content"] = base64.b64encode(content.content).decode("ascii")
    return data
