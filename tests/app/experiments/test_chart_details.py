"""What charts say and how they are scaled: answers, zeros, whole numbers, percent, and titles one can read."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QColor

from gpviz.app.experiments.chart_panel import ChartPanel
from gpviz.app.plots.chart_view import ChartLegend, ChartView
from gpviz.app.theme import THEME_NAMES, load_theme
from gpviz.experiments.chunks import Chunk, Totals, run_chunk
from gpviz.experiments.figures.boxes import boxes_figure, cells_drawn
from gpviz.experiments.figures.figure import Axis, Figure, Kind, LegendEntry, Panel, RuleKind, Series, named
from gpviz.experiments.figures.histogram import histogram_figure
from gpviz.experiments.figures.kinds import ChartKind
from gpviz.experiments.figures.measures import measures_figure
from gpviz.experiments.figures.run_values import Bins
from gpviz.experiments.figures.scaling import scaling_figure
from gpviz.experiments.plan import Plan, find_plan, plan_of
from gpviz.experiments.statistics import CellSummary, Spread, spread_of, summarise
from gpviz.experiments.store import Store

_LEAF = {
    "runs": 12,
    "x": "n",
    "measures": ["iterations", "ors", "stuck"],
    "config": {"deletion": "leaf"},
    "grid": {"limit": ["n", "2n"], "n": [4, 6, 8]},
}


@pytest.fixture(scope="module")
def leaf() -> Plan:
    return plan_of("leaf", _LEAF)


@pytest.fixture(scope="module")
def store(tmp_path_factory, leaf) -> Path:
    path = tmp_path_factory.mktemp("stores") / "leaf.gpvizx"
    with Store.create(path, leaf) as opened:
        for cell in leaf.cells:
            opened.add(run_chunk(Chunk(cell.number, cell.config, 0, leaf.runs, leaf.max_iterations)))
    return path


@pytest.fixture(scope="module")
def totals(store) -> list[Totals]:
    with Store.open(store) as opened:
        return opened.totals()


@pytest.fixture(scope="module")
def summaries(leaf, totals) -> list[CellSummary]:
    return summarise(leaf, totals)


@pytest.fixture
def charts(qtbot):
    charts = ChartPanel(load_theme("light"))
    qtbot.addWidget(charts)
    charts.resize(800, 560)
    charts.show()
    yield charts
    charts.shut_down()


def _wait(qtbot, charts: ChartPanel) -> None:
    qtbot.waitUntil(lambda: not charts._background.is_busy and not charts._wants_totals)


def _choose(qtbot, charts: ChartPanel, measure: str) -> None:
    charts.options.measure.set_value(measure)
    charts.options.measure.chosen.emit(measure)
    _wait(qtbot, charts)


def _shown(qtbot, figure: Figure, theme: str = "light", size: tuple[int, int] = (600, 400)) -> ChartView:
    view = ChartView(load_theme(theme))
    qtbot.addWidget(view)
    view.resize(*size)
    view.show_figure(figure)
    view.grab()
    view.grab()  # laid out by now
    return view


# --- scaling ---


def test_scaling_begins_with_the_answer_and_is_never_shorter_than_it(leaf, summaries):
    figure = scaling_figure(leaf, summaries, 3, is_log_x=True, is_log_y=True, has_upper=False)
    assert figure.note.startswith("limit 2n: T grows ")
    assert figure.note.startswith(figure.short_note)
    assert " fits" in figure.short_note
    assert "alone does not fit" not in figure.short_note


@pytest.mark.parametrize("size", [(430, 300), (860, 560), (1400, 800)])
@pytest.mark.parametrize("theme", THEME_NAMES)
def test_residuals_have_three_ticks_room_around_them_and_a_title_that_says_what_they_are(
    qtbot, leaf, summaries, theme, size
):
    figure = scaling_figure(leaf, summaries, 0, is_log_x=True, is_log_y=True, has_upper=False)
    view = _shown(qtbot, figure, theme, size)
    _, ratio, residual = view.plots.panels
    assert residual.left.labelText == "residual (σ)"
    assert ratio.left.labelText.replace(" ", "") == "T/(nlnn)"
    assert float(ratio.left.labelStyle["font-size"].removesuffix("pt")) >= 0.74 * view.font().pointSizeF()
    low, high = residual.y_range
    assert low == -high
    ticks = residual._y_ticks(low, high, 2)
    assert [text for _, text in ticks][1] == "0"
    assert len(ticks) == 3
    most = max(np.abs(series.y).max() for series in residual.panel.series)
    assert most <= high * (1 - 0.08)


def test_an_axis_around_zero_reaches_equally_far_to_both_sides():
    for y, reach in (([-5.0, 1.0], 5.6), ([1.0, 5.0], 5.4), ([0.1, 0.2], 2.4)):
        series = Series("", 0, Kind.MARKERS, np.array([1.0, 2.0]), np.array(y))
        panel = Panel(Axis("x"), Axis("y", reach=2.4), (series,))
        assert panel.ranges(0.01)[1] == pytest.approx((-reach, reach))


@pytest.mark.parametrize("most", [2, 3, 5])
@pytest.mark.parametrize("reach", [2.4, 3.5, 4.1, 5.6, 7.2, 9.9, 12, 38, 99])
def test_an_axis_around_zero_has_at_least_three_ticks(reach, most):
    ticks = Axis().ticks(-reach, reach, most, may_be_close=True)
    places = [place for place, _ in ticks]
    assert len(places) >= 3
    assert 0.0 in places
    assert min(np.diff(places)) >= 2 * reach / (1.6 * most) * (1 - 1e-9)


def test_a_title_without_room_is_short_or_small_and_has_its_size_again_where_there_is_room(qtbot):
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


# --- the plan's figure ---


def test_along_n_both_axes_are_logarithmic_or_neither(charts):
    for name, is_log in (("scaling", True), ("table1", False), ("table2", False)):
        charts.show_results(find_plan(name), None)
        assert (charts.options.log_x.isChecked(), charts.options.log_y.isChecked()) == (is_log, is_log)
    charts.show_results(find_plan("figure2"), None)  # along the rows T is a straight line like this
    assert (charts.options.log_x.isChecked(), charts.options.log_y.isChecked()) == (True, False)


def test_stuck_runs_are_in_percent_as_in_the_table(leaf, totals):
    changed = [Totals.from_dict(each.as_dict()) for each in totals]
    changed[0].stuck, changed[0].runs = 3, changed[0].runs + 3
    summaries = summarise(leaf, changed)
    panel = measures_figure(leaf, summaries, is_log_x=False, is_log_y=False).panels[2]
    assert panel.y.title == "B (% of runs stuck)"
    ours = next(series for series in panel.series if series.kind is Kind.POINTS)
    assert list(ours.y) == pytest.approx([100 * (summary.stuck_share or 0) for summary in summaries[:3]])
    assert ours.y[0] > 1
    assert ours.high is not None
    assert ours.high[0] == pytest.approx(100 * summaries[0].stuck_high)
    assert f"{ours.y[0]:.2f} % stuck" in ours.hints[0]
    paper = next(series for series in panel.series if series.kind is Kind.HOLLOW)
    assert summaries[0].paper is not None
    assert paper.y[0] == pytest.approx(100 * (summaries[0].paper.cell.B or 0))


@pytest.mark.parametrize("theme", THEME_NAMES)
def test_a_marker_at_zero_is_not_cut_by_the_axis(qtbot, theme):
    points = Series("", 0, Kind.HOLLOW, np.array([1.0, 2.0]), np.array([0.0, 5.0]))
    view = _shown(qtbot, Figure("t", (Panel(Axis("x"), Axis("y", starts_at_zero=True), (points,)),)), theme)
    drawn = view.plots.panels[0]
    low, high = drawn.y_range
    below = drawn.box.height() * -low / (high - low)
    assert below >= max(drawn.markers.data["size"]) / 2
    assert 0.0 in [place for place, _ in drawn._y_ticks(low, high, 5)]
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


def test_a_measure_with_a_zero_stays_linear_and_that_is_said(leaf, totals):
    changed = [Totals.from_dict(each.as_dict()) for each in totals]
    changed[0].solved_runs["ors"].total = changed[0].solved_runs["ors"].squares = 0
    figure = measures_figure(leaf, summarise(leaf, changed), is_log_x=True, is_log_y=True)
    assert [panel.y.is_log for panel in figure.panels] == [True, False, False]
    assert "The axis of ORs in the result and of B stays linear" in figure.note
    assert not figure.why_no_log_y
    only = leaf.replaced(measures=("stuck",))
    assert (
        "does not have"
        in measures_figure(only, summarise(leaf, totals), is_log_x=False, is_log_y=True).why_no_log_y
    )


# --- histograms ---


def _bins(values: list[int], edges: list[float]) -> Bins:
    array = np.array(values, dtype=np.float64)
    spread = spread_of(array)
    assert spread is not None
    counts, _ = np.histogram(array, edges)
    return Bins(np.array(edges), counts, spread, float(array.mean()), 0)


@pytest.mark.parametrize(("value", "first"), [(0, -0.5), (1, -0.5), (2, -0.5), (3, -0.5), (12, 8.5)])
def test_a_single_number_has_others_beside_it_and_whole_ticks(qtbot, leaf, value, first):
    bins = _bins([value] * 9, [value - 0.5, value + 0.5])
    figure = histogram_figure(leaf, 0, "ors", bins, None, is_log_x=False, is_log_y=False)
    bars = figure.panels[0].series[0]
    assert (bars.x[0], bars.x[-1]) == (first, first + 7)
    assert bars.y.sum() == 9
    assert bars.y[int(value - first)] == 9
    assert bars.hints[int(value - first)] == f"ORs in the result {value}: 9 of 9 runs"
    assert f"All 9 solved runs have {value}." in figure.note
    drawn = _shown(qtbot, figure).plots.panels[0]
    for place, text in drawn._x_ticks(*drawn.x_range, 30) + drawn._y_ticks(*drawn.y_range, 30):
        assert text == f"{place:.0f}"
    assert (
        "The one solved run has"
        in histogram_figure(
            leaf, 0, "ors", _bins([value], [value - 0.5, value + 0.5]), None, is_log_x=False, is_log_y=False
        ).note
    )


def test_counts_have_whole_ticks_on_logarithmic_axes_too():
    ticks = Axis(is_log=True, is_whole=True).ticks(-0.3, 0.4, 20)
    assert [text for _, text in ticks] == ["1", "2"]


def test_zeros_alone_are_not_told_to_be_no_runs(leaf, summaries):
    figure = histogram_figure(leaf, 0, "ors", None, summaries[0], is_log_x=True, is_log_y=False)
    assert figure.empty == (
        f"All {summaries[0].solved} solved runs of this cell have 0, which a logarithmic axis does not have."
    )


# --- boxes ---


def _spread(low: float) -> Spread:
    return Spread(9, low, low, low + 1, low + 2, low + 3, low + 4, low + 5)


def test_boxes_that_reach_zero_have_no_logarithmic_axis_and_it_says_why(qtbot, charts, leaf, store):
    charts.show_results(leaf, store)
    charts.set_kind(ChartKind.BOXES)
    _wait(qtbot, charts)
    assert charts.options.log_y.isEnabled()
    assert charts.view.figure.panels[0].y.is_log
    _choose(qtbot, charts, "ors")
    assert not charts.options.log_y.isEnabled()
    assert not charts.options.log_y.isChecked()
    assert "have 0, which a logarithmic axis does not have" in charts.options.log_y.toolTip()
    assert not charts.view.figure.panels[0].y.is_log
    charts.set_kind(ChartKind.HISTOGRAM)
    assert charts.options.log_y.isEnabled()


def test_generalisation_errors_stay_on_a_logarithmic_axis_and_their_zeros_are_told(leaf):
    figure = boxes_figure(leaf, "generalisation_error", {0: _spread(0), 1: _spread(1)}, is_log_y=True)
    assert figure.panels[0].y.is_log
    assert "What ends at the lower edge reaches 0" in figure.note
    without = boxes_figure(leaf, "generalisation_error", {1: _spread(1)}, is_log_y=True)
    assert "lower edge" not in without.note


def test_boxes_show_the_rows_that_are_selected_if_that_is_chosen(qtbot, charts, leaf, store):
    charts.show_results(leaf, store)
    charts.set_kind(ChartKind.BOXES)
    charts.show_cells((1, 5))
    _wait(qtbot, charts)
    assert charts.options.cells.value() == "every"
    assert charts.view.figure.title == "T (iterations) in every cell"
    charts.options.cells.set_value("selected")
    charts.options.cells.chosen.emit("selected")
    _wait(qtbot, charts)
    panel = charts.view.figure.panels[0]
    assert [boxes.hints[0].split(":")[0] for boxes in panel.boxes] == ["limit n, n = 6", "limit 2n, n = 8"]
    assert panel.x.names == named(("6", "8"))
    assert charts.view.figure.title == "T (iterations) in 2 cells"
    charts.show_cells((4,))
    _wait(qtbot, charts)
    assert charts.view.figure.title == "T (iterations) of limit 2n, n = 6"
    assert [boxes.look for boxes in charts.view.figure.panels[0].boxes] == [1], "as in the other charts"
    charts.set_kind(ChartKind.ECDF)
    assert charts.options.cells.value() == "series", "curves have a choice of their own"
    charts.set_kind(ChartKind.BOXES)
    assert charts.options.cells.value() == "selected"


def test_chosen_cells_of_later_series_have_boxes_that_can_be_told_apart():
    plan = plan_of(
        "many", {"config": {"limit": "2n"}, "x": "n", "grid": {"n": [2, 3], "accept_error": list(range(9))}}
    )
    late = [cell.number for cell in plan.cells if cell.config.accept_error in (0, 8)]
    assert cells_drawn(plan, late) == tuple(sorted(late))
    figure = boxes_figure(plan, "leaves", {}, is_log_y=False, chosen=late)
    assert [boxes.look for boxes in figure.panels[0].boxes] == [0, 1]
    assert "first 8" not in figure.note


# --- the legend ---


@pytest.mark.parametrize("kind", [*Kind, RuleKind.LEVEL, RuleKind.MEDIAN, None])
@pytest.mark.parametrize("look", range(5))
def test_every_sign_of_the_legend_is_as_close_to_its_label(qtbot, kind, look):
    theme = load_theme("light")
    legend = ChartLegend(theme)
    qtbot.addWidget(legend)
    legend.resize(300, 40)
    entry = LegendEntry("", look, kind)
    legend.set_entries([entry])
    image = legend.grab().toImage()
    empty = image.pixelColor(image.width() - 1, 1)
    inked = [
        x
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y) != QColor(empty)
    ]
    end = 8 + legend._sign_width(entry)
    most = 4 if kind in (None, Kind.BARS, Kind.MARKERS, Kind.HOLLOW) else 2
    assert -most <= max(inked) - end <= most
