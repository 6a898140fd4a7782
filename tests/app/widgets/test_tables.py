"""The model behind tables and lists: rows, columns, sorting and typing."""

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QTableView

from gpviz.app.widgets.tables import (
    CENTRE,
    LEFT,
    RIGHT,
    UNKNOWN,
    Column,
    TableModel,
    set_up_rows,
    sorted_indexes,
)
from gpviz.engine import GpvizError
from gpviz.escaping import tooltip_text

UP, DOWN = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
ROLE = Qt.ItemDataRole


def checked(_row, text):
    if not text.strip():
        raise GpvizError("a name is wanted.")
    return text.strip()


COLUMNS: tuple[Column[tuple[str, int | None]], ...] = (
    Column(
        "name",
        lambda row: row[0],
        "Name",
        "What it is called.",
        key=lambda row: row[0],
        spoken=lambda row: f"called {row[0]}",
        edited=lambda row: row[0],
        check=checked,
    ),
    Column(
        "size",
        lambda row: "–" if row[1] is None else str(row[1]),
        "Size",
        key=lambda row: row[1],
        align=RIGHT,
        head_align=CENTRE,
        hint=lambda row: f"{row[1]} wide",
        colour=lambda row, theme: QColor(theme.colours.text),
    ),
    Column("note", lambda row: "note"),
)
ROWS = [("b", 2), ("a", None), ("c", 1)]


@pytest.fixture
def model(qapp):
    model = TableModel(COLUMNS, ROWS)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    return model


def names(model):
    return [model.text_at(at, "name") for at in range(model.rowCount())]


def emitted(signal):
    said = []
    signal.connect(lambda *what: said.append(what))
    return said


def test_a_cell_is_what_its_column_says_of_the_row(model):
    assert (model.rowCount(), model.columnCount(), model.names) == (3, 3, ("name", "size", "note"))
    cell = model.index(0, 0)
    assert [cell.data(role) for role in (ROLE.DisplayRole, ROLE.EditRole)] == ["b", "b"]
    assert cell.data(ROLE.AccessibleTextRole) == "called b"
    size = model.index(0, 1)
    assert size.data(ROLE.AccessibleTextRole) == "2", (
        "what is read aloud is the text, where nothing else is said"
    )
    assert size.data(ROLE.ToolTipRole) == tooltip_text("2 wide")
    assert size.data(ROLE.TextAlignmentRole) == RIGHT
    assert cell.data(ROLE.TextAlignmentRole) == LEFT
    assert cell.data(ROLE.ToolTipRole) is None


def test_rows_are_sorted_up_down_and_not_at_all_and_those_without_a_key_come_last(model):
    orders = []
    for column, order in ((0, UP), (0, DOWN), (1, UP), (1, DOWN), (-1, UP)):
        model.sort(column, order)
        orders.append("".join(names(model)))
    assert orders == ["abc", "cba", "cba", "bca", "bac"]
    model.sort(2)
    assert names(model) == ["b", "a", "c"], "a column without a key does not sort"


def test_a_sorted_row_is_found_by_its_index_among_those_given(model):
    model.sort(0)
    assert [model.given_index(at) for at in range(3)] == [1, 0, 2]
    assert model.row_at(0) == ("a", None)
    assert model.row_at(3) is None
    assert model.row_at(-1) is None


def test_what_is_selected_goes_with_its_row_when_values_and_order_change(model):
    model.sort(1, UP)
    selection = QItemSelectionModel(model)
    flags = QItemSelectionModel.SelectionFlag
    selection.setCurrentIndex(model.index(0, 0), flags.SelectCurrent | flags.Rows)
    resets, changes = emitted(model.modelReset), emitted(model.dataChanged)
    model.update_rows([("b", 2), ("a", 1), ("c", 7)])
    assert names(model) == ["a", "b", "c"]
    assert selection.currentIndex().row() == 2, "c was the first, and is the last now"
    assert selection.isRowSelected(2)
    assert not resets
    assert [(first.row(), last.row()) for first, last, _ in changes] == [(0, 2)]
    model.update_rows([("b", 2), ("a", 1), ("c", 7)])
    assert len(changes) == 1, "nothing has changed"


def test_more_rows_are_added_without_a_reset(model):
    resets = emitted(model.modelReset)
    model.add_rows([*ROWS, ("d", 4)])
    assert names(model) == ["b", "a", "c", "d"]
    model.add_rows([*ROWS, ("e", 4)])
    assert names(model) == ["b", "a", "c", "e"], "as many as before take their place"
    assert not resets


def test_what_is_being_typed_stays_while_other_cells_of_its_row_change(model, qtbot):
    view = QTableView()
    qtbot.addWidget(view)
    view.setModel(model)
    view.edit(model.index(0, 0))
    field = view.findChild(QLineEdit)
    assert field is not None
    field.setText("typed")
    model.update_rows([("b", 7), ("a", None), ("c", 1)])
    assert field.text() == "typed"
    assert model.text_at(0, "size") == "7"
    model.update_rows([("new", 7), ("a", None), ("c", 1)])
    assert field.text() == "new"


def test_fewer_rows_replace_all(model):
    added, resets = emitted(model.rowsInserted), emitted(model.modelReset)
    model.add_rows(ROWS[:1])
    assert names(model) == ["b"]
    assert len(resets) == 1
    assert not added


class Pages:
    """Rows of which only the even ones are read."""

    def __len__(self):
        return 1_000_000

    def __getitem__(self, index):
        return None if index % 2 else (str(index), index)


def test_rows_are_read_when_they_are_looked_at_and_have_dots_until_then(qapp):
    model = TableModel(COLUMNS, Pages())
    assert model.rowCount() == 1_000_000
    assert model.index(999_998, 0).data() == "999998"
    assert model.index(3, 0).data() == model.text_at(3, "name") == UNKNOWN
    assert model.index(3, 1).data(ROLE.ToolTipRole) is None


def test_what_is_typed_is_reported_checked_and_changes_nothing_by_itself(model):
    typed, refused = emitted(model.text_typed), emitted(model.text_refused)
    assert model.setData(model.index(1, 0), " new ")
    assert not model.setData(model.index(1, 0), " ")
    assert not model.setData(model.index(1, 1), "5")
    assert typed == [(1, "new")]
    assert refused == [(1, " ", "a name is wanted.")]
    assert names(model) == ["b", "a", "c"]
    editable = Qt.ItemFlag.ItemIsEditable
    assert model.index(0, 0).flags() & editable
    assert not model.index(0, 1).flags() & editable


def test_indexes_are_sorted_among_those_that_are_listed():
    assert sorted_indexes([3, None, 1, 2], is_descending=False) == [2, 3, 0, 1]
    assert sorted_indexes([3, None, 1, 2], is_descending=True, listed=[0, 1, 3]) == [0, 3, 1]


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
