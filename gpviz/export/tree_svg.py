"""Draws trees as SVG without Qt: what a step did to them, notes below nodes, and words above and below.

AND is a disc, OR a diamond, a variable a box with its name, in the colours of the light theme on a ground of their
own, so that a picture can be read on any page. There are no scripts, no style sheets and no ids: pictures on the
same page never disturb each other or the page.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Final, NamedTuple

from gpviz import assets
from gpviz.engine.enums import Function
from gpviz.engine.formula import UNICODE
from gpviz.engine.tree import Inner, Leaf, Node, nodes_of
from gpviz.escaping import html_text
from gpviz.explain.step_picture import StepPicture
from gpviz.picture.layout import positions_of

MOST_WIDE: Final = 860
"""In pixels, about as wide as a cell of a notebook."""
_MOST_HIGH: Final = 560
_FONT: Final = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', 'Noto Sans', sans-serif"
_LETTER: Final = 0.57
"""How wide a letter is on average, rather too wide, for type of size 1."""
_PADDING: Final = 14
_GAP: Final = 10
_LEADING: Final = 1.4

_UNIT: Final = (58, 56)
"""The distance between neighbours, across and down, as in the window."""
_ROOM: Final = (30, 32)
"""What the outermost nodes need around their centres, with their marks."""
_NOTE_ROOM: Final = 16
_SMALL: Final = 0.5
_MOST_STRETCHED: Final = 2.5
"""A wide tree that is drawn this small is drawn higher, up to so many times."""
_NAME_SIZES: Final = {1: 18, 2: 18, 3: 15}
_SMALLEST_NAME: Final = 12
_EXTENTS: Final = {"and": (20, 20), "or": (24, 24), "leaf": (20, 18)}
_DASHES: Final = 'stroke-dasharray="5.5 3.8"'
_ROUND: Final = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'
_CROSSED: Final = {"and": (23, 23), "or": (19, 19), "leaf": (23, 21)}
"""How far faces reach, and where the arms of a cross begin."""
_RING: Final = 6
_ARM: Final = 9
_MOST_CROSSED: Final = 12
"""Of a larger part that is rejected only the first nodes are crossed out; the dashes are around all of it."""
_THINNEST: Final = 0.7
"""In pixels: lines stay visible in a tree that is drawn very small."""
_MOST_NAMED: Final = 600
"""Of larger trees the names are left out, which nobody could read."""
_MOST_NODES: Final = 1200
"""In larger trees the smallest subtrees are folded."""
_MOST_UNFOLDED: Final = 12

Places = dict[int, tuple[float, float]]


class Drawing(NamedTuple):
    """Parts of an SVG and the room that they fill, from its upper left corner, in pixels."""

    width: float
    height: float
    parts: tuple[str, ...]
    caption: str = ""
    """What has to be said of it."""
    is_centred: bool = False


def colour(name: str) -> str:
    """A colour of the light theme."""
    found: str = assets.theme_data("light")["colours"][name]
    return found


def coordinate(value: float) -> str:
    """A coordinate with at most one decimal."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def text_width(text: str, size: float = 14) -> float:
    """About how wide a text is, rather too wide."""
    return len(text) * size * _LETTER


def draw_words(
    text: str, *, size: int = 14, ink: str = "text", bold: str = "", most: int = MOST_WIDE
) -> Drawing:
    """Words on as many lines as they need; those of ``bold`` come first."""
    lines = wrap(f"{bold}{text}", max(20, int(most / (size * _LETTER)))) or [""]
    parts = [
        f'<text y="{coordinate(size * (_LEADING * number + 1))}" font-size="{size}" fill="{colour(ink)}">'
        f"{_with_bold(line, bold if not number else '')}</text>"
        for number, line in enumerate(lines)
    ]
    width = max(text_width(line, size) for line in lines)
    return Drawing(width, size * _LEADING * len(lines), tuple(parts))


def _with_bold(line: str, bold: str) -> str:
    head = line[: len(bold)]
    start = f'<tspan font-weight="600">{html_text(head)}</tspan>' if head else ""
    return f"{start}{html_text(line[len(head) :])}"


