"""The text of a scene: Markdown in the largest type that fits, with tables that can be read from afar."""

from math import ceil
from typing import Any, Final

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import (
    QBrush,
    QColor,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from gpviz.app.theme import PIXELS_PER_INCH, Theme
from gpviz.app.widgets.themed import Themed
from gpviz.escaping import label_text

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
        self._markdown = ""
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
    def markdown(self) -> str:
        return self._markdown

    @property
    def type_pixels(self) -> float:
        """The size of the type in pixels."""
        return self._points() * PIXELS_PER_INCH / 72.0

    @property
    def is_cut(self) -> bool:
        """Whether the text does not fit even in the smallest type."""
        if _readable(self._markdown) != self._markdown:
            return True
        size = self.document().size()
        return size.height() > self.viewport().height() or size.width() > self.viewport().width() + 1.0

    def show_text(self, markdown: str) -> None:
        """Show this text."""
        if markdown != self._markdown:
            self._markdown = markdown
            self._set()

    def apply_theme(self, theme: Theme) -> None:
        # The style sheet of the program gives text fields a frame, which a slide does not have.
        self.setStyleSheet(f"QTextEdit {{ border: none; background: {theme.colours.window}; padding: 0; }}")
        self._set()

    def _set(self) -> None:
        """Set the text in the largest type that fits."""
        document = self.document()
        if not self._markdown:
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
            label_text(_readable(self._markdown)), features.MarkdownDialectGitHub | features.MarkdownNoHTML
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
