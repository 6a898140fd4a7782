"""Looking closer: the pages of the workbench follow the cursor, and what they ask for is shown on the canvas."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractButton

from gpviz.app.branch_controller import BranchController
from gpviz.app.canvas.stage import Stage
from gpviz.app.pacing import RefreshLimiter
from gpviz.app.pages.phase_controller import PhaseController
from gpviz.app.pages.workbench import Workbench
from gpviz.app.quiz_controller import QuizController
from gpviz.app.run_controller import RunController
from gpviz.app.stage_sync import StageSync, transition_ms
from gpviz.app.tasks import BackgroundTask, ShouldStop
from gpviz.engine import GpvizError, Mutation
from gpviz.engine.tree import node_at
from gpviz.explain.moment import Moment, preview_of
from gpviz.explain.mutation_odds import chance_text
from gpviz.explain.overlay import Overlay
from gpviz.explain.phases import Phase, PhaseView
from gpviz.explain.proof import moment_along
from gpviz.explain.query import Finder, Query, QueryWatch
from gpviz.explain.tree_text import caption_of
from gpviz.explain.truth_table import values_on
from gpviz.run.history import History
from gpviz.run.snapshot import Snapshot

__all__ = ["Study"]

_INTERVAL_MS: Final = 150
_SHARE: Final = 12
_PICTURE_MS: Final = 30
_PICTURE_SHARE: Final = 5
"""The rows are a picture, which is to move; words that change so often cannot be read."""
_BIT_SECONDS: Final = 0.05
_EVERY_STEP: Final = 30.0
"""Up to this many iterations a second the page shows each of them."""
_WITH_BOTH: Final = (Phase.BUILD, Phase.SIZE, Phase.EVALUATE)
"""The phases in which parent and offspring are seen beside each other."""


class Study(QObject):
    """Between the controller, the pages and the canvas. What is not of the run goes when the cursor moves."""

    told = Signal(str)
    outcome_hidden = Signal(bool)
    """Whether how the iteration under the cursor ended is not to be told yet."""

    def __init__(
        self,
        controller: RunController,
        branch_controller: BranchController,
        presenter: StageSync,
        stage: Stage,
        workbench: Workbench,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.phases = PhaseController(controller, self)
        self.quiz = QuizController(controller, self)
        self._controller = controller
        self._branch_desk = branch_controller
        self._presenter = presenter
        self._stage = stage
        self._workbench = workbench
        self._pulse = RefreshLimiter(_INTERVAL_MS, _SHARE)
        self._picture_pulse = RefreshLimiter(_PICTURE_MS, _PICTURE_SHARE)
        self._heat: Mapping[int, float] | None = None
        self._row: int | None = None
        self._pulsing: int | None = None
        self._has_other = False
        self._is_paired = False
        self._question: Moment | None = None
        self._seeker = BackgroundTask("gpviz seeker", self)
        self._seeker.finished.connect(self._on_found)
        self._seeker.failed.connect(self._on_seeking_failed)
        controller.run_changed.connect(self._on_run_changed)
        controller.cursor_moved.connect(self._on_cursor_moved)
        controller.playing_changed.connect(self._follow)
        controller.history_grew.connect(self._on_history_grew)
        controller.frame_ended.connect(self._on_frame_ended)
        workbench.page_made.connect(self._on_page_made)
        workbench.page_shown.connect(self._on_page_shown)
        stage.canvas.node_hovered.connect(self._on_node_hovered)
        stage.canvas.node_selected.connect(self._on_node_selected)
        self.phases.phase_changed.connect(self._on_phase_changed)
        self.quiz.asked.connect(self._on_asked)
        self.quiz.withdrawn.connect(self.leave_other)
        branch_controller.branches_changed.connect(self._show_branches)

    def close(self) -> None:
        """End what the pages do in the background."""
        self.phases.pause()
        self.quiz.close()
        self._seeker.close()
        self._workbench.shut_down()

    @property
    def is_playing(self) -> bool:
        """Whether the run plays, or the phases of its iterations do."""
        return self._controller.is_playing or self.phases.is_playing

    def toggle_playing(self) -> None:
        """Play or pause; while a quiz asks before each verdict, go on to the next question instead."""
        if self.quiz.is_on and not self.is_playing:
            self.quiz.next()
        else:
            self.phases.toggle_playing()

    def go_down(self) -> None:
        """To the next phase; where that is in the next iteration, a quiz asks first."""
        if self.quiz.is_on and self.phases.goes_on_next:
            self.quiz.next()
        else:
            self.phases.down()

    def follow(self) -> None:
        """Bring the page on show to the cursor."""
        page = self._page()
        if page is not None:
            page.show_moment(self._controller.history, self._controller.cursor)
            if self._workbench.current == "branches":
                self._show_branches()
        self._show_overlay()

    def leave_other(self) -> None:
        """Show the run again."""
        if self.quiz.is_asking and self._question is not None:
            self._on_asked(self._question)  # what is asked stays in view until it is answered
        elif self._has_other:
            self._has_other = False
            self._presenter.show_now(transition_ms(None))
            self._show_overlay()

    # --- the cursor ---

    @Slot()
    def _follow(self) -> None:
        self.follow()

    @Slot()
    def _on_run_changed(self) -> None:
        self._row = self._heat = self._pulsing = None
        self._seeker.cancel()
        self._has_other = False
        self.follow()

    @Slot()
    def _on_cursor_moved(self) -> None:
        if self.phases.current is None and not self.quiz.is_asking:
            self._has_other = False
        if not self._controller.is_playing or self._controller.speed <= _EVERY_STEP:
            self.follow()

    @Slot()
    def _on_history_grew(self) -> None:
        if not self._controller.is_playing and self._workbench.current == "branches":
            self._show_branches()

    @Slot()
    def _on_frame_ended(self) -> None:
        if not self._controller.is_playing or self._controller.speed <= _EVERY_STEP:
            return
        with self._picture_pulse if self._workbench.current == "rows" else self._pulse as is_due:
            if is_due:
                self.follow()

    def _page(self) -> Any:
        """The page on show, if it follows the cursor."""
        page = self._workbench.made(self._workbench.current)
        is_following = page is not None and page.isVisible() and hasattr(page, "show_moment")
        return page if is_following else None

    # --- the pages ---

    @Slot(str)
    def _on_page_made(self, name: str) -> None:
        page = self._workbench.made(name)
        connect = {
            "inside": self._connect_inside,
            "neighbours": self._connect_neighbours,
            "proof": self._connect_proof,
            "rows": self._connect_rows,
            "hand": self._connect_hand,
            "branches": self._connect_branches,
            "find": self._connect_find,
        }.get(name)
        if connect is not None:
            connect(page)
        for button in page.findChildren(QAbstractButton):
            # A button that was clicked would keep the focus, and then Space would press it again.
            if button.focusPolicy() & Qt.FocusPolicy.ClickFocus:
                button.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    @Slot(str)
    def _on_page_shown(self, name: str) -> None:
        if name != "rows":
            self._row = None
        if name != "inside":
            self.phases.close_phases()
        self.leave_other()
        self.follow()
        self._on_node_selected(self._stage.canvas.selected_uid)

    def _connect_inside(self, page: Any) -> None:
        page.phase_chosen.connect(self.phases.open)
        page.next_phase_requested.connect(self.phases.down)
        page.previous_phase_requested.connect(self.phases.up)
        page.plays_phases_changed.connect(self.phases.set_plays_phases)

    def _connect_neighbours(self, page: Any) -> None:
        page.mutation_chosen.connect(self.preview)
        page.heat_changed.connect(self._on_heat_changed)

    def _connect_proof(self, page: Any) -> None:
        page.path_chosen.connect(self._on_path_chosen)
        page.path_left.connect(self.leave_other)
        page.node_chosen.connect(self._on_node_wanted)

    def _connect_rows(self, page: Any) -> None:
        page.row_chosen.connect(self._on_row_chosen)

    def _connect_hand(self, page: Any) -> None:
        page.mutation_previewed.connect(self.preview)
        page.mutation_requested.connect(self._branch_desk.apply_by_hand)
        page.node_chosen.connect(self._on_index_wanted)

    def _connect_branches(self, page: Any) -> None:
        desk = self._branch_desk
        page.branch_chosen.connect(desk.switch_to)
        page.rename_requested.connect(desk.rename)
        page.remove_requested.connect(desk.remove)
        page.fork_with_seed_requested.connect(desk.fork_with_seed)
        page.fork_with_requested.connect(self._on_fork_wanted)
        page.comparison_requested.connect(self._on_comparison_wanted)
        page.undo_requested.connect(desk.undo)
        page.redo_requested.connect(desk.redo)
        self._show_branches()

    def _connect_find(self, page: Any) -> None:
        page.setFocusProxy(page.field)
        page.iteration_chosen.connect(self._controller.go_to)
        page.run_until_requested.connect(self._on_run_until)

    # --- branches and queries ---

    @Slot()
    def _show_branches(self) -> None:
        page = self._workbench.made("branches")
        if page is not None:
            desk = self._branch_desk
            page.set_branches(desk.summaries(), desk.shown)
            page.set_undo(can_undo=desk.can_undo, can_redo=desk.can_redo)

    @Slot(object)
    def _on_fork_wanted(self, changes: dict[str, Any]) -> None:
        self._branch_desk.fork_with(**changes)

    @Slot(int, int)
    def _on_comparison_wanted(self, one: int, other: int) -> None:
        self._workbench.page("branches").show_comparison(self._branch_desk.compare(one, other))

    @Slot(object)
    def _on_run_until(self, query: Query) -> None:
        """Go to the next iteration of which the query is true, making it if it is not recorded yet."""
        controller = self._controller
        controller.settle()
        self._stage.canvas.setFocus()
        finder = Finder(query, Snapshot(controller.history), controller.cursor + 1)
        self._seeker.ask(partial(_first_found, finder, controller.history))

    @Slot(object)
    def _on_found(self, answer: tuple[Query, History, int | None]) -> None:
        query, history, iteration = answer
        controller = self._controller
        if history is not controller.history:
            return
        if iteration is None:
            controller.run_until(QueryWatch(query, controller.config))
        else:
            controller.go_to(iteration)
            self.told.emit(f"Iteration {iteration:,} is the next one with {query.text}.")

    @Slot(object)
    def _on_seeking_failed(self, problem: Exception) -> None:
        if not isinstance(problem, GpvizError):
            raise problem
        self.told.emit(str(problem))

    # --- on the canvas ---

    @Slot(object)
    def preview(self, mutation: Mutation | None) -> None:
        """Show what the next iteration would be if it drew this mutation."""
        if mutation is None:
            self.leave_other()
            return
        controller = self._controller
        try:
            moment = preview_of(controller.history, controller.cursor, mutation)
        except GpvizError as problem:
            self.leave_other()
            self.told.emit(str(problem))
            return
        self._show_other(moment, caption_of(controller.history, controller.cursor))

    @Slot(object, int)
    def _on_path_chosen(self, mutations: list[Mutation], done: int) -> None:
        """Show the tree after some of the mutations of a way, and the next one on it."""
        controller = self._controller
        path_config = self._workbench.page("proof").path_config
        config = path_config or controller.history.config_after(controller.cursor)
        moment = moment_along(controller.history, controller.cursor, config, mutations, done)
        words = "the tree on show" if not done else f"after {done} of {len(mutations)} mutations"
        self._show_other(moment, f"The way out, {words}: not part of the run.")

    @Slot(object)
    def _on_asked(self, moment: Moment) -> None:
        self._question = moment
        caption = caption_of(self._controller.history, self._controller.cursor)
        self._show_other(moment, caption)

    @Slot(object)
    def _on_phase_changed(self, view: PhaseView | None) -> None:
        page = self._workbench.made("inside")
        if page is not None:
            page.show_phase(None if view is None else view.index)
        self.outcome_hidden.emit(view is not None and view.phase is not Phase.VERDICT)
        if view is None:
            self._pulsing = None
            self._set_paired(False)
            self.leave_other()
            self._show_overlay()
            return
        self._workbench.show_page("inside")
        self._pulsing = view.pulsing
        self._set_paired(view.phase in _WITH_BOTH)
        self._show_other(view.moment, view.sentence)

    @Slot(object)
    def _on_heat_changed(self, heat: Mapping[int, float] | None) -> None:
        self._heat = heat
        self._show_overlay()

    @Slot(object)
    def _on_row_chosen(self, row: int | None) -> None:
        self._row = row
        self._show_overlay()

    @Slot(int)
    def _on_index_wanted(self, index: int) -> None:
        tree = self._controller.history.tree_at(self._controller.cursor)
        if tree is not None and 0 <= index < tree.size:
            self._stage.canvas.select(node_at(tree, index).uid)

    @Slot(object)
    def _on_node_wanted(self, uid: int | None) -> None:
        self._stage.canvas.select(uid)

    @Slot(object)
    def _on_node_hovered(self, uid: int | None) -> None:
        page = self._workbench.made("neighbours")
        if uid is not None and page is not None and page is self._page():
            self._stage.canvas.set_hover_extra(uid, page.share_text(uid))

    @Slot(object)
    def _on_node_selected(self, uid: int | None) -> None:
        page = self._workbench.made("hand")
        if page is None or page is not self._page():
            return
        canvas = self._stage.canvas
        index = None if uid is None else canvas.node_index_of(uid)
        page.set_selected(index, "" if uid is None or index is None else canvas.label_of(uid))

    def _show_other(self, moment: Moment, caption: str) -> None:
        self._has_other = True
        self._presenter.show_other(moment, caption, transition_ms(None))
        self._show_overlay()

    def _set_paired(self, is_paired: bool) -> None:
        if is_paired != self._is_paired:
            self._is_paired = is_paired
            self._stage.canvas.set_side_by_side(is_paired)

    def _show_overlay(self) -> None:
        """Heat, the values on a row, and the chosen node, where there are any."""
        values: Mapping[int, bool] = {}
        picture = self._stage.canvas.picture
        tree = None if picture is None else picture.tree
        if self._row is not None and tree is not None and self._workbench.current == "rows":
            values = values_on(tree, self._row)
        heat = self._heat if self._workbench.current == "neighbours" else None
        if heat is None and not values and self._pulsing is None:
            self._stage.canvas.set_overlay(None)
            return
        overlay = Overlay(heat=heat or {}, values=values, pulsing=self._pulsing, title=_heat_title(heat))
        self._stage.canvas.set_overlay(overlay)


def _first_found(
    finder: Finder, history: History, should_stop: ShouldStop
) -> tuple[Query, History, int | None]:
    """The first iteration that the query asks for, among those that are recorded."""
    while not finder.is_done and not should_stop():
        found = finder.go_on(should_stop, _BIT_SECONDS)
        if len(found):
            return finder.query, history, int(found[0])
    return finder.query, history, None


def _heat_title(heat: Mapping[int, float] | None) -> str:
    if heat is None:
        return ""
    most = max(heat.values(), default=0.0)
    if not most:
        return "Heat: no single mutation improves this tree"
    return f"Heat: a mutation here improves in up to {chance_text(most)} of all iterations"
