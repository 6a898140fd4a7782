"""Layouts beside the window's thread."""

import pytest

from gpviz.app.canvas import tree_layout
from gpviz.app.canvas.tree_frame import Frame
from gpviz.app.canvas.tree_layout import FrameBuilder, LayoutWorker
from gpviz.engine import GpvizError, parse
from gpviz.layout.graph import graph_of
from gpviz.layout.layouts import positions_of

GRAPH = graph_of(parse("(x1 & x2) | (x3 & x4)"))


@pytest.fixture
def worker(qapp):
    made = LayoutWorker()
    yield made
    made.shut_down()
    made.deleteLater()


def test_of_what_was_asked_for_meanwhile_only_the_last_is_told(worker, qtbot):
    told = []
    worker.layout_finished.connect(lambda key, positions: told.append((key, len(positions))))
    for key in ("first", "second", "third"):
        worker.request(key, GRAPH, "spring")
    assert worker.is_busy
    qtbot.waitUntil(lambda: not worker.is_busy)
    assert told == [("third", 7)]


def test_what_nobody_waits_for_is_not_told(worker, qtbot):
    with qtbot.assertNotEmitted(worker.layout_finished):
        worker.request("key", GRAPH, "spring")
        worker.request("other", GRAPH, "spring")
        worker.forget()
        qtbot.waitUntil(lambda: not worker.is_busy)


def test_a_refusal_is_told(worker, qtbot, monkeypatch):
    def refuse(graph, name):
        if name == "spring":
            raise GpvizError("Not this tree.")
        return positions_of(graph, name)

    monkeypatch.setattr(tree_layout, "positions_of", refuse)
    with qtbot.waitSignal(worker.layout_failed) as signal:
        worker.request("key", GRAPH, "spring")
    assert signal.args == ["key", "Not this tree."]


def test_a_mistake_in_a_layout_is_raised_where_somebody_hears_it(worker, qtbot, monkeypatch):
    def stumble(graph, name):
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(tree_layout, "positions_of", stumble)
    with qtbot.captureExceptions() as exceptions:
        worker.request("key", GRAPH, "spring")
        qtbot.waitUntil(lambda: not worker.is_busy)
    assert [kind for kind, *_ in exceptions] == [ZeroDivisionError]


def test_a_late_refusal_leaves_the_tree_tidy(qtbot, monkeypatch):
    def refuse(graph, name):
        if name == "spring":
            raise GpvizError("Not this tree.")
        return positions_of(graph, name)

    monkeypatch.setattr(tree_layout, "positions_of", refuse)
    arranger = FrameBuilder()
    arranger.set_layout("spring")
    tree = parse("x1 & x2")
    told: list[Frame] = []
    arranger.arranged.connect(told.append)
    with qtbot.waitSignal(arranger.refused) as signal:
        tidy = arranger.arrange(tree, frozenset())
    assert signal.args == ["Not this tree."]
    (frame,) = told
    assert list(frame.x) == list(tidy.x)
    arranger.shut_down()
    arranger.deleteLater()
