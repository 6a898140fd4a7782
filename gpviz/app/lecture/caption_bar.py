"""The caption below the tree in a hall: what the step did, in large type on a few lines."""

from math import ceil
from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpviz.app.canvas.node_shapes import draw_badge
from gpviz.app.theme import PIXELS_PER_INCH, TYPE_STEP, Theme
from gpviz.app.widgets.themed import Themed
from gpviz.engine import Verdict
from gpviz.escaping import label_text

LONGEST_READ: Final = 180
"""So many characters fit in type that can be read from the last row, on a projector of 1024 by 768."""

_LARGEST: Final = 1.12
_SMALLEST: Final = 0.55
"""The text is set in the largest size between these that fits on the lines."""
_LINES: Final = 2
_MOST_LINES: Final = 5
_PADDING: Final = 0.4
"""The margin around the text, in heights of the type."""
_WRAPPED: Final = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)


class CaptionBar(Themed, QWidget):
    """Two lines high, so that the tree does not move when the text changes.

    A text that does not fit is set smaller. Where the speaker has made the type larger, every text grows by the
    same factor and gets the lines it then needs, until the next scene. The position in the run and the badge of
    the verdict stand before the text in their usual size.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.steps = 0
        """How often the speaker has made the type larger."""
        self._text = ""
        self._position = ""
        self._verdict: Verdict | None = None
        self._fitted: tuple[QFont, QRectF] | None = None
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("Caption")
        self.follow_theme()

    @property
    def text(self) -> str:
        return self._text

    @property
    def position(self) -> str:
        """What stands before the text, such as the iteration."""
        return self._position

    @property
    def verdict(self) -> Verdict | None:
        """The verdict whose badge stands before the text."""
        return self._verdict

    @property
    def type_pixels(self) -> float:
        """The size of the text in pixels."""
        return float(self._fit()[0].pixelSize())

    @property
    def is_cut(self) -> bool:
        """Whether the text does not fit even in the smallest type."""
        font, box = self._fit()
        return self._height_of(font, box) > box.height() + 0.5

    def show_text(self, text: str, position: str = "", verdict: Verdict | None = None) -> None:
        """Show a text, after the position in the run and the badge of a verdict."""
        text = label_text(text)
        if (text, position, verdict) == (self._text, self._position, self._verdict):
            return
        self._text, self._position, self._verdict = text, position, verdict
        self._fitted = None
        self.setAccessibleDescription(f"{position} {text}".strip())
        self._grow()
        self.update()

    def apply_theme(self, theme: Theme) -> None:
        self.forget_height()
        self.update()

    def forget_height(self) -> None:
        """Be two lines high again, or as high as the text needs."""
        self._fitted = None
        self.setFixedHeight(self._height_for(_LINES))
        self._grow()

    def _height_for(self, lines: int) -> int:
        return ceil(lines * QFontMetricsF(self._font(_LARGEST)).lineSpacing() + self._padding())

    def _padding(self) -> float:
        return 2 * _PADDING * QFontMetricsF(self._usual(_LARGEST)).height()

    def _grow(self) -> None:
        """Give a text in larger type the lines it needs."""
        if self.steps > 0:
            font, box = self._fit()
            wanted = ceil(self._height_of(font, box) + self._padding())
            if wanted > self.height():
                self._fitted = None
                self.setFixedHeight(min(wanted, self._height_for(_MOST_LINES)))

    def _usual(self, scale: float, *, is_bold: bool = False) -> QFont:
        """The font without the speaker's enlargement."""
        return self._font(scale * TYPE_STEP ** -max(self.steps, 0), is_bold=is_bold)

    def _font(self, scale: float, *, is_bold: bool = False) -> QFont:
        """The font with its size in pixels."""
        font = self.theme.font(scale, is_bold=is_bold)
        font.setPixelSize(max(round(self.theme.font_size * scale * PIXELS_PER_INCH / 72.0), 1))
        return font

    def _badge(self) -> QRectF:
        """The rectangle of the badge, whether there is one or not."""
        height = QFontMetricsF(self._usual(1.0)).height()
        side, left = 1.25 * height, 0.5 * height
        return QRectF(left, (self.height() - side) / 2, side, side)

    def _text_left(self) -> float:
        metrics = QFontMetricsF(self._usual(1.0, is_bold=True))
        left = self._badge().left()
        if self._verdict is not None:
            left = self._badge().right() + 0.4 * metrics.height()
        if self._position:
            left += metrics.horizontalAdvance(self._position) + 0.7 * metrics.height()
        return left

    def _fit(self) -> tuple[QFont, QRectF]:
        if self._fitted is None:
            left = self._text_left()
            margin = QFontMetricsF(self._usual(1.0)).height() * 0.5
            box = QRectF(left, 0.0, max(self.width() - left - margin, 1.0), float(self.height()))
            font = self._usual(_LARGEST)
            most = _LINES * QFontMetricsF(font).lineSpacing() + self._padding()
            smallest = self._usual(_SMALLEST).pixelSize()
            while font.pixelSize() > smallest and not self._fits(font, box, most):
                font.setPixelSize(font.pixelSize() - 1)
            font.setPixelSize(round(font.pixelSize() * TYPE_STEP ** max(self.steps, 0)))
            self._fitted = font, box
        return self._fitted

    def _height_of(self, font: QFont, box: QRectF) -> float:
        unbounded = QRectF(0.0, 0.0, box.width(), 1e6)
        return QFontMetricsF(font).boundingRect(unbounded, _WRAPPED, self._text).height()

    def _fits(self, font: QFont, box: QRectF, most: float) -> bool:
        lines = _LINES if font.pixelSize() >= self._usual(0.75).pixelSize() else _LINES + 1
        height = self._height_of(font, box)
        return height <= min(lines * QFontMetricsF(font).lineSpacing() + 1.0, most)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fitted = None
        super().resizeEvent(event)
        self._grow()

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = self.theme.colours
        font, box = self._fit()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.rect(), QColor(colours.window))
            width = 0.8 * self.theme.line_scale
            painter.setPen(QPen(QColor(colours.border), width))
            painter.drawLine(0, round(width / 2), self.width(), round(width / 2))
            if self._verdict is not None:
                draw_badge(painter, self._verdict, self._badge(), self.theme)
            painter.setPen(QColor(colours.muted))
            if self._position:
                bold = self._usual(1.0, is_bold=True)
                wide = QFontMetricsF(bold).horizontalAdvance(self._position)
                gap = 0.7 * QFontMetricsF(bold).height()
                painter.setFont(bold)
                rect = QRectF(box.left() - wide - gap, 0.0, wide + gap, float(self.height()))
                painter.drawText(rect, int(Qt.AlignmentFlag.AlignVCenter), self._position)
            painter.setPen(QColor(colours.text))
            painter.setFont(font)
            painter.drawText(box, _WRAPPED, self._text)
