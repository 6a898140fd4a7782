"""Many runs at once, one for each seed, from the same tree: their ends as columns of numbers.

    runs = run_many(config, tree, range(1000), stop_when_stuck=True)
    runs.is_stuck.mean(), runs.iterations[runs.is_solved].mean()

A run is the one that `RlsGp` does with this seed, in every number.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Outcome
from gpviz.engine.interruption import checkpoint
from gpviz.engine.search import DEFAULT_MAX_ITERATIONS, RlsGp
from gpviz.engine.step import Result, RunCounts
from gpviz.engine.tree import Node

__all__ = ["NONE", "OUTCOMES", "ManyRuns", "run_many"]

OUTCOMES: Final = tuple(Outcome)
"""The outcomes as `ManyRuns.outcomes` numbers them."""
NONE: Final = -1
"""What stands in a column where there is nothing: the error of the empty tree, the iteration since which a run is
stuck that is not."""
_MOST_BITS: Final = 62

Column = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ManyRuns:
    """How runs ended, a row for each of the seeds in their order; the columns are those of `Result`.

    ``outcomes`` are places in `OUTCOMES`. All columns are of whole numbers with 64 bits; only errors that may be
    larger are Python's. ``trees`` are there on request, and so is what was counted: as in `RunCounts`, with
    the improvements of all runs one after the other. Those of run i are ``improvements[a:b]``, an iteration and
    an error each, and ``full_at[a:b]``, with a and b from ``offsets[i : i + 2]``.
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
        """Which runs were given up at the largest number of iterations."""
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
    """Do a run from ``start`` with each of the seeds, which take the place of the configuration's.

    ``should_stop`` is asked before each run; where it says so there are fewer. Checkpoints
    (`gpviz.engine.interruption`) are passed besides, at most some hundredths of a second apart; they give up all
    of the runs. Raises `TooComplexError` where a run does.
    """
    results: list[Result] = []
    counted: list[RunCounts] = []
    improvements: list[list[tuple[int, int]]] = []
    for seed in seeds:
        if should_stop is not None and should_stop():
            break
        checkpoint()
        improvements.append([])
        counted.append(RunCounts())
        results.append(
            RlsGp(config.replaced(seed=seed), start).run(
                max_iterations=max_iterations,
                stop_when_stuck=stop_when_stuck,
                improvements=improvements[-1] if counts else None,
                counts=counted[-1] if counts else None,
            )
        )
    return _columns(
        results,
        [result.tree for result in results] if keeps_trees else None,
        counted if counts else None,
        improvements,
        has_small_errors=config.n <= _MOST_BITS,
    )


def _columns(
    results: list[Result],
    trees: list[Node | None] | None,
    counted: list[RunCounts] | None,
    improvements: list[list[tuple[int, int]]],
    *,
    has_small_errors: bool,
) -> ManyRuns:
    errors = np.int64 if has_small_errors else np.object_
    more: dict[str, Any] = {}
    if counted is not None:
        more = {
            "duplicate_accepted": _column(each.duplicate_accepted for each in counted),
            "full_iterations": _column(each.full_iterations for each in counted),
            "offsets": _column(accumulate(map(len, improvements), initial=0)),
            "improvements": np.array(
                [pair for each in improvements for pair in each], dtype=errors
            ).reshape(-1, 2),
            "full_at": _column(
                number for each in counted for pair in each.full_at for number in pair
            ).reshape(-1, 2),
        }  # fmt: skip
    return ManyRuns(
        outcomes=_column(OUTCOMES.index(result.outcome) for result in results),
        iterations=_column(result.iterations for result in results),
        errors=np.array([NONE if result.error is None else result.error for result in results], dtype=errors),
        leaves=_column(result.leaves for result in results),
        ors=_column(result.ors for result in results),
        accepted=_column(result.accepted for result in results),
        improved=_column(result.improved for result in results),
        ors_accepted=_column(result.ors_accepted for result in results),
        stuck_since=_column(
            NONE if result.stuck_since is None else result.stuck_since for result in results
        ),
        trees=trees,
        **more,
    )  # fmt: skip


def _column(numbers: Iterable[int]) -> Column:
    return np.array(list(numbers), dtype=np.int64)
