"""The workbench below the stage: the curves and the pages that look into an iteration, one of them on show."""

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from gpviz import page_list
from gpviz.app.pages.page import Page, make_page
from gpviz.app.widgets.layouts import column_in

__all__ = ["Workbench"]


class Workbench(QWidget):
    """Tabs and the page of the chosen one. Pages are made when they are first looked at, so they cost no start."""

    page_made = Signal(str)
    page_shown = Signal(str)

    def __init__(self, made: Mapping[str, Page], parent: QWidget | None = None) -> None:
        """With the pages, by their names, that are there already."""
        super().__init__(parent)
        self._infos = page_list.PAGES
        self._pages: dict[str, Page] = {}
        self.tabs = QTabBar()
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setUsesScrollButtons(True)
        self.tabs.setElideMode(Qt.TextElideMode.ElideNone)
        self.tabs.setAccessibleName("What is shown below the tree")
        for info in self._infos:
            place = self.tabs.addTab(info.title)
            self.tabs.setTabToolTip(place, info.tip)
        self._stack = _Stack()
        self._places: dict[str, QVBoxLayout] = {}
        for info in self._infos:
            holder = QWidget()
            self._places[info.name] = QVBoxLayout(holder)
            self._places[info.name].setContentsMargins(0, 0, 0, 0)
            self._stack.addWidget(holder)
        for name, page in made.items():
            self._add(name, page)
        layout = column_in(self, spacing=4)
        self._line = QHBoxLayout()
        self._line.addWidget(self.tabs, 1)
        layout.addLayout(self._line)
        layout.addWidget(self._stack, 1)
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self._on_tab_changed(0)

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
        self._line.addWidget(widget)

    def show_page(self, name: str) -> None:
        """Choose a page."""
        self.tabs.setCurrentIndex([info.name for info in self._infos].index(name))

    def shut_down(self) -> None:
        """End what the pages do in the background."""
        for page in self._pages.values():
            page.shut_down()

    def _add(self, name: str, page: Page) -> None:
        self._pages[name] = page
        self._places[name].addWidget(page)

    @Slot(int)
    def _on_tab_changed(self, place: int) -> None:
        self.page(self._infos[place].name)
        self._stack.setCurrentIndex(place)
        self.page_shown.emit(self._infos[place].name)


class _Stack(QStackedWidget):
    """As small as the page on show allows, not as the largest of all."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)

    def minimumSizeHint(self) -> QSize:
        page = self.currentWidget()
        return QSize(0, 0) if page is None else QSize(0, page.minimumSizeHint().height())
