"""The first-start hint."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from gpviz.app.dialogs.first_run_tour import FirstRunTour


@pytest.fixture
def window(qtbot):
    made = QWidget()
    made.resize(1280, 720)
    target = QPushButton("target", made)
    target.setObjectName("target")
    target.setGeometry(20, 600, 300, 60)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: made.windowHandle().isExposed())
    made.activateWindow()
    return made


@pytest.fixture
def hint(window):
    target = window.findChild(QPushButton, "target")
    made = FirstRunTour(
        [("Play", "Press Space.", target), ("Look", "The tree.", None), ("Go", "Change something.", target)],
        window,
    )
    made.show()
    return made


def test_it_lies_over_the_whole_window_and_follows_its_size(hint, window, qtbot):
    assert hint.geometry() == window.rect()
    window.resize(900, 600)
    qtbot.waitUntil(lambda: hint.geometry() == window.rect())


def test_the_card_is_beside_what_it_points_at(hint, window):
    target = window.findChild(QPushButton, "target")
    assert hint.rect().contains(hint.card.geometry())
    target.move(900, 20)
    window.resize(1270, 710)
    assert not hint.card.geometry().intersects(target.geometry())
    target.setGeometry(0, 100, 1270, 520)  # no space beside it
    window.resize(840, 700)
    assert hint.rect().contains(hint.card.geometry())


def test_a_card_that_points_at_nothing_is_in_the_middle(hint):
    hint.go_on()
    assert (hint.card.geometry().center() - hint.rect().center()).manhattanLength() <= 2


def test_next_goes_through_the_cards_and_ends(hint, qtbot):
    assert hint.title.text() == "Play"
    assert hint.count_label.text() == "1 of 3"
    qtbot.mouseClick(hint.next_button, Qt.MouseButton.LeftButton)
    assert hint.title.text() == "Look"
    qtbot.mouseClick(hint.next_button, Qt.MouseButton.LeftButton)
    assert hint.next_button.text() == "Start"
    assert hint.skip_button.isHidden()
    with qtbot.waitSignal(hint.finished):
        qtbot.mouseClick(hint.next_button, Qt.MouseButton.LeftButton)
    assert hint.isHidden()


def test_skipping_ends_at_once_and_says_so_once(hint, qtbot):
    ends = []
    hint.finished.connect(lambda: ends.append(True))
    qtbot.mouseClick(hint.skip_button, Qt.MouseButton.LeftButton)
    hint.finish()
    assert ends == [True]


def test_escape_ends(hint, qtbot):
    with qtbot.waitSignal(hint.finished):
        qtbot.keyClick(hint.next_button, Qt.Key.Key_Escape)


def test_it_can_be_read_by_keyboard(hint, qtbot):
    assert QApplication.focusWidget() is hint.next_button
    qtbot.keyClick(hint.next_button, Qt.Key.Key_Space)
    assert hint.current == 1
    qtbot.keyClick(hint, Qt.Key.Key_Left)
    assert hint.current == 0
    qtbot.keyClick(hint, Qt.Key.Key_Left)
    assert hint.current == 0
    qtbot.keyClick(hint, Qt.Key.Key_Right)
    qtbot.keyClick(hint, Qt.Key.Key_Return)
    assert hint.current == 2


def test_the_tab_key_stays_within_it(hint, qtbot):
    for wanted in (hint.skip_button, hint.next_button, hint.skip_button):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        assert QApplication.focusWidget() is wanted


def test_no_key_works_on_what_lies_below(hint, window, qtbot):
    pressed: list[QEvent] = []
    window.keyPressEvent = pressed.append
    qtbot.keyClick(hint, Qt.Key.Key_B)
    assert pressed == []
    hint.finish()
    qtbot.keyClick(window, Qt.Key.Key_B)
    assert len(pressed) == 1


def test_it_is_gone_when_it_is_finished(hint, window, qtbot):
    with qtbot.waitSignal(hint.destroyed):
        hint.finish()
    QApplication.sendEvent(window, QEvent(QEvent.Type.LayoutRequest))
