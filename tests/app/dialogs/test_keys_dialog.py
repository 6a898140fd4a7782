"""The dialog of all keys."""

from typing import Any

import pytest
from PySide6.QtCore import Qt

from gpviz.app.dialogs.keys_dialog import KeysDialog
from gpviz.app.theme import load_theme

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


def test_nothing_found_is_said(dialog, qtbot):
    qtbot.keyClicks(dialog.search_field, "fly")
    assert dialog.shown_keys() == []
    assert dialog.list.toPlainText() == "No key matches."


def test_arrow_keys_are_shown_as_on_the_keyboard_and_found_by_both_names(qtbot):
    keys = [("Shift+Right", "on"), ("Left", "back"), ("Rightmost", "no key")]
    dialog = KeysDialog([("Moving", keys)])
    qtbot.addWidget(dialog)
    assert dialog.shown_keys() == ["Shift+→", "←", "Rightmost"]
    for text in ("shift+right", "shift+→"):
        dialog.search_field.setText(text)
        assert dialog.shown_keys() == ["Shift+→"]


def many_keys(sections: int = 4) -> list[Any]:
    keys = [(f"Ctrl+{number}", "does something that takes a few words to say") for number in range(14)]
    return [(f"Section {number}", keys) for number in range(sections)]


def test_it_leaves_some_of_the_screen_free_also_with_large_type(qtbot):
    dialog = KeysDialog(many_keys())
    dialog.set_theme(load_theme("projector"))
    qtbot.addWidget(dialog)
    dialog.show()
    screen = dialog.screen().availableGeometry()
    assert dialog.height() <= 0.85 * screen.height() + 1
    assert dialog.width() <= 0.95 * screen.width() + 1


def test_there_are_two_columns_where_there_is_width(qtbot):
    dialog = KeysDialog(many_keys())
    qtbot.addWidget(dialog)
    dialog.show()

    def corners():
        document = dialog.list.document()
        blocks = [document.find(f"Section {number}").block() for number in (0, 2)]
        return [document.documentLayout().blockBoundingRect(block).topLeft() for block in blocks]

    dialog.resize(1400, 500)
    first, third = corners()
    assert third.y() == first.y()
    assert third.x() > first.x() + 400
    dialog.resize(700, 500)
    first, third = corners()
    assert third.x() == first.x()
    assert third.y() > first.y()


def test_escape_closes(dialog, qtbot):
    with qtbot.waitSignal(dialog.finished):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)


def test_the_type_is_large_in_every_theme(dialog):
    for name in ("light", "projector"):
        theme = load_theme(name)
        dialog.set_theme(theme)
        assert dialog.list.document().defaultFont().pointSizeF() >= 1.25 * theme.font_size
