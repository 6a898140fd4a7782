"""The title line: what run this is, what the window has to say, and the three ways on."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence

from gpviz.app.theme import load_theme
from gpviz.app.title_line import WAYS, TitleLine

SETTINGS = "AND₆ · at most 12 leaves · subtree deletion · seed 1"


@pytest.fixture
def actions(qapp):
    made = {}
    for name, keys in zip(WAYS, ("F2", "F4", "F11"), strict=True):
        made[name] = QAction(f"&{name.replace('_', ' ').capitalize()}", qapp)
        made[name].setObjectName(name)
        made[name].setShortcut(QKeySequence(keys))
    made["look_closer"].setCheckable(True)
    yield made
    for action in made.values():
        action.deleteLater()


@pytest.fixture
def line(show, actions):
    made = TitleLine(actions)
    window = show(made)
    made.set_theme(load_theme("light"))
    window.resize(1280, 60)
    yield made
    window.close()


def test_it_names_the_run_and_its_settings(line):
    line.set_run("A first run", "What there is to see", SETTINGS)
    assert (line.title.text(), line.words.text()) == ("A first run", SETTINGS)
    assert "What there is to see" in line.title.toolTip()


def test_a_run_that_nobody_named_is_named_by_its_settings(line):
    line.set_run("", "", SETTINGS)
    assert (line.title.text(), line.words.text()) == (SETTINGS, "")


def test_a_message_stands_in_the_place_of_the_settings_and_goes(line):
    line.set_run("A first run", "", SETTINGS)
    line.show_message("The run is saved.")
    assert line.words.text() == line.message == "The run is saved."
    line.show_message("")
    assert line.words.text() == SETTINGS
    assert line.message == ""


def test_what_is_said_of_a_moment_goes_with_it(line):
    line.set_run("A first run", "", SETTINGS)
    run = object()
    line.show_message("Paused.", of=(run, 7))
    line.follow((run, 7))
    assert line.message == "Paused."
    line.follow((run, 8))
    assert (line.message, line.words.text()) == ("", SETTINGS)
    line.show_message("The run is saved.")
    line.follow((run, 9))
    assert line.message == "The run is saved."


def test_a_long_message_has_the_place_of_the_title_too(line):
    line.set_run("A first run", "", SETTINGS)
    line.show_message("Short.")
    assert line.title.isVisible()
    line.show_message(f"This step decided it: {'it raised the chance to end stuck, ' * 4}and that was all.")
    assert not line.title.isVisible()
    line.show_message("")
    assert line.title.isVisible()


def test_a_branch_is_named_and_left_by_its_chip(line, qtbot):
    assert not line.branch.isVisible()
    line.set_branch("branch 2 from t = 66")
    assert "branch 2 from t = 66" in line.branch.text()
    with qtbot.waitSignal(line.branch_left):
        qtbot.mouseClick(line.branch, Qt.MouseButton.LeftButton)
    line.set_branch("")
    assert not line.branch.isVisible()


@pytest.mark.parametrize("at", range(len(WAYS)))
def test_a_button_does_what_its_action_does(line, actions, qtbot, at):
    with qtbot.waitSignal(actions[WAYS[at]].triggered):
        qtbot.mouseClick(line.buttons[at], Qt.MouseButton.LeftButton)


def test_buttons_name_their_keys_where_there_is_space(line):
    assert [button.text().split()[-1] for button in line.buttons] == ["F2", "F4", "F11"]
    line.window().resize(620, 60)
    assert not any("F" in button.text().split()[-1] for button in line.buttons)


def test_what_opens_the_drawer_shows_that_it_is_open(line, actions):
    actions["look_closer"].setChecked(True)
    assert line.buttons[1].isChecked()
