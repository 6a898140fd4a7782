"""Text for a hall in the largest type that fits: the caption below the tree, and the text of a scene."""

from math import ceil
from typing import Any, Final

from PySide6.QtCore import QRectF, Qt, QUrl
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextEdit, QWidget

from gpviz.app.canvas.painter import item_painter
from gpviz.app.theme import PIXELS_PER_INCH, TYPE_STEP, Theme
from gpviz.app.widgets.themed import Themed
from gpviz.engine import Verdict
from gpviz.escaping import label_text
from gpviz.explain.step_text import VERDICT_SYMBOLS
from gpviz.picture.verdict_badge import VERDICT_COLOURS, symbol_badge

LONGEST_READ: Final = 180
"""So many characters fit in type that can be read from the last row, on a projector of 1024 by 768."""

_LARGEST: Final = 1.12
_SMALLEST: Final = 0.55
"""The text is set in the largest size between these that fits on the lines."""
_CAPTION_LINES: Final = 2
_MOST_CAPTION_LINES: Final = 5
_PADDING: Final = 0.4
"""The margin around the text, in heights of the type."""
_WRAPPED: Final = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)

_SCALES: Final = (1.7, 1.5, 1.35, 1.2, 1.1, 1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4)
_MOST_LINES: Final = 80
_MOST_CHARACTERS: Final = 6_000
_LINE_SHARE: Final = 118.0
"""The distance of lines in per cent."""

_READ_HEIGHT: Final = 675
_READ_LINE: Final = 24
_READ_GAP: Final = 8
_READ_LETTERS: Final = {False: 105, True: 46}
"""A slide in the smallest type that is read well on a projector of 1024 by 768: its height, that of a line, what a
paragraph takes besides, and the letters of a line, without and with a tree beside it."""


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
        self.text = ""
        self.position = ""
        """What stands before the text, such as the iteration."""
        self.verdict: Verdict | None = None
        """The verdict whose badge stands before the text."""
        self._fitted: tuple[QFont, QRectF] | None = None
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("Caption")
        self.follow_theme()

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
        if (text, position, verdict) == (self.text, self.position, self.verdict):
            return
        self.text, self.position, self.verdict = text, position, verdict
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
        self.setFixedHeight(self._height_for(_CAPTION_LINES))
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
                self.setFixedHeight(min(wanted, self._height_for(_MOST_CAPTION_LINES)))

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
        if self.verdict is not None:
            left = self._badge().right() + 0.4 * metrics.height()
        if self.position:
            left += metrics.horizontalAdvance(self.position) + 0.7 * metrics.height()
        return left

    def _fit(self) -> tuple[QFont, QRectF]:
        if self._fitted is None:
            left = self._text_left()
            margin = QFontMetricsF(self._usual(1.0)).height() * 0.5
            box = QRectF(left, 0.0, max(self.width() - left - margin, 1.0), float(self.height()))
            font = self._usual(_LARGEST)
            most = _CAPTION_LINES * QFontMetricsF(font).lineSpacing() + self._padding()
            smallest = self._usual(_SMALLEST).pixelSize()
            while font.pixelSize() > smallest and not self._fits(font, box, most):
                font.setPixelSize(font.pixelSize() - 1)
            font.setPixelSize(round(font.pixelSize() * TYPE_STEP ** max(self.steps, 0)))
            self._fitted = font, box
        return self._fitted

    def _height_of(self, font: QFont, box: QRectF) -> float:
        unbounded = QRectF(0.0, 0.0, box.width(), 1e6)
        return QFontMetricsF(font).boundingRect(unbounded, _WRAPPED, self.text).height()

    def _fits(self, font: QFont, box: QRectF, most: float) -> bool:
        lines = _CAPTION_LINES if font.pixelSize() >= self._usual(0.75).pixelSize() else _CAPTION_LINES + 1
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
            if self.verdict is not None:
                badge = self._badge()
                name, symbol = VERDICT_COLOURS[self.verdict], VERDICT_SYMBOLS[self.verdict]
                centre, radius = badge.center().toTuple(), badge.width() / 2
                items = symbol_badge("verdict", centre, radius, symbol, name)
                item_painter(colours).paint(painter, items)
            painter.setPen(QColor(colours.muted))
            if self.position:
                bold = self._usual(1.0, is_bold=True)
                wide = QFontMetricsF(bold).horizontalAdvance(self.position)
                gap = 0.7 * QFontMetricsF(bold).height()
                painter.setFont(bold)
                rect = QRectF(box.left() - wide - gap, 0.0, wide + gap, float(self.height()))
                painter.drawText(rect, int(Qt.AlignmentFlag.AlignVCenter), self.position)
            painter.setPen(QColor(colours.text))
            painter.setFont(font)
            painter.drawText(box, _WRAPPED, self.text)


def is_readable_in_hall(markdown: str, *, has_tree: bool) -> bool:
    """Whether the text is short enough for type that can be read from the last row."""
    height = 0.0
    for line in filter(None, map(str.strip, markdown.splitlines())):
        lines = ceil(len(line) / _READ_LETTERS[has_tree])
        height += lines * _READ_LINE * (1.6 if line.startswith("#") else 1.0) + _READ_GAP
        height += _READ_GAP if line.startswith("|") else 0
    return height <= _READ_HEIGHT


