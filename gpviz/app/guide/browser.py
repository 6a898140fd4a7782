"""Shows a page of the guide: Markdown with pictures that fit, links between pages, and words marked."""

from typing import Any, Final

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QImage,
    QPalette,
    QResizeEvent,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QTextBrowser, QTextEdit, QWidget

from gpviz import assets
from gpviz.app.guide.pages import GuidePage, slug_of
from gpviz.app.theme import Theme

__all__ = ["GuideBrowser"]

_MARGIN: Final = 18
_RESIZE_MS: Final = 150
_WEB: Final = ("http", "https")


class GuideBrowser(QTextBrowser):
    """One page at a time. Pictures are as wide as there is room."""

    page_asked = Signal(str, str)
    """The name of a page and a heading in it, or an empty text."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._page: GuidePage | None = None
        self._theme = theme
        self._words: tuple[str, ...] = ()
        self.setOpenLinks(False)
        # Always there, so that the width of the page does not depend on its length.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setAccessibleName("Page of the guide")
        self.document().setDocumentMargin(_MARGIN)
        self.anchorClicked.connect(self._on_link)
        self._resized = QTimer(self)
        self._resized.setSingleShot(True)
        self._resized.setInterval(_RESIZE_MS)
        self._resized.timeout.connect(self._render)

    def show_page(self, page: GuidePage, slug: str = "", words: tuple[str, ...] = ()) -> None:
        """Show a page from this heading on, with these words marked."""
        self._words = words
        if page is not self._page:
            self._page = page
            self._render()
        self._mark_words()
        self.go_to_heading(slug)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._render()

    def go_to_heading(self, slug: str) -> None:
        """Scroll so that this heading is at the top; without one, to the top."""
        cursor = QTextCursor(self.document())
        block = self._heading(slug)
        if block is not None:
            cursor.setPosition(block.position())
        self.setTextCursor(cursor)
        self._scroll_to(block)

    def _scroll_to(self, block: QTextBlock | None) -> None:
        top = 0.0 if block is None else self.document().documentLayout().blockBoundingRect(block).top()
        self.verticalScrollBar().setValue(max(0, round(top) - _MARGIN))

    def loadResource(self, kind: int, name: QUrl | str) -> Any:  # noqa: N802
        """Pictures come from the program's own folder only, and are scaled to the width of the page."""
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return None
        path = assets.folder("screenshots") / QUrl(name).fileName()
        image = QImage(str(path))
        room = self.viewport().width() - 2 * _MARGIN - 2
        if not image.isNull() and image.width() > room > 0:
            ratio = self.devicePixelRatioF()
            size = QSize(round(room * ratio), round(room * ratio * image.height() / image.width()))
            image = image.scaled(
                size, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
            )
            image.setDevicePixelRatio(ratio)
        return image

    @Slot()
    def _render(self) -> None:
        if self._page is None:
            return
        at_top = self.cursorForPosition(QPoint(_MARGIN + 1, _MARGIN + 1)).position()
        document = self.document()
        document.clear()
        document.setDefaultFont(self._theme.font(1.1))
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Link, QColor(self._theme.colours.accent))
        self.setPalette(palette)
        self.setMarkdown(self._page.markdown)
        self._mark_words()
        self._scroll_to(document.findBlock(at_top) if at_top else None)

    def _mark_words(self) -> None:
        marks = []
        for word in self._words:
            cursor = QTextCursor(self.document())
            while not (cursor := self.document().find(word, cursor)).isNull():
                mark = QTextEdit.ExtraSelection()
                look = QTextCharFormat()
                look.setBackground(QColor(self._theme.colours.plateau_fill))
                look.setForeground(QColor(self._theme.colours.plateau_text))
                mark.format, mark.cursor = look, cursor
                marks.append(mark)
        self.setExtraSelections(marks)

    def _heading(self, slug: str) -> QTextBlock | None:
        block = self.document().begin()
        while slug and block.isValid():
            if block.blockFormat().headingLevel() and slug_of(block.text()) == slug:
                return block
            block = block.next()
        return None

    @Slot(QUrl)
    def _on_link(self, url: QUrl) -> None:
        if url.scheme() in _WEB:
            QDesktopServices.openUrl(url)
        else:
            self.page_asked.emit(url.path().removesuffix(".md"), url.fragment())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._resized.start()
