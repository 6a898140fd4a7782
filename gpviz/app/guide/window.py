"""The guide's window, what it shares with the paper's window, and which topic belongs to a widget."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from PySide6.QtCore import QPoint, QSignalBlocker, QSize, Qt, QUrl, Signal, Slot
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
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QTextBrowser,
    QTextEdit,
    QToolButton,
    QWidget,
)

from gpviz import assets
from gpviz.app.dialogs.message_dialogs import bring_up
from gpviz.app.key_text import key_text
from gpviz.app.theme import Theme
from gpviz.app.timers import single_shot
from gpviz.app.widgets.fields import sentence
from gpviz.app.widgets.focus_order import ReadingOrderFocus, set_panes
from gpviz.app.widgets.layouts import column_in, column_of, row_of
from gpviz.app.widgets.themed import Themed
from gpviz.guide_pages import GuidePage, load_pages, search, slug_of

_MARGIN: Final = 18
_RESIZE_MS: Final = 150
_SHARE_OF_SCREEN: Final = 0.92
"""The rest is for the frame of a window and what a desktop has at its edges."""
_WEB: Final = ("http", "https")
_PAPER: Final = "../paper/statements.toml"
"""The link to what the Paper page is made of, which opens that page."""

_TOPIC: Final = int(Qt.ItemDataRole.UserRole)
_PROPERTY: Final = "guide_page"


class ReadingWindow(ReadingOrderFocus, Themed, QWidget):
    """Ctrl+F goes to the search, Return to what it finds first. Esc empties the search, then closes."""

    def __init__(self, content: QWidget, widths: tuple[int, int], parent: QWidget | None) -> None:
        """List and content begin with these widths."""
        super().__init__(parent, Qt.WindowType.Window)
        self.search_field = QLineEdit()
        self.search_field.setClearButtonEnabled(True)
        self.search_field.returnPressed.connect(self._open_first)
        self.back_button, self.forward_button = QToolButton(), QToolButton()
        self.nothing = sentence("muted")
        self.nothing.hide()
        self.list = QListWidget()
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.left = QWidget()
        row = row_of(self.back_button, self.forward_button, (self.search_field, 1))
        column_in(self.left, row, self.nothing, (self.list, 1))
        split = QSplitter()
        split.addWidget(self.left)
        split.addWidget(content)
        split.setStretchFactor(1, 1)
        split.setSizes(widths)
        split.setChildrenCollapsible(False)
        self.setLayout(column_of(split))
        set_panes(self.search_field, self.list, content)
        self._set_keys({"Ctrl+F": self._focus_search, "Esc": self._leave, "Ctrl+W": self.close})

    def _name_search(self, searched: str, tip: str, nothing: str) -> None:
        """Say what is searched, how, and that nothing is found."""
        self.search_field.setPlaceholderText(searched)
        self.search_field.setAccessibleName(searched)
        self.search_field.setToolTip(tip)
        self.nothing.setText(nothing)

    def _set_turning(
        self, button: QToolButton, name: str, keys: str, tip: str, go: Callable[[], object]
    ) -> None:
        """Let a button and these keys go back or forward."""
        button.setText("←" if button is self.back_button else "→")
        button.setAccessibleName(name)
        button.setToolTip(tip)
        button.clicked.connect(go)
        self._set_keys({keys: go})

    def _set_keys(self, keys: Mapping[str, Callable[[], object]]) -> None:
        for each, act in keys.items():
            QShortcut(QKeySequence(each), self).activated.connect(act)

    def _take_size(self, width: int, height: int) -> None:
        """Be so large, as far as the screen has room."""
        room = self.screen().availableGeometry().size() * _SHARE_OF_SCREEN
        self.resize(QSize(width, height).boundedTo(room))

    def _show_with_focus(self, widget: QWidget) -> None:
        bring_up(self)
        widget.setFocus()

    def _rows(self) -> list[int]:
        """The rows that can be chosen; the others are headings."""
        rows = range(self.list.count())
        return [row for row in rows if self.list.item(row).flags() & Qt.ItemFlag.ItemIsSelectable]

    @Slot()
    def _open_first(self) -> None:
        rows = self._rows()
        if rows:
            self.list.setCurrentRow(rows[0])
            self.list.setFocus()

    @Slot()
    def _focus_search(self) -> None:
        """Let another search be typed over the last one."""
        self.search_field.setFocus()
        self.search_field.selectAll()

    @Slot()
    def _leave(self) -> None:
        if self.search_field.text():
            self.search_field.clear()
        elif self.isFullScreen():
            self.showNormal()
        else:
            self.close()


class GuideBrowser(Themed, QTextBrowser):
    """Shows one page at a time. Pictures are as wide as the page at most."""

    page_asked = Signal(str, str)
    """The name of a page and a heading in it, or an empty text."""
    paper_asked = Signal()
    """The page of the paper's statements is wanted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._page: GuidePage | None = None
        self._marked: tuple[str, ...] = ()
        self.setOpenLinks(False)
        # Always there, so that the width of the page does not depend on its length.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setAccessibleName("Page of the guide")
        self.document().setDocumentMargin(_MARGIN)
        self.anchorClicked.connect(self._on_link)
        self._resized = single_shot(self, self._render, _RESIZE_MS)

    def show_page(self, page: GuidePage, slug: str = "", marked: tuple[str, ...] = ()) -> None:
        """Show a page from this heading on, with these words marked."""
        self._marked = marked
        if page is not self._page:
            self._page = page
            self._render()
        self._mark()
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
        width = self.viewport().width() - 2 * _MARGIN - 2
        if not image.isNull() and image.width() > width > 0:
            ratio = self.devicePixelRatioF()
            size = QSize(round(width * ratio), round(width * ratio * image.height() / image.width()))
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
        self._mark()
        self._scroll_to(document.findBlock(at_top) if at_top else None)

    def _mark(self) -> None:
        marks = []
        for word in self._marked:
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


