"""When a run pauses by itself."""

import pytest

from gpviz.engine import RlsGp, RunConfig, Step, parse, tree_state
from gpviz.record.pausing import PauseRules, PauseWatch

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


def test_without_rules_a_run_goes_on() -> None:
    steps, reason = first_pause(RunConfig(n=4, seed=1), PauseRules(**NEVER), most=500)
    assert (len(steps), reason) == (500, None)


def test_it_pauses_exactly_where_the_target_is_found() -> None:
    steps, _ = first_pause(RunConfig(n=6, seed=1), PauseRules())
    assert [step.error == 0 for step in steps] == [False] * (len(steps) - 1) + [True]


def test_it_pauses_exactly_where_the_tree_gets_stuck() -> None:
    for seed in range(400):
        config = RunConfig(n=4, limit="n", deletion="leaf", seed=seed)
        steps, reason = first_pause(config, PauseRules())
        if reason == "The tree is stuck.":
            assert tree_state(steps[-1].tree, config).name == "STUCK"
            assert tree_state(steps[-2].tree, config).name != "STUCK"
            return
    pytest.fail("no seed gets stuck")


def test_a_stuck_tree_pauses_once_only() -> None:
    tree = parse("(x3 & x2) | (x2 & x3)")
    config = RunConfig(n=4, limit=4, deletion="leaf")
    search, watch = RlsGp(config, tree), PauseWatch(PauseRules(), config)
    reasons = [watch.reason(search.step()) for _ in range(50)]
    assert reasons == ["The tree is stuck.", *[None] * 49]


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
            "truly_worse",
            RunConfig(n=8, fitness="sampled", rows=5, accept_error=0, seed=3),
            lambda step: step.is_truly_worse,
        ),
    ],
)
def test_it_pauses_at_the_first_step_of_its_kind(rule: str, config: RunConfig, is_met: object) -> None:
    steps, reason = first_pause(config, PauseRules(**NEVER, **{rule: True}))
    assert reason is not None
    assert [bool(is_met(step)) for step in steps] == [False] * (len(steps) - 1) + [True]  # type: ignore[operator]


def test_planting_a_leaf_brings_no_or() -> None:
    for seed in range(200):
        config = RunConfig(n=4, empty_tree="insert-only", seed=seed)
        search, watch = RlsGp(config), PauseWatch(PauseRules(**NEVER, or_accepted=True), config)
        step = search.step()
        while step.tree is None:
            step = search.step()
        assert watch.reason(step) is None


def test_it_pauses_when_the_leaves_reach_a_number_and_not_while_they_stay_there() -> None:
    config = RunConfig(n=8, seed=4)
    search, watch = RlsGp(config), PauseWatch(PauseRules(**NEVER, leaves=5), config)
    before = 0
    for _ in range(400):
        step = search.step()
        assert (watch.reason(step) is not None) == (before < 5 <= step.leaves)
        before = step.leaves


def test_it_pauses_at_an_iteration() -> None:
    steps, reason = first_pause(RunConfig(n=8, seed=4), PauseRules(**NEVER, iteration=37))
    assert (len(steps), reason) == (37, "Iteration 37 is reached.")
