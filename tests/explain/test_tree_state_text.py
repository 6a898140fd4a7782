"""The state of a tree in words: every sentence holds for every tree it is said of."""

from collections.abc import Iterator

import pytest

from gpviz.analysis import Neighbour
from gpviz.analysis.neighbourhood import neighbours_of
from gpviz.analysis.redundant_leaves import Analysis, analyse
from gpviz.engine import Inner, Leaf, Node, Operation, RlsGp, RunConfig, State, parse
from gpviz.engine.mutation import apply, deletion
from gpviz.engine.stuck import TreeState
from gpviz.engine.target import target_for
from gpviz.engine.tree import nodes_of
from gpviz.explain.tree_state_text import (
    groups_of,
    leaf_notes,
    leaf_role,
)
from tests.engine import brute_force

FIGURE = "(x1 & x2) | (x2 & x1)"
LEAF = RunConfig(n=4, limit=4, deletion="leaf")
SUBTREE = LEAF.replaced(deletion="subtree")
FIRST = "((x1 & x5) | (x1 & x5)) & (x8 & (x2 & x6 & x7 & x4))"
FIRST_CONFIG = RunConfig(n=8, limit="n+1", deletion="leaf")


def formula_of(tree: brute_force.Tree) -> str:
    if isinstance(tree, int):
        return f"x{tree}"
    function, left, right = tree
    return f"({formula_of(left)} {'&' if function == brute_force.AND else '|'} {formula_of(right)})"


def full_trees() -> Iterator[tuple[Node, RunConfig]]:
    """Very many full trees under both rules of deletion: all small ones, and some of the larger."""
    for n, leaves, every in ((2, 1, 1), (2, 3, 1), (3, 1, 1), (3, 2, 1), (3, 3, 1), (4, 4, 29), (5, 4, 83)):
        shapes = brute_force.trees(leaves, n, (brute_force.AND, brute_force.OR))
        for number, shape in enumerate(shapes[::every]):
            rule = ("leaf", "subtree")[number % 2]
            yield parse(formula_of(shape)), RunConfig(n=n, limit=leaves, deletion=rule)
    for alike in (2, 3):
        for others in range(4):
            for missing in range(3):
                for deletion_rule in ("leaf", "subtree"):
                    n = alike + others + missing
                    yield (
                        halves(alike, others),
                        RunConfig(n=n, limit=2 * alike + others, deletion=deletion_rule),
                    )
    for n in (4, 6):
        for limit in range(2, n):
            config = RunConfig(n=n, limit=limit, deletion=("leaf", "subtree")[limit % 2], seed=limit)
            search = RlsGp(config)
            search.run(max_iterations=3000, stop_when_stuck=True)
            assert search.tree is not None
            yield search.tree, config


def halves(alike: int, others: int) -> Node:
    """Two halves with the same variables in another order, and leaves that the tree needs, as in the paper."""
    names = [f"x{number}" for number in range(1, alike + 1)]
    text = f"(({' & '.join(names)}) | ({' & '.join(reversed(names))}))"
    return parse(" & ".join([text, *(f"x{alike + number}" for number in range(1, others + 1))]))


def changes(tree: Node, config: RunConfig) -> list[Neighbour]:
    """All deletions and substitutions of a tree, judged one by one."""
    return [each for each in neighbours_of(tree, config) if each.mutation.operation is not Operation.INS]


def test_a_group_could_go_as_a_whole_and_not_leaf_by_leaf_and_nothing_larger_could() -> None:
    found = 0
    for tree, config in full_trees():
        analysis = analyse(tree, config)
        target = target_for(config.n)
        error = target.error(tree)
        numbers = {node.uid: number for number, node in enumerate(nodes_of(tree), start=1)}
        nodes = {node.uid: node for node in nodes_of(tree)}
        roots = [uid for group in groups_of(analysis) for uid in group.roots]
        for uid in roots:
            found += 1
            assert isinstance(nodes[uid], Inner)
            assert target.error(apply(tree, deletion(numbers[uid]), (-1, -2))) <= error
            below = [node.uid for node in nodes_of(nodes[uid])]
            assert not set(below[1:]) & set(roots)
            for leaf in (each for each in below if isinstance(nodes[each], Leaf)):
                assert target.error(apply(tree, deletion(numbers[leaf]), (-1, -2))) > error
        if analysis.state.state is not State.STUCK or config.has_subtree_deletion:
            assert not roots
    assert found >= 20


def test_of_what_is_not_known_there_are_no_notes() -> None:
    hasty = Analysis(parse(FIGURE), LEAF.rules, TreeState(State.STUCK, 3, 1))
    assert leaf_notes(hasty) == {}
    assert groups_of(hasty) == ()


def test_every_leaf_of_a_stuck_tree_has_a_note_with_both_costs() -> None:
    tree = parse(FIGURE)
    notes = leaf_notes(analyse(tree, LEAF))
    assert set(notes) == {node.uid for node in nodes_of(tree) if isinstance(node, Leaf)}
    assert set(notes.values()) == {("delete +4", "change ≥ +2")}
    single = analyse(parse("x1"), RunConfig(n=2, limit=1, deletion="leaf"))
    assert list(leaf_notes(single).values()) == [("never deleted", "change ±0")]
    assert leaf_notes(analyse(tree, SUBTREE)) == {}
    assert leaf_notes(None) == {}


@pytest.mark.parametrize(
    ("formula", "config", "roles"),
    [
        (FIGURE, LEAF, {"removable only together with its sibling"}),
        (FIRST, FIRST_CONFIG, {"removable only together with its sibling", "essential"}),
        (
            "((x3 & (x5 & x7)) | (x3 & (x7 & x5))) & (x2 & (x8 & x4))",
            RunConfig(n=8, limit=9, deletion="leaf"),
            {"removable only together with two other leaves", "essential"},
        ),
        ("x1 & x2 & x1", RunConfig(n=2, limit=4), {"removable, alone or with others", "essential"}),
    ],
)
def test_what_a_leaf_could_go_with(formula: str, config: RunConfig, roles: set[str]) -> None:
    tree = parse(formula)
    analysis = analyse(tree, config)
    assert {leaf_role(node.uid, analysis) for node in nodes_of(tree) if isinstance(node, Leaf)} == roles
