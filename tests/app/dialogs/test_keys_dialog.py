"""The dialog of all keys."""

from itertools import chain

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


def listed(dialog: KeysDialog) -> list[str]:
    """The titles, and each key before what it does."""
    return dialog.list.toPlainText().split("\n")


def test_all_keys_are_shown_at_first(dialog):
    expected = {text for title, keys in SECTIONS for text in (title, *chain.from_iterable(keys))}
    assert expected <= set(listed(dialog))


def test_typing_narrows_them_down_by_key_and_by_effect(dialog, qtbot):
    qtbot.keyClicks(dialog.search_field, "CTRL run")
    assert {"Ctrl+O", "Ctrl+S"} <= set(listed(dialog))
    assert not {"Moving", "Space", "Shift+→"} & set(listed(dialog))
    dialog.search_field.setText("pause")
    assert "Space" in listed(dialog)
    assert not {"Shift+→", "Ctrl+O", "Ctrl+S"} & set(listed(dialog))


def test_arrow_keys_are_shown_as_on_the_keyboard_and_found_by_both_names(qtbot):
    keys = [("Shift+Right", "on"), ("Left", "back"), ("Rightmost", "no key")]
    dialog = KeysDialog([("Moving", keys)])
    qtbot.addWidget(dialog)
    assert {"Shift+→", "←", "Rightmost"} <= set(listed(dialog))
    for text in ("shift+right", "shift+→"):
        dialog.search_field.setText(text)
        assert "Shift+→" in listed(dialog)
        assert not {"←", "Rightmost"} & set(listed(dialog))


def test_escape_closes(dialog, qtbot):
    with qtbot.waitSignal(dialog.finished):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)


def test_it_opens_as_high_as_its_keys_or_the_screen(dialog, qtbot):
    few = dialog.list
    assert 0 <= few.viewport().height() - few.document().size().height() <= 4
    many = KeysDialog([("Moving", [(f"F{number}", "on") for number in range(200)])])
    qtbot.addWidget(many)
    many.show()
    assert many.height() > 0.8 * many.screen().availableGeometry().height()


def test_keys_in_a_single_column_have_the_whole_width(qtbot):
    heights = set()
    for effect in ("Short", "An effect whose sentence is a little longer than half of the dialog"):
        dialog = KeysDialog([("Moving", [("F1", effect)])])
        qtbot.addWidget(dialog)
        dialog.show()
        heights.add(dialog.list.document().size().height())
    assert len(heights) == 1
