"""The charts: what each draws of real runs, which apply to a plan, and that reading never blocks or lies."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from gpviz.app.experiments import chart_panel
from gpviz.app.experiments.chart_panel import ChartPanel
from gpviz.app.theme import THEME_NAMES, load_theme
from gpviz.engine.errors import GpvizError
from gpviz.experiments.chunks import Chunk, Totals, run_chunk
from gpviz.experiments.figures.boxes import boxes_figure, cells_drawn
from gpviz.experiments.figures.cell_groups import cell_label, groups_of, x_axis_of
from gpviz.experiments.figures.drift import drift_figure
from gpviz.experiments.figures.ecdf import ecdf_figure
from gpviz.experiments.figures.figure import Axis, Kind, RuleKind, grouped, named
from gpviz.experiments.figures.histogram import histogram_figure
from gpviz.experiments.figures.kinds import ChartKind, problem_of
from gpviz.experiments.figures.measures import measures_figure
from gpviz.experiments.figures.run_values import MOST_STEPS, Steps, ValueReader, ValuesRequest, thinned
from gpviz.experiments.figures.scaling import scaling_figure
from gpviz.experiments.figures.ticks import tick_text
from gpviz.experiments.paper_tables import paper_cells
from gpviz.experiments.plan import Plan, find_plan, plan_of
from gpviz.experiments.run_text import setting_text
from gpviz.experiments.statistics import spread_of, summarise
from gpviz.experiments.store import Store

_LEAF = {
    "title": "Leaf deletion",
    "runs": 30,
    "x": "n",
    "measures": ["iterations", "leaves", "stuck"],
    "config": {"deletion": "leaf"},
    "grid": {"limit": ["n", "2n"], "n": [4, 8]},
}
_SAMPLED = {
    "runs": 12,
    "x": "rows",
    "measures": ["iterations", "generalisation_error", "ors", "ors_accepted"],
    "config": {"n": 12, "limit": "inf", "fitness": "sampled", "sampler": "counts"},
    "grid": {"accept_error": [0, 8], "rows": [10, 100, 1000]},
}


def _filled(path: Path, plan: Plan) -> Path:
    with Store.create(path, plan) as store:
        for cell in plan.cells:
            store.add(run_chunk(Chunk(cell.number, cell.config, 0, plan.runs, plan.max_iterations)))
    return path


@pytest.fixture(scope="module")
def leaf() -> Plan:
    return plan_of("leaf", _LEAF)


@pytest.fixture(scope="module")
def sampled() -> Plan:
    return plan_of("sampled", _SAMPLED)


@pytest.fixture(scope="module")
def leaf_store(tmp_path_factory, leaf) -> Path:
    return _filled(tmp_path_factory.mktemp("stores") / "leaf.gpvizx", leaf)


@pytest.fixture(scope="module")
def sampled_store(tmp_path_factory, sampled) -> Path:
    return _filled(tmp_path_factory.mktemp("stores") / "sampled.gpvizx", sampled)


def _totals(path: Path) -> list[Totals]:
    with Store.open(path) as store:
        return store.totals()


def _values(path: Path, cell: int, column: str = "iterations") -> np.ndarray:
    with Store.open(path) as store:
        return store.values(cell, column, outcome="solved")


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


def _read(path: Path, request: ValuesRequest) -> dict[int, Any]:
    return ValueReader().read(path, request, None, lambda: False)


# --- words and axes ---


def test_a_series_holds_the_cells_that_differ_along_the_axis_only(leaf):
    assert [(group.label, [cell.number for cell in group.cells]) for group in groups_of(leaf)] == [
        ("limit n", [0, 1]),
        ("limit 2n", [2, 3]),
    ]
    assert cell_label(leaf, 3) == "limit 2n, n = 8"
    assert x_axis_of(leaf).values == (4.0, 8.0)


def test_an_axis_of_words_has_names_and_one_of_wide_numbers_is_logarithmic(sampled):
    words = x_axis_of(plan_of("w", {"config": {"n": 4}, "grid": {"limit": ["n", "inf"]}, "x": "limit"}))
    assert words.names == ("n", "∞")
    assert not words.is_log
    assert words.places == (0.0, 1.0)
    assert x_axis_of(sampled).is_log
    alone = plan_of("a", {"config": {"n": 4}})
    assert x_axis_of(alone).setting == ""
    assert cell_label(alone, 0) == "all runs"
    assert setting_text("functions", alone.cells[0].config) == "∧ ∨"
    assert setting_text("rows", alone.cells[0].config) == "–"
    assert cell_label(sampled, 5) == "A = 8, 1,000 rows"


@pytest.mark.parametrize("most", [1, 2, 4, 9, 30])
@pytest.mark.parametrize(
    ("low", "high"), [(0.0, 1.0), (-3.7, 12.0), (0.1, 0.4), (2.0, 38.0), (-6.0, -1.0), (3.0, 3.01)]
)
@pytest.mark.parametrize("is_log", [True, False])
def test_ticks_lie_in_the_range_in_order_and_are_not_too_many(low, high, most, is_log):
    ticks = Axis(is_log=is_log).ticks(low, high, most)
    places = [place for place, _ in ticks]
    assert places == sorted(set(places))
    assert all(low - 1e-6 <= place <= high + 1e-6 for place in places)
    assert len(ticks) <= 2 * most + 2
    assert len({text for _, text in ticks}) == len(ticks)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (0.05, "0.05"),
        (250, "250"),
        (2500, "2,500"),
        (10_000, "10k"),
        (1e6, "10⁶"),
        (3e-7, "3·10⁻⁷"),
        (-2, "−2"),
        (2e38, "2·10³⁸"),
    ],
)
def test_a_tick_is_short(value, text):
    assert tick_text(value) == text


def test_wanted_ticks_are_where_they_are_wanted_as_far_as_there_is_room():
    axis = Axis(values=(4.0, 8.0, 12.0, 16.0))
    assert [text for _, text in axis.ticks(0, 20, 10)] == ["4", "8", "12", "16"]
    assert [text for _, text in axis.ticks(0, 20, 3)] == ["4", "12"]
    assert Axis(names=named(("a", "b", "c"))).ticks(-1, 3, 2) == [(0.0, "a"), (2.0, "c")]


def test_a_logarithmic_axis_has_no_place_for_zero():
    axis = Axis(is_log=True)
    assert np.isnan(axis.places([0.0, 100.0])[0])
    assert axis.places([0.0, 100.0])[1] == 2


def test_numbers_have_as_many_decimals_as_say_something():
    assert [grouped(x) for x in (1234.5, 146.71, 12, 1.5, 0.25, 0.00012)] == [
        "1,234", "146.7", "12", "1.50", "0.25", "0.00012",
    ]  # fmt: skip


# --- what is read ---


def test_a_histogram_counts_every_solved_run_once(leaf_store):
    values = _values(leaf_store, 1)
    for is_log in (False, True):
        bins = _read(leaf_store, ValuesRequest("bins", "iterations", (1,), is_log))[1]
        assert bins.counts.sum() == len(values)
        assert bins.left_out == 0
        assert bins.mean == pytest.approx(values.mean())
        assert bins.spread == spread_of(values)


def test_zeros_that_a_logarithmic_axis_does_not_have_are_counted_apart(leaf_store):
    values = _values(leaf_store, 3, "ors")
    bins = _read(leaf_store, ValuesRequest("bins", "ors", (3,), is_log=True)).get(3)
    assert bins is not None
    assert bins.left_out == (values == 0).sum() > 0
    assert bins.counts.sum() == (values > 0).sum() > 0


def test_the_generalisation_error_is_a_share_of_all_rows(sampled_store):
    for is_log in (False, True):
        bins = _read(sampled_store, ValuesRequest("bins", "generalisation_error", (3,), is_log))[3]
        wrong = _values(sampled_store, 3, "wrong_rows") / 2**12
        assert bins.mean == pytest.approx(wrong.mean())
        assert bins.counts.sum() + bins.left_out == len(wrong)


def test_steps_end_at_the_share_of_solved_runs(leaf_store):
    steps = _read(leaf_store, ValuesRequest("steps", "iterations", (0, 1)))
    for cell, totals in enumerate(_totals(leaf_store)[:2]):
        assert steps[cell].share[-1] == pytest.approx(totals.solved / totals.runs)


def test_steps_of_very_many_runs_are_thinned_and_keep_their_ends_and_values():
    t = np.cumsum(np.random.default_rng(1).integers(1, 9, 300_000)).astype(float)
    share = np.arange(1, len(t) + 1) / len(t)
    thin_t, thin_share = thinned(t, share)
    assert len(thin_t) <= MOST_STEPS
    assert (thin_t[0], thin_t[-1], thin_share[-1]) == (t[0], t[-1], 1.0)
    places = np.searchsorted(t, thin_t)
    assert (share[places] == thin_share).all()
    assert np.diff(thin_share).max() < 0.0025


def test_what_was_read_is_read_again_only_when_there_are_more_runs(leaf_store, monkeypatch):
    reader, request = ValueReader(), ValuesRequest("spread", "iterations", (0, 1))
    asked = []
    plain = Store.values

    def values(store, cell, column, *, outcome=None):
        asked.append(cell)
        return plain(store, cell, column, outcome=outcome)

    monkeypatch.setattr(Store, "values", values)
    reader.read(leaf_store, request, [30, 30, 30, 30], lambda: False)
    reader.read(leaf_store, request, [30, 30, 30, 30], lambda: False)
    assert asked == [0, 1]
    reader.read(leaf_store, request, [30, 31, 30, 30], lambda: False)
    assert asked == [0, 1, 1]
    assert reader.read(leaf_store, request, None, lambda: True) == {}, "it stops when nobody waits"


def test_runs_that_have_come_since_they_were_counted_are_counted(leaf_store):
    request = ValuesRequest("steps", "iterations", (0,))
    late = ValueReader().read(leaf_store, request, [1, 0, 0, 0], lambda: False)[0]
    known = _read(leaf_store, request)[0]
    assert isinstance(late, Steps)
    assert isinstance(known, Steps)
    assert late.runs == known.runs == _totals(leaf_store)[0].runs
    assert late.share[-1] == known.share[-1]


def test_a_reading_that_is_given_up_within_a_cell_is_not_remembered(sampled_store):
    reader, request = ValueReader(), ValuesRequest("spread", "generalisation_error", (3,))
    asked = []

    def should_stop() -> bool:
        asked.append(True)
        return len(asked) > 3

    assert reader.read(sampled_store, request, None, should_stop) == {}
    assert reader.read(sampled_store, request, None, lambda: False) == _read(sampled_store, request)


# --- figures ---


def test_the_histogram_marks_mean_median_and_the_papers_mean(leaf, leaf_store):
    bins = _read(leaf_store, ValuesRequest("bins", "iterations", (0,)))[0]
    summary = summarise(leaf, _totals(leaf_store))[0]
    figure = histogram_figure(leaf, 0, "iterations", bins, summary, is_log_x=False, is_log_y=False)
    rules = {rule.kind: rule.value for rule in figure.panels[0].rules}
    paper = next(cell for cell in paper_cells() if (cell.table, cell.n, cell.limit) == ("table1", 4, "n"))
    assert rules[RuleKind.PAPER] == paper.T
    assert rules[RuleKind.MEAN] == pytest.approx(summary.T.mean)
    assert rules[RuleKind.MEDIAN] == np.median(_values(leaf_store, 0))
    assert figure.has_content
    assert len(figure.legend) == 3
    empty = histogram_figure(leaf, 0, "leaves", None, summary, is_log_x=False, is_log_y=False)
    assert not empty.has_content
    assert "Once there are" in empty.empty


def test_stuck_runs_keep_a_curve_below_one(leaf):
    steps = {0: Steps(np.array([3.0, 9.0]), np.array([0.4, 0.8]), 10)}
    solved = ecdf_figure(leaf, (0, 1), steps, is_survival=False, is_log_x=True, is_log_y=False)
    curve = solved.panels[0].series[0]
    assert curve.y[-1] == 0.8
    assert curve.x[-1] > 9
    assert "20 % unsolved" in curve.label
    assert [rule.value for rule in solved.panels[0].rules] == [0.8]
    assert solved.legend[-1].label == "thin dots: the share solved in the end"
    assert "ended without a solution" in solved.note  # stopped ones are among them, not only stuck ones
    left = ecdf_figure(leaf, (0, 1), steps, is_survival=True, is_log_x=False, is_log_y=True)
    assert left.panels[0].series[0].y[0] == 1.0
    assert left.panels[0].series[0].y[-1] == pytest.approx(0.2)
    assert left.legend[-1].label == "thin dots: the share left unsolved"
    assert all(
        "thin dots" not in entry.label
        for entry in ecdf_figure(
            leaf, (0,), {0: Steps(np.array([3.0]), np.array([1.0]), 1)},
            is_survival=False, is_log_x=True, is_log_y=False,
        ).legend
    )  # fmt: skip
    assert not ecdf_figure(leaf, (1,), steps, is_survival=True, is_log_x=False, is_log_y=True).has_content


def test_boxes_stand_side_by_side_in_their_place(leaf, leaf_store):
    spreads = _read(leaf_store, ValuesRequest("spread", "leaves", cells_drawn(leaf)))
    figure = boxes_figure(leaf, "leaves", spreads, is_log_y=False)
    first, second = figure.panels[0].boxes
    assert figure.panels[0].x.names == named(("4", "8"))
    assert [round(place) for place in first.places] == [round(place) for place in second.places] == [0, 1]
    assert first.places[0] + first.half_width < second.places[0] - second.half_width
    assert all(list(numbers) == sorted(numbers) for numbers in first.numbers + second.numbers)
    assert "median" in first.hints[0]


def test_the_figure_has_a_panel_for_each_measure_and_the_papers_values_hollow(leaf, leaf_store):
    summaries = summarise(leaf, _totals(leaf_store))
    figure = measures_figure(leaf, summaries, is_log_x=False, is_log_y=False)
    assert [panel.y.title[0] for panel in figure.panels] == ["T", "S", "B"]
    for panel in figure.panels:
        assert [series.kind for series in panel.series] == [Kind.HOLLOW, Kind.POINTS] * 2
    ours, paper = figure.panels[0].series[1], figure.panels[0].series[0]
    assert list(ours.y) == [summaries[0].T.mean, summaries[1].T.mean]
    assert ours.low is not None
    assert ours.high is not None
    assert (ours.low < ours.y).all()
    assert (ours.y < ours.high).all()
    assert list(paper.y) == [each.paper.cell.T for each in summaries[:2] if each.paper is not None]
    assert "the paper has" in paper.hints[0]
    assert [entry.label for entry in figure.legend] == ["limit n", "limit 2n", "hollow: the paper's values"]


def test_the_figure_of_a_sampled_plan_has_its_measures_and_no_paper(sampled, sampled_store):
    figure = measures_figure(
        sampled, summarise(sampled, _totals(sampled_store)), is_log_x=True, is_log_y=True
    )
    assert len(figure.panels) == 4
    assert figure.panels[0].y.is_log
    assert not figure.panels[1].y.is_log
    assert all(series.kind is Kind.POINTS for panel in figure.panels for series in panel.series)
    assert figure.panels[0].x.is_log


def test_more_series_than_can_be_told_apart_are_said_not_to_be_drawn():
    plan = plan_of(
        "many", {"config": {"limit": "2n"}, "x": "n", "grid": {"n": [2, 3], "accept_error": list(range(9))}}
    )
    figure = measures_figure(
        plan, summarise(plan, [Totals() for _ in plan.cells]), is_log_x=False, is_log_y=False
    )
    assert "first 8 of 9 series" in figure.note
    assert not figure.has_content
    assert "first 8 of 9" in boxes_figure(plan, "leaves", {}, is_log_y=False).note


def test_scaling_has_points_their_fit_the_ratio_the_residuals_and_the_bounds(leaf, leaf_store):
    summaries = summarise(leaf, _totals(leaf_store))
    plain = scaling_figure(leaf, summaries, 0, is_log_x=True, is_log_y=True, has_upper=False)
    top, ratio, residual = plain.panels
    assert [series.kind for series in top.series] == [Kind.MARKERS, Kind.LINE] * 2 + [Kind.BOUND]
    assert ratio.series[0].y[0] == pytest.approx(summaries[0].T.mean / (4 * np.log(4)))
    assert len(residual.series) == 2
    assert residual.rules[0].value == 0
    assert "upper bound" in plain.note
    assert any("lower bound" in entry.label for entry in plain.legend)
    bounded = scaling_figure(leaf, summaries, 0, is_log_x=True, is_log_y=True, has_upper=True)
    upper = [series for series in bounded.panels[0].series if "upper bound" in series.label]
    assert len(upper) == 2
    assert upper[0].y[-1] > summaries[1].T.mean
    empty = scaling_figure(
        leaf, summarise(leaf, [Totals() for _ in range(4)]), 0, is_log_x=True, is_log_y=True, has_upper=False
    )
    assert not empty.has_content
    assert empty.empty


def test_drift_lies_beside_the_papers_bound(leaf, leaf_store):
    figure = drift_figure(leaf, (0, 1), _totals(leaf_store), is_log_x=True, is_log_y=True)
    kinds = [series.kind for series in figure.panels[0].series]
    assert kinds == [Kind.POINTS, Kind.BOUND] * 2
    measured, bound = figure.panels[0].series[2:]
    assert (measured.x == bound.x).all()
    assert list(measured.x[:2]) == [1.0, 2.0]
    assert any("lower bound" in entry.label for entry in figure.legend)
    unlimited = leaf.replaced(grid={"limit": ["inf"], "n": [4, 8]})
    without = drift_figure(unlimited, (0, 1), _totals(leaf_store), is_log_x=True, is_log_y=True)
    assert "no lower bound" in without.note


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ({"config": {"n": 4}}, ChartKind.FIGURE),
        (_SAMPLED, ChartKind.SCALING),
        (_SAMPLED, ChartKind.DRIFT),
        ({"grid": {"n": [1, 2]}}, ChartKind.SCALING),
    ],
)
def test_a_chart_that_does_not_apply_says_why(charts, data, kind):
    plan = plan_of("p", data)
    assert problem_of(kind, plan).endswith(".")
    charts.show_results(plan, None)
    at = list(ChartKind).index(kind)
    assert not charts.chooser.isTabEnabled(at)
    assert charts.chooser.tabToolTip(at) == problem_of(kind, plan)
    assert problem_of(kind, plan) in charts.chooser.accessibleDescription()
    charts.set_kind(kind)
    assert charts.kind is not kind or kind is ChartKind.FIGURE


# --- the widget ---


def test_before_there_is_an_experiment_it_says_what_will_appear(charts, leaf):
    assert charts.view.empty.isVisible()
    assert "its charts appear here" in charts.view.empty.text()
    charts.show_results(leaf, None)
    assert "No runs yet" in charts.view.empty.text()
    charts.show_results(None, None)
    assert "its charts appear here" in charts.view.empty.text()


@pytest.mark.parametrize("kind", list(ChartKind))
def test_every_chart_shows_a_store_that_is_opened(qtbot, charts, leaf, leaf_store, kind):
    charts.show_results(leaf, leaf_store)
    charts.set_kind(kind)
    _wait(qtbot, charts)
    assert charts.view.figure.has_content
    assert charts.view.plots.isVisible()
    assert charts.view.accessibleName() == charts.view.figure.title
    charts.grab()


@pytest.mark.parametrize("theme", THEME_NAMES)
def test_every_chart_is_painted_in_every_theme_and_small(qtbot, charts, sampled, sampled_store, theme):
    charts.set_theme(load_theme(theme))
    charts.show_results(sampled, sampled_store)
    for kind in (ChartKind.FIGURE, ChartKind.ECDF, ChartKind.BOXES):
        charts.set_kind(kind)
        _wait(qtbot, charts)
        charts.grab()
    charts.resize(330, 300)
    charts.grab()
    assert charts.view.figure.has_content


def test_totals_that_come_in_are_drawn_and_not_read(qtbot, charts, leaf, leaf_store):
    charts.show_results(leaf, None)
    charts.refresh(_totals(leaf_store))
    assert charts.view.figure.has_content
    assert len(charts.view.plots.panels) == 3
    boxes = [panel.box for panel in charts.view.plots.panels]
    charts._drawing.cancel()
    charts.refresh(_totals(leaf_store))
    assert [panel.box for panel in charts.view.plots.panels] == boxes, "nothing is made anew"


def test_the_chosen_cell_the_measure_and_the_scales_choose_what_the_histogram_shows(
    qtbot, charts, leaf, leaf_store
):
    charts.show_results(leaf, leaf_store)
    charts.set_kind(ChartKind.HISTOGRAM)
    charts.show_cell(3)
    _wait(qtbot, charts)
    assert "limit 2n, n = 8" in charts.view.figure.title
    measures = [charts.options.measure.box.itemData(at) for at in range(charts.options.measure.box.count())]
    assert measures == ["iterations", "leaves", "ors", "ors_accepted"]
    charts.options.measure.set_value("leaves")
    charts.options.measure.chosen.emit("leaves")
    _wait(qtbot, charts)
    assert charts.view.figure.title.startswith("S (leaves)")
    assert charts.view.figure.has_content
    charts.options.log_x.click()
    _wait(qtbot, charts)
    assert charts.view.figure.panels[0].x.is_log
    assert not charts.view.figure.panels[0].y.is_log
    charts.options.log_y.click()
    assert charts.view.figure.panels[0].y.is_log
    charts.show_cell(99)
    assert "limit 2n, n = 8" in charts.view.figure.title


def test_the_curves_are_those_of_the_series_the_place_the_cell_or_the_selection(
    qtbot, charts, leaf, leaf_store
):
    charts.show_results(leaf, leaf_store)
    charts.set_kind(ChartKind.ECDF)
    charts.show_cell(2)
    charts.show_cells((0, 3))

    def drawn(choice: str) -> list[str]:
        charts.options.cells.set_value(choice)
        charts.options.cells.chosen.emit(choice)
        _wait(qtbot, charts)
        return [series.label.split(" (")[0] for series in charts.view.figure.panels[0].series]

    assert drawn("series") == ["limit 2n, n = 4", "limit 2n, n = 8"]
    assert drawn("across") == ["limit n, n = 4", "limit 2n, n = 4"]
    assert drawn("one") == ["limit 2n, n = 4"]
    assert drawn("selected") == ["limit n, n = 4", "limit 2n, n = 8"]
    charts.show_cells((1,))
    _wait(qtbot, charts)
    assert len(charts.view.figure.panels[0].series) == 1


def test_a_store_that_cannot_be_read_is_said_to_be_so(qtbot, charts, leaf, tmp_path):
    charts.show_results(leaf, tmp_path / "none.gpvizx")
    _wait(qtbot, charts)
    assert "there is no such file" in charts.view.empty.text()


def test_while_it_runs_values_are_read_again_only_after_a_pause(qtbot, charts, leaf, leaf_store, monkeypatch):
    charts.show_results(leaf, leaf_store)
    charts.set_kind(ChartKind.BOXES)
    _wait(qtbot, charts)
    asked: list[object] = []
    monkeypatch.setattr(charts._background, "ask", asked.append)
    for _ in range(5):
        charts._drawing.cancel()
        charts.refresh(_totals(leaf_store))
    assert not asked
    assert charts._later.isActive()
    charts._pause = 0.0
    charts._later.stop()
    charts._read_if_due()
    assert len(asked) == 1


def test_another_experiment_begins_with_its_first_cell(
    qtbot, charts, leaf, leaf_store, sampled, sampled_store
):
    charts.show_results(leaf, leaf_store)
    charts.set_kind(ChartKind.SCALING)
    charts.show_cell(3)
    _wait(qtbot, charts)
    charts.show_results(sampled, sampled_store)
    _wait(qtbot, charts)
    assert charts.kind is not ChartKind.SCALING
    charts.set_kind(ChartKind.HISTOGRAM)
    _wait(qtbot, charts)
    assert "A = 0, 10 rows" in charts.view.figure.title


def test_the_keys_tell_one_point_after_another(qtbot, charts, leaf, leaf_store):
    charts.show_results(leaf, None)
    charts.refresh(_totals(leaf_store))
    view = charts.view
    view.setFocus()
    spots = view.spots()
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert view.readout.isVisible()
    assert view.readout.text == spots[0][1].text
    QTest.keyClick(view, Qt.Key.Key_Right)
    assert view.readout.text == spots[1][1].text
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.readout.text != spots[1][1].text
    QTest.keyClick(view, Qt.Key.Key_Up)
    assert view.readout.text == spots[1][1].text
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert not view.readout.isVisible()
    QTest.keyClick(view, Qt.Key.Key_Left)
    assert view.readout.text == spots[-1][1].text


@pytest.mark.parametrize("kind", [ChartKind.FIGURE, ChartKind.HISTOGRAM, ChartKind.BOXES, ChartKind.ECDF])
def test_the_mouse_tells_the_point_it_is_on(qtbot, charts, leaf, leaf_store, kind):
    charts.show_results(leaf, leaf_store)
    charts.set_kind(kind)
    _wait(qtbot, charts)
    charts.grab()
    view = charts.view
    number, spot = view.spots()[2]
    panel = view.plots.panels[number]
    box, (left, right), (low, high) = panel.box.sceneBoundingRect(), panel.x_range, panel.y_range
    x = box.left() + box.width() * (spot.x - left) / (right - left)
    y = box.bottom() - box.height() * (spot.y - low) / (high - low)
    view.plots.hovered.emit(QPointF(view.plots.mapFromScene(QPointF(x, y))))
    assert view.readout.isVisible()
    assert view.readout.text == spot.text
    charts._draw()
    assert view.readout.isVisible(), "new numbers do not take it away"
    view._on_mouse_left()
    assert not view.readout.isVisible()
    view._on_hovered(QPointF(0, 0))
    assert not view.readout.isVisible()


@pytest.mark.parametrize(("suffix", "start"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
def test_a_chart_is_written_as_a_picture(charts, leaf, leaf_store, tmp_path, monkeypatch, suffix, start):
    charts.show_results(leaf, None)
    charts.refresh(_totals(leaf_store))
    path = tmp_path / f"chart{suffix}"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    told: list[str] = []
    charts.told.connect(told.append)
    charts.export.save_action.trigger()
    assert told == [f"chart{suffix} is written to {tmp_path}."]
    content = path.read_bytes()
    assert content.startswith(start)
    if suffix == ".svg":
        assert b"T (iterations)" in content
        assert b"<image" not in content, "all of it stays shapes and text"
        assert b"limit 2n" in content


def test_a_picture_gets_the_suffix_of_the_chosen_kind(charts, leaf, leaf_store, tmp_path, monkeypatch):
    charts.show_results(leaf, None)
    charts.refresh(_totals(leaf_store))
    answers = iter(
        [("", ""), (str(tmp_path / "a"), "SVG picture (*.svg)"), (str(tmp_path / "b"), "PNG picture (*.png)")]
    )
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: next(answers))
    for _ in range(3):
        charts.export.save()
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["a.svg", "b.png"]


def test_a_picture_that_cannot_be_written_is_said_to_be_so(charts, leaf, tmp_path, monkeypatch):
    charts.show_results(leaf, None)
    told = []
    monkeypatch.setattr(chart_panel, "show_problem", lambda _parent, text: told.append(text))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "x.bmp"), ""))
    charts.told.connect(told.append)
    charts.export.save()
    assert len(told) == 1, "nor is it told to be written"
    assert "must end with" in told[0]
    with pytest.raises(GpvizError):
        charts.export.write(tmp_path / "missing" / "x.png")


def test_a_chart_is_copied(charts, leaf, leaf_store):
    charts.show_results(leaf, None)
    charts.refresh(_totals(leaf_store))
    told: list[str] = []
    charts.told.connect(told.append)
    charts.export.copy_action.trigger()
    assert told == ["The chart is on the clipboard."]
    assert not QGuiApplication.clipboard().image().isNull()


def test_a_right_click_opens_the_menu_of_the_button(charts, monkeypatch):
    places: list[QPoint] = []
    monkeypatch.setattr(charts.export.menu, "popup", places.append)
    charts.view.customContextMenuRequested.emit(QPoint(5, 5))
    assert places == [charts.view.mapToGlobal(QPoint(5, 5))]


def test_every_control_has_a_name_and_a_tooltip(charts):
    options = charts.options
    controls = [
        options.measure.box, options.cells.box, options.curve.box, options.upper, options.log_x, options.log_y,
        charts.export.button,
    ]  # fmt: skip
    for control in controls:
        assert control.toolTip()
        assert control.accessibleName() or control.text()
    assert charts.chooser.accessibleName()
    assert all(charts.chooser.tabToolTip(at) for at in range(charts.chooser.count()))


def test_nothing_is_read_once_it_is_shut_down(qtbot, leaf, leaf_store):
    charts = ChartPanel()
    qtbot.addWidget(charts)
    charts.show_results(leaf, leaf_store)
    charts.shut_down()
    charts.show_results(leaf, leaf_store)
    assert not charts._background._thread.isRunning()


def test_the_shipped_plans_have_charts(charts):
    for name in ("table1", "table2", "figure2", "figure3", "scaling", "quick"):
        plan = find_plan(name)
        charts.show_results(plan, None)
        assert charts.chooser.isTabEnabled(0)
        assert "No runs yet" in charts.view.empty.text()


def test_what_takes_long_to_read_is_shown_bit_by_bit(qtbot, charts, leaf, leaf_store):
    reader = ValueReader()
    reader.enough_s = 0.0  # one cell after another
    request = ValuesRequest("spread", "iterations", (0, 1))
    assert list(reader.read(leaf_store, request, None, lambda: False)) == [0]
    is_complete = [reader.is_complete]
    assert list(reader.read(leaf_store, request, None, lambda: False)) == [0, 1]
    is_complete.append(reader.is_complete)
    assert is_complete == [False, True]
    charts._reader.enough_s = 0.0
    charts.show_results(leaf, leaf_store)
    charts.set_kind(ChartKind.BOXES)
    _wait(qtbot, charts)
    assert sum(len(boxes.places) for boxes in charts.view.figure.panels[0].boxes) == 4


def test_the_histogram_says_how_many_runs_are_not_in_it(leaf, leaf_store):
    bins = _read(leaf_store, ValuesRequest("bins", "ors", (3,), is_log=True))[3]
    totals = _totals(leaf_store)
    for stuck, words in ((0, "are 0"), (1, "1 run that was"), (2, "2 runs that were")):
        totals[3].runs = totals[3].solved + stuck
        summary = summarise(leaf, totals)[3]
        note = histogram_figure(leaf, 3, "ors", bins, summary, is_log_x=True, is_log_y=False).note
        assert words in note


def test_a_mouse_event_on_the_plots_is_the_charts(charts, leaf, leaf_store):
    charts.show_results(leaf, None)
    charts.refresh(_totals(leaf_store))
    plots = charts.view.plots.viewport()
    QTest.mouseMove(plots, QPoint(200, 100))
    QTest.mouseClick(plots, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(200, 100))
    QTest.mouseDClick(plots, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(200, 100))
    assert charts.view.hasFocus(), "a click on the chart gives it the focus"
