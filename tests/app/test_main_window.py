"""The window as a whole: every action by key and by menu, runs, files, bookmarks, and closing in the middle."""

import math
import re
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QAction, QCloseEvent, QDropEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QInputDialog,
    QMessageBox,
    QWidget,
)

from gpviz.app.actions import action_specs
from gpviz.app.dialogs import file_dialogs
from gpviz.app.dialogs.new_run_dialog import NewRunDialog
from gpviz.app.main_window import MainWindow
from gpviz.app.preferences import data_folder
from gpviz.app.run.autosave import orphans
from gpviz.app.tasks import is_any_task_busy
from gpviz.engine import Function, Mutation, Operation, RunConfig, Side, format_formula, parse
from gpviz.engine.interruption import checkpoint
from gpviz.engine.mutation_script import format_script
from gpviz.page_list import PAGES
from gpviz.runs.presets import load_presets
from gpviz.runs.run_file import load
from gpviz.runs.show_request import ShowRequest
from tests.app.canvas.pictures import card_text
from tests.app.main_windows import NEVER, choose_preset, let_go, open_window, press, run_to

CONFIG = RunConfig(n=4, limit="8", seed=5)
GOLDEN = Path(__file__).parents[1] / "golden" / "version-1.gpviz"
ACCEPT, REJECT = QMessageBox.StandardButton.Discard, QMessageBox.StandardButton.Cancel


def layout_action(window: MainWindow, name: str) -> QAction:
    window.menus.layouts.aboutToShow.emit()
    return next(action for action in window.menus.layouts.actions() if action.data() == name)


@pytest.fixture
def save_to(window, monkeypatch):
    """Saves the run on show to a file, as if a person chose that name."""

    def save(path: Path) -> None:
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
        window.actions_by_name["save_as"].trigger()
        assert window.document.path == path

    return save


class TestActions:
    def test_the_arrows_step(self, window, qtbot):
        for expected in (1, 2, 3):
            press("Right")
            qtbot.waitUntil(lambda expected=expected: window.player.cursor == expected)
        press("Left")
        assert window.player.cursor == 2
        press("Home")
        assert window.player.cursor == 0
        press("End")
        assert window.player.cursor == 3

    def test_arrows_with_shift_go_to_accepted_mutations(self, window, qtbot):
        run_to(window, 100, qtbot)
        window.player.go_first()
        press("Shift+Right")
        first = window.player.cursor
        press("Shift+Right")
        second = window.player.cursor
        assert 0 < first < second
        press("Shift+Left")
        assert window.player.cursor == first

    def test_shift_space_plays_backwards(self, window, qtbot):
        run_to(window, 50, qtbot)
        press("Shift+Space")
        assert window.player.direction == -1
        press("Space")
        assert not window.player.is_playing

    def test_a_switch_goes_on_and_off_by_its_action(self, window, subtests):
        for name in (spec.name for spec in action_specs() if spec.is_checkable):
            with subtests.test(name):
                action = window.actions_by_name[name]
                before = action.isChecked()
                action.trigger()
                assert action.isChecked() is not before
                action.trigger()
                assert action.isChecked() is before

    def test_what_cannot_be_done_is_disabled(self, window, qtbot):
        actions = window.actions_by_name
        assert not actions["previous"].isEnabled()
        assert not actions["live_end"].isEnabled()
        run_to(window, 20, qtbot)
        assert actions["previous"].isEnabled()
        window.player.go_to(5)
        assert actions["live_end"].isEnabled()

    def test_going_to_an_iteration_that_is_typed(self, window, qtbot, monkeypatch):
        run_to(window, 60, qtbot)
        monkeypatch.setattr(QInputDialog, "getInt", lambda *_: (37, True))
        window.actions_by_name["go_to"].trigger()
        assert window.player.cursor == 37

    def test_full_screen_and_back(self, window):
        press("Shift+F11")
        assert window.isFullScreen()
        press("Escape")
        assert not window.isFullScreen()


