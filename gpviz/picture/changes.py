"""What a step does to the tree on show, and where that is drawn: rings, one outline, tags, and small ghosts.

What is proposed, and what went, needs no place in the layout: it is a small tree beside its edge. Where there is
no free space for it, the badge of the verdict at the node has to do.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import hypot
from typing import Final, NamedTuple

from gpviz.engine import UNICODE, Inner, Leaf, Node, Operation, Side, Step
from gpviz.engine.tree import node_path, nodes_of
from gpviz.explain.moment import Moment
from gpviz.explain.step_text import VERDICT_SYMBOLS
from gpviz.picture.layout import place
from gpviz.picture.nodes import (
    HALF_DIAMOND,
    PlacedTree,
    extent_of,
    half_size,
    label_of,
    shape_of,
    standing_for,
)
from gpviz.picture.picture import Change, Mark, NodeShape, PlacedEdge, PlacedNode, Role
from gpviz.picture.space import Rect, Segment, Space, around
from gpviz.picture.verdict_badge import BADGE, OPEN_COLOUR, OPEN_SYMBOL, VERDICT_COLOURS

_GHOST: Final = 0.7
"""How large ghosts are, compared with the nodes of the tree, and at least in a picture with a unit of 1."""
_SMALLEST_GHOST: Final = 0.5
_SMALLER: Final = 0.8
"""Where there is no space for a ghost, it is tried once more in this share of its size."""
_MOST_GHOST_LEAVES: Final = 3
"""Of a larger part that went only the number of its leaves is shown."""
_GHOST_UNIT: Final = (66.0, 62.0)
"""How far nodes of a ghost are apart, at its scale."""
_AWAY: Final = 5.0
_RING: Final = 9.0
_LEAF: Final = 3.0
"""How far tags stay away, in pixels at unit 1, and how far a ring and the border of a leaf reach, at scale 1."""
_ALONG: Final = (0.5, 0.38, 0.62)
"""Where on its edge a ghost may hang."""
_ASIDE: Final = (0.0, 34.0, -34.0, 68.0, -68.0, 104.0, -104.0)
_UP: Final = (0.0, -30.0, 30.0)
"""How far beside its edge, and how far above or below, in pixels at unit 1."""
_NEAR: Final = 190.0
"""What is further away than so many pixels, at unit 1, is in nobody's way."""
_EMPTY: Final = 0.3
"""How far down a first leaf is proposed, of the height of the space for the tree."""

_Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class DrawnStep:
    """The tree on show, and what a step did or would do to it, by uids, before anything has a place."""

    tree: Node | None
    ring: tuple[int, ...] = ()
    """What is new, or was chosen and not changed."""
    leaving: tuple[int, ...] = ()
    """What goes if a proposed deletion is accepted, from the function above it on."""
    moves_up: int | None = None
    anchor: int | None = None
    tag: str = ""
    """The other label of the anchor."""
    ghost: tuple[Node, ...] = ()
    """The function and the part below it that is not in the tree; a first leaf alone."""
    is_left: bool = False
    """Whether the part is on the left of its function, or the leaf with a tag."""
    is_done: bool = False
    """Whether the tree is what the step has made of it."""
    is_rejected: bool = False
    is_chosen: bool = False
    """Whether the ring is around what was chosen."""


def drawn_step(moment: Moment) -> DrawnStep:
    """What there is to draw of a moment."""
    step, parent, offspring = moment.step, moment.parent, moment.offspring
    if step is None or (parent is None and offspring is None):
        return DrawnStep(moment.tree)
    is_rejected = not moment.is_verdict_hidden and not step.is_accepted
    is_done = not (is_rejected or moment.is_verdict_hidden or moment.is_preview)
    tree = moment.tree if is_done else parent
    drawn = DrawnStep(tree, is_done=is_done, is_rejected=is_rejected)
    if parent is None:
        assert offspring is not None
        if is_done:
            return replace(drawn, ring=(offspring.uid,), anchor=offspring.uid)
        return replace(drawn, ghost=(offspring,))
    if step.operation is Operation.INS:
        assert offspring is not None
        return _insertion(drawn, step, offspring)
    if step.operation is Operation.SUB:
        return _substitution(drawn, step, parent)
    return _deletion(drawn, step, parent)


def _insertion(drawn: DrawnStep, step: Step, offspring: Node) -> DrawnStep:
    function, _ = node_path(offspring, step.node)
    assert isinstance(function, Inner)
    is_left = step.side is Side.LEFT
    leaf, other = (function.left, function.right) if is_left else (function.right, function.left)
    if drawn.is_done:
        return replace(drawn, ring=(leaf.uid, function.uid), anchor=function.uid)
    return replace(drawn, anchor=other.uid, ghost=(function, leaf), is_left=is_left)


