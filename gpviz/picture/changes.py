"""What a step does to the tree on show, and where that is drawn: rings, one outline, tags, and small ghosts.

What is proposed, and what went, needs no place in the layout: it is a small tree beside its edge. Where there is
no free space for it, the badge of the verdict at the node has to do.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gpviz.engine import UNICODE, Function, Inner, Leaf, Node, Operation, Side, Verdict
from gpviz.engine.tree import node_path, nodes_of
from gpviz.explain.moment import Moment
from gpviz.explain.step_text import VERDICT_SYMBOLS
from gpviz.picture.fit import HALF_BOX, HALF_DIAMOND, HALF_DISC
from gpviz.picture.layout import place
from gpviz.picture.picture import Change, Mark, NodeShape, PlacedEdge, PlacedNode, Role
from gpviz.picture.space import Rect, Segment, Space, around, union_of

VERDICT_COLOURS: Final = {
    Verdict.IMPROVED: "improved",
    Verdict.NEUTRAL: "neutral",
    Verdict.UNCHANGED: "unchanged",
    Verdict.WORSE: "worse",
    Verdict.TOO_LARGE: "too_large",
}
"""The names of the colours of the verdicts in a theme."""
OPEN_COLOUR: Final = "accent"
"""Of a step whose verdict is not told."""
OPEN_SYMBOL: Final = "?"

GHOST: Final = 0.7
"""How large ghosts are, compared with the nodes of the tree, and at least in a picture with a unit of 1."""
_SMALLEST_GHOST: Final = 0.5
_SMALLER: Final = 0.8
"""Where there is no space for a ghost, it is tried once more in this share of its size."""
_MOST_GHOST_LEAVES: Final = 3
"""Of a larger part that went only the number of its leaves is shown."""
_GHOST_UNIT: Final = (66.0, 62.0)
"""How far nodes of a ghost are apart, at its scale."""
BADGE: Final = 11.0
"""The radius of a badge, at unit 1."""
_AWAY: Final = 5.0
_RING: Final = 9.0
"""How far ghosts stay away from what is there, in pixels at unit 1, and how far rings reach at scale 1."""
_ALONG: Final = (0.5, 0.38, 0.62)
"""Where on its edge a ghost may hang."""
_ASIDE: Final = (0.0, 34.0, -34.0, 68.0, -68.0, 104.0, -104.0)
_UP: Final = (0.0, -30.0, 30.0)
"""How far beside its edge, and how far above or below, in pixels at unit 1."""
_NEAR: Final = 190.0
"""What is further away than so many pixels, at unit 1, is in nobody's way."""


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
    if shape in (NodeShape.DIAMOND, NodeShape.TRIANGLE):
        return HALF_DIAMOND * scale, HALF_DIAMOND * scale
    wider = max(len(label) - 3, 0) * 6.0
    return (HALF_BOX[0] + wider) * scale, HALF_BOX[1] * scale


def extent_of(node: PlacedNode, scale: float) -> Rect:
    """The rectangle of a node."""
    return around(node.x, node.y, *half_size(node.shape, scale * node.size, node.label))


