"""HVL-Prime's mutations: what can be drawn, and what it does to a tree and to the function the tree computes.

For monotone functions everything around a node boils down to two functions: if the node computed g, the
tree would compute (g AND factor) OR rest. So the effect of any mutation is two operations away, whatever the
depth of the tree.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from gpviz.engine.enums import Function, Operation, Side
from gpviz.engine.errors import InvalidValueError
from gpviz.engine.formula import UNICODE, Style
from gpviz.engine.prime_implicants import Implicants, TooMany, conjoin, disjoin
from gpviz.engine.target import Conjunction
from gpviz.engine.tree import (
    ROOT,
    Inner,
    Leaf,
    Node,
    evaluate_and_close,
    largest_uid,
    make_inner,
    make_insertion,
    make_leaf,
    node_at,
    node_path,
    replace,
    update_path,
)

_UNKNOWN: Final = 0
"""Stands for a Boolean function that is computed later."""
_ALWAYS_TRUE = 0  # the conjunction of no variable


class Mutation(NamedTuple):
    """What HVL-Prime drew.

    ``node`` is the chosen node's number in preorder, from 1, the root. Variable and function are drawn for every
    operation, as Algorithm 2 does, though DEL uses neither and SUB only the variable; ``side`` says where INS puts
    the new leaf. On the empty tree the drawn variable becomes the root, so the node is 1.
    """

    operation: Operation
    node: int
    variable: int
    function: Function
    side: Side


def fresh_uids(first_uid: int, iteration: int) -> tuple[int, int]:
    """The uids of the inner node and the leaf that an insertion in this iteration makes."""
    inner = first_uid + 2 * (iteration - 1)
    return inner, inner + 1


def leaves_after(tree: Node | None, mutation: Mutation) -> int:
    """The offspring's number of leaves, without making it."""
    if tree is None:
        return 1
    if mutation.operation is Operation.INS:
        return tree.leaves + 1
    if mutation.operation is Operation.DEL and mutation.node != ROOT:
        return tree.leaves - node_at(tree, mutation.node).leaves
    return tree.leaves


def is_unchanged(tree: Node, mutation: Mutation) -> bool:
    """Whether the offspring equals its parent: the root was deleted, or a leaf replaced by itself."""
    if mutation.operation is Operation.DEL:
        return mutation.node == ROOT
    if mutation.operation is Operation.SUB:
        node = node_at(tree, mutation.node)
        return isinstance(node, Leaf) and node.variable == mutation.variable
    return False


def is_root_and(tree: Node | None, mutation: Mutation) -> bool:
    """Whether the mutation puts the whole tree and a new leaf below an AND, as in the paper's drift argument."""
    is_at_root = tree is not None and mutation.node == ROOT
    return is_at_root and mutation.operation is Operation.INS and mutation.function is Function.AND


def apply(tree: Node | None, mutation: Mutation, uids: tuple[int, int]) -> Node:
    """The offspring; an insertion gives ``uids`` to its new inner node and its new leaf."""
    if tree is None:
        return Leaf(uids[1], mutation.variable)
    if not 1 <= mutation.node <= tree.size:
        raise InvalidValueError("node", mutation.node, f"from 1 to {tree.size}")
    node, path = node_path(tree, mutation.node)
    if mutation.operation is Operation.INS:
        leaf = Leaf(uids[1], mutation.variable)
        left, right = (leaf, node) if mutation.side is Side.LEFT else (node, leaf)
        return replace(path, make_inner(uids[0], mutation.function, left, right))
    if mutation.operation is Operation.DEL:
        if not path:
            return tree
        _, sibling = path.pop()
        return replace(path, sibling)
    if isinstance(node, Inner):
        raise InvalidValueError("node", mutation.node, "a leaf, as SUB replaces leaves only")
    if node.variable == mutation.variable:
        return tree
    return replace(path, Leaf(node.uid, mutation.variable))


def apply_all(tree: Node | None, changes: Sequence[tuple[Mutation, tuple[int, int]]]) -> Node | None:
    """The tree after these mutations, each with its uids, as `apply` would make it.

    Many are faster than one by one: new nodes are changed in place, and only the last tree is evaluated.
    """
    if len(changes) == 1:
        return apply(tree, *changes[0])  # which shares its nodes with the tree before
    current: Any = tree
    for mutation, uids in changes:
        if current is None:
            current = Leaf(uids[1], mutation.variable)
            continue
        node, path = _path_to(current, mutation.node)
        leaves = 0
        if mutation.operation is Operation.INS:
            goes_left = mutation.side is Side.LEFT
            node = make_insertion(
                uids[0], mutation.function, mutation.variable, node, goes_left, _UNKNOWN, True
            )
            leaves = 1
        elif mutation.operation is Operation.SUB:
            node = make_leaf(node.uid, mutation.variable)
        elif path:
            leaves = -node.leaves
            _, node = path.pop()
        else:
            continue
        current = update_path(path, node, [_UNKNOWN] * len(path), leaves)
    return None if current is None else evaluate_and_close(current)


