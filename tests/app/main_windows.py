"""The main window in tests: how it is opened and closed, used by keys, and shared by the tests of a module."""

import math
from typing import Final

from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

from gpviz.app.main_window import MainWindow
from gpviz.app.preferences import Preferences
from gpviz.app.tasks import cancel_all_tasks
from gpviz.app.theme_manager import ThemeManager
from gpviz.page_list import PAGES
from gpviz.runs.pause_rules import PauseRules
from gpviz.runs.presets import find_preset, first_preset

NEVER: Final = PauseRules(stuck=False, solved=False)
_SIZE: Final = (1280, 720)


def open_window(theme: str = "light", *, is_themed: bool = False) -> MainWindow:
    """A window; its style sheet takes as long as everything else in it and matters where looks do."""
    preferences = Preferences()
    preferences.set_flag("hint_seen", True)
    theme_manager = ThemeManager(preferences, theme)
    if is_themed:
        theme_manager.apply()
    made = MainWindow(preferences, theme_manager)
    made.resize(*_SIZE)
    made.show()
    return made


def let_go(window: MainWindow) -> None:
    """Close a window whatever is not saved in it."""
    window.end_services()
    window.close()
    window.deleteLater()


def press(keys: str, target: QWidget | None = None) -> None:
    """Press keys as a person does, in this widget or wherever the focus is."""
    target = target or QApplication.focusWidget() or QApplication.activeWindow()
    assert target is not None
    combination = QKeySequence(keys)[0]  # type: ignore[index]
    QTest.keyClick(target, combination.key(), combination.keyboardModifiers())


def run_to(window: MainWindow, iterations: int, qtbot: QtBot) -> None:
    """Run at full speed to this iteration, or a little beyond it."""
    player = window.player
    player.set_rules(NEVER)
    player.set_speed(math.inf)
    player.play()
    qtbot.waitUntil(lambda: len(player.run.history) >= iterations)
    player.pause()
    qtbot.waitUntil(lambda: player.is_settled)


def choose_preset(window: MainWindow, name: str) -> None:
    window.file_controller.show_run(find_preset(name).request)


class SharedWindow:
    """One window for the tests of a module: each finds it as a window that was just opened.

    Whatever a test may change in it is put back here. A window that a test closed, or in which it failed, is
    replaced by another.
    """

    def __init__(self) -> None:
        self.window: MainWindow | None = None
        self._switches: dict[str, bool] = {}

    def fresh(self, qtbot: QtBot) -> MainWindow:
        """The window, with the first run on show."""
        if self.window is not None and self._is_spoilt(self.window):
            self.replace()
        if self.window is None:
            self.window = open_window()
            actions = self.window.actions_by_name.items()
            self._switches = {name: action.isChecked() for name, action in actions if action.isCheckable()}
        else:
            self._begin_anew(self.window)
        window = self.window
        window.activateWindow()
        window.views.canvas.setFocus()
        qtbot.waitUntil(lambda: window.windowHandle().isExposed() and window.isActiveWindow())
        return window

    def close_others(self) -> None:
        """Close all windows that a test opened beside it, and stop what is still worked out for it."""
        cancel_all_tasks()
        for other in QApplication.topLevelWidgets():
            if other is not self.window and other.isVisible():
                other.close()

    def replace(self) -> None:
        """The next test gets a new one."""
        if self.window is not None:
            let_go(self.window)
        self.window = None

    @staticmethod
    def _is_spoilt(window: MainWindow) -> bool:
        """Whether it is closed, or looks different: to dress it again takes longer than to open another."""
        return not window.isVisible() or window.theme_manager.choice != "light"

    def _begin_anew(self, window: MainWindow) -> None:
        window.file_controller.cancel()
        window.player.pause()
        for dialog in window.findChildren(QDialog):
            dialog.close()
        first = first_preset()
        window.actions_by_name["quiz"].setChecked(False)
        window.player.set_rules(PauseRules())
        window.player.start_run(first.config, first.start_tree, first.script)
        window.player.set_speed(first.speed)
        window.document.start_anew(title=first.title, explanation=first.explanation)
        window.preferences.forget_recent_files()
        window.menus.layouts.actions()[0].trigger()
        window.show_page(PAGES[0].name)
        for name, is_on in self._switches.items():
            if window.actions_by_name[name].isChecked() is not is_on:
                window.actions_by_name[name].setChecked(is_on)
        window.resize(*_SIZE)
        window.views.title_line.show_message("")
