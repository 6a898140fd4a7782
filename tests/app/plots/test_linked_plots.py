"""Plots that the mouse does not move."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication

from gpviz.app.plots.linked_plots import IterationPlots
from tests.app.mouse import turn_wheel


def test_the_wheel_is_left_to_what_is_around_and_the_keys_too(qtbot):
    plots = IterationPlots()
    qtbot.addWidget(plots)
    assert not turn_wheel(plots.viewport(), 120)
    assert plots.focusPolicy() is Qt.FocusPolicy.NoFocus


def test_it_reports_when_the_mouse_has_left_and_when_the_size_has_changed(qtbot):
    plots = IterationPlots()
    qtbot.addWidget(plots)
    heard = []
    plots.mouse_left.connect(lambda: heard.append("left"))
    plots.resized.connect(lambda: heard.append("resized"))
    plots.show()
    heard.clear()
    plots.resize(321, 234)
    QApplication.sendEvent(plots, QEvent(QEvent.Type.Leave))
    assert heard == ["resized", "left"]
