"""The outlook of a tree: against the exact chain, the neighbourhood, and itself."""

import sys
from collections.abc import Iterator
from itertools import count
from math import sqrt
from statistics import fmean, stdev

import pytest

from gpviz.analysis import expected_wait, outlook
from gpviz.analysis.neighbourhood import neighbours_of
from gpviz.analysis.outlook import (
    BATCH,
    SOLVED,
    STUCK,
    Continuations,
    Outlook,
    exact_outlook,
    known_outlook,
)
from gpviz.engine import Node, RlsGp, RunConfig, Verdict, apply, parse
from gpviz.engine import many_runs as many_runs_module
from gpviz.engine.errors import TooComplexError
from gpviz.engine.interruption import ShouldStop, Stopped, stoppable
from tests.thoroughness import every_day

MODULE = sys.modules[Outlook.__module__]
"""The package has a function of this name."""
SMALL = RunConfig(n=4, limit="n", deletion="leaf")
LARGE = RunConfig(n=8, limit="n+1", deletion="leaf", seed=3)
TREE = parse("(x1 & x4) | (x8 & x4)", 8)
"""Three of four runs from it end stuck."""
CONFIGS = (
    SMALL,
    RunConfig(n=3, limit="n+1", deletion="leaf"),
    RunConfig(n=4, limit="n"),
    RunConfig(n=4, limit="n", deletion="leaf", accept_error=1),
    RunConfig(n=3, limit="4", functions="and", deletion="leaf"),
    RunConfig(n=3, limit="2", deletion="leaf"),
    RunConfig(n=3, limit="n", deletion="leaf", empty_tree="insert-only"),
)


def exact(tree: Node | None, config: RunConfig) -> Outlook:
    found = exact_outlook(tree, config.rules)
    assert found is not None
    return found


def trees_of(config: RunConfig, seeds: int = 3, iterations: int = 30) -> Iterator[Node | None]:
    """Some trees that runs come to, the empty one first."""
    yield None
    for seed in range(seeds):
        search = RlsGp(config.replaced(seed=seed))
        for _ in range(iterations):
            before = search.tree
            if search.step().tree is not before:
                yield search.tree


def stopping_after(questions: int) -> ShouldStop:
    numbers = count()
    return lambda: next(numbers) >= questions


def continued(tree: Node | None, config: RunConfig, runs: int, **options: int) -> Outlook:
    continuations = Continuations(tree, config.rules, config.seed, **options)
    continuations.extend(runs)
    return continuations.outlook()


def test_a_solved_tree_never_ends_stuck_and_a_stuck_one_always_does() -> None:
    assert outlook(parse("x1 & x2 & x3 & x4"), SMALL) == SOLVED
    assert outlook(parse("(x1 & x2) | (x2 & x1)"), SMALL) == STUCK
    full = parse("((x3 & (x6 & (x1 & x7))) | (x1 & x7 & x3 & x6)) & x2", 8)
    assert outlook(full, LARGE) == STUCK
    accepting = LARGE.replaced(accept_error=7)
    assert outlook(full, accepting) == SOLVED


@pytest.mark.parametrize("config", CONFIGS)
def test_the_value_of_a_tree_is_the_average_over_its_neighbours(config: RunConfig) -> None:
    """Of the chance, and, as each iteration that ends well is one more, of the iterations to go."""
    for tree in set(trees_of(config)):
        here = exact(tree, config)
        if here == SOLVED:
            continue
        moved = stuck = iterations = 0.0
        for neighbour in neighbours_of(tree, config):
            if neighbour.verdict in (Verdict.IMPROVED, Verdict.NEUTRAL):
                there = exact(apply(tree, neighbour.mutation, (-1, -2)), config)
                chance = float(neighbour.probability)
                moved += chance
                stuck += chance * there.stuck
                iterations += chance * (1 - there.stuck) * (there.remaining or 0.0)
        assert here.stuck == pytest.approx(stuck + (1 - moved) * here.stuck, abs=1e-12)
        to_go = (1 - here.stuck) * (here.remaining or 0.0)
        assert to_go == pytest.approx(1 - here.stuck + iterations + (1 - moved) * to_go)


def test_averaged_over_runs_the_chance_stays_what_it_is_at_the_start() -> None:
    start = exact(None, SMALL).stuck
    chances: dict[int, list[float]] = {4: [], 12: [], 40: []}
    for seed in range(every_day(500, thorough=1500)):
        search = RlsGp(SMALL.replaced(seed=seed))
        for iteration, seen in chances.items():
            while search.iteration < iteration and search.error != 0:
                search.step()
            seen.append(exact(search.tree, SMALL).stuck)
    for seen in chances.values():
        assert abs(fmean(seen) - start) < 4 * stdev(seen) / sqrt(len(seen))
    assert max(chances[40]) == 1.0


@pytest.mark.parametrize("config", CONFIGS)
def test_continuations_agree_with_the_exact_values(config: RunConfig) -> None:
    for tree in list(dict.fromkeys(trees_of(config, seeds=2)))[::4]:
        true, seen = exact(tree, config), continued(tree, config, 100)
        if true == SOLVED:
            continue
        assert abs(seen.stuck - true.stuck) <= 4 * seen.stuck_error
        assert seen.given_up == 0
        if true.remaining is not None and seen.remaining is not None and seen.remaining_error:
            assert abs(seen.remaining - true.remaining) <= 4 * seen.remaining_error


