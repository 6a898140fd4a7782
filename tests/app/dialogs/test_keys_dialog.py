"""The dialog of all keys."""

from itertools import chain

import pytest

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
