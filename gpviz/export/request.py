"""One export as a value: what is to be written, where and how; and its options, as the dialog and the
command line name, read and check them.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from math import isfinite
from pathlib import Path
from typing import Any, Final

from gpviz.analysis.redundant_leaves import Analysis, analyse
from gpviz.assets import THEME_NAMES
from gpviz.engine.errors import GpvizError, InvalidValueError, TooComplexError, shown, whole_number
from gpviz.engine.interruption import Deadline
from gpviz.engine.optional_packages import ExtraName
from gpviz.explain.outlook_picture import OutlookPicture
from gpviz.runs.history import MAX_ITERATIONS, Generalisation, History
from gpviz.runs.run_file import Bookmark
from gpviz.runs.step_encoding import Property, has_property

OnProgress = Callable[[int, int], object]
"""Called with how much is done, and of how much; if it returns True the export ends with `Cancelled`."""

LAST_STEP_S: Final = 2.0
"""How much longer the last step of a film stays than the others."""

_PATIENCE_S: Final = 10.0


class Every(StrEnum):
    """Which iterations of a range. An accepted offspring may equal its parent; then the tree does not change."""

    ALL = "all"
    ACCEPTED = "accepted"
    CHANGED = "changed"
    IMPROVED = "improved"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A run, and what is known of it besides its history.

    ``analysis`` is that of the tree on show, and ``outlook`` is the picture on show.
    """

    history: History
    generalisation: Generalisation | None = None
    stuck_since: int | None = None
    bookmarks: tuple[Bookmark, ...] = ()
    analysis: Analysis | None = None
    outlook: OutlookPicture | None = None

    def has_analysis_at(self, iteration: int) -> bool:
        """Whether what is known is known of the tree of this iteration, under its rules."""
        history = self.history
        known = self.analysis
        return known is not None and known.is_of(history.tree_at(iteration), history.rules_after(iteration))

    def analysis_at(self, iteration: int, patience_s: float = _PATIENCE_S) -> Analysis | None:
        """What is known of a tree, or found out in about this time; None for one too tangled to count."""
        if self.has_analysis_at(iteration):
            return self.analysis
        tree, rules = self.history.tree_at(iteration), self.history.rules_after(iteration)
        try:
            return analyse(tree, rules, Deadline(patience_s))
        except TooComplexError:
            return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFormat:
    """One way to write a kind of export.

    ``ending`` is the file name extension, without a dot, and ``title`` is the name in the dialog. ``writer``
    is a function ``write(request, subject, on_progress)`` as ``module:function``; it is loaded on first use
    and gets a request that has been checked. ``options`` are the parts of a request that it uses, by their
    names in `OPTIONS`. ``amount`` says how much will be written, given the request and the number of
    iterations.
    """

    ending: str
    title: str
    writer: str
    options: frozenset[str]
    amount: Callable[["ExportRequest", int], str]
    note: str = ""
    """More about the format, shown after its ending or its title."""
    is_painted: bool = False
    """Whether Qt paints it; then it needs a Qt application, and is written in the application's thread."""
    is_quick: Callable[["ExportRequest", Subject], bool] = lambda request, subject: False
    """Whether it takes so little time that the window can write it itself, at once."""
    needs: frozenset[str] = frozenset()
    """What must be known about the run first: ``stuck_since`` and ``generalisation``, as in `Subject`."""
    has_even_sides: bool = False
    most_steps: int | None = None
    most_seconds: int | None = None
    """For a film. More would fill a disk or take a day, and most likely the user did not mean it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExportKind:
    """A thing that can be taken away of a run.

    ``name`` is what the command line, the settings and proposed files call it, ``title`` what the dialog and the
    buttons do. ``description`` is a sentence, and ``icon`` a file in ``resources/icons``. The usual one of the
    ``formats`` comes first.
    """

    name: str
    title: str
    description: str
    icon: str
    formats: tuple[ExportFormat, ...]
    usual_for: tuple[str, ...] = ()
    """The endings that mean this kind where nobody says which."""
    picture: str = ""
    """Of what can be copied and saved as it is on show: what makes the widget of it, as ``module:function``.

    It is a context manager, called with the request and the subject, and the formats are written from its widget.
    """
    extra: ExtraName | None = None
    """The extra of the package that it needs."""

    def __str__(self) -> str:
        return self.name

    @property
    def by_ending(self) -> Mapping[str, ExportFormat]:
        """The formats by the endings of their files."""
        return {each.ending: each for each in self.formats}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRequest:
    """One export. ``at`` is the iteration of a picture, ``first`` and ``last`` are those of everything else.

    A picture of a range may point out one of its iterations: of ``at``, or of the one in the range next to it.

    ``width`` and ``height`` are pixels before ``scale``; ``pace`` is how many steps a film shows in a second. A
    bare tree is one without marks and texts. A log may have a column with the formulas of the trees,
    and curves what the paper proves.
    """

    kind: ExportKind
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
    has_formulas: bool = False
    has_theory: bool = False
    title: str = ""

    @property
    def format(self) -> ExportFormat:
        """How it is written; raises `KeyError` for an ending that this kind does not have."""
        return self.kind.by_ending[ending_of(self.path)]


def ending_of(path: Path) -> str:
    """The ending of the file, without its dot."""
    return path.suffix.removeprefix(".").lower()


def loaded(reference: str) -> Any:
    """What ``module:name`` is; its module is imported now."""
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)


def seconds_of_film(request: ExportRequest, steps: int) -> float:
    """How long a film of so many steps is."""
    return steps / request.pace + LAST_STEP_S


def iterations_of(request: ExportRequest, history: History) -> Sequence[int]:
    """The iterations of its range that are wanted, the first of it always among them."""
    first, last = request.first, request.last
    if "every" not in request.format.options or request.every is Every.ALL:
        return range(first, last + 1)
    wanted = Property(request.every.value)
    found = has_property(history.codes(first + 1, last + 1), wanted).nonzero()[0]
    return [first, *(found + first + 1).tolist()]


# --- the options ---

WIDTHS: Final = (320, 7680)
HEIGHTS: Final = (180, 4320)
SCALES: Final = (0.25, 8.0)
PACES: Final = (0.05, 30.0)
_MOST_PIXELS: Final = 64_000_000
_SIZE: Final = re.compile(r"([0-9]{1,6})[x×]([0-9]{1,6})", re.ASCII | re.IGNORECASE)
_RANGE: Final = re.compile(r"([0-9]{0,9}):([0-9]{0,9})", re.ASCII)

Names = Mapping[str, str]
"""How the parts of a request are called by whoever asked for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportOption:
    """A part of a request that only some exports look at.

    ``label`` is that of the dialog, with the letter of its key; ``help`` is that of the command line, where
    ``metavar`` stands for its value. One without a value is a switch. ``read`` turns such a value into fields of
    an `ExportRequest`, and ``value`` is the other way round.
    """

    name: str
    label: str
    help: str
    value: Callable[[ExportRequest], object]
    metavar: str = ""
    read: Callable[[str], dict[str, Any]]
    check: Callable[[ExportRequest, int, Names], None] = lambda request, length, names: None
    """Raises the `GpvizError` of what a run of this length cannot give."""

    @property
    def flag(self) -> str:
        """How it is written on the command line."""
        return f"--{self.name}"


