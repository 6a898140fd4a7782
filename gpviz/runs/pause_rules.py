"""The rules by which a run pauses by itself, checked on every step as it is made, or on steps that are recorded.

One rule asks by how much a step raises the chance to end stuck. The outlooks before and after the step are exact
where the reachable trees are few, and otherwise estimated from continuations. These follow from the tree and the
seed of the run alone, so a step gives the same answer whenever it is looked at.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import hypot
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np

from gpviz.analysis.outlook import Outlook, outlook
from gpviz.engine import (
    Node,
    RunConfig,
    State,
    Step,
    TooComplexError,
    Verdict,
    tree_state,
)
from gpviz.engine.interruption import Stopped
from gpviz.engine.stuck import StableForms, can_get_stuck, has_spare_leaf
from gpviz.number_text import bounded_percent, percent_in_words
from gpviz.runs.history import History
from gpviz.runs.step_encoding import Property, next_row

STUCK: Final = "The tree is stuck."
IMPROVED: Final = "The error has improved."
OR_ACCEPTED: Final = "An ∨ was accepted."
DUPLICATE_ACCEPTED: Final = "A copy of a variable was accepted."
TOO_LARGE: Final = "The size limit has rejected an offspring."
TRUE_ERROR_GREW: Final = "An accepted step made the true error grow."
FULL: Final = "The tree is full."

_IMPROVED: Final = Verdict.IMPROVED
_NEUTRAL: Final = Verdict.NEUTRAL
_VERDICT: Final = Step._fields.index("verdict")

_MOST_KNOWN: Final = 5_000
_MOST_LEAVES: Final = 1_000
"""Continuations from larger trees take too long."""
_ERRORS_APART: Final = 2.0
"""A rise counts if it is at least this many times its standard error."""
_LEAST_ERROR: Final = 0.015
_MOST_ERROR: Final = 0.05
_ERRORS_IN_RISE: Final = 4.0
"""The rise that is looked for is this many times the standard error of an estimate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PauseRules:
    """What a run pauses at; ``leaves`` and ``iteration`` are numbers to reach, None for never.

    ``stuck_rise`` pauses at a step that raises the chance to end stuck by at least so many points, from 1 to 100.
    That takes many continuations of the run at every accepted change.
    """

    stuck: bool = True
    solved: bool = True
    improved: bool = False
    or_accepted: bool = False
    duplicate_accepted: bool = False
    too_large: bool = False
    true_error_grew: bool = False
    full: bool = False
    leaves: int | None = None
    iteration: int | None = None
    stuck_rise: int | None = None


