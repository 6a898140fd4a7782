"""How the series of a chart are told apart: by colour, by kind of line and by marker."""

from dataclasses import dataclass
from typing import Final

from pyqtgraph.graphicsItems.ScatterPlotItem import Symbols
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from gpviz.app.theme import Theme
from gpviz.experiments.figures.figure import RuleKind

__all__ = ["SeriesLook", "look_of", "rule_pen"]

_COLOURS: Final = ("curve", "worse", "improved", "or_fill", "stuck", "neutral", "text", "edge")
_LINES: Final = (
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DashLine,
    Qt.PenStyle.DashDotLine,
    Qt.PenStyle.DotLine,
    Qt.PenStyle.DashDotDotLine,
)
_SYMBOLS: Final = ("o", "s", "t1", "d", "p", "t", "star", "h")
_RULES: Final = {
    RuleKind.MEAN: ("text", Qt.PenStyle.SolidLine, 2.0),
    RuleKind.MEDIAN: ("text", Qt.PenStyle.DashLine, 2.0),
    RuleKind.PAPER: ("worse", Qt.PenStyle.DotLine, 3.0),
    RuleKind.LEVEL: ("muted", Qt.PenStyle.DotLine, 1.4),
}


@dataclass(frozen=True, slots=True)
class SeriesLook:
    """The looks of one series in a theme."""

    colour: str
    line: Qt.PenStyle
    symbol: str
    line_scale: float

    def pen(self, width: float = 2.2) -> QPen:
        """The pen of its line."""
        return _pen(self.colour, self.line, width * self.line_scale)

    def thin_pen(self) -> QPen:
        """The pen of its error bars and boxes."""
        return _pen(self.colour, Qt.PenStyle.SolidLine, 1.4 * self.line_scale)

    def bound_pen(self) -> QPen:
        """The pen of what was proven for it."""
        return _pen(self.colour, Qt.PenStyle.DotLine, 1.6 * self.line_scale)

    def paint(self, painter: QPainter, centre: QPointF, size: float, inside: QColor) -> None:
        """Paint its marker, this large."""
        painter.save()
        painter.translate(centre)
        painter.scale(size, size)
        painter.setBrush(inside)
        pen = QPen(QColor(self.colour), 1.8 * self.line_scale)
        pen.setCosmetic(True)
        painter.setPen(pen)
        painter.drawPath(Symbols[self.symbol])
        painter.restore()


def look_of(place: int, theme: Theme) -> SeriesLook:
    """The looks of the series at this place."""
    colour = getattr(theme.colours, _COLOURS[place % len(_COLOURS)])
    return SeriesLook(colour, _LINES[place % len(_LINES)], _SYMBOLS[place % len(_SYMBOLS)], theme.line_scale)


def rule_pen(kind: RuleKind, theme: Theme, look: int | None = None) -> QPen:
    """The pen of a line across a panel."""
    name, style, width = _RULES[kind]
    colour = getattr(theme.colours, name) if look is None else look_of(look, theme).colour
    return _pen(colour, style, width * theme.line_scale)


def _pen(colour: str, style: Qt.PenStyle, width: float) -> QPen:
    pen = QPen(QColor(colour), width)
    pen.setStyle(style)
    pen.setCosmetic(True)
    return pen
