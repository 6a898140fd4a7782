"""What stands beside the main window: reached by key and menu, connected, and gone with it."""

import math

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMessageBox, QWidget

from gpviz.app.main_window import MainWindow
from gpviz.app.settings import Settings
from gpviz.app.theme_manager import ThemeManager
from gpviz.engine import RunConfig, format_formula
from gpviz.guide_pages import load_pages
from gpviz.page_list import CURVES, PAGES
from gpviz.run.lecture import load_lecture, shipped_lectures
from gpviz.run.pause_rules import PauseRules


@pytest.fixture
def window(qtbot):
    settings = Settings()
    settings.set_flag("hint_seen", True)
    settings.set_flag("setup_panel", True)
    theme_manager = ThemeManager(settings, "light")
    made = MainWindow(settings, theme_manager)
    made.resize(1280, 720)
    made.show()
    made.activateWindow()
    made.views.stage.canvas.setFocus()
    qtbot.waitUntil(lambda: made.windowHandle().isExposed())
    yield made
    made.end_services()
    made.close()
    made.deleteLater()


def press(widget: QWidget, keys: str) -> None:
    combination = QKeySequence(keys)[0]  # type: ignore[index]
    QTest.keyClick(widget, combination.key(), combination.keyboardModifiers())


def run_to(window: MainWindow, iterations: int, qtbot) -> None:
    window.controller.run_to(iterations)
    qtbot.waitUntil(lambda: len(window.controller.history) >= iterations and window.controller.is_settled)


def guide_of(window: MainWindow):
    guide = window.windows._guide
    assert guide is not None
    return guide


def open_shipped(window: MainWindow, qtbot):
    editor = window.windows.lecture_editor
    with qtbot.waitSignal(editor.opened):
        window.open_file(shipped_lectures()[0].path)
    return editor


@pytest.mark.parametrize("name", ["guide", "compare", "experiments"])
def test_keys_for_the_whole_program_work_in_other_windows(window, qtbot, name):
    windows = window.windows
    if name == "guide":
        windows.show_guide()
        other = guide_of(window)
    elif name == "compare":
        windows.comparing.show_run()
        other = windows.comparing.compare
    else:
        windows.experimenting.show()
        other = windows.experimenting.experiments
    qtbot.waitUntil(other.isActiveWindow)
    before = window.theme_manager.theme.name
    press(other, "Ctrl+T")
    assert window.theme_manager.theme.name != before
    size = window.theme_manager.theme.font_size
    press(other, "Ctrl+]")
    assert window.theme_manager.theme.font_size > size
    press(other, "Ctrl+Q")
    assert not window.isVisible()


class TestGuide:
    def test_f1_opens_it_at_what_has_the_keyboard(self, window):
        press(window.views.stage.canvas, "F1")
        assert guide_of(window).place == ("window", "the-tree")

    def test_f1_is_about_the_page_that_was_chosen(self, window):
        press(window.views.stage.canvas, "Alt+4")
        press(window.views.stage.canvas, "F1")
        assert guide_of(window).place == ("study", "proof")

    def test_f1_is_about_the_field_that_is_typed_into(self, window):
        window.show_page("proof")
        window.views.setup.findChild(QLineEdit).setFocus()
        window.windows.show_guide()
        assert guide_of(window).place == ("window", "settings")

    def test_other_windows_have_it_too(self, window, qtbot):
        window.windows.comparing.show_run()
        qtbot.waitUntil(window.windows.comparing.compare.isActiveWindow)
        press(window.windows.comparing.compare, "F1")
        assert guide_of(window).place == ("comparing", "")

    def test_the_dialog_of_exports_has_it_too(self, window, qtbot):
        window.windows.ask_export()
        dialog = window.windows.exports.dialog
        qtbot.waitUntil(dialog.isActiveWindow)
        press(dialog, "F1")
        assert guide_of(window).place == ("exporting", "")

    def test_every_page_has_a_place_in_it(self, window, subtests):
        sections = {each.name: [section.slug for section in each.sections] for each in load_pages()}
        for page in (info.name for info in PAGES):
            with subtests.test(page):
                window.show_page(page)
                name, slug = window.windows.topic_of(window.views.workbench.page(page))
                assert slug in sections[name]

    def test_every_panel_has_a_place_in_it(self, window, subtests):
        sections = {each.name: [section.slug for section in each.sections] for each in load_pages()}
        for view in ("stage", "timeline", "transport", "setup", "pause", "step_panel", "quiz"):
            with subtests.test(view):
                name, slug = window.windows.topic_of(getattr(window.views, view))
                assert slug in sections[name]

    def test_it_goes_with_the_window(self, window):
        press(window.views.stage.canvas, "F1")
        guide = guide_of(window)
        window.close()
        assert not guide.isVisible()


