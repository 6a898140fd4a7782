"""The tidy tree: parents centred over their children, subtrees side by side as close as they can be.

Every subtree keeps its outline: for each of its levels how far it reaches to the left and to the right. Two
subtrees are pushed together until their outlines touch, and the outlines merged; only the levels both have are
looked at, so the whole takes time proportional to the number of nodes. Nothing recurses, so depth is no limit.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from operator import sub

from gpviz.layout.tree_graph import TreeGraph, root_of

Positions = dict[int, tuple[float, float]]
"""For each uid its place; one unit is the smallest distance between neighbours, y grows downwards."""


@dataclass(slots=True)
class _Outline:
    """How far a subtree reaches, its deepest level first; what is stored is off by ``shift``."""

    left: list[float]
    right: list[float]
    shift: float = 0.0


def tidy_layout(graph: TreeGraph) -> Positions:
    """Places with the root at the origin."""
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
        places = [0.0]
        for child in children[1:]:
            outline, place = _beside(outline, outlines.pop(child))
            places.append(place)
        middle = places[-1] / 2
        for child, place in zip(children, places, strict=True):
            offsets[child] = place - middle
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
    """The outline of two subtrees next to each other, and where the other's root comes to be."""
    # Both lists end with the root's level; the longer one's deepest levels have nothing beside them.
    gaps = map(sub, reversed(one.right), reversed(other.left))
    place = 1.0 + max(gaps) + one.shift - other.shift
    other.shift += place
    return _merged(one, other, min(len(one.left), len(other.left))), place


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
