"""The legend below the canvas: what the colours and symbols mean, in as many lines as the width needs."""

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpviz.app.canvas.badges import draw_badge
from gpviz.app.theme import Theme
from gpviz.engine import Verdict

__all__ = ["Legend"]

_ENTRIES: Final[tuple[tuple[Verdict | None, str], ...]] = (
    (Verdict.IMPROVED, "improved"),
    (Verdict.NEUTRAL, "neutral"),
    (Verdict.WORSE, "worse, rejected"),
    (Verdict.TOO_LARGE, "too large, rejected"),
    (None, "redundant leaf"),
)


class Legend(QWidget):
    """A swatch and a word for each verdict, and for redundant leaves."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName("Legend")
        self.setAccessibleDescription(", ".join(word for _, word in _ENTRIES))

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:  # noqa: N802 (Qt's name)
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        boxes = self._places(width)
        return round(boxes[-1].bottom()) + 2

    def sizeHint(self) -> QSize:
        return QSize(400, self.heightForWidth(400))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.heightForWidth(100_000))

    def _places(self, width: float) -> list[QRectF]:
        """A box for each entry, in rows."""
        metrics = QFontMetricsF(self._theme.font(0.9))
        height = metrics.height() + 4.0
        gap = metrics.height() * 1.1
        boxes: list[QRectF] = []
        left = top = 0.0
        for _, word in _ENTRIES:
            wide = height + 4.0 + metrics.horizontalAdvance(word)
            if left and left + wide > width:
                left, top = 0.0, top + height
            boxes.append(QRectF(left, top, wide, height))
            left += wide + gap
        return boxes

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = self._theme.colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._theme.font(0.9))
        for (verdict, word), box in zip(_ENTRIES, self._places(self.width()), strict=True):
            swatch = QRectF(box.left() + 2.0, box.top() + 2.0, box.height() - 4.0, box.height() - 4.0)
            if verdict is None:
                painter.setPen(QPen(QColor(colours.redundant_border), 2.0 * self._theme.line_scale))
                painter.setBrush(QColor(colours.redundant_fill))
                painter.drawRoundedRect(swatch.adjusted(1.0, 1.0, -1.0, -1.0), 4.0, 4.0)
            else:
                draw_badge(painter, verdict, swatch, self._theme)
            painter.setPen(QColor(colours.muted))
            text = box.adjusted(box.height() + 4.0, 0.0, 4.0, 0.0)
            painter.drawText(text, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), word)
        painter.end()
