"""Announces to screen readers what happens: the step under the cursor, pauses, results and problems."""

from typing import Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

from gpviz.app.moment_view import TreePart
from gpviz.app.player.player import Player
from gpviz.app.timers import single_shot
from gpviz.explain.step_text import announcement

_CALM_MS: Final = 300
"""Who holds a key down hears where it ended, and not each step on the way."""
_MOST_WAITS: Final = 10
"""So many times a step waits to be said until the state of its tree is known, too."""

_STEP: Final = "step"
"""The kind of what is said of the step under the cursor."""
_OUTLOOK: Final = "outlook"
"""The kind of what is found out about it later."""


class Announcer(QObject):
    """Says sentences about a window: of each kind the latest of those that come at the same time."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._texts: dict[str, str] = {}
        self._timer = single_shot(self, self._on_calm, _CALM_MS)

    @Slot(str)
    def say(self, text: str, kind: str = "message") -> None:
        """Say this soon, unless there is something else of its kind to be said by then."""
        if text:
            self._texts[kind] = text
            self._timer.start()

    def withdraw(self, kind: str) -> None:
        """Do not say what was to be said of this kind."""
        self._texts.pop(kind, None)

    def close(self) -> None:
        """Say nothing any more."""
        self._timer.stop()

    @Slot()
    def _on_calm(self) -> None:
        texts, self._texts = self._texts, {}
        if texts:
            announce(self._window, " ".join(texts.values()))


def announce(window: QWidget, text: str) -> None:
    """Let a screen reader say this now."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(window, text))


class StepAnnouncer(QObject):
    """Tells the step under the cursor while a run stands: after each move of the cursor, and when it pauses."""

    def __init__(self, player: Player, tree: TreePart, announcer: Announcer) -> None:
        super().__init__(announcer)
        self._player = player
        self._tree = tree
        self._announcer = announcer
        self._reason = ""
        self._waits = 0
        self._is_outcome_hidden = False
        self._timer = single_shot(self, self._on_calm, _CALM_MS // 3)

    def close(self) -> None:
        """Say nothing any more."""
        self._timer.stop()
        self._announcer.close()

    @Slot(bool)
    def set_outcome_hidden(self, is_hidden: bool) -> None:
        """Whether how the iteration ended is not to be said yet."""
        self._is_outcome_hidden = is_hidden

    @Slot(str)
    def tell_pause(self, reason: str) -> None:
        """The run has paused by itself."""
        self._reason = reason
        self._start()

    @Slot(str)
    def tell_outlook(self, text: str) -> None:
        """Something has been found out about the step, after it was said; or nothing any more."""
        if self._is_outcome_hidden or not text:
            self._announcer.withdraw(_OUTLOOK)
        else:
            self._announcer.say(text, _OUTLOOK)

    def follow(self) -> None:
        """Something else is under the cursor, or the run plays or stands now."""
        self._reason = ""  # which was that of a pause elsewhere
        if self._player.is_playing:
            self._timer.stop()
            self._announcer.withdraw(_STEP)
        else:
            self._start()

    def _start(self) -> None:
        self._waits = 0
        self._timer.start()

    @Slot()
    def _on_calm(self) -> None:
        player = self._player
        if player.is_playing or self._is_outcome_hidden:
            return
        if self._tree.is_busy and self._waits < _MOST_WAITS:
            self._waits += 1
            self._timer.start()
            return
        analysis = self._tree.analysis
        state = None if analysis is None else analysis.state.state
        step = announcement(player.run.history, player.cursor, state)
        reason, self._reason = self._reason, ""
        self._announcer.say(f"Paused. {reason} {step}" if reason else step, _STEP)
