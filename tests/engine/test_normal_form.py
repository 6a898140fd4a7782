"""Trees with the same normal form behave alike."""

import random

import pytest

from gpviz.engine import parse
from gpviz.engine.normal_form import NormalForms
from tests.engine.brute_force import Tree, as_text, trees, truth_table

SAME = [
    ("x1 & x2", "x2 & x1"),
    ("x1 & (x2 & x3)", "(x3 & x1) & x2"),
    ("x1", "x7"),
    ("x1 & (x2 | x3)", "(x8 | x1) & x4"),
    ("(x1 & x2) | (x1 & x3)", "(x5 & x4) | (x6 & x5)"),
    ("x1 | (x2 | (x3 & x4))", "(x4 & x1) | x2 | x3"),
]
DIFFERENT = [
    ("x1 & x2", "x1 | x2"),
    ("x1 & x2", "x1 & x1"),
    ("x1 & (x2 | x3)", "x1 & (x2 | x1)"),
    ("(x1 & x2) | (x1 & x3)", "(x1 & x2) | (x3 & x4)"),
    ("x1 & x2 & x2", "x1 & x2 & x3"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_order_grouping_and_names_do_not_count(one: str, other: str) -> None:
    forms = NormalForms()
    assert forms.of(parse(one)) == forms.of(parse(other))


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_behaves_differently_is_told_apart(one: str, other: str) -> None:
    forms = NormalForms()
    assert forms.of(parse(one)) != forms.of(parse(other))


def renamed(tree: Tree, names: dict[int, int]) -> Tree:
    if isinstance(tree, int):
        return names[tree]
    return (tree[0], renamed(tree[1], names), renamed(tree[2], names))


def test_equal_forms_compute_the_same_function_up_to_renaming() -> None:
    forms = NormalForms()
    functions: dict[int, set[int]] = {}
    orders = [(1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1)]
    for tree in trees(4, 3, ("and", "or")):
        tables = {truth_table(renamed(tree, dict(zip((1, 2, 3), order, strict=True))), 3) for order in orders}
        seen = functions.setdefault(forms.of(parse(as_text(tree))), tables)
        assert seen == tables


def test_shuffled_and_renamed_trees_keep_their_form() -> None:
    rng = random.Random(7)
    forms = NormalForms()

    def shuffled(tree: Tree) -> Tree:
        if isinstance(tree, int):
            return tree
        left, right = shuffled(tree[1]), shuffled(tree[2])
        return (tree[0], left, right) if rng.random() < 0.5 else (tree[0], right, left)

    sample = rng.sample(trees(4, 3, ("and", "or")), 300)
    for tree in sample:
        names = dict(zip((1, 2, 3), rng.sample(range(1, 9), 3), strict=True))
        other = shuffled(renamed(tree, names))
        assert forms.of(parse(as_text(tree))) == forms.of(parse(as_text(other))), as_text(tree)
