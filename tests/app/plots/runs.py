"""Recorded runs for the tests of the plots, and histories that are long without having been run."""

from typing import Final

from gpviz.engine import RlsGp, RunConfig
from gpviz.runs.history import History

SHORT: Final = RunConfig(n=8, limit="n+1", deletion="leaf", seed=254)
SAMPLED: Final = RunConfig(n=20, limit="n", fitness="sampled", rows=100, sampler="counts", seed=3)


def recorded(config: RunConfig = SHORT, iterations: int = 200) -> History:
    """The history of the first iterations of a run."""
    history = History(config)
    grow(history, iterations)
    return history


def grow(history: History, iterations: int) -> None:
    """Let a recorded run go on. It starts again from the seed, which gives the same iterations."""
    search = RlsGp(history.config, history.start)
    steps = [search.step() for _ in range(len(history) + iterations)]
    for step in steps[len(history) :]:
        history.append(step)


def long_history(copies: int, config: RunConfig = SHORT, iterations: int = 10_000) -> History:
    """A run whose iterations are repeated, since a test has no time for a million of them."""
    history = recorded(config, iterations)
    rows = History(config).encoder.encode([history.step_at(number + 1) for number in range(iterations)])
    for shift in range(iterations, copies * iterations, iterations):
        changes = rows.changes._replace(iterations=rows.changes.iterations + shift)
        history.take_in(rows._replace(first=shift + 1, changes=changes))
    return history
