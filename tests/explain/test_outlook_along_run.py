"""The outlook along a run, and the steps that decided it."""

from contextlib import suppress
from copy import copy
from itertools import count, pairwise
from threading import Thread

import pytest

from gpviz.analysis import outlook
from gpviz.analysis.outlook import STUCK, Continuations, Outlook, exact_outlook
from gpviz.engine import Node, Rules, RunConfig
from gpviz.engine.errors import TooComplexError
from gpviz.engine.interruption import ShouldStop, Stopped, stoppable
from gpviz.explain import outlook_along_run as module
from gpviz.explain.outlook_along_run import DECISIVE_RISE, Job, KnownKinds, RunOutlook
from gpviz.runs.history import History
from tests.runs.runs import recorded, run_with_changed_rules

EXACT = RunConfig(n=4, limit="n+1", deletion="leaf", seed=54)
"""A neutral step is dangerous, and the next one, in iteration 43, makes this run stuck."""
FATAL = 43
ESTIMATED = RunConfig(n=6, limit="n+1", deletion="leaf", seed=3)
"""An improvement in iteration 66 makes this run stuck; its chain is too large to be solved at once."""


def history_of(config: RunConfig, iterations: int) -> History:
    return recorded(config, iterations)[2]


def completed(run: RunOutlook, near: int | None = None) -> int:
    """How many jobs it took."""
    jobs = 0
    while (job := run.next_job(near)) is not None:
        job.work()
        jobs += 1
    return jobs


def stopping_after(questions: int) -> ShouldStop:
    numbers = count()
    return lambda: next(numbers) >= questions


@pytest.fixture
def rough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is solved exactly, but that a tree is solved or stuck."""
    monkeypatch.setattr(module, "solved_chain", lambda rules: None)


@pytest.fixture(scope="module")
def decided() -> RunOutlook:
    run = RunOutlook(history_of(EXACT, 100))
    completed(run)
    return run


def test_every_change_of_the_tree_has_the_outlook_of_its_tree(decided: RunOutlook) -> None:
    history = history_of(EXACT, 100)
    assert decided.starts == history.changes().iterations.tolist()
    for start in decided.starts:
        assert decided.at(start) == outlook(history.tree_at(start), EXACT)
    for point in decided.points():
        assert decided.at(point.iteration) == point.outlook
    assert decided.next_job() is None
    assert decided.decisive_job() is None
    done, total = decided.progress()
    assert done == total


def test_decisive_steps_raise_the_chance_by_much_and_the_largest_rise_is_the_decisive_one(
    decided: RunOutlook,
) -> None:
    steps = decided.decisive_steps()
    rises = {
        other.iteration: other.outlook.stuck - one.outlook.stuck for one, other in pairwise(decided.points())
    }
    assert [step.iteration for step in steps] == [
        iteration for iteration, rise in rises.items() if rise >= DECISIVE_RISE
    ]
    assert [step.iteration for step in steps] == [42, FATAL]
    largest = decided.the_decisive_step()
    assert largest == steps[-1]
    assert largest is not None
    assert largest.after.stuck == 1.0
    assert largest == decided.change_at(FATAL)
    assert decided.change_at(FATAL - 2) is None  # a step that was rejected


def test_what_is_stuck_for_good_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    history = history_of(EXACT, 3_000)
    tree_at, asked = history.tree_at, list[int]()

    def watched(iteration: int) -> Node | None:
        asked.append(iteration)
        return tree_at(iteration)

    monkeypatch.setattr(history, "tree_at", watched)
    run = RunOutlook(history)
    assert len(run.starts) > 60
    completed(run)
    assert sum(iteration > FATAL for iteration in asked) < 6
    assert run.points()[-1] == (FATAL, None, STUCK)
    assert run.at(3_000) == STUCK
    assert run.step_job(run.starts[-1]) is None


def test_of_a_long_run_some_stretches_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_COARSE", 3)
    monkeypatch.setattr(module, "_MOST_STRETCHES", 5)
    run = RunOutlook(history_of(EXACT.replaced(deletion="subtree", seed=1), 60))
    completed(run)
    assert len(run.points()) == 5
    assert run.at(run.starts[0]) is not None
    assert run.at(run.starts[-1]) is not None
    assert run.next_job() is None


@pytest.mark.usefixtures("rough")
def test_two_who_work_on_the_same_trees_know_in_the_end_what_one_alone_does() -> None:
    history = history_of(ESTIMATED, 68)
    alone = RunOutlook(history, wanted_error=0.04, first=64)
    completed(alone)
    kinds = KnownKinds()
    pair = [RunOutlook(copy(history), wanted_error=0.04, first=64, kinds=kinds) for _ in range(2)]
    while any(jobs := [run.next_job() for run in pair]):
        threads = [Thread(target=job.work) for job in jobs if job is not None]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert pair[0].points() == pair[1].points() == alone.points()


@pytest.mark.usefixtures("rough")
def test_what_is_known_in_the_end_does_not_depend_on_what_was_looked_at_first() -> None:
    history = history_of(ESTIMATED, 68)
    one = RunOutlook(history, wanted_error=0.06, first=48)
    other = RunOutlook(history, wanted_error=0.06, first=48)
    completed(one)
    patience = 1
    while (job := other.next_job(near=52)) is not None:
        with stoppable(stopping_after(patience)):
            try:
                job.work()
            except Stopped:
                patience *= 2
    assert one.points() == other.points()
    assert one.the_decisive_step() is not None
    assert one.the_decisive_step().iteration == 66  # type: ignore[union-attr]
    assert all(point.outlook.stuck_error <= 0.06 for point in one.points())
    assert [point.iteration for point in one.points()] == [45, 49, 50, 52, 66]


@pytest.mark.usefixtures("rough")
def test_a_job_that_was_stopped_is_done_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise, when it was stopped would decide how many continuations there are."""
    history = history_of(ESTIMATED, 52)
    whole_run = RunOutlook(history, wanted_error=0.03, first=52)
    completed(whole_run)
    extend = Continuations.extend

    def stopped_before_the_last(self: Continuations, count: int) -> None:
        extend(self, max(count - 1, 1))
        if count > 1:
            raise Stopped

    monkeypatch.setattr(Continuations, "extend", stopped_before_the_last)
    run = RunOutlook(history, wanted_error=0.03, first=52)
    while (job := run.next_job()) is not None:
        with suppress(Stopped):
            job.work()
    assert run.points() == whole_run.points()
    assert run.points()[0].outlook.continuations % 100 == 0


