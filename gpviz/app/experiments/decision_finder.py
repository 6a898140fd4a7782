"""Finds what decided the stuck runs of a table, one after the other, in the background."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from gpviz.app.tasks import BackgroundTask
from gpviz.engine.config import RunConfig
from gpviz.engine.errors import GpvizError
from gpviz.engine.interruption import ShouldStop
from gpviz.experiments import decisive_steps
from gpviz.experiments.decisive_steps import MOST_LOOKED_AT
from gpviz.experiments.plan import Plan
from gpviz.experiments.store import Store, StoredRun
from gpviz.experiments.store_query import MAX_PAGE, RunQuery, find_runs

_Wanted = tuple[RunConfig, int]
"""A run, and since when it is stuck."""


class DecisionFinder(QObject):
    """Looks for the decisive steps of stuck runs; what is found is known to the whole program."""

    progressed = Signal()
    """One more is found, or it has begun or ended."""
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plan: Plan | None = None
        self._wanted: list[_Wanted] = []
        self.done = 0
        self.total = 0
        """How many are looked for, of which so many are done."""
        self.others = 0
        """How many more stuck runs there are whose decisive steps are not known."""
        self._task = BackgroundTask("gpviz-decisions", self)
        self._task.finished.connect(self._on_worked)
        self._task.failed.connect(self._on_failed)

    @property
    def is_busy(self) -> bool:
        """Whether it is still looking."""
        return self._task.is_busy

    def find_all(self, path: Path, plan: Plan, query: RunQuery, seen: Sequence[StoredRun]) -> None:
        """Look for those of the stuck runs of a query, first of the ``seen`` ones; of a few hundred at most."""
        self._plan = plan
        self.done = self.total = self.others = 0
        self._task.ask(partial(_unknown, path, plan, query, seen))
        self.progressed.emit()

    def find(self, config: RunConfig, stuck_since: int) -> None:
        """Look for that of one run."""
        self._wanted = [(config, stuck_since)]
        self.done, self.total, self.others = 0, 1, 0
        self._go_on()

    def cancel(self) -> None:
        """Look no further; what is found stays."""
        was_busy = self.is_busy
        self._task.cancel()
        self._wanted = []
        if was_busy:
            self.progressed.emit()

    def close(self) -> None:
        """End its thread."""
        self._task.close()

    def _go_on(self) -> None:
        if self._wanted:
            self._task.ask(partial(_found, *self._wanted.pop(0)))
        self.progressed.emit()

    @Slot(object)
    def _on_worked(self, answer: tuple[list[_Wanted], int] | None) -> None:
        if answer is not None:
            self._wanted, self.others = answer
            self.total = len(self._wanted)
        else:
            self.done += 1
        self._go_on()

    @Slot(object)
    def _on_failed(self, problem: Exception) -> None:
        self._wanted = []
        self.progressed.emit()
        self.failed.emit(problem)


def _unknown(
    path: Path, plan: Plan, query: RunQuery, seen: Sequence[StoredRun], _: ShouldStop
) -> tuple[list[_Wanted], int]:
    """The stuck runs whose decisive steps are to be looked for, and how many there are besides."""
    with Store.open(path) as store:
        listed = find_runs(store, replace(query, outcome="stuck"), 0, MAX_PAGE)
    known = decisive_steps.DECISIONS
    wanted: dict[RunConfig, int] = {}
    for run in (*seen, *listed):
        if run.row.stuck_since is not None:
            config = plan.cells[run.cell].config_of(run.row.number)
            if known.get(config) is None and not known.problem(config):
                wanted.setdefault(config, run.row.stuck_since)
    found = list(wanted.items())
    return found[:MOST_LOOKED_AT], len(found[MOST_LOOKED_AT:])


def _found(config: RunConfig, stuck_since: int, _: ShouldStop) -> None:
    try:
        decisive_steps.DECISIONS.find(config, stuck_since)
    except GpvizError:
        return  # why is known from now on, and stands in the table
