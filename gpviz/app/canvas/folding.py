"""Folding of subtrees: which nodes can be folded, and which node is next to another."""

from gpviz.app.canvas.tree_frame import Frame
from gpviz.engine import Inner, Node
from gpviz.engine.tree import nodes_of

__all__ = ["inner_uids", "neighbour_of", "shown_ancestor"]


def inner_uids(tree: Node | None) -> frozenset[int]:
    """The nodes that have a subtree to fold."""
    return frozenset(node.uid for node in nodes_of(tree) if isinstance(node, Inner))


def shown_ancestor(tree: Node | None, uid: int, collapsed: frozenset[int]) -> int | None:
    """The collapsed node that hides this one; None if the tree has no such node."""
    pending: list[tuple[Node, int | None]] = [] if tree is None else [(tree, None)]
    while pending:
        node, hiding = pending.pop()
        if node.uid == uid:
            return hiding if hiding is not None else uid
        if isinstance(node, Inner):
            below = node.uid if hiding is None and node.uid in collapsed else hiding
            pending += ((node.left, below), (node.right, below))
    return None


def neighbour_of(frame: Frame, uid: int, direction: str) -> int | None:
    """The parent, the left child, or the next node of the same level in a frame at rest."""
    number = frame.index.get(uid)
    if number is None:
        return None
    ends = list(zip(frame.edge_a.tolist(), frame.edge_b.tolist(), strict=True))
    if direction == "parent":
        found = next((a for a, b in ends if b == number), None)
    elif direction == "child":
        found = next((b for a, b in ends if a == number), None)
    else:
        depths = [0] * len(frame)
        for a, b in ends:  # parents come before their children
            depths[b] = depths[a] + 1
        level = [other for other, depth in enumerate(depths) if depth == depths[number]]
        place = level.index(number) + (1 if direction == "right" else -1)
        found = level[place] if 0 <= place < len(level) else None
    return None if found is None else int(frame.uids[found])
