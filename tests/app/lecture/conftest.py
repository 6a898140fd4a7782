"""Lecture mode, the audience's window, a run, and the page of scenes with its editor, for their tests."""

from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QMainWindow

from gpviz.app.lecture.audience_window import AudienceWindow
from gpviz.app.lecture.lecture_editor import LectureEditor
from gpviz.app.lecture.lecture_mode import LectureMode
from gpviz.app.lecture.scenes_page import ScenesPage
from gpviz.app.player.player import Player
from gpviz.app.preferences import Preferences
from gpviz.app.theme import load_theme
from gpviz.lecture.lecture import CapturedView
from tests.app.lecture.lectures import CONFIG, a_lecture, a_run


@pytest.fixture
def home(qtbot):
    made = QMainWindow()
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def mode(home):
    made = LectureMode(home)
    made.set_reduced_motion(True)
    yield made
    made.stop()


@pytest.fixture
def player(qapp):
    made = Player.for_run(CONFIG)
    yield made
    made.close()


@pytest.fixture
def window(qtbot):
    made = AudienceWindow(is_lecture=True, is_motion_reduced=True)
    qtbot.addWidget(made)
    made.resize(1024, 768)
    made.show()
    yield made
    made.shut_down()


@pytest.fixture
def page(qtbot):
    made = ScenesPage()
    qtbot.addWidget(made)
    made.set_theme(load_theme("light"))
    made.resize(1000, 230)
    made.show()
    qtbot.waitUntil(lambda: made.windowHandle().isExposed())
    made.activateWindow()
    return made


@pytest.fixture
def editor(page, tmp_path):
    """The editor of the window that the page stands in, with a lecture of five scenes; the second is chosen."""
    made = LectureEditor(tmp_path, Preferences())
    made.adopt(a_lecture(5))
    made.choose(1)
    view = CapturedView(run_file=a_run(), branch=0, iteration=33, panels=("curves",))
    page.connect_to(SimpleNamespace(lecture_editor=made, captured_view=lambda: view))
    yield made
    made.close()
