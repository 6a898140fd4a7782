"""Tables of rows that are chosen as a whole."""

import pytest
from PySide6.QtWidgets import QAbstractItemView, QTableView

from gpviz.app.widgets.table_setup import set_up_rows


@pytest.mark.parametrize("has_several", [True, False])
def test_whole_rows_are_chosen_and_tab_goes_on(qtbot, has_several):
    view = QTableView()
    qtbot.addWidget(view)
    set_up_rows(view, "Things", has_several=has_several)
    modes = QAbstractItemView.SelectionMode
    assert view.selectionBehavior() is QAbstractItemView.SelectionBehavior.SelectRows
    assert view.selectionMode() is (modes.ExtendedSelection if has_several else modes.SingleSelection)
    assert not view.tabKeyNavigation()
    assert view.accessibleName() == "Things"
