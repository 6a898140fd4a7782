"""Lecture mode, the audience's window and a run for their tests."""

import pytest
from PySide6.QtWidgets import QMainWindow

from gpviz.app.lecture.audience_window import AudienceWindow
from gpviz.app.lecture.lecture_mode import LectureMode
from gpviz.app.player.player import Player
from tests.app.lecture.lectures import CONFIG


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
