"""Recorded runs for tests."""

from typing import Final

from hypothesis import strategies as st

from gpviz.engine.config import RunConfig
from gpviz.engine.formula import format_formula, parse
from gpviz.engine.search import RlsGp
from gpviz.engine.step import Step
from gpviz.engine.tree import Node
from gpviz.runs.history import History
from tests.engine.strategies import configs, trees
from tests.thoroughness import every_day

STUCK: Final = (
    RunConfig(n=4, limit="4", deletion="leaf", seed=1),
    parse("(x1 & x2) | (x2 & x1)"),
)
"""A run that rejects nearly every offspring."""

Recorded = tuple[RlsGp, list[Step], History]


def steps_of(config: RunConfig, iterations: int, start: Node | None = None) -> list[Step]:
    """The first iterations of a run."""
    search = RlsGp(config, start)
    return [search.step() for _ in range(iterations)]


def history_of(config: RunConfig, steps: list[Step], start: Node | None = None) -> History:
    """A history with these steps."""
    history = History(config, start)
    for step in steps:
        history.append(step)
    return history


def recorded(config: RunConfig, iterations: int, start: Node | None = None) -> Recorded:
    """A run, its steps, and its history."""
    search = RlsGp(config, start)
    steps = [search.step() for _ in range(iterations)]
    return search, steps, history_of(config, steps, start)


def history_after(config: RunConfig, iterations: int) -> History:
    """The history of the first iterations of a run."""
    return recorded(config, iterations)[2]


def parsed_trees(n: int = 6, max_leaves: int = 12) -> st.SearchStrategy[Node]:
    """Trees as a person would write them, with the uids that parsing gives."""
    return trees(n, max_leaves=max_leaves).map(lambda tree: parse(format_formula(tree)))


@st.composite
def recorded_runs(draw: st.DrawFn, max_iterations: int = every_day(80, thorough=150)) -> Recorded:
    """Runs of every kind, from the empty tree or another."""
    config = draw(configs())
    start = draw(st.none() | parsed_trees(config.n))
    if start is not None and config.max_leaves is not None and start.leaves > config.max_leaves:
        config = config.replaced(limit=str(start.leaves))
    return recorded(config, draw(st.integers(0, max_iterations)), start)


def run_with_changed_rules() -> History:
    """A run whose tree is stuck under leaf deletion, and that goes on with subtree deletion after iteration 200.

    There the same tree is on a plateau, so that its state depends on the rules alone.
    """
    config = RunConfig(n=4, limit="n", deletion="leaf", seed=66)
    history = recorded(config, 200)[2]
    return history.beginning(200, config.replaced(deletion="subtree"))
