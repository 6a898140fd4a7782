"""Long computations end at a checkpoint soon after somebody wants them to, wherever they are."""

import sys
import threading
from collections.abc import Callable
from random import Random
from types import FrameType
from typing import Any

import pytest

from gpviz.analysis import neighbourhood, redundancy
from gpviz.analysis.redundant_leaves import analyse
from gpviz.engine import RunConfig, State, TooComplexError, format_formula, parse, simplified, tree_state
from gpviz.engine.interruption import (
    EFFORT_BETWEEN,
    Deadline,
    Effort,
    ShouldStop,
    Stopped,
    checkpoint,
    stoppable,
)
from gpviz.engine.stuck import NormalForms
from gpviz.engine.true_row_count import count_tree
from tests.thoroughness import every_day

TANGLED = parse(" & ".join(f"(x{i} | x{i % 40 + 1} | x{i * 7 % 40 + 1})" for i in range(1, 41)))
"""Its prime implicants are too many to list, and counting its rows takes more cases than are allowed."""

STUCK = parse("(x1 & x2) | (x2 & x1)")
STUCK_CONFIG = RunConfig(n=4, limit="4", deletion="leaf")


class Impatient:
    """Wants it to stop after it was asked so many times."""

    def __init__(self, patience: int) -> None:
        self.asked = 0
        self._patience = patience

    def __call__(self) -> bool:
        self.asked += 1
        return self.asked > self._patience


def test_where_nobody_asked_for_it_a_checkpoint_is_passed() -> None:
    checkpoint()
    with stoppable(None):
        checkpoint()
    with stoppable(lambda: False):
        checkpoint()


def test_who_wants_it_to_stop_is_heard_within_the_block_only() -> None:
    with stoppable(lambda: True), pytest.raises(Stopped):
        checkpoint()
    checkpoint()


@pytest.mark.parametrize(("outer", "inner"), [(True, False), (False, True), (True, True)])
def test_one_block_within_another_asks_both(outer: bool, inner: bool) -> None:
    with stoppable(lambda: outer):
        with stoppable(lambda: inner), pytest.raises(Stopped):
            checkpoint()
        if not outer:
            checkpoint()


def test_another_thread_goes_on() -> None:
    passed: list[bool] = []

    def go() -> None:
        checkpoint()
        passed.append(True)

    with stoppable(lambda: True):
        thread = threading.Thread(target=go)
        thread.start()
        thread.join()
    assert passed == [True]


@pytest.mark.parametrize("patience", [3, 12])
def test_counting_a_tangled_tree_asks_again_and_again_and_ends_at_once(patience: int) -> None:
    impatient = Impatient(patience)
    with stoppable(impatient), pytest.raises(Stopped):
        count_tree(TANGLED, 40)
    assert impatient.asked == patience + 1


@pytest.mark.parametrize(
    "work",
    [
        lambda should_stop: neighbourhood(TANGLED, RunConfig(n=40, limit="inf"), should_stop=should_stop),
        lambda should_stop: redundancy(TANGLED, RunConfig(n=40, limit="inf"), should_stop=should_stop),
        lambda should_stop: neighbourhood(STUCK, STUCK_CONFIG, should_stop=should_stop),
        lambda should_stop: redundancy(STUCK, STUCK_CONFIG, should_stop=should_stop),
    ],
)
def test_what_has_no_answer_in_part_is_stopped(work: Callable[[ShouldStop], object]) -> None:
    impatient = Impatient(2)
    with pytest.raises(Stopped):
        work(impatient)
    assert impatient.asked == 3


def test_a_state_that_nobody_waits_for_is_undecided() -> None:
    impatient = Impatient(0)
    state = tree_state(TANGLED, RunConfig(n=40, limit=str(TANGLED.leaves)), should_stop=impatient)
    assert (state.state, state.error, impatient.asked) == (State.UNDECIDED, None, 1)


def test_below_the_limit_a_tree_is_climbing_also_where_nobody_waits_for_its_error() -> None:
    impatient = Impatient(0)
    state = tree_state(TANGLED, RunConfig(n=41, limit="inf"), should_stop=impatient)
    assert (state.state, state.error, impatient.asked) == (State.CLIMBING, None, 1)


def test_a_search_that_is_stopped_says_how_far_it_came() -> None:
    state = tree_state(STUCK, STUCK_CONFIG, should_stop=lambda: True)
    assert (state.state, state.error, state.plateau_trees) == (State.UNDECIDED, 3, 1)
    assert state.reason.startswith("The search stopped after 1 kind of tree")


