"""Notes on a stuck tree: below each leaf what deleting and relabelling it costs, and brackets below what could go.

There is a note below every leaf or below none: a leaf without one would look as if it could go. Where they do not
all fit, one sentence says where to read them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from gpviz.app.canvas.free_space import FreeSpace, LastFound, boxes_of, crossed, overlapping
from gpviz.app.canvas.node_shapes import draw_text, extent_of, text_width
from gpviz.app.canvas.tree_frame import Floats
from gpviz.app.theme import Theme
from gpviz.explain.step_picture import other_uid
from gpviz.explain.tree_state_text import LeafGroup

_SIZE: Final = 11.5
_SMALLEST: Final = 9.5
_LARGEST: Final = 14.0
_LINE: Final = 1.25
"""In pixels at the usual size of type: how large notes are, and how high their lines, of that."""
_AWAY: Final = 3.0
_RING: Final = 9.0
"""How far brackets are below notes, in pixels, and how far rings reach around nodes, in the drawing's units."""
_GAP: Final = 2.0
_SIDE: Final = 3.0
_BESIDE: Final = (6.0, 1.0)
"""In pixels: how far a note keeps from the side of its leaf, and how near it may come where there is less room."""
_SHIFTS: Final = (0.0, -0.2, 0.2, -0.45, 0.45)
_GROUP_SHIFTS: Final = (0.0, -0.12, 0.12, -0.25, 0.25, -0.4, 0.4)
"""Of its width: how far a note may be to the side below its leaf, and the words below a bracket of the middle."""
_ARROW: Final = 8.0
"""In pixels: how high the arrow from one label of a leaf to the other is, on either side of its line."""
_SPAN: Final = 8.0
"""How far a bracket reaches to both sides of the middle of the outermost leaves, in the drawing's units."""
_TICK: Final = 6.0
MOST_NOTES: Final = 40
"""On larger trees they would find no room anyway, and looking for it would take too long."""


@dataclass(frozen=True)
class Notes:
    """What there is to write on a stuck tree. ``hint`` stands for the notes where they do not all fit."""

    leaves: Mapping[int, tuple[str, ...]]
    groups: tuple[LeafGroup, ...] = ()
    hint: str = ""
    marked: frozenset[int] = frozenset()
    """Nodes with a ring around them, of which the notes keep clear."""
    is_shown: bool = True
    """If not, there is only room for them: the tree may turn out to be stuck, and nothing is to move then."""


class _Text(NamedTuple):
    """Some lines in a box, and the leaf that they are about."""

    box: QRectF
    lines: tuple[str, ...]
    uid: int | None = None


class _Bracket(NamedTuple):
    """A line below some leaves with its ends turned up."""

    left: float
    right: float
    y: float

    @property
    def box(self) -> QRectF:
        return QRectF(self.left, self.y - _TICK, self.right - self.left, _TICK + 1.0)


@dataclass(frozen=True)
class PlacedNotes:
    """Where everything is written. Without notes there is the hint, if there is room for that."""

    size: float
    leaves: tuple[_Text, ...] = ()
    brackets: tuple[_Bracket, ...] = ()
    groups: tuple[_Text, ...] = ()
    hint: _Text | None = None

    @property
    def boxes(self) -> tuple[QRectF, ...]:
        """What all of it takes."""
        texts = (*self.leaves, *self.groups, *(() if self.hint is None else (self.hint,)))
        return tuple(each.box for each in (*texts, *self.brackets))

    def moved(self, before: FreeSpace, after: FreeSpace) -> "PlacedNotes":
        """The notes of the leaves where these are now, while the tree moves; the rest waits for them."""
        moved = []
        for text in self.leaves:
            assert text.uid is not None
            old, new = before.place(text.uid), after.place(text.uid)
            if old is not None and new is not None:
                moved.append(text._replace(box=text.box.translated(new - old)))
        return PlacedNotes(self.size, tuple(moved))


def note_height(theme: Theme, *, has_groups: bool = False) -> float:
    """What the notes, and the brackets below them, need below the tree, in pixels."""
    size = _sizes(theme, 0.0)[0]
    lines = 3 if has_groups else 2
    return _AWAY + lines * _LINE * size + (_TICK + 2 * _AWAY if has_groups else 0.0)


def hint_height(theme: Theme) -> float:
    """What the sentence that stands for the notes needs below the tree, in pixels."""
    return _LINE * _sizes(theme, 0.0)[1]


_last_notes: Final = LastFound[PlacedNotes]()


def placed_notes(notes: Notes, around: FreeSpace, theme: Theme) -> PlacedNotes:
    """Places for all notes, in the largest type in which they hide nothing, or else for the hint."""
    index = around.frame.index
    shown = {uid: lines for uid, lines in notes.leaves.items() if uid in index}
    if len(shown) > MOST_NOTES:
        shown = {}
    sizes = _sizes(theme, around.scale)
    key = (tuple(shown.items()), notes.groups, notes.hint, notes.marked, sizes, around.key)
    return _last_notes.of(key, lambda: _placed(shown, notes, around, sizes))


