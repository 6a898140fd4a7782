"""RLS-GP's Markov chain on small problems: whole runs against it, and the engine's solution against others."""

import random
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache
from math import sqrt
from threading import Event
from typing import Any

import pytest

from gpviz.analysis import markov_chain
from gpviz.analysis.markov_chain import ExactValue, SolvedChain, solved_chain
from gpviz.analysis.neighbourhood import Neighbour, neighbours_of
from gpviz.analysis.waiting_time import expected_wait
from gpviz.engine.config import Rules, RunConfig
from gpviz.engine.enums import Function, Outcome, State
from gpviz.engine.formula import parse
from gpviz.engine.interruption import Stopped
from gpviz.engine.mutation import apply
from gpviz.engine.search import RlsGp
from gpviz.engine.step import Result
from gpviz.engine.stuck import tree_state
from gpviz.engine.target import target_for
from gpviz.engine.tree import Inner, Leaf, Node
from tests.analysis.independent_chain import Cell, Exact, Plant, class_of, solve
from tests.engine import brute_force
from tests.engine.chance import assert_mean
from tests.patience import PATIENCE_SECONDS
from tests.thoroughness import every_day

RUNS = every_day(1000, thorough=4000)
CELLS = [
    Cell(n, limit, deletion, empty_tree=empty_tree)
    for n, limits in ((2, (2, 3, 4)), (3, (3, 4)))
    for limit in limits
    for deletion in ("leaf", "subtree")
    for empty_tree in ("any", "insert-only")
] + [
    Cell(3, 5, "leaf"),
    Cell(3, 6, "subtree", functions=("and",)),
    Cell(3, 3, "leaf", functions=("and",), empty_tree="insert-only"),
    Cell(4, 4, "leaf"),
    Cell(4, 4, "subtree"),
]


A_FEW_CELLS = [*CELLS[::3], Cell(4, 4, "leaf")]


@cache
def exact(cell: Cell) -> Exact:
    return solve(cell)


def runs(cell: Cell) -> list[Result]:
    config: dict[str, Any] = cell._asdict() | {"limit": str(cell.limit)}
    return [RlsGp(RunConfig(**config, seed=seed)).run(max_iterations=2000) for seed in range(RUNS)]


def plain(tree: Node) -> Plant:
    if isinstance(tree, Leaf):
        return tree.variable
    return tree.function.value, plain(tree.left), plain(tree.right)


@pytest.mark.parametrize(
    "cell",
    every_day(A_FEW_CELLS, thorough=CELLS),
    ids=lambda cell: "-".join(map(str, cell)).replace("('and', 'or')-", ""),
)
def test_runs_are_those_of_the_chain(cell):
    chain, results = exact(cell), runs(cell)
    solved = [result for result in results if result.outcome is Outcome.SOLVED]
    times = [result.iterations for result in solved]
    assert_mean(times, chain.mean, chain.sd)
    squares = [(time - chain.mean) ** 2 for time in times]
    assert_mean(squares, chain.sd**2, spread_of(squares))
    leaves = [float(result.leaves) for result in solved]
    assert_mean(leaves, chain.leaves, spread_of(leaves) or 1e-9)
    stuck = max(chain.stuck, 0.0)
    is_stuck = [result.outcome is not Outcome.SOLVED for result in results]
    assert_mean(is_stuck, stuck, sqrt(stuck * (1 - stuck)) if stuck > 1e-9 else 1e-9)
    last = {result.tree for result in results if result.outcome is not Outcome.SOLVED}
    classes = {class_of(plain(tree), cell.n) for tree in last if tree is not None}
    assert classes <= chain.hopeless, "a run that did not end can never reach the target"


def spread_of(values: list[float]) -> float:
    mean = sum(values) / len(values)
    return sqrt(sum((value - mean) ** 2 for value in values) / len(values))


def chain_of(cell: Cell) -> SolvedChain:
    settings: dict[str, Any] = cell._asdict() | {"limit": str(cell.limit)}
    chain = solved_chain(RunConfig(**settings))
    assert chain is not None
    return chain


