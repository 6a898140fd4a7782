"""A tree as a networkx graph: nodes are uids, edges go from parent to child, left before right."""

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from gpviz.engine import Inner, Node

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


def root_of(graph: TreeGraph) -> int:
    """The uid of the tree's root."""
    root: int = graph.graph["root"]
    return root
