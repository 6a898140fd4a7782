"""Finds the step that decided a stuck run, for runs of experiments.

Of such a run only the settings and the end are kept, so it is made again up to where it got stuck. The chance to
end stuck is looked at around every improvement, where it mostly changes, and then between those that differ most,
down to single steps, until nothing can hold a larger rise than the largest one found. This takes a small part of
the work of the whole picture, and its answer depends on the run alone.

What is found is remembered as long as the program runs. It is not kept in the file of the experiment: it can be
had again, will be more exact in a later version, and a file is written by one at a time, or cannot be at all.
"""

import itertools
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from statistics import median
from threading import Lock
from typing import Final

from gpviz.analysis.outlook import Outlook
from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Verdict
from gpviz.engine.errors import GpvizError, TooComplexError
from gpviz.engine.interruption import checkpoint
from gpviz.engine.search import RlsGp
from gpviz.engine.step import Step
from gpviz.experiments.store import Store
from gpviz.experiments.store_query import RunQuery, count_runs, find_runs
from gpviz.explain.outlook_along_run import DECISIVE_RISE, DecisiveStep, RunOutlook
from gpviz.number_text import counted
from gpviz.runs.history import History
from gpviz.runs.step_encoding import Property

MOST_LOOKED_AT: Final = 200
"""So many stuck runs of a cell are enough to see how its runs are decided."""
MOST_ITERATIONS: Final = 1_000_000
"""A run that got stuck later is not made again: it would take long, and much memory."""

_WANTED_ERROR: Final = 0.04
"""The standard error of the two chances that a decisive step lies between."""
_MOST_IMPROVEMENTS: Final = 16
"""Around no more than so many of a run's improvements the chance is looked at first, spread over the run."""
_MOST_TURNS: Final = 80
_PIECE: Final = 1_000
_MOST_KNOWN: Final = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisiveStepFinding:
    """What decided a stuck run: ``step``, if there was one that raised the chance to end stuck by much.

    Otherwise the chance was high from the ``start``, or rose little by little. ``taken`` is the same step as the
    run made it, and ``leaves_before`` the size of the tree before it.
    """

    start: Outlook
    step: DecisiveStep | None = None
    taken: Step | None = None
    leaves_before: int = 0

    @property
    def iteration(self) -> int | None:
        """The iteration that decided the run."""
        return None if self.step is None else self.step.iteration

    @property
    def is_improving(self) -> bool:
        """Whether the error fell in the step that decided the run."""
        return self.taken is not None and self.taken.verdict is Verdict.IMPROVED


def find_decisive_step(config: RunConfig, stuck_since: int) -> DecisiveStepFinding:
    """What decided the run of this configuration, which got stuck in that iteration.

    Passes checkpoints. Raises `GpvizError` where it got stuck too late, or did not, and where an error takes too
    long to count.
    """
    if stuck_since > MOST_ITERATIONS:
        raise GpvizError(
            f"The run got stuck in iteration {stuck_since:,}; decisive steps are looked for up to"
            f" {MOST_ITERATIONS:,}."
        )
    return decisive_step_of(_history(config, stuck_since))


def decisive_step_of(history: History) -> DecisiveStepFinding:
    """What decided a run that got stuck in the last of these iterations; as `find_decisive_step`."""
    stuck_since = len(history)
    run = RunOutlook(history, wanted_error=_WANTED_ERROR)
    known = _indices_around_improvements(history, run.starts)
    for index in reversed(known):
        _look_at(run, index)
        end = run.at(stuck_since)
        if end is not None and end.stuck < 1:
            raise GpvizError(f"The run is not stuck in iteration {stuck_since:,} when it is made again.")
    for _ in range(_MOST_TURNS):
        checkpoint()
        first, last = max(itertools.pairwise(known), key=lambda gap: _rise(run, *gap), default=(0, 0))
        if last - first > 1:
            middle = (first + last) // 2
            _look_at(run, middle)
            known = sorted({*known, middle})
            continue
        job = run.step_job(run.starts[last])
        if job is None:
            break
        job.work()
    start = run.at(0)
    assert start is not None
    step = max(run.decisive_steps(), key=lambda each: each.rise, default=None)  # the first of equal ones
    if step is None:
        return DecisiveStepFinding(start=start)
    return DecisiveStepFinding(
        start=start,
        step=step,
        taken=history.step_at(step.iteration),
        leaves_before=history.sizes_at(step.iteration - 1)[0],
    )


