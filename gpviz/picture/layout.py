"""Where the nodes of a tree are drawn: the tidy tree and the layouts of networkx, all in the same units.

Only this module imports networkx.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import cos, hypot, inf, pi, sin
from operator import sub
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from gpviz.engine import GpvizError, Inner, Node

if TYPE_CHECKING:
    import networkx as nx

TreeGraph: TypeAlias = "nx.DiGraph[int]"
"""A graph made by `graph_of`; its nodes have the attribute ``depth``, and the graph the attribute ``root``."""


class Beside(NamedTuple):
    """A node of its own for something that is drawn beside a leaf, on its left or on its right."""

    uid: int
    leaf: int
    is_left: bool


def graph_of(tree: Node, collapsed: frozenset[int] = frozenset(), beside: Beside | None = None) -> TreeGraph:
    """The graph of a tree; below the nodes whose uids are in ``collapsed`` nothing is shown.

    What is beside a leaf becomes a sibling of it, and of a tree that is only that leaf a node without an edge.
    """
    import networkx as nx  # it takes long to load, so a window is open before it is needed

    graph: TreeGraph = nx.DiGraph(root=tree.uid)
    leaf = None if beside is None else beside.leaf
    pending: list[tuple[Node, int, int | None]] = [(tree, 0, None)]
    nodes: list[tuple[int, dict[str, int]]] = []
    edges: list[tuple[int, int]] = []
    while pending:
        node, depth, above = pending.pop()
        uid = node.uid
        uids = [uid]
        if uid == leaf and beside is not None:
            uids.insert(0 if beside.is_left else 1, beside.uid)
        nodes += [(each, {"depth": depth}) for each in uids]
        if above is not None:
            edges += [(above, each) for each in uids]
        if isinstance(node, Inner) and uid not in collapsed:
            pending += ((node.right, depth + 1, uid), (node.left, depth + 1, uid))
    graph.add_nodes_from(nodes)
    graph.add_edges_from(edges)
    return graph


def place(
    tree: Node, name: str = "tidy", folded: frozenset[int] = frozenset(), *, has_notes: bool = False
) -> "Positions":
    """The positions of the nodes of a tree on show in the layout of this name; no two are closer than one unit.

    With ``has_notes`` nothing of the tidy tree comes to lie below a leaf. Raises `GpvizError` for a tree that is
    too large for the layout.
    """
    if name == "tidy":
        return _tidy(*_children_of(tree, folded), has_notes=has_notes)
    return positions_of(graph_of(tree, folded), name)


def _children_of(tree: Node, folded: frozenset[int]) -> tuple[list[int], dict[int, tuple[int, ...]]]:
    """The uids of a tree on show in preorder, and for each its children."""
    order: list[int] = []
    children_of: dict[int, tuple[int, ...]] = {}
    pending: list[Node] = [tree]
    while pending:
        node = pending.pop()
        order.append(node.uid)
        if isinstance(node, Inner) and node.uid not in folded:
            children_of[node.uid] = node.left.uid, node.right.uid
            pending += (node.right, node.left)
        else:
            children_of[node.uid] = ()
    return order, children_of


def root_of(graph: TreeGraph) -> int:
    """The uid of the tree's root."""
    root: int = graph.graph["root"]
    return root


Positions = dict[int, tuple[float, float]]
"""The position of each uid; one unit is the smallest distance between neighbours, y grows downwards."""


@dataclass(slots=True)
class _Outline:
    """How far a subtree reaches on each level, the deepest first; ``shift`` is to be added to what is stored."""

    left: list[float]
    right: list[float]
    shift: float = 0.0


def tidy_layout(graph: TreeGraph) -> Positions:
    """The tidy tree: parents centred over their children, subtrees side by side as close as they can be.

    The root is at the origin. Every subtree keeps its outline: for each of its levels how far it reaches to the
    left and to the right. Two subtrees are pushed together until their outlines touch, and the outlines merged;
    only the levels that both have are looked at, so the time is proportional to the number of nodes. Nothing
    recurses, so trees may be as deep as they like.
    """
    children_of = {uid: tuple(below) for uid, below in graph.adjacency()}
    return _tidy(_preorder(children_of, root_of(graph)), children_of)


def _tidy(
    order: Sequence[int], children_of: Mapping[int, Sequence[int]], *, has_notes: bool = False
) -> Positions:
    outlines: dict[int, _Outline] = {}
    offsets: dict[int, float] = {}
    for uid in reversed(order):
        children = children_of[uid]
        if not children:
            # A note below a leaf takes the place of a child.
            outlines[uid] = _Outline([0.0] * (1 + has_notes), [0.0] * (1 + has_notes))
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
    positions: Positions = {order[0]: (0.0, 0.0)}
    for uid in order:
        x, y = positions[uid]
        for child in children_of[uid]:
            positions[child] = (x + offsets[child], y + 1.0)
    return positions


