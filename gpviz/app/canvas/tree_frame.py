"""A frame: what is drawn of a tree as plain data, its nodes, faces and edges; and which subtrees can be folded."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from gpviz.app.canvas.camera import Bounds
from gpviz.app.canvas.node_shapes import Face, face_of, leaf_face
from gpviz.engine import Inner, Leaf, Node
from gpviz.engine.tree import nodes_of
from gpviz.explain.step_picture import StepPicture

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]
Unit: TypeAlias = tuple[float, float]
"""How long one unit of a layout is in the drawing, across and down."""
TIDY_UNIT: Final[Unit] = (58.0, 56.0)
_FEWEST_FOLDED: Final = 4
"""The leaves of the smallest subtree that is folded when it rests."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One moment of the drawing. ``size`` and ``flip`` are 1 for a node at rest; edges go from a to b."""

    uids: Ints
    x: Floats
    y: Floats
    size: Floats
    flip: Floats
    opacity: Floats
    face: Ints
    faces: tuple[Face, ...]
    edge_a: Ints
    edge_b: Ints
    edge_opacity: Floats
    ghosts: frozenset[int] = frozenset()
    """What is drawn, but not in the tree; the faces of these nodes have a tint, and so have their edges."""
    edge_tint: tuple[str, ...] = ()
    """For each edge the tint of the ghost that hangs on it, or nothing; no entries at all if none has one."""

    def __len__(self) -> int:
        return len(self.uids)

    @cached_property
    def index(self) -> Mapping[int, int]:
        """For each uid the place of its node in the arrays."""
        return {uid: number for number, uid in enumerate(self.uids.tolist())}

    @cached_property
    def bounds(self) -> Bounds:
        """The rectangle of all places of nodes."""
        if not len(self):
            return Bounds(0.0, 0.0, 0.0, 0.0)
        return Bounds(float(self.x.min()), float(self.y.min()), float(self.x.max()), float(self.y.max()))

    def face_at(self, number: int) -> Face:
        """The face of the node at this place in the arrays."""
        return self.faces[int(self.face[number])]


def frame_of(
    picture: StepPicture | Node | None,
    positions: Mapping[int, tuple[float, float]],
    collapsed: frozenset[int] = frozenset(),
    unit: Unit = (1.0, 1.0),
    tint: str = "accent",
) -> Frame:
    """A tree or a step at rest, its ghosts in this tint. Below the nodes in ``collapsed`` nothing is drawn."""
    picture = picture if isinstance(picture, StepPicture) else StepPicture(picture)
    tree, ghosts, other = picture.tree, picture.ghosts, picture.other
    if tree is None:
        return EMPTY
    bridges = picture.bridges
    uids: list[int] = []
    faces: list[Face] = []
    known: dict[object, int] = {}
    face: list[int] = []
    edge_a: list[int] = []
    edge_b: list[int] = []
    edge_tint: list[str] = []
    pending: list[tuple[Node, int]] = [(tree, -1)]
    while pending:
        node, above = pending.pop()
        number = len(uids)
        uids.append(node.uid)
        is_collapsed = node.uid in collapsed
        # A face is made once for each label, not once for each node.
        is_ghost = node.uid in ghosts
        label: object = (
            node.variable if isinstance(node, Leaf) else (node.function, is_collapsed and node.leaves)
        )
        look = known.get((label, is_ghost))
        if look is None:
            look = known[label, is_ghost] = len(faces)
            faces.append(face_of(node, is_collapsed)._replace(tint=tint if is_ghost else ""))
        face.append(look)
        if above >= 0:
            edge_a.append(above)
            edge_b.append(number)
            if ghosts:
                edge_tint.append(tint if _is_ghostly(uids[above], node.uid, ghosts, bridges) else "")
        if isinstance(node, Inner) and not is_collapsed:
            pending += ((node.right, number), (node.left, number))
    if other is not None and other.uid in positions:
        uids.append(other.uid)
        face.append(len(faces))
        faces.append(leaf_face(other.variable)._replace(tint=tint, is_struck=other.is_old))
        ghosts = ghosts | {other.uid}
    places = np.array([positions[uid] for uid in uids], dtype=np.float64)
    ones = np.ones(len(uids))
    return Frame(
        uids=np.array(uids, dtype=np.int64),
        x=places[:, 0] * unit[0],
        y=places[:, 1] * unit[1],
        size=ones,
        flip=ones,
        opacity=ones,
        face=np.array(face, dtype=np.int64),
        faces=tuple(faces),
        edge_a=np.array(edge_a, dtype=np.int64),
        edge_b=np.array(edge_b, dtype=np.int64),
        edge_opacity=np.ones(len(edge_a)),
        ghosts=ghosts,
        edge_tint=tuple(edge_tint),
    )


