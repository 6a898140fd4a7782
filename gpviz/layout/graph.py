"""A tree as a networkx graph: nodes are uids, edges go from parent to child, left before right."""

from typing import TYPE_CHECKING, TypeAlias

from gpviz.engine import Inner, Node

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["TreeGraph", "graph_of", "root_of"]

TreeGraph: TypeAlias = "nx.DiGraph[int]"
"""A graph made by `graph_of`; its nodes have the attribute ``depth``, and the graph the attribute ``root``."""


def graph_of(tree: Node, collapsed: frozenset[int] = frozenset()) -> TreeGraph:
    """The graph of a tree; below the nodes whose uids are in ``collapsed`` nothing is shown."""
    import networkx as nx  # it takes long to load, so a window is open before it is needed

    graph: TreeGraph = nx.DiGraph(root=tree.uid)
    pending: list[tuple[Node, int]] = [(tree, 0)]
    nodes: list[tuple[int, dict[str, int]]] = []
    edges: list[tuple[int, int]] = []
    while pending:
        node, depth = pending.pop()
        uid = node.uid
        nodes.append((uid, {"depth": depth}))
        if isinstance(node, Inner) and uid not in collapsed:
            left, right = node.left, node.right
            edges += ((uid, left.uid), (uid, right.uid))
            pending += ((right, depth + 1), (left, depth + 1))
    graph.add_nodes_from(nodes)
    graph.add_edges_from(edges)
    return graph


def root_of(graph: TreeGraph) -> int:
    """The uid of the tree's root."""
    root: int = graph.graph["root"]
    return root
