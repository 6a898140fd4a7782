"""What is copied from an atlas many times over: faces, what lies behind them, and the values beside them."""

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from gpviz.app.canvas.faces import Face, Kind
from gpviz.app.canvas.shapes import draw_face, draw_text, extent_of, outline_of
from gpviz.app.theme import Theme

__all__ = ["HEAT_LEVELS", "Blank", "Halo", "Stamp", "ValueBadge", "draw_stamp", "reach_of"]

HEAT_LEVELS: Final = 12
_LEAST_GROWN: Final = 4.0
_MOST_GROWN: Final = 14.0
_RINGS: Final = 9
_BADGE: Final = 8.5
_BADGE_TEXT: Final = 13.0


@dataclass(frozen=True, slots=True)
class Halo:
    """A soft halo to lie behind a face of this kind, from level 1 to `HEAT_LEVELS`."""

    kind: Kind
    level: int

    @property
    def grown(self) -> float:
        """How far it reaches beyond the face."""
        return _LEAST_GROWN + (_MOST_GROWN - _LEAST_GROWN) * self.level / HEAT_LEVELS


@dataclass(frozen=True, slots=True)
class Blank:
    """The place of a face without the face, so that no edge is seen through one that is dimmed."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class ValueBadge:
    """The value of a node: a filled round 1 or a hollow square 0."""

    is_true: bool


Stamp = Face | Halo | Blank | ValueBadge


def reach_of(stamp: Stamp) -> tuple[float, float]:
    """How far a stamp reaches from its centre, across and down, without the width of its lines."""
    if isinstance(stamp, ValueBadge):
        return _BADGE, _BADGE
    if isinstance(stamp, Halo):
        box = outline_of(stamp.kind, stamp.grown).boundingRect()
        return max(-box.left(), box.right()), max(-box.top(), box.bottom())
    return extent_of(stamp.kind)


def draw_stamp(painter: QPainter, stamp: Stamp, theme: Theme, scale: float = 1.0) -> None:
    """Paint a stamp around the origin, in units of the drawing of which each will be ``scale`` pixels."""
    if isinstance(stamp, Face):
        draw_face(painter, stamp, theme, scale)
    elif isinstance(stamp, Halo):
        _draw_halo(painter, stamp, theme)
    elif isinstance(stamp, Blank):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.colours.panel))
        painter.drawPath(outline_of(stamp.kind))
    else:
        _draw_badge(painter, stamp, theme)


def _draw_halo(painter: QPainter, halo: Halo, theme: Theme) -> None:
    """Outlines within each other, each of them faint, and a line near the face."""
    share = halo.level / HEAT_LEVELS
    colour = QColor(theme.colours.improved)
    colour.setAlphaF(0.05 + 0.09 * share)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    for ring in range(_RINGS, 0, -1):
        painter.drawPath(outline_of(halo.kind, halo.grown * ring / _RINGS))
    colour.setAlphaF(0.2 + 0.8 * share)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colour, (0.8 + 2.2 * share) * theme.line_scale))
    painter.drawPath(outline_of(halo.kind, 2.5))


def _draw_badge(painter: QPainter, badge: ValueBadge, theme: Theme) -> None:
    colours = theme.colours
    line = 1.6 * min(theme.line_scale, 1.4)
    radius = _BADGE - line / 2
    box = QRectF(-radius, -radius, 2 * radius, 2 * radius)
    if badge.is_true:
        painter.setPen(QPen(QColor(colours.panel), line))
        painter.setBrush(QColor(colours.text))
        painter.drawEllipse(QPointF(0.0, 0.0), radius, radius)
    else:
        painter.setPen(QPen(QColor(colours.muted), line))
        painter.setBrush(QColor(colours.panel))
        painter.drawRoundedRect(box, 2.5, 2.5)
    ink = QColor(colours.panel if badge.is_true else colours.muted)
    draw_text(painter, "1" if badge.is_true else "0", _BADGE_TEXT, ink, 2 * radius, -0.6)
