"""The tabs beside or below the tree: the curves and the pages about an iteration, one of them on show."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QStackedWidget,
    QTabBar,
    QToolButton,
    QWidget,
)

from gpviz import page_list
from gpviz.app.pages.page import Page, make_page
from gpviz.app.widgets.layouts import column_in
from gpviz.app.widgets.mac_safe_menu import MacSafeMenu


class PageTabs(QWidget):
    """Tabs and the page of the chosen one. Pages are made when they are first looked at, so they cost no start.

    Tabs that do not fit are under *more*.
    """

    page_made = Signal(str)
    page_shown = Signal(str)
    tab_double_clicked = Signal()

    def __init__(self, made: Mapping[str, Page], parent: QWidget | None = None) -> None:
        """With the pages, by their names, that are there already."""
        super().__init__(parent)
        self._infos = page_list.PAGES
        self._pages: dict[str, Page] = {}
        self.tabs = _Tabs()
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setUsesScrollButtons(False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideNone)
        self.tabs.setAccessibleName("Pages")
        self.more_button = _more_button()
        for info in self._infos:
            index = self.tabs.addTab(info.title)
            self.tabs.setTabToolTip(index, info.tip)
        self._stack = _Stack()
        for name, page in made.items():
            self._add(name, page)
        layout = column_in(self, spacing=4)
        self._line = QHBoxLayout()
        self._line.addWidget(self.tabs)
        self._line.addWidget(self.more_button)
        self._line.addStretch(1)
        self._corners: list[QWidget] = []
        self._cover = QLabel()
        self._cover.setWordWrap(True)
        self._cover.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._cover.setProperty("role", "muted")
        self._stack.addWidget(self._cover)
        layout.addLayout(self._line)
        layout.addWidget(self._stack, 1)
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self.tabs.tabBarDoubleClicked.connect(self._on_double_clicked)
        self.more_button.menu().aboutToShow.connect(self._fill_more)
        self._on_tab_changed()

    @property
    def current(self) -> str:
        """The name of the page on show."""
        return self._infos[self.tabs.currentIndex()].name

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
            self._add(name, make_page(page_list.page_info(name)))
            self.page_made.emit(name)
        return self._pages[name]

    def set_corner(self, widget: QWidget) -> None:
        """Put something small at the end of the line of tabs."""
        self._corners.append(widget)
        self._line.addWidget(widget)

    def hidden_pages(self) -> list[str]:
        """The pages whose tabs do not fit."""
        return [info.name for at, info in enumerate(self._infos) if not self.tabs.isTabVisible(at)]

    def show_page(self, name: str) -> None:
        """Choose a page."""
        self.tabs.setCurrentIndex([info.name for info in self._infos].index(name))

    @property
    def cover(self) -> str:
        """What is said instead of showing the page, empty while it is shown."""
        return self._cover.text()

    def set_cover(self, text: str) -> None:
        """Say this instead of showing the page, which tells what nobody is to know yet; nothing shows it again."""
        if text != self.cover:
            self._cover.setText(text)
            self._show_current()

    def shut_down(self) -> None:
        """End what the pages do in the background."""
        for page in self._pages.values():
            page.shut_down()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_tabs()

    def event(self, event: QEvent) -> bool:
        is_done = super().event(event)
        if event.type() is QEvent.Type.LayoutRequest:  # type, or what stands beside the tabs, has changed
            self._fit_tabs()
        return is_done

    def _fit_tabs(self) -> None:
        """Show as many tabs as fit, the chosen one always."""
        gap = self._line.spacing()
        beside = sum(each.sizeHint().width() + gap for each in self._corners if not each.isHidden())
        widths = self.tabs.widths()
        space = self.width() - beside
        if sum(widths) > space:
            space -= self.more_button.sizeHint().width() + gap
        current = self.tabs.currentIndex()
        space -= widths[current]
        is_full = False
        for index, width in enumerate(widths):
            if index != current:
                is_full = is_full or width > space
                space -= width
            is_seen = index == current or not is_full
            if is_seen != self.tabs.isTabVisible(index):
                self.tabs.setTabVisible(index, is_seen)
                self.tabs.updateGeometry()
        self.more_button.setVisible(is_full)

    @Slot()
    def _fill_more(self) -> None:
        menu = self.more_button.menu()
        menu.clear()
        for name in self.hidden_pages():
            info = page_list.page_info(name)
            action = menu.addAction(info.title)
            action.setToolTip(info.tip)
            action.triggered.connect(partial(self._on_more_chosen, name))

    def _on_more_chosen(self, name: str, _is_checked: bool = False) -> None:
        self.show_page(name)

    @Slot(int)
    def _on_double_clicked(self, index: int) -> None:
        if index >= 0:
            self.tab_double_clicked.emit()

    def _add(self, name: str, page: Page) -> None:
        self._pages[name] = page
        self._stack.addWidget(page)

    def _show_current(self) -> None:
        # Qt would give the keyboard to the first part of the new page, where Space may press a button unasked.
        focus = QApplication.focusWidget()
        if focus is not None and self._stack.isAncestorOf(focus):
            focus.clearFocus()
        self._stack.setCurrentWidget(self._cover if self.cover else self.page(self.current))

    @Slot()
    def _on_tab_changed(self) -> None:
        self._show_current()
        self._fit_tabs()
        self.page_shown.emit(self.current)


class _Tabs(QTabBar):
    """Tabs that know how much space each needs, seen or not."""

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def widths(self) -> list[int]:
        return [self.tabSizeHint(index).width() for index in range(self.count())]


def _more_button() -> QToolButton:
    button = QToolButton()
    button.setText("more")
    button.setToolTip("The pages whose tabs find no room")
    button.setAccessibleName("More pages")
    button.setProperty("role", "more")
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    menu = MacSafeMenu(button)
    menu.setToolTipsVisible(True)
    button.setMenu(menu)
    button.hide()
    return button


class _Stack(QStackedWidget):
    """As small as the page on show allows, not as the largest of all."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)

    def minimumSizeHint(self) -> QSize:
        page = self.currentWidget()
        return QSize(0, page.minimumSizeHint().expandedTo(page.minimumSize()).height())
