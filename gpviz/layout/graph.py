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
    edges = []
    while pending:
        node, depth = pending.pop()
        graph.add_node(node.uid, depth=depth)
        if isinstance(node, Inner) and node.uid not in collapsed:
            edges += [(node.uid, node.left.uid), (node.uid, node.right.uid)]
            pending += [(node.right, depth + 1), (node.left, depth + 1)]
    graph.add_edges_from(edges)
    return graph


def root_of(graph: TreeGraph) -> int:
    """The uid of the tree's root."""
    root: int = graph.graph["root"]
    return root
