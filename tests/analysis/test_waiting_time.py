"""How long a tree waits for its error to fall: against an exhaustive chain, against runs, and by its state."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import count, islice
from math import inf, sqrt
from statistics import fmean, stdev
from typing import Any

import numpy as np
import pytest

from gpviz.analysis import ExpectedWait, expected_wait, markov_chain
from gpviz.analysis.waiting_time import estimated_wait, exact_wait
from gpviz.engine import Node, RlsGp, RunConfig, Verdict, parse, tree_state
from gpviz.engine.interruption import Stopped
from gpviz.engine.target import target_for
from tests.analysis.independent_chain import class_of
from tests.engine import brute_force
from tests.engine.brute_force import Tree
from tests.thoroughness import every_day

STUCK = "(x3 & x2) | (x2 & x3)"


def wait_of(formula: str, **settings: Any) -> ExpectedWait:
    config = RunConfig(**settings)
    wait = expected_wait(parse(formula, config.n), config)
    assert wait is not None
    return wait


# An exhaustive chain: every tree is a state of its own, whatever the order of its children and its variables


def offspring(tree: Tree, n: int, deletion: str) -> Iterator[tuple[Tree, float]]:
    """What HVL-Prime makes of a tree, and how likely each outcome is."""
    leaves = brute_force.leaf_count(tree)
    for node, path in nodes(tree):
        for function in ("and", "or"):
            for variable in range(1, n + 1):
                for new in ((function, node, variable), (function, variable, node)):
                    yield rebuilt(path, new), 1 / 3 / (2 * leaves - 1) / 2 / n / 2
        if deletion == "subtree" or isinstance(node, int):
            choices = 2 * leaves - 1 if deletion == "subtree" else leaves
            yield rebuilt(path[:-1], path[-1][2]) if path else tree, 1 / 3 / choices
        if isinstance(node, int):
            for variable in range(1, n + 1):
                yield rebuilt(path, variable), 1 / 3 / leaves / n


Path = tuple[tuple[str, bool, Tree], ...]
"""From the root down: the function, whether the way goes left, and the other child."""


def nodes(tree: Tree, path: Path = ()) -> Iterator[tuple[Tree, Path]]:
    yield tree, path
    if not isinstance(tree, int):
        function, left, right = tree
        yield from nodes(left, (*path, (function, True, right)))
        yield from nodes(right, (*path, (function, False, left)))


def rebuilt(path: Path, tree: Tree) -> Tree:
    for function, is_left, other in reversed(path):
        tree = (function, tree, other) if is_left else (function, other, tree)
    return tree


@cache
def exhaustive(n: int, limit: int, deletion: str) -> dict[Tree, float]:
    """The waits of all trees with an error, infinite where the chain may come to one that never improves."""
    trees = [
        tree
        for leaves in range(1, limit + 1)
        for tree in brute_force.trees(leaves, n, ("and", "or"))
        if brute_force.error(tree, n)
    ]
    waits: dict[Tree, float] = {}
    for error in {brute_force.error(tree, n) for tree in trees}:
        states = [tree for tree in trees if brute_force.error(tree, n) == error]
        number = {tree: index for index, tree in enumerate(states)}
        neutral, improving = np.zeros((len(states), len(states))), np.zeros(len(states))
        for tree, index in number.items():
            for other, probability in offspring(tree, n, deletion):
                if brute_force.leaf_count(other) > limit or brute_force.error(other, n) > error:
                    neutral[index, index] += probability
                elif brute_force.error(other, n) == error:
                    neutral[index, number[other]] += probability
                else:
                    improving[index] += probability
        assert np.allclose(neutral.sum(axis=1) + improving, 1)
        is_hopeless = ~_reaching(neutral, improving > 0)
        is_sure = ~_reaching(neutral, is_hopeless)
        system = np.eye(int(is_sure.sum())) - neutral[np.ix_(is_sure, is_sure)]
        solution = iter(np.linalg.solve(system, np.ones(len(system))))
        waits |= {tree: next(solution) if is_sure[index] else inf for tree, index in number.items()}
    return waits


def _reaching(steps: Any, goal: Any) -> Any:
    """From which states steps lead to one of these."""
    while True:
        more = goal | (steps[:, goal] > 0).any(axis=1)
        if (more == goal).all():
            return goal
        goal = more


SMALL = [(3, 3, "leaf"), (3, 2, "subtree"), (3, 2, "leaf"), (2, 3, "leaf"), (2, 3, "subtree")]
LARGE = [(3, 4, "leaf"), (3, 4, "subtree")]


@pytest.mark.parametrize(("n", "limit", "deletion"), every_day(SMALL, thorough=SMALL + LARGE))
def test_the_wait_is_that_of_the_exhaustive_chain(n: int, limit: int, deletion: str) -> None:
    rng = random.Random(limit)
    waits = exhaustive(n, limit, deletion)
    kinds: dict[Tree, list[Tree]] = {}
    for tree in waits:
        kinds.setdefault(class_of(tree, n), []).append(tree)
    for alike in kinds.values():
        tree = rng.choice(alike)
        wait = wait_of(brute_force.as_text(tree), n=n, limit=str(limit), deletion=deletion)
        assert wait.is_exact
        assert wait.wait == pytest.approx(waits[tree], rel=1e-9)
    assert (inf in waits.values()) == (limit < n or (n, limit, deletion) == (3, 4, "leaf"))


# Runs


def random_tree(rng: random.Random, leaves: int, n: int) -> str:
    if leaves == 1:
        return f"x{rng.randint(1, n)}"
    on_the_left = rng.randint(1, leaves - 1)
    left, right = random_tree(rng, on_the_left, n), random_tree(rng, leaves - on_the_left, n)
    return f"({left} {rng.choice('&&|')} {right})"


def random_cases(seed: int) -> Iterator[tuple[Node, RunConfig]]:
    """Trees that are not the target, under all kinds of rules."""
    rng = random.Random(seed)
    while True:
        n = rng.randint(2, 5)
        limit = rng.choice((n, n + 1, n + 2, 2 * n, max(2, n - 1)))
        config = RunConfig(n=n, limit=str(limit), deletion=rng.choice(("leaf", "subtree")))
        tree = parse(random_tree(rng, rng.randint(1, limit), n), n)
        if target_for(n).error(tree):
            yield tree, config


def waits_of_runs(tree: Node | None, config: RunConfig, runs: int, longest: int = 20_000) -> list[int]:
    """After how many iterations each of these runs improves, if it does not take longer than anything does."""
    waits = []
    for seed in range(10_000, 10_000 + runs):
        search = RlsGp(config.replaced(seed=seed), tree)
        improved = next((t for t in range(1, longest) if search.step().verdict is Verdict.IMPROVED), None)
        waits += [] if improved is None else [improved]
    return waits


def assert_close(waits: list[int], wait: ExpectedWait) -> None:
    """The mean of these agrees with the answer within four standard errors."""
    assert wait.wait is not None
    error = sqrt(stdev(waits) ** 2 / len(waits) + (wait.standard_error or 0.0) ** 2)
    assert abs(fmean(waits) - wait.wait) <= 4 * error, f"{fmean(waits)} +- {error}, not {wait}"


def test_the_wait_is_that_of_runs_from_random_trees() -> None:
    solvable = ((*case, exact_wait(*case, most_trees=100)) for case in random_cases(16))
    known = (case for case in solvable if case[2] is not None)
    for tree, config, wait in islice(known, every_day(8, thorough=50)):
        assert wait is not None
        if wait.is_never:
            assert waits_of_runs(tree, config, runs=10, longest=500) == []
        else:
            assert_close(waits_of_runs(tree, config, runs=100), wait)


def test_the_wait_is_infinite_exactly_for_stuck_trees() -> None:
    states = set()
    for tree, config in islice(random_cases(17), every_day(40, thorough=100)):
        state = tree_state(tree, config)
        wait = exact_wait(tree, config, most_trees=60)
        if wait is not None:
            assert wait.is_never == (state.name == "STUCK")
            assert wait.chance_to_leave == (0 if state.name == "STUCK" else 1)
            states.add(state.name)
    assert states == {"CLIMBING", "PLATEAU", "STUCK"}
    assert wait_of(STUCK, n=4, limit="4", deletion="leaf") == ExpectedWait(inf, is_exact=True, trees=1)


def test_the_examples_wait_as_long_as_thousands_of_runs_did() -> None:
    with_or = wait_of("x2 & (x1 | (x1 & x1))", n=4, limit="n", deletion="subtree")
    assert with_or.is_exact
    assert with_or.wait == pytest.approx(17.0, abs=4 * 0.27)
    large = wait_of("x1 & x2 & x3", n=4, deletion="leaf")
    assert not large.is_exact
    assert large.standard_error is not None
    assert large.wait == pytest.approx(17.8, abs=4 * sqrt(0.27**2 + large.standard_error**2))


@pytest.mark.parametrize(
    ("formula", "settings"),
    [
        ("(x1 & x2) | (x2 & x1)", {"n": 4, "limit": "4", "deletion": "subtree"}),
        ("x1", {"n": 2, "limit": "4", "functions": "and"}),
    ],
)
def test_an_estimate_agrees_with_the_exact_wait(formula: str, settings: dict[str, Any]) -> None:
    config = RunConfig(**settings)
    tree = parse(formula, config.n)
    exact, estimate = exact_wait(tree, config), estimated_wait(tree, config)
    assert exact is not None
    assert exact.wait is not None
    assert estimate.wait is not None
    assert estimate.standard_error is not None
    assert not estimate.is_exact
    assert abs(estimate.wait - exact.wait) <= 4 * estimate.standard_error
    assert estimate.standard_error <= 0.015 * estimate.wait
    if config.n == 2:
        assert estimated_wait(tree, config) == estimate


def test_a_sampled_run_waits_until_an_offspring_looks_better() -> None:
    config = RunConfig(n=4, limit="5", fitness="sampled", rows=6)
    tree = parse("x1 & (x2 | x3)", 4)
    wait = expected_wait(tree, config)
    assert wait is not None
    assert not wait.is_exact
    assert_close(waits_of_runs(tree, config, runs=every_day(60, thorough=500)), wait)


def test_the_first_leaf_is_waited_for() -> None:
    for settings in ({}, {"limit": "inf"}, {"fitness": "sampled", "rows": 5}):
        any_operation = RunConfig(n=3, **settings)
        assert expected_wait(None, any_operation) == ExpectedWait(1.0, is_exact=True, trees=1)
        only_insertion = any_operation.replaced(empty_tree="insert-only")
        wait = expected_wait(None, only_insertion)
        assert wait is not None
        assert wait.wait == pytest.approx(3)


def test_a_solved_tree_waits_for_nothing() -> None:
    assert expected_wait(parse("x1 & x2"), RunConfig(n=2)) is None
    assert expected_wait(parse("x1"), RunConfig(n=2, accept_error=1)) is None
    assert expected_wait(parse("x1"), RunConfig(n=2, accept_error=0)) is not None
    sampled = RunConfig(n=2, fitness="sampled", rows=5, accept_error=3)
    assert expected_wait(parse("x1 & x2"), sampled) is None
    assert expected_wait(parse("x1"), sampled, most_iterations=50) is not None


def test_a_wait_that_takes_too_long_to_find_is_unknown() -> None:
    tree, config = parse("x1 & x2 & x3"), RunConfig(n=4, limit="5", deletion="leaf")
    assert exact_wait(tree, config, most_trees=20) is None
    wait = expected_wait(tree, config, most_trees=20, most_iterations=50)
    assert wait == ExpectedWait(None, is_exact=False)
    assert wait.chance_to_leave is None
    assert not wait.is_never


@pytest.mark.parametrize(
    "settings", [{"limit": "5"}, {"limit": "inf"}, {"limit": "5", "fitness": "sampled", "rows": 6}]
)
@pytest.mark.parametrize("checkpoints", [1, 2, 10])
def test_looking_for_the_wait_stops_at_any_checkpoint(settings: dict[str, Any], checkpoints: int) -> None:
    asked = count(1)
    with pytest.raises(Stopped):
        expected_wait(
            parse("x1 & x2 & x3"), RunConfig(n=4, **settings), should_stop=lambda: next(asked) >= checkpoints
        )
    assert next(asked) == checkpoints + 1


@pytest.mark.parametrize("settings", [{"limit": "5", "fitness": "sampled", "rows": 6}])
def test_an_estimate_that_is_stopped_is_what_it_knows_by_then(settings: dict[str, Any]) -> None:
    tree, config = parse("x1 & x2 & x3"), RunConfig(n=4, **settings)
    asked = count(1)
    early = expected_wait(tree, config, should_stop=lambda: next(asked) >= 100)
    whole = expected_wait(tree, config)
    assert early is not None
    assert whole is not None
    assert early.wait is not None
    assert whole.wait is not None
    assert early.standard_error is not None
    assert 20 <= early.continuations < 100 < whole.continuations
    assert abs(early.wait - whole.wait) < 4 * early.standard_error


def test_a_large_system_is_solved_in_pieces_and_as_a_whole() -> None:
    config = RunConfig(n=4, limit="5", deletion="leaf")
    exact = wait_of("x1 & x2 & x3", n=4, limit="5", deletion="leaf")
    assert exact.trees > markov_chain.ROWS_AT_ONCE
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(markov_chain, "ROWS_AT_ONCE", 1_000)
        whole = expected_wait(parse("x1 & x2 & x3"), config)
    assert whole is not None
    assert whole.wait == pytest.approx(exact.wait, rel=1e-12)
