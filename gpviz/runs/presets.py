"""Presets and comparisons: runs worth seeing, alone or side by side, each with a short explanation."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

from gpviz import assets
from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Outcome
from gpviz.engine.errors import GpvizError, shown
from gpviz.engine.mutation_script import Script, check_script, parse_script
from gpviz.engine.settings import SETTINGS
from gpviz.engine.tree import Node
from gpviz.files.reader import Line
from gpviz.runs.run_file import start_tree_of
from gpviz.runs.show_request import ShowRequest

_NUMBER_NAMES: Final = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
MIN_LANES: Final = 2
MAX_LANES: Final = 4
"""More runs than this do not fit beside each other."""
LARGEST_LABEL: Final = 80
_ORDINALS: Final = ("first", "second", "third", "fourth")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """Facts about a run: its explanation takes the numbers from here, and a test checks them all.

    A run either is solved in iteration ``iterations``, or is stuck since iteration ``stuck_since``. ``full`` are
    the iterations that began with a tree of as many leaves as the limit allows. The longest time without a change
    of the error begins in iteration ``wait_from`` and takes ``wait`` iterations; after ``plateau`` of these the
    state of the tree is PLATEAU. The final tree is wrong on about one of ``one_row_in`` rows. A ``twin`` is a
    preset whose settings differ in ``twin_differs_in`` only, and ``parting`` the first iteration after which the
    trees of the two are not equal.
    """

    outcome: Outcome
    iterations: int | None = None
    stuck_since: int | None = None
    error: int
    leaves: int
    ors: int
    ors_accepted: int | None = None
    too_large: int | None = None
    full: int | None = None
    truly_worse: int | None = None
    distinct_variables: int | None = None
    one_row_in: int | None = None
    wait_from: int | None = None
    wait: int | None = None
    plateau: int | None = None
    tree: str = ""
    twin: str = ""
    twin_differs_in: tuple[str, ...] = ()
    parting: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A configuration with a name.

    ``start`` is a formula, or empty for the empty tree, and ``script`` has the mutations that the run carries out
    first. ``group`` is the heading under which the preset is offered, and ``speed`` the number of iterations a
    second at which it is pleasant to watch.
    """

    name: str
    title: str
    explanation: str
    config: RunConfig
    claims: Claims
    group: str
    speed: float
    start: str = ""
    script: Script = ()

    @property
    def start_tree(self) -> Node | None:
        """The tree the run starts from; None for the empty one."""
        return start_tree_of(self.config, self.start)

    @property
    def request(self) -> ShowRequest:
        """The request to show the run."""
        return ShowRequest(
            run=self.config,
            start=self.start,
            script=self.script,
            title=self.title,
            explanation=self.explanation,
            speed=self.speed,
        )


def load_presets() -> tuple[Preset, ...]:
    """All presets, in the order in which they are offered, which is that of their file names."""
    return tuple(_read(path) for path in _paths())


def first_preset() -> Preset:
    """The preset to begin with."""
    return _read(_paths()[0])


def find_preset(name: str) -> Preset:
    """The preset of this name."""
    return _found("preset", name, load_presets())


def _paths() -> list[Path]:
    return sorted(assets.folder("presets").glob("*.toml"))


@cache  # these files do not change, and every window offers them
def _read(path: Path) -> Preset:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    config = RunConfig.from_dict(data.pop("config"))
    claims = _claims(data.pop("claims"))
    numbers = _numbers(config, claims)
    texts = {text: data.pop(text).format_map(numbers) for text in ("title", "explanation")}
    script = parse_script(data.pop("script", ()))
    check_script(script, config)
    return Preset(name=_name(path), config=config, claims=claims, script=script, **texts, **data)


def _name(path: Path) -> str:
    """The name of a preset: that of its file without the leading number."""
    return re.sub(r"^\d+-", "", path.stem)


def _claims(data: Mapping[str, Any]) -> Claims:
    """The claims in a preset's file."""
    differences = tuple(data.get("twin_differs_in", ()))
    return Claims(**{**data, "outcome": Outcome(data["outcome"]), "twin_differs_in": differences})


