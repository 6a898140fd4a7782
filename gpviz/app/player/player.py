"""The player: any number of runs, one cursor and one clock. Whatever is on show is at its cursor."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal, Slot

from gpviz.app.player.pacing import (
    FastFrames,
    Pace,
    RateMeter,
    faster,
    shows_every_step,
    slower,
    time_weight,
    transition_ms,
)
from gpviz.app.player.played_run import PlayedRun
from gpviz.app.player.shown_moment import Changed, Detail, MomentChange
from gpviz.app.player.worker import SCRIPT_ENDS, StepWatch
from gpviz.app.timers import single_shot
from gpviz.engine import Node, RlsGp, RunConfig
from gpviz.engine.mutation_script import Script
from gpviz.runs.branches import search_at
from gpviz.runs.history import MAX_ITERATIONS, Generalisation, History
from gpviz.runs.pause_rules import PauseRules, next_pause
from gpviz.runs.step_encoding import Property

_FRAME_MS: Final = 16
_FULL_SPEED_FRAME_MS: Final = 18  # a little slower, so that the workers have more of the time
_LEAST_REST_MS: Final = 2
"""The time that the workers have at least between two frames."""
_DEFAULT_SPEED: Final = 4.0
_MOST_PATIENCE_SECONDS: Final = 0.2
_LEAST_AHEAD: Final = 256
_MOST_AHEAD: Final = 20_000
_MOST_OWED_SECONDS: Final = 0.25
_TURNS_FROM: Final = 1000.0
"""From so many iterations a second on, the workers of several runs take turns."""
_FRAMES_A_SECOND: Final = 60.0
_FOLLOWED_A_SECOND: Final = 4.0
"""Faster steps are too many to look at each of them from nearby."""


@dataclass(frozen=True, slots=True)
class _Search:
    """What is looked for, as fast as possible: an iteration, a change of a tree, or what a watch waits for."""

    origin: int
    goal: int = MAX_ITERATIONS
    stops_at_change: bool = False
    watches: tuple[StepWatch, ...] = ()
    pauses: bool = True


class Player(QObject):
    """Holds the runs on show and one cursor in all of them, and has their workers make more.

    A run that ends before the cursor is shown at its end. With ``stops_at_endings`` a run makes no steps once it
    is solved or stuck, and playing ends with the last of them; otherwise runs pause by their rules and can go on.

    Signals are facts. ``moment_changed`` comes at most once a frame, with a `MomentChange`, when everything has
    changed that had to; whoever shows something shows it then, and the workers wait meanwhile. At full speed the
    workers of several runs take turns, a frame each: as they share the interpreter none would be faster for
    working beside the others, but the window would have to wait for all of them.
    """

    moment_changed = Signal(object)
    run_changed = Signal()
    playing_changed = Signal()
    speed_changed = Signal()
    rate_changed = Signal()
    paused_by = Signal(str)
    problem_met = Signal(str)

    def __init__(self, parent: QObject | None = None, *, stops_at_endings: bool = False) -> None:
        super().__init__(parent)
        self.runs: tuple[PlayedRun, ...] = ()
        self.cursor = 0
        self.speed = _DEFAULT_SPEED
        self.direction = 0
        self.turn = 0
        """Whose turn it is at full speed."""
        self._stops_at_endings = stops_at_endings
        self.rules = PauseRules()
        self._wanted = 0  # the iteration to show as soon as every run has it
        self._search: _Search | None = None
        self._pauses: dict[PlayedRun, tuple[int, str]] = {}  # where workers stopped, and why
        self._changed = Changed.NOTHING  # since the last announcement
        self._motion_ms = 0
        self._reason = ""  # why playing has stopped, to be announced
        self._problems: list[str] = []
        self._fast_frames = FastFrames()
        self._is_live = False
        self._last = MAX_ITERATIONS  # where playing ends
        self._ahead = _LEAST_AHEAD
        self._pace = Pace()
        self._meter = RateMeter()
        self._timer = single_shot(self, self._on_tick)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._painted = single_shot(self, self._on_painted)
        self._due_ms = 0.0  # when the next frame is

    @classmethod
    def for_run(
        cls,
        config: RunConfig,
        start: Node | None = None,
        parent: QObject | None = None,
        *,
        script: Script = (),
    ) -> "Player":
        """A player of one run, which goes on for as long as one likes."""
        made = cls(parent)
        made.set_runs([made.new_run(config, start, script)])
        return made

    # --- what is on show ---

    @property
    def run(self) -> PlayedRun:
        """The first run; the only one, as a rule."""
        return self.runs[0]

    @property
    def is_playing(self) -> bool:
        """Whether the cursor moves by itself, at its pace or in search of something."""
        return self.direction != 0 or self._search is not None

    @property
    def longest(self) -> int:
        """The last iteration that is recorded of any run."""
        return max((len(run.history) for run in self.runs), default=0)

    @property
    def live_end(self) -> int:
        """The last iteration that every run that goes on has recorded; at the end of all, the last one."""
        going = [len(run.history) for run in self.runs if not self.is_over(run)]
        return min(going) if going else self.longest

    @property
    def is_at_live_end(self) -> bool:
        """Whether stepping forward computes."""
        return self.cursor >= self.live_end

    @property
    def has_ended(self) -> bool:
        """Whether there is nothing more to see."""
        return self._is_over and self.cursor >= self.longest

    @property
    def is_full_speed(self) -> bool:
        """Whether steps are made as fast as possible, faster than frames."""
        is_fast = self._search is not None or (self.direction > 0 and math.isinf(self.speed))
        return is_fast and self.is_at_live_end

    @property
    def is_outrun(self) -> bool:
        """Whether steps come faster than frames can show them."""
        return self.is_playing and (self._search is not None or self.speed > _FRAMES_A_SECOND)

    @property
    def is_settled(self) -> bool:
        """Whether nothing moves and everything that was made has been recorded."""
        return not self.is_playing and not self._is_waiting and all(run.is_settled for run in self.runs)

    @property
    def rate(self) -> float | None:
        """Iterations a second while playing."""
        return self._meter.rate if self.is_playing else None

    def is_over(self, run: PlayedRun) -> bool:
        """Whether a run makes no more steps."""
        return self._stops_at_endings and run.ending is not None

    @property
    def _is_over(self) -> bool:
        return all(self.is_over(run) for run in self.runs)

    def cursor_in(self, run: PlayedRun) -> int:
        """The iteration of a run that is on show."""
        return min(self.cursor, len(run.history))

    def is_moving(self, run: PlayedRun) -> bool:
        """Whether what is shown of a run changes by itself; one that has come to its end stands still."""
        has_ended = self.direction > 0 and self.is_over(run) and self.cursor >= len(run.history)
        return self.is_playing and not has_ended

    # --- which runs there are ---

    def new_run(self, config: RunConfig, start: Node | None = None, script: Script = ()) -> PlayedRun:
        """A run for this player, which does not show it yet."""
        made = PlayedRun(config, start, script, on_mail=self._on_mail)
        made.set_rules(self.rules)
        return made

    def copy_of(self, history: History, generalisation: Generalisation, stuck_since: int | None) -> PlayedRun:
        """A copy of a recorded run for this player, so that it can go on without touching the other."""
        known = Generalisation()
        known.extend(zip(generalisation.iterations.tolist(), generalisation.shares.tolist(), strict=True))
        length = len(history)
        search = search_at(history, length)  # before there is a worker, as it may not succeed
        made = self.new_run(history.config, history.start)
        made.adopt(search, history.beginning(length), known, stuck_since)
        return made

    def set_runs(self, runs: Sequence[PlayedRun], cursor: int = 0) -> None:
        """Show these from now on; those that are not among them any more are closed."""
        self._stop()
        for run in self.runs:
            if run not in runs:
                run.close()
        self.runs = tuple(runs)
        self._pauses.clear()
        self.turn = 0
        self.cursor = min(max(cursor, 0), self.longest)
        self._changed |= Changed.RUN
        self._want(self.cursor)

    def start_run(self, config: RunConfig, start: Node | None = None, script: Script = ()) -> None:
        """Show a new run in place of the only one, at its start."""
        self._stop()
        self.run.start(config, start, script)
        self._show_other_run(0)

    def adopt_run(
        self,
        search: RlsGp,
        history: History,
        generalisation: Generalisation,
        stuck_since: int | None,
        *,
        cursor: int | None = None,
    ) -> None:
        """Show a run that was made elsewhere in place of the only one, at its end unless ``cursor`` is given.

        ``search`` stands at the end of ``history``.
        """
        self._stop()
        self.run.adopt(search, history, generalisation, stuck_since)
        self._show_other_run(len(history) if cursor is None else max(0, min(cursor, len(history))))

    def set_rules(self, rules: PauseRules) -> None:
        """What to pause at, from the next step on."""
        self.rules = rules
        for run in self.runs:
            run.set_rules(rules)

    def close(self) -> None:
        """End all workers; the player is of no use afterwards."""
        self._timer.stop()
        self._painted.stop()
        self.direction, self._search = 0, None
        for run in self.runs:
            run.close()

    # --- moving by hand ---

    def go_to(self, iteration: int) -> None:
        """Show a recorded iteration; runs that are recorded less far, and go on, are made so far first."""
        self._stop()
        self._want(max(0, min(iteration, self.longest)))

    def go_first(self) -> None:
        self.go_to(0)

    def go_live(self) -> None:
        """Show the live end, and stay there while the runs go on."""
        if self.direction > 0 and (self.is_at_live_end or len(self.runs) > 1):
            self._is_live = True
            self._wanted = max(self._wanted, self.live_end)
            self._move(self.live_end)
            self._announce()
        else:
            self.go_to(self.live_end)

    def step_forward(self) -> None:
        """Show the next iteration; where it is not recorded it is made first."""
        if self.is_playing:
            self._stop()
        ahead = max(self.cursor, self._wanted) + 1
        self._want(min(ahead, self.longest) if self._is_over else ahead)

    def step_back(self) -> None:
        self.go_to(self.cursor - 1)

    def go_next_accepted(self) -> None:
        """Show the next iteration in which a tree changes; beyond the live end it is looked for."""
        self._settle()
        self._look_for(_Search(self.cursor, stops_at_change=True))

    def go_previous_accepted(self) -> None:
        """Show the iteration before this one in which a tree changed, or the start."""
        before = [run.history.previous_where(Property.CHANGED, self.cursor) for run in self.runs]
        self.go_to(max((iteration for iteration in before if iteration is not None), default=0))

    def run_until(self, make_watch: Callable[[], StepWatch]) -> None:
        """Go on from the live end, as fast as possible, until the watch of a run gives a reason to stop."""
        self._settle()
        self._move(self.live_end)
        self._look_for(_Search(self.cursor, watches=tuple(make_watch() for _ in self.runs)))

    def run_to(self, iteration: int) -> None:
        """Show this iteration; what is missing up to it is made first, as fast as possible."""
        self._settle()
        self._look_for(_Search(self.cursor, min(iteration, MAX_ITERATIONS), pauses=False))

    def settle(self) -> None:
        """Stop here, and record what has been made already, so that who looks for something misses nothing."""
        self._settle()
        self._announce()

    # --- playing ---

    def play(self, last: int = MAX_ITERATIONS) -> None:
        """Play forward at the chosen speed, through what is recorded and then on, but not beyond ``last``."""
        if not self.has_ended:
            self._set_direction(1)
            self._last = last

    def play_backwards(self) -> None:
        """Play what is recorded back to the start."""
        if self.cursor:
            self._set_direction(-1)

    def pause(self) -> None:
        """Stop playing and computing."""
        self._stop()
        self._announce()

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
        if self.direction > 0:
            self._is_live = False
            self._wanted = self.cursor
            for run in self.runs:
                run.stop_making()
        self.speed_changed.emit()

    def go_faster(self) -> None:
        """Play at the next faster speed."""
        self.set_speed(faster(self.speed))

    def go_slower(self) -> None:
        """Play at the next slower speed."""
        self.set_speed(slower(self.speed))

    # --- what happens by itself ---

    def _on_mail(self) -> None:
        # A letter may still be on its way when its worker has ended, or before its run is on show.
        if not self.is_playing and any(run.is_running for run in self.runs):
            self._on_tick()

    @Slot()
    def _on_tick(self) -> None:
        # Two threads that both want the interpreter slow each other down at every call into Qt. So the workers
        # wait while the window receives and draws, and have all the time in between.
        for run in self.runs:
            run.set_gate_open(False)
        try:
            follows = self._wanted == self.cursor == self.live_end
            self._receive()
            if self._search is not None:
                self._search_on(self._search)
            elif self.direction > 0:
                self._play_on()
            elif self.direction < 0:
                self._play_back()
            else:
                if follows:  # what was being made when somebody paused
                    self._wanted = self.live_end
                self._go_on_to_wanted()
            if self.is_playing and self._meter.is_due(perf_counter()):
                self.rate_changed.emit()
            self._announce()
        finally:
            self._painted.start(0)  # which comes when what has changed has been painted

    @Slot()
    def _on_painted(self) -> None:
        """Let the workers work until the next frame."""
        self._open_gates()
        self._fast_frames.end()
        if self.is_playing or self._is_waiting:
            frame_ms = _FULL_SPEED_FRAME_MS if self.is_full_speed else _FRAME_MS
            now_ms = 1000 * perf_counter()
            self._due_ms = max(self._due_ms + frame_ms, now_ms + _LEAST_REST_MS)
            self._timer.start(round(self._due_ms - now_ms))

    def _open_gates(self) -> None:
        going = [index for index, run in enumerate(self.runs) if not self.is_over(run)]
        takes_turns = self.direction > 0 and self.speed > _TURNS_FROM and len(going) > 1
        if takes_turns:
            self.turn = next((index for index in going if index > self.turn), going[0])
        for index, run in enumerate(self.runs):
            run.set_gate_open(not takes_turns or index == self.turn)

    def _announce(self) -> None:
        """Say what has changed since the last time, and last of all why playing has stopped."""
        what, self._changed = self._changed, Changed.NOTHING
        reason, self._reason = self._reason, ""
        problems, self._problems = self._problems, []
        if Changed.RUN in what:
            self.run_changed.emit()
        if Changed.PLAYING in what:
            self.playing_changed.emit()
            if not self.is_playing:
                self.rate_changed.emit()
        is_behind = self.is_playing and not self.is_outrun and self._fast_frames.is_behind
        if what or is_behind or self._fast_frames.is_paint_due:
            self._announce_moment(what)
        if reason:
            self.paused_by.emit(reason)
        for problem in problems:
            self.problem_met.emit(problem)

    def _announce_moment(self, what: Changed) -> None:
        is_hurried = self.is_playing and self.speed > _FOLLOWED_A_SECOND
        is_step = Changed.CURSOR in what and not (Changed.RUN in what or self.is_outrun)
        duration_ms = self._motion_ms if is_step else 0
        if not self.is_outrun or what & (Changed.RUN | Changed.PLAYING):
            detail = Detail.TREE if self.is_outrun else Detail.STEP
            self._fast_frames.restart(is_behind=self.is_outrun)
        else:
            detail = self._fast_frames.begin()
        self.moment_changed.emit(MomentChange(what, detail, duration_ms, is_hurried))

    def _receive(self) -> None:
        for run in self.runs:
            was_over = self.is_over(run)
            received = run.receive()
            if received.iterations or self.is_over(run) != was_over:
                self._changed |= Changed.LENGTH
            if received.pause is not None and not self._stops_at_endings:
                self._pauses[run] = len(run.history), received.pause
            if received.problem is not None and not was_over:
                self._problems.append(received.problem)
                if not self._stops_at_endings:
                    self._stop()
            if self.is_over(run):
                run.stop_making()

    def _play_on(self) -> None:
        live = min(self.live_end, self._last)
        if not math.isinf(self.speed):
            self._play_at_pace(live)
        elif self._is_live:
            self._play_live(live)
        else:
            target = self.cursor + self._pace.due(self.longest)
            self._advance(min(target, live))
            self._is_live = target >= live
        if self.has_ended or self.cursor >= self._last:
            self._stop()

    def _play_at_pace(self, live: int) -> None:
        """Show what has been made meanwhile, and have made what is due next."""
        self._advance(min(self._wanted, live))
        if not self.is_playing:
            return  # a run has paused
        # Only what is there has a weight, so where every step is shown none is due before the last one is there.
        if self.cursor >= self._wanted or not shows_every_step(self.speed):
            due = self._pace.due(self.longest)
            most_owed = max(1, round(self.speed * _MOST_OWED_SECONDS))
            self._wanted = min(self._wanted + due, self.cursor + most_owed + due, self._last)
        self._make_up_to(self._wanted)

    def _play_live(self, live: int) -> None:
        """As fast as possible; a run that is ahead of others waits, so that all are at the same iteration."""
        made = live - self.cursor
        self._advance(live)
        if not self.is_playing:
            return
        if made > 0:
            self._ahead = min(max(2 * made, _LEAST_AHEAD), _MOST_AHEAD)
        self._make_up_to(min(live + self._ahead, self._last) if len(self.runs) > 1 else self._last)

    def _play_back(self) -> None:
        due = self._pace.due(self.longest)
        if due:
            self._meter.count(min(due, self.cursor))
            self._move(max(0, self.cursor - due))
        if not self.cursor:
            self._stop()

    def _look_for(self, search: _Search) -> None:
        found = self._found(search)
        if found is not None and all(self._reaches(run, found) for run in self.runs):
            self._want(found)
            return
        self._search = search
        self._meter.restart()
        self._timer.start(_FRAME_MS)
        self._changed |= Changed.PLAYING
        self._search_on(search)
        self._announce()

    def _search_on(self, search: _Search) -> None:
        """Show what is looked for once every run has it, and until then how far the search is."""
        found = self._found(search)
        self._advance(self.live_end if found is None else min(found, self.live_end))
        if self._search is None:
            return  # a run has paused
        if self.cursor == found or self._is_over:
            self._stop()
            self._wanted = self.longest if found is None else found
            self._go_on_to_wanted()
            return
        goal = search.goal if found is None else found
        for index, run in enumerate(self.runs):
            self._make(
                run,
                goal if len(self.runs) == 1 else min(goal, len(run.history) + _MOST_AHEAD),
                stops_at_change=search.stops_at_change,
                until=search.watches[index] if search.watches else None,
                pauses=search.pauses,
            )

    def _found(self, search: _Search) -> int | None:
        """The iteration that is looked for, as far as it is known."""
        if search.stops_at_change:
            changes = [run.history.next_where(Property.CHANGED, search.origin) for run in self.runs]
            return min((change for change in changes if change is not None), default=None)
        return None if search.watches else search.goal

    def _want(self, iteration: int) -> None:
        """Show an iteration as soon as every run that goes on has it."""
        self._wanted = iteration
        self._go_on_to_wanted()
        if self._is_waiting:
            self._timer.start(_FRAME_MS)
        self._announce()

    @property
    def _is_waiting(self) -> bool:
        """Whether an iteration is to be shown that not all runs have yet."""
        return self.cursor != self._wanted or not all(self._reaches(run, self._wanted) for run in self.runs)

    def _go_on_to_wanted(self) -> None:
        if all(self._reaches(run, self._wanted) for run in self.runs):
            self._wanted = min(self._wanted, self.longest)
            self._move(self._wanted)
        elif self._wanted > self.cursor:
            self._move(max(self.cursor, self.live_end))
        for iteration, reason in self._pauses.values():
            if iteration == self.cursor:
                self._stop(reason)
                return
        self._make_up_to(self._wanted)

    def _reaches(self, run: PlayedRun, iteration: int) -> bool:
        """Whether an iteration can be shown: it is recorded, or there will never be one."""
        return self.is_over(run) or len(run.history) >= iteration

    def _make_up_to(self, iteration: int) -> None:
        for run in self.runs:
            self._make(run, iteration)

    def _make(
        self,
        run: PlayedRun,
        iteration: int,
        *,
        stops_at_change: bool = False,
        until: StepWatch | None = None,
        pauses: bool = True,
    ) -> None:
        """Have steps made, if the run goes on so far.

        While the worker is at it nothing is asked: it may have come to the end of the run meanwhile, and would go
        on beyond it if it was told to. The next frame asks again.
        """
        if self.is_over(run) or iteration <= len(run.history) or not run.is_settled:
            return
        if self._stops_at_endings and not len(run.history):
            iteration = 1  # after one step it is known whether the start is stuck
        run.make_up_to(iteration, stops_at_change=stops_at_change, until=until, pauses=pauses)

    def _advance(self, target: int) -> None:
        """Move the cursor on, but not beyond where a run pauses."""
        pauses = [pause for run in self.runs if (pause := self._next_pause(run, target)) is not None]
        iteration, reason = min(pauses) if pauses else (target, "")
        if iteration > self.cursor:
            self._meter.count(iteration - self.cursor)
            self._move(iteration)
        if pauses:
            self._stop(reason)

    def _next_pause(self, run: PlayedRun, target: int) -> tuple[int, str] | None:
        """Where a run pauses, from the cursor up to the target, and why."""
        stopped = self._pauses.get(run)
        if stopped is not None and stopped[0] <= target:
            return stopped
        if self._stops_at_endings or self._is_live or self._search is not None or target <= self.cursor:
            return None  # what is being made now stops where it pauses
        history = run.history
        found = next_pause(history, self.cursor, target + 1, self.rules, run.stuck_since, run.rises)
        end = history.script_end
        if self.cursor < end <= target and (found is None or end < found[0]):
            return end, SCRIPT_ENDS
        return found

    def _set_direction(self, direction: int) -> None:
        if direction == self.direction:
            return
        self._stop()
        self.direction = direction
        self._is_live = False
        self._ahead = _LEAST_AHEAD
        self._pace.restart(self.speed)
        self._meter.restart()
        self._timer.start(_FRAME_MS)
        self._changed |= Changed.PLAYING
        self._announce()

    def _settle(self) -> None:
        self._stop()
        for run in self.runs:
            run.wait_for_rest(_MOST_PATIENCE_SECONDS)
        self._receive()
        self._pauses.clear()

    def _stop(self, reason: str = "") -> None:
        """Stop playing and computing; the reason is announced with everything else."""
        self._wanted = self.cursor
        self._pauses.clear()
        self._reason = reason or self._reason
        for run in self.runs:
            run.stop_making()
            run.set_gate_open(True)
        if self.is_playing:
            self.direction, self._search = 0, None
            self._changed |= Changed.PLAYING

    def _move(self, iteration: int) -> None:
        if iteration != self.cursor:
            self.cursor = iteration
            speed = self.speed if self.direction else None
            weight = time_weight([run.history for run in self.runs], iteration, speed)
            self._motion_ms = transition_ms(speed, weight)
            if self.direction:
                self._pace.weigh(weight)
            self._changed |= Changed.CURSOR

    def _show_other_run(self, cursor: int) -> None:
        self.cursor = self._wanted = cursor
        self._changed |= Changed.RUN
        self._announce()