def badge_rect(place: tuple[float, float], unit: float) -> Rect:
    """The rectangle of a badge."""
    return around(*place, BADGE * unit, BADGE * unit)


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a step is about, by uids: the tree on show, and what of it the step did or would do."""

    tree: Node | None
    ring: tuple[int, ...] = ()
    leaving: tuple[int, ...] = ()
    moves_up: int | None = None
    anchor: int | None = None
    tag: str = ""
    """The other label of the anchor."""
    ghost: tuple[Node, ...] = ()
    """The function and the part below it that is not in the tree; a first leaf alone."""
    is_left: bool = False
    is_struck: bool = False
    is_crossed: bool = False
    is_chosen: bool = False


def drawn_of(moment: Moment) -> Drawn:
    """What there is to draw of a moment, before anything has a place."""
    step = moment.step
    if step is None or (moment.parent is None and moment.offspring is None):
        return Drawn(moment.tree)
    is_open = moment.is_verdict_hidden or moment.is_preview
    is_crossed = not moment.is_verdict_hidden and not step.is_accepted
    is_done = not is_open and not is_crossed
    parent, offspring = moment.parent, moment.offspring
    if parent is None:
        assert offspring is not None
        if is_done:
            return Drawn(offspring, ring=(offspring.uid,), anchor=offspring.uid)
        return Drawn(None, ghost=(offspring,), is_crossed=is_crossed)
    node, path = node_path(parent, step.node)
    is_left = bool(path) and path[-1][0].left is node
    if step.operation is Operation.INS:
        assert offspring is not None
        function, _ = node_path(offspring, step.node)
        assert isinstance(function, Inner)
        is_leaf_left = step.side is Side.LEFT
        leaf = function.left if is_leaf_left else function.right
        if is_done:
            return Drawn(offspring, ring=(leaf.uid, function.uid), anchor=function.uid)
        return Drawn(
            parent, anchor=node.uid, ghost=(function, leaf), is_left=is_leaf_left, is_crossed=is_crossed
        )
    if step.operation is Operation.SUB:
        assert isinstance(node, Leaf)
        if node.variable == step.variable:
            return Drawn(parent, ring=(node.uid,), anchor=node.uid, is_chosen=True)
        old, new = UNICODE.variable(node.variable), UNICODE.variable(step.variable)
        if is_done:
            return Drawn(
                moment.tree, ring=(node.uid,), anchor=node.uid, tag=old, is_left=is_left, is_struck=True
            )
        return Drawn(parent, anchor=node.uid, tag=new, is_left=is_left, is_crossed=is_crossed)
    if not path:  # the root is never deleted
        return Drawn(parent, ring=(node.uid,), anchor=node.uid, is_chosen=True)
    above, sibling = path[-1]
    if is_done:
        return Drawn(moment.tree, anchor=sibling.uid, ghost=(above, node), is_left=is_left, is_struck=True)
    return Drawn(
        parent,
        leaving=(above.uid, *(each.uid for each in nodes_of(node))),
        moves_up=sibling.uid,
        anchor=above.uid,
        is_crossed=is_crossed,
    )


class ChangePlacer:
    """Finds the places of what is drawn of a step, in the free space around the placed tree."""

    def __init__(
        self,
        drawn: Drawn,
        moment: Moment,
        nodes: Mapping[int, PlacedNode],
        parents: Mapping[int, int],
        space: Space,
        scale: float,
        unit: float,
        empty_place: tuple[float, float],
    ) -> None:
        assert moment.step is not None
        self._drawn = drawn
        self._nodes = nodes
        self._parents = parents
        self._space = space
        self._scale = scale
        self._unit = unit
        self._empty_place = empty_place
        step, is_hidden = moment.step, moment.is_verdict_hidden
        self._operation = step.operation.value
        self._colour = OPEN_COLOUR if is_hidden else VERDICT_COLOURS[step.verdict]
        self._symbol = OPEN_SYMBOL if is_hidden else VERDICT_SYMBOLS[step.verdict]
        self._ghost_scale = max(GHOST * scale, _SMALLEST_GHOST * unit)

    def placed(self) -> Change | None:
        """The change with all its places; None if there is nothing to mark."""
        drawn = self._drawn
        if drawn.anchor is None and not drawn.ghost:
            return None
        if drawn.anchor is not None and drawn.anchor not in self._nodes:
            return None  # it is folded away, and whoever folds marks what stands for it
        if drawn.ring and not drawn.tag:
            return self._change(Mark.RING, nodes=drawn.ring, badge=self._badge(drawn.ring[0]))
        if drawn.leaving:
            shown = tuple(uid for uid in drawn.leaving if uid in self._nodes)
            return self._change(Mark.OUTLINE, nodes=shown, badge=self._outline_badge(shown))
        found = self._tagged() if drawn.tag else self._ghosts()
        if found is not None:
            return found
        anchor = drawn.anchor
        if anchor is None:
            return None
        return self._change(Mark.BADGE, nodes=drawn.ring or (anchor,), badge=self._badge(anchor))

    def on_fold(self, standing: int) -> Change:
        """The change, where a folded node hides what it is about."""
        return self._change(Mark.BADGE, nodes=(standing,), badge=self._badge(standing), anchor=standing)

    def _change(
        self,
        mark: Mark,
        *,
        nodes: tuple[int, ...] = (),
        ghosts: tuple[PlacedNode, ...] = (),
        edges: tuple[PlacedEdge, ...] = (),
        badge: tuple[float, float] | None = None,
        anchor: int | None = None,
        hook: tuple[float, float] | None = None,
    ) -> Change:
        drawn = self._drawn
        anchor = drawn.anchor if anchor is None else anchor
        return Change(
            operation=self._operation,
            mark=mark,
            colour=self._colour,
            symbol=self._symbol,
            anchor=anchor,
            nodes=nodes,
            ghosts=ghosts,
            ghost_edges=edges,
            moves_up=drawn.moves_up,
            path=self._path(anchor),
            badge=badge,
            hook=hook,
            is_rejected=drawn.is_crossed,
            is_struck=drawn.is_struck,
        )

    def _path(self, uid: int | None) -> tuple[int, ...]:
        """The way from a node up to the root."""
        path = []
        while uid is not None and uid in self._nodes:
            path.append(uid)
            uid = self._parents.get(uid)
        return tuple(path)

    # Badges

    def _badge(self, uid: int) -> tuple[float, float] | None:
        """A place for a badge at a corner of a ringed node."""
        node = self._nodes[uid]
        across, down = half_size(node.shape, self._scale, node.label)
        return self._free_badge(node.x, node.y, across + _RING * self._scale, down + _RING * self._scale)

    def _outline_badge(self, uids: tuple[int, ...]) -> tuple[float, float] | None:
        """A place for the badge at the part that is deleted, the function above it comes first."""
        node = self._nodes[uids[min(1, len(uids) - 1)]]
        reach = half_size(node.shape, self._scale, node.label)[0] + 10 * self._scale
        return self._free_badge(node.x, node.y, 0.72 * reach, 0.72 * reach)

    def _free_badge(self, x: float, y: float, across: float, down: float) -> tuple[float, float] | None:
        radius = BADGE * self._unit
        near = self._space.near(around(x, y, across + 3 * radius, down + 3 * radius))
        corners = [(side * across, up * down) for up in (-1, 1) for side in (1, -1)]
        sides = [(side * (across + 0.6 * radius), 0.0) for side in (1, -1)]
        for dx, dy in (*corners, *sides):
            length = (dx * dx + dy * dy) ** 0.5 or 1.0
            for away in (0.5 * radius, 1.1 * radius):
                place = x + dx * (1 + away / length), y + dy * (1 + away / length)
                if near.is_free(around(*place, radius, radius)):
                    return place
        return None

    # Tags

    def _tagged(self) -> Change | None:
        """The other label of a leaf, beside it."""
        drawn = self._drawn
        assert drawn.anchor is not None
        leaf = self._nodes[drawn.anchor]
        size = self._ghost_scale / self._scale
        across, down = half_size(NodeShape.BOX, self._ghost_scale, drawn.tag)
        own_across, own_down = half_size(NodeShape.BOX, self._scale, leaf.label)
        gap = (_RING if drawn.ring else 3.0) * self._scale + _AWAY * self._unit
        beside, below = own_across + gap + across, own_down + gap + down
        sides = (-1, 1) if drawn.is_left else (1, -1)
        choices = [(side * beside, 0.0) for side in sides]
        choices += [(side * beside, up * 0.7 * own_down) for up in (1, -1) for side in sides]
        choices += [(0.0, below)]
        choices += [(side * 0.9 * own_across, up * below) for up in (1, -1) for side in sides]
        choices += [(side * (beside + 16 * self._unit), up * own_down) for up in (0, 1, -1) for side in sides]
        near = self._space.near(around(leaf.x, leaf.y, _NEAR * self._unit, _NEAR * self._unit))
        role = Role.GONE if drawn.is_struck else Role.PROPOSED
        for dx, dy in choices:
            tag = PlacedNode(~leaf.uid, leaf.x + dx, leaf.y + dy, NodeShape.BOX, drawn.tag, role, size)
            rect = around(tag.x, tag.y, across + 2, down + 2)
            cross = self._cross_of(tag, outwards=1 if dx >= 0 else -1) if drawn.is_crossed else None
            rects = [rect, *([self._badge_rect(cross)] if cross else [])]
            if near.are_free(rects):
                badge = cross
                if badge is None and drawn.ring:
                    taken = Space(near.area, (), ())
                    taken.take([rect])
                    badge = self._badge(leaf.uid)
                    if badge is not None and not taken.is_free(self._badge_rect(badge)):
                        badge = None
                return self._change(Mark.TAG, nodes=drawn.ring, ghosts=(tag,), badge=badge)
        return None

    def _cross_of(self, node: PlacedNode, outwards: int) -> tuple[float, float]:
        """The place of the cross at the upper outer corner of a ghost."""
        across, down = half_size(node.shape, self._ghost_scale, node.label)
        beyond = BADGE * self._unit
        return node.x + outwards * (across + 0.75 * beyond), node.y - down - 0.4 * beyond

    def _badge_rect(self, place: tuple[float, float]) -> Rect:
        return badge_rect(place, self._unit)

    # Ghosts

    def _ghosts(self) -> Change | None:
        """A small tree beside its edge."""
        if self._drawn.anchor is None:
            (leaf,) = self._drawn.ghost
            x, y = self._empty_place
            ghost = PlacedNode(leaf.uid, x, y, NodeShape.BOX, label_of(leaf), Role.PROPOSED)
            badge = self._cross_of(ghost, 1) if self._drawn.is_crossed else None
            return self._change(Mark.GHOST, ghosts=(ghost,), badge=badge)
        anchor = self._nodes[self._drawn.anchor]
        above = self._nodes.get(self._parents.get(anchor.uid, 0))
        end = anchor if above is None else above
        reach = max(abs(anchor.x - end.x), abs(anchor.y - end.y)) / 2 + 1.4 * _NEAR * self._unit
        near = self._space.near(around((anchor.x + end.x) / 2, (anchor.y + end.y) / 2, reach, reach))
        own = [] if above is None else [Segment(above.x, above.y, anchor.x, anchor.y)]
        for share in (1.0, _SMALLER):
            self._ghost_scale *= share
            found = self._hung(anchor, above, near, own)
            if found is not None:
                return found
        return None

    def _hung(
        self, anchor: PlacedNode, above: PlacedNode | None, near: Space, own: Sequence[Segment]
    ) -> Change | None:
        drawings = [self._ghost_tree(is_left) for is_left in (self._drawn.is_left, not self._drawn.is_left)]
        for (x, y), hook in self._hanging_points(anchor, above):
            for nodes, edges, outwards in drawings:
                placed = tuple(replace(node, x=node.x + x, y=node.y + y) for node in nodes)
                rects = [extent_of(node, self._scale).grown(2.0) for node in placed]
                cross = self._cross_of(placed[1], outwards) if self._drawn.is_crossed else None
                if cross is not None:
                    rects.append(self._badge_rect(cross))
                if (
                    near.is_free(rects[0], own)
                    and near.are_free(rects[1:])
                    and near.area.holds(union_of(rects))
                ):
                    return self._change(Mark.GHOST, ghosts=placed, edges=edges, badge=cross, hook=hook)
        return None

    def _hanging_points(
        self, anchor: PlacedNode, above: PlacedNode | None
    ) -> Iterator[tuple[tuple[float, float], tuple[float, float] | None]]:
        """Where the function of a ghost may be: on its edge, or beside it with the point that it belongs to."""
        if above is None:
            down = half_size(anchor.shape, self._scale)[1] + 34 * self._ghost_scale
            sides = (-1, 1) if self._drawn.is_left else (1, -1)
            beside = half_size(anchor.shape, self._scale)[0] + 44 * self._ghost_scale
            starts = [
                (anchor.x + side * beside, anchor.y - up * down) for up in (0, 0.5, 1) for side in sides
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

    def _ghost_tree(self, is_left: bool) -> tuple[list[PlacedNode], tuple[PlacedEdge, ...], int]:
        """A function with what hangs on one side of it, around the origin; and on which side that is."""
        drawn = self._drawn
        function, part = drawn.ghost
        role = Role.GONE if drawn.is_struck else Role.PROPOSED
        size, side = self._ghost_scale / self._scale, -1 if is_left else 1
        head = PlacedNode(function.uid, 0.0, 0.0, shape_of(function), label_of(function), role, size)
        unit_x, unit_y = (length * self._ghost_scale for length in _GHOST_UNIT)
        if part.leaves > _MOST_GHOST_LEAVES:
            label = f"{part.leaves:,} leaves"
            one = PlacedNode(part.uid, 0.0, 0.0, NodeShape.BOX, label, role, size)
            across = half_size(NodeShape.BOX, self._ghost_scale, label)[0]
            one = replace(one, x=side * (HALF_DIAMOND * self._ghost_scale + across), y=0.35 * unit_y)
            return [head, one], (PlacedEdge(head.uid, one.uid, role),), side
        positions = place(part)
        inner = min(side * x for x, _ in positions.values())
        drop = 0.3 if isinstance(part, Leaf) else 0.75
        nodes, edges = [head], [PlacedEdge(head.uid, part.uid, role)]
        for node in nodes_of(part):
            x, y = positions[node.uid]
            x, y = x + side * (1.0 - inner), y + drop
            nodes.append(
                PlacedNode(node.uid, x * unit_x, y * unit_y, shape_of(node), label_of(node), role, size)
            )
            if isinstance(node, Inner):
                edges += [PlacedEdge(node.uid, child.uid, role) for child in (node.left, node.right)]
        return nodes, tuple(edges), side
