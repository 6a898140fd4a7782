"""What charts are made from: an experiment, and digests of its runs that a thread reads from the store."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from gpviz.experiments.decisive_steps import CellDecisiveSteps, decisive_steps_of
from gpviz.experiments.figures.cell_groups import cell_label
from gpviz.experiments.plan import Plan
from gpviz.experiments.statistics.cell_statistics import CellSummary, Spread, ecdf, histogram_edges, spread_of
from gpviz.experiments.store import Store
from gpviz.experiments.totals import Totals

MOST_STEPS: Final = 1_000
"""The most steps of a curve: about as many as a plot has columns."""

Floats = npt.NDArray[np.float64]
ShouldStop = Callable[[], bool]
_ENOUGH_S: Final = 0.6
"""After this long, what has been read is shown, and the rest is read later."""
_LOWEST_SHARE: Final = 1e-30


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartInput:
    """All that a chart may be made from: an experiment, what is chosen, and what was read from its runs."""

    plan: Plan
    totals: Sequence[Totals] = ()
    summaries: Sequence[CellSummary] = ()
    """By the number of the cell."""
    cell: int = 0
    cells: tuple[int, ...] = ()
    measure: str = "iterations"
    is_log_x: bool = False
    is_log_y: bool = False
    is_survival: bool = False
    has_upper: bool = False
    digests: Mapping[int, Any] = field(default_factory=dict)
    """What was read from the runs, by cell."""
    label: Callable[[Plan, int], str] = cell_label
    """Names a cell."""


@dataclass(frozen=True, slots=True)
class ValuesRequest:
    """What is to be read: the values of one measure in some cells, as ``kind`` has them: bins, steps or spread.

    The kind decisive_steps is about what decided the stuck runs, and has no measure.
    """

    kind: str
    measure: str
    cells: tuple[int, ...]
    is_log: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Bins:
    """A histogram: one more edge than counts, what it is of, and how many values a logarithmic axis leaves out."""

    edges: Floats
    counts: npt.NDArray[np.int64]
    spread: Spread
    mean: float
    left_out: int


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """The share of runs, of so many, solved by each iteration, or with at most each value of a measure."""

    t: Floats
    share: Floats
    runs: int


Digest = Bins | Steps | Spread | CellDecisiveSteps


@dataclass(frozen=True, slots=True)
class ValuesAnswer:
    """What was read of a request, and whether that is all."""

    path: Path
    request: ValuesRequest
    digests: dict[int, Digest]
    seconds: float
    is_complete: bool


class ValueReader:
    """Reads what is asked for and remembers it as long as the cell has no more runs. Used in one thread."""

    def __init__(self) -> None:
        self._path: Path | None = None
        self.is_complete = True
        """Whether all could be read in time; what could not is read when it is asked for again."""
        self.enough_s = _ENOUGH_S
        self.on_progress: Callable[[int, int], object] = lambda done, wanted: None
        """Called while decisive steps are looked for: how many are known, and how many are wanted."""
        self._known: dict[tuple[str, int], tuple[int, dict[tuple[str, bool], Digest | None]]] = {}

    def answer(
        self, path: Path, request: ValuesRequest, runs: Sequence[int], should_stop: ShouldStop
    ) -> ValuesAnswer:
        """What is asked for, and how long it took."""
        start = perf_counter()
        digests = self.read(path, request, runs, should_stop)
        return ValuesAnswer(path, request, digests, perf_counter() - start, self.is_complete)

    def read(
        self, path: Path, request: ValuesRequest, runs: Sequence[int] | None, should_stop: ShouldStop
    ) -> dict[int, Digest]:
        """What is asked for, by cell; cells without such runs are left out.

        ``runs`` says how many runs each cell has, if that is known: what has as many as before is not read again.
        """
        if path != self._path:
            self._path, self._known = path, {}
        found: dict[int, Digest] = {}
        start = perf_counter()
        self.is_complete, has_read = True, False
        with Store.open(path) as store:
            counts = [totals.runs for totals in store.totals()] if runs is None else list(runs)
            for cell in request.cells:
                if should_stop():
                    break
                if request.kind == "decisive_steps":
                    decided = decisive_steps_of(
                        store, cell, self.on_progress, lambda: perf_counter() - start > self.enough_s
                    )
                    self.is_complete = self.is_complete and decided.is_complete
                    found[cell] = decided
                    continue
                before = self._known.get((request.measure, cell))
                if before is None or before[0] != counts[cell]:
                    if has_read and perf_counter() - start > self.enough_s:
                        self.is_complete = False
                        continue
                    has_read = True  # at least one each time, or it would never end
                    values = _values(store, cell, request.measure, should_stop)
                    if should_stop():
                        break  # these may not be all
                    before = counts[cell], _digests(values, request.measure, _runs_of(store, cell))
                    self._known[request.measure, cell] = before
                digest = before[1].get((request.kind, request.is_log))
                if digest is not None:
                    found[cell] = digest
        return found


def _digests(values: Floats, measure: str, runs: int) -> dict[tuple[str, bool], Digest | None]:
    """Everything that any chart needs of these values: reading them takes much longer than this."""
    spread = spread_of(values)
    if spread is None:
        return {}
    found: dict[tuple[str, bool], Digest | None] = {
        ("spread", False): spread,
        ("steps", False): steps_of(values, runs),
    }
    for is_log in (False, True):
        found["bins", is_log] = _bins(values, spread, measure, is_log=is_log)
    return found


def _values(store: Store, cell: int, measure: str, should_stop: ShouldStop) -> Floats:
    """The values of the solved runs of a cell; not all of them, where nobody waits for them any more."""
    if measure != "final_generalisation_error":
        return store.values(cell, measure, outcome="solved").astype(np.float64)
    rows = 2 ** store.plan.cells[cell].config.n
    shares: list[float] = []
    for row in store.rows(cell):  # one by one, as they may be larger than any column of numbers holds
        if should_stop():
            break
        if row.outcome == "solved" and row.wrong_rows is not None:
            shares.append(row.wrong_rows / rows)
    return np.array(shares, dtype=np.float64)


def _runs_of(store: Store, cell: int) -> int:
    """How many runs a cell has by now: some may have come since they were counted for the window."""
    ((count,),) = store.query("SELECT count(*) FROM runs WHERE cell = ?", (cell,))
    return int(count)


def _bins(values: Floats, spread: Spread, measure: str, *, is_log: bool) -> Bins | None:
    is_share = measure == "final_generalisation_error"
    chosen = values[values > (_LOWEST_SHARE if is_share else 0)] if is_log else values
    edges = (_share_edges if is_share else histogram_edges)(chosen, is_log=is_log)
    if edges.size < 2:
        return None
    counts, _ = np.histogram(chosen, edges)
    return Bins(edges, counts, spread, float(values.mean()), int(values.size - chosen.size))


def _share_edges(values: Floats, *, is_log: bool) -> Floats:
    if not values.size:
        return np.empty(0)
    low, high = float(values.min()), float(values.max())
    count = int(np.clip(np.sqrt(values.size), 5, 40))
    if is_log:
        return np.geomspace(low / 1.1, high * 1.1, count + 1)
    return np.linspace(0.0, high * (1 + 1e-9) or 1.0, count + 1)


def steps_of(values: npt.ArrayLike, runs: int, most: int = MOST_STEPS) -> Steps | None:
    """The steps of runs that were solved after these iterations, at most so many; None where there are none."""
    t, share = ecdf(values, runs)
    return Steps(*thinned(t, share, most), runs) if t.size else None


def thinned(t: Floats, share: Floats, most: int = MOST_STEPS) -> tuple[Floats, Floats]:
    """At most so many of the steps: those at equally many shares, and at equally many iterations; ends stay."""
    if t.size <= most:
        return t, share
    half = most // 2
    by_count = np.linspace(0, t.size - 1, half)
    by_time = np.searchsorted(t, np.geomspace(max(t[0], 1.0), t[-1], most - half))
    indices = np.unique(np.concatenate([by_count, by_time]).astype(np.int64).clip(0, t.size - 1))
    return t[indices], share[indices]
