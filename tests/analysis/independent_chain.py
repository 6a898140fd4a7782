"""RLS-GP as a Markov chain, solved exactly: Algorithms 1 and 2 as printed, without the engine.

A tree is a variable or (function, left, right). Trees are taken together when they differ only in the order of
children or in the names of the variables. That loses nothing: such a renaming or reordering maps the mutations of
one tree one to one to those of the other, equally likely, with equal errors and equal numbers of leaves, so all
trees of a class go to any other class with the same probability.
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import permutations
from typing import Any, NamedTuple, TypeAlias

import numpy as np

Plant: TypeAlias = int | tuple[str, "Plant", "Plant"]


class Cell(NamedTuple):
    """The settings of a chain."""

    n: int
    limit: int
    deletion: str
    functions: tuple[str, ...] = ("and", "or")
    empty_tree: str = "any"


class Exact(NamedTuple):
    """The probability of never reaching the target, and what is to be expected of the runs that do."""

    stuck: float
    mean: float
    sd: float
    leaves: float
    hopeless: frozenset[Plant]


def solve(cell: Cell) -> Exact:
    """The exact answers for runs that begin with the empty tree."""
    moves = moves_of(cell)
    solved = {tree for tree in moves if tree is not None and error(tree, cell.n) == 0}
    hopeful = _can_reach(moves, solved)
    states = [tree for tree in moves if tree in hopeful and tree not in solved]
    number = {tree: position for position, tree in enumerate(states)}
    stay = np.zeros((len(states), len(states)))
    finish = np.zeros((len(states), 2))  # the probability of the target, and the same times its leaves
    for tree, position in number.items():
        for other, probability in moves[tree].items():
            if other in number:
                stay[position, number[other]] += probability
            elif other in solved:
                finish[position] += probability * np.array([1, leaf_count(other)])
    system = np.eye(len(states)) - stay
    success, leaves = np.linalg.solve(system, finish).T
    # Moments of the number of iterations, restricted to success: one more iteration on every way.
    first = np.linalg.solve(system, success)
    second = np.linalg.solve(system, success + 2 * stay @ first)
    start = number[None]
    mean = first[start] / success[start]
    return Exact(
        stuck=float(1 - success[start]),
        mean=float(mean),
        sd=float(np.sqrt(second[start] / success[start] - mean**2)),
        leaves=float(leaves[start] / success[start]),
        hopeless=frozenset(tree for tree in moves if tree is not None and tree not in hopeful),
    )


@cache
def class_of(tree: Plant, n: int) -> Plant:
    """The one tree that stands for all that are like it."""
    names = permutations(range(1, n + 1))
    return min((_sorted(tree, renaming) for renaming in names), key=repr)


@cache
def error(tree: Plant, n: int) -> int:
    """The rows on which the tree is true though some variable is false."""
    return sum(_is_true(tree, row) for row in range(2**n - 1))


@cache
def leaf_count(tree: Plant) -> int:
    return 1 if isinstance(tree, int) else leaf_count(tree[1]) + leaf_count(tree[2])


def moves_of(cell: Cell) -> dict[Any, dict[Any, float]]:
    """From every class that can be reached, the probabilities of the next; None is the empty tree."""
    moves: dict[Any, dict[Any, float]] = {}
    pending: list[Any] = [None]
    while pending:
        tree = pending.pop()
        if tree in moves:
            continue
        chances: dict[Any, float] = {}
        for offspring, probability in _plant(cell) if tree is None else _hvl_prime(tree, cell):
            kept = tree
            if tree is None or (
                leaf_count(offspring) <= cell.limit and error(offspring, cell.n) <= error(tree, cell.n)
            ):
                kept = None if offspring is None else class_of(offspring, cell.n)
            chances[kept] = chances.get(kept, 0.0) + probability
        moves[tree] = chances
        pending += chances
    return moves


def _plant(cell: Cell) -> list[tuple[Plant | None, float]]:
    if cell.empty_tree == "any":
        return [(1, 1.0)]
    return [(1, 1 / 3), (None, 2 / 3)]


def _hvl_prime(tree: Plant, cell: Cell) -> Iterator[tuple[Plant, float]]:
    """What Algorithm 2 makes of a tree, with its probability; the order of new children does not matter."""
    leaves = leaf_count(tree)
    nodes = 2 * leaves - 1
    variables = range(1, cell.n + 1)
    for node, put, without in _surroundings(tree, lambda whole: whole, tree):
        is_leaf = isinstance(node, int)
        for function in cell.functions:
            for variable in variables:
                yield put((function, node, variable)), 1 / 3 / nodes / len(cell.functions) / cell.n
        if cell.deletion == "subtree":
            yield without, 1 / 3 / nodes
        elif is_leaf:
            yield without, 1 / 3 / leaves
        if is_leaf:
            for variable in variables:
                yield put(variable), 1 / 3 / leaves / cell.n


def _surroundings(
    tree: Plant, put: Callable[[Plant], Plant], without: Plant
) -> Iterator[tuple[Plant, Callable[[Plant], Plant], Plant]]:
    """Every node, how to replace it by something else, and the tree once it is deleted."""
    yield tree, put, without
    if not isinstance(tree, int):
        function, left, right = tree
        yield from _surroundings(left, lambda new: put((function, new, right)), put(right))
        yield from _surroundings(right, lambda new: put((function, left, new)), put(left))


def _can_reach(moves: dict[Any, dict[Any, float]], goal: set[Any]) -> set[Any]:
    reached = set(goal)
    while True:
        more = {tree for tree, chances in moves.items() if tree not in reached and reached & chances.keys()}
        if not more:
            return reached
        reached |= more


def _sorted(tree: Plant, renaming: tuple[int, ...]) -> Plant:
    if isinstance(tree, int):
        return renaming[tree - 1]
    left, right = sorted((_sorted(tree[1], renaming), _sorted(tree[2], renaming)), key=repr)
    return tree[0], left, right


def _is_true(tree: Plant, row: int) -> bool:
    if isinstance(tree, int):
        return bool(row >> (tree - 1) & 1)
    function, left, right = tree
    if function == "and":
        return _is_true(left, row) and _is_true(right, row)
    return _is_true(left, row) or _is_true(right, row)
