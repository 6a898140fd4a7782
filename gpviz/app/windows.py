"""What stands beside the main window: guide, comparisons, experiments, exports, lectures; made when wanted."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from gpviz import page_list
from gpviz.app.compare_controller import CompareController
from gpviz.app.dialogs import offer_lecture
from gpviz.app.experiments_controller import ExperimentsController
from gpviz.app.guide.window import set_guide_page, topic_of
from gpviz.app.settings import data_folder
from gpviz.app.theme import Theme
from gpviz.engine import GpvizError
from gpviz.page_list import CURVES, SCENES, page_info
from gpviz.run.lecture import Lecture

if TYPE_CHECKING:
    from gpviz.app.branch_controller import BranchController
    from gpviz.app.compare.window import CompareWindow
    from gpviz.app.experiments.window import ExperimentsWindow
    from gpviz.app.export.controller import ExportController
    from gpviz.app.export.export_button import ExportButton
    from gpviz.app.file_controller import FileController
    from gpviz.app.guide.window import GuideWindow
    from gpviz.app.lecture.editor import CapturedView, LectureEditor, UnsavedLecture
    from gpviz.app.lecture.session import LectureSession
    from gpviz.app.main_window import MainWindow
    from gpviz.export.request import What

__all__ = ["Windows"]

_KEYS_EVERYWHERE: Final = ("next_theme", "larger_type", "smaller_type", "experiments", "quit")


class Windows(QObject):
    """Makes and connects them, so that the main window need not know what they are made of.

    None of them costs anything before it is wanted, not even the time to load its code.
    """

    told = Signal(str)
    problem_met = Signal(str)
    undo_changed = Signal()

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self._guide: GuideWindow | None = None
        self.comparing = CompareController(window)
        self.experimenting = ExperimentsController(window, self.comparing)
        self._exports: ExportController | None = None
        self._lecture_editor: LectureEditor | None = None
        self._session: LectureSession | None = None
        self._is_closed = False
        self._page = CURVES
        self._buttons: dict[str, ExportButton] = {}
        self._add_export_buttons()
        views = window.views
        for widget, topic in (
            (views.stage, "window#the-tree"),
            (views.timeline, "window#timeline"),
            (views.transport, "window#transport"),
            (views.setup, "window#settings"),
            (views.pause, "window#pause-when"),
            (views.step_panel, "window#the-step-in-words"),
            (views.bookmarks, "window#timeline"),
            (views.quiz, "study#guess-first"),
        ):
            set_guide_page(widget, topic)
        views.workbench.page_shown.connect(self.undo_changed)
        window.theme_manager.changed.connect(self._on_theme_changed)
        self.comparing.made.connect(self._on_compare_made)
        self.experimenting.made.connect(self._on_experiments_made)
        self.experimenting.told.connect(self.told)
        for controller in (self.comparing, self.experimenting):
            controller.problem_met.connect(self.problem_met)

    # --- the guide ---

    def topic_of(self, widget: QWidget | None) -> tuple[str, str]:
        """The page and the heading of the guide about a widget."""
        return topic_of(widget)

    def show_guide(self) -> None:
        """Open the guide at what is said about what a person is looking at."""
        self._open_guide(self._topic_on_show())

    def _open_guide(self, topic: tuple[str, str]) -> None:
        from gpviz.app.guide.window import GuideWindow

        if self._guide is None:
            self._guide = GuideWindow(self._window.theme_manager.theme, self._window)
            self._share_keys(self._guide)
        self._guide.open_at(*topic)

    def _topic_on_show(self) -> tuple[str, str]:
        """What a person is looking at: the widget with the keyboard, or the page chosen below the tree."""
        focus, views = QApplication.focusWidget(), self._window.views
        is_elsewhere = focus is not None and not views.stage.isAncestorOf(focus)
        if not is_elsewhere and views.workbench.current != CURVES and views.workbench.isVisible():
            return self.topic_of(views.workbench.page(views.workbench.current))
        return self.topic_of(focus)

    def _help_with(self, window: QWidget, topic: str) -> None:
        """F1 in another window opens the guide, too."""
        set_guide_page(window, topic)
        QShortcut(QKeySequence("F1"), window).activated.connect(partial(self._open_guide, (topic, "")))

    def _share_keys(self, window: QWidget) -> None:
        """What concerns the whole program has the same keys in another window."""
        actions = self._window.actions_by_name
        window.addActions([actions[name] for name in _KEYS_EVERYWHERE])

    # --- comparisons and experiments ---

    @Slot(object)
    def _on_compare_made(self, compare: "CompareWindow") -> None:
        compare.set_reduced_motion(self._has_reduced_motion)
        self._help_with(compare, "comparing")
        self._share_keys(compare)

    @Slot(object)
    def _on_experiments_made(self, experiments: "ExperimentsWindow") -> None:
        set_guide_page(experiments, "experiments")  # its own menu has the key
        experiments.guide_asked.connect(partial(self._open_guide, ("experiments", "")))
        experiments.compare_asked.connect(self.comparing.show_run)
        self._share_keys(experiments)

    # --- exports ---

    @property
    def exports(self) -> "ExportController":
        """What takes the run on show away."""
        if self._exports is None:
            from gpviz.app.export.controller import ExportController

            window = self._window
            self._exports = ExportController(
                window,
                lambda: window.branch_controller.describe(window.document.bookmarks),
                lambda: window.controller.history,
                lambda: window.controller.cursor,
                window.settings,
                generalisation=lambda: window.controller.generalisation,
                stuck_since=lambda: window.controller.stuck_since,
                analysis=lambda: window.stage_presenter.analysis,
                title=window.run_title,
            )
            self._exports.told.connect(self.told)
            self._exports.problem_met.connect(self.problem_met)
            self._exports.set_theme(window.theme_manager.theme)
            window.statusBar().addPermanentWidget(self._exports.bar)
        return self._exports

    def _add_export_buttons(self) -> None:
        """One beside the tree, and one beside the tabs for the pages that can be taken away by themselves."""
        from gpviz.app.export.export_button import export_button
        from gpviz.export.request import What

        views = self._window.views
        for name, kinds in (
            ("", (What.TREE, What.FILM, What.SLIDES, What.PAGE)),
            *((info.name, tuple(map(What, info.exports))) for info in page_list.PAGES if info.exports),
        ):
            button = self._buttons[name] = export_button(kinds, self._window.theme_manager.theme)
            button.copy_chosen.connect(self._copy)
            button.save_chosen.connect(self._ask_and_save)
            button.export_chosen.connect(self._ask_export)
            if name:
                views.workbench.set_corner(button)
            else:
                views.stage.set_corner(button)
        views.workbench.page_shown.connect(self._show_page_button)
        self._show_page_button(views.workbench.current)

    @Slot(str)
    def _show_page_button(self, page: str) -> None:
        if page != SCENES:
            self._page = page
        for name, button in self._buttons.items():
            if name:
                button.setVisible(name == page)

    @Slot(object)
    def _copy(self, what: "What") -> None:
        if what == "tree":
            self.copy_tree()
        else:
            self.exports.copy(what)

    @Slot(object)
    def _ask_and_save(self, what: "What") -> None:
        self.exports.ask_and_save(what)

    @Slot(object)
    def _ask_export(self, what: "What") -> None:
        self.ask_export(what)

    def ask_export(self, what: "What | None" = None) -> None:
        """Open the dialog of exports; ``what`` is chosen in it."""
        self.exports.ask(what)
        dialog = self.exports.dialog
        if dialog is not None and not topic_of(dialog)[0]:
            self._help_with(dialog, "exporting")

    def copy_tree(self) -> None:
        """Put the tree on the clipboard as it is on show: as a picture, as lines, and its caption as text."""
        from gpviz.app.export.tree_picture import copy_tree

        button = self._buttons[""]  # which is not a part of the picture
        was_shown = button.isVisibleTo(self._window)
        button.hide()
        copy_tree(self._window.views.stage)
        button.setVisible(was_shown)
        self.told.emit("The tree is on the clipboard.")

    # --- lectures ---

    @property
    def session(self) -> "LectureSession":
        """Lecture mode."""
        if self._session is None:
            from gpviz.app.lecture.session import LectureSession

            self._session = LectureSession(self._window, self._window.theme_manager.theme, self)
            self._session.told.connect(self.told)
            self._session.problem_met.connect(self.problem_met)
            self._session.rehearsed.connect(self._on_rehearsed)
        self._session.set_reduced_motion(self._has_reduced_motion)
        return self._session

    @property
    def lecture_editor(self) -> "LectureEditor":
        """The lecture in the making."""
        if self._lecture_editor is None:
            from gpviz.app.lecture.editor import LectureEditor

            controller = self._lecture_editor = LectureEditor(
                data_folder(), self._window.settings, self._window
            )
            controller.told.connect(self.told)
            controller.problem_met.connect(self.problem_met)
            controller.rehearsal_asked.connect(self._on_rehearsal_asked)
            controller.presentation_asked.connect(self._on_presentation_asked)
            controller.run_asked.connect(self._window.file_controller.open_run)
            controller.opened.connect(self._on_lecture_opened)
            controller.lecture_changed.connect(self.undo_changed)
            controller.recent_changed.connect(self._window.file_controller.recent_changed)
        return self._lecture_editor

    def toggle_lecture(self) -> None:
        """Show the run full screen, or leave lecture mode."""
        if self.session.is_active:
            self.session.stop()
        else:
            self.session.start_plain(self._window.controller)

    def present(self, at: int) -> None:
        """Give the lecture from this scene on."""
        self._window.controller.pause()
        self.session.start_lecture(self.lecture_editor.lecture, at)

    def give(self, lecture: Lecture) -> None:
        """Open a lecture in the editor, and give it."""
        self.lecture_editor.adopt(lecture)
        self.present(0)

    def rehearse(self) -> None:
        """Give the lecture from the chosen scene on, in windows."""
        self._on_rehearsal_asked(max(0, self.lecture_editor.place))

    def capture(self) -> None:
        """Make a scene of what is on show."""
        try:
            view = self.captured_view()
        except GpvizError as problem:
            self.problem_met.emit(str(problem))
            return
        self.lecture_editor.capture(
            view.run_file, view.branch, view.iteration, view.panels, view.page, view.speed
        )
        self._window.show_page(SCENES)

    def open_lecture(self, path: Path) -> None:
        """Begin to open a lecture, to be given or changed."""
        self.lecture_editor.open(path)

    def offer_left_lectures(self) -> bool:
        """Offer the lecture that was being made when the program ended without warning; False if there is none."""
        from gpviz.app.lecture.editor import unsaved_lectures

        left = unsaved_lectures(data_folder())
        if left:
            restore = partial(self._restore_lecture, left[0])
            offer_lecture(self._window, left[0].lecture, restore, left[0].discard)
        return bool(left)

    def _restore_lecture(self, left: "UnsavedLecture") -> None:
        self.lecture_editor.restore(left)
        self._window.show_page(SCENES)

    def captured_view(self) -> "CapturedView":
        """What the window shows, to make a scene of it."""
        from gpviz.app.lecture.editor import CapturedView

        window = self._window
        run_file = window.branch_controller.describe(window.document.bookmarks)
        shown = self._page  # that of the scenes is not what is to be shown
        panels = ("caption", "curves") if shown == "curves" else ("caption",)
        return CapturedView(
            run_file=run_file,
            branch=run_file.shown,
            iteration=window.controller.cursor,
            panels=panels,
            page=shown if page_info(shown).is_for_scenes else "",
        )

    @Slot(int)
    def _on_rehearsal_asked(self, at: int) -> None:
        self._window.controller.pause()
        self.session.start_lecture(self.lecture_editor.lecture, at, is_rehearsal=True)

    @Slot()
    def _on_presentation_asked(self) -> None:
        self.present(0)

    @Slot(list)
    def _on_rehearsed(self, times: list[float | None]) -> None:
        from gpviz.app.lecture.scenes_page import ScenesPage

        page = self._window.views.workbench.page(SCENES)
        assert isinstance(page, ScenesPage)
        page.set_times(times)
        self._window.show_page(SCENES)

    @Slot(object)
    def _on_lecture_opened(self, _path: Path) -> None:
        self._window.show_page(SCENES)

    @property
    def saver(self) -> "LectureEditor | FileController":
        """What is saved by the usual key: the lecture, while its scenes are on show, or else the run."""
        is_planning = self._window.views.workbench.current == SCENES and self.lecture_editor.lecture.scenes
        return self.lecture_editor if is_planning else self._window.file_controller

    @property
    def undoer(self) -> "LectureEditor | BranchController":
        """What can be undone: what was done to the scenes, while they are on show, or else to the branches."""
        is_planning = self._window.views.workbench.current == SCENES
        return self.lecture_editor if is_planning else self._window.branch_controller

    # --- all of them ---

    @property
    def _has_reduced_motion(self) -> bool:
        return self._window.actions_by_name["reduced_motion"].isChecked()

    def set_reduced_motion(self, is_reduced: bool) -> None:
        """Jump instead of moving."""
        for each in (self.comparing.compare, self._session):
            if each is not None:
                each.set_reduced_motion(is_reduced)

    def may_close(self) -> bool:
        """Whether everything may end; a person is asked about what would be lost."""
        if self._lecture_editor is not None and not self._lecture_editor.may_let_go():
            return False
        if self.experimenting.is_running and not self._may_end_experiment():
            return False
        if self._exports is None or not self._exports.is_busy:
            return True
        ask: Callable[..., QMessageBox.StandardButton] = QMessageBox.question
        words = "An export is still being written. Close gpviz and give it up?"
        return ask(self._window, "Give up the export?", words) == QMessageBox.StandardButton.Yes

    def _may_end_experiment(self) -> bool:
        ask: Callable[..., QMessageBox.StandardButton] = QMessageBox.question
        words = (
            "An experiment is still running. Close gpviz and stop it? What is done is kept, to go on later."
        )
        return ask(self._window, "Stop the experiment?", words) == QMessageBox.StandardButton.Yes

    def keep(self) -> None:
        """The program ends without a question: what is not saved is left to be restored."""
        if self._lecture_editor is not None:
            self._lecture_editor.keep()

    def close(self) -> None:
        """End every thread and process."""
        if self._is_closed:
            return
        self._is_closed = True
        if self._session is not None:
            self._session.close()
        self.comparing.shut_down()
        self.experimenting.shut_down()
        for controller in (self._exports, self._lecture_editor):
            if controller is not None:
                controller.close()
        if self._guide is not None:
            self._guide.close()

    @Slot(object)
    def _on_theme_changed(self, theme: Theme) -> None:
        for each in (
            self._guide,
            self.comparing.compare,
            self.experimenting,
            self._exports,
            self._session,
            *self._buttons.values(),
        ):
            if each is not None:
                each.set_theme(theme)
