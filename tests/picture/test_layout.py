"""Where the nodes of a tree are drawn, in every layout."""

from itertools import combinations, pairwise
from math import dist

import pytest
from hypothesis import given

from gpviz.engine import GpvizError, Inner, Node, parse
from gpviz.engine.tree import nodes_of
from gpviz.picture.layout import LAYERED, LAYOUTS, place
from tests.engine.strategies import trees

TREES = ["x1", "x1 & x2", "((x1 & x2) | (x3 & (x4 | x5))) & (x6 | (x7 & x8))", " & ".join(["x1"] * 12)]


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("formula", TREES)
def test_every_node_has_a_position_of_its_own(name: str, formula: str) -> None:
    tree = parse(formula)
    positions = place(tree, name)
    assert set(positions) == {node.uid for node in nodes_of(tree)}
    for one, other in combinations(positions.values(), 2):
        assert dist(one, other) >= 1 - 1e-6


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_layout_is_always_the_same(name: str) -> None:
    assert place(parse(TREES[2]), name) == place(parse(TREES[2]), name)


@pytest.mark.parametrize("name", [name for name, layout in LAYOUTS.items() if layout.most_nodes < 10_000])
def test_a_tree_too_large_for_a_layout_is_refused_with_a_sentence(name: str) -> None:
    layout = LAYOUTS[name]
    tree = parse(" & ".join(["x1"] * (layout.most_nodes // 2 + 2)))
    with pytest.raises(GpvizError, match=rf"{layout.title}.*{layout.most_nodes} nodes.*{tree.size}"):
        place(tree, name)


@pytest.mark.parametrize("name", LAYOUTS)
def test_nothing_below_a_folded_node_has_a_position(name: str) -> None:
    tree = parse("(x1 & x2) | x3")
    assert isinstance(tree, Inner)
    positions = place(tree, name, frozenset({tree.left.uid}))
    assert set(positions) == {tree.uid, tree.left.uid, tree.right.uid}


@pytest.mark.parametrize("name", LAYERED)
@given(tree=trees(max_leaves=24))
def test_neighbours_on_a_level_are_at_least_one_unit_apart_and_in_order(name: str, tree: Node) -> None:
    levels: dict[int, list[float]] = {}
    positions = place(tree, name)
    pending = [(tree, 0)]
    while pending:
        node, level = pending.pop()
        levels.setdefault(level, []).append(positions[node.uid][0])
        if isinstance(node, Inner):
            pending += ((node.right, level + 1), (node.left, level + 1))
    for xs in levels.values():
        assert all(right - left >= 1 - 1e-6 for left, right in pairwise(xs))


# The tidy tree


@given(trees(max_leaves=24))
def test_parents_are_centred_one_level_above_their_children(tree: Node) -> None:
    positions = place(tree)
    for node in nodes_of(tree):
        if isinstance(node, Inner):
            (left, below), (right, also_below) = positions[node.left.uid], positions[node.right.uid]
            x, y = positions[node.uid]
            assert x == pytest.approx((left + right) / 2)
            assert below == also_below == y + 1


@given(trees(max_leaves=24))
def test_the_subtrees_of_siblings_touch(tree: Node) -> None:
    positions = place(tree)
    for node in nodes_of(tree):
        if isinstance(node, Inner):
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


@given(trees(max_leaves=24))
def test_where_leaves_have_notes_nothing_lies_below_a_leaf(tree: Node) -> None:
    positions = place(tree, has_notes=True)
    for node in nodes_of(tree):
        if not isinstance(node, Inner):
            x, y = positions[node.uid]
            assert not any(abs(x - other) < 1 - 1e-6 for other, level in positions.values() if level == y + 1)


def test_the_same_subtree_is_drawn_the_same_wherever_it_is() -> None:
    small = parse("(x1 & x2) | x3")
    large = parse("x9 & ((x1 & x2) | x3)")
    assert isinstance(large, Inner)
    shapes = []
    for tree, root in ((small, small), (large, large.right)):
        positions = place(tree)
        x, y = positions[root.uid]
        shapes.append([(positions[n.uid][0] - x, positions[n.uid][1] - y) for n in nodes_of(root)])
    assert shapes[0] == shapes[1]


def test_ten_thousand_levels_are_no_problem() -> None:
    deep = parse("(" * 9_999 + "x1" + " & x2)" * 9_999)
    assert len(place(deep)) == 19_999
