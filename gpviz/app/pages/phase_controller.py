"""Which phase of the iteration under the cursor is open, and how one moves and plays through the phases."""

from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from gpviz.app.player.player import Player
from gpviz.app.player.shown_moment import Changed, MomentChange
from gpviz.app.timers import single_shot
from gpviz.explain.iteration_phases import PHASES, PhaseView, phases_of
from gpviz.explain.moment import moment_at
from gpviz.runs.pause_rules import next_pause

_FASTEST: Final = 1.0
"""In iterations a second; beyond that the phases would only flicker."""


class PhaseController(QObject):
    """Opens the iteration under the player's cursor into its phases.

    While no phase is open the iteration is shown as a whole. Whatever else moves the cursor closes the phases.

    Playing slowly with the phases is done here, by a timer: whenever the player begins to play forward at no
    more than one iteration a second, it is paused and the phases play instead. So that a person can pause them,
    the key for playing must call `toggle_playing`, and what shows whether the run plays must ask `is_run_playing`,
    at ``playing_changed`` of both.
    """

    phase_changed = Signal(object)
    """With the `PhaseView` that is open now, or None."""
    playing_changed = Signal()
    paused_by = Signal(str)
    """Playing what is recorded has met a reason to pause; of one at the live end the player tells."""

    def __init__(self, player: Player, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._player = player
        self._phases: tuple[PhaseView, ...] = ()
        self._index: int | None = None
        self._awaited: tuple[int, bool] | None = None  # the iteration to come, and whether at its last phase
        self._plays_phases = False
        self.is_playing = False
        """Whether the phases play by themselves; the player then does not."""
        self._pause_reason: str | None = None
        """Why playing ends with this iteration: a sentence to tell, or nothing where the player tells it."""
        self._timer = single_shot(self, self._on_timeout)
        player.moment_changed.connect(self._on_moment_changed)
        player.playing_changed.connect(self._settle)
        player.speed_changed.connect(self._settle)
        player.paused_by.connect(self._on_paused_by)
        player.problem_met.connect(self._on_problem_met)

    # --- the phase that is open ---

    @property
    def current(self) -> PhaseView | None:
        """The phase that is open."""
        return None if self._index is None else self._phases[self._index]

    @property
    def is_waiting(self) -> bool:
        """Whether the iteration to open is still being made."""
        return self._awaited is not None

    @property
    def goes_on_next(self) -> bool:
        """Whether `down` leaves this iteration for the next one."""
        if not self._player.cursor:
            return True
        return self._index is not None and self._index == len(self._phases) - 1

    def open(self, index: int) -> None:
        """Open a phase of the iteration under the cursor, where it has that many."""
        self.pause()
        self._awaited = None
        self._open_here(index)

    @Slot()
    def close_phases(self) -> None:
        """Show the iteration as a whole; the run itself goes on if it plays."""
        self._stop()
        was_open = self._index is not None
        self._phases, self._index, self._awaited = (), None, None
        if was_open:
            self.phase_changed.emit(None)

    def down(self) -> None:
        """The next phase; after the last one, and at the start, the first one of the next iteration."""
        self.pause()
        self._go_down()

    def up(self) -> None:
        """The phase before; before the first one the last one of the iteration before. The start has none."""
        self.pause()
        if self._awaited is not None:
            return
        if self._index is None:
            if self._player.cursor:
                self._open_here(len(PHASES))
        elif self._index:
            self._open_here(self._index - 1)
        else:
            self._awaited = (self._player.cursor - 1, True)
            self._player.step_back()

    # --- playing ---

    @property
    def is_run_playing(self) -> bool:
        """Whether the run plays, iteration by iteration or phase by phase."""
        return self.is_playing or self._player.is_playing

    @Slot(bool)
    def set_plays_phases(self, plays: bool) -> None:
        """Include the phases when playing slowly, or no longer."""
        self._plays_phases = plays
        self._settle()

    def play(self) -> None:
        """Play forward: phase by phase where that is wanted and slow enough, else iteration by iteration."""
        if self._is_for_phases():
            self._start()
        else:
            self._player.play()

    def pause(self) -> None:
        """Let nothing play, neither phases nor iterations."""
        self._stop()
        if self._player.is_playing:
            self._player.pause()

    def toggle_playing(self) -> None:
        """Play if nothing moves, pause if something does."""
        if self.is_run_playing:
            self.pause()
        else:
            self.play()

    # --- how it is done ---

    def _is_for_phases(self) -> bool:
        return self._plays_phases and self._player.speed <= _FASTEST

    @Slot()
    def _settle(self) -> None:
        """See to it that the phases play where they should, and the player where it should."""
        player = self._player
        if player.direction > 0 and self._is_for_phases():
            player.pause()
            self._start()
        elif player.is_playing:
            self._awaited = None
            self._stop()
        elif self.is_playing and not self._is_for_phases():
            self._awaited = None
            self._stop()
            player.play()
        elif self._timer.isActive():
            self._timer.start(self.interval_ms())

    def _start(self) -> None:
        if not self.is_playing:
            self.is_playing = True
            self._pause_reason = None
            self.playing_changed.emit()
            self._timer.start(0)

    def _stop(self) -> None:
        self._timer.stop()
        if self.is_playing:
            self.is_playing = False
            self.playing_changed.emit()

    def interval_ms(self) -> int:
        return round(1000 / (len(PHASES) * self._player.speed))

    @Slot()
    def _on_timeout(self) -> None:
        if self._pause_reason is not None and self.goes_on_next:
            self._stop()
            if self._pause_reason:
                self.paused_by.emit(self._pause_reason)
            return
        self._go_down()
        if self.is_playing and self._awaited is None:
            self._timer.start(self.interval_ms())

    def _go_down(self) -> None:
        if self._awaited is not None and not self._player.is_settled:
            return  # it opens when it has been made
        if not self.goes_on_next:
            self._open_here(0 if self._index is None else self._index + 1)
            return
        self._awaited = (self._player.cursor + 1, False)
        if not self._player.is_at_live_end:
            self._look_for_pause()
        self._player.step_forward()

    def _look_for_pause(self) -> None:
        """The recorded iteration that comes next may be one to pause at."""
        run, cursor = self._player.run, self._player.cursor
        found = next_pause(run.history, cursor, cursor + 2, self._player.rules, run.stuck_since, run.rises)
        if found is not None:
            self._pause_reason = found[1]

    def _open_here(self, index: int) -> None:
        player = self._player
        if not self._phases:
            self._phases = phases_of(moment_at(player.run.history, player.cursor))
        if not self._phases:
            return
        index = max(0, min(index, len(self._phases) - 1))
        if index != self._index:
            self._index = index
            self.phase_changed.emit(self.current)

    @Slot(object)
    def _on_moment_changed(self, change: MomentChange) -> None:
        if Changed.RUN in change.what:
            self.close_phases()
        elif Changed.CURSOR in change.what:
            self._follow_cursor()

    def _follow_cursor(self) -> None:
        awaited, cursor = self._awaited, self._player.cursor
        if awaited is None or awaited[0] != cursor or not cursor:
            self.close_phases()
            return
        self._phases, self._index, self._awaited = (), None, None
        self._open_here(len(PHASES) if awaited[1] else 0)
        if self.is_playing:
            self._timer.start(self.interval_ms())

    @Slot(str)
    def _on_paused_by(self, reason: str) -> None:
        """The player has reported it; the phases of this last iteration still play to their end."""
        self._pause_reason = ""
        if self._awaited is not None:  # no iteration came
            self._awaited = None
            self._stop()

    @Slot(str)
    def _on_problem_met(self, problem: str) -> None:
        self._awaited = None
        self._stop()
