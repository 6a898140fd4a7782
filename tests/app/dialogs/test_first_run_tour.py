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
