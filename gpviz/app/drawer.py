"""The drawer: one page or two under tabs, and the pages that were torn off into windows of their own."""

from collections.abc import Iterable
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QColor, QHideEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QSizePolicy,
    QStackedWidget,
    QTabBar,
    QToolButton,
    QWidget,
)

from gpviz import page_list
from gpviz.app.guide.window import set_guide_page
from gpviz.app.pages.page import Page, make_page
from gpviz.app.widgets.edge import Edge
from gpviz.app.widgets.focus_order import ReadingOrderFocus, focus_into
from gpviz.app.widgets.layouts import column_in, row_of
from gpviz.app.widgets.mac_safe_menu import MacSafeMenu
from gpviz.app.widgets.themed import Themed
from gpviz.escaping import title_text

_EDGE: Final = 9
_LARGEST_SHARE: Final = 0.8
_TABS_INDENT: Final = 13
"""So that the first letter stands above the first one of the page."""
_LEAST_WINDOW: Final = QSize(480, 360)


class Drawer(QWidget):
    """Shows pages, each in one place at a time: under its tab, or in a window of its own.

    A page is made when it is first looked at, so that it costs no start.
    """

    page_made = Signal(str)
    page_shown = Signal(str)
    """A page on show is used from now on: it was chosen, or somebody does something in it."""
    pages_changed = Signal()
    """Other pages are on show, or none, or another one of them is used."""
    tab_double_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pages: dict[str, Page] = {}
        self._covers: dict[str, str] = {}
        self._used = [info.name for info in page_list.PAGES]
        """All names, that of the page used last first."""
        self._shown: tuple[str, ...] = ()
        self._windows: dict[str, PageWindow] = {}
        self._run_title = ""
        self._is_split = False
        self._share = self._share_before = 0.5
        self._rows = (_Row("Pages", self), _Row("Pages of the lower half", self))
        self._edge = Edge("Height of the upper page", is_upright=False, parent=self)
        self._edge.setFixedHeight(_EDGE)
        self._column = column_in(self, self._rows[0], self._edge, self._rows[1], spacing=0)
        for row in self._rows:
            row.asked.connect(self.show_page)
            row.chosen_by_hand.connect(self.use)
            row.tabs.tabBarDoubleClicked.connect(self._on_double_clicked)
        self._edge.pressed.connect(self._on_edge_pressed)
        self._edge.moved.connect(self._on_edge_moved)
        self._edge.reset.connect(self._on_edge_reset)
        self._set_share(self._share)
        self._follow()
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus_changed)

    # --- pages ---

    @property
    def current(self) -> str:
        """The name of the page used last; while none is on show, of the one that opening the drawer shows."""
        shown = self.shown_names
        return shown[0] if shown else self._row_used_last().chosen

    @property
    def shown_names(self) -> tuple[str, ...]:
        """The names of the pages on show, that of the page used last first."""
        names = [row.chosen for row in self._rows_in_use()] if self.isVisible() else []
        names += [name for name, window in self._windows.items() if window.isVisible()]
        return tuple(sorted(names, key=self._used.index))

    @property
    def made_names(self) -> tuple[str, ...]:
        """The names of the pages that were looked at already."""
        return tuple(self._pages)

    def made(self, name: str) -> Page | None:
        """A page that was looked at already; None if it was not."""
        return self._pages.get(name)

    def page(self, name: str) -> Page:
        """A page, made now if it is not there yet."""
        if name not in self._pages:
            self._pages[name] = make_page(page_list.page_info(name))
            self._rows[0].stack.addWidget(self._pages[name])
            self.page_made.emit(name)
        return self._pages[name]

    @Slot(str)
    def show_page(self, name: str) -> None:
        """Choose a page, to be seen where the drawer is; one in a window of its own comes to the front there."""
        if name in self._windows:
            self._windows[name].show()
            self._windows[name].raise_()
        elif all(row.chosen != name for row in self._rows_in_use()):
            self._row_used_last().choose(name)
        self.use(name)

    def focus_page(self, name: str) -> None:
        """Give the keyboard to a page on show, or to the tabs above it where it has no use for it."""
        page = self.page(name)
        page.window().activateWindow()
        if not focus_into(page):
            self.tabs.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot(str)
    def use(self, name: str) -> None:
        """Somebody does something in this page."""
        self._used.remove(name)
        self._used.insert(0, name)
        self._follow()

    @property
    def tabs(self) -> QTabBar:
        """The tabs above the page used last."""
        return self._row_used_last().tabs

    def cover(self, name: str) -> str:
        """What is said instead of showing a page, empty while it is shown."""
        return self._covers.get(name, "")

    def set_cover(self, name: str, text: str) -> None:
        """Say this instead of showing a page, which tells what nobody is to know yet; nothing shows it again."""
        if text != self.cover(name):
            self._covers[name] = text
            self._show_pages()

    def shut_down(self) -> None:
        """Close the windows of pages, and end what the pages do in the background."""
        self.blockSignals(True)  # the run is no longer there
        for window in list(self._windows.values()):
            window.close()
        for page in self._pages.values():
            page.shut_down()

    # --- several pages at once ---

    def split(self, is_split: bool) -> None:
        """Show two pages, one above the other, or only that used last."""
        if is_split != self._is_split:
            kept = self._row_used_last().chosen
            self._is_split = is_split
            if not is_split:
                self._rows[0].choose(kept)
            self._follow()

    def tear_off(self) -> None:
        """Put the page used last under the tabs into a window of its own; closing that puts it back."""
        row = self._row_used_last()
        name, free = row.chosen, self._free_names()
        if not free:
            return
        page, size = self.page(name), row.stack.size()
        row.choose(free[0])
        self._show_pages()
        window = self._windows[name] = PageWindow(page_list.page_info(name), page, self)
        window.set_run(self._run_title)
        window.addActions(self.window().actions())
        window.closed.connect(self._on_window_closed)
        window.used.connect(self.use)
        window.resize(size.expandedTo(_LEAST_WINDOW))
        window.show()
        self.use(name)

    def set_run_title(self, title: str) -> None:
        """What the run on show is called in the titles of the windows."""
        self._run_title = title
        for window in self._windows.values():
            window.set_run(title)

    # --- how it is done ---

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self._follow()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self._follow()

    def _rows_in_use(self) -> "tuple[_Row, ...]":
        return self._rows if self._is_split else self._rows[:1]

    def _row_used_last(self) -> "_Row":
        return min(self._rows_in_use(), key=lambda row: self._used.index(row.chosen))

    def _free_names(self) -> list[str]:
        """The pages that stand nowhere, that used last first, those without a tab of their own at the end."""
        taken = {*self._windows, *(row.chosen for row in self._rows_in_use())}
        free = [name for name in self._used if name not in taken]
        return sorted(free, key=lambda name: page_list.page_info(name).is_in_more)

    def _follow(self) -> None:
        """Show what has been chosen, each page in one place only, and report it."""
        rows = self._rows_in_use()
        if len(rows) > 1 and rows[1].chosen in (rows[0].chosen, *self._windows):
            rows[1].choose(next(iter(self._free_names()), rows[1].chosen))
        for part in (self._edge, self._rows[1]):
            part.setVisible(len(rows) > 1)
        self._show_pages()
        shown, before = self.shown_names, self._shown
        if shown != before:
            self._shown = shown
            self.pages_changed.emit()
            if shown:
                self.page_shown.emit(shown[0])

    def _show_pages(self) -> None:
        rows = self._rows_in_use()
        for row in rows:
            others = {other.chosen for other in rows if other is not row}
            row.set_absent(others, tuple(self._windows))
            if self.isVisible():
                row.stack.show_widget(self.cover(row.chosen) or self.page(row.chosen))
        for name, window in self._windows.items():
            window.stack.show_widget(self.cover(name) or self._pages[name])

    @Slot(int)
    def _on_double_clicked(self, index: int) -> None:
        if index >= 0:
            self.tab_double_clicked.emit()

    @Slot(str)
    def _on_window_closed(self, name: str) -> None:
        window = self._windows.pop(name)
        self._rows[0].stack.addWidget(self._pages[name])
        window.deleteLater()
        self._follow()

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        for row in self._rows_in_use():
            if new is not None and row.isAncestorOf(new):
                self.use(row.chosen)

    @Slot()
    def _on_edge_pressed(self) -> None:
        self._share_before = self._share

    @Slot(int)
    def _on_edge_moved(self, way: int) -> None:
        self._set_share(self._share_before + way / max(1, self.height() - _EDGE))

    @Slot()
    def _on_edge_reset(self) -> None:
        self._set_share(0.5)

    def _set_share(self, share: float) -> None:
        """Give the upper page so much of the height."""
        self._share = min(max(share, 1 - _LARGEST_SHARE), _LARGEST_SHARE)
        self._column.setStretch(0, round(1000 * self._share))
        self._column.setStretch(2, round(1000 * (1 - self._share)))


