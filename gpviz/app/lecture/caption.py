"""The caption below the tree in a hall: what the step did, in large type on up to two lines."""

from math import ceil
from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpviz.app.canvas.badges import draw_badge
from gpviz.app.theme import Theme
from gpviz.engine import Verdict

__all__ = ["CaptionBar"]

_SCALES: Final = (1.12, 1.06, 1.0, 0.94, 0.88, 0.82, 0.76, 0.7, 0.62, 0.55)
"""The sizes of type to try, the largest first, until the words fit on the lines."""
_LINES: Final = 2
_PADDING: Final = 0.4
"""What stays free around the words, in heights of the type."""
_WRAPPED: Final = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)


class CaptionBar(QWidget):
    """Always as high as two lines, so that the tree stays where it is when the words change.

    Words that find no room get smaller. The place in the run, and the badge of the verdict, stand before them.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = ""
        self._place = ""
        self._verdict: Verdict | None = None
        self._fitted: tuple[QFont, QRectF] | None = None
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("Caption")
        self.set_theme(theme)

    @property
    def text(self) -> str:
        return self._text

    @property
    def place(self) -> str:
        """What stands before the words, such as the iteration."""
        return self._place

    @property
    def type_pixels(self) -> float:
        """How high the type of the words is, by its size in pixels."""
        return float(self._fit()[0].pixelSize())

    @property
    def is_cut(self) -> bool:
        """Whether even the smallest type finds no room for all the words."""
        font, box = self._fit()
        return self._height_of(font, box) > box.height() + 0.5

    def show_words(self, text: str, place: str = "", verdict: Verdict | None = None) -> None:
        """Say this, of that place in the run."""
        if (text, place, verdict) == (self._text, self._place, self._verdict):
            return
        self._text, self._place, self._verdict = text, place, verdict
        self._fitted = None
        self.setAccessibleDescription(f"{place} {text}".strip())
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._fitted = None
        metrics = QFontMetricsF(self._font(_SCALES[0]))
        self.setFixedHeight(ceil(_LINES * metrics.lineSpacing() + 2 * _PADDING * metrics.height()))
        self.update()

    def _font(self, scale: float, *, is_bold: bool = False) -> QFont:
        """By pixels, so that its size can be told."""
        font = self._theme.font(scale, is_bold=is_bold)
        font.setPixelSize(max(round(font.pointSizeF() * self.logicalDpiY() / 72.0), 1))
        return font

    def _badge(self) -> QRectF:
        """Where the badge is, or would be."""
        side = QFontMetricsF(self._font(1.0)).height() * 1.25
        left = 0.5 * QFontMetricsF(self._font(1.0)).height()
        return QRectF(left, (self.height() - side) / 2, side, side)

    def _words_left(self) -> float:
        metrics = QFontMetricsF(self._font(1.0, is_bold=True))
        left = self._badge().left()
        if self._verdict is not None:
            left = self._badge().right() + 0.4 * metrics.height()
        if self._place:
            left += metrics.horizontalAdvance(self._place) + 0.7 * metrics.height()
        return left

    def _fit(self) -> tuple[QFont, QRectF]:
        if self._fitted is None:
            left = self._words_left()
            margin = QFontMetricsF(self._font(1.0)).height() * 0.5
            box = QRectF(left, 0.0, max(self.width() - left - margin, 1.0), float(self.height()))
            fonts = (self._font(scale) for scale in _SCALES)
            font = next((font for font in fonts if self._fits(font, box)), self._font(_SCALES[-1]))
            self._fitted = font, box
        return self._fitted

    def _height_of(self, font: QFont, box: QRectF) -> float:
        room = QRectF(0.0, 0.0, box.width(), 1e6)
        return QFontMetricsF(font).boundingRect(room, _WRAPPED, self._text).height()

    def _fits(self, font: QFont, box: QRectF) -> bool:
        metrics = QFontMetricsF(font)
        lines = _LINES if font.pixelSize() >= self._font(0.75).pixelSize() else _LINES + 1
        height = self._height_of(font, box)
        return height <= min(lines * metrics.lineSpacing() + 1.0, box.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fitted = None
        super().resizeEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = self._theme.colours
        font, box = self._fit()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.rect(), QColor(colours.window))
            width = 0.8 * self._theme.line_scale
            painter.setPen(QPen(QColor(colours.border), width))
            painter.drawLine(0, round(width / 2), self.width(), round(width / 2))
            if self._verdict is not None:
                draw_badge(painter, self._verdict, self._badge(), self._theme)
            painter.setPen(QColor(colours.muted))
            if self._place:
                bold = self._font(1.0, is_bold=True)
                wide = QFontMetricsF(bold).horizontalAdvance(self._place)
                gap = 0.7 * QFontMetricsF(bold).height()
                painter.setFont(bold)
                place = QRectF(box.left() - wide - gap, 0.0, wide + gap, float(self.height()))
                painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter), self._place)
            painter.setPen(QColor(colours.text))
            painter.setFont(font)
            painter.drawText(box, _WRAPPED, self._text)
