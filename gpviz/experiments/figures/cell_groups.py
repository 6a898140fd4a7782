"""The cells of a plan: their labels and groups: what varies, along which axis, and what belongs to one series."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Final, TypeVar

from gpviz.engine.settings import WholeNumber, setting
from gpviz.experiments.plan import MEASURE_TABLE, Cell, Plan

MEASURE_TITLES: Final = {row.name: row.axis_title for row in MEASURE_TABLE}
_Answer = TypeVar("_Answer")
_LOG_FROM: Final = 20.0
"""Numbers that span more than this ratio are on a logarithmic axis at first."""


@dataclass(frozen=True, slots=True)
class Group:
    """The cells of one series: all settings but the one along the axis are the same."""

    label: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class XAxis:
    """The axis along which the cells of a plan are drawn. Without a setting there is none.

    ``positions`` are those of the cells by their number: the value itself, or 0, 1, 2, ... with ``names``.
    """

    setting: str
    title: str
    positions: tuple[float, ...]
    names: tuple[str, ...]
    is_log: bool
    ends: tuple[float, float] = field(init=False)
    """The first and the last position."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "ends", (min(self.positions), max(self.positions)))

    @property
    def values(self) -> tuple[float, ...]:
        """The positions of the cells, each once."""
        return tuple(sorted(set(self.positions)))


def _remembered(ask: Callable[[Plan], _Answer]) -> Callable[[Plan], _Answer]:
    """Remember the answer for the last plan: charts ask whenever they are drawn, and a plan may be large."""
    last: list[tuple[Plan, _Answer]] = []

    @wraps(ask)
    def asked(plan: Plan) -> _Answer:
        known = last[:]
        if known and known[0][0] is plan:
            return known[0][1]
        answer = ask(plan)
        last[:] = [(plan, answer)]
        return answer

    return asked


@_remembered
def x_axis_of(plan: Plan) -> XAxis:
    """The axis that the plan asks for, or else the setting with the most values."""
    names = plan.varied_settings
    along = plan.x if plan.x in names else max(names, key=lambda name: len(plan.grid[name]), default="")
    if not along:
        return XAxis("", "", tuple(0.0 for _ in plan.cells), ("all runs",), is_log=False)
    row = setting(along)
    values = [row.value_of(cell.config) for cell in plan.cells]
    if isinstance(row.kind, WholeNumber) and None not in values:
        numbers = tuple(float(value) for value in values)
        is_log = min(numbers) > 0 and max(numbers) / min(numbers) > _LOG_FROM
        return XAxis(along, row.axis_title, numbers, (), is_log)
    texts = [row.cell_text(cell.config) for cell in plan.cells]
    order = list(dict.fromkeys(texts))
    positions = tuple(float(order.index(text)) for text in texts)
    return XAxis(along, row.axis_title, positions, tuple(order), is_log=False)


@_remembered
def groups_of(plan: Plan) -> tuple[Group, ...]:
    """The series of a plan: the cells that differ only along its axis."""
    along = x_axis_of(plan).setting
    others = [name for name in plan.varied_settings if name != along]
    groups: dict[str, list[Cell]] = {}
    for cell in plan.cells:
        groups.setdefault(_label(plan, cell, others), []).append(cell)
    return tuple(Group(label, tuple(cells)) for label, cells in groups.items())


def cell_label(plan: Plan, cell: int) -> str:
    """A cell by what varies in the plan: n = 8, limit 2n."""
    return _label(plan, plan.cells[cell], plan.varied_settings) or "all runs"


def _label(plan: Plan, cell: Cell, names: Sequence[str]) -> str:
    written = plan.written_values(cell.number)
    return ", ".join(setting(name).written_label(written[name], cell.config) for name in names)
