"""The state of a tree where a query asks for it: found as seldom as possible, as finding it may take long."""

from collections.abc import Callable
from typing import Final

from gpviz.engine import Node, RunConfig, State, TooComplexError, tree_state
from gpviz.engine.stuck import has_spare_leaf

__all__ = ["STATES", "StateLook"]

STATES: Final = tuple(State)
_CLIMBING: Final = STATES.index(State.CLIMBING)
_STUCK: Final = STATES.index(State.STUCK)
_UNDECIDED: Final = STATES.index(State.UNDECIDED)


class StateLook:
    """Looks at the trees of one run in their order, and gives their states as places in `STATES`.

    Stuck trees only lead to stuck trees. Where only STUCK is asked for, more is left out: a tree below the limit
    is never stuck, and between an improvement or a change of size and the next, which is what callers number as a
    plateau, either all trees are stuck or none is.
    """

    def __init__(self, config: RunConfig, *, only_stuck: bool) -> None:
        self._config = config
        self._only_stuck = only_stuck and not config.is_sampled
        self._tree: Node | None = None
        self._plateau = -1
        self._state = _CLIMBING
        self.is_stuck_for_good = False

    def state(self, tree: Node | None, plateau: int, should_stop: Callable[[], bool] | None = None) -> int:
        """The state of this tree; who should stop does not get the right one."""
        if tree is None:
            return _CLIMBING
        if self.is_stuck_for_good:
            return _STUCK
        if tree is self._tree or (self._only_stuck and plateau == self._plateau):
            return self._state
        self._state = self._found(tree, should_stop)
        self._tree, self._plateau = tree, plateau
        self.is_stuck_for_good = self._state == _STUCK
        return self._state

    def _found(self, tree: Node, should_stop: Callable[[], bool] | None) -> int:
        limit = self._config.max_leaves
        if self._only_stuck and (limit is None or tree.leaves < limit or has_spare_leaf(tree, self._config)):
            return _CLIMBING  # or solved, which is no matter here
        try:
            return STATES.index(tree_state(tree, self._config, should_stop=should_stop).state)
        except TooComplexError:  # then nobody knows
            return _UNDECIDED
