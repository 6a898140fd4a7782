"""What stands beside the main window: reached by key and menu, connected, and gone with it."""

import math
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

from gpviz import assets
from gpviz.app.experiments.experiment_runner import ExperimentRunner
from gpviz.app.experiments.window import ExperimentsWindow
from gpviz.app.guide.window import GuideWindow, topic_of
from gpviz.app.main_window import MainWindow
from gpviz.engine import RunConfig, tree_state
from gpviz.experiments.chunk_worker import Chunk, run_chunk
from gpviz.experiments.plan import Plan
from gpviz.experiments.run_row import RunRow
from gpviz.experiments.store import Store
from gpviz.guide_pages import load_pages
from gpviz.lecture.lecture import Lecture, load_lecture
from gpviz.lecture.scene_content import SceneComparison
from gpviz.page_list import CURVES, PAGES, SCENES
from gpviz.runs.settings_text import settings_text
from gpviz.runs.show_request import ShowRequest
from tests.app.lecture.contents import chart
from tests.app.main_windows import press

SHIPPED = assets.folder("lectures") / "why-stuck.gpviz"


def run_to(window: MainWindow, iterations: int, qtbot) -> None:
    window.player.run_to(iterations)
    qtbot.waitUntil(lambda: len(window.player.run.history) >= iterations and window.player.is_settled)


def guide_of(window: MainWindow):
    (guide,) = window.findChildren(GuideWindow)
    return guide


def open_shipped(window: MainWindow, qtbot):
    editor = window.windows.lecture_editor
    with qtbot.waitSignal(editor.opened):
        window.file_controller.open(SHIPPED)
    return editor


class TestGuide:
    def test_f1_opens_it_at_what_has_the_keyboard(self, window):
        press("F1", window.views.canvas)
        assert guide_of(window).topic == ("window", "the-tree")

    def test_f1_is_about_the_page_that_is_typed_into(self, window):
        window.show_page("find")
        window.windows.show_guide()
        assert guide_of(window).topic == ("study", "find")

    def test_the_dialog_of_exports_has_it_too(self, window, qtbot):
        window.windows.ask_export()
        dialog = window.windows.exports.dialog
        qtbot.waitUntil(dialog.isActiveWindow)
        press("F1", dialog)
        assert guide_of(window).topic == ("exporting", "")

    def test_every_page_has_a_place_in_it(self, window, subtests):
        sections = {each.name: [section.slug for section in each.sections] for each in load_pages()}
        for page in (info.name for info in PAGES):
            with subtests.test(page):
                window.show_page(page)
                name, slug = topic_of(window.views.drawer.page(page))
                assert slug in sections[name]

    def test_it_goes_with_the_window(self, own_window):
        window = own_window
        press("F1", window.views.canvas)
        guide = guide_of(window)
        window.close()
        assert not guide.isVisible()


class TestCompare:
    def test_the_run_on_show_can_be_compared_and_a_compared_run_comes_on_show(self, window, qtbot):
        run_to(window, 20, qtbot)
        press("Ctrl+K", window.views.canvas)
        compare = window.windows.compare
        assert compare is not None
        assert compare.isVisible()
        compare.compare_run_on_show()
        assert len(compare.views) == 2
        compare.run_requested.emit(ShowRequest(run=RunConfig(n=5, seed=3), iteration=12))
        qtbot.waitUntil(lambda: window.player.cursor == 12)
        assert window.player.run.config == RunConfig(n=5, seed=3)

    def test_a_compared_run_comes_back_although_another_is_on_show(self, window, qtbot):
        config = window.player.run.config
        run_to(window, 20, qtbot)
        window.windows.show_compare()
        compare = window.windows.compare
        compare.compare_run_on_show()
        compare.player.go_to(12)
        qtbot.waitUntil(lambda: compare.player.cursor == 12)
        window.file_controller.show_run(ShowRequest(run=RunConfig(n=5, seed=77)))
        compare.views[0].open_action.trigger()
        qtbot.waitUntil(lambda: window.player.cursor == 12)
        assert window.player.run.config == config

    def test_a_branch_that_is_gone_is_told_of(self, window, qtbot, monkeypatch):
        reported: list[str] = []
        monkeypatch.setattr("gpviz.app.main_window.show_problem", lambda _, problem: reported.append(problem))
        run_to(window, 20, qtbot)
        window.branch_controller.fork_with(seed=5)
        window.windows.show_branches(0, 1)
        window.document.start_anew()
        window.player.start_run(RunConfig(n=5, seed=77))
        window.windows.compare.views[1].open_action.trigger()
        assert "no longer open" in reported[0]