class OutlookRise(NamedTuple):
    """The outlooks before and after a step."""

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
    """Remembers the outlooks of the trees that a run comes to, one for each kind of tree."""

    def __init__(self, config: RunConfig) -> None:
        self._config = config
        self._can_get_stuck = can_get_stuck(config.rules)
        self._forms = StableForms(keeps_grouping=True)
        self._known: dict[tuple[int, float], Outlook] = {}

    def rise(
        self, before: Node | None, after: Node | None, percent: int, should_stop: Callable[[], bool]
    ) -> OutlookRise | None:
        """The outlooks of two trees, precise enough to recognise a rise by so many points.

        None where no run gets stuck, where it takes too long to find out, and where it was stopped.
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


class PauseWatch:
    """Looks at the steps of one run, one after the other, and decides when to pause, and why.

    ``stuck_since`` is the first iteration after which the tree was stuck, None as long as it is not. Only a full
    tree can be stuck, stuck trees only lead to stuck trees, and between an improvement or a change of size and the
    next, a full tree goes through neutral substitutions, which can be undone; so a tree's state is asked for only
    where a full tree has just come about by one of those.

    ``rises`` are the steps that raised the chance to end stuck enough, by iteration; whoever takes them may empty
    it. ``is_called_off`` is asked meanwhile whether the run is to stop at this step anyway.
    """

    def __init__(
        self,
        rules: PauseRules,
        config: RunConfig,
        should_stop: Callable[[], bool] | None = None,
    ) -> None:
        self.stuck_since: int | None = None
        self.rises: dict[int, OutlookRise] = {}
        self.is_called_off: Callable[[], bool] = lambda: False
        self._outlooks = OutlookWatch(config)
        self._tree: Node | None = None
        self._config = config
        self._should_stop = should_stop
        self._is_first = True
        self.rules = rules
        self._last_error: int | None = None
        self._last_leaves = 0

    @property
    def rules(self) -> PauseRules:
        """What to pause at; the rules may be changed at any time."""
        return self._rules

    @rules.setter
    def rules(self, rules: PauseRules) -> None:
        self._rules = rules
        # Most iterations leave the tree as it is, and few rules care for those.
        is_any_watched = rules.too_large or rules.iteration is not None or self._config.is_sampled
        self._looks_at_all = is_any_watched

    @property
    def looks_at_all(self) -> bool:
        """Whether the next step matters even if it does not change the tree."""
        return self._looks_at_all or self._is_first

    def start(self, tree: Node | None, error: int | None, *, is_judged: bool = False) -> None:
        """Go on from this tree, so that only what is new gives a reason to pause.

        ``is_judged`` says that the tree was looked at before, under the same rules.
        """
        self._last_error = error
        self._last_leaves = 0 if tree is None else tree.leaves
        self._tree = tree
        self._is_first = not is_judged

    def reason(self, step: Step) -> str | None:
        """Why to pause after this step, as a sentence; None to go on."""
        verdict = step[_VERDICT]
        # Comparing identities is faster than anything else that could be asked of a verdict.
        if verdict is not _IMPROVED and verdict is not _NEUTRAL and not self.looks_at_all:
            return None
        rules = self._rules
        leaves = step.leaves
        error_before, self._last_error = self._last_error, step.error
        leaves_before, self._last_leaves = self._last_leaves, leaves
        rise = self._rise(step)
        has_got_stuck = False
        is_new = step.verdict is Verdict.IMPROVED or leaves != leaves_before
        if is_new or self._is_first:
            has_got_stuck = self._has_got_stuck(step, is_new=is_new)
        is_solved = self._config.is_solved
        if rules.solved and is_solved(step.error) and not is_solved(error_before):
            return _solved(step.error, self._config)
        if rules.stuck and has_got_stuck:
            return STUCK
        if rise is not None:
            return rise.text
        if rules.improved and step.verdict is Verdict.IMPROVED:
            return IMPROVED
        if rules.or_accepted and step.or_accepted:
            return OR_ACCEPTED
        if rules.duplicate_accepted and step.duplicate_accepted:
            return DUPLICATE_ACCEPTED
        if rules.too_large and step.verdict is Verdict.TOO_LARGE:
            return TOO_LARGE
        if rules.true_error_grew and step.true_error_grew:
            return TRUE_ERROR_GREW
        limit = self._config.max_leaves
        if rules.full and limit is not None and leaves_before < limit <= leaves:
            return FULL
        if rules.leaves is not None and leaves_before < rules.leaves <= leaves:
            return _leaves(leaves)
        if rules.iteration == step.iteration:
            return _reached(step.iteration)
        return None

    def _rise(self, step: Step) -> OutlookRise | None:
        """The rise of the chance to end stuck, where that is a reason to pause."""
        before, self._tree = self._tree, step.tree
        percent = self._rules.stuck_rise
        is_changed = step.verdict is _IMPROVED or step.verdict is _NEUTRAL
        if percent is None or not is_changed or self.stuck_since is not None or self._is_rise_unwanted():
            return None
        rise = self._outlooks.rise(before, step.tree, percent, self._is_rise_unwanted)
        if rise is None or not rise.is_at_least(percent):
            return None
        self.rises[step.iteration] = rise
        return rise

    def _is_rise_unwanted(self) -> bool:
        is_given_up = self._should_stop is not None and self._should_stop()
        return is_given_up or self.is_called_off() or self._rules.stuck_rise is None

    def _has_got_stuck(self, step: Step, *, is_new: bool) -> bool:
        """Whether this step's tree is the first stuck one; one that was stuck from the start is nothing new."""
        self._is_first = False
        limit = self._config.max_leaves
        if self.stuck_since is not None or limit is None or step.leaves < limit or self._config.is_sampled:
            return False
        assert step.tree is not None
        if has_spare_leaf(step.tree, self._config):
            return False
        try:
            state = tree_state(step.tree, self._config, should_stop=self._should_stop).state
        except TooComplexError:  # then nobody knows, and the run goes on
            return False
        if state is not State.STUCK:
            return False
        # A first step that neither improved the tree nor changed its size found it stuck from the start.
        self.stuck_since = step.iteration if is_new else step.iteration - 1
        return is_new


