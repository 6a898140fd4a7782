"""From an experiment to the stepper: the window is reached, and a run chosen there comes on show."""

from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QMessageBox

from gpviz.app.experiments.window import ExperimentsWindow
from gpviz.app.main_window import MainWindow
from gpviz.app.settings import Settings
from gpviz.app.theme_manager import ThemeManager
from gpviz.engine import RunConfig, tree_state
from gpviz.experiments.chunks import Chunk, RunRow, run_chunk
from gpviz.experiments.plan import Plan
from gpviz.experiments.store import Store
from tests.app.test_windows import press

PLAN = Plan(
    name="desk",
    title="For the desk",
    runs=12,
    seed=60,
    settings={"n": 6, "limit": "n+1", "deletion": "leaf"},
    grid={"empty_tree": ("any", "insert-only")},
)


@pytest.fixture
def window(qtbot):
    settings = Settings()
    settings.set_flag("hint_seen", True)
    theme_manager = ThemeManager(settings, "light")
    theme_manager.apply()
    made = MainWindow(settings, theme_manager)
    made.resize(1280, 720)
    made.show()
    qtbot.waitUntil(lambda: made.windowHandle().isExposed())
    yield made
    made.end_services()
    made.close()
    made.deleteLater()


@pytest.fixture
def store(tmp_path) -> Path:
    path = tmp_path / "desk.gpvizx"
    with Store.create(path, PLAN) as made:
        for cell in PLAN.cells:
            made.add(run_chunk(Chunk(cell.number, cell.config, 0, PLAN.runs, PLAN.max_iterations)))
    return path


def on_show(window: MainWindow) -> ExperimentsWindow | None:
    return window.windows.experimenting.experiments


def opened(window: MainWindow, store: Path, qtbot) -> ExperimentsWindow:
    """The experiments window with the table of all runs, stuck ones first."""
    window.open_file(store)
    experiments = window.windows.experimenting.experiments
    assert experiments is not None
    qtbot.waitUntil(lambda: experiments.snapshot is not None)
    results = experiments.results
    results.tabs.setCurrentWidget(results.runs)
    order = results.runs.bar.order_field
    order.setCurrentIndex(order.findData("stuck_first"))
    qtbot.waitUntil(lambda: stored_at(experiments, 0) is not None)
    return experiments


def stored_at(experiments: ExperimentsWindow, row: int) -> RunRow | None:
    run = experiments.results.runs.model.row_at(row)
    return None if run is None else run.row


def test_a_key_opens_the_window_and_f1_its_page_of_the_guide(window, qtbot):
    press(window.views.stage.canvas, "Ctrl+B")
    experiments = window.windows.experimenting.experiments
    assert experiments is not None
    qtbot.waitUntil(experiments.isActiveWindow)
    press(experiments, "F1")
    assert window.windows._guide.place == ("experiments", "")


def test_from_experiments_one_comes_to_comparisons_and_back_by_their_keys(window, qtbot):
    windows = window.windows
    windows.experimenting.show()
    experiments = on_show(window)
    assert experiments is not None
    qtbot.waitUntil(experiments.isActiveWindow)
    press(experiments.launch.start_button, "Ctrl+K")
    compare = windows.comparing.compare
    assert compare is not None
    qtbot.waitUntil(compare.isActiveWindow)
    press(compare, "Ctrl+B")
    qtbot.waitUntil(experiments.isActiveWindow)


def test_no_two_commands_of_the_window_have_the_same_key(window):
    window.windows.experimenting.show()
    experiments = on_show(window)
    assert experiments is not None
    commands = list(experiments.commands.by_name.values())
    shared = [action for action in experiments.actions() if action not in commands]
    keys = [key.toString() for action in (*commands, *shared) for key in action.shortcuts()]
    keys += [each.key().toString() for each in experiments.findChildren(QShortcut)]
    assert "F1" in keys
    assert len(keys) == len(set(keys))


def test_a_file_that_only_has_the_ending_of_an_experiment_is_told_to_be_none(window, qtbot, tmp_path):
    path = tmp_path / "foreign.gpvizx"
    path.write_text("nothing of ours")
    window.open_file(path)
    experiments = on_show(window)
    assert experiments is not None
    qtbot.waitUntil(lambda: "is not an experiment of gpviz" in experiments.problem.text())


def test_it_follows_the_theme(window):
    window.windows.experimenting.show()
    window.theme_manager.choose("dark")
    assert window.windows.experimenting.experiments.results.runs._theme.name == "dark"


def test_a_closed_one_is_made_anew(window):
    desk = window.windows.experimenting
    desk.show()
    first = on_show(window)
    assert first is not None
    first.close()
    assert on_show(window) is None
    desk.show_plan(PLAN)
    second = on_show(window)
    assert second is not None
    assert second is not first
    plan = second.editor.plan()
    assert plan is not None
    assert plan.is_same_experiment(PLAN)


