"""The tidy tree: parents centred over their children, subtrees side by side as close as they can be.

Every subtree keeps its outline: for each of its levels how far it reaches to the left and to the right. Two
subtrees are pushed together until their outlines touch, and the outlines merged; only the levels both have are
looked at, so the whole takes time proportional to the number of nodes. Nothing recurses, so depth is no limit.
"""

from dataclasses import dataclass

from gpviz.layout.graph import TreeGraph, root_of

__all__ = ["Positions", "tidy_layout"]

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
    order = _preorder(graph, root)
    outlines: dict[int, _Outline] = {}
    offsets: dict[int, float] = {root: 0.0}
    for uid in reversed(order):
        children = list(graph.successors(uid))
        if not children:
            outlines[uid] = _Outline([0.0], [0.0])
            continue
        parts = [outlines.pop(child) for child in children]
        outline, places = _side_by_side(parts)
        middle = (places[0] + places[-1]) / 2
        for child, place in zip(children, places, strict=True):
            offsets[child] = place - middle
        outline.shift -= middle
        outline.left.append(-outline.shift)
        outline.right.append(-outline.shift)
        outlines[uid] = outline
    positions: Positions = {}
    for uid in order:
        parent = next(graph.predecessors(uid), None)
        above = (0.0, -1.0) if parent is None else positions[parent]
        positions[uid] = (above[0] + offsets[uid], above[1] + 1.0)
    return positions


def _preorder(graph: TreeGraph, root: int) -> list[int]:
    order: list[int] = []
    pending = [root]
    while pending:
        uid = pending.pop()
        order.append(uid)
        pending.extend(reversed(list(graph.successors(uid))))
    return order


def _side_by_side(parts: list[_Outline]) -> tuple[_Outline, list[float]]:
    """The outline of subtrees put next to each other, and where their roots come to be."""
    merged = parts[0]
    places = [0.0]
    for part in parts[1:]:
        levels = min(len(merged.left), len(part.left))
        place = 1.0 + max(
            merged.right[-1 - level] + merged.shift - part.left[-1 - level] - part.shift
            for level in range(levels)
        )
        part.shift += place
        places.append(place)
        merged = _merged(merged, part, levels)
    return merged, places


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
