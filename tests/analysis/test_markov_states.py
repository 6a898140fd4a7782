"""Kinds of trees: how many there are, and which trees are of one kind."""

import pytest

from gpviz.analysis.markov_states import TreeKinds, count_labelled_shapes
from gpviz.engine import Function, Inner, Leaf, Node, RunConfig, parse
from gpviz.engine.target import target_for
from tests.analysis.independent_chain import class_of
from tests.engine import brute_force
from tests.engine.brute_force import Tree


def kinds_of(n: int, limit: int) -> TreeKinds:
    rules = RunConfig(n=n, limit=str(limit)).rules
    return TreeKinds(rules, rules.functions)


def planted(tree: Tree) -> Node:
    if isinstance(tree, int):
        return Leaf(0, tree)
    return Inner(0, Function(tree[0]), planted(tree[1]), planted(tree[2]))


@pytest.mark.parametrize(("n", "limit"), [(1, 4), (2, 4), (3, 3)])
def test_trees_are_of_one_kind_if_reordering_and_renaming_make_them_equal(n, limit):
    kinds = kinds_of(n, limit)
    every = [tree for leaves in range(1, limit + 1) for tree in brute_force.trees(leaves, n, ("and", "or"))]
    numbers = {(class_of(tree, n), kinds.number_of(planted(tree))) for tree in every}
    classes, found = zip(*numbers, strict=True)
    assert len(set(classes)) == len(numbers)
    assert sorted(found) == list(range(1, kinds.count))


def test_a_kind_knows_its_leaves_its_ors_and_how_often_it_is_true():
    kinds = kinds_of(3, 4)
    for tree in brute_force.trees(4, 3, ("and", "or"))[::11]:
        number = kinds.number_of(planted(tree))
        assert kinds.leaves[number] == 4
        assert kinds.ors[number] == planted(tree).ors
        assert kinds.true_rows[number] == target_for(3).error(planted(tree)) + 1


def test_a_tree_that_is_too_large_is_of_no_kind():
    assert kinds_of(3, 3).number_of(parse("x1 & x2 & x3 & x1")) is None


def test_shapes_and_partitions_are_counted_without_making_them():
    def partitions(leaves: int, n: int) -> int:
        rows = {
            tuple(variables.index(each) for each in variables) for variables in brute_force_labels(leaves, n)
        }
        return len(rows)

    shapes = [1, 2, 4, 14]
    for n in (1, 2, 3, 4):
        expected = sum(shapes[leaves - 1] * partitions(leaves, n) for leaves in range(1, 5))
        assert count_labelled_shapes(2, 4, n, most=10**9) == expected


def brute_force_labels(leaves: int, n: int) -> list[tuple[int, ...]]:
    rows: list[tuple[int, ...]] = [()]
    for _ in range(leaves):
        rows = [(*row, variable) for row in rows for variable in range(n)]
    return rows
