"""The table of actions: in every window each has a handler and a tip, and no two have a key in common."""

from collections import Counter

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget

from gpviz.app.actions import COMPARE, EXPERIMENTS, EXPORT, GUIDE, MAIN, Actions, action_specs
from gpviz.app.compare.window import CompareWindow
from gpviz.app.experiments.window import ExperimentsWindow
from gpviz.app.main_window import MainWindow
from gpviz.app.preferences import Preferences
from gpviz.app.theme_manager import ThemeManager

WITH_ACTIONS = (MAIN, COMPARE, EXPERIMENTS)
FOLLOWED = {"neighbour_outlooks", "whole_outlook"}
"""Switches that do nothing themselves: a page follows them."""


@pytest.fixture
def handled(monkeypatch):
    """The names of the handlers that each window has given."""
    names: list[set[str]] = []
    connect = Actions.connect

    def recording(actions, handlers):
        names.append(set(handlers))
        connect(actions, handlers)

    monkeypatch.setattr(Actions, "connect", recording)
    return names


def made(window: str) -> MainWindow | CompareWindow | ExperimentsWindow:
    if window == MAIN:
        return MainWindow(Preferences(), ThemeManager(Preferences(), "light"))
    return CompareWindow() if window == COMPARE else ExperimentsWindow()


@pytest.mark.parametrize("name", WITH_ACTIONS)
def test_every_action_has_a_handler_and_every_handler_an_action(qtbot, handled, name):
    window = made(name)
    qtbot.addWidget(window)
    specs = action_specs(name)
    names = {spec.name for spec in specs}
    assert handled == [names - FOLLOWED if name == MAIN else names]
    assert list(window.actions_by_name) == [spec.name for spec in specs]
    assert set(window.actions_by_name.values()) <= set(window.actions())
    if isinstance(window, MainWindow):
        window.end_services()
    else:
        window.shut_down()


@pytest.mark.parametrize("name", WITH_ACTIONS)
def test_every_action_has_a_text_and_a_tip(name):
    for spec in action_specs(name):
        assert spec.text, spec.name
        assert spec.tip, spec.name
        assert spec.section, spec.name


@pytest.mark.parametrize("name", [*WITH_ACTIONS, GUIDE, EXPORT])
def test_no_two_actions_of_a_window_share_a_key(name):
    shared = [spec for spec in action_specs(MAIN) if name in spec.also_in]
    specs = [*action_specs(name), *shared]
    counts = Counter(QKeySequence(key).toString() for spec in specs for key in spec.keys)
    assert [key for key, count in counts.items() if count > 1] == []
    assert len({spec.name for spec in specs}) == len(specs)


def test_a_plain_action_calls_its_handler_without_arguments(qtbot):
    called: list[object] = []

    def handler(what: object = "nothing") -> None:
        called.append(what)

    window = QWidget()
    qtbot.addWidget(window)
    actions = Actions(COMPARE, window)
    actions.connect(dict.fromkeys(actions, handler))
    actions["next"].trigger()
    assert called == ["nothing"]
