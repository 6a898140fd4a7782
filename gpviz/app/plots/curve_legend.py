"""The legend of the curves: a sign and a word for each of them, in as many lines as their width needs."""

from collections.abc import Sequence
from enum import Enum, auto
from typing import Final, NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpviz.app.widgets.themed import Themed

__all__ = ["CurveLegend", "LegendEntry", "Sign"]

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
    short: str = ""
    """What else it may be called where there is little room."""
    is_needed: bool = True
    """Whether it stays when even the short names find no room."""


class CurveLegend(Themed, QWidget):
    """Signs and words in a row. Where there is little room the words get shorter, then what is not needed goes;

    the tooltip says everything.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[LegendEntry, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("CurveLegend of the curves")

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

    def sizeHint(self) -> QSize:
        return QSize(200, self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(60, round(QFontMetricsF(self.theme.font(0.9)).height()) + 4)

    def shown(self) -> list[LegendEntry]:
        """What finds room, with the words it has room for."""
        entries = list(self._entries)
        # The longest words have most to give.
        for place in sorted(range(len(entries)), key=lambda at: -len(entries[at].text)):
            if self._width_of(entries) <= self.width():
                return entries
            entry = entries[place]
            entries[place] = entry._replace(text=entry.short or entry.text)
        for entry in [entry for entry in reversed(entries) if not entry.is_needed]:
            if self._width_of(entries) > self.width():
                entries.remove(entry)
        while self._width_of(entries) > self.width():
            entries.pop()
        return entries

    def _width_of(self, entries: Sequence[LegendEntry]) -> float:
        metrics = QFontMetricsF(self.theme.font(0.9))
        sign_width = metrics.height() * 1.2 + 5 + 1 + _GAP
        return 2.0 + sum(sign_width + metrics.horizontalAdvance(entry.text) for entry in entries) - _GAP

    def paintEvent(self, event: QPaintEvent) -> None:
        font = self.theme.font(0.9)
        metrics = QFontMetricsF(font)
        sign_width = metrics.height() * 1.2
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(font)
            x = 2.0
            for entry in self.shown():
                width = metrics.horizontalAdvance(entry.text)
                self._paint_sign(painter, entry, QRectF(x, 0, sign_width, self.height()))
                painter.setPen(QColor(self.theme.colours.muted))
                room = QRectF(x + sign_width + 5, 0, width + 1, self.height())
                painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, entry.text)
                x = room.right() + _GAP

    def _paint_sign(self, painter: QPainter, entry: LegendEntry, room: QRectF) -> None:
        colour = QColor(entry.colour)
        width = 2.0 * self.theme.line_scale
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
