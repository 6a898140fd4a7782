"""Paints notes below leaves, such as what deleting one would cost, where they find room."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from gpviz.app.canvas.free_space import FreeSpace, boxes_of, crossed, overlapping
from gpviz.app.canvas.node_shapes import draw_text, extent_of, text_width
from gpviz.app.canvas.tree_frame import Floats
from gpviz.app.theme import Theme

__all__ = ["note_height", "paint_notes"]

_SIZE: Final = 11.0
_SMALLEST: Final = 10.0
_LARGEST: Final = 14.0
_AWAY: Final = 2.5
_NODE: Final = 21.0
_MOST_PAIRS: Final = 200_000
"""Notes times nodes: in larger trees they would find no room anyway, and looking for it would take too long."""


def note_height(theme: Theme, scale: float = 1.0) -> float:
    """What a note needs below a node, in pixels."""
    return _AWAY + 1.2 * _size(theme, scale)


def paint_notes(
    painter: QPainter,
    notes: Mapping[int, str],
    around: FreeSpace,
    theme: Theme,
    taken: Sequence[QRectF] = (),
    *,
    is_below: bool = True,
) -> list[str]:
    """Paint those notes that hide nothing, below their nodes or also beside them; the words that found room."""
    index = around.frame.index
    shown = [(index[uid], text) for uid, text in notes.items() if uid in index]
    if not shown or len(shown) * len(around.frame) > _MOST_PAIRS:
        return []
    size = _size(theme, around.scale)
    places = 1 if is_below else 4
    boxes = boxes_of(box for number, text in shown for box in _places(number, text, size, around)[:places])
    owners = np.repeat(np.array([number for number, _ in shown]), places)
    is_free = _free(boxes, owners, around, taken)
    written: list[str] = []
    kept = np.empty((0, 4))
    for number, (node, text) in enumerate(shown):
        for choice in range(number * places, (number + 1) * places):
            box = boxes[[choice]]
            if is_free[choice] and not overlapping(box, kept).any():
                kept = np.concatenate([kept, box])
                written.append(text)
                _paint(painter, text, box[0], size, float(around.frame.opacity[node]), theme)
                break
    return written


def _size(theme: Theme, scale: float) -> float:
    larger = max(theme.font_size / 10.0, 1.0)
    return min(max(_SIZE * scale, _SMALLEST * larger), _LARGEST * larger)


def _places(number: int, text: str, size: float, around: FreeSpace) -> list[QRectF]:
    """Below, right, left and above of a node."""
    x, y = float(around.x[number]), float(around.y[number])
    half_width, half_height = (part * around.scale for part in extent_of(around.frame.face_at(number).kind))
    width, height = text_width(text, size) + 4.0, 1.15 * size
    left, top = x - width / 2, y - height / 2
    away = _AWAY + height
    return [
        QRectF(left, y + half_height + _AWAY, width, height),
        QRectF(x + half_width + away, top, width, height),
        QRectF(x - half_width - away - width, top, width, height),
        QRectF(left, y - half_height - away - _AWAY, width, height),
    ]


def _free(boxes: Floats, owners: Floats, around: FreeSpace, taken: Sequence[QRectF]) -> Floats:
    """For each rectangle whether it is in view and hides no other node, no edge and nothing that is taken."""
    reach = _NODE * around.scale
    nodes = np.column_stack([around.x - reach, around.y - reach, around.x + reach, around.y + reach])
    hidden = overlapping(boxes, nodes)
    hidden[np.arange(len(boxes)), owners] = False
    room = around.view.adjusted(0.0, around.top_margin, 0.0, 0.0)
    is_seen = (boxes[:, 0] >= room.left()) & (boxes[:, 2] <= room.right())
    is_seen &= (boxes[:, 1] >= room.top()) & (boxes[:, 3] <= room.bottom())
    is_free = is_seen & ~hidden.any(axis=1) & ~crossed(boxes, around.lines()).any(axis=1)
    return np.asarray(is_free & ~overlapping(boxes, boxes_of(taken)).any(axis=1))


def _paint(painter: QPainter, text: str, box: Floats, size: float, opacity: float, theme: Theme) -> None:
    left, top, right, bottom = box.tolist()
    painter.save()
    painter.setOpacity(painter.opacity() * opacity)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.colours.panel))
    painter.drawRoundedRect(QRectF(left, top, right - left, bottom - top), 3.0, 3.0)
    painter.translate((left + right) / 2, (top + bottom) / 2)
    draw_text(painter, text, size, QColor(theme.colours.stuck_text), right - left)
    painter.restore()
