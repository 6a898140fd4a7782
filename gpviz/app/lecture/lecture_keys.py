"""The commands of lecture mode, their keys on a keyboard or a clicker, and windows that obey them."""

from enum import Enum
from typing import Final

from PySide6.QtCore import QEvent, QKeyCombination, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from gpviz.app.widgets.themed import Themed

_MODIFIER: Final = Qt.KeyboardModifier
_KEPT: Final = _MODIFIER.ShiftModifier | _MODIFIER.ControlModifier | _MODIFIER.AltModifier


class LectureCommand(Enum):
    """What a speaker can do, and the keys for it; ``Held`` is a key that repeats while it is held down."""

    NEXT = "PgDown Right Return Enter"
    BACK = "PgUp Left Backspace"
    HELD_NEXT = "Held+PgDown Held+Right Held+Return Held+Enter"
    """Goes on, but stops at the end of the scene."""
    HELD_BACK = "Held+PgUp Held+Left Held+Backspace"
    NEXT_SCENE = "Shift+PgDown Shift+Right"
    PREVIOUS_SCENE = "Shift+PgUp Shift+Left"
    FIRST = "Home"
    LAST = "End"
    PLAY = "Space"
    RESTART = "F5 Shift+F5"
    BLACK = "B ."
    WHITE = "W"
    LASER = "L"
    SPOTLIGHT = "S"
    LARGER_POINTER = "+ Shift++ = Held++ Held+Shift++ Held+="
    SMALLER_POINTER = "- Held+-"
    POINTER_LEFT = "Alt+Left Held+Alt+Left"
    POINTER_RIGHT = "Alt+Right Held+Alt+Right"
    POINTER_UP = "Alt+Up Held+Alt+Up"
    POINTER_DOWN = "Alt+Down Held+Alt+Down"
    CAPTION = "1"
    CURVES = "2"
    THEORY = "7"
    PAGE = "5"
    NEXT_PAGE = "6"
    NEXT_PART = "F6"
    PREVIOUS_PART = "Shift+F6"
    FIT = "0"
    LARGER_TYPE = "Ctrl+] Held+Ctrl+]"
    SMALLER_TYPE = "Ctrl+[ Held+Ctrl+["
    NEXT_THEME = "Ctrl+T"
    QUIZ = "Q"
    GUESS_ACCEPTED = "Y"
    GUESS_REJECTED = "N"
    FULL_SCREEN = "F"
    PRESENTER = "P Tab"
    KEYS = "? Shift+? Shift+/ F1"
    LEAVE = "Esc F11 Ctrl+W Ctrl+L"


_COMMANDS: Final = {key: command for command in LectureCommand for key in command.value.split()}
_IN_LECTURE: Final = {"Space": LectureCommand.NEXT, "Held+Space": LectureCommand.HELD_NEXT}


def command_for(event: QKeyEvent, *, is_lecture: bool) -> LectureCommand | None:
    """What is asked for by this key; Space plays a run, and goes on in a lecture."""
    modifiers = event.modifiers() & _KEPT
    if modifiers == _MODIFIER.ControlModifier | _MODIFIER.AltModifier:
        # Where brackets are on the third level of the keyboard they come with both.
        modifiers = _MODIFIER.ControlModifier
    pressed = QKeySequence(QKeyCombination(modifiers, Qt.Key(event.key())))
    key = pressed.toString(QKeySequence.SequenceFormat.PortableText)
    if event.isAutoRepeat():
        key = f"Held+{key}"
    return (is_lecture and _IN_LECTURE.get(key)) or _COMMANDS.get(key)


class SpeakerWindow(Themed, QWidget):
    """A window whose keys are the speaker's commands."""

    command_given = Signal(object)
    """A `LectureCommand`."""
    closed = Signal()

    def __init__(self, title: str, name: str, *, is_lecture: bool) -> None:
        super().__init__()
        self._is_lecture = is_lecture
        self.setWindowTitle(f"{title} – gpviz")
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def come_to_front(self) -> None:
        """Take the keys."""
        self.raise_()
        self.activateWindow()
        self.setFocus()

    def give_command(self, event: QKeyEvent) -> bool:
        """Emit the command of this key; False if it has none."""
        command = command_for(event, is_lecture=self._is_lecture)
        if command is not None:
            self.command_given.emit(command)
        return command is not None

    def event(self, event: QEvent) -> bool:
        """On macOS the menus of the main window are there, with their keys, whatever window is used."""
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return super().event(event)
        command = command_for(event, is_lecture=self._is_lecture)
        # F6 is a shortcut of the presenter's window.
        event.setAccepted(command is not None and event.key() != Qt.Key.Key_F6)
        return event.isAccepted() or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.give_command(event):
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        event.accept()
        self.closed.emit()
