"""The worker: makes the steps of the run in a thread of its own and leaves them in a bounded mailbox.

The window orders how far to go; it goes there in slices of a few milliseconds. It never touches a widget and
sends no signal per iteration, only one when a batch comes to an empty mailbox.

It is no `gpviz.app.tasks.BackgroundTask`, as it does not answer a question: it keeps a search from one order to
the next, hands over many batches for one order, has to stop in the middle of one without losing a step, and waits
while the window draws.
"""

import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from time import perf_counter
from typing import Final, Protocol

from PySide6.QtCore import QObject, QThread, Signal, Slot

from gpviz.app.tasks import ThreadRelay
from gpviz.engine import GpvizError, Node, RlsGp, RunConfig, Step, TooComplexError, Verdict
from gpviz.engine.interruption import Stopped, stoppable
from gpviz.engine.mutation_script import Script
from gpviz.engine.step import StepBuffer
from gpviz.runs.history import MAX_ITERATIONS
from gpviz.runs.pause_rules import OutlookRise, PauseRules, PauseWatch
from gpviz.runs.step_encoding import Encoder, Rows

NEVER: Final = -1
"""The goal of a worker that is to do nothing."""

SCRIPT_ENDS: Final = "The script ends here; from now on the run draws its mutations."
"""Why a run pauses after the last mutation of its script."""

_IMPROVED: Final = Verdict.IMPROVED
_NEUTRAL: Final = Verdict.NEUTRAL
_SLICE_SECONDS: Final = 0.004
_MOMENT_SECONDS: Final = 0.0005
_MOST_TOGETHER: Final = 512
_MOST_PATIENCE_SECONDS: Final = 0.1
_FULL: Final = f"The run has {MAX_ITERATIONS:,} iterations, the most that gpviz records."
_MOST_IN_MAILBOX: Final = 20_000


@dataclass(slots=True)
class Batch:
    """Some consecutive iterations of one run, ready for its history, and why they end here if they do.

    ``is_done`` says that the worker has carried out the ``order`` of this number. ``pause`` is a
    reason to pause after the last of them.
    ``true_errors`` has, for sampled runs, the generalisation error wherever the tree changed, and ``rises`` what
    was found out about the outlook.
    """

    run_id: int
    rows: list[Rows] = field(default_factory=list)
    true_errors: list[tuple[int, float]] = field(default_factory=list)
    stuck_since: int | None = None
    rises: dict[int, OutlookRise] = field(default_factory=dict)
    pause: str | None = None
    problem: str | None = None
    is_done: bool = False
    order: int = 0

    @property
    def iterations(self) -> int:
        """How many there are."""
        return sum(rows.iterations for rows in self.rows)