def _numbers(config: RunConfig, claims: Claims) -> dict[str, str]:
    """The numbers an explanation may speak of, as it writes them."""
    numbers = {
        **asdict(claims),
        **{row.name: row.value_of(config) for row in SETTINGS},
        "table": 2**config.n,
        "limit": config.max_leaves,
    }
    return {name: _written(number) for name, number in numbers.items() if isinstance(number, int)}


def _written(number: int) -> str:
    """A small number as a word, a large one in digits."""
    return _NUMBER_NAMES[number] if number < len(_NUMBER_NAMES) else f"{number:,}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneSpec:
    """A run in a comparison, and its label. ``start`` is a formula, or empty for the empty tree.

    ``script`` has the mutations that the run carries out first.
    """

    label: str
    config: RunConfig
    start: str = ""
    script: Script = ()
    claims: Claims | None = None

    def __post_init__(self) -> None:
        checked_label(self.label)
        check_script(self.script, self.config)
        start_tree_of(self.config, self.start)

    @property
    def start_tree(self) -> Node | None:
        """The tree the run starts from; None for the empty one."""
        return start_tree_of(self.config, self.start)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Runs to show side by side; ``speed`` is the iterations a second at which they are pleasant to watch."""

    name: str
    title: str
    explanation: str
    lanes: tuple[LaneSpec, ...]
    speed: float = 4.0

    def __post_init__(self) -> None:
        check_lane_count(len(self.lanes))


def check_lane_count(count: int) -> None:
    """Raise `GpvizError` if so many runs cannot be compared."""
    if not MIN_LANES <= count <= MAX_LANES:
        raise GpvizError(
            f"lanes: there {'is' if count == 1 else 'are'} {count}; from {MIN_LANES} to {MAX_LANES} runs can be"
            " compared."
        )


def checked_label(label: object) -> str:
    """The label of a lane; raises `InvalidValueError` if it is none."""
    return Line(LARGEST_LABEL).read("label", label)


def load_comparisons() -> tuple[Comparison, ...]:
    """All comparisons, in the order in which they are offered, which is that of their file names."""
    return tuple(_read_comparison(path) for path in sorted(assets.folder("comparisons").glob("*.toml")))


def find_comparison(name: str) -> Comparison:
    """The comparison of this name."""
    return _found("comparison", name, load_comparisons())


_Named = TypeVar("_Named", Preset, Comparison)


def _found(kind: str, name: str, offered: tuple[_Named, ...]) -> _Named:
    for each in offered:
        if each.name == name:
            return each
    names = ", ".join(each.name for each in offered)
    raise GpvizError(f"There is no {kind} {shown(name)}; choose one of {names}.")


@cache  # these files do not change, and every window offers them
def _read_comparison(path: Path) -> Comparison:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    config = data["config"]
    lanes = tuple(
        LaneSpec(
            label=lane["label"],
            config=RunConfig.from_dict({**config, **lane.get("changes", {})}),
            start=lane.get("start", ""),
            claims=_claims(lane["claims"]),
        )
        for lane in data["lanes"]
    )
    numbers = _lane_numbers(lanes)
    title, explanation = (data[text].strip().format_map(numbers) for text in ("title", "explanation"))
    return Comparison(
        name=_name(path), title=title, explanation=explanation, lanes=lanes, speed=float(data["speed"])
    )


def _lane_numbers(lanes: Sequence[LaneSpec]) -> dict[str, dict[str, str]]:
    """The numbers an explanation may speak of, such as ``{first[iterations]}`` and ``{second[limit]}``."""
    numbers = {}
    for ordinal, lane in zip(_ORDINALS, lanes, strict=False):
        known = {"limit": lane.config.max_leaves, **asdict(lane.claims)} if lane.claims else {}
        numbers[ordinal] = {name: f"{number:,}" for name, number in known.items() if isinstance(number, int)}
    return numbers
