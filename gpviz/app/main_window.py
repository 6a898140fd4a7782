"""The main window: puts the stage, time and the pages together and connects them. What they do is theirs."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QMimeData, Qt, Slot
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow, QWidget

from gpviz import page_list
from gpviz.app.actions import MAIN, Actions, moving_handlers, page_action
from gpviz.app.announcements import Announcer, StepAnnouncer
from gpviz.app.canvas.tree_layout import DEFAULT_LAYOUT
from gpviz.app.dialogs.command_finder import CommandFinder
from gpviz.app.dialogs.message_dialogs import (
    ask_iteration,
    bring_up,
    offer_to_restore,
    show_about,
    show_problem,
)
from gpviz.app.dialogs.new_run_dialog import NewRunDialog
from gpviz.app.garbage_collection import GarbageCollection
from gpviz.app.menus import Menus
from gpviz.app.moment_view import MomentView, TreePart
from gpviz.app.page_mediator import PageHost
from gpviz.app.pages.phase_controller import PhaseController
from gpviz.app.pages.quiz_controller import QuizController
from gpviz.app.player.player import Player
from gpviz.app.player.shown_moment import Changed, MomentChange
from gpviz.app.preferences import Preferences
from gpviz.app.run.autosave import Autosave, Orphan
from gpviz.app.run.branch_controller import BranchController
from gpviz.app.run.decisive_step_seeker import DecisiveStepSeeker
from gpviz.app.run.file_controller import FileController
from gpviz.app.run.outlook_finder import OutlookFinder
from gpviz.app.run.run_document import Document
from gpviz.app.secondary_windows import MainWindowContext, SecondaryWindows
from gpviz.app.system_preferences import is_motion_reduced
from gpviz.app.tasks import cancel_all_tasks
from gpviz.app.theme import Theme, load_theme
from gpviz.app.theme_manager import SYSTEM, ThemeManager
from gpviz.app.what_now import WhatNow
from gpviz.app.widgets.focus_order import ReadingOrderFocus, go_to_pane
from gpviz.app.widgets.layouts import take_pleasant_size
from gpviz.app.widgets.shortcut_conflicts import ShortcutConflicts
from gpviz.app.widgets.themed import Themed
from gpviz.app.window_layout import WindowLayout
from gpviz.assets import THEME_NAMES
from gpviz.engine import RunConfig, format_formula
from gpviz.escaping import title_text
from gpviz.files.file_io import shown_path
from gpviz.lecture.lecture import shipped_lectures
from gpviz.page_list import CURVES, page_info
from gpviz.picture.layout import LAYOUTS
from gpviz.runs.presets import find_preset, first_preset, load_presets
from gpviz.runs.settings_text import settings_text
from gpviz.runs.show_request import ShowRequest, again, next_seed

_FIRST_LINE: Final = "Space plays, the arrow keys step, ? finds everything."


class MainWindow(ReadingOrderFocus, Themed, QMainWindow):
    """The tree with time below it; a drawer of pages at the right says more."""

    def __init__(self, preferences: Preferences, theme_manager: ThemeManager) -> None:
        super().__init__()
        self.setAnimated(False)  # else Qt makes an animation for every text that changes
        self.setAcceptDrops(True)
        self.preferences = preferences
        self.theme_manager = theme_manager
        self._is_closed = False
        self._is_log_preferred = True
        self._is_scale_adapting = False
        first = first_preset()
        self.player = Player.for_run(first.config, first.start_tree, self, script=first.script)
        self.document = Document(self)
        self.actions_by_name = Actions(MAIN, self)
        self.views = WindowLayout(self.actions_by_name)
        self.setCentralWidget(self.views)
        self.menus = Menus(self, self.actions_by_name)
        self.branch_controller = BranchController(self.player, self)
        self.file_controller = FileController(
            self.player, self.branch_controller, self.document, preferences, self
        )
        self.decisive_step_seeker = DecisiveStepSeeker(self.player, self.document, self)
        self.tree = TreePart(self.views.canvas, self)
        self.player.moment_changed.connect(self._on_moment_changed)  # before those who show something else
        self.phases = PhaseController(self.player, self)
        self.quiz = QuizController(self.player, self.phases, self, tree_state=lambda: self.tree.state)
        self.outlook_finder = OutlookFinder(self.player, self)
        self.autosave = Autosave(self.player, self.document, self.branch_controller.describe, self)
        self.garbage_collection = GarbageCollection(self.player, self)
        self.windows = SecondaryWindows(self._window_context(), self)
        self.page_host = PageHost(
            self.player,
            self.document,
            self.branch_controller,
            self.quiz,
            self.phases,
            self.outlook_finder,
            self.tree,
            self.views.canvas,
            self.views.drawer,
            self.windows,
            self,
            show_run=self.file_controller.show_run,
            show_message=self._show_message,
            show_page=self.show_page,
        )
        views = self.views
        self.moment_view = MomentView(
            self.tree, self.page_host, views.strip, held=(views.canvas, views.strip)
        )
        self.what_now = WhatNow(
            self.player,
            self.tree,
            self.branch_controller,
            self.decisive_step_seeker,
            play=self.quiz.toggle_playing,
            next_seed=self.start_next_seed,
            show_run=self.file_controller.show_run,
            show_page=self.show_page,
        )
        views.transport.set_middle(self.what_now)
        self.announcer = Announcer(self)
        self._step_announcer = StepAnnouncer(self.player, self.tree, self.announcer)
        self.actions_by_name.connect(self._handlers())
        self._focus_keys = ShortcutConflicts(self)
        self._fill_menus()
        self._connect()
        self._restore()
        self.follow_theme()
        self.player.set_speed(first.speed)
        self.document.start_anew(title=first.title, explanation=first.explanation)
        self._show_possible_actions()
        self.moment_view.follow(self.player)
        self.views.canvas.take_first_focus()
        self._show_progress(preferences.problem)  # which stays until there is another message

    @property
    def is_idle(self) -> bool:
        """Whether nothing moves and nothing is still to be found out."""
        canvas = self.views.canvas
        is_still = not canvas.is_moving and not canvas.is_layout_pending
        return is_still and self.player.is_settled and not self.tree.is_busy

    # --- runs ---

    def offer_orphan(self, orphan: Orphan) -> None:
        """Offer a run that was on show when the program ended without warning."""
        restore = partial(self.file_controller.restore, orphan)
        offer_to_restore(self, orphan.content, restore, orphan.discard)

    def show_first_line(self) -> None:
        """Say what a person who has never seen the window must know."""
        self.preferences.set_flag("hint_seen", True)
        self.what_now.set_first_line(_FIRST_LINE)

    @Slot(object)
    def _on_run_typed(self, request: ShowRequest) -> bool:
        """Start a run; False if that was called off for what is not saved."""
        is_shown = self.file_controller.show_run(request)
        if is_shown:
            self.views.canvas.setFocus()
        return is_shown

    # --- what happens ---

    @Slot(object)
    def _on_moment_changed(self, change: MomentChange) -> None:
        self.moment_view.follow(self.player, change)
        if Changed.RUN in change.what:
            self._show_title()
        if change.what & ~Changed.LENGTH:
            self.outlook_finder.follow()
            self._step_announcer.follow()
            self.what_now.follow()
            self.views.title_line.follow((self.player.run.history, self.player.cursor))
        self._show_possible_actions()

    @Slot(object)
    def _on_run_shown(self, request: ShowRequest) -> None:
        """Another window may have asked for it. What was opened from a file may have taken long, and waits."""
        if isinstance(request.run, RunConfig) and self.isVisible():
            bring_up(self)

    @Slot()
    def _on_playing_changed(self) -> None:
        is_playing = self.phases.is_run_playing
        self.actions_by_name.show_playing(self.theme, is_playing=is_playing)
        self.what_now.set_playing(is_playing)

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is None and self.isActiveWindow():
            self.views.take_focus()

    @Slot(str)
    def _on_paused_by(self, reason: str) -> None:
        self._say_of_moment(f"Paused at iteration {self.player.cursor:,}. {reason}")
        self._step_announcer.tell_pause(reason)

    @Slot()
    def _on_step_outlook_changed(self) -> None:
        self._step_announcer.tell_outlook(self.outlook_finder.step_text)

    @Slot(str)
    def _show_problem(self, problem: str) -> None:
        show_problem(self, problem)
        self.announcer.say(problem)

    @Slot(str)
    def _show_message(self, message: str) -> None:
        self.views.title_line.show_message(message)
        self.announcer.say(message)

    def _say_of_moment(self, message: str) -> None:
        """Say something that is true of the moment on show alone."""
        self.views.title_line.show_message(message, of=(self.player.run.history, self.player.cursor))

    @Slot(str)
    def _on_stayed(self, reason: str) -> None:
        self._say_of_moment(reason)
        self.announcer.say(reason)

    @Slot(str)
    def _show_progress(self, message: str) -> None:
        self.views.title_line.show_message(message, stays=True)

    def apply_theme(self, theme: Theme) -> None:
        self.actions_by_name.apply_theme(theme)
        for name, action in self._theme_actions.items():
            action.setChecked(name == self.theme_manager.choice)

    @Slot()
    def _show_title(self) -> None:
        name = (
            "" if self.document.path is None else f"{title_text(shown_path(self.document.path.name))}[*] · "
        )
        mark = "" if name else "[*]"
        settings = settings_text(self.player.run.config)
        self.setWindowTitle(f"{name}{settings}{mark} – gpviz")
        self.views.title_line.set_run(self.document.title, self.document.explanation, settings)
        self.setWindowModified(self.document.would_lose_something)

    @Slot()
    def _show_possible_actions(self) -> None:
        is_at_start = not self.player.cursor
        for name in ("first", "previous", "previous_accepted", "play_backwards"):
            self.actions_by_name[name].setEnabled(not is_at_start)
        self.actions_by_name["live_end"].setEnabled(not self.player.is_at_live_end)

    # --- what a person does ---

    def toggle_bookmark(self) -> None:
        """Bookmark the iteration under the cursor, or no longer."""
        iteration = self.player.cursor
        if self.document.add_bookmark(iteration):
            self._show_message(f"Iteration {iteration:,} is bookmarked.")
        else:
            self.document.remove_bookmark(iteration)
            self._show_message(f"The bookmark of iteration {iteration:,} is removed.")

    @Slot(str)
    def show_page(self, name: str) -> None:
        """Show a page, and give it the keyboard if it is to be typed into."""
        if name not in self.views.drawer.shown_names:  # which may be in a window of its own
            self.actions_by_name["look_closer"].setChecked(True)
        self.views.drawer.show_page(name)
        if page_info(name).is_typed_into:
            self.views.drawer.page(name).setFocus()

    def choose_page(self, name: str) -> None:
        """Show a page; give the keyboard to one that is on show already."""
        if name in self.views.drawer.shown_names:
            self.views.drawer.focus_page(name)
        else:
            self.show_page(name)

    def look_closer(self, is_open: bool) -> None:
        """Open the drawer, or close it."""
        self.views.open_drawer(is_open)
        if not is_open:
            self.actions_by_name["fill_page"].setChecked(False)

    def fill_page(self, is_filled: bool) -> None:
        """Let the page fill the window, or no longer."""
        if is_filled:
            self.actions_by_name["look_closer"].setChecked(True)
        self.views.fill_with_page(is_filled)

    def set_log_scale(self, is_log: bool) -> None:
        """Place errors by their logarithm in all curves, or as they are."""
        if self._is_scale_adapting:
            return
        self._is_log_preferred = is_log
        self.views.strip.set_log_scale(is_log)

    @Slot(bool)
    def _on_log_scale_adapted(self, is_log: bool) -> None:
        """Let the action say what is drawn, so that it brings the other scale; what a person prefers stays."""
        self._is_scale_adapting = True
        self.actions_by_name["log_scale"].setChecked(is_log)
        self._is_scale_adapting = False

    def set_theory_shown(self, is_shown: bool) -> None:
        """Show in all curves, also before an audience, what the paper proves; or no longer."""
        self.views.strip.set_theory_shown(is_shown)
        self.windows.set_theory_shown(is_shown)

    def reset_curves(self) -> None:
        """Show the whole run in all curves."""
        from gpviz.app.curves_page import CurvesPage  # with all that draws curves, which is loaded late

        self.views.strip.reset_view()
        page = self.views.drawer.made(CURVES)
        if isinstance(page, CurvesPage):
            page.curves.reset_view()

    def ask_iteration(self) -> None:
        """Let a person type where to go."""
        iteration = ask_iteration(self, self.player.cursor, len(self.player.run.history))
        if iteration is not None:
            self.player.go_to(iteration)

    def set_reduced_motion(self, is_reduced: bool) -> None:
        """Jump instead of moving, here and in every other window."""
        self.views.canvas.set_reduced_motion(is_reduced)
        self.windows.set_reduced_motion(is_reduced)

    def set_full_screen(self, is_full: bool) -> None:
        """Fill the screen, or leave it."""
        state, full = self.windowState(), Qt.WindowState.WindowFullScreen
        self.setWindowState(state | full if is_full else state & ~full)

    def find_command(self) -> None:
        """Let a person find any command by typing."""
        _open(CommandFinder("Find a command", self.menus.commands(), self))

    def show_gallery(self) -> None:
        """Let a person choose a run, a lecture or a file."""
        _open(CommandFinder("Gallery", self.menus.gallery(), self))

    def show_settings(self) -> None:
        """Let a person choose the settings of a new run."""
        history = self.player.run.history
        dialog = NewRunDialog(history.config, format_formula(history.start), history.script, self)

        def start(request: ShowRequest) -> None:
            if self._on_run_typed(request):
                dialog.done(NewRunDialog.DialogCode.Accepted)

        dialog.run_requested.connect(start)
        dialog.open()

    def start_next_seed(self) -> None:
        """Start a run with the settings on show and the next seed."""
        self._on_run_typed(next_seed(self.player.run.history))

    def start_again(self) -> None:
        """Start the run on show again."""
        self._on_run_typed(again(self.player.run.history))

    # --- putting together and taking apart ---

    def _window_context(self) -> MainWindowContext:
        return MainWindowContext(
            player=self.player,
            branches=self.branch_controller,
            document=self.document,
            files=self.file_controller,
            tree=self.tree,
            views=self.views,
            preferences=self.preferences,
            actions=self.actions_by_name,
            show_message=self._show_message,
            show_problem=self._show_problem,
            show_page=self.show_page,
            quiz=self.quiz,
        )

    def _handlers(self) -> dict[str, Callable[..., object]]:
        """What each action does."""
        views, windows = self.views, self.windows
        files, quiz, phases = self.file_controller, self.quiz, self.phases
        canvas, themes = views.canvas, self.theme_manager
        return {
            **moving_handlers(self.player),
            "play": quiz.toggle_playing,
            "next": quiz.next,
            "go_to": self.ask_iteration,
            "bookmark": self.toggle_bookmark,
            "phase_down": quiz.next_phase,
            "phase_up": phases.up,
            "quiz": quiz.set_on,
            "undo": windows.undo_group.undo,
            "redo": windows.undo_group.redo,
            **{page_action(info.name): partial(self.choose_page, info.name) for info in page_list.PAGES},
            "compare": windows.show_compare,
            "experiments": windows.show_experiments,
            "gallery": self.show_gallery,
            "settings": self.show_settings,
            "new_run": self.start_next_seed,
            "restart": self.start_again,
            "open": files.ask_and_open,
            "save": windows.save,
            "save_as": windows.ask_and_save,
            "export": windows.ask_export,
            "copy_tree": windows.copy_tree,
            "copy_page": windows.copy_page,
            "close_window": partial(_in_active_window, QWidget.close),
            "quit": self.close,
            "fit": canvas.fit,
            "zoom_in": canvas.zoom_in,
            "zoom_out": canvas.zoom_out,
            "follow": canvas.set_following,
            "fold_resting": self.tree.set_resting_folded,
            "collapse": canvas.toggle_collapsed_selected,
            "expand_all": canvas.expand_all,
            "redundant": canvas.set_redundant_shown,
            "ghosts": canvas.set_ghosts_shown,
            "reasons": canvas.set_reasons_shown,
            "log_scale": self.set_log_scale,
            "theory": self.set_theory_shown,
            "reset_curves": self.reset_curves,
            "look_closer": self.look_closer,
            "fill_page": self.fill_page,
            "split_page": views.drawer.split,
            "tear_off": views.drawer.tear_off,
            "larger_page": partial(views.widen_drawer, 1),
            "smaller_page": partial(views.widen_drawer, -1),
            "next_pane": partial(_in_active_window, partial(go_to_pane, steps=1)),
            "previous_pane": partial(_in_active_window, partial(go_to_pane, steps=-1)),
            "full_screen": self.set_full_screen,
            "reduced_motion": self.set_reduced_motion,
            "larger_type": partial(themes.change_type, 1),
            "smaller_type": partial(themes.change_type, -1),
            "next_theme": themes.choose_next,
            "present": windows.toggle_lecture,
            "give_lecture": partial(windows.present, 0),
            "rehearse": windows.rehearse_from_here,
            "capture": windows.capture,
            "new_lecture": windows.new_lecture,
            "save_lecture": windows.save_lecture,
            "help": windows.show_guide,
            "paper": windows.show_paper,
            "marks": windows.show_marks,
            "commands": self.find_command,
            "about": partial(show_about, self),
        }

    def _fill_menus(self) -> None:
        # Not when they are opened: macOS leaves out a menu that is empty.
        self.menus.set_presets(load_presets(), self._choose_preset)
        shipped = [(str(lecture.path), lecture.title) for lecture in shipped_lectures()]
        self.menus.set_lectures(shipped, self._open_recent, self.windows.ask_for_lecture)
        layouts = [(layout.name, layout.title) for layout in LAYOUTS.values()]
        self._layout_actions = self.menus.fill_choices(self.menus.layouts, layouts, self._choose_layout)
        self.menus.layouts.aboutToShow.connect(self._offer_layouts)
        themes = [(SYSTEM, "Follow the &system")] + [(name, load_theme(name).title) for name in THEME_NAMES]
        self._theme_actions = self.menus.fill_choices(self.menus.themes, themes, self.theme_manager.choose)
        self._fill_recent()

    @Slot()
    def _fill_recent(self) -> None:
        self.menus.set_recent(self.preferences.recent_files, self._open_recent, self._forget_recent)

    def _open_recent(self, path: str) -> None:
        self.file_controller.open(Path(path))

    def _forget_recent(self) -> None:
        self.preferences.forget_recent_files()
        self._fill_recent()

    def _choose_preset(self, name: str) -> None:
        self.file_controller.show_run(find_preset(name).request)

    def _choose_layout(self, name: str) -> None:
        self._layout_actions[name].setChecked(True)
        self.preferences.set_text("layout", name)
        self.views.canvas.set_layout(name)

    @Slot()
    def _offer_layouts(self) -> None:
        """Those in which a tree as large as the one on show can be read; the others say why they are not."""
        canvas = self.views.canvas
        for name, action in self._layout_actions.items():
            refusal = LAYOUTS[name].refusal_of(canvas.drawn_nodes)
            action.setEnabled(not refusal)
            action.setToolTip(refusal or action.text())
            action.setStatusTip(refusal)
        shown = DEFAULT_LAYOUT if canvas.is_layout_refused else canvas.layout_name
        self._layout_actions[shown].setChecked(True)

    @Slot(str)
    def _on_layout_refused(self, reason: str) -> None:
        """Say it once; what is too large today is not chosen for the next session."""
        self.preferences.set_text("layout", DEFAULT_LAYOUT)
        self._show_message(f"{reason} It is drawn as a tidy tree.")

    def _connect(self) -> None:
        player, views, files = self.player, self.views, self.file_controller
        player.playing_changed.connect(self._on_playing_changed)
        views.transport.follow(player)
        player.speed_changed.connect(self.outlook_finder.follow)
        player.paused_by.connect(self._on_paused_by)
        player.problem_met.connect(self._show_problem)
        self.document.changed.connect(self._show_title)
        self.document.bookmarks_changed.connect(self._on_bookmarks_changed)
        files.problem_met.connect(self._show_problem)
        files.reported.connect(self._show_message)
        files.progressed.connect(self._show_progress)
        files.recent_changed.connect(self._fill_recent)
        files.run_shown.connect(self._on_run_shown)
        seeker = self.decisive_step_seeker
        files.run_shown.connect(seeker.follow)
        seeker.progressed.connect(self._show_progress)
        seeker.reported.connect(self._show_message)
        seeker.page_asked.connect(self.show_page)
        files.restored.connect(self.autosave.take_over)
        files.lecture_met.connect(self.windows.open_lecture)
        files.experiment_met.connect(self.windows.open_store)
        undo_group = self.windows.undo_group
        for name, changed in (("undo", undo_group.canUndoChanged), ("redo", undo_group.canRedoChanged)):
            self.actions_by_name[name].setEnabled(False)
            changed.connect(self.actions_by_name[name].setEnabled)
        self.autosave.failed.connect(self._show_message)
        views.strip.iteration_chosen.connect(player.go_to)
        views.strip.bookmark_chosen.connect(player.go_to)
        views.title_line.branch_left.connect(self._leave_branch)
        views.canvas.layout_refused.connect(self._on_layout_refused)
        views.canvas.following_changed.connect(self.actions_by_name["follow"].setChecked)
        views.strip.log_scale_adapted.connect(self._on_log_scale_adapted)
        views.drawer.tab_double_clicked.connect(self.actions_by_name["fill_page"].toggle)
        self._connect_pages()
        _application().focusChanged.connect(self._focus_keys.follow)
        _application().focusChanged.connect(self._on_focus_changed)

    def _connect_pages(self) -> None:
        host, quiz, panel = self.page_host, self.quiz, self.views.guess_bar
        self.views.drawer.page_made.connect(self._connect_switches)
        self.branch_controller.branches_changed.connect(self._on_branches_changed)
        self.branch_controller.reported.connect(self._show_message)
        self.branch_controller.problem_met.connect(self._show_problem)
        host.outcome_hidden.connect(self._step_announcer.set_outcome_hidden)
        host.outcome_hidden.connect(self.what_now.set_outcome_hidden)
        self.outlook_finder.step_changed.connect(self._on_step_outlook_changed)
        self.phases.playing_changed.connect(self._on_playing_changed)
        self.phases.paused_by.connect(self._on_paused_by)
        quiz.switched.connect(self._on_quiz_switched)
        quiz.stayed.connect(self._on_stayed)
        quiz.asked.connect(self._uncover_tree)
        quiz.asked.connect(panel.ask)
        quiz.answered.connect(panel.show_answer)
        quiz.revealed.connect(panel.show_revealed)
        quiz.withdrawn.connect(panel.withdraw)
        quiz.score_changed.connect(panel.set_score)
        panel.reported.connect(partial(self.announcer.say, kind="quiz"))
        panel.guessed.connect(quiz.guess)
        panel.reveal_requested.connect(quiz.reveal)

    @Slot(str)
    def _connect_switches(self, name: str) -> None:
        """The switches of a page and their actions go together."""
        for action_name, button in self.views.drawer.page(name).remembered_switches().items():
            action = self.actions_by_name[action_name]
            button.setChecked(action.isChecked())
            action.toggled.connect(button.setChecked)
            button.toggled.connect(action.setChecked)

    @Slot()
    def _on_branches_changed(self) -> None:
        self.document.set_branches(self.branch_controller.branches)
        self._show_branch()
        self._show_possible_actions()

    def _show_branch(self) -> None:
        """Name the branch on show beside the title, and mark where branches go off."""
        branches, shown = self.branch_controller.branches, self.branch_controller.shown
        branch = branches[shown]
        name = branch.name
        if not name.endswith(f" {branch.fork:,}"):  # as those do that nobody has chosen
            name += f" from t = {branch.fork:,}"
        self.views.title_line.set_branch("" if branch.is_original else name)
        self.views.strip.set_branch_points([each.fork for each in branches if each.parent == shown])

    @Slot()
    def _leave_branch(self) -> None:
        parent = self.branch_controller.branches[self.branch_controller.shown].parent
        if parent is not None:
            self.branch_controller.switch_to(parent)

    @Slot(bool)
    def _on_quiz_switched(self, is_on: bool) -> None:
        """While what comes next is to be guessed, the run is shown as if it ended at the cursor."""
        self.actions_by_name["quiz"].setChecked(is_on)
        self.views.guess_bar.set_on(is_on)
        self.views.strip.set_ahead_hidden(is_on)

    @Slot()
    def _uncover_tree(self) -> None:
        """What is asked stands below the tree, and so do the buttons with which one guesses."""
        for name in ("fill_page", "look_closer"):
            if self.views.is_tree_covered:
                self.actions_by_name[name].setChecked(False)
                self.views.take_focus()

    @Slot()
    def _on_bookmarks_changed(self) -> None:
        self.views.strip.set_bookmarks(self.document.bookmarks)

    def _restore(self) -> None:
        preferences = self.preferences
        # What the system says of motion comes before what is usual.
        usual = self.actions_by_name.remembered | {"reduced_motion": is_motion_reduced()}
        for name, default in usual.items():
            action = self.actions_by_name[name]
            is_on = preferences.flag(name, default)
            action.setChecked(is_on)
            action.toggled.emit(is_on)
        layout = preferences.text("layout", DEFAULT_LAYOUT)
        self._choose_layout(layout if layout in LAYOUTS else DEFAULT_LAYOUT)
        if not preferences.restore_geometry("geometry", self):
            take_pleasant_size(self, 1720, 1040, 0.94)
        self.views.restore(preferences)
        page = preferences.text("page")
        if page in {info.name for info in page_list.PAGES}:
            self.views.drawer.show_page(page)

    def _store(self) -> None:
        for name in self.actions_by_name.remembered:
            self.preferences.set_flag(name, self.actions_by_name[name].isChecked())
        self.preferences.set_flag("log_scale", self._is_log_preferred)
        if self.actions_by_name["reduced_motion"].isChecked() is is_motion_reduced():
            self.preferences.forget_flag("reduced_motion")  # so that the system is followed
        self.preferences.store_geometry("geometry", self)
        self.views.store(self.preferences)
        self.preferences.set_text("page", self.views.drawer.current)
        self.preferences.sync()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._is_closed:
            event.accept()
            return
        self.player.pause()
        self.file_controller.cancel()
        if not (self.file_controller.may_let_go() and self.windows.may_close()):
            event.ignore()
            return
        self._store()
        self.end_services()
        event.accept()

    @Slot()
    def leave_at_once(self) -> None:
        """Somebody ends the program from outside: ask nothing, and leave what is not saved to be restored."""
        if self._is_closed:
            return
        if self.document.would_lose_something:
            self.autosave.keep()
        self.windows.keep()
        self._store()
        self.end_services()

    def end_services(self) -> None:
        """End every thread, in whatever way the window ends."""
        if self._is_closed:
            return
        self._is_closed = True
        cancel_all_tasks()
        _application().focusChanged.disconnect(self._focus_keys.follow)
        _application().focusChanged.disconnect(self._on_focus_changed)
        self.windows.close()
        self.player.close()
        self.phases.pause()
        self.quiz.close()
        self.outlook_finder.close()
        self.page_host.close()
        self.tree.close()
        self.file_controller.close()
        self.decisive_step_seeker.close()
        self.autosave.close()
        self.garbage_collection.close()
        self.views.canvas.shut_down()
        self.what_now.shut_down()
        self._step_announcer.close()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            if self.file_controller.cancel() or self.windows.cancel_opening():
                self._show_message("Opening was cancelled.")
            elif self.decisive_step_seeker.cancel():
                self._show_message("The run stays where it got stuck.")
            elif self.actions_by_name["fill_page"].isChecked():
                self.actions_by_name["fill_page"].setChecked(False)
            elif self.views.is_drawer_open:
                self.actions_by_name["look_closer"].setChecked(False)
            else:
                self.actions_by_name["full_screen"].setChecked(False)
            self.views.canvas.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return
        super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.WindowStateChange:
            self.actions_by_name["full_screen"].setChecked(self.isFullScreen())
        super().changeEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _dropped_file(event.mimeData()) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        path = _dropped_file(event.mimeData())
        if path is not None:
            event.acceptProposedAction()
            self.file_controller.open(path)


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application


def _open(dialog: QDialog) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()


def _in_active_window(act: Callable[[QWidget], object]) -> None:
    """Do what a key means in whatever window it was pressed."""
    window = QApplication.activeWindow()
    if window is not None:
        act(window)


def _dropped_file(data: QMimeData) -> Path | None:
    """The first run file among what is dragged."""
    names = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
    return next((Path(name) for name in names if name.lower().endswith((".gpviz", ".gpvizx"))), None)