def _path_to(tree: Any, number: int) -> tuple[Any, list[Any]]:
    """`node_path` for a tree with open nodes."""
    path: list[Any] = []
    index = number - 1
    while index:
        left, right = tree.left, tree.right
        after_left = 2 * left.leaves
        if index < after_left:
            index -= 1
            path.append((tree, right))
            tree = left
        else:
            index -= after_left
            path.append((tree, left))
            tree = right
    return tree, path


def trees_along(tree: Node, mutations: Iterable[Mutation]) -> Iterator[Node]:
    """The tree before each of these mutations, which are applied one after the other."""
    first_uid = largest_uid(tree) + 1
    for number, mutation in enumerate(mutations, start=1):
        yield tree
        tree = apply(tree, mutation, fresh_uids(first_uid, number))


def describe(tree: Node | None, mutation: Mutation, style: Style = UNICODE) -> str:
    """A short description of the mutation, for instance ``INS x₄ with ∧ at node 3 (x₁), on the left``."""
    variable = style.variable(mutation.variable)
    if tree is None:
        return f"plant {variable}"
    node = node_at(tree, mutation.node)
    label = style.variable(node.variable) if isinstance(node, Leaf) else style.function(node.function)
    where = f"node {mutation.node} ({label})"
    if mutation.operation is Operation.INS:
        symbol = style.function(mutation.function)
        return f"INS {variable} with {symbol} at {where}, on the {mutation.side.value}"
    if mutation.operation is Operation.DEL:
        return f"DEL {where}"
    return f"SUB {where} by {variable}"


class MutationSite(NamedTuple):
    """A node with its number and its surroundings.

    If the node computed g, the tree would compute (g AND ``factor``) OR ``rest``; None stands for a rest that is
    always false.
    """

    number: int
    node: Node
    parent: "MutationSite | None"
    sibling: Node | None
    factor: Implicants
    rest: Implicants | None


def mutation_sites(tree: Node) -> Iterator[MutationSite]:
    """The nodes of a tree in preorder, each with its surroundings."""
    pending = [MutationSite(ROOT, tree, None, None, _ALWAYS_TRUE, None)]
    while pending:
        site = pending.pop()
        yield site
        node = site.node
        if isinstance(node, Inner):
            after_left = site.number + 2 * node.left.leaves
            pending.append(_child_site(site, after_left, node.right, node.left, node.function))
            pending.append(_child_site(site, site.number + 1, node.left, node.right, node.function))


def value_after(site: MutationSite, mutation: Mutation) -> Implicants | None:
    """The function of the whole tree after a mutation at this node; None if the tree stays as it is."""
    node = site.node
    literal = 1 << (mutation.variable - 1)
    if mutation.operation is Operation.INS:
        join = conjoin if mutation.function is Function.AND else disjoin
        return _tree_value(site, join(node.value, literal))
    if mutation.operation is Operation.DEL:
        if site.parent is None or site.sibling is None:
            return None
        return _tree_value(site.parent, site.sibling.value)
    assert isinstance(node, Leaf)
    return None if node.variable == mutation.variable else _tree_value(site, literal)


def error_after(tree: Node, site: MutationSite, mutation: Mutation, target: Conjunction) -> int | None:
    """The error on all rows after a mutation at this node; None if the tree stays as it is."""
    value = value_after(site, mutation)
    if isinstance(value, TooMany):
        return target.error(apply(tree, mutation, (-1, -2)))
    return None if value is None else target.error_of(value)


def deletion(node: int) -> Mutation:
    """The deletion at a node; what DEL draws besides does not matter and is always written the same."""
    return Mutation(Operation.DEL, node, 1, Function.AND, Side.LEFT)


def substitution(node: int, variable: int) -> Mutation:
    """The substitution of a leaf."""
    return Mutation(Operation.SUB, node, variable, Function.AND, Side.LEFT)


def _child_site(
    parent: MutationSite, index: int, node: Node, sibling: Node, function: Function
) -> MutationSite:
    if function is Function.AND:
        return MutationSite(index, node, parent, sibling, conjoin(parent.factor, sibling.value), parent.rest)
    beside = conjoin(sibling.value, parent.factor)
    rest = beside if parent.rest is None else disjoin(beside, parent.rest)
    return MutationSite(index, node, parent, sibling, parent.factor, rest)


def _tree_value(site: MutationSite, value: Implicants) -> Implicants:
    inside = conjoin(value, site.factor)
    return inside if site.rest is None else disjoin(inside, site.rest)
