"""The window of the guide: pages and a search on the left, the page on the right; and the page about a widget."""

from dataclasses import replace
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QImage,
    QKeySequence,
    QPalette,
    QResizeEvent,
    QShortcut,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QTextBrowser,
    QTextEdit,
    QWidget,
)

from gpviz import assets
from gpviz.app.guide.reading_window import focus_search, lay_out, turning_button
from gpviz.app.key_text import key_text
from gpviz.app.theme import Theme
from gpviz.app.widgets.focus_order import ReadingOrderFocus, set_panes
from gpviz.app.widgets.themed import Themed
from gpviz.guide_pages import GuidePage, load_pages, search, slug_of

_MARGIN: Final = 18
_RESIZE_MS: Final = 150
_WEB: Final = ("http", "https")
_PAPER: Final = "../paper/statements.toml"
"""The link to what the Paper page is made of, which opens that page."""

_PLACE: Final = int(Qt.ItemDataRole.UserRole)
_MOST_BACK: Final = 100
_PROPERTY: Final = "guide_page"


class GuideBrowser(Themed, QTextBrowser):
    """One page at a time. Pictures are as wide as there is room."""

    page_asked = Signal(str, str)
    """The name of a page and a heading in it, or an empty text."""
    paper_asked = Signal()
    """The page of the paper's statements is wanted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._page: GuidePage | None = None
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

    def apply_theme(self, theme: Theme) -> None:
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
        document.setDefaultFont(self.theme.font(1.1))
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Link, QColor(self.theme.colours.accent))
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
                look.setBackground(QColor(self.theme.colours.plateau_fill))
                look.setForeground(QColor(self.theme.colours.plateau_text))
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
        elif url.path() == _PAPER:
            self.paper_asked.emit()
        else:
            self.page_asked.emit(url.path().removesuffix(".md"), url.fragment())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._resized.start()


class _Place(NamedTuple):
    page: str
    slug: str


class GuideWindow(ReadingOrderFocus, Themed, QWidget):
    """Beside the program, so that one can read and do. Esc empties the search, then closes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle("Guide – gpviz")
        self._pages = {page.name: replace(page, markdown=key_text(page.markdown)) for page in load_pages()}
        self._behind: list[_Place] = []
        self._ahead: list[_Place] = []
        self._here = _Place("", "")
        self.search_field = QLineEdit()
        self.search_field.setPlaceholderText("Search the guide")
        self.search_field.setClearButtonEnabled(True)
        self.search_field.setAccessibleName("Search the guide")
        self.search_field.setToolTip(key_text("Show the sections that contain all these words (Ctrl+F)"))
        self.search_field.textChanged.connect(self._fill)
        self.search_field.returnPressed.connect(self._open_first)
        self.list = QListWidget()
        self.list.setAccessibleName("Pages")
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentItemChanged.connect(self._on_chosen)
        self.nothing = QLabel("No section contains all these words.")
        self.nothing.setWordWrap(True)
        self.nothing.setProperty("role", "muted")
        self.nothing.hide()
        self.browser = GuideBrowser()
        self.browser.page_asked.connect(self._follow)
        self.paper_asked = self.browser.paper_asked
        """The page of the paper's statements is wanted."""
        self.back_button = turning_button("←", "Back", key_text("Previous page (Alt+Left)"))
        self.back_button.clicked.connect(self.go_back)
        self.forward_button = turning_button("→", "Forward", key_text("Next page (Alt+Right)"))
        self.forward_button.clicked.connect(self.go_forward)
        self._lay_out()
        set_panes(self.search_field, self.list, self.browser)
        for keys, act in (
            ("Alt+Left", self.go_back),
            ("Alt+Right", self.go_forward),
            ("Ctrl+F", self._focus_search),
            ("Esc", self._leave),
            ("Ctrl+W", self.close),
        ):
            QShortcut(QKeySequence(keys), self).activated.connect(act)
        self._fill()
        self._enable_navigation()
        self.resize(980, 720)

    @property
    def place(self) -> tuple[str, str]:
        """The page on show, and the heading that was gone to."""
        return self._here

    def open_at(self, name: str = "", slug: str = "") -> None:
        """Show the window with this page; without one, with the page it had, or the first."""
        if name or not self._here.page:
            self._go(_Place(name if name in self._pages else next(iter(self._pages)), slug))
        self.show()
        self.raise_()
        self.activateWindow()
        self.browser.setFocus()

    @Slot()
    def go_back(self) -> None:
        """To the page before."""
        if self._behind:
            self._ahead.append(self._here)
            self._show(self._behind.pop())

    @Slot()
    def go_forward(self) -> None:
        """To the page one has come back from."""
        if self._ahead:
            self._behind.append(self._here)
            self._show(self._ahead.pop())

    def _go(self, place: _Place) -> None:
        if place == self._here:
            self.browser.go_to_heading(place.slug)
            return
        if self._here.page:
            self._behind.append(self._here)
            del self._behind[:-_MOST_BACK]
        self._ahead.clear()
        self._show(place)

    def _show(self, place: _Place) -> None:
        self._here = place
        page = self._pages[place.page]
        self.browser.show_page(page, place.slug, tuple(self.search_field.text().split()))
        self.setWindowTitle(f"{page.title} – Guide – gpviz")
        self._enable_navigation()
        if not self.search_field.text().strip():
            self._mark(page)

    def _mark(self, page: GuidePage) -> None:
        blocked = self.list.blockSignals(True)
        self.list.setCurrentRow(list(self._pages).index(page.name))
        self.list.blockSignals(blocked)

    def _enable_navigation(self) -> None:
        self.back_button.setEnabled(bool(self._behind))
        self.forward_button.setEnabled(bool(self._ahead))

    @Slot()
    def _fill(self) -> None:
        """The pages, or what was found."""
        words = self.search_field.text().strip()
        blocked = self.list.blockSignals(True)
        self.list.clear()
        if words:
            for hit in search(words):
                title = hit.section.title if hit.section.title != hit.page_title else ""
                head = f"{hit.page_title} › {title}" if title else hit.page_title
                self._add(f"{head}\n{key_text(hit.excerpt)}", _Place(hit.page, hit.section.slug))
        else:
            for page in self._pages.values():
                self._add(page.title, _Place(page.name, ""))
        self.nothing.setVisible(bool(words) and not self.list.count())
        self.list.blockSignals(blocked)
        if self._here.page and not words:
            self._show(self._here)

    def _add(self, text: str, place: _Place) -> None:
        item = QListWidgetItem(text)
        item.setData(_PLACE, tuple(place))
        item.setToolTip(text)
        self.list.addItem(item)

    @Slot(QListWidgetItem)
    def _on_chosen(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self._go(_Place(*item.data(_PLACE)))

    @Slot()
    def _open_first(self) -> None:
        if self.list.count():
            self.list.setCurrentRow(0)
            self.list.setFocus()

    @Slot(str, str)
    def _follow(self, name: str, slug: str) -> None:
        page = name or self._here.page
        if page in self._pages:
            self._go(_Place(page, slug))

    @Slot()
    def _focus_search(self) -> None:
        focus_search(self.search_field)

    @Slot()
    def _leave(self) -> None:
        if self.search_field.text():
            self.search_field.clear()
        else:
            self.close()

    def _lay_out(self) -> None:
        buttons = (self.back_button, self.forward_button)
        lay_out(self, buttons, self.search_field, self.nothing, self.list, self.browser, (290, 690))


def set_guide_page(widget: QWidget, topic: str) -> None:
    """Say which page is about this widget, as ``page`` or ``page#heading``."""
    widget.setProperty(_PROPERTY, topic)


def topic_of(widget: QWidget | None) -> tuple[str, str]:
    """The page about a widget, or about the nearest one around it, and the heading; both may be empty."""
    while widget is not None:
        topic = widget.property(_PROPERTY)
        if isinstance(topic, str) and topic:
            name, _, slug = topic.partition("#")
            return name, slug
        widget = widget.parentWidget()
    return "", ""
