"""Which parts of a tree it needs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine import RunConfig, parse, redundancy, simplified
from gpviz.engine.mutation import apply
from gpviz.engine.places import deletion
from gpviz.engine.target import target_for
from gpviz.engine.tree import Leaf, node_at, nodes_of
from tests.engine.brute_force import as_text, trees, truth_table

CONFIG = RunConfig(n=8)


def labels(formula: str, indices: tuple[int, ...]) -> list[str]:
    return [f"x{node_at(parse(formula), index).variable}" for index in indices]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("formula", "essential", "redundant"),
    [
        ("x1", ["x1"], []),
        ("x1 & x2 & x3", ["x1", "x2", "x3"], []),
        ("x1 & x2 & x1", ["x2"], ["x1", "x1"]),
        ("x1 & (x2 | x3)", ["x1"], ["x2", "x3"]),
        ("x1 & (x1 | x2)", ["x1"], ["x1", "x2"]),
        ("(x1 & x2) | (x2 & x1)", [], ["x1", "x2", "x2", "x1"]),
        (
            "(((x1 & (x4 & x3)) & x5) & (x2 & ((x7 & x8) | (x8 & x7))))",
            ["x1", "x4", "x3", "x5", "x2"],
            ["x7", "x8", "x8", "x7"],
        ),
    ],
)
def test_essential_leaves_hang_on_ands_alone_and_are_the_only_ones_with_their_variable(
    formula: str, essential: list[str], redundant: list[str]
) -> None:
    parts = redundancy(parse(formula), CONFIG)
    assert labels(formula, parts.essential) == essential
    assert labels(formula, parts.redundant) == redundant


def test_every_leaf_is_either_essential_or_redundant() -> None:
    for text in map(as_text, trees(4, 3, ("and", "or"))[::5]):
        tree = parse(text)
        parts = redundancy(tree, RunConfig(n=3))
        leaves = [i for i, node in enumerate(nodes_of(tree)) if isinstance(node, Leaf)]
        assert sorted(parts.essential + parts.redundant) == leaves


@given(st.sampled_from(trees(4, 3, ("and", "or"))))
def test_idle_subtrees_are_those_whose_deletion_keeps_the_truth_table(tree: object) -> None:
    parsed = parse(as_text(tree))  # type: ignore[arg-type]
    idle = redundancy(parsed, RunConfig(n=3)).idle
    for index in range(1, parsed.size):
        smaller = apply(parsed, deletion(index), (0, 0))
        assert (index in idle) == (simplified(smaller) == simplified(parsed))
    assert truth_table(tree, 3)  # type: ignore[arg-type]


def test_every_redundant_leaf_can_go_with_some_subtree_without_loss() -> None:
    """What the paper's proof says of AND_n."""
    target = target_for(3)
    for text in map(as_text, trees(4, 3, ("and", "or"))[::5]):
        tree = parse(text)
        for leaf in redundancy(tree, RunConfig(n=3)).redundant:
            harmless = [
                index
                for index in range(1, tree.size)
                if index <= leaf < index + node_at(tree, index).size
                and target.error(apply(tree, deletion(index), (0, 0))) <= target.error(tree)
            ]
            assert harmless, (text, leaf)