@pytest.mark.usefixtures("rough")
def test_a_step_that_may_be_decisive_by_chance_is_looked_at_more_precisely() -> None:
    run = RunOutlook(history_of(ESTIMATED, 51), wanted_error=0.04, first=49)
    completed(run)
    before, after = (point.outlook for point in run.points())
    assert 0 < after.stuck - before.stuck < 0.12
    assert max(before.stuck_error, after.stuck_error) <= 0.02


def test_once_the_chain_is_solved_all_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "known_outlook", lambda tree, rules: None)
    history = history_of(EXACT, 20)
    run = RunOutlook(history)
    for iteration in (0, 20):
        job = run.next_job(near=iteration)
        assert job is not None
        job.work()
    assert not run.points()[0].outlook.is_exact
    completed(run)
    assert all(run.at(start) == outlook(history.tree_at(start), EXACT) for start in run.starts)


def test_a_chain_that_was_stopped_serves_all_kinds_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "known_outlook", lambda tree, rules: None)
    run = RunOutlook(history_of(EXACT, 20), wanted_error=0.2)
    numbers = count()

    def stopped_at_third(tree: Node | None, rules: Rules) -> Outlook | None:
        if next(numbers) == 2:
            raise Stopped
        return exact_outlook(tree, rules)

    monkeypatch.setattr(module, "exact_outlook", stopped_at_third)
    while (job := run.next_job()) is not None:
        with suppress(Stopped):
            job.work()
    assert next(numbers) > 3
    assert all(point.outlook.is_exact for point in run.points())


def test_it_takes_in_what_the_run_has_made_since() -> None:
    history = History(EXACT)
    run = RunOutlook(history)
    completed(run)
    assert run.starts == [0]
    history.extend(recorded(EXACT, 100)[1])
    run.extend()
    assert run.starts == history.changes().iterations.tolist()
    assert run.next_job() is not None
    completed(run)
    assert run.points() == whole(history).points()


def whole(history: History) -> RunOutlook:
    run = RunOutlook(history)
    completed(run)
    return run


def test_a_tree_that_is_too_complex_stays_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_complex(tree: object, rules: object) -> Outlook:
        raise TooComplexError

    monkeypatch.setattr(module, "known_outlook", too_complex)
    run = RunOutlook(history_of(EXACT, 20))
    completed(run)
    assert run.points() == []
    assert run.is_too_complex(20)
    assert run.next_job() is None


def test_runs_that_come_to_the_same_kinds_of_trees_share_what_is_known() -> None:
    kinds = KnownKinds()
    first = RunOutlook(history_of(EXACT, 100), kinds=kinds)
    completed(first)
    second = RunOutlook(history_of(EXACT, 100), kinds=kinds)
    assert second.next_job() is None
    assert second.points() == first.points()


def test_other_rules_begin_a_stretch_of_their_own() -> None:
    history = run_with_changed_rules()
    run = whole(history)
    assert run.at(199) == STUCK
    after = run.at(200)
    assert after is not None
    assert after.stuck == 0.0
    assert run.starts[-1] == 200
    assert run.points()[-1].iteration == 200
    assert run.points()[-1].outlook == after
    assert run.change_at(200) is None


def test_a_run_on_samples_has_the_iterations_left_that_it_is_thought_to_have() -> None:
    config = RunConfig(n=3, limit="n", fitness="sampled", rows=3, seed=2)
    history = history_of(config, 40)
    usual = RunOutlook(history)
    for near in usual.starts[:3]:
        first = usual.next_job(near)
        assert isinstance(first, Job)
        first.work()
    assert {point.outlook.within for point in usual.points()} == {10_000}


def test_a_run_on_samples_that_has_ended_is_done() -> None:
    config = RunConfig(n=3, limit="n", fitness="sampled", rows=3, accept_error=0)
    histories = (history_of(config.replaced(seed=seed), 3) for seed in count())
    history = next(each for each in histories if each.error_at(3) == 0 and each.changes().iterations[-1] == 3)
    run = RunOutlook(history)
    job = run.next_job(near=3)
    assert job is not None
    job.work()
    end = run.at(3)
    assert end is not None
    assert (end.stuck, end.remaining, end.is_exact, end.within) == (0.0, 0.0, True, 10_000)
    assert end.final_generalisation_error is not None