def card(title: str, description: str, drawings: Iterable[Drawing]) -> str:
    """An SVG with drawings one below the other; title and description are for those who cannot see it."""
    shown = [drawing for drawing in drawings if drawing.height]
    captions = [draw_words(each.caption, size=12, ink="muted") for each in shown if each.caption]
    shown += captions
    width = round(max((each.width for each in shown), default=0) + 2 * _PADDING)
    parts: list[str] = []
    top = float(_PADDING)
    for each in shown:
        left = (width - each.width) / 2 if each.is_centred else _PADDING
        parts += [f'<g transform="translate({coordinate(left)} {coordinate(top)})">', *each.parts, "</g>"]
        top += each.height + _GAP
    height = round(top - _GAP + _PADDING)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}"'
            f' viewBox="0 0 {width} {height}" font-family="{html_text(_FONT)}"'
            ' style="max-width:100%;height:auto">',
            f"<title>{html_text(title)}</title>",
            f"<desc>{html_text(description)}</desc>",
            f'<rect x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="6" fill="{colour("panel")}"'
            f' stroke="{colour("border")}"/>',
            *parts,
            "</svg>",
        ]
    )


def draw_tree(
    picture: StepPicture,
    mark: str = "accent",
    *,
    notes: Mapping[int, str] | None = None,
    note_ink: str = "improved",
) -> Drawing:
    """The tree of a picture; ``mark`` is the colour of what a step did, ``notes``, by uids, stand below nodes."""
    if picture.tree is None:
        return _empty()
    return _TreeDrawing(picture, mark, notes or {}, note_ink).drawn()


def _empty() -> Drawing:
    ink, border = colour("text"), colour("muted")
    look = f'fill="none" stroke="{border}" stroke-width="1.8" {_DASHES}'
    disc = f'<circle cx="70" cy="24" r="20" {look}/>'
    sign = f'<text x="70" y="31" font-size="20" text-anchor="middle" fill="{border}">∅</text>'
    text = f'<text x="70" y="66" font-size="14" text-anchor="middle" fill="{ink}">The tree is empty</text>'
    return Drawing(140, 72, (disc, sign, text), is_centred=True)


