"""Comparisons: two to four runs worth seeing side by side, with a short explanation of what there is to see."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Final

from gpviz import assets
from gpviz.engine.config import RunConfig
from gpviz.engine.errors import GpvizError, InvalidValueError, shown
from gpviz.engine.formula import parse
from gpviz.engine.mutation_script import Script, check_script
from gpviz.engine.tree import Node
from gpviz.runs.presets import Claims, claims_of

MIN_LANES: Final = 2
MAX_LANES: Final = 4
"""More runs than this do not fit beside each other."""
LARGEST_LABEL: Final = 80
_ORDINALS: Final = ("first", "second", "third", "fourth")


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


@cache  # these files do not change, and every window offers them
def _read(path: Path) -> Comparison:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    config = data["config"]
    lanes = tuple(
        LaneSpec(
            label=lane["label"],
            config=RunConfig.from_dict({**config, **lane.get("changes", {})}),
            start=lane.get("start", ""),
            claims=claims_of(lane["claims"]),
        )
        for lane in data["lanes"]
    )
    numbers = _numbers(lanes)
    title, explanation = (data[text].strip().format_map(numbers) for text in ("title", "explanation"))
    name = re.sub(r"^\d+-", "", path.stem)
    return Comparison(
        name=name, title=title, explanation=explanation, lanes=lanes, speed=float(data["speed"])
    )


def _numbers(lanes: Sequence[LaneSpec]) -> dict[str, dict[str, str]]:
    """The numbers an explanation may speak of, such as ``{first[iterations]}`` and ``{second[limit]}``."""
    numbers = {}
    for ordinal, lane in zip(_ORDINALS, lanes, strict=False):
        known = {"limit": lane.config.max_leaves, **asdict(lane.claims)} if lane.claims else {}
        numbers[ordinal] = {name: f"{number:,}" for name, number in known.items() if isinstance(number, int)}
    return numbers
