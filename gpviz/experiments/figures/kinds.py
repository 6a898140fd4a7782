"""The kinds of charts, what they are called, and why one does not apply to a plan."""

from enum import Enum
from typing import Final

from gpviz.experiments.figures.drift import drift_problem
from gpviz.experiments.figures.measures import measures_problem
from gpviz.experiments.figures.scaling import scaling_problem
from gpviz.experiments.plan import Plan

__all__ = ["TITLES", "ChartKind", "problem_of"]


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


def problem_of(kind: ChartKind, plan: Plan | None) -> str:
    """Why a chart does not apply to a plan; empty if it does."""
    return "" if plan is None or kind not in _CHECKS else _CHECKS[kind](plan)
