"""One moment of a run, as plain data: an iteration, what it proposed and what became of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gpviz.engine import Mutation, Node, Rules, RunConfig, Step
from gpviz.engine.forced_mutation import judge
from gpviz.engine.mutation import apply, fresh_uids
from gpviz.runs.history import History, Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One iteration: the tree before it, what it proposed, and the tree that survived it.

    At iteration 0 there is no step; ``parent`` and ``offspring`` are then None. A preview shows what a mutation
    would do: its step is judged, but ``tree`` is the parent whatever the verdict. While ``is_verdict_hidden``,
    nobody sees how it ends. The step was made under ``config``; what comes after it is drawn under
    ``next_config``, where that is another. ``origin`` is how the run began: within one run, branches included, the
    nodes are numbered through. ``error`` is what is recorded of a tree without its step.
    """

    config: RunConfig
    iteration: int
    tree: Node | None
    step: Step | None = None
    parent: Node | None = None
    offspring: Node | None = None
    is_preview: bool = False
    is_verdict_hidden: bool = False
    next_config: RunConfig | None = None
    origin: Origin | None = None
    error: int | None = None

    @property
    def rules(self) -> Rules:
        """The rules that decide what becomes of ``tree``; whatever is said of its state belongs to them.

        The tree of a preview is the parent, to which the step is yet to come.
        """
        if self.is_preview or self.next_config is None:
            return self.config.rules
        return self.next_config.rules

    def is_same_judgement(self, other: "Moment") -> bool:
        """Whether what is known of the tree of one holds for that of the other: it and its rules are the same."""
        return self.tree is other.tree and self.rules == other.rules


def moment_at(history: History, iteration: int) -> Moment:
    """What there is to see at this iteration."""
    if not iteration:
        return tree_at(history, 0)
    step = history.step_at(iteration)
    return Moment(
        config=history.config_at(iteration),
        iteration=iteration,
        tree=step.tree,
        step=step,
        parent=history.tree_at(iteration - 1),
        offspring=history.offspring_at(iteration),
        next_config=history.config_after(iteration),
        origin=history.origin,
    )


def tree_at(history: History, iteration: int) -> Moment:
    """The tree of this iteration and nothing of its step: all there is at the start, or time for."""
    next_config = history.config_after(iteration)
    return Moment(
        config=history.config_at(iteration) if iteration else next_config,
        iteration=iteration,
        tree=history.tree_at(iteration),
        next_config=next_config,
        origin=history.origin,
        error=history.error_at(iteration),
    )


def preview_of(history: History, iteration: int, mutation: Mutation) -> Moment:
    """What the iteration after this one would be if it drew this mutation; raises `GpvizError` if it never can."""
    tree = history.tree_at(iteration)
    uids = fresh_uids(history.first_uid, iteration + 1)
    config = history.config_after(iteration)
    step = judge(config, tree, mutation, iteration + 1, uids)
    offspring = step.tree if step.is_accepted else apply(tree, mutation, uids)
    return Moment(
        config=config,
        iteration=iteration,
        tree=tree,
        step=step,
        parent=tree,
        offspring=offspring,
        is_preview=True,
        origin=history.origin,
    )


@dataclass(frozen=True)
class Overlay:
    """By uid the chance that a mutation there improves, the value on one row, and the node that pulses.

    Nodes that are not named stay as they are. ``title`` is said at the edge of the canvas.
    """

    heat: Mapping[int, float] = field(default_factory=dict)
    values: Mapping[int, bool] = field(default_factory=dict)
    pulsing: int | None = None
    title: str = ""
