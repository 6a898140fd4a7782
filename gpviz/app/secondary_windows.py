"""Opens and closes the windows beside the main one: guide, paper, comparisons, experiments, exports, lectures."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QUndoGroup
from PySide6.QtWidgets import QApplication, QWidget

from gpviz.app.actions import COMPARE, EXPERIMENTS, EXPORT, GUIDE, PAPER, Actions
from gpviz.app.dialogs.message_dialogs import bring_up, offer_lecture, says_yes
from gpviz.app.guide.window import set_guide_page, topic_of
from gpviz.app.moment_view import TreePart
from gpviz.app.pages.quiz_controller import QuizController
from gpviz.app.player.player import Player
from gpviz.app.preferences import Preferences, data_folder
from gpviz.app.run.branch_controller import BranchController
from gpviz.app.run.file_controller import FileController
from gpviz.app.run.run_document import Document
from gpviz.app.window_layout import WindowLayout
from gpviz.engine import GpvizError
from gpviz.lecture.lecture import CapturedView, Lecture, load_lecture, shipped_lectures
from gpviz.page_list import CURVES, SCENES, page_info
from gpviz.paper_statements import Show
from gpviz.runs.presets import Comparison, find_comparison, find_preset
from gpviz.runs.settings_text import settings_text

if TYPE_CHECKING:
    from gpviz.app.compare.window import CompareWindow
    from gpviz.app.experiments.window import ExperimentsWindow
    from gpviz.app.export.controller import ExportController
    from gpviz.app.guide.paper_window import PaperWindow
    from gpviz.app.guide.window import GuideWindow
    from gpviz.app.lanes.recorded_lane import RecordedLane
    from gpviz.app.lecture.lecture_editor import LectureEditor, UnsavedLecture
    from gpviz.app.lecture.lecture_mode import LectureMode
    from gpviz.experiments.plan import Plan
    from gpviz.explain.outlook_picture import OutlookPicture
    from gpviz.lecture.scene_content import SceneChart
    from gpviz.runs.run_file import RunFile


@dataclass(frozen=True, slots=True, kw_only=True)
class MainWindowContext:
    """What the other windows use of the main one: the run on show, its files, its views, and how it looks."""

    player: Player
    branches: BranchController
    document: Document
    files: FileController
    tree: TreePart
    views: WindowLayout
    preferences: Preferences
    actions: Actions
    show_message: Callable[[str], None]
    show_problem: Callable[[str], None]
    show_page: Callable[[str], None]
    quiz: QuizController


class SecondaryWindows(QObject):
    """Opens, raises and closes them, and connects them to the run on show.

    None of them costs anything before it is wanted, not even the time to load its code.
    """

    def __init__(self, context: MainWindowContext, parent: QWidget) -> None:
        """The windows stand in front of ``parent``."""
        super().__init__(parent)
        self._parent = parent
        self._context = context
        self._guide: GuideWindow | None = None
        self.paper: PaperWindow | None = None
        self.compare: CompareWindow | None = None
        self.experiments: ExperimentsWindow | None = None
        self._exports: ExportController | None = None
        self._lecture_editor: LectureEditor | None = None
        self._lecture_mode: LectureMode | None = None
        self._is_motion_reduced = False
        self._is_theory_shown = False
        self._page = context.views.drawer.current
        self.undo_group = QUndoGroup(self)
        """What Ctrl+Z undoes: what was done to the scenes, while they are on show, or else to the branches."""
        self.undo_group.addStack(context.branches.undo_stack)
        context.views.drawer.page_shown.connect(self._choose_undo_stack)
        context.views.drawer.page_shown.connect(self._remember_page)
        self._choose_undo_stack()

    # --- the guide ---

    def show_guide(self) -> None:
        """Open the guide at what is said about what a person is looking at."""
        self._open_guide(self._topic_on_show())

    def show_marks(self) -> None:
        """Open the guide at what the shapes, colours and marks of the tree mean."""
        self._open_guide(("window", "what-a-step-looks-like"))

    def _open_guide(self, topic: tuple[str, str]) -> None:
        from gpviz.app.guide.window import GuideWindow

        if self._guide is None:
            self._guide = GuideWindow(self._parent)
            self._guide.addActions(self._context.actions.shared_with(GUIDE))
            self._guide.paper_asked.connect(self.show_paper)
        self._guide.open_at(*topic)

    def _topic_on_show(self) -> tuple[str, str]:
        """What a person is looking at: the widget with the keyboard, or the page chosen beside the tree."""
        views, window = self._context.views, QApplication.activeWindow()
        focus = QApplication.focusWidget() or (None if window is self._parent else window)
        # Where pages cover the tree, their tabs have the keyboard that the tree would have.
        stage = views.drawer.tabs if views.is_tree_covered else views.canvas
        is_elsewhere = focus not in (None, stage) and not stage.isAncestorOf(focus)
        if not is_elsewhere and views.drawer.isVisible():
            return topic_of(views.drawer.page(views.drawer.current))
        return topic_of(focus)

    # --- the paper ---

    @Slot()
    def show_paper(self) -> None:
        """Open the page of the paper's statements where it was left."""
        from gpviz.app.guide.paper_window import PaperWindow

        if self.paper is None:
            self.paper = PaperWindow()
            self.paper.addActions(self._context.actions.shared_with(PAPER))
            self.paper.show_asked.connect(self.show_target)
            set_guide_page(self.paper, "theory")
        self.paper.open_at()

    @Slot(object)
    def show_target(self, show: Show) -> None:
        """Open something in which a statement of the paper is seen. What a person made by hand is asked about."""
        match show.target:
            case "preset":
                self._show_preset(show)
            case "comparison":
                self.show_comparison(find_comparison(show.name))
            case "plan":
                self._show_shipped_plan(show.name, show.chart)
            case "lecture":
                self._show_scene(show.name, (show.scene or 1) - 1)
            case _:
                name, _, slug = show.name.partition("#")
                self._open_guide((name, slug))

    def _show_preset(self, show: Show) -> None:
        request = replace(find_preset(show.name).request, iteration=show.iteration)
        if not self._context.files.show_run(request):
            return
        if show.page:
            self._context.show_page(show.page)
        for name in show.switches:
            self._context.actions[name].setChecked(True)

    def _show_shipped_plan(self, name: str, chart: str) -> None:
        from gpviz.experiments.figures.chart_kinds import ChartKind
        from gpviz.experiments.plan import find_plan

        self._made_experiments().show_plan(find_plan(name), ChartKind(chart) if chart else None)
        self.show_experiments()

    def _show_scene(self, name: str, at: int) -> None:
        if self.lecture_editor.may_let_go():
            (path,) = [each.path for each in shipped_lectures() if each.name == name]
            self.lecture_editor.adopt(load_lecture(path))
            self.present(at)

    # --- comparisons ---

    @Slot()
    def show_compare(self) -> None:
        """Open the window of comparisons; the run on show is among what can be compared.

        Whoever opens it for the first time, with a run on show, wants to compare that one.
        """
        player = self._context.player
        player.settle()
        is_first = self.compare is None and len(player.run.history) > 0
        compare = self._made_compare()
        compare.offer_run(self._recorded_lane(self._context.branches.shown, "The run on show"), player.cursor)
        if is_first:
            compare.compare_run_on_show()
        bring_up(compare)

    @Slot(object)
    def show_comparison(self, comparison: Comparison) -> None:
        """Open the window of comparisons with these runs."""
        compare = self._made_compare()
        compare.show_comparison(comparison)
        bring_up(compare)

    @Slot(int, int)
    def show_branches(self, one: int, other: int) -> None:
        """Open the window of comparisons with two branches of the run on show."""
        self._context.player.settle()
        branches = self._context.branches.branches
        lanes = [self._recorded_lane(number, branches[number].name) for number in (one, other)]
        compare = self._made_compare()
        compare.compare(lanes, "Two branches of a run", cursor=self._context.player.cursor)
        bring_up(compare)

    def _recorded_lane(self, branch: int, label: str) -> "RecordedLane":
        from gpviz.app.lanes.recorded_lane import RecordedLane

        branches = self._context.branches
        recorded = branches.recorded_branch(branch)
        return RecordedLane(
            label,
            recorded.history,
            recorded.generalisation,
            recorded.stuck_since,
            branches.request_for(branch),
        )

    def _made_compare(self) -> "CompareWindow":
        if self.compare is None:
            from gpviz.app.compare.window import CompareWindow

            self.compare = CompareWindow(self._parent)
            self.compare.set_reduced_motion(self._is_motion_reduced)
            self.compare.addActions(self._context.actions.shared_with(COMPARE))
            self.compare.run_requested.connect(self._context.files.show_run)
            self.compare.scene_given.connect(self._on_comparison_given)
            self.compare.closed.connect(self._on_closed)
            set_guide_page(self.compare, "comparing")
        return self.compare

    # --- experiments ---

    def show_experiments(self) -> None:
        """Open the window of experiments."""
        bring_up(self._made_experiments())

    def show_plan(self, plan: "Plan") -> None:
        """Open the window of experiments with a plan, ready to be started."""
        self._made_experiments().show_plan(plan)
        self.show_experiments()

    @Slot(object)
    def open_store(self, path: Path) -> None:
        """Open the window of experiments with the results in a file."""
        self._made_experiments().open_store(path)
        self.show_experiments()

    def _made_experiments(self) -> "ExperimentsWindow":
        if self.experiments is None:
            from gpviz.app.experiments.window import ExperimentsWindow

            made = self.experiments = ExperimentsWindow(self._parent)
            made.addActions(self._context.actions.shared_with(EXPERIMENTS))
            made.run_requested.connect(self._context.files.show_run)
            made.comparison_requested.connect(self.show_comparison)
            made.compare_asked.connect(self.show_compare)
            made.guide_asked.connect(partial(self._open_guide, ("experiments", "")))
            made.reported.connect(self._context.show_message)
            made.chart_given.connect(self._on_chart_given)
            made.closed.connect(self._on_closed)
            set_guide_page(made, "experiments")  # its own menu has the key
        return self.experiments

    # --- exports ---

    @property
    def exports(self) -> "ExportController":
        """What takes the run on show away."""
        if self._exports is None:
            from gpviz.app.export.controller import ExportController
            from gpviz.export.request import Subject

            context, player = self._context, self._context.player
            self._exports = ExportController(
                self._parent,
                lambda: context.branches.describe(context.document.bookmarks),
                lambda: Subject(
                    history=player.run.history,
                    generalisation=player.run.generalisation,
                    stuck_since=player.run.stuck_since,
                    analysis=context.tree.analysis,
                    outlook=self._outlook_on_show(),
                ),
                lambda: player.cursor,
                context.preferences,
                title=lambda: context.document.title or settings_text(player.run.config),
            )
            self._exports.reported.connect(self._context.show_message)
            self._exports.problem_met.connect(self._context.show_problem)
            context.views.title_line.add_progress(self._exports.bar)
        return self._exports

    def _outlook_on_show(self) -> "OutlookPicture | None":
        """What the page of the outlook shows by now; None where nobody has looked at it."""
        from gpviz.app.pages.outlook.outlook_page import OutlookPage

        page = self._context.views.drawer.made("outlook")
        return page.picture if isinstance(page, OutlookPage) else None

    @Slot(str)
    def _remember_page(self, page: str) -> None:
        """That of the scenes is not what a scene is to show."""
        if page != SCENES:
            self._page = page

    def ask_export(self, kind: str = "") -> None:
        """Open the dialog of exports; the kind of this name is chosen in it."""
        self.exports.ask(kind)
        dialog = self.exports.dialog
        if dialog is not None:
            dialog.addActions(self._context.actions.shared_with(EXPORT))
            set_guide_page(dialog, "exporting")

    def copy_tree(self) -> None:
        """Put the tree on the clipboard as it is on show: as a picture, as lines, and its caption as text."""
        from gpviz.app.export.pictures import copy_tree

        copy_tree(self._context.views.canvas)
        self._context.show_message("The tree is on the clipboard.")

    def copy_page(self) -> None:
        """Put the page in the drawer on the clipboard, as it is on show."""
        from gpviz.app.export.pictures import copy_page

        drawer = self._context.views.drawer
        if not drawer.isVisible():
            self._context.show_message("No page is open; F4 opens one.")
            return
        copy_page(drawer.page(drawer.current))
        self._context.show_message("The page is on the clipboard.")

    # --- lectures ---

    @property
    def lecture_mode(self) -> "LectureMode":
        """Lecture mode."""
        if self._lecture_mode is None:
            from gpviz.app.lecture.lecture_mode import LectureMode

            self._lecture_mode = LectureMode(self._parent)
            self._lecture_mode.reported.connect(self._context.show_message)
            self._lecture_mode.problem_met.connect(self._context.show_problem)
        self._lecture_mode.set_reduced_motion(self._is_motion_reduced)
        self._lecture_mode.set_theory_shown(self._is_theory_shown)
        return self._lecture_mode

    def set_theory_shown(self, is_shown: bool) -> None:
        """Show in the curves of an audience what the paper proves, or no longer."""
        self._is_theory_shown = is_shown
        if self._lecture_mode is not None:
            self._lecture_mode.set_theory_shown(is_shown)

    @property
    def lecture_editor(self) -> "LectureEditor":
        """The lecture in the making."""
        if self._lecture_editor is None:
            from gpviz.app.lecture.lecture_editor import LectureEditor

            files = self._context.files
            editor = self._lecture_editor = LectureEditor(
                data_folder(), self._context.preferences, self._parent
            )
            editor.reported.connect(self._context.show_message)
            editor.progressed.connect(files.progressed)
            editor.problem_met.connect(self._context.show_problem)
            editor.rehearsal_asked.connect(self.rehearse)
            editor.presentation_asked.connect(partial(self.present, 0))
            editor.run_requested.connect(files.show_run)
            editor.opened.connect(partial(self._context.show_page, SCENES))
            self.undo_group.addStack(editor.undo_stack)
            editor.recent_changed.connect(files.recent_changed)
        return self._lecture_editor

    @Slot(object)
    def _on_chart_given(self, chart: "SceneChart") -> None:
        """A chart of the experiments becomes the last scene of the lecture."""
        if self.lecture_editor.add_content(chart) and self.experiments is not None:
            self.experiments.tell(self._added_text())

    @Slot(str, list)
    def _on_comparison_given(self, title: str, lanes: "list[tuple[str, RunFile, int]]") -> None:
        """A comparison becomes the last scene of the lecture."""
        if self.lecture_editor.add_comparison(title, lanes) and self.compare is not None:
            self.compare.tell(self._added_text())

    def _added_text(self) -> str:
        lecture = self.lecture_editor.lecture
        return f"Added as scene {len(lecture.scenes)} of “{lecture.title}”."

    def toggle_lecture(self) -> None:
        """Show the run full screen, or leave lecture mode."""
        if self.lecture_mode.is_active:
            self.lecture_mode.stop()
        else:
            self.lecture_mode.start_plain(self._context.player, self._context.quiz)

    def present(self, at: int) -> None:
        """Give the lecture from this scene on."""
        self._context.player.pause()
        self.lecture_mode.start_lecture(self.lecture_editor.lecture, at)

    @Slot(int)
    def rehearse(self, at: int) -> None:
        """Give the lecture from this scene on, in windows."""
        self._context.player.pause()
        self.lecture_mode.start_lecture(self.lecture_editor.lecture, at, is_rehearsal=True)

    def rehearse_from_here(self) -> None:
        """Give the lecture in windows, from the scene that is chosen on."""
        self.rehearse(max(0, self.lecture_editor.index))

    def new_lecture(self) -> None:
        """Begin another lecture."""
        self.lecture_editor.new()

    def ask_for_lecture(self) -> None:
        """Let a person choose a lecture to open."""
        self.lecture_editor.ask_and_open()

    def save_lecture(self) -> None:
        """Save the lecture."""
        self.lecture_editor.save()

    def give(self, lecture: Lecture) -> None:
        """Open a lecture in the editor, and give it."""
        self.lecture_editor.adopt(lecture)
        self.present(0)

    def capture(self) -> None:
        """Make a scene of what is on show."""
        try:
            view = self.captured_view()
        except GpvizError as problem:
            self._context.show_problem(str(problem))
            return
        self.lecture_editor.capture(view)
        self._context.show_page(SCENES)

    def open_lecture(self, path: Path) -> None:
        """Begin to open a lecture, to be given or changed."""
        self.lecture_editor.open(path)

    def cancel_opening(self) -> bool:
        """Give up the lecture that is being opened; False if none is."""
        return self._lecture_editor is not None and self._lecture_editor.cancel()

    def offer_left_lectures(self) -> bool:
        """Offer the lecture that was being made when the program ended without warning; False if there is none."""
        from gpviz.app.lecture.lecture_editor import unsaved_lectures

        left = unsaved_lectures(data_folder())
        if left:
            restore = partial(self._restore_lecture, left[0])
            offer_lecture(self._parent, left[0].content, restore, left[0].discard)
        return bool(left)

    def _restore_lecture(self, left: "UnsavedLecture") -> None:
        self.lecture_editor.restore(left)
        self._context.show_page(SCENES)

    def captured_view(self) -> CapturedView:
        """What the window shows, to make a scene of it."""
        context = self._context
        run_file = context.branches.describe(context.document.bookmarks)
        shown = self._page if context.views.is_drawer_open else ""
        panels = ("caption", "curves") if shown in ("", CURVES) else ("caption",)
        return CapturedView(
            run_file=run_file,
            branch=run_file.shown,
            iteration=context.player.cursor,
            panels=panels,
            page=shown if shown and page_info(shown).is_for_scenes else "",
        )

    def save(self) -> None:
        """Save what is on show where it is saved already, or ask where."""
        self._saver().save()

    def ask_and_save(self) -> None:
        """Save what is on show where a person says."""
        self._saver().ask_and_save()

    def _saver(self) -> "LectureEditor | FileController":
        """What is saved by the usual key: the lecture, while its scenes are on show, or else the run."""
        is_planning = self._context.views.drawer.current == SCENES and self.lecture_editor.lecture.scenes
        return self.lecture_editor if is_planning else self._context.files

    @Slot()
    def _choose_undo_stack(self) -> None:
        is_planning = self._context.views.drawer.current == SCENES
        owner = self.lecture_editor if is_planning else self._context.branches
        self.undo_group.setActiveStack(owner.undo_stack)

    # --- all of them ---

    @Slot()
    def _on_closed(self) -> None:
        """Let go of a window; the next time it is made anew."""
        closed = self.sender()
        closed.deleteLater()
        if closed is self.compare:
            self.compare = None
        elif closed is self.experiments:
            self.experiments = None

    def set_reduced_motion(self, is_reduced: bool) -> None:
        """Jump instead of moving."""
        self._is_motion_reduced = is_reduced
        for each in (self.compare, self._lecture_mode):
            if each is not None:
                each.set_reduced_motion(is_reduced)

    def may_close(self) -> bool:
        """Whether everything may end; a person is asked about what would be lost."""
        if self._lecture_editor is not None and not self._lecture_editor.may_let_go():
            return False
        if (
            self.experiments is not None
            and self.experiments.runner.is_running
            and not says_yes(
                self._parent,
                "Stop the experiment?",
                "An experiment is still running. Close gpviz and stop it? The finished runs are kept, "
                "and you can continue later.",
            )
        ):
            return False
        return (
            self._exports is None
            or not self._exports.is_busy
            or says_yes(
                self._parent, "Cancel the export?", "An export is not finished. Close gpviz and cancel it?"
            )
        )

    def keep(self) -> None:
        """The program ends without a question: what is not saved is left to be restored."""
        if self._lecture_editor is not None:
            self._lecture_editor.keep()

    def close(self) -> None:
        """End every thread and process."""
        if self._lecture_mode is not None:
            self._lecture_mode.stop()
        for window in (self.compare, self.experiments):
            if window is not None:
                window.shut_down()
        for each in (self._exports, self._lecture_editor):
            if each is not None:
                each.close()
        if self._guide is not None:
            self._guide.close()
        if self.paper is not None:
            self.paper.close()
            self.paper.deleteLater()  # it has no parent that would take it along
            self.paper = None
