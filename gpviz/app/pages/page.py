"""What every page below the tree is: a widget that shows a moment of the run, made when it is first looked at."""

from collections.abc import Mapping
from importlib import import_module
from typing import ClassVar, Protocol

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QAbstractButton, QWidget

from gpviz.app.pages.phase_controller import PhaseController
from gpviz.app.run.branch_controller import BranchController
from gpviz.app.run.outlook_finder import OutlookFinder
from gpviz.app.run.run_controller import RunController
from gpviz.app.widgets.layouts import column_in
from gpviz.app.widgets.themed import Themed
from gpviz.engine import Mutation, Node
from gpviz.explain.moment import Moment, Overlay
from gpviz.lecture.lecture import CapturedView
from gpviz.page_list import PageInfo
from gpviz.runs.history import History
from gpviz.runs.show_request import ShowRequest


class PageContext(Protocol):
    """What a page may use of the window it stands in, and all that it knows of it."""

    @property
    def controller(self) -> RunController: ...
    @property
    def branch_controller(self) -> BranchController: ...
    @property
    def phases(self) -> PhaseController: ...
    @property
    def outlook_finder(self) -> OutlookFinder: ...
    @property
    def lecture_editor(self) -> QObject:
        """The lecture in the making; the page of its scenes knows what it is."""

    def captured_view(self) -> CapturedView:
        """What the window shows, to make a scene of it; raises `GpvizError` where there is too much of it."""

    def preview(self, mutation: Mutation | None) -> None:
        """Show on the tree what the next iteration would be if it drew this mutation; None shows the run again."""

    def show_other(self, moment: Moment, caption: str) -> None:
        """Show on the tree what is not part of the run, until the cursor moves."""

    def leave_other(self) -> None:
        """Show the run again."""

    def refresh_overlay(self) -> None:
        """What the page lays over the tree has changed."""

    def select_node(self, uid: int | None) -> None:
        """Choose this node of the tree."""

    def focus_tree(self) -> None:
        """Give the keyboard back to the tree."""

    def show_run(self, request: ShowRequest) -> None:
        """Put another run on show."""

    def show_message(self, message: str) -> None:
        """Say a sentence at the edge of the window."""

    def step_branches(self, one: int, other: int) -> None:
        """Let two branches, by their numbers, be stepped through side by side."""


class Page(Themed, QWidget):
    """A page by what is asked of it; what it is called, and its keys, stand in the list of pages.

    In the main window it is given a `PageContext` and may do things. Before an audience it only shows.
    """

    needs_little_room: ClassVar[bool] = False
    """Whether it often needs less than the space there is; most have graphs or long lists."""
    refresh_ms: ClassVar[float] = 150
    refresh_share: ClassVar[float] = 12
    """While a run is too fast to show each step: how often it gets the moment, and how small a part of the time
    that may take. Text that changes more often cannot be read."""

    def connect_to(self, context: PageContext) -> None:
        """Stand in a window from now on, and use what it offers."""

    def remembered_switches(self) -> Mapping[str, QAbstractButton]:
        """The switches of the page that have an action of the window, by its name: with a key, and remembered."""
        return {}

    def show_moment(self, history: History, iteration: int) -> None:
        """Show what there is to see of this iteration; it is asked for while the page is on show."""
        raise NotImplementedError

    def set_ahead_hidden(self, is_hidden: bool) -> None:
        """Show the run as if it ended at the cursor, while what comes next is to be guessed; or all of it."""

    def let_go(self) -> None:
        """Forget the history of the moment it showed last: another run has come, and the page is not on show."""

    def overlay_on(self, tree: Node | None) -> Overlay | None:
        """What the page, being on show, lays over this tree."""
        return None

    def hover_text(self, uid: int) -> str:
        """What the page knows of a node under the mouse, to be said with all else; empty for nothing."""
        return ""

    def set_selected(self, node: int | None, label: str = "") -> None:
        """This node is chosen on the tree, by its number in preorder and what is written on it, or none is."""

    def shut_down(self) -> None:
        """End what the page does in the background; the program ends."""


class CurvesPage(Page):
    """The curves, which are made with the window and kept up to date at their own pace."""

    def __init__(self, curves: QWidget) -> None:
        super().__init__()
        layout = column_in(self)
        layout.addWidget(curves)

    def show_moment(self, history: History, iteration: int) -> None:
        """Nothing: whoever brings all that the window always shows to the cursor does so with the curves."""


def make_page(info: PageInfo) -> Page:
    """Load a page's module, and make the page."""
    module, _, name = info.page_class.partition(":")
    page: Page = getattr(import_module(module), name)()
    return page
