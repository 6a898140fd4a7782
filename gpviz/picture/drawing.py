"""Takes a picture apart into discs, boxes, polygons, lines and texts: what each thing looks like stands here."""

import re
from collections.abc import Iterator, Sequence
from math import cos, hypot, sin
from typing import Final, NamedTuple
from zlib import crc32

from gpviz.picture.changes import BADGE, OPEN_SYMBOL, half_size
from gpviz.picture.fit import HALF_DIAMOND, HALF_DISC
from gpviz.picture.items import Enter, Font, Item, Leave, Shape
from gpviz.picture.leaf_note_places import LINE
from gpviz.picture.picture import (
    Banner,
    Change,
    Counter,
    Mark,
    NodeShape,
    Note,
    Picture,
    PlacedEdge,
    PlacedNode,
)
from gpviz.picture.regions import (
    BANNER_HEIGHT,
    BANNER_TYPE,
    BAR_HEIGHT,
    CELL,
    CELLS_IN_A_ROW,
    COUNTER_TYPE,
    MARGIN,
    MORE_TYPE,
    NUMBER_SIZE,
    STATE_TYPE,
    TICK,
    TICKS_WIDTH,
    state_height,
)
from gpviz.picture.text_width import elided, text_width, wrapped

LABEL: Final = 26.0
_GHOST_LABEL: Final = 1.15
"""The type of a label at scale 1, and how much larger that of a ghost is, of the size of its node."""
_SIGN: Final = (7.0, 6.4, 3.6)
"""Half the width and height of ∧ and ∨ in a node of scale 1, and how thick they are."""
_CORNER: Final = 8.0
_BORDER: Final = 2.2
_EDGE: Final = 2.6
_RING: Final = 6.0
_RING_LINE: Final = 3.4
_HALO: Final = 9.0
_BAND: Final = 10.0
_BAND_LINE: Final = 2.4
"""In pixels at scale 1: the corners and borders of nodes, and how far rings and the outline of a part reach."""
_THINNEST: Final = 0.8
_WIDEST_NUMBER: Final = 112.0
_MIDDLE: Final = 0.36
"""How far below its middle the baseline of a text is, of the size of its type."""
_STAGGER: Final = 0.3
"""In how much of a motion's time the wave reaches the root, and the leaves get their reasons."""
_VERDICT_AT: Final = 0.45
"""When what is proposed gets its verdict, as a share of the motion's time."""


def items_of(picture: Picture) -> tuple[Item, ...]:
    """Everything there is to draw, in the order in which it is painted."""
    return tuple(_Drawing(picture).items())


