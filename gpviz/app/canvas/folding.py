"""Which subtrees may be folded as they rest, and which node is beside another on show."""

from collections.abc import Collection
from typing import Final

from gpviz.engine import Inner, Leaf, Node
from gpviz.engine.tree import nodes_of

_FEWEST_FOLDED: Final = 4
"""The leaves of the smallest subtree that is folded when it rests."""


def resting_uids(tree: Node | None, earlier: Node | None, places: Collection[int]) -> frozenset[int]:
    """The largest subtrees that are as they were in an earlier tree and hold none of some places.

    Those of few leaves are left out, which would take as much room folded; without any place nothing rests.
    """
    if tree is None or not places:
        return frozenset()
    old = {node.uid: node for node in nodes_of(earlier)}
    resting: set[int] = set()
    for node in reversed(list(nodes_of(tree))):  # what is below a node comes before it
        before = old.get(node.uid)
        if before is None or node.uid in places:
            continue
        if isinstance(node, Leaf):
            is_same = isinstance(before, Leaf) and before.variable == node.variable
        else:
            is_same = isinstance(before, Inner) and before.function is node.function
            is_same = is_same and _children(before) == _children(node) and resting.issuperset(_children(node))
        if is_same:
            resting.add(node.uid)
    found: set[int] = set()
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, Inner) and node.leaves >= _FEWEST_FOLDED:
            if node.uid in resting:
                found.add(node.uid)
            else:
                pending += (node.left, node.right)
    return frozenset(found)


def _children(node: Node) -> tuple[int, ...]:
    return (node.left.uid, node.right.uid) if isinstance(node, Inner) else ()


def neighbour_of(
    tree: Node | None, uid: int, direction: str, collapsed: frozenset[int] = frozenset()
) -> int | None:
    """The parent, the left child, or the next node of the same level among the nodes on show."""
    levels: list[list[int]] = []
    parents: dict[int, int] = {}
    level = [] if tree is None else [tree]
    while level:
        levels.append([node.uid for node in level])
        opened = [node for node in level if isinstance(node, Inner) and node.uid not in collapsed]
        parents |= {child.uid: node.uid for node in opened for child in (node.left, node.right)}
        level = [child for node in opened for child in (node.left, node.right)]
    if direction == "parent":
        return parents.get(uid)
    if direction == "child":
        return next((child for child, parent in parents.items() if parent == uid), None)
    along = next((uids for uids in levels if uid in uids), [])
    place = along.index(uid) + (1 if direction == "right" else -1) if along else -1
    return along[place] if 0 <= place < len(along) else None
