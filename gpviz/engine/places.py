"""Where a tree can be mutated, and what the whole tree computes when one place changes.

For monotone functions everything around a place boils down to two functions: if the place computed g, the
tree would compute (g AND factor) OR rest. So the effect of any mutation is two operations away, whatever the
depth of the tree.
"""

from collections.abc import Iterator
from typing import NamedTuple

from gpviz.engine.boolean_function import Implicants, TooMany, conjoin, disjoin
from gpviz.engine.enums import Function, Operation, Side
from gpviz.engine.mutation import Mutation, apply
from gpviz.engine.target import Conjunction
from gpviz.engine.tree import Inner, Leaf, Node

__all__ = ["Place", "deletion", "error_after", "places_of", "substitution", "value_after"]

_ALWAYS_TRUE = 0  # the conjunction of no variable


class Place(NamedTuple):
    """A node with its preorder number and its surroundings; ``rest`` is None where it would be false."""

    number: int
    node: Node
    parent: "Place | None"
    sibling: Node | None
    factor: Implicants
    rest: Implicants | None


def places_of(tree: Node) -> Iterator[Place]:
    """All places of a tree in preorder."""
    pending = [Place(0, tree, None, None, _ALWAYS_TRUE, None)]
    while pending:
        place = pending.pop()
        yield place
        node = place.node
        if isinstance(node, Inner):
            after_left = place.number + 2 * node.left.leaves
            pending.append(_child(place, after_left, node.right, node.left, node.function))
            pending.append(_child(place, place.number + 1, node.left, node.right, node.function))


def value_after(place: Place, mutation: Mutation) -> Implicants | None:
    """The function of the whole tree after a mutation at this place; None if the tree stays as it is."""
    node = place.node
    literal = 1 << (mutation.variable - 1)
    if mutation.operation is Operation.INS:
        join = conjoin if mutation.function is Function.AND else disjoin
        return _tree_value(place, join(node.value, literal))
    if mutation.operation is Operation.DEL:
        if place.parent is None or place.sibling is None:
            return None
        return _tree_value(place.parent, place.sibling.value)
    assert isinstance(node, Leaf)
    return None if node.variable == mutation.variable else _tree_value(place, literal)


def error_after(tree: Node, place: Place, mutation: Mutation, target: Conjunction) -> int | None:
    """The error on all rows after a mutation at this place; None if the tree stays as it is."""
    value = value_after(place, mutation)
    if isinstance(value, TooMany):
        return target.error(apply(tree, mutation, (-1, -2)))
    return None if value is None else target.error_of(value)


def deletion(index: int) -> Mutation:
    """The deletion at a node; what DEL draws besides does not matter and is always written the same."""
    return Mutation(Operation.DEL, index, 1, Function.AND, Side.LEFT)


def substitution(index: int, variable: int) -> Mutation:
    """The substitution of a leaf."""
    return Mutation(Operation.SUB, index, variable, Function.AND, Side.LEFT)


def _child(parent: Place, index: int, node: Node, sibling: Node, function: Function) -> Place:
    if function is Function.AND:
        return Place(index, node, parent, sibling, conjoin(parent.factor, sibling.value), parent.rest)
    beside = conjoin(sibling.value, parent.factor)
    rest = beside if parent.rest is None else disjoin(beside, parent.rest)
    return Place(index, node, parent, sibling, parent.factor, rest)


def _tree_value(place: Place, value: Implicants) -> Implicants:
    inside = conjoin(value, place.factor)
    return inside if place.rest is None else disjoin(inside, place.rest)
