"""Lecture mode: its windows, the run or the lecture that they show, and what its commands do."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QWidget

from gpviz.app.actions import LECTURE, SHOWN_RUN, loose_keys
from gpviz.app.dialogs.command_finder import CommandFinder, Entry
from gpviz.app.lecture.audience_view import AudienceView
from gpviz.app.lecture.audience_window import AudienceWindow, BlankKind
from gpviz.app.lecture.lecture_keys import LectureCommand
from gpviz.app.lecture.presenter_window import PresenterWindow
from gpviz.app.lecture.scene_player import RunNavigation, RunPreloader, ScenePlayer, runs_shown
from gpviz.app.lecture.spotlight import PointerKind
from gpviz.app.pages.quiz_controller import QuizController
from gpviz.app.player.player import Player
from gpviz.app.timers import single_shot
from gpviz.engine import RunConfig
from gpviz.lecture.lecture import PANELS, Lecture
from gpviz.lecture.stopwatch import Stopwatch

_PREVIEW_MS: Final = 80
_STATES: Final = {BlankKind.BLACK: "Black screen", BlankKind.WHITE: "White screen", BlankKind.END: "The end"}


def screens_for(screens: Sequence[QScreen], home: QScreen | None) -> tuple[QScreen | None, QScreen | None]:
    """The audience's screen and the speaker's: with one screen there is none of one's own for the speaker.

    The speaker has the screen where the program is, as that is the one with the keyboard before it.
    """
    if not screens:
        return None, None
    others = [screen for screen in screens if screen is not home]
    if len(screens) == 1 or not others:
        return screens[0], None
    return others[0], home if home in screens else next(each for each in screens if each is not others[0])


def window_handlers(window: AudienceWindow) -> dict[LectureCommand, Callable[[], None]]:
    """The commands that change the audience's window."""
    pointer = window.spotlight
    return {
        LectureCommand.LASER: partial(window.toggle_pointing, PointerKind.LASER),
        LectureCommand.SPOTLIGHT: partial(window.toggle_pointing, PointerKind.SPOTLIGHT),
        LectureCommand.LARGER_POINTER: partial(pointer.change_size, 1),
        LectureCommand.SMALLER_POINTER: partial(pointer.change_size, -1),
        LectureCommand.POINTER_LEFT: partial(pointer.go_by, -1, 0),
        LectureCommand.POINTER_RIGHT: partial(pointer.go_by, 1, 0),
        LectureCommand.POINTER_UP: partial(pointer.go_by, 0, -1),
        LectureCommand.POINTER_DOWN: partial(pointer.go_by, 0, 1),
        **{LectureCommand[name.upper()]: partial(window.toggle_panel, name) for name in PANELS},
        LectureCommand.PAGE: window.toggle_page,
        LectureCommand.NEXT_PAGE: window.next_page,
        LectureCommand.NEXT_PART: partial(window.go_to_part, 1),
        LectureCommand.PREVIOUS_PART: partial(window.go_to_part, -1),
        LectureCommand.FIT: window.canvas.toggle_whole,
        LectureCommand.LARGER_TYPE: partial(window.change_type, 1),
        LectureCommand.SMALLER_TYPE: partial(window.change_type, -1),
        LectureCommand.NEXT_THEME: window.choose_next_theme,
    }


