"""What every page below the tree is: a widget that shows a moment of the run, made when it is first looked at."""

from importlib import import_module
from typing import ClassVar

from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpviz.app.theme import Theme
from gpviz.page_list import PageInfo
from gpviz.run.history import History

__all__ = ["CurvesPage", "Page", "make_page"]


class Page(QWidget):
    """A page by what is asked of it; what it is called, and its keys, stand in the list of pages."""

    needs_little_room: ClassVar[bool] = False
    """Whether it often needs less than the room there is; most have graphs or long lists."""

    def show_moment(self, history: History, iteration: int) -> None:
        """Show what there is to see of this iteration; it is asked for while the page is on show."""
        raise NotImplementedError

    def set_theme(self, theme: Theme) -> None:
        """Wear this theme."""
        raise NotImplementedError

    def shut_down(self) -> None:
        """End what the page does in the background; the program ends."""


class CurvesPage(Page):
    """The curves, which are made with the window and kept up to date at their own pace."""

    def __init__(self, curves: QWidget) -> None:
        super().__init__()
        self._curves = curves
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(curves)

    def show_moment(self, history: History, iteration: int) -> None:
        """Nothing: whoever brings all that the window always shows to the cursor does so with the curves."""

    def set_theme(self, theme: Theme) -> None:
        self._curves.set_theme(theme)  # type: ignore[attr-defined]


def make_page(info: PageInfo) -> Page:
    """Load a page's module, and make the page."""
    module, _, name = info.page_class.partition(":")
    page: Page = getattr(import_module(module), name)()
    return page