class TestSolvedChain:
    """The chain that the engine solves, which takes trees together in arrays."""

    @pytest.mark.parametrize("cell", [cell for cell in CELLS if cell.limit < 5], ids=str)
    def test_it_says_what_the_chain_without_the_engine_says(self, cell):
        value = chain_of(cell).value_of(None)
        assert value is not None
        assert value.stuck == pytest.approx(exact(cell).stuck, abs=1e-12)
        assert value.remaining == pytest.approx(exact(cell).mean, rel=1e-12)
        assert value.remaining_sd == pytest.approx(exact(cell).sd, rel=1e-12)
        assert value.leaves == pytest.approx(exact(cell).leaves, rel=1e-12)

    @pytest.mark.parametrize(
        ("cell", "states"), [(Cell(2, 2, "leaf"), 5), (Cell(3, 5, "leaf"), 722), (Cell(4, 5, "subtree"), 857)]
    )
    def test_it_counts_what_a_run_can_reach_with_the_empty_tree_and_the_solved_ones(self, cell, states):
        assert chain_of(cell).states == states

    @pytest.mark.parametrize("formula", ["x1", "x1 & x2", "x1 & (x2 | x3) & x3", "x1 & x2 & (x1 | x2)"])
    def test_if_any_smaller_error_is_the_goal_the_time_is_the_expected_wait(self, formula):
        tree = parse(formula)
        error = target_for(3).error(tree)
        rules = RunConfig(n=3, limit="4", deletion="leaf", accept_error=error - 1).rules
        wait = expected_wait(tree, rules)
        assert wait is not None
        assert value_of(tree, rules).remaining == pytest.approx(wait.wait, rel=1e-12)

    def test_the_value_of_a_tree_is_the_average_over_what_the_next_iteration_makes_of_it(self):
        draw = random.Random(1)
        for deletion in ("leaf", "subtree"):
            rules = RunConfig(n=3, limit="4", deletion=deletion).rules
            for _ in range(15):
                tree = random_tree(draw, draw.randint(1, 4), 3)
                value = value_of(tree, rules)
                if target_for(3).error(tree) <= rules.accept_error:
                    assert (value.stuck, value.remaining) == (0.0, 0.0)
                    continue
                after = [
                    (float(each.probability), value_of(next_tree(tree, each), rules))
                    for each in neighbours_of(tree, rules)
                ]
                stuck = sum(chance * each.stuck for chance, each in after)
                assert value.stuck == pytest.approx(stuck, abs=1e-12)
                if value.remaining is not None:
                    remaining = sum(
                        chance * (1 - each.stuck) * (each.remaining + 1)
                        for chance, each in after
                        if each.remaining is not None
                    )
                    assert value.remaining * (1 - value.stuck) == pytest.approx(remaining, rel=1e-9)

    def test_trees_that_are_proven_stuck_have_no_hope(self):
        draw = random.Random(2)
        rules = RunConfig(n=3, limit="4", deletion="leaf").rules
        trees = [random_tree(draw, 4, 3) for _ in range(40)]
        stuck = [tree for tree in trees if tree_state(tree, rules).state is State.STUCK]
        assert 0 < len(stuck) < len(trees)
        assert all(value_of(tree, rules).stuck == 1.0 for tree in stuck)
        assert any(value_of(tree, rules).stuck < 1.0 for tree in trees)

    def test_a_tree_that_can_be_improved_may_have_no_hope_either(self):
        rules = RunConfig(n=3, limit="4", deletion="leaf").rules
        doomed = parse("(x2 & x3) | (x2 & x1)")
        assert tree_state(doomed, rules).state is State.CLIMBING
        assert value_of(doomed, rules) == ExactValue(1.0, None, None, None, None, None, 96)

    @pytest.mark.parametrize(
        "settings",
        [{"n": 8, "limit": "9"}, {"n": 4, "limit": "inf"}, {"n": 1000, "limit": "2n"}, {"n": 1, "limit": "9"},
         {"n": 4, "limit": "4", "fitness": "sampled", "rows": 5}],
    )  # fmt: skip
    def test_a_chain_that_is_too_large_is_refused_before_a_single_kind_of_tree_is_made(
        self, settings, monkeypatch
    ):
        monkeypatch.setattr(markov_chain, "TreeKinds", None)
        assert solved_chain(RunConfig(**settings)) is None

    def test_a_chain_with_too_large_systems_is_refused_before_any_mutation(self, monkeypatch):
        monkeypatch.setattr(markov_chain, "_LARGEST_SYSTEM", 8)
        monkeypatch.setattr(markov_chain, "_iterations", None)
        assert solved_chain(RunConfig(n=4, limit="5", accept_error=3)) is None

    def test_it_asks_often_whether_it_should_stop(self):
        asked = 0

        def should_stop() -> bool:
            nonlocal asked
            asked += 1
            return asked > 50

        with pytest.raises(Stopped):
            solved_chain(RunConfig(n=5, limit="5", accept_error=1), should_stop=should_stop)

    def test_threads_that_ask_at_the_same_time_get_one_chain(self):
        config = RunConfig(n=2, limit="3", accept_error=1)
        is_making, is_asked_again = Event(), Event()

        def wait_for_the_other(solved: int, states: int) -> None:
            is_making.set()
            is_asked_again.wait(PATIENCE_SECONDS)

        def go_on() -> bool:
            is_asked_again.set()
            return False

        with ThreadPoolExecutor(2) as threads:
            first = threads.submit(solved_chain, config, on_progress=wait_for_the_other)
            is_making.wait(PATIENCE_SECONDS)
            second = threads.submit(solved_chain, config, should_stop=go_on)
            assert first.result() is second.result()


