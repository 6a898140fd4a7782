"""The dialog of all keys."""

import pytest
from PySide6.QtCore import Qt

from gpviz.app.dialogs.keys_dialog import KeysDialog

SECTIONS = [
    ("Moving", [("Space", "play or pause"), ("Shift+→", "to the next accepted iteration")]),
    ("Files", [("Ctrl+O", "open a run"), ("Ctrl+S", "save the run")]),
]


@pytest.fixture
def dialog(qtbot):
    made = KeysDialog(SECTIONS)
    qtbot.addWidget(made)
    made.show()
    return made


def test_all_keys_are_shown_at_first(dialog):
    assert dialog.shown_keys() == ["Space", "Shift+→", "Ctrl+O", "Ctrl+S"]
    text = dialog.list.toPlainText()
    assert all(part in text for part in ("Moving", "Shift+→", "to the next accepted iteration", "Files"))


def test_typing_narrows_them_down_by_key_and_by_effect(dialog, qtbot):
    qtbot.keyClicks(dialog.search_field, "CTRL run")
    assert dialog.shown_keys() == ["Ctrl+O", "Ctrl+S"]
    assert "Moving" not in dialog.list.toPlainText()
    dialog.search_field.setText("pause")
    assert dialog.shown_keys() == ["Space"]


def test_arrow_keys_are_shown_as_on_the_keyboard_and_found_by_both_names(qtbot):
    keys = [("Shift+Right", "on"), ("Left", "back"), ("Rightmost", "no key")]
    dialog = KeysDialog([("Moving", keys)])
    qtbot.addWidget(dialog)
    assert dialog.shown_keys() == ["Shift+→", "←", "Rightmost"]
    for text in ("shift+right", "shift+→"):
        dialog.search_field.setText(text)
        assert dialog.shown_keys() == ["Shift+→"]


def test_escape_closes(dialog, qtbot):
    with qtbot.waitSignal(dialog.finished):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
