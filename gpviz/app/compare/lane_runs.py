"""The linked runs of a comparison: each lane's run, one cursor and one pace for all of them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from gpviz.app.lanes.lane_state import Ending, first_solved
from gpviz.app.player.pacing import Pace, RateMeter
from gpviz.app.run.run_controller import RunController
from gpviz.engine import Node, RunConfig, format_formula
from gpviz.engine.mutation_script import Script
from gpviz.runs.branches import search_at
from gpviz.runs.history import MAX_ITERATIONS, Generalisation, History
from gpviz.runs.presets import LaneSpec, checked_label
from gpviz.runs.show_request import ShowRequest
from gpviz.runs.step_encoding import Property

_FRAME_MS: Final = 16
_LEAST_AHEAD: Final = 256
_MOST_AHEAD: Final = 20_000
_MOST_OWED_SECONDS: Final = 0.25
_TURNS_FROM: Final = 1000.0
"""From so many iterations a second on the workers take turns."""


@dataclass(frozen=True, slots=True, eq=False)
class RecordedLane:
    """A run that is recorded already, to be compared as it is; ``request`` puts it on show where it comes from."""

    label: str
    history: History
    generalisation: Generalisation = field(default_factory=Generalisation)
    stuck_since: int | None = None
    request: ShowRequest | None = None

    def __post_init__(self) -> None:
        checked_label(self.label)


class LaneRun(RunController):
    """A run without a pace of its own: who compares tells how far to go and what to show.

    It makes no steps once it is solved or stuck.
    """

    batches_arrived = Signal()

    def __init__(
        self,
        config: RunConfig,
        start: Node | None = None,
        parent: QObject | None = None,
        *,
        script: Script = (),
    ) -> None:
        self._solved_at: int | None = None
        self._looked_up_to = -1
        self._failure = ""
        super().__init__(config, start, parent, script=script)
        self.problem_met.connect(self._on_problem_met)

    @classmethod
    def of(cls, lane: LaneSpec | RecordedLane, parent: QObject | None = None) -> "LaneRun":
        """The run of a lane; of a recorded one a copy, so that it can go on without touching the other."""
        if isinstance(lane, LaneSpec):
            run = cls(lane.config, lane.start_tree, parent, script=lane.script)
            run._look_for_end()
            return run
        length = len(lane.history)
        history = lane.history.beginning(length)
        curve = Generalisation()
        known = lane.generalisation
        curve.extend(zip(known.iterations.tolist(), known.shares.tolist(), strict=True))
        run = cls(history.config, history.start, parent)
        run.adopt_run(search_at(history, length), history, curve, lane.stuck_since, cursor=0)
        run._look_for_end()
        return run

    @property
    def start_formula(self) -> str:
        return format_formula(self.history.start)

    @property
    def is_full_speed(self) -> bool:
        return self.direction > 0 and math.isinf(self.speed)

    @property
    def ending(self) -> Ending | None:
        """How the run ends; None while it can go on."""
        ends = []
        if self._solved_at is not None:
            ends.append(Ending("solved", self._solved_at))
        if self.stuck_since is not None:
            ends.append(Ending("stuck", self.stuck_since))
        if ends:
            return min(ends, key=lambda ending: ending.iteration)
        if self._failure:
            return Ending("failed", len(self.history), self._failure)
        if len(self.history) >= MAX_ITERATIONS:
            return Ending("full", MAX_ITERATIONS)
        return None

    @property
    def is_over(self) -> bool:
        """Whether it makes no more steps."""
        return self.ending is not None

    def reaches(self, iteration: int) -> bool:
        """Whether this iteration can be shown: it is recorded, or there will never be one."""
        return self.is_over or len(self.history) >= iteration

    def make_up_to(self, iteration: int, *, stops_at_change: bool = False) -> None:
        """Have the steps up to this iteration made, if the run goes on so far.

        While the worker is at it nothing is asked: it may have come to the end of the run meanwhile, and would go
        on beyond it if it was told to. So ask again in the next frame.
        """
        recorded = len(self.history)
        if self.is_over or iteration <= recorded or not self._is_worker_free:
            return
        # Whether the start is stuck is known after one step; then nothing more is to be made.
        self._goal = min(iteration, MAX_ITERATIONS) if recorded else 1
        self._order = self._worker.go_to(self._goal, stops_at_change=stops_at_change)

    @property
    def _is_worker_free(self) -> bool:
        return self._goal is None and self._worker.is_resting and self._worker.mailbox.is_empty

    def stop_making(self) -> None:
        """Make no more steps than there are."""
        self._call_off()

    def record_batches(self) -> None:
        """Record what has been made."""
        self._is_following = False
        self._receive()
        self._look_for_end()
        if self.is_over:
            self._call_off()

    def show_at(self, iteration: int) -> None:
        """Show this iteration, or the last one there is."""
        self._show(max(0, min(iteration, len(self.history))))

    def set_playing(self, direction: int, speed: float) -> None:
        """Whether what is shown changes by itself, and how fast: then it need not be shown in full."""
        was_playing = self.is_playing
        self.direction, self.speed = direction, speed
        if was_playing != self.is_playing:
            self.playing_changed.emit()

    def open_gate(self, *, is_open: bool) -> None:
        """Let the worker work, or have it wait."""
        if is_open:
            self._worker.frame_gate.set()
        else:
            self._worker.frame_gate.clear()

    @Slot()
    def _on_tick(self) -> None:
        """Batches have come: the frames are those of the comparison."""
        self.batches_arrived.emit()

    @Slot(str)
    def _on_problem_met(self, problem: str) -> None:
        self._failure = problem

    def _look_for_end(self) -> None:
        """Look for the first solved iteration among those that are new."""
        length = len(self.history)
        if self._solved_at is not None or self._looked_up_to >= length:
            return
        if self._looked_up_to < 0 and self.history.config_after(0).is_solved(self.history.error_at(0)):
            self._solved_at = 0
            return
        first = max(self._looked_up_to, 0) + 1
        self._solved_at = first_solved(self.history, first)
        self._looked_up_to = length


class Lanes(QObject):
    """All lanes show the iteration ``cursor``, or their last one where they end before.

    Signals are facts. ``frame_ended`` comes when a tick has changed all it had to; until then the workers wait.
    At full speed the workers take turns, a frame each: as they share the interpreter none would be faster for
    working beside the others, but the window would have to wait for all of them.
    """

    cursor_moved = Signal()
    grew = Signal()
    playing_changed = Signal()
    speed_changed = Signal()
    rate_changed = Signal()
    frame_ended = Signal()
    stopped_by = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.runs: tuple[LaneRun, ...] = ()
        self.cursor = 0
        self.speed = 4.0
        self.direction = 0
        self.turn = 0
        """Whose turn it is at full speed."""
        self._wanted = 0
        self._is_searching = False
        self._is_live = False
        self._ahead = _LEAST_AHEAD
        self._pace = Pace()
        self._meter = RateMeter()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(_FRAME_MS)
        self._timer.timeout.connect(self._on_tick)

    # --- what there is ---

    @property
    def is_playing(self) -> bool:
        return self.direction != 0 or self._is_searching

    @property
    def is_full_speed(self) -> bool:
        return self.direction > 0 and math.isinf(self.speed)

    @property
    def is_over(self) -> bool:
        """Whether every run has come to its end."""
        return all(run.is_over for run in self.runs)

    @property
    def longest(self) -> int:
        """The last iteration that is recorded of any lane."""
        return max((len(run.history) for run in self.runs), default=0)

    @property
    def live_end(self) -> int:
        """The last iteration that every lane that goes on has recorded; at the end of all, the last one."""
        going = [len(run.history) for run in self.runs if not run.is_over]
        return min(going) if going else self.longest

    @property
    def is_at_end(self) -> bool:
        """Whether there is nothing more to see."""
        return self.is_over and self.cursor >= self.longest

    @property
    def is_settled(self) -> bool:
        """Whether nothing moves and everything that was made has been recorded."""
        return not self.is_playing and not self._timer.isActive() and all(r.is_settled for r in self.runs)

    @property
    def rate(self) -> float | None:
        """Iterations of each lane a second while playing."""
        return self._meter.rate if self.is_playing else None

    def set_runs(self, runs: Sequence[LaneRun], cursor: int = 0) -> None:
        """Compare these from now on; the lanes that are not among them any more are ended."""
        self.pause()
        for run in self.runs:
            if run not in runs:
                self._end(run)
        for run in runs:
            if run not in self.runs:
                run.batches_arrived.connect(self._on_batches_arrived)
        self.runs = tuple(runs)
        self.turn = 0
        self.cursor = min(max(cursor, 0), self.longest)
        self._wanted = self.cursor
        for run in self.runs:
            run.show_at(self.cursor)
        self.cursor_moved.emit()
        self.grew.emit()
        self._want(self.cursor)

    def close(self) -> None:
        """End all workers."""
        self._timer.stop()
        self.direction, self._is_searching = 0, False
        for run in self.runs:
            self._end(run)
        self.runs = ()

    # --- moving by hand ---

    def go_to(self, iteration: int) -> None:
        """Show an iteration in all lanes; those that are not recorded so far, and go on, are made so far first."""
        self.pause()
        self._want(max(0, min(iteration, self.longest)))

    def go_first(self) -> None:
        self.go_to(0)

    def go_live(self) -> None:
        """Show the end of what all lanes have recorded, and stay there while they go on."""
        if self.direction > 0:
            self._is_live = True
            self._move(self.live_end)
        else:
            self.go_to(self.live_end)

    def step_forward(self) -> None:
        """Show the next iteration; where it is not recorded it is made first."""
        if self.is_playing:
            self.pause()
        ahead = max(self.cursor, self._wanted) + 1
        self._want(min(ahead, self.longest) if self.is_over else min(ahead, MAX_ITERATIONS))

    def step_back(self) -> None:
        self.go_to(self.cursor - 1)

    def go_next_accepted(self) -> None:
        """Show the next iteration in which the tree of any lane changes; it is looked for as long as it takes."""
        self.pause()
        if self._search():
            return
        self._is_searching = True
        self._meter.restart()
        self._timer.start()
        self.playing_changed.emit()

    def go_previous_accepted(self) -> None:
        """Show the iteration before this one in which the tree of any lane changed, or the start."""
        before = (run.history.previous_where(Property.CHANGED, self.cursor) for run in self.runs)
        self.go_to(max((place for place in before if place is not None), default=0))

    # --- playing ---

    def play(self) -> None:
        """Play forward at the chosen speed until every lane has come to its end."""
        if not self.is_at_end:
            self._set_direction(1)

    def play_backwards(self) -> None:
        if self.cursor:
            self._set_direction(-1)

    def pause(self) -> None:
        self._wanted = self.cursor
        for run in self.runs:
            run.stop_making()
            run.open_gate(is_open=True)
        if not self.is_playing:
            return
        self.direction, self._is_searching = 0, False
        self._tell_runs()
        self.playing_changed.emit()
        self.rate_changed.emit()

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
        self._is_live = False
        self._wanted = self.cursor
        for run in self.runs:
            run.stop_making()
        self._tell_runs()
        self.speed_changed.emit()

    # --- what happens by itself ---

    @Slot()
    def _on_batches_arrived(self) -> None:
        if not self._timer.isActive():
            self._on_tick()

    @Slot()
    def _on_tick(self) -> None:
        # Nobody else may want the interpreter while the window receives and draws.
        for run in self.runs:
            run.open_gate(is_open=False)
        try:
            self._receive()
            if self._is_searching:
                self._search()
            elif self.direction > 0:
                self._play_on()
            elif self.direction < 0:
                self._play_back()
            else:
                self._go_on_to_wanted()
            if self.is_playing and self._meter.is_due(perf_counter()):
                self.rate_changed.emit()
            self.frame_ended.emit()
        finally:
            self._open_gates()
        if not self.is_playing and not self._is_waiting:
            self._timer.stop()

    def _open_gates(self) -> None:
        going = [place for place, run in enumerate(self.runs) if not run.is_over]
        takes_turns = self.direction > 0 and self.speed > _TURNS_FROM and len(going) > 1
        if takes_turns:
            self.turn = next((place for place in going if place > self.turn), going[0])
        for place, run in enumerate(self.runs):
            run.open_gate(is_open=not takes_turns or place == self.turn)

    def _receive(self) -> None:
        before = [len(run.history) for run in self.runs]
        were_over = [run.is_over for run in self.runs]
        for run in self.runs:
            run.record_batches()
        if before != [len(run.history) for run in self.runs] or were_over != [r.is_over for r in self.runs]:
            self.grew.emit()
        for run, was_over in zip(self.runs, were_over, strict=True):
            if run.ending is not None and run.ending.outcome == "failed" and not was_over:
                self.stopped_by.emit(run.ending.words)

    def _play_on(self) -> None:
        live = self.live_end
        if math.isinf(self.speed):
            if self._is_live:
                self._play_live(live)
            else:
                target = self.cursor + self._pace.due(max(live, self.longest))
                self._is_live = target >= live
                self._play_to(min(target, live))
        else:
            most_owed = max(1, round(self.speed * _MOST_OWED_SECONDS))
            due = self._pace.due(self.longest)
            self._wanted = min(self._wanted + due, self.cursor + most_owed + due)
            if self.is_over:
                self._wanted = min(self._wanted, self.longest)
            for run in self.runs:
                run.make_up_to(self._wanted)
            self._play_to(min(self._wanted, live) if not self.is_over else self._wanted)
        if self.is_at_end:
            self.pause()

    def _play_live(self, live: int) -> None:
        """As fast as possible; a lane that is ahead waits, so that all are at the same iteration."""
        made = live - self.cursor
        self._play_to(live)
        if made > 0:
            self._ahead = min(max(2 * made, _LEAST_AHEAD), _MOST_AHEAD)
        for run in self.runs:
            run.make_up_to(live + self._ahead)

    def _play_to(self, iteration: int) -> None:
        if iteration > self.cursor:
            self._meter.count(iteration - self.cursor)
            self._move(iteration)

    def _play_back(self) -> None:
        due = self._pace.due(self.longest)
        if due:
            self._meter.count(min(due, self.cursor))
            self._move(max(0, self.cursor - due))
        if not self.cursor:
            self.pause()

    def _search(self) -> bool:
        """Look for the next change of any lane; True once it is on show, or will never come."""
        places = [run.history.next_where(Property.CHANGED, self.cursor) for run in self.runs]
        found = min((place for place in places if place is not None), default=None)
        if found is not None and all(run.reaches(found) for run in self.runs):
            self._come_to(found)
            return True
        if found is None and self.is_over:
            self._come_to(self.longest)
            return True
        for run in self.runs:
            run.make_up_to(min(found or MAX_ITERATIONS, len(run.history) + _MOST_AHEAD), stops_at_change=True)
        return False

    def _come_to(self, iteration: int) -> None:
        self.pause()
        self._want(iteration)

    def _want(self, iteration: int) -> None:
        """Show an iteration as soon as every lane that goes on has it."""
        self._wanted = iteration
        self._go_on_to_wanted()
        if self._is_waiting:
            self._timer.start()
        self.frame_ended.emit()

    @property
    def _is_waiting(self) -> bool:
        """Whether an iteration is to be shown that not all lanes have yet."""
        return self.cursor != self._wanted or not all(run.reaches(self._wanted) for run in self.runs)

    def _go_on_to_wanted(self) -> None:
        if all(run.reaches(self._wanted) for run in self.runs):
            self._wanted = min(self._wanted, self.longest)
            self._move(self._wanted)
        for run in self.runs:
            run.make_up_to(self._wanted)
            run.show_at(self.cursor)  # one that is new may have had to catch up

    def _set_direction(self, direction: int) -> None:
        if direction == self.direction:
            return
        self.pause()
        self.direction = direction
        self._is_live = False
        self._ahead = _LEAST_AHEAD
        self._pace.restart(self.speed)
        self._meter.restart()
        self._tell_runs()
        self._timer.start()
        self.playing_changed.emit()

    def _move(self, iteration: int) -> None:
        if iteration == self.cursor:
            return
        self.cursor = iteration
        if not self.direction:
            self._wanted = iteration
        for run in self.runs:
            run.show_at(iteration)
        self._tell_runs()
        self.cursor_moved.emit()

    def _tell_runs(self) -> None:
        """A lane that has come to its end stands still while the others play."""
        for run in self.runs:
            has_ended = self.direction > 0 and run.is_over and self.cursor >= len(run.history)
            run.set_playing(0 if has_ended else self.direction, self.speed)

    def _end(self, run: LaneRun) -> None:
        run.batches_arrived.disconnect(self._on_batches_arrived)
        run.close()
        run.deleteLater()  # with all that it has recorded
