"""A toolbar whose buttons give up their words where it is narrow."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QIcon, QPixmap
from PySide6.QtWidgets import QMainWindow, QMenuBar, QToolBar, QToolButton

from gpviz.app.actions import MAIN, Actions
from gpviz.app.menus import Menus, ShrinkingToolBar

WORDS = ("One word", "Another word", "The last word")


@pytest.fixture
def bar(qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    bar = ShrinkingToolBar("Bar")
    for word in WORDS:
        bar.addAction(QAction(QIcon(QPixmap(16, 16)), word, bar))
    bar.set_yielding(buttons_of(bar))
    window.addToolBar(bar)
    window.resize(1000, 200)
    window.show()
    qtbot.waitUntil(lambda: styles(bar) == [True] * 3)
    yield bar
    window.close()


def buttons_of(bar: QToolBar) -> list[QToolButton]:
    found = [bar.widgetForAction(action) for action in bar.actions()]
    return [button for button in found if isinstance(button, QToolButton)]


def styles(bar: QToolBar) -> list[bool]:
    """Which buttons have words."""
    return [
        button.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonTextBesideIcon for button in buttons_of(bar)
    ]


def test_the_first_buttons_lose_their_words_first_and_get_them_back(bar, qtbot):
    needed = bar.sizeHint().width()
    bar.window().resize(needed - 1, 200)
    qtbot.waitUntil(lambda: styles(bar) == [False, True, True])
    bar.window().resize(60, 200)
    qtbot.waitUntil(lambda: not any(styles(bar)))
    bar.window().resize(needed + 40, 200)
    qtbot.waitUntil(lambda: all(styles(bar)))


@pytest.mark.parametrize("is_native", [False, True])
def test_it_stays_in_the_window_where_the_menus_are_at_the_top_of_the_screen(is_native, qtbot):
    class MenuBar(QMenuBar):
        def isNativeMenuBar(self) -> bool:  # noqa: N802
            return is_native

    window = QMainWindow()
    qtbot.addWidget(window)
    bar = MenuBar()
    window.setMenuBar(bar)
    menus = Menus(window, Actions(MAIN, window))
    menus.fit_rows(2000)
    assert menus.presets_button.window() is window
    assert bar.isAncestorOf(menus.presets_button) is not is_native
