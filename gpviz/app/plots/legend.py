"""The legend of the curves: a sign and a word for each of them, in as many lines as their width needs."""

from collections.abc import Sequence
from enum import Enum, auto
from typing import Final, NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpviz.app.theme import Theme

__all__ = ["Legend", "LegendEntry", "Sign"]

_GAP: Final = 14.0


class Sign(Enum):
    """How a curve is told from the others, besides its colour."""

    LINE = auto()
    DASHED = auto()
    DOTTED = auto()
    DISC = auto()
    SQUARE = auto()


class LegendEntry(NamedTuple):
    """A sign, its colour, and what it stands for."""

    sign: Sign
    colour: str
    text: str


class Legend(QWidget):
    """Signs and words in a row; those that find no room are left to the tooltip."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._entries: tuple[LegendEntry, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Legend of the curves")

    @property
    def entries(self) -> tuple[LegendEntry, ...]:
        """What it shows."""
        return self._entries

    def set_entries(self, entries: Sequence[LegendEntry]) -> None:
        """Show these."""
        if self._entries != (shown := tuple(entries)):
            self._entries = shown
            words = ", ".join(entry.text for entry in shown)
            self.setToolTip(words)
            self.setAccessibleDescription(words)
            self.update()

    def set_theme(self, theme: Theme) -> None:
        """Take type and colours from the theme."""
        self._theme = theme
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(60, round(QFontMetricsF(self._theme.font(0.9)).height()) + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        font = self._theme.font(0.9)
        metrics = QFontMetricsF(font)
        sign_width = metrics.height() * 1.2
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(font)
            x = 2.0
            for entry in self._entries:
                width = metrics.horizontalAdvance(entry.text)
                if x + sign_width + 5 + width > self.width():
                    break
                self._paint_sign(painter, entry, QRectF(x, 0, sign_width, self.height()))
                painter.setPen(QColor(self._theme.colours.muted))
                room = QRectF(x + sign_width + 5, 0, width + 1, self.height())
                painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, entry.text)
                x = room.right() + _GAP

    def _paint_sign(self, painter: QPainter, entry: LegendEntry, room: QRectF) -> None:
        colour = QColor(entry.colour)
        width = 2.0 * self._theme.line_scale
        centre = room.center()
        if entry.sign in (Sign.DISC, Sign.SQUARE):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            size = 1.8 * width
            if entry.sign is Sign.DISC:
                painter.drawEllipse(centre, size, size)
            else:
                painter.drawRect(QRectF(centre - QPointF(width, width), centre + QPointF(width, width)))
            return
        styles = {
            Sign.LINE: Qt.PenStyle.SolidLine,
            Sign.DASHED: Qt.PenStyle.DashLine,
            Sign.DOTTED: Qt.PenStyle.DotLine,
        }
        painter.setPen(QPen(colour, width, styles[entry.sign]))
        painter.drawLine(QPointF(room.left(), centre.y()), QPointF(room.right(), centre.y()))
