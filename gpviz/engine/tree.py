"""The persistent syntax tree: immutable nodes, stable uids, path copying, the i-th node.

A tree is a `Leaf` or an `Inner`; the empty tree is ``None``. A change copies only the nodes between
the changed one and the root and shares the rest, so keeping every tree of a run is cheap. Nodes are
numbered in preorder from 1, the root, here and wherever gpviz names a node; leaves from left to right from 1.
Two trees are equal when they have the same shape and labels; uids do not count. Nothing here recurses, so depth
is no limit.
"""

from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import islice
from operator import index
from typing import Any, ClassVar, Final

from gpviz.engine.enums import Function
from gpviz.engine.interruption import Effort
from gpviz.engine.prime_implicants import Implicants, TooMany, conjoin, disjoin

ROOT: Final = 1
"""The number of the root."""
AND: Final = Function.AND
_EFFORT_OF_NODE: Final = 10
_SYMBOLS: Final = {Function.AND: "&", Function.OR: "|"}


class _Draft:
    """A node while its attributes are being set; changing its class then closes it for good.

    A `__setattr__` that always refuses, and a class change at the end, cost a sixth of what setting
    every attribute around such a `__setattr__` would: nodes are made in the innermost loop.
    """

    __slots__ = ()


class _Closed(_Draft):
    """What leaves and inner nodes have in common."""

    __slots__ = ()

    uid: int
    size: int
    leaves: int
    ors: int
    value: Implicants

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a tree never changes: {name!r} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a tree never changes: {name!r} cannot be deleted")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Closed):
            return NotImplemented
        pairs: list[tuple[Any, Any]] = [(self, other)]
        while pairs:
            a, b = pairs.pop()
            if a is b:
                continue
            if a.size != b.size:
                return False
            if a.size == 1:
                if a.variable != b.variable:
                    return False
            elif a.function is not b.function:
                return False
            else:
                pairs.append((a.left, b.left))
                pairs.append((a.right, b.right))
        return True

    def __hash__(self) -> int:
        return hash(tuple(label for _, label in _flatten(self)))

    def __copy__(self) -> "_Closed":
        return self

    def __deepcopy__(self, memo: object) -> "_Closed":
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return (_unflatten, (_flatten(self),))

    def __repr__(self) -> str:
        text = infix(self, "x{}".format, _SYMBOLS.__getitem__)  # type: ignore[arg-type]  # a Leaf or an Inner
        return f"<tree {text if len(text) <= 200 else text[:197] + '...'}>"

    def _repr_svg_(self) -> str:
        return svg_of(self)


class _LeafDraft(_Draft):
    __slots__ = ("uid", "value", "variable")

    uid: int
    variable: int
    value: Implicants


class Leaf(_LeafDraft, _Closed):
    """A leaf labelled with the variable ``x_variable``."""

    __slots__ = ()

    size: ClassVar[int] = 1  # type: ignore[misc]  # the same in every leaf
    leaves: ClassVar[int] = 1  # type: ignore[misc]
    ors: ClassVar[int] = 0  # type: ignore[misc]

    def __new__(cls, uid: int, variable: int) -> "Leaf":
        return make_leaf(index(uid), index(variable))  # of numpy's integers, 1 << 70 is 0


class _InnerDraft(_Draft):
    __slots__ = ("function", "leaves", "left", "right", "uid", "value")

    uid: int
    function: Function
    left: "Node"
    right: "Node"
    leaves: int
    value: Implicants


class Inner(_InnerDraft, _Closed):
    """A node labelled with a function of two children."""

    __slots__ = ()

    def __new__(cls, uid: int, function: Function, left: "Node", right: "Node") -> "Inner":
        return make_inner(uid, function, left, right)

    @property
    def size(self) -> int:  # type: ignore[override]  # a tree is binary: its leaves fix its size
        return 2 * self.leaves - 1

    @property
    def ors(self) -> int:  # type: ignore[override]  # counted when asked: RLS-GP itself never does
        return sum(isinstance(node, Inner) and node.function is not AND for node in nodes_of(self))


Node = Leaf | Inner
Path = list[tuple[Inner, Node]]
"""From the root down: each ancestor, and its child that is not on the way."""

_new = object.__new__


def make_leaf(uid: int, variable: int) -> Leaf:
    """A leaf with the variable ``x_variable``."""
    node: Any = _new(_LeafDraft)
    node.uid = uid
    node.variable = variable
    node.value = 1 << (variable - 1)
    node.__class__ = Leaf
    leaf: Leaf = node
    return leaf


def make_inner(uid: int, function: Function, left: Node, right: Node) -> Inner:
    """An inner node over two subtrees."""
    node: Any = _new(_InnerDraft)
    node.uid = uid
    node.function = function
    node.left = left
    node.right = right
    node.leaves = left.leaves + right.leaves
    node.value = (conjoin if function is AND else disjoin)(left.value, right.value)
    node.__class__ = Inner
    inner: Inner = node
    return inner


