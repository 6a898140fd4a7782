"""Queries over the steps of a run: found in its history, or watched for while it runs.

`verdict == improved and ors > 1`, `error < 10`, `mutation == DEL and size_removed > 2`, `state == STUCK`. The
fields are those of `gpviz.record.query_fields`; letters may be large or small. Where a value is undefined, such as
the error of an offspring that was rejected unseen, every comparison with it is false.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Final

import numpy as np
import numpy.typing as npt

from gpviz.engine import Node, RunConfig, Step, Verdict
from gpviz.record.query_columns import Block, Bools, Record, Walk, answers
from gpviz.record.query_completion import completions, word_start
from gpviz.record.query_fields import FIELDS
from gpviz.record.query_parser import AllOf, Comparison, Condition, QueryError, parse_condition
from gpviz.record.query_state import StateLook
from gpviz.record.query_steps import Look, Tester, fields_in, is_only_of_stuck, tester
from gpviz.run.history import History

__all__ = [
    "EXAMPLES",
    "Finder",
    "Query",
    "QueryError",
    "QueryWatch",
    "Record",
    "completions",
    "find_all",
    "parse_query",
    "word_start",
]

EXAMPLES: Final = (
    ("verdict == improved and ors > 1", "Improvements with more than one OR in the tree"),
    ("error < 10", "Trees that are wrong on fewer than 10 rows"),
    ("mutation == DEL and size_removed > 2", "Deletions of more than a leaf"),
    ("mutation == INS and function == OR and accepted", "ORs that were accepted"),
    ("verdict == worse and error_change == 1", "Offspring that missed by one row"),
    ("state == STUCK", "From when on no better tree can be reached"),
)
"""Queries to begin with, and what they find."""

_BLOCK: Final = 1 << 16
_ASKED_EVERY: Final = 64
_PORTION_S: Final = 0.2
_CHANGED: Final = (Verdict.IMPROVED, Verdict.NEUTRAL)


@dataclass(frozen=True, slots=True)
class Query:
    """A question that each step answers with yes or no."""

    text: str
    condition: Condition
    needs_state: bool
    needs_parent: bool
    needs_sizes: bool
    only_stuck: bool
    only_changes: bool
    """Whether it can be true only of steps that brought another tree."""

    _test: Tester = field(repr=False, compare=False)

    def matches(self, history: History, iteration: int) -> bool:
        """Whether this recorded iteration is one; the start, iteration 0, never is."""
        if not iteration:
            return False
        parent = history.tree_at(iteration - 1) if self.needs_parent else None
        return self.matches_step(history.step_at(iteration), parent, history.config_at(iteration))

    def matches_step(self, step: Step, parent: Node | None, config: RunConfig) -> bool:
        """Whether this step from this parent is one."""
        return self.test(step, parent, Look(config))

    def test(self, step: Step, parent: Node | None, look: Look) -> bool:
        """The same for one of many steps of a run, with what was looked up before."""
        return self._test(step, parent, look)


def parse_query(text: str) -> Query:
    """The query that the text writes; raises `QueryError` with the column."""
    condition = parse_condition(text)
    fields = fields_in(condition)
    return Query(
        text=" ".join(text.split()),
        condition=condition,
        needs_state="state" in fields,
        needs_parent="size_removed" in fields,
        needs_sizes=bool(fields & {"size_removed", "offspring_leaves"}),
        only_stuck=is_only_of_stuck(condition),
        only_changes=_is_only_of_changes(condition),
        _test=tester(condition),
    )


class QueryWatch:
    """Looks at the steps of a run, one after the other, and says which is the first that a query asks for.

    It may be shown only the steps that changed the tree where `looks_at_all` is false.
    """

    def __init__(
        self, query: Query, config: RunConfig, should_stop: Callable[[], bool] | None = None
    ) -> None:
        self.query = query
        self._config = config
        self._should_stop = should_stop
        self.start(None)

    @property
    def looks_at_all(self) -> bool:
        """Whether steps that do not change the tree matter."""
        return not self.query.only_changes

    def start(self, tree: Node | None, should_stop: Callable[[], bool] | None = None) -> None:
        """The run goes on from this tree; a state that takes long to find is given up when it should stop."""
        self._should_stop = should_stop or self._should_stop
        self._tree: Node | None = tree
        self._look = Look(self._config, only_stuck=self.query.only_stuck, should_stop=self._should_stop)

    def reason(self, step: Step) -> str | None:
        """That the step is one the query asks for, as a sentence; None if it is not."""
        parent, tree = self._tree, step.tree
        if tree is not parent:
            self._tree = tree
            if step.verdict is Verdict.IMPROVED or parent is None or parent.leaves != step.leaves:
                self._look.plateau += 1
        if not self.query.test(step, parent, self._look):
            return None
        if self.query.needs_state and self._should_stop is not None and self._should_stop():
            return None  # the state may not have been found to its end
        return f"Iteration {step.iteration:,} is one with {self.query.text}."


class Finder:
    """Looks through a record from ``start`` to before ``stop`` for the iterations a query asks for, bit by bit."""

    def __init__(self, query: Query, record: Record, start: int = 1, stop: int | None = None) -> None:
        self.query = query
        self.searched_to = max(start, 1) - 1
        """The last iteration that was looked at."""
        self._record = record
        self._last = record.length if stop is None else min(stop - 1, record.length)
        self._walk = Walk(record)
        self._states: tuple[RunConfig, StateLook] | None = None
        self._plateaus = record.plateaus() if query.needs_state else np.zeros(0, dtype=np.int64)
        self._deadline: float | None = None

    @property
    def is_done(self) -> bool:
        """Whether all iterations were looked at."""
        return self.searched_to >= self._last

    def go_on(
        self, should_stop: Callable[[], bool] | None = None, seconds: float | None = None
    ) -> npt.NDArray[np.int64]:
        """The next iterations found, after about so many seconds at the latest, or as soon as it should stop."""
        stops = should_stop or _never
        self._deadline = None if seconds is None else monotonic() + seconds
        found = [np.zeros(0, dtype=np.int64)]
        while not self.is_done and not stops():
            first = self.searched_to
            block = Block(self._record, first, min(_BLOCK, self._last - first))
            matches = self._matches(block, stops)
            if stops():
                break  # what was found last may be wrong
            found.append(np.flatnonzero(matches) + first + 1)
            self.searched_to = first + len(matches)
            if self._is_late():
                break
        return np.concatenate(found)

    def _matches(self, block: Block, stops: Callable[[], bool]) -> Bools:
        """For each row whether it matches; fewer rows if time ran out."""
        condition = self.query.condition
        end = block.stop - block.first
        sure, maybe = answers(condition, block)
        if self.query.needs_sizes:
            rows = np.flatnonzero(maybe & ~sure & block.removed()[1])
            end = self._look_up_removed(block, rows, end, stops)
            sure, maybe = answers(condition, block)
        if self.query.needs_state:
            end = self._look_up_states(block, np.flatnonzero((maybe & ~sure)[:end]), end, stops)
            sure, _ = answers(condition, block)
        return sure[:end]

    def _look_up_removed(
        self, block: Block, rows: npt.NDArray[np.int64], end: int, stops: Callable[[], bool]
    ) -> int:
        for count, row in enumerate(map(int, rows), start=1):
            tree = self._walk.tree(int(block.numbers[row]), stops)
            if stops():
                return row
            block.look_up_removed(row, tree)  # which a rejected deletion has left as it was
            if count % _ASKED_EVERY == 0 and self._is_late():
                return row + 1
        return end

    def _look_up_states(
        self, block: Block, rows: npt.NDArray[np.int64], end: int, stops: Callable[[], bool]
    ) -> int:
        if self._states is None or self._states[0] != block.config:
            self._states = block.config, StateLook(block.config, only_stuck=self.query.only_stuck)
        states = self._states[1]
        values, unknown = block.states()
        rows = rows[unknown[rows]]
        place = 0
        while place < len(rows):
            row = int(rows[place])
            number = int(block.numbers[row])
            tree = None if states.is_stuck_for_good else self._walk.tree(number, stops)
            if stops():
                return row
            state = states.state(tree, int(self._plateaus[number]), stops)
            same = (
                len(values)
                if states.is_stuck_for_good
                else int(np.searchsorted(block.numbers, number, side="right"))
            )
            rest = slice(row, same)
            values[rest][unknown[rest]] = state
            unknown[rest] = False
            place = int(np.searchsorted(rows, same))
            if self._is_late() and place < len(rows):
                return int(rows[place])
        return end

    def _is_late(self) -> bool:
        return self._deadline is not None and monotonic() > self._deadline


def find_all(
    query: Query,
    history: History,
    start: int = 1,
    stop: int | None = None,
    should_stop: Callable[[], bool] | None = None,
    most: int | None = None,
) -> list[int]:
    """The recorded iterations the query asks for, in their order; the first ``most`` of them."""
    finder = Finder(query, Record(history), start, stop)
    found: list[int] = []
    while not finder.is_done and (most is None or len(found) < most):
        found += finder.go_on(should_stop, None if most is None else _PORTION_S).tolist()
        if should_stop is not None and should_stop():
            break
    return found[:most]


def _is_only_of_changes(condition: Condition) -> bool:
    if isinstance(condition, AllOf):
        return any(map(_is_only_of_changes, condition.parts))
    wanted = {FIELDS["verdict"].number_of(verdict) for verdict in _CHANGED}
    return (
        isinstance(condition, Comparison)
        and condition.field.name == "verdict"
        and condition.operator == "=="
        and condition.value in wanted
    )


def _never() -> bool:
    return False
