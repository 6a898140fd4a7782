"""The histogram of error changes: how likely the next mutation makes the error how much smaller or larger."""

from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gpviz.app.theme import Theme, load_theme
from gpviz.engine import Verdict
from gpviz.record.surroundings import Bin, Prospects, amount_text, bins_of, chance_text, exact_text
from gpviz.record.telling import number_text

__all__ = ["ChangeHistogram", "bin_text", "fitting_text"]

_LEAST: Final = 2.0
"""In pixels: how high the smallest positive bar is."""
_WIDEST: Final = 64.0
_CLEAR: Final = 6.0
_LINES: Final = 3.4
"""How many lines of type it is high at least."""
_ROOMY: Final = 5.5
"""From how many lines on one of them can go to a caption."""
_CAPTION: Final = "probability of each error change"
_RIGHT: Final = Qt.TextElideMode.ElideRight


def bin_text(part: Bin) -> str:
    """The changes of a bin in words."""
    if not part.first and not part.last:
        return "error unchanged"
    ends = sorted({abs(part.first), abs(part.last)})
    amount = " to ".join(number_text(end) for end in ends)
    return f"error {'+' if part.first > 0 else '−'}{amount}"


class ChangeHistogram(QWidget):
    """Shows the probabilities of error changes, in bins that grow with the distance from 0."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = load_theme("light")
        self._bins: list[Bin] = []
        self._note = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Histogram of error changes")

    @property
    def bins(self) -> tuple[Bin, ...]:
        """What is shown."""
        return tuple(self._bins)

    def set_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self._theme = theme
        self.updateGeometry()
        self.update()

    def show_prospects(self, prospects: Prospects | None) -> None:
        """Show these changes."""
        self._bins = [] if prospects is None or not prospects.changes else bins_of(prospects.changes)
        self._note = "" if prospects is None else "No error to compare with." if not self._bins else ""
        described = [f"{bin_text(part)}: {chance_text(part.probability)}" for part in self._bins if part[2]]
        self.setAccessibleDescription(", ".join(described))
        self.update()

    def bin_at(self, x: float) -> Bin | None:
        """The bin at this distance from the left."""
        left, width = self._columns()
        place = int((x - left) // width) if width else -1
        return self._bins[place] if 0 <= place < len(self._bins) else None

    def hint_at(self, x: float) -> str:
        """What is to be said of the bin there."""
        part = self.bin_at(x)
        if part is None:
            return "How likely the next mutation changes the error by how much. Those too large are not evaluated."
        return f"{bin_text(part)}: {exact_text(part.probability)}"

    def sizeHint(self) -> QSize:
        # In a scroll area a larger wish would be granted, and make it scroll.
        return QSize(200, round(self._height()))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, round(self._height()))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.hint_at(event.pos().x()), self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = self._theme.colours
        font = self._theme.font(0.8)
        metrics = QFontMetricsF(font)
        with QPainter(self) as painter:
            painter.setFont(font)
            if not self._bins:
                painter.setPen(QColor(colours.muted))
                painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._note)
                return
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            base = self.height() - metrics.height() - 2
            if self.height() > _ROOMY * metrics.height():
                painter.setPen(QColor(colours.muted))
                painter.drawText(
                    QPointF(0, metrics.ascent()), metrics.elidedText(_CAPTION, _RIGHT, self.width())
                )
            left, width = self._columns()
            self._paint_bars(painter, left, width, base, metrics)
            painter.setPen(QPen(QColor(colours.muted), self._theme.line_scale))
            painter.drawLine(QPointF(left, base), QPointF(left + width * len(self._bins), base))
            self._paint_labels(painter, left, width, base, metrics)

    def _paint_bars(
        self, painter: QPainter, left: float, width: float, base: float, metrics: QFontMetricsF
    ) -> None:
        colours = self._theme.colours
        top = metrics.height() + 1
        ceiling = 2 * top if self.height() > _ROOMY * metrics.height() else top
        highest = max(part.probability for part in self._bins) or 1.0
        middle = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom
        for place, part in enumerate(self._bins):
            if not part.probability:
                continue
            height = max((base - ceiling) * part.probability / highest, _LEAST * self._theme.line_scale)
            bar = QRectF(left + place * width + 1, base - height, width - 2, height)
            painter.fillRect(bar, QColor(colours.of_verdict(_verdict(part))))
            text = fitting_text(part.probability, metrics, width - 2)
            if text:
                painter.setPen(QColor(colours.text))
                painter.drawText(QRectF(bar.x() - 4, bar.y() - top, bar.width() + 8, top), middle, text)

    def _paint_labels(
        self, painter: QPainter, left: float, width: float, base: float, metrics: QFontMetricsF
    ) -> None:
        """Name as many bins as there is room for: 0 and the ends before all others."""
        zero = next(place for place, part in enumerate(self._bins) if not part.first)
        ends = [zero, len(self._bins) - 1, 0]
        taken: list[tuple[float, float]] = []
        painter.setPen(QColor(self._theme.colours.muted))
        for place in [*ends, *(other for other in range(len(self._bins)) if other not in ends)]:
            text = _label(self._bins[place])
            needed = metrics.horizontalAdvance(text)
            x = left + (place + 0.5) * width - needed / 2
            x = min(max(x, 0.0), self.width() - needed)
            if any(x < end + _CLEAR and start < x + needed + _CLEAR for start, end in taken):
                continue
            taken.append((x, x + needed))
            painter.drawText(QPointF(x, base + metrics.ascent() + 1), text)

    def _columns(self) -> tuple[float, float]:
        """Where the bins begin, and how wide each is."""
        if not self._bins:
            return 0.0, 0.0
        width = min(self.width() / len(self._bins), _WIDEST * self._theme.line_scale)
        return (self.width() - width * len(self._bins)) / 2, width

    def _height(self) -> float:
        return _LINES * QFontMetricsF(self._theme.font(0.8)).height()


def _verdict(part: Bin) -> Verdict:
    return Verdict.IMPROVED if part.last < 0 else Verdict.WORSE if part.first > 0 else Verdict.NEUTRAL


def _label(part: Bin) -> str:
    """The change of a bin that is nearest to 0, in little room."""
    if not part.first:
        return "0"
    return f"+{amount_text(part.first)}" if part.first > 0 else f"−{amount_text(-part.last)}"


def fitting_text(chance: float, metrics: QFontMetricsF, width: float) -> str:
    """A probability for a bar of this width: without its decimals where they do not fit, or nothing at all."""
    exact = chance_text(chance)
    rounded = f"{100 * chance:.0f} %" if 0.0995 <= chance < 0.995 else exact
    return next((text for text in (exact, rounded) if metrics.horizontalAdvance(text) <= width), "")