class TestFocus:
    def test_a_screen_reader_reads_text_and_no_class_names(self, window):
        names = [widget.accessibleName() for widget in window.findChildren(QWidget)]
        assert [name for name in names if re.search("[a-z][A-Z]", name)] == []

    def test_escape_gives_the_keys_back_to_the_stage(self, window):
        window.show_page("find")
        press("Escape")
        assert window.views.canvas.hasFocus()


class TestRuns:
    def test_a_new_run_is_set_up_in_a_dialog(self, window, qtbot):
        run_to(window, 50, qtbot)
        press("Ctrl+1")
        (dialog,) = window.findChildren(NewRunDialog)
        dialog.fields["n"].setText("9")
        assert window.player.run.config.n == 6
        press("Return", dialog.fields["n"])
        assert window.player.run.config.n == 9
        assert not dialog.isVisible()

    def test_what_was_typed_stays_when_the_run_on_show_is_kept(self, window, qtbot, monkeypatch):
        window.document.add_bookmark(0)
        monkeypatch.setattr(QMessageBox, "exec", lambda _: QMessageBox.StandardButton.Cancel)
        press("Ctrl+1")
        (dialog,) = (each for each in window.findChildren(NewRunDialog) if each.isVisible())
        dialog.fields["n"].setText("9")
        press("Return", dialog.fields["n"])
        assert window.player.run.config.n == 6
        assert dialog.isVisible()
        assert dialog.fields["n"].text() == "9"
        dialog.reject()

    def test_a_branch_is_named_with_its_beginning_once(self, window, qtbot):
        run_to(window, 20, qtbot)
        window.player.go_to(20)
        window.branch_controller.fork_with(seed=5)
        chip = window.views.title_line.branch
        assert chip.text().startswith("Seed 5 from 20 ")
        window.branch_controller.rename(window.branch_controller.shown, "Mine")
        assert chip.text().startswith("Mine from t = 20 ")

    def test_the_next_seed_and_the_same_seed_are_a_key_away(self, window, qtbot):
        run_to(window, 20, qtbot)
        press("Ctrl+N")
        assert (window.player.run.config.seed, window.player.cursor) == (2, 0)
        run_to(window, 20, qtbot)
        press("Ctrl+R")
        assert (window.player.run.config.seed, window.player.cursor) == (2, 0)

    def test_every_preset_opens_with_its_title_and_explanation(self, window, subtests):
        for preset in load_presets():
            with subtests.test(preset.name):
                choose_preset(window, preset.name)
                assert window.player.run.config == preset.config
                assert window.player.speed == preset.speed
                assert window.document.title == preset.title
                assert window.document.explanation == preset.explanation
                assert window.views.title_line.title.text() == preset.title
                assert preset.explanation == window.views.title_line.title.accessibleDescription()

    def test_a_stuck_tree_gets_its_frame_also_while_the_run_goes_on(self, window, qtbot, subtests):
        for speed in (60.0, math.inf):
            with subtests.test(speed=speed):
                choose_preset(window, "first-run")
                qtbot.waitUntil(lambda: window.views.canvas.state != "STUCK")
                choose_preset(window, "figure-1-first-tree")
                window.player.set_rules(NEVER)
                window.player.set_speed(speed)
                window.player.play()
                qtbot.waitUntil(lambda: window.player.cursor > 3)
                qtbot.waitUntil(lambda: window.views.canvas.state == "STUCK")
                window.player.pause()

    def test_looking_for_an_accepted_mutation_is_playing(self, window, qtbot):
        choose_preset(window, "figure-1-first-tree")
        window.player.set_rules(NEVER)
        press("Shift+Right")
        assert window.actions_by_name["play"].text() == "&Pause"
        qtbot.waitUntil(lambda: len(window.player.run.history) > 100)
        press("Space")
        assert not window.player.is_playing
        assert window.actions_by_name["play"].text() == "&Play"

    def test_playing_into_a_stuck_tree_pauses_with_the_reason(self, window, qtbot):
        choose_preset(window, "leaf-deletion")
        window.player.set_speed(math.inf)
        with qtbot.waitSignal(window.player.paused_by):
            window.player.play()
        assert "stuck" in window.views.title_line.message
        qtbot.waitUntil(lambda: window.views.canvas.state == "STUCK")
        assert window.player.run.stuck_since == 81

    def test_the_state_of_the_tree_follows_the_cursor(self, window, qtbot):
        choose_preset(window, "first-run")
        window.player.set_speed(math.inf)
        with qtbot.waitSignal(window.player.paused_by):
            window.player.play()
        qtbot.waitUntil(lambda: window.views.canvas.state == "SOLVED")
        window.player.go_to(30)
        qtbot.waitUntil(lambda: window.views.canvas.state == "")
        window.player.go_live()
        assert window.views.canvas.state == "SOLVED"

    def test_hovering_a_node_tells_what_it_contributes(self, window, qtbot):
        choose_preset(window, "figure-1-first-tree")
        qtbot.waitUntil(lambda: window.views.canvas.state == "STUCK")
        canvas = window.views.canvas
        canvas.select(canvas.moment.tree.uid)
        qtbot.waitUntil(lambda: "Computes" in card_text(canvas))

    def test_the_time_strip_moves_the_cursor(self, window, qtbot):
        run_to(window, 100, qtbot)
        window.views.strip.iteration_chosen.emit(40)
        assert window.player.cursor == 40


