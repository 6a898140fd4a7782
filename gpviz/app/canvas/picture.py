"""What the canvas is asked to show, as plain data: an iteration of a run and what is known about its tree."""

from dataclasses import dataclass

from gpviz.engine import Node, RunConfig, Step
from gpviz.record.history import History

__all__ = ["Picture", "picture_at"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """One iteration: the tree before it, what it proposed, and the tree that survived it.

    At iteration 0 there is no step; ``parent`` and ``offspring`` are then None.
    """

    config: RunConfig
    iteration: int
    tree: Node | None
    step: Step | None = None
    parent: Node | None = None
    offspring: Node | None = None


def picture_at(history: History, iteration: int) -> Picture:
    """What there is to see at this iteration."""
    if not iteration:
        return Picture(config=history.config, iteration=0, tree=history.start)
    step = history.step_at(iteration)
    return Picture(
        config=history.config,
        iteration=iteration,
        tree=step.tree,
        step=step,
        parent=history.tree_at(iteration - 1),
        offspring=history.offspring_at(iteration),
    )
