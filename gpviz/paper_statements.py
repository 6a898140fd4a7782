"""The paper's statements as data: what each says in words of our own, what it assumes, and where it can be seen.

They stand in ``resources/paper/statements.toml`` in the order of the paper. All texts are plain, with the signs of
mathematics as Unicode has them, so that a page, a scene and a screen reader can all take them as they are.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Final

from gpviz import assets
from gpviz.engine.errors import GpvizError, InvalidValueError, shown
from gpviz.page_list import PAGES, page_info

KINDS: Final = ("algorithm", "theorem", "lemma", "remark", "table", "figure")
"""What a statement can be."""

SECTIONS: Final = {
    2: "Preliminaries",
    3: "Complete truth table",
    4: "Sampled rows",
    5: "Experiments",
}
"""The sections of the paper with statements, by their numbers; what each is about."""

_TARGETS: Final = ("preset", "comparison", "plan", "lecture", "guide")
_ONLY_FOR: Final = {
    "iteration": "preset",
    "page": "preset",
    "switches": "preset",
    "chart": "plan",
    "scene": "lecture",
}
"""Which keys of a Show go with one target only."""

_MAX_TEXT: Final = 1_200
_MAX_LINE: Final = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Show:
    """Something to open in which a statement is seen.

    ``target`` is what is opened: the run of a preset, a comparison, the plan of an experiment, a lecture or a page
    of the guide; ``name`` is what that is called. The run is carried on to ``iteration``, with ``page`` beside the
    tree and the ``switches``, which are names of actions, turned on. An experiment opens with a ``chart`` of this
    kind, a lecture at a ``scene``, counted from 1, and the guide at ``page#heading``.
    """

    label: str
    target: str
    name: str
    iteration: int | None = None
    page: str = ""
    switches: tuple[str, ...] = ()
    chart: str = ""
    scene: int | None = None

    @property
    def destination(self) -> str:
        """What is opened, in words that go on after “opens”."""
        match self.target:
            case "preset":
                at = "" if self.iteration is None else f" at iteration {self.iteration:,}"
                beside = f", with {page_info(self.page).title} beside the tree" if self.page else ""
                return f"the run of the preset {self.name}{at}{beside}"
            case "comparison":
                return f"the comparison {self.name}"
            case "plan":
                return f"the plan {self.name} in Experiments, ready to start"
            case "lecture":
                return f"the lecture {self.name} at scene {self.scene or 1}"
            case _:
                return f"the guide at {self.name.replace('#', ', ')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A statement of the paper: what it is, in which section it stands, and in our own words what it says.

    ``number`` is empty where it depends on how the paper was printed; ``formula`` where none is needed.
    ``reality`` is how far what happens is from what is proven, and ``measured_by`` how its numbers were obtained.
    """

    id: str
    kind: str
    number: str
    section: int
    title: str
    text: str
    formula: str = ""
    assumptions: str
    reality: str
    measured_by: str
    shows: tuple[Show, ...]

    @property
    def name(self) -> str:
        """What it is called for short, such as Theorem 1, or Lemma where it has no number."""
        return f"{self.kind.capitalize()} {self.number}".strip()

    @property
    def heading(self) -> str:
        """Its name and its title."""
        return f"{self.name}: {self.title}"


@cache
def load_statements() -> tuple[Statement, ...]:
    """All statements, in the order of the paper."""
    return parse_statements((assets.folder("paper") / "statements.toml").read_text(encoding="utf-8"))


def statement(name: str) -> Statement:
    """The statement with this id."""
    for each in load_statements():
        if each.id == name:
            return each
    ids = ", ".join(each.id for each in load_statements())
    raise GpvizError(f"There is no statement {shown(name)}; choose one of {ids}.")


def find_statements(words: str) -> list[Statement]:
    """Those in which all these words stand, small and capital letters alike."""
    wanted = words.casefold().split()
    return [each for each in load_statements() if all(word in _searched_text(each) for word in wanted)]


def unbroken_formula(formula: str) -> str:
    """The formula with no end of a line in it, except where two spaces part it."""
    return "  ".join(part.replace(" ", "\N{NO-BREAK SPACE}") for part in formula.split("  "))


