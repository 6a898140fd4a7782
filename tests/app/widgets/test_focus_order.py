"""The order of what takes the keyboard is that of the eye, whatever was made first; panes remember who had it."""

import pytest
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gpviz.app.widgets.focus_order import (
    ReadingOrderFocus,
    focus_order,
    go_to_pane,
    panes_of,
    set_focus_order,
    set_panes,
)


class Window(ReadingOrderFocus, QWidget):
    """Two columns of two buttons below one across, made from the last to the first."""

    def __init__(self) -> None:
        super().__init__()
        self.buttons = {name: QPushButton(name, self) for name in ("d", "c", "b", "a", "top")}
        columns = QHBoxLayout()
        for names in ("ab", "cd"):
            column = QVBoxLayout()
            for name in names:
                column.addWidget(self.buttons[name], 1 + (name == "a"))
                self.buttons[name].setMinimumHeight(90 if name in "ad" else 30)
            columns.addLayout(column)
        layout = QVBoxLayout(self)
        layout.addWidget(self.buttons["top"])
        layout.addLayout(columns)


@pytest.fixture
def window(qtbot):
    made = Window()
    qtbot.addWidget(made)
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    return made


def names(widgets: list[QWidget]) -> str:
    return " ".join(widget.text() for widget in widgets if isinstance(widget, QPushButton))


def test_columns_are_read_one_after_the_other_where_their_rows_do_not_meet(window):
    assert names(focus_order(window)) == "top a b c d"


def test_an_order_that_is_set_comes_before_that_of_the_eye(window):
    buttons = window.buttons
    set_focus_order(*(buttons[name] for name in ("c", "top", "b", "d", "a")))
    assert names(focus_order(window)) == "c top b d a"


def test_what_is_hidden_or_disabled_is_passed_by(window):
    window.buttons["a"].hide()
    window.buttons["c"].setEnabled(False)
    assert names(focus_order(window)) == "top b d"


def test_tab_goes_there_and_back(window):
    window.buttons["b"].setFocus()
    window.focusNextPrevChild(True)
    assert window.buttons["c"].hasFocus()
    window.focusNextPrevChild(False)
    window.focusNextPrevChild(False)
    assert window.buttons["a"].hasFocus()


def test_panes_go_round_in_the_order_of_the_eye(window):
    set_panes(window.buttons["d"], window.buttons["a"])
    assert names(panes_of(window)) == "a d"
    window.buttons["top"].setFocus()
    for expected in "ada":
        go_to_pane(window, 1)
        assert window.buttons[expected].hasFocus()
    go_to_pane(window, -1)
    assert window.buttons["d"].hasFocus()
