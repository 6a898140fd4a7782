"""A row of widgets that goes on in the next line."""

import pytest
from PySide6.QtWidgets import QWidget

from gpviz.app.widgets.layouts import FlowLayout


@pytest.fixture
def flow(qtbot):
    holder = QWidget()
    qtbot.addWidget(holder)
    layout = FlowLayout(gap=10, line_gap=5, parent=holder)
    for index in range(4):
        child = QWidget()
        child.setFixedHeight(20)
        child.setMinimumWidth(100)
        child.setMaximumWidth(16_000 if index == 3 else 100)
        layout.add(child, stretches=index == 3)
    return holder, layout


def test_a_widget_that_does_not_fit_goes_to_the_next_line_and_one_that_stretches_takes_the_rest(flow):
    holder, layout = flow
    assert [layout.heightForWidth(width) for width in (430, 429, 100)] == [20, 45, 95]
    holder.resize(300, 100)
    holder.show()
    places = [layout.itemAt(index).geometry().getRect() for index in range(4)]
    assert places == [(0, 0, 100, 20), (110, 0, 100, 20), (0, 25, 100, 20), (110, 25, 190, 20)]


def test_hidden_widgets_take_no_space(flow):
    _, layout = flow
    layout.itemAt(0).widget().hide()
    assert layout.sizeHint().width() == 320
    assert layout.minimumSize().toTuple() == (100, 20)
