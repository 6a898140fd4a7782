"""The list of what can be taken away: each thing with its sign, its name, and what it is in a few words."""

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from gpviz.app.exporting.wording import KINDS
from gpviz.app.icons import icon
from gpviz.app.theme import Theme
from gpviz.export.request import What

__all__ = ["KindsList"]

_EXPLANATION: Final = Qt.ItemDataRole.UserRole + 1
_CHOSEN_ICON: Final = Qt.ItemDataRole.UserRole + 2
_MARGIN: Final = 8
_ICON_GAP: Final = 10
_LINE_LENGTH: Final = 44
"""How many letters of an explanation are to fit on a line."""
_LEAST_SHARE: Final = 0.65
"""On a narrow screen the explanations take more lines, and leave the room to the fields."""


class _Delegate(QStyledItemDelegate):
    """Paints an item with its explanation below its name, in as many lines as it needs."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._colours = theme.colours

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        rect = option.rect
        colours = self._colours
        backdrop = QStyleOptionViewItem(option)
        option.widget.style().drawControl(
            QStyle.ControlElement.CE_ItemViewItem, backdrop, painter, option.widget
        )
        size = _icon_size(option.fontMetrics)
        sign = index.data(_CHOSEN_ICON if is_chosen else Qt.ItemDataRole.DecorationRole)
        top = rect.top() + (rect.height() - size) // 2
        sign.paint(painter, QRect(rect.left() + _MARGIN, top, size, size))
        title, explanation = _places(option.fontMetrics, rect.width(), index.data(_EXPLANATION))
        title.translate(rect.topLeft())
        explanation.translate(rect.topLeft())
        painter.save()
        painter.setFont(_bold(option.font))
        painter.setPen(QColor(colours.accent_text if is_chosen else colours.text))
        painter.drawText(title, Qt.AlignmentFlag.AlignLeft, index.data(Qt.ItemDataRole.DisplayRole))
        painter.setFont(option.font)
        painter.setPen(QColor(colours.accent_text if is_chosen else colours.muted))
        painter.drawText(explanation, int(Qt.TextFlag.TextWordWrap), index.data(_EXPLANATION))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        width = option.widget.viewport().width() if isinstance(option.widget, QListView) else 0
        return QSize(0, _height(option.fontMetrics, width, index.data(_EXPLANATION)))


class KindsList(QListWidget):
    """One of the things is always chosen; the arrow keys and the first letters of a name choose another."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("What to take away")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setItemDelegate(_Delegate(theme, self))
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        colours = theme.colours
        for what, (name, explanation) in KINDS.items():
            item = QListWidgetItem(icon(f"export-{what}", theme), name)
            item.setData(Qt.ItemDataRole.UserRole, what.value)
            item.setData(_EXPLANATION, explanation)
            item.setData(_CHOSEN_ICON, icon(f"export-{what}", theme, colours.accent_text))
            item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, explanation)
            item.setToolTip(explanation)
            self.addItem(item)

    def what(self) -> What:
        """The thing that is chosen."""
        return What(self.currentItem().data(Qt.ItemDataRole.UserRole))

    def choose(self, what: What) -> None:
        """Choose a thing."""
        self.setCurrentRow(list(KINDS).index(what))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()  # how high an item is depends on how wide it is

    def sizeHint(self) -> QSize:
        """Wide enough for a line, and as high as everything in it."""
        self.ensurePolished()
        metrics = self.fontMetrics()
        width = _LINE_LENGTH * metrics.averageCharWidth() + _indent(metrics)
        height = sum(_height(metrics, width, explanation) for _, explanation in KINDS.values())
        return QSize(width + 3 * _MARGIN, height + 2 * _MARGIN)

    def minimumSizeHint(self) -> QSize:
        width = round(_LEAST_SHARE * self.sizeHint().width())
        return QSize(width, 6 * self.fontMetrics().lineSpacing())


def _bold(font: QFont) -> QFont:
    bold = QFont(font)
    bold.setBold(True)
    return bold


def _icon_size(metrics: QFontMetrics) -> int:
    return round(1.6 * metrics.height())


def _indent(metrics: QFontMetrics) -> int:
    return _MARGIN + _icon_size(metrics) + _ICON_GAP


def _height(metrics: QFontMetrics, width: int, explanation: str) -> int:
    return _places(metrics, width, explanation)[1].bottom() + _MARGIN


def _places(metrics: QFontMetrics, width: int, explanation: str) -> tuple[QRect, QRect]:
    """Where the name and the explanation go in an item of this width, from its corner."""
    left = _indent(metrics)
    room = max(width - left - _MARGIN, 1)
    title = QRect(left, _MARGIN - 2, room, metrics.lineSpacing())
    below = QRect(left, title.bottom() + 2, room, 10_000)
    place = metrics.boundingRect(below, int(Qt.TextFlag.TextWordWrap), explanation)
    place.setWidth(room)
    return title, place
