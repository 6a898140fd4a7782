"""The legend below the canvas: what the colours and symbols mean, on one line."""

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpviz.app.canvas.badges import draw_badge
from gpviz.app.theme import Theme
from gpviz.engine import Verdict
from gpviz.record.telling import VERDICT_SYMBOLS, VERDICT_WORDS, verdict_text

__all__ = ["Legend"]

_REDUNDANT: Final = "redundant leaf"
_ENTRIES: Final[tuple[Verdict | None, ...]] = (
    Verdict.IMPROVED,
    Verdict.NEUTRAL,
    Verdict.WORSE,
    Verdict.TOO_LARGE,
    None,
    Verdict.UNCHANGED,
)
"""The most needed ones first, as the last ones go where there is no room; None stands for redundant leaves."""


def _word(verdict: Verdict | None) -> str:
    return _REDUNDANT if verdict is None else VERDICT_WORDS[verdict]


class Legend(QWidget):
    """A swatch and a word for each verdict, and for redundant leaves. The tooltip has them all."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Legend")
        self.setAccessibleDescription(", ".join(_word(verdict) for verdict in _ENTRIES))
        verdicts = [f"{VERDICT_SYMBOLS[verdict]} {verdict_text(verdict)}" for verdict in Verdict]
        self.setToolTip(
            "\n".join([*verdicts, "Round: accepted; square: rejected.", "Orange frame: a redundant leaf."])
        )

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(400, round(QFontMetricsF(self._theme.font(0.9)).height()) + 6)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())

    def words(self) -> list[str]:
        """The entries that find room."""
        return [_word(verdict) for verdict, _ in self._places()]

    def _places(self) -> list[tuple[Verdict | None, QRectF]]:
        """A box for each entry that finds room."""
        metrics = QFontMetricsF(self._theme.font(0.9))
        height = metrics.height() + 4.0
        places: list[tuple[Verdict | None, QRectF]] = []
        left = 0.0
        for verdict in _ENTRIES:
            width = height + 4.0 + metrics.horizontalAdvance(_word(verdict))
            if left + width > self.width():
                break
            places.append((verdict, QRectF(left, 0.0, width, height)))
            left += width + 0.9 * metrics.height()
        return places

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._theme.font(0.9))
        for verdict, box in self._places():
            swatch = QRectF(box.left() + 2.0, box.top() + 2.0, box.height() - 4.0, box.height() - 4.0)
            if verdict is None:
                painter.setPen(QPen(QColor(colours.redundant_border), 2.0 * self._theme.line_scale))
                painter.setBrush(QColor(colours.redundant_fill))
                painter.drawRoundedRect(swatch.adjusted(1.0, 1.0, -1.0, -1.0), 4.0, 4.0)
            else:
                draw_badge(painter, verdict, swatch, self._theme)
            painter.setPen(QColor(colours.muted))
            text = box.adjusted(box.height() + 4.0, 0.0, 4.0, 0.0)
            flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
            painter.drawText(text, flags, _word(verdict))
        painter.end()
