"""Where the reasons at the leaves of a stuck tree stand: below each leaf, below equal neighbours, or nowhere.

There is a note for every leaf or none at all: a leaf without one would look as if it could go.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from gpviz.explain.tree_state_text import LeafGroup
from gpviz.picture.changes import half_size
from gpviz.picture.items import Font
from gpviz.picture.picture import NodeShape, Note, PlacedNode
from gpviz.picture.space import Rect, Space
from gpviz.picture.text_width import text_width

NOTE_SIZE: Final = 16.0
LINE: Final = 1.22
"""The type of notes at unit 1, and how high a line is, of that."""
_SIZES: Final = (1.0, 0.88, 0.76, 0.66)
_SMALLEST: Final = 9.5
"""In pixels: smaller words could not be read."""
AWAY: Final = 4.0
_RING: Final = 11.0
"""How far the ring of a leaf reaches, at scale 1: a note keeps clear of it, whether there is one or not."""
_GAP: Final = 4.0
"""How far notes are below their leaves, and at least apart, in pixels at unit 1."""
_TICK: Final = 6.0
_USUAL: Final = "change ≥ +2"
MOST_NOTED: Final = 48
"""In more leaves notes would be too small to be read."""


def space_below(unit: float, *, has_brackets: bool) -> float:
    """What notes need below the lowest leaves."""
    lines = 2 * NOTE_SIZE * LINE + AWAY
    # The outermost nodes have space for a ring anyway.
    return (lines + (2 * _TICK + NOTE_SIZE * LINE + AWAY if has_brackets else 0.0)) * unit


def placed_notes(
    lines_of: Mapping[int, tuple[str, ...]],
    groups: Sequence[LeafGroup],
    nodes: Mapping[int, PlacedNode],
    space: Space,
    scale: float,
    unit: float,
) -> tuple[Note, ...]:
    """The notes in the largest type in which they cover nothing, each leaf with its own if possible."""
    shown = {uid: lines for uid, lines in lines_of.items() if uid in nodes}
    if not shown or len(shown) < len(lines_of) or len(shown) > MOST_NOTED:
        return ()
    for form in (_alone(shown), _together(shown, nodes), _in_short(shown, nodes)):
        for size in sorted({max(NOTE_SIZE * unit * share, _SMALLEST) for share in _SIZES}, reverse=True):
            notes = _placed(form, nodes, space, scale, unit, size)
            if notes is not None:
                return (*notes, *_brackets(groups, notes, nodes, space, scale, unit))
    return ()


def usual_places(nodes: Iterable[PlacedNode], scale: float, unit: float) -> list[Rect]:
    """Where the notes of leaves would be: whatever the step did keeps out of there."""
    size = max(NOTE_SIZE * unit * _SIZES[1], _SMALLEST)
    half = text_width(_USUAL, size, Font.WORDS) / 2
    rects = []
    for node in nodes:
        if node.shape is NodeShape.BOX:
            top = node.y + half_size(node.shape, scale)[1] + max(AWAY * unit, _RING * scale)
            rects.append(Rect(node.x - half, top, node.x + half, top + 2 * LINE * size))
    return rects


_Form = list[tuple[tuple[int, ...], tuple[str, ...]]]


def _alone(lines_of: Mapping[int, tuple[str, ...]]) -> _Form:
    return [((uid,), lines) for uid, lines in lines_of.items()]


def _together(lines_of: Mapping[int, tuple[str, ...]], nodes: Mapping[int, PlacedNode]) -> _Form:
    """Leaves side by side that say the same have one note."""
    return [
        (tuple(uid for uid, _ in each), lines)
        for (_, lines), group in groupby(lines_of.items(), key=lambda item: (nodes[item[0]].y, item[1]))
        for each in [list(group)]
    ]


def _in_short(lines_of: Mapping[int, tuple[str, ...]], nodes: Mapping[int, PlacedNode]) -> _Form:
    """The same with the numbers alone; what they mean is said below the tree."""
    return [
        (uids, tuple(line.split(" ", 1)[-1] for line in lines)) for uids, lines in _together(lines_of, nodes)
    ]


def _placed(
    form: _Form, nodes: Mapping[int, PlacedNode], space: Space, scale: float, unit: float, size: float
) -> list[Note] | None:
    notes: list[Note] = []
    taken = Space(space.area, (), ())
    for uids, lines in form:
        leaves = [nodes[uid] for uid in uids]
        x = (leaves[0].x + leaves[-1].x) / 2
        top = leaves[0].y + half_size(leaves[0].shape, scale)[1] + max(AWAY * unit, _RING * scale)
        bracket = None
        if len(leaves) > 1:
            bracket = leaves[0].x - 8 * unit, leaves[-1].x + 8 * unit, top + _TICK * unit
            top += (_TICK + 2) * unit
        half = max(text_width(line, size, Font.WORDS) for line in lines) / 2
        rect = Rect(x - half, top, x + half, top + len(lines) * LINE * size)
        if bracket is not None:
            rect = rect._replace(left=min(rect.left, bracket[0]), right=max(rect.right, bracket[1]))
        if not space.is_free(rect) or not taken.is_free(rect):
            return None
        taken.take([rect.grown(_GAP * unit / 2)])
        notes.append(Note(uids, lines, x, top, size, "stuck_text", bracket))
    return notes


def rect_of(note: Note) -> Rect:
    """What a note takes, with its bracket."""
    half = max(text_width(line, note.size, Font.WORDS) for line in note.lines) / 2
    rect = Rect(note.x - half, note.y, note.x + half, note.y + len(note.lines) * LINE * note.size)
    if note.bracket is None:
        return rect
    left, right, y = note.bracket
    return Rect(min(rect.left, left), min(rect.top, y - _TICK), max(rect.right, right), rect.bottom)


def _brackets(
    groups: Sequence[LeafGroup],
    notes: Sequence[Note],
    nodes: Mapping[int, PlacedNode],
    space: Space,
    scale: float,
    unit: float,
) -> Iterator[Note]:
    """A line below what could go as a whole, and the words for it, where there is space."""
    taken = Space(space.area, [rect_of(note) for note in notes], ())
    size = max(NOTE_SIZE * unit * _SIZES[1], _SMALLEST)
    for group in groups:
        spans = []
        for uids in group.subtrees:
            own = [nodes[uid] for uid in uids if uid in nodes]
            bottom = max(node.y + half_size(node.shape, scale)[1] for node in own)
            below = [rect_of(note).bottom for note in notes if set(note.uids) & set(uids)]
            spans.append((min(node.x for node in own), max(node.x for node in own), max([bottom, *below])))
        y = max(bottom for _, _, bottom in spans) + (AWAY + _TICK) * unit  # of the words below them
        x = (min(left for left, _, _ in spans) + max(right for _, right, _ in spans)) / 2
        half = text_width(group.text, size, Font.WORDS) / 2
        x = min(max(x, space.area.left + half), space.area.right - half)
        brackets = [
            (left - 10 * unit, right + 10 * unit, bottom + (AWAY + _TICK) * unit)
            for left, right, bottom in spans
        ]
        found = [
            Note(uids, (), x, y, size, "muted", bracket)
            for uids, bracket in zip(group.subtrees, brackets, strict=True)
        ]
        found[0] = Note(group.subtrees[0], (group.text,), x, y + AWAY * unit, size, "muted", brackets[0])
        text = Rect(x - half, y + AWAY * unit, x + half, y + AWAY * unit + LINE * size)
        rects = [text, *(Rect(left, low - _TICK * unit, right, low + 1) for left, right, low in brackets)]
        if space.are_free(rects) and taken.are_free(rects):
            taken.take(rects)
            yield from found
