"""When a run pauses by itself."""

from itertools import combinations, count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine import Node, RlsGp, RunConfig, Step, TooComplexError, parse, tree_state
from gpviz.runs.branches import forked
from gpviz.runs.history import History
from gpviz.runs.pause_rules import OutlookWatch, PauseRules, PauseWatch, next_pause
from tests.runs.runs import Recorded, recorded, recorded_runs
from tests.thoroughness import every_day

NEVER = {"stuck": False, "solved": False}


def first_pause(config: RunConfig, rules: PauseRules, most: int = 3000) -> tuple[list[Step], str | None]:
    """The steps up to the first pause, and its reason."""
    search, watch = RlsGp(config), PauseWatch(rules, config)
    steps: list[Step] = []
    while len(steps) < most:
        steps.append(search.step())
        reason = watch.reason(steps[-1])
        if reason is not None:
            return steps, reason
    return steps, None


@pytest.mark.parametrize(
    ("rule", "config", "is_met"),
    [
        ("improved", RunConfig(n=8, seed=2), lambda step: step.verdict == "improved"),
        (
            "or_accepted",
            RunConfig(n=8, seed=2),
            lambda step: (
                step.is_accepted and step.operation == "INS" and step.function == "or" and step.ors > 0
            ),
        ),
        ("too_large", RunConfig(n=8, limit="n", seed=2), lambda step: step.verdict == "too_large"),
        (
            "true_error_grew",
            RunConfig(n=8, fitness="sampled", rows=5, accept_error=0, seed=3),
            lambda step: step.true_error_grew,
        ),
        ("duplicate_accepted", RunConfig(n=8, seed=2), lambda step: step.duplicate_accepted),
    ],
)
def test_it_pauses_at_the_first_step_of_its_kind(rule: str, config: RunConfig, is_met: object) -> None:
    steps, reason = first_pause(config, PauseRules(**NEVER, **{rule: True}))
    assert reason is not None
    assert [bool(is_met(step)) for step in steps] == [False] * (len(steps) - 1) + [True]  # type: ignore[operator]


def test_it_pauses_when_the_leaves_reach_a_number_and_not_while_they_stay_there() -> None:
    config = RunConfig(n=8, seed=4)
    search, watch = RlsGp(config), PauseWatch(PauseRules(**NEVER, leaves=5), config)
    before = 0
    for _ in range(400):
        step = search.step()
        assert (watch.reason(step) is not None) == (before < 5 <= step.leaves)
        before = step.leaves


def test_it_pauses_when_the_tree_becomes_full_and_not_while_it_stays_so() -> None:
    config = RunConfig(n=4, limit="n+1", seed=4)
    steps, pauses, _ = watched(config, 400, PauseRules(**NEVER, full=True))
    leaves = [0, *(step.leaves for step in steps)]
    expected = [t for t in range(1, 401) if leaves[t - 1] < leaves[t] == 5]
    assert len(expected) > 1
    assert pauses == [(iteration, "The tree is full.") for iteration in expected]


def test_what_is_recorded_becomes_full_by_the_limit_of_its_time() -> None:
    config = RunConfig(n=8, limit=6, seed=4)
    history = recorded(config, 300)[2]
    search, branch = forked(history, 300, config.replaced(limit=9))
    branch.extend([search.step() for _ in range(300)])
    leaves = [branch.sizes_at(t)[0] for t in range(601)]
    limits = [6] * 301 + [9] * 300
    expected = [t for t in range(1, 601) if leaves[t - 1] < leaves[t] == limits[t]]
    assert {limits[t] for t in expected} == {6, 9}
    found = pauses_by_seeking(branch, PauseRules(**NEVER, full=True), None, 600)
    assert [iteration for iteration, _ in found] == expected


# A watch that joins a run


def watched(
    config: RunConfig, iterations: int, rules: PauseRules, start: Node | None = None
) -> tuple[list[Step], list[tuple[int, str]], PauseWatch]:
    """The steps of a run, where a watch of it from its start would have paused, and the watch."""
    search, watch = RlsGp(config, start), PauseWatch(rules, config)
    watch.start(start, search.error)
    steps = [search.step() for _ in range(iterations)]
    reasons = [(step.iteration, watch.reason(step)) for step in steps]
    return steps, [(iteration, reason) for iteration, reason in reasons if reason is not None], watch


def test_a_target_that_is_there_from_the_start_is_not_found_again() -> None:
    steps, pauses, _ = watched(RunConfig(n=3), 60, PauseRules(), parse("x1 & x2 & x3"))
    assert {step.error for step in steps} == {0}
    assert pauses == []


