"""Plays the scenes of a lecture, click by click, never beyond the end of a scene, and replays their runs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from gpviz.app.lanes.recorded_lane import RecordedLane
from gpviz.app.lecture.lecture_keys import LectureCommand
from gpviz.app.pages.quiz_controller import QuizController
from gpviz.app.player.player import Player
from gpviz.app.player.shown_moment import Changed, Detail, MomentChange, ShownMoment
from gpviz.app.run.branch_controller import RecordedBranch
from gpviz.app.run.file_controller import LoadedRun, load_run
from gpviz.app.tasks import BackgroundTask
from gpviz.explain.tree_text import position_text
from gpviz.lecture.lecture import Lecture, Scene
from gpviz.lecture.scene_content import SceneComparison, SceneContent
from gpviz.runs.branches import search_at
from gpviz.runs.history import History
from gpviz.runs.pause_rules import PauseRules
from gpviz.runs.step_encoding import Property

_NO_PAUSES: Final = PauseRules(stuck=False, solved=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Upcoming:
    """What the next click shows. Without a moment there is no tree to see, or not yet."""

    title: str
    """What the speaker reads above it."""
    moment: ShownMoment | None = None
    text: str = ""
    """Markdown."""
    content: SceneContent | None = None
    lanes: tuple[RecordedLane, ...] = ()
    """The runs of a comparison, as far as they are there."""
    iteration: int = 0
    """Where they are shown."""
    caption: str = ""
    """The scene's own caption below the tree, empty for none."""


def shows_run(scene: Scene) -> bool:
    """Whether the scene shows anything of a run."""
    has_strip = "curves" in scene.panels
    return scene.has_tree or bool(scene.page) or has_strip or isinstance(scene.content, SceneComparison)


def runs_shown(scene: Scene) -> tuple[int, ...]:
    """The indices of the runs of the lecture that the scene shows something of."""
    return (scene.runs_needed or (scene.run,)) if shows_run(scene) else ()


def asks_at_steps(scene: Scene) -> bool:
    """Whether Guess first can ask in the scene: each of its clicks goes to the next iteration."""
    is_stepwise = not scene.is_by_accepted and not scene.speed
    return shows_run(scene) and is_stepwise and not isinstance(scene.content, SceneComparison)


