"""How lanes are told apart wherever they are drawn: a letter, a colour, a shape and a kind of line."""

from dataclasses import dataclass
from math import cos, pi, sin
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpviz.app.theme import Theme, readable_on
from gpviz.app.widgets.themed import Themed

LETTERS: Final = "ABCD"
_COLOURS: Final = ("neutral", "worse", "improved", "or_border")
_LINES: Final = (
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DashLine,
    Qt.PenStyle.DashDotLine,
    Qt.PenStyle.DotLine,
)
_CORNERS: Final = ((0, 0.0), (4, 0.25), (3, 0.5), (4, 0.0))
"""The corners of each shape and the turn of the first, in parts of half a turn; without corners it is round."""


@dataclass(frozen=True, slots=True)
class LaneLook:
    """The looks of one lane."""

    letter: str
    colour: str
    line: Qt.PenStyle
    place: int

    def shape(self, size: float, centre: QPointF | None = None) -> QPolygonF | None:
        """The corners of its shape around a centre; None where it is a disc."""
        count, turn = _CORNERS[self.place]
        if not count:
            return None
        middle = centre or QPointF(0, 0)
        size *= (1.0, 1.18, 1.3, 1.18)[self.place]  # so that all look equally large
        angles = [pi * (turn + 2 * corner / count) for corner in range(count)]
        if count == 3:
            angles = [angle + pi for angle in angles]
            middle = middle + QPointF(0, 0.12 * size)
        return QPolygonF([middle + QPointF(size * cos(angle), size * sin(angle)) for angle in angles])

    def paint(self, painter: QPainter, centre: QPointF, size: float, edge: QColor | None = None) -> None:
        """Paint its shape, so many pixels from its centre to its edge."""
        painter.setBrush(QColor(self.colour))
        painter.setPen(QPen(edge, 1.5) if edge is not None else Qt.PenStyle.NoPen)
        shape = self.shape(size, centre)
        if shape is None:
            painter.drawEllipse(centre, size, size)
        else:
            painter.drawPolygon(shape)

    def pen(self, width: float) -> QPen:
        """The pen of its curve, with a width in pixels."""
        pen = QPen(QColor(self.colour), width, self.line)
        pen.setCosmetic(True)
        return pen


def lane_look(place: int, theme: Theme) -> LaneLook:
    """The looks of the lane at this place, from 0 on."""
    return LaneLook(LETTERS[place], getattr(theme.colours, _COLOURS[place]), _LINES[place], place)


class LaneBadge(Themed, QWidget):
    """The letter of a lane on its shape."""

    def __init__(self, place: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._place = place
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(f"Lane {LETTERS[place]}")

    def sizeHint(self) -> QSize:
        side = round(1.75 * QFontMetricsF(self.theme.font()).height())
        return QSize(side, side)

    def paintEvent(self, _event: QPaintEvent) -> None:
        look = lane_look(self._place, self.theme)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            box = QRectF(self.rect())
            look.paint(painter, box.center(), 0.4 * box.width())
            painter.setFont(self.theme.font(1.0, is_bold=True))
            painter.setPen(readable_on(QColor(look.colour), self.theme))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, look.letter)
