"""The persistent tree: nothing changes, a change copies one path, and depth is no limit."""

import copy
import pickle
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine.enums import Function
from gpviz.engine.formula import format_formula, parse
from gpviz.engine.prime_implicants import TooMany
from gpviz.engine.sampled_error import evaluate
from gpviz.engine.target import Conjunction
from gpviz.engine.tree import (
    Inner,
    Leaf,
    Node,
    Path,
    close,
    copy_path,
    depth_of,
    largest_uid,
    make_inner,
    make_insertion,
    node_at,
    node_path,
    nodes_of,
    replace,
    update_path,
    variables_of,
)
from gpviz.engine.true_row_count import count_tree
from tests.engine.strategies import inner_of, labels_of, preorder, shape_of, trees

AND, OR = Function.AND, Function.OR


def is_closed(tree: Node) -> bool:
    return all(type(node) in (Leaf, Inner) for node in preorder(tree))


def path_to_leaf(tree: Node, index: int) -> tuple[Leaf, Path]:
    numbers = [number for number, node in enumerate(nodes_of(tree), start=1) if isinstance(node, Leaf)]
    leaf, path = node_path(tree, numbers[index])
    assert isinstance(leaf, Leaf)
    return leaf, path


class TestImmutability:
    @pytest.mark.parametrize("name", ["uid", "variable", "value", "size", "leaves", "ors", "other"])
    def test_no_attribute_of_a_leaf_can_be_set(self, name):
        with pytest.raises(AttributeError, match="a tree never changes"):
            setattr(Leaf(0, 1), name, 2)

    @pytest.mark.parametrize(
        "name", ["uid", "function", "left", "right", "value", "size", "leaves", "ors", "other"]
    )
    def test_no_attribute_of_an_inner_node_can_be_set(self, name):
        with pytest.raises(AttributeError, match="a tree never changes"):
            setattr(parse("x1 & x2"), name, 2)

    @pytest.mark.parametrize("name", ["uid", "variable", "value"])
    def test_no_attribute_of_a_leaf_can_be_deleted(self, name):
        with pytest.raises(AttributeError, match="a tree never changes"):
            delattr(Leaf(0, 1), name)

    @pytest.mark.parametrize("name", ["uid", "function", "left", "right", "leaves", "value"])
    def test_no_attribute_of_an_inner_node_can_be_deleted(self, name):
        with pytest.raises(AttributeError, match="a tree never changes"):
            delattr(parse("x1 & x2"), name)

    def test_a_node_cannot_be_opened_again(self):
        leaf: Any = Leaf(0, 1)
        with pytest.raises(AttributeError, match="a tree never changes"):
            leaf.__class__ = Leaf.__mro__[1]


class TestNumbers:
    @given(trees())
    def test_size_counts_the_nodes(self, tree):
        assert tree.size == len(preorder(tree))

    @given(trees())
    def test_leaves_counts_the_leaves(self, tree):
        assert tree.leaves == sum(isinstance(node, Leaf) for node in preorder(tree))

    @given(trees())
    def test_ors_counts_the_ors(self, tree):
        assert tree.ors == sum(isinstance(node, Inner) and node.function is OR for node in preorder(tree))

    @given(trees())
    def test_the_depth_is_the_longest_way_down(self, tree):
        def levels(node: Node) -> int:
            return 1 if isinstance(node, Leaf) else 1 + max(levels(node.left), levels(node.right))

        assert depth_of(tree) == levels(tree)

    @given(trees())
    def test_the_largest_uid_is_the_largest_of_all(self, tree):
        assert largest_uid(tree) == max(node.uid for node in preorder(tree))

    @given(trees())
    def test_the_variables_are_those_of_the_leaves(self, tree):
        labels = {node.variable for node in preorder(tree) if isinstance(node, Leaf)}
        assert variables_of(tree) == sum(1 << (variable - 1) for variable in labels)

    def test_the_empty_tree_has_no_nodes_no_levels_no_uids_and_no_variables(self):
        assert (list(nodes_of(None)), depth_of(None), largest_uid(None), variables_of(None)) == ([], 0, -1, 0)