def node_path(tree: Node, number: int) -> tuple[Node, Path]:
    """The node with this number, and the way to it from the root."""
    if not 1 <= number <= tree.size:
        raise IndexError(f"node {number} of a tree with {tree.size} nodes")
    path: Path = []
    node = tree
    index = number - 1  # how many nodes of this subtree come before it
    while index:
        assert isinstance(node, Inner)
        left = node.left
        after_left = 2 * left.leaves
        if index < after_left:
            index -= 1
            path.append((node, node.right))
            node = left
        else:
            index -= after_left
            path.append((node, left))
            node = node.right
    return node, path


def node_at(tree: Node, number: int) -> Node:
    """The node with this number."""
    return node_path(tree, number)[0]


def replace(path: Path, subtree: Node) -> Node:
    """The tree with this subtree at the end of the path; the copied ancestors keep their uids."""
    effort = Effort()
    for ancestor, sibling in reversed(path):
        effort.spend(_EFFORT_OF_NODE)
        if ancestor.right is sibling:
            subtree = make_inner(ancestor.uid, ancestor.function, subtree, sibling)
        else:
            subtree = make_inner(ancestor.uid, ancestor.function, sibling, subtree)
    return subtree


def copy_path(path: Path, subtree: Node, values: list[Implicants], leaves: int) -> Node:
    """`replace` for a caller who knows the new Boolean functions, which saves most of the work.

    ``values`` are the new Boolean functions along the path from its end up to where they stay as they were;
    ``leaves`` says how many more leaves the tree gets.
    """
    known = iter(values)
    for ancestor, sibling in reversed(path):
        node: Any = _new(_InnerDraft)
        node.uid = ancestor.uid
        node.function = ancestor.function
        if ancestor.right is sibling:
            node.left = subtree
            node.right = sibling
        else:
            node.left = sibling
            node.right = subtree
        node.leaves = ancestor.leaves + leaves
        node.value = next(known, ancestor.value)
        node.__class__ = Inner
        subtree = node
    return subtree


def update_path(path: Path, subtree: Node, values: list[Implicants], leaves: int) -> Node:
    """`copy_path` for a tree that nobody else has: open ancestors are changed, closed ones copied.

    The result may have open nodes; `close` it before anybody else sees it.
    """
    known = iter(values)
    for ancestor, sibling in reversed(path):
        value = next(known, None)
        if type(ancestor) is Inner:
            node: Any = _new(_InnerDraft)
            node.uid = ancestor.uid
            node.function = ancestor.function
            node.leaves = ancestor.leaves + leaves
            node.value = ancestor.value if value is None else value
            node.left = node.right = sibling
        else:
            node = ancestor
            if value is not None:
                node.value = value
            node.leaves += leaves
        if ancestor.right is sibling:
            node.left = subtree
        else:
            node.right = subtree
        if node is ancestor and value is None and not leaves:
            return path[0][0]  # further up nothing changes
        subtree = node
    return subtree


def close(tree: Node) -> None:
    """Close every node of a tree that `update_path` or `make_insertion` left open."""
    pending: list[Any] = [tree]
    while pending:
        node = pending.pop()
        if node.leaves > 1:
            if type(node) is not Inner:
                node.__class__ = Inner
            pending += (node.left, node.right)


def evaluate_and_close(tree: Node) -> Node:
    """A tree with open nodes, closed, and all of these evaluated."""
    is_open: list[Any] = []
    pending: list[Any] = [tree]
    while pending:
        node = pending.pop()
        if type(node) is _InnerDraft:
            is_open.append(node)
            pending += (node.left, node.right)
    for node in reversed(is_open):
        node.value = (conjoin if node.function is AND else disjoin)(node.left.value, node.right.value)
        node.__class__ = Inner
    return tree


def make_insertion(
    uid: int,
    function: Function,
    variable: int,
    below: Node,
    goes_left: bool,
    value: Implicants,
    stays_open: bool,
) -> Inner:
    """A new inner node over ``below`` and a new leaf; its Boolean function is known to be ``value``."""
    leaf: Any = _new(_LeafDraft)
    leaf.uid = uid + 1
    leaf.variable = variable
    leaf.value = 1 << (variable - 1)
    leaf.__class__ = Leaf
    node: Any = _new(_InnerDraft)
    node.uid = uid
    node.function = function
    if goes_left:
        node.left = leaf
        node.right = below
    else:
        node.left = below
        node.right = leaf
    node.leaves = below.leaves + 1
    node.value = value
    if not stays_open:
        node.__class__ = Inner
    inner: Inner = node
    return inner


def nodes_of(tree: Node | None) -> Iterator[Node]:
    """All nodes in preorder."""
    stack = [] if tree is None else [tree]
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, Inner):
            stack.append(node.right)
            stack.append(node.left)


def depth_of(tree: Node | None) -> int:
    """The number of levels: 0 for the empty tree, 1 for a leaf."""
    level = [] if tree is None else [tree]
    depth = 0
    while level:
        depth += 1
        level = [child for node in level if isinstance(node, Inner) for child in (node.left, node.right)]
    return depth