class Mailbox:
    """Batches on their way from one thread to the other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._batches: deque[Batch] = deque()
        self._iterations = 0

    @property
    def has_space(self) -> bool:
        """Whether the window keeps up; if not, the worker waits for it."""
        return self._iterations < _MOST_IN_MAILBOX

    @property
    def is_empty(self) -> bool:
        return not self._batches

    def put(self, batch: Batch) -> bool:
        """Leave a batch; True if the mailbox was empty."""
        with self._lock:
            was_empty = not self._batches
            self._batches.append(batch)
            self._iterations += batch.iterations
        return was_empty

    def take_all(self) -> list[Batch]:
        """Everything that has arrived, in order."""
        with self._lock:
            batches = list(self._batches)
            self._batches.clear()
            self._iterations = 0
        return batches


@dataclass(slots=True)
class _Assignment:
    """A run to make steps of; the search is made by the worker, as its start may take long to evaluate."""

    run_id: int
    config: RunConfig
    start: Node | None
    script: Script
    rules: PauseRules
    encoder: Encoder
    buffer: StepBuffer
    search: RlsGp | None = None
    watch: PauseWatch | None = None


class StepWatch(Protocol):
    """Somebody who looks at the steps of a run, from a tree on, and says when to pause and why."""

    def start(self, tree: Node | None, should_stop: Callable[[], bool]) -> None: ...

    def reason(self, step: Step) -> str | None: ...

    @property
    def looks_at_all(self) -> bool: ...


@dataclass(frozen=True, slots=True, eq=False)
class _Order:
    """What the window has ordered: how far to go, and what to stop at before. A new one replaces the old."""

    number: int = 0
    goal: int = NEVER
    stops_at_change: bool = False
    until: StepWatch | None = None
    pauses: bool = True


class Worker(QObject):
    """Makes steps until the goal, a reason to pause, or the end."""

    batches_arrived = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.mailbox = Mailbox()
        self.frame_gate = threading.Event()  # closed while the window draws: then the worker waits for it
        self.frame_gate.set()
        self._condition = threading.Condition()
        self._assignment: _Assignment | None = None
        self._order = _Order()
        self._begun: _Order | None = None
        self._is_quitting = False
        self._is_resting = False

    # --- called by the window ---

    def assign(
        self,
        run_id: int,
        config: RunConfig,
        start: Node | None,
        script: Script,
        rules: PauseRules,
        encoder: Encoder,
    ) -> None:
        """Work on a new run from its start; the encoder is its history's, which nobody else uses from now on."""
        self._take(_Assignment(run_id, config, start, script, rules, encoder, StepBuffer()))

    def adopt(
        self, run_id: int, search: RlsGp, rules: PauseRules, encoder: Encoder, stuck_since: int | None
    ) -> None:
        """Work on a run from where it is."""
        watch = self._make_watch(run_id, rules, search.config)
        # A branch may have other rules from here on, under which nobody has looked at the tree.
        watch.start(search.tree, search.error, is_judged=search.settled_since < search.iteration)
        watch.stuck_since = stuck_since
        buffer = StepBuffer(search.iteration + 1)
        assignment = _Assignment(
            run_id, search.config, search.start, search.script, rules, encoder, buffer, search, watch
        )
        self._take(assignment)

    def go_to(
        self,
        goal: int,
        *,
        stops_at_change: bool = False,
        until: StepWatch | None = None,
        pauses: bool = True,
    ) -> int:
        """Make steps up to this iteration, or the first of which ``until`` gives a reason; `NEVER` stops at once.

        It also stops where the rules say to pause, unless it is not to pause at all. The result is the number of
        this order.
        """
        with self._condition:
            number = self._order.number + 1
            self._order = _Order(number, min(goal, MAX_ITERATIONS), stops_at_change, until, pauses)
            self._condition.notify_all()
            return number

    @property
    def is_resting(self) -> bool:
        """Whether it has nothing to do and has handed everything over."""
        with self._condition:
            return self._is_resting and self._order.goal == NEVER

    def wait_for_rest(self, seconds: float) -> None:
        """Wait until it has handed over what it was making, but no longer than this."""
        with self._condition:
            self._condition.wait_for(lambda: self._is_resting, seconds)

    def set_rules(self, rules: PauseRules) -> None:
        """What to pause at from the next step on."""
        with self._condition:
            if self._assignment is not None:
                self._assignment.rules = rules
                if self._assignment.watch is not None:
                    self._assignment.watch.rules = rules

    def mailbox_emptied(self) -> None:
        """The mailbox has space again."""
        with self._condition:
            self._condition.notify_all()

    def quit(self) -> None:
        """End the work as soon as possible, for good."""
        with self._condition:
            self._is_quitting = True
            self._order = replace(self._order, goal=NEVER)
            self._condition.notify_all()
        self.frame_gate.set()

    # --- in the worker's thread ---

    @Slot()
    def work(self) -> None:
        """Everything the thread does."""
        while (work := self._wait_for_work()) is not None:
            assignment, order = work
            batch = Batch(assignment.run_id, order=order.number)
            try:
                # One step on a tangled tree may take seconds; what comes of it is lost, as nobody wants it.
                with stoppable(partial(self._is_given_up, assignment)):
                    self._make_steps(assignment, order, batch)
            except Stopped:
                continue
            except GpvizError as problem:
                batch.problem = str(problem)
            except Exception as problem:  # the window shows it, and the thread lives on
                batch.problem = f"The run cannot go on: {type(problem).__name__}: {problem}"
            self._hand_over(assignment, order, batch)

    def _wait_for_work(self) -> tuple[_Assignment, _Order] | None:
        with self._condition:
            while not self._is_quitting:
                assignment, order = self._assignment, self._order
                if assignment is not None and self.mailbox.has_space and order.goal != NEVER:
                    self._is_resting = False
                    return assignment, order
                self._is_resting = True
                self._condition.notify_all()
                self._condition.wait()
        return None

    def _make_steps(self, assignment: _Assignment, order: _Order, batch: Batch) -> None:
        search, watch = self._prepared(assignment, batch)
        is_sampled = assignment.config.is_sampled
        until = order.until
        if until is not None and self._begun is not order:
            until.start(search.tree, partial(self._is_called_off, order))
        self._begun = order
        watch.is_called_off = partial(self._is_pause_unwanted, order)

        def is_enough(step: Step) -> bool:
            is_change = step.verdict is _IMPROVED or step.verdict is _NEUTRAL
            if is_sampled and is_change:
                _note_true_error(batch, search, step.iteration, step.tree)
            reason = watch.reason(step)  # it is to see every step, also where nobody asks
            batch.pause = reason if order.pauses else None
            if until is not None:
                batch.pause = until.reason(step) or batch.pause
            batch.is_done = batch.pause is not None or (is_change and order.stops_at_change)
            return batch.is_done

        try:
            self._advance(assignment, order, search, watch, batch, is_enough)
        finally:
            self._encode(assignment, batch)
        batch.stuck_since = watch.stuck_since
        batch.rises, watch.rises = watch.rises, {}
        if search.iteration >= MAX_ITERATIONS:
            batch.pause = _FULL
            batch.is_done = True

    def _advance(
        self,
        assignment: _Assignment,
        order: _Order,
        search: RlsGp,
        watch: PauseWatch,
        batch: Batch,
        is_enough: Callable[[Step], bool],
    ) -> None:
        """Make steps a few at a time, so many that it takes a moment but no longer."""
        gate = self.frame_gate
        now = perf_counter()
        deadline = now + _SLICE_SECONDS
        is_polite = True
        buffer = assignment.buffer
        start, few = search.iteration, 1
        while (
            not batch.is_done and now < deadline and self._order is order and self._assignment is assignment
        ):
            if is_polite and not gate.is_set():
                if search.iteration > start:
                    break  # a frame has begun; the next one has something to show
                is_polite = gate.wait(_MOST_PATIENCE_SECONDS)
                now = perf_counter()
                deadline = now + _SLICE_SECONDS
                continue  # there may be another order by now
            count = min(few, order.goal - search.iteration)
            if count <= 0:
                break
            left = len(search.script) - search.iteration
            if left > 0:
                count = min(count, left)
            search.advance(buffer, count, is_enough, sees_all=_sees_all(watch, order.until))
            if count == left and order.pauses and not batch.is_done:
                batch.pause, batch.is_done = SCRIPT_ENDS, True
            if len(buffer) >= _MOST_TOGETHER:
                self._encode(assignment, batch)
            before, now = now, perf_counter()
            few = few * 2 if now - before < _MOMENT_SECONDS else max(1, few // 2)

    def _encode(self, assignment: _Assignment, batch: Batch) -> None:
        """Done here, where the numbers have just been written and are at hand for the processor."""
        if len(assignment.buffer):
            batch.rows.append(assignment.encoder.encode_buffer(assignment.buffer))
            assignment.buffer.clear()

    def _prepared(self, assignment: _Assignment, batch: Batch) -> tuple[RlsGp, PauseWatch]:
        if assignment.search is None or assignment.watch is None:
            assignment.search = RlsGp(assignment.config, assignment.start, assignment.script)
            with self._condition:  # the rules may be changed at any time
                assignment.watch = self._make_watch(assignment.run_id, assignment.rules, assignment.config)
            assignment.watch.start(assignment.start, assignment.search.error)
            if assignment.config.is_sampled:
                _note_true_error(batch, assignment.search, 0, assignment.start)
        return assignment.search, assignment.watch

    def _hand_over(self, assignment: _Assignment, order: _Order, batch: Batch) -> None:
        with self._condition:
            if self._assignment is not assignment:
                return
            search = assignment.search
            if batch.problem is not None or search is None or search.iteration >= order.goal:
                batch.is_done = True
            if batch.is_done and self._order is order:
                self._order = replace(order, goal=NEVER)
        if self.mailbox.put(batch):
            self.batches_arrived.emit()

    def _take(self, assignment: _Assignment) -> None:
        with self._condition:
            self._assignment = assignment
            self._order = replace(self._order, goal=NEVER)
            self._condition.notify_all()

    def _make_watch(self, run_id: int, rules: PauseRules, config: RunConfig) -> PauseWatch:
        return PauseWatch(rules, config, partial(self._should_give_up, run_id))

    def _is_called_off(self, order: _Order) -> bool:
        return self._is_quitting or self._order is not order

    def _is_pause_unwanted(self, order: _Order) -> bool:
        return not order.pauses or self._is_called_off(order)

    def _is_given_up(self, assignment: _Assignment) -> bool:
        return self._is_quitting or self._assignment is not assignment

    def _should_give_up(self, run_id: int) -> bool:
        """A proof may take seconds; nobody waits for it when the program ends or another run is on show."""
        return self._is_quitting or self._assignment is None or self._assignment.run_id != run_id


def _sees_all(watch: PauseWatch, until: StepWatch | None) -> bool:
    return watch.looks_at_all or (until is not None and until.looks_at_all)


def _note_true_error(batch: Batch, search: RlsGp, iteration: int, tree: Node | None) -> None:
    if tree is not None:
        # Some trees are too tangled to count; the curve then has no point there.
        with suppress(TooComplexError):
            batch.true_errors.append((iteration, search.target.error(tree) / search.target.rows))


class WorkerThread:
    """The worker and its thread, started together and ended together."""

    def __init__(self, on_mail: Callable[[], None]) -> None:
        self.worker = Worker()
        self._thread = QThread()
        self._thread.setObjectName("gpviz worker")
        self.worker.moveToThread(self._thread)
        self._thread.started.connect(self.worker.work)
        self._relay = ThreadRelay(on_mail)
        self.worker.batches_arrived.connect(self._relay.notify)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        return self._thread.isRunning()

    def end(self) -> None:
        """Ask, wake, wait, disconnect; afterwards nothing is left to run."""
        if not self._thread.isRunning():
            return
        self.worker.quit()
        self._thread.quit()
        self._thread.wait()
        self.worker.batches_arrived.disconnect(self._relay.notify)
        self._thread.started.disconnect(self.worker.work)
