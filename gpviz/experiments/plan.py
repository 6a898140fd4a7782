"""Plans: every combination of some settings, each to be run many times with seeds that follow one another."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import product
from math import prod
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, Self

from gpviz import assets
from gpviz.engine.config import RunConfig
from gpviz.engine.errors import GpvizError, InvalidValueError, shown
from gpviz.engine.expressions_in_n import is_expression
from gpviz.engine.interruption import checkpoint
from gpviz.engine.settings import SETTINGS, WholeNumber, setting
from gpviz.engine.step import NO_PITFALL, PITFALLS
from gpviz.engine.stuck import can_get_stuck
from gpviz.files.file_io import read_file, shown_path
from gpviz.files.reader import Anything, Record, Whole, check_fields, listed, record_of

MAX_CELLS: Final = 2_000
MAX_RUNS: Final = 10**8
"""The most runs of a plan, all cells together."""

MAX_ITERATIONS: Final = 10**9
DEFAULT_MAX_ITERATIONS: Final = 10**7


class Measure(NamedTuple):
    """What a plot of an experiment can show: its name, its title in a form, and its title along an axis.

    For a share, in percent, ``share_text`` says which runs or iterations it counts.
    """

    name: str
    title: str
    axis_title: str
    share_text: str = ""


MEASURE_TABLE: Final = (
    Measure("iterations", "iterations T", "T (iterations)"),
    Measure("leaves", "leaves S", "S (leaves)"),
    Measure("ors_accepted", "ORs accepted", "ORs accepted"),
    Measure("ors", "ORs in the result", "ORs in the result"),
    Measure("final_generalisation_error", "generalisation error", "generalisation error (share of rows)"),
    Measure("stuck", "share stuck B", "B (% of runs stuck)", "stuck"),
    Measure(
        "duplicate_accepted", "runs with duplicates", "duplicate accepted (% of runs)", "accepted a duplicate"
    ),
    Measure("or_accepted", "runs with ORs", "OR accepted (% of runs)", "accepted an OR"),
    Measure("true_error_grew", "true error grew", "true error grew (% of runs)", "let the true error grow"),
    Measure(NO_PITFALL, "no pitfall", "no pitfall (% of runs)", "without a pitfall"),
    Measure(
        "share_full", "full iterations", "full tree (% of iterations)", "of the iterations with a full tree"
    ),
)
MEASURES: Final = tuple(row.name for row in MEASURE_TABLE)
"""The names of all measures."""
SHARES: Final = {row.name: row.share_text for row in MEASURE_TABLE if row.share_text}
"""The measures that are shares, in percent, with their texts."""

PLAN_SETTINGS: Final = tuple(row.name for row in SETTINGS if row.name != "seed")
"""What a plan can set or vary; seeds are counted up from the plan's own."""

_MAX_BYTES: Final = 200_000
_MAX_TEXT: Final = 4_000
_MAX_NAME: Final = 200
_MAX_SEED: Final = 2**4095
"""Half of what the engine allows, so that the seed of every run is allowed as well."""

# A key of very many parts takes the reader of TOML a time that grows with their square.
_MAX_DOTS: Final = 500


class _PlanText:
    """A text of which everything can be shown, without spaces around it."""

    def __init__(self, most: int = _MAX_TEXT) -> None:
        self._most = most

    def read(self, name: str, value: object) -> str:
        if isinstance(value, str) and len(value) <= self._most:
            text = value.strip()
            if all(character.isprintable() or character.isspace() for character in text):
                return text
        allowed = f"a text of at most {self._most:,} characters, all of which can be shown"
        raise InvalidValueError(name, value, allowed)


class _Values:
    """The values of a setting that is varied."""

    def read(self, name: str, value: object) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple) or not value:
            raise InvalidValueError(name, value, "a list of at least one value")
        return tuple(value)


