"""The experiments window: from a plan to tables that grow, and on from where an experiment was left."""

import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from gpviz.app.experiments import window as experiments_window
from gpviz.app.experiments.experiment_files import KINDS
from gpviz.app.experiments.window import ExperimentsWindow
from gpviz.app.theme import load_theme
from gpviz.engine.interruption import checkpoint
from gpviz.experiments.chunk_worker import Chunk, run_chunk
from gpviz.experiments.figures.chart_kinds import ChartKind
from gpviz.experiments.plan import Plan, find_plan
from gpviz.experiments.store import Store
from gpviz.experiments.store_paths import new_store_path
from tests.experiments.inline_executor import InlineExecutor

PLAN = Plan(
    name="tiny",
    title="Tiny",
    runs=4,
    x="n",
    settings={"limit": "2n"},
    grid={"deletion": ("leaf", "subtree"), "n": (2, 3)},
)


class _Held(InlineExecutor):
    """Does so many pieces of an experiment, and then nothing more, so that a test sees one that runs."""

    def __init__(self, pieces: int = 0) -> None:
        super().__init__()
        self._pieces = pieces

    def wait(self, timeout_s: float):
        self._pieces -= 1
        return super().wait(timeout_s) if self._pieces >= 0 else []


@pytest.fixture
def make(qtbot):
    windows = []

    def made(executor=InlineExecutor):
        window = ExperimentsWindow(make_executor=lambda _: executor())
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
def opened(window, qtbot, half):
    """The window with the experiment of which one cell is done."""
    window.open_store(half)
    qtbot.waitUntil(lambda: window.experiment is not None)
    return window


@pytest.fixture
def half(tmp_path):
    """An experiment of which one cell is done."""
    path = new_store_path(PLAN)
    with Store.create(path, PLAN) as store:
        store.add(run_chunk(Chunk(0, PLAN.cells[0].config, 0, 4, 10**6)))
    return path


def _is_done(window):
    """Whether all runs are done, and what came of them is on show."""
    is_quiet = not window.runner.is_running and not window.is_behind
    return is_quiet and window.experiment is not None and window.experiment.is_whole


def _is_read(window):
    return window.experiment is not None and window.experiment.path == window.path


def test_a_plan_runs_and_its_tables_come_on_show(window, qtbot):
    reported: list[str] = []
    window.statusBar().messageChanged.connect(reported.append)
    window.show_plan(PLAN)
    window.launch.start_button.click()
    assert not window.launch.start_button.isEnabled()
    assert window.launch.cancel_button.isEnabled()
    qtbot.waitUntil(lambda: _is_done(window))
    assert window.stack.currentWidget() is window.results
    assert window.windowTitle() == "Tiny – Experiments – gpviz"
    assert window.progress.status.text().startswith("16 runs")
    assert window.launch.start_button.isEnabled()
    assert not window.launch.cancel_button.isEnabled()
    assert not window.launch.continue_button.isEnabled()
    assert any("finished" in text for text in reported)


def test_the_chart_that_a_plan_is_shown_for_is_chosen_once_it_runs(window, qtbot, half):
    sampled = PLAN.replaced(settings={**PLAN.settings, "fitness": "sampled", "rows": 20}, runs=2)
    window.show_plan(sampled)
    window.start()
    qtbot.waitUntil(lambda: _is_done(window))
    charts = window.results.charts

    def kind() -> ChartKind:
        return charts.kind

    charts.set_kind(ChartKind.STAGES)
    assert kind() is ChartKind.FIGURE, "sampled runs have no stages"
    window.show_plan(PLAN, ChartKind.STAGES)
    assert kind() is ChartKind.FIGURE, "what is on show stays as it is"
    window.start()
    qtbot.waitUntil(lambda: window.experiment.plan == PLAN and _is_done(window))
    assert kind() is ChartKind.STAGES
    charts.set_kind(ChartKind.ECDF)
    window.open_store(half)
    qtbot.waitUntil(lambda: window.path == half and _is_read(window))
    assert kind() is ChartKind.ECDF, "it was wanted for the plan that was shown"


def test_a_first_visitor_sees_what_it_is_for_and_one_button_to_press(window, qtbot, monkeypatch):
    assert window.stack.currentWidget() is window.welcome
    assert window.welcome.plan_buttons.keys() >= {"quick", "table1", "scaling"}
    quick = find_plan("quick").replaced(runs=2)
    monkeypatch.setitem(window.plans, "quick", quick)
    window.welcome.quick_button.click()
    qtbot.waitUntil(lambda: _is_done(window))
    assert window.experiment.plan == quick