class TestPages:
    """What the window adds to its pages: actions, room, the keyboard, undo, and the file."""

    @pytest.fixture
    def window(self, window):
        window.player.start_run(CONFIG, parse("x1 & (x2 | x3)", 4))
        return window

    def step(self, window, qtbot, count):
        for _ in range(count):
            with qtbot.waitSignal(window.player.moment_changed):
                window.player.step_forward()

    def trigger(self, window, name):
        window.actions_by_name[name].trigger()

    def test_every_page_is_reached_by_its_action(self, window, subtests):
        for name in (info.name for info in reversed(PAGES)):
            with subtests.test(name):
                window.actions_by_name["look_closer"].setChecked(False)
                self.trigger(window, f"page_{name}")
                assert window.views.drawer.current == name
                assert window.views.drawer.made(name).isVisible()
                assert window.actions_by_name["look_closer"].isChecked()

    def test_a_page_to_be_typed_into_has_the_keyboard_at_once(self, window):
        self.trigger(window, "page_find")
        assert window.focusWidget() is window.views.drawer.page("find").field

    def test_guess_first_asks_in_the_banner_and_counts(self, window, qtbot):
        bar = window.views.guess_bar
        self.trigger(window, "quiz")
        with qtbot.waitSignal(window.quiz.asked):
            self.trigger(window, "next")
        assert bar.isVisible()
        with qtbot.waitSignal(window.quiz.answered):
            bar.accepted.click()
        step = window.player.run.history.step_at(1)
        assert window.quiz.score == (int(step.is_accepted), 1)
        self.trigger(window, "quiz")
        assert not bar.isVisible()

    def test_a_mutation_applied_by_hand_makes_a_branch_and_undo_takes_it_back(self, window, qtbot):
        self.step(window, qtbot, 3)
        self.trigger(window, "page_hand")
        mutation = Mutation(Operation.INS, 1, 4, Function.AND, Side.LEFT)
        page = window.views.drawer.page("hand")
        page.operation.set_value("INS")
        page.node.setText("1")
        page.variable.setText("4")
        page.function.set_value("and")
        page.side.set_value("left")
        assert page.mutation() == mutation
        window.views.canvas.setFocus()  # where the node may have been chosen
        press("Ctrl+Return")
        assert window.player.cursor == 4
        assert window.player.run.history.step_at(4).mutation == mutation
        assert window.document.would_lose_something
        self.trigger(window, "undo")
        assert (window.player.cursor, len(window.branch_controller.branches)) == (3, 1)
        assert not window.document.would_lose_something
        self.trigger(window, "redo")
        assert window.player.run.history.step_at(4).mutation == mutation

    def test_a_script_is_recorded_by_hand_started_saved_and_opened(self, window, qtbot, tmp_path, save_to):
        choose_preset(window, "theorem-1-played")
        self.trigger(window, "page_hand")
        self.step(window, qtbot, 2)
        page = window.views.drawer.page("hand")
        page.set_selected(3)
        page.variable.setText("1")
        page.apply_button.click()  # x1 | (x1 & x1), in a branch
        save_to(tmp_path / "branches.gpviz")  # else it would be asked about
        page.record_button.click()
        script = window.player.run.history.script
        entries = ["insert x1", "insert or x1 at 1 right", "insert and x1 at 3"]
        assert format_script(script, None) == entries
        self.step(window, qtbot, 2)
        save_to(tmp_path / "script.gpviz")
        window.player.start_run(CONFIG)
        with qtbot.waitSignal(window.file_controller.run_shown):
            window.file_controller.open(tmp_path / "script.gpviz")
        self.step(window, qtbot, 1)
        assert format_formula(window.player.run.history.tree_at(3)) == "x1 | (x1 & x1)"
        assert window.player.run.history.script == script

    def test_a_run_is_saved_and_opened_with_its_branches(self, window, qtbot, tmp_path, save_to):
        self.step(window, qtbot, 6)
        window.player.go_to(4)
        assert window.branch_controller.fork_with(deletion="leaf")
        self.step(window, qtbot, 3)
        window.branch_controller.rename(1, "leaf only")
        shown = window.player.run.history.fingerprint()
        save_to(tmp_path / "branches.gpviz")
        assert not window.document.would_lose_something
        window.player.start_run(CONFIG)
        with qtbot.waitSignal(window.file_controller.run_shown):
            window.file_controller.open(tmp_path / "branches.gpviz")
        assert [branch.name for branch in window.branch_controller.branches][1:] == ["leaf only"]
        assert (window.branch_controller.shown, window.player.cursor) == (1, 7)
        assert window.player.run.history.fingerprint() == shown
        assert window.player.run.config.deletion == "leaf"
        assert not window.document.would_lose_something
        window.branch_controller.switch_to(0)
        assert (len(window.player.run.history), window.player.run.config.deletion) == (
            6,
            CONFIG.deletion,
        )


