"""Charts for the scenes of a lecture: a figure of an experiment with what it was made from."""

from pathlib import Path

from gpviz.engine.errors import GpvizError
from gpviz.experiments.figures.chart_kinds import ChartKind, problem_of, stored_figure
from gpviz.experiments.figures.chart_values import ShouldStop
from gpviz.experiments.figures.figure import Figure
from gpviz.experiments.figures.figure_data import figure_json
from gpviz.experiments.plan import Plan
from gpviz.experiments.store import Store
from gpviz.lecture.scene_content import SceneChart


def scene_chart(figure: Figure, plan: Plan, kind: ChartKind) -> SceneChart:
    """The figure as a scene keeps it; raises `GpvizError` where it shows nothing yet, or too much."""
    return SceneChart(
        figure=figure_json(figure), plan=plan.name, chart=kind.value, runs=plan.runs, seed=plan.seed
    )


def charts_of_experiment(path: Path) -> list[ChartKind]:
    """The kinds of charts that an experiment has."""
    with Store.open(path) as store:
        return [kind for kind in ChartKind if not problem_of(kind, store.plan)]


def chart_of_experiment(
    path: Path,
    kind: ChartKind,
    *,
    cell: int = 0,
    measure: str = "iterations",
    has_upper: bool = False,
    should_stop: ShouldStop = lambda: False,
) -> SceneChart:
    """The chart of an experiment in a file as it looks before anybody chooses otherwise."""
    with Store.open(path) as store:
        plan = store.plan
    if problem := problem_of(kind, plan):
        raise GpvizError(problem)
    figure = stored_figure(
        path, kind, cell=cell, measure=measure, has_upper=has_upper, should_stop=should_stop
    )
    if not figure.has_content:
        raise GpvizError(figure.empty or "The chart shows nothing yet.")
    return scene_chart(figure, plan, kind)
