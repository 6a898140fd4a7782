"""Between the pages, the run and the tree: the pages on show follow the cursor, and what they ask for is shown.

What is not part of the run (a preview, a phase, a question) is shown on the tree until the cursor moves.
"""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractButton

from gpviz.app.canvas.tree_canvas import TreeCanvas
from gpviz.app.drawer import Drawer
from gpviz.app.guide.window import set_guide_page
from gpviz.app.moment_view import TreePart
from gpviz.app.pages.page import Page
from gpviz.app.pages.phase_controller import PhaseController
from gpviz.app.pages.quiz_controller import QuizController
from gpviz.app.player.pacing import transition_ms
from gpviz.app.player.player import Player
from gpviz.app.player.shown_moment import ShownMoment
from gpviz.app.run.branch_controller import BranchController
from gpviz.app.run.outlook_finder import OutlookFinder
from gpviz.app.run.run_document import Document
from gpviz.engine import GpvizError, Mutation
from gpviz.explain.iteration_phases import Phase, PhaseView
from gpviz.explain.moment import Moment, preview_of
from gpviz.lecture.lecture import CapturedView
from gpviz.page_list import INSIDE, page_info
from gpviz.runs.history import History
from gpviz.runs.settings_text import settings_text
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
    """Tells the pages on show where the cursor is, and is the `PageContext` of all pages of the main window."""

    outcome_hidden = Signal(bool)
    """Whether how the iteration under the cursor ended is not to be told yet."""

    def __init__(
        self,
        player: Player,
        document: Document,
        branch_controller: BranchController,
        quiz: QuizController,
        phases: PhaseController,
        outlook_finder: OutlookFinder,
        tree: TreePart,
        canvas: TreeCanvas,
        drawer: Drawer,
        windows: OtherWindows,
        parent: QObject | None = None,
        *,
        show_page: Callable[[str], object],
        show_run: Callable[[ShowRequest], object],
        show_message: Callable[[str], None],
    ) -> None:
        super().__init__(parent)
        self.player = player
        self.document = document
        self.branch_controller = branch_controller
        self.phases = phases
        self.quiz = quiz
        self.outlook_finder = outlook_finder
        self._windows = windows
        self.show_page = show_page
        self.show_run = show_run
        self.show_message = show_message
        self._tree = tree
        self._canvas = canvas
        self._drawer = drawer
        self._seen: set[str] = set()
        self._is_outcome_hidden = False
        self._has_other = False
        self._question: Moment | None = None
        self._history: History | None = None
        self._iteration = 0
        drawer.page_made.connect(self._on_page_made)
        drawer.pages_changed.connect(self._on_pages_changed)
        document.changed.connect(self._name_run)
        canvas.node_hovered.connect(self._on_node_hovered)
        canvas.node_selected.connect(self._on_node_selected)
        self.phases.phase_changed.connect(self._on_phase_changed)
        self.quiz.asked.connect(self._on_asked)
        self.quiz.withdrawn.connect(self.leave_other)
        self.quiz.switched.connect(self._on_quiz_switched)
        for changed in (self.quiz.asked, self.quiz.answered, self.quiz.revealed, self.quiz.withdrawn):
            changed.connect(self._on_quiz_changed)

    def close(self) -> None:
        """End what the pages do in the background."""
        self._drawer.shut_down()

    def show_moment(self, shown: ShownMoment) -> None:
        """Bring the pages on show to a moment; what is not part of the run goes, unless it is about this one."""
        is_other_run = shown.history is not self._history
        is_same = not is_other_run and shown.iteration == self._iteration
        self._history, self._iteration = shown.history, shown.iteration
        if not is_same and self.phases.current is None and not self.quiz.is_asking:
            self._has_other = False
        if is_other_run:
            self._has_other = False
            seen = self._seen_pages()
            for page in map(self._drawer.page, self._drawer.made_names):
                if page not in seen:
                    page.let_go()
            self._name_run()
        self._cover_pages()
        self.follow()

    @Slot()
    def follow(self) -> None:
        """Bring the pages on show to the cursor."""
        if self._history is not None:
            for page in self._seen_pages():
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
        elif self.phases.current is not None:
            self.show_other(self.phases.current.moment)
        elif self._has_other:
            self._has_other = False
            self._tree.show_again(transition_ms(None))
            self.refresh_overlay()

    @Slot()
    def refresh_overlay(self) -> None:
        """Lay over the tree what the page used last has for it, or else another one on show."""
        moment = self._canvas.moment
        tree = None if moment is None else moment.tree
        overlays = (page.overlay_on(tree) for page in self._seen_pages())
        self._canvas.set_overlay(next((overlay for overlay in overlays if overlay is not None), None))

    @Slot()
    def _on_quiz_changed(self) -> None:
        self._cover_pages()
        self.follow()

    def _cover_pages(self) -> None:
        """Cover the pages on show as long as they tell what is to be guessed."""
        for name in self._drawer.shown_names:
            self._drawer.set_cover(name, self._cover_of(name))

    def _cover_of(self, name: str) -> str:
        info, quiz = page_info(name), self.quiz
        if info.judges_mutations and quiz.is_asking:
            return "This page knows the answer. Guess first, or press the right arrow to see it."
        if info.shows_whole_run and quiz.is_on and not self.player.is_at_live_end:
            return "This page shows what comes next. It returns when Guess first is off, or at the live end."
        return ""

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

    def _seen_pages(self) -> list[Page]:
        """The pages on show that are not covered, that used last first."""
        names = (name for name in self._drawer.shown_names if not self._drawer.cover(name))
        return [page for page in map(self._drawer.made, names) if page is not None]

    @Slot(str)
    def _on_page_made(self, name: str) -> None:
        page = self._drawer.page(name)
        set_guide_page(page, page_info(name).guide_topic)
        page.connect_to(self)
        page.set_ahead_hidden(self.quiz.is_on)
        page.set_outcome_hidden(self._is_outcome_hidden)
        for button in page.findChildren(QAbstractButton):
            # A button that was clicked would keep the focus, and then Space would press it again.
            if button.focusPolicy() & Qt.FocusPolicy.ClickFocus:
                button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.pressed.connect(partial(self._drawer.use, name))

    @Slot()
    def _on_pages_changed(self) -> None:
        """Bring those to the cursor that are new; what was shown for one that is gone goes with it."""
        before, self._seen = self._seen, set(self._drawer.shown_names)
        gone = before - self._seen
        if INSIDE in gone:
            self.phases.close_phases()
        if gone:
            self.leave_other()
        self._cover_pages()
        self.follow()
        self._on_node_selected(self._canvas.selected_uid)

    @Slot()
    def _name_run(self) -> None:
        config = self.player.run.config
        self._drawer.set_run_title(self.document.title or settings_text(config))

    # --- the tree ---

    @Slot(bool)
    def _on_quiz_switched(self, is_on: bool) -> None:
        for name in self._drawer.made_names:
            self._drawer.page(name).set_ahead_hidden(is_on)
        self._on_quiz_changed()

    @Slot(object)
    def _on_asked(self, moment: Moment) -> None:
        self._question = moment
        self.show_other(moment)

    @Slot(object)
    def _on_phase_changed(self, view: PhaseView | None) -> None:
        self._hide_outcome(view is not None and view.phase is not Phase.VERDICT)
        if view is None:
            self.leave_other()
            self.refresh_overlay()
            return
        self.show_page(INSIDE)
        self.show_other(view.moment)

    def _hide_outcome(self, is_hidden: bool) -> None:
        self._is_outcome_hidden = is_hidden
        for name in self._drawer.made_names:
            self._drawer.page(name).set_outcome_hidden(is_hidden)
        self.outcome_hidden.emit(is_hidden)

    @Slot(object)
    def _on_node_hovered(self, uid: int | None) -> None:
        if uid is not None:
            texts = [text for page in self._seen_pages() if (text := page.hover_text(uid))]
            self._canvas.set_hover_extra(uid, "\n".join(texts))

    @Slot(object)
    def _on_node_selected(self, uid: int | None) -> None:
        for page in self._seen_pages():
            page.set_selected(self._canvas.node_number_of(uid))
