"""Where the nodes of a tree are drawn: the tidy tree and the layouts of networkx, all in the same units.

Only this module imports networkx.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import cos, hypot, inf, pi, sin
from operator import sub
from typing import TYPE_CHECKING, Any, Final

from gpviz.engine import GpvizError, Inner, Node

if TYPE_CHECKING:
    import networkx as nx

Positions = dict[int, tuple[float, float]]
"""The position of each uid; one unit is the smallest distance between neighbours, y grows downwards."""
_Children = dict[int, tuple[int, ...]]
"""The children of each node on show, by uid, in preorder: the root comes first."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A way to draw a tree; a slow one is computed in the background."""

    name: str
    title: str
    arrange: Callable[[_Children], Positions]
    most_nodes: int
    """Up to this size one can follow the edges; larger trees become a tangle, or dots."""
    is_slow: bool = False

    def refusal_of(self, nodes: int) -> str:
        """Why a tree of so many nodes cannot be drawn this way; empty if it can."""
        if nodes <= self.most_nodes:
            return ""
        return f"The layout '{self.title}' is for trees of at most {self.most_nodes} nodes; this one has {nodes}."


def place(
    tree: Node, name: str = "tidy", folded: frozenset[int] = frozenset(), *, has_notes: bool = False
) -> Positions:
    """The positions of the nodes on show in the layout of this name; no two are closer than one unit.

    Below ``folded`` nodes nothing is shown. With ``has_notes`` nothing of the tidy tree comes to lie below a leaf.
    Raises `GpvizError` for a tree that is too large for the layout.
    """
    layout, children_of = LAYOUTS[name], _children_on_show(tree, folded)
    refusal = layout.refusal_of(len(children_of))
    if refusal:
        raise GpvizError(refusal)
    if layout.arrange is _tidy:
        return _tidy(children_of, has_notes=has_notes)
    return layout.arrange(children_of) if len(children_of) > 1 else {tree.uid: (0.0, 0.0)}


def _children_on_show(tree: Node, folded: frozenset[int]) -> _Children:
    children_of: _Children = {}
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, Inner) and node.uid not in folded:
            children_of[node.uid] = node.left.uid, node.right.uid
            pending += (node.right, node.left)
        else:
            children_of[node.uid] = ()
    return children_of


# The tidy tree


@dataclass(slots=True)
class _Outline:
    """How far a subtree reaches on each level, the deepest first; ``shift`` is to be added to what is stored."""

    left: list[float]
    right: list[float]
    shift: float = 0.0


def _tidy(children_of: _Children, *, has_notes: bool = False) -> Positions:
    """The tidy tree: parents centred over their children, subtrees side by side as close as they can be.

    The root is at the origin. Every subtree keeps its outline: for each of its levels how far it reaches to the
    left and to the right. Two subtrees are pushed together until their outlines touch, and the outlines merged;
    only the levels that both have are looked at, so the time is proportional to the number of nodes. Nothing
    recurses, so trees may be as deep as they like.
    """
    outlines: dict[int, _Outline] = {}
    offsets: dict[int, float] = {}
    for uid, children in reversed(children_of.items()):
        if not children:
            # A note below a leaf takes the place of a child.
            outlines[uid] = _Outline([0.0] * (1 + has_notes), [0.0] * (1 + has_notes))
            continue
        outline = outlines.pop(children[0])
        shifts = [0.0]
        for child in children[1:]:
            outline, shift = _side_by_side(outline, outlines.pop(child))
            shifts.append(shift)
        middle = shifts[-1] / 2
        for child, shift in zip(children, shifts, strict=True):
            offsets[child] = shift - middle
        outline.shift -= middle
        outline.left.append(-outline.shift)
        outline.right.append(-outline.shift)
        outlines[uid] = outline
    positions: Positions = {next(iter(children_of)): (0.0, 0.0)}
    for uid, children in children_of.items():
        x, y = positions[uid]
        for child in children:
            positions[child] = (x + offsets[child], y + 1.0)
    return positions


def _side_by_side(one: _Outline, other: _Outline) -> tuple[_Outline, float]:
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


# The layouts of networkx


def _graph_of(children_of: _Children) -> "nx.DiGraph[int]":
    import networkx as nx  # it takes long to load, so a window is open before it is needed

    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(children_of)
    graph.add_edges_from((above, uid) for above, children in children_of.items() for uid in children)
    return graph


def _levels_of(children_of: _Children) -> list[list[int]]:
    """The uids of each level, from left to right."""
    levels = [[next(iter(children_of))]]
    while below := [child for uid in levels[-1] for child in children_of[uid]]:
        levels.append(below)
    return levels


def _bfs(children_of: _Children) -> Positions:
    import networkx as nx

    root = next(iter(children_of))
    return _spaced(nx.bfs_layout(_graph_of(children_of), root, align="horizontal"))


def _shell(children_of: _Children) -> Positions:
    import networkx as nx

    return _spaced(nx.shell_layout(_graph_of(children_of), _levels_of(children_of)))


def _radial(children_of: _Children) -> Positions:
    """The tidy tree bent around its root, so that each level is a circle."""
    tidy = _tidy(children_of)
    left = min(x for x, _ in tidy.values())
    width = max(x for x, _ in tidy.values()) - left + 1.0
    bent = {
        uid: (y * cos(2 * pi * (x - left) / width), y * sin(2 * pi * (x - left) / width))
        for uid, (x, y) in tidy.items()
    }
    return _spaced(bent)


def _planar(children_of: _Children) -> Positions:
    import networkx as nx

    return _spaced(nx.planar_layout(_graph_of(children_of)))


def _spring(children_of: _Children) -> Positions:
    """Springs pull the nodes, from where the tidy tree has them, so that the same tree always looks the same."""
    import networkx as nx

    start = _tidy(children_of)
    return _spaced(nx.spring_layout(_graph_of(children_of), pos=start, seed=0, iterations=80))


def _spaced(positions: Mapping[int, Any]) -> Positions:
    """The positions scaled so that the closest two nodes are one unit apart."""
    points = {uid: (float(x), float(y)) for uid, (x, y) in positions.items()}
    closest = _closest_distance(points.values())
    scale = 1.0 if closest in (0.0, inf) else 1.0 / closest
    return {uid: (x * scale, y * scale) for uid, (x, y) in points.items()}


def _closest_distance(points: Iterable[tuple[float, float]]) -> float:
    """The smallest distance between two points, by a sweep over x."""
    ordered = sorted(points)
    closest = inf
    for index, (x, y) in enumerate(ordered, 1):
        for other_x, other_y in ordered[index:]:
            if other_x - x >= closest:
                break
            closest = min(closest, hypot(other_x - x, other_y - y))
    return closest


LAYERED: Final = ("tidy", "bfs")
"""The layouts in which the levels of a tree are rows, with the root at the top."""
LAYOUTS: Final = {
    layout.name: layout
    for layout in (
        Layout("tidy", "Tidy tree", _tidy, 1_000_000),
        Layout("bfs", "Levels, breadth first", _bfs, 80),
        Layout("radial", "Radial", _radial, 250),
        Layout("shell", "Shells", _shell, 48),
        Layout("planar", "Planar", _planar, 40, is_slow=True),
        Layout("spring", "Springs", _spring, 140, is_slow=True),
    )
}
