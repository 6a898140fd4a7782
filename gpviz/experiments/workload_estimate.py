"""Estimates how much work a plan is: a few of its own runs are done, and the rest is reckoned from them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log, log2
from statistics import median
from time import thread_time
from typing import Final, NamedTuple

from gpviz.engine.compiled import runner as compiled_runner
from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Outcome
from gpviz.engine.errors import TooComplexError
from gpviz.engine.search import RlsGp
from gpviz.engine.settings import SETTINGS, WholeNumber
from gpviz.experiments.plan import Cell, Plan

BUDGET_S: Final = 0.4
"""About as much of the processor's time as an estimate may take."""

_MAX_PILOTS: Final = 32
_MORE_S: Final = 0.15
"""Runs beyond the first of a cell are done while they should take no longer than this in all."""

_MAX_ROUNDS: Final = 8
_LOOK_S: Final = 0.01
_WATCHED: Final = 256
_KIND: Final = tuple(row.name for row in SETTINGS if not isinstance(row.kind, WholeNumber))
_PER_RUN_S: Final = 25e-6  # to write it down, and to hand it from one process to the other
_TIMES_FASTER: Final = 10.0
"""So many times as long as the compiled loop the one in Python takes."""
_LOADING_S: Final = 2.0
"""So long every worker takes to load the compiled loop, and for the runs that it does in Python before."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a plan takes: its runs, the iterations of all of them, and the seconds on one core.

    Every worker needs ``loading_seconds`` besides, however many there are.
    It is rough where some cells, or the ends of long runs, are only reckoned from what others took.
    """

    runs: int
    iterations: float
    seconds: float
    is_rough: bool
    loading_seconds: float = 0.0

    def seconds_with(self, workers: int) -> float:
        """How long so many workers take."""
        return self.loading_seconds + self.seconds / workers


class _Sample(NamedTuple):
    """What one run, or its beginning, took."""

    iterations: int
    seconds: float
    is_whole: bool


class _Cost(NamedTuple):
    """What a run of a cell is thought to take, and whether one was seen to its end."""

    iterations: float
    seconds: float
    is_seen: bool


def estimate(
    plan: Plan, should_stop: Callable[[], bool], *, clock: Callable[[], float] = thread_time
) -> Estimate | None:
    """What the plan takes; None if ``should_stop``, which is asked many times a second, says so.

    The seeds are the plan's own, so apart from the seconds the answer is always the same, unless runs are so long
    that time is up before they end. What is measured is the time of the processor: while other programs or threads
    have it, nothing of the plan is done.
    """
    pilots = _pilots(plan.cells)
    samples: dict[int, list[_Sample]] = {cell.number: [] for cell in pilots}
    end = clock() + BUDGET_S
    for position, cell in enumerate(pilots):
        share = max(end - clock(), 0.0) / (len(pilots) - position)
        sample = _sample(cell, 0, plan.max_iterations, clock() + share, should_stop, clock)
        if sample is None:
            return None
        samples[cell.number].append(sample)
    left = _MORE_S
    for cell, run in _further_runs(pilots, plan.runs):
        left -= _guessed_iterations(cell.config) * _guessed_seconds(cell.config)
        if left < 0 or clock() > end:
            break
        if samples[cell.number][0].is_whole:
            sample = _sample(cell, run, plan.max_iterations, end, should_stop, clock)
            if sample is None:
                return None
            if sample.is_whole:
                samples[cell.number].append(sample)
    costs = _costs(plan, pilots, samples)
    iterations = plan.runs * sum(cost.iterations for cost in costs)
    # The samples are done in Python; of a long plan the compiled loop does most.
    is_long = iterations >= compiled_runner.COMPILE_AFTER and compiled_runner.is_available()
    can_run = compiled_runner.can_run
    each = [
        cost.seconds / (_TIMES_FASTER if is_long and can_run(cell.config, None) else 1) + _PER_RUN_S
        for cell, cost in zip(plan.cells, costs, strict=True)
    ]
    return Estimate(
        runs=plan.total_runs,
        iterations=iterations,
        seconds=plan.runs * sum(each),
        is_rough=not all(cost.is_seen for cost in costs),
        loading_seconds=_LOADING_S if is_long else 0.0,
    )


