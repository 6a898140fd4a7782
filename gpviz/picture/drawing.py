"""Takes a picture apart into discs, boxes, polygons, lines and texts: what each thing in the tree looks like."""

from collections.abc import Iterator, Mapping
from math import cos, hypot, sin
from typing import Final

from gpviz.picture.fixed_parts import fixed_items
from gpviz.picture.items import TEXT_MIDDLE, Enter, Font, Item, Leave, Shape
from gpviz.picture.leaf_notes import LINE, TICK
from gpviz.picture.motion import STAGGER, VERDICT_AT
from gpviz.picture.nodes import HALF_DIAMOND, HALF_DISC, half_size
from gpviz.picture.picture import Change, Mark, NodeShape, Note, Picture, PlacedEdge, PlacedNode
from gpviz.picture.regions import COUNTER_TYPE
from gpviz.picture.text_width import text_width
from gpviz.picture.verdict_badge import symbol_badge

LABEL: Final = 26.0
_GHOST_LABEL: Final = 1.15
_WIDEST_LABEL: Final = 1.75
"""The type of a label at scale 1, how much larger it is in a ghost, and its width, of half that of its node."""
_SIGN: Final = (7.0, 6.4, 3.6)
"""Half the width and height of ∧ and ∨ in a node of scale 1, and how thick they are."""
_CORNER: Final = 8.0
_BORDER: Final = 2.2
_EDGE: Final = 2.6
_GHOST_LINE: Final = 2.0
_RING: Final = 6.0
_RING_LINE: Final = 3.4
_HALO: Final = 9.0
_BAND: Final = 10.0
_BAND_LINE: Final = 2.4
"""In pixels at scale 1: the corners and borders of nodes, and how far rings and the outline of a part reach."""
_DIAGONAL: Final = 1.35
"""How much further the corners of what is around a diamond reach, so that its sides are as far away."""
_THINNEST: Final = 0.8
_THICKEST_AT: Final = 1.6
"""The thinnest line in pixels, and the scale from which on lines do not become thicker."""


def items_of(picture: Picture) -> tuple[Item, ...]:
    """Everything there is to draw, in the order in which it is painted."""
    return (*_TreeDrawing(picture).items(), *fixed_items(picture))