def test_an_opened_experiment_shows_its_tables_and_offers_to_go_on(opened, qtbot):
    assert opened.editor.plan() == PLAN
    assert opened.experiment.done_by_cell == (4, 0, 0, 0)
    assert opened.progress.status.text().startswith("25 % · 4 of 16 runs")
    assert not opened.progress.continue_button.isHidden()
    opened.progress.continue_button.click()
    qtbot.waitUntil(lambda: _is_done(opened))
    assert opened.progress.continue_button.isHidden()


def test_an_experiment_left_before_its_end_is_offered_next_time(make, qtbot, half):
    window = make()
    qtbot.waitUntil(lambda: not window.welcome.left_card.isHidden())
    assert "“Tiny” stopped after 4 of 16 runs" in window.welcome.left_text.text()
    window.welcome.continue_button.click()
    qtbot.waitUntil(lambda: _is_done(window))
    assert window.experiment.path == half


def test_more_runs_of_the_same_plan_go_on_with_the_experiment(opened, qtbot):
    opened.editor.lines["runs"].setText("6")
    opened.editor.lines["seed"].setText("5")
    assert opened.progress.continue_button.text() == "Continue", (
        "runs with other seeds are another experiment"
    )
    opened.editor.lines["seed"].setText(str(PLAN.seed))
    assert opened.progress.continue_button.text() == "Continue to 6 runs a cell"
    opened.actions_by_name["continue"].trigger()
    qtbot.waitUntil(lambda: _is_done(opened))
    assert opened.experiment.plan.runs == 6
    assert opened.experiment.done_by_cell == (6, 6, 6, 6)


def test_cancel_keeps_what_is_done(make, qtbot, half):
    window = make(_Held)
    window.show()
    window.open_store(half)
    qtbot.waitUntil(lambda: window.experiment is not None)
    window.continue_experiment()
    qtbot.waitUntil(lambda: window.progress.status.text() == "25 % · 4 of 16 runs")
    window.launch.cancel_button.setFocus()
    window.launch.cancel_button.click()
    assert window.focusWidget() is window.launch
    qtbot.waitUntil(lambda: not window.runner.is_running)
    assert window.focusWidget() is window.launch.start_button
    assert "kept" in window.statusBar().currentMessage()
    qtbot.waitUntil(window.launch.continue_button.isEnabled)
    window.continue_experiment()
    assert not window.statusBar().currentMessage(), "how the last one ended is not said any more"
    window.cancel()
    qtbot.waitUntil(lambda: not window.runner.is_running)


def test_while_an_experiment_runs_no_other_comes_on_show(make, qtbot, half):
    window = make(_Held)
    window.show_plan(PLAN)
    window.start()
    window.open_store(half)
    assert "running" in window.problem.text()
    window.problem.clear()
    window.welcome.quick_button.click()
    assert "running" in window.problem.text()
    assert not any(window.actions_by_name[name].isEnabled() for name in ("start", "continue", "new", "open"))
    window.cancel()
    qtbot.waitUntil(lambda: not window.runner.is_running)


def test_closing_in_the_middle_ends_the_experiment_and_says_so_next_time(make, qtbot):
    window = make(partial(_Held, 1))
    window.show_plan(PLAN)
    heard: list[str] = []
    window.reported.connect(heard.append)
    window.closed.connect(lambda: heard.append("closed"))
    window.start()
    qtbot.waitUntil(lambda: window.experiment is not None and window.experiment.done > 0)
    window.close()
    assert heard[1:] == ["closed"]
    assert "finished runs are kept" in heard[0]
    assert not window.runner.is_running
    later = make()
    qtbot.waitUntil(lambda: not later.welcome.left_card.isHidden())
    assert "of 16 runs" in later.welcome.left_text.text()


def test_closing_before_the_first_run_leaves_nothing_and_promises_nothing(make, qtbot):
    window = make(_Held)
    window.show_plan(PLAN)
    heard: list[str] = []
    window.reported.connect(heard.append)
    window.start()
    qtbot.waitUntil(lambda: window.experiment is not None)
    path = window.path
    window.close()
    assert heard == ["Closing the window stopped the experiment before its first run was done."]
    assert not path.exists()


