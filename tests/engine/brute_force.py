"""RLS-GP on tiny problems by exhaustion, written without the engine, to test the engine against.

A tree is a variable (an int from 1) or a tuple (function, left, right). A Boolean function is the int whose bit r
is its value in row r of the truth table.
"""

from collections.abc import Iterator
from functools import cache

Tree = int | tuple[str, "Tree", "Tree"]

AND, OR = "and", "or"


@cache
def trees(leaves: int, n: int, functions: tuple[str, ...]) -> tuple[Tree, ...]:
    """All trees with this many leaves."""
    if leaves == 1:
        return tuple(range(1, n + 1))
    return tuple(
        (function, left, right)
        for on_the_left in range(1, leaves)
        for left in trees(on_the_left, n, functions)
        for right in trees(leaves - on_the_left, n, functions)
        for function in functions
    )


@cache
def truth_table(tree: Tree, n: int) -> int:
    """The tree's value in every row."""
    if isinstance(tree, int):
        return sum(1 << row for row in range(2**n) if row >> (tree - 1) & 1)
    function, left, right = tree
    if function == AND:
        return truth_table(left, n) & truth_table(right, n)
    return truth_table(left, n) | truth_table(right, n)


@cache
def error(tree: Tree, n: int) -> int:
    """The rows on which the tree differs from AND_n, which is true in the last row only."""
    return (truth_table(tree, n) ^ (1 << (2**n - 1))).bit_count()


@cache
def leaf_count(tree: Tree) -> int:
    return 1 if isinstance(tree, int) else leaf_count(tree[1]) + leaf_count(tree[2])


@cache
def sorted_tree(tree: Tree) -> Tree:
    """One tree for all that differ only in the order of children: they behave alike."""
    if isinstance(tree, int):
        return tree
    left, right = sorted((sorted_tree(tree[1]), sorted_tree(tree[2])), key=repr)
    return (tree[0], left, right)


def offspring(tree: Tree, n: int, functions: tuple[str, ...], deletion: str) -> Iterator[Tree]:
    """What HVL-Prime can make of the tree, up to the order of children."""
    for function in functions:
        for variable in range(1, n + 1):
            yield (function, tree, variable)
    if isinstance(tree, int):
        yield from range(1, n + 1)
        return
    function, left, right = tree
    for child, other in ((left, right), (right, left)):
        if deletion == "subtree" or isinstance(child, int):
            yield other
        for changed in offspring(child, n, functions, deletion):
            yield (function, changed, other)


def as_text(tree: Tree) -> str:
    """The tree as a formula."""
    if isinstance(tree, int):
        return f"x{tree}"
    return f"({as_text(tree[1])}) {'&' if tree[0] == AND else '|'} ({as_text(tree[2])})"
