"""Layouts beside the window's thread."""

import pytest

from gpviz.app.canvas import tree_layout
from gpviz.app.canvas.tree_frame import Frame
from gpviz.app.canvas.tree_layout import FrameBuilder
from gpviz.engine import GpvizError, parse
from gpviz.explain.step_picture import StepPicture
from gpviz.layout import positions_of

TREE = parse("(x1 & x2) | (x3 & x4)")


@pytest.fixture
def builder(qapp):
    made = FrameBuilder()
    made.set_layout("spring")
    yield made
    made.shut_down()
    made.deleteLater()


def test_of_what_was_asked_for_meanwhile_only_the_last_is_told(builder, qtbot):
    told: list[Frame] = []
    builder.arranged.connect(told.append)
    for tree in (parse("x1 & x2"), parse("x1 & x2 & x3"), TREE):
        builder.arrange(StepPicture(tree), frozenset())
    assert builder.is_waiting
    qtbot.waitUntil(lambda: not builder.is_waiting)
    assert [len(frame.x) for frame in told] == [7]


def test_what_nobody_waits_for_is_not_told(builder, qtbot):
    told: list[Frame] = []
    builder.arranged.connect(told.append)
    builder.arrange(StepPicture(TREE), frozenset())
    builder.arrange(StepPicture(None), frozenset())
    assert not builder.is_waiting
    builder.arrange(StepPicture(TREE), frozenset())
    qtbot.waitUntil(lambda: bool(told))
    assert len(told) == 1


def test_a_mistake_in_a_layout_is_raised_where_somebody_hears_it(builder, qtbot, monkeypatch):
    def stumble(graph, name):
        if name == "spring":
            raise ZeroDivisionError("oops")
        return positions_of(graph, name)

    monkeypatch.setattr(tree_layout, "positions_of", stumble)
    with qtbot.captureExceptions() as exceptions:
        builder.arrange(StepPicture(TREE), frozenset())
        qtbot.waitUntil(lambda: not builder.is_waiting)
    assert [kind for kind, *_ in exceptions] == [ZeroDivisionError]


def test_a_late_refusal_leaves_the_tree_tidy(builder, qtbot, monkeypatch):
    def refuse(graph, name):
        if name == "spring":
            raise GpvizError("Not this tree.")
        return positions_of(graph, name)

    monkeypatch.setattr(tree_layout, "positions_of", refuse)
    told: list[Frame] = []
    builder.arranged.connect(told.append)
    with qtbot.waitSignal(builder.refused) as signal:
        tidy = builder.arrange(StepPicture(parse("x1 & x2")), frozenset())
    assert signal.args == ["Not this tree."]
    (frame,) = told
    assert list(frame.x) == list(tidy.x)
