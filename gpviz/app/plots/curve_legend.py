"""The legend of the curves: signs and words in a row, as short as the room asks for."""

from collections.abc import Sequence
from enum import Enum, auto
from typing import Final, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QSizePolicy,
    QWidget,
)

from gpviz.app.plots.full_tree_shading import Shades, paint_shades
from gpviz.app.widgets.paint_helpers import faded
from gpviz.app.widgets.themed import Themed
from gpviz.escaping import tooltip_text

_GAP: Final = 14.0
BAND_FILL: Final = 0.1


class Sign(Enum):
    """How a curve is told from the others, besides its colour."""

    LINE = auto()
    DASHED = auto()
    DOTTED = auto()
    DASH_DOTTED = auto()
    HATCHED = auto()
    BAND = auto()
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
    tip: str = ""
    """What the tooltip says about it, in a sentence or more."""


class CurveLegend(Themed, QWidget):
    """Signs and words in a row. Where there is little room the words get shorter, then what is not needed goes;

    the tooltip says everything. If the row is continued in another, the first entries stay and that has the rest.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entries: tuple[LegendEntry, ...] = ()
        self._is_continued = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Legend of the curves")

    def set_entries(self, entries: Sequence[LegendEntry]) -> None:
        """Show these."""
        if self.entries != (shown := tuple(entries)):
            self.entries = shown
            words = ", ".join(entry.text for entry in shown)
            told = "\n".join([words, *(entry.tip for entry in shown if entry.tip)])
            self.setToolTip(tooltip_text(told))
            self.setAccessibleDescription(told)
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(60, round(QFontMetricsF(self.theme.font(0.9)).height()) + 4)

    @property
    def is_cut(self) -> bool:
        """Whether something finds no room in this row."""
        return self._width_of([_shortened(entry) for entry in self.entries]) > self.width()

    def set_continued(self, is_continued: bool) -> None:
        """Whether there is another row for what finds no room here."""
        if is_continued != self._is_continued:
            self._is_continued = is_continued
            self.update()

    def rest(self) -> list[LegendEntry]:
        """What the other row has to tell."""
        return list(self.entries[self._first_row() :]) if self._is_continued else []

    def _first_row(self) -> int:
        """How many of the first entries find room with their short words."""
        counts = range(len(self.entries), 0, -1)
        shortened = [_shortened(entry) for entry in self.entries]
        return next((count for count in counts if self._width_of(shortened[:count]) <= self.width()), 0)

    def shown(self) -> list[LegendEntry]:
        """What finds room, with the words it has room for."""
        entries = list(self.entries[: self._first_row()] if self._is_continued else self.entries)
        # The longest words have most to give.
        for place in sorted(range(len(entries)), key=lambda at: -len(entries[at].text)):
            if self._width_of(entries) <= self.width():
                return entries
            entries[place] = _shortened(entries[place])
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
        if entry.sign is Sign.HATCHED:
            swatch = QRectF(room.left(), centre.y() - 0.3 * room.width(), room.width(), 0.6 * room.width())
            shade = Shades(np.array([swatch.left(), swatch.right()]), np.ones(1))
            paint_shades(painter, shade, swatch.top(), swatch.height(), self.theme)
            painter.setPen(QPen(colour, 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(swatch)
            return
        if entry.sign is Sign.BAND:
            swatch = QRectF(room.left(), centre.y() - 0.3 * room.width(), room.width(), 0.6 * room.width())
            painter.fillRect(swatch, faded(entry.colour, BAND_FILL))
            painter.setPen(QPen(colour, 1, Qt.PenStyle.DotLine))
            painter.drawLine(swatch.topLeft(), swatch.topRight())
            return
        styles = {
            Sign.LINE: Qt.PenStyle.SolidLine,
            Sign.DASHED: Qt.PenStyle.DashLine,
            Sign.DOTTED: Qt.PenStyle.DotLine,
            Sign.DASH_DOTTED: Qt.PenStyle.DashDotLine,
        }
        painter.setPen(QPen(colour, width, styles[entry.sign]))
        painter.drawLine(QPointF(room.left(), centre.y()), QPointF(room.right(), centre.y()))


def _shortened(entry: LegendEntry) -> LegendEntry:
    return entry._replace(text=entry.short or entry.text)
