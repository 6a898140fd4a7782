"""Comparisons: two to four runs worth seeing side by side, with a short explanation of what there is to see."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, Literal

from gpviz import assets
from gpviz.engine.config import RunConfig
from gpviz.engine.errors import GpvizError, InvalidValueError, shown
from gpviz.engine.formula import parse
from gpviz.engine.mutation_script import Script, check_script, parse_script
from gpviz.engine.tree import Node

MIN_LANES: Final = 2
MAX_LANES: Final = 4
"""More runs than this do not fit beside each other."""
LARGEST_LABEL: Final = 80
_ORDINALS: Final = ("first", "second", "third", "fourth")
_KEYS: Final = ("title", "explanation", "speed", "config", "lanes")
_LANE_KEYS: Final = ("label", "start", "script", "changes", "claims")
_LARGEST_SPEED: Final = 100_000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneClaims:
    """Facts about the run of a lane: the explanation takes its numbers from here, and a test checks them all.

    A run either is solved in iteration ``iterations``, or is stuck since iteration ``stuck_since``. ``full`` are
    the iterations that began with a tree of as many leaves as the limit allows.
    """

    outcome: Literal["solved", "stuck"]
    iterations: int | None = None
    stuck_since: int | None = None
    error: int
    leaves: int
    ors: int
    too_large: int | None = None
    full: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneSpec:
    """A run in a comparison, and its label. ``start`` is a formula, or empty for the empty tree.

    ``script`` has the mutations that the run carries out first.
    """

    label: str
    config: RunConfig
    start: str = ""
    script: Script = ()
    claims: LaneClaims | None = None

    def __post_init__(self) -> None:
        checked_label(self.label)
        check_script(self.script, self.config)
        tree = self.start_tree
        most = self.config.max_leaves
        if tree is not None and most is not None and tree.leaves > most:
            allowed = f"a tree of at most {most} leaves, the limit, not {tree.leaves}"
            raise InvalidValueError("start", self.start, allowed)

    @property
    def start_tree(self) -> Node | None:
        """The tree the run starts from; None for the empty one."""
        return parse(self.start, self.config.n) if self.start else None


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
    if not isinstance(label, str) or not label.strip() or len(label) > LARGEST_LABEL:
        raise InvalidValueError("label", label, f"a text of 1 to {LARGEST_LABEL} characters")
    if any(not character.isprintable() for character in label):
        raise InvalidValueError("label", label, "a text in one line, without control characters")
    return label


def load_comparisons() -> tuple[Comparison, ...]:
    """All comparisons, in the order in which they are offered, which is that of their file names."""
    return tuple(_read(path) for path in sorted(assets.folder("comparisons").glob("*.toml")))


def find_comparison(name: str) -> Comparison:
    """The comparison of this name."""
    comparisons = load_comparisons()
    for comparison in comparisons:
        if comparison.name == name:
            return comparison
    names = ", ".join(comparison.name for comparison in comparisons)
    raise GpvizError(f"There is no comparison {shown(name)}; choose one of {names}.")


def comparison_of(name: str, data: Mapping[str, Any]) -> Comparison:
    """The comparison that a file describes: settings that all lanes share, and what each of them changes."""
    _check_keys("the comparison", data, _KEYS)
    for key in ("title", "explanation"):
        if not isinstance(data.get(key), str) or not data[key].strip():
            raise InvalidValueError(key, data.get(key), "a text")
    speed = data.get("speed", 4.0)
    if isinstance(speed, bool) or not isinstance(speed, int | float) or not 0 < speed <= _LARGEST_SPEED:
        raise InvalidValueError(
            "speed", speed, f"a number of iterations a second up to {_LARGEST_SPEED:,.0f}"
        )
    entries = data.get("lanes")
    if not isinstance(entries, list):
        raise InvalidValueError("lanes", entries, "a list of lanes")
    check_lane_count(len(entries))
    common = _table("config", data.get("config", {}))
    lanes = tuple(_lane(index, entry, common) for index, entry in enumerate(entries))
    numbers = _numbers(common, lanes)
    try:
        title, explanation = (data[key].strip().format_map(numbers) for key in ("title", "explanation"))
    except (KeyError, IndexError, ValueError, AttributeError) as error:
        raise GpvizError(f"explanation: it speaks of {error}, which no lane claims.") from error
    return Comparison(name=name, title=title, explanation=explanation, lanes=lanes, speed=float(speed))


def _read(path: Path) -> Comparison:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        return comparison_of(re.sub(r"^\d+-", "", path.stem), data)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, GpvizError) as error:
        raise GpvizError(f"{path.name}: {error}") from error


def _lane(index: int, entry: object, common: Mapping[str, Any]) -> LaneSpec:
    where = f"lanes[{index}]"
    lane = _table(where, entry)
    _check_keys(where, lane, _LANE_KEYS)
    try:
        start = lane.get("start", "")
        if not isinstance(start, str):
            raise InvalidValueError("start", start, "a formula, or empty for the empty tree")
        script = lane.get("script", [])
        if not isinstance(script, list):
            raise InvalidValueError("script", script, "a list of mutations")
        return LaneSpec(
            label=checked_label(lane.get("label")),
            config=RunConfig.from_dict({**common, **_table("changes", lane.get("changes", {}))}),
            start=start,
            script=parse_script(script),
            claims=_claims(lane["claims"]) if "claims" in lane else None,
        )
    except GpvizError as error:
        raise GpvizError(f"{where}: {error}") from error


def _claims(data: object) -> LaneClaims:
    claims = _table("claims", data)
    _check_keys("claims", claims, [field.name for field in fields(LaneClaims)])
    if claims.get("outcome") not in ("solved", "stuck"):
        raise InvalidValueError("claims.outcome", claims.get("outcome"), "'solved' or 'stuck'")
    for name in ("error", "leaves", "ors"):
        if name not in claims:
            raise GpvizError(f"claims: {name} is missing.")
    for name, claim in claims.items():
        if name != "outcome" and (type(claim) is not int or claim < 0):
            raise InvalidValueError(f"claims.{name}", claim, "a whole number from 0")
    return LaneClaims(**claims)


def _numbers(common: Mapping[str, Any], lanes: Sequence[LaneSpec]) -> dict[str, Any]:
    """The numbers an explanation may speak of: ``{n}``, ``{first[iterations]}``, ``{second[limit]}``."""
    numbers: dict[str, Any] = {"lanes": str(len(lanes))}
    if "n" in common:
        numbers["n"] = f"{lanes[0].config.n:,}"
    for ordinal, lane in zip(_ORDINALS, lanes, strict=False):
        known = {"n": lane.config.n, "limit": lane.config.max_leaves, "seed": lane.config.seed}
        if lane.claims is not None:
            known |= {field.name: getattr(lane.claims, field.name) for field in fields(LaneClaims)}
        numbers[ordinal] = {name: f"{number:,}" for name, number in known.items() if isinstance(number, int)}
    return numbers


def _table(name: str, value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidValueError(name, value, "a table")
    return value


def _check_keys(where: str, data: Mapping[str, Any], known: Sequence[str]) -> None:
    for name in data:
        if name not in known:
            raise GpvizError(f"{shown(name)} is not a key of {where}; the keys are {', '.join(known)}.")
