"""The speaker's window."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from gpviz.app.lecture.lecture_keys import LectureCommand
from gpviz.app.lecture.presenter_window import PresenterWindow
from gpviz.app.lecture.scene_player import Upcoming
from gpviz.app.player.shown_moment import ShownMoment
from gpviz.app.theme import load_theme
from gpviz.lecture.lecture import Scene
from gpviz.lecture.stopwatch import Stopwatch
from tests.app.lecture.lectures import TEXT, ready

KEY = Qt.Key
SCENE = Scene(title="Bloat", notes="a line\n" * 200)
TITLES = ("The algorithm", "Bloat", "The stuck tree")


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def opened(qtbot, clock):
    made = []

    def show(*, is_lecture: bool = True) -> PresenterWindow:
        audience = QWidget()
        window = PresenterWindow(audience, Stopwatch(clock), TITLES if is_lecture else ())
        made.append(window)
        qtbot.addWidget(audience)
        qtbot.addWidget(window)
        window.resize(1100, 700)
        window.show()
        return window

    yield show
    for window in made:
        window.shut_down()


@pytest.fixture
def window(opened):
    return opened()


@pytest.fixture
def commands(window):
    given: list[LectureCommand] = []
    window.command_given.connect(given.append)
    return given


def test_a_scene_is_chosen_by_a_click_in_the_list(window, qtbot):
    with qtbot.assertNotEmitted(window.scene_chosen):
        window.show_scene(0, SCENE)
    place = window.scene_list.visualItemRect(window.scene_list.item(2)).center()
    with qtbot.waitSignal(window.scene_chosen) as chosen:
        QTest.mouseClick(window.scene_list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen.args == [2]


def test_the_clicker_works_wherever_the_focus_is(window, commands):
    for part in (window, window.scene_list, window.start_button, window.buttons[LectureCommand.BLACK]):
        for key in (KEY.Key_PageDown, KEY.Key_PageUp, KEY.Key_B, KEY.Key_Escape):
            QTest.keyClick(part, key)
    assert (
        commands == [LectureCommand.NEXT, LectureCommand.BACK, LectureCommand.BLACK, LectureCommand.LEAVE] * 4
    )


def test_every_button_is_a_wish(window, commands):
    for button in window.buttons.values():
        button.click()
    assert commands == list(window.buttons)


def test_space_presses_the_button_with_the_focus_and_goes_on_elsewhere(window, commands):
    QTest.keyClick(window.buttons[LectureCommand.BLACK], KEY.Key_Space)
    QTest.keyClick(window, KEY.Key_Space)
    assert commands == [LectureCommand.BLACK, LectureCommand.NEXT]


def test_the_time_is_shown_started_paused_and_reset(window, clock):
    assert (window.elapsed_label.text(), window.start_button.text()) == ("0:00", "S&tart")
    window.start_button.click()
    clock.now = 65.0
    window.tick()
    assert (window.elapsed_label.text(), window.start_button.text()) == ("1:05", "Pa&use")
    window.start_button.click()
    clock.now = 99.0
    window.tick()
    assert window.elapsed_label.text() == "1:05"
    window.reset_button.click()
    assert window.elapsed_label.text() == "0:00"
    assert ":" in window.clock_label.text()


def test_what_comes_next_is_a_tree_or_words(window):
    history = ready()[0].history
    window.show_next(Upcoming(title="Next: Iteration 7", moment=ShownMoment(history, 7)))
    assert window.next_title.text() == "Next: Iteration 7"
    assert window.next_canvas.isVisible()
    assert window.next_canvas.moment.iteration == 7
    window.show_next(Upcoming(title="Next scene: Tables", text=TEXT))
    assert window.next_title.text() == "Next scene: Tables"
    assert not window.next_canvas.isVisible()
    assert window.next_text.isVisible()
    shown = window.next_text.toPlainText()
    assert "Two tables" in shown
    assert "stuck." in shown
    assert not {"#", "|", "*"} & set(shown)
    window.show_next(Upcoming(title="Next scene: The end"))
    assert not window.next_text.isVisible()


def test_the_small_slide_is_whole_at_any_size(window, qtbot):
    window.show_next(Upcoming(title="Next scene: Tables", text=TEXT))
    sizes = []
    for width, height in ((1100, 700), (1600, 1000), (900, 620)):
        window.resize(width, height)
        qtbot.waitUntil(lambda: window.next_text.viewport().width() > 0.3 * window.width())
        assert not window.next_text.is_cut
        sizes.append(window.next_text.type_pixels)
    assert sizes[2] <= sizes[0] < sizes[1]
    window.set_theme(load_theme("dark"))
    assert not window.next_text.is_cut


def test_where_the_next_tree_is_not_made_yet_a_sentence_says_so_and_no_room_is_lost(opened, qtbot):
    window = opened(is_lecture=False)
    assert not window.notes.isVisible()
    assert not window.scene_list.isVisible()
    history = ready()[0].history
    window.show_next(Upcoming(title="Next: Iteration 7", moment=ShownMoment(history, 7)))
    qtbot.waitUntil(lambda: window.next_canvas.width() > 0.3 * window.width())
    window.show_next(Upcoming(title="It is computed."))
    assert window.next_title.text() == "It is computed."
    assert not window.next_canvas.isVisible()
    qtbot.waitUntil(lambda: window.thumbnail.width() > 0.9 * window.width())
    window.show_next(Upcoming(title="Next: Iteration 7", moment=ShownMoment(history, 7)))
    qtbot.waitUntil(lambda: window.thumbnail.width() < 0.7 * window.width())


def test_notes_are_large_and_can_be_made_larger_and_scrolled(window):
    window.show_scene(0, SCENE)
    before = window.notes.font().pointSizeF()
    assert before >= 1.5 * load_theme("light").font_size
    window.change_type(1)
    assert window.notes.font().pointSizeF() > before
    for _ in range(40):
        window.change_type(-1)
    assert window.notes.font().pointSizeF() > 4
    QTest.keyClick(window, KEY.Key_Down)
    assert window.notes.verticalScrollBar().value() > 0
    QTest.keyClick(window, KEY.Key_Up)
    assert window.notes.verticalScrollBar().value() == 0
    QTest.keyClick(window, KEY.Key_Z)


def test_it_fits_a_small_screen(window):
    window.set_theme(load_theme("projector"))
    assert window.minimumSizeHint().width() <= 1024
    assert window.minimumSizeHint().height() <= 700
