"""The menus, and what is found by typing."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QMenu, QMenuBar

from gpviz.app.actions import MAIN, Actions, loose_keys
from gpviz.app.menus import Menus
from gpviz.runs.presets import load_presets


@pytest.fixture
def window(qtbot):
    made = QMainWindow()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def menus(window):
    return Menus(window, Actions(MAIN, window))


def entries_in(container: QMenuBar | QMenu) -> Iterator[QAction]:
    """Everything in menus and submenus but the lines between."""
    for action in container.actions():
        menu = action.menu()
        if isinstance(container, QMenu) and not action.isSeparator():
            yield action
        if isinstance(menu, QMenu):
            yield from entries_in(menu)


def texts(entries) -> list[str]:
    return [entry.text for entry in entries]


def test_there_are_six_menus_in_which_nothing_is_twice(window, menus):
    titles = [action.text().replace("&", "") for action in window.menuBar().actions()]
    assert titles == ["Run", "Play", "Look closer", "Present", "View", "Help"]
    names = [action.text() for action in entries_in(window.menuBar())]
    assert len(set(names)) == len(names)


def test_every_command_and_every_key_is_found_whether_it_is_in_a_menu_or_not(window, menus):
    actions = Actions(MAIN, QMainWindow(window))
    listed = menus.commands()
    assert {action.text().replace("&", "") for action in actions.values()} <= set(texts(listed))
    assert {(each.keys, each.effect) for each in loose_keys()} <= {(each.keys, each.text) for each in listed}
    assert len(set(texts(listed))) == len(listed)


def test_a_command_says_where_it_is_and_which_keys_it_has(menus):
    found = {entry.text: entry for entry in menus.commands()}
    assert (found["Guess first"].place, found["Guess first"].keys) == ("Play", "Q")
    assert (found["Copy the tree"].place, found["Copy the tree"].section) == ("", "Run")


def test_commands_are_listed_as_they_are_now(window, menus):
    actions = menus.actions
    actions["first"].setEnabled(False)
    actions["quiz"].setChecked(True)
    found = {entry.text: entry for entry in menus.commands()}
    assert found["Go to the start"].explanation == "Not now. This is the start of the run."
    assert found["Guess first"].is_on


def test_choices_in_a_submenu_are_found_as_they_are_when_it_opens(menus):
    chosen: list[str] = []
    made = menus.fill_choices(menus.layouts, [("tidy", "Tidy tree"), ("radial", "Radial")], chosen.append)

    def refuse() -> None:
        made["radial"].setEnabled(False)
        made["radial"].setStatusTip("The tree is too large.")

    menus.layouts.aboutToShow.connect(refuse)
    found = {entry.text: entry for entry in menus.commands()}
    assert found["Radial"].place == "View › Layout"
    assert found["Radial"].explanation == "Not now. The tree is too large."
    run = found["Tidy tree"].run
    assert run is not None
    run()
    assert chosen == ["tidy"]


def test_the_gallery_offers_runs_lectures_and_files_and_all_are_found_among_the_commands(menus):
    chosen: list[str] = []
    menus.set_presets(load_presets(), chosen.append)
    menus.set_lectures([("why.gpviz", "Why stuck")], chosen.append, lambda: chosen.append("asked"))
    menus.set_recent(["/tmp/a & b.gpviz"], chosen.append, lambda: chosen.append("forgot"))
    offered = menus.gallery()
    assert texts(offered)[: len(load_presets())] == [preset.title for preset in load_presets()]
    assert texts(offered)[-2:] == ["Open …", "Set up a new run …"]
    assert set(texts(offered)) <= set(texts(menus.commands()))
    for entry in offered[len(load_presets()) - 1 : -2]:
        assert entry.run is not None
        entry.run()
    assert chosen == [load_presets()[-1].name, "why.gpviz", "asked", "/tmp/a & b.gpviz", "forgot"]


def test_a_list_without_files_cannot_be_cleared(menus):
    menus.set_recent([], print, print)
    assert "Clear this list" not in texts(menus.gallery())