def test_a_file_that_is_no_experiment_gets_a_sentence(window, qtbot, tmp_path):
    path = tmp_path / "foreign.gpvizx"
    path.write_text("hello")
    window.open_store(path)
    qtbot.waitUntil(lambda: bool(window.problem.text()))
    assert str(path) in window.problem.text()
    assert window.stack.currentWidget() is window.welcome


def test_what_could_not_begin_takes_the_name_of_nothing(opened, qtbot, half):
    opened.show_plan(find_plan("quick"))
    opened.launch.set_path(half)
    opened.start()
    qtbot.waitUntil(lambda: not opened.runner.is_running and not opened.is_behind)
    assert "open it with Experiment > Open and press Continue" in opened.problem.text()
    assert opened.progress.title.text() == "Tiny"
    assert half.name in opened.progress.title.toolTip()


def test_a_wrong_plan_cannot_be_started(window):
    window.editor.lines["runs"].setText("")
    window.editor.typed["n"].setText("x")
    assert not window.launch.start_button.isEnabled()
    assert not window.actions_by_name["start"].isEnabled()
    for text in (window.launch.start_button.toolTip(), window.editor.work.text()):
        assert "fields marked in red" in text


def test_results_go_where_a_person_says(window, qtbot, tmp_path, monkeypatch):
    path = tmp_path / "mine"
    proposed: list[str] = []

    def answer(*arguments: object) -> tuple[str, str]:
        proposed.append(Path(str(arguments[2])).name)
        return str(path), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    window.show_plan(PLAN)
    window.launch.path_button.click()
    assert proposed == ["tiny.gpvizx"]
    assert window.launch.path_label.text() == "mine.gpvizx"
    window.start()
    qtbot.waitUntil(lambda: _is_done(window))
    assert window.experiment.path == path.with_suffix(".gpvizx")
    assert window.launch.path is None


def test_results_are_saved(opened, qtbot, half, tmp_path, monkeypatch):
    said: list[str] = []
    proposed: list[str] = []
    opened.statusBar().messageChanged.connect(said.append)
    for kind in KINDS:
        target = tmp_path / f"out-{kind}"

        def answer(_window, _title, proposal, _filters, target=target):
            proposed.append(proposal.removeprefix(str(Path.home() / half.stem)))
            return str(target), ""

        monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
        said.clear()
        opened.actions_by_name[f"save_{kind}"].trigger()
        qtbot.waitUntil(
            lambda: any(
                message.startswith("Saved ") and message.endswith(f" in {tmp_path}.") for message in said
            )
        )
    assert proposed == [".csv", ".json", ".tex", "-runs.csv", "-ioh"], "each has a name of its own"
    found = {path.name: path for path in tmp_path.glob("out-*")}
    assert found.keys() == {"out-csv.csv", "out-json.json", "out-latex.tex", "out-runs.csv", "out-ioh"}
    assert json.loads(found["out-json.json"].read_text())["plan"] == "tiny"
    assert len(found["out-csv.csv"].read_text().splitlines()) == 5
    assert len(found["out-runs.csv"].read_text().splitlines()) == 5
    assert "tabular" in found["out-latex.tex"].read_text()
    assert any(found["out-ioh"].rglob("*.dat"))


def test_results_that_cannot_be_saved_get_a_sentence(opened, qtbot, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("/does/not/exist.csv", ""))
    opened.actions_by_name["save_csv"].trigger()
    opened.actions_by_name["save_csv"].trigger()
    assert "being saved" in opened.problem.text()
    qtbot.waitUntil(lambda: "/does/not/exist.csv" in opened.problem.text())


def test_recent_experiments_are_in_the_menu(make, qtbot, half):
    window = make()
    qtbot.waitUntil(lambda: bool(window.recent.actions()))
    (action,) = window.recent.actions()
    assert "4 of 16 runs" in action.text()
    assert window.recent.toolTipsVisible()
    assert half.name in action.toolTip()
    action.trigger()
    qtbot.waitUntil(lambda: window.experiment is not None)


def test_opening_asks_for_a_file(window, qtbot, half, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(half), ""))
    window.actions_by_name["open"].trigger()
    qtbot.waitUntil(lambda: window.experiment is not None)
    window.actions_by_name["new"].trigger()
    assert window.experiment is None
    assert window.stack.currentWidget() is window.welcome


def test_a_chosen_cell_is_shown_in_charts_and_runs(opened):
    view = opened.results
    model = view.cells.model
    view.cells.view.selectRow([model.given_index(row) for row in range(model.rowCount())].index(2))
    assert view.runs.cell == 2
    assert view.charts.cell == 2
    view.cells.view.selectAll()
    assert view.runs.cell is None
    assert view.charts.selected_cells == (0, 1, 2, 3)