class TestOrder:
    @given(trees())
    def test_nodes_come_in_preorder(self, tree):
        assert list(map(id, nodes_of(tree))) == list(map(id, preorder(tree)))

    @given(trees())
    def test_the_nodes_are_numbered_from_1_in_the_order_of_a_naive_traversal(self, tree):
        assert [id(node_at(tree, number)) for number in range(1, tree.size + 1)] == list(
            map(id, preorder(tree))
        )

    @given(trees(), st.data())
    def test_the_path_of_a_node_leads_from_the_root_to_it(self, tree, data):
        node, path = node_path(tree, data.draw(st.integers(1, tree.size)))
        assert follow(tree, path) is node

    @pytest.mark.parametrize("number", [-1, 0, 4, 100])
    def test_a_node_that_is_not_there_is_refused(self, number):
        with pytest.raises(IndexError, match=f"node {number} of a tree with 3 nodes"):
            node_path(parse("x1 & x2"), number)


def follow(tree: Node, path: Path) -> Node:
    node = tree
    for ancestor, sibling in path:
        assert ancestor is node
        assert sibling is ancestor.left or sibling is ancestor.right
        node = ancestor.left if sibling is ancestor.right else ancestor.right
    return node


class TestReplace:
    @given(trees(), trees(max_leaves=3), st.data())
    def test_the_subtree_replaces_the_node_and_nothing_else_differs(self, tree, subtree, data):
        index = data.draw(st.integers(0, tree.size - 1))
        new = replace(node_path(tree, index + 1)[1], subtree)
        old_labels, labels = labels_of(tree), labels_of(new)
        after = index + node_at(tree, index + 1).size
        assert labels == old_labels[:index] + labels_of(subtree) + old_labels[after:]

    @given(trees(), trees(max_leaves=3), st.data())
    def test_everything_off_the_path_is_shared(self, tree, subtree, data):
        _, path = node_path(tree, data.draw(st.integers(1, tree.size)))
        node: Node = replace(path, subtree)
        for _, sibling in path:
            inner = inner_of(node)
            assert inner.left is sibling or inner.right is sibling
            node = inner.left if inner.right is sibling else inner.right
        assert node is subtree

    @given(trees(), trees(max_leaves=3), st.data())
    def test_the_original_stays_what_it_was(self, tree, subtree, data):
        before = labels_of(tree)
        replace(node_path(tree, data.draw(st.integers(1, tree.size)))[1], subtree)
        assert labels_of(tree) == before

    def test_at_the_root_the_subtree_is_the_whole_tree(self):
        leaf = Leaf(0, 1)
        assert replace([], leaf) is leaf


