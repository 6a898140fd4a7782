"""Pages, each a widget that shows a moment of the run, and the tabs that show one page at a time."""

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any, ClassVar, Protocol

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QSizePolicy,
    QStackedWidget,
    QTabBar,
    QToolButton,
    QWidget,
)

from gpviz import page_list
from gpviz.app.pages.phase_controller import PhaseController
from gpviz.app.player.player import Player
from gpviz.app.question import Question, close_questions
from gpviz.app.run.branch_controller import BranchController
from gpviz.app.run.outlook_finder import OutlookFinder
from gpviz.app.widgets.fields import PlainLabel
from gpviz.app.widgets.layouts import column_in, row_of
from gpviz.app.widgets.mac_safe_menu import MacSafeMenu
from gpviz.app.widgets.themed import Themed
from gpviz.engine import Mutation, Node, RunConfig
from gpviz.explain.answers_by_tree import AnswersByTree
from gpviz.explain.moment import Moment, Overlay
from gpviz.lecture.lecture import CapturedView
from gpviz.page_list import PageInfo
from gpviz.runs.history import History
from gpviz.runs.show_request import ShowRequest


class PageContext(Protocol):
    """What a page may use of the window it stands in, and all that it knows of it."""

    @property
    def player(self) -> Player: ...
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

    def show_other(self, moment: Moment, head: str = "") -> None:
        """Show on the tree what is not part of the run, until the cursor moves; the banner says so first."""

    def leave_other(self) -> None:
        """Show the run again."""

    def refresh_overlay(self) -> None:
        """What the page lays over the tree has changed."""

    def select_node(self, uid: int | None) -> None:
        """Choose this node of the tree."""

    def focus_tree(self) -> None:
        """Give the keyboard back to the tree."""

    @property
    def show_run(self) -> Callable[[ShowRequest], object]:
        """Puts another run on show."""

    @property
    def show_message(self) -> Callable[[str], None]:
        """Says a sentence at the edge of the window."""

    def step_branches(self, one: int, other: int) -> None:
        """Let two branches, by their numbers, be stepped through side by side."""