class _Row(QWidget):
    """Tabs, and the page of the chosen one. What is seldom wanted, and tabs that do not fit, are in *More*."""

    asked = Signal(str)
    """A page is to be shown, here or where it is."""
    chosen_by_hand = Signal(str)

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._infos = page_list.PAGES
        self._absent: set[str] = set()
        self._in_windows: tuple[str, ...] = ()
        self.tabs = _Tabs()
        self.tabs.setAccessibleName(name)
        self.more_button = _more_button()
        for info in self._infos:
            index = self.tabs.addTab(info.title)
            self.tabs.setTabToolTip(index, info.tip)
        self.stack = _PageStack()
        self._line = row_of(self.tabs, self.more_button, None, spacing=0)
        self._line.setContentsMargins(_TABS_INDENT, 0, 0, 0)
        column_in(self, self._line, (self.stack, 1), spacing=6)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.more_button.menu().aboutToShow.connect(self._fill_more)
        self.tabs.currentChanged.connect(self._on_tab_changed)

    @property
    def chosen(self) -> str:
        """The name of the page of this row."""
        return self._infos[self.tabs.currentIndex()].name

    def choose(self, name: str) -> None:
        """Choose this page here."""
        with QSignalBlocker(self.tabs):
            self.tabs.setCurrentIndex([info.name for info in self._infos].index(name))

    def set_absent(self, absent: Iterable[str], in_windows: tuple[str, ...]) -> None:
        """Have no tabs for these pages; those in windows are offered in *More*."""
        self._absent = {*absent, *in_windows}
        self._in_windows = in_windows
        self._fit_tabs()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_tabs()

    def event(self, event: QEvent) -> bool:
        is_done = super().event(event)
        if event.type() is QEvent.Type.LayoutRequest:  # the type has changed
            self._fit_tabs()
        return is_done

    def _fit_tabs(self) -> None:
        """Show as many tabs as fit, the chosen one always."""
        widths = self.tabs.widths()
        current = self.tabs.currentIndex()
        space = self.width() - _TABS_INDENT - self.more_button.sizeHint().width() - widths[current]
        is_full = False
        for index, (info, width) in enumerate(zip(self._infos, widths, strict=True)):
            is_seen = index == current
            if not is_seen and not info.is_in_more and info.name not in self._absent:
                is_full = is_full or width > space
                space -= width
                is_seen = not is_full
            if is_seen != self.tabs.isTabVisible(index):
                self.tabs.setTabVisible(index, is_seen)
                self.tabs.updateGeometry()

    @Slot()
    def _fill_more(self) -> None:
        menu = self.more_button.menu()
        menu.clear()
        for index, info in enumerate(self._infos):
            if not self.tabs.isTabVisible(index) and info.name not in self._absent:
                self._offer(info.name, info.title, info.tip)
        if self._in_windows:
            menu.addSeparator()
        for name in self._in_windows:
            info = page_list.page_info(name)
            self._offer(name, f"{info.title} (in its own window)", info.tip)

    def _offer(self, name: str, text: str, tip: str) -> None:
        action = self.more_button.menu().addAction(text)
        action.setToolTip(tip)
        action.triggered.connect(partial(self._on_more_chosen, name))

    def _on_more_chosen(self, name: str, _is_checked: bool = False) -> None:
        if name not in self._in_windows:
            self.choose(name)
        self.asked.emit(name)

    @Slot()
    def _on_tab_changed(self) -> None:
        self.chosen_by_hand.emit(self.chosen)


