"""A run with branches of every kind, for the tests of this package."""

from typing import NamedTuple

from gpviz.engine import Mutation, RunConfig
from gpviz.engine.enums import Function, Operation, Side
from gpviz.runs.branches import Branches, changed_config, forked
from gpviz.runs.history import History
from tests.runs.runs import recorded

BY_HAND = Mutation(Operation.INS, 1, 2, Function.AND, Side.RIGHT)


class Branched(NamedTuple):
    branches: Branches
    histories: dict[int, History]


def branched_run(config: RunConfig | None = None, length: int = 120) -> Branched:
    """The original; by hand at 40; of that another seed at 60; another limit and deletion at 0."""
    config = config or RunConfig(n=6, limit="2n", seed=1)
    _, _, original = recorded(config, length)
    branches, histories = Branches.of(config), {0: original}

    def grow(parent: int, fork: int, length: int, forced=(), **changes) -> int:
        nonlocal branches
        changed = changed_config(branches[parent].config, changes)
        search, history = forked(histories[parent], fork, changed)
        for iteration in range(fork + 1, length + 1):
            mutation = dict(forced).get(iteration)
            history.append(search.step() if mutation is None else search.force(mutation))
        branches, branch = branches.grown(
            parent, fork, name=f"Branch at {fork}", config=changed, forced=tuple(forced)
        )
        histories[branch.id] = history
        return branch.id

    hand = grow(0, 40, 100, [(41, BY_HAND), (42, BY_HAND)])
    grow(hand, 60, 90, seed=77)
    grow(0, 0, 80, limit="n", deletion="leaf")
    return Branched(branches, histories)