def _substitution(drawn: DrawnStep, step: Step, parent: Node) -> DrawnStep:
    leaf, path = node_path(parent, step.node)
    assert isinstance(leaf, Leaf)
    if leaf.variable == step.variable:
        return replace(drawn, ring=(leaf.uid,), anchor=leaf.uid, is_chosen=True)
    is_left = bool(path) and path[-1][0].left is leaf
    if drawn.is_done:
        old = UNICODE.variable(leaf.variable)
        return replace(drawn, ring=(leaf.uid,), anchor=leaf.uid, tag=old, is_left=is_left)
    return replace(drawn, anchor=leaf.uid, tag=UNICODE.variable(step.variable), is_left=is_left)


def _deletion(drawn: DrawnStep, step: Step, parent: Node) -> DrawnStep:
    node, path = node_path(parent, step.node)
    if not path:  # the root is never deleted
        return replace(drawn, ring=(node.uid,), anchor=node.uid, is_chosen=True)
    above, sibling = path[-1]
    if drawn.is_done:
        return replace(drawn, anchor=sibling.uid, ghost=(above, node), is_left=above.left is node)
    leaving = (above.uid, *(each.uid for each in nodes_of(node)))
    return replace(drawn, anchor=above.uid, leaving=leaving, moves_up=sibling.uid)


def placed_change(
    moment: Moment, drawn: DrawnStep, tree: PlacedTree, space: Space, unit: float
) -> Change | None:
    """What is drawn of a step with all its places, in the free space around a tree; None if nothing is marked."""
    return _ChangePlacer(moment, drawn, tree, space, unit).placed()