class TestReplacingWhatIsKnown:
    """`copy_path` and `update_path` are `replace` for one who knows the new functions."""

    @staticmethod
    def known_values(new: Node, path: Path) -> list[Any]:
        values = []
        node = new
        for _, sibling in path:
            inner = inner_of(node)
            values.append(inner.value)
            node = inner.left if inner.right is sibling else inner.right
        return values[::-1]

    @given(trees(), trees(max_leaves=3), st.data())
    def test_copy_path_makes_the_same_tree_as_replace(self, tree, subtree, data):
        node, path = node_path(tree, data.draw(st.integers(1, tree.size)))
        new = replace(path, subtree)
        values = self.known_values(new, path)
        copied = copy_path(path, subtree, values, subtree.leaves - node.leaves)
        assert all_fields(copied) == all_fields(new)

    @given(trees(), st.data())
    def test_copy_path_keeps_the_functions_beyond_those_it_is_given(self, tree, data):
        leaf, path = path_to_leaf(tree, data.draw(st.integers(0, tree.leaves - 1)))
        assert all_fields(copy_path(path, leaf, [], 0)) == all_fields(tree)

    @given(trees(), trees(max_leaves=3), st.data())
    def test_update_path_makes_the_same_tree_as_replace(self, tree, subtree, data):
        node, path = node_path(tree, data.draw(st.integers(1, tree.size)))
        new = replace(path, subtree)
        values = self.known_values(new, path)
        updated = update_path(path, subtree, values, subtree.leaves - node.leaves)
        close(updated)
        assert all_fields(updated) == all_fields(new)

    @given(trees(), trees(max_leaves=3), st.data())
    def test_update_path_leaves_a_closed_tree_as_it_was(self, tree, subtree, data):
        before = all_fields(tree)
        node, path = node_path(tree, data.draw(st.integers(1, tree.size)))
        values = self.known_values(replace(path, subtree), path)
        update_path(path, subtree, values, subtree.leaves - node.leaves)
        assert all_fields(tree) == before

    @given(trees(min_leaves=2), st.data())
    def test_update_path_changes_open_nodes_in_place(self, tree, data):
        opened = opened_tree(tree)
        leaf, path = path_to_leaf(tree, data.draw(st.integers(0, tree.leaves - 1)))
        subtree = make_inner(1000, AND, leaf, Leaf(1001, 6))
        new = replace(path, subtree)
        updated = update_path(same_path(path, opened), subtree, self.known_values(new, path), 1)
        assert updated is opened
        close(updated)
        assert all_fields(updated) == all_fields(new)

    @given(trees(max_leaves=5))
    def test_a_closed_tree_may_be_closed_again(self, tree):
        close(tree)
        assert is_closed(tree)

    def test_close_closes_open_nodes_below_closed_ones(self):
        opened = make_insertion(1, AND, 2, Leaf(0, 1), False, 0b11, stays_open=True)
        tree = make_inner(3, OR, opened, Leaf(4, 3))
        close(tree)
        assert is_closed(tree)

    @pytest.mark.parametrize(("goes_left", "formula"), [(True, "x2 | x1"), (False, "x1 | x2")])
    def test_grow_puts_the_new_leaf_on_the_side_it_is_given(self, goes_left, formula):
        expected = parse(formula)
        assert make_insertion(5, OR, 2, Leaf(0, 1), goes_left, expected.value, stays_open=False) == expected

    def test_grow_gives_its_uid_to_the_inner_node_and_the_next_to_the_leaf(self):
        tree = make_insertion(5, AND, 2, Leaf(0, 1), False, 0b11, stays_open=False)
        assert labels_of(tree) == [(5, AND), (0, 1), (6, 2)]

    def test_grow_can_close_what_it_makes(self):
        assert is_closed(make_insertion(5, AND, 2, Leaf(0, 1), False, 0b11, stays_open=False))


def opened_tree(tree: Node) -> Any:
    """The same tree with every inner node open, as only the run itself ever has it."""
    if isinstance(tree, Leaf):
        return tree
    left, right = opened_tree(tree.left), opened_tree(tree.right)
    opened: Any = make_insertion(tree.uid, tree.function, 1, left, False, tree.value, stays_open=True)
    opened.right = right
    opened.leaves = tree.leaves
    return opened


def same_path(path: Path, tree: Any) -> Path:
    """The path through another tree of the same shape."""
    same = []
    for ancestor, sibling in path:
        goes_left = ancestor.right is sibling
        same.append((tree, tree.right if goes_left else tree.left))
        tree = tree.left if goes_left else tree.right
    return same


def all_fields(tree: Node) -> list[tuple[Any, ...]]:
    return [
        (node.uid, node.leaves, node.value, getattr(node, "variable", None), getattr(node, "function", None))
        for node in preorder(tree)
    ]


class TestEquality:
    @given(trees(n=2, max_leaves=3), trees(n=2, max_leaves=3))
    def test_trees_are_equal_when_shape_and_labels_are(self, a, b):
        assert (a == b) is (shape_of(a) == shape_of(b))

    @given(trees())
    def test_uids_do_not_count(self, tree):
        assert tree == with_other_uids(tree)

    @given(trees())
    def test_equal_trees_have_equal_hashes(self, tree):
        assert hash(tree) == hash(with_other_uids(tree))

    def test_a_tree_equals_nothing_that_is_not_a_tree(self):
        assert parse("x1") != 1


def with_other_uids(tree: Node) -> Node:
    if isinstance(tree, Leaf):
        return Leaf(tree.uid + 1000, tree.variable)
    return Inner(tree.uid + 1000, tree.function, with_other_uids(tree.left), with_other_uids(tree.right))


