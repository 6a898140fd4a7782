"""Replaying a saved run: its iterations once more, the proof that they are the same, and how it ended."""

from collections.abc import Callable
from time import monotonic
from typing import Final

from gpviz.engine.errors import GpvizError
from gpviz.engine.search import RlsGp
from gpviz.engine.step import Result
from gpviz.engine.stuck import tree_state
from gpviz.engine.words import Outcome, State
from gpviz.record.history import History
from gpviz.record.saved import RunFile

__all__ = ["Cancelled", "replay", "result_of"]

_PROGRESS_ITERATIONS: Final = 4096
_PROGRESS_SECONDS: Final = 0.1


class Cancelled(GpvizError):  # noqa: N818  # a wish, not an error
    """A person stopped a replay."""


def replay(
    run_file: RunFile, on_progress: Callable[[int, int], object] | None = None
) -> tuple[RlsGp, History]:
    """The run and its history; raises `GpvizError` if they are not what was saved.

    ``on_progress`` is told how many iterations are done, and of how many, every few thousand of them and several
    times a second; if it returns True the replay ends with `Cancelled`.
    """
    search = RlsGp(run_file.config, run_file.start_tree)
    history = History(run_file.config, run_file.start_tree)
    total = run_file.iterations
    told_at = monotonic()
    for done in range(1, total + 1):
        history.append(search.step())
        if on_progress is None:
            continue
        # Some runs take seconds for one iteration, so the clock is asked too.
        now = monotonic()
        if done % _PROGRESS_ITERATIONS == 0 or now - told_at >= _PROGRESS_SECONDS:
            told_at = now
            if on_progress(done, total):
                raise Cancelled(f"The replay was cancelled after {done} of {total} iterations.")
    found = history.fingerprint()
    if found != run_file.fingerprint:
        raise GpvizError(
            f"The run does not replay: its {total} iterations give {found}, but the file says"
            f" {run_file.fingerprint}; it was changed, or saved by a gpviz that runs differently."
        )
    return search, history


def result_of(search: RlsGp) -> Result:
    """How the run that ``search`` has done ended."""
    if search.error is not None and search.error <= search.config.accept_error:
        return search.result(Outcome.SOLVED)
    is_stuck = tree_state(search.tree, search.config).state is State.STUCK
    return search.result(Outcome.STUCK if is_stuck else Outcome.STOPPED)