def parse_statements(text: str) -> tuple[Statement, ...]:
    """What a file of statements says, checked; raises `GpvizError`."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise GpvizError(f"The statements of the paper are no TOML: {error}.") from error
    _check_keys("", data, ("statements",), ("statements",))
    statements = tuple(
        _statement(f"statements[{index}]", entry) for index, entry in enumerate(_list("statements", data))
    )
    seen: set[str] = set()
    for each in statements:
        if each.id in seen:
            raise GpvizError(f"id: {shown(each.id)} is given twice; it may be given once.")
        seen.add(each.id)
    return statements


def _searched_text(each: Statement) -> str:
    texts = (each.heading, each.text, each.formula, each.assumptions, each.reality, each.measured_by)
    return " ".join((*texts, *(show.label for show in each.shows))).casefold()


def _statement(place: str, data: Any) -> Statement:
    keys = tuple(field.name for field in fields(Statement))
    _check_keys(place, data, keys, tuple(key for key in keys if key != "formula"))
    if data["kind"] not in KINDS:
        raise InvalidValueError(f"{place}.kind", data["kind"], f"one of {', '.join(KINDS)}")
    if type(data["section"]) is not int or data["section"] not in SECTIONS:
        allowed = f"a whole number from {min(SECTIONS)} to {max(SECTIONS)}"
        raise InvalidValueError(f"{place}.section", data["section"], allowed)
    lines = {key: _text(f"{place}.{key}", data[key], _MAX_LINE) for key in ("id", "title")}
    texts = {
        key: _text(f"{place}.{key}", data[key], _MAX_TEXT)
        for key in ("text", "assumptions", "reality", "measured_by")
    }
    number = _text(f"{place}.number", data["number"], _MAX_LINE, may_be_empty=True)
    formula = _text(f"{place}.formula", data.get("formula", ""), _MAX_LINE, may_be_empty=True)
    shows = tuple(_show(f"{place}.shows[{index}]", show) for index, show in enumerate(_list("shows", data)))
    if not shows:
        raise InvalidValueError(f"{place}.shows", data["shows"], "a list with something to show")
    return Statement(
        kind=data["kind"],
        section=data["section"],
        number=number,
        formula=formula,
        shows=shows,
        **lines,
        **texts,
    )


def _show(place: str, data: Any) -> Show:
    _check_keys(place, data, ("label", *_TARGETS, *_ONLY_FOR), ("label",))
    targets = [key for key in _TARGETS if key in data]
    if len(targets) != 1:
        raise GpvizError(f"{place}: it opens {len(targets)} things; give one of {', '.join(_TARGETS)}.")
    (target,) = targets
    for key in data:
        if _ONLY_FOR.get(key, target) != target:
            raise GpvizError(f"{place}.{key}: it goes with a {_ONLY_FOR[key]} only, not with a {target}.")
    for key, least in (("iteration", 0), ("scene", 1)):
        if key in data and (type(data[key]) is not int or data[key] < least):
            raise InvalidValueError(f"{place}.{key}", data[key], f"a whole number from {least}")
    page = data.get("page", "")
    pages = tuple(info.name for info in PAGES)
    if page and page not in pages:
        raise InvalidValueError(f"{place}.page", page, f"one of {', '.join(pages)}")
    return Show(
        label=_text(f"{place}.label", data["label"], _MAX_LINE),
        target=target,
        name=_text(f"{place}.{target}", data[target], _MAX_LINE),
        iteration=data.get("iteration"),
        page=page,
        switches=tuple(
            _text(f"{place}.switches", name, _MAX_LINE) for name in _list("switches", data, is_needed=False)
        ),
        chart=_text(f"{place}.chart", data.get("chart", ""), _MAX_LINE, may_be_empty=True),
        scene=data.get("scene"),
    )


def _check_keys(place: str, data: Any, allowed: tuple[str, ...], needed: tuple[str, ...]) -> None:
    if not isinstance(data, dict):
        raise InvalidValueError(place, data, "a table")
    dot = f"{place}." if place else ""
    for key in data:
        if key not in allowed:
            raise GpvizError(f"{dot}{key}: there is no such key; allowed are {', '.join(allowed)}.")
    for key in needed:
        if key not in data:
            raise GpvizError(f"{dot}{key}: it is missing.")


def _list(key: str, data: Mapping[str, Any], *, is_needed: bool = True) -> list[Any]:
    value = data[key] if is_needed else data.get(key, [])
    if not isinstance(value, list):
        raise InvalidValueError(key, value, "a list")
    return value


def _text(place: str, value: Any, most: int, *, may_be_empty: bool = False) -> str:
    is_text = isinstance(value, str) and len(value) <= most and value.isprintable() and value == value.strip()
    if not is_text or not (value or may_be_empty):
        least = 0 if may_be_empty else 1
        raise InvalidValueError(place, value, f"a text of {least} to {most:,} characters in one line")
    return str(value)
