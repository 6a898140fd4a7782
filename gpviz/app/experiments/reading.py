"""What the window shows of an experiment, read from its file in the background."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gpviz.app.background import ShouldStop
from gpviz.engine.errors import GpvizError
from gpviz.experiments.places import recent_stores
from gpviz.experiments.plan import Plan
from gpviz.experiments.store import Store
from gpviz.experiments.summary import CellSummary, summarise
from gpviz.experiments.totals import Totals

__all__ = ["Kept", "Snapshot", "kept_experiments", "read_snapshot"]

_MOST_KEPT: Final = 8


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An experiment as it stands."""

    path: Path
    plan: Plan
    totals: list[Totals]
    summaries: list[CellSummary]
    seconds: float

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


def read_snapshot(path: Path) -> Snapshot:
    """The experiment in a file; raises `GpvizError` where there is none."""
    with Store.open(path) as store:
        totals = store.totals()
        return Snapshot(path, store.plan, totals, summarise(store.plan, totals), store.seconds)


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