class TestExport:
    def test_the_tree_goes_to_the_clipboard(self, window, qtbot):
        run_to(window, 20, qtbot)
        press("Ctrl+Shift+C", window.views.canvas)
        data = QApplication.clipboard().mimeData()
        assert not QApplication.clipboard().image().isNull()
        assert b"<text" in bytes(data.data("image/svg+xml").data())
        assert data.text() == window.views.canvas.picture.banner.sentence

    def test_the_page_goes_to_the_clipboard(self, window):
        clipboard = QApplication.clipboard()
        window.show_page("rows")
        window.actions_by_name["copy_page"].trigger()
        page = window.views.drawer.page("rows")
        assert clipboard.image().size() == 2 * page.size()
        press("Esc")
        assert not page.isVisible()
        clipboard.clear()
        window.actions_by_name["copy_page"].trigger()
        assert clipboard.image().isNull()

    def test_an_export_is_called_by_what_was_run_and_not_by_its_file(self, window, tmp_path):
        window.document.path = tmp_path / "r.gpviz"
        window.document.title = ""
        window.windows.ask_export()
        dialog = window.windows.exports.dialog
        assert dialog.title_field.text() == settings_text(window.player.run.config)
        dialog.reject()


class TestLecture:
    @pytest.fixture
    def window(self, own_window):
        return own_window

    def test_f11_shows_the_run_to_an_audience_and_back(self, window, qtbot):
        run_to(window, 20, qtbot)
        press("F11", window.views.canvas)
        session = window.windows.lecture_mode
        assert session.is_active
        press("PgUp", session.audience)
        assert window.player.cursor == 19
        press("Esc", session.audience)
        assert not session.is_active

    def test_a_lecture_opens_with_its_scenes_and_is_given(self, window, qtbot):
        editor = open_shipped(window, qtbot)
        assert window.views.drawer.current == "scenes"
        assert len(editor.lecture.scenes) >= 12
        history = window.player.run.history
        press("F5", window.views.canvas)
        session = window.windows.lecture_mode
        assert session.is_active
        assert window.player.run.history is history
        session.stop()

    def test_the_view_is_captured_as_a_scene_and_saved(self, window, qtbot, tmp_path, monkeypatch):
        run_to(window, 30, qtbot)
        window.player.go_to(17)
        window.show_page("proof")
        press("Ctrl+Shift+A", window.views.canvas)
        editor = window.windows.lecture_editor
        scene = editor.lecture.scenes[0]
        assert (scene.first, scene.last, scene.page) == (17, 17, "proof")
        assert editor.lecture.runs[0].iterations == 30
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "talk.gpviz"), ""))
        window.actions_by_name["save_lecture"].trigger()
        qtbot.waitUntil(lambda: not editor.is_modified)
        assert load_lecture(tmp_path / "talk.gpviz") == editor.lecture

    def test_what_is_captured_is_the_page_looked_at_before_the_scenes(self, window):
        window.show_page("rows")
        window.show_page("scenes")
        window.windows.capture()
        window.windows.capture()
        assert [scene.page for scene in window.windows.lecture_editor.lecture.scenes] == ["rows", "rows"]

    def test_a_scene_comes_on_show_to_be_changed(self, window, qtbot):
        editor = open_shipped(window, qtbot)
        place, scene = next(
            (place, scene) for place, scene in enumerate(editor.lecture.scenes) if scene.branch
        )
        with qtbot.waitSignal(window.file_controller.run_shown):
            editor.show_in_window(place)
        assert window.player.cursor == scene.first
        assert window.branch_controller.shown == scene.branch

    def test_scenes_that_are_not_saved_are_asked_about(self, window, qtbot, monkeypatch):
        window.windows.capture()
        monkeypatch.setattr(QMessageBox, "exec", lambda _: QMessageBox.StandardButton.Cancel)
        window.close()
        assert window.isVisible()
        monkeypatch.setattr(QMessageBox, "exec", lambda _: QMessageBox.StandardButton.Discard)
        window.close()
        assert not window.isVisible()

    def test_scenes_left_behind_by_a_crash_are_offered_again(self, window, qtbot):
        window.windows.capture()
        window.windows.lecture_editor.keep()
        window.windows.lecture_editor.close()
        window.windows._lecture_editor = None
        window.views.drawer.show_page(CURVES)
        window.windows.offer_left_lectures()
        box = window.findChild(QMessageBox)
        box.defaultButton().click()
        assert len(window.windows.lecture_editor.lecture.scenes) == 1
        window.windows.lecture_editor.adopt(window.windows.lecture_editor.lecture)

    def test_undo_and_redo_can_be_chosen_where_there_is_something_to_undo_on_the_page_on_show(self, window):
        undo, redo = (window.actions_by_name[name] for name in ("undo", "redo"))
        assert (undo.isEnabled(), redo.isEnabled()) == (False, False)
        window.windows.capture()
        assert (undo.isEnabled(), redo.isEnabled()) == (True, False)
        window.views.drawer.show_page(CURVES)
        assert not undo.isEnabled(), "nothing was done to the branches"
        window.views.drawer.show_page(SCENES)
        undo.trigger()
        assert (undo.isEnabled(), redo.isEnabled()) == (False, True)


def test_closing_in_the_middle_of_everything_is_safe(own_window, qtbot):
    window = own_window
    window.player.set_speed(math.inf)
    window.player.play()
    open_shipped(window, qtbot)
    window.windows.show_guide()
    window.windows.show_compare()
    window.windows.exports.ask()
    window.windows.present(0)
    window.close()
    assert not window.isVisible()


# --- experiments ---