class _TreeDrawing:
    """Draws the tree of one picture and what is around it, with all sizes in pixels."""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture
        self._scale, self._unit, self._line = picture.scale, picture.unit, picture.line
        self._nodes = {node.uid: node for node in picture.nodes}
        self._is_stuck = picture.state == "STUCK"

    def items(self) -> Iterator[Item]:
        picture = self._picture
        for change in picture.changes:
            if change.mark is Mark.OUTLINE:
                yield from self._outline(change)
        yield from self._heat()
        for edge in picture.edges:
            yield self._edge(f"edge {edge.child}", edge, self._nodes, "edge", _EDGE)
        for change in picture.changes:
            yield from self._rings(change)
            yield from self._wave(change)
        yield from self._selection()
        for node in picture.nodes:
            yield from self._node(node)
        for change in picture.changes:
            yield from self._ghosts(change)
            yield from self._moves_up(change)
            yield from self._badge(change)
        for number, note in enumerate(picture.notes):
            yield from self._note(note, STAGGER * number / len(picture.notes))
        yield from self._values()
        if not picture.nodes and not any(change.ghosts for change in picture.changes):
            yield from self._empty()

    def _width(self, width: float) -> float:
        """A line in the tree, as thin as nodes are small, but always to be seen."""
        return max(width * min(self._scale, _THICKEST_AT), _THINNEST) * self._line

    def _half_size(self, node: PlacedNode) -> tuple[float, float]:
        return half_size(node.shape, self._scale * node.size, node.label)

    # The tree

    def _edge(
        self, key: str, edge: PlacedEdge, nodes: Mapping[int, PlacedNode], ink: str, width: float
    ) -> Item:
        above, below = nodes[edge.parent], nodes[edge.child]
        points = (above.x, above.y, below.x, below.y)
        return Item(key, Shape.LINE, points, stroke=ink, width=self._width(width))

    def _node(self, node: PlacedNode) -> Iterator[Item]:
        """A node with its label; a stuck tree has lost its colours."""
        border = self._width(_BORDER)
        match node.shape:
            case NodeShape.DISC:
                fill, ink = ("muted", "panel") if self._is_stuck else ("and_fill", "and_text")
                yield self._face(node, fill)
                yield self._sign(node, ink)
            case NodeShape.DIAMOND:
                stuck, usual = ("muted/12", "muted", "muted"), ("or_fill", "or_border", "or_text")
                fill, stroke, ink = stuck if self._is_stuck else usual
                yield self._face(node, fill, stroke, border)
                yield self._sign(node, ink)
            case NodeShape.TRIANGLE:
                yield self._face(node, "muted/20", "muted", border)
                yield self._label(node, "text", Font.WORDS)
            case NodeShape.BOX:
                name = "redundant" if node.is_redundant else "leaf"
                yield self._face(node, f"{name}_fill", f"{name}_border", border)
                yield self._label(node, "leaf_text", Font.MATHS)

    def _face(self, node: PlacedNode, fill: str, stroke: str = "", width: float = 0.0) -> Item:
        face = self._around(f"node {node.uid}", node, 0.0, fill, stroke, width)
        return face._replace(enter=Enter.GROW, leave=Leave.SHRINK)

    def _around(
        self, key: str, node: PlacedNode, grown: float, fill: str = "", stroke: str = "", width: float = 0.0
    ) -> Item:
        """The outline of a node, this much larger on every side."""
        x, y, scale = node.x, node.y, self._scale * node.size
        match node.shape:
            case NodeShape.DISC:
                return Item(key, Shape.DISC, (x, y, HALF_DISC * scale + grown), fill, stroke, width)
            case NodeShape.BOX:
                across, down = self._half_size(node)
                across, down, corner = across + grown, down + grown, _CORNER * scale + grown
                box = (x - across, y - down, 2 * across, 2 * down, corner)
                return Item(key, Shape.BOX, box, fill, stroke, width)
        reach = HALF_DIAMOND * scale + _DIAGONAL * grown
        points: tuple[float, ...] = (x, y - reach, x + reach, y, x, y + reach, x - reach, y)
        if node.shape is NodeShape.TRIANGLE:
            points = (x, y - 0.9 * reach, x + reach, y + 0.75 * reach, x - reach, y + 0.75 * reach)
        return Item(key, Shape.POLYGON, points, fill, stroke, width)

    def _sign(self, node: PlacedNode, ink: str) -> Item:
        """∧ or ∨, as a line, as thick as it has to be to be read from far away."""
        across, down, width = (length * self._scale * node.size for length in _SIGN)
        up = down if node.label == "∧" else -down
        points = (node.x - across, node.y + up, node.x, node.y - up, node.x + across, node.y + up)
        return Item(
            f"label {node.uid}",
            Shape.LINE,
            points,
            stroke=ink,
            width=width,
            text=node.label,
            enter=Enter.GROW,
            leave=Leave.SHRINK,
        )

    def _label(self, node: PlacedNode, ink: str, font: Font) -> Item:
        scale = self._scale * node.size
        middle, size, (across, _) = node.y, LABEL * scale, self._half_size(node)
        if node.shape is NodeShape.TRIANGLE:
            size, across, middle = 0.72 * size, 0.72 * across, middle + 0.34 * across
        elif node.size != 1.0:
            size *= _GHOST_LABEL
        size *= min(1.0, _WIDEST_LABEL * across / max(text_width(node.label, size, font), 1.0))
        return Item(
            f"label {node.uid}",
            Shape.TEXT,
            (node.x, middle + TEXT_MIDDLE * size, size),
            fill=ink,
            text=node.label,
            font=font,
            is_label=True,
            enter=Enter.GROW,
            leave=Leave.SHRINK,
        )

    def _empty(self) -> Iterator[Item]:
        """A dashed circle where the root will be."""
        x, y, radius = self._picture.width / 2, 0.3 * self._picture.height, HALF_DISC * self._unit
        circle = Item("empty", Shape.DISC, (x, y, radius), stroke="muted", width=self._width(_GHOST_LINE))
        yield circle._replace(is_dashed=True)
        size = COUNTER_TYPE * self._unit
        place = (x, y + radius + 1.7 * size, size)
        yield Item("empty text", Shape.TEXT, place, "muted", text="The tree is empty")

    # The step

    def _rings(self, change: Change) -> Iterator[Item]:
        """Rings around what is new or was chosen."""
        if change.mark is Mark.OUTLINE:
            return
        for node in (self._nodes[uid] for uid in change.nodes):
            halo = self._ring(f"halo {node.uid}", node, _RING, f"{change.colour}/25", _HALO)
            yield halo._replace(delay=VERDICT_AT)
            ring = self._ring(f"ring {node.uid}", node, _RING, change.colour, _RING_LINE)
            yield ring._replace(delay=VERDICT_AT, fill="panel")  # over the ends of edges

    def _ring(self, key: str, node: PlacedNode, grown: float, ink: str, width: float) -> Item:
        return self._around(key, node, grown * self._scale, stroke=ink, width=self._width(width))

    def _wave(self, change: Change) -> Iterator[Item]:
        """An improvement sends a wave up to the root."""
        if change.colour != "improved":
            return
        for number, uid in enumerate(change.path):
            if uid not in change.nodes:
                ring = self._ring(f"wave {uid}", self._nodes[uid], _RING, change.colour, _RING_LINE)
                delay = VERDICT_AT + STAGGER * number / len(change.path)
                yield ring._replace(enter=Enter.FLASH, delay=delay)

    def _outline(self, change: Change) -> Iterator[Item]:
        """One band behind a part that goes, or would go."""
        inside = set(change.nodes)
        edges = [edge for edge in self._picture.edges if {edge.parent, edge.child} <= inside]
        for name, more, ink in (
            ("outline", _BAND_LINE * self._line, change.colour),
            ("inside", 0.0, f"{change.colour}/12"),
        ):
            for uid in change.nodes:
                yield self._around(f"{name} {uid}", self._nodes[uid], _BAND * self._scale + more, ink)
            for edge in edges:
                line = self._edge(f"{name} to {edge.child}", edge, self._nodes, ink, 0.0)
                yield line._replace(width=2 * (0.55 * HALF_DISC * self._scale + more))

    def _moves_up(self, change: Change) -> Iterator[Item]:
        """An arrow along the edge on which a part moves up into the place of what goes."""
        if change.mark is not Mark.OUTLINE or change.moves_up not in self._nodes:
            return
        node, above = self._nodes[change.moves_up], self._nodes[change.nodes[0]]
        length = hypot(above.x - node.x, above.y - node.y)
        dx, dy = (above.x - node.x) / length, (above.y - node.y) / length
        start = max(self._half_size(node)) + 4 * self._scale
        end = length - (HALF_DISC + 4) * self._scale
        if end - start < 6 * self._scale:
            start, end = 0.4 * length, 0.62 * length
        x, y = node.x + dx * end, node.y + dy * end
        along, across = 8 * cos(0.5) * self._scale, 8 * sin(0.5) * self._scale
        back_x, back_y = x - along * dx, y - along * dy
        wings = (back_x + across * dy, back_y - across * dx, x, y, back_x - across * dy, back_y + across * dx)
        way = (node.x + dx * start, node.y + dy * start, x, y)
        for key, points in ((f"way up {node.uid}", way), (f"tip {node.uid}", wings)):
            yield Item(key, Shape.LINE, points, stroke=change.colour, width=self._width(3.2))

    def _ghosts(self, change: Change) -> Iterator[Item]:
        """What is proposed dashed, what went struck through, both small; what is rejected falls off."""
        enter, leave = Enter.FADE, Leave.FADE
        if change.is_rejected:
            enter, leave = Enter.SHAKE, Leave.FALL
        for item in self._ghost_items(change):
            yield item._replace(enter=enter, leave=leave)

    def _ghost_items(self, change: Change) -> Iterator[Item]:
        ink, width = "muted" if change.is_done else change.colour, self._width(_GHOST_LINE)
        ghosts = {ghost.uid: ghost for ghost in change.ghosts}
        if change.hook is not None:
            head = change.ghosts[0]
            points = (*self._hook_end(change, change.hook), head.x, head.y)
            yield Item(f"hook {head.uid}", Shape.LINE, points, "", ink, width, is_dashed=True)
        for edge in change.ghost_edges:
            line = self._edge(f"ghost edge {edge.child}", edge, ghosts, ink, _GHOST_LINE)
            yield line._replace(is_dashed=True)
        for ghost in change.ghosts:
            yield self._face(ghost, "panel", ink, width)._replace(is_dashed=True)
            if change.is_done:
                yield self._strike(ghost)
            if ghost.shape is NodeShape.BOX:
                is_words = ghost.label.endswith("leaves")
                yield self._label(ghost, "text", Font.WORDS if is_words else Font.MATHS)
            else:
                yield self._sign(ghost, "text")

    def _hook_end(self, change: Change, hook: tuple[float, float]) -> tuple[float, float]:
        """The point of a hook, at the outline of its node where it is the middle of one."""
        node = None if change.anchor is None else self._nodes[change.anchor]
        if node is None or (node.x, node.y) != hook:
            return hook
        head = change.ghosts[0]
        dx, dy = head.x - node.x, head.y - node.y
        share = max(self._half_size(node)) / hypot(dx, dy)
        return node.x + dx * share, node.y + dy * share

    def _strike(self, node: PlacedNode) -> Item:
        """A line through what went, below its label, which can still be read."""
        reach = 0.64 if node.shape is NodeShape.DIAMOND else 0.9
        across, down = (reach * half for half in self._half_size(node))
        points = (node.x - across, node.y + down, node.x + across, node.y - down)
        return Item(f"strike {node.uid}", Shape.LINE, points, stroke="muted/75", width=self._width(2.2))

    def _badge(self, change: Change) -> Iterator[Item]:
        if change.badge is not None:
            x, y, radius = change.badge
            key = f"badge {change.anchor}"
            yield from symbol_badge(key, (x, y), radius, change.symbol, change.colour, delay=VERDICT_AT)

    # Notes and what lies over the tree

    def _note(self, note: Note, delay: float) -> Iterator[Item]:
        key = f"note {'-'.join(map(str, note.uids[:2]))}"
        if note.bracket is not None:
            left, right, y = note.bracket
            tick, width = TICK * self._unit, 1.6 * self._line
            points = (left, y - tick, left, y, right, y, right, y - tick)
            yield Item(f"{key} bracket", Shape.LINE, points, stroke=note.colour, width=width, delay=delay)
        for number, line in enumerate(note.lines):
            place = (note.x, note.y + (number + 0.8) * LINE * note.size, note.size)
            font = Font.BOLD if not number and len(note.lines) > 1 else Font.WORDS
            yield Item(f"{key} {number}", Shape.TEXT, place, note.colour, text=line, font=font, delay=delay)

    def _heat(self) -> Iterator[Item]:
        """A halo behind each node that has heat; the stronger, the larger."""
        heat = {uid: warmth for uid, warmth in self._picture.overlay.heat.items() if uid in self._nodes}
        most = max(heat.values(), default=0.0)
        for uid, warmth in heat.items():
            if warmth > 0:
                grown, percent = 6 + 12 * warmth / most, 20 + round(50 * warmth / most)
                node = self._nodes[uid]
                yield self._around(f"heat {uid}", node, grown * self._scale, f"improved/{percent}")

    def _values(self) -> Iterator[Item]:
        """The value on a row at the upper right of each node, and the ring of the node that pulses."""
        overlay, radius = self._picture.overlay, 9.5 * min(self._scale, self._unit)
        width, size = 1.4 * self._line, 1.45 * radius
        for uid, value in overlay.values.items():
            node = self._nodes.get(uid)
            if node is not None:
                across, down = self._half_size(node)
                x, y = node.x + 0.8 * across, node.y - 0.8 * down
                ink, fill = ("panel", "text") if value else ("text", "panel")
                yield Item(f"value {uid}", Shape.DISC, (x, y, radius), fill, "text", width)
                place = (x, y + TEXT_MIDDLE * size, size)
                text = Item(f"value text {uid}", Shape.TEXT, place, ink, text=str(int(value)))
                yield text._replace(font=Font.BOLD, is_label=True)
        node = None if overlay.pulsing is None else self._nodes.get(overlay.pulsing)
        if node is not None:
            yield self._ring(f"pulse {node.uid}", node, 11, "accent", 3.0)

    def _selection(self) -> Iterator[Item]:
        if self._picture.selected is not None:
            node = self._nodes[self._picture.selected]
            yield self._ring("selected", node, 4, "text", 2.0)._replace(is_dashed=True)