def test_an_acceptable_error_is_no_target() -> None:
    steps, pauses, _ = watched(RunConfig(n=4, seed=1, accept_error=3), 2000, PauseRules(stuck=False))
    first = next(step.iteration for step in steps if step.error is not None and step.error <= 3)
    assert pauses == [(first, "The error is small enough.")]


def test_a_sampled_run_pauses_each_time_its_sample_is_solved_anew() -> None:
    config = RunConfig(n=4, fitness="sampled", rows=6, seed=2)
    steps, pauses, _ = watched(config, 300, PauseRules())
    errors = [None, *(step.error for step in steps)]
    expected = [t for t in range(1, 301) if errors[t] == 0 and errors[t - 1] != 0]
    assert len(expected) > 1
    assert [iteration for iteration, _ in pauses] == expected


def test_a_start_that_is_stuck_has_been_so_since_the_start() -> None:
    start = parse("(x3 & x2) | (x2 & x3)")
    _, pauses, watch = watched(RunConfig(n=4, limit=4, deletion="leaf"), 20, PauseRules(), start)
    assert (pauses, watch.stuck_since) == (
        [],
        0,
    )  # nothing new to tell, so it plays


@pytest.mark.parametrize("deletion", ["leaf", "subtree"])
def test_stuck_since_is_the_first_iteration_after_which_the_tree_is_stuck(deletion: str) -> None:
    found = 0
    for seed in range(20):
        config = RunConfig(n=5, limit=4, deletion=deletion, seed=seed)
        steps, pauses, watch = watched(config, 250, PauseRules(solved=False))
        trees = {id(step.tree): step.tree for step in steps}
        is_stuck = {key: tree_state(tree, config).name == "STUCK" for key, tree in trees.items()}
        states = [is_stuck[id(step.tree)] for step in steps]
        since = states.index(True) + 1 if True in states else None
        assert watch.stuck_since == since
        assert pauses == ([] if since is None else [(since, "The tree is stuck.")])
        found += since is not None
    assert found


def test_a_solved_tree_that_is_stuck_is_reported_as_solved_and_known_as_stuck() -> None:
    start = parse("(x3 & x2) | (x2 & x3)")
    config = RunConfig(n=4, limit=4, deletion="leaf", accept_error=3)
    search, watch = RlsGp(config, start), PauseWatch(PauseRules(), config)
    watch.start(start, None)
    assert watch.reason(search.step()) == "The error is small enough."
    assert watch.stuck_since == 0


def test_a_state_that_takes_too_long_to_find_is_no_reason_to_pause(monkeypatch) -> None:
    def too_complex(*_: object, **__: object) -> None:
        raise TooComplexError("formula: too long.")

    monkeypatch.setattr("gpviz.runs.pause_rules.tree_state", too_complex)
    start = parse("(x3 & x2) | (x2 & x3)")
    steps, pauses, watch = watched(RunConfig(n=4, limit=4, deletion="leaf"), 5, PauseRules(), start)
    assert (len(steps), pauses, watch.stuck_since) == (5, [], None)


def test_a_watch_asked_to_stop_gives_up_the_proof() -> None:
    start = parse("(x3 & x2) | (x2 & x3)")
    config = RunConfig(n=4, limit=4, deletion="leaf")
    watch = PauseWatch(PauseRules(), config, should_stop=lambda: True)
    assert watch.reason(RlsGp(config, start).step()) is None
    assert watch.stuck_since is None


@given(recorded_runs(max_iterations=120), st.integers(0, 120))
def test_a_watch_that_joins_a_run_later_pauses_where_one_from_the_start_does(
    run: Recorded, joined: int
) -> None:
    search, steps, _ = run
    joined = min(joined, len(steps))
    rules = PauseRules(improved=True, or_accepted=True, duplicate_accepted=True, full=True, leaves=3)
    whole, later = PauseWatch(rules, search.config), PauseWatch(rules, search.config)
    whole.start(search.start, RlsGp(search.config, search.start).error)
    before = [whole.reason(step) for step in steps[:joined]]
    assert len(before) == joined
    tree = steps[joined - 1].tree if joined else search.start
    error = steps[joined - 1].error if joined else RlsGp(search.config, search.start).error
    later.start(tree, error, is_judged=joined > 0)
    later.stuck_since = whole.stuck_since
    for step in steps[joined:]:
        assert later.reason(step) == whole.reason(step)
    assert later.stuck_since == whole.stuck_since


# Pauses in what is recorded


