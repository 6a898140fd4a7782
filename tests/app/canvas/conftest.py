"""The canvas that the tests of this room look at."""

import pytest

from gpviz.app.canvas.tree_canvas import TreeCanvas


@pytest.fixture
def canvas(qtbot) -> TreeCanvas:
    """A canvas on the screen; whatever it computes is waited for at the end."""
    widget = TreeCanvas()
    qtbot.addWidget(widget, before_close_func=TreeCanvas.shut_down)
    widget.resize(640, 480)
    widget.show()
    return widget