def _read_range(text: str) -> dict[str, int]:
    found = _RANGE.fullmatch(text.strip())
    if found is None:
        raise InvalidValueError("--range", text, "two iterations with a colon, such as 0:300, 100: or :300")
    return {end: int(part) for end, part in zip(("first", "last"), found.groups(), strict=True) if part}


def _read_every(text: str) -> dict[str, Every]:
    try:
        return {"every": Every(text or "all")}
    except ValueError:
        raise InvalidValueError("--every", text, f"one of {', '.join(Every)}") from None


def _read_size(text: str) -> dict[str, int]:
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise InvalidValueError("--size", text, "width x height in pixels, such as 1280x720")
    return {"width": int(found[1]), "height": int(found[2])}


def _number(flag: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InvalidValueError(flag, text, "a number such as 2 or 0.5") from None


def _check_at(request: ExportRequest, length: int, names: Names) -> None:
    whole_number(names["at"], request.at, 0, length, context=", the iterations of the run")


def _check_range(request: ExportRequest, length: int, names: Names) -> None:
    first, last = request.first, request.last
    if not (0 <= first <= length and 0 <= last <= length):
        allowed = f"within 0:{length}, the iterations of the run"
        raise InvalidValueError(names["range"], f"{first}:{last}", allowed)
    if first > last:
        allowed = "from an iteration to the same or a later one"
        raise InvalidValueError(names["range"], f"{first}:{last}", allowed)


def _check_theme(request: ExportRequest, _length: int, names: Names) -> None:
    if request.theme not in THEME_NAMES:
        raise InvalidValueError(names["theme"], request.theme, f"one of {', '.join(THEME_NAMES)}")


def _check_size(request: ExportRequest, _length: int, names: Names) -> None:
    width, height = request.width, request.height
    if not (WIDTHS[0] <= width <= WIDTHS[1] and HEIGHTS[0] <= height <= HEIGHTS[1]):
        across, down = (f"{least} to {most}" for least, most in (WIDTHS, HEIGHTS))
        allowed = f"a width from {across} and a height from {down}, such as 1280x720"
        raise InvalidValueError(names["size"], _size(request), allowed)
    if request.format.has_even_sides and (width % 2 or height % 2):
        allowed = f"even in width and height for a {request.kind} as .{request.format.ending}"
        raise InvalidValueError(names["size"], _size(request), allowed)


def _check_scale(request: ExportRequest, _length: int, names: Names) -> None:
    _check_number(names["scale"], request.scale, SCALES)
    if request.width * request.height * request.scale**2 > _MOST_PIXELS:
        raise GpvizError(
            f"{names['size']}: {shown(_size(request))} times {request.scale:g} is too large;"
            f" a picture may have {_MOST_PIXELS:,} pixels."
        )


def _check_pace(request: ExportRequest, _length: int, names: Names) -> None:
    _check_number(names["pace"], request.pace, PACES)


def _check_number(field: str, value: float, ends: tuple[float, float]) -> None:
    least, most = ends
    if not (isfinite(value) and least <= value <= most):
        raise InvalidValueError(field, value, f"a number from {least:g} to {most:g}")


def _size(request: ExportRequest) -> str:
    return f"{request.width}x{request.height}"


_ALL_OPTIONS: Final = (
    ExportOption(
        name="at",
        label="&Iteration",
        metavar="T",
        help="the iteration of a tree or a table, or of the bar of an outlook (the last one)",
        read=lambda text: {"at": whole_number("--at", text, 0, MAX_ITERATIONS)},
        value=lambda request: request.at,
        check=_check_at,
    ),
    ExportOption(
        name="range",
        label="Iteratio&ns",
        metavar="A:B",
        help="the iterations of everything else (the whole run)",
        read=_read_range,
        value=lambda request: f"{request.first}:{request.last}",
        check=_check_range,
    ),
    ExportOption(
        name="every",
        label="Ste&ps",
        metavar="WHICH",
        help="in a film, slides or a page: all steps, accepted ones, changed (the tree changes) or improved (all)",
        read=_read_every,
        value=lambda request: request.every,
    ),
    ExportOption(
        name="theme",
        label="T&heme",
        metavar="THEME",
        help=f"{', '.join(THEME_NAMES)} (light)",
        read=lambda text: {"theme": text or "light"},
        value=lambda request: request.theme,
        check=_check_theme,
    ),
    ExportOption(
        name="size",
        label="Si&ze",
        metavar="WxH",
        help="the size of a picture or a film in pixels (1280x720)",
        read=_read_size,
        value=_size,
        check=_check_size,
    ),
    ExportOption(
        name="scale",
        label="Shar&pness",
        metavar="S",
        help="a factor for more pixels in the same picture (1)",
        read=lambda text: {"scale": _number("--scale", text)},
        value=lambda request: request.scale,
        check=_check_scale,
    ),
    ExportOption(
        name="pace",
        label="P&ace",
        metavar="P",
        help="how many steps a film shows in a second (1)",
        read=lambda text: {"pace": _number("--pace", text)},
        value=lambda request: request.pace,
        check=_check_pace,
    ),
    ExportOption(
        name="title",
        label="Tit&le",
        metavar="TEXT",
        help="the title of slides or a page (what was run, or the name of the preset)",
        read=lambda text: {"title": text},
        value=lambda request: request.title,
    ),
    ExportOption(
        name="fragment",
        label="Only the picture, to include in a document",
        help="TikZ to include in your own document",
        read=lambda _: {"is_fragment": True},
        value=lambda request: request.is_fragment,
    ),
    ExportOption(
        name="bare",
        label="Only the tree, without marks and words",
        help="only the tree, without marks and words, cropped to it",
        read=lambda _: {"is_bare": True},
        value=lambda request: request.is_bare,
    ),
    ExportOption(
        name="formulas",
        label="A column with the formula of each tree",
        help="in a log: a column with the formula of each tree that survived",
        read=lambda _: {"has_formulas": True},
        value=lambda request: request.has_formulas,
    ),
    ExportOption(
        name="theory",
        label="What the paper proves about the run",
        help="in curves: what the paper proves about the run",
        read=lambda _: {"has_theory": True},
        value=lambda request: request.has_theory,
    ),
)
OPTIONS: Final[Mapping[str, ExportOption]] = {option.name: option for option in _ALL_OPTIONS}

FLAGS: Final[Names] = {"path": "--to", **{name: option.flag for name, option in OPTIONS.items()}}
LABELS: Final[Names] = {
    "path": "File",
    **{name: option.label.replace("&", "") for name, option in OPTIONS.items()},
}


def check_ending(kind: ExportKind, path: Path, names: Names = FLAGS) -> None:
    """Raise a `GpvizError` if the kind cannot be written as a file of this name."""
    if ending_of(path) not in kind.by_ending:
        endings = " or ".join(f".{each}" for each in kind.by_ending)
        raise InvalidValueError(
            names["path"], path.name, f"a file that ends in {endings}, the formats of the {kind}"
        )


def check_request(request: ExportRequest, length: int, names: Names = FLAGS) -> None:
    """Raise the `GpvizError` of the first thing that a run of this length cannot give."""
    check_ending(request.kind, request.path, names)
    for option in OPTIONS.values():
        if option.name in request.format.options:
            option.check(request, length, names)


def check_steps(request: ExportRequest, history: History, names: Names = FLAGS) -> None:
    """Raise a `GpvizError` if a request that is right otherwise has more steps than anybody looks at."""
    form = request.format
    if "range" not in form.options:
        return
    steps = len(iterations_of(request, history))
    is_thinned = "every" not in form.options or request.every is Every.IMPROVED
    fewer = "" if is_thinned else f", or fewer of its steps ({names['every']})"
    fewer = f"; choose a shorter range{fewer}"
    span = f"{names['range']}: {request.first}:{request.last} has {steps:,} steps"
    if form.most_seconds is not None and seconds_of_film(request, steps) > form.most_seconds:
        faster = f", or a higher {names['pace']}" if request.pace < PACES[1] else ""
        raise GpvizError(
            f"{span}, too many for the longest {request.kind}, {form.most_seconds // 60} minutes{fewer}"
            f"{faster}."
        )
    if form.most_steps is not None and steps > form.most_steps:
        raise GpvizError(f"{span}, and the {request.kind} can have {form.most_steps:,}{fewer}.")