@pytest.mark.parametrize(("n", "formula"), [(2, "x1"), (3, "x1 & x2"), (3, "x2 & (x1 | x1)")])
def test_where_every_improvement_solves_it_the_iterations_to_go_are_the_expected_wait(
    n: int, formula: str
) -> None:
    config = RunConfig(n=n, limit=n + 1)
    wait = expected_wait(parse(formula, n), config)
    assert wait is not None
    assert wait.is_exact
    assert exact(parse(formula, n), config).remaining == pytest.approx(wait.wait)


def test_the_same_question_has_the_same_answer() -> None:
    seen = outlook(TREE, LARGE, wanted_error=0.2)
    assert seen.stuck_error <= 0.2
    assert not seen.is_exact
    assert seen == outlook(TREE, LARGE, wanted_error=0.2)
    assert seen == outlook(
        parse("(x1 & x4) | (x8 & x4)", 8), LARGE.replaced(sampler="rows"), wanted_error=0.2
    )
    others = (LARGE.replaced(seed=4), 0), (LARGE, 1)
    assert all(outlook(TREE, config, iteration=at, wanted_error=0.2) != seen for config, at in others)


def test_there_is_an_end_to_what_is_spent_on_one_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MODULE, "_ENOUGH_ITERATIONS", 1_000)
    continuations = Continuations(TREE, LARGE.rules)
    continuations.extend(19)
    assert not continuations.is_precise()
    continuations.extend(1)
    assert continuations.is_precise()
    assert not continuations.is_precise(0.001)


def test_a_run_that_comes_to_no_end_is_given_up_and_counts_as_not_stuck(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = continued(TREE, LARGE, 40)
    monkeypatch.setattr(MODULE, "GIVEN_UP_AFTER", 300)
    seen = continued(TREE, LARGE, 40)
    assert 0 < seen.given_up < 40
    assert seen.stuck < whole.stuck
    assert seen.remaining is not None
    assert whole.remaining is not None
    assert seen.remaining < whole.remaining


def test_a_run_that_is_too_complex_is_given_up_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = many_runs_module.run_many
    numbers = count()

    def too_complex_at_third(config, start, seeds, **options):  # type: ignore[no-untyped-def]
        if len(seeds) > 1 or next(numbers) == 2:
            raise TooComplexError
        return whole(config, start, seeds, **options)

    monkeypatch.setattr(MODULE, "run_many", too_complex_at_third)
    seen = continued(TREE, LARGE, 5)
    assert (seen.continuations, seen.given_up) == (5, 1)


def test_stopped_it_tells_what_is_known_by_then() -> None:
    with pytest.raises(Stopped):
        outlook(TREE, LARGE, should_stop=lambda: True)
    seen = outlook(TREE, LARGE, wanted_error=0.001, should_stop=stopping_after(400))
    assert 0 < seen.continuations < 10_000


def test_continuations_go_on_where_they_were_stopped() -> None:
    whole, pieces = Continuations(TREE, LARGE.rules), Continuations(TREE, LARGE.rules)
    whole.extend(60)
    questions = 1
    while pieces.count < 60:
        with stoppable(stopping_after(questions)):
            try:
                pieces.extend(60 - pieces.count)
            except Stopped:
                questions *= 2
    assert pieces.outlook() == whole.outlook()


def test_progress_is_reported_with_what_is_known() -> None:
    reported: list[Outlook] = []
    seen = outlook(TREE, LARGE, wanted_error=0.08, on_progress=reported.append)
    assert [each.continuations for each in reported] == list(range(BATCH, seen.continuations + 1, BATCH))
    assert reported[-1] == seen


def test_on_samples_it_is_the_chance_not_to_be_done_in_time() -> None:
    config = RunConfig(n=3, limit="n", fitness="sampled", rows=3)
    assert known_outlook(parse("x1 & x2 & x3"), config.rules) is None
    done = continued(parse("x1 & x2 & x3"), config, 50)
    assert (done.stuck, done.remaining, done.within) == (0.0, 1.0, 10_000)
    assert done.stuck_error > 0
    wrong = parse("x1")
    soon, late = (continued(wrong, config, 200, within=within) for within in (1, 4))
    # In the first iteration it is done if none of the three rows is one of the three on which x1 is wrong, or if
    # the offspring has no wrong row among them.
    assert soon.stuck > late.stuck > 0
    assert soon.stuck < 1 - (5 / 8) ** 3 + 4 * soon.stuck_error
    assert soon.remaining == 1.0
    assert late.final_generalisation_error is not None
    assert late.final_generalisation_error_error is not None
    assert 0 < late.final_generalisation_error < 3 / 8


def test_the_chain_is_solved_only_where_it_is_small() -> None:
    assert exact_outlook(None, SMALL.rules, most_states=10) is None
    assert exact_outlook(None, LARGE.rules) is None
    assert exact_outlook(None, RunConfig(n=3, fitness="sampled", rows=3).rules) is None
    assert known_outlook(None, SMALL.rules) == exact(None, SMALL)
