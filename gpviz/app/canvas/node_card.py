"""The card about a node that is pointed at or selected."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gpviz.app.widgets.themed import Themed

_AWAY: Final = 10
_PADDING: Final = 9
_MOST_CHARACTERS_ACROSS: Final = 38
_LONGEST_BODY: Final = 600
_ON_THE_NODE: Final = 30_000
"""What hiding its own node costs a card, compared with hiding another one."""
_WRAPPED: Final = int(Qt.TextFlag.TextWordWrap)


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

    def place_beside(self, node: QRect, others: Sequence[QRectF]) -> None:
        """Come to the side of the node where it hides fewest others, and never outside the parent."""
        room = self._canvas.rect().adjusted(4, 4, -4, -4)
        size = self._wanted_size(room.width(), room.height())
        middle = node.center() - QPoint(size.width() // 2, size.height() // 2)
        right, left = node.right() + _AWAY, node.left() - _AWAY - size.width()
        below, above = node.bottom() + _AWAY, node.top() - _AWAY - size.height()
        corners = [
            *((right, y) for y in (middle.y(), node.top(), node.bottom() - size.height())),
            *((left, y) for y in (middle.y(), node.top(), node.bottom() - size.height())),
            *((x, y) for y in (below, above) for x in (middle.x(), right, left)),
        ]
        boxes = [self._inside(room, QPoint(x, y), size) for x, y in corners]

        def cost(box: QRect) -> int:
            hidden = sum(QRectF(box).intersects(other) for other in others)
            return hidden + _ON_THE_NODE * box.intersects(node)

        self.setGeometry(min(boxes, key=cost))
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
