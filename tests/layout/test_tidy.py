"""The tidy tree."""

from itertools import pairwise

import pytest
from hypothesis import given

from gpviz.engine import Inner, Node, parse
from gpviz.engine.tree import nodes_of
from gpviz.layout.networkx_graph import graph_of
from gpviz.layout.tidy import Positions, tidy_layout
from tests.engine.strategies import trees


def positions_in(tree: Node) -> Positions:
    return tidy_layout(graph_of(tree))


@given(trees(max_leaves=24))
def test_neighbours_on_a_level_are_at_least_one_unit_apart_and_in_order(tree: Node) -> None:
    levels: dict[float, list[float]] = {}
    positions = positions_in(tree)
    for node in nodes_of(tree):
        x, y = positions[node.uid]
        levels.setdefault(y, []).append(x)
    for level in levels.values():
        assert all(right - left >= 1 - 1e-9 for left, right in pairwise(level))


@given(trees(max_leaves=24))
def test_parents_are_centred_one_level_above_their_children(tree: Node) -> None:
    positions = positions_in(tree)
    for node in nodes_of(tree):
        if isinstance(node, Inner):
            (left, below), (right, also_below) = positions[node.left.uid], positions[node.right.uid]
            x, y = positions[node.uid]
            assert x == pytest.approx((left + right) / 2)
            assert below == also_below == y + 1


@given(trees(max_leaves=24))
def test_some_pair_of_siblings_subtrees_touches(tree: Node) -> None:
    """Nothing is farther apart than it has to be: at every inner node the two subtrees touch on some level."""
    positions = positions_in(tree)
    for node in nodes_of(tree):
        if isinstance(node, Inner):
            gaps = []
            left_reach: dict[float, float] = {}
            for below in nodes_of(node.left):
                x, y = positions[below.uid]
                left_reach[y] = max(x, left_reach.get(y, x))
            right_reach: dict[float, float] = {}
            for below in nodes_of(node.right):
                x, y = positions[below.uid]
                right_reach[y] = min(x, right_reach.get(y, x))
            gaps = [right_reach[y] - left_reach[y] for y in left_reach.keys() & right_reach.keys()]
            assert min(gaps) == pytest.approx(1)


def test_the_same_subtree_is_drawn_the_same_wherever_it_is() -> None:
    small = parse("(x1 & x2) | x3")
    large = parse("x9 & ((x1 & x2) | x3)")
    assert isinstance(large, Inner)
    shapes = []
    for tree, root in ((small, small), (large, large.right)):
        positions = positions_in(tree)
        x, y = positions[root.uid]
        shapes.append([(positions[n.uid][0] - x, positions[n.uid][1] - y) for n in nodes_of(root)])
    assert shapes[0] == shapes[1]


def test_nothing_below_a_collapsed_node_has_a_position() -> None:
    tree = parse("(x1 & x2) | x3")
    assert isinstance(tree, Inner)
    positions = tidy_layout(graph_of(tree, frozenset({tree.left.uid})))
    assert set(positions) == {tree.uid, tree.left.uid, tree.right.uid}


def test_ten_thousand_levels_are_no_problem() -> None:
    deep = parse("(" * 9_999 + "x1" + " & x2)" * 9_999)
    assert len(positions_in(deep)) == 19_999