class PageWindow(ReadingOrderFocus, Themed, QWidget):
    """A page in a window of its own."""

    closed = Signal(str)
    used = Signal(str)

    def __init__(self, info: page_list.PageInfo, page: Page, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._info = info
        self.stack = _PageStack()
        self.stack.addWidget(page)
        column_in(self, self.stack, margins=(8, 8, 8, 8))
        set_guide_page(self, info.guide_topic)

    def set_run(self, title: str) -> None:
        """Name the run that the page tells of."""
        self.setWindowTitle(f"{self._info.title} · {title_text(title)} – gpviz")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.ActivationChange and self.isActiveWindow():
            self.used.emit(self._info.name)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self.theme.colours.panel))  # as it is in the drawer

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit(self._info.name)


class _Tabs(QTabBar):
    """Flat tabs that know how much space each needs, seen or not."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "pages")
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setElideMode(Qt.TextElideMode.ElideNone)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def widths(self) -> list[int]:
        return [self.tabSizeHint(index).width() for index in range(self.count())]


def _more_button() -> QToolButton:
    button = QToolButton()
    button.setText("More")
    button.setToolTip("More pages")
    button.setAccessibleName("More pages")
    button.setProperty("role", "pages")
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    menu = MacSafeMenu(button)
    menu.setToolTipsVisible(True)
    button.setMenu(menu)
    return button


class _PageStack(QStackedWidget):
    """The page on show, or what is said instead of it; as small as that allows."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self._cover = QLabel()
        self._cover.setWordWrap(True)
        self._cover.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._cover.setProperty("role", "muted")
        self.addWidget(self._cover)

    def show_widget(self, wanted: Page | str) -> None:
        """Show this page, or say this instead of it."""
        if isinstance(wanted, str):
            self._cover.setText(wanted)
        widget = self._cover if isinstance(wanted, str) else wanted
        if self.currentWidget() is not widget:
            # Qt would give the keyboard to the first part of the page, where Space may press a button unasked.
            focus = QApplication.focusWidget()
            if focus is not None and self.isAncestorOf(focus):
                focus.clearFocus()
            if self.indexOf(widget) < 0:
                self.addWidget(widget)
            self.setCurrentWidget(widget)

    def minimumSizeHint(self) -> QSize:
        page = self.currentWidget() or self._cover
        return QSize(0, page.minimumSizeHint().expandedTo(page.minimumSize()).height())
