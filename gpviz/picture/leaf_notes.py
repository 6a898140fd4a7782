"""Where the reasons at the leaves of a stuck tree stand: below each leaf, below equal neighbours, or nowhere.

There is a note for every leaf or none at all: a leaf without one would look as if it could go.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from gpviz.explain.tree_state_text import LeafGroup
from gpviz.picture.nodes import PlacedTree, extent_of
from gpviz.picture.picture import NodeShape, Note, PlacedNode
from gpviz.picture.space import Rect, Space
from gpviz.picture.text_width import text_width

NOTE_SIZE: Final = 16.0
LINE: Final = 1.22
"""The type of notes at unit 1, and how high a line is, of that."""
_SIZES: Final = (1.0, 0.88, 0.76, 0.66)
_USUAL_SIZE: Final = 0.88
_SMALLEST: Final = 9.5
"""In pixels: smaller words could not be read."""
_RING: Final = 13.0
"""How far the ring of a leaf reaches, at scale 1: a note keeps clear of it, whether there is one or not."""
_AWAY: Final = 4.0
"""How far notes are below their leaves, and at least apart, in pixels at unit 1."""
TICK: Final = 6.0
"""How high the ends of a bracket are."""
_BESIDE: Final = 8.0
_BESIDE_PART: Final = 10.0
"""How far a bracket reaches beyond the middle of the outermost leaves, and below a part of the tree."""
_USUAL: Final = "change ≥ +2"
MOST_NOTED: Final = 48
"""In more leaves notes would be too small to be read."""

_Uids = tuple[int, ...]
_Lines = tuple[str, ...]
_Bracket = tuple[float, float, float]


def space_below(unit: float, *, has_brackets: bool) -> float:
    """What notes need below the lowest leaves; the outermost nodes have space for a ring anyway."""
    lines = 2 * NOTE_SIZE * LINE + _AWAY
    return (lines + (2 * TICK + NOTE_SIZE * LINE + _AWAY if has_brackets else 0.0)) * unit


def placed_notes(
    lines_of: Mapping[int, _Lines],
    groups: Sequence[LeafGroup],
    tree: PlacedTree,
    space: Space,
    unit: float,
) -> tuple[Note, ...]:
    """The notes in the largest type in which they cover nothing, each leaf with its own if possible.

    Where there is little space, notes have the numbers alone; what they mean is said below the tree.
    """
    if len(lines_of) > MOST_NOTED or not lines_of.keys() <= tree.nodes.keys():
        return ()
    alone = [((uid,), lines) for uid, lines in lines_of.items()]
    together = list(_together(lines_of, tree.nodes))
    in_short = [(uids, tuple(line.split(" ", 1)[-1] for line in lines)) for uids, lines in together]
    for texts in (alone, together, in_short):
        for size in sorted({_type(unit, share) for share in _SIZES}, reverse=True):
            notes = _placed(texts, tree, space, unit, size)
            if notes is not None:
                return (*notes, *_brackets(groups, notes, tree, space, unit))
    return ()


def usual_note_rects(tree: PlacedTree, unit: float) -> list[Rect]:
    """Where the notes of leaves would be: whatever the step did keeps out of there."""
    size = _type(unit, _USUAL_SIZE)
    half = text_width(_USUAL, size) / 2
    leaves = [node for node in tree.nodes.values() if node.shape is NodeShape.BOX]
    tops = [_top_below(leaf, tree.scale, unit) for leaf in leaves]
    return [
        Rect(leaf.x - half, top, leaf.x + half, top + 2 * LINE * size)
        for leaf, top in zip(leaves, tops, strict=True)
    ]


def note_rect(note: Note, unit: float) -> Rect:
    """What a note takes, with its bracket."""
    half = max((text_width(line, note.size) for line in note.lines), default=0.0) / 2
    rect = Rect(note.x - half, note.y, note.x + half, note.y + len(note.lines) * LINE * note.size)
    if note.bracket is None:
        return rect
    left, right, y = note.bracket
    return Rect(min(rect.left, left), min(rect.top, y - TICK * unit), max(rect.right, right), rect.bottom)


def _type(unit: float, share: float) -> float:
    return max(NOTE_SIZE * unit * share, _SMALLEST)


def _top_below(leaf: PlacedNode, scale: float, unit: float) -> float:
    return extent_of(leaf, scale).bottom + max(_AWAY * unit, _RING * scale)


def _together(
    lines_of: Mapping[int, _Lines], nodes: Mapping[int, PlacedNode]
) -> Iterator[tuple[_Uids, _Lines]]:
    """Leaves side by side that say the same have one note."""
    for (_, lines), uids in groupby(lines_of, key=lambda uid: (nodes[uid].y, lines_of[uid])):
        yield tuple(uids), lines


def _placed(
    texts: Sequence[tuple[_Uids, _Lines]], tree: PlacedTree, space: Space, unit: float, size: float
) -> list[Note] | None:
    """The notes in type of this size, if they cover nothing."""
    notes: list[Note] = []
    taken = Space(space.area, (), ())
    for uids, lines in texts:
        first, last = tree.nodes[uids[0]], tree.nodes[uids[-1]]
        top = _top_below(first, tree.scale, unit)
        bracket = None
        if len(uids) > 1:
            beside = _BESIDE * unit
            bracket = first.x - beside, last.x + beside, top + TICK * unit
            top += (TICK + 2) * unit
        note = Note(uids, lines, (first.x + last.x) / 2, top, size, "stuck_text", bracket)
        rect = note_rect(note, unit)
        if not space.is_free(rect) or not taken.is_free(rect):
            return None
        taken.take([rect.grown(_AWAY * unit / 2)])
        notes.append(note)
    return notes


def _brackets(
    groups: Sequence[LeafGroup], notes: Sequence[Note], tree: PlacedTree, space: Space, unit: float
) -> Iterator[Note]:
    """A line below what could go as a whole, and the words for it, where there is space."""
    taken = Space(space.area, [note_rect(note, unit) for note in notes], ())
    size = _type(unit, _USUAL_SIZE)
    for group in groups:
        brackets = [_bracket_below(uids, notes, tree, unit) for uids in group.subtrees]
        half = text_width(group.text, size) / 2
        x = (min(left for left, _, _ in brackets) + max(right for _, right, _ in brackets)) / 2
        x = min(max(x, space.area.left + half), space.area.right - half)
        top = max(y for _, _, y in brackets) + _AWAY * unit
        text = Rect(x - half, top, x + half, top + LINE * size)
        rects = [text, *(Rect(left, y - TICK * unit, right, y + 1) for left, right, y in brackets)]
        if space.are_free(rects) and taken.are_free(rects):
            taken.take(rects)
            for index, (uids, bracket) in enumerate(zip(group.subtrees, brackets, strict=True)):
                lines = () if index else (group.text,)
                yield Note(uids, lines, x, top, size, "muted", bracket)


def _bracket_below(uids: _Uids, notes: Sequence[Note], tree: PlacedTree, unit: float) -> _Bracket:
    """The line below a part of the tree and its notes."""
    nodes = [tree.nodes[uid] for uid in uids]
    bottoms = [extent_of(node, tree.scale).bottom for node in nodes]
    bottoms += [note_rect(note, unit).bottom for note in notes if not set(note.uids).isdisjoint(uids)]
    beside = _BESIDE_PART * unit
    left, right = min(node.x for node in nodes) - beside, max(node.x for node in nodes) + beside
    return left, right, max(bottoms) + (_AWAY + TICK) * unit
