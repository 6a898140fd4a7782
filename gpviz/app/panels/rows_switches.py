"""A switch for each variable, to choose a row of the truth table by hand."""

from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gpviz.app.theme import Theme, load_theme
from gpviz.engine import UNICODE

__all__ = ["RowSwitches"]

_Index = QModelIndex | QPersistentModelIndex


class _Switches(QAbstractListModel):
    """The variables and their values; without a row all would be 1."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.n = 0
        self.mask: int | None = None

    def rowCount(self, parent: _Index | None = None) -> int:  # noqa: N802
        return 0 if parent is not None and parent.isValid() else self.n

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        name, value = UNICODE.variable(index.row() + 1), int(self.is_on(index.row()))
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{name} = {value}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{name} is {value}; a click or Space makes it {1 - value}."
        return None

    def is_on(self, row: int) -> bool:
        """Whether the variable in this row is 1."""
        return self.mask is None or bool(self.mask >> row & 1)

    def set_n(self, n: int) -> None:
        """Have this many switches."""
        if n != self.n:
            self.beginResetModel()
            self.n = n
            self.endResetModel()

    def set_mask(self, mask: int | None) -> None:
        """Show this row."""
        if mask != self.mask:
            self.mask = mask
            if self.n:
                self.dataChanged.emit(self.index(0), self.index(self.n - 1))


class _Painter(QStyledItemDelegate):
    """Paints a switch as a pill: filled for 1, hollow for 0, with the value in words as well."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.theme = load_theme("light")
        self.widest = "x₁ = 0"

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        metrics = QFontMetrics(self.theme.font(0.9))
        return QSize(
            metrics.horizontalAdvance(self.widest) + metrics.height(), round(metrics.height() * 1.5) + 2
        )

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        colours = self.theme.colours
        model: Any = index.model()
        options: Any = option  # the type hints leave out what its base class has
        is_on, is_chosen = model.is_on(index.row()), model.mask is not None
        has_focus = bool(options.state & QStyle.StateFlag.State_HasFocus)
        is_pointed_at = bool(options.state & QStyle.StateFlag.State_MouseOver)
        pill = QRectF(options.rect).adjusted(2, 2, -2, -2)
        fill, text = (colours.accent, colours.accent_text) if is_on and is_chosen else ("", colours.text)
        if not is_chosen:
            text = colours.muted
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = colours.accent if has_focus or is_pointed_at or fill else colours.border
        if has_focus:
            painter.setPen(QPen(QColor(colours.text if fill else colours.accent), 2))
        else:
            painter.setPen(QPen(QColor(frame), 1))
        painter.setBrush(QColor(fill) if fill else QColor(colours.panel))
        painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2)
        painter.setFont(self.theme.font(0.9))
        painter.setPen(QColor(text))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, index.data())
        painter.restore()


class RowSwitches(QListView):
    """The switches, in as many lines as there is need for. Turning one tells the row that is then chosen."""

    row_switched = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._switches = _Switches(self)
        self._painter = _Painter(self)
        self.setModel(self._switches)
        self.setItemDelegate(self._painter)
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setSelectionMode(QListView.SelectionMode.NoSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setStyleSheet("QListView { border: none; background: transparent; padding: 0px; }")
        self.setAccessibleName("Switches of the variables")
        self.setToolTip(
            "Choose a row by hand: a click or Space turns a variable, the arrow keys go to another."
        )
        self.clicked.connect(self._on_clicked)

    def set_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self._painter.theme = theme
        self.scheduleDelayedItemsLayout()
        self.updateGeometry()

    def set_n(self, n: int) -> None:
        """Have a switch for each of n variables."""
        self._painter.widest = f"{UNICODE.variable(n)} = 0"
        self._switches.set_n(n)

    def set_row(self, mask: int | None) -> None:
        """Show the values of this row."""
        self._switches.set_mask(mask)

    def turn(self, variable: int) -> None:
        """Turn the switch of a variable; if no row is chosen, all others are 1."""
        mask = (1 << self._switches.n) - 1 if self._switches.mask is None else self._switches.mask
        self.row_switched.emit(mask ^ (1 << (variable - 1)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter) and index.isValid():
            self.turn(index.row() + 1)
        elif event.key() == Qt.Key.Key_Escape and self._switches.mask is not None:
            self.row_switched.emit(None)
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(200, 2 * self.sizeHintForRow(0) + 2 * self.frameWidth() + 8)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHintForRow(0) + 2 * self.frameWidth() + 8)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self.turn(index.row() + 1)