class _TreeDrawing:
    """Collects the parts of a tree; nodes of a kind are one path, so that a large tree takes few bytes."""

    def __init__(self, picture: StepPicture, mark: str, notes: Mapping[int, str], note_ink: str) -> None:
        tree = picture.tree
        assert tree is not None
        self._picture = picture
        self._mark = colour(mark)
        self._notes, self._note_ink = notes, colour(note_ink)
        self._folded, largest = _folded(tree, picture.places)
        self._caption = (
            f"Subtrees of at most {largest:,} leaves are folded into triangles." if largest else ""
        )
        graph = picture.graph(self._folded)
        found = positions_of(graph, "tidy")
        self._nodes = (
            [node for node in nodes_of(tree) if node.uid in found] if largest else list(nodes_of(tree))
        )
        self._kinds = {node.uid: _kind(node) for node in self._nodes}
        if picture.other is not None:
            self._kinds[picture.other.uid] = "leaf"
        left, top = min(x for x, _ in found.values()), min(y for _, y in found.values())
        note = _NOTE_ROOM if self._notes else 0
        across, down = _UNIT[0], float(_UNIT[1] + note)
        wide = (max(x for x, _ in found.values()) - left) * across + 2 * _ROOM[0]
        high = (max(y for _, y in found.values()) - top) * down + 2 * _ROOM[1]
        if wide * _SMALL > MOST_WIDE:
            down *= min(max(_MOST_HIGH * wide / (MOST_WIDE * high), 1.0), _MOST_STRETCHED)
        self._places: Places = {
            uid: ((x - left) * across + _ROOM[0], (y - top) * down + _ROOM[1])
            for uid, (x, y) in found.items()
        }
        self._wide = max(x for x, _ in self._places.values()) + _ROOM[0]
        self._high = max(y for _, y in self._places.values()) + _ROOM[1] + note
        self._scale = min(1.0, MOST_WIDE / self._wide, _MOST_HIGH / self._high)

    def drawn(self) -> Drawing:
        """The whole."""
        parts = [*self._edges(), *self._rings(), *self._faces(), *self._marks(), *self._note_texts()]
        scale = self._scale
        if scale < 1:
            parts = [f'<g transform="scale({scale:.4f})">', *parts, "</g>"]
        return Drawing(self._wide * scale, self._high * scale, tuple(parts), self._caption, is_centred=True)

    def _width(self, width: float) -> str:
        return coordinate(max(width, _THINNEST / self._scale))

    def _edges(self) -> Iterator[str]:
        ghosts, bridges = self._picture.ghosts, self._picture.bridges
        solid: list[str] = []
        dashed: list[str] = []
        for node in self._nodes:
            if not isinstance(node, Inner) or node.uid in self._folded:
                continue
            for child in (node.left, node.right):
                end = child.uid if child.uid in ghosts else node.uid
                is_ghostly = end in ghosts and end not in bridges
                start, stop = self._places[node.uid], self._places[child.uid]
                (dashed if is_ghostly else solid).append(f"M{_at(start)}L{_at(stop)}")
        if solid:
            yield _path(solid, f'fill="none" stroke="{colour("edge")}" stroke-width="{self._width(1.8)}"')
        if dashed:
            yield _path(dashed, self._dashes(1.8))

    def _faces(self) -> Iterator[str]:
        """The nodes of the tree, those that are not in it, and what is written on them."""
        ghosts = self._picture.ghosts
        there = [node for node in self._nodes if node.uid not in ghosts]
        gone = [node for node in self._nodes if node.uid in ghosts]
        border = f'stroke="{colour("leaf_border")}" stroke-width="{self._width(1.8)}"'
        looks = {
            "and": f'fill="{colour("and_fill")}"',
            "or": f'fill="{colour("or_fill")}"',
            "leaf": f'fill="{colour("leaf_fill")}" {border}',
        }
        for kind, look in looks.items():
            shapes = [_outline(kind, self._places[node.uid]) for node in there if _kind(node) == kind]
            if shapes:
                yield _path(shapes, look)
        yield from self._triangles()
        for kind in looks:
            shapes = [_outline(kind, self._places[node.uid], -1.2) for node in gone if _kind(node) == kind]
            if shapes:
                yield _path(shapes, self._dashes(2.4, fill=colour("panel")))
        if len(self._nodes) <= _MOST_NAMED:
            yield from self._labels(there, gone)

    def _triangles(self) -> Iterator[str]:
        shapes = []
        for uid in self._folded:
            if uid in self._places:
                x, y = self._places[uid]
                shapes.append(f"M{_at((x, y + 10))}l-26 34h52z")
        if shapes:
            yield _path(shapes, f'fill="{colour("muted")}"')

    def _labels(self, there: Sequence[Node], gone: Sequence[Node]) -> Iterator[str]:
        for nodes, ink in ((there, colour("and_text")), (gone, colour("text"))):
            signs = [
                f"M{_at((x - 6.2, y + up))}L{_at((x, y - up))}L{_at((x + 6.2, y + up))}"
                for node in nodes
                if isinstance(node, Inner)
                for (x, y), up in [(self._places[node.uid], 7 if node.function is Function.AND else -7)]
            ]
            if signs:
                yield _path(signs, f'{_ROUND} stroke="{ink}" stroke-width="3.2"')
        names = [(node.variable, self._places[node.uid]) for node in self._nodes if isinstance(node, Leaf)]
        if names:
            yield f'<g text-anchor="middle" font-size="18" fill="{colour("leaf_text")}">'
            for variable, (x, y) in names:
                size = _name_size(variable)
                smaller = "" if size == _NAME_SIZES[1] else f' font-size="{size}"'
                where = f'x="{coordinate(x)}" y="{coordinate(y + 5.5)}"{smaller}'
                yield f"<text {where}>{UNICODE.variable(variable)}</text>"
            yield "</g>"

    def _rings(self) -> Iterator[str]:
        """Halos lie below the faces."""
        for uid in self._known(self._picture.ringed):
            shape = _outline(self._kinds[uid], self._places[uid], _RING)
            yield f'<path d="{shape}" fill="none" stroke="{self._mark}" stroke-opacity=".28" stroke-width="10"/>'
            yield f'<path d="{shape}" fill="none" stroke="{self._mark}" stroke-width="{self._width(3.2)}"/>'

    def _marks(self) -> Iterator[str]:
        """Dashes around what goes, the other label of a leaf with an arrow, crosses on what is rejected."""
        picture = self._picture
        dashed = [
            _outline(self._kinds[uid], self._places[uid], _RING - 1)
            for uid in self._known(picture.places)
            if uid in picture.leaving
        ]
        if dashed:
            yield _path(dashed, self._dashes(2.6))
        if picture.other is not None and picture.other.uid in self._places:
            yield from self._other_label()
        for uid in self._known(picture.rejected)[:_MOST_CROSSED]:
            yield from self._cross(uid)

    def _other_label(self) -> Iterator[str]:
        other = self._picture.other
        assert other is not None
        (x, y), leaf = self._places[other.uid], self._places[other.leaf]
        yield f'<path d="{_outline("leaf", (x, y), -1.2)}" {self._dashes(2.4, fill=colour("panel"))}/>'
        name = UNICODE.variable(other.variable)
        size = _name_size(other.variable)
        yield (
            f'<text x="{coordinate(x)}" y="{coordinate(y + 5.5)}" text-anchor="middle" font-size="{size}"'
            f' fill="{colour("muted")}">{name}</text>'
        )
        if other.is_old:
            yield f'<path d="M{_at((x - 13, y + 5))}l26-10" stroke="{colour("muted")}" stroke-width="1.8"/>'
        (start, _), (end, _) = ((x, y), leaf) if other.is_old else (leaf, (x, y))
        way = 1 if end > start else -1
        tip = end - way * (_EXTENTS["leaf"][0] + (_RING + 3 if other.is_old else 2))
        tail = start + way * (_EXTENTS["leaf"][0] + 2)
        arrow = f"M{_at((tail, y))}H{coordinate(tip)}m{-5 * way}-4.4l{5 * way} 4.4l{-5 * way} 4.4"
        yield f'<path d="{arrow}" {_ROUND} stroke="{self._mark}" stroke-width="2.6"/>'

    def _cross(self, uid: int) -> Iterator[str]:
        """The four arms at the corners of a node, between which its label can be read."""
        (x, y), (across, down) = self._places[uid], _CROSSED[self._kinds[uid]]
        arms = "".join(
            f"M{_at((x + side * across, y + up * down))}l{-side * _ARM} {-up * _ARM}"
            for side in (-1, 1)
            for up in (-1, 1)
        )
        for ink, width in ((colour("panel"), 6.5), (self._mark, 3.6)):
            yield f'<path d="{arms}" stroke="{ink}" stroke-width="{width}" stroke-linecap="round"/>'

    def _note_texts(self) -> Iterator[str]:
        known = [(self._places[uid], text) for uid, text in self._notes.items() if uid in self._places]
        if not known:
            return
        yield (
            f'<g text-anchor="middle" font-size="11" font-weight="600" fill="{self._note_ink}"'
            f' stroke="{colour("panel")}" stroke-width="3" paint-order="stroke">'
        )
        for (x, y), text in known:
            yield f'<text x="{coordinate(x)}" y="{coordinate(y + 35)}">{html_text(text)}</text>'
        yield "</g>"

    def _dashes(self, width: float, fill: str = "none") -> str:
        return f'fill="{fill}" stroke="{self._mark}" stroke-width="{self._width(width)}" {_DASHES}'

    def _known(self, uids: Iterable[int]) -> list[int]:
        return [uid for uid in uids if uid in self._places]


