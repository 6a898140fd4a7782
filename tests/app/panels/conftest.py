"""Panels on a screen: inside a scroll area, as they are in the window."""

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QScrollArea, QWidget


@pytest.fixture
def show(qtbot) -> Callable[[QWidget], QScrollArea]:
    """Shows a panel, and returns the window it is in."""

    def shown(panel: QWidget) -> QScrollArea:
        window = QScrollArea()
        window.setWidgetResizable(True)
        window.setWidget(panel)
        window.resize(400, 800)
        qtbot.addWidget(window)
        window.show()
        qtbot.waitExposed(window)
        window.activateWindow()
        return window

    return shown
