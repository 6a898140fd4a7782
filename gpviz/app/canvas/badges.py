"""The badges of the verdicts: a symbol each, so that nobody has to tell them by colour."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter

from gpviz.app.canvas.shapes import fill_text, text_path
from gpviz.app.theme import FONT_FAMILY, Theme
from gpviz.engine import Verdict
from gpviz.record.telling import VERDICT_SYMBOLS

__all__ = ["contrast", "draw_badge", "pixel_font", "readable_on"]


def draw_badge(painter: QPainter, verdict: Verdict | None, box: QRectF, theme: Theme) -> None:
    """Paint a verdict's badge into a square: round for what was accepted, square for what was rejected.

    A verdict that nobody is told yet, None, is a question mark on a shape between the two.
    """
    colours = theme.colours
    colour = QColor(colours.accent if verdict is None else colours.of_verdict(verdict))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    corner = box.width() * (0.36 if verdict is None else 0.5 if verdict.is_accepted else 0.22)
    painter.drawRoundedRect(box, corner, corner)
    symbol = "?" if verdict is None else VERDICT_SYMBOLS[verdict]
    bounds = text_path(symbol)[1]
    scale = min(box.width() * 0.58 / bounds.width(), box.height() * 0.55 / bounds.height())
    painter.save()
    painter.translate(box.center())
    painter.scale(scale, scale)
    painter.translate(QPointF(0.0, 0.0) - bounds.center())
    fill_text(painter, symbol, readable_on(colour, theme))
    painter.restore()


def readable_on(colour: QColor, theme: Theme) -> QColor:
    """The darker or the lighter one of the theme's text and panel, whichever stands out from this colour."""
    text, panel = QColor(theme.colours.text), QColor(theme.colours.panel)
    return max((panel, text), key=lambda ink: contrast(colour, ink))


def contrast(one: QColor, other: QColor) -> float:
    """How well two colours can be told apart, from 1 to 21, as the guidelines for web content define it."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def pixel_font(theme: Theme, scale: float = 1.0, *, is_bold: bool = False) -> QFont:
    """The theme's font by pixels, which are the same on a screen, in a picture file and on paper."""
    font = QFont(FONT_FAMILY)
    font.setPixelSize(max(round(theme.font_size * scale * 4 / 3), 1))
    font.setBold(is_bold)
    return font


def _luminance(colour: QColor) -> float:
    parts = (colour.redF(), colour.greenF(), colour.blueF())
    red, green, blue = (part / 12.92 if part <= 0.04 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