class Topic(NamedTuple):
    """A page of the guide and a heading in it; either may be empty."""

    page: str
    slug: str


class GuideWindow(ReadingWindow):
    """Stands beside the program, so that one can read and do."""

    def __init__(self, parent: QWidget | None = None) -> None:
        browser = GuideBrowser()
        super().__init__(browser, (290, 690), parent)
        self.browser = browser
        self.setWindowTitle("Guide – gpviz")
        self._pages = {page.name: replace(page, markdown=key_text(page.markdown)) for page in load_pages()}
        self._behind: list[Topic] = []
        self._ahead: list[Topic] = []
        self.topic = Topic("", "")
        """The page on show, and the heading that was gone to."""
        self._name_search(
            "Search the guide",
            key_text("Show the sections that contain all these words (Ctrl+F)"),
            "No section contains all these words.",
        )
        back, forward = key_text("Previous page (Alt+Left)"), key_text("Next page (Alt+Right)")
        self._set_turning(self.back_button, "Back", "Alt+Left", back, self.go_back)
        self._set_turning(self.forward_button, "Forward", "Alt+Right", forward, self.go_forward)
        self.search_field.textChanged.connect(self._fill)
        self.list.currentItemChanged.connect(self._on_chosen)
        self.list.setAccessibleName("Pages")
        self.browser.page_asked.connect(self._follow)
        self.paper_asked = self.browser.paper_asked
        """The page of the paper's statements is wanted."""
        self._fill()
        self._enable_navigation()
        self._take_size(980, 720)

    def open_at(self, name: str = "", slug: str = "") -> None:
        """Show the window with this page; without one, with the page it had, or the first."""
        self._show_with_focus(self.browser)  # first, as only then its size and where a heading is are known
        if name or not self.topic.page:
            self._go(Topic(name if name in self._pages else next(iter(self._pages)), slug))

    @Slot()
    def go_back(self) -> None:
        """To the page before."""
        if self._behind:
            self._ahead.append(self.topic)
            self._show(self._behind.pop())

    @Slot()
    def go_forward(self) -> None:
        """To the page one has come back from."""
        if self._ahead:
            self._behind.append(self.topic)
            self._show(self._ahead.pop())

    def _go(self, topic: Topic) -> None:
        if topic == self.topic:
            self.browser.go_to_heading(topic.slug)
            return
        if self.topic.page:
            self._behind.append(self.topic)
        self._ahead.clear()
        self._show(topic)

    def _show(self, topic: Topic) -> None:
        self.topic = topic
        page = self._pages[topic.page]
        self.browser.show_page(page, topic.slug, tuple(self.search_field.text().split()))
        self.setWindowTitle(f"{page.title} – Guide – gpviz")
        self._enable_navigation()
        if not self.search_field.text().strip():
            with QSignalBlocker(self.list):
                self.list.setCurrentRow(list(self._pages).index(page.name))

    def _enable_navigation(self) -> None:
        self.back_button.setEnabled(bool(self._behind))
        self.forward_button.setEnabled(bool(self._ahead))

    @Slot()
    def _fill(self) -> None:
        """The pages, or what was found."""
        searched = self.search_field.text().strip()
        with QSignalBlocker(self.list):
            self.list.clear()
            for hit in search(searched) if searched else ():
                title = hit.section.title if hit.section.title != hit.page_title else ""
                head = f"{hit.page_title} › {title}" if title else hit.page_title
                self._add(f"{head}\n{key_text(hit.excerpt)}", Topic(hit.page, hit.section.slug))
            for page in () if searched else self._pages.values():
                self._add(page.title, Topic(page.name, ""))
        self.nothing.setVisible(bool(searched) and not self.list.count())
        if self.topic.page and not searched:
            self._show(self.topic)

    def _add(self, text: str, topic: Topic) -> None:
        item = QListWidgetItem(text)
        item.setData(_TOPIC, tuple(topic))
        item.setToolTip(text)
        self.list.addItem(item)

    @Slot(QListWidgetItem)
    def _on_chosen(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self._go(Topic(*item.data(_TOPIC)))

    @Slot(str, str)
    def _follow(self, name: str, slug: str) -> None:
        page = name or self.topic.page
        if page in self._pages:
            self._go(Topic(page, slug))


def set_guide_page(widget: QWidget, topic: str) -> None:
    """Say which page is about this widget, as ``page`` or ``page#heading``."""
    widget.setProperty(_PROPERTY, topic)


def topic_of(widget: QWidget | None) -> Topic:
    """The page about a widget, or about the nearest one around it, and the heading; both may be empty."""
    while widget is not None:
        topic = widget.property(_PROPERTY)
        if isinstance(topic, str) and topic:
            name, _, slug = topic.partition("#")
            return Topic(name, slug)
        widget = widget.parentWidget()
    return Topic("", "")
