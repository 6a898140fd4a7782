"""The dialog of all keys."""

import pytest
from PySide6.QtCore import Qt

from gpviz.app.panels.keys import KeysDialog
from gpviz.app.theme import load_theme

SECTIONS = [
    ("Moving", [("Space", "play or pause"), ("Shift+→", "to the next accepted iteration")]),
    ("Files", [("Ctrl+O", "open a run"), ("Ctrl+S", "save the run")]),
]


@pytest.fixture
def dialog(qtbot):
    made = KeysDialog(SECTIONS, load_theme("light"))
    qtbot.addWidget(made)
    made.show()
    return made


def test_all_keys_are_shown_at_first(dialog):
    assert dialog.shown_keys() == ["Space", "Shift+→", "Ctrl+O", "Ctrl+S"]
    assert dialog.nothing_label.isHidden()


def test_typing_narrows_them_down_by_key_and_by_effect(dialog, qtbot):
    qtbot.keyClicks(dialog.search_field, "CTRL run")
    assert dialog.shown_keys() == ["Ctrl+O", "Ctrl+S"]
    assert [label.isHidden() for label in dialog._headings] == [True, False]
    dialog.search_field.setText("pause")
    assert dialog.shown_keys() == ["Space"]


def test_nothing_found_is_told(dialog, qtbot):
    qtbot.keyClicks(dialog.search_field, "fly")
    assert dialog.shown_keys() == []
    assert not dialog.nothing_label.isHidden()


def test_escape_closes(dialog, qtbot):
    with qtbot.waitSignal(dialog.finished):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)


def test_the_type_is_large_in_every_theme(dialog):
    for name in ("light", "projector"):
        theme = load_theme(name)
        dialog.set_theme(theme)
        for _, _, labels, _ in dialog._rows:
            assert all(label.font().pointSizeF() >= 1.25 * theme.font_size for label in labels)