def test_reasons_that_were_found_before_it_stopped_are_returned() -> None:
    everything = Impatient(10**9)
    whole = analyse(STUCK, STUCK_CONFIG, everything)
    parts = [analyse(STUCK, STUCK_CONFIG, Impatient(asked)) for asked in range(everything.asked)]
    found = [len(part.reasons) for part in parts]
    assert found == sorted(found)
    assert len(whole.reasons) - 1 in found
    assert all(part.state == whole.state for part in parts if part.reasons)


def test_a_computation_that_counts_what_it_does_asks_after_every_so_much_of_it() -> None:
    patient = Impatient(10**9)
    effort = Effort()
    with stoppable(patient):
        for _ in range(10 * EFFORT_BETWEEN):
            effort.spend(1)
    assert patient.asked == 10


def test_a_deadline_is_over_when_its_time_is_and_a_part_of_it_earlier() -> None:
    now = 100.0
    whole = Deadline(20.0, lambda: now)
    now = 104.0
    half = whole.part(0.5)
    now = 111.0
    assert (half(), whole(), half.seconds) == (False, False, 8.0)
    now = 112.0
    assert (half(), whole()) == (True, False)
    now = 120.0
    assert (half(), whole()) == (True, True)
    assert whole.part(0.5)()


def alternating(leaves: int, n: int, function: str = "&") -> str:
    """A balanced formula whose levels are AND and OR in turn."""
    random = Random(leaves)

    def part(size: int, function: str) -> str:
        if size == 1:
            return f"x{random.randint(1, n)}"
        other = "|" if function == "&" else "&"
        return f"({part(size // 2, other)} {function} {part(size - size // 2, other)})"

    return part(leaves, function)


def pairs(count: int, n: int) -> str:
    """So many ANDed pairs of ORs."""
    random = Random(count)
    return " & ".join(f"(x{random.randint(1, n)} | x{random.randint(1, n)})" for _ in range(count))


def sums(count: int, size: int) -> str:
    """ANDed ORs of so many variables, each two of which take the most unions that are tried."""
    ors = [" | ".join(f"x{(at * size + i) % 1000 + 1}" for i in range(size)) for at in range(count)]
    return " & ".join(f"(({first}) & ({second}))" for first, second in zip(ors[::2], ors[1::2], strict=True))


class Auditor:
    """Counts the lines of the program that are done between two questions, and wants to stop in the end."""

    def __init__(self, patience: int) -> None:
        self.asked = 0
        self.most_lines = 0
        self._lines = 0
        self._patience = patience

    def __call__(self) -> bool:
        self._look()
        self.asked += 1
        return self.asked > self._patience

    def run(self, work: Callable[[], object]) -> None:
        before = sys.gettrace()
        sys.settrace(self._trace)
        try:
            with stoppable(self):
                work()
        except (Stopped, TooComplexError):
            pass
        finally:
            sys.settrace(before)
        self._look()

    def _look(self) -> None:
        self.most_lines = max(self.most_lines, self._lines)
        self._lines = 0

    def _trace(self, _frame: FrameType, _event: str, _argument: Any) -> Callable[..., Any]:
        return self._count

    def _count(self, _frame: FrameType, event: str, _argument: Any) -> Callable[..., Any]:
        if event == "line":
            self._lines += 1
        return self._count


HOSTILE = {
    "alternating": (alternating(256, 50), 50),
    "sums": (sums(60, 32), 1_000),
    "pairs": (pairs(200, 50), 50),
    "many pairs": (pairs(3_000, 1_000), 1_000),
}
TRIED = every_day(["alternating", "sums"], thorough=list(HOSTILE))


@pytest.mark.parametrize("name", TRIED)
@pytest.mark.parametrize(
    "work",
    [
        lambda tree, full: parse(format_formula(tree)),
        lambda tree, full: simplified(tree),
        lambda tree, full: tree_state(tree, full),
        lambda tree, full: tree_state(tree, full.replaced(limit="inf")),
        lambda tree, full: tree_state(tree, full.replaced(deletion="leaf")),
        lambda tree, full: neighbourhood(tree, full),
        lambda tree, full: neighbourhood(tree, full.replaced(limit="inf", fitness="sampled", rows=1_000)),
        lambda tree, full: redundancy(tree, full),
        lambda tree, full: NormalForms().of(tree),
    ],
    ids=["parse", "simplified", "full", "below", "leaf deletion", "around", "sampled", "redundancy", "form"],
)
def test_little_is_done_between_two_checkpoints_whatever_the_tree(
    name: str, work: Callable[[Any, RunConfig], object]
) -> None:
    formula, n = HOSTILE[name]
    tree = parse(formula, n)
    auditor = Auditor(every_day(2, thorough=4))
    auditor.run(lambda: work(tree, RunConfig(n=n, limit=str(tree.leaves))))
    assert auditor.most_lines < 400_000  # some hundredths of a second