def _pilots(cells: Sequence[Cell]) -> list[Cell]:
    """The cells that are tried, from the quickest to the slowest: all, or some of every kind."""
    by_cost = sorted(cells, key=lambda cell: _guessed_iterations(cell.config) * _guessed_seconds(cell.config))
    if len(by_cost) <= _MAX_PILOTS:
        return by_cost
    last = len(by_cost) - 1
    return [by_cost[position * last // (_MAX_PILOTS - 1)] for position in range(_MAX_PILOTS)]


def _further_runs(pilots: Sequence[Cell], runs: int) -> list[tuple[Cell, int]]:
    return [(cell, run) for run in range(1, min(runs, _MAX_ROUNDS)) for cell in pilots]


def _sample(
    cell: Cell,
    run: int,
    max_iterations: int,
    until: float,
    should_stop: Callable[[], bool],
    clock: Callable[[], float],
) -> _Sample | None:
    """Do a run in slices, to its end or until time is up; None when stopped."""
    start = clock()
    search = RlsGp(cell.config_of(run))
    longest = max(1, int(_LOOK_S / _guessed_seconds(cell.config)))
    size = 1
    while True:
        if should_stop():
            return None
        goal = min(search.iteration + size, max_iterations)
        try:
            # Whether it is stuck is not asked in every small slice, as that takes longer than the slice.
            outcome = search.run(max_iterations=goal, stop_when_stuck=goal >= _WATCHED).outcome
        except TooComplexError:
            outcome = Outcome.STUCK
        if outcome is not Outcome.STOPPED or search.iteration >= max_iterations:
            return _Sample(max(search.iteration, 1), clock() - start, is_whole=True)
        if clock() >= until:
            return _Sample(search.iteration, clock() - start, is_whole=False)
        size = min(2 * size, longest)


def _costs(plan: Plan, pilots: Sequence[Cell], samples: dict[int, list[_Sample]]) -> list[_Cost]:
    seen: dict[int, _Cost] = {}
    for cell in pilots:
        scale = _scale(cell, pilots, samples)
        seen[cell.number] = _cost(cell, plan.max_iterations, samples[cell.number], scale)
    return [seen.get(cell.number) or _cost_like(cell, _nearest(cell, pilots), seen) for cell in plan.cells]


def _scale(cell: Cell, pilots: Sequence[Cell], samples: dict[int, list[_Sample]]) -> float:
    """How many times its guess a run takes, going by those of its kind that were seen to their ends."""
    found = [
        sum(sample.iterations for sample in whole) / len(whole) / _guessed_iterations(pilot.config)
        for pilot in pilots
        if _count_different_settings(pilot, cell) == 0 and (whole := samples[pilot.number])[0].is_whole
    ]
    return median(found) if found else 1.0


def _cost(cell: Cell, max_iterations: int, samples: Sequence[_Sample], scale: float) -> _Cost:
    first = samples[0]
    if not first.is_whole:
        guess = max(scale * _guessed_iterations(cell.config), 1.5 * first.iterations)
        guess = min(guess, float(max_iterations))
        return _Cost(guess, guess * first.seconds / first.iterations, is_seen=False)
    iterations = sum(sample.iterations for sample in samples) / len(samples)
    # The first run of a cell also fills tables that the others find.
    timed = samples[1:] or samples
    return _Cost(iterations, sum(sample.seconds for sample in timed) / len(timed), is_seen=True)


def _cost_like(cell: Cell, pilot: Cell, seen: dict[int, _Cost]) -> _Cost:
    """What a cell takes if it is to its guess as another is to its own."""
    iterations = _guessed_iterations(cell.config) / _guessed_iterations(pilot.config)
    seconds = iterations * _guessed_seconds(cell.config) / _guessed_seconds(pilot.config)
    like = seen[pilot.number]
    return _Cost(like.iterations * iterations, like.seconds * seconds, is_seen=False)


def _nearest(cell: Cell, pilots: Sequence[Cell]) -> Cell:
    """The pilot that is most like it: in its kind, and then in how long it is thought to take."""
    guess = log(_guessed_iterations(cell.config))

    def distance(pilot: Cell) -> tuple[int, float]:
        return _count_different_settings(pilot, cell), abs(guess - log(_guessed_iterations(pilot.config)))

    return min(pilots, key=distance)


def _count_different_settings(one: Cell, other: Cell) -> int:
    """In how many settings they differ that make another kind of run of it."""
    return sum(getattr(one.config, name) != getattr(other.config, name) for name in _KIND)


def _guessed_iterations(config: RunConfig) -> float:
    """Roughly what a run takes: about n log n, and more where the limit leaves no room beside the n leaves."""
    n = config.n
    spare = n if config.max_leaves is None else max(config.max_leaves - n, 0)
    complete = 5 * n * log(n + 1) * (1 + log(n + 1) / (1 + spare))
    if config.rows is None:
        return complete
    return min(complete, 2 + 6.5 * max(log2(config.rows / (config.accept_error + 1)), 0.0))


def _guessed_seconds(config: RunConfig) -> float:
    """Roughly what an iteration takes."""
    if config.rows is None:
        return 5e-6 * (1 + (config.n / 40) ** 2)
    return 20e-6 if config.sampler == "counts" else 70e-6 + 1e-8 * config.rows