def _placed(
    shown: Mapping[int, tuple[str, ...]], notes: Notes, around: FreeSpace, sizes: tuple[float, float]
) -> PlacedNotes:
    usual, smallest = sizes
    if shown:
        solid = _solid(notes.marked, around)
        for form in _forms(shown):
            found: PlacedNotes | None = None
            for size in (usual, (usual + smallest) / 2, smallest):
                texts = _leaf_texts(form, size, around, solid)
                if texts is not None:
                    placed = _with_groups(PlacedNotes(size, tuple(texts)), notes, around, solid)
                    if placed.groups or not notes.groups:
                        return placed
                    found = found or placed
            if found is not None:
                return found
    if not notes.hint:
        return PlacedNotes(usual)
    return PlacedNotes(smallest, hint=_hint(notes.hint, smallest, notes.marked, around))


def paint_notes(painter: QPainter, placed: PlacedNotes, theme: Theme) -> None:
    """Paint what was placed."""
    colours = theme.colours
    for text in placed.leaves:
        _paint(painter, text, placed.size, colours.stuck_text)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    pen = QPen(QColor(colours.redundant_border), 2.0 * theme.line_scale)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    for left, right, y in placed.brackets:
        painter.setPen(pen)
        corners = [(left, y - _TICK), (left, y), (right, y), (right, y - _TICK)]
        painter.drawPolyline([QPointF(*corner) for corner in corners])
    for text in placed.groups:
        _paint(painter, text, placed.size, colours.redundant_border)
    if placed.hint is not None:
        _paint(painter, placed.hint, placed.size, colours.stuck_text)


def paint_root_note(
    painter: QPainter, uid: int, around: FreeSpace, theme: Theme, taken: Sequence[QRectF]
) -> None:
    """Call a node the root, below it or on another side of it, where that hides nothing."""
    number = around.frame.index.get(uid)
    if number is None:
        return
    size = _sizes(theme, around.scale)[0]
    x, y = float(around.x[number]), float(around.y[number])
    across, down = (part * around.scale for part in extent_of(around.frame.face_at(number).kind))
    width, height = text_width("root", size) + 2 * _SIDE, _LINE * size
    away = _AWAY + height
    boxes = [
        QRectF(x - width / 2, y + down + _AWAY, width, height),
        QRectF(x + across + away, y - height / 2, width, height),
        QRectF(x - across - away - width, y - height / 2, width, height),
        QRectF(x - width / 2, y - down - away - _AWAY, width, height),
    ]
    solid = np.vstack([np.delete(around.extents(), number, axis=0), boxes_of(taken)])
    box = _first_free(boxes, around, solid)
    if box is not None:
        _paint(painter, _Text(box, ("root",)), size, theme.colours.stuck_text)


def _sizes(theme: Theme, scale: float) -> tuple[float, float]:
    """The usual size of notes beside nodes of this scale, and the smallest one."""
    larger = max(theme.font_size / 10.0, 1.0)
    return min(max(scale, larger) * _SIZE, _LARGEST * larger), _SMALLEST * larger


def _forms(notes: Mapping[int, tuple[str, ...]]) -> Iterator[dict[int, tuple[str, ...]]]:
    """The notes on two lines, on one, and on as many as there are words and numbers."""
    yield dict(notes)
    yield {uid: (" · ".join(lines),) for uid, lines in notes.items()}
    yield {uid: tuple(part for line in lines for part in line.split(" ", 1)) for uid, lines in notes.items()}


def _leaf_texts(
    notes: Mapping[int, tuple[str, ...]], size: float, around: FreeSpace, solid: Floats
) -> list[_Text] | None:
    """A place for each note; None if one of them has none."""
    frame = around.frame
    choices: list[QRectF] = []
    for uid, lines in notes.items():
        number = frame.index[uid]
        width = max(text_width(line, size) for line in lines) + 2 * _SIDE
        left, top, right, bottom = solid[number].tolist()
        x, middle = float(around.x[number]), (top + bottom) / 2
        height = _LINE * size * len(lines)
        choices += [QRectF(x - width / 2 + shift * width, bottom + 1.0, width, height) for shift in _SHIFTS]
        for away in _BESIDE:
            beside = (left - width - away, right + away)
            choices += [QRectF(start, middle - height / 2, width, height) for start in beside]
    count = len(choices) // max(len(notes), 1)
    is_free = _free(choices, around, solid)
    texts: list[_Text] = []
    kept = np.empty((0, 4))
    for place, (uid, lines) in enumerate(notes.items()):
        for choice in range(place * count, (place + 1) * count):
            row = boxes_of([choices[choice]])
            if is_free[choice] and not overlapping(row, kept).any():
                kept = np.vstack([kept, row])
                texts.append(_Text(choices[choice], lines, uid))
                break
        else:
            return None
    return texts


