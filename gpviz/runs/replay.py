"""Replaying a saved run: its iterations once more, the proof that they are the same, and how it ended."""

from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Final, NamedTuple

from gpviz.engine.enums import Outcome, State
from gpviz.engine.errors import GpvizError, TooComplexError, shown
from gpviz.engine.interruption import USUAL_SECONDS, Deadline, stoppable
from gpviz.engine.mutation import Mutation
from gpviz.engine.search import RlsGp
from gpviz.engine.step import Result
from gpviz.engine.stuck import tree_state
from gpviz.runs.branches import forked
from gpviz.runs.history import Generalisation, History
from gpviz.runs.run_file import RunFile

MOST_SECONDS: Final = USUAL_SECONDS
_PROGRESS_ITERATIONS: Final = 4096
_PROGRESS_SECONDS: Final = 0.1


class Cancelled(GpvizError):  # noqa: N818  # asked for, so no error
    """A person stopped a replay."""


class Replayed(NamedTuple):
    """A branch that was done again."""

    search: RlsGp
    history: History


def replay_all(
    run_file: RunFile, on_progress: Callable[[int, int], object] | None = None
) -> tuple[Replayed, ...]:
    """The original run and every branch; raises `GpvizError` if one is not what was saved.

    ``on_progress`` learns how many iterations are done, and of how many, every few thousand of them and several
    times a second; if it returns True the replay ends with `Cancelled`.
    """
    total = run_file.iterations + sum(branch.iterations - branch.at for branch in run_file.branches)
    clock = _Clock(total, on_progress)
    search = RlsGp(run_file.config, run_file.start_tree, run_file.script)
    original = Replayed(search, History(run_file.config, run_file.start_tree, run_file.script))
    _do_again(original, run_file.iterations, {}, clock)
    _verify("The run", original.history, run_file.fingerprint)
    done = [original]
    for index, saved in enumerate(run_file.branches):
        try:
            branch = Replayed(*forked(done[saved.parent].history, saved.at, saved.config))
            _do_again(branch, saved.iterations, dict(saved.forced), clock)
        except Cancelled:
            raise
        except GpvizError as error:
            raise GpvizError(f"branches[{index}]: {error}") from error
        _verify(f"The branch {shown(saved.name)}", branch.history, saved.fingerprint)
        done.append(branch)
    return tuple(done)


class _Clock:
    """Reports how far a replay is. Some runs take seconds for one iteration, so the time counts too."""

    def __init__(self, total: int, on_progress: Callable[[int, int], object] | None) -> None:
        self._total = total
        self._done = 0
        self._on_progress = on_progress
        self._reported_at = monotonic()

    def tick(self) -> None:
        self._done += 1
        if self._on_progress is None:
            return
        now = monotonic()
        if self._done % _PROGRESS_ITERATIONS == 0 or now - self._reported_at >= _PROGRESS_SECONDS:
            self._reported_at = now
            if self._on_progress(self._done, self._total):
                raise Cancelled(f"The replay was cancelled after {self._done} of {self._total} iterations.")


def _do_again(branch: Replayed, iterations: int, forced: dict[int, Mutation], clock: _Clock) -> None:
    search, history = branch
    for iteration in range(len(history) + 1, iterations + 1):
        mutation = forced.get(iteration)
        history.append(search.step() if mutation is None else search.force(mutation))
        clock.tick()


def _verify(what: str, history: History, fingerprint: str) -> None:
    found = history.fingerprint()
    if found != fingerprint:
        raise GpvizError(
            f"{what} does not replay: its {len(history)} iterations give {found}, but the file says"
            f" {fingerprint}; it was changed, or saved by a gpviz that runs differently."
        )


def result_of(search: RlsGp) -> Result:
    """How the run that ``search`` has done ended."""
    if search.config.is_solved(search.error):
        return search.result(Outcome.SOLVED)
    return search.result(Outcome.STUCK if stuck_since(search) is not None else Outcome.STOPPED)


def stuck_since(search: RlsGp, should_stop: Callable[[], bool] | None = None) -> int | None:
    """The first iteration after which the tree was stuck, also where its error is small enough.

    A proof that takes longer than `MOST_SECONDS` is given up: then it is not known, as if it were not so.
    """
    try:
        with stoppable(Deadline(MOST_SECONDS)):
            state = tree_state(search.tree, search.config, should_stop=should_stop).state
    except TooComplexError:  # then nobody knows, and the run can be looked at all the same
        return None
    return search.settled_since if state is State.STUCK else None


def generalisation_of(
    search: RlsGp, history: History, should_stop: Callable[[], bool] | None = None
) -> Generalisation:
    """The generalisation error wherever the tree changed; nothing for a run on the complete truth table."""
    curve = Generalisation()
    if not history.config.is_sampled:
        return curve
    for iteration in history.changes().iterations.tolist():
        tree = history.tree_at(iteration)
        if should_stop is not None and should_stop():
            raise Cancelled("Nobody waits for the run any more.")
        if tree is not None:
            with suppress(TooComplexError):  # a sampled run goes on where its true error cannot be counted
                curve.extend([(iteration, search.target.error(tree) / search.target.rows)])
    return curve
