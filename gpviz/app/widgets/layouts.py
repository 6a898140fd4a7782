"""How widgets are arranged: rows, columns, lines that wrap, and a scroll area for wrapped sentences."""

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLayout,
    QLayoutItem,
    QScrollArea,
    QVBoxLayout,
    QWidget,
    QWidgetItem,
)

Margins = tuple[int, int, int, int]
Part = QWidget | QLayout | tuple[QWidget | QLayout, int] | int | None
"""Something in a row or a column, which may have a share of the free space; None is the free space itself.

A number is a gap of so many pixels.
"""

NO_LIMIT: Final = 16_777_215
"""The largest size that Qt knows."""
_LOW_SCREEN: Final = 820


def row_of(*parts: Part, spacing: int | None = None) -> QHBoxLayout:
    """These beside each other."""
    layout = QHBoxLayout()
    _fill(layout, parts, spacing)
    return layout


def column_of(*parts: Part, spacing: int | None = None) -> QVBoxLayout:
    """These below each other."""
    layout = QVBoxLayout()
    _fill(layout, parts, spacing)
    return layout


def row_in(
    parent: QWidget, *parts: Part, spacing: int | None = None, margins: Margins = (0, 0, 0, 0)
) -> QHBoxLayout:
    """A row that fills a widget but for its margins: left, top, right and bottom."""
    layout = QHBoxLayout(parent)
    layout.setContentsMargins(*margins)
    _fill(layout, parts, spacing)
    return layout


def column_in(
    parent: QWidget, *parts: Part, spacing: int | None = None, margins: Margins = (0, 0, 0, 0)
) -> QVBoxLayout:
    """A column that fills a widget but for its margins: left, top, right and bottom."""
    layout = QVBoxLayout(parent)
    layout.setContentsMargins(*margins)
    _fill(layout, parts, spacing)
    return layout


def turn_to_shape(layout: QBoxLayout, size: QSize, least: float = 1.0) -> bool:
    """Put the parts of a row below each other where the height is at least this share of the width.

    Whether they are so now.
    """
    is_upright = size.height() > least * size.width()
    wanted = QBoxLayout.Direction.TopToBottom if is_upright else QBoxLayout.Direction.LeftToRight
    if layout.direction() is not wanted:
        layout.setDirection(wanted)
    return is_upright


def _fill(layout: QBoxLayout, parts: Iterable[Part], spacing: int | None) -> None:
    if spacing is not None:
        layout.setSpacing(spacing)
    for each in parts:
        part, share = each if isinstance(each, tuple) else (each, 0)
        if isinstance(part, QWidget):
            layout.addWidget(part, share)
        elif isinstance(part, int):
            layout.addSpacing(part)
        elif part is not None:
            layout.addLayout(part, share)
        else:
            layout.addStretch(1)


def take_pleasant_size(window: QWidget, width: int, height: int, share_of_width: float = 1.0) -> None:
    """Make a window this large, as far as the screen has room; it has all of a low screen."""
    screen = window.screen().availableGeometry()
    window.resize(
        min(width, round(share_of_width * screen.width())), min(height, round(0.92 * screen.height()))
    )
    if screen.height() < _LOW_SCREEN:
        window.setWindowState(Qt.WindowState.WindowMaximized)


class WrappingScrollArea(QScrollArea):
    """Scrolls up and down only.

    Qt's own area asks for the height that sentences have in the narrowest column, and so scrolls for nothing.
    """

    def __init__(self, widget: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(widget)
        widget.installEventFilter(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest and watched is self.widget():
            self._fit()
        return super().eventFilter(watched, event)

    def height_for(self, width: int) -> int:
        """The height that everything in it has in this width."""
        widget = self.widget()
        layout = None if widget is None else widget.layout()
        if layout is None:
            return 0
        has_sentences = layout.hasHeightForWidth()
        return layout.totalHeightForWidth(width) if has_sentences else layout.totalMinimumSize().height()

    def _fit(self) -> None:
        widget, size = self.widget(), self.viewport().size()
        if widget is not None:
            widget.resize(size.width(), max(self.height_for(size.width()), size.height()))


class FlowLayout(QLayout):
    """Lays its widgets out like text, each as wide as it likes.

    One that stretches needs only its least width, and takes what its line has left.
    """

    def __init__(self, gap: int = 6, line_gap: int = 4, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._stretching: set[int] = set()
        self._gap = gap
        self._line_gap = line_gap
        self.setContentsMargins(0, 0, 0, 0)

    def add(self, widget: QWidget, *, stretches: bool = False) -> None:
        """Put a widget at the end."""
        if stretches:
            self._stretching.add(len(self._items))
        self.addChildWidget(widget)
        self.addItem(QWidgetItem(widget))

    def addItem(self, item: QLayoutItem) -> None:  # noqa: N802
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # noqa: N802
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # noqa: N802
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:  # noqa: N802
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        return self._arrange(QRect(0, 0, width, 0), moves=False)

    def setGeometry(self, rect: QRect) -> None:  # noqa: N802
        super().setGeometry(rect)
        self._arrange(rect, moves=True)

    def sizeHint(self) -> QSize:
        shown = [(index, item) for index, item in enumerate(self._items) if not item.isEmpty()]
        width = sum(self._width(index, item) for index, item in shown) + self._gap * max(0, len(shown) - 1)
        return QSize(width, max((item.sizeHint().height() for _, item in shown), default=0))

    def minimumSize(self) -> QSize:  # noqa: N802
        sizes = [item.minimumSize() for item in self._items if not item.isEmpty()]
        return QSize(
            max((size.width() for size in sizes), default=0),
            max((size.height() for size in sizes), default=0),
        )

    def _arrange(self, rect: QRect, *, moves: bool) -> int:
        """The height of all lines; with ``moves`` the widgets are moved there."""
        top = rect.y()
        for line in self._lines(rect.width()):
            height = max(item.sizeHint().height() for _, item in line)
            if moves:
                self._move_line(line, rect, top, height)
            top += height + self._line_gap
        return max(0, top - rect.y() - self._line_gap)

    def _width(self, index: int, item: QLayoutItem) -> int:
        size = item.minimumSize() if index in self._stretching else item.sizeHint()
        return size.width()

    def _lines(self, width: int) -> list[list[tuple[int, QLayoutItem]]]:
        lines: list[list[tuple[int, QLayoutItem]]] = []
        used = 0
        for index, item in enumerate(self._items):
            if item.isEmpty():
                continue
            own = self._width(index, item)
            if lines and used + self._gap + own <= width:
                lines[-1].append((index, item))
                used += self._gap + own
            else:
                lines.append([(index, item)])
                used = own
        return lines

    def _move_line(self, line: list[tuple[int, QLayoutItem]], rect: QRect, top: int, height: int) -> None:
        widths = [min(self._width(index, item), rect.width()) for index, item in line]
        spare = rect.width() - sum(widths) - self._gap * (len(line) - 1)
        takers = [number for number, (index, _) in enumerate(line) if index in self._stretching]
        for number in takers:
            widths[number] += max(0, spare) // len(takers)
        left = rect.x()
        for (_, item), width in zip(line, widths, strict=True):
            item.setGeometry(QRect(QPoint(left, top), QSize(width, height)))
            left += width + self._gap
