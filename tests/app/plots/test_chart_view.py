"""A figure on the screen: space for markers and titles, and whole ticks."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor

from gpviz.app.plots.chart_view import ChartView
from gpviz.app.theme import load_theme
from gpviz.experiments.figures.chart_values import Bins
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
from gpviz.experiments.figures.growth_with_n import scaling_figure
from gpviz.experiments.plan import Plan, plan_of
from gpviz.experiments.statistics.cell_statistics import CellSummary, spread_of, summarise
from tests.experiments.figures.filled_stores import ORS, filled, totals_of


@pytest.fixture(scope="module")
def ors_plan() -> Plan:
    return plan_of("ors", ORS)


@pytest.fixture(scope="module")
def ors_summaries(tmp_path_factory, ors_plan) -> list[CellSummary]:
    return summarise(ors_plan, totals_of(filled(tmp_path_factory.mktemp("stores") / "ors.gpvizx", ors_plan)))


def _shown(qtbot, figure: Figure, size: tuple[int, int] = (600, 400)) -> ChartView:
    view = ChartView()
    view.set_theme(load_theme("light"))
    qtbot.addWidget(view)
    view.resize(*size)
    view.show_figure(figure)
    view.grab()
    view.grab()  # laid out by now
    return view


@pytest.mark.parametrize("size", [(430, 300), (1400, 800)])
def test_residuals_have_three_ticks_space_around_them_and_a_title_that_says_what_they_are(
    qtbot, ors_plan, ors_summaries, size
):
    figure = scaling_figure(ors_plan, ors_summaries, 0, is_log_x=True, is_log_y=True, has_upper=False)
    view = _shown(qtbot, figure, size)
    _, ratio, residual = view.plots.panels
    assert residual.left.labelText == "residual (σ)"
    assert ratio.left.labelText.replace(" ", "") == "T/(nlnn)"
    assert float(ratio.left.labelStyle["font-size"].removesuffix("pt")) >= 0.74 * view.font().pointSizeF()
    low, high = residual.y_range
    assert low == -high
    ticks = residual.y_ticks(low, high, 2)
    assert [text for _, text in ticks][1] == "0"
    assert len(ticks) == 3
    most = max(np.abs(series.y).max() for series in residual.panel.series)
    assert most <= high * (1 - 0.08)


def test_a_title_without_space_is_short_or_small_until_there_is_space(qtbot):
    series = Series("", 0, Kind.MARKERS, np.array([1.0, 2.0]), np.array([1.0, 2.0]))
    figure = Figure("t", (Panel(Axis("x"), Axis("a title of many words for y"), (series,)),))
    view = _shown(qtbot, figure, size=(400, 500))
    axis = view.plots.panels[0].left
    full = axis.labelStyle["font-size"]
    view.resize(400, 190)
    view.grab()
    assert float(axis.labelStyle["font-size"].removesuffix("pt")) < float(full.removesuffix("pt"))
    assert axis.labelText == "a title of many words for y"
    view.resize(400, 500)
    view.grab()
    assert axis.labelStyle["font-size"] == full


def test_a_marker_at_zero_is_not_cut_by_the_axis(qtbot):
    points = Series("", 0, Kind.HOLLOW, np.array([1.0, 2.0]), np.array([0.0, 5.0]))
    view = _shown(qtbot, Figure("t", (Panel(Axis("x"), Axis("y", starts_at_zero=True), (points,)),)))
    drawn = view.plots.panels[0]
    low, high = drawn.y_range
    below = drawn.box.height() * -low / (high - low)
    assert below >= max(drawn.markers.data["size"]) / 2
    assert 0.0 in [position for position, _ in drawn.y_ticks(low, high, 5)]
    view.show_figure(
        Figure(
            "t",
            (
                Panel(
                    Axis("x"),
                    Axis("y", starts_at_zero=True),
                    (Series("", 0, Kind.POINTS, points.x, points.y + 9),),
                ),
            ),
        )
    )
    assert drawn.y_range[0] == pytest.approx(0, abs=1e-4), "without one it starts at 0"


def _bins(values: list[int], edges: list[float]) -> Bins:
    array = np.array(values, dtype=np.float64)
    spread = spread_of(array)
    assert spread is not None
    counts, _ = np.histogram(array, edges)
    return Bins(np.array(edges), counts, spread, float(array.mean()), 0)


@pytest.mark.parametrize(("value", "first"), [(0, -0.5), (1, -0.5), (2, -0.5), (3, -0.5), (12, 8.5)])
def test_a_single_number_has_others_beside_it_and_whole_ticks(qtbot, ors_plan, value, first):
    bins = _bins([value] * 9, [value - 0.5, value + 0.5])
    figure = histogram_figure(ors_plan, 0, "ors", bins, None, is_log_x=False, is_log_y=False)
    bars = figure.panels[0].series[0]
    assert (bars.x[0], bars.x[-1]) == (first, first + 7)
    assert bars.y.sum() == 9
    assert bars.y[int(value - first)] == 9
    assert bars.hints[int(value - first)] == f"ORs in the result {value}: 9 of 9 runs"
    assert f"All 9 solved runs have {value}." in figure.note
    drawn = _shown(qtbot, figure).plots.panels[0]
    for position, text in drawn.x_ticks(*drawn.x_range, 30) + drawn.y_ticks(*drawn.y_range, 30):
        assert text == f"{position:.0f}"
    assert (
        "The one solved run has"
        in histogram_figure(
            ors_plan,
            0,
            "ors",
            _bins([value], [value - 0.5, value + 0.5]),
            None,
            is_log_x=False,
            is_log_y=False,
        ).note
    )


def test_a_line_of_the_grid_does_not_hide_an_error_bar(qtbot):
    points = [Point(1, 5, "", 1, 9), Point(2, 5, "", 1, 9)]
    panel = Panel(Axis("n", values=(1.0, 2.0)), Axis("T"), (series_of("", 0, Kind.MARKERS, points),))
    view = _shown(qtbot, Figure("Bars", (panel,)))
    (drawn,) = view.plots.panels
    position = view.plots.mapFromScene(drawn.box.mapViewToScene(QPointF(1.0, 3.0)))
    picture = view.plots.grab().toImage()
    wanted = QColor(view.theme.colours.curve)
    seen = [picture.pixelColor(position.x() + beside, position.y()) for beside in (-2, -1, 0, 1, 2)]
    assert min(_distance(colour, wanted) for colour in seen) < 40


def _distance(one: QColor, other: QColor) -> int:
    parts = ((one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue()))
    return sum(abs(a - b) for a, b in parts)