def next_pause(
    history: History,
    iteration: int,
    stop: int,
    rules: PauseRules,
    stuck_since: int | None,
    rises: Mapping[int, OutlookRise] = MappingProxyType({}),
) -> tuple[int, str] | None:
    """The first recorded iteration after this one and before ``stop`` at which the rules pause, and why.

    ``rises`` are those that a watch found when the iterations were made; others are not looked for.
    """
    found: list[tuple[int, int, str]] = []  # the second number decides between reasons of the same iteration
    if rules.solved:
        found += _next_solved(history, iteration, stop)
    if rules.stuck and stuck_since:
        found.append((stuck_since, 1, STUCK))
    if rules.stuck_rise is not None:
        percent = rules.stuck_rise
        found += [(at, 1, rise.text) for at, rise in rises.items() if rise.is_at_least(percent)]
    codes = history.codes(1, stop)  # what comes later is of no interest, and looking through it may take long
    for priority, is_on, wanted, reason in (
        (2, rules.improved, Property.IMPROVED, IMPROVED),
        (3, rules.or_accepted, Property.OR_ACCEPTED, OR_ACCEPTED),
        (5, rules.too_large, Property.TOO_LARGE, TOO_LARGE),
        (6, rules.true_error_grew, Property.TRUE_ERROR_GREW, TRUE_ERROR_GREW),
    ):
        row = next_row(codes, wanted, iteration) if is_on else None
        if row is not None:
            found.append((row + 1, priority, reason))
    if rules.duplicate_accepted:
        found += _next_duplicate(history, iteration, stop)
    if rules.full:
        found += _next_full(history, iteration, stop)
    if rules.leaves is not None:
        grown = _next_growth(history, iteration, stop, rules.leaves)
        found += [(at, 8, _leaves(history.sizes_at(at)[0])) for at in grown]
    if rules.iteration is not None:
        found.append((rules.iteration, 9, _reached(rules.iteration)))
    at, _, reason = min((entry for entry in found if iteration < entry[0] < stop), default=(0, 0, ""))
    return (at, reason) if at else None


def _next_solved(history: History, iteration: int, stop: int) -> list[tuple[int, int, str]]:
    for first, end, config in history.stretches(iteration + 1, stop):
        is_solved = history.errors(first, end) <= config.accept_error  # nan, the empty tree's, is not
        was_solved = np.concatenate(([config.is_solved(history.error_at(first - 1))], is_solved[:-1]))
        indices = np.flatnonzero(is_solved & ~was_solved)
        if len(indices):
            at = first + int(indices[0])
            return [(at, 0, _solved(history.error_at(at), config))]
    return []


def _next_duplicate(history: History, iteration: int, stop: int) -> list[tuple[int, int, str]]:
    changes = history.changes()
    first, last = np.searchsorted(changes.iterations, (iteration + 1, stop))
    indices = np.flatnonzero(changes.is_duplicate[first:last])
    return [(int(changes.iterations[first + indices[0]]), 4, DUPLICATE_ACCEPTED)] if len(indices) else []


def _next_full(history: History, iteration: int, stop: int) -> list[tuple[int, int, str]]:
    for first, end, config in history.stretches(iteration + 1, stop):
        limit = config.max_leaves
        grown = [] if limit is None else _next_growth(history, first - 1, end, limit)
        if grown:
            return [(grown[0], 7, FULL)]
    return []


def _next_growth(history: History, iteration: int, stop: int, wanted: int) -> list[int]:
    """The first iteration that brought so many leaves to a tree that had fewer, if there is one."""
    changes = history.changes()
    first, last = np.searchsorted(changes.iterations, (iteration + 1, stop))  # 0, the start, is always before
    leaves = changes.leaves[first - 1 : last]
    grown = np.flatnonzero((leaves[1:] >= wanted) & (leaves[:-1] < wanted))
    return [int(changes.iterations[first + int(grown[0])])] if len(grown) else []


def _solved(error: int | None, config: RunConfig) -> str:
    if error:
        return "The error is small enough."
    return "There is no error on this iteration's rows." if config.is_sampled else "The target is found."


def _leaves(leaves: int) -> str:
    return "The tree has 1 leaf." if leaves == 1 else f"The tree has {leaves} leaves."


def _reached(iteration: int) -> str:
    return f"Iteration {iteration:,} is reached."
