"""Layouts beside the window's thread."""

import pytest

from gpviz.app.canvas import tree_layout
from gpviz.app.canvas.tree_frame import Frame
from gpviz.app.canvas.tree_layout import FrameBuilder
from gpviz.engine import GpvizError, parse
from gpviz.explain.step_picture import StepPicture
from gpviz.picture.layout import positions_of

TREE = parse("(x1 & x2) | (x3 & x4)")


@pytest.fixture
def builder(qapp):
    made = FrameBuilder()
    made.set_layout("spring")
    yield made
    made.shut_down()
    made.deleteLater()


@pytest.mark.parametrize("error", [ZeroDivisionError("oops"), GpvizError("Not this tree.")])
def test_a_layout_that_fails_leaves_the_tree_tidy_and_somebody_hears_why(builder, qtbot, monkeypatch, error):
    def stumble(graph, name):
        if name == "spring":
            raise error
        return positions_of(graph, name)

    monkeypatch.setattr(tree_layout, "positions_of", stumble)
    frames: list[Frame] = []
    reasons: list[str] = []
    builder.arranged.connect(frames.append)
    builder.refused.connect(reasons.append)
    with qtbot.captureExceptions() as exceptions:
        tidy = builder.arrange(StepPicture(TREE), frozenset())
        qtbot.waitUntil(lambda: not builder.is_waiting)
    if isinstance(error, GpvizError):
        assert reasons == ["Not this tree."]
        assert [list(frame.x) for frame in frames] == [list(tidy.x)]
    else:
        assert [kind for kind, *_ in exceptions] == [ZeroDivisionError]


def test_of_several_trees_only_the_last_is_laid_out(builder, qtbot):
    told: list[Frame] = []
    builder.arranged.connect(told.append)
    for tree in (parse("x1 & x2"), None, TREE):
        builder.arrange(StepPicture(tree), frozenset())
    qtbot.waitUntil(lambda: not builder.is_waiting)
    assert [len(frame.x) for frame in told] == [7]
    builder.arrange(StepPicture(TREE), frozenset())
    builder.arrange(StepPicture(None), frozenset())
    assert not builder.is_waiting  # for what nobody looks at any more
