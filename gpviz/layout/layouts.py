"""The layouts to choose from: the tidy tree and those of networkx, all in the same units."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import cos, hypot, inf, pi, sin
from typing import Any, Final

from gpviz.engine import GpvizError
from gpviz.layout.networkx_graph import TreeGraph, root_of
from gpviz.layout.tidy import Positions, tidy_layout


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
