"""A figure on the screen: space for markers and titles, and whole ticks."""

import re
from dataclasses import asdict

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor
from PySide6.QtSvg import QSvgRenderer

from gpviz.app.plots import chart_view
from gpviz.app.plots.chart_view import ChartView
from gpviz.app.theme import load_theme
from gpviz.experiments.figures.chart_values import Bins, ChartInput
from gpviz.experiments.figures.distributions import histogram_figure
from gpviz.experiments.figures.figure import (
    Axis,
    Figure,
    Kind,
    Panel,
    Point,
    Series,
    series_of,
)
from gpviz.experiments.figures.figure_svg import DrawnPlots, drawn_plots
from gpviz.experiments.plan import Plan, plan_of
from gpviz.experiments.statistics.cell_statistics import spread_of
from gpviz.experiments.totals import Totals
from tests.app.mouse import move_mouse
from tests.experiments.figures.filled_stores import ORS


@pytest.fixture(scope="module")
def ors_plan() -> Plan:
    return plan_of("ors", ORS)


def _width_of(text: str) -> float:
    return sum(4.0 if letter in "il-" else 8.0 for letter in text)


def _drawn(figure: Figure, size: tuple[int, int] = (600, 400), line_scale: float = 1.0) -> DrawnPlots:
    colours = asdict(load_theme("light").colours)
    return drawn_plots(figure, *size, colours, "DejaVu Sans", 13.0, width_of=_width_of, line_scale=line_scale)


def test_a_curve_of_many_steps_has_no_more_points_than_can_be_seen():
    numbers = np.arange(50_000.0)
    steps = Series("", 0, Kind.STEPS, numbers, numbers)
    drawn = _drawn(Figure("t", (Panel(Axis("x"), Axis("y"), (steps,)),)))
    (path,) = re.findall(r'class="line s0" d="(.*?)"', drawn.svg)
    assert path.count("L") + path.count("V") <= 2 * 600
    frame = drawn.plots[0]
    assert path.startswith(f"M{float(frame.x(0.0)):.1f} {float(frame.y(0.0)):.1f}")


class _CountingRenderer(QSvgRenderer):
    renders = 0

    def render(self, *given) -> None:
        self.renders += 1
        super().render(*given)


def test_the_window_shows_the_chart_and_a_ring_around_the_point_that_is_read_out(qtbot, monkeypatch):
    monkeypatch.setattr(chart_view, "QSvgRenderer", _CountingRenderer)
    points = [Point(1, 5, "the first", 1, 9), Point(2, 5, "the second", 1, 9)]
    panel = Panel(Axis("n", values=(1.0, 2.0)), Axis("T"), (series_of("", 0, Kind.MARKERS, points),))
    view = ChartView()
    view.set_theme(load_theme("light"))
    qtbot.addWidget(view)
    view.resize(600, 400)
    view.show_figure(Figure("Bars", (panel,)))
    view.show()
    first = view.plots.position_of(*view.spots()[0]).toPoint()
    ink = QColor(view.theme.colours.neutral)
    assert view.plots.grab().toImage().pixelColor(first) == ink
    before = view.plots.grab().toImage()
    view.plots.hovered.emit(QPointF(first))
    assert view.readout.text == "the first"
    assert view.plots.grab().toImage() != before
    renderer = view.plots.findChild(_CountingRenderer)
    assert renderer is not None
    assert renderer.renders == 1, "the ring moves over a picture of the chart"
    assert view.plots.accessibleName() == "Plots and legend"


@pytest.mark.parametrize("size", [(420, 260), (160, 100)])
def test_a_long_legend_in_a_small_chart_leaves_space_for_the_plot_and_is_a_tip_in_full(qtbot, size):
    labels = [f"limit = {look}n, deletion = leaf, n = 8" for look in range(8)]
    values = np.array([1.0, 2.0])
    curves = tuple(Series(label, look, Kind.LINE, values, values) for look, label in enumerate(labels))
    figure = Figure("t", (Panel(Axis("x"), Axis("y"), curves),))
    drawn = _drawn(figure, size)
    _, top, _, bottom = drawn.plots[0].frame
    assert bottom - top >= 40
    legend = re.findall(r'class="legend" x="[\d.]+" y="([\d.]+)">(.*?)<', drawn.svg)
    assert len(legend) == (8 if size == (420, 260) else 0), "without any space there is none"
    assert all(float(y) < top and text.endswith("…") for y, text in legend)
    assert top <= size[1] / 2 + 7
    view = ChartView()
    qtbot.addWidget(view)
    view.resize(*size)
    view.show_figure(figure)
    move_mouse(view.plots, QPointF(1, 1))
    assert all(label in view.plots.toolTip() for label in labels)


def _histogram_of(ors: list[int], plan: Plan) -> Figure:
    """The histogram of runs that all have as many ORs."""
    edges = np.array([ors[0] - 0.5, ors[0] + 0.5])
    array = np.array(ors, dtype=np.float64)
    spread = spread_of(array)
    assert spread is not None
    bins = Bins(edges, np.histogram(array, edges)[0], spread, float(array.mean()), 0)
    return histogram_figure(ChartInput(plan=plan, totals=[Totals()], measure="ors", digests={0: bins}))


@pytest.mark.parametrize(("value", "first"), [(0, -0.5), (1, -0.5), (2, -0.5), (3, -0.5), (12, 8.5)])
def test_a_single_number_has_others_beside_it_and_whole_ticks(ors_plan, value, first):
    figure = _histogram_of([value] * 9, ors_plan)
    bars = figure.panels[0].series[0]
    assert (bars.x[0], bars.x[-1]) == (first, first + 7)
    assert bars.y.sum() == 9
    assert bars.y[int(value - first)] == 9
    assert bars.hints[int(value - first)] == f"ORs in the result {value}: 9 of 9 runs"
    assert f"All 9 solved runs have {value}." in figure.note
    (drawn,) = _drawn(figure).plots
    for position, text in drawn.x_ticks + drawn.y_ticks:
        assert text == f"{position:.0f}"
    assert "The one solved run has" in _histogram_of([value], ors_plan).note
