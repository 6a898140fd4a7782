"""One moment of a run, as plain data: an iteration, what it proposed and what became of it."""

from dataclasses import dataclass

from gpviz.engine import Mutation, Node, RunConfig, Step
from gpviz.engine.mutation import apply, fresh_uids
from gpviz.engine.selection import judge
from gpviz.run.history import History

__all__ = ["Moment", "moment_at", "preview_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One iteration: the tree before it, what it proposed, and the tree that survived it.

    At iteration 0 there is no step; ``parent`` and ``offspring`` are then None. A preview shows what a mutation
    would do: its step is judged, but ``tree`` is the parent whatever the verdict. While ``is_verdict_hidden``,
    nobody is told how it ends.
    """

    config: RunConfig
    iteration: int
    tree: Node | None
    step: Step | None = None
    parent: Node | None = None
    offspring: Node | None = None
    is_preview: bool = False
    is_verdict_hidden: bool = False


def moment_at(history: History, iteration: int) -> Moment:
    """What there is to see at this iteration."""
    if not iteration:
        return Moment(config=history.config_after(0), iteration=0, tree=history.start)
    step = history.step_at(iteration)
    return Moment(
        config=history.config_at(iteration),
        iteration=iteration,
        tree=step.tree,
        step=step,
        parent=history.tree_at(iteration - 1),
        offspring=history.offspring_at(iteration),
    )


def preview_of(history: History, iteration: int, mutation: Mutation) -> Moment:
    """What the iteration after this one would be if it drew this mutation; raises `GpvizError` if it never can."""
    tree = history.tree_at(iteration)
    uids = fresh_uids(history.first_uid, iteration + 1)
    step = judge(history.config, tree, mutation, iteration + 1, uids)
    offspring = step.tree if step.is_accepted else apply(tree, mutation, uids)
    return Moment(
        config=history.config,
        iteration=iteration,
        tree=tree,
        step=step,
        parent=tree,
        offspring=offspring,
        is_preview=True,
    )
