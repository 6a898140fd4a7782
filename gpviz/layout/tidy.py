"""The tidy tree: parents centred over their children, subtrees side by side as close as they can be.

Every subtree keeps its outline: for each of its levels how far it reaches to the left and to the right. Two
subtrees are pushed together until their outlines touch, and the outlines merged; only the levels both have are
looked at, so the whole takes time proportional to the number of nodes. Nothing recurses, so depth is no limit.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from operator import sub

from gpviz.layout.networkx_graph import TreeGraph, root_of

Positions = dict[int, tuple[float, float]]
"""The position of each uid; one unit is the smallest distance between neighbours, y grows downwards."""


@dataclass(slots=True)
class _Outline:
    """How far a subtree reaches on each level, the deepest first; ``shift`` is to be added to what is stored."""

    left: list[float]
    right: list[float]
    shift: float = 0.0


def tidy_layout(graph: TreeGraph) -> Positions:
    """The positions of all nodes, with the root at the origin."""
    root = root_of(graph)
    children_of = {uid: list(below) for uid, below in graph.adjacency()}
    order = _preorder(children_of, root)
    outlines: dict[int, _Outline] = {}
    offsets: dict[int, float] = {}
    for uid in reversed(order):
        children = children_of[uid]
        if not children:
            outlines[uid] = _Outline([0.0], [0.0])
            continue
        outline = outlines.pop(children[0])
        shifts = [0.0]
        for child in children[1:]:
            outline, shift = _beside(outline, outlines.pop(child))
            shifts.append(shift)
        middle = shifts[-1] / 2
        for child, shift in zip(children, shifts, strict=True):
            offsets[child] = shift - middle
        outline.shift -= middle
        outline.left.append(-outline.shift)
        outline.right.append(-outline.shift)
        outlines[uid] = outline
    positions: Positions = {root: (0.0, 0.0)}
    for uid in order:
        x, y = positions[uid]
        for child in children_of[uid]:
            positions[child] = (x + offsets[child], y + 1.0)
    return positions


def _preorder(children_of: Mapping[int, list[int]], root: int) -> list[int]:
    order: list[int] = []
    pending = [root]
    while pending:
        uid = pending.pop()
        order.append(uid)
        pending += reversed(children_of[uid])
    return order


def _beside(one: _Outline, other: _Outline) -> tuple[_Outline, float]:
    """The outline of two subtrees next to each other, and how far the second root is from the first."""
    # Both lists end with the root's level; the longer one's deepest levels have nothing beside them.
    gaps = map(sub, reversed(one.right), reversed(other.left))
    shift = 1.0 + max(gaps) + one.shift - other.shift
    other.shift += shift
    return _merged(one, other, min(len(one.left), len(other.left))), shift


def _merged(one: _Outline, other: _Outline, levels: int) -> _Outline:
    """The outline of both; the deeper one's lists are kept and only their common levels rewritten."""
    deeper, flatter = (one, other) if len(one.left) >= len(other.left) else (other, one)
    side = slice(-levels, None)
    change = flatter.shift - deeper.shift
    if deeper is one:
        deeper.right[side] = [reach + change for reach in flatter.right[side]]
    else:
        deeper.left[side] = [reach + change for reach in flatter.left[side]]
    return deeper
