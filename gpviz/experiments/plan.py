"""Plans: every combination of some settings, each to be run many times with seeds that follow one another."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, Final, Self

from gpviz import assets
from gpviz.engine.config import RunConfig, whole_number
from gpviz.engine.errors import GpvizError, InvalidValueError, shown
from gpviz.record.files import read_file, shown_path

__all__ = [
    "MAX_CELLS",
    "MAX_ITERATIONS",
    "MAX_RUNS",
    "MEASURES",
    "SETTINGS",
    "Cell",
    "Plan",
    "find_plan",
    "load_plan",
    "parse_plan",
    "plan_of",
    "plan_text",
    "shipped_plans",
]

MAX_CELLS: Final = 2_000
MAX_RUNS: Final = 10**8
"""The most runs of a plan, all cells together."""

MAX_ITERATIONS: Final = 10**9
DEFAULT_MAX_ITERATIONS: Final = 10**7
MEASURES: Final = ("iterations", "leaves", "ors_accepted", "ors", "generalisation_error", "stuck")
"""What a plot of an experiment can show."""

SETTINGS: Final = tuple(field.name for field in fields(RunConfig) if field.name != "seed")
"""What a plan can set or vary; seeds are counted up from the plan's own."""

_KEYS: Final = ("title", "explanation", "runs", "seed", "max_iterations", "x", "measures", "config", "grid")
_MAX_BYTES: Final = 1_000_000
_MAX_TEXT: Final = 4_000


@dataclass(frozen=True, slots=True)
class Cell:
    """One combination of a plan's settings; the seed in its configuration is that of run 0."""

    number: int
    config: RunConfig

    def config_of(self, run: int) -> RunConfig:
        """The configuration of a run: its seed is the plan's and the run's number together."""
        return self.config.replaced(seed=self.config.seed + run)


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What an experiment does: ``runs`` runs for every combination of the grid.

    ``settings`` are the same in all cells. ``x`` is the setting along which plots are drawn, or empty, and
    ``measures`` what they show. ``max_iterations`` only ends runs that can neither be solved nor proven stuck.
    """

    name: str
    title: str = ""
    explanation: str = ""
    runs: int = 100
    seed: int = 1
    max_iterations: int = DEFAULT_MAX_ITERATIONS
    x: str = ""
    measures: tuple[str, ...] = ("iterations", "leaves")
    settings: Mapping[str, Any]
    grid: Mapping[str, Sequence[Any]]

    def __post_init__(self) -> None:
        settle = object.__setattr__
        for field in ("title", "explanation"):
            settle(self, field, _text(field, getattr(self, field)))
        settle(self, "runs", whole_number("runs", self.runs, 1, MAX_RUNS))
        settle(self, "seed", whole_number("seed", self.seed, 0, 2**4095))
        settle(self, "max_iterations", whole_number("max_iterations", self.max_iterations, 1, MAX_ITERATIONS))
        _check_settings(self.settings, self.grid)
        settle(self, "measures", _measures(self.measures))
        if self.x and self.x not in self.grid:
            allowed = " or ".join(repr(name) for name in self.grid) or "left out, as nothing is varied"
            raise InvalidValueError("x", self.x, allowed)
        count = prod(len(values) for values in self.grid.values())
        if count > MAX_CELLS:
            raise GpvizError(f"grid: it has {count:,} combinations; at most {MAX_CELLS:,} are allowed.")
        if count * self.runs > MAX_RUNS:
            raise InvalidValueError(
                "runs", self.runs, f"at most {MAX_RUNS // count:,}, which makes {MAX_RUNS:,} runs in all"
            )
        _ = self.cells

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All combinations, the last setting of the grid changing fastest."""
        cells: list[Cell] = []
        seen: dict[RunConfig, int] = {}
        for values in product(*self.grid.values()):
            varied = dict(zip(self.grid, values, strict=True))
            try:
                config = RunConfig.from_dict({**self.settings, **varied, "seed": self.seed})
            except GpvizError as error:
                words = ", ".join(f"{name} = {value}" for name, value in varied.items())
                raise GpvizError(f"grid, at {words}: {error}" if words else str(error)) from error
            if config in seen:
                raise GpvizError(
                    f"grid: combinations {seen[config] + 1} and {len(cells) + 1} are the same; each may come once."
                )
            seen[config] = len(cells)
            cells.append(Cell(len(cells), config))
        return tuple(cells)

    @property
    def total_runs(self) -> int:
        """The runs of all cells together."""
        return self.runs * len(self.cells)

    def replaced(self, **changes: Any) -> Self:
        """The same plan with some fields changed, checked again."""
        return replace(self, **changes)

    def is_same_experiment(self, other: "Plan") -> bool:
        """Whether runs of the other plan are runs of this one; how many there are to be may differ."""
        return [cell.config for cell in self.cells] == [cell.config for cell in other.cells] and (
            self.max_iterations == other.max_iterations
        )

    def as_dict(self) -> dict[str, Any]:
        """The plan as plain data, as its file has it."""
        data: dict[str, Any] = {"title": self.title, "explanation": self.explanation}
        data = {key: value for key, value in data.items() if value}
        data |= {"runs": self.runs, "seed": self.seed, "max_iterations": self.max_iterations}
        if self.x:
            data["x"] = self.x
        data["measures"] = list(self.measures)
        data["config"] = dict(self.settings)
        data["grid"] = {name: list(values) for name, values in self.grid.items()}
        return data