class TestCompare:
    def test_the_run_on_show_can_be_compared_and_a_compared_run_comes_on_show(self, window, qtbot):
        run_to(window, 20, qtbot)
        press(window.views.stage.canvas, "Ctrl+K")
        compare = window.windows.comparing.compare
        assert compare is not None
        assert compare.isVisible()
        compare.compare_run_on_show()
        assert len(compare.views) == 2
        compare.open_run_asked.emit(RunConfig(n=5, seed=3), "", 12)
        qtbot.waitUntil(lambda: window.controller.cursor == 12)
        assert window.controller.config == RunConfig(n=5, seed=3)

    def test_a_compared_run_comes_back_although_another_is_on_show(self, window, qtbot):
        config = window.controller.config
        run_to(window, 20, qtbot)
        window.windows.comparing.show_run()
        compare = window.windows.comparing.compare
        compare.compare_run_on_show()
        key = compare._keys[0]
        window.file_controller.start_run(RunConfig(n=5, seed=77), None)
        compare.open_key_asked.emit(key, 12)
        qtbot.waitUntil(lambda: window.controller.cursor == 12)
        assert window.controller.config == config

    def test_a_branch_that_is_gone_is_told_of(self, window, qtbot, monkeypatch):
        told: list[str] = []
        monkeypatch.setattr("gpviz.app.main_window.show_problem", lambda _, problem: told.append(problem))
        run_to(window, 20, qtbot)
        window.branch_controller.fork_with_seed(5)
        window.windows.comparing.show_branches(0, 1)
        key = window.windows.comparing.compare._keys[1]
        window.file_controller._document.start_anew()
        window.controller.start_run(RunConfig(n=5, seed=77))
        window.windows.comparing.compare.open_key_asked.emit(key, 12)
        assert "not on show any more" in told[0]

    def test_another_one_is_made_after_it_was_closed(self, window):
        window.windows.comparing.show_run()
        first = window.windows.comparing.compare
        first.close()
        window.windows.comparing.show_run()
        assert window.windows.comparing.compare is not first


class TestExport:
    def test_the_dialog_is_under_a_key(self, window):
        press(window.views.stage.canvas, "Ctrl+E")
        assert window.windows.exports.dialog is not None

    def test_the_tree_goes_to_the_clipboard(self, window, qtbot):
        run_to(window, 20, qtbot)
        press(window.views.stage.canvas, "Ctrl+Shift+C")
        data = QApplication.clipboard().mimeData()
        assert not QApplication.clipboard().image().isNull()
        assert b"<text" in bytes(data.data("image/svg+xml").data())
        assert data.text() == window.views.stage.caption
        assert window.windows._buttons[""].isVisible()

    def test_the_buttons_on_the_panels_offer_what_is_there(self, window, qtbot):
        run_to(window, 20, qtbot)
        for name, page in (("", CURVES), (CURVES, CURVES), ("rows", "rows")):
            window.show_page(page)
            QApplication.clipboard().clear()
            button = window.windows._buttons[name]
            assert button.isVisible()
            button.menu().actions()[0].trigger()
            assert not QApplication.clipboard().image().isNull()
            button.menu().actions()[-1].trigger()
            dialog = window.windows.exports.dialog
            assert dialog is not None
            dialog.reject()
            qtbot.waitUntil(lambda: window.windows.exports.dialog is None)
        assert not window.windows._buttons[CURVES].isVisible()


