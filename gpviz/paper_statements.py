"""The paper's statements as data: what each says in words of our own, what it assumes, and where it can be seen.

They stand in ``resources/paper/statements.toml`` in the order of the paper. All texts are plain, with the signs of
mathematics as Unicode has them, so that a page, a scene and a screen reader can all take them as they are.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from gpviz import assets
from gpviz.engine.errors import GpvizError, shown
from gpviz.page_list import page_info

SECTIONS: Final = {
    2: "Preliminaries",
    3: "Complete truth table",
    4: "Sampled rows",
    5: "Experiments",
}
"""The sections of the paper with statements, by their numbers; what each is about."""

_TARGETS: Final = ("preset", "comparison", "plan", "lecture", "guide")


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
    text = (assets.folder("paper") / "statements.toml").read_text(encoding="utf-8")
    return tuple(map(_statement, tomllib.loads(text)["statements"]))


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


def _searched_text(each: Statement) -> str:
    texts = (each.heading, each.text, each.formula, each.assumptions, each.reality, each.measured_by)
    return " ".join((*texts, *(show.label for show in each.shows))).casefold()


def _statement(entry: dict[str, Any]) -> Statement:
    return Statement(**{**entry, "shows": tuple(map(_show, entry["shows"]))})


def _show(entry: dict[str, Any]) -> Show:
    """What an entry opens: one of its keys is the target, and the value of that key is the name."""
    (target,) = (key for key in _TARGETS if key in entry)
    others = {key: value for key, value in entry.items() if key not in (target, "switches")}
    return Show(target=target, name=entry[target], switches=tuple(entry.get("switches", ())), **others)