def test_a_double_click_opens_the_run_where_it_got_stuck(window, store, qtbot):
    experiments = opened(window, store, qtbot)
    with Store.open(store) as results:
        stuck = [
            (cell, row) for cell in PLAN.cells for row in results.rows(cell.number) if row.outcome == "stuck"
        ]
    assert stuck, "these seeds were chosen because one of them gets stuck"
    view = experiments.results.runs.view
    place = view.visualRect(view.model().index(0, 1)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    controller = window.controller
    cell, row = stuck[0]
    since = row.stuck_since
    assert since is not None
    qtbot.waitUntil(lambda: controller.cursor == since)
    assert controller.config == cell.config_of(row.number)
    qtbot.waitUntil(lambda: controller.is_settled)
    title, text = window.views._about_title, window.views._about_text
    seed = PLAN.seed + row.number
    assert title.text().replace("\N{NO-BREAK SPACE}", " ") == (
        f"For the desk, only INS plants, seed {seed}: stuck since iteration {since}"
    )
    assert text.text() == "It never improves again."
    assert text.isVisible(), "short as it is, there is room for it in a low window, too"
    assert title.height() >= title.heightForWidth(title.width())
    assert tree_state(controller.history.tree_at(since), controller.config).name == "STUCK"
    assert tree_state(controller.history.tree_at(since - 1), controller.config).name != "STUCK"


def test_a_run_that_is_kept_by_hand_stays_if_a_person_says_so(window, store, qtbot, monkeypatch):
    experiments = opened(window, store, qtbot)
    monkeypatch.setattr(window.file_controller, "may_let_go", lambda: False)
    before = window.controller.config
    experiments.run_chosen.emit(RunConfig(n=5, seed=3), 7)
    assert window.controller.config == before


def test_a_long_text_about_a_run_is_folded_in_a_low_window_and_a_short_one_is_not(window):
    views = window.views
    title, text = views._about_title, views._about_text
    views.fold_about(True)
    views.set_about("Title", "word " * 40)
    assert not text.isVisible()
    assert title.toolTip() == text.text()
    views.set_about("Title", "One short sentence.")
    assert text.isVisible()
    assert not title.toolTip()
    views.set_about("<b>Title</b>", "word " * 40)
    views.fold_about(False)
    assert text.isVisible()
    assert title.textFormat() is Qt.TextFormat.PlainText


def test_of_a_run_that_is_not_in_the_table_only_so_much_is_said(window, store, qtbot):
    experiments = opened(window, store, qtbot)
    experiments.run_chosen.emit(RunConfig(n=5, seed=3), 0)
    assert window.views._about_title.text() == "A run of an experiment"
    assert not window.views._about_text.isVisible()


def test_two_chosen_runs_are_compared(window, store, qtbot):
    experiments = opened(window, store, qtbot)
    runs = experiments.results.runs
    flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    runs.view.clearSelection()
    for row in (0, 1):
        runs.view.selectionModel().select(runs.view.model().index(row, 0), flags)
    rows = [stored_at(experiments, row) for row in (0, 1)]
    chosen = [row.number for row in rows if row is not None]
    runs.compare_button.click()
    compare = window.windows.comparing.compare
    assert compare is not None
    assert [lane.config.seed for lane in compare.lanes.runs] == [PLAN.seed + number for number in chosen]


def test_what_cannot_be_compared_is_said(window, store, qtbot):
    desk = window.windows.experimenting
    told: list[str] = []
    experiments = opened(window, store, qtbot)
    desk.problem_met.disconnect()
    desk.problem_met.connect(told.append)
    experiments.comparison_chosen.emit((("alone", RunConfig(n=4)),))
    assert len(told) == 1
    assert "from 2 to 4" in told[0]


@pytest.mark.parametrize("answer", [QMessageBox.StandardButton.No, QMessageBox.StandardButton.Yes])
def test_leaving_while_an_experiment_runs_is_asked_about(window, monkeypatch, answer):
    asked: list[str] = []

    def ask(_parent, _title, words):
        asked.append(words)
        return answer

    window.windows.experimenting.show()
    monkeypatch.setattr(QMessageBox, "question", ask)
    monkeypatch.setattr(ExperimentsWindow, "is_running", True)
    assert window.windows.may_close() == (answer is QMessageBox.StandardButton.Yes)
    assert "What is done is kept" in asked[0]


def test_an_experiment_that_ends_with_its_window_is_told_of_in_the_main_one(window, store, qtbot):
    experiments = opened(window, store, qtbot)
    experiments.told.emit("The experiment was stopped.")
    assert window.statusBar().currentMessage() == "The experiment was stopped."
