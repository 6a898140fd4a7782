"""Long computations end at a checkpoint soon after somebody wants them to, wherever they are."""

import threading
from collections.abc import Callable

import pytest

from gpviz.engine import RunConfig, State, TooComplexError, neighbourhood, parse, redundancy, tree_state
from gpviz.engine.interruption import ShouldStop, Stopped, checkpoint, stoppable
from gpviz.engine.row_count import count_tree
from gpviz.engine.tree_analysis import analyse

TANGLED = parse(
    " & ".join(f"(x{place} | x{place % 40 + 1} | x{place * 7 % 40 + 1})" for place in range(1, 41))
)
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


def test_counting_a_tangled_tree_asks_again_and_again_and_ends_at_once() -> None:
    patient = Impatient(10**9)
    with stoppable(patient), pytest.raises(TooComplexError):
        count_tree(TANGLED, 40)
    assert patient.asked > 100
    impatient = Impatient(3)
    with stoppable(impatient), pytest.raises(Stopped):
        count_tree(TANGLED, 40)
    assert impatient.asked == 4


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


@pytest.mark.parametrize("limit", ["inf", str(TANGLED.leaves)])
def test_a_state_that_nobody_waits_for_is_undecided(limit: str) -> None:
    impatient = Impatient(0)
    state = tree_state(TANGLED, RunConfig(n=40, limit=limit), should_stop=impatient)
    assert (state.state, state.error, impatient.asked) == (State.UNDECIDED, None, 1)


def test_a_search_that_is_stopped_says_how_far_it_came() -> None:
    state = tree_state(STUCK, STUCK_CONFIG, should_stop=lambda: True)
    assert (state.state, state.error, state.plateau_trees) == (State.UNDECIDED, 3, 1)
    assert state.reason.startswith("The search stopped after 1 kind of tree")


def test_reasons_that_were_found_before_it_stopped_are_told() -> None:
    everything = Impatient(10**9)
    whole = analyse(STUCK, STUCK_CONFIG, everything)
    parts = [analyse(STUCK, STUCK_CONFIG, Impatient(asked)) for asked in range(everything.asked)]
    found = [len(part.reasons) for part in parts]
    assert found == sorted(found)
    assert len(whole.reasons) - 1 in found
    assert all(part.state == whole.state for part in parts if part.reasons)