class ScenePlayer(QObject):
    """The scene on show, and an iteration of its range, which is the player's cursor.

    Everything shown is recorded. A scene whose run is still being replayed waits for it; clicks then do nothing,
    but going to another scene works. With Guess first on, a click that goes to the next iteration asks about it;
    among accepted steps there is nothing to guess.
    """

    scene_changed = Signal(int)
    """The scene is on show, at its start or its end, or waits for its run."""
    moved = Signal()
    """Anything has changed: the scene, the iteration, whether it plays or waits, or what comes next."""
    run_wanted = Signal(int)
    """A scene waits for this run."""

    def __init__(
        self,
        lecture: Lecture,
        player: Player,
        quiz: QuizController,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.lecture = lecture
        self._quiz = quiz
        self.index = 0
        self.is_waiting = False
        self.is_ended = False
        self._player = player
        self._runs: dict[int, Mapping[int, RecordedBranch]] = {}
        self.problems: dict[int, str] = {}
        """By the number of a run, why it cannot be replayed."""
        self._is_from_end = False
        player.set_rules(_NO_PAUSES)
        player.moment_changed.connect(self._on_moment_changed)

    @property
    def scene(self) -> Scene:
        return self.lecture.scenes[self.index]

    def add_run(self, run: int, branches: Mapping[int, RecordedBranch]) -> None:
        """A run of the lecture has been replayed: begin the scene that waits for it."""
        self._runs[run] = branches
        if self.is_waiting and self._is_ready(self.scene):
            self._open(self.index, is_from_end=self._is_from_end)
        else:
            self.moved.emit()  # it may be what comes next

    def give_up(self, run: int, problem: str) -> None:
        """A run cannot be replayed: let clicks go past the scenes that wait for it."""
        self.problems[run] = problem
        self.moved.emit()

    # --- scenes ---

    def go_to_scene(self, index: int) -> None:
        """Begin a scene; a number beyond the list is its first or last."""
        self._open(max(0, min(index, len(self.lecture.scenes) - 1)), is_from_end=False)

    def next_scene(self) -> None:
        """Begin the next scene; after the last one the lecture has ended."""
        if self.index + 1 < len(self.lecture.scenes):
            self.go_to_scene(self.index + 1)
        elif not self.is_ended:
            self._player.pause()
            self._quiz.withdraw()
            self.is_ended = True
            self.moved.emit()

    def handlers(self) -> dict[LectureCommand, Callable[[], None]]:
        """What the commands do that go through the scenes; a scene says itself whether it plays."""
        previous = self.index if self.is_ended else self.index - 1
        return {
            LectureCommand.NEXT: self.forward,
            LectureCommand.BACK: self.back,
            LectureCommand.HELD_NEXT: partial(self.forward, is_held=True),
            LectureCommand.HELD_BACK: partial(self.back, is_held=True),
            LectureCommand.NEXT_SCENE: self.next_scene,
            LectureCommand.PREVIOUS_SCENE: partial(self.go_to_scene, previous),
            LectureCommand.FIRST: partial(self.go_to_scene, 0),
            LectureCommand.LAST: partial(self.go_to_scene, len(self.lecture.scenes) - 1),
            LectureCommand.PLAY: self.forward,
            LectureCommand.RESTART: partial(self.go_to_scene, self.index),
        }

    # --- clicks ---

    def forward(self, *, is_held: bool = False) -> None:
        """The next click; a key that is held down stays within the scene."""
        if self.is_ended or (self.is_waiting and self.problems.keys().isdisjoint(runs_shown(self.scene))):
            return
        iteration = None if self.is_waiting else self._iteration_after(1)
        if iteration is None:
            if not is_held:
                self.next_scene()
        elif self._asks_first:
            if not is_held:
                self._quiz.next()
                self.moved.emit()
        else:
            self._player.go_to(iteration)

    def back(self, *, is_held: bool = False) -> None:
        """One click back; before the first of a scene, to the end of the previous one, unless the key is held."""
        if self.is_ended:
            if not is_held:
                self._open(self.index, is_from_end=True)
            return
        iteration = None if self.is_waiting else self._iteration_after(-1)
        if iteration is not None:
            self._player.go_to(iteration)
        elif self.index and not is_held:
            self._open(self.index - 1, is_from_end=True)

    def next_moment(self) -> Upcoming:
        """What the next click shows."""
        iteration = None if self.is_ended or self.is_waiting else self._iteration_after(1)
        if iteration is not None:
            has_tree = self.scene.has_tree or isinstance(self.scene.content, SceneComparison)
            is_asked = has_tree and self._asks_first
            return Upcoming(
                title=f"Next: Iteration {iteration:,}",
                moment=_next_step(self._player.run.history, iteration, is_asked) if has_tree else None,
                caption="" if is_asked else self.scene.caption_at(iteration),
            )
        if self.is_ended or self.index + 1 >= len(self.lecture.scenes):
            return Upcoming(title="Next scene: The end")
        scene = self.lecture.scenes[self.index + 1]
        run = self._runs.get(scene.run) if scene.has_tree else None
        return Upcoming(
            title=f"Next scene: {scene.title}",
            moment=None if run is None else ShownMoment(run[scene.branch].history, scene.first),
            text=scene.text,
            content=scene.content,
            lanes=self.lanes_of(scene),
            iteration=scene.first,
            caption=scene.caption_at(scene.first),
        )

    def lanes_of(self, scene: Scene) -> tuple[RecordedLane, ...]:
        """The runs that a scene compares; none while one of them is not there yet."""
        content = scene.content
        if not isinstance(content, SceneComparison) or not self._is_ready(scene):
            return ()
        recorded = [(lane.label, self._runs[lane.run][lane.branch]) for lane in content.lanes]
        return tuple(
            RecordedLane(label, each.history, each.generalisation, each.stuck_since)
            for label, each in recorded
        )

    # --- how it is done ---

    @property
    def _asks_first(self) -> bool:
        """Whether a click within the scene asks what will become of the next iteration."""
        return self._quiz.is_on and asks_at_steps(self.scene)

    def _is_ready(self, scene: Scene) -> bool:
        return all(run in self._runs for run in runs_shown(scene))

    def _open(self, index: int, *, is_from_end: bool) -> None:
        self._player.pause()
        self._quiz.withdraw()
        self.index = index
        self.is_ended = False
        self._is_from_end = is_from_end
        scene = self.scene
        self.is_waiting = not self._is_ready(scene)
        if self.is_waiting:
            for run in reversed(runs_shown(scene)):  # the last that is wanted comes first
                if run not in self._runs:
                    self.run_wanted.emit(run)
        elif scene.run in self._runs and shows_run(scene):
            self._show(scene, scene.last if is_from_end else scene.first)
        self.scene_changed.emit(index)
        plays = scene.speed > 0 and scene.first < scene.last and not is_from_end and shows_run(scene)
        if plays and not self.is_waiting:
            self._player.set_speed(scene.speed)
            self._player.play(scene.last)
        self.moved.emit()

    def _show(self, scene: Scene, iteration: int) -> None:
        recorded, player = self._runs[scene.run][scene.branch], self._player
        if player.run.history is recorded.history:
            player.go_to(iteration)
        else:
            player.adopt_run(
                search_at(recorded.history, len(recorded.history)),
                recorded.history,
                recorded.generalisation,
                recorded.stuck_since,
                cursor=iteration,
            )

    def _iteration_after(self, clicks: int) -> int | None:
        """The iteration one click further, or one back; None at the end of the scene, or its start."""
        scene, cursor, history = self.scene, self._player.cursor, self._player.run.history
        end = scene.last if clicks > 0 else scene.first
        if not shows_run(scene) or (end - cursor) * clicks <= 0:
            return None
        if scene.speed > 0:
            return end
        if not scene.is_by_accepted:
            return cursor + clicks
        find = history.next_where if clicks > 0 else history.previous_where
        captioned = [each.iteration for each in scene.captions if (each.iteration - cursor) * clicks > 0]
        stops = [end, *captioned, find(Property.CHANGED, cursor)]
        return min((stop for stop in stops if stop is not None), key=lambda stop: abs(stop - cursor))

    @Slot(object)
    def _on_moment_changed(self, change: MomentChange) -> None:
        if Changed.CURSOR in change.what:
            self.moved.emit()


class RunNavigation(QObject):
    """Each click is an iteration, and each accepted mutation is what a scene is in a lecture.

    While there is something to guess first, a click asks or reveals it; one that is held down does neither.
    """

    moved = Signal()

    def __init__(self, player: Player, quiz: QuizController, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._player = player
        self._quiz = quiz
        player.moment_changed.connect(self._on_moment_changed)

    @Slot(object)
    def _on_moment_changed(self, change: MomentChange) -> None:
        if change.what & (Changed.CURSOR | Changed.RUN):
            self.moved.emit()

    @property
    def position_text(self) -> str:
        """The iteration, error and size on show."""
        return position_text(self._player.run.history, self._player.cursor)

    def forward(self, *, is_held: bool = False) -> None:
        if not (is_held and self._quiz.is_on):
            self._quiz.next()

    def handlers(self) -> dict[LectureCommand, Callable[[], None]]:
        """What the commands do that go through the run."""
        player = self._player
        return {
            LectureCommand.NEXT: self.forward,
            LectureCommand.BACK: player.step_back,
            LectureCommand.HELD_NEXT: partial(self.forward, is_held=True),
            LectureCommand.HELD_BACK: player.step_back,
            LectureCommand.NEXT_SCENE: player.go_next_accepted,
            LectureCommand.PREVIOUS_SCENE: player.go_previous_accepted,
            LectureCommand.FIRST: player.go_first,
            LectureCommand.LAST: player.go_live,
            LectureCommand.PLAY: self._quiz.toggle_playing,
            LectureCommand.RESTART: self._stay,
        }

    def _stay(self) -> None:
        """A clicker's start button must not lose the iteration on show."""

    def next_moment(self) -> Upcoming:
        """What the next click shows."""
        history, cursor = self._player.run.history, self._player.cursor
        if cursor >= len(history):
            return Upcoming(title="The next iteration is computed when you go on.")
        moment = _next_step(history, cursor + 1, self._quiz.is_on)
        return Upcoming(title=f"Next: Iteration {cursor + 1:,}", moment=moment)


def _next_step(history: History, iteration: int, is_asked: bool) -> ShownMoment:
    """The next step, without its end where somebody is asked for it."""
    return ShownMoment(history, iteration, detail=Detail.GUESS if is_asked else Detail.STEP)


class RunPreloader(QObject):
    """Replays each run that a lecture shows, once, and hands it over."""

    run_ready = Signal(int, object)
    """A run, and its branches by their numbers."""
    failed = Signal(int, str)
    progressed = Signal(str)
    """Which run is replayed, and how many of its iterations are done."""

    def __init__(self, lecture: Lecture, first: int = 0, parent: QObject | None = None) -> None:
        """The runs of the scenes from ``first`` on come before those of the scenes before it."""
        super().__init__(parent)
        self._lecture = lecture
        scenes = lecture.scenes[first:] + lecture.scenes[:first]
        self._waiting = list(dict.fromkeys(run for scene in scenes for run in runs_shown(scene)))
        """The first of them is the one that is replayed."""
        self._background = BackgroundTask("gpviz lecture", self)
        self._background.finished.connect(self._on_finished)
        self._background.failed.connect(self._on_failed)
        self._background.progressed.connect(self._on_progressed)

    def start(self) -> None:
        """Begin with the first run, unless one is replayed already."""
        if self._waiting and not self._background.is_busy:
            self._background.ask(partial(load_run, self._lecture.runs[self._waiting[0]]))

    def want(self, run: int) -> None:
        """A scene waits for this run, so it comes before the others."""
        if run in self._waiting and run != self._waiting[0]:
            self._background.cancel()
            self._waiting.remove(run)
            self._waiting.insert(0, run)
        self.start()

    def close(self) -> None:
        """Give up what is not done yet, and end the thread."""
        self._background.close()

    @Slot(object)
    def _on_progressed(self, progress: tuple[int, int]) -> None:
        done, total = progress
        run = f"Run {self._waiting[0] + 1} of {len(self._lecture.runs)}"
        self.progressed.emit(f"{run}: {done:,} of {total:,} iterations")

    @Slot(object)
    def _on_finished(self, loaded: LoadedRun) -> None:
        run = self._waiting.pop(0)
        self.start()
        self.run_ready.emit(run, loaded.recorded_branches)

    @Slot(str)
    def _on_failed(self, problem: str) -> None:
        run = self._waiting.pop(0)
        self.start()
        self.failed.emit(run, problem)
