"""The charts of an experiment: which apply to a plan, what is chosen, and that reading never blocks or lies."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from gpviz.app.experiments import chart_panel
from gpviz.app.experiments.chart_panel import ChartPanel
from gpviz.app.experiments.experiment_files import ShownExperiment
from gpviz.app.question import Question, close_questions
from gpviz.app.theme import load_theme
from gpviz.experiments import decisive_steps
from gpviz.experiments.decisive_steps import KnownDecisiveSteps
from gpviz.experiments.figures.chart_kinds import CHARTS, ChartKind
from gpviz.experiments.figures.chart_values import ValueReader
from gpviz.experiments.figures.figure import (
    named,
)
from gpviz.experiments.figures.figure_data import figure_csv, figure_of
from gpviz.experiments.plan import Plan, plan_of
from gpviz.experiments.statistics.cell_statistics import summarise
from gpviz.experiments.totals import Totals
from gpviz.lecture.scene_content import SceneChart
from tests.experiments.figures.filled_stores import SAMPLED, totals_of


@pytest.fixture
def charts(qtbot):
    charts = ChartPanel()
    qtbot.addWidget(charts)
    charts.resize(800, 560)
    charts.show()
    yield charts
    close_questions(charts)


def _experiment(plan: Plan, path: Path, totals: list[Totals]) -> ShownExperiment:
    return ShownExperiment(path, plan, totals, summarise(plan, totals), 0.0)


def _show(qtbot, charts: ChartPanel, plan: Plan, path: Path, kind: ChartKind = ChartKind.FIGURE) -> None:
    charts.show_experiment(_experiment(plan, path, totals_of(path)))
    charts.set_kind(kind)
    _wait(qtbot, charts)


def _show_without_runs(charts: ChartPanel, plan: Plan) -> None:
    charts.show_experiment(_experiment(plan, Path("none.gpvizx"), [Totals() for _ in plan.cells]))


def _is_busy(charts: ChartPanel) -> bool:
    (reading,) = charts.findChildren(Question)
    return reading.is_busy


def _wait(qtbot, charts: ChartPanel) -> None:
    qtbot.waitUntil(lambda: not _is_busy(charts))


def _choose(qtbot, charts: ChartPanel, measure: str) -> None:
    charts.measure.box.set_value(measure)
    charts.measure.box.activated.emit(0)
    _wait(qtbot, charts)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ({"config": {"n": 4}}, ChartKind.FIGURE),
        (SAMPLED, ChartKind.SCALING),
        (SAMPLED, ChartKind.DRIFT),
        ({"grid": {"n": [1, 2]}}, ChartKind.SCALING),
    ],
)
def test_a_chart_that_does_not_apply_says_why(charts, data, kind):
    plan = plan_of("p", data)
    assert CHARTS[kind].problem(plan).endswith(".")
    _show_without_runs(charts, plan)
    at = list(ChartKind).index(kind)
    assert not charts.chooser.isTabEnabled(at)
    assert charts.chooser.tabToolTip(at) == CHARTS[kind].problem(plan)
    assert CHARTS[kind].problem(plan) in charts.chooser.accessibleDescription()
    charts.set_kind(kind)
    assert charts.kind is not kind or kind is ChartKind.FIGURE


def test_before_there_are_runs_it_says_so(charts, leaf):
    _show_without_runs(charts, leaf)
    assert "No runs yet" in charts.view.empty.text()


@pytest.mark.parametrize("kind", list(ChartKind))
def test_every_chart_shows_a_store_that_is_opened(qtbot, request, charts, leaf, leaf_store, kind):
    if kind is ChartKind.DECISIVE:  # no run of the other gets stuck
        leaf, leaf_store = request.getfixturevalue("stuck"), request.getfixturevalue("stuck_store")
    _show(qtbot, charts, leaf, leaf_store, kind)
    assert charts.view.figure.has_content
    assert charts.view.plots.isVisible()
    assert charts.view.accessibleName() == charts.view.figure.title
    charts.grab()


def test_the_chosen_cell_the_measure_and_the_scales_choose_what_the_histogram_shows(
    qtbot, charts, leaf, leaf_store
):
    _show(qtbot, charts, leaf, leaf_store, ChartKind.HISTOGRAM)
    charts.show_cell(3)
    _wait(qtbot, charts)
    assert "limit 2n, n = 8" in charts.view.figure.title
    measures = [charts.measure.box.itemData(at) for at in range(charts.measure.box.count())]
    assert measures == ["iterations", "leaves", "ors", "ors_accepted"]
    _choose(qtbot, charts, "leaves")
    assert charts.view.figure.title.startswith("S (leaves)")
    assert charts.view.figure.has_content
    charts.log_x.click()
    _wait(qtbot, charts)
    assert charts.view.figure.panels[0].x.is_log
    assert not charts.view.figure.panels[0].y.is_log
    charts.log_y.click()
    assert charts.view.figure.panels[0].y.is_log


def test_a_store_that_cannot_be_read_is_said_to_be_so(qtbot, charts, leaf):
    _show_without_runs(charts, leaf)
    charts.set_kind(ChartKind.BOXES)
    _wait(qtbot, charts)
    assert "there is no such file" in charts.view.empty.text()


def test_while_it_runs_values_are_not_read_all_the_time(qtbot, charts, leaf, leaf_store, monkeypatch):
    monkeypatch.setattr(chart_panel, "_PATIENCE", 10_000.0)
    readings: list[object] = []
    read = ValueReader.read

    def counted(reader, path, *others):
        readings.append(path)
        return read(reader, path, *others)

    monkeypatch.setattr(ValueReader, "read", counted)
    _show(qtbot, charts, leaf, leaf_store, ChartKind.BOXES)
    for _ in range(5):
        charts.refresh(_experiment(leaf, leaf_store, totals_of(leaf_store)))
    _wait(qtbot, charts)
    assert len(readings) == 1


def test_another_experiment_begins_with_its_first_cell(
    qtbot, charts, leaf, leaf_store, sampled, sampled_store
):
    _show(qtbot, charts, leaf, leaf_store, ChartKind.SCALING)
    charts.show_cell(3)
    _wait(qtbot, charts)
    _show(qtbot, charts, sampled, sampled_store)
    assert charts.kind is not ChartKind.SCALING
    charts.set_kind(ChartKind.HISTOGRAM)
    _wait(qtbot, charts)
    assert "A = 0, 10 rows" in charts.view.figure.title


def test_the_keys_show_one_point_after_another(qtbot, charts, leaf, leaf_store):
    _show(qtbot, charts, leaf, leaf_store)
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
def test_the_mouse_shows_the_point_it_is_on(qtbot, charts, leaf, leaf_store, kind):
    _show(qtbot, charts, leaf, leaf_store, kind)
    charts.grab()
    view = charts.view
    number, spot = view.spots()[2]
    view.plots.hovered.emit(view.plots.position_of(number, spot) + QPointF(1, -1))
    assert view.readout.isVisible()
    assert view.readout.text == spot.text
    view.show_figure(view.figure)
    assert view.readout.isVisible(), "new numbers do not take it away"
    view.plots.mouse_left.emit()
    assert not view.readout.isVisible()


@pytest.mark.parametrize(("suffix", "start"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
def test_a_chart_is_written_as_a_picture(
    qtbot, charts, leaf, leaf_store, tmp_path, monkeypatch, suffix, start
):
    _show(qtbot, charts, leaf, leaf_store)
    path = tmp_path / f"chart{suffix}"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    reported: list[str] = []
    charts.reported.connect(reported.append)
    charts.save_action.trigger()
    assert reported == [f"Saved chart{suffix} in {tmp_path}."]
    content = path.read_bytes()
    assert content.startswith(start)
    if suffix == ".svg":
        assert b"T (iterations)" in content
        assert b"<image" not in content, "all of it stays shapes and text"
        assert b"limit 2n" in content
        assert load_theme("light").colours.neutral.encode() in content
    if suffix == ".pdf":
        assert b"/Subtype /Image" not in content


def test_the_values_of_a_chart_are_written_as_a_table(qtbot, charts, leaf, leaf_store, tmp_path, monkeypatch):
    _show(qtbot, charts, leaf, leaf_store)
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "a"), "CSV table of its values (*.csv)")
    )
    charts.save_picture()
    assert (tmp_path / "a.csv").read_text() == figure_csv(charts.view.figure).replace("\r\n", "\n")


def test_a_picture_that_cannot_be_written_is_said_to_be_so(charts, leaf, tmp_path, monkeypatch):
    _show_without_runs(charts, leaf)
    reported = []
    monkeypatch.setattr(chart_panel, "show_problem", lambda _parent, text: reported.append(text))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "x.bmp"), ""))
    charts.reported.connect(reported.append)
    charts.save_picture()
    assert len(reported) == 1, "nor is it reported as written"
    assert "must end with" in reported[0]


def test_a_chart_is_copied(qtbot, charts, leaf, leaf_store):
    _show(qtbot, charts, leaf, leaf_store)
    reported: list[str] = []
    charts.reported.connect(reported.append)
    charts.copy_action.trigger()
    assert reported == ["The chart is on the clipboard."]
    assert not QGuiApplication.clipboard().image().isNull()


def test_boxes_that_reach_zero_have_no_logarithmic_axis_and_it_says_why(qtbot, charts, ors_plan, ors_store):
    _show(qtbot, charts, ors_plan, ors_store, ChartKind.BOXES)
    assert charts.log_y.isEnabled()
    assert charts.view.figure.panels[0].y.is_log
    _choose(qtbot, charts, "ors")
    assert not charts.log_y.isEnabled()
    assert not charts.log_y.isChecked()
    assert "have 0, which a logarithmic axis cannot show" in charts.log_y.toolTip()
    assert not charts.view.figure.panels[0].y.is_log
    charts.set_kind(ChartKind.HISTOGRAM)
    assert charts.log_y.isEnabled()


def test_boxes_show_the_rows_that_are_selected_if_that_is_chosen(qtbot, charts, ors_plan, ors_store):
    _show(qtbot, charts, ors_plan, ors_store, ChartKind.BOXES)
    charts.show_cells((1, 5))
    _wait(qtbot, charts)
    assert charts.cells.box.value() == "every"
    assert charts.view.figure.title == "T (iterations) in every cell"
    charts.cells.box.set_value("selected")
    charts.cells.box.activated.emit(0)
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
    assert charts.cells.box.value() == "series", "curves have a choice of their own"
    charts.set_kind(ChartKind.BOXES)
    assert charts.cells.box.value() == "selected"


def test_a_chart_goes_to_the_lecture_as_it_is_on_show(charts, qtbot, leaf, leaf_store, monkeypatch):
    problems: list[str] = []
    monkeypatch.setattr(chart_panel, "show_problem", lambda _parent, text: problems.append(text))
    given: list[SceneChart] = []
    charts.chart_given.connect(given.append)
    _show_without_runs(charts, leaf)
    charts.lecture_button.click()
    assert problems == ["The chart shows nothing yet."]
    _show(qtbot, charts, leaf, leaf_store)
    charts.set_kind(ChartKind.BOXES)
    _choose(qtbot, charts, "leaves")
    charts.lecture_button.click()
    (chart,) = given
    assert (chart.plan, chart.chart, chart.runs) == ("leaf", "boxes", 30)
    assert figure_of(chart.figure).title == charts.view.figure.title


def test_what_is_looked_for_grows_and_can_be_stopped(
    qtbot, monkeypatch, may_go_on, charts, stuck, stuck_store
):
    monkeypatch.setattr(decisive_steps, "DECISIVE_STEPS", KnownDecisiveSteps())
    charts.reader.enough_s = 0.0
    button = charts.search_button
    _show(qtbot, charts, stuck, stuck_store)
    charts.show_cell(1)
    charts.set_kind(ChartKind.DECISIVE)
    qtbot.waitUntil(lambda: "Looked at 1 of 2 stuck runs so far." in charts.view.figure.note)
    assert button.isVisible()
    assert button.text() == "&Stop"
    button.click()
    assert not _is_busy(charts)
    assert button.text() == "&Find more"
    may_go_on.set()
    button.click()
    qtbot.waitUntil(lambda: "2 stuck runs with a decisive step" in charts.view.figure.note)
    assert not button.isVisible(), "there are no more"
