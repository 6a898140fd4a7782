"""HVL-Prime's mutations, against what they do to plain nested data."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine.enums import Function, Operation, Side
from gpviz.engine.errors import InvalidValueError
from gpviz.engine.formula import ASCII, parse
from gpviz.engine.mutation import (
    Mutation,
    apply,
    apply_all,
    describe,
    is_unchanged,
    leaves_after,
    trees_along,
)
from gpviz.engine.tree import Inner, Leaf, Node, node_at
from tests.engine.strategies import Shape, labels_of, mutations, preorder, shape_of, trees

INS, DEL, SUB = Operation
AND, OR = Function
LEFT, RIGHT = Side
NEW = (1000, 1001)


@st.composite
def mutated(draw: st.DrawFn) -> tuple[Node, Mutation]:
    tree = draw(trees())
    return tree, draw(mutations(tree))


def naive(shape: Shape, mutation: Mutation) -> Shape:
    """Algorithm 2 after its draws, on plain data."""
    operation, node, variable, function, side = mutation
    if node == 1:
        if operation is INS:
            return (function, variable, shape) if side is LEFT else (function, shape, variable)
        return variable if operation is SUB else shape
    assert not isinstance(shape, int)
    label, left, right = shape
    on_the_left = number_of_nodes(left)
    is_left = node <= 1 + on_the_left
    if operation is DEL and node in (2, 2 + on_the_left):
        return right if is_left else left
    if is_left:
        return label, naive(left, mutation._replace(node=node - 1)), right
    return label, left, naive(right, mutation._replace(node=node - 1 - on_the_left))


def number_of_nodes(shape: Shape) -> int:
    return 1 if isinstance(shape, int) else 1 + number_of_nodes(shape[1]) + number_of_nodes(shape[2])


class TestOffspring:
    @given(mutated())
    def test_it_is_that_of_the_naive_algorithm(self, case):
        tree, mutation = case
        assert shape_of(apply(tree, mutation, NEW)) == naive(shape_of(tree), mutation)

    @given(mutated())
    def test_it_is_made_as_if_from_scratch(self, case):
        tree, mutation = case
        offspring = apply(tree, mutation, NEW)
        again = parse_shape(shape_of(offspring))
        fields = [(node.size, node.leaves, node.value) for node in preorder(offspring)]
        assert fields == [(node.size, node.leaves, node.value) for node in preorder(again)]

    @given(mutated())
    def test_the_parent_stays_as_it_was(self, case):
        tree, mutation = case
        before = labels_of(tree)
        apply(tree, mutation, NEW)
        assert labels_of(tree) == before

    @pytest.mark.parametrize("operation", Operation)
    def test_on_the_empty_tree_every_operation_plants_the_variable(self, operation):
        planted = apply(None, Mutation(operation, 1, 3, OR, LEFT), NEW)
        assert labels_of(planted) == [(NEW[1], 3)]

    @given(trees())
    def test_deleting_the_root_changes_nothing(self, tree):
        assert apply(tree, Mutation(DEL, 1, 1, AND, LEFT), NEW) is tree


def parse_shape(shape: Shape) -> Node:
    if isinstance(shape, int):
        return Leaf(0, shape)
    return Inner(0, shape[0], parse_shape(shape[1]), parse_shape(shape[2]))


class TestUids:
    @given(mutated())
    def test_an_insertion_makes_exactly_its_two_new_ones(self, case):
        tree, mutation = case
        offspring = apply(tree, mutation._replace(operation=INS), NEW)
        assert {node.uid for node in preorder(offspring)} == {*NEW, *(node.uid for node in preorder(tree))}

    @given(mutated())
    def test_an_insertion_gives_the_first_to_the_function_and_the_second_to_the_leaf(self, case):
        tree, mutation = case
        labels = dict(labels_of(apply(tree, mutation._replace(operation=INS), NEW)))
        assert (labels[NEW[0]], labels[NEW[1]]) == (mutation.function, mutation.variable)

    @given(trees(), st.data())
    def test_a_substitution_keeps_the_uid_of_the_leaf(self, tree, data):
        mutation = data.draw(mutations(tree).filter(lambda mutation: mutation.operation is SUB))
        expected = labels_of(tree)
        index = mutation.node - 1
        expected[index] = (expected[index][0], mutation.variable)
        assert labels_of(apply(tree, mutation, NEW)) == expected

    @given(trees(min_leaves=2), st.data())
    def test_a_deletion_removes_the_node_with_its_parent_and_keeps_the_others(self, tree, data):
        number = data.draw(st.integers(2, tree.size))
        chosen = node_at(tree, number)
        inner = (node for node in preorder(tree) if isinstance(node, Inner))
        parent = next(node for node in inner if node.left is chosen or node.right is chosen)
        gone = {parent.uid, *(node.uid for node in preorder(chosen))}
        expected = [label for label in labels_of(tree) if label[0] not in gone]
        assert labels_of(apply(tree, Mutation(DEL, number, 1, AND, LEFT), NEW)) == expected

    @given(mutated())
    def test_a_kept_node_keeps_its_label_unless_it_is_substituted(self, case):
        tree, mutation = case
        before, after = dict(labels_of(tree)), dict(labels_of(apply(tree, mutation, NEW)))
        changed = {uid for uid in before.keys() & after.keys() if before[uid] != after[uid]}
        substituted = {node_at(tree, mutation.node).uid} if mutation.operation is SUB else set()
        assert changed <= substituted


class TestForesight:
    @given(mutated())
    def test_leaves_after_is_the_number_of_leaves_of_the_offspring(self, case):
        tree, mutation = case
        assert leaves_after(tree, mutation) == apply(tree, mutation, NEW).leaves

    @given(mutated())
    def test_is_unchanged_says_whether_the_offspring_equals_its_parent_node_by_node(self, case):
        tree, mutation = case
        assert is_unchanged(tree, mutation) is (labels_of(apply(tree, mutation, NEW)) == labels_of(tree))

    @given(mutated())
    def test_an_unchanged_offspring_is_the_parent_itself(self, case):
        tree, mutation = case
        assert (apply(tree, mutation, NEW) is tree) is is_unchanged(tree, mutation)


class TestRefusing:
    @pytest.mark.parametrize("node", [-1, 0, 6, 10**9])
    @pytest.mark.parametrize("operation", Operation)
    def test_a_node_that_is_not_there(self, operation, node):
        with pytest.raises(
            InvalidValueError, match=rf"^node: {node} is not allowed; it must be from 1 to 5\.$"
        ):
            apply(parse("x1 & x2 & x3"), Mutation(operation, node, 1, AND, LEFT), NEW)

    @pytest.mark.parametrize("node", [1, 2])
    def test_a_substitution_of_an_inner_node(self, node):
        with pytest.raises(InvalidValueError, match=rf"^node: {node} is not allowed; it must be a leaf, "):
            apply(parse("x1 & x2 & x3"), Mutation(SUB, node, 1, AND, LEFT), NEW)


class TestTreesAlong:
    def test_they_are_the_trees_before_each_mutation(self):
        steps = [
            Mutation(INS, 1, 2, AND, RIGHT),
            Mutation(SUB, 2, 3, AND, LEFT),
            Mutation(DEL, 3, 1, OR, LEFT),
        ]
        assert list(trees_along(parse("x1"), steps)) == [parse("x1"), parse("x1 & x2"), parse("x3 & x2")]

    def test_their_new_nodes_have_uids_of_their_own(self):
        last = list(trees_along(parse("x1"), [Mutation(INS, 1, 2, AND, RIGHT)] * 5))[-1]
        assert len({node.uid for node in preorder(last)}) == last.size


class TestWords:
    @pytest.mark.parametrize(
        ("mutation", "text"),
        [
            (Mutation(INS, 3, 4, AND, LEFT), "INS x4 with & at node 3 (x2), on the left"),
            (Mutation(INS, 1, 4, OR, RIGHT), "INS x4 with | at node 1 (&), on the right"),
            (Mutation(DEL, 2, 4, OR, LEFT), "DEL node 2 (x1)"),
            (Mutation(SUB, 3, 4, OR, LEFT), "SUB node 3 (x2) by x4"),
        ],
    )
    def test_a_mutation_is_described_with_nodes_counted_from_one(self, mutation, text):
        assert describe(parse("x1 & x2"), mutation, ASCII) == text

    def test_the_usual_style_has_the_symbols_of_logic(self):
        assert (
            describe(parse("x1 & x2"), Mutation(INS, 1, 4, OR, RIGHT))
            == "INS x₄ with ∨ at node 1 (∧), on the right"
        )


class TestApplyAll:
    @given(st.data(), st.none() | trees())
    def test_it_gives_what_applying_one_after_the_other_gives(self, data, tree):
        expected, changes = tree, []
        for number in range(data.draw(st.integers(0, 12))):
            mutation = data.draw(mutations(expected)) if expected else Mutation(INS, 1, 2, AND, LEFT)
            changes.append((mutation, (1000 + 2 * number, 1001 + 2 * number)))
            expected = apply(expected, *changes[-1])
        before = labels_of(tree)
        found = apply_all(tree, changes)
        assert labels_of(found) == labels_of(expected)
        if found is None or expected is None:
            assert found is expected
            return
        assert [type(node) for node in preorder(found)] == [type(node) for node in preorder(expected)]
        assert [node.value for node in preorder(found)] == [node.value for node in preorder(expected)]
        assert labels_of(tree) == before
