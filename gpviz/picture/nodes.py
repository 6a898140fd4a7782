"""The nodes of a tree in a picture: their shapes, labels and sizes, and all of them in their places."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from gpviz.engine import UNICODE, Function, Inner, Leaf, Node
from gpviz.picture.picture import NodeShape, PlacedEdge, PlacedNode
from gpviz.picture.space import Rect, Segment, around

HALF_DISC: Final = 26.0
HALF_BOX: Final = (26.0, 24.0)
HALF_DIAMOND: Final = 32.0
"""How far nodes reach from their centres, at scale 1."""
_LETTERS: Final = 3
_LETTER: Final = 6.0
"""How many letters a box has space for, and how much more it reaches for each other one, at scale 1."""


def shape_of(node: Node) -> NodeShape:
    """The shape of a node."""
    if isinstance(node, Leaf):
        return NodeShape.BOX
    return NodeShape.DISC if node.function is Function.AND else NodeShape.DIAMOND


def label_of(node: Node) -> str:
    """What is written in a node."""
    return UNICODE.variable(node.variable) if isinstance(node, Leaf) else UNICODE.function(node.function)


def half_size(shape: NodeShape, scale: float, label: str = "") -> tuple[float, float]:
    """How far a node reaches from its centre, across and down."""
    if shape is NodeShape.DISC:
        return HALF_DISC * scale, HALF_DISC * scale
    if shape is NodeShape.BOX:
        wider = max(len(label) - _LETTERS, 0) * _LETTER
        return (HALF_BOX[0] + wider) * scale, HALF_BOX[1] * scale
    return HALF_DIAMOND * scale, HALF_DIAMOND * scale


def extent_of(node: PlacedNode, scale: float) -> Rect:
    """The rectangle of a node in a picture of this scale."""
    return around(node.x, node.y, *half_size(node.shape, scale * node.size, node.label))


@dataclass(frozen=True)
class PlacedTree:
    """The nodes on show of a tree in their places, by uid, and how large they are."""

    tree: Node | None
    scale: float
    nodes: Mapping[int, PlacedNode]
    edges: tuple[PlacedEdge, ...]

    @cached_property
    def extents(self) -> list[Rect]:
        """The rectangles of its nodes."""
        return [extent_of(node, self.scale) for node in self.nodes.values()]

    @cached_property
    def segments(self) -> list[Segment]:
        """Its edges, from centre to centre."""
        ends = ((self.nodes[edge.parent], self.nodes[edge.child]) for edge in self.edges)
        return [Segment(above.x, above.y, below.x, below.y) for above, below in ends]


def standing_for(tree: Node, shown: Mapping[int, object]) -> dict[int, int]:
    """For each node of a tree the one that is drawn for it: itself, or the folded one that hides it."""
    drawn: dict[int, int] = {}
    pending: list[tuple[Node, int]] = [(tree, tree.uid)]
    while pending:
        node, hiding = pending.pop()
        standing = drawn[node.uid] = node.uid if node.uid in shown else hiding
        if isinstance(node, Inner):
            pending += ((node.left, standing), (node.right, standing))
    return drawn
