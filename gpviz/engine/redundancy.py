"""Which parts of a tree it needs: essential leaves, redundant leaves, subtrees that change nothing.

Essential is meant as in the proof of the paper's runtime theorem: a leaf that only ANDs separate from the root,
and whose variable is on no other such leaf. On AND_n every other leaf is redundant: some subtree with it can be
deleted without loss, though under leaf deletion there may be no way to do that.
"""

from dataclasses import dataclass

from gpviz.engine.boolean_function import TooMany
from gpviz.engine.checks import check_tree
from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Function
from gpviz.engine.places import deletion, error_after, places_of, value_after
from gpviz.engine.target import target_for
from gpviz.engine.tree import Inner, Node

__all__ = ["Redundancy", "redundancy", "sorted_leaves"]


@dataclass(frozen=True, slots=True)
class Redundancy:
    """Nodes by their preorder numbers; ``idle`` subtrees could be deleted without changing the function."""

    essential: tuple[int, ...]
    redundant: tuple[int, ...]
    idle: tuple[int, ...]


def redundancy(tree: Node, config: RunConfig) -> Redundancy:
    """What of the tree is essential, redundant and idle."""
    check_tree(tree, config)
    essential, redundant = sorted_leaves(tree)
    return Redundancy(essential, redundant, _idle(tree, config))


def sorted_leaves(tree: Node) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The essential leaves and the redundant ones."""
    leaves: list[tuple[int, int, bool]] = []
    pending: list[tuple[int, Node, bool]] = [(0, tree, True)]
    seen: dict[int, int] = {}
    while pending:
        index, node, is_below_ands = pending.pop()
        if isinstance(node, Inner):
            is_below_ands = is_below_ands and node.function is Function.AND
            pending.append((index + 2 * node.left.leaves, node.right, is_below_ands))
            pending.append((index + 1, node.left, is_below_ands))
        else:
            leaves.append((index, node.variable, is_below_ands))
            seen[node.variable] = seen.get(node.variable, 0) + is_below_ands
    essential = tuple(index for index, variable, is_below in leaves if is_below and seen[variable] == 1)
    needed = set(essential)
    return essential, tuple(index for index, _, _ in leaves if index not in needed)


def _idle(tree: Node, config: RunConfig) -> tuple[int, ...]:
    target = target_for(config.n)
    error = target.error(tree)
    idle = []
    for place in places_of(tree):
        if place.parent is None:
            continue
        mutation = deletion(place.number)
        value = value_after(place, mutation)
        if isinstance(tree.value, TooMany) or isinstance(value, TooMany):
            # Deleting below an AND only adds true rows and below an OR only removes some,
            # so the same number of them means the same function.
            is_idle = error_after(tree, place, mutation, target) == error
        else:
            is_idle = value == tree.value
        if is_idle:
            idle.append(place.number)
    return tuple(idle)
