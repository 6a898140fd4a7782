"""Layouts beside the window's thread."""

import pytest

from gpviz.app.canvas import tree_layout
from gpviz.app.canvas.tree_layout import TreeLayout
from gpviz.engine import GpvizError, parse

TREE = parse("(x1 & x2) | (x3 & x4)")
NOTHING: frozenset[int] = frozenset()


@pytest.fixture
def layout(qapp):
    made = TreeLayout()
    made.choose("spring")
    yield made
    made.shut_down()
    made.deleteLater()


@pytest.mark.parametrize("error", [ZeroDivisionError("oops"), GpvizError("Not this tree.")])
def test_a_layout_that_fails_leaves_the_tree_tidy_and_somebody_hears_why(layout, qtbot, monkeypatch, error):
    def stumble(*_):
        raise error

    monkeypatch.setattr(tree_layout, "place", stumble)
    reasons: list[str] = []
    layout.refused.connect(reasons.append)
    with qtbot.captureExceptions() as exceptions:
        assert layout.layout_of(TREE, NOTHING) == ("tidy", None)
        qtbot.waitUntil(lambda: not layout.is_waiting)
    if isinstance(error, GpvizError):
        assert reasons == ["Not this tree."]
        assert layout.layout_of(TREE, NOTHING) == ("tidy", None)
        assert not layout.is_waiting
    else:
        assert [kind for kind, *_ in exceptions] == [ZeroDivisionError]


def test_of_several_trees_only_the_last_is_laid_out(layout, qtbot):
    arranged: list[bool] = []
    layout.arranged.connect(lambda: arranged.append(True))
    for tree in (parse("x1 & x2"), None, TREE):
        layout.layout_of(tree, NOTHING)
    qtbot.waitUntil(lambda: not layout.is_waiting)
    assert arranged == [True]
    name, positions = layout.layout_of(TREE, NOTHING)
    assert name == "spring"
    assert positions is not None
    assert len(positions) == 7
    layout.layout_of(None, NOTHING)
    assert not layout.is_waiting  # for what nobody looks at any more
