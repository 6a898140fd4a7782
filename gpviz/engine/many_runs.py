"""Does many runs from the same tree, one for each seed, and returns how they ended as columns of numbers.

    runs = run_many(config, tree, range(1000), stop_when_stuck=True)
    runs.is_stuck.mean(), runs.iterations[runs.is_solved].mean()

Each run is exactly the one that `RlsGp` does with this seed. Where the compiled loop is available
(`gpviz.engine.compiled.runner`), it does the runs.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

import gpviz.engine.compiled.runner as kernel
from gpviz.engine.config import RunConfig, check_tree
from gpviz.engine.enums import Outcome
from gpviz.engine.interruption import Stopped, checkpoint
from gpviz.engine.search import DEFAULT_MAX_ITERATIONS, RlsGp
from gpviz.engine.step import RunCounts
from gpviz.engine.tree import Node, largest_uid

OUTCOMES: Final = tuple(Outcome)
"""The outcomes in the order in which `ManyRuns.outcomes` numbers them."""
NONE: Final = -1
"""Stands in a column where there is no number: for the error of the empty tree, and for the iteration since which
a run is stuck if it is not."""
_MOST_BITS: Final = 62
_COLUMNS: Final = (
    "outcomes", "iterations", "errors", "leaves", "ors", "accepted", "improved", "ors_accepted", "stuck_since",
    "duplicate_accepted", "full_iterations",
)  # fmt: skip
"""The columns of a run's row; its number of improvements comes last."""

Column = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ManyRuns:
    """How runs ended: a row for each seed, in the order of the seeds, with the columns of `Result`.

    ``outcomes`` are indices into `OUTCOMES`. All columns hold 64-bit integers; only errors that may be larger are
    Python's own. The rest is there on request: the ``trees``, and what `RunCounts` counts, with the improvements
    of all runs one after the other. Those of run i are ``improvements[a:b]``, an iteration and an error each, and
    ``full_at[a:b]``, where a and b are ``offsets[i : i + 2]``.
    """

    outcomes: Column
    iterations: Column
    errors: Column
    leaves: Column
    ors: Column
    accepted: Column
    improved: Column
    ors_accepted: Column
    stuck_since: Column
    trees: list[Node | None] | None = None
    duplicate_accepted: Column | None = None
    full_iterations: Column | None = None
    offsets: Column | None = None
    improvements: Column | None = None
    full_at: Column | None = None

    def __len__(self) -> int:
        return len(self.outcomes)

    @property
    def is_solved(self) -> npt.NDArray[np.bool_]:
        return self._has(Outcome.SOLVED)

    @property
    def is_stuck(self) -> npt.NDArray[np.bool_]:
        return self._has(Outcome.STUCK)

    @property
    def is_stopped(self) -> npt.NDArray[np.bool_]:
        """Which runs were given up after ``max_iterations``."""
        return self._has(Outcome.STOPPED)

    def _has(self, outcome: Outcome) -> npt.NDArray[np.bool_]:
        found: npt.NDArray[np.bool_] = self.outcomes == OUTCOMES.index(outcome)
        return found


def run_many(
    config: RunConfig,
    start: Node | None,
    seeds: Iterable[int],
    *,
    max_iterations: int = DEFAULT_MAX_ITERATIONS,
    stop_when_stuck: bool = True,
    counts: bool = False,
    keeps_trees: bool = False,
    should_stop: Callable[[], bool] | None = None,
) -> ManyRuns:
    """Do a run from ``start`` with each of the seeds, whatever the seed of the configuration is.

    ``counts`` asks for what `RunCounts` counts, and ``keeps_trees`` for the final trees. ``should_stop`` is asked
    before each run; if it says so, the remaining runs are left out. Checkpoints (`gpviz.engine.interruption`) are
    passed every few hundredths of a second. Stopped at one of them, all runs are given up, or with a
    ``should_stop`` only those that are not over yet. Raises `TooComplexError` where a run does.
    """
    check_tree(start, config)
    batch = _Batch(config, start, max_iterations, stop_when_stuck, counts, keeps_trees, should_stop)
    pending = list(seeds)
    is_outgrown = False
    done = 0
    try:
        while done < len(pending) and not batch.is_stopped:
            if not is_outgrown and kernel.can_run(config, start) and kernel.is_worth_loading():
                done += batch.do_compiled(pending[done:])
                is_outgrown = True  # if there are any left, the next one
            else:
                batch.do_one(pending[done])
                done += 1
                is_outgrown = False
    except Stopped:
        if should_stop is None:
            raise
    return batch.columns()


