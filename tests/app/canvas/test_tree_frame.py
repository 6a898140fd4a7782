"""Frames of trees at rest, folding them and walking through them."""

from typing import Any

import pytest

from gpviz.app.canvas.node_shapes import NodeKind, face_of
from gpviz.app.canvas.tree_frame import Frame, frame_of, neighbour_of, standing_for
from gpviz.engine import Node, parse
from gpviz.picture.layout import graph_of, tidy_layout

TREE: Any = parse("(x1 & x2) | (x3 & x128)")  # uids: 0 1 &2, 3 4 &5, |6


def frame(tree: Node, collapsed: frozenset[int] = frozenset()) -> Frame:
    return frame_of(tree, tidy_layout(graph_of(tree, collapsed)), collapsed, (50.0, 60.0))


def test_a_frame_has_a_face_for_each_node_and_an_edge_for_each_child():
    drawn = frame(TREE)
    faces = {uid: drawn.face_at(number) for uid, number in drawn.index.items()}
    assert faces[6].kind is NodeKind.OR
    assert faces[2].kind is NodeKind.AND
    assert faces[4].label == "x₁₂₈"
    edges = zip(drawn.uids[drawn.edge_a].tolist(), drawn.uids[drawn.edge_b].tolist(), strict=True)
    assert set(edges) == {(6, 2), (6, 5), (2, 0), (2, 1), (5, 3), (5, 4)}


def test_a_collapsed_node_says_how_many_leaves_it_hides():
    folded = frame(TREE, frozenset({5}))
    assert len(folded) == 5
    assert folded.face_at(folded.index[5]) == face_of(TREE.right, is_collapsed=True)
    assert folded.face_at(folded.index[5]).label == "of 2 leaves"


def test_a_hidden_node_is_represented_by_the_topmost_node_that_hides_it():
    assert standing_for(TREE, frozenset({5})) == {0: 0, 1: 1, 2: 2, 3: 5, 4: 5, 5: 5, 6: 6}
    assert set(standing_for(TREE, frozenset({5, 6})).values()) == {6}
    assert standing_for(None, frozenset()) == {}


@pytest.mark.parametrize(
    ("start", "direction", "end"),
    [
        (2, "parent", 6),
        (6, "parent", None),
        (6, "child", 2),
        (1, "right", 3),
        (3, "left", 1),
        (4, "right", None),
    ],
)
def test_one_walks_up_down_and_along_a_level(start, direction, end):
    assert neighbour_of(TREE, start, direction) == end


def test_one_cannot_walk_from_a_node_that_is_not_there():
    assert neighbour_of(TREE, 99, "parent") is None