def _with_groups(placed: PlacedNotes, notes: Notes, around: FreeSpace, solid: Floats) -> PlacedNotes:
    """Brackets below all groups, with their words, if all of them find room; else without any."""
    below = {text.uid: text for text in placed.leaves}
    brackets: list[_Bracket] = []
    texts: list[_Text] = []
    solid = np.vstack([solid, boxes_of(text.box for text in placed.leaves)])
    for group in notes.groups:
        if any(uid not in around.frame.index for uids in group.subtrees for uid in uids):
            continue
        spans = [_span(uids, below, around, solid) for uids in group.subtrees]
        y = max(span.bottom() for span in spans) + _AWAY + _TICK
        own = [_Bracket(span.left(), span.right(), y) for span in spans]
        lines = [each.box for each in own]
        text = _group_text(group.text, own, placed.size, around, solid)
        if text is None or not all(_free(lines, around, solid)):
            return placed
        brackets += own
        texts.append(text)
        solid = np.vstack([solid, boxes_of([*lines, text.box])])
    return PlacedNotes(placed.size, placed.leaves, tuple(brackets), tuple(texts))


def _span(uids: Sequence[int], below: Mapping[int | None, _Text], around: FreeSpace, solid: Floats) -> QRectF:
    """What a subtree takes with the notes below it, up to about the middle of its outermost leaves."""
    numbers = [around.frame.index[uid] for uid in uids]
    bottom = max([float(solid[numbers, 3].max()), *(below[uid].box.bottom() for uid in uids if uid in below)])
    x, top = around.x[numbers], float(solid[numbers, 1].min())
    reach = _SPAN * around.scale
    return QRectF(QPointF(float(x.min()) - reach, top), QPointF(float(x.max()) + reach, bottom))


def _group_text(
    words: str, brackets: Sequence[_Bracket], size: float, around: FreeSpace, solid: Floats
) -> _Text | None:
    """The words below brackets, on one line or on two."""
    middle = (min(each.left for each in brackets) + max(each.right for each in brackets)) / 2
    top = brackets[0].y + _AWAY
    head, _, tail = words.partition(", ")
    for lines in ((words,), (f"{head},", tail)):
        width = max(text_width(line, size) for line in lines) + 2 * _SIDE
        room = around.room
        starts = (middle + (shift - 0.5) * width for shift in _GROUP_SHIFTS)
        boxes = [
            QRectF(max(min(start, room.right() - width), room.left()), top, width, _LINE * size * len(lines))
            for start in starts
        ]
        found = _first_free(boxes, around, solid)
        if found is not None:
            return _Text(found, lines)
    return None


def _solid(marked: frozenset[int], around: FreeSpace) -> Floats:
    """Rectangles that the nodes fill, with the rings around those that are marked, and arrows between labels."""
    solid = around.extents() + _GAP * np.array([-1.0, -1.0, 1.0, 1.0])
    ringed = [around.frame.index[uid] for uid in marked if uid in around.frame.index]
    solid[ringed] += np.array([-1.0, -1.0, 1.0, 1.0]) * _RING * around.scale
    arrows = [
        QRectF(leaf, other).normalized().adjusted(0.0, -_ARROW, 0.0, _ARROW)
        for uid in marked
        if uid >= 0 and (leaf := around.place(uid)) and (other := around.place(other_uid(uid)))
    ]
    return np.vstack([solid, boxes_of(arrows)])


def _hint(words: str, size: float, marked: frozenset[int], around: FreeSpace) -> _Text | None:
    """The sentence that stands for the notes, in a lower corner or elsewhere, where it hides nothing."""
    room = around.room
    width, height = text_width(words, size) + 2 * _SIDE, _LINE * size
    boxes = [
        QRectF(left, room.bottom() - height, width, height)
        for left in (room.left(), room.right() - width, room.center().x() - width / 2)
    ]
    solid = _solid(marked, around)
    box = _first_free(boxes, around, solid)
    if box is None:
        box = _first_free([around.best_place(width, height, ())[0]], around, solid)
    return None if box is None else _Text(box, (words,))


def _first_free(boxes: Sequence[QRectF], around: FreeSpace, solid: Floats) -> QRectF | None:
    free = _free(boxes, around, solid)
    return next((box for box, is_free in zip(boxes, free, strict=True) if is_free), None)


def _free(boxes: Sequence[QRectF], around: FreeSpace, solid: Floats) -> list[bool]:
    """For each rectangle whether it is in view and hides nothing solid and no edge."""
    rows = boxes_of(boxes)
    room = around.view.adjusted(0.0, around.top_margin, 0.0, 0.0)
    is_free = (rows[:, 0] >= room.left()) & (rows[:, 2] <= room.right())
    is_free &= (rows[:, 1] >= room.top()) & (rows[:, 3] <= room.bottom())
    is_free &= ~overlapping(rows, solid).any(axis=1) & ~crossed(rows, around.lines()).any(axis=1)
    is_free &= ~overlapping(rows, boxes_of(around.words)).any(axis=1)
    found: list[bool] = is_free.tolist()
    return found


def _paint(painter: QPainter, text: _Text, size: float, colour: str) -> None:
    box, lines, _ = text
    painter.save()
    painter.translate(box.center().x(), box.top())
    for number, line in enumerate(lines):
        middle = (number + 0.5) * _LINE * size
        draw_text(painter, line, size, QColor(colour), box.width() - _SIDE, middle)
    painter.restore()
