"""A toolbar whose buttons give up their words where it is narrow."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QIcon, QPixmap, QResizeEvent
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


def test_larger_type_needs_more_room(bar, qtbot):
    bar.window().resize(bar.sizeHint().width() + 20, 200)
    qtbot.waitUntil(lambda: all(styles(bar)))
    font = bar.font()
    font.setPointSizeF(2 * font.pointSizeF())
    for button in buttons_of(bar):
        button.setFont(font)
    bar.setFont(font)
    qtbot.waitUntil(lambda: styles(bar)[0] is False)


def test_between_the_row_of_the_menus_and_its_own_it_does_not_resize_the_window(qtbot):
    class Window(QMainWindow):
        resized = 0

        def resizeEvent(self, event: QResizeEvent) -> None:
            super().resizeEvent(event)
            self.resized += 1

    window = Window()
    qtbot.addWidget(window)
    bar = ShrinkingToolBar("Toolbar", window)
    window.addToolBar(bar)
    bar.set_width_limit(300)
    bar.fit()
    assert window.resized == 0


def test_the_least_width_keeps_the_words_that_go_last(bar, qtbot):
    buttons = buttons_of(bar)
    without = bar.least_width()
    bar.set_yielding(buttons[:2], buttons[2:])
    assert bar.least_width() > without
    bar.window().resize(60, 200)
    qtbot.waitUntil(lambda: not any(styles(bar)))


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
