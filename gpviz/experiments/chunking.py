"""Cuts what is left of an experiment into chunks, so that all workers are busy until it is done."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log
from typing import Final

from gpviz.engine.config import RunConfig
from gpviz.experiments.batch import Chunk, ChunkResult
from gpviz.experiments.plan import Plan

__all__ = ["Work"]

_AIM_S: Final = 1.0
"""How long a chunk is to take: long beside what it costs to send and to write it, short enough to watch."""

_LEAST_S: Final = 0.02
_FIRST_S: Final = 0.05
_MOST_FIRST_RUNS: Final = 16
_MOST_RUNS: Final = 4_096
_GROWTH: Final = 8  # a chunk is at most this many times as long as what its expected time was measured by
_SHARES: Final = 4  # what is left is cut into so many chunks a worker, so that none has a long tail
_END: Final = 3  # the end begins when so many chunks or runs a worker are left, the longest there are


@dataclass(slots=True)
class _Cell:
    """What is known of a cell: the runs that nobody was given yet, and what those that are done have cost."""

    config: RunConfig
    gaps: deque[range]
    waiting: int
    guess: float
    left: int = 0
    runs: int = 0
    seconds: float = 0.0
    is_begun: bool = False


@dataclass(slots=True)
class _Flight:
    """A chunk that somebody was given, and the numbers of its runs that have not come back."""

    cell: int
    numbers: set[int] = field(default_factory=set)


class Work:
    """What is left of a plan: hands out chunks, and learns from what comes back how long they take.

    Every cell has a small chunk first, those that look slow before others. From then on the cell with most runs
    to do is next, so that all grow alike, and an experiment that is cancelled is no lopsided one. Towards the end
    the runs that take longest come first and the shortest last, in ever smaller chunks, so that all workers end
    together.
    """

    def __init__(self, plan: Plan, missing: Sequence[Sequence[range]]) -> None:
        self._max_iterations = plan.max_iterations
        self._cells: list[_Cell] = []
        for cell, gaps in zip(plan.cells, missing, strict=True):
            count = sum(len(gap) for gap in gaps)
            entry = _Cell(
                cell.config, deque(gap for gap in gaps if gap), count, _guess(cell.config), left=count
            )
            self._cells.append(entry)
        self._flights: list[_Flight] = []
        self._measured_s = 0.0
        self._guessed_s = 0.0

    @property
    def in_flight(self) -> int:
        """How many chunks have not come back."""
        return len(self._flights)

    def next_chunk(self, workers: int) -> Chunk | None:
        """The next chunk for one of so many workers; None where all runs are handed out."""
        workers = max(workers, 1)
        waiting = [number for number, cell in enumerate(self._cells) if cell.waiting]
        if not waiting:
            return None
        costs = {number: self._cost(self._cells[number]) for number in waiting}
        waiting_s = sum(cost * self._cells[number].waiting for number, cost in costs.items())
        is_ending = waiting_s < _END * workers * max(_AIM_S, *costs.values())
        number = max(waiting, key=lambda each: self._urgency(each, costs[each], is_ending=is_ending))
        cell = self._cells[number]
        gap = cell.gaps.popleft()
        runs = min(self._runs(cell, waiting_s / workers), len(gap))
        if runs < len(gap):
            cell.gaps.appendleft(gap[runs:])
        cell.waiting -= runs
        cell.is_begun = True
        self._flights.append(_Flight(number, set(gap[:runs])))
        return Chunk(number, cell.config, gap.start, runs, self._max_iterations)

    def take(self, result: ChunkResult) -> bool:
        """Learn from what came back; False if nobody waits for these runs, so that they must not count."""
        numbers = {row.number for row in result.rows}
        for position, flight in enumerate(self._flights):
            if flight.cell == result.cell and numbers and numbers <= flight.numbers:
                flight.numbers -= numbers
                if not flight.numbers:
                    del self._flights[position]
                break
        else:
            return False
        cell = self._cells[result.cell]
        cell.left -= len(numbers)
        cell.runs += len(numbers)
        cell.seconds += result.seconds
        self._measured_s += result.seconds
        self._guessed_s += cell.guess * len(numbers)
        return True

    def seconds_left(self) -> float | None:
        """How long one worker would need for all that has not come back; None until anything is measured."""
        if not self._guessed_s:
            return None
        return sum(self._cost(cell) * cell.left for cell in self._cells if cell.left)

    def _urgency(self, number: int, cost: float, *, is_ending: bool) -> tuple[int, float, float, int]:
        """The largest comes next: cells that nobody has begun first, and those that nobody has measured last."""
        cell = self._cells[number]
        rank = 2 if not cell.is_begun else 1 if cell.runs else 0
        more = 0 if is_ending or rank == 2 else cell.waiting
        return rank, more, cost, -number

    def _runs(self, cell: _Cell, left_s: float) -> int:
        """How many runs of a cell to hand out, where each worker has still so much to do."""
        cost = max(self._cost(cell), 1e-6)
        if not cell.runs:
            return max(1, min(int(_FIRST_S / cost), _MOST_FIRST_RUNS))
        aim = min(_AIM_S, max(_LEAST_S, left_s / _SHARES))
        return max(1, min(int(aim / cost), _GROWTH * cell.runs, _MOST_RUNS))

    def _cost(self, cell: _Cell) -> float:
        """The expected seconds of a run: as measured, or as guessed by the cells that were measured."""
        if cell.runs:
            return cell.seconds / cell.runs
        return cell.guess * (self._measured_s / self._guessed_s if self._guessed_s else 1.0)


def _guess(config: RunConfig) -> float:
    """Seconds a run may take; only the order and the proportions matter, and only until they are measured."""
    n = config.n
    if config.rows is not None:
        return 3e-7 * n * (8 + log(max(config.rows, 2)) ** 2 / (1 + config.accept_error / 16))
    return 5e-5 * n * log(n + 2) * (1 + n / 64)