def _is_ghostly(above: int, below: int, ghosts: frozenset[int], bridges: frozenset[int]) -> bool:
    """Whether an edge belongs to ghosts alone; one through which the tree hangs together does not."""
    if below in ghosts:
        return below not in bridges
    return above in ghosts and above not in bridges


_NO_INTS: Final = np.empty(0, dtype=np.int64)
_NO_FLOATS: Final = np.empty(0)

EMPTY: Final = Frame(
    _NO_INTS,
    _NO_FLOATS,
    _NO_FLOATS,
    _NO_FLOATS,
    _NO_FLOATS,
    _NO_FLOATS,
    _NO_INTS,
    (),
    _NO_INTS,
    _NO_INTS,
    _NO_FLOATS,
)
"""The drawing of the empty tree."""


def resting_uids(tree: Node | None, earlier: Node | None, places: Collection[int]) -> frozenset[int]:
    """The largest subtrees that are as they were in an earlier tree and hold none of some places.

    Those of few leaves are left out, which would take as much room folded; without any place nothing rests.
    """
    if tree is None or not places:
        return frozenset()
    old = {node.uid: node for node in nodes_of(earlier)}
    resting: set[int] = set()
    for node in reversed(list(nodes_of(tree))):  # what is below a node comes before it
        before = old.get(node.uid)
        if before is None or node.uid in places:
            continue
        if isinstance(node, Leaf):
            is_same = isinstance(before, Leaf) and before.variable == node.variable
        else:
            is_same = isinstance(before, Inner) and before.function is node.function
            is_same = is_same and _children(before) == _children(node) and resting.issuperset(_children(node))
        if is_same:
            resting.add(node.uid)
    found: set[int] = set()
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, Inner) and node.leaves >= _FEWEST_FOLDED:
            if node.uid in resting:
                found.add(node.uid)
            else:
                pending += (node.left, node.right)
    return frozenset(found)


def _children(node: Node) -> tuple[int, ...]:
    return (node.left.uid, node.right.uid) if isinstance(node, Inner) else ()


def standing_for(tree: Node | None, collapsed: frozenset[int]) -> dict[int, int]:
    """For each node of a tree the one that is drawn for it: itself, or the topmost collapsed one that hides it."""
    drawn: dict[int, int] = {}
    pending: list[tuple[Node, int | None]] = [] if tree is None else [(tree, None)]
    while pending:
        node, hiding = pending.pop()
        drawn[node.uid] = node.uid if hiding is None else hiding
        if isinstance(node, Inner):
            below = node.uid if hiding is None and node.uid in collapsed else hiding
            pending += ((node.left, below), (node.right, below))
    return drawn


def neighbour_of(
    tree: Node | None, uid: int, direction: str, collapsed: frozenset[int] = frozenset()
) -> int | None:
    """The parent, the left child, or the next node of the same level among the nodes on show."""
    levels: list[list[int]] = []
    parents: dict[int, int] = {}
    level = [] if tree is None else [tree]
    while level:
        levels.append([node.uid for node in level])
        opened = [node for node in level if isinstance(node, Inner) and node.uid not in collapsed]
        parents |= {child.uid: node.uid for node in opened for child in (node.left, node.right)}
        level = [child for node in opened for child in (node.left, node.right)]
    if direction == "parent":
        return parents.get(uid)
    if direction == "child":
        return next((child for child, parent in parents.items() if parent == uid), None)
    along = next((uids for uids in levels if uid in uids), [])
    place = along.index(uid) + (1 if direction == "right" else -1) if along else -1
    return along[place] if 0 <= place < len(along) else None