class _Drawing:
    """Draws one picture, with all sizes in its pixels."""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture
        self._scale, self._unit = picture.scale, picture.unit
        self._line = picture.line
        self._nodes = {node.uid: node for node in picture.nodes}
        self._is_stuck = picture.state == "STUCK"

    def items(self) -> Iterator[Item]:
        picture = self._picture
        for change in picture.changes:
            if change.mark is Mark.OUTLINE:
                yield from self._outline(change)
        yield from self._heat()
        yield from self._edges(picture.edges)
        for change in picture.changes:
            yield from self._rings(change)
        yield from self._selection()
        for node in picture.nodes:
            yield from self._node(node)
        for change in picture.changes:
            yield from self._ghosts(change)
            yield from self._moves_up(change)
            if change.badge is not None:
                radius = BADGE * self._unit / picture.zoom
                yield from self._badge(f"badge {change.anchor}", change.badge, change, radius)
        for number, note in enumerate(picture.notes):
            yield from self._note(note, number / max(len(picture.notes), 1))
        yield from self._values()
        if not picture.nodes and not any(change.ghosts for change in picture.changes):
            yield from self._empty()
        yield from self._fixed()

    def _width(self, width: float) -> float:
        """A line in the tree, as thin as nodes are small, but always to be seen."""
        return max(width * min(self._scale, 1.6), _THINNEST) * self._line

    # The tree

    def _edges(self, edges: Sequence[PlacedEdge]) -> Iterator[Item]:
        width = self._width(_EDGE)
        for edge in edges:
            above, below = self._nodes[edge.parent], self._nodes[edge.child]
            yield Item(
                f"edge {edge.child}",
                Shape.LINE,
                (above.x, above.y, below.x, below.y),
                stroke="edge",
                width=width,
            )

    def _node(self, node: PlacedNode) -> Iterator[Item]:
        scale = self._scale * node.size
        border = self._width(_BORDER) * node.size
        if node.shape is NodeShape.DISC:
            fill, stroke = ("muted", "muted") if self._is_stuck else ("and_fill", "and_fill")
            yield self._face(node, scale, fill, stroke, 0.0)
            yield self._sign(node, scale, "panel" if self._is_stuck else "and_text")
        elif node.shape is NodeShape.DIAMOND:
            fill, stroke = ("muted/12", "muted") if self._is_stuck else ("or_fill", "or_border")
            yield self._face(node, scale, fill, stroke, border)
            yield self._sign(node, scale, "muted" if self._is_stuck else "or_text")
        elif node.shape is NodeShape.TRIANGLE:
            yield self._face(node, scale, "muted/20", "muted", border)
            yield self._label(node, 0.72 * scale, "text", Font.WORDS, down=0.34 * HALF_DIAMOND * scale)
        else:
            fill, stroke = (
                ("redundant_fill", "redundant_border") if node.is_redundant else ("leaf_fill", "leaf_border")
            )
            yield self._face(node, scale, fill, stroke, border)
            yield self._label(node, scale, "leaf_text", Font.MATHS)

    def _face(
        self, node: PlacedNode, scale: float, fill: str, stroke: str, width: float, *, is_dashed: bool = False
    ) -> Item:
        return self._outlined(
            f"node {node.uid}", node, scale, 0.0, fill=fill, stroke=stroke, width=width, is_dashed=is_dashed
        )._replace(enter=Enter.GROW, leave=Leave.SHRINK)

    def _outlined(
        self,
        key: str,
        node: PlacedNode,
        scale: float,
        grown: float,
        *,
        fill: str = "",
        stroke: str = "",
        width: float = 0.0,
        is_dashed: bool = False,
    ) -> Item:
        """The outline of a node, this much larger on every side."""
        x, y = node.x, node.y
        if node.shape is NodeShape.DISC:
            points: tuple[float, ...] = (x, y, HALF_DISC * scale + grown)
            shape = Shape.DISC
        elif node.shape is NodeShape.DIAMOND:
            reach = HALF_DIAMOND * scale + 1.35 * grown
            points = (x, y - reach, x + reach, y, x, y + reach, x - reach, y)
            shape = Shape.POLYGON
        elif node.shape is NodeShape.TRIANGLE:
            reach = HALF_DIAMOND * scale + 1.35 * grown
            points = (x, y - 0.9 * reach, x + reach, y + 0.75 * reach, x - reach, y + 0.75 * reach)
            shape = Shape.POLYGON
        else:
            across, down = half_size(NodeShape.BOX, scale, node.label)
            across, down = across + grown, down + grown
            points = (x - across, y - down, 2 * across, 2 * down, _CORNER * scale + grown)
            shape = Shape.BOX
        return Item(key, shape, points, fill=fill, stroke=stroke, width=width, is_dashed=is_dashed)

    def _sign(self, node: PlacedNode, scale: float, ink: str) -> Item:
        """∧ or ∨, as a line, as thick as it has to be to be read from far away."""
        across, down, width = (length * scale for length in _SIGN)
        x, y = node.x, node.y
        up = down if node.label == "∧" else -down
        points = (x - across, y + up, x, y - up, x + across, y + up)
        return Item(
            f"label {node.uid}", Shape.LINE, points, stroke=ink, width=width, text=node.label,
            enter=Enter.GROW, leave=Leave.SHRINK,
        )  # fmt: skip

    def _label(self, node: PlacedNode, scale: float, ink: str, font: Font, *, down: float = 0.0) -> Item:
        size = LABEL * scale * (1.0 if node.size == 1.0 else _GHOST_LABEL)
        across = half_size(node.shape, scale, node.label)[0]
        size *= min(1.0, 1.75 * across / max(text_width(node.label, size, font), 1.0))
        return Item(
            f"label {node.uid}",
            Shape.TEXT,
            (node.x, node.y + down + _MIDDLE * size, size),
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
        yield Item(
            "empty", Shape.DISC, (x, y, radius), stroke="muted", width=self._width(2.0), is_dashed=True
        )
        size = COUNTER_TYPE * self._unit
        yield Item(
            "empty text",
            Shape.TEXT,
            (x, y + radius + 1.7 * size, size),
            fill="muted",
            text="The tree is empty",
        )

    # The step

    def _rings(self, change: Change) -> Iterator[Item]:
        """Rings around what is new or was chosen; an improvement sends a wave up to the root."""
        if change.mark not in (Mark.RING, Mark.TAG, Mark.BADGE):
            return
        width = self._width(_RING_LINE)
        for uid in change.nodes:
            node = self._nodes[uid]
            grown = _RING * self._scale
            halo = self._outlined(f"halo {uid}", node, self._scale, grown, stroke=f"{change.colour}/25")
            yield halo._replace(width=self._width(_HALO), delay=_VERDICT_AT)
            ring = self._outlined(f"ring {uid}", node, self._scale, grown, stroke=change.colour, width=width)
            yield ring._replace(delay=_VERDICT_AT, fill="panel")  # over the ends of edges
        if change.colour == "improved":
            yield from self._wave(change)

    def _wave(self, change: Change) -> Iterator[Item]:
        for number, uid in enumerate(change.path):
            if uid in self._nodes and uid not in change.nodes:
                ring = self._outlined(f"wave {uid}", self._nodes[uid], self._scale, _RING * self._scale)
                delay = _VERDICT_AT + _STAGGER * number / len(change.path)
                yield ring._replace(
                    stroke=change.colour, width=self._width(_RING_LINE), enter=Enter.FLASH, delay=delay
                )

    def _outline(self, change: Change) -> Iterator[Item]:
        """One band behind a part that goes, or would go."""
        nodes = [self._nodes[uid] for uid in change.nodes]
        inside = {node.uid for node in nodes}
        lines = [
            (self._nodes[edge.parent], self._nodes[edge.child])
            for edge in self._picture.edges
            if {edge.parent, edge.child} <= inside
        ]
        for name, more, colour in (
            ("outline", _BAND_LINE * self._line, change.colour),
            ("inside", 0.0, f"{change.colour}/12"),
        ):
            for node in nodes:
                grown = _BAND * self._scale + more
                yield self._outlined(f"{name} {node.uid}", node, self._scale, grown, fill=colour)
            for above, below in lines:
                width = 2 * (0.55 * HALF_DISC * self._scale + more)
                points = (above.x, above.y, below.x, below.y)
                yield Item(f"{name} to {below.uid}", Shape.LINE, points, stroke=colour, width=width)

    def _moves_up(self, change: Change) -> Iterator[Item]:
        """An arrow along the edge on which a part moves up into the place of what goes."""
        if change.mark is not Mark.OUTLINE or change.moves_up not in self._nodes:
            return
        node, above = self._nodes[change.moves_up], self._nodes[change.nodes[0]]
        length = hypot(above.x - node.x, above.y - node.y) or 1.0
        dx, dy = (above.x - node.x) / length, (above.y - node.y) / length
        start = max(half_size(node.shape, self._scale, node.label)) + 4 * self._scale
        end = length - (HALF_DISC + 4) * self._scale
        if end - start < 6 * self._scale:
            start, end = 0.4 * length, 0.62 * length
        tip = node.x + dx * end, node.y + dy * end
        head = 8 * self._scale
        wings = [
            (
                tip[0] - head * (dx * cos(turn) - dy * sin(turn)),
                tip[1] - head * (dx * sin(turn) + dy * cos(turn)),
            )
            for turn in (0.5, -0.5)
        ]
        width = self._width(3.2)
        yield Item(
            f"way up {node.uid}",
            Shape.LINE,
            (node.x + dx * start, node.y + dy * start, *tip),
            stroke=change.colour,
            width=width,
        )
        yield Item(
            f"tip {node.uid}", Shape.LINE, (*wings[0], *tip, *wings[1]), stroke=change.colour, width=width
        )

    def _ghosts(self, change: Change) -> Iterator[Item]:
        """What is proposed dashed, what went struck through, both small; what is rejected falls off."""
        if not change.ghosts:
            return
        ghosts = {ghost.uid: ghost for ghost in change.ghosts}
        leave = Leave.FALL if change.is_rejected else Leave.FADE
        enter = Enter.SHAKE if change.is_rejected else Enter.FADE
        colour = "muted" if change.is_struck else change.colour
        if change.hook is not None:
            head = change.ghosts[0]
            yield Item(
                f"hook {head.uid}",
                Shape.LINE,
                (*self._outside(change, change.hook), head.x, head.y),
                stroke=colour,
                width=self._width(2.0),
                is_dashed=True,
                enter=enter,
                leave=leave,
            )
        for edge in change.ghost_edges:
            above, below = ghosts[edge.parent], ghosts[edge.child]
            line = Item(
                f"ghost edge {below.uid}",
                Shape.LINE,
                (above.x, above.y, below.x, below.y),
                stroke=colour,
                width=self._width(2.0),
                is_dashed=True,
            )
            yield line._replace(enter=enter, leave=leave)
        for ghost in change.ghosts:
            scale = self._scale * ghost.size
            face = self._face(ghost, scale, "panel", colour, self._width(2.0), is_dashed=True)
            yield face._replace(enter=enter, leave=leave)
            if change.is_struck:
                yield self._strike(ghost, scale)._replace(enter=enter, leave=leave)
            if ghost.shape is NodeShape.BOX:
                is_words = ghost.label.endswith("leaves")
                label = self._label(ghost, scale, "text", Font.WORDS if is_words else Font.MATHS)
            else:
                label = self._sign(ghost, scale, "text")
            yield label._replace(enter=enter, leave=leave)

    def _outside(self, change: Change, hook: tuple[float, float]) -> tuple[float, float]:
        """The point of a hook, at the outline of its node where it is the middle of one."""
        node = None if change.anchor is None else self._nodes.get(change.anchor)
        if node is None or (node.x, node.y) != hook:
            return hook
        head = change.ghosts[0]
        dx, dy = head.x - node.x, head.y - node.y
        share = max(half_size(node.shape, self._scale, node.label)) / (hypot(dx, dy) or 1.0)
        return node.x + dx * share, node.y + dy * share

    def _strike(self, node: PlacedNode, scale: float) -> Item:
        """A line through what went, below its label, which can still be read."""
        across, down = half_size(node.shape, scale, node.label)
        reach = 0.64 if node.shape is NodeShape.DIAMOND else 0.9
        points = (
            node.x - reach * across, node.y + reach * down, node.x + reach * across, node.y - reach * down,
        )  # fmt: skip
        return Item(f"strike {node.uid}", Shape.LINE, points, stroke="muted/75", width=self._width(2.2))

    def _badge(self, key: str, place: tuple[float, float], change: Change, radius: float) -> Iterator[Item]:
        yield from symbol_badge(
            key, place, radius, change.symbol, change.colour, self._line, delay=_VERDICT_AT
        )

    # Notes and what lies over the tree

    def _note(self, note: Note, delay: float) -> Iterator[Item]:
        key = f"note {'-'.join(map(str, note.uids[:2]))}"
        if note.bracket is not None:
            left, right, y = note.bracket
            tick = 6.0 * self._unit
            points = (left, y - tick, left, y, right, y, right, y - tick)
            yield Item(
                f"{key} bracket", Shape.LINE, points, stroke=note.colour, width=1.6 * self._line, delay=delay
            )
        for number, line in enumerate(note.lines):
            base = note.y + (number + 0.8) * LINE * note.size
            yield Item(
                f"{key} {number}",
                Shape.TEXT,
                (note.x, base, note.size),
                fill=note.colour,
                text=line,
                font=Font.BOLD if not number and len(note.lines) > 1 else Font.WORDS,
                delay=_STAGGER * delay,
            )

    def _heat(self) -> Iterator[Item]:
        """A halo behind each node that has heat; the stronger, the larger."""
        heat = {uid: warmth for uid, warmth in self._picture.overlay.heat.items() if uid in self._nodes}
        most = max(heat.values(), default=0.0)
        for uid, warmth in heat.items():
            if warmth > 0:
                grown = (6 + 12 * warmth / most) * self._scale
                halo = self._outlined(f"heat {uid}", self._nodes[uid], self._scale, grown)
                yield halo._replace(fill=f"improved/{20 + round(50 * warmth / most)}")

    def _values(self) -> Iterator[Item]:
        """The value on a row at the upper right of each node, and the ring of the node that pulses."""
        overlay, radius = self._picture.overlay, 9.5 * min(self._scale, self._unit)
        for uid, value in overlay.values.items():
            node = self._nodes.get(uid)
            if node is not None:
                across, down = half_size(node.shape, self._scale, node.label)
                x, y = node.x + 0.8 * across, node.y - 0.8 * down
                ink, fill = ("panel", "text") if value else ("text", "panel")
                yield Item(
                    f"value {uid}",
                    Shape.DISC,
                    (x, y, radius),
                    fill=fill,
                    stroke="text",
                    width=1.4 * self._line,
                )
                size = 1.45 * radius
                yield Item(
                    f"value text {uid}",
                    Shape.TEXT,
                    (x, y + _MIDDLE * size, size),
                    fill=ink,
                    text=str(int(value)),
                    font=Font.BOLD,
                    is_label=True,
                )
        if overlay.pulsing in self._nodes:
            node = self._nodes[overlay.pulsing]
            ring = self._outlined(f"pulse {node.uid}", node, self._scale, 11 * self._scale)
            yield ring._replace(stroke="accent", width=self._width(3.0))

    def _selection(self) -> Iterator[Item]:
        uid = self._picture.selected
        if uid is not None:
            ring = self._outlined("selected", self._nodes[uid], self._scale, 4 * self._scale)
            yield ring._replace(stroke="text", width=self._width(2.0), is_dashed=True)

    # What stands still

    def _fixed(self) -> Iterator[Item]:
        picture = self._picture
        parts: list[Item] = []
        if picture.counter is not None:
            parts += self._counter(picture.counter)
            parts += self._leaves(picture.counter)
        if picture.overlay.title:
            parts += self._overlay_title(picture.overlay.title)
        if picture.banner is not None:
            parts += self._banner(picture.banner)
        if picture.state:
            parts += self._frame()
        for item in parts:
            yield item._replace(is_fixed=True)

    def _counter(self, counter: Counter) -> Iterator[Item]:
        unit, left = self._unit, MARGIN * self._unit
        # The number may have as many digits as there are rows, and nothing moves when it has fewer.
        digits = len(str(counter.cells)) if counter.cells else 6
        size = NUMBER_SIZE * unit
        wide = min(max(digits, 2) * text_width("0", size, Font.BOLD), _WIDEST_NUMBER * unit)
        size *= min(1.0, wide / max(text_width(counter.number, size, Font.BOLD), 1.0))
        x = left + wide
        if counter.number[:1].isdigit():
            place = (x, left + 0.76 * NUMBER_SIZE * unit, size)
            yield Item(
                "counter", Shape.TEXT, place, fill="text", text=counter.number, font=Font.BOLD, anchor="end",
                enter=Enter.ROLL,
            )  # fmt: skip
            x += 14 * unit
        else:
            x = left  # there is no tree, and nothing to be counted
        small = COUNTER_TYPE * unit
        for number, line in enumerate(counter.lines[:2]):
            place = (x, left + (number + 0.95) * 1.28 * small, small)
            yield Item(f"counter line {number}", Shape.TEXT, place, fill="muted", text=line, anchor="start")
        top = left + 56 * unit
        if counter.cells:
            yield from self._cells(counter, left, top)
            top += CELL * unit * -(-counter.cells // CELLS_IN_A_ROW)
        else:
            width, height = CELLS_IN_A_ROW * CELL * unit, (BAR_HEIGHT - 2) * unit
            yield Item(
                "bar",
                Shape.BOX,
                (left, top, width, height, height / 2),
                stroke="control_border",
                width=1.2 * self._line,
            )
            if counter.share > 0:
                points = (left, top, max(width * counter.share, height), height, height / 2)
                yield Item("bar filled", Shape.BOX, points, fill="text")
            size = 0.72 * small
            place = (left + width + 6 * unit, top + height / 2 + _MIDDLE * size, size)
            yield Item("bar scale", Shape.TEXT, place, fill="muted", text="log", anchor="start")
            top += BAR_HEIGHT * unit
        for number, line in enumerate(counter.lines[2:]):
            place = (left, top + (number + 0.95) * 1.28 * 0.85 * small, 0.85 * small)
            yield Item(f"counter more {number}", Shape.TEXT, place, fill="muted", text=line, anchor="start")

    def _cells(self, counter: Counter, left: float, top: float) -> Iterator[Item]:
        pitch = CELL * self._unit
        for number in range(counter.cells):
            row, column = divmod(number, CELLS_IN_A_ROW)
            is_wrong = number < counter.wrong
            yield self._cell(
                f"row {number}", left + column * pitch, top + row * pitch, pitch, is_filled=is_wrong
            )

    def _cell(self, key: str, x: float, y: float, pitch: float, *, is_filled: bool) -> Item:
        side = 0.8 * pitch
        return Item(
            key,
            Shape.BOX,
            (x, y, side, side, 0.18 * pitch),
            fill="text" if is_filled else "",
            stroke="text" if is_filled else "control_border",
            width=1.1 * self._line * min(self._unit, 1.4),
        )

    def _leaves(self, counter: Counter) -> Iterator[Item]:
        unit, picture = self._unit, self._picture
        right, size = picture.width - MARGIN * unit, COUNTER_TYPE * unit
        top = MARGIN * unit
        most = TICKS_WIDTH * unit
        yield Item(
            "leaves", Shape.TEXT, (right, top + 0.95 * size, size), fill="muted", text=counter.leaves_text,
            anchor="end",
        )  # fmt: skip
        top += 1.45 * size
        if counter.limit is not None:
            pitch = min(TICK * unit, most / max(counter.limit, 1))
            if pitch >= 5 * unit:
                left = right - pitch * counter.limit + 0.2 * pitch
                for number in range(counter.limit):
                    yield self._cell(
                        f"leaf {number}", left + number * pitch, top, pitch, is_filled=number < counter.leaves
                    )._replace(
                        stroke="muted" if number < counter.leaves else "control_border",
                        fill="muted" if number < counter.leaves else "",
                    )
            else:
                height = (BAR_HEIGHT - 2) * unit
                yield Item(
                    "leaf bar", Shape.BOX, (right - most, top, most, height, height / 2),
                    stroke="control_border", width=1.2 * self._line,
                )  # fmt: skip
                share = min(counter.leaves / counter.limit, 1.0)
                if share > 0:
                    points = (right - most, top, max(most * share, height), height, height / 2)
                    yield Item("leaf bar filled", Shape.BOX, points, fill="muted")
            top += 16 * unit
        small = 0.85 * size
        for key, text in (("chip", counter.chip), ("legend", counter.legend)):
            if text:
                text = elided(text, small, most, Font.WORDS)
                place = (right, top + 0.95 * small, small)
                yield Item(
                    key,
                    Shape.TEXT,
                    place,
                    fill="plateau_text" if key == "chip" else "muted",
                    text=text,
                    anchor="end",
                )
                top += 1.3 * small

    def _overlay_title(self, title: str) -> Iterator[Item]:
        """What lies over the tree, said below the counter."""
        unit, size = self._unit, 0.85 * COUNTER_TYPE * self._unit
        banner = state_height(self._picture.width, unit) if self._picture.banner is not None else 0.0
        base = self._picture.height - banner - 22 * unit
        most = 0.8 * self._picture.width
        text = elided(title, size, most, Font.WORDS)
        width = text_width(text, size, Font.WORDS) + size
        left = MARGIN * unit
        yield Item(
            "overlay ground", Shape.BOX, (left, base - 1.1 * size, width, 1.6 * size, 5 * unit), fill="panel"
        )
        yield Item(
            "overlay", Shape.TEXT, (left + size / 2, base, size), fill="text", text=text, anchor="start"
        )

    def _banner(self, banner: Banner) -> Iterator[Item]:
        picture, unit = self._picture, self._unit
        low = picture.height - 12.0 * unit
        left, right = 1.5 * MARGIN * unit, picture.width - 1.5 * MARGIN * unit
        if banner.state:
            yield from self._state_banner(banner, left, right, low)
            return
        high = BANNER_HEIGHT * unit
        middle = low - high / 2 - (state_height(picture.width, unit) - high) / 4
        has_symbol = bool(banner.symbol)
        fixed = (2.6 if has_symbol else 1.2) * 0.5 * high + 0.5 * high
        head = f"{banner.head}:" if banner.text and banner.head[-1:] not in "?:" else banner.head
        lines, size = _sentence(head, banner.text, BANNER_TYPE * unit, right - left - fixed)
        wide = max(sum(run.width for run in line) for line in lines) * size
        width = min(max(wide + fixed, 0.3 * (right - left)), right - left)
        start = (picture.width - width) / 2
        grown = 1.0 if len(lines) == 1 else 1.15
        high *= grown
        box = (start, middle - high / 2, width, high, high / 2)
        colour = banner.colour
        yield Item(
            "banner",
            Shape.BOX,
            box,
            fill=f"{colour}/10",
            stroke=colour,
            width=2.0 * self._line,
            delay=_VERDICT_AT,
        )
        x = start + 0.4 * high
        if has_symbol:
            radius = 0.31 * high
            centre = start + 0.5 * high
            yield from symbol_badge(
                "banner badge", (centre, middle), radius, banner.symbol, colour, self._line, delay=_VERDICT_AT
            )
            x = centre + radius + 0.26 * high
        sentence = crc32(banner.sentence.encode())  # another sentence comes when the old one is gone
        for number, line in enumerate(lines):
            base = middle + _MIDDLE * size + (number - (len(lines) - 1) / 2) * 1.2 * size
            at = x
            for place, run in enumerate(line):
                yield Item(
                    f"banner {sentence:x} {number} {place}",
                    Shape.TEXT,
                    (at, base, _LARGER * size if run.font is Font.MATHS else size),
                    fill="text",
                    text=run.text,
                    font=run.font,
                    anchor="start",
                    delay=_VERDICT_AT,
                )
                at += run.width * size

    def _state_banner(self, banner: Banner, left: float, right: float, low: float) -> Iterator[Item]:
        """A badge with the state, one sentence, and what proves it below."""
        unit, colour = self._unit, banner.colour
        high = state_height(self._picture.width, unit) - 8 * unit
        top = low - high
        yield Item(
            "state banner", Shape.BOX, (left, top, right - left, high, 12 * unit), fill=f"{colour}_fill"
        )
        size = 1.25 * STATE_TYPE * unit
        wide = min(text_width(banner.state, size, Font.BOLD) + 1.4 * size, 0.32 * (right - left))
        size = min(size, (wide - 16 * unit) / max(text_width(banner.state, 1.0, Font.BOLD), 0.1))
        inset = 11 * unit
        badge = (left + inset, top + inset, wide, high - 2 * inset, 8 * unit)
        middle = top + high / 2
        yield Item("state", Shape.BOX, badge, fill=colour)
        yield Item(
            "state text", Shape.TEXT, (left + inset + wide / 2, middle + _MIDDLE * size, size), fill="panel",
            text=banner.state, font=Font.BOLD,
        )  # fmt: skip
        x = left + 2 * inset + wide + 6 * unit
        most = right - x - inset
        heads, head_size = _lines(banner.head, STATE_TYPE * unit, most, Font.BOLD, 2)
        rest = max(int((high - 1.25 * len(heads) * head_size) / (1.25 * MORE_TYPE * unit * _SIZES[-1])), 1)
        mores, more_size = _lines(banner.more, MORE_TYPE * unit, most, Font.WORDS, rest)
        total = 1.25 * (len(heads) * head_size + len(mores) * more_size)
        y = middle - total / 2
        for key, lines, size, font, ink in (
            ("banner head", heads, head_size, Font.BOLD, "text"),
            ("banner more", mores, more_size, Font.WORDS, f"{colour}_text"),
        ):
            for number, line in enumerate(lines):
                y += 1.25 * size
                yield Item(
                    f"{key} {number}",
                    Shape.TEXT,
                    (x, y - 0.3 * size, size),
                    fill=ink,
                    text=line,
                    font=font,
                    anchor="start",
                )

    def _frame(self) -> Iterator[Item]:
        picture = self._picture
        is_stuck = picture.state == "STUCK"
        width = (5.0 if is_stuck else 2.5) * self._line * min(self._unit, 1.5)
        box = (width / 2, width / 2, picture.width - width, picture.height - width, 12 * self._unit)
        yield Item("frame", Shape.BOX, box, stroke="stuck" if is_stuck else "solved", width=width)


def symbol_badge(
    key: str,
    place: tuple[float, float],
    radius: float,
    symbol: str,
    colour: str,
    line: float,
    *,
    delay: float,
) -> Iterator[Item]:
    """A disc with the symbol of a verdict; what was too large is a hollow square."""
    x, y = place
    key = f"{key} {symbol}"
    arm, width = 0.42 * radius, max(0.2 * radius, 1.2)
    draft = Item(
        key, Shape.DISC, (x, y, radius), fill=colour, enter=Enter.GROW, leave=Leave.SHRINK, delay=delay
    )
    sign = Item(f"{key} sign", Shape.LINE, (), stroke="panel", width=width, text=symbol, enter=Enter.GROW,
                leave=Leave.SHRINK, delay=delay)  # fmt: skip
    match symbol:
        case "▲":
            up = 0.5 * radius
            yield draft
            yield sign._replace(
                shape=Shape.POLYGON, points=(x, y - up, x + up, y + 0.75 * up, x - up, y + 0.75 * up),
                fill="panel", stroke="", width=0.0,
            )  # fmt: skip
        case "▼":
            yield draft
            yield sign._replace(points=(x - arm, y - arm, x + arm, y + arm))
            yield sign._replace(key=f"{key} other", points=(x - arm, y + arm, x + arm, y - arm), text="")
        case "✕":
            side = 0.86 * radius
            yield draft._replace(
                shape=Shape.BOX, points=(x - side, y - side, 2 * side, 2 * side, 0.25 * radius), fill="panel",
                stroke=colour, width=max(0.26 * radius, 1.6) ,
            )  # fmt: skip
            yield sign._replace(
                points=(x - 0.8 * arm, y - 0.8 * arm, x + 0.8 * arm, y + 0.8 * arm), stroke=colour
            )
            yield sign._replace(
                key=f"{key} other", points=(x - 0.8 * arm, y + 0.8 * arm, x + 0.8 * arm, y - 0.8 * arm),
                stroke=colour, text="",
            )  # fmt: skip
        case "≈" | "=":
            yield draft
            bend = 0.13 * radius if symbol == "≈" else 0.0
            for number, down in enumerate((-0.24 * radius, 0.24 * radius)):
                level = y + down
                yield sign._replace(
                    key=f"{key} sign" if not number else f"{key} other",
                    points=(
                        x - arm, level + bend, x - 0.4 * arm, level - bend, x + 0.4 * arm, level + bend,
                        x + arm, level - bend,
                    ),
                    text=symbol if not number else "",
                )  # fmt: skip
        case _:
            size = 1.4 * radius
            yield draft
            yield sign._replace(
                shape=Shape.TEXT, points=(x, y + _MIDDLE * size, size), fill="panel", stroke="", width=0.0,
                text=OPEN_SYMBOL, font=Font.BOLD,
            )  # fmt: skip


class _Run(NamedTuple):
    """Some words in one font, and their width in type of size 1."""

    text: str
    font: Font
    width: float


_FORMULA: Final = re.compile(r"\(*x[₀-₉]+\)*(?: [∧∨⊕] \(*x[₀-₉]+\)*)*|[∧∨⊕](?: x[₀-₉]+)?")
_SIZES: Final = (1.0, 0.92, 0.85, 0.78)
_LEAST_TYPE: Final = 10.0
_LARGER: Final = 1.12
"""How much smaller a sentence may be so that it stays on its line, and how small type is at least, in pixels.

The small letters of mathematics are smaller than those of words, so formulas in a sentence are larger."""


def _sentence(head: str, text: str, size: float, most: float) -> tuple[list[list[_Run]], float]:
    """A sentence on one line, or on two smaller ones; its formulas are in the font of the tree."""
    runs = [_run(f"{head} " if text else head, Font.BOLD)] if head else []
    start = 0
    for found in _FORMULA.finditer(text):
        runs += [_run(text[start : found.start()], Font.WORDS), _run(found.group(), Font.MATHS)]
        start = found.end()
    runs = [run for run in (*runs, _run(text[start:], Font.WORDS)) if run.text]
    width = sum(run.width for run in runs)
    for share in _SIZES:
        if width * max(size * share, _LEAST_TYPE) <= most:
            return [runs], max(size * share, _LEAST_TYPE)
    size = max(size * _SIZES[-1], _LEAST_TYPE)
    lines = _broken(runs, most / size)
    if len(lines) > 2:
        last = lines[1]
        used = sum(run.width for run in last)
        rest = "".join(run.text for line in lines[2:] for run in line)
        last.append(_run(elided(rest, 1.0, max(most / size - used, 1.0), Font.WORDS), Font.WORDS))
    return lines[:2], size


def _run(text: str, font: Font) -> _Run:
    return _Run(text, font, text_width(text, _LARGER if font is Font.MATHS else 1.0, font))


def _broken(runs: Sequence[_Run], most: float) -> list[list[_Run]]:
    """The runs on lines of at most this width, broken between words."""
    lines: list[list[_Run]] = [[]]
    used = 0.0
    for run in runs:
        for word in re.findall(r"\S+\s*|\s+", run.text):
            piece = _run(word, run.font)
            if lines[-1] and used + text_width(word.rstrip(), 1.0, run.font) > most:
                lines.append([])
                used = 0.0
            last = lines[-1]
            if last and last[-1].font is run.font:
                last[-1] = _run(last[-1].text + word, run.font)
            else:
                last.append(piece)
            used += piece.width
    return lines


def _lines(text: str, size: float, most: float, font: Font, count: int) -> tuple[list[str], float]:
    """A text on at most so many lines, in type that becomes smaller before anything is cut."""
    if not text:
        return [], size
    for share in _SIZES:
        smaller = max(size * share, _LEAST_TYPE)
        lines = wrapped(text, smaller, most, font)
        if len(lines) <= count:
            return lines, smaller
    size = max(size * _SIZES[-1], _LEAST_TYPE)
    return [*lines[: count - 1], elided(" ".join(lines[count - 1 :]), size, most, font)], size
