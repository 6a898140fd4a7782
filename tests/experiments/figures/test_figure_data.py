"""Figures as plain data: what is written is what is read, and what is wrong is said with its place."""

import json

import numpy as np
import pytest

from gpviz.engine.errors import GpvizError
from gpviz.experiments.figures.chart_kinds import ChartKind, chart_of_experiment, charts_of_experiment
from gpviz.experiments.figures.figure import (
    LOOK_COLOURS,
    Axis,
    Figure,
    Kind,
    Panel,
    Rule,
    RuleKind,
    Series,
)
from gpviz.experiments.figures.figure_data import check_charts, figure_json, figure_of
from gpviz.experiments.figures.figure_svg import figure_file
from gpviz.lecture.lecture import Lecture, Scene
from gpviz.lecture.scene_content import SceneChart
from tests.files.hostile import changed

COLOURS = dict.fromkeys((*LOOK_COLOURS, "panel", "border", "muted"), "#123456")
KNOWN = Series("known", 0, Kind.POINTS, np.array([1.0, 2.0]), np.array([3.0, np.nan]), hints=("one", "two"))
FIGURE = Figure(
    "Growth",
    (Panel(Axis("n"), Axis("T", end=9.5), (KNOWN,), rules=(Rule("level", RuleKind.LEVEL, 4.0, 1),)),),
    note="It grows.",
)


def drawn(figure: Figure) -> str:
    return figure_file(figure, 800, 600, COLOURS, "DejaVu Sans", 13.0)


@pytest.mark.parametrize("kind", list(ChartKind))
def test_every_chart_of_an_experiment_is_drawn_as_before_it_was_written(request, kind):
    others = {ChartKind.SAMPLING: ("coupled", 15, 1), ChartKind.DECISIVE: ("stuck", 13, 54)}
    name, runs, seed = others.get(kind, ("leaf", 30, 1))
    store = request.getfixturevalue(f"{name}_store")
    assert kind in charts_of_experiment(store)
    chart = chart_of_experiment(store, kind)
    assert (chart.plan, chart.chart, chart.runs, chart.seed) == (name, kind.value, runs, seed)
    figure = figure_of(chart.figure)
    assert figure.has_content
    assert figure_json(figure) == chart.figure
    assert chart == chart_of_experiment(store, kind), "it can be made again from its experiment"


def test_what_is_read_is_what_was_written():
    read = figure_of(figure_json(FIGURE))
    assert drawn(read) == drawn(FIGURE)
    (series,) = read.panels[0].series
    assert series.hints == ("one", "two")
    assert np.isnan(series.y[1])
    assert read.note == "It grows."


def test_a_chart_that_shows_nothing_yet_is_not_written():
    with pytest.raises(GpvizError, match=r"^The chart shows nothing yet\.$"):
        figure_json(Figure("Empty", empty="No runs yet."))


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        ("title", 3, "figure.title: 3 is not allowed; it must be a text of at most 4000 characters."),
        ("panels", {}, "figure.panels: {} is not allowed; it must be a list."),
        ("panels", [], "figure.panels: there is nothing to draw in them."),
        ("is_stacked", 1, "figure.is_stacked: 1 is not allowed; it must be true or false."),
        ("extra", 1, "figure: 'extra' is unknown; the keys are "),
        ("panels.0.series.0.kind", "zigzag", "figure.panels[0].series[0].kind: 'zigzag' is not allowed; "),
        ("panels.0.series.0.x", [1], "figure.panels[0].series[0].x: it has 1 values, but there are 2 points"),
        ("panels.0.series.0.x", [1, "2"], "figure.panels[0].series[0].x[1]: '2' is not allowed; "),
        ("panels.0.series.0.low", [1, 2], "figure.panels[0].series[0].low: error bars have two ends"),
        ("panels.0.series.0.look", -1, "figure.panels[0].series[0].look: -1 is not allowed; "),
        ("panels.0.rules.0.value", None, "figure.panels[0].rules[0].value: None is not allowed; "),
        (
            "panels.0.rules.0.value",
            1e201,
            "figure.panels[0].rules[0].value: 1e+201 is not allowed; it must be 0,",
        ),
        ("note", "\x07", "figure.note: '\\x07' is not allowed; it must be a text of at most 4000 characters"),
        ("panels.0.weight", 0, "figure.panels[0].weight: 0 is not allowed; "),
        (
            "panels.0.x.names",
            [[1]],
            "figure.panels[0].x.names[0]: [1] is not allowed; it must be a list of 2.",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_path(path, value, sentence):
    data = json.loads(figure_json(FIGURE))
    with pytest.raises(GpvizError) as caught:
        figure_of(json.dumps(changed(data, path, value)))
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize(
    ("changes", "ends"),
    [
        ({"is_log": True, "reach": 1e200}, "-1e+200 to 1e+200"),
        ({"is_log": True, "end": -1}, "nan"),
    ],
)
def test_an_axis_that_would_have_no_end_is_refused(changes, ends):
    data = json.loads(figure_json(FIGURE))
    data["panels"][0]["y"] = {**data["panels"][0]["y"], "end": None, **changes}
    with pytest.raises(
        GpvizError, match=r"^figure.panels\[0\].y: the axis cannot be drawn; it would go"
    ) as caught:
        figure_of(json.dumps(data))
    assert ends in str(caught.value)


def test_too_many_parts_are_refused():
    data = json.loads(figure_json(FIGURE))
    with pytest.raises(GpvizError, match=r"^figure.panels: there are 13, but at most 12 are allowed\.$"):
        figure_of(json.dumps({**data, "panels": data["panels"] * 13}))
    many = {**data["panels"][0]["series"][0], "x": [1] * 5001, "y": [1] * 5001, "hints": []}
    panel = {**data["panels"][0], "series": [many]}
    with pytest.raises(
        GpvizError, match=r"points with markers: there are 5,001, but at most 5000 are allowed\.$"
    ):
        figure_of(json.dumps({**data, "panels": [panel]}))


def test_a_lecture_with_a_chart_that_cannot_be_drawn_names_the_scene():
    def chart(figure: str) -> Scene:
        content = SceneChart(figure=figure, plan="p", chart="c", runs=1, seed=1)
        return Scene(title="a", has_tree=False, content=content)

    check_charts(Lecture(title="Talk", scenes=(Scene(title="a", has_tree=False), chart(figure_json(FIGURE)))))
    with pytest.raises(GpvizError, match=r"^scenes\[1\].content.figure.title: it is missing\.$"):
        check_charts(Lecture(title="Talk", scenes=(chart(figure_json(FIGURE)), chart('{"panels": []}'))))
