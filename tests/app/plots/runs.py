"""Recorded runs for the tests of the plots, and histories that are long without having been run."""

from typing import Final

import numpy as np

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
    log = history._settled()
    for column in log.columns:
        column.extend(np.tile(column.view(), copies - 1))
    changes = log.changes()
    shifts = np.repeat(np.arange(1, copies) * iterations, len(changes.iterations) - 1)
    log._change_iterations.extend(np.tile(changes.iterations[1:], copies - 1) + shifts)
    log._change_leaves.extend(np.tile(changes.leaves[1:], copies - 1))
    log._change_ors.extend(np.tile(changes.ors[1:], copies - 1))
    log._change_distinct.extend(np.tile(changes.distinct[1:], copies - 1))
    log._change_duplicates.extend(np.tile(changes.is_duplicate[1:], copies - 1))
    log._kept.add([log._kept.get(number) for number in range(1, len(log._kept))] * (copies - 1))
    history._length = copies * iterations
    return history
