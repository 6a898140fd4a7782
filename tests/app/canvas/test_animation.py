"""The way from one tree to another."""

from typing import Any

import numpy as np
import pytest

from gpviz.app.canvas.animation import Transition
from gpviz.app.canvas.node_shapes import NodeKind
from gpviz.app.canvas.tree_frame import EMPTY, Frame, frame_of
from gpviz.engine import Function, Mutation, Node, Operation, Side, apply, parse
from gpviz.engine.tree import node_at, nodes_of
from gpviz.picture.layout import graph_of, tidy_layout

INSERT = Mutation(Operation.INS, 2, 4, Function.OR, Side.RIGHT)


def frame(tree: Node | None, collapsed: frozenset[int] = frozenset()) -> Frame:
    places = {} if tree is None else tidy_layout(graph_of(tree, collapsed))
    return frame_of(tree, places, collapsed, (50.0, 60.0))


def place(moment: Frame, uid: int) -> tuple[float, float]:
    number = moment.index[uid]
    return float(moment.x[number]), float(moment.y[number])


@pytest.fixture
def trees() -> tuple[Node, Node]:
    before = parse("x1 & x2 & x3")
    return before, apply(before, INSERT, (100, 101))


def test_it_starts_exactly_at_the_old_frame_and_ends_exactly_at_the_new_one(trees):
    before, after = map(frame, trees)
    transition = Transition(before, after)
    assert transition.at(0.0) is before
    assert transition.at(1.0) is after


def uids(tree):
    return {node.uid for node in nodes_of(tree)}


def test_kept_nodes_glide(trees):
    before, after = map(frame, trees)
    halfway = Transition(before, after).at(0.5)
    for uid in uids(trees[0]) & uids(trees[1]):
        middle = np.add(place(before, uid), place(after, uid)) / 2
        assert place(halfway, uid) == pytest.approx(tuple(middle))
        assert halfway.opacity[halfway.index[uid]] == 1.0


def test_added_nodes_grow_and_removed_ones_fade(trees):
    before, after = map(frame, trees)
    added = uids(trees[1]) - uids(trees[0])
    assert added == {100, 101}
    sizes = {moment: Transition(before, after).at(moment) for moment in (0.1, 0.9)}
    backwards = {moment: Transition(after, before).at(moment) for moment in (0.1, 0.9)}
    for uid in added:
        assert sizes[0.1].size[sizes[0.1].index[uid]] < sizes[0.9].size[sizes[0.9].index[uid]]
        assert place(sizes[0.1], uid) == place(after, uid)
        opacity = [moment.opacity[moment.index[uid]] for moment in backwards.values()]
        assert opacity[0] > opacity[1]


def test_relabelled_nodes_flip():
    before = parse("x1 & x2")
    after = apply(before, Mutation(Operation.SUB, 3, 5, Function.AND, Side.LEFT), (8, 9))
    uid = node_at(before, 3).uid
    transition = Transition(frame(before), frame(after))
    early, middle, late = (transition.at(moment) for moment in (0.2, 0.5, 0.8))
    number = middle.index[uid]
    assert middle.flip[number] == pytest.approx(0.0, abs=1e-9)
    assert 0.0 < early.flip[number] < 1.0
    assert early.face_at(number).label == "x₂"
    assert late.face_at(number).label == "x₅"
    assert np.all(np.delete(middle.flip, number) == 1.0)


def test_a_transition_can_start_in_the_middle_of_another(trees):
    before, after = map(frame, trees)
    middle = Transition(before, after).at(0.4)
    back = Transition(middle, before)
    assert back.at(0.0) is middle
    early = back.at(1e-9)
    for uid in middle.index:
        assert place(early, uid) == pytest.approx(place(middle, uid), abs=1e-6)
        assert early.size[early.index[uid]] == pytest.approx(middle.size[middle.index[uid]], abs=1e-6)


def test_a_tree_can_come_from_nothing_and_go_to_nothing():
    tree = frame(parse("x1 | x2"))
    assert len(Transition(EMPTY, tree).at(0.5)) == 3
    assert len(Transition(tree, EMPTY).at(0.5)) == 3
    assert len(Transition(EMPTY, EMPTY).at(0.5)) == 0


def test_nodes_come_out_of_the_collapsed_node_that_hid_them():
    tree: Any = parse("(x1 & x2) | x3")
    folded = frame(tree, frozenset({tree.left.uid}))
    unfolded = frame(tree)
    assert folded.face_at(folded.index[tree.left.uid]).kind is NodeKind.AND_STACK
    start = Transition(folded, unfolded).at(1e-9)
    end = Transition(unfolded, folded).at(1.0 - 1e-9)
    for leaf in (tree.left.left, tree.left.right):
        assert place(start, leaf.uid) == pytest.approx(place(folded, tree.left.uid), abs=1e-6)
        assert place(end, leaf.uid) == pytest.approx(place(folded, tree.left.uid), abs=1e-6)
