"""The readout of a plot: the values under the mouse on a small card."""

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gpviz.app.widgets.themed import Themed

__all__ = ["Readout"]

_PADDING = 6


class Readout(Themed, QWidget):
    """A card with one line of text."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._text = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName("Values under the mouse")
        self.hide()

    @property
    def text(self) -> str:
        """What it says."""
        return self._text

    def show_text(self, text: str, room: QRect) -> None:
        """Show the text at the left of this room."""
        self._text = text
        self.setAccessibleDescription(text)
        self.setGeometry(
            QRect(room.topLeft(), QSize(min(self.sizeHint().width(), room.width()), room.height()))
        )
        self.raise_()
        self.show()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.theme.font(0.9))
        return QSize(metrics.horizontalAdvance(self._text) + 2 * _PADDING + 2, metrics.height() + _PADDING)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = self.theme.colours
        font = self.theme.font(0.9)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            card = QColor(colours.field)
            painter.setBrush(card)
            painter.setPen(QPen(QColor(colours.border), 1))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
            painter.setFont(font)
            painter.setPen(QColor(colours.text))
            room = self.rect().adjusted(_PADDING, 0, -_PADDING, 0)
            text = QFontMetrics(font).elidedText(self._text, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
