"""A row of widgets that goes on in the next line where it is full."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget, QWidgetItem


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
