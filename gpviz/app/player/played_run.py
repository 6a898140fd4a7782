"""One run of a player: what is recorded of it, how it ends, and the worker that makes more of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gpviz.app.player.worker import NEVER, StepWatch, WorkerThread
from gpviz.engine import Node, RlsGp, RunConfig, format_formula
from gpviz.engine.mutation_script import Script
from gpviz.runs.history import MAX_ITERATIONS, Generalisation, History
from gpviz.runs.pause_rules import OutlookRise, PauseRules


@dataclass(frozen=True, slots=True)
class Ending:
    """How a run ends, and in which iteration."""

    outcome: Literal["solved", "stuck", "full", "failed"]
    iteration: int
    problem: str = ""


@dataclass(slots=True)
class Received:
    """What a worker has handed over at once: iterations, and why it stopped after the last of them, if it did."""

    iterations: int = 0
    pause: str | None = None
    problem: str | None = None
    is_done: bool = False


class PlayedRun:
    """A run without a pace of its own: its player says how far to go."""

    history: History
    generalisation: Generalisation
    stuck_since: int | None
    rises: dict[int, OutlookRise]

    def __init__(
        self,
        config: RunConfig,
        start: Node | None = None,
        script: Script = (),
        *,
        on_mail: Callable[[], None],
    ) -> None:
        self.rules = PauseRules()
        self._failure = ""
        self._solved_at: int | None = None
        self._run_id = 0
        self._order = 0
        self._goal: int | None = None  # what the worker was ordered to reach and has not yet reported
        self._thread = WorkerThread(on_mail)
        self._worker = self._thread.worker
        self.start(config, start, script)

    # --- what is recorded ---

    @property
    def config(self) -> RunConfig:
        return self.history.config

    @property
    def length(self) -> int:
        """How many iterations are recorded."""
        return len(self.history)

    @property
    def start_formula(self) -> str:
        return format_formula(self.history.start)

    @property
    def ending(self) -> Ending | None:
        """How the run ends; None while it can go on."""
        ends = []
        if (solved_at := self._find_solved()) is not None:
            ends.append(Ending("solved", solved_at))
        if self.stuck_since is not None:
            ends.append(Ending("stuck", self.stuck_since))
        if ends:
            return min(ends, key=lambda ending: ending.iteration)
        if self._failure:
            return Ending("failed", self.length, self._failure)
        if self.length >= MAX_ITERATIONS:
            return Ending("full", MAX_ITERATIONS)
        return None

    @property
    def goal(self) -> int:
        """The iteration that is being made, or else the last one recorded."""
        return self.length if self._goal is None else self._goal

    @property
    def is_settled(self) -> bool:
        """Whether everything that was made has been recorded, and nothing is being made."""
        return self._goal is None and self._worker.is_resting and self._worker.mailbox.is_empty

    @property
    def is_running(self) -> bool:
        """Whether it has not been closed."""
        return self._thread.is_running

    # --- which run it is ---

    def start(self, config: RunConfig, start: Node | None = None, script: Script = ()) -> None:
        """Begin another run."""
        self._replace(History(config, start, script), Generalisation(), None)
        self._worker.assign(self._run_id, config, start, script, self.rules, self.history.encoder)

    def adopt(
        self, search: RlsGp, history: History, generalisation: Generalisation, stuck_since: int | None
    ) -> None:
        """Go on with a run that was made elsewhere; ``search`` stands at the end of ``history``."""
        self._replace(history, generalisation, stuck_since)
        self._worker.adopt(self._run_id, search, self.rules, history.encoder, stuck_since)

    def set_rules(self, rules: PauseRules) -> None:
        """What to pause at, from the next step on."""
        self.rules = rules
        self._worker.set_rules(rules)

    # --- making more of it ---

    def make_up_to(
        self,
        iteration: int,
        *,
        stops_at_change: bool = False,
        until: StepWatch | None = None,
        pauses: bool = True,
    ) -> None:
        """Have the steps up to this iteration made, in place of what was ordered before."""
        self._goal = min(iteration, MAX_ITERATIONS)
        self._order = self._worker.go_to(
            self._goal, stops_at_change=stops_at_change, until=until, pauses=pauses
        )

    def stop_making(self) -> None:
        """Make no more steps than there are."""
        if self._goal is not None:
            self._goal = None
            self._order = self._worker.go_to(NEVER)

    def wait_for_rest(self, seconds: float) -> None:
        """Wait until the worker has handed over what it was making, but no longer than this."""
        self._worker.wait_for_rest(seconds)

    def set_gate_open(self, is_open: bool) -> None:
        """Let the worker work, or have it wait while the window draws."""
        if is_open:
            self._worker.frame_gate.set()
        else:
            self._worker.frame_gate.clear()

    def receive(self) -> Received:
        """Record what has been made."""
        received = Received()
        before = self.length
        for batch in self._worker.mailbox.take_all():
            if batch.run_id != self._run_id:
                continue
            for rows in batch.rows:
                self.history.take_in(rows)
            self.generalisation.extend(batch.true_errors)
            self.rises.update(batch.rises)
            if batch.stuck_since is not None:
                self.stuck_since = batch.stuck_since
            if batch.is_done and batch.order == self._order:
                self._goal = None
                received.is_done = True
            received.pause = batch.pause or received.pause
            received.problem = batch.problem or received.problem
        self._worker.mailbox_emptied()
        received.iterations = self.length - before
        self._failure = received.problem or self._failure
        return received

    def close(self) -> None:
        """End the worker; the run is of no use afterwards."""
        self._thread.end()

    def _replace(self, history: History, generalisation: Generalisation, stuck_since: int | None) -> None:
        self.stop_making()
        self._run_id += 1
        self.history = history
        self.generalisation = generalisation
        self.stuck_since = stuck_since
        self.rises = {}
        self._failure = ""
        self._solved_at = None
        self._looked_up_to = -1

    def _find_solved(self) -> int | None:
        """The first solved iteration; only those that are new are looked at."""
        length = self.length
        if self._solved_at is None and self._looked_up_to < length:
            self._solved_at = first_solved(self.history, self._looked_up_to + 1)
            self._looked_up_to = length
        return self._solved_at


def first_solved(history: History, first: int = 0) -> int | None:
    """The first iteration from here on whose error was small enough then; a branch may have changed that."""
    if first == 0 and history.config_after(0).is_solved(history.error_at(0)):
        return 0
    for begin, end, config in history.stretches(max(first, 1)):
        found = np.flatnonzero(history.errors(begin, end) <= config.accept_error)
        if len(found):
            return begin + int(found[0])
    return None
