"""What the window shows of an experiment, read from its file in the background."""

from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Final

import numpy as np

from gpviz.app.background import ShouldStop
from gpviz.engine.errors import GpvizError
from gpviz.experiments.places import recent_stores
from gpviz.experiments.plan import Plan
from gpviz.experiments.store import Store
from gpviz.experiments.summary import CellSummary, summarise
from gpviz.experiments.totals import Totals

__all__ = ["Kept", "MedianReader", "Snapshot", "kept_experiments", "read_snapshot"]

_MOST_KEPT: Final = 8
_ENOUGH_S: Final = 0.1
"""So long medians are read at a time: the rest of the table is not to wait for them."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An experiment as it stands."""

    path: Path
    plan: Plan
    totals: list[Totals]
    summaries: list[CellSummary]
    seconds: float
    medians: dict[int, float] = field(default_factory=dict)
    """The median of T by cell, as far as they are read."""
    has_all_medians: bool = True

    @property
    def done_by_cell(self) -> tuple[int, ...]:
        """How many runs of each cell are done."""
        return tuple(totals.runs for totals in self.totals)

    @property
    def done(self) -> int:
        """How many runs are done."""
        return sum(self.done_by_cell)

    @property
    def is_whole(self) -> bool:
        """Whether all runs of the plan are done."""
        return self.done >= self.plan.total_runs


@dataclass(frozen=True, slots=True)
class Kept:
    """An experiment that is kept: enough to offer it."""

    path: Path
    title: str
    done: int
    total: int

    @property
    def is_whole(self) -> bool:
        """Whether all of its runs are done."""
        return self.done >= self.total


class MedianReader:
    """Reads the medians of T little by little: they need every run, where all else needs the totals only.

    Used in one thread. While a cell still gets runs its median is not read; it would not last.
    """

    def __init__(self) -> None:
        self.enough_s = _ENOUGH_S
        self._path: Path | None = None
        self._known: dict[int, tuple[int, float | None]] = {}

    def read(
        self, store: Store, totals: list[Totals], should_stop: ShouldStop, *, is_running: bool
    ) -> tuple[dict[int, float], bool]:
        """The medians that are known by now, by cell, and whether these are all; at least one more each time."""
        if store.path != self._path:
            self._path, self._known = store.path, {}
        start, has_read, is_complete = perf_counter(), False, True
        for cell, total in enumerate(totals):
            known = self._known.get(cell)
            if known is not None and known[0] == total.runs:
                continue
            if is_running and total.runs < store.plan.runs:
                self._known.pop(cell, None)
                continue
            if should_stop() or (has_read and perf_counter() - start > self.enough_s):
                is_complete = False
                break
            values = store.values(cell, "iterations", outcome="solved")
            self._known[cell] = total.runs, float(np.median(values)) if values.size else None
            has_read = True
        found = {cell: median for cell, (_, median) in self._known.items() if median is not None}
        return found, is_complete


def read_snapshot(
    path: Path,
    medians: MedianReader | None = None,
    should_stop: ShouldStop = lambda: False,
    *,
    is_running: bool = False,
) -> Snapshot:
    """The experiment in a file, with medians if there is who reads them; `GpvizError` where there is none."""
    with Store.open(path) as store:
        totals = store.totals()
        known: dict[int, float] = {}
        is_complete = True
        if medians is not None:
            known, is_complete = medians.read(store, totals, should_stop, is_running=is_running)
        summaries = summarise(store.plan, totals)
        return Snapshot(path, store.plan, totals, summaries, store.seconds, known, is_complete)


def kept_experiments(should_stop: ShouldStop) -> list[Kept]:
    """The last experiments that are kept, newest first; files that cannot be read are left out."""
    found: list[Kept] = []
    for path in recent_stores()[:_MOST_KEPT]:
        if should_stop():
            break
        with suppress(GpvizError), Store.open(path) as store:  # it is a list of offers, not of complaints
            done = sum(totals.runs for totals in store.totals())
            found.append(Kept(path, store.plan.title or store.plan.name, done, store.plan.total_runs))
    return found
