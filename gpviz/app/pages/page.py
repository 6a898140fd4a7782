"""Pages, each a widget that shows a moment of the run."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, ClassVar, Protocol

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QComboBox, QWidget

from gpviz.app.pages.phase_controller import PhaseController
from gpviz.app.player.player import Player
from gpviz.app.question import Question, close_questions
from gpviz.app.run.branch_controller import BranchController
from gpviz.app.run.outlook_finder import OutlookFinder
from gpviz.app.run.run_document import Document
from gpviz.app.widgets.fields import PlainLabel
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
    def document(self) -> Document: ...
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
    def show_page(self) -> Callable[[str], object]:
        """Shows the page of this name."""

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

    def remembered_switches(self) -> Mapping[str, QAbstractButton | QAction]:
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

    def set_outcome_hidden(self, is_hidden: bool) -> None:
        """Do not tell yet how the iteration under the cursor ended, or tell it again."""

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
        self._lag.move(self.width() - self._lag.width(), self.height() - self._lag.height())


def make_page(info: PageInfo) -> Page:
    """Load a page's module, and make the page."""
    module, _, name = info.page_class.partition(":")
    page: Page = getattr(import_module(module), name)()
    return page