SINGLE_RULES: list[dict[str, Any]] = [
    {"stuck": True},
    {"solved": True},
    {"improved": True},
    {"or_accepted": True},
    {"too_large": True},
    {"duplicate_accepted": True},
    {"true_error_grew": True},
    {"full": True},
    {"leaves": 3},
    {"iteration": 17},
]
Pauses = list[tuple[int, str]]
ALL_RULES = [
    PauseRules(**{**NEVER, **dict(pair for part in parts for pair in part.items())})
    for count in every_day(
        (0, 1, len(SINGLE_RULES)), thorough=(0, 1, 2, len(SINGLE_RULES) - 1, len(SINGLE_RULES))
    )
    for parts in combinations(SINGLE_RULES, count)
]


def pauses_by_watching(steps: list[Step], search: RlsGp, rules: PauseRules) -> tuple[Pauses, int | None]:
    """Where and why a watch pauses, and since when the run is stuck."""
    watch = PauseWatch(rules, search.config)
    watch.start(search.start, RlsGp(search.config, search.start).error)
    found = [(step.iteration, reason) for step in steps if (reason := watch.reason(step)) is not None]
    return found, watch.stuck_since


def pauses_by_seeking(history: History, rules: PauseRules, stuck_since: int | None, stride: int) -> Pauses:
    """Where and why the recorded run pauses, when it is played in strides."""
    found, cursor = [], 0
    while cursor < len(history):
        target = min(cursor + stride, len(history))
        pause = next_pause(history, cursor, target + 1, rules, stuck_since)
        if pause is not None:
            assert cursor < pause[0] <= target
            found.append(pause)
        cursor = pause[0] if pause else target
    return found


@given(recorded_runs(max_iterations=120), st.sampled_from(ALL_RULES), st.sampled_from([1, 2, 7, 1000]))
def test_a_recorded_run_pauses_exactly_where_it_would_have_paused_live(
    run: Recorded, rules: PauseRules, stride: int
) -> None:
    search, steps, history = run
    expected, stuck_since = pauses_by_watching(steps, search, rules)
    assert pauses_by_seeking(history, rules, stuck_since, stride) == expected


RUNS = [
    (RunConfig(n=4, seed=1), None),
    (RunConfig(n=4, limit="n", deletion="leaf", seed=5), None),
    (RunConfig(n=4, limit=4, deletion="leaf"), "(x3 & x2) | (x2 & x3)"),
    (RunConfig(n=3, limit=5, seed=3), "x1 & x2 & x3"),
    (RunConfig(n=4, accept_error=4, seed=2), "x1 | x2"),
    (RunConfig(n=5, limit=4, deletion="leaf", seed=3, accept_error=3), None),
    (RunConfig(n=5, fitness="sampled", rows=7, seed=4), None),
    (RunConfig(n=4, fitness="sampled", rows=3, limit=4, seed=4), "x1 & x2 & x3"),
    (RunConfig(n=5, fitness="sampled", rows=7, sampler="counts", accept_error=1, seed=4), None),
    (RunConfig(n=4, empty_tree="insert-only", seed=9), None),
]


@pytest.mark.parametrize(("config", "start"), RUNS)
def test_every_rule_finds_in_the_record_what_it_found_live(config: RunConfig, start: str | None) -> None:
    search, steps, history = recorded(config, 300, parse(start) if start else None)
    for rules in ALL_RULES:
        expected, stuck_since = pauses_by_watching(steps, search, rules)
        assert pauses_by_seeking(history, rules, stuck_since, 300) == expected, rules


def test_the_runs_of_these_tests_meet_every_reason_to_pause() -> None:
    met = set()
    for config, start in RUNS:
        search, steps, _ = recorded(config, 300, parse(start) if start else None)
        for rule in SINGLE_RULES:
            met |= {
                reason for _, reason in pauses_by_watching(steps, search, PauseRules(**{**NEVER, **rule}))[0]
            }
    assert met == {
        "The tree is stuck.",
        "The target is found.",
        "There is no error on this iteration's rows.",
        "The error is small enough.",
        "The error has improved.",
        "An ∨ was accepted.",
        "The size limit has rejected an offspring.",
        "A copy of a variable was accepted.",
        "An accepted step made the true error grow.",
        "The tree is full.",
        "The tree has 3 leaves.",
        "Iteration 17 is reached.",
    }


def test_nothing_is_found_beyond_the_stop_or_at_the_cursor_itself() -> None:
    _, _, history = recorded(RunConfig(n=4, seed=1), 100)
    rules = PauseRules(**NEVER, iteration=50)
    assert next_pause(history, 49, 51, rules, None) == (50, "Iteration 50 is reached.")
    assert next_pause(history, 49, 50, rules, None) is None
    assert next_pause(history, 50, 101, rules, None) is None
    assert next_pause(history, 100, 101, PauseRules(improved=True, leaves=1), None) is None
    assert next_pause(History(RunConfig(n=4)), 0, 1, PauseRules(improved=True, leaves=1), None) is None


