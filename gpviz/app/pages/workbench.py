"""The workbench below the stage: the curves and the pages that look into an iteration, one of them on show."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from gpviz.app.theme import Theme

__all__ = ["PageSpec", "Workbench"]


@dataclass(frozen=True, slots=True)
class PageSpec:
    """A page by its name, what is written on its tab, what it is for, and how it is made.

    A page is a widget with a ``set_theme``. If it has a ``show_moment(history, iteration)`` it is told where the
    cursor is while it is on show, and if it has a ``shut_down`` that is called before the program ends.
    """

    name: str
    title: str
    tip: str
    make: Callable[[], Any]


class Workbench(QWidget):
    """Tabs and the page of the chosen one. Pages are made when they are first looked at, so they cost no start."""

    page_made = Signal(str)
    page_shown = Signal(str)

    def __init__(self, specs: tuple[PageSpec, ...], theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._specs = specs
        self._theme = theme
        self._pages: dict[str, Any] = {}
        self.tabs = QTabBar()
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setUsesScrollButtons(True)
        self.tabs.setElideMode(Qt.TextElideMode.ElideNone)
        self.tabs.setAccessibleName("What is shown below the tree")
        for spec in specs:
            place = self.tabs.addTab(spec.title)
            self.tabs.setTabToolTip(place, spec.tip)
        self._stack = _Stack()
        self._places: dict[str, QVBoxLayout] = {}
        for spec in specs:
            holder = QWidget()
            self._places[spec.name] = QVBoxLayout(holder)
            self._places[spec.name].setContentsMargins(0, 0, 0, 0)
            self._stack.addWidget(holder)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        self._line = QHBoxLayout()
        self._line.addWidget(self.tabs, 1)
        layout.addLayout(self._line)
        layout.addWidget(self._stack, 1)
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self._on_tab_changed(0)

    @property
    def current(self) -> str:
        """The name of the page on show."""
        return self._specs[self.tabs.currentIndex()].name

    def made(self, name: str) -> Any:
        """A page that was looked at already; None if it was not."""
        return self._pages.get(name)

    def page(self, name: str) -> Any:
        """A page, made now if it is not there yet."""
        if name not in self._pages:
            spec = next(spec for spec in self._specs if spec.name == name)
            page = self._pages[name] = spec.make()
            self._places[name].addWidget(page)
            page.set_theme(self._theme)
            self.page_made.emit(name)
        return self._pages[name]

    def set_corner(self, widget: QWidget) -> None:
        """Put something small at the end of the line of tabs."""
        self._line.addWidget(widget)

    def show_page(self, name: str) -> None:
        """Choose a page."""
        self.tabs.setCurrentIndex([spec.name for spec in self._specs].index(name))

    def set_theme(self, theme: Theme) -> None:
        """Tell every page."""
        self._theme = theme
        for page in self._pages.values():
            page.set_theme(theme)

    def shut_down(self) -> None:
        """End what the pages do in the background."""
        for page in self._pages.values():
            if hasattr(page, "shut_down"):
                page.shut_down()

    @Slot(int)
    def _on_tab_changed(self, place: int) -> None:
        self.page(self._specs[place].name)
        self._stack.setCurrentIndex(place)
        self.page_shown.emit(self._specs[place].name)


class _Stack(QStackedWidget):
    """As small as the page on show allows, not as the largest of all."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)

    def minimumSizeHint(self) -> QSize:
        page = self.currentWidget()
        return QSize(0, 0) if page is None else QSize(0, page.minimumSizeHint().height())