class TestLecture:
    def test_f11_shows_the_run_to_an_audience_and_back(self, window, qtbot):
        run_to(window, 20, qtbot)
        press(window.views.stage.canvas, "F11")
        session = window.windows.session
        assert session.is_active
        press(session.audience, "PgUp")
        assert window.controller.cursor == 19
        press(session.audience, "Esc")
        assert not session.is_active

    def test_a_lecture_opens_with_its_scenes_and_is_given(self, window, qtbot):
        editor = open_shipped(window, qtbot)
        assert window.views.workbench.current == "scenes"
        assert len(editor.lecture.scenes) >= 12
        history = window.controller.history
        press(window.views.stage.canvas, "F5")
        session = window.windows.session
        assert session.is_active
        assert window.controller.history is history
        session.stop()

    def test_the_view_is_captured_as_a_scene_and_saved(self, window, qtbot, tmp_path):
        run_to(window, 30, qtbot)
        window.controller.go_to(17)
        window.show_page("proof")
        press(window.views.stage.canvas, "Ctrl+Shift+A")
        editor = window.windows.lecture_editor
        scene = editor.lecture.scenes[0]
        assert (scene.first, scene.last, scene.page) == (17, 17, "proof")
        assert editor.lecture.runs[0].iterations == 30
        editor._save_to(tmp_path / "talk.gpviz")
        qtbot.waitUntil(lambda: not editor.is_modified)
        assert load_lecture(tmp_path / "talk.gpviz") == editor.lecture

    def test_what_is_captured_is_the_page_looked_at_before_the_scenes(self, window):
        window.show_page("rows")
        window.show_page("scenes")
        window.windows.capture()
        window.windows.capture()
        assert [scene.page for scene in window.windows.lecture_editor.lecture.scenes] == ["rows", "rows"]

    def test_the_usual_key_saves_the_lecture_while_its_scenes_are_on_show(self, window, qtbot, tmp_path):
        window.windows.capture()
        editor = window.windows.lecture_editor
        editor._path = tmp_path / "talk.gpviz"
        press(window.views.stage.canvas, "Ctrl+S")
        qtbot.waitUntil(lambda: not editor.is_modified)
        assert load_lecture(tmp_path / "talk.gpviz") == editor.lecture

    def test_a_scene_comes_on_show_to_be_changed(self, window, qtbot):
        editor = open_shipped(window, qtbot)
        place, scene = next(
            (place, scene) for place, scene in enumerate(editor.lecture.scenes) if scene.branch
        )
        with qtbot.waitSignal(window.file_controller.opened):
            editor.show_in_window(place)
        assert window.controller.cursor == scene.first
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
        window.views.workbench.show_page(CURVES)
        window.windows.offer_left_lectures()
        box = window.findChild(QMessageBox)
        box.defaultButton().click()
        assert len(window.windows.lecture_editor.lecture.scenes) == 1
        window.windows.lecture_editor.adopt(window.windows.lecture_editor.lecture)

    def test_undo_is_about_the_scenes_while_they_are_on_show(self, window):
        window.windows.capture()
        press(window.views.stage.canvas, "Ctrl+Z")
        assert not window.windows.lecture_editor.lecture.scenes
        press(window.views.stage.canvas, "Ctrl+Shift+Z")
        assert len(window.windows.lecture_editor.lecture.scenes) == 1


def test_themes_and_reduced_motion_reach_all_of_them(window):
    windows = window.windows
    windows.show_guide()
    windows.comparing.show_run()
    windows.toggle_lecture()
    window.theme_manager.choose("dark")
    window.actions_by_name["reduced_motion"].trigger()
    assert windows.comparing.compare._theme.name == "dark"
    assert windows.session._is_motion_reduced


def test_closing_in_the_middle_of_everything_is_safe(window, qtbot):
    window.controller.set_speed(math.inf)
    window.controller.play()
    open_shipped(window, qtbot)
    window.windows.show_guide()
    window.windows.comparing.show_run()
    window.windows.exports.ask()
    window.windows.present(0)
    window.close()
    assert not window.isVisible()


def test_a_run_to_an_iteration_makes_what_is_missing_and_pauses_nowhere(window, qtbot):
    window.controller.set_rules(PauseRules(improved=True, iteration=10))
    run_to(window, 50, qtbot)
    assert window.controller.cursor == 50
    tree = format_formula(window.controller.history.tree_at(20))
    window.controller.run_to(20)
    assert window.controller.cursor == 20
    assert format_formula(window.controller.history.tree_at(window.controller.cursor)) == tree