def _folded(tree: Node, marked: Sequence[int]) -> tuple[frozenset[int], int]:
    """What is folded so that a tree can be drawn, with the leaves of the largest; what a step is about is not."""
    if tree.size <= _MOST_NODES:
        return frozenset(), 0
    parents = [
        (node, child)
        for node in nodes_of(tree)
        if isinstance(node, Inner)
        for child in (node.left, node.right)
    ]
    sizes = sorted((node.leaves for node, _ in parents), reverse=True)
    largest = sizes[_MOST_NODES - 1]
    above = {child.uid: node.uid for node, child in parents} if marked else {}
    kept: set[int] = set()
    for uid in marked[:_MOST_UNFOLDED]:
        while uid in above and uid not in kept:
            kept.add(uid)
            uid = above[uid]
    folded = (
        child.uid
        for node, child in parents
        if 1 < child.leaves <= largest
        and child.uid not in kept
        and (node.leaves > largest or node.uid in kept)
    )
    return frozenset(folded), largest


def _kind(node: Node) -> str:
    return "leaf" if isinstance(node, Leaf) else node.function.value


def _at(position: tuple[float, float]) -> str:
    return f"{coordinate(position[0])} {coordinate(position[1])}"


def _path(shapes: Iterable[str], look: str) -> str:
    return f'<path d="{"".join(shapes)}" {look}/>'


def _name_size(variable: int) -> int:
    """The size of the type in which the name of a variable fits into its box."""
    return _NAME_SIZES.get(len(str(variable)), _SMALLEST_NAME)


def _outline(kind: str, position: tuple[float, float], grown: float = 0) -> str:
    """The outline of a face around a position, this much larger on every side."""
    x, y = position
    if kind == "and":
        radius, across = coordinate(20 + grown), coordinate(2 * (20 + grown))
        arc = f"a{radius} {radius} 0 1 0"
        return f"M{_at((x - 20 - grown, y))}{arc} {across} 0{arc}-{across} 0z"
    if kind == "or":
        reach = 24 + 1.4 * grown
        size = coordinate(reach)
        return f"M{_at((x, y - reach))}l{size} {size}-{size} {size}-{size}-{size}z"
    width, height, corner = 40 + 2 * grown, 36 + 2 * grown, 8 + grown / 2
    wide, high, bend = coordinate(width - 2 * corner), coordinate(height - 2 * corner), coordinate(corner)
    return (
        f"M{_at((x - width / 2, y - height / 2 + corner))}q0-{bend} {bend}-{bend}h{wide}q{bend} 0 {bend} {bend}"
        f"v{high}q0 {bend}-{bend} {bend}h-{wide}q-{bend} 0-{bend}-{bend}z"
    )