class Page(Themed, QWidget):
    """A page by what is asked of it; what it is called, and its keys, stand in the list of pages.

    In the main window it is given a `PageContext` and may do things. Before an audience it only shows.
    """

    needs_little_space: ClassVar[bool] = False
    """Whether it often needs less than the space there is; most have graphs or long lists."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context: PageContext | None = None
        self.history: History | None = None
        self.iteration = 0
        """The cursor, when the page was last on show."""
        self.tree: Node | None = None
        self.config: RunConfig | None = None
        """The tree there, and the settings with which the run goes on from it."""
        self._questions: list[Question] = []
        self._asked_for = 0
        self._answered_for: int | None = None
        self._lag = PlainLabel(parent=self)
        self._lag.setProperty("role", "card")
        self._lag.setMargin(4)
        self._lag.hide()

    def connect_to(self, context: PageContext) -> None:
        """Stand in a window from now on, and use what it offers."""
        self._context = context

    @property
    def context(self) -> PageContext:
        """What a page uses of its window that never stands before an audience."""
        assert self._context is not None
        return self._context

    def set_for_audience(self) -> None:
        """Stand before an audience from now on: nothing can be pressed, and the keys are the speaker's."""
        for part in (self, *self.findChildren(QWidget)):
            part.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            if isinstance(part, QAbstractButton | QComboBox):
                part.setMaximumSize(0, 0)  # the page may show it again, but nobody sees it

    def remembered_switches(self) -> Mapping[str, QAbstractButton]:
        """The switches of the page that have an action of the window, by its name: with a key, and remembered."""
        return {}

    def show_moment(self, history: History, iteration: int) -> None:
        """Show what there is to see of this iteration; it is asked for while the page is on show."""
        self._answered_for = self.tells_of
        self.history, self.iteration = history, iteration
        self.tree, self.config = history.tree_at(iteration), history.config_after(iteration)

    def question_about_moment(
        self, show: Callable[[Any], None], *, remembers: int | AnswersByTree[Any]
    ) -> Question:
        """A question about what is under the cursor; while it is late, the page says of what it still tells."""
        made = Question(self, show, self.show_problem, remembers=remembers)
        made.asked.connect(self._on_asked)
        made.answered.connect(self._on_answered)
        made.grown_late.connect(self.show_lag)
        made.settled.connect(self.show_lag)
        self._questions.append(made)
        return made

    @property
    def is_busy(self) -> bool:
        """Whether something about the moment under the cursor is still to be found out."""
        return any(question.is_busy for question in self._questions)

    @property
    def is_behind(self) -> bool:
        """Whether what is on show may be about another moment than the one under the cursor."""
        return self.is_busy

    def tell_of(self, iteration: int | None) -> None:
        """What is on show from now on is of this iteration; None for none, as nothing is on show."""
        self._answered_for = iteration
        self.show_lag()

    @property
    def tells_of(self) -> int | None:
        """The iteration of which the page tells, which may not be the one under the cursor; None for no one."""
        return self._answered_for if self.is_behind else self.iteration

    def set_ahead_hidden(self, is_hidden: bool) -> None:
        """Show the run as if it ended at the cursor, while what comes next is to be guessed; or all of it."""

    def let_go(self) -> None:
        """Forget the history of the moment it showed last: another run has come, and the page is not on show."""
        self.history = self.tree = self.config = None
        for question in self._questions:
            question.cancel()

    def overlay_on(self, tree: Node | None) -> Overlay | None:
        """What the page, being on show, lays over this tree."""
        return None

    def hover_text(self, uid: int) -> str:
        """What the page knows of a node under the mouse, to be said with all else; empty for nothing."""
        return ""

    def set_selected(self, node: int | None) -> None:
        """This node is chosen on the tree, by its number in preorder, or none is."""

    def show_problem(self, problem: str) -> None:
        """Say why what the page has asked cannot be answered."""
        raise NotImplementedError

    def shut_down(self) -> None:
        """End what the page does in the background; the program ends."""
        close_questions(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_lag()

    @Slot()
    def _on_asked(self) -> None:
        self._asked_for = self.iteration

    @Slot()
    def _on_answered(self) -> None:
        self.tell_of(self._asked_for)

    @Slot()
    def show_lag(self) -> None:
        """Name the iteration of which the page tells, from when that is not the one under the cursor.

        It stays as long as the page is behind, which may show the cursor now and then.
        """
        is_other = self.tells_of != self.iteration or not self._lag.isHidden()
        is_named = self.tells_of is not None and self.is_behind and is_other
        if is_named:
            self._lag.setText(f"t = {self.tells_of:,} …")
            self._lag.adjustSize()
            self._place_lag()
            self._lag.raise_()
        self._lag.setVisible(is_named)

    def _place_lag(self) -> None:
        self._lag.move(self.width() - self._lag.width(), 0)


class CurvesPage(Page):
    """The curves, which are made with the window, and brought to the cursor with all that it always shows."""

    def __init__(self, curves: QWidget) -> None:
        super().__init__()
        column_in(self, curves)


def make_page(info: PageInfo) -> Page:
    """Load a page's module, and make the page."""
    module, _, name = info.page_class.partition(":")
    page: Page = getattr(import_module(module), name)()
    return page


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
        self._line = row_of(self.tabs, self.more_button, None)
        self._corners: list[QWidget] = []
        self._cover = QLabel()
        self._cover.setWordWrap(True)
        self._cover.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._cover.setProperty("role", "muted")
        self._stack.addWidget(self._cover)
        column_in(self, self._line, (self._stack, 1), spacing=4)
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
    button.setToolTip("Pages whose tabs do not fit")
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
        if page is None:
            return QSize(0, 0)
        return QSize(0, page.minimumSizeHint().expandedTo(page.minimumSize()).height())