class TestCopies:
    @given(trees())
    def test_pickling_keeps_everything(self, tree):
        assert all_fields(pickle.loads(pickle.dumps(tree))) == all_fields(tree)

    @given(trees())
    def test_what_was_pickled_is_closed(self, tree):
        assert is_closed(pickle.loads(pickle.dumps(tree)))

    def test_a_copy_is_the_tree_itself(self):
        tree = parse("x1 & x2")
        assert copy.copy(tree) is tree

    def test_a_deep_copy_is_the_tree_itself(self):
        tree = parse("x1 & x2")
        assert copy.deepcopy([tree])[0] is tree


class TestRepr:
    def test_it_shows_the_formula(self):
        assert repr(parse("x1 & (x2 | x3)")) == "<tree x1 & (x2 | x3)>"

    def test_a_long_formula_is_cut(self):
        text = repr(parse("&".join(["x1"] * 1000)))
        assert len(text) <= 210
        assert text.endswith("...>")


DEEP = 10_000


def comb(functions: str, grows_left: bool, variables: int) -> str:
    """A formula that is one long branch, with the functions taken in turn from the root down."""
    symbols = [functions[level % len(functions)] for level in range(DEEP)]
    names = [f"x{level % variables + 1}" for level in range(DEEP)]
    if grows_left:
        opens = "(" * DEEP
        return opens + "x1" + "".join(f" {s} {v})" for s, v in zip(symbols[::-1], names[::-1], strict=True))
    return "".join(f"({v} {s} " for s, v in zip(symbols, names, strict=True)) + "x1" + ")" * DEEP


COMBS = [("&", True, 10), ("|", False, 10), ("&|", True, 10), ("&|", False, 10)]
EXPLODED_COMBS = [("&|", True, 600)]


def name_of(case: tuple[str, bool, int]) -> str:
    functions, grows_left, variables = case
    return f"{functions} to the {'left' if grows_left else 'right'} over {variables} variables"


@cache
def deep_tree(functions: str, grows_left: bool, variables: int) -> Node:
    return parse(comb(functions, grows_left, variables))


@pytest.fixture(params=COMBS + EXPLODED_COMBS, ids=name_of)
def deep(request: pytest.FixtureRequest) -> Node:
    return deep_tree(*request.param)


def true_rows(functions: str, variables: int) -> int:
    """What is repeated further down a comb is settled above, so one level for each variable counts."""
    rows = 1 if functions[0] == "&" else 0
    for level in reversed(range(variables)):
        if functions[level % len(functions)] == "|":
            rows += 2 ** (variables - 1 - level)
    return rows


class TestDepth:
    """Trees of 10,000 levels, which no recursion would survive."""

    def test_they_are_written_and_read_back(self, deep):
        assert (deep.leaves, depth_of(deep), deep.size) == (DEEP + 1, DEEP + 1, 2 * DEEP + 1)
        assert parse(format_formula(deep)) == deep
        assert repr(deep).startswith("<tree ")

    def test_a_difference_at_the_very_bottom_is_found(self, deep):
        leaf, path = max((path_to_leaf(deep, 0), path_to_leaf(deep, DEEP)), key=lambda found: len(found[1]))
        assert replace(path, Leaf(leaf.uid, leaf.variable + 1)) != deep

    def test_pickling_keeps_every_uid(self, deep):
        loaded = pickle.loads(pickle.dumps(deep))
        assert [node.uid for node in nodes_of(loaded)] == [node.uid for node in nodes_of(deep)]
        assert hash(loaded) == hash(deep)

    def test_they_are_evaluated(self, deep):
        assert evaluate(deep, dict.fromkeys(range(1, 601), 0b10)) == 0b10

    @pytest.mark.parametrize(("functions", "grows_left", "variables"), COMBS)
    def test_their_error_is_counted(self, functions, grows_left, variables):
        tree = deep_tree(functions, grows_left, variables)
        assert Conjunction(variables).error(tree) == true_rows(functions, variables) - 1

    @pytest.mark.parametrize(("functions", "grows_left", "variables"), COMBS)
    def test_their_true_rows_are_counted_on_the_tree_itself(self, functions, grows_left, variables):
        tree = deep_tree(functions, grows_left, variables)
        assert count_tree(tree, variables) == true_rows(functions, variables)

    @pytest.mark.parametrize("case", EXPLODED_COMBS, ids=name_of)
    def test_some_of_them_have_too_many_prime_implicants(self, case):
        assert isinstance(deep_tree(*case).value, TooMany)
