"""The export button of a panel."""

import pytest

from gpviz.app.export.export_button import ExportButton


@pytest.mark.parametrize(
    ("kinds", "exports"),
    [(["curves"], ["&Export …"]), (["tree", "film"], ["Export tree …", "Export film …"])],
)
def test_the_first_kind_can_be_copied_and_saved_and_each_exported(qtbot, kinds, exports):
    heard: list[str] = []
    button = ExportButton(kinds, copy=heard.append, save=heard.append, export=heard.append)
    qtbot.addWidget(button)
    actions = [action for action in button.menu().actions() if not action.isSeparator()]
    assert [action.text() for action in actions] == ["&Copy picture", "&Save picture as …", *exports]
    for action in actions:
        action.trigger()
    assert heard == [kinds[0], kinds[0], *kinds]
