"""The legend of the shared curves: the line, the shape, the letter and the label of every lane."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpviz.app.compare.lane_look import LETTERS, lane_look
from gpviz.app.theme import Theme
from gpviz.app.tips import plain_tip

__all__ = ["LaneLegend"]

_GAP: Final = 18.0


class LaneLegend(QWidget):
    """All lanes in a row; labels that find no room are cut off, the longest first, and whole in the tooltip."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.labels: tuple[str, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Legend of the curves")

    def set_labels(self, labels: Sequence[str]) -> None:
        self.labels = tuple(labels)
        words = ", ".join(f"{letter}: {label}" for letter, label in zip(LETTERS, labels, strict=False))
        self.setToolTip(plain_tip(words))
        self.setAccessibleDescription(words)
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(240, round(QFontMetricsF(self._theme.font()).height()) + 6)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())

    def shown(self) -> list[str]:
        """The labels as far as there is room for them."""
        metrics = QFontMetricsF(self._theme.font())
        texts = [f"{letter}  {label}" for letter, label in zip(LETTERS, self.labels, strict=False)]
        room = self.width() - len(texts) * (self._sign_width() + 6 + _GAP)
        widths = [metrics.horizontalAdvance(text) + 1 for text in texts]
        while sum(widths) > room and (longest := max(widths)) > 0:
            second = max((width for width in widths if width < longest), default=0.0)
            count = widths.count(longest)
            cut = max(second, longest - (sum(widths) - room) / count, 0.0)
            widths = [cut if width == longest else width for width in widths]
            if cut == longest or cut == 0:
                break
        return [
            metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
            for text, width in zip(texts, widths, strict=True)
        ]

    def paintEvent(self, _event: QPaintEvent) -> None:
        font = self._theme.font()
        metrics = QFontMetricsF(font)
        width = self._sign_width()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(font)
            x, middle = 2.0, self.height() / 2
            for place, text in enumerate(self.shown()):
                look = lane_look(place, self._theme)
                painter.setPen(look.pen(2.4 * self._theme.line_scale))
                painter.drawLine(QPointF(x, middle), QPointF(x + width, middle))
                panel = QColor(self._theme.colours.panel)
                look.paint(painter, QPointF(x + width / 2, middle), 0.28 * metrics.height(), panel)
                painter.setPen(QColor(self._theme.colours.text))
                length = metrics.horizontalAdvance(text) + 1
                room = QRectF(x + width + 6, 0, length, self.height())
                painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
                x = room.right() + _GAP

    def _sign_width(self) -> float:
        return 2.6 * QFontMetricsF(self._theme.font()).height()
