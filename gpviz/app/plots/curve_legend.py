"""The legend of the curves: signs, and what they stand for."""

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
_BESIDE_SIGN: Final = 5.0
_TYPE: Final = 0.9
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
    tip: str = ""
    """What the tooltip says about it, in a sentence or more."""


class CurveLegend(Themed, QWidget):
    """Signs and words, in as many rows as they need."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entries: tuple[LegendEntry, ...] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName("Legend of the curves")

    def set_entries(self, entries: Sequence[LegendEntry]) -> None:
        """Show these."""
        if self.entries != (shown := tuple(entries)):
            self.entries = shown
            words = ", ".join(entry.text for entry in shown)
            told = "\n".join([words, *(entry.tip for entry in shown if entry.tip)])
            self.setToolTip(tooltip_text(told))
            self.setAccessibleDescription(told)
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, self.heightForWidth(200))

    def minimumSizeHint(self) -> QSize:
        return QSize(60, round(self._line()))

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        return round(max([place.bottom() for place in self._places(width)], default=self._line()))

    def _line(self) -> float:
        return QFontMetricsF(self.theme.font(_TYPE)).height() + 4

    def _places(self, width: float) -> list[QRectF]:
        """Where each entry is."""
        metrics, line = QFontMetricsF(self.theme.font(_TYPE)), self._line()
        places: list[QRectF] = []
        x, y = 0.0, 0.0
        for entry in self.entries:
            needed = metrics.horizontalAdvance(entry.text) + self._sign_width() + _BESIDE_SIGN + 1
            if x and x + needed > width:
                x, y = 0.0, y + line
            places.append(QRectF(x, y, needed, line))
            x += needed + _GAP
        return places

    def _sign_width(self) -> float:
        return 1.2 * QFontMetricsF(self.theme.font(_TYPE)).height()

    def paintEvent(self, event: QPaintEvent) -> None:
        width = self._sign_width()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(self.theme.font(_TYPE))
            for entry, place in zip(self.entries, self._places(self.width()), strict=True):
                self._paint_sign(painter, entry, QRectF(place.left(), place.top(), width, place.height()))
                painter.setPen(QColor(self.theme.colours.muted))
                words = place.adjusted(width + _BESIDE_SIGN, 0, 0, 0)
                painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, entry.text)

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
