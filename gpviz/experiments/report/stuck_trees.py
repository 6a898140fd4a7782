"""Finds trees on which runs got stuck, each of another kind, by doing those runs again."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Outcome
from gpviz.engine.search import RlsGp
from gpviz.engine.stuck import NormalForms
from gpviz.engine.tree import Node
from gpviz.experiments.report.results import Results

__all__ = ["StuckTree", "stuck_trees"]

_PER_N: Final = 2
_MOST_TRIED: Final = 60


@dataclass(frozen=True, slots=True)
class StuckTree:
    """A tree that can never be improved, and the run that came to it; its seed is in the configuration."""

    config: RunConfig
    tree: Node
    stuck_since: int
    error: int


def stuck_trees(results: Results) -> list[StuckTree]:
    """For each n the smallest trees that got stuck, at most two, no two alike; by n."""
    by_n: dict[int, list[tuple[tuple[int, int, int], RunConfig]]] = {}
    for cell in results.plan.cells:
        for row in results.stuck(cell.number):
            order = (row.leaves, row.iterations, row.number)
            by_n.setdefault(cell.config.n, []).append((order, cell.config_of(row.number)))
    forms = NormalForms()
    seen: set[int] = set()
    return [
        tree
        for n in sorted(by_n)
        for tree in _different([config for _, config in sorted(by_n[n], key=_order)], results, forms, seen)
    ]


def _order(found: tuple[tuple[int, int, int], RunConfig]) -> tuple[tuple[int, int, int], str]:
    return found[0], found[1].limit


def _different(
    configs: Sequence[RunConfig], results: Results, forms: NormalForms, seen: set[int]
) -> list[StuckTree]:
    """The first few whose trees are of another kind than those seen before."""
    found: list[StuckTree] = []
    for config in configs[:_MOST_TRIED]:
        result = RlsGp(config).run(max_iterations=results.plan.max_iterations, stop_when_stuck=True)
        if result.outcome is not Outcome.STUCK or result.tree is None or result.error is None:
            continue  # a store of another version of the engine; its runs cannot be shown
        form = forms.of(result.tree)
        if form in seen:
            continue
        seen.add(form)
        found.append(StuckTree(config, result.tree, result.stuck_since or 0, result.error))
        if len(found) == _PER_N:
            break
    return found