@dataclass(slots=True)
class _Batch:
    """Does runs and collects their rows; the rest is as in `run_many`."""

    config: RunConfig
    start: Node | None
    max_iterations: int
    stop_when_stuck: bool
    counts: bool
    keeps_trees: bool
    should_stop: Callable[[], bool] | None
    rows: list[Column] = field(default_factory=list)
    events: list[Column] = field(default_factory=list)
    trees: list[Node | None] = field(default_factory=list)
    is_stopped: bool = False

    @property
    def number(self) -> type[np.int64 | np.object_]:
        """The type of the numbers in the rows."""
        return np.int64 if self.config.n <= _MOST_BITS else np.object_

    def do_one(self, seed: int) -> None:
        """Do a run in Python."""
        if self._is_next_unwanted():
            return
        checkpoint()
        improvements: list[tuple[int, int]] = []
        counts = RunCounts()
        result = RlsGp(self.config.replaced(seed=seed), self.start).run(
            max_iterations=self.max_iterations,
            stop_when_stuck=self.stop_when_stuck,
            improvements=improvements if self.counts else None,
            counts=counts if self.counts else None,
        )
        row = (
            OUTCOMES.index(result.outcome), result.iterations, NONE if result.error is None else result.error,
            result.leaves, result.ors, result.accepted, result.improved, result.ors_accepted,
            NONE if result.stuck_since is None else result.stuck_since, counts.duplicate_accepted,
            counts.full_iterations, len(improvements),
        )  # fmt: skip
        self.rows.append(np.array([row], self.number))
        events = [(*one, *other) for one, other in zip(improvements, counts.full_at, strict=False)]
        self.events.append(np.array(events, self.number).reshape(-1, 4))
        if self.keeps_trees:
            self.trees.append(result.tree)

    def do_compiled(self, seeds: Sequence[int]) -> int:
        """Do runs with the compiled loop, up to one whose tree becomes too large for it; returns their number."""
        if self._is_next_unwanted():
            return 0
        wanted = 1
        runs = kernel.CompiledRuns(
            self.config,
            self.start,
            seeds,
            first_uid=largest_uid(self.start) + 1,
            max_iterations=self.max_iterations,
            stop_when_stuck=self.stop_when_stuck,
            keeps_events=self.counts,
            keeps_trees=self.keeps_trees,
        )
        try:
            while not (runs.is_done or runs.is_outgrown or self.is_stopped):
                runs.go_on()
                # Those that have gone by are asked for one by one all the same: who is asked may count.
                while wanted <= runs.finished and wanted < len(seeds) and not self._is_next_unwanted():
                    wanted += 1
        finally:
            finished = min(runs.finished, wanted)
            self.rows.append(runs.out[:finished])
            self.trees += runs.trees[:finished]
            self.events += runs.take_events(finished)
            runs.close()
        return finished

    def columns(self) -> ManyRuns:
        """All runs done so far."""
        table = np.concatenate(self.rows) if self.rows else np.empty((0, len(_COLUMNS) + 1), self.number)
        columns = {name: table[:, number].copy() for number, name in enumerate(_COLUMNS)}
        if self.number is np.object_:
            columns |= {name: column.astype(np.int64) for name, column in columns.items() if name != "errors"}
        trees = self.trees if self.keeps_trees else None
        if not self.counts:
            del columns["duplicate_accepted"], columns["full_iterations"]
            return ManyRuns(**columns, trees=trees)
        events = np.concatenate(self.events) if self.events else np.empty((0, 4), self.number)
        offsets = np.zeros(len(table) + 1, np.int64)
        np.cumsum(table[:, -1], out=offsets[1:])
        return ManyRuns(
            **columns,
            trees=trees,
            offsets=offsets,
            improvements=events[:, :2],
            full_at=events[:, 2:].astype(np.int64),
        )

    def _is_next_unwanted(self) -> bool:
        """Ask whether the next run should not be done."""
        if self.should_stop is not None and self.should_stop():
            self.is_stopped = True
        return self.is_stopped
