"""The fields that panels are made of: lists that show all they have, and a focus that goes when they are done."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpviz.app.widgets.fields import ChoiceField, LimitField

# The screenless platform can neither raise a list nor give it the keyboard.
pytestmark = pytest.mark.qt_log_ignore("raise\\(\\)", "grabbing the keyboard", extend=True)


@pytest.fixture
def fields(qtbot):
    """A choice and a limit in a window."""
    window = QWidget()
    qtbot.addWidget(window)
    made = ChoiceField([("leaf", "leaf only"), ("subtree", "subtree")]), LimitField()
    layout = QVBoxLayout(window)
    for field in made:
        layout.addWidget(field)
    window.resize(300, 200)
    window.show()
    qtbot.waitUntil(lambda: window.windowHandle().isExposed())
    window.activateWindow()
    yield made
    for field in made:
        field.hidePopup()


@pytest.mark.parametrize("key", [Qt.Key.Key_Down, Qt.Key.Key_Up])
def test_arrows_open_the_list_and_return_chooses(fields, qtbot, key):
    for field in fields:
        field.setFocus()
        field.setCurrentIndex(0)
        qtbot.keyClick(field, key)
        assert field.view().isVisible()
        assert field.currentIndex() == 0
        qtbot.keyClick(field.view(), Qt.Key.Key_Down)
        qtbot.keyClick(field.view(), Qt.Key.Key_Return)
        assert field.currentIndex() == 1
        assert not field.view().isVisible()
        assert not field.hasFocus()


def test_a_choice_by_mouse_gives_the_focus_away(fields, qtbot):
    field = fields[0]
    field.setFocus()
    field.showPopup()
    point = field.view().visualRect(field.model().index(1, 0)).center()
    qtbot.mouseClick(field.view().viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert field.value() == "subtree"
    assert not field.hasFocus()


def test_what_was_chosen_stays_when_other_choices_are_offered_and_nothing_is_told(qtbot):
    field = ChoiceField([("a", "First"), ("b", "Second")])
    qtbot.addWidget(field)
    emitted = []
    field.value_changed.connect(lambda: emitted.append(field.value()))
    field.set_value("b")
    field.set_choices([("c", "Third"), ("b", "Second")])
    assert (field.value(), field.currentText()) == ("b", "Second")
    field.choose("unknown")
    assert field.value() == "b"
    field.set_choices([("c", "Third"), ("d", "Fourth")])
    assert field.value() == "c"
    assert emitted == ["b"]