class TestAgainstFractions:
    """A chain without kinds of trees: every tree is a state of its own, and all numbers are fractions."""

    @pytest.mark.parametrize(
        ("limit", "accept_error"),
        every_day([(2, 0), (2, 1), (3, 0)], thorough=[(2, 0), (2, 1), (3, 0), (3, 1)]),
    )
    @pytest.mark.parametrize("deletion", ["leaf", "subtree"])
    def test_stuck_and_remaining_are_the_same_from_every_tree(self, limit, deletion, accept_error):
        rules = RunConfig(n=2, limit=str(limit), deletion=deletion, accept_error=accept_error).rules
        naive = naive_values(rules)
        assert len(naive) == {2: 10, 3: 74}[limit]
        for tree, (success, time) in naive.items():
            value = value_of(tree, rules)
            assert value.stuck == pytest.approx(float(1 - success), abs=1e-13)
            if success:
                assert value.remaining == pytest.approx(float(time / success), rel=1e-13)


def naive_values(rules: Rules) -> dict[Node, tuple[Fraction, Fraction]]:
    """For every tree the probability to be solved, and the expected iterations of the runs that are."""
    trees = [
        parse(brute_force.as_text(tree))
        for leaves in range(1, (rules.max_leaves or 0) + 1)
        for tree in brute_force.trees(leaves, rules.n, ("and", "or"))
    ]
    moves: dict[Node, dict[Node, Fraction]] = {}
    for tree in trees:
        moves[tree] = {}
        if target_for(rules.n).error(tree) <= rules.accept_error:
            continue
        for neighbour in neighbours_of(tree, rules):
            after = next_tree(tree, neighbour)
            moves[tree][after] = moves[tree].get(after, Fraction(0)) + neighbour.probability
    hopeful = {tree for tree in trees if not moves[tree]}
    values = dict.fromkeys(trees, (Fraction(0), Fraction(0)))
    values |= dict.fromkeys(hopeful, (Fraction(1), Fraction(0)))
    while more := {tree for tree in trees if tree not in hopeful and hopeful & moves[tree].keys()}:
        hopeful |= more
    states = [tree for tree in hopeful if moves[tree]]
    solved = {tree for tree in hopeful if not moves[tree]}
    success = fraction_solution(
        states,
        moves,
        [sum((moves[each].get(end, Fraction(0)) for end in solved), Fraction(0)) for each in states],
    )
    times = fraction_solution(states, moves, success)
    return values | dict(zip(states, zip(success, times, strict=True), strict=True))


def fraction_solution(
    states: list[Node], moves: dict[Node, dict[Node, Fraction]], right: list[Fraction]
) -> list[Fraction]:
    """The solution of (I - Q) x = right by elimination."""
    rows = [
        [Fraction(one is other) - moves[one].get(other, Fraction(0)) for other in states] + [end]
        for one, end in zip(states, right, strict=True)
    ]
    for pivot, row in enumerate(rows):
        rows[pivot] = row = [each / row[pivot] for each in row]
        for other, below in enumerate(rows):
            if other != pivot and below[pivot]:
                factor = below[pivot]
                rows[other] = [
                    each - factor * own if own else each for each, own in zip(below, row, strict=True)
                ]
    return [row[-1] for row in rows]


def value_of(tree: Node, rules: Rules) -> ExactValue:
    solved = solved_chain(rules, tree)
    assert solved is not None
    value = solved.value_of(tree)
    assert value is not None
    return value


def next_tree(tree: Node, neighbour: Neighbour) -> Node:
    return apply(tree, neighbour.mutation, (-1, -2)) if neighbour.verdict.is_accepted else tree


def random_tree(draw: random.Random, leaves: int, n: int) -> Node:
    if leaves == 1:
        return Leaf(0, draw.randint(1, n))
    on_left = draw.randint(1, leaves - 1)
    function = draw.choice(list(Function))
    return Inner(0, function, random_tree(draw, on_left, n), random_tree(draw, leaves - on_left, n))
