"""A page is a module and a line in the list of pages: all that offers, shows, explains and ends it follows."""

import pytest
from PySide6.QtCore import Qt

from gpviz import page_list
from gpviz.app.actions import LECTURE
from gpviz.app.guide.window import GuideWindow
from gpviz.app.lecture.audience_view import AudienceView
from gpviz.app.lecture.audience_window import AudienceWindow
from gpviz.app.lecture.scene_form import SceneForm
from gpviz.app.pages.quiz_controller import QuizController
from gpviz.app.player.player import Player
from gpviz.engine import RunConfig, parse
from gpviz.lecture.lecture import Lecture, Scene, lecture_data_of, lecture_of
from tests.app.key_sections import key_sections
from tests.app.main_windows import let_go, open_window, press
from tests.app.pages import leaf_depths
from tests.app.pages.leaf_depths import LEAF_DEPTHS, LeafDepthsPage
from tests.app.patient_work import Patient
from tests.patience import PATIENCE_SECONDS


@pytest.fixture
def depths(monkeypatch):
    monkeypatch.setattr(page_list, "PAGES", (*page_list.PAGES, LEAF_DEPTHS))


@pytest.fixture
def window(depths, qtbot):
    made = open_window()
    qtbot.waitUntil(lambda: made.windowHandle().isExposed())
    made.activateWindow()
    made.views.canvas.setFocus()
    yield made
    let_go(made)


def test_it_is_in_the_menu_and_has_a_tab(window):
    menus = {top.text(): top.menu() for top in window.menuBar().actions()}
    action = next(action for action in menus["&Look closer"].actions() if action.text() == "&Depths")
    assert action.toolTip() == "Show how deep the leaves lie (Ctrl+Alt+Y)"
    tabs = window.views.drawer.tabs
    assert tabs.tabText(tabs.count() - 1) == "Depths"
    assert tabs.tabToolTip(tabs.count() - 1) == "How deep the leaves lie"
    assert window.views.drawer.made("depths") is None
    action.trigger()
    assert isinstance(window.views.drawer.made("depths"), LeafDepthsPage)


def test_its_key_shows_it_and_the_guide_opens_at_its_topic(window):
    press("Ctrl+Alt+Y")
    assert window.views.drawer.current == "depths"
    press("F1")
    assert window.findChild(GuideWindow).topic == ("study", "by-hand")


def test_it_answers_about_the_tree_under_the_cursor_and_does_what_it_may(window, qtbot):
    window.player.start_run(RunConfig(n=4), parse("x1 & (x2 | x3)"))
    window.show_page("depths")
    page = window.views.drawer.page("depths")
    qtbot.waitUntil(lambda: page.telling.text() == "The deepest of 3 leaves lies at depth 2.")
    page.choose_button.click()
    assert window.views.canvas.selected_uid is not None
    window.player.start_run(RunConfig(n=4))
    assert page.telling.text() == "The tree is empty."


def test_what_it_asks_ends_with_the_window(window, monkeypatch):
    patient = Patient()
    monkeypatch.setattr(leaf_depths, "depths_of", lambda _tree, working: patient(working))
    window.player.start_run(RunConfig(n=4), parse("x1 & x2"))
    window.show_page("depths")
    assert patient.has_begun.wait(PATIENCE_SECONDS)
    window.close()
    assert patient.was_stopped


def test_it_is_among_the_keys(depths):
    keys = [row for _, rows in key_sections() for row in rows]
    assert ("Ctrl+Alt+Y", "Show how deep the leaves lie") in keys
    effects = [effect for _, keys in key_sections(LECTURE) for _, effect in keys]
    assert "Show a page: why, neighbours, outlook, inside, rows, depths" in effects


def test_a_scene_may_choose_it(depths, qtbot):
    form = SceneForm()
    qtbot.addWidget(form)
    assert form.page.findText("Depths", Qt.MatchFlag.MatchExactly) >= 0
    lecture = Lecture(title="Toys", scenes=(Scene(title="Scene", has_tree=False, page="depths"),))
    assert lecture_of(lecture_data_of(lecture)) == lecture


def test_an_audience_sees_it(depths, qtbot):
    window = AudienceWindow(is_lecture=True, is_motion_reduced=True)
    qtbot.addWidget(window)
    window.show()
    player = Player.for_run(RunConfig(n=4, seed=1), parse("x1 & x2"))
    follower = AudienceView(player, window, QuizController(player, None, window))
    window.show_scene(Scene(title="Scene", page="depths"))
    page = window.page
    assert isinstance(page, LeafDepthsPage)
    qtbot.waitUntil(lambda: page.telling.text() == "The deepest of 2 leaves lies at depth 1.")
    page.choose_button.click()  # nobody there can choose anything
    window.next_page()
    assert window.page_name == page_list.scene_pages()[0].name
    follower.close()
    player.close()
    window.shut_down()