def _preorder(children_of: Mapping[int, Sequence[int]], root: int) -> list[int]:
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


@dataclass(frozen=True, slots=True)
class Layout:
    """A way to draw a tree; a slow one is computed in the background."""

    name: str
    title: str
    arrange: Callable[[TreeGraph], Positions]
    most_nodes: int
    """Up to this size one can follow the edges; larger trees become a tangle, or dots."""
    is_slow: bool = False

    def refusal_of(self, nodes: int) -> str:
        """Why a tree of so many nodes cannot be drawn this way; empty if it can."""
        if nodes <= self.most_nodes:
            return ""
        return f"The layout '{self.title}' is for trees of at most {self.most_nodes} nodes; this one has {nodes}."


def positions_of(graph: TreeGraph, name: str) -> Positions:
    """The positions of all nodes in the layout of this name; no two nodes are closer than one unit.

    Raises `GpvizError` for a tree that is too large for the layout.
    """
    layout = LAYOUTS[name]
    refusal = layout.refusal_of(len(graph))
    if refusal:
        raise GpvizError(refusal)
    root = root_of(graph)
    if not graph[root]:  # a leaf, and at most something beside it
        uids = list(graph)
        return {uid: (float(index - uids.index(root)), 0.0) for index, uid in enumerate(uids)}
    return layout.arrange(graph)


def _bfs(graph: TreeGraph) -> Positions:
    import networkx as nx

    return _spaced(nx.bfs_layout(graph, root_of(graph), align="horizontal"))


def _multipartite(graph: TreeGraph) -> Positions:
    import networkx as nx

    return _spaced(nx.multipartite_layout(graph, subset_key="depth", align="horizontal"))


def _shell(graph: TreeGraph) -> Positions:
    import networkx as nx

    shells: dict[int, list[int]] = {}
    for uid in graph:
        shells.setdefault(graph.nodes[uid]["depth"], []).append(uid)
    return _spaced(nx.shell_layout(graph, [shells[depth] for depth in sorted(shells)]))


def _radial(graph: TreeGraph) -> Positions:
    """The tidy tree bent around its root, so that each level is a circle."""
    tidy = tidy_layout(graph)
    left = min(x for x, _ in tidy.values())
    width = max(x for x, _ in tidy.values()) - left + 1.0
    bent = {
        uid: (y * cos(2 * pi * (x - left) / width), y * sin(2 * pi * (x - left) / width))
        for uid, (x, y) in tidy.items()
    }
    return _spaced(bent)


def _planar(graph: TreeGraph) -> Positions:
    import networkx as nx

    return _spaced(nx.planar_layout(graph))


def _spring(graph: TreeGraph) -> Positions:
    """Springs pull the nodes, from where the tidy tree has them, so that the same tree always looks the same."""
    import networkx as nx

    start = {uid: (x, y) for uid, (x, y) in tidy_layout(graph).items()}
    if len(graph) == 1:
        return start
    return _spaced(nx.spring_layout(graph, pos=start, seed=0, iterations=80))


LAYERED: Final = ("tidy", "bfs", "multipartite")
"""The layouts in which the levels of a tree are rows, with the root at the top."""


def _spaced(positions: Mapping[int, Any]) -> Positions:
    """The positions scaled so that the closest two nodes are one unit apart."""
    points = {uid: (float(x), float(y)) for uid, (x, y) in positions.items()}
    closest = _closest_distance(list(points.values()))
    scale = 1.0 if closest in (0.0, inf) else 1.0 / closest
    return {uid: (x * scale, y * scale) for uid, (x, y) in points.items()}


def _closest_distance(points: list[tuple[float, float]]) -> float:
    """The smallest distance between two points, by a sweep over x."""
    ordered = sorted(points)
    closest = inf
    for position, (x, y) in enumerate(ordered):
        for other_x, other_y in ordered[position + 1 :]:
            if other_x - x >= closest:
                break
            closest = min(closest, hypot(other_x - x, other_y - y))
    return closest


LAYOUTS: Final = {
    layout.name: layout
    for layout in (
        Layout("tidy", "Tidy tree", tidy_layout, 1_000_000),
        Layout("bfs", "Levels, breadth first", _bfs, 80),
        Layout("multipartite", "Levels, evenly spread", _multipartite, 64),
        Layout("radial", "Radial", _radial, 250),
        Layout("shell", "Shells", _shell, 48),
        Layout("planar", "Planar", _planar, 40, is_slow=True),
        Layout("spring", "Springs", _spring, 140, is_slow=True),
    )
}