def more_precise(finding: DecisiveStepFinding, history: History) -> DecisiveStepFinding:
    """The same with chances as precise as in the outlook of a run; passes checkpoints."""
    if finding.step is None:
        return finding
    iteration, run = finding.step.iteration, RunOutlook(history)
    while (job := run.step_job(iteration)) is not None:
        checkpoint()
        job.work()
    return replace(finding, step=run.change_at(iteration))


def _history(config: RunConfig, iterations: int) -> History:
    history, search = History(config), RlsGp(config)
    while len(history) < iterations:
        checkpoint()
        history.extend([search.step() for _ in range(min(_PIECE, iterations - len(history)))])
    return history


def _indices_around_improvements(history: History, starts: list[int]) -> list[int]:
    """Which of the trees of a run are before or after an improvement; the first and the last one are too."""
    improved = []
    iteration = history.next_where(Property.IMPROVED, 0)
    while iteration is not None:
        improved.append(iteration)
        iteration = history.next_where(Property.IMPROVED, iteration)
    some = improved[:: -(-len(improved) // _MOST_IMPROVEMENTS)] if improved else []
    index_of = {start: index for index, start in enumerate(starts)}
    indices = {index_of[iteration] for iteration in some}
    return sorted({0, len(starts) - 1, *indices, *(index - 1 for index in indices if index)})


def _look_at(run: RunOutlook, index: int) -> None:
    job = None if run.at(run.starts[index]) is not None else run.next_job(near=run.starts[index])
    if job is not None:
        job.work()
    if run.is_too_complex(run.starts[index]):
        raise TooComplexError("Counting the errors of the trees of this run takes too long.")


def _rise(run: RunOutlook, first: int, last: int) -> float:
    before, after = run.at(run.starts[first]), run.at(run.starts[last])
    assert before is not None
    assert after is not None
    return after.stuck - before.stuck


class KnownDecisiveSteps:
    """What is known of the findings of runs, for all who ask in any thread; the oldest are forgotten."""

    def __init__(self, most: int = _MOST_KNOWN) -> None:
        self._most = most
        self._lock = Lock()
        self._known: OrderedDict[RunConfig, DecisiveStepFinding | GpvizError] = OrderedDict()

    def get(self, config: RunConfig) -> DecisiveStepFinding | None:
        """What is known of a run; None where it was not looked for, or cannot be found out."""
        known = self._get(config)
        return known if isinstance(known, DecisiveStepFinding) else None

    def problem(self, config: RunConfig) -> str:
        """Why it cannot be found out what decided a run; empty where it can, or nobody has tried."""
        known = self._get(config)
        return str(known) if isinstance(known, GpvizError) else ""

    def find(self, config: RunConfig, stuck_since: int) -> DecisiveStepFinding:
        """As `find_decisive_step`, unless it is known."""
        known = self._get(config)
        if known is None:
            try:
                known = find_decisive_step(config, stuck_since)
            except GpvizError as problem:
                known = problem
            self._keep(config, known)
        if isinstance(known, GpvizError):
            raise known
        return known

    def find_precisely(self, config: RunConfig, stuck_since: int) -> DecisiveStepFinding:
        """The same, with chances as precise as in the outlook of a run. For many runs it takes too long."""
        finding = self.find(config, stuck_since)
        if finding.step is not None:
            finding = more_precise(finding, _history(config, stuck_since))
            self._keep(config, finding)
        return finding

    def _keep(self, config: RunConfig, found: DecisiveStepFinding | GpvizError) -> None:
        with self._lock:
            self._known[config] = found
            while len(self._known) > self._most:
                self._known.popitem(last=False)

    def _get(self, config: RunConfig) -> DecisiveStepFinding | GpvizError | None:
        with self._lock:
            return self._known.get(config)


DECISIVE_STEPS: Final = KnownDecisiveSteps()
"""What is known in this program."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CellDecisiveSteps:
    """What decided the stuck runs of a cell: of ``stuck`` ones so many are ``wanted``, and some are known.

    Of those that ``failed`` it cannot be found out.
    """

    stuck: int
    wanted: int
    findings: tuple[DecisiveStepFinding, ...]
    numbers: tuple[int, ...] = ()
    """Of which runs they are."""
    failed: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether all that are wanted are known, as far as they can be."""
        return self.looked_at >= self.wanted

    @property
    def looked_at(self) -> int:
        return len(self.findings) + self.failed

    @property
    def decided(self) -> list[tuple[DecisiveStepFinding, Step]]:
        """Those with a decisive step, and that step."""
        return [(each, each.taken) for each in self.findings if each.taken is not None]

    def as_dict(self) -> dict[str, int | float | None]:
        """What they come to, for JSON."""
        decided = self.decided
        return {
            "stuck": self.stuck,
            "looked_at": self.looked_at,
            "decided": len(decided),
            "improving": sum(finding.is_improving for finding, _ in decided),
            "median_iteration": _median(taken.iteration for _, taken in decided),
            "median_error_before": _median(taken.parent_error for _, taken in decided),
            "median_error_after": _median(taken.error for _, taken in decided),
            "median_leaves_before": _median(finding.leaves_before for finding, _ in decided),
            "median_leaves_after": _median(taken.leaves for _, taken in decided),
        }

    @property
    def text(self) -> str:
        """What they come to, in sentences."""
        data = self.as_dict()
        decided, improving = len(self.decided), data["improving"] or 0
        parts = []
        if not self.is_complete:
            parts.append(f"Looked at {self.looked_at:,} of {counted(self.wanted, 'stuck run')} so far.")
        if self.stuck > self.wanted:
            parts.append(f"The first {self.wanted:,} of {self.stuck:,} stuck runs are looked at.")
        if decided:
            share = f"{100 * improving / decided:.0f} %"
            before, after = data["median_error_before"] or 0, data["median_error_after"] or 0
            parts.append(
                f"{counted(decided, 'stuck run')} with a decisive step, {improving:,} ({share}) with one that"
                f" improves the error. Median error {before:,g} before the step and {after:,g} after it."
            )
        others = len(self.findings) - decided
        if others:
            parts.append(
                f"In {counted(others, 'more run' if decided else 'run')} no single step raised the chance to end"
                f" stuck by {100 * DECISIVE_RISE:.0f} points or more."
            )
        if self.failed:
            parts.append(f"{counted(self.failed, 'run')} could not be looked at.")
        return " ".join(parts)


def _median(values: Iterable[int | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(median(known)) if known else None


def decisive_steps_of(
    store: Store,
    cell: int,
    on_progress: Callable[[int, int], object] = lambda done, wanted: None,
    is_enough: Callable[[], bool] = lambda: False,
) -> CellDecisiveSteps:
    """What decided the first stuck runs of a cell, up to `MOST_LOOKED_AT`.

    Once it ``is_enough`` only what is known already is added, but one more at least is found each time.
    ``on_progress`` is called with how many are known and how many are wanted.
    """
    query = RunQuery(cells=(cell,), outcome="stuck")
    runs = find_runs(store, query, 0, MOST_LOOKED_AT)
    findings: list[DecisiveStepFinding] = []
    numbers: list[int] = []
    failed = 0
    has_found = False
    for run in runs:
        config, since = store.plan.cells[cell].config_of(run.row.number), run.row.stuck_since
        finding = DECISIVE_STEPS.get(config)
        if finding is None and since is not None and not (has_found and is_enough()):
            on_progress(len(findings) + failed, len(runs))
            has_found = True
            try:
                finding = DECISIVE_STEPS.find(config, since)
            except GpvizError:
                failed += 1
        if finding is not None:
            findings.append(finding)
            numbers.append(run.row.number)
    return CellDecisiveSteps(
        stuck=count_runs(store, query),
        wanted=len(runs),
        findings=tuple(findings),
        numbers=tuple(numbers),
        failed=failed,
    )