class _Measures:
    """Some of the measures, each once."""

    def read(self, name: str, value: object) -> tuple[str, ...]:
        allowed = f"a list of {', '.join(MEASURES)}"
        if not isinstance(value, list | tuple) or not value or len(value) > len(MEASURES):
            raise InvalidValueError(name, value, allowed)
        for measure in value:
            if measure not in MEASURES:
                raise InvalidValueError(name, measure, allowed)
        return tuple(dict.fromkeys(value))


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

    Values may be given as a person types them; what the plan holds is how a configuration writes them, the
    functions as a text. Two limits that come to the same leaves for some n, such as ``n`` and 4, are two series
    all the same; a combination that comes twice is refused.
    """

    name: Annotated[str, _PlanText(_MAX_NAME)]
    title: Annotated[str, _PlanText()] = ""
    explanation: Annotated[str, _PlanText()] = ""
    runs: Annotated[int, Whole(1, MAX_RUNS, is_typed=True)] = 100
    seed: Annotated[int, Whole(0, _MAX_SEED, is_typed=True)] = 1
    max_iterations: Annotated[int, Whole(1, MAX_ITERATIONS, is_typed=True)] = DEFAULT_MAX_ITERATIONS
    x: Annotated[str, Anything()] = ""
    measures: Annotated[tuple[str, ...], _Measures()] = ("iterations", "leaves")
    settings: Annotated[Mapping[str, Any], Record(dict.fromkeys(PLAN_SETTINGS, Anything()), frozenset())]
    grid: Annotated[Mapping[str, Sequence[Any]], Record(dict.fromkeys(PLAN_SETTINGS, _Values()), frozenset())]

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "title", " ".join(self.title.split()))
        for name in self.grid:
            if name in self.settings:
                raise GpvizError(f"{name}: it is in both config and grid; keep it in one of them.")
        _check_axis(self.x, self.grid)
        count = prod(len(values) for values in self.grid.values())
        if count > MAX_CELLS:
            number = f"{count:,}" if count < 10**18 else "very many"
            raise GpvizError(f"grid: it has {number} combinations; at most {MAX_CELLS:,} are allowed.")
        if count * self.runs > MAX_RUNS:
            raise InvalidValueError(
                "runs", self.runs, f"at most {MAX_RUNS // count:,}, which makes {MAX_RUNS:,} runs in all"
            )
        self._settle_values()

    def _settle_values(self) -> None:
        """Let the settings be as the cells have them."""
        cells = self.cells
        common = cells[0].config
        for name, value in tuple(self.settings.items()):
            self._settle(self.settings, name, _written(name, value, common))
        stride = len(cells)
        for name, values in tuple(self.grid.items()):
            stride //= len(values)
            column = tuple(
                _written(name, value, cells[position * stride].config)
                for position, value in enumerate(values)
            )
            self._settle(self.grid, name, column)

    @staticmethod
    def _settle(table: Mapping[str, Any], name: str, value: Any) -> None:
        assert isinstance(table, dict)
        if value is None:  # rows that are not given
            del table[name]
        else:
            table[name] = value

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All combinations, the last setting of the grid changing fastest."""
        cells: list[Cell] = []
        seen: dict[RunConfig, int] = {}
        for values in product(*self.grid.values()):
            checkpoint()
            varied = dict(zip(self.grid, values, strict=True))
            try:
                config = RunConfig.from_dict({**self.settings, **varied, "seed": self.seed})
            except GpvizError as error:
                where = ", ".join(f"{name} = {shown(value)}" for name, value in varied.items())
                raise GpvizError(f"grid, at {where}: {error}" if where else str(error)) from error
            if config in seen:
                raise GpvizError(
                    f"grid: combinations {seen[config] + 1} and {len(cells) + 1} are the same; each may come once."
                )
            seen[config] = len(cells)
            cells.append(Cell(len(cells), config))
        return tuple(cells)

    def written_values(self, cell: int) -> dict[str, Any]:
        """What the grid has for a cell, by the names of the settings; expressions in n as they are written."""
        values: dict[str, Any] = {}
        stride = len(self.cells)
        for name, choices in self.grid.items():
            stride //= len(choices)
            values[name] = choices[cell // stride % len(choices)]
        return values

    @property
    def varied_settings(self) -> tuple[str, ...]:
        """The settings that are not the same in all cells, in the order of the grid."""
        return tuple(name for name, values in self.grid.items() if len(values) > 1)

    @property
    def table_settings(self) -> tuple[str, ...]:
        """The settings that tables have for each cell: those that vary, and what follows n by an expression."""
        following = (name for name, value in self.settings.items() if _is_written(name, value))
        return (*self.varied_settings, *(following if "n" in self.varied_settings else ()))

    @property
    def total_runs(self) -> int:
        """The runs of all cells together."""
        return self.runs * len(self.cells)

    def is_about(self, measure: str) -> bool:
        """Whether a measure says anything about its runs, or is asked for.

        The pitfalls are those of sampled rows, without a limit no tree is ever full, and what decided stuck runs
        can be asked only where runs can get stuck.
        """
        if measure in self.measures:
            return True
        configs = [cell.config for cell in self.cells]
        if measure == "share_full":
            return any(config.max_leaves is not None for config in configs)
        if measure == "decided":
            return any(can_get_stuck(config.rules) for config in configs)
        if measure == "or_accepted":
            return any(config.is_sampled and len(config.functions) > 1 for config in configs)
        return measure not in (*PITFALLS, NO_PITFALL) or any(config.is_sampled for config in configs)

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


@cache
def shipped_plans() -> tuple[Plan, ...]:
    """The plans that come with gpviz, in the order in which they are offered; read once, as that takes a while."""
    return tuple(load_plan(path) for path in sorted(assets.folder("plans").glob("*.toml")))


def is_plan_file(name: str) -> bool:
    """Whether a plan is looked for in the file of this name, and not among those that are shipped."""
    return name.endswith(".toml") or "/" in name or "\\" in name


def find_plan(name: str) -> Plan:
    """The shipped plan of this name, or the one in the file of this path."""
    if is_plan_file(name):
        return load_plan(Path(name))
    plans = shipped_plans()
    for plan in plans:
        if plan.name == name:
            return plan
    names = ", ".join(plan.name for plan in plans)
    raise GpvizError(
        f"There is no plan {shown(name)}; choose one of {names}, or give a file that ends in .toml."
    )


def load_plan(path: Path) -> Plan:
    """The plan in a file; raises `GpvizError` where there is none."""
    name = re.sub(r"^\d+-", "", shown_path(path.stem)).strip()[:_MAX_NAME] or "plan"
    content = read_file(path, _MAX_BYTES)
    try:
        return parse_plan(name, content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise GpvizError(f"{shown_path(path)}: byte {error.start + 1} is not UTF-8.") from error
    except GpvizError as error:
        raise GpvizError(f"{shown_path(path)}: {error}") from error


def parse_plan(name: str, text: str) -> Plan:
    """The plan that a text in TOML describes."""
    if len(text) > _MAX_BYTES:
        raise GpvizError(f"it has {len(text):,} characters; at most {_MAX_BYTES:,} are allowed.")
    for number, line in enumerate(text.split("\n"), start=1):
        if line.count(".") > _MAX_DOTS:
            raise GpvizError(f"it is not a plan; line {number} has more than {_MAX_DOTS} dots.")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        problem = str(error)[:200]
        raise GpvizError(f"it is not TOML; {problem[:1].lower()}{problem[1:]}.") from error
    except RecursionError as error:
        raise GpvizError("it is not a plan; its lists or tables are nested too deeply.") from error
    except ValueError as error:  # the digits of a number are limited, and so are the days of a date
        raise GpvizError(
            "it is not a plan; a number or a date in it is larger than any that is allowed."
        ) from error
    return plan_of(name, data)


def plan_of(name: str, data: object) -> Plan:
    """The plan that plain data describe."""
    if not isinstance(data, dict):
        raise InvalidValueError("plan", data, "a table")
    fields = dict(record_of(Plan).fields)
    del fields["name"]
    fields["config"] = fields.pop("settings")
    values = Record(fields, frozenset()).read("", data)
    return Plan(name=name, settings=values.pop("config", {}), grid=values.pop("grid", {}), **values)


def plan_text(plan: Plan) -> str:
    """The plan as the text of a file, which `parse_plan` reads again."""
    data = plan.as_dict()
    tables = {name: data.pop(name) for name in ("config", "grid")}
    lines = [f"{key} = {_toml(value)}" for key, value in data.items()]
    for name, table in tables.items():
        lines += ["", f"[{name}]", *(f"{key} = {_toml(value)}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


def _check_axis(x: object, grid: Mapping[str, Sequence[Any]]) -> None:
    if x != "" and not (isinstance(x, str) and x in grid):
        raise InvalidValueError("x", x, listed(grid) if grid else "left out, as nothing is varied")


def _is_written(name: str, value: object) -> bool:
    """Whether a number is given as an expression in n."""
    return isinstance(value, str) and isinstance(setting(name).kind, WholeNumber) and is_expression(value)


def _written(name: str, value: object, config: RunConfig) -> Any:
    """The value of a setting as a file writes it: as the configuration has it, but an expression in n as given."""
    if _is_written(name, value):
        return " ".join(str(value).lower().split())
    return setting(name).plain_value(config)


def _toml(value: Any) -> str:
    """A value as TOML writes it: texts, whole numbers and lists of them."""
    if isinstance(value, str):
        escaped = "".join(
            f"\\u{ord(character):04x}" if ord(character) < 32 or ord(character) == 127 else character
            for character in value.replace("\\", "\\\\").replace('"', '\\"')
        )
        return f'"{escaped}"'
    if isinstance(value, list | tuple):
        return f"[{', '.join(_toml(each) for each in value)}]"
    return str(value)
