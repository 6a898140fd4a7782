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


def test_a_widget_that_does_not_fit_goes_to_the_next_line(flow):
    holder, layout = flow
    assert layout.heightForWidth(430) == 20
    assert layout.heightForWidth(429) == 45
    assert layout.heightForWidth(100) == 95
    assert layout.hasHeightForWidth()
    holder.resize(300, 100)
    holder.show()
    assert [item.geometry().topLeft().toTuple() for item in items(layout)] == [
        (0, 0),
        (110, 0),
        (0, 25),
        (110, 25),
    ]
    assert layout.itemAt(3).geometry().width() == 190


def test_hidden_widgets_take_no_space(flow):
    _, layout = flow
    layout.itemAt(0).widget().hide()
    assert layout.sizeHint().width() == 320
    assert layout.minimumSize().toTuple() == (100, 20)


def items(layout: FlowLayout):
    return [layout.itemAt(index) for index in range(layout.count())]
