"""A shape and a colour for each outcome of a run: a disc with a tick, a barred square, two bars, a cross."""

from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap, QPolygonF

from gpviz.app.theme import Theme

__all__ = ["ICON_SHAPE", "outcome_icons"]

ICON_SHAPE: Final = 1.5
"""How many times as wide as high they are: on the left is some air, away from the numbers of another column."""

_SIZES: Final = (16, 32, 48)


def outcome_icons(theme: Theme) -> dict[str, QIcon]:
    """The icons by outcome; in a row that is chosen they have the colour of its text."""
    colours = theme.colours
    of_outcome = {
        "solved": colours.solved,
        "stuck": colours.stuck,
        "stopped": colours.plateau,
        "failed": colours.problem,
    }
    icons: dict[str, QIcon] = {}
    for outcome, colour in of_outcome.items():
        made = QIcon()
        for size in _SIZES:
            made.addPixmap(_drawn(outcome, size, colour, colours.field), QIcon.Mode.Normal)
            made.addPixmap(_drawn(outcome, size, colours.accent_text, colours.accent), QIcon.Mode.Selected)
        icons[outcome] = made
    return icons


def _drawn(outcome: str, size: int, colour: str, ground: str) -> QPixmap:
    width = round(ICON_SHAPE * size)
    pixmap = QPixmap(width, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(width - size, 0)
        painter.scale(size / 16, size / 16)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour))
        line = QPen(
            QColor(ground), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
        )
        match outcome:
            case "solved":
                painter.drawEllipse(QRectF(1, 1, 14, 14))
                painter.setPen(line)
                painter.drawPolyline(QPolygonF([QPointF(4.6, 8.4), QPointF(7, 10.8), QPointF(11.4, 5.6)]))
            case "stuck":
                painter.drawRect(QRectF(2, 2, 12, 12))
                painter.setPen(line)
                painter.drawLine(QPointF(5, 8), QPointF(11, 8))
            case "stopped":
                painter.drawRect(QRectF(3.5, 2.5, 3.4, 11))
                painter.drawRect(QRectF(9.1, 2.5, 3.4, 11))
            case _:
                line.setColor(QColor(colour))
                line.setWidthF(2.6)
                painter.setPen(line)
                painter.drawLine(QPointF(3.5, 3.5), QPointF(12.5, 12.5))
                painter.drawLine(QPointF(12.5, 3.5), QPointF(3.5, 12.5))
    return pixmap
