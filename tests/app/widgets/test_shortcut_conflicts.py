"""Keys with two meanings: whoever has the focus has them first, if it needs them."""

from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLineEdit,
    QListWidget,
    QPushButton,
    QSlider,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from gpviz.app.widgets.shortcut_conflicts import ShortcutConflicts

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)

KEYS = (
    "Space",
    "Shift+Space",
    "Left",
    "Right",
    "Home",
    "End",
    "B",
    "0",
    "+",
    "-",
    "?",
    "Ctrl+O",
    "Alt+Right",
    "F1",
)


class Window(QWidget):
    """A window with one widget of each kind, and shortcuts for everything."""

    def __init__(self) -> None:
        super().__init__()
        self.plain = QWidget()
        self.plain.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.check = QCheckBox("check")
        self.button = QPushButton("button")
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setValue(50)
        self.line = QLineEdit()
        self.spin = QSpinBox()
        self.spin.setValue(5)
        self.combo = QComboBox()
        self.combo.addItems(["apple", "banana", "cherry"])
        self.list = QListWidget()
        self.list.addItems(["apple", "banana", "cherry"])
        self.list.setCurrentRow(0)
        layout = QVBoxLayout(self)
        for name in ("plain", "check", "button", "slider", "line", "spin", "combo", "list"):
            layout.addWidget(getattr(self, name))
        self.used: list[str] = []
        for keys in KEYS:
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.activated.connect(lambda keys=keys: self.used.append(keys))


@pytest.fixture
def window(qtbot, qapp):
    keys = ShortcutConflicts()
    qapp.focusChanged.connect(keys.follow)
    made = Window()
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: made.windowHandle().isExposed())
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    yield made
    qapp.focusChanged.disconnect(keys.follow)
    made.hide()


@pytest.fixture
def press(window, qtbot):
    """Presses a key in a widget of the window."""

    def pressed(name: str, key: Qt.Key, modifier=Qt.KeyboardModifier.NoModifier) -> QWidget:
        widget = getattr(window, name)
        widget.setFocus()
        assert widget.hasFocus()
        # Through the window, as a keyboard does it: only there shortcuts are looked for.
        qtbot.keyClick(window.windowHandle(), key, modifier)
        return widget

    return pressed


def keys_of(text: str) -> list[Qt.Key]:
    sequences: list[Any] = [QKeySequence(key) for key in text.split()]  # they have no types for their keys
    return [sequence[0].key() for sequence in sequences]


@pytest.mark.parametrize(
    ("name", "keys"), [("plain", "Space Right B Home"), ("check", "B Right"), ("button", "0")]
)
def test_shortcuts_work_where_nobody_needs_the_key(window, press, name, keys):
    for key in keys_of(keys):
        press(name, key)
    assert window.used == keys.split()
    assert not window.check.isChecked()


@pytest.mark.parametrize(
    ("name", "keys", "state", "expected"),
    [
        ("check", "Space", QCheckBox.isChecked, True),
        ("slider", "Right Left Left", QSlider.value, 49),
        ("slider", "End", QSlider.value, 99),
        ("line", "B Space 0 - ?", QLineEdit.text, "b 0-?"),
        ("spin", "Up End 0", QSpinBox.value, 60),
        ("combo", "B", QComboBox.currentText, "banana"),
        ("combo", "B Home", QComboBox.currentText, "apple"),
        ("list", "End", QListWidget.currentRow, 2),
        ("list", "B", QListWidget.currentRow, 1),
    ],
)
def test_whoever_needs_a_key_has_it(window, press, name, keys, state, expected):
    for key in keys_of(keys):
        press(name, key)
    assert (state(getattr(window, name)), window.used) == (expected, [])


@pytest.mark.qt_log_ignore("grabbing the keyboard", "raise\\(\\)", "propagateSizeHints", extend=True)
def test_space_opens_a_list_to_choose_from(window, press, qtbot):
    combo = press("combo", Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: combo.view().isVisible())
    combo.hidePopup()
    assert window.used == []


@pytest.mark.parametrize("name", ["plain", "check", "slider", "line", "spin", "combo", "list"])
def test_keys_with_ctrl_or_alt_and_function_keys_are_always_shortcuts(window, press, name):
    press(name, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    press(name, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    press(name, Qt.Key.Key_F1)
    assert window.used == ["Ctrl+O", "Alt+Right", "F1"]


def test_who_has_lost_the_focus_has_no_keys_any_more(window, press):
    press("line", Qt.Key.Key_B)
    press("plain", Qt.Key.Key_B)
    press("line", Qt.Key.Key_B)
    assert (window.line.text(), window.used) == ("bb", ["B"])


def test_a_widget_that_is_gone_is_no_trouble(window, press, qapp):
    press("line", Qt.Key.Key_B)
    line = window.line
    window.plain.setFocus()
    keys = ShortcutConflicts()
    keys.follow(None, line)
    line.deleteLater()
    qapp.sendPostedEvents(line, QEvent.Type.DeferredDelete)
    assert not isValid(line)
    keys.follow(line, window.plain)
    keys.follow(window.plain, None)