def shipped_plans() -> tuple[Plan, ...]:
    """The plans that come with gpviz, in the order in which they are offered."""
    return tuple(load_plan(path) for path in sorted(assets.folder("plans").glob("*.toml")))


def find_plan(name: str) -> Plan:
    """The shipped plan of this name, or the one in the file of this path."""
    if name.endswith(".toml") or "/" in name or "\\" in name:
        return load_plan(Path(name))
    plans = shipped_plans()
    for plan in plans:
        if plan.name == name:
            return plan
    names = ", ".join(plan.name for plan in plans)
    raise GpvizError(f"There is no plan {shown(name)}; there are {names}, or give a file that ends in .toml.")


def load_plan(path: Path) -> Plan:
    """The plan in a file; raises `GpvizError` where there is none."""
    name = re.sub(r"^\d+-", "", path.stem)
    try:
        return parse_plan(name, read_file(path, _MAX_BYTES).decode("utf-8"))
    except UnicodeDecodeError as error:
        raise GpvizError(f"{shown_path(path)}: byte {error.start + 1} is not UTF-8.") from error
    except GpvizError as error:
        place = shown_path(path)
        text = str(error)
        raise GpvizError(text if text.startswith(place) else f"{place}: {text}") from error


def parse_plan(name: str, text: str) -> Plan:
    """The plan that a text in TOML describes."""
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise GpvizError(f"it is not TOML; {str(error)[:200]}.") from error
    return plan_of(name, data)


def plan_of(name: str, data: Mapping[str, Any]) -> Plan:
    """The plan that plain data describe."""
    for key in data:
        if key not in _KEYS:
            raise GpvizError(f"{shown(key)} does not belong into a plan; what does is {', '.join(_KEYS)}.")
    known = {key: value for key, value in data.items() if key not in ("config", "grid")}
    settings = _table("config", data.get("config", {}))
    grid = {key: _values(key, value) for key, value in _table("grid", data.get("grid", {})).items()}
    return Plan(name=name, settings=settings, grid=grid, **known)


def plan_text(plan: Plan) -> str:
    """The plan as the text of a file, which `parse_plan` reads again."""
    data = plan.as_dict()
    tables = {name: data.pop(name) for name in ("config", "grid")}
    lines = [f"{key} = {_toml(value)}" for key, value in data.items()]
    for name, table in tables.items():
        lines += ["", f"[{name}]", *(f"{key} = {_toml(value)}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


def _text(field: str, value: object) -> str:
    if not isinstance(value, str) or len(value) > _MAX_TEXT:
        raise InvalidValueError(field, value, f"a text of at most {_MAX_TEXT:,} characters")
    return value.strip()


def _measures(value: object) -> tuple[str, ...]:
    allowed = f"a list of {', '.join(MEASURES)}"
    if not isinstance(value, list | tuple) or not value or len(value) > len(MEASURES):
        raise InvalidValueError("measures", value, allowed)
    for measure in value:
        if measure not in MEASURES:
            raise InvalidValueError("measures", measure, allowed)
    return tuple(dict.fromkeys(value))


def _check_settings(settings: Mapping[str, Any], grid: Mapping[str, Sequence[Any]]) -> None:
    for place, names in (("config", settings), ("grid", grid)):
        for name in names:
            if name not in SETTINGS:
                raise GpvizError(
                    f"{place}: {shown(name)} is not a setting of a plan; they are {', '.join(SETTINGS)}."
                )
    for name in grid:
        if name in settings:
            raise GpvizError(f"{name}: it stands both in config and in grid; it may be in one of them.")


def _table(name: str, value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidValueError(name, value, "a table")
    return value


def _values(name: str, value: object) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple) or not value:
        raise InvalidValueError(f"grid.{name}", value, "a list of at least one value")
    return tuple(value)


def _toml(value: Any) -> str:
    """A value as TOML writes it: texts, numbers and lists of them."""
    if isinstance(value, str):
        escaped = "".join(
            f"\\u{ord(character):04x}" if ord(character) < 32 or ord(character) == 127 else character
            for character in value.replace("\\", "\\\\").replace('"', '\\"')
        )
        return f'"{escaped}"'
    if isinstance(value, list | tuple):
        return f"[{', '.join(_toml(each) for each in value)}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
