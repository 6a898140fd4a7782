"""Between the pages, the run and the tree: the page on show follows the cursor, and what it asks for is shown.

What is not part of the run (a preview, a phase, a question) is shown on the tree until the cursor moves.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractButton

from gpviz.app.canvas.tree_canvas import TreeCanvas
from gpviz.app.guide.window import set_guide_page
from gpviz.app.moment_view import TreePart
from gpviz.app.pages.page import Page, PageTabs
from gpviz.app.pages.phase_controller import PhaseController
from gpviz.app.pages.quiz_controller import QuizController
from gpviz.app.player.pacing import transition_ms
from gpviz.app.player.player import Player
from gpviz.app.player.shown_moment import ShownMoment
from gpviz.app.run.branch_controller import BranchController
from gpviz.app.run.outlook_finder import OutlookFinder
from gpviz.engine import GpvizError, Mutation
from gpviz.explain.iteration_phases import Phase, PhaseView
from gpviz.explain.moment import Moment, preview_of
from gpviz.lecture.lecture import CapturedView
from gpviz.page_list import INSIDE, page_info
from gpviz.runs.history import History
from gpviz.runs.show_request import ShowRequest

if TYPE_CHECKING:
    from gpviz.app.lecture.lecture_editor import LectureEditor


class OtherWindows(Protocol):
    """What pages use of the windows beside the main one."""

    @property
    def lecture_editor(self) -> "LectureEditor": ...
    def captured_view(self) -> CapturedView: ...
    def show_branches(self, one: int, other: int) -> None: ...


class PageHost(QObject):
    """Tells the page on show where the cursor is, and is the `PageContext` of all pages of the main window."""

    outcome_hidden = Signal(bool)
    """Whether how the iteration under the cursor ended is not to be told yet."""

    def __init__(
        self,
        player: Player,
        branch_controller: BranchController,
        quiz: QuizController,
        phases: PhaseController,
        outlook_finder: OutlookFinder,
        tree: TreePart,
        canvas: TreeCanvas,
        drawer: PageTabs,
        windows: OtherWindows,
        parent: QObject | None = None,
        *,
        show_run: Callable[[ShowRequest], object],
        show_message: Callable[[str], None],
    ) -> None:
        super().__init__(parent)
        self.player = player
        self.branch_controller = branch_controller
        self.phases = phases
        self.quiz = quiz
        self.outlook_finder = outlook_finder
        self._windows = windows
        self.show_run = show_run
        self.show_message = show_message
        self._tree = tree
        self._canvas = canvas
        self._drawer = drawer
        self._has_other = False
        self._question: Moment | None = None
        self._history: History | None = None
        self._iteration = 0
        drawer.page_made.connect(self._on_page_made)
        drawer.page_shown.connect(self._on_page_shown)
        canvas.node_hovered.connect(self._on_node_hovered)
        canvas.node_selected.connect(self._on_node_selected)
        self.phases.phase_changed.connect(self._on_phase_changed)
        self.quiz.asked.connect(self._on_asked)
        self.quiz.withdrawn.connect(self.leave_other)
        self.quiz.switched.connect(self._on_quiz_switched)
        for changed in (self.quiz.asked, self.quiz.answered, self.quiz.revealed, self.quiz.withdrawn):
            changed.connect(self._cover_page)
        for name in drawer.made_names:
            self._on_page_made(name)

    def close(self) -> None:
        """End what the pages do in the background."""
        self._drawer.shut_down()

    def show_moment(self, shown: ShownMoment) -> None:
        """Bring the page on show to a moment; what is not part of the run goes, unless it is about this moment."""
        is_other_run = shown.history is not self._history
        is_same = not is_other_run and shown.iteration == self._iteration
        self._history, self._iteration = shown.history, shown.iteration
        if not is_same and self.phases.current is None and not self.quiz.is_asking:
            self._has_other = False
        if is_other_run:
            self._has_other = False
            seen = self._seen_page()
            for page in map(self._drawer.page, self._drawer.made_names):
                if page is not seen:
                    page.let_go()
        self._cover_page()
        self.follow()

    @Slot()
    def follow(self) -> None:
        """Bring the page on show to the cursor."""
        page = self._seen_page()
        if page is not None and self._history is not None:
            page.show_moment(self._history, self._iteration)
        self.refresh_overlay()

    # --- what pages may use ---

    @property
    def lecture_editor(self) -> "LectureEditor":
        """The lecture in the making."""
        return self._windows.lecture_editor

    def captured_view(self) -> CapturedView:
        """What the window shows, to make a scene of it."""
        return self._windows.captured_view()

    @Slot(object)
    def preview(self, mutation: Mutation | None) -> None:
        """Show what the next iteration would be if it drew this mutation."""
        if mutation is None:
            self.leave_other()
            return
        history, cursor = self.player.run.history, self.player.cursor
        try:
            moment = preview_of(history, cursor, mutation)
        except GpvizError as problem:
            self.leave_other()
            self.show_message(str(problem))
            return
        self.show_other(moment)

    def show_other(self, moment: Moment, head: str = "") -> None:
        """Show what is not part of the run, until the cursor moves; the banner begins with what it is."""
        self._has_other = True
        self._tree.show_other(moment, head, transition_ms(None))
        self.refresh_overlay()

    @Slot()
    def leave_other(self) -> None:
        """Show the run again."""
        if self.quiz.is_asking and self._question is not None:
            self._on_asked(self._question)  # what is asked stays in view until it is answered
        elif self._has_other:
            self._has_other = False
            self._tree.show_again(transition_ms(None))
            self.refresh_overlay()

    @Slot()
    def refresh_overlay(self) -> None:
        """Lay over the tree what the page on show has for it."""
        page = None if self._drawer.cover else self._drawer.made(self._drawer.current)
        moment = self._canvas.moment
        tree = None if moment is None else moment.tree
        self._canvas.set_overlay(None if page is None else page.overlay_on(tree))

    @Slot()
    def _cover_page(self) -> None:
        """Cover the page on show as long as it tells what is to be guessed."""
        info, quiz = page_info(self._drawer.current), self.quiz
        cover = ""
        if info.judges_mutations and quiz.is_asking:
            cover = "This page knows the answer. Guess first, or press Enter to see it."
        elif info.shows_whole_run and quiz.is_on and not self.player.is_at_live_end:
            cover = "This page tells what comes next. It is back when Guess first is off, or at the live end."
        if cover != self._drawer.cover:
            self._drawer.set_cover(cover)
            self.follow()

    @Slot(object)
    def select_node(self, uid: int | None) -> None:
        """Choose this node of the tree."""
        self._canvas.select(uid)

    def focus_tree(self) -> None:
        """Give the keyboard back to the tree."""
        self._canvas.setFocus()

    @Slot(int, int)
    def step_branches(self, one: int, other: int) -> None:
        """Let two branches be stepped through side by side."""
        self._windows.show_branches(one, other)

    # --- the pages ---

    def _seen_page(self) -> Page | None:
        page = self._drawer.made(self._drawer.current)
        return page if page is not None and page.isVisible() else None

    @Slot(str)
    def _on_page_made(self, name: str) -> None:
        page = self._drawer.page(name)
        set_guide_page(page, page_info(name).guide_topic)
        page.connect_to(self)
        page.set_ahead_hidden(self.quiz.is_on)
        for button in page.findChildren(QAbstractButton):
            # A button that was clicked would keep the focus, and then Space would press it again.
            if button.focusPolicy() & Qt.FocusPolicy.ClickFocus:
                button.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    @Slot(str)
    def _on_page_shown(self, name: str) -> None:
        if name != INSIDE:
            self.phases.close_phases()
        self.leave_other()
        self._cover_page()
        self.follow()
        self._on_node_selected(self._canvas.selected_uid)

    # --- the tree ---

    @Slot(bool)
    def _on_quiz_switched(self, is_on: bool) -> None:
        for name in self._drawer.made_names:
            self._drawer.page(name).set_ahead_hidden(is_on)
        self._cover_page()

    @Slot(object)
    def _on_asked(self, moment: Moment) -> None:
        self._question = moment
        self.show_other(moment)

    @Slot(object)
    def _on_phase_changed(self, view: PhaseView | None) -> None:
        self.outcome_hidden.emit(view is not None and view.phase is not Phase.VERDICT)
        if view is None:
            self.leave_other()
            self.refresh_overlay()
            return
        self._drawer.show_page(INSIDE)
        self.show_other(view.moment)

    @Slot(object)
    def _on_node_hovered(self, uid: int | None) -> None:
        page = self._seen_page()
        if uid is not None and page is not None:
            self._canvas.set_hover_extra(uid, page.hover_text(uid))

    @Slot(object)
    def _on_node_selected(self, uid: int | None) -> None:
        page = self._seen_page()
        if page is not None:
            page.set_selected(self._canvas.node_number_of(uid))
