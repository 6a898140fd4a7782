"""While Guess first is on nothing in the window tells what comes after the cursor, whatever is recorded."""

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from gpviz.app.lecture.scenes_page import ScenesPage
from gpviz.app.main_window import MainWindow
from gpviz.engine import RunConfig
from gpviz.page_list import PAGES
from gpviz.runs.history import Generalisation
from tests.app.main_windows import press
from tests.runs.runs import recorded

CONFIG = RunConfig(n=4, limit="4", deletion="leaf", seed=5)
SEEN, RECORDED = 6, 40
VIEWS = ("canvas", "strip", "drawer", "guess_bar")
DRAWN = ("strip",)
"""Views that say more in pictures than in words."""
STEPS_ON = [info.name for info in PAGES if not info.shows_whole_run]


def show_run(window: MainWindow, iterations: int) -> None:
    search, _, history = recorded(CONFIG, iterations)
    window.player.adopt_run(search, history, Generalisation(), None, cursor=SEEN)
    window.document.add_bookmark(2)
    window.set_reduced_motion(True)


def ask(window: MainWindow, qtbot) -> None:
    window.quiz.next()
    qtbot.waitUntil(lambda: window.quiz.is_asking)
    qtbot.waitUntil(lambda: window.is_idle)
    page = window.views.drawer.made(window.views.drawer.current)
    qtbot.waitUntil(lambda: not getattr(page, "is_filling", False))
    view = window.views.strip.view
    timers = (view._redraw_soon, view._catch_up)
    qtbot.waitUntil(lambda: not any(timer.isActive() for timer in timers))


def said(widget: QWidget) -> list[str]:
    """All words that can be seen or heard of a widget and of what is in it."""
    parts = [part for part in widget.findChildren(QWidget) if part.isVisibleTo(widget)]
    texts = [part.text() for part in parts if isinstance(part, QLabel)]
    return [text for text in (*texts, *(part.accessibleDescription() for part in (widget, *parts))) if text]


def seen_with(window: MainWindow, name: str, qtbot) -> dict[str, tuple[list[str], QImage]]:
    """With a page on show and a question asked: all words and the picture of each view."""
    window.show_page(name)
    window.views.canvas.setFocus()
    ask(window, qtbot)
    window.views.canvas.describe_now()  # which otherwise waits for a quiet moment
    views = {view: getattr(window.views, view) for view in VIEWS}
    seen = {
        name: (said(view), view.grab().toImage() if view.isVisible() else QImage())
        for name, view in views.items()
    }
    window.quiz.withdraw()
    return seen


@pytest.fixture
def window(window):
    window.showNormal()
    window.resize(1280, 720)  # so that the page is beside the tree
    show_run(window, RECORDED)
    window.actions_by_name["quiz"].trigger()
    return window


def test_with_a_run_that_is_recorded_every_view_is_as_if_it_ended_here(window, qtbot):
    for name in STEPS_ON:
        seen_with(window, name, qtbot)  # plots find their places when they are first painted
    here = {name: seen_with(window, name, qtbot) for name in STEPS_ON}
    show_run(window, SEEN)
    there = {name: seen_with(window, name, qtbot) for name in STEPS_ON}
    for name in STEPS_ON:
        for view in VIEWS:
            assert here[name][view][0] == there[name][view][0], f"{view} with {name}"
        for view in DRAWN:
            is_same_picture = here[name][view][1] == there[name][view][1]
            assert is_same_picture, f"{view} with {name}"


@pytest.mark.parametrize("name", [info.name for info in PAGES if info.judges_mutations])
def test_a_page_that_knows_the_answer_is_covered_until_there_is_one(window, qtbot, name):
    window.show_page(name)
    bench = window.views.drawer
    assert bench.page(name).isVisible()
    ask(window, qtbot)
    assert not bench.page(name).isVisible()
    assert bench.cover(name).startswith("This page knows the answer.")
    assert window.views.canvas.hasFocus() or not bench.isAncestorOf(window.focusWidget())
    window.quiz.guess(True)
    assert bench.page(name).isVisible()
    assert bench.cover(name) == ""


@pytest.mark.parametrize("name", [info.name for info in PAGES if info.shows_whole_run])
def test_a_page_about_the_whole_run_is_covered_while_there_is_more_of_it(window, name):
    window.show_page(name)
    bench = window.views.drawer
    assert not bench.page(name).isVisible()
    assert bench.cover(name).startswith("This page shows what comes next.")
    window.player.go_live()
    assert bench.page(name).isVisible()
    window.player.go_to(3)
    assert not bench.page(name).isVisible()
    window.actions_by_name["quiz"].trigger()
    assert bench.page(name).isVisible()


def test_bookmarks_ahead_come_with_the_cursor(window):
    window.document.add_bookmark(SEEN + 1)
    window.show_page("bookmarks")
    model = window.views.drawer.page("bookmarks").list.model()
    assert model.rowCount() == 1
    window.player.go_to(SEEN + 1)
    assert model.rowCount() == 2
    window.player.go_to(SEEN)
    assert model.rowCount() == 1
    window.actions_by_name["quiz"].trigger()
    assert model.rowCount() == 2


def test_after_a_change_of_the_page_space_plays_and_presses_nothing(window, qtbot):
    """A lecture was opened by a button of the page of scenes, which then had the keyboard."""
    window.actions_by_name["quiz"].trigger()
    window.activateWindow()
    window.views.canvas.setFocus()
    press("Alt+0")
    page = window.views.drawer.page("scenes")
    assert isinstance(page, ScenesPage)
    page.begin.findChildren(QPushButton)[0].setFocus()
    press("Space")
    qtbot.waitUntil(lambda: page.list.isVisible())
    page.list.setFocus()
    press("Alt+2")
    assert window.views.canvas.hasFocus()
    press("Space")
    assert window.player.is_playing
    assert window.phases.current is None


@pytest.mark.parametrize("size", [(1280, 720), (780, 600)])
def test_a_question_is_seen_also_where_a_page_covered_the_tree(window, qtbot, size):
    """Else neither the question nor its buttons are there, and their keys do nothing."""
    window.resize(*size)
    window.show_page("rows")
    window.actions_by_name["fill_page"].setChecked(True)
    assert not window.views.canvas.isVisible()
    ask(window, qtbot)
    assert window.views.guess_bar.accepted.isVisible()
    assert window.views.canvas.hasFocus()
    press("Y", window)
    qtbot.waitUntil(lambda: window.quiz.score[1] == 1)


def test_another_run_begins_with_a_question_instead_of_playing(window, qtbot):
    window.document.remove_bookmark(2)  # or it is asked whether it may go
    window.what_now.seed.click()
    qtbot.waitUntil(lambda: window.quiz.is_asking)
    assert not window.player.is_playing
