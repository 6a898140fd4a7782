"""The run on show: its history, the cursor, and the ways to move through them. Every view obeys the cursor."""

import math
from time import perf_counter
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from gpviz.app.player.pacing import Pace, RateMeter
from gpviz.app.player.worker import NEVER, SCRIPT_ENDS, Batch, StepWatch, WorkerThread
from gpviz.engine import Node, RlsGp, RunConfig
from gpviz.engine.mutation_script import Script
from gpviz.runs.history import MAX_ITERATIONS, Generalisation, History
from gpviz.runs.pause_rules import OutlookRise, PauseRules, next_pause
from gpviz.runs.step_encoding import Property

_FRAME_MS: Final = 16
_FULL_SPEED_FRAME_MS: Final = 18  # a little slower, so that the worker has more of the time
_DEFAULT_SPEED: Final = 4.0
_MOST_PATIENCE_SECONDS: Final = 0.2


class RunController(QObject):
    """Holds the history that is on show and the cursor in it, and has the worker make more of it.

    Signals are facts. ``frame_ended`` comes when a tick has changed all it had to, so that a window can redraw at
    once; until then the worker waits.
    """

    run_changed = Signal()
    history_grew = Signal()
    cursor_moved = Signal()
    playing_changed = Signal()
    speed_changed = Signal()
    rate_changed = Signal()
    paused_by = Signal(str)
    problem_met = Signal(str)
    frame_ended = Signal()

    def __init__(
        self,
        config: RunConfig,
        start: Node | None = None,
        parent: QObject | None = None,
        *,
        script: Script = (),
    ) -> None:
        super().__init__(parent)
        self.rules = PauseRules()
        self.speed = _DEFAULT_SPEED
        self.direction = 0
        self.history = History(config, start, script)
        self.generalisation = Generalisation()
        self.stuck_since: int | None = None
        self.rises: dict[int, OutlookRise] = {}
        self.cursor = 0
        self._run_id = 0
        self._is_following = False
        self._is_searching = False
        self._goal: int | None = None  # what the worker was ordered to reach and has not yet reported
        self._order = 0
        self._pace = Pace()
        self._meter = RateMeter()
        self._thread = WorkerThread(self._on_batches_arrived)
        self._worker = self._thread.worker
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(_FRAME_MS)
        self._timer.timeout.connect(self._on_tick)
        self.start_run(config, start, script)

    # --- the run on show ---

    @property
    def config(self) -> RunConfig:
        return self.history.config

    @property
    def is_playing(self) -> bool:
        """Whether the run goes on by itself, at its pace or in search of an accepted mutation."""
        return self.direction != 0 or self._is_searching

    @property
    def is_at_end(self) -> bool:
        """Whether the cursor is at the live end, where stepping forward computes."""
        return self.cursor == len(self.history)

    @property
    def is_full_speed(self) -> bool:
        """Whether steps are made as fast as possible, faster than frames."""
        is_fast = self._is_searching or (self.direction > 0 and math.isinf(self.speed))
        return is_fast and self.is_at_end

    @property
    def is_settled(self) -> bool:
        """Whether nothing moves and everything that was made has been recorded."""
        is_idle = not self.is_playing and self._goal is None
        return is_idle and self._worker.is_resting and self._worker.mailbox.is_empty

    @property
    def rate(self) -> float | None:
        """Iterations a second while playing."""
        return self._meter.rate if self.is_playing else None

    def start_run(self, config: RunConfig, start: Node | None = None, script: Script = ()) -> None:
        """Put a new run on show, at its start."""
        self._replace(History(config, start, script), Generalisation(), None)
        self._worker.assign(self._run_id, config, start, script, self.rules, self.history.encoder)
        self._announce_run()

    def adopt_run(
        self,
        search: RlsGp,
        history: History,
        generalisation: Generalisation,
        stuck_since: int | None,
        *,
        cursor: int | None = None,
    ) -> None:
        """Put a run on show that was made elsewhere; ``search`` stands at the end of ``history``.

        The cursor is there too, unless it is given.
        """
        self._replace(history, generalisation, stuck_since)
        self._worker.adopt(self._run_id, search, self.rules, history.encoder, stuck_since)
        self._announce_run(cursor)

    def set_rules(self, rules: PauseRules) -> None:
        """What to pause at, from the next step on."""
        self.rules = rules
        self._worker.set_rules(rules)

    def close(self) -> None:
        """End the worker; the controller is of no use afterwards."""
        self._timer.stop()
        self._thread.end()

    # --- moving by hand ---

    def go_to(self, iteration: int) -> None:
        """Show a recorded iteration; what is after it stays."""
        self._hold()
        self._move(max(0, min(iteration, len(self.history))))

    def go_first(self) -> None:
        self.go_to(0)

    def go_live(self) -> None:
        """Show the live end, and stay there while the run goes on."""
        if self.direction < 0 or (self.is_playing and not self.is_at_end):
            self.pause()
        self._move(len(self.history))

    def step_forward(self) -> None:
        """Show the next iteration; at the live end it is made first."""
        if self.is_playing:
            self._hold()
        if self.cursor < len(self.history):
            self._move(self.cursor + 1)
        else:
            self._ask((self._goal or len(self.history)) + 1)

    def step_back(self) -> None:
        self.go_to(self.cursor - 1)

    def go_next_accepted(self) -> None:
        """Show the next accepted mutation that changed the tree; beyond the live end it is looked for."""
        self.settle()
        iteration = self.history.next_where(Property.CHANGED, self.cursor)
        if iteration is not None:
            self._move(iteration)
            return
        self._move(len(self.history))
        self._is_searching = True
        self._meter.restart()
        self._ask(MAX_ITERATIONS, stops_at_change=True)
        self.playing_changed.emit()

    def settle(self) -> None:
        """Stop here, and record what has been made already, so that who looks for something misses nothing."""
        self._hold()
        self._worker.wait_for_rest(_MOST_PATIENCE_SECONDS)
        self._is_following = False
        self._receive()

    def run_until(self, watch: StepWatch) -> None:
        """Go on from the live end, as fast as possible, to the first iteration the watch gives a reason for."""
        self.settle()
        self._move(len(self.history))
        self._is_searching = True
        self._meter.restart()
        self._ask(MAX_ITERATIONS, until=watch)
        self.playing_changed.emit()

    def run_to(self, iteration: int) -> None:
        """Show this iteration; what is missing up to it is made first, as fast as possible."""
        self.settle()
        if iteration <= len(self.history):
            self._move(iteration)
            return
        self._move(len(self.history))
        self._is_searching = True
        self._meter.restart()
        self._ask(min(iteration, MAX_ITERATIONS), pauses=False)
        self.playing_changed.emit()

    def go_previous_accepted(self) -> None:
        """Show the accepted mutation before this iteration that changed the tree, or the start."""
        self.go_to(self.history.previous_where(Property.CHANGED, self.cursor) or 0)

    # --- playing ---

    def play(self) -> None:
        """Play forward at the chosen speed, through what is recorded and then on."""
        self._set_direction(1)

    def play_backwards(self) -> None:
        """Play what is recorded back to the start."""
        if self.cursor:
            self._set_direction(-1)

    def pause(self) -> None:
        self._hold()

    def toggle_playing(self) -> None:
        """Play if nothing moves, pause if something does."""
        if self.is_playing:
            self.pause()
        else:
            self.play()

    def set_speed(self, speed: float) -> None:
        """Iterations a second to play at; infinite for as fast as possible."""
        if speed == self.speed:
            return
        self.speed = speed
        self._pace.change(speed)
        if self.direction > 0 and not math.isinf(speed):
            self._call_off()
        self.speed_changed.emit()

    # --- what happens by itself ---

    @Slot()
    def _on_batches_arrived(self) -> None:
        # A letter may still be on its way when the worker has ended.
        if self._thread.is_running and not self._timer.isActive():
            self._on_tick()

    @Slot()
    def _on_tick(self) -> None:
        # Two threads that both want the interpreter slow each other down at every call into Qt. So the worker
        # waits while the window receives and draws, and has all the time in between.
        self._worker.frame_gate.clear()
        try:
            self._receive()
            if self.direction:
                self._play_on()
            self._show_rate()
            self.frame_ended.emit()
        finally:
            self._worker.frame_gate.set()
        self._keep_pace()
        if not self.is_playing and self._goal is None:
            self._timer.stop()

    def _keep_pace(self) -> None:
        interval_ms = _FULL_SPEED_FRAME_MS if self.is_full_speed else _FRAME_MS
        if self._timer.interval() != interval_ms:  # setting it begins it anew
            self._timer.setInterval(interval_ms)

    def _receive(self) -> None:
        before = len(self.history)
        pause: str | None = None
        problem: str | None = None
        for batch in self._worker.mailbox.take_all():
            if batch.run_id != self._run_id:
                continue
            for rows in batch.rows:
                self.history.take_in(rows)
            self._note(batch)
            pause = batch.pause or pause
            problem = batch.problem or problem
        self._worker.mailbox_emptied()
        if len(self.history) > before:
            self._meter.count(len(self.history) - before)
            self.history_grew.emit()
            if self._is_following:
                self._show(len(self.history))
        if pause is not None and self._is_following:
            self._stop(pause)  # elsewhere a person has moved on meanwhile, and will meet it again
        if problem is not None:
            self._hold()
            self.problem_met.emit(problem)

    def _note(self, batch: Batch) -> None:
        self.generalisation.extend(batch.true_errors)
        self.rises.update(batch.rises)
        if batch.stuck_since is not None:
            self.stuck_since = batch.stuck_since
        if batch.is_done and batch.order == self._order:
            self._goal = None
            if self._is_searching:
                self._is_searching = False
                self.playing_changed.emit()

    def _play_on(self) -> None:
        recorded = len(self.history)
        if self.direction > 0 and self.cursor >= recorded:
            self._play_at_end()
            return
        due = self._pace.due(recorded)
        if not due:
            return
        if self.direction < 0:
            self._show(max(0, self.cursor - due))
            self._meter.count(due)
            if not self.cursor:
                self._hold()
            return
        target = min(self.cursor + due, recorded)
        found = next_pause(self.history, self.cursor, target + 1, self.rules, self.stuck_since, self.rises)
        end = self.history.script_end
        if self.cursor < end <= target and (found is None or end < found[0]):
            found = end, SCRIPT_ENDS
        self._meter.count((found[0] if found else target) - self.cursor)
        self._show(found[0] if found else target)
        if found:
            self._stop(found[1])

    def _play_at_end(self) -> None:
        self._is_following = True
        if self._goal is not None:
            return
        if math.isinf(self.speed):
            self._ask(MAX_ITERATIONS)
        elif due := self._pace.due(len(self.history)):
            self._ask(len(self.history) + due)

    def _ask(
        self,
        goal: int,
        *,
        stops_at_change: bool = False,
        until: StepWatch | None = None,
        pauses: bool = True,
    ) -> None:
        self._is_following = True
        self._goal = goal
        self._order = self._worker.go_to(goal, stops_at_change=stops_at_change, until=until, pauses=pauses)
        if goal > len(self.history) + 1 and not self._timer.isActive():
            self._timer.start()

    def _set_direction(self, direction: int) -> None:
        if direction == self.direction:
            return
        self._hold()
        self.direction = direction
        self._is_following = False
        self._pace.restart(self.speed)
        self._meter.restart()
        self._timer.start()
        self.playing_changed.emit()

    def _hold(self) -> None:
        """Stop playing and computing."""
        self._call_off()
        if self.is_playing:
            self.direction = 0
            self._is_searching = False
            self.playing_changed.emit()
            self.rate_changed.emit()

    def _call_off(self) -> None:
        """Let the worker make no more steps."""
        if self._goal is not None:
            self._goal = None
            self._order = self._worker.go_to(NEVER)

    def _stop(self, reason: str) -> None:
        self._hold()
        self.paused_by.emit(reason)

    def _move(self, iteration: int) -> None:
        """Show an iteration because a person wants it."""
        self._is_following = iteration == len(self.history)
        if iteration != self.cursor:
            self._show(iteration)
            self.frame_ended.emit()

    def _show(self, iteration: int) -> None:
        if iteration != self.cursor:
            self.cursor = iteration
            self.cursor_moved.emit()

    def _show_rate(self) -> None:
        if self.is_playing and self._meter.is_due(perf_counter()):
            self.rate_changed.emit()

    def _replace(self, history: History, generalisation: Generalisation, stuck_since: int | None) -> None:
        self._hold()
        self._run_id += 1
        self.history = history
        self.generalisation = generalisation
        self.stuck_since = stuck_since
        self.rises = {}
        self._is_following = True

    def _announce_run(self, cursor: int | None = None) -> None:
        length = len(self.history)
        self.cursor = length if cursor is None else max(0, min(cursor, length))
        self._is_following = self.cursor == length
        self.run_changed.emit()
        self.frame_ended.emit()