PLAN = Plan(
    name="desk",
    title="For the desk",
    runs=12,
    seed=60,
    settings={"n": 6, "limit": "n+1", "deletion": "leaf"},
    grid={"empty_tree": ("any", "insert-only")},
)


@pytest.fixture
def store(tmp_path) -> Path:
    path = tmp_path / "desk.gpvizx"
    with Store.create(path, PLAN) as made:
        for cell in PLAN.cells:
            made.add(run_chunk(Chunk(cell.number, cell.config, 0, PLAN.runs, PLAN.max_iterations)))
    return path


def on_show(window: MainWindow) -> ExperimentsWindow | None:
    return window.windows.experiments


def opened(window: MainWindow, store: Path, qtbot) -> ExperimentsWindow:
    """The experiments window with the table of all runs, stuck ones first."""
    window.file_controller.open(store)
    experiments = window.windows.experiments
    assert experiments is not None
    qtbot.waitUntil(lambda: experiments.experiment is not None)
    results = experiments.results
    results.tabs.setCurrentWidget(results.runs)
    order = results.runs.order_field
    order.setCurrentIndex(order.findData("stuck_first"))
    # What was listed before stays until the other order is read.
    qtbot.waitUntil(lambda: (run := stored_at(experiments, 0)) is not None and run.outcome == "stuck")
    return experiments


def stored_at(experiments: ExperimentsWindow, row: int) -> RunRow | None:
    run = experiments.results.runs.model.row_at(row)
    return None if run is None else run.row


def test_from_experiments_one_comes_to_comparisons_and_back_by_their_keys(window, qtbot):
    windows = window.windows
    windows.show_experiments()
    experiments = on_show(window)
    assert experiments is not None
    qtbot.waitUntil(experiments.isActiveWindow)
    press("Ctrl+K", experiments.launch.start_button)
    compare = windows.compare
    assert compare is not None
    qtbot.waitUntil(compare.isActiveWindow)
    press("Ctrl+B", compare)
    qtbot.waitUntil(experiments.isActiveWindow)


def test_a_file_that_only_has_the_ending_of_an_experiment_is_told_to_be_none(window, qtbot, tmp_path):
    path = tmp_path / "foreign.gpvizx"
    path.write_text("nothing of ours")
    window.file_controller.open(path)
    experiments = on_show(window)
    assert experiments is not None
    qtbot.waitUntil(lambda: "is not an experiment of gpviz" in experiments.problem.text())


def test_a_closed_one_is_made_anew(window):
    window.windows.show_experiments()
    first = on_show(window)
    assert first is not None
    first.close()
    assert on_show(window) is None
    window.windows.show_plan(PLAN)
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
    player = window.player
    cell, row = stuck[0]
    since = row.stuck_since
    assert since is not None
    qtbot.waitUntil(lambda: player.cursor == since)
    assert player.run.config == cell.config_of(row.number)
    qtbot.waitUntil(lambda: player.is_settled)
    seed = PLAN.seed + row.number
    said = f"For the desk, first leaf by INS only, seed {seed}: stuck since iteration {since}"
    qtbot.waitUntil(lambda: window.document.title.replace("\N{NO-BREAK SPACE}", " ") == said)
    assert window.document.explanation == "It never improves again."
    assert "It never improves again." in window.views.title_line.title.toolTip()
    assert tree_state(player.run.history.tree_at(since), player.run.config).name == "STUCK"
    assert tree_state(player.run.history.tree_at(since - 1), player.run.config).name != "STUCK"
    assert window.windows.compare is None, "it comes on show without passing through the comparisons"


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
    compare = window.windows.compare
    assert compare is not None
    assert [lane.config.seed for lane in compare.player.runs] == [PLAN.seed + number for number in chosen]


@pytest.mark.parametrize("answer", [QMessageBox.StandardButton.No, QMessageBox.StandardButton.Yes])
def test_leaving_while_an_experiment_runs_is_asked_about(window, monkeypatch, answer):
    asked: list[str] = []

    def ask(box):
        asked.append(box.text())
        return answer

    window.windows.show_experiments()
    monkeypatch.setattr(QMessageBox, "exec", ask)
    monkeypatch.setattr(ExperimentRunner, "is_running", True)
    assert window.windows.may_close() == (answer is QMessageBox.StandardButton.Yes)
    assert "The finished runs are kept" in asked[0]


def test_charts_and_comparisons_become_scenes_of_the_lecture(own_window, qtbot):
    window = own_window
    windows = window.windows
    windows.show_experiments()
    windows.experiments.chart_given.emit(chart())
    assert windows.experiments.statusBar().currentMessage() == "Added as scene 1 of “Untitled lecture”."
    windows.show_compare()
    compare = windows.compare
    compare.player.step_forward()
    qtbot.waitUntil(lambda: compare.player.cursor == 1)
    compare.lecture_button.click()
    assert compare.statusBar().currentMessage() == "Added as scene 2 of “Untitled lecture”."
    first, second = windows.lecture_editor.lecture.scenes
    assert first.content == chart()
    assert isinstance(second.content, SceneComparison)
    windows.lecture_editor.adopt(Lecture(title="Nothing to save"))
