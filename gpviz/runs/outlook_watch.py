"""Finds by how much the accepted steps of a run raise the chance to end stuck, one after the other.

The outlook of a tree is exact where the reachable trees are few, and otherwise estimated from continuations. These
follow from the tree and the seed of the run alone, so that a step has the same rise whenever one looks at it.
"""

from collections.abc import Callable
from math import hypot
from typing import Final, NamedTuple

from gpviz.analysis.outlook import Outlook, outlook
from gpviz.engine.config import RunConfig
from gpviz.engine.errors import TooComplexError
from gpviz.engine.interruption import Stopped
from gpviz.engine.stuck import StableForms, can_get_stuck
from gpviz.engine.tree import Node
from gpviz.number_text import bounded_percent, percent_in_words

_MOST_KNOWN: Final = 5_000
_MOST_LEAVES: Final = 1_000
"""Continuations of larger trees take too long."""
_ERRORS_APART: Final = 2.0
"""A rise that counts is at least so many of its standard errors."""
_LEAST_ERROR: Final = 0.015
_MOST_ERROR: Final = 0.05
_ERRORS_IN_RISE: Final = 4.0
"""An estimate is so precise that its error goes so many times into the rise that is looked for."""


class OutlookRise(NamedTuple):
    """What a step did to the chance to end stuck."""

    before: Outlook
    after: Outlook

    def is_at_least(self, percent: int) -> bool:
        """Whether the chance rose by so many points, and not by the luck of the continuations."""
        error = hypot(self.before.stuck_error, self.after.stuck_error)
        return self.after.stuck - self.before.stuck >= max(percent / 100, _ERRORS_APART * error)

    @property
    def text(self) -> str:
        old, new = (
            percent_in_words(bounded_percent(each.stuck, each.stuck_error, is_least=each.given_up > 0))
            for each in self
        )
        return f"The chance to end stuck rose from {old} to {new}."


class OutlookWatch:
    """Knows the outlooks of the trees that a run comes to; kinds of trees are looked at once."""

    def __init__(self, config: RunConfig) -> None:
        self._config = config
        self._can_get_stuck = can_get_stuck(config.rules)
        self._forms = StableForms(keeps_grouping=True)
        self._known: dict[tuple[int, float], Outlook] = {}

    def rise(
        self, before: Node | None, after: Node | None, percent: int, should_stop: Callable[[], bool]
    ) -> OutlookRise | None:
        """What the step from one tree to the other did, precisely enough to tell a rise by so many points.

        None where no run gets stuck, where nobody can tell, and where it was stopped.
        """
        if not self._can_get_stuck:
            return None
        wanted = min(max(percent / 100 / _ERRORS_IN_RISE, _LEAST_ERROR), _MOST_ERROR)
        old = self._outlook(before, wanted, should_stop)
        new = None if old is None else self._outlook(after, wanted, should_stop)
        return None if old is None or new is None else OutlookRise(old, new)

    def _outlook(self, tree: Node | None, wanted: float, should_stop: Callable[[], bool]) -> Outlook | None:
        if tree is not None and tree.leaves > _MOST_LEAVES:
            return None
        key = (-1 if tree is None else self._forms.of(tree)), wanted
        known = self._known.get(key)
        if known is not None:
            return known
        try:
            found = outlook(tree, self._config, wanted_error=wanted, should_stop=should_stop)
        except (Stopped, TooComplexError):
            return None
        if should_stop():  # then it may be less precise, which would depend on when that was
            return None
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        self._known[key] = found
        return found