def test_the_views_are_reached_by_keys(opened):
    opened.resize(1920, 1080)
    opened.show()
    opened.actions_by_name["go_runs"].trigger()
    assert opened.results.tabs.currentWidget() is opened.results.runs
    assert opened.focusWidget() is opened.results.runs.view
    opened.actions_by_name["go_charts"].trigger()
    assert opened.results.tabs.currentWidget() is opened.results.charts
    assert opened.focusWidget() is opened.results.charts.chooser
    opened.actions_by_name["go_cells"].trigger()
    assert opened.focusWidget() is opened.results.cells.view
    opened.actions_by_name["plan_panel"].setChecked(False)
    assert opened.side.isHidden()
    opened.actions_by_name["go_plan"].trigger()
    assert not opened.side.isHidden()
    keys = [action.shortcut().toString() for action in opened.actions_by_name.values()]
    keys = [key for key in keys if key]
    assert len(keys) == len(set(keys))


def test_a_start_chooses_no_cell_by_accident(window, qtbot, half):
    window.setWindowState(Qt.WindowState.WindowNoState)
    window.resize(1600, 800)
    window.show()
    window.welcome.quick_button.setFocus()
    window.open_store(half)
    qtbot.waitUntil(lambda: window.experiment is not None)
    assert window.focusWidget() is window.launch.start_button
    window.start()
    assert window.focusWidget() is window.launch.cancel_button
    qtbot.waitUntil(lambda: _is_done(window))
    assert window.focusWidget() is window.launch.start_button
    window.actions_by_name["go_cells"].trigger()
    assert window.results.runs.cell is None


def test_on_a_low_screen_the_cells_have_a_tab_of_their_own(opened, qtbot):
    view = opened.results
    opened.resize(1280, 1000)
    opened.show()
    assert view.tabs.indexOf(view.cells) < 0
    opened.resize(1280, 400)
    qtbot.waitUntil(lambda: view.tabs.indexOf(view.cells) == 0)
    opened.actions_by_name["go_charts"].trigger()
    opened.actions_by_name["go_cells"].trigger()
    assert view.tabs.currentWidget() is view.cells
    opened.resize(1280, 1000)
    qtbot.waitUntil(lambda: view.tabs.indexOf(view.cells) < 0)
    assert view.splitter.indexOf(view.cells) == 0


def test_a_button_is_pressed_by_return_as_by_space_and_a_field_presses_nothing(make, qtbot):
    window = make(_Held)
    window.show()
    keys = {"table1": Qt.Key.Key_Return, "table2": Qt.Key.Key_Enter, "scaling": Qt.Key.Key_Space}
    for name, key in keys.items():
        window.welcome.plan_buttons[name].setFocus()
        qtbot.keyClick(window.welcome.plan_buttons[name], key)
        assert window.editor.plan() == find_plan(name)
        assert window.focusWidget() is window.launch.start_button
    window.editor.lines["runs"].setFocus()
    qtbot.keyClick(window.editor.lines["runs"], Qt.Key.Key_Return)
    assert not window.runner.is_running


def _opened_in(make, path, qtbot, width=900, height=700):
    window = make()
    window.setWindowState(Qt.WindowState.WindowNoState)
    window.resize(width, height)
    window.show()
    window.open_store(path)
    qtbot.waitUntil(lambda: window.experiment is not None)
    return window


def test_in_a_narrow_window_the_plan_gives_way_to_results_that_are_opened(make, half, qtbot):
    window = _opened_in(make, half, qtbot)
    assert not window.side.isVisible()
    assert not window.actions_by_name["plan_panel"].isChecked()
    assert window.focusWidget() is window.progress.plan_button
    window.new()
    assert window.side.isVisible()
    window.close()
    assert not make().side.isHidden()


def test_the_plan_is_seen_as_it_was_chosen_by_hand(make, half, qtbot):
    window = _opened_in(make, half, qtbot)
    window.progress.plan_button.click()
    assert window.side.isVisible()
    window.close()
    again = _opened_in(make, half, qtbot)
    assert again.side.isVisible()
    again.actions_by_name["plan_panel"].trigger()
    again.new()
    assert not again.side.isVisible()