class _ChangePlacer:
    def __init__(self, moment: Moment, drawn: DrawnStep, tree: PlacedTree, space: Space, unit: float) -> None:
        assert moment.step is not None
        self._drawn = drawn
        self._tree, self._nodes, self._scale = tree.tree, tree.nodes, tree.scale
        self._parents = {edge.child: edge.parent for edge in tree.edges}
        self._space = space
        self._unit = unit
        verdict = moment.step.verdict
        self._colour = OPEN_COLOUR if moment.is_verdict_hidden else VERDICT_COLOURS[verdict]
        self._symbol = OPEN_SYMBOL if moment.is_verdict_hidden else VERDICT_SYMBOLS[verdict]
        self._ghost_scale = max(_GHOST * self._scale, _SMALLEST_GHOST * unit)
        self._radius = BADGE * unit

    def placed(self) -> Change | None:
        drawn, anchor = self._drawn, self._drawn.anchor
        if anchor is None:
            return self._first_leaf() if drawn.ghost else None
        if anchor not in self._nodes:
            assert self._tree is not None
            return self._badge_alone(standing_for(self._tree, self._nodes)[anchor])
        if drawn.leaving:
            shown = self._shown(drawn.leaving)
            return self._change(Mark.OUTLINE, nodes=shown, badge=self._outline_badge(shown))
        if drawn.tag:
            return self._tag() or self._badge_alone(anchor)
        if drawn.ghost:
            return self._ghost() or self._badge_alone(anchor)
        ring = self._shown(drawn.ring)
        return self._change(Mark.RING, nodes=ring, badge=self._badge(ring[0])) if ring else None

    def _shown(self, uids: Sequence[int]) -> tuple[int, ...]:
        return tuple(uid for uid in uids if uid in self._nodes)

    def _change(
        self,
        mark: Mark,
        *,
        nodes: tuple[int, ...] = (),
        ghosts: tuple[PlacedNode, ...] = (),
        edges: tuple[PlacedEdge, ...] = (),
        badge: _Point | None = None,
        anchor: int | None = None,
        hook: _Point | None = None,
    ) -> Change:
        drawn = self._drawn
        anchor = drawn.anchor if anchor is None else anchor
        return Change(
            mark=mark,
            colour=self._colour,
            symbol=self._symbol,
            anchor=anchor,
            nodes=nodes,
            ghosts=ghosts,
            ghost_edges=edges,
            moves_up=drawn.moves_up,
            path=self._path(anchor) if drawn.is_done else (),
            badge=None if badge is None else (*badge, self._radius),
            hook=hook,
            is_rejected=drawn.is_rejected,
            is_done=drawn.is_done,
        )

    def _path(self, uid: int | None) -> tuple[int, ...]:
        """The way from a node up to the root."""
        path = []
        while uid is not None:
            path.append(uid)
            uid = self._parents.get(uid)
        return tuple(path)

    # Badges

    def _badge_alone(self, uid: int) -> Change:
        """The badge of the verdict and a ring at a node, where there is no space for more."""
        return self._change(Mark.BADGE, nodes=(uid,), badge=self._badge(uid), anchor=uid)

    def _badge_rect(self, centre: _Point) -> Rect:
        return around(*centre, self._radius, self._radius)

    def _badge(self, uid: int) -> _Point | None:
        """A place for a badge at a corner of a ringed node."""
        node = self._nodes[uid]
        across, down = half_size(node.shape, self._scale, node.label)
        return self._free_badge(node, across + _RING * self._scale, down + _RING * self._scale)

    def _outline_badge(self, uids: Sequence[int]) -> _Point | None:
        """A place for the badge at the root of the part that is deleted; the function above it comes first."""
        node = self._nodes[uids[min(1, len(uids) - 1)]]
        reach = half_size(node.shape, self._scale, node.label)[0] + 10 * self._scale
        return self._free_badge(node, 0.72 * reach, 0.72 * reach)

    def _free_badge(self, node: PlacedNode, across: float, down: float) -> _Point | None:
        radius = self._radius
        near = self._space.near(around(node.x, node.y, across + 3 * radius, down + 3 * radius))
        corners = [(side * across, up * down) for up in (-1, 1) for side in (1, -1)]
        sides = [(side * (across + 0.6 * radius), 0.0) for side in (1, -1)]
        for dx, dy in (*corners, *sides):
            for away in (0.5 * radius, 1.1 * radius):
                further = 1 + away / hypot(dx, dy)
                centre = node.x + dx * further, node.y + dy * further
                if near.is_free(self._badge_rect(centre)):
                    return centre
        return None

    def _cross(self, node: PlacedNode, side: int) -> _Point | None:
        """The place of the cross at the upper outer corner of a ghost, if the step is rejected."""
        if not self._drawn.is_rejected:
            return None
        across, down = half_size(node.shape, self._scale * node.size, node.label)
        return node.x + side * (across + 0.75 * self._radius), node.y - down - 0.4 * self._radius

    # Tags

    def _tag(self) -> Change | None:
        """The other label of a leaf, beside it."""
        drawn = self._drawn
        assert drawn.anchor is not None
        leaf = self._nodes[drawn.anchor]
        size = self._ghost_scale / self._scale
        role = Role.GONE if drawn.is_done else Role.PROPOSED
        near = self._space.near(around(leaf.x, leaf.y, _NEAR * self._unit, _NEAR * self._unit))
        for dx, dy in self._beside(leaf):
            tag = PlacedNode(~leaf.uid, leaf.x + dx, leaf.y + dy, NodeShape.BOX, drawn.tag, role, size)
            rect = extent_of(tag, self._scale).grown(2.0)
            cross = self._cross(tag, 1 if dx >= 0 else -1)
            if near.is_free(rect) and (cross is None or near.is_free(self._badge_rect(cross))):
                badge = cross
                if drawn.is_done:
                    badge = self._badge(leaf.uid)
                    if badge is not None and self._badge_rect(badge).overlaps(rect):
                        badge = None
                return self._change(Mark.TAG, nodes=drawn.ring, ghosts=(tag,), badge=badge)
        return None

    def _beside(self, leaf: PlacedNode) -> list[_Point]:
        """How far from its leaf a tag may be, the best place first."""
        across, down = half_size(NodeShape.BOX, self._ghost_scale, self._drawn.tag)
        own_across, own_down = half_size(NodeShape.BOX, self._scale, leaf.label)
        gap = (_RING if self._drawn.ring else _LEAF) * self._scale + _AWAY * self._unit
        beside, below = own_across + gap + across, own_down + gap + down
        sides = (-1, 1) if self._drawn.is_left else (1, -1)
        return [
            *((side * beside, 0.0) for side in sides),
            *((side * beside, up * 0.7 * own_down) for up in (1, -1) for side in sides),
            (0.0, below),
            *((side * 0.9 * own_across, up * below) for up in (1, -1) for side in sides),
            *((side * (beside + 16 * self._unit), up * own_down) for up in (0, 1, -1) for side in sides),
        ]

    # Ghosts

    def _first_leaf(self) -> Change:
        """What is proposed where there is no tree."""
        (leaf,) = self._drawn.ghost
        area = self._space.area
        x, y = area.middle[0], area.top + _EMPTY * (area.bottom - area.top)
        ghost = PlacedNode(leaf.uid, x, y, NodeShape.BOX, label_of(leaf), Role.PROPOSED)
        return self._change(Mark.GHOST, ghosts=(ghost,), badge=self._cross(ghost, 1))

    def _ghost(self) -> Change | None:
        """A small tree beside its edge."""
        assert self._drawn.anchor is not None
        anchor = self._nodes[self._drawn.anchor]
        above = self._nodes.get(self._parents.get(anchor.uid, -1))
        end = anchor if above is None else above
        reach = max(abs(anchor.x - end.x), abs(anchor.y - end.y)) / 2 + 1.4 * _NEAR * self._unit
        near = self._space.near(around((anchor.x + end.x) / 2, (anchor.y + end.y) / 2, reach, reach))
        own = [Segment(end.x, end.y, anchor.x, anchor.y)]
        sides = (-1, 1) if self._drawn.is_left else (1, -1)
        for scale in (self._ghost_scale, _SMALLER * self._ghost_scale):
            ghosts = [self._ghost_tree(scale, side) for side in sides]
            for (x, y), hook in self._hanging_points(anchor, above, scale):
                for ghost in ghosts:
                    head, *rects = (rect.moved(x, y) for rect in ghost.rects)
                    if near.is_free(head, own) and near.are_free(rects):
                        return self._hung(ghost, x, y, hook)
        return None

    def _hung(self, ghost: "_Ghost", x: float, y: float, hook: _Point | None) -> Change:
        nodes = tuple(replace(node, x=node.x + x, y=node.y + y) for node in ghost.nodes)
        cross = None if ghost.cross is None else (ghost.cross[0] + x, ghost.cross[1] + y)
        return self._change(Mark.GHOST, ghosts=nodes, edges=ghost.edges, badge=cross, hook=hook)

    def _hanging_points(
        self, anchor: PlacedNode, above: PlacedNode | None, scale: float
    ) -> Iterator[tuple[_Point, _Point | None]]:
        """Where the function of a ghost may be: on its edge, or beside it with the point that it belongs to."""
        if above is None:
            across, down = half_size(anchor.shape, self._scale)
            beside, over = across + 44 * scale, down + 34 * scale
            sides = (-1, 1) if self._drawn.is_left else (1, -1)
            starts = [
                (anchor.x + side * beside, anchor.y - up * over) for up in (0, 0.5, 1) for side in sides
            ]
        else:
            starts = [
                (above.x + (anchor.x - above.x) * share, above.y + (anchor.y - above.y) * share)
                for share in _ALONG
            ]
        for aside in _ASIDE:
            for up in _UP:
                for x, y in starts:
                    hook = (anchor.x, anchor.y) if above is None else (x, y) if aside or up else None
                    yield (x + aside * self._unit, y + up * self._unit), hook

    def _ghost_tree(self, scale: float, side: int) -> "_Ghost":
        """A function with what hangs on one side of it, around the origin."""
        function, part = self._drawn.ghost
        role = Role.GONE if self._drawn.is_done else Role.PROPOSED
        size = scale / self._scale
        unit_x, unit_y = (length * scale for length in _GHOST_UNIT)
        nodes = [PlacedNode(function.uid, 0.0, 0.0, shape_of(function), label_of(function), role, size)]
        edges = [PlacedEdge(function.uid, part.uid)]
        if part.leaves > _MOST_GHOST_LEAVES:
            label = f"{part.leaves:,} leaves"
            x = side * (HALF_DIAMOND * scale + half_size(NodeShape.BOX, scale, label)[0])
            nodes.append(PlacedNode(part.uid, x, 0.35 * unit_y, NodeShape.BOX, label, role, size))
        else:
            positions = place(part)
            inner = min(side * x for x, _ in positions.values())
            drop = 0.3 if isinstance(part, Leaf) else 0.75
            for node in nodes_of(part):
                x, y = positions[node.uid]
                x, y = (x + side * (1.0 - inner)) * unit_x, (y + drop) * unit_y
                nodes.append(PlacedNode(node.uid, x, y, shape_of(node), label_of(node), role, size))
                if isinstance(node, Inner):
                    edges += [PlacedEdge(node.uid, child.uid) for child in (node.left, node.right)]
        cross = self._cross(nodes[1], side)
        rects = [extent_of(node, self._scale).grown(2.0) for node in nodes]
        rects += [] if cross is None else [self._badge_rect(cross)]
        return _Ghost(nodes, tuple(edges), rects, cross)


class _Ghost(NamedTuple):
    """A small tree around the origin, what it covers from its function on, and where its cross is."""

    nodes: Sequence[PlacedNode]
    edges: tuple[PlacedEdge, ...]
    rects: Sequence[Rect]
    cross: _Point | None