class TestBookmarks:
    def test_b_marks_the_iteration_and_unmarks_it(self, window, qtbot):
        run_to(window, 20, qtbot)
        window.player.go_to(7)
        press("B")
        assert [mark.iteration for mark in window.document.bookmarks] == [7]
        assert window.isWindowModified()
        press("B")
        assert window.document.bookmarks == ()

    def test_bookmarks_that_are_not_saved_are_asked_about(self, window, qtbot, monkeypatch):
        window.document.add_bookmark(0)
        monkeypatch.setattr(QMessageBox, "exec", lambda _: REJECT)
        press("Ctrl+N")
        assert window.player.run.config.seed == 1
        event = QCloseEvent()
        window.closeEvent(event)
        assert not event.isAccepted()
        monkeypatch.setattr(QMessageBox, "exec", lambda _: ACCEPT)
        press("Ctrl+N")
        assert window.player.run.config.seed == 2
        assert window.document.bookmarks == ()


class TestFiles:
    def test_a_saved_run_opens_again_as_it_was(self, window, qtbot, tmp_path, monkeypatch):
        path = tmp_path / "run.gpviz"
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
        run_to(window, 300, qtbot)
        window.document.add_bookmark(5, "here")
        fingerprint = window.player.run.history.fingerprint()
        press("Ctrl+S")
        assert not window.isWindowModified()
        press("Ctrl+N")
        with qtbot.waitSignal(window.file_controller.run_shown):
            press("Ctrl+O")
        assert window.player.run.history.fingerprint() == fingerprint
        assert window.document.bookmarks[0].note == "here"
        assert window.windowTitle().startswith("run.gpviz")
        assert window.preferences.recent_files == [str(path)]

    def test_a_broken_file_is_refused_and_the_run_stays(self, window, qtbot, tmp_path):
        path = tmp_path / "broken.gpviz"
        path.write_text("no run")
        before = window.player.run.history
        with qtbot.waitSignal(window.file_controller.problem_met) as reported:
            window.file_controller.open(path)
        assert "broken.gpviz" in reported.args[0]
        assert window.player.run.history is before
        assert path.read_text() == "no run"
        window.findChild(QMessageBox).close()

    def test_a_folder_that_cannot_be_written_loses_nothing(self, window, tmp_path, qtbot, monkeypatch):
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "no" / "x.gpviz"), ""))
        window.document.add_bookmark(0)
        with qtbot.waitSignal(window.file_controller.problem_met):
            press("Ctrl+S")
        assert window.isWindowModified()
        window.findChild(QMessageBox).close()

    def test_a_run_file_can_be_dropped_on_the_window(self, window, qtbot, tmp_path):
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(GOLDEN))])
        event = QDropEvent(
            QPointF(50, 50),
            Qt.DropAction.CopyAction,
            data,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        with qtbot.waitSignal(window.file_controller.run_shown):
            window.dropEvent(event)
        assert window.document.path == GOLDEN

    def test_recent_files_are_offered_and_can_be_forgotten(self, window, qtbot):
        with qtbot.waitSignal(window.file_controller.run_shown):
            window.file_controller.open(GOLDEN)
        (entry,) = (each for each in window.menus.gallery() if each.text == "version-1.gpviz")
        with qtbot.waitSignal(window.file_controller.run_shown):
            entry.run()
        (forget,) = (each for each in window.menus.gallery() if each.text == "Clear this list")
        forget.run()
        assert window.preferences.recent_files == []

    def test_bookmarks_made_while_a_file_is_opened_are_asked_about(self, window, qtbot, monkeypatch):
        asked: list[bool] = []

        def ask(_box):
            asked.append(True)
            return REJECT

        monkeypatch.setattr(QMessageBox, "exec", ask)
        window.file_controller.open(GOLDEN)
        window.document.add_bookmark(0, "mine")
        qtbot.waitUntil(lambda: bool(asked))
        assert window.document.bookmarks[0].note == "mine"
        assert window.document.path is None

    def test_a_file_that_is_ready_waits_for_the_answer_to_a_question(self, window, qtbot, monkeypatch):
        seen: list[int] = []

        def ask(_box):
            qtbot.waitUntil(lambda: not is_any_task_busy())
            seen.append(len(window.player.run.history))
            return ACCEPT

        window.file_controller.open(GOLDEN)
        window.document.add_bookmark(0, "mine")
        monkeypatch.setattr(QMessageBox, "exec", ask)
        assert window.file_controller.may_let_go()
        assert seen == [0]
        qtbot.waitUntil(lambda: window.document.path == GOLDEN)

    def test_a_file_asked_to_play_plays_from_its_start(self, window, qtbot):
        begun: list[tuple[bool, int, int]] = []
        player = window.player
        player.playing_changed.connect(
            lambda: begun.append((player.is_playing, player.cursor, len(player.run.history)))
        )
        window.file_controller.open(GOLDEN, plays=True)
        qtbot.waitUntil(lambda: bool(begun))
        player.pause()
        assert begun[0] == (True, 0, 2000)

    def test_a_branch_put_on_show_gives_up_opening(self, window, monkeypatch):
        window.branch_controller.fork_with(seed=5)
        monkeypatch.setattr(QMessageBox, "exec", lambda _: QMessageBox.StandardButton.Discard)
        window.file_controller.open(GOLDEN)
        assert window.file_controller.show_run(window.branch_controller.request_for(0))
        assert not window.file_controller.cancel()
        assert (window.branch_controller.shown, window.document.path) == (0, None)

    def test_escape_gives_up_opening(self, window, qtbot):
        window.file_controller.open(GOLDEN, plays=True)
        press("Escape")
        assert not window.file_controller.cancel()
        assert window.document.path is None
        assert "cancelled" in window.views.title_line.message


class TestLooks:
    def test_what_was_chosen_is_remembered(self, qtbot):
        window = open_window()
        window.actions_by_name["ghosts"].setChecked(False)
        window.actions_by_name["log_scale"].setChecked(False)
        window.actions_by_name["theory"].setChecked(True)
        window.show_page("neighbours")
        window.views.drawer.page("neighbours").remembered_switches()["neighbour_outlooks"].setChecked(True)
        layout_action(window, "radial").trigger()
        window.close()
        let_go(window)
        other = open_window()
        try:
            assert not other.actions_by_name["ghosts"].isChecked()
            assert not other.actions_by_name["log_scale"].isChecked()
            assert other.actions_by_name["theory"].isChecked()
            assert other.actions_by_name["neighbour_outlooks"].isChecked()
            other.show_page("neighbours")
            switch = other.views.drawer.page("neighbours").remembered_switches()["neighbour_outlooks"]
            assert switch.isChecked()
            other.actions_by_name["neighbour_outlooks"].trigger()
            assert not switch.isChecked()
            assert other.views.canvas.layout_name == "radial"
        finally:
            let_go(other)

    def test_a_scale_that_large_errors_ask_for_is_not_taken_for_a_preference(self, own_window, qtbot):
        window = own_window
        action = window.actions_by_name["log_scale"]
        action.setChecked(False)
        window.file_controller.show_run(ShowRequest(run=RunConfig(n=60, seed=1)))
        window.player.run_to(20)
        qtbot.waitUntil(lambda: window.player.cursor == 20)
        qtbot.waitUntil(action.isChecked)
        window.close()
        assert not window.preferences.flag("log_scale", True)

    def test_escape_cancels_the_opening_of_a_lecture(self, window, qtbot, monkeypatch, tmp_path):
        def for_ever(_path, _on_progress):
            while True:
                checkpoint()

        monkeypatch.setattr("gpviz.app.lecture.lecture_editor.load_lecture", for_ever)
        window.windows.open_lecture(tmp_path / "talk.gpviz")
        assert window.views.title_line.message == "Opening talk.gpviz (Esc cancels) …"
        qtbot.keyClick(window, Qt.Key.Key_Escape)
        assert window.views.title_line.message == "Opening was cancelled."
        assert not window.windows.cancel_opening()

    def test_the_system_decides_on_motion_until_a_person_does(self, monkeypatch, qtbot):
        system = {"is_reduced": True}
        monkeypatch.setattr("gpviz.app.main_window.is_motion_reduced", lambda: system["is_reduced"])

        def starts(*, chooses: bool | None = None) -> bool:
            """Whether motion is reduced in a new window; what a person then chooses in it."""
            window = open_window()
            action = window.actions_by_name["reduced_motion"]
            is_reduced = action.isChecked()
            if chooses is not None:
                action.setChecked(chooses)
            window.close()
            let_go(window)
            return is_reduced

        assert starts(chooses=False)
        assert not starts(chooses=True)
        system["is_reduced"] = False
        assert not starts()

    def test_the_mutation_of_a_large_tree_is_followed_unless_it_runs_fast(self, window, qtbot):
        canvas, follow = window.views.canvas, window.actions_by_name["follow"]
        assert follow.isChecked()
        window.resize(1100, 760)
        choose_preset(window, "n-64")
        run_to(window, 600, qtbot)
        window.player.go_to(600)  # a tree that is solved is shown as a whole
        qtbot.waitUntil(lambda: not canvas.is_moving and not canvas.minimap.isHidden())
        window.player.set_speed(30.0)
        window.player.go_to(550)
        window.player.play()
        qtbot.waitUntil(lambda: canvas.minimap.isHidden())
        window.player.pause()
        qtbot.waitUntil(lambda: not canvas.minimap.isHidden())
        window.actions_by_name["fit"].trigger()
        assert not follow.isChecked()
        qtbot.waitUntil(lambda: canvas.minimap.isHidden())
        follow.trigger()
        assert canvas.is_following

    def test_a_refused_layout_is_said_once_and_not_remembered(self, window, qtbot):
        choose_preset(window, "n-64")
        layout_action(window, "shell").trigger()
        run_to(window, 400, qtbot)
        assert window.views.canvas.is_layout_refused
        assert window.preferences.text("layout") == "tidy"
        assert "drawn as a tidy tree" in window.views.title_line.message
        window.menus.layouts.aboutToShow.emit()
        assert layout_action(window, "tidy").isChecked()


class TestClosing:
    @pytest.mark.parametrize("moment", ["playing", "opening", "backwards", "searching", "layout", "moving"])
    def test_the_window_closes_in_the_middle_of(self, qtbot, moment, tmp_path):
        window = open_window()
        player = window.player
        if moment == "playing":
            player.set_speed(math.inf)
            player.play()
        elif moment == "opening":
            window.file_controller.open(GOLDEN)
        elif moment == "backwards":
            run_to(window, 500, qtbot)
            player.play_backwards()
        elif moment == "searching":
            player.go_next_accepted()
        elif moment == "layout":
            choose_preset(window, "theorem-1")
            layout_action(window, "spring").trigger()
        else:
            player.step_forward()
            qtbot.waitUntil(lambda: player.cursor == 1)
        window.close()
        assert [timer.parent() for timer in window.findChildren(QTimer) if timer.isActive()] == []
        let_go(window)

    def test_a_run_left_behind_is_offered_and_restored(self, own_window, qtbot):
        window = own_window
        left = data_folder() / "autosave-1.gpviz"
        left.write_bytes(GOLDEN.read_bytes())
        (found,) = orphans(data_folder())
        window.offer_orphan(found)
        box = window.findChild(QMessageBox)
        with qtbot.waitSignal(window.file_controller.run_shown):
            next(button for button in box.buttons() if button.text() == "&Restore").click()
        assert len(window.player.run.history) == load(GOLDEN).iterations
        assert window.document.path is None
        assert window.document.is_modified
        qtbot.waitUntil(lambda: not left.exists())  # gone once the run is autosaved again
        assert load(window.autosave.path).iterations == load(GOLDEN).iterations

    def test_a_program_ended_from_outside_asks_nothing_and_leaves_its_bookmarks_to_be_restored(self, qtbot):
        window = open_window()
        window.document.add_bookmark(0, "mine")
        window.leave_at_once()
        (left,) = orphans(data_folder())
        assert left.content.bookmarks[0].note == "mine"
        left.discard()
        let_go(window)

    def test_once_it_is_closed_the_end_of_the_session_keeps_nothing(self, qtbot, monkeypatch):
        window = open_window()
        window.document.add_bookmark(0, "mine")
        discard = QMessageBox.StandardButton.Discard
        monkeypatch.setattr(file_dialogs, "ask_about_saving", lambda *_: discard)
        window.close()
        window.leave_at_once()
        assert orphans(data_folder()) == []
        let_go(window)


class TestStuckRunOfAnExperiment:
    def open(self, window) -> None:
        config = RunConfig(n=4, limit="n+1", deletion="leaf", seed=66)
        window.file_controller.show_run(ShowRequest(run=config, iteration=52, seeks_decisive_step=True))
        assert "Looking for the step that decided this run" in window.views.title_line.message

    def test_it_goes_to_its_decisive_step_with_the_outlook_and_says_why(self, qtbot, window):
        self.open(window)
        qtbot.waitUntil(lambda: not window.decisive_step_seeker.is_busy)
        assert window.player.cursor == 16
        assert window.views.drawer.current == "outlook"
        assert "raises the chance to end stuck from 8 % to 66 %" in window.views.title_line.message

    def test_escape_leaves_it_where_it_got_stuck(self, qtbot, window):
        self.open(window)
        press("Escape")
        assert not window.decisive_step_seeker.is_busy
        assert window.views.title_line.message == "The run stays where it got stuck."


class TestAPageInAWindowOfItsOwn:
    def test_showing_it_does_not_open_the_drawer(self, window):
        window.show_page("inside")
        window.views.drawer.tear_off()
        window.actions_by_name["look_closer"].setChecked(False)
        window.show_page("inside")
        assert not window.views.is_drawer_open
        window.views.drawer.page("inside").window().close()
        window.show_page("inside")
        assert window.views.is_drawer_open

    def test_filling_the_window_leaves_the_keyboard_in_it(self, window, qtbot):
        window.showNormal()
        window.resize(1280, 720)
        window.show_page("rows")
        window.views.drawer.tear_off()
        qtbot.waitUntil(window.views.drawer.page("rows").window().isActiveWindow)
        window.activateWindow()
        window.views.canvas.setFocus()
        qtbot.waitUntil(window.isActiveWindow)
        assert window.views.canvas.hasFocus()
        window.actions_by_name["fill_page"].setChecked(True)
        assert window.isActiveWindow()
        assert window.views.drawer.isAncestorOf(window.focusWidget())
        window.views.drawer.page("rows").window().close()
