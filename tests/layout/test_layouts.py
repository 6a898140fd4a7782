"""The layouts there are."""

from itertools import combinations
from math import dist

import pytest

from gpviz.engine import GpvizError, parse
from gpviz.layout.layouts import LAYOUTS, positions_of
from gpviz.layout.networkx_graph import graph_of

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
