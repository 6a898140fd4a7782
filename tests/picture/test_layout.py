"""Where the nodes of a tree are drawn, in every layout."""

from itertools import combinations, pairwise
from math import dist

import pytest
from hypothesis import given

from gpviz.engine import GpvizError, Inner, Node, parse
from gpviz.engine.tree import nodes_of
from gpviz.picture.layout import LAYOUTS, Positions, graph_of, positions_of, tidy_layout
from tests.engine.strategies import trees

TREES = ["x1", "x1 & x2", "((x1 & x2) | (x3 & (x4 | x5))) & (x6 | (x7 & x8))", " & ".join(["x1"] * 12)]


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("formula", TREES)
def test_every_node_has_a_position_of_its_own(name: str, formula: str) -> None:
    graph = graph_of(parse(formula))
    positions = positions_of(graph, name)
    assert set(positions) == set(graph)
    for one, other in combinations(positions.values(), 2):
        assert dist(one, other) >= 1 - 1e-6


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_layout_is_always_the_same(name: str) -> None:
    graph = graph_of(parse(TREES[2]))
    assert positions_of(graph, name) == positions_of(graph_of(parse(TREES[2])), name)


@pytest.mark.parametrize("name", [name for name, layout in LAYOUTS.items() if layout.most_nodes < 10_000])
def test_a_tree_too_large_for_a_layout_is_refused_with_a_sentence(name: str) -> None:
    layout = LAYOUTS[name]
    leaves = layout.most_nodes // 2 + 2
    graph = graph_of(parse(" & ".join(["x1"] * leaves)))
    with pytest.raises(GpvizError, match=rf"{layout.title}.*{layout.most_nodes} nodes.*{len(graph)}"):
        positions_of(graph, name)


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
