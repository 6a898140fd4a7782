"""What is to be taken away of a run: which thing, of which iterations, how it is to look, and where it goes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite
from pathlib import Path
from typing import Final

from gpviz.engine.errors import GpvizError, InvalidValueError, shown
from gpviz.engine.settings import whole_number
from gpviz.run.history import History
from gpviz.run.step_codes import Property, has_property

__all__ = [
    "FORMATS",
    "HEIGHTS",
    "LONGEST_FILM_S",
    "MOST_STEPS",
    "OPTIONS",
    "THEMES",
    "WIDTHS",
    "Every",
    "ExportRequest",
    "OnProgress",
    "What",
    "check_request",
    "check_steps",
    "format_of",
    "iterations_of",
    "number_of_iterations",
    "options_for",
    "seconds_of_film",
    "what_for",
]

OnProgress = Callable[[int, int], object]
"""Told how much is done, and of how much; if it returns True the export ends with `Cancelled`."""


class What(StrEnum):
    """The things that can be taken away."""

    TREE = "tree"
    CURVES = "curves"
    TABLE = "table"
    FILM = "film"
    SLIDES = "slides"
    PAGE = "page"
    LOG = "log"


class Every(StrEnum):
    """Which iterations of a range."""

    ALL = "all"
    ACCEPTED = "accepted"
    IMPROVED = "improved"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRequest:
    """One export. ``at`` is the iteration of a picture, ``first`` and ``last`` are those of everything else.

    ``width`` and ``height`` are pixels before ``scale``; ``pace`` is how many steps a film shows in a second. A
    bare tree is one without marks and words.
    """

    what: What
    path: Path
    at: int
    first: int
    last: int
    every: Every = Every.ALL
    theme: str = "light"
    width: int = 1280
    height: int = 720
    scale: float = 1.0
    pace: float = 1.0
    is_fragment: bool = False
    is_bare: bool = False
    title: str = ""


FORMATS: Final[Mapping[What, tuple[str, ...]]] = {
    What.TREE: ("png", "svg", "pdf", "tex"),
    What.CURVES: ("png", "svg", "pdf", "csv"),
    What.TABLE: ("png",),
    What.FILM: ("mp4", "gif"),
    What.SLIDES: ("tex",),
    What.PAGE: ("html",),
    What.LOG: ("csv", "jsonl"),
}
"""The endings a file of each may have, the usual one first."""

THEMES: Final = ("light", "dark", "projector")

OPTIONS: Final[Mapping[str, str]] = {
    "what": "--what",
    "path": "--to",
    "at": "--at",
    "range": "--range",
    "every": "--every",
    "theme": "--theme",
    "size": "--size",
    "scale": "--scale",
    "pace": "--pace",
    "fragment": "--fragment",
    "bare": "--bare",
    "title": "--title",
}
"""How the parts of a request are called on the command line."""

WIDTHS: Final = (320, 7680)
HEIGHTS: Final = (180, 4320)
MOST_STEPS: Final = {What.SLIDES: 500, What.PAGE: 1_000_001}
LONGEST_FILM_S: Final = {"mp4": 1800, "gif": 300}
"""More would fill a disk, or take a day; who asks for more has most likely not meant it."""

_USUAL: Final = {
    **dict.fromkeys(("png", "svg", "pdf", "tex"), What.TREE),
    **dict.fromkeys(("mp4", "gif"), What.FILM),
    "html": What.PAGE,
    **dict.fromkeys(("csv", "jsonl"), What.LOG),
}
_LOOKS: Final = frozenset({"theme", "size"})
_MOST_PIXELS: Final = 64_000_000
_SCALES: Final = (0.25, 8.0)
_PACES: Final = (0.1, 30.0)
_LAST_STEP_S: Final = 2.0


def what_for(path: Path, *, is_range: bool = False, fields: Mapping[str, str] = OPTIONS) -> What:
    """What a file of this name usually holds; a range of trees in LaTeX is slides."""
    suffix = format_of(path)
    if suffix not in _USUAL:
        endings = ", ".join(f".{each}" for each in _USUAL)
        raise InvalidValueError(fields["path"], path.name, f"a file that ends in one of {endings}")
    return What.SLIDES if suffix == "tex" and is_range else _USUAL[suffix]


def format_of(path: Path) -> str:
    """The ending of the file, without its dot."""
    return path.suffix.removeprefix(".").lower()


def options_for(what: What, suffix: str) -> frozenset[str]:
    """The parts of a request that this export looks at, by their names in `OPTIONS`; it ignores the others."""
    scale = {"scale"} if suffix == "png" else set()  # a picture of lines is as sharp as one likes
    if what is What.TREE:
        return frozenset({"at", "fragment", "bare"}) if suffix == "tex" else _LOOKS | scale | {"at", "bare"}
    if what is What.TABLE:
        return _LOOKS | scale | {"at"}
    if what is What.CURVES:
        return frozenset({"range"}) if suffix == "csv" else _LOOKS | scale | {"range"}
    if what is What.FILM:
        return _LOOKS | {"range", "every", "pace"}
    if what is What.SLIDES:
        return frozenset({"range", "every", "title"})
    return frozenset({"range", "title"}) if what is What.PAGE else frozenset({"range"})


def check_request(request: ExportRequest, length: int, fields: Mapping[str, str] = OPTIONS) -> None:
    """Raise the `GpvizError` of the first thing that a run of this length cannot give; ``fields`` names it."""
    what, suffix = request.what, format_of(request.path)
    if suffix not in FORMATS[what]:
        endings = " or ".join(f".{each}" for each in FORMATS[what])
        raise InvalidValueError(
            fields["path"], request.path.name, f"a file that ends in {endings}, the formats of the {what}"
        )
    used = options_for(what, suffix)
    if "at" in used:
        whole_number(fields["at"], request.at, 0, length, context=", the iterations of the run")
    else:
        _check_range(request, length, fields["range"])
    if "theme" in used and request.theme not in THEMES:
        raise InvalidValueError(fields["theme"], request.theme, f"one of {', '.join(THEMES)}")
    if "scale" in used:
        _check_number(fields["scale"], request.scale, *_SCALES)
    if "size" in used:
        _check_size(request, request.scale if "scale" in used else 1.0, fields["size"])
    if "pace" in used:
        _check_number(fields["pace"], request.pace, *_PACES)


def check_steps(request: ExportRequest, steps: int, fields: Mapping[str, str] = OPTIONS) -> None:
    """Raise a `GpvizError` if the export would show more steps than anybody looks at."""
    used = options_for(request.what, format_of(request.path))
    fewer = f"; choose a shorter range, or fewer of its steps ({fields['every']})"
    fewer = fewer if "every" in used and request.every is not Every.IMPROVED else "; choose a shorter range"
    span = f"{fields['range']}: {request.first}:{request.last} has {steps:,} steps"
    if request.what is What.FILM:
        longest = LONGEST_FILM_S[format_of(request.path)]
        if seconds_of_film(request, steps) > longest:
            faster = f", or a higher {fields['pace']}" if request.pace < _PACES[1] else ""
            raise GpvizError(
                f"{span}, too many for a film of {longest // 60} minutes, the longest there is{fewer}{faster}."
            )
    elif steps > MOST_STEPS.get(request.what, steps):
        raise GpvizError(f"{span}, and the {request.what} can have {MOST_STEPS[request.what]:,}{fewer}.")


def seconds_of_film(request: ExportRequest, steps: int) -> float:
    """How long a film of so many steps is; the last one stays a little longer."""
    return steps / request.pace + _LAST_STEP_S


def iterations_of(history: History, first: int, last: int, every: Every) -> list[int]:
    """The iterations of a range that are wanted, the first of it always among them."""
    if every is Every.ALL:
        return list(range(first, last + 1))
    wanted = Property.CHANGED if every is Every.ACCEPTED else Property.IMPROVED
    after = max(first + 1, 1)
    found = has_property(history.codes(after, last + 1), wanted).nonzero()[0]
    return [first, *(found + after).tolist()]


def number_of_iterations(history: History, first: int, last: int, every: Every) -> int:
    """How many `iterations_of` gives, without making them."""
    if every is Every.ALL:
        return last - first + 1
    wanted = Property.CHANGED if every is Every.ACCEPTED else Property.IMPROVED
    return 1 + int(has_property(history.codes(max(first + 1, 1), last + 1), wanted).sum())


def _check_range(request: ExportRequest, length: int, field: str) -> None:
    first, last = request.first, request.last
    if not (0 <= first <= length and 0 <= last <= length):
        raise InvalidValueError(field, f"{first}:{last}", f"within 0:{length}, the iterations of the run")
    if first > last:
        raise InvalidValueError(field, f"{first}:{last}", "from an iteration to the same or a later one")


def _check_number(field: str, value: float, least: float, most: float) -> None:
    if not (isfinite(value) and least <= value <= most):
        raise InvalidValueError(field, value, f"a number from {least:g} to {most:g}")


def _check_size(request: ExportRequest, scale: float, field: str) -> None:
    width, height = request.width, request.height
    size = f"{width}x{height}"
    if not (WIDTHS[0] <= width <= WIDTHS[1] and HEIGHTS[0] <= height <= HEIGHTS[1]):
        across, down = (f"{least} to {most}" for least, most in (WIDTHS, HEIGHTS))
        raise InvalidValueError(
            field, size, f"a width from {across} and a height from {down}, such as 1280x720"
        )
    if format_of(request.path) == "mp4" and (width % 2 or height % 2):
        raise InvalidValueError(field, size, "even in width and height for a film as .mp4")
    if width * height * scale * scale > _MOST_PIXELS:
        raise GpvizError(
            f"{field}: {shown(size)} times {scale:g} is too large; a picture may have {_MOST_PIXELS:,} pixels."
        )
