"""Charts for the scenes of a lecture: a figure of an experiment with what it was made from."""

from dataclasses import replace
from math import inf
from pathlib import Path

from gpviz.engine.errors import GpvizError
from gpviz.experiments.figures.figure import Figure
from gpviz.experiments.figures.figure_data import figure_json
from gpviz.experiments.figures.kinds import CHARTS, ChartInput, ChartKind, chosen_cells, problem_of
from gpviz.experiments.figures.run_values import ShouldStop, ValueReader
from gpviz.experiments.plan import Plan
from gpviz.experiments.statistics.cell_statistics import summarise
from gpviz.experiments.store import Store
from gpviz.run.scene_content import SceneChart

__all__ = ["chart_of_experiment", "charts_of_experiment", "scene_chart"]


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
    should_stop: ShouldStop = lambda: False,
) -> SceneChart:
    """The chart of an experiment in a file as it looks before anybody chooses otherwise."""
    with Store.open(path) as store:
        plan, totals = store.plan, store.totals()
    problem = problem_of(kind, plan)
    if problem:
        raise GpvizError(problem)
    chart = CHARTS[kind]
    choice = chart.cell_choices[0][0] if chart.cell_choices else "one"
    is_log_x, is_log_y = chart.scales(plan, measure)
    chosen = ChartInput(
        plan=plan,
        totals=totals,
        summaries=lambda: summarise(plan, totals),
        cell=cell,
        cells=chosen_cells(plan, choice, cell, ()),
        measure=measure,
        is_log_x=is_log_x,
        is_log_y=is_log_y,
    )
    if chart.request is not None:
        reader = ValueReader()
        reader.enough_s = inf  # all of it is wanted at once
        chosen = replace(chosen, digests=reader.read(path, chart.request(chosen), None, should_stop))
    return scene_chart(chart.build(chosen), plan, kind)