def test_the_window_fills_the_screen_and_leaves_it_again(window, qtbot):
    window.show()
    full_screen = window.actions_by_name["full_screen"]
    full_screen.trigger()
    assert window.isFullScreen()
    assert full_screen.isChecked()
    qtbot.keyClick(window.launch.start_button, Qt.Key.Key_Escape)
    assert not window.isFullScreen()
    assert not full_screen.isChecked()
    window.showFullScreen()
    assert full_screen.isChecked()


def test_the_guide_and_comparisons_can_be_asked_for(make, half, qtbot):
    window = _opened_in(make, half, qtbot, 1600, 900)
    asked: list[str] = []
    window.guide_asked.connect(lambda: asked.append("guide"))
    window.compare_asked.connect(lambda: asked.append("compare"))
    window.actions_by_name["guide"].trigger()
    window.actions_by_name["compare"].trigger()
    assert asked == ["guide", "compare"]
    for part in (window.launch.start_button, window.results.cells.view, window.results.charts):
        part.setFocus()
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert asked == ["guide", *4 * ["compare"]]
    window.results.go_to(window.results.runs)
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert len(asked) == 5, "there it compares the runs that are chosen"


def test_the_window_is_as_it_was_left(make, qtbot):
    window = make()
    window.setWindowState(Qt.WindowState.WindowNoState)
    window.resize(1280, 730)
    window.show()
    before = window.columns.sizes()
    window.columns.setSizes([before[0] + 60, before[1] - 60])
    left = window.columns.sizes()
    assert left != before
    window.actions_by_name["plan_panel"].trigger()
    window.close()
    again = make()
    assert again.height() == 730
    again.resize(1280, 730)
    again.show()
    assert again.side.isHidden()
    again.actions_by_name["plan_panel"].setChecked(True)
    qtbot.waitUntil(lambda: again.columns.sizes() == left)
    again.set_theme(load_theme("dark"))
    assert again.columns.sizes() == left


def test_cells_and_charts_share_the_height_as_they_did(make, qtbot, half):
    window = _opened_in(make, half, qtbot, 1280, 1000)
    qtbot.waitUntil(lambda: window.results.splitter.height() > 500)
    before = window.results.splitter.sizes()
    window.results.splitter.setSizes([before[0] + 90, before[1] - 90])
    left = window.results.splitter.sizes()
    assert left != before
    window.close()
    again = _opened_in(make, half, qtbot, 1280, 1000)
    qtbot.waitUntil(lambda: abs(again.results.splitter.sizes()[0] - left[0]) <= 2)


def test_medians_come_into_the_table_one_by_one_when_cells_are_done(window, qtbot, monkeypatch):
    for limit in ("FIRST_S", "LATER_S"):
        monkeypatch.setattr(experiments_window, limit, -1.0)  # time for one at each reading
    window.show_plan(PLAN)
    window.start()
    qtbot.waitUntil(lambda: _is_done(window) and len(window.experiment.medians) == 4)
    cells = window.results.cells
    assert not cells.view.isColumnHidden(cells.model.names.index("median"))
    with Store.open(window.experiment.path) as store:
        expected = [float(np.median(store.values(cell, "iterations", outcome="solved"))) for cell in range(4)]
    assert [cells.model.text_at(cell, "median") for cell in range(4)] == [f"{each:,.1f}" for each in expected]


def _read_for_ever(_path, _reader, working, **_options):
    """A store that takes very long to be read."""
    while True:
        working.report((3, 2000))
        checkpoint()


def _is_reading(window):
    return window.statusBar().currentMessage() == "Reading the experiment: 3 of 2,000 cells (Esc cancels) …"


def test_opening_shows_how_far_it_is_and_escape_gives_it_up(window, qtbot, half, monkeypatch):
    window.show()
    with monkeypatch.context() as patch:
        patch.setattr(experiments_window, "read_experiment", _read_for_ever)
        window.open_store(half)
        qtbot.waitUntil(lambda: _is_reading(window))
        qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert window.statusBar().currentMessage() == "The experiment was not opened."
    assert window.stack.currentWidget() is window.welcome
    window.open_store(half)
    qtbot.waitUntil(lambda: window.experiment is not None)
    assert "Reading" not in window.statusBar().currentMessage()


def test_closing_waits_for_no_store_that_is_being_read(window, qtbot, half, monkeypatch):
    monkeypatch.setattr(experiments_window, "read_experiment", _read_for_ever)
    window.show()
    window.open_store(half)
    qtbot.waitUntil(lambda: _is_reading(window))
    window.close()  # or it would wait for ever
    assert not window.isVisible()
