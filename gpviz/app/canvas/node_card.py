"""The card about a node that is pointed at or selected, and what it says."""

from collections.abc import Callable
from typing import Final

import numpy as np
from PySide6.QtCore import QObject, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gpviz.analysis.redundant_leaves import Analysis
from gpviz.app.canvas.free_space import boxes_of
from gpviz.app.canvas.node_descriptions import node_text, node_title
from gpviz.app.canvas.tree_frame import Floats, Frame, shown_ancestor
from gpviz.app.widgets.themed import Themed
from gpviz.engine import Node

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
        self._title = ""
        self._body = ""
        self._size = QSize()
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

    def place_beside(self, node: QRect, cost: Callable[[Floats], Floats]) -> None:
        """Come to the side of the node where it costs least, and never outside the parent."""
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
        costs = cost(boxes_of(map(QRectF, boxes))) + _COST_PER_PIXEL * np.array(away)
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


class NodeCardController(QObject):
    """The node under the mouse, or else the selected one, has a card beside it."""

    node_asked = Signal(object)
    """Somebody may know more about this node; None when there is no card any more."""
    node_selected = Signal(object)
    text_changed = Signal()

    def __init__(
        self,
        canvas: QWidget,
        locate: Callable[[int], QRectF | None],
        cost: Callable[[Floats], Floats],
    ) -> None:
        """``locate`` says where a node is seen, ``cost`` how much cards at some places would cover."""
        super().__init__(canvas)
        self._canvas = canvas
        self._locate = locate
        self._cost = cost
        self._card = NodeCard(canvas)
        self._tree: Node | None = None
        self._analysis: Analysis | None = None
        self._asked: int | None = None
        self._told = self._extra = ""
        self._is_silent = False
        self._tells_selected = True
        self.hovered: int | None = None
        self.selected: int | None = None

    @property
    def text(self) -> str:
        """What the card says, empty when there is none."""
        return "" if self._card.isHidden() else self._card.text

    @property
    def selected_text(self) -> str:
        """What the card says of the selected node, also where it is not to be seen; empty without one."""
        return self._card.text if self.selected is not None and self._asked == self.selected else ""

    def geometry(self) -> QRect:
        return self._card.geometry()

    def set_analysis(self, analysis: Analysis | None) -> None:
        self._analysis = analysis
        self.refresh()

    def set_tree(self, tree: Node | None, frame: Frame, collapsed: frozenset[int]) -> None:
        """Let go of nodes that are no longer shown; the selection moves to what hides them."""
        self._tree = tree
        if self.selected is not None and self.selected not in frame.index:
            self._select(shown_ancestor(tree, self.selected, collapsed))
        if self.hovered is not None and self.hovered not in frame.index:
            self.hovered = None
        # A node that stays may have another subtree, so it is asked about anew.
        self._ask(self._wanted(), is_anew=True)

    def hover(self, uid: int | None) -> None:
        """The mouse is over this node."""
        if uid != self.hovered:
            self.hovered = uid
            self._canvas.update()
        self._ask(self._wanted())

    def select(self, uid: int | None) -> None:
        """Select this node."""
        self._select(uid)
        self._ask(self._wanted())

    def tell(self, uid: int, text: str) -> None:
        """Say more about a node, if the card is still about it."""
        if uid == self._asked:
            self._told = text
            self.refresh()

    def add(self, uid: int, text: str) -> None:
        """One more line about a node, if the card is still about it."""
        if uid == self._asked and text != self._extra:
            self._extra = text
            self.refresh()

    def set_silent(self, is_silent: bool) -> None:
        """Say only what a node is, and nothing of what becomes of it."""
        if is_silent != self._is_silent:
            self._is_silent = is_silent
            self.refresh()

    def set_selected_told(self, is_told: bool) -> None:
        """Whether the selected node has a card too; beside a preview it would cover what is proposed there."""
        if is_told != self._tells_selected:
            self._tells_selected = is_told
            self._ask(self._wanted())

    def place(self) -> None:
        """Bring the card to where its node is now."""
        place = None if self._asked is None else self._locate(self._asked)
        if place is None or not place.intersects(QRectF(self._canvas.rect())):
            self._card.hide()
        else:
            self._card.place_beside(place.toAlignedRect(), self._cost)

    def _wanted(self) -> int | None:
        if self.hovered is not None:
            return self.hovered
        return self.selected if self._tells_selected else None

    def _select(self, uid: int | None) -> None:
        if uid != self.selected:
            self.selected = uid
            self.node_selected.emit(uid)
            self._canvas.update()

    def _ask(self, uid: int | None, *, is_anew: bool = False) -> None:
        if uid == self._asked and not (is_anew and uid is not None):
            return
        self._asked = uid
        self._told = self._extra = ""
        self.refresh()
        self.node_asked.emit(uid)

    def refresh(self) -> None:
        title = None if self._asked is None else node_title(self._tree, self._asked)
        if title is None or self._asked is None:
            self._card.hide()
            return
        self._card.set_text(title, "" if self._is_silent else self._body(self._asked))
        self.text_changed.emit()
        self.place()

    def _body(self, uid: int) -> str:
        lines = [self._told or node_text(uid, self._analysis), self._extra]
        return "\n".join(line for line in lines if line)
