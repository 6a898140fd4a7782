"""The transport bar: buttons that follow their actions, and the speed."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction

from gpviz.app.player.pacing import SPEEDS, speed_text
from gpviz.app.theme import load_theme
from gpviz.app.transport_bar import BUTTONS, TransportBar


@pytest.fixture
def actions(qapp):
    made = {}
    for name in BUTTONS:
        made[name] = QAction(f"&{name.replace('_', ' ').capitalize()}", qapp)
        made[name].setToolTip(f"{name} (key)")
    yield made
    for action in made.values():
        action.deleteLater()


@pytest.fixture
def bar(show, actions):
    made = TransportBar(actions)
    window = show(made)
    yield made
    window.close()


@pytest.fixture
def chosen(bar):
    seen: list[float] = []
    bar.speed_chosen.connect(seen.append)
    return seen


@pytest.mark.parametrize("name", BUTTONS)
def test_a_button_triggers_its_action_and_follows_it(bar, actions, qtbot, name):
    button = bar.buttons[name]
    with qtbot.waitSignal(actions[name].triggered):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    button.setFocus()
    with qtbot.waitSignal(actions[name].triggered):
        qtbot.keyClick(button, Qt.Key.Key_Space)
    actions[name].setEnabled(False)
    assert not button.isEnabled()
    assert button.toolTip() == f"{name} (key)"
    assert button.accessibleName()
    assert "&" not in button.accessibleName()


def test_playing_is_the_main_button_and_the_widest(bar):
    bar.set_theme(load_theme("projector"))
    assert bar.buttons["play"].property("role") == "primary pill"
    assert bar.buttons["play"].width() > bar.buttons["next"].width()


@pytest.mark.parametrize(("speed", "notch"), [*((speed, speed) for speed in SPEEDS), (3.5, 4.0)])
def test_a_speed_that_is_set_is_shown_in_its_own_words_and_tells_nothing(bar, chosen, speed, notch):
    bar.set_speed(speed)
    assert bar.speed_label.text() == speed_text(speed)
    assert bar.slider.value() == SPEEDS.index(notch)
    assert chosen == []


def test_the_slider_chooses_every_speed_by_keyboard(bar, chosen, qtbot):
    bar.slider.setFocus()
    qtbot.keyClick(bar.slider, Qt.Key.Key_Home)
    for _ in SPEEDS:
        qtbot.keyClick(bar.slider, Qt.Key.Key_Right)
    assert chosen == list(SPEEDS)
    assert bar.speed_label.text() == "as fast as possible"
    assert "as fast as possible" in bar.slider.toolTip()


def test_how_many_iterations_are_made_is_in_the_tooltip_of_the_speed(bar):
    bar.set_rate(72_000.0)
    assert bar.speed_label.toolTip() == "72,000 iterations/s"
    bar.set_rate(None)
    assert bar.speed_label.toolTip() == ""


def test_the_speed_moves_nothing(bar):
    bar.set_theme(load_theme("light"))
    bar.window().resize(1200, 60)
    places = set()
    for speed in SPEEDS:
        bar.set_speed(speed)
        bar.layout().activate()
        places.add((bar.slider.geometry().getRect(), bar.speed_label.geometry().getRect()))
    assert len(places) == 1
