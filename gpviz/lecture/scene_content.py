"""What a scene of a lecture may show beside a tree: a chart, a comparison of runs, a statement, or a picture.

All of it is plain data within the lecture's file, so that a lecture needs no other file.
"""

import base64
import binascii
import json
from dataclasses import dataclass
from typing import Any, Final

from gpviz.engine.errors import GpvizError, InvalidValueError
from gpviz.files.checked_text import check_line, check_text
from gpviz.files.strict_json import check_keys
from gpviz.lecture.picture_data import MAX_PICTURE_BYTES, PICTURE_FORMATS, check_picture
from gpviz.paper_statements import load_statements
from gpviz.runs.bookmarks import exact_number
from gpviz.runs.branches import MAX_BRANCHES
from gpviz.runs.comparison_presets import MAX_LANES, MIN_LANES

MAX_LABEL_LENGTH: Final = 60
MAX_ALT_LENGTH: Final = 1000
MAX_FIGURE_VALUES: Final = 100_000
"""Numbers, texts and everything else in a chart, together."""
_MAX_FIGURE_TEXT: Final = 4_000
_MAX_FIGURE_DEPTH: Final = 10
_MAX_NUMBER: Final = 1e200
_MIN_NUMBER: Final = 1e-200
"""Between these, or 0: of what is beyond them no axis could be drawn."""
_MAX_SOURCE: Final = 200
_MAX_RUNS: Final = 10**8
_MAX_SEED: Final = 2**4096
_MAX_STATEMENT: Final = 60
_BASE64: Final = "the bytes of a picture in base64"


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneChart:
    """A chart of an experiment, as it was when it was put into the lecture.

    ``figure`` is JSON: what the figure shows, as `gpviz.experiments.figures.figure_data` writes and reads it; here
    only its size and its values are checked. ``plan``, ``chart``, ``runs`` and ``seed`` say how it can be made
    again: the name of the plan, the kind of the chart, and how many runs each cell had from which seed on.
    """

    figure: str
    plan: str
    chart: str
    runs: int
    seed: int

    def __post_init__(self) -> None:
        if not isinstance(self.figure, str):
            raise InvalidValueError("figure", self.figure, "a figure as JSON")
        for name in ("plan", "chart"):
            check_line(name, getattr(self, name), _MAX_SOURCE)
        exact_number("runs", self.runs, _MAX_RUNS)
        _check_seed(self.seed)
        try:
            data = json.loads(self.figure)
        except ValueError as error:
            raise GpvizError("figure: it is not JSON.") from error
        _check_plain("figure", data)
        # However it was written, the same figure is the same chart.
        compact = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        object.__setattr__(self, "figure", compact)


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """One run of a comparison: a run of the lecture and its branch, by their places, and what it is called."""

    label: str
    run: int
    branch: int = 0

    def __post_init__(self) -> None:
        check_line("label", self.label, MAX_LABEL_LENGTH)
        exact_number("run", self.run, 10**6)
        exact_number("branch", self.branch, MAX_BRANCHES - 1)


@dataclass(frozen=True, slots=True)
class SceneComparison:
    """Runs side by side, all at the iteration of the scene; one that ends before it is shown at its end."""

    lanes: tuple[ComparedRun, ...]

    def __post_init__(self) -> None:
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

    name: str

    def __post_init__(self) -> None:
        check_line("name", self.name, _MAX_STATEMENT)
        if self.name not in [each.id for each in load_statements()]:
            raise InvalidValueError("name", self.name, "one of the paper's statements, such as 'theorem-1'")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenePicture:
    """A picture, and in words what it shows, for those who cannot see it."""

    format: str
    content: bytes
    alt: str

    def __post_init__(self) -> None:
        check_line("format", self.format, _MAX_SOURCE)
        if self.format not in PICTURE_FORMATS:
            raise InvalidValueError("format", self.format, f"one of {', '.join(PICTURE_FORMATS)}")
        if not isinstance(self.content, bytes):
            raise InvalidValueError("content", self.content, _BASE64)
        check_text("alt", self.alt, MAX_ALT_LENGTH)
        if not self.alt.strip():
            allowed = f"a text of 1 to {MAX_ALT_LENGTH} characters that describes the picture"
            raise InvalidValueError("alt", self.alt, allowed)
        try:
            check_picture(self.format, self.content)
        except GpvizError as error:
            raise GpvizError(f"content: {error}") from error


SceneContent = SceneChart | SceneComparison | SceneStatement | ScenePicture
_KINDS: Final[dict[type, str]] = {
    SceneChart: "chart",
    SceneComparison: "comparison",
    SceneStatement: "statement",
    ScenePicture: "picture",
}


