"""What a step says of itself: the three pitfalls of runs on sampled rows, and whether a tree is full."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine.config import RunConfig, is_full
from gpviz.engine.enums import Function, Operation, Side
from gpviz.engine.formula import parse
from gpviz.engine.mutation import Mutation
from gpviz.engine.search import RlsGp
from gpviz.engine.step import PITFALLS, Step
from gpviz.engine.target import target_for
from gpviz.engine.tree import Leaf, Node, nodes_of
from tests.engine.strategies import configs

INS, DEL, SUB = Operation
AND, OR = Function


def forced(tree: str, operation: Operation, node: int, variable: int, function: Function = AND) -> Step:
    search = RlsGp(RunConfig(n=4, limit="6"), parse(tree) if tree else None)
    return search.force(Mutation(operation, node, variable, function, Side.RIGHT))


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (("x1", INS, 1, 1), True),
        (("x1", INS, 1, 2), False),
        (("x1 & x2 & x3", SUB, 4, 1), False),  # rejected
        (("x1 & x2 & x1", SUB, 5, 2), True),  # a copy gives way to another
        (("x1 & x2 & x1", SUB, 5, 1), False),  # nothing changed
        (("x1 & x2 & x1", SUB, 5, 3), False),
        (("x1 & x1 & x2", DEL, 5, 1), False),  # rejected
        (("x1 & x1 & x1", DEL, 5, 1), False),  # a deletion brings nothing
        (("", INS, 1, 1), False),
    ],
)
def test_a_duplicate_is_accepted_with_a_variable_that_stands_in_the_tree_twice_or_more(step, expected):
    assert forced(*step).duplicate_accepted is expected


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (("x1 & x2", INS, 2, 1, OR), True),
        (("x1 & x2", INS, 2, 3, OR), False),  # rejected
        (("x1 & x2", INS, 2, 1, AND), False),
        (("x1 & x2 & x2", DEL, 5, 1, OR), False),
        (("x1 & x2 & x1", SUB, 5, 3, OR), False),
        (("", INS, 1, 1, OR), False),  # the first leaf comes without a function
    ],
)
def test_an_or_is_accepted_with_an_insertion(step, expected):
    assert forced(*step).or_accepted is expected


@given(configs(), st.integers(1, 60))
def test_pitfalls_are_what_their_names_say(config, count):
    search = RlsGp(config)
    for _ in range(count):
        parent = search.tree
        step = search.step()
        before, after = leaves_of(parent), leaves_of(step.tree)
        is_copy = any(after[each] > before[each] and after[each] > 1 for each in after)
        has_more_ors = parent is not None and step.tree is not None and step.tree.ors > parent.ors
        grew = parent is not None and step.tree is not None and is_worse(config, parent, step.tree)
        assert [getattr(step, name) for name in PITFALLS] == [is_copy, has_more_ors, grew]


def leaves_of(tree: Node | None) -> Counter[int]:
    return Counter(node.variable for node in nodes_of(tree) if isinstance(node, Leaf))


def is_worse(config: RunConfig, parent: Node, tree: Node) -> bool:
    target = target_for(config.n)
    return target.error(tree) > target.error(parent)


@pytest.mark.parametrize(
    ("limit", "tree", "expected"),
    [("2", "x1 & x2", True), ("3", "x1 & x2", False), ("inf", "x1 & x2", False), ("1", "", False)],
)
def test_a_tree_is_full_with_as_many_leaves_as_it_may_have(limit, tree, expected):
    config = RunConfig(n=2, limit=limit)
    for each in (config, config.rules):
        assert is_full(parse(tree) if tree else None, each) is expected
