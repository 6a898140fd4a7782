"""A page is a module and a line in the list of pages: all that offers, shows, explains and ends it follows."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest

from gpviz import page_list
from gpviz.app.actions import LECTURE, key_sections
from gpviz.app.dialogs.keys_dialog import KeysDialog
from gpviz.app.guide.window import GuideWindow
from gpviz.app.lecture.audience_sync import AudienceSync
from gpviz.app.lecture.audience_window import AudienceWindow
from gpviz.app.lecture.scene_form import SceneForm
from gpviz.app.main_window import MainWindow
from gpviz.app.pages.page import Page, PageContext
from gpviz.app.pages.quiz_controller import QuizController
from gpviz.app.player.player import Player
from gpviz.app.preferences import Preferences
from gpviz.app.theme_manager import ThemeManager
from gpviz.engine import RunConfig
from gpviz.lecture.lecture import Lecture, Scene, lecture_data_of, lecture_of
from gpviz.page_list import PageInfo
from gpviz.runs.history import History


class ToyPage(Page):
    """Remembers what it is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.context: PageContext | None = None
        self.moments: list[tuple[History, int]] = []
        self.is_shut_down = False

    def connect_to(self, context: PageContext) -> None:
        self.context = context

    def show_moment(self, history: History, iteration: int) -> None:
        self.moments.append((history, iteration))

    def shut_down(self) -> None:
        self.is_shut_down = True


TOY = PageInfo(
    name="toy",
    title="Toy",
    tip="A page to play with",
    action_text="&Toy",
    action_tip="Show the page to play with",
    keys=("Ctrl+Alt+Y",),
    guide_topic="study#by-hand",
    page_class=f"{__name__}:ToyPage",
    is_for_scenes=True,
)


@pytest.fixture
def toy(monkeypatch):
    monkeypatch.setattr(page_list, "PAGES", (*page_list.PAGES, TOY))


@pytest.fixture
def window(toy, qtbot):
    preferences = Preferences()
    preferences.set_flag("hint_seen", True)
    made = MainWindow(preferences, ThemeManager(preferences, "light"))
    made.resize(1280, 720)
    made.show()
    qtbot.waitUntil(lambda: made.windowHandle().isExposed())
    made.activateWindow()
    made.views.stage.canvas.setFocus()
    yield made
    made.close()
    made.deleteLater()


def press(window: MainWindow, keys: str) -> None:
    combination = QKeySequence(keys)[0]  # type: ignore[index]
    QTest.keyClick(window.views.stage.canvas, combination.key(), combination.keyboardModifiers())


def test_it_is_in_the_menu_and_has_a_tab(window):
    menus = {top.text(): top.menu() for top in window.menuBar().actions()}
    action = next(action for action in menus["St&udy"].actions() if action.text() == "&Toy")
    assert action.toolTip() == "Show the page to play with (Ctrl+Alt+Y)"
    tabs = window.views.page_tabs.tabs
    assert tabs.tabText(tabs.count() - 1) == "Toy"
    assert tabs.tabToolTip(tabs.count() - 1) == "A page to play with"
    assert window.views.page_tabs.made("toy") is None
    action.trigger()
    assert isinstance(window.views.page_tabs.made("toy"), ToyPage)


def test_its_key_shows_it_and_the_guide_opens_at_its_topic(window):
    press(window, "Ctrl+Alt+Y")
    assert window.views.page_tabs.current == "toy"
    press(window, "F1")
    assert window.findChild(GuideWindow).topic == ("study", "by-hand")


def test_it_follows_the_cursor_and_ends_with_the_window(window, qtbot):
    window.show_page("toy")
    page = window.views.page_tabs.page("toy")
    assert page.context.controller is window.controller
    assert page.theme is window.theme
    with qtbot.waitSignal(window.controller.cursor_moved):
        window.controller.step_forward()
    assert page.moments[-1] == (window.controller.run.history, 1)
    assert not page.is_shut_down
    window.close()
    assert page.is_shut_down


def test_it_is_among_the_keys(toy, qtbot):
    dialog = KeysDialog(key_sections())
    qtbot.addWidget(dialog)
    dialog.search_field.setText("page to play with")
    assert "Ctrl+Alt+Y" in dialog.list.toPlainText()
    effects = [effect for _, keys in key_sections(LECTURE) for _, effect in keys]
    assert "A study page: inside, neighbours, proof, outlook, rows, toy" in effects


def test_a_scene_may_choose_it(toy, qtbot):
    form = SceneForm()
    qtbot.addWidget(form)
    assert form.page.findText("Toy", Qt.MatchFlag.MatchExactly) >= 0
    lecture = Lecture(title="Toys", scenes=(Scene(title="Scene", has_tree=False, page="toy"),))
    assert lecture_of(lecture_data_of(lecture)) == lecture


def test_an_audience_sees_it(toy, qtbot):
    window = AudienceWindow(is_lecture=True, is_motion_reduced=True)
    qtbot.addWidget(window)
    window.show()
    controller = Player.for_run(RunConfig(n=4, seed=1))
    follower = AudienceSync(controller, window, QuizController(controller, None, window))
    window.show_scene(Scene(title="Scene", page="toy"))
    page = window.page
    assert isinstance(page, ToyPage)
    assert page.context is None  # nobody there presses its buttons
    assert page.moments[-1] == (controller.run.history, 0)
    window.next_page()
    assert window.page_name == "inside"
    follower.close()
    controller.close()
    window.shut_down()
    assert page.is_shut_down