def content_kind(content: SceneContent) -> str:
    """What it is in one word: chart, comparison, statement or picture."""
    return _KINDS[type(content)]


def content_data_of(content: SceneContent) -> dict[str, Any]:
    """What a lecture file says of it, ready for JSON."""
    match content:
        case SceneChart():
            return {
                "kind": "chart",
                "plan": content.plan,
                "chart": content.chart,
                "runs": content.runs,
                "seed": content.seed,
                "figure": json.loads(content.figure),
            }
        case SceneComparison():
            lanes = [{"label": lane.label, "run": lane.run, "branch": lane.branch} for lane in content.lanes]
            return {"kind": "comparison", "lanes": lanes}
        case SceneStatement():
            return {"kind": "statement", "name": content.name}
        case ScenePicture():
            text = base64.b64encode(content.content).decode("ascii")
            return {"kind": "picture", "format": content.format, "alt": content.alt, "content": text}


_KEYS: Final = {
    "chart": ("kind", "plan", "chart", "runs", "seed", "figure"),
    "comparison": ("kind", "lanes"),
    "statement": ("kind", "name"),
    "picture": ("kind", "format", "alt", "content"),
}


def content_of(data: Any) -> SceneContent:
    """What `content_data_of` has described, checked; raises `GpvizError`."""
    kind = data.get("kind") if isinstance(data, dict) else None
    if not isinstance(kind, str) or kind not in _KEYS:
        raise InvalidValueError("content", data if kind is None else kind, f"one of {', '.join(_KEYS)}")
    check_keys("content", data, _KEYS[kind])
    values = {key: value for key, value in data.items() if key != "kind"}
    try:
        match kind:
            case "chart":
                _check_plain("figure", values["figure"])
                return SceneChart(**{**values, "figure": json.dumps(values["figure"], ensure_ascii=False)})
            case "comparison":
                return SceneComparison(_lanes_of(values["lanes"]))
            case "statement":
                return SceneStatement(values["name"])
            case _:
                return ScenePicture(**{**values, "content": _decoded(values["content"])})
    except GpvizError as error:
        raise GpvizError(f"content.{error}") from error


def _lanes_of(data: Any) -> tuple[ComparedRun, ...]:
    if not isinstance(data, list):
        raise InvalidValueError("lanes", data, "a list")
    lanes = []
    for index, lane in enumerate(data[: MAX_LANES + 1]):
        check_keys(f"lanes[{index}]", lane, ("label", "run", "branch"))
        try:
            lanes.append(ComparedRun(**lane))
        except GpvizError as error:
            raise GpvizError(f"lanes[{index}].{error}") from error
    return tuple(lanes)


def _decoded(text: Any) -> bytes:
    if not isinstance(text, str):
        raise InvalidValueError("content", text, _BASE64)
    if len(text) > MAX_PICTURE_BYTES // 3 * 4 + 4:
        raise GpvizError(
            f"content: the picture has about {len(text) // 4 * 3:,} bytes; at most {MAX_PICTURE_BYTES:,} "
            "are allowed."
        )
    try:
        return base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError) as error:
        raise GpvizError(f"content: it is not {_BASE64}.") from error


def _check_plain(name: str, data: Any) -> None:
    """Refuse what no figure can be: too many values, nested too deeply, or numbers that cannot be drawn."""
    if not isinstance(data, dict):
        raise InvalidValueError(name, data, "an object that describes a figure")
    count = 0
    waiting: list[tuple[str, Any, int]] = [(name, data, 0)]
    while waiting:
        where, value, depth = waiting.pop()
        count += 1
        if count > MAX_FIGURE_VALUES:
            raise GpvizError(f"{name}: it has more than {MAX_FIGURE_VALUES:,} values.")
        if depth > _MAX_FIGURE_DEPTH:
            raise GpvizError(f"{name}: it is nested too deeply.")
        if isinstance(value, dict):
            waiting += [(f"{where}.{key}"[:200], each, depth + 1) for key, each in value.items()]
        elif isinstance(value, list):
            waiting += [(f"{where}[{at}]"[:200], each, depth + 1) for at, each in enumerate(value)]
        elif isinstance(value, str):
            check_text(where, value, _MAX_FIGURE_TEXT)
        elif isinstance(value, int | float):
            if value and not _MIN_NUMBER <= abs(value) <= _MAX_NUMBER:
                raise InvalidValueError(
                    where, value, f"0, or a number from {_MIN_NUMBER:g} to {_MAX_NUMBER:g} or its opposite"
                )
        elif value is not None:
            raise InvalidValueError(where, value, "a number, a text, a list or an object")


def _check_seed(seed: object) -> None:
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < _MAX_SEED:
        raise InvalidValueError("seed", seed, "a whole number from 0 on, of at most 4096 bits")
