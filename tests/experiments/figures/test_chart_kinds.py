"""Every kind of chart is made and drawn from an experiment without a window."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from gpviz.experiments.figures.chart_kinds import CHARTS, ChartKind, chosen_cells, stored_figure
from gpviz.experiments.figures.chart_values import ChartInput
from gpviz.experiments.figures.figure import LOOK_COLOURS
from gpviz.experiments.figures.figure_svg import figure_file
from gpviz.experiments.statistics.cell_statistics import summarise
from tests.experiments.figures.filled_stores import read, totals_of

COLOURS = dict.fromkeys((*LOOK_COLOURS, "panel", "border", "muted"), "#123456")


def test_every_kind_has_its_row_in_the_order_of_the_tabs():
    assert list(CHARTS) == list(ChartKind)
    assert all(chart.title and chart.tip.endswith(".") for chart in CHARTS.values())


@pytest.mark.parametrize("kind", list(ChartKind))
@pytest.mark.parametrize("is_log", [False, True])
def test_every_kind_is_made_and_drawn(request, kind, is_log):
    name = _experiment_for(kind)
    plan, store = request.getfixturevalue(name), request.getfixturevalue(f"{name}_store")
    chart, totals = CHARTS[kind], totals_of(store)
    chosen = ChartInput(
        plan=plan,
        totals=totals,
        summaries=summarise(plan, totals),
        cells=(0, 1, 2, 3),
        is_log_x=is_log,
        is_log_y=is_log,
    )
    assert not CHARTS[kind].problem(plan)
    assert chart.build(chosen).has_content == (chart.request is None)
    digests = {} if chart.request is None else read(store, chart.request(chosen))
    figure = chart.build(replace(chosen, digests=digests))
    assert figure.has_content
    root = ET.fromstring(figure_file(figure, 800, 600, COLOURS, "DejaVu Sans", 13.0).encode())
    assert sum(each.get("class") == "axis" for each in root.iter()) == len(figure.panels)


def test_before_anybody_chooses_scales_are_those_that_show_most(leaf, sampled):
    assert CHARTS[ChartKind.FIGURE].scales(sampled, "iterations") == (True, False)
    assert CHARTS[ChartKind.FIGURE].scales(leaf, "iterations") == (False, False)
    assert CHARTS[ChartKind.BOXES].scales(leaf, "iterations") == (False, True)
    assert CHARTS[ChartKind.BOXES].scales(leaf, "leaves") == (False, False)
    assert not CHARTS[ChartKind.BOXES].has_log_x(leaf), "its places are names"


@pytest.mark.parametrize(
    ("choice", "selected", "cells"),
    [
        ("series", (), (2, 3)),
        ("across", (), (0, 2)),
        ("one", (), (2,)),
        ("selected", (1, 3), (1, 3)),
        ("selected", (), (2,)),
        ("every", (), (0, 1, 2, 3)),
    ],
)
def test_what_a_choice_of_cells_means(leaf, choice, selected, cells):
    assert chosen_cells(leaf, choice, 2, selected) == cells


def test_the_stages_are_at_first_those_of_the_largest_n_of_the_chosen_series(leaf, sampled):
    choice = CHARTS[ChartKind.STAGES].cell_choices[0][0]
    assert [chosen_cells(leaf, choice, cell, ()) for cell in range(4)] == [(1,), (1,), (3,), (3,)]
    assert chosen_cells(sampled, choice, 2, ()) == (2,), "where n does not vary it is the chosen cell"


def _experiment_for(kind):
    """The fixture of an experiment that a chart applies to."""
    return {ChartKind.SAMPLING: "coupled", ChartKind.DECISIVE: "stuck"}.get(kind, "leaf")


def test_a_chart_that_does_not_apply_to_the_plan_of_a_file_says_why(sampled_store):
    figure = stored_figure(sampled_store, ChartKind.DRIFT)
    assert not figure.has_content
    assert "sampled rows" in figure.empty
