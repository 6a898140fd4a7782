"""The export button of a panel."""

import pytest

from gpviz.app.export.export_button import ExportButton
from gpviz.app.theme import load_theme


@pytest.fixture
def heard():
    return []


def button_for(qtbot, heard, *kinds):
    button = ExportButton(
        kinds,
        copy=lambda what: heard.append(("copy", what)),
        save=lambda what: heard.append(("save", what)),
        export=lambda what: heard.append(("export", what)),
    )
    button.set_theme(load_theme("dark"))
    qtbot.addWidget(button)
    return button


def test_one_thing_can_be_copied_saved_and_exported(qtbot, heard):
    button = button_for(qtbot, heard, "curves")
    actions = [action for action in button.menu().actions() if not action.isSeparator()]
    assert [action.text() for action in actions] == ["&Copy picture", "&Save picture as …", "&Export …"]
    for action in actions:
        action.trigger()
    assert heard == [("copy", "curves"), ("save", "curves"), ("export", "curves")]


def test_of_several_things_each_can_be_exported(qtbot, heard):
    button = button_for(qtbot, heard, "tree", "film")
    texts = [action.text() for action in button.menu().actions() if not action.isSeparator()]
    assert texts == ["&Copy picture", "&Save picture as …", "Export tree …", "Export film …"]
    button.menu().actions()[-1].trigger()
    assert heard == [("export", "film")]


def test_it_has_a_name_a_tip_and_a_sign(qtbot, heard):
    button = button_for(qtbot, heard, "table")
    assert button.accessibleName() == "Export the truth table"
    assert "truth table" in button.toolTip()
    assert not button.icon().isNull()
