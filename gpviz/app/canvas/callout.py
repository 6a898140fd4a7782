"""The callout of a step: its verdict, its operands and what came of them, in free space beside the tree."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from gpviz.app.canvas.free_space import HIDING, FreeSpace, LastFound
from gpviz.app.canvas.node_shapes import draw_badge, pixel_font
from gpviz.app.theme import Theme
from gpviz.engine import Verdict
from gpviz.explain.step_text import Callout

_FAR_AWAY: Final = 60.0
"""In pixels: before a callout goes further away, its words may stand on two lines."""


class _Type:
    """How large the parts of a callout are in a theme."""

    def __init__(self, theme: Theme) -> None:
        self.bold, self.plain = pixel_font(theme, 1.0, is_bold=True), pixel_font(theme, 1.0)
        self.gap = 0.55 * self.plain.pixelSize()
        self.badge = 1.45 * self.plain.pixelSize()

    def width(self, head: str, tail: str = "") -> float:
        """Of a line that begins in bold."""
        used = QFontMetricsF(self.bold).horizontalAdvance(head)
        return used + (QFontMetricsF(self.plain).horizontalAdvance(f" {tail}") if tail else 0.0)

    def box(self, lines: Sequence[tuple[str, str]]) -> tuple[float, float]:
        """The width and the height of the whole."""
        width = max(self.width(*line) for line in lines)
        height = self.badge + self.gap + (len(lines) - 1) * QFontMetricsF(self.plain).lineSpacing()
        return self.gap * 0.5 + self.badge + self.gap + width + 1.2 * self.gap, height


def _lines(callout: Callout, *, is_divided: bool) -> list[tuple[str, str]]:
    """The words on one line or on two, each with its bold beginning."""
    tail = " · ".join(filter(None, (callout.outcome, callout.word)))
    if is_divided and tail:
        return [(callout.operation, callout.operands), ("", tail)]
    return [(callout.operation, f"{callout.operands} · {tail}" if tail else callout.operands)]


class Place(NamedTuple):
    """Where a callout stands, and whether its words are on two lines."""

    box: QRectF
    is_divided: bool
    cost: float

    @property
    def is_free(self) -> bool:
        """Whether it hides nothing there."""
        return self.cost < HIDING


_last_places: Final = LastFound[tuple[QRectF, float]]()


def callout_place(
    callout: Callout, marked: Sequence[QRectF], taken: Sequence[QRectF], around: FreeSpace, theme: Theme
) -> Place:
    """Where a callout about what is marked stands; on two lines where one has no room, or only far away."""
    kind = _Type(theme)
    most = around.room.width()

    def placed(*, is_divided: bool) -> Place:
        width, height = kind.box(_lines(callout, is_divided=is_divided))
        size = (min(width, most), height)
        key = (
            size,
            tuple(box.getRect() for box in marked),
            tuple(box.getRect() for box in taken),
            around.key,
        )
        box, cost = _last_places.of(key, lambda: around.best_place(*size, marked, taken))
        return Place(QRectF(box), is_divided, cost + (HIDING if width > most else 0.0))

    whole = placed(is_divided=False)
    if whole.cost <= _FAR_AWAY:
        return whole
    divided = placed(is_divided=True)
    return divided if divided.cost < whole.cost - _FAR_AWAY / 2 else whole


def callout_height(theme: Theme) -> float:
    """How high a callout is that is on two lines, in pixels."""
    return _Type(theme).box([("", "")] * 2)[1]


def paint_callout(
    painter: QPainter,
    callout: Callout,
    verdict: Verdict | None,
    place: Place,
    colour: QColor,
    theme: Theme,
) -> None:
    """The badge and the words in a pill at this place."""
    kind = _Type(theme)
    colours, box = theme.colours, place.box
    painter.setBrush(QColor(colours.panel))
    painter.setPen(QPen(colour, 1.8 * theme.line_scale))
    corner = (kind.badge + kind.gap) / 2.4
    painter.drawRoundedRect(box, corner, corner)
    square = QRectF(box.left() + kind.gap / 2, box.center().y() - kind.badge / 2, kind.badge, kind.badge)
    draw_badge(painter, verdict, square, theme)
    painter.setPen(QColor(colours.text))
    left = box.left() + kind.gap * 1.5 + kind.badge
    lines = _lines(callout, is_divided=place.is_divided)
    spacing = QFontMetricsF(kind.plain).lineSpacing()
    metrics = QFontMetricsF(kind.bold)
    base = box.center().y() + (metrics.ascent() - metrics.descent()) / 2 - (len(lines) - 1) * spacing / 2
    for number, (head, tail) in enumerate(lines):
        start = QPointF(left, base + number * spacing)
        painter.setFont(kind.bold)
        painter.drawText(start, head)
        painter.setFont(kind.plain)
        start += QPointF(metrics.horizontalAdvance(f"{head} " if head else ""), 0.0)
        room = box.right() - kind.gap / 2 - start.x()
        painter.drawText(start, QFontMetricsF(kind.plain).elidedText(tail, Qt.TextElideMode.ElideRight, room))
