"""The kinds of charts: what each is called, to which plans it applies, what it needs, and how it is made."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from math import inf
from pathlib import Path
from typing import Final

from gpviz.engine.errors import GpvizError
from gpviz.experiments.figures.cell_groups import groups_of, x_axis_of
from gpviz.experiments.figures.chart_values import ChartInput, ShouldStop, ValueReader, ValuesRequest
from gpviz.experiments.figures.decisive_steps import decisive_figure, decisive_problem
from gpviz.experiments.figures.distributions import (
    best_of_figure,
    boxes_figure,
    cells_drawn,
    ecdf_figure,
    histogram_figure,
)
from gpviz.experiments.figures.drift import drift_figure, drift_problem, stages_figure, stages_problem
from gpviz.experiments.figures.figure import Figure
from gpviz.experiments.figures.figure_data import figure_json
from gpviz.experiments.figures.growth_with_n import (
    sampling_figure,
    sampling_problem,
    scaling_figure,
    scaling_problem,
)
from gpviz.experiments.figures.measures_by_setting import measures_figure, measures_problem
from gpviz.experiments.plan import Plan
from gpviz.experiments.statistics.cell_statistics import summarise
from gpviz.experiments.store import Store
from gpviz.experiments.totals import Totals
from gpviz.lecture.scene_content import SceneChart

_MOST_CURVES_READ: Final = 64
_CELL_CHOICES: Final = (
    ("series", "the chosen cell's series"),
    ("across", "all series, same place"),
    ("one", "the chosen cell"),
    ("selected", "rows selected in the table"),
)
_LARGEST: Final = ("largest", "the largest n of its series")
VALUE_MEASURES: Final = ("iterations", "leaves", "ors", "ors_accepted", "final_generalisation_error")
"""The measures of single runs, whose values a chart can be about."""
EVERY_CELL: Final = ("every", "every cell")


class ChartKind(Enum):
    """The charts, in the order in which they are offered."""

    FIGURE = "figure"
    HISTOGRAM = "histogram"
    ECDF = "ecdf"
    BOXES = "boxes"
    SCALING = "scaling"
    DRIFT = "drift"
    STAGES = "stages"
    SAMPLING = "sampling"
    BEST_OF = "best-of"
    DECISIVE = "decisive"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A kind of chart, with the choices it has."""

    title: str
    tip: str
    build: Callable[[ChartInput], Figure]
    problem: Callable[[Plan], str] = lambda plan: ""
    """Why it does not apply to a plan; empty if it does."""
    request: Callable[[ChartInput], ValuesRequest] | None = None
    """What has to be read of the runs beside the totals; None is nothing."""
    scales: Callable[[Plan, str], tuple[bool, bool]] = lambda plan, measure: (False, False)
    """Which axes, x and y, are logarithmic at first, of a plan and a measure."""
    has_log_x: Callable[[Plan], bool] = lambda plan: True
    cell_choices: tuple[tuple[str, str], ...] = ()
    has_measure: bool = False
    has_curve: bool = False
    has_upper: bool = False
    is_searched: bool = False
    """Whether what it shows is looked for run by run, which takes long: it grows meanwhile and can be stopped."""


def _has_numbers(plan: Plan) -> bool:
    axis = x_axis_of(plan)
    return not axis.names and axis.ends[0] > 0


def _measures_scales(plan: Plan, _measure: str) -> tuple[bool, bool]:
    axis = x_axis_of(plan)
    # With n alone on a logarithmic axis, n log n would look like exponential growth.
    return axis.is_log, axis.is_log and axis.setting == "n"


CHARTS: Final[Mapping[ChartKind, Chart]] = {
    ChartKind.FIGURE: Chart(
        title="Figure",
        tip="The plan's measures along its axis, with the paper's values.",
        build=measures_figure,
        problem=measures_problem,
        scales=_measures_scales,
        has_log_x=_has_numbers,
    ),
    ChartKind.HISTOGRAM: Chart(
        title="Histogram",
        tip="How a measure is distributed over the runs of the chosen cell.",
        build=histogram_figure,
        request=lambda it: ValuesRequest("bins", it.measure, (it.cell,), it.is_log_x),
        has_measure=True,
    ),
    ChartKind.ECDF: Chart(
        title="ECDF",
        tip="Which share of runs is solved by each iteration; stuck runs leave a gap.",
        build=ecdf_figure,
        request=lambda it: ValuesRequest("steps", "iterations", it.cells[:_MOST_CURVES_READ]),
        scales=lambda plan, measure: (True, False),
        cell_choices=_CELL_CHOICES,
        has_curve=True,
    ),
    ChartKind.BOXES: Chart(
        title="Boxes",
        tip="Quartiles of a measure, in every cell or in those chosen, side by side.",
        build=boxes_figure,
        request=lambda it: ValuesRequest("spread", it.measure, cells_drawn(it.plan, it.cells)),
        scales=lambda plan, measure: (False, measure == "iterations"),
        has_log_x=lambda plan: False,
        cell_choices=(EVERY_CELL, *_CELL_CHOICES),
        has_measure=True,
    ),
    ChartKind.SCALING: Chart(
        title="Scaling",
        tip="How T grows with n, and whether c n ln n fits.",
        build=scaling_figure,
        problem=scaling_problem,
        scales=lambda plan, measure: (True, True),
        has_upper=True,
    ),
    ChartKind.DRIFT: Chart(
        title="Drift",
        tip="What share of the error an iteration removes, and the paper's bound.",
        build=drift_figure,
        problem=drift_problem,
        scales=lambda plan, measure: (True, True),
        cell_choices=_CELL_CHOICES,
    ),
    ChartKind.STAGES: Chart(
        title="Stages",
        tip="How many iterations are spent while the error is below n, from n to n², from n² to n⁴ and so on.",
        build=stages_figure,
        problem=stages_problem,
        has_log_x=lambda plan: False,
        cell_choices=(_LARGEST, *_CELL_CHOICES),  # the larger n is, the more stages there are
    ),
    ChartKind.SAMPLING: Chart(
        title="Sampling",
        tip="T / lg n and the share of runs with each pitfall of the sampling theorem, against n.",
        build=sampling_figure,
        problem=sampling_problem,
        scales=lambda plan, measure: (True, False),
    ),
    ChartKind.BEST_OF: Chart(
        title="Best of λ",
        tip="How likely it is that the best of λ runs of the chosen cell is good.",
        build=best_of_figure,
        request=lambda it: ValuesRequest("steps", it.measure, (it.cell,)),
        scales=lambda plan, measure: (True, False),
        has_measure=True,
    ),
    ChartKind.DECISIVE: Chart(
        title="Decisive steps",
        tip="At which errors and sizes the stuck runs of the chosen cell were decided.",
        build=decisive_figure,
        problem=decisive_problem,
        request=lambda it: ValuesRequest("decisive_steps", "", (it.cell,)),
        has_log_x=lambda plan: False,
        is_searched=True,
    ),
}  # fmt: skip


