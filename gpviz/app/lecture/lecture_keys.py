"""The commands of lecture mode: their keys on a keyboard or a clicker, and moving through a run by them."""

from enum import Enum, auto
from typing import Final, Protocol

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent

from gpviz.app.lecture.scene_player import Upcoming
from gpviz.app.pages.quiz_controller import QuizController
from gpviz.app.run.run_controller import RunController
from gpviz.explain.iteration_phases import hidden_preview
from gpviz.explain.moment import moment_at
from gpviz.explain.tree_text import position_text

_KEY = Qt.Key
_MODIFIER: Final = Qt.KeyboardModifier
_KEPT: Final = _MODIFIER.ShiftModifier | _MODIFIER.ControlModifier | _MODIFIER.AltModifier


class LectureCommand(Enum):
    """What a speaker can ask for."""

    NEXT = auto()
    BACK = auto()
    HELD_NEXT = auto()
    """The key is held down; that goes on within a scene, but into no other one."""
    HELD_BACK = auto()
    NEXT_SCENE = auto()
    PREVIOUS_SCENE = auto()
    FIRST = auto()
    LAST = auto()
    PLAY = auto()
    RESTART = auto()
    BLACK = auto()
    WHITE = auto()
    LASER = auto()
    SPOTLIGHT = auto()
    LARGER_POINTER = auto()
    SMALLER_POINTER = auto()
    POINTER_LEFT = auto()
    POINTER_RIGHT = auto()
    POINTER_UP = auto()
    POINTER_DOWN = auto()
    CAPTION = auto()
    CURVES = auto()
    TIMELINE = auto()
    LEGEND = auto()
    THEORY = auto()
    PAGE = auto()
    NEXT_PAGE = auto()
    NEXT_PART = auto()
    PREVIOUS_PART = auto()
    FIT = auto()
    LARGER_TYPE = auto()
    SMALLER_TYPE = auto()
    NEXT_THEME = auto()
    QUIZ = auto()
    GUESS_ACCEPTED = auto()
    GUESS_REJECTED = auto()
    FULL_SCREEN = auto()
    PRESENTER = auto()
    KEYS = auto()
    LEAVE = auto()


_PLAIN: Final = {
    _KEY.Key_PageDown: LectureCommand.NEXT,
    _KEY.Key_Right: LectureCommand.NEXT,
    _KEY.Key_Return: LectureCommand.NEXT,
    _KEY.Key_Enter: LectureCommand.NEXT,
    _KEY.Key_PageUp: LectureCommand.BACK,
    _KEY.Key_Left: LectureCommand.BACK,
    _KEY.Key_Backspace: LectureCommand.BACK,
    _KEY.Key_Home: LectureCommand.FIRST,
    _KEY.Key_End: LectureCommand.LAST,
    _KEY.Key_F5: LectureCommand.RESTART,
    _KEY.Key_F6: LectureCommand.NEXT_PART,
    _KEY.Key_B: LectureCommand.BLACK,
    _KEY.Key_Period: LectureCommand.BLACK,
    _KEY.Key_W: LectureCommand.WHITE,
    _KEY.Key_L: LectureCommand.LASER,
    _KEY.Key_S: LectureCommand.SPOTLIGHT,
    _KEY.Key_Plus: LectureCommand.LARGER_POINTER,
    _KEY.Key_Equal: LectureCommand.LARGER_POINTER,
    _KEY.Key_Minus: LectureCommand.SMALLER_POINTER,
    _KEY.Key_1: LectureCommand.CAPTION,
    _KEY.Key_2: LectureCommand.CURVES,
    _KEY.Key_3: LectureCommand.TIMELINE,
    _KEY.Key_4: LectureCommand.LEGEND,
    _KEY.Key_7: LectureCommand.THEORY,
    _KEY.Key_5: LectureCommand.PAGE,
    _KEY.Key_6: LectureCommand.NEXT_PAGE,
    _KEY.Key_0: LectureCommand.FIT,
    _KEY.Key_Q: LectureCommand.QUIZ,
    _KEY.Key_Y: LectureCommand.GUESS_ACCEPTED,
    _KEY.Key_N: LectureCommand.GUESS_REJECTED,
    _KEY.Key_F: LectureCommand.FULL_SCREEN,
    _KEY.Key_P: LectureCommand.PRESENTER,
    _KEY.Key_Tab: LectureCommand.PRESENTER,
    _KEY.Key_Question: LectureCommand.KEYS,
    _KEY.Key_F1: LectureCommand.KEYS,
    _KEY.Key_Escape: LectureCommand.LEAVE,
    _KEY.Key_F11: LectureCommand.LEAVE,
}
_SHIFTED: Final = {
    _KEY.Key_PageDown: LectureCommand.NEXT_SCENE,
    _KEY.Key_Right: LectureCommand.NEXT_SCENE,
    _KEY.Key_PageUp: LectureCommand.PREVIOUS_SCENE,
    _KEY.Key_Left: LectureCommand.PREVIOUS_SCENE,
    _KEY.Key_Plus: LectureCommand.LARGER_POINTER,
    _KEY.Key_Question: LectureCommand.KEYS,
    _KEY.Key_Slash: LectureCommand.KEYS,
    _KEY.Key_F5: LectureCommand.RESTART,
    _KEY.Key_F6: LectureCommand.PREVIOUS_PART,
}
_WITH_ALT: Final = {
    _KEY.Key_Left: LectureCommand.POINTER_LEFT,
    _KEY.Key_Right: LectureCommand.POINTER_RIGHT,
    _KEY.Key_Up: LectureCommand.POINTER_UP,
    _KEY.Key_Down: LectureCommand.POINTER_DOWN,
}
_WITH_CONTROL: Final = {
    _KEY.Key_BracketRight: LectureCommand.LARGER_TYPE,
    _KEY.Key_BracketLeft: LectureCommand.SMALLER_TYPE,
    _KEY.Key_T: LectureCommand.NEXT_THEME,
    _KEY.Key_W: LectureCommand.LEAVE,
    _KEY.Key_L: LectureCommand.LEAVE,
}
_BY_MODIFIERS: Final = {
    _MODIFIER.NoModifier: _PLAIN,
    _MODIFIER.ShiftModifier: _SHIFTED,
    _MODIFIER.AltModifier: _WITH_ALT,
    _MODIFIER.ControlModifier: _WITH_CONTROL,
}

