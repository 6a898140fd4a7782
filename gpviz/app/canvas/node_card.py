"""The card about a node that is pointed at or selected."""

from typing import Final

import numpy as np
from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gpviz.app.canvas.free_space import FreeSpace, boxes_of
from gpviz.app.widgets.themed import Themed

_AWAY: Final = 10
_PADDING: Final = 9
_MOST_CHARACTERS_ACROSS: Final = 38
_LONGEST_BODY: Final = 600
_COST_PER_PIXEL: Final = 0.0015
"""What a longer way to its node costs a card, compared with hiding one node."""
_ON_THE_NODE: Final = 30_000.0
_PLACES: Final = 7
_WRAPPED: Final = int(Qt.TextFlag.TextWordWrap)


def _spread(start: int, length: int) -> list[int]:
    """Places along a side of the canvas."""
    return [start + max(length, 0) * number // _PLACES for number in range(_PLACES + 1)]


class NodeCard(Themed, QWidget):
    """A title in bold and lines of text below it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._canvas = parent
        self._title = self._body = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    @property
    def text(self) -> str:
        """All that the card says."""
        return f"{self._title}\n{self._body}" if self._body else self._title

    def set_text(self, title: str, body: str) -> None:
        """Say this; `place_beside` makes the card fit it."""
        self._title = title
        self._body = body if len(body) <= _LONGEST_BODY else f"{body[: _LONGEST_BODY - 1]}…"
        self.update()

    def place_beside(self, node: QRect, around: FreeSpace) -> None:
        """Come to the side of the node where it hides least, and never outside the parent."""
        room = self._canvas.rect().adjusted(4, 4, -4, -4)
        size = self._wanted_size(room.width(), room.height())
        middle = node.center() - QPoint(size.width() // 2, size.height() // 2)
        right, left = node.right() + _AWAY, node.left() - _AWAY - size.width()
        below, above = node.bottom() + _AWAY, node.top() - _AWAY - size.height()
        columns = [left, middle.x(), right, *_spread(room.left(), room.width() - size.width())]
        rows = [above, middle.y(), below, *_spread(room.top(), room.height() - size.height())]
        boxes = [self._inside(room, QPoint(x, y), size) for x in columns for y in rows]
        away = [
            (box.center() - node.center()).manhattanLength() + _ON_THE_NODE * box.intersects(node)
            for box in boxes
        ]
        costs = around.cost_of(boxes_of(map(QRectF, boxes))) + _COST_PER_PIXEL * np.array(away)
        self.setGeometry(boxes[int(costs.argmin())])
        self.raise_()
        self.show()

    @staticmethod
    def _inside(room: QRect, corner: QPoint, size: QSize) -> QRect:
        x = max(min(corner.x(), room.right() + 1 - size.width()), room.left())
        y = max(min(corner.y(), room.bottom() + 1 - size.height()), room.top())
        return QRect(QPoint(x, y), size)

    def _wanted_size(self, most_width: int, most_height: int) -> QSize:
        title = QFontMetrics(self.theme.font(1.0, is_bold=True))
        body = QFontMetrics(self.theme.font(0.95))
        inner = max(min(body.averageCharWidth() * _MOST_CHARACTERS_ACROSS, most_width - 2 * _PADDING), 1)
        box = QRect(0, 0, inner, 100_000)
        parts = [title.boundingRect(box, _WRAPPED, self._title)]
        if self._body:
            parts.append(body.boundingRect(box, _WRAPPED, self._body))
        width = max(part.width() for part in parts) + 2 * _PADDING + 2
        height = sum(part.height() for part in parts) + 2 * _PADDING + (3 if self._body else 0)
        return QSize(min(width, most_width), min(height, most_height))

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = self.theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colours.muted), 1.2 * self.theme.line_scale))
        painter.setBrush(QColor(colours.panel))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1.0, 1.0, -1.0, -1.0), 7.0, 7.0)
        box = self.rect().adjusted(_PADDING, _PADDING, -_PADDING, -_PADDING)
        painter.setPen(QColor(colours.text))
        painter.setFont(self.theme.font(1.0, is_bold=True))
        used = painter.boundingRect(box, _WRAPPED, self._title)
        painter.drawText(box, _WRAPPED, self._title)
        painter.setFont(self.theme.font(0.95))
        painter.drawText(box.adjusted(0, used.height() + 3, 0, 0), _WRAPPED, self._body)
        painter.end()