def chosen_cells(plan: Plan, choice: str, cell: int, selected: Sequence[int]) -> tuple[int, ...]:
    """The cells that a choice means, when this cell is the chosen one and these rows are selected."""
    if choice == EVERY_CELL[0]:
        return tuple(range(len(plan.cells)))
    if choice == "selected" and selected:
        return tuple(selected)
    if choice in ("one", "selected"):
        return (cell,)
    if choice == "across":
        positions = x_axis_of(plan).positions
        return tuple(at for at, position in enumerate(positions) if position == positions[cell])
    numbers = [tuple(each.number for each in group.cells) for group in groups_of(plan)]
    series = next(group for group in numbers if cell in group)
    if choice == _LARGEST[0]:  # of several with the same n the chosen one, if it is one of them
        return (max((cell, *series), key=lambda number: plan.cells[number].config.n),)
    return series


def first_input(
    kind: ChartKind,
    plan: Plan,
    totals: Sequence[Totals],
    *,
    cell: int = 0,
    measure: str = "iterations",
    has_upper: bool = False,
) -> ChartInput:
    """What a chart is made from before anybody chooses otherwise, without what has to be read of the runs."""
    chart = CHARTS[kind]
    is_log_x, is_log_y = chart.scales(plan, measure)
    choices = chart.cell_choices
    return ChartInput(
        plan=plan,
        totals=totals,
        summaries=summarise(plan, totals),
        cell=cell,
        cells=chosen_cells(plan, choices[0][0], cell, ()) if choices else (),
        measure=measure,
        is_log_x=is_log_x and chart.has_log_x(plan),
        is_log_y=is_log_y,
        has_upper=has_upper,
    )


def stored_figure(
    path: Path,
    kind: ChartKind,
    *,
    cell: int = 0,
    measure: str = "",
    has_upper: bool = False,
    should_stop: ShouldStop = lambda: False,
    on_progress: Callable[[int, int], object] = lambda done, wanted: None,
) -> Figure:
    """A chart of the experiment in a file as it looks before anybody chooses otherwise, with this cell chosen.

    Without a measure it is the first one of the plan that single runs have. One that does not apply to its plan
    has nothing to show and says why. Raises `GpvizError` if it cannot be read.
    """
    chart = CHARTS[kind]
    with Store.open(path) as store:
        plan, totals = store.plan, store.totals()
    if problem := chart.problem(plan):
        return Figure(chart.title, empty=problem)
    measure = measure or next((each for each in plan.measures if each in VALUE_MEASURES), "iterations")
    given = first_input(kind, plan, totals, cell=cell, measure=measure, has_upper=has_upper)
    if chart.request is None:
        return chart.build(given)
    reader = ValueReader()
    reader.enough_s = inf  # all of it is wanted at once
    reader.on_progress = on_progress
    runs = [each.runs for each in totals]
    return chart.build(replace(given, digests=reader.read(path, chart.request(given), runs, should_stop)))


def scene_chart(figure: Figure, plan: Plan, kind: ChartKind) -> SceneChart:
    """The figure as a scene keeps it; raises `GpvizError` where it shows nothing yet, or too much."""
    return SceneChart(
        figure=figure_json(figure), plan=plan.name, chart=kind.value, runs=plan.runs, seed=plan.seed
    )


def charts_of_experiment(path: Path) -> list[ChartKind]:
    """The kinds of charts that an experiment has."""
    with Store.open(path) as store:
        return [kind for kind in ChartKind if not CHARTS[kind].problem(store.plan)]


def chart_of_experiment(
    path: Path, kind: ChartKind, *, should_stop: ShouldStop = lambda: False
) -> SceneChart:
    """The chart of an experiment in a file as it looks before anybody chooses otherwise."""
    figure = stored_figure(path, kind, measure="iterations", should_stop=should_stop)
    if not figure.has_content:
        raise GpvizError(figure.empty or "The chart shows nothing yet.")
    with Store.open(path) as store:
        return scene_chart(figure, store.plan, kind)