def infix(tree: Node, variable: Callable[[int], str], function: Callable[[Function], str]) -> str:
    """The tree as a formula that keeps its grouping; the two functions write its labels."""
    pieces: list[str] = []
    pending: list[Node | str] = [tree]
    effort = Effort()
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            pieces.append(item)
        elif isinstance(item, Leaf):
            pieces.append(variable(item.variable))
        else:
            effort.spend(_EFFORT_OF_NODE)
            # A chain groups to the left by itself; every other inner child is set in parentheses.
            left, right = item.left, item.right
            is_chain = not isinstance(left, Leaf) and left.function is item.function
            opens, closes = ("", "") if isinstance(left, Leaf) or is_chain else ("(", ")")
            pending += [right] if isinstance(right, Leaf) else [")", right, "("]
            pending += [f" {function(item.function)} ", closes, left, opens]
    return "".join(pieces)


def largest_uid(tree: Node | None) -> int:
    """The largest uid in the tree, or -1 if it is empty."""
    return max((node.uid for node in nodes_of(tree)), default=-1)


def variables_of(tree: Node | None) -> int:
    """The mask of the variables on the tree's leaves."""
    mask = 0
    effort = Effort()
    for node in nodes_of(tree):
        if isinstance(node, Leaf):
            effort.spend(_EFFORT_OF_NODE)
            mask |= 1 << (node.variable - 1)
    return mask


def count_leaves_of(tree: Node | None, variable: int, *, most: int) -> int:
    """The number of leaves with this variable; counting ends at ``most``."""
    found = (node for node in nodes_of(tree) if isinstance(node, Leaf) and node.variable == variable)
    return sum(1 for _ in islice(found, most))


def required_by(tree: Node) -> int:
    """The mask of the variables without which the tree is false.

    A monotone function requires a variable if it is false where that one alone is 0. So an AND requires what
    either side does, and an OR what both do.
    """
    if not isinstance(tree.value, TooMany):
        return tree.value if isinstance(tree.value, int) else tree.value[0]
    found: list[int] = []
    pending: list[tuple[Node, bool]] = [(tree, False)]
    effort = Effort()
    while pending:
        effort.spend(_EFFORT_OF_NODE)
        node, are_children_done = pending.pop()
        if not isinstance(node.value, TooMany):
            found.append(required_by(node))
        elif isinstance(node, Inner):
            if are_children_done:
                right, left = found.pop(), found.pop()
                found.append(left | right if node.function is Function.AND else left & right)
            else:
                pending += ((node, True), (node.right, False), (node.left, False))
    return found[0]


class Chain:
    """A maximal group of inner nodes with one function: its leaves' variables, and the chains below it.

    A tree that is a leaf is a chain of one variable, whose function does not matter.
    """

    __slots__ = ("children", "function", "parent", "variables")

    def __init__(self, function: Function, parent: int | None) -> None:
        self.function = function
        self.parent = parent
        self.variables: list[int] = []
        self.children: list[int] = []


def chains_of(tree: Node, *, keeps_grouping: bool = False) -> list[Chain]:
    """The chains of a tree, each before those below it; where grouping is kept, every inner node is one."""
    if isinstance(tree, Leaf):
        alone = Chain(Function.AND, None)
        alone.variables.append(tree.variable)
        return [alone]
    chains = [Chain(tree.function, None)]
    pending: list[tuple[Node, int]] = [(tree.right, 0), (tree.left, 0)]
    effort = Effort()
    while pending:
        effort.spend(_EFFORT_OF_NODE)
        node, position = pending.pop()
        if isinstance(node, Leaf):
            chains[position].variables.append(node.variable)
            continue
        if keeps_grouping or node.function is not chains[position].function:
            chains.append(Chain(node.function, position))
            chains[position].children.append(len(chains) - 1)
            position = len(chains) - 1
        pending += [(node.right, position), (node.left, position)]
    return chains


def _flatten(tree: Any) -> tuple[tuple[int, int | str], ...]:
    """The nodes as (uid, label), each before its children."""
    return tuple(
        (node.uid, node.variable if isinstance(node, Leaf) else node.function.value)
        for node in nodes_of(tree)
    )


def _unflatten(labels: tuple[tuple[int, int | str], ...]) -> Node:
    stack: list[Node] = []
    for uid, label in reversed(labels):
        if isinstance(label, int):
            stack.append(Leaf(uid, label))
        else:
            left, right = stack.pop(), stack.pop()
            stack.append(make_inner(uid, Function(label), left, right))
    return stack.pop()


def svg_of(value: object) -> str:
    """The picture that a notebook shows of a tree, a step, a run or a result: what its ``_repr_svg_`` returns.

    `gpviz.notebook` draws it, with layouts and texts from packages that build on the engine. The engine must
    not import those, so this function loads the module by name, and only when a picture is wanted.
    """
    picture: str = import_module("gpviz.notebook").svg(value)
    return picture
