"""What a chart shows before anybody chooses otherwise, and what the choices mean: scales and cells."""

from collections.abc import Sequence
from typing import Final

from gpviz.experiments.figures.cell_groups import groups_of, x_axis_of
from gpviz.experiments.figures.kinds import ChartKind
from gpviz.experiments.plan import Plan

__all__ = ["CELL_CHOICES", "EVERY_CELL", "chosen_cells", "first_scales"]

CELL_CHOICES: Final = (
    ("series", "the chosen cell's series"),
    ("across", "all series, same place"),
    ("one", "the chosen cell"),
    ("selected", "rows selected in the table"),
)
EVERY_CELL: Final = ("every", "every cell")
_SCALES: Final = {
    ChartKind.HISTOGRAM: (False, False),
    ChartKind.ECDF: (True, False),
    ChartKind.SCALING: (True, True),
    ChartKind.DRIFT: (True, True),
}


def first_scales(kind: ChartKind, plan: Plan | None, measure: str) -> tuple[bool, bool]:
    """Which axes of a chart, x and y, are logarithmic at first."""
    if kind is ChartKind.BOXES:
        return False, measure in ("iterations", "")
    if kind is not ChartKind.FIGURE:
        return _SCALES[kind]
    if plan is None:
        return False, False
    axis = x_axis_of(plan)
    # With n alone on a logarithmic axis, n log n would look like exponential growth.
    return axis.is_log, axis.is_log and axis.setting == "n"


def chosen_cells(plan: Plan, choice: str, cell: int, selected: Sequence[int]) -> tuple[int, ...]:
    """The cells that a choice means, when this cell is the chosen one and these rows are selected."""
    if choice == EVERY_CELL[0]:
        return tuple(range(len(plan.cells)))
    if choice == "selected" and selected:
        return tuple(selected)
    if choice in ("one", "selected"):
        return (cell,)
    if choice == "across":
        places = x_axis_of(plan).places
        return tuple(at for at, place in enumerate(places) if place == places[cell])
    numbers = [tuple(each.number for each in group.cells) for group in groups_of(plan)]
    return next(group for group in numbers if cell in group)