def test_what_is_recorded_pauses_by_the_error_that_was_small_enough_then() -> None:
    config = RunConfig(n=6, seed=1)
    history = recorded(config, 400)[2]
    errors = history.errors()
    later = next(t for t in range(2, 400) if errors[t - 1] < errors[t - 2])
    small = int(errors[later - 1])
    branch = history.beginning(len(history), config.replaced(accept_error=small))
    rules = PauseRules(stuck=False)
    assert next_pause(branch, 0, 401, rules, None) == next_pause(history, 0, 401, rules, None)
    other = history.beginning(later - 1, config.replaced(accept_error=small))
    for iteration in range(later, 401):
        other.append(history.step_at(iteration))
    assert next_pause(other, 0, 401, rules, None) == (later, "The error is small enough.")


# Pauses where the outlook gets worse

TRAP = RunConfig(n=3, limit="4", deletion="leaf", seed=45)
"""A neutral step raises the chance to end stuck in iteration 7, an improvement makes it certain in iteration 8."""


def rises(percent: int, **others: Any) -> PauseRules:
    return PauseRules(**(NEVER | {"stuck_rise": percent} | others))


@pytest.mark.parametrize(
    ("percent", "iteration", "reason"),
    [
        (10, 7, "The chance to end stuck rose from 5 % to 34 %."),
        (29, 7, "The chance to end stuck rose from 5 % to 34 %."),
        (30, 8, "The chance to end stuck rose from 34 % to 100 %."),
        (66, None, None),
    ],
)
def test_it_pauses_where_the_chance_to_end_stuck_rises_by_so_much(
    percent: int, iteration: int | None, reason: str | None
) -> None:
    steps, met = first_pause(TRAP, rises(percent), most=60)
    assert met == reason
    assert len(steps) == (iteration or 60)


def test_what_is_recorded_pauses_where_a_rise_was_found_when_it_was_made() -> None:
    search, steps, history = recorded(TRAP, 40)
    watch = PauseWatch(rises(10), TRAP)
    watch.start(search.start, None)
    live = [(step.iteration, reason) for step in steps if (reason := watch.reason(step)) is not None]
    assert [iteration for iteration, _ in live] == [7, 8] == list(watch.rises)
    assert next_pause(history, 0, 41, rises(10), None, watch.rises) == live[0]
    assert next_pause(history, 7, 41, rises(10), None, watch.rises) == live[1]
    assert next_pause(history, 0, 41, rises(50), None, watch.rises) == live[1]
    assert next_pause(history, 0, 7, rises(10), None, watch.rises) is None
    assert next_pause(history, 0, 41, PauseRules(**NEVER), None, watch.rises) is None


def test_an_estimated_rise_is_the_same_whenever_one_looks_at_it() -> None:
    config = RunConfig(n=6, limit="7", deletion="leaf", seed=3)
    trap = RlsGp(config)
    trap.run(max_iterations=65)
    before = trap.tree
    after = trap.step().tree
    found = [OutlookWatch(config).rise(before, after, 20, lambda: False) for _ in range(2)]
    assert found[0] is not None
    assert found[0] == found[1]
    assert not found[0].before.is_exact
    assert found[0].is_at_least(20)
    stopped = OutlookWatch(config)
    for patience in (6, 24):
        asked = count()
        assert stopped.rise(before, after, 20, lambda: next(asked) > patience) in (None, found[0])  # noqa: B023


def test_a_watch_that_is_called_off_finds_nothing_and_goes_on_with_the_next_step() -> None:
    watch, search = PauseWatch(rises(10), TRAP), RlsGp(TRAP)
    watch.is_called_off = lambda: True
    assert [watch.reason(search.step()) for _ in range(7)] == [None] * 7
    assert not watch.rises
    watch.is_called_off = lambda: False
    assert watch.reason(search.step()) == "The chance to end stuck rose from 34 % to 100 %."


def test_a_run_that_cannot_get_stuck_never_pauses_for_its_outlook(monkeypatch) -> None:
    monkeypatch.setattr("gpviz.runs.pause_rules.outlook", lambda *_, **__: pytest.fail("nobody is to ask"))
    steps, reason = first_pause(TRAP.replaced(deletion="subtree"), rises(1), most=60)
    assert (len(steps), reason) == (60, None)


def test_an_outlook_that_takes_too_long_is_no_reason_to_pause(monkeypatch) -> None:
    def too_complex(*_: object, **__: object) -> None:
        raise TooComplexError("too many terms")

    monkeypatch.setattr("gpviz.runs.pause_rules.outlook", too_complex)
    steps, reason = first_pause(TRAP, rises(1), most=20)
    assert (len(steps), reason) == (20, None)
