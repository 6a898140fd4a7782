"""Random moments of many kinds of runs, the same in every session, for what has to hold in every picture."""

from collections.abc import Iterator
from random import Random

from gpviz.engine import RlsGp, RunConfig
from gpviz.explain.moment import Moment, moment_at
from gpviz.runs.history import History

MOST_LEAVES = 50


def random_histories(seed: int, *, iterations: int = 400) -> Iterator[History]:
    """Runs with few and with many variables, with every kind of limit and deletion, on all rows and on samples."""
    random = Random(seed)
    while True:
        n = random.choice((2, 3, 4, 5, 6, 8, 12, 16))
        config = RunConfig(
            n=n,
            limit=str(random.choice((n, n + 1, 2 * n, min(3 * n, MOST_LEAVES), min(4 * n, MOST_LEAVES)))),
            deletion=random.choice(("leaf", "subtree")),
            seed=random.randrange(10_000),
            **({"fitness": "sampled", "rows": str(random.choice((5, 40)))} if random.random() < 0.15 else {}),
        )
        search, history = RlsGp(config), History(config)
        for _ in range(iterations):
            history.append(search.step())
        yield history


def random_moments(count: int, seed: int = 1) -> Iterator[tuple[History, Moment]]:
    """So many moments, a few of each run."""
    random = Random(seed)
    histories = random_histories(seed)
    for _ in range(0, count, 20):
        history = next(histories)
        for iteration in sorted(random.sample(range(1, len(history) + 1), min(20, count))):
            yield history, moment_at(history, iteration)
