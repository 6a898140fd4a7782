"""The run of one lane: it is made as far as the comparison wants it, and shown where the comparison is."""

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from gpviz.app.run_controller import RunController
from gpviz.engine import Node, RunConfig, format_formula
from gpviz.record.branches_forking import search_at
from gpviz.record.comparisons import LaneSpec, checked_label
from gpviz.record.generalisation import Generalisation
from gpviz.record.history import History
from gpviz.record.limits import MAX_ITERATIONS

__all__ = ["Ending", "LaneRun", "RecordedLane"]


@dataclass(frozen=True, slots=True, eq=False)
class RecordedLane:
    """A run that is recorded already, to be compared as it is; ``key`` tells its owner which one it was."""

    label: str
    history: History
    generalisation: Generalisation = field(default_factory=Generalisation)
    stuck_since: int | None = None
    key: object = None

    def __post_init__(self) -> None:
        checked_label(self.label)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ends, and in which iteration."""

    outcome: Literal["solved", "stuck", "full", "failed"]
    iteration: int
    words: str = ""


class LaneRun(RunController):
    """A run without a pace of its own: who compares tells how far to go and what to show.

    It makes no steps once it is solved or stuck.
    """

    mail_came = Signal()

    def __init__(self, config: RunConfig, start: Node | None = None, parent: QObject | None = None) -> None:
        self._solved_at: int | None = None
        self._looked_up_to = -1
        self._failure = ""
        super().__init__(config, start, parent)
        self.problem_met.connect(self._on_problem_met)

    @classmethod
    def of(cls, lane: LaneSpec | RecordedLane, parent: QObject | None = None) -> "LaneRun":
        """The run of a lane; of a recorded one a copy, so that it can go on without touching the other."""
        if isinstance(lane, LaneSpec):
            run = cls(lane.config, lane.start_tree, parent)
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

    def take_mail(self) -> None:
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
        """There is mail: the frames are those of the comparison."""
        self.mail_came.emit()

    @Slot(str)
    def _on_problem_met(self, problem: str) -> None:
        self._failure = problem

    def _look_for_end(self) -> None:
        """Look for the first solved iteration among those that are new."""
        length = len(self.history)
        if self._solved_at is not None or self._looked_up_to >= length:
            return
        if self._looked_up_to < 0:
            error = self.history.error_at(0)
            if error is not None and error <= self.history.config_at(0).accept_error:
                self._solved_at = 0
                return
        first = max(self._looked_up_to, 0) + 1
        self._solved_at = self._first_solved(first)
        self._looked_up_to = length

    def _first_solved(self, first: int) -> int | None:
        """The first iteration from here on whose error was small enough then; a branch may have changed that."""
        starts = [(start, config.accept_error) for start, config in self.history.configs]
        ends = [start for start, _ in starts[1:]] + [len(self.history) + 1]
        for (start, accepted), end in zip(starts, ends, strict=True):
            begin = max(start, first)
            if begin < end:
                found = np.flatnonzero(self.history.errors(begin, end) <= accepted)
                if len(found):
                    return begin + int(found[0])
        return None