class LectureMode(QObject):
    """Lecture mode of the main window. It is off, shows the run of the window, or gives a lecture."""

    problem_met = Signal(str)
    reported = Signal(str)

    def __init__(self, home: QWidget) -> None:
        """``home`` is the window to come back to."""
        super().__init__(home)
        self._home = home
        self._is_motion_reduced = False
        self._is_theory_shown = False
        self._forget()
        self._preview = single_shot(self, self._show_preview, _PREVIEW_MS)
        application = QGuiApplication.instance()
        assert isinstance(application, QGuiApplication)
        application.screenAdded.connect(self.on_screens_changed)
        application.screenRemoved.connect(self.on_screens_changed)

    def _forget(self) -> None:
        """Return to the initial state: nothing is shown."""
        self._is_rehearsal = False
        self._is_full = True
        self._blank_kind = BlankKind.OPEN
        self._progress = ""
        self._watch = Stopwatch()
        self._session = QObject(self)
        """Owns the objects that live as long as something is shown."""
        self._audience_view: AudienceView | None = None
        self._navigation: ScenePlayer | RunNavigation | None = None
        self.quiz: QuizController | None = None
        self.player: Player | None = None
        self._preloader: RunPreloader | None = None
        self.scene_player: ScenePlayer | None = None
        self.audience: AudienceWindow | None = None
        self.presenter: PresenterWindow | None = None

    # --- on and off ---

    @property
    def is_active(self) -> bool:
        return self.audience is not None

    def set_theory_shown(self, is_shown: bool) -> None:
        """Show in the curves what the paper proves, or no longer."""
        self._is_theory_shown = is_shown
        if self.audience is not None:
            self.audience.set_theory_shown(is_shown)

    def start_plain(self, player: Player, quiz: QuizController) -> None:
        """Show the run of this player full screen, with the questions of its quiz."""
        if not self._may_start():
            return
        self.quiz = quiz
        quiz.withdraw()  # the audience has not seen what was asked in the other window
        navigation = self._navigation = RunNavigation(player, quiz, self._session)
        navigation.moved.connect(self._on_moved)
        view = self._make_audience(player, quiz)
        self._arrange_windows()
        view.show_all()
        self._watch.toggle()

    def start_lecture(self, lecture: Lecture, at: int = 0, *, is_rehearsal: bool = False) -> None:
        """Give a lecture from this scene on, with runs of its own; a rehearsal is in windows."""
        if not self._may_start():
            return
        if not lecture.scenes:
            self.problem_met.emit("scenes: the lecture has none yet; capture one first.")
            return
        self._is_rehearsal = is_rehearsal
        self._is_full = not is_rehearsal
        config = lecture.runs[0].config if lecture.runs else RunConfig(n=1)
        player = self.player = Player.for_run(config, parent=self._session)
        quiz = self.quiz = QuizController(player, None, self._session)
        scene_player = self.scene_player = self._navigation = ScenePlayer(
            lecture, player, quiz, self._session
        )
        preloader = self._preloader = RunPreloader(lecture, at, self._session)
        preloader.run_ready.connect(scene_player.add_run)
        preloader.failed.connect(self._on_run_failed)
        preloader.progressed.connect(self._on_progressed)
        scene_player.run_wanted.connect(preloader.want)
        scene_player.scene_changed.connect(self._on_scene_changed)
        scene_player.moved.connect(self._on_moved)
        self._make_audience(player, quiz)
        self._watch.toggle()
        self._arrange_windows()
        scene_player.go_to_scene(at)
        preloader.start()

    def stop(self) -> None:
        """Leave; the main window comes back where it was."""
        audience, presenter, quiz = self.audience, self.presenter, self.quiz
        if audience is None or quiz is None:
            return
        self.audience = self.presenter = None
        quiz.switched.disconnect(self._cover)
        for task in (self._preloader, self._audience_view):
            if task is not None:
                task.close()
        for window in (audience, presenter):
            if window is not None:
                window.shut_down()
        if self.player is not None:  # its runs are its own
            quiz.close()
            self.player.close()
        for thing in (audience, presenter, self._session):
            if thing is not None:
                thing.deleteLater()
        self._forget()
        if self._home.isVisible():
            self._home.raise_()
            self._home.activateWindow()

    # --- settings ---

    def set_reduced_motion(self, is_reduced: bool) -> None:
        """Jump instead of moving."""
        self._is_motion_reduced = is_reduced
        if self.audience is not None:
            self.audience.set_reduced_motion(is_reduced)

    # --- what a speaker does ---

    @Slot(object)
    def perform(self, command: LectureCommand) -> None:
        """Do what a key asks for."""
        if self.audience is None or self._navigation is None or self.quiz is None:
            return
        steps = self._navigation.handlers()
        if self._blank_kind is not BlankKind.OPEN and command in steps:
            self._toggle_blank(self._blank_kind)  # a click brings the picture back, and does no more
        else:
            {**steps, **window_handlers(self.audience), **self._mode_handlers(self.quiz)}[command]()

    def _mode_handlers(self, quiz: QuizController) -> dict[LectureCommand, Callable[[], None]]:
        return {
            LectureCommand.BLACK: partial(self._toggle_blank, BlankKind.BLACK),
            LectureCommand.WHITE: partial(self._toggle_blank, BlankKind.WHITE),
            LectureCommand.FULL_SCREEN: self._toggle_full_screen,
            LectureCommand.PRESENTER: self._toggle_presenter,
            LectureCommand.QUIZ: partial(quiz.set_on, not quiz.is_on),
            LectureCommand.GUESS_ACCEPTED: partial(quiz.guess, True),
            LectureCommand.GUESS_REJECTED: partial(quiz.guess, False),
            LectureCommand.KEYS: self._show_keys,
            LectureCommand.LEAVE: self.stop,
        }

    def _toggle_blank(self, blank_kind: BlankKind) -> None:
        self._blank_kind = BlankKind.OPEN if self._blank_kind is blank_kind else blank_kind
        self._cover()

    def _toggle_full_screen(self) -> None:
        self._is_full = not self._is_full
        self._arrange_windows()

    def _show_keys(self) -> None:
        assert self.audience is not None
        presenter = self.presenter
        is_presenting = presenter is not None and presenter.isVisible()
        window = presenter if is_presenting else self.audience
        keys = loose_keys(SHOWN_RUN if self.scene_player is None else LECTURE)
        entries = [Entry(text=each.effect, section=each.section, keys=each.keys) for each in keys]
        dialog = CommandFinder("Keys", entries, window)
        dialog.use_program_theme()  # also where the window of the audience has its own
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    # --- windows ---

    def _may_start(self) -> bool:
        if self.audience is not None:
            self.audience.raise_()
            self.audience.activateWindow()
            return False
        return True

    def _make_audience(self, player: Player, quiz: QuizController) -> AudienceView:
        audience = self.audience = AudienceWindow(
            is_lecture=self.scene_player is not None, is_motion_reduced=self._is_motion_reduced
        )
        audience.set_theory_shown(self._is_theory_shown)
        self._audience_view = AudienceView(player, audience, quiz, self._session)
        quiz.switched.connect(self._cover)
        audience.command_given.connect(self.perform)
        audience.closed.connect(self.stop)
        return self._audience_view

    def _make_presenter(self) -> PresenterWindow:
        audience, scene_player = self.audience, self.scene_player
        assert audience is not None
        scenes = () if scene_player is None else scene_player.lecture.scenes
        presenter = PresenterWindow(audience, self._watch, [scene.title for scene in scenes])
        presenter.command_given.connect(self.perform)
        presenter.closed.connect(audience.activateWindow)  # closing it hides it; the lecture goes on
        presenter.thumbnail.pointed.connect(audience.spotlight.point_at)
        audience.changed.connect(presenter.thumbnail.refresh_soon)
        if scene_player is not None:
            presenter.scene_chosen.connect(self._on_scene_chosen)
            presenter.show_scene(scene_player.index, scene_player.scene)
        self.presenter = presenter
        self._cover()
        self._preview.start()
        return presenter

    def _arrange_windows(self) -> None:
        """Put the windows on the available screens."""
        assert self.audience is not None
        audience_screen, presenter_screen = self._screens()
        is_presenting = self.presenter is not None and self.presenter.isVisible()
        self.audience.place_on(audience_screen, is_full=self._is_full)
        if presenter_screen is not None and self.scene_player is not None:
            self._present(presenter_screen, fills=True)
        elif self._is_rehearsal or (is_presenting and not self._is_full):
            self._present(audience_screen, fills=False)
        elif is_presenting and self.presenter is not None:
            self.presenter.hide()

    def _screens(self) -> tuple[QScreen | None, QScreen | None]:
        return screens_for(QGuiApplication.screens(), self._home.screen())

    def _present(self, screen: QScreen | None, *, fills: bool) -> None:
        presenter = self.presenter or self._make_presenter()
        presenter.place_on(screen, fills=fills)

    def _toggle_presenter(self) -> None:
        assert self.audience is not None
        if self.presenter is not None and self.presenter.isVisible():
            self.presenter.hide()
            self.audience.come_to_front()
            return
        audience_screen, presenter_screen = self._screens()
        self._present(presenter_screen or audience_screen, fills=self._is_full)

    @Slot()
    def on_screens_changed(self) -> None:
        """A screen was added or removed: put the windows on those there are."""
        if self.audience is not None:
            self._arrange_windows()

    # --- what happens ---

    @Slot(int)
    def _on_scene_chosen(self, index: int) -> None:
        if self.scene_player is not None:
            self._blank_kind = BlankKind.OPEN
            self.scene_player.go_to_scene(index)

    @Slot(int)
    def _on_scene_changed(self, index: int) -> None:
        if self.scene_player is None or self.audience is None or self._audience_view is None:
            return
        scene = self.scene_player.scene
        self.audience.show_scene(scene)
        assert self.player is not None
        self.audience.content.show_lanes(self.scene_player.lanes_of(scene), self.player.cursor)
        self._audience_view.set_scene(scene)
        self.audience.canvas.fit()
        self.audience.canvas.set_following(True)
        if self.presenter is not None:
            self.presenter.show_scene(index, scene)

    @Slot()
    def _on_moved(self) -> None:
        self._cover()
        if not self._preview.isActive():
            self._preview.start()

    @Slot(str)
    def _on_progressed(self, progress: str) -> None:
        self._progress = progress
        self._cover()

    @Slot(int, str)
    def _on_run_failed(self, run: int, problem: str) -> None:
        self.reported.emit(f"Run {run + 1} of the lecture cannot be shown: {problem}")
        if self.scene_player is not None:
            self.scene_player.give_up(run, problem)

    @Slot()
    def _cover(self) -> None:
        """Cover the picture: on request, at the end, and while a scene is prepared."""
        if self.audience is None:
            return
        blank_kind, title, text = self._cover_now()
        self.audience.cover(blank_kind, title, text)
        if self.presenter is not None:
            is_asking = self.quiz is not None and self.quiz.is_on
            state = _STATES.get(blank_kind, title)
            self.presenter.state_label.setText(state or ("Guess first" if is_asking else ""))

    def _cover_now(self) -> tuple[BlankKind, str, str]:
        scene_player = self.scene_player
        if self._blank_kind is not BlankKind.OPEN or scene_player is None:
            return self._blank_kind, "", ""
        if scene_player.is_ended:
            return BlankKind.END, scene_player.lecture.title, "The end. Page Up goes back, Esc leaves."
        if scene_player.is_waiting:
            problems = (scene_player.problems.get(run) for run in runs_shown(scene_player.scene))
            problem = next((each for each in problems if each is not None), None)
            if problem is not None:
                return BlankKind.WORDS, f"“{scene_player.scene.title}” cannot be shown", problem
            return BlankKind.WORDS, f"Preparing “{scene_player.scene.title}” …", self._progress
        return BlankKind.OPEN, "", ""

    @Slot()
    def _show_preview(self) -> None:
        presenter, navigation = self.presenter, self._navigation
        if presenter is None or navigation is None:
            return
        presenter.show_next(navigation.next_moment())
        if isinstance(navigation, RunNavigation):
            presenter.place_label.setText(navigation.position_text)
