"""The transport bar: buttons that follow their actions, and the speed."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction

from gpviz.app.panels.transport_bar import BUTTONS, TransportBar
from gpviz.app.player.pacing import SPEEDS, speed_text
from gpviz.app.theme import load_theme


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


def test_playing_is_the_main_button_and_the_largest(bar):
    bar.set_theme(load_theme("projector"))
    assert bar.buttons["play"].property("role") == "primary"
    assert bar.buttons["play"].iconSize().width() > bar.buttons["next"].iconSize().width()


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


def test_the_rate_and_the_position_are_shown(bar):
    bar.set_rate(61_234.0)
    bar.set_position("t = 420 of 1,234 · error 1 · 9/9 leaves")
    assert bar.rate_label.text() == "61,000 iterations/s"
    assert bar.position_label.text() == "t = 420 of 1,234 · error 1 · 9/9 leaves"
    bar.set_rate(None)
    assert bar.rate_label.text() == ""


def test_the_rate_moves_nothing_and_covers_nothing(bar):
    bar.set_theme(load_theme("light"))
    bar.set_position("t = 420 of 1,234 · error 1 · 9/9 leaves")
    bar.window().resize(1400, 100)
    places = set()
    for rate in (None, 3.0, 72_000.0, 990_000.0, None):
        bar.set_rate(rate)
        bar.layout().activate()
        places.add((bar.slider.geometry().getRect(), bar.position_label.geometry().getRect()))
        assert bar.rate_label.fontMetrics().horizontalAdvance(bar.rate_label.text()) <= bar.rate_label.width()
    assert len(places) == 1
    assert bar.position_label.geometry().right() < bar.rate_label.geometry().left()
    assert bar.position_label.shown_text() == bar.position_label.text()


def test_where_there_is_little_room_the_rate_is_in_the_tooltip_of_the_speed(bar):
    bar.set_theme(load_theme("light"))
    bar.window().resize(1400, 100)
    bar.set_rate(72_000.0)
    assert not bar.rate_label.isHidden()
    assert bar.speed_label.toolTip() == ""
    bar.window().resize(bar.minimumSizeHint().width(), 100)
    assert bar.rate_label.isHidden()
    assert bar.speed_label.toolTip() == "72,000 iterations/s"
    bar.window().resize(1400, 100)
    assert not bar.rate_label.isHidden()


def test_a_position_that_finds_no_room_ends_with_dots(bar):
    bar.set_position("t = 420 of 1,234 · error 1 · 9/9 leaves")
    bar.position_label.resize(90, 20)
    assert bar.position_label.shown_text().endswith("…")
    bar.position_label.grab()
    assert bar.position_label.toolTip() == bar.position_label.text()
