"""When a run pauses by itself: rules that are checked on every step, wherever the steps are made."""

from dataclasses import dataclass

from gpviz.engine import Function, Node, Operation, RunConfig, State, Step, Verdict, tree_state

__all__ = ["PauseRules", "PauseWatch"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PauseRules:
    """What a run pauses at; ``leaves`` and ``iteration`` are numbers to reach, None for never."""

    stuck: bool = True
    solved: bool = True
    improved: bool = False
    or_accepted: bool = False
    too_large: bool = False
    truly_worse: bool = False
    leaves: int | None = None
    iteration: int | None = None


class PauseWatch:
    """Looks at the steps of one run, one after the other, and says when to pause and why.

    Only a full tree can be stuck, and stuck trees only lead to stuck trees; so a tree's state is asked for when a
    full tree has just come about, and no more once it is known.
    """

    def __init__(self, rules: PauseRules, config: RunConfig) -> None:
        self.rules = rules
        self._config = config
        self._is_known_stuck = False
        self._last_tree: Node | None = None
        self._last_leaves = 0

    def reason(self, step: Step) -> str | None:
        """Why to pause after this step, as a sentence; None to go on."""
        rules = self.rules
        tree_has_changed = step.tree is not self._last_tree
        leaves_before, self._last_leaves = self._last_leaves, step.leaves
        self._last_tree = step.tree
        if rules.solved and step.error is not None and step.error <= self._config.accept_error:
            return "The target is found." if not step.error else "The error is small enough."
        if rules.stuck and tree_has_changed and self._has_got_stuck(step.tree):
            return "The tree is stuck."
        if rules.improved and step.verdict is Verdict.IMPROVED:
            return "The error has improved."
        if rules.or_accepted and _is_accepted_or(step):
            return "An OR was accepted."
        if rules.too_large and step.verdict is Verdict.TOO_LARGE:
            return "The size limit has rejected an offspring."
        if rules.truly_worse and step.is_truly_worse:
            return "An accepted step has made the true error worse."
        if rules.leaves is not None and leaves_before < rules.leaves <= step.leaves:
            return f"The tree has {step.leaves} leaves."
        if rules.iteration == step.iteration:
            return f"Iteration {step.iteration} is reached."
        return None

    def _has_got_stuck(self, tree: Node | None) -> bool:
        """Whether this tree is the first stuck one."""
        limit = self._config.max_leaves
        if self._is_known_stuck or tree is None or limit is None or tree.leaves < limit:
            return False
        self._is_known_stuck = tree_state(tree, self._config).state is State.STUCK
        return self._is_known_stuck


def _is_accepted_or(step: Step) -> bool:
    is_or = step.operation is Operation.INS and step.function is Function.OR
    return is_or and step.is_accepted and step.parent_error is not None  # planting a leaf brings no OR
