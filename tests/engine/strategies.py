"""What the engine's tests draw from and compare with: random trees and runs, and naive references.

The references know nothing of implicants, paths or uids. A `Shape` is a variable or (function, left, right),
and a Boolean function is its truth table: an int whose bit r is the value in row r, where bit i - 1 of r is
the value of x_i.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, Final, TypeAlias

import pytest
from hypothesis import strategies as st

from gpviz.engine import prime_implicants
from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Function, Operation, Side
from gpviz.engine.mutation import Mutation
from gpviz.engine.prime_implicants import ListedImplicants, masks_of
from gpviz.engine.tree import Inner, Leaf, Node

Shape: TypeAlias = int | tuple[Function, "Shape", "Shape"]
Labels: TypeAlias = list[tuple[int, int | Function]]

FUNCTIONS: Final = (Function.AND, Function.OR)


# Random values


@st.composite
def trees(
    draw: st.DrawFn,
    n: int = 6,
    min_leaves: int = 1,
    max_leaves: int = 8,
    functions: Sequence[Function] = FUNCTIONS,
) -> Node:
    """Trees of every shape over x_1 ... x_n, with uids in no particular order."""
    leaves = draw(st.integers(min_leaves, max_leaves))
    variables = draw(st.lists(st.integers(1, n), min_size=leaves, max_size=leaves))
    parts: list[Node] = [Leaf(2 * position, variable) for position, variable in enumerate(variables)]
    for uid in range(1, 2 * leaves - 2, 2):
        index = draw(st.integers(0, len(parts) - 2))
        function = draw(st.sampled_from(functions))
        parts[index : index + 2] = [Inner(uid, function, parts[index], parts[index + 1])]
    return parts[0]


def mask_sets(n: int = 6, max_size: int = 12) -> st.SearchStrategy[list[int]]:
    """Lists of conjunctions, as bit masks of at least one of n variables."""
    return st.lists(st.integers(1, 2**n - 1), min_size=1, max_size=max_size)


@st.composite
def mutations(draw: st.DrawFn, tree: Node, n: int = 6) -> Mutation:
    """Mutations that HVL-Prime can draw for a tree."""
    operation = draw(st.sampled_from(Operation))
    numbers: Sequence[int] = range(1, tree.size + 1)
    if operation is Operation.SUB:
        numbers = [number for number, node in enumerate(preorder(tree), start=1) if isinstance(node, Leaf)]
    return Mutation(
        operation,
        draw(st.sampled_from(numbers)),
        draw(st.integers(1, n)),
        draw(st.sampled_from(Function)),
        draw(st.sampled_from(Side)),
    )


def _shared_fields(max_n: int) -> dict[str, st.SearchStrategy[Any]]:
    return {
        "n": st.integers(1, max_n),
        "limit": st.sampled_from(["n", "n+1", "2n", "1.5n", "3n", "inf", "4"]),
        "deletion": st.sampled_from(["leaf", "subtree"]),
        "functions": st.sampled_from(["and", "and,or"]),
        "empty_tree": st.sampled_from(["any", "insert-only"]),
        "accept_error": st.integers(0, 3),
        "seed": st.one_of(st.integers(0, 10**6), st.integers(0, 2**4096 - 1)),
    }


def complete_configs(max_n: int = 6) -> st.SearchStrategy[RunConfig]:
    """Runs on the complete truth table."""
    return st.builds(RunConfig, **_shared_fields(max_n))


def sampled_configs(max_n: int = 6, max_rows: int = 100) -> st.SearchStrategy[RunConfig]:
    """Runs on sampled rows, with either sampler."""
    return st.builds(
        RunConfig,
        fitness=st.just("sampled"),
        rows=st.integers(1, max_rows),
        sampler=st.sampled_from(["rows", "counts"]),
        **_shared_fields(max_n),
    )


def configs(max_n: int = 6) -> st.SearchStrategy[RunConfig]:
    """Runs of every kind."""
    return st.one_of(complete_configs(max_n), sampled_configs(max_n))


# Naive references


def inner_of(node: Node) -> Inner:
    """The node, which must be an inner one."""
    assert isinstance(node, Inner)
    return node


def preorder(tree: Node) -> list[Node]:
    """The nodes of a tree, each before its children, by plain recursion."""
    if isinstance(tree, Leaf):
        return [tree]
    return [tree, *preorder(tree.left), *preorder(tree.right)]


def labels_of(tree: Node | None) -> Labels:
    """Uid and label of every node in preorder: equal for two trees only if even their uids are equal."""
    nodes = [] if tree is None else preorder(tree)
    return [(node.uid, node.variable if isinstance(node, Leaf) else node.function) for node in nodes]


def remade(tree: Node) -> Node:
    """The same tree made anew, so that its function is worked out again."""
    if isinstance(tree, Leaf):
        return Leaf(tree.uid, tree.variable)
    return Inner(tree.uid, tree.function, remade(tree.left), remade(tree.right))


def shape_of(tree: Node) -> Shape:
    """The tree as plain data."""
    if isinstance(tree, Leaf):
        return tree.variable
    return tree.function, shape_of(tree.left), shape_of(tree.right)


@cache
def table_of_variable(variable: int, n: int) -> int:
    """The truth table of one variable."""
    return sum(1 << row for row in range(2**n) if row >> (variable - 1) & 1)


def table_of_shape(shape: Shape, n: int) -> int:
    """The truth table of a tree given as plain data."""
    if isinstance(shape, int):
        return table_of_variable(shape, n)
    function, left, right = shape
    if function is Function.AND:
        return table_of_shape(left, n) & table_of_shape(right, n)
    return table_of_shape(left, n) | table_of_shape(right, n)


def table_of_tree(tree: Node, n: int) -> int:
    """The truth table of a tree."""
    return table_of_shape(shape_of(tree), n)


def table_of_masks(masks: Sequence[int], n: int) -> int:
    """The truth table of an OR of conjunctions, row by row."""
    return sum(1 << row for row in range(2**n) if any(row & mask == mask for mask in masks))


def table_of_value(value: ListedImplicants, n: int) -> int:
    """The truth table of a function in the engine's own form."""
    return table_of_masks(masks_of(value), n)


def error_of_shape(shape: Shape, n: int) -> int:
    """On how many of the 2^n rows the tree differs from AND_n, which is true in the last row only."""
    return (table_of_shape(shape, n) ^ 1 << (1 << n) - 1).bit_count()


# An engine that gives up early


@contextmanager
def few_implicants(most: int, products: int = 4096) -> Iterator[None]:
    """An engine to which more than a few prime implicants are already too many."""
    remembered: list[Any] = [
        prime_implicants.disjoin,
        prime_implicants._with_fixed,
        prime_implicants._conjoin_factored,
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(prime_implicants, "MAX_IMPLICANTS", most)
        patch.setattr(prime_implicants, "_MAX_PRODUCTS", products)
        for function in remembered:
            function.cache_clear()
        try:
            yield
        finally:
            for function in remembered:
                function.cache_clear()
