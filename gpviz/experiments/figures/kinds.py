"""The kinds of charts: what they are called, to which plans they apply, and what they show at first."""

from collections.abc import Sequence
from enum import Enum
from typing import Final

from gpviz.experiments.figures.cell_groups import groups_of, x_axis_of
from gpviz.experiments.figures.drift import drift_problem
from gpviz.experiments.figures.measures import measures_problem
from gpviz.experiments.figures.scaling import scaling_problem
from gpviz.experiments.plan import Plan

__all__ = ["CELL_CHOICES", "EVERY_CELL", "TITLES", "ChartKind", "chosen_cells", "first_scales", "problem_of"]


class ChartKind(Enum):
    """The charts, in the order in which they are offered."""

    FIGURE = "figure"
    HISTOGRAM = "histogram"
    ECDF = "ecdf"
    BOXES = "boxes"
    SCALING = "scaling"
    DRIFT = "drift"


TITLES: Final = {
    ChartKind.FIGURE: ("Figure", "The plan's measures along its axis, with the paper's values."),
    ChartKind.HISTOGRAM: ("Histogram", "How a measure is distributed over the runs of the chosen cell."),
    ChartKind.ECDF: ("ECDF", "Which share of runs is solved by each iteration; stuck runs leave a gap."),
    ChartKind.BOXES: ("Boxes", "Quartiles of a measure, in every cell or in those chosen, side by side."),
    ChartKind.SCALING: ("Scaling", "How T grows with n, and whether c n ln n fits."),
    ChartKind.DRIFT: ("Drift", "Which part of the error an iteration takes away, and the paper's bound."),
}
_CHECKS: Final = {
    ChartKind.FIGURE: measures_problem,
    ChartKind.SCALING: scaling_problem,
    ChartKind.DRIFT: drift_problem,
}
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


def problem_of(kind: ChartKind, plan: Plan | None) -> str:
    """Why a chart does not apply to a plan; empty if it does."""
    return "" if plan is None or kind not in _CHECKS else _CHECKS[kind](plan)


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