class _Document(QTextDocument):
    """Text only: nothing is loaded from a disk or a network because a lecture says so."""

    def loadResource(self, _kind: int, _name: QUrl | str) -> Any:  # noqa: N802
        return None


class SceneText(Themed, QTextEdit):
    """Text to be read, not edited. A short one stands in the middle."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.markdown = ""
        self._scale = _SCALES[0]
        self.setDocument(_Document(self))
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.setAccessibleName("Text of the scene")
        self.follow_theme()

    @property
    def type_pixels(self) -> float:
        """The size of the type in pixels."""
        return self._points() * PIXELS_PER_INCH / 72.0

    @property
    def is_cut(self) -> bool:
        """Whether the text does not fit even in the smallest type."""
        if _readable(self.markdown) != self.markdown:
            return True
        size = self.document().size()
        return size.height() > self.viewport().height() or size.width() > self.viewport().width() + 1.0

    def show_text(self, markdown: str) -> None:
        """Show this text."""
        if markdown != self.markdown:
            self.markdown = markdown
            self._set()

    def apply_theme(self, theme: Theme) -> None:
        # The style sheet of the program gives text fields a frame, which a slide does not have.
        self.setStyleSheet(f"QTextEdit {{ border: none; background: {theme.colours.window}; padding: 0; }}")
        self._set()

    def _set(self) -> None:
        """Set the text in the largest type that fits."""
        document = self.document()
        if not self.markdown:
            document.clear()
            return
        least, most = 0, len(_SCALES) - 1  # between these is the first that is small enough
        while least < most:
            middle = (least + most) // 2
            self._typeset(_SCALES[middle])
            if self.is_cut:
                least = middle + 1
            else:
                most = middle
        if self._scale != _SCALES[least]:
            self._typeset(_SCALES[least])
        self._centre()

    def _typeset(self, scale: float) -> None:
        self._scale = scale
        document = self.document()
        document.setDefaultFont(self.theme.font(scale))
        document.setDocumentMargin(self._points() * 1.2)
        features = QTextDocument.MarkdownFeature
        document.setMarkdown(
            label_text(_readable(self.markdown)), features.MarkdownDialectGitHub | features.MarkdownNoHTML
        )
        document.setTextWidth(self.viewport().width())
        editing = QTextCursor(document)
        editing.beginEditBlock()  # or the text would be laid out anew for every line
        self._colour()
        self._space()
        for frame in document.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                self._rule(frame)
        editing.endEditBlock()

    def _points(self) -> float:
        """The size of the type, by which all that is around it is measured."""
        return self.theme.font_size * self._scale

    def _colour(self) -> None:
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        ink = QTextCharFormat()
        ink.setForeground(QColor(self.theme.colours.text))
        cursor.mergeCharFormat(ink)

    def _space(self) -> None:
        """Put lines further apart, and paragraphs more so."""
        block = self.document().begin()
        while block.isValid():
            if QTextCursor(block).currentTable() is None:
                form = block.blockFormat()
                form.setLineHeight(_LINE_SHARE, int(form.LineHeightTypes.ProportionalHeight.value))
                form.setTopMargin(0.0)
                form.setBottomMargin(0.5 * self._points())
                QTextCursor(block).setBlockFormat(form)
            block = block.next()

    def _rule(self, table: QTextTable) -> None:
        """Lines between the rows, and a heading that stands out."""
        colours = self.theme.colours
        form = table.format()
        form.setBorder(max(1.2 * self.theme.line_scale, 1.0))
        form.setBorderBrush(QBrush(QColor(colours.border)))
        form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        form.setBorderCollapse(True)
        form.setCellSpacing(0.0)
        form.setCellPadding(0.4 * self._points())
        form.setTopMargin(0.4 * self._points())
        form.setBottomMargin(0.8 * self._points())
        form.setWidth(QTextLength())
        table.setFormat(form)
        for column in range(table.columns()):
            cell = table.cellAt(0, column)
            head = cell.format()
            head.setBackground(QColor(colours.text))
            cell.setFormat(head)
            cursor = cell.firstCursorPosition()
            cursor.setPosition(cell.lastPosition(), QTextCursor.MoveMode.KeepAnchor)
            ink = QTextCharFormat()
            ink.setForeground(QColor(colours.window))
            cursor.mergeCharFormat(ink)

    def _centre(self) -> None:
        free = self.viewport().height() - self.document().size().height()
        if free <= 0:
            return
        form = self.document().rootFrame().frameFormat()
        # A little above the middle looks like the middle.
        form.setTopMargin(form.topMargin() + 0.42 * free)
        self.document().rootFrame().setFrameFormat(form)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set()


def _readable(markdown: str) -> str:
    """As much as could ever be read on a slide; setting thousands of lines would take long."""
    lines = markdown[:_MOST_CHARACTERS].splitlines()
    if len(markdown) <= _MOST_CHARACTERS and len(lines) <= _MOST_LINES:
        return markdown
    return "\n".join([*lines[:_MOST_LINES], "", "…"])
