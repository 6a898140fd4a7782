"""The legend of a chart: its entries in as many lines as they need."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpviz.app.plots.figure_looks import look_of, rule_pen
from gpviz.app.theme import Theme
from gpviz.app.tips import plain_tip
from gpviz.experiments.figures.figure import Kind, LegendEntry, RuleKind

__all__ = ["ChartLegend"]

_GAP: Final = 16.0
_MARGIN: Final = 8.0
_SIGNS: Final = {None: 1.3, Kind.BARS: 1.3, Kind.MARKERS: 1.1, Kind.HOLLOW: 1.1}
_LINE: Final = 2.2
"""How wide the signs are, in lines of text: a box and a marker alone are narrower than a line."""


class ChartLegend(QWidget):
    """Line, marker and label of every series."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.entries: tuple[LegendEntry, ...] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName("Legend of the chart")

    def set_entries(self, entries: Sequence[LegendEntry]) -> None:
        """Show these."""
        if tuple(entries) == self.entries:
            return
        self.entries = tuple(entries)
        words = "\n".join(entry.label for entry in entries)
        self.setToolTip(plain_tip(words))
        self.setAccessibleDescription(words.replace("\n", ", "))
        self.updateGeometry()
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Take type and colours from the theme."""
        self._theme = theme
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        lines = self._lines(width)
        return round(len(lines) * self._line_height() + 4) if lines else 0

    def sizeHint(self) -> QSize:
        return QSize(240, self.heightForWidth(max(self.width(), 240)))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, 0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        metrics = QFontMetricsF(self._font())
        height = self._line_height()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(self._font())
            for number, line in enumerate(self._lines(self.width())):
                x, middle = _MARGIN, 2 + (number + 0.5) * height
                for entry in line:
                    sign = self._sign_width(entry)
                    self._paint_sign(painter, entry, QRectF(x, middle - height / 2, sign, height))
                    painter.setPen(QColor(self._theme.colours.text))
                    room = self.width() - x - sign - 6
                    text = metrics.elidedText(entry.label, Qt.TextElideMode.ElideRight, room)
                    box = QRectF(x + sign + 6, middle - height / 2, room, height)
                    painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)
                    x += self._width_of(entry, metrics)

    def _paint_sign(self, painter: QPainter, entry: LegendEntry, box: QRectF) -> None:
        middle = box.center()
        # From the label to the left: so it is a dash, not a gap, that is beside the label.
        ends = QPointF(box.right(), middle.y()), QPointF(box.left(), middle.y())
        size = 0.62 * box.height()
        if isinstance(entry.kind, RuleKind):
            painter.setPen(rule_pen(entry.kind, self._theme, entry.look))
            painter.drawLine(*ends)
            return
        look = look_of(entry.look or 0, self._theme)
        colour = QColor(look.colour)
        if entry.kind in (Kind.BARS, None):
            faint = QColor(colour)
            faint.setAlphaF(0.35)
            painter.setPen(look.thin_pen())
            painter.setBrush(faint)
            painter.drawRect(QRectF(middle.x() - 0.8 * size, middle.y() - size / 2, 1.6 * size, size))
            if entry.kind is None:
                painter.drawLine(
                    QPointF(middle.x(), middle.y() - size / 2), QPointF(middle.x(), middle.y() + size / 2)
                )
            return
        if entry.kind is Kind.BOUND:
            painter.setPen(look.bound_pen())
            painter.drawLine(*ends)
        elif entry.kind in (Kind.LINE, Kind.POINTS):
            painter.setPen(look.pen())
            painter.drawLine(*ends)
        if entry.kind in (Kind.POINTS, Kind.MARKERS):
            look.paint(painter, middle, size, colour)
        elif entry.kind is Kind.HOLLOW:
            look.paint(painter, middle, 1.15 * size, QColor(self._theme.colours.panel))

    def _lines(self, width: float) -> list[list[LegendEntry]]:
        metrics = QFontMetricsF(self._font())
        lines: list[list[LegendEntry]] = []
        left = 0.0
        for entry in self.entries:
            needed = self._width_of(entry, metrics)
            if not lines or needed > left + _GAP:
                lines.append([])
                left = width - 2 * _MARGIN
            lines[-1].append(entry)
            left -= needed
        return lines

    def _width_of(self, entry: LegendEntry, metrics: QFontMetricsF) -> float:
        return self._sign_width(entry) + 6 + metrics.horizontalAdvance(entry.label) + _GAP

    def _font(self):  # type: ignore[no-untyped-def]
        return self._theme.font(0.95)

    def _line_height(self) -> float:
        return 1.25 * QFontMetricsF(self._font()).height()

    def _sign_width(self, entry: LegendEntry) -> float:
        lines = _LINE if isinstance(entry.kind, RuleKind) else _SIGNS.get(entry.kind, _LINE)
        return lines * QFontMetricsF(self._font()).height()
