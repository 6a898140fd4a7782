"""The line above the stage: what run this is, what the window has to say, and the three ways on from here."""

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QToolButton, QWidget

from gpviz.app.key_text import key_text
from gpviz.app.theme import Theme
from gpviz.app.timers import single_shot
from gpviz.app.widgets.fields import ElidedLabel, PlainLabel, change_text, set_tip
from gpviz.app.widgets.layouts import row_in
from gpviz.app.widgets.themed import Themed
from gpviz.escaping import line_text

WAYS: Final = ("gallery", "look_closer", "present")
"""The actions of its buttons, from left to right."""
_LEAST_FOR_KEYS: Final = 62
"""In lines of type: in a narrower window the buttons do not name their keys."""
_MESSAGE_MS: Final = 8000


class TitleLine(Themed, QWidget):
    """A title, its settings or a message, the branch on show, and buttons."""

    branch_left = Signal()
    """Somebody wants to go back from a branch to the run it came from."""

    def __init__(self, actions: Mapping[str, QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = PlainLabel()
        self.title.setProperty("role", "title")
        self._settings = ""
        self._message = ""
        self._said_of: tuple[object, int] | None = None
        self.words = ElidedLabel("muted")
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.branch = QToolButton()
        self.branch.setProperty("role", "chip")
        self.branch.setToolTip("Go back to the run that this branch comes from.")
        self.branch.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.branch.hide()
        self.branch.clicked.connect(self.branch_left)
        self._actions = [actions[name] for name in WAYS]
        self.buttons: Sequence[QToolButton] = [_button(action) for action in self._actions]
        self._row = row_in(self, self.title, self.branch, (self.words, 1), spacing=12)
        self._row.setAlignment(self.title, Qt.AlignmentFlag.AlignVCenter)
        for button in self.buttons:
            self._row.addWidget(button)
        self._silence = single_shot(self, self._on_silence, _MESSAGE_MS)

    # --- the run ---

    def set_run(self, title: str, explanation: str, settings: str) -> None:
        """Name the run and its settings; the explanation is a tooltip."""
        change_text(self.title, title or settings)
        self._settings = settings if title else ""
        set_tip(self.title, explanation)
        self._show_words()

    def set_branch(self, text: str) -> None:
        """Name the branch on show; empty for the run itself."""
        self.branch.setText(f"{text}  ✕".replace("&", "&&"))
        self.branch.setAccessibleName(f"Leave {text}")
        self.branch.setVisible(bool(text))

    # --- messages ---

    @property
    def message(self) -> str:
        """What is said at this moment; empty while the settings stand there."""
        return self._message

    def show_message(
        self, message: str, *, stays: bool = False, of: tuple[object, int] | None = None
    ) -> None:
        """Say a sentence for some seconds, or until there is another; empty takes it away.

        What is said ``of`` a run at an iteration is only said there.
        """
        self._message = line_text(message)
        self._said_of = of
        if message and not stays:
            self._silence.start()
        else:
            self._silence.stop()
        self._show_words()

    def follow(self, moment: tuple[object, int]) -> None:
        """Another run, or another iteration of it, is on show."""
        if self._said_of is not None and self._said_of != moment:
            self.show_message("")

    def add_progress(self, widget: QWidget) -> None:
        """Put something before the buttons that shows how far a long task is."""
        self._row.insertWidget(self._row.indexOf(self.buttons[0]), widget)

    def apply_theme(self, theme: Theme) -> None:
        self.title.setFont(theme.font(1.25, is_bold=True))
        self.words.setFont(theme.font())
        self._name_keys()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._name_keys()
        self._show_words()

    def _name_keys(self) -> None:
        """Say the keys beside what they do, where there is space for it."""
        has_keys = self.width() >= _LEAST_FOR_KEYS * self.theme.font_size
        for button, action in zip(self.buttons, self._actions, strict=True):
            text = action.iconText()
            keys = key_text(action.shortcut().toString()) if has_keys else ""
            button.setText(f"{text}   {keys}" if keys else text)

    def _show_words(self) -> None:
        text = self._message or self._settings
        change_text(self.words, text)
        set_tip(self.words, text)
        self.title.show()
        self._row.activate()
        # A long message may have the place of the title, too.
        is_cut = self.words.fontMetrics().horizontalAdvance(text) > self.words.width()
        self.title.setHidden(bool(self._message) and is_cut)

    @Slot()
    def _on_silence(self) -> None:
        self._message = ""
        self._show_words()


def _button(action: QAction) -> QToolButton:
    button = QToolButton()
    button.setObjectName(f"title_{action.objectName()}")
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setAccessibleName(action.iconText())
    button.setToolTip(action.toolTip())
    button.setCheckable(action.isCheckable())
    button.setChecked(action.isChecked())
    action.toggled.connect(button.setChecked)
    button.clicked.connect(action.trigger)
    button.setProperty("role", "way")
    return button
