"""What rests may be folded, and how one walks through what is on show."""

from typing import Any

import pytest

from gpviz.app.canvas.folding import neighbour_of, resting_uids
from gpviz.engine import Node, Operation, Verdict, parse
from gpviz.engine.tree import nodes_of
from tests.app.canvas.pictures import LARGE_TREE, large_tree, leaf_numbers, stepped

SMALL: Any = parse("(x1 & x2) | (x3 & x128)")  # uids: 0 1 &2, 3 4 &5, |6
LEAVES = leaf_numbers(LARGE_TREE)
NODES = list(nodes_of(LARGE_TREE))


def uids_below(tree: Node, uid: int) -> set[int]:
    found = next(node for node in nodes_of(tree) if node.uid == uid)
    return {node.uid for node in nodes_of(found)}


def test_what_is_as_it_was_and_holds_no_place_of_the_step_rests():
    place = NODES[LEAVES[40]].uid
    found = resting_uids(LARGE_TREE, LARGE_TREE, (place,))
    assert found
    hidden = [uids_below(LARGE_TREE, uid) for uid in found]
    assert not any(place in below for below in hidden)
    assert sum(map(len, hidden)) == len(set().union(*hidden))  # none is within another
    assert all(len(below) >= 7 for below in hidden)


def test_what_has_changed_does_not_rest():
    step = stepped(LARGE_TREE, Operation.SUB, Verdict.IMPROVED, LEAVES[10], variable=64)
    assert step.tree is not None
    changed, place = NODES[LEAVES[10]].uid, NODES[LEAVES[-1]].uid
    found = resting_uids(step.tree, LARGE_TREE, (place,))
    assert found
    assert not any(changed in uids_below(step.tree, uid) for uid in found)
    assert not resting_uids(step.tree, None, (place,))
    assert not resting_uids(LARGE_TREE, LARGE_TREE, ())


def test_a_tree_made_again_rests_as_well_as_the_same_one():
    place = NODES[LEAVES[40]].uid
    assert resting_uids(LARGE_TREE, large_tree(), (place,)) == resting_uids(LARGE_TREE, LARGE_TREE, (place,))


@pytest.mark.parametrize(
    ("start", "direction", "end"),
    [
        (2, "parent", 6),
        (6, "parent", None),
        (6, "child", 2),
        (1, "right", 3),
        (3, "left", 1),
        (4, "right", None),
        (99, "parent", None),
    ],
)
def test_one_walks_up_down_and_along_a_level(start, direction, end):
    assert neighbour_of(SMALL, start, direction) == end
