"""The experiments window: from a plan to tables that grow, and on from where an experiment was left."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QFileDialog

from gpviz.app.experiments.result_files import KINDS
from gpviz.app.experiments.window import ExperimentsWindow
from gpviz.app.theme import load_theme, style_sheet
from gpviz.engine import RunConfig
from gpviz.experiments.batch import Chunk, run_chunk
from gpviz.experiments.estimate import Estimate
from gpviz.experiments.places import new_store_path
from gpviz.experiments.plan import Plan, find_plan
from gpviz.experiments.running import InlineExecutor
from gpviz.experiments.store import Store

PLAN = Plan(
    name="tiny",
    title="Tiny",
    runs=4,
    x="n",
    settings={"limit": "2n"},
    grid={"deletion": ("leaf", "subtree"), "n": (2, 3)},
)


class _Held(InlineExecutor):
    """Does nothing until it is let, so that a test sees an experiment that runs."""

    def __init__(self) -> None:
        super().__init__()
        self.is_let = False

    def wait(self, timeout_s: float):
        return super().wait(timeout_s) if self.is_let else []


def _inline(_jobs: int) -> InlineExecutor:
    return InlineExecutor()


def _estimator(plan, _should_stop):
    return Estimate(runs=plan.total_runs, iterations=1.0, seconds=2.0, is_rough=False)


@pytest.fixture
def make(qtbot):
    windows = []

    def made(make_executor=_inline):
        window = ExperimentsWindow(load_theme("light"), make_executor=make_executor, estimator=_estimator)
        qtbot.addWidget(window)
        windows.append(window)
        return window

    yield made
    for window in windows:
        window.shut_down()


@pytest.fixture
def window(make):
    return make()


@pytest.fixture
def half(tmp_path):
    """An experiment of which one cell is done."""
    path = new_store_path(PLAN)
    with Store.create(path, PLAN) as store:
        store.add(run_chunk(Chunk(0, PLAN.cells[0].config, 0, 4, 10**6)))
    return path


def _is_done(window):
    return not window.runner.is_running and window.snapshot is not None and window.snapshot.is_whole


def test_a_plan_runs_and_its_tables_come_on_show(window, qtbot):
    window.show_plan(PLAN)
    window.launch.start_button.click()
    assert not window.launch.start_button.isEnabled()
    assert window.launch.cancel_button.isEnabled()
    qtbot.waitUntil(lambda: _is_done(window))
    assert window.stack.currentWidget() is window.results
    assert window.windowTitle() == "Tiny – Experiments – gpviz"
    assert window.progress.words.text().startswith("16 runs")
    assert window.launch.start_button.isEnabled()
    assert not window.launch.cancel_button.isEnabled()
    assert not window.launch.continue_button.isEnabled()
    assert "finished" in window.statusBar().currentMessage()


def test_a_first_visitor_sees_what_it_is_for_and_one_button_to_press(window, qtbot, monkeypatch):
    assert window.stack.currentWidget() is window.welcome
    assert window.welcome.plan_buttons.keys() >= {"quick", "table1", "scaling"}
    quick = find_plan("quick").replaced(runs=2)
    monkeypatch.setitem(window._plans, "quick", quick)
    window.welcome.quick_button.click()
    qtbot.waitUntil(lambda: _is_done(window))
    assert window.snapshot.plan == quick


def test_a_plan_of_the_first_page_goes_to_the_editor(window):
    window.welcome.plan_buttons["table2"].click()
    assert window.editor.plan() == find_plan("table2")
    assert not window.runner.is_running


def test_an_opened_experiment_shows_its_tables_and_offers_to_go_on(window, qtbot, half):
    window.open_store(half)
    qtbot.waitUntil(lambda: window.snapshot is not None)
    assert window.editor.plan() == PLAN
    assert window.snapshot.done_by_cell == (4, 0, 0, 0)
    assert window.progress.words.text().startswith("25 % · 4 of 16 runs")
    assert not window.progress.continue_button.isHidden()
    window.progress.continue_button.click()
    qtbot.waitUntil(lambda: _is_done(window))
    assert window.progress.continue_button.isHidden()


def test_an_experiment_left_before_its_end_is_offered_next_time(make, qtbot, half):
    window = make()
    qtbot.waitUntil(lambda: not window.welcome.left_card.isHidden())
    assert "“Tiny” was left when 4 of 16 runs were done" in window.welcome.left_text.text()
    window.welcome.continue_button.click()
    qtbot.waitUntil(lambda: _is_done(window))
    assert window.snapshot.path == half


def test_more_runs_of_the_same_plan_go_on_with_the_experiment(window, qtbot, half):
    window.open_store(half)
    qtbot.waitUntil(lambda: window.snapshot is not None)
    window.editor.numbers["runs"].setText("6")
    assert window.progress.continue_button.text() == "Continue to 6 runs a cell"
    window.commands["continue"].trigger()
    qtbot.waitUntil(lambda: _is_done(window))
    assert window.snapshot.plan.runs == 6
    assert window.snapshot.done_by_cell == (6, 6, 6, 6)


def test_cancel_keeps_what_is_done(make, qtbot, half):
    window = make(lambda _: _Held())
    window.open_store(half)
    qtbot.waitUntil(lambda: window.snapshot is not None)
    window.continue_experiment()
    qtbot.waitUntil(lambda: window._progress is not None)
    assert window.progress.words.text() == "25 % · 4 of 16 runs"
    window.launch.cancel_button.click()
    qtbot.waitUntil(lambda: not window.runner.is_running)
    assert "kept" in window.statusBar().currentMessage()
    assert window.launch.continue_button.isEnabled()


def test_while_an_experiment_runs_no_other_comes_on_show(make, qtbot, half):
    window = make(lambda _: _Held())
    window.show_plan(PLAN)
    window.start()
    window.open_store(half)
    assert "running" in window.problem.text()
    for act in (window.start, window.start_quick, window.new, window.ask_and_open):
        window._say("")
        act()
        assert "running" in window.problem.text()
    window.cancel()
    qtbot.waitUntil(lambda: not window.runner.is_running)


def test_closing_in_the_middle_ends_the_experiment_and_says_so_next_time(make, qtbot):
    window = make(lambda _: _Held())
    window.show_plan(PLAN)
    closed = []
    window.closed.connect(lambda: closed.append(True))
    window.start()
    qtbot.waitUntil(lambda: window.snapshot is not None)
    window.close()
    assert closed
    assert not window.is_running
    later = make()
    qtbot.waitUntil(lambda: not later.welcome.left_card.isHidden())
    assert "0 of 16 runs" in later.welcome.left_text.text()


def test_a_file_that_is_no_experiment_is_told_in_a_sentence(window, qtbot, tmp_path):
    path = tmp_path / "foreign.gpvizx"
    path.write_text("hello")
    window.open_store(path)
    qtbot.waitUntil(lambda: bool(window.problem.text()))
    assert str(path) in window.problem.text()
    assert window.stack.currentWidget() is window.welcome


def test_an_experiment_that_cannot_be_written_is_told_in_a_sentence(window, qtbot, tmp_path):
    window.show_plan(PLAN)
    window.launch.set_path(tmp_path / "no" / "such" / "folder.gpvizx")
    window.start()
    qtbot.waitUntil(lambda: not window.runner.is_running)
    assert "folder.gpvizx" in window.problem.text()
    assert window.launch.start_button.isEnabled()


def test_a_wrong_plan_cannot_be_started(window):
    window.editor.typed["n"].setText("x")
    assert not window.launch.start_button.isEnabled()
    assert not window.commands["start"].isEnabled()
    window.start()
    assert "mended" in window.problem.text()


def test_results_go_where_a_person_says(window, qtbot, tmp_path, monkeypatch):
    path = tmp_path / "mine"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    window.show_plan(PLAN)
    window.launch.place_button.click()
    assert window.launch.place.text() == "mine.gpvizx"
    window.start()
    qtbot.waitUntil(lambda: _is_done(window))
    assert window.snapshot.path == path.with_suffix(".gpvizx")
    assert window.launch.path is None


def test_results_are_saved(window, qtbot, half, tmp_path, monkeypatch):
    window.open_store(half)
    qtbot.waitUntil(lambda: window.snapshot is not None)
    for kind in KINDS:
        target = tmp_path / f"out-{kind}"
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, target=target: (str(target), ""))
        window.statusBar().clearMessage()
        window.commands[f"save_{kind}"].trigger()
        qtbot.waitUntil(lambda: window.statusBar().currentMessage().endswith("is written."))
    found = {path.name: path for path in tmp_path.glob("out-*")}
    assert found.keys() == {"out-csv.csv", "out-json.json", "out-latex.tex", "out-runs.csv", "out-ioh"}
    assert json.loads(found["out-json.json"].read_text())["plan"] == "tiny"
    assert len(found["out-csv.csv"].read_text().splitlines()) == 5
    assert len(found["out-runs.csv"].read_text().splitlines()) == 5
    assert "tabular" in found["out-latex.tex"].read_text()
    assert any(found["out-ioh"].rglob("*.dat"))


def test_results_that_cannot_be_saved_are_told(window, qtbot, half):
    window.open_store(half)
    qtbot.waitUntil(lambda: window.snapshot is not None)
    window.files.save(half, "csv", Path("/does/not/exist.csv"))
    window.files.save(half, "csv", Path("/does/not/exist.csv"))
    assert "being saved" in window.problem.text()
    qtbot.waitUntil(lambda: "/does/not/exist.csv" in window.problem.text())


def test_recent_experiments_are_in_the_menu(make, qtbot, half):
    window = make()
    qtbot.waitUntil(lambda: bool(window.commands.recent.actions()))
    (action,) = window.commands.recent.actions()
    assert "4 of 16 runs" in action.text()
    action.trigger()
    qtbot.waitUntil(lambda: window.snapshot is not None)


def test_opening_asks_for_a_file(window, qtbot, half, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(half), ""))
    window.commands["open"].trigger()
    qtbot.waitUntil(lambda: window.snapshot is not None)
    window.commands["new"].trigger()
    assert window.snapshot is None
    assert window.stack.currentWidget() is window.welcome


def test_a_chosen_cell_is_shown_in_charts_and_runs(window, qtbot, half):
    window.open_store(half)
    qtbot.waitUntil(lambda: window.snapshot is not None)
    view = window.results
    view.cells.choose_cell(2)
    assert view.runs.bar.cell == 2
    assert view.charts._cell == 2
    view.cells.view.selectAll()
    assert view.runs.bar.cell is None
    assert view.charts._selected == (0, 1, 2, 3)


def test_a_chosen_run_and_a_comparison_are_passed_on(window):
    heard = []
    window.run_chosen.connect(lambda config, iteration: heard.append((config, iteration)))
    window.comparison_chosen.connect(heard.append)
    config = RunConfig(n=3)
    window.results.runs.run_chosen.emit(config, 7)
    window.results.runs.comparison_chosen.emit((("a", config),))
    assert heard == [(config, 7), (("a", config),)]


def test_the_views_are_reached_by_keys(window, qtbot, half):
    window.open_store(half)
    qtbot.waitUntil(lambda: window.snapshot is not None)
    window.resize(1920, 1080)
    window.show()
    window.commands["go_runs"].trigger()
    assert window.results.tabs.currentWidget() is window.results.runs
    window.commands["go_charts"].trigger()
    assert window.results.tabs.currentWidget() is window.results.charts
    window.commands["go_cells"].trigger()
    window.commands["plan_panel"].setChecked(False)
    assert window.side.isHidden()
    window.commands["go_plan"].trigger()
    assert not window.side.isHidden()
    keys = [action.shortcut().toString() for action in window.commands.by_name.values()]
    keys = [key for key in keys if key]
    assert len(keys) == len(set(keys))


def test_every_button_has_a_name_and_a_hint_and_is_reached_by_tab(window):
    for part in (window.launch, window.welcome, window.progress):
        for button in part.findChildren(QAbstractButton):
            assert button.accessibleName()
            assert button.toolTip()
            assert button.focusPolicy() & Qt.FocusPolicy.TabFocus


def test_the_window_fits_a_small_screen_also_with_large_type(make, qtbot, qapp, half):
    theme = load_theme("projector")
    qapp.setFont(theme.font())
    qapp.setStyleSheet(style_sheet(theme))
    window = make()
    window.open_store(half)
    qtbot.waitUntil(lambda: window.snapshot is not None)
    window.set_theme(theme)
    window.resize(1280, 700)
    window.show()
    assert (window.width(), window.height()) == (1280, 700)
    assert window.minimumSizeHint().width() <= 1280


def test_a_start_chooses_no_cell_by_accident(window, qtbot, half):
    window.show()
    window.welcome.quick_button.setFocus()
    window.open_store(half)
    qtbot.waitUntil(lambda: window.snapshot is not None)
    assert window.focusWidget() is window.launch.start_button
    window.start()
    assert window.focusWidget() is window.launch.cancel_button
    qtbot.waitUntil(lambda: _is_done(window))
    assert window.focusWidget() is window.launch.start_button
    window.commands["go_cells"].trigger()
    assert window.results.runs.bar.cell is None


def test_a_window_can_be_shut_down_twice(window):
    window.shut_down()
    window.shut_down()


def test_on_a_low_screen_the_cells_have_a_tab_of_their_own(window, qtbot, half):
    window.open_store(half)
    qtbot.waitUntil(lambda: window.snapshot is not None)
    view = window.results
    window.resize(1280, 1000)
    window.show()
    assert view.tabs.indexOf(view.cells) < 0
    window.resize(1280, 400)
    qtbot.waitUntil(lambda: view.tabs.indexOf(view.cells) == 0)
    window.commands["go_charts"].trigger()
    window.commands["go_cells"].trigger()
    assert view.tabs.currentWidget() is view.cells
    window.resize(1280, 1000)
    qtbot.waitUntil(lambda: view.tabs.indexOf(view.cells) < 0)
    assert view.splitter.indexOf(view.cells) == 0