_REPEATED: Final = (
    LectureCommand.POINTER_LEFT,
    LectureCommand.POINTER_RIGHT,
    LectureCommand.POINTER_UP,
    LectureCommand.POINTER_DOWN,
    LectureCommand.LARGER_POINTER,
    LectureCommand.SMALLER_POINTER,
    LectureCommand.LARGER_TYPE,
    LectureCommand.SMALLER_TYPE,
)
_HELD: Final = {
    LectureCommand.NEXT: LectureCommand.HELD_NEXT,
    LectureCommand.BACK: LectureCommand.HELD_BACK,
    **dict(zip(_REPEATED, _REPEATED, strict=True)),
}
"""What a key that is held down asks for again and again; of all others only pressing them counts."""


def command_for(event: QKeyEvent, *, is_lecture: bool) -> LectureCommand | None:
    """What is asked for by this key; Space plays a run, and goes on in a lecture."""
    command = _pressed(event, is_lecture=is_lecture)
    return _HELD.get(command) if event.isAutoRepeat() and command is not None else command


def keeps_key(event: QEvent, *, is_lecture: bool) -> bool:
    """Whether a window is asked for a key that is one of these commands, and keeps it.

    On macOS the menus of the main window are there, with their keys, whatever window is used.
    """
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    is_own = event.key() != _KEY.Key_F6 and command_for(event, is_lecture=is_lecture) is not None
    event.setAccepted(is_own)  # F6 is a shortcut of the presenter's window
    return is_own


def _pressed(event: QKeyEvent, *, is_lecture: bool) -> LectureCommand | None:
    modifiers = event.modifiers() & _KEPT
    if event.key() == _KEY.Key_Space and modifiers == _MODIFIER.NoModifier:
        return LectureCommand.NEXT if is_lecture else LectureCommand.PLAY
    command = _BY_MODIFIERS.get(modifiers, {}).get(Qt.Key(event.key()))
    if command is None and modifiers == _MODIFIER.ControlModifier | _MODIFIER.AltModifier:
        # Where brackets are on the third level of the keyboard they come with both.
        command = _WITH_CONTROL.get(Qt.Key(event.key()))
    return command


class Navigation(Protocol):
    """What clicks can ask for."""

    def forward(self, *, is_held: bool = False) -> None: ...
    def back(self, *, is_held: bool = False) -> None: ...
    def next_scene(self) -> None: ...
    def previous_scene(self) -> None: ...
    def restart_scene(self) -> None: ...
    def go_first(self) -> None: ...
    def go_last(self) -> None: ...
    def toggle_playing(self) -> None: ...
    def next_moment(self) -> Upcoming: ...


class RunNavigation(QObject):
    """Each click is an iteration, and each accepted mutation is what a scene is in a lecture.

    While there is something to guess first, a click asks or reveals it; one that is held down does neither.
    """

    moved = Signal()

    def __init__(
        self, controller: RunController, quiz: QuizController, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._controller = controller
        self._quiz = quiz
        controller.cursor_moved.connect(self._on_moved)
        controller.run_changed.connect(self._on_moved)

    @property
    def position_text(self) -> str:
        """The iteration, error and size on show."""
        return position_text(self._controller.history, self._controller.cursor)

    def forward(self, *, is_held: bool = False) -> None:
        if not (is_held and self._quiz.is_on):
            self._quiz.next()

    def back(self, *, is_held: bool = False) -> None:
        self._controller.step_back()

    def next_scene(self) -> None:
        self._controller.go_next_accepted()

    def previous_scene(self) -> None:
        self._controller.go_previous_accepted()

    def restart_scene(self) -> None:
        """Nothing: a clicker's start button must not lose the iteration on show."""

    def go_first(self) -> None:
        self._controller.go_first()

    def go_last(self) -> None:
        self._controller.go_live()

    def toggle_playing(self) -> None:
        self._quiz.toggle_playing()

    def next_moment(self) -> Upcoming:
        """What the next click shows."""
        history, cursor = self._controller.history, self._controller.cursor
        title = f"Iteration {cursor + 1:,}"
        if cursor < len(history):
            moment = moment_at(history, cursor + 1)
            return Upcoming(title=title, moment=hidden_preview(moment) if self._quiz.is_on else moment)
        return Upcoming(title="The next iteration is computed when you go on.", is_sentence=True)

    def close(self) -> None:
        """Disconnect from the controller, which lives on."""
        self._controller.cursor_moved.disconnect(self._on_moved)
        self._controller.run_changed.disconnect(self._on_moved)

    @Slot()
    def _on_moved(self) -> None:
        self.moved.emit()
