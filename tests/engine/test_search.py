"""RLS-GP: each iteration is what Algorithms 1 and 2 say, and run() is step() again and again."""

import copy
import pickle
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import islice, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gpviz.engine import true_row_count
from gpviz.engine.config import RunConfig, is_full
from gpviz.engine.enums import Function, Operation, Outcome, Side, Verdict
from gpviz.engine.errors import GpvizError, InvalidValueError, TooComplexError
from gpviz.engine.formula import parse
from gpviz.engine.mutation import Mutation, apply, fresh_uids
from gpviz.engine.prime_implicants import TooMany
from gpviz.engine.randomness import columns, key_of
from gpviz.engine.sampled_error import CountSampler
from gpviz.engine.search import RlsGp
from gpviz.engine.step import Result, RunCounts, Step, StepBuffer
from gpviz.engine.target import Conjunction
from gpviz.engine.tree import Inner, Leaf, Node, largest_uid
from tests.engine.chance import assert_distribution
from tests.engine.strategies import (
    Shape,
    complete_configs,
    configs,
    error_of_shape,
    few_implicants,
    labels_of,
    preorder,
    remade,
    sampled_configs,
    shape_of,
    trees,
)
from tests.thoroughness import every_day

INS, DEL, SUB = Operation
LEFT = Side.LEFT
AND, OR = Function
IMPROVED, NEUTRAL, UNCHANGED, WORSE, TOO_LARGE = Verdict
ROOT_AND = Mutation(INS, 1, 1, AND, LEFT)
COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda whole: pickle.loads(pickle.dumps(whole)),
}
WAYS: dict[str, Callable[[RlsGp], object]] = {
    "steps": lambda search: [search.step() for _ in range(9)],
    "force": lambda search: search.force(ROOT_AND),
    "through": lambda search: list(islice(search, 4)),
    "left in the middle": lambda search: next(iter(search), None),
    "run": lambda search: search.run(max_iterations=search.iteration + 30),
    "run with a look at it": lambda search: search.run(
        max_iterations=search.iteration + 30, on_step=lambda step: step.verdict is NEUTRAL
    ),
    "advance": lambda search: search.advance(
        StepBuffer(search.iteration + 1), 25, lambda _: False, sees_all=False
    ),
    "advance to a change": lambda search: search.advance(
        StepBuffer(search.iteration + 1), 25, lambda step: step.verdict is IMPROVED, sees_all=True
    ),
}
"""How a run may get from one iteration to another."""
COUNTERS = ("iteration", "error", "accepted", "improved", "ors_accepted", "settled_since", "first_uid")


@st.composite
def starts(draw: st.DrawFn, config_strategy: st.SearchStrategy[RunConfig]) -> tuple[RunConfig, Node | None]:
    """A configuration with a start tree it allows, or with none."""
    config = draw(config_strategy)
    most = 8 if config.max_leaves is None else min(config.max_leaves, 8)
    return config, draw(st.none() | trees(n=config.n, max_leaves=most))


class Judge:
    """Algorithm 1 by brute force: the errors of whole truth tables, or of rows one by one."""

    def __init__(self, config: RunConfig, start: Node | None) -> None:
        self.config = config
        self.first_uid = largest_uid(start) + 1

    def errors(self, iteration: int, *of: Node) -> list[int]:
        config = self.config
        if config.rows is None:
            return [error_of_shape(shape_of(tree), config.n) for tree in of]
        key = key_of(config.seed, iteration)
        if config.sampler == "counts":
            sampler = CountSampler(config.rows, Conjunction(config.n))
            return [sampler.error(key, of[0])] if len(of) == 1 else [*sampler.errors(key, *of)]
        drawn = columns(key, list(range(1, config.n + 1)), config.rows)
        wanted = (1 << config.rows) - 1
        for column in drawn.values():
            wanted &= column
        return [(true_rows(shape_of(tree), drawn) ^ wanted).bit_count() for tree in of]

    def step(self, iteration: int, parent: Node | None, mutation: Mutation) -> Step:
        """What this mutation of this tree must come to."""
        config = self.config
        uids = fresh_uids(self.first_uid, iteration)
        if parent is None:
            if config.empty_tree == "insert-only" and mutation.operation is not INS:
                return Step(iteration, *mutation, UNCHANGED, 0, None, None, None, None, False, None)
            planted = apply(None, mutation, uids)
            (error,) = self.errors(iteration, planted)
            return Step(iteration, *mutation, IMPROVED, 1, error, None, error, planted, False, None)
        offspring = apply(parent, mutation, uids)
        leaves = offspring.leaves
        if config.max_leaves is not None and leaves > config.max_leaves:
            (error,) = self.errors(iteration, parent)
            return Step(iteration, *mutation, TOO_LARGE, leaves, None, error, error, parent, False, parent)
        if labels_of(offspring) == labels_of(parent):
            (error,) = self.errors(iteration, parent)
            return Step(iteration, *mutation, UNCHANGED, leaves, error, error, error, parent, False, parent)
        old, new = self.errors(iteration, parent, offspring)
        if new > old:
            return Step(iteration, *mutation, WORSE, leaves, new, old, old, parent, False, parent)
        verdict = IMPROVED if new < old else NEUTRAL
        exact = [error_of_shape(shape_of(tree), config.n) for tree in (parent, offspring)]
        is_worse = exact[1] > exact[0]
        return Step(iteration, *mutation, verdict, leaves, new, old, new, offspring, is_worse, parent)


def true_rows(shape: Shape, drawn: dict[int, int]) -> int:
    if isinstance(shape, int):
        return drawn[shape]
    function, left, right = shape
    if function is AND:
        return true_rows(left, drawn) & true_rows(right, drawn)
    return true_rows(left, drawn) | true_rows(right, drawn)


def with_labels(step: Step) -> tuple[Any, ...]:
    """All of a step, with the uids of its trees."""
    return *step._replace(tree=None, parent=None), labels_of(step.tree), labels_of(step.parent)


def assert_steps_are_judged_right(config: RunConfig, start: Node | None, steps: int) -> None:
    search, judge, tree = RlsGp(config, start), Judge(config, start), start
    for iteration in range(1, steps + 1):
        step = search.step()
        assert with_labels(step) == with_labels(judge.step(iteration, tree, step.mutation))
        tree = step.tree


class TestStep:
    @given(starts(complete_configs()))
    def test_it_is_what_brute_force_makes_of_its_mutation(self, case):
        config, start = case
        assert_steps_are_judged_right(config, start, steps=60)

    @given(starts(sampled_configs()))
    def test_so_it_is_on_sampled_rows(self, case):
        config, start = case
        assert_steps_are_judged_right(config, start, steps=40)

    @given(starts(configs()))
    def test_so_it_is_where_implicants_are_too_many_to_list(self, case):
        config, start = case
        with few_implicants(2, products=4):
            assert_steps_are_judged_right(config, start and remade(start), steps=40)

    @given(starts(complete_configs()))
    def test_the_error_never_rises_on_the_complete_truth_table(self, case):
        search = RlsGp(*case)
        errors = [search.error, *(search.step().error for _ in range(60))]
        known = [error for error in errors if error is not None]
        assert known == sorted(known, reverse=True)

    @given(starts(configs()))
    def test_the_limit_is_never_exceeded(self, case):
        config, start = case
        search = RlsGp(config, start)
        leaves = [search.step().leaves for _ in range(60)]
        assert config.max_leaves is None or max(leaves) <= config.max_leaves

    @given(starts(configs()))
    def test_the_counts_are_those_of_the_steps(self, case):
        search = RlsGp(*case)
        steps = [search.step() for _ in range(60)]
        accepted = [step for step in steps if step.is_accepted]
        ors = [
            step
            for step, before in zip(steps, [case[1], *(step.tree for step in steps)], strict=False)
            if step.is_accepted and step.operation is INS and step.function is OR and before is not None
        ]
        improved = sum(step.verdict is IMPROVED for step in steps)
        counts = (search.iteration, search.accepted, search.improved, search.ors_accepted)
        assert counts == (60, len(accepted), improved, len(ors))

    @given(starts(configs()))
    def test_it_is_settled_since_it_last_improved_or_changed_its_number_of_leaves(self, case):
        search = RlsGp(*case)
        settled, leaves = 0, 0 if case[1] is None else case[1].leaves
        for _ in range(40):
            step = search.step()
            if step.verdict is IMPROVED or step.leaves != leaves:
                settled, leaves = step.iteration, step.leaves
            assert search.settled_since == settled

    @given(starts(configs()))
    def test_the_search_is_where_its_last_step_says(self, case):
        search = RlsGp(*case)
        for _ in range(30):
            step = search.step()
            assert (search.iteration, search.error) == (step.iteration, step.error)
            assert search.tree is step.tree

    def test_by_an_offspring_that_only_a_sample_accepts_the_true_error_grew(self):
        config = RunConfig(n=4, fitness="sampled", rows=1, limit="inf", seed=2)
        search = RlsGp(config, parse("x1 & x2 & x3 & x4"))
        assert any(search.step().true_error_grew for _ in range(200))


def state_of(search: RlsGp) -> tuple[Any, ...]:
    """Everything a search has come to, with uids."""
    counts = (search.accepted, search.improved, search.ors_accepted, search.settled_since)
    return search.iteration, search.error, labels_of(search.tree), counts


def stepped(case: tuple[RunConfig, Node | None], most: int) -> RlsGp:
    """What run() promises: step by step until the error is small enough or the iterations are done."""
    search = RlsGp(*case)
    while search.iteration < most and (search.error is None or search.error > search.config.accept_error):
        search.step()
    return search


def recorded_in(buffer: StepBuffer) -> tuple[object, ...]:
    """What is in a buffer, so that two can be compared."""
    return buffer.first, buffer.numbers, [labels_of(tree) for tree in buffer.trees]


class TestAdvance:
    @given(starts(configs()), st.lists(st.integers(1, 40), max_size=4), st.booleans())
    def test_it_makes_the_steps_that_come_one_by_one(self, case, counts, sees_all):
        search, other = RlsGp(*case), RlsGp(*case)
        buffer, expected = StepBuffer(), StepBuffer()
        for count in counts:
            search.advance(buffer, count, lambda _: False, sees_all=sees_all)
            for _ in range(count):
                expected.add(other.step())
            assert recorded_in(buffer) == recorded_in(expected)
            assert state_of(search) == state_of(other)

    @given(starts(configs()), st.booleans())
    def test_it_shows_all_steps_or_those_that_changed_the_tree(self, case, sees_all):
        seen: list[Step] = []

        def on_step(step: Step) -> bool:
            seen.append(step)
            return False

        RlsGp(*case).advance(StepBuffer(), 60, on_step, sees_all=sees_all)
        other = RlsGp(*case)
        changing = (Verdict.IMPROVED, Verdict.NEUTRAL)
        steps = [other.step() for _ in range(60)]
        assert [with_labels(step) for step in seen] == [
            with_labels(step) for step in steps if sees_all or step.verdict in changing
        ]

    @given(starts(configs()), st.integers(1, 60))
    def test_it_stops_right_after_the_step_that_is_enough(self, case, last):
        search = RlsGp(*case)
        buffer = StepBuffer()
        search.advance(buffer, 60, lambda step: step.iteration == last, sees_all=True)
        assert buffer.last == search.iteration == last
        assert search.step().iteration == last + 1

    def test_an_error_leaves_the_steps_before_it_and_the_search_where_it_was(self):
        def on_step(step: Step) -> bool:
            if step.iteration == 7:
                raise KeyboardInterrupt
            return False

        search, other = RlsGp(RunConfig(n=8, seed=3)), RlsGp(RunConfig(n=8, seed=3))
        buffer = StepBuffer()
        with pytest.raises(KeyboardInterrupt):
            search.advance(buffer, 60, on_step, sees_all=True)
        search.advance(buffer, 3, lambda _: False, sees_all=True)
        assert recorded_in(buffer) == recorded_in(StepBuffer.of([other.step() for _ in range(10)]))

    @pytest.mark.parametrize("fitness", [{}, {"fitness": "sampled", "rows": 100, "sampler": "rows"}])
    def test_an_error_between_two_reported_steps_leaves_the_search_at_the_last_one_recorded(
        self, fitness, monkeypatch
    ):
        config = RunConfig(n=8, limit="n+1", deletion="leaf", seed=3, **fitness)
        search, other = RlsGp(config), RlsGp(config)
        steps = [other.step() for _ in range(60)]
        while steps[-1].verdict in (Verdict.IMPROVED, Verdict.NEUTRAL):
            steps.append(other.step())
        buffer = StepBuffer()

        def key_blocks_that_end_badly(seed, first):
            yield [key_of(seed, iteration) for iteration in range(first, len(steps) + 1)]
            raise TooComplexError("too many")

        monkeypatch.setattr("gpviz.engine.search.key_blocks", key_blocks_that_end_badly)
        with pytest.raises(TooComplexError):
            search.advance(buffer, 100, lambda _: False, sees_all=False)
        monkeypatch.undo()
        assert recorded_in(buffer) == recorded_in(StepBuffer.of(steps))
        assert state_of(search) == state_of(other)
        assert with_labels(search.step()) == with_labels(other.step())

    def test_a_tape_must_end_where_the_run_is(self):
        with pytest.raises(ValueError, match="a buffer up to iteration 4 for a run at 0"):
            RlsGp(RunConfig(n=4)).advance(StepBuffer(5), 1, lambda _: False, sees_all=True)


class TestRun:
    @given(starts(configs()), st.integers(0, 150))
    def test_it_is_step_again_and_again(self, case, most):
        search = RlsGp(*case)
        search.run(max_iterations=most)
        assert state_of(search) == state_of(stepped(case, most))

    @given(starts(configs()), st.integers(0, 150))
    def test_it_is_so_where_implicants_are_too_many_to_list(self, case, most):
        config, start = case
        with few_implicants(2, products=4):
            start = start and remade(start)
            search = RlsGp(config, start)
            search.run(max_iterations=most)
            assert state_of(search) == state_of(stepped((config, start), most))

    @given(starts(configs()), st.integers(0, 60), st.integers(0, 60), st.integers(0, 60))
    def test_it_may_be_interrupted_and_mixed_with_steps(self, case, first, steps, last):
        search = RlsGp(*case)
        search.run(max_iterations=first)
        assume(search.error is None or search.error > case[0].accept_error)
        for _ in range(steps):
            search.step()
        mixed = RlsGp(*case)
        for _ in range(search.iteration):
            mixed.step()
        assert state_of(search) == state_of(mixed)
        search.run(max_iterations=search.iteration + last)
        mixed.run(max_iterations=mixed.iteration + last)
        assert state_of(search) == state_of(mixed)

    @given(starts(configs()), st.integers(0, 100))
    def test_its_result_is_the_state_of_the_search(self, case, most):
        search = RlsGp(*case)
        result = search.run(max_iterations=most)
        tree = search.tree
        is_solved = search.error is not None and search.error <= case[0].accept_error
        assert result == Result(
            outcome=Outcome.SOLVED if is_solved else Outcome.STOPPED,
            iterations=search.iteration,
            error=search.error,
            leaves=0 if tree is None else tree.leaves,
            ors=0 if tree is None else tree.ors,
            accepted=search.accepted,
            improved=search.improved,
            ors_accepted=search.ors_accepted,
            stuck_since=None,
            tree=tree,
            n=case[0].n,
        )

    @given(starts(configs()), st.integers(0, 100))
    def test_nobody_can_change_the_tree_it_hands_over(self, case, most):
        with few_implicants(2, products=4):
            search = RlsGp(*case)
            search.run(max_iterations=most)
        nodes = [] if search.tree is None else preorder(search.tree)
        assert {type(node) for node in nodes} <= {Leaf, Inner}

    @given(starts(configs()), st.integers(0, 60))
    def test_it_never_changes_a_tree_it_has_handed_over(self, case, most):
        with few_implicants(2, products=4):
            search = RlsGp(*case)
            handed_over = [search.step().tree for _ in range(20)]
            search.run(max_iterations=20 + most)
            handed_over.append(search.tree)
            before = [fields_of(tree) for tree in handed_over]
            search.run(max_iterations=20 + 2 * most)
        assert [fields_of(tree) for tree in handed_over] == before

    def test_the_generalisation_error_of_its_result_is_exact(self):
        result = RlsGp(RunConfig(n=100, limit="2"), parse("x1 & x2")).run(max_iterations=1)
        assert result.generalisation_error == Fraction(2**98 - 1, 2**100)

    def test_an_empty_tree_has_no_generalisation_error(self):
        assert RlsGp(RunConfig(n=4)).run(max_iterations=0).generalisation_error is None


def fields_of(tree: Node | None) -> list[tuple[Any, ...]]:
    nodes = [] if tree is None else preorder(tree)
    labels = labels_of(tree)
    values = ["too many" if isinstance(node.value, TooMany) else node.value for node in nodes]
    return [(*label, node.leaves, value) for label, node, value in zip(labels, nodes, values, strict=True)]


class TestStopRules:
    @pytest.mark.parametrize("accept_error", [0, 1, 3, 7, 100])
    @pytest.mark.parametrize("sampling", [{}, {"fitness": "sampled", "rows": 200}])
    def test_it_stops_at_the_first_acceptable_error(self, accept_error, sampling):
        config = RunConfig(n=6, accept_error=accept_error, seed=4, **sampling)
        errors: list[int | None] = []
        result = RlsGp(config).run(on_step=lambda step: errors.append(step.error))
        first = next(t for t, error in enumerate(errors, 1) if error is not None and error <= accept_error)
        assert (result.outcome, result.iterations) == (Outcome.SOLVED, first)

    def test_a_sampled_run_stops_by_the_error_of_the_survivor_on_the_rows_of_that_iteration(self):
        # Whatever the verdict: a rejected or unchanged iteration may show a small enough error too.
        verdicts = Counter[Verdict]()
        for seed in range(60):
            last: list[Step] = []
            RlsGp(RunConfig(n=8, fitness="sampled", rows=20, seed=seed)).run(on_step=last.append)
            verdicts[last[-1].verdict] += 1
            assert [step.error == 0 for step in last] == [False] * (len(last) - 1) + [True]
        assert {WORSE, UNCHANGED} <= verdicts.keys()

    @pytest.mark.parametrize("most", [1, 2, 63, 64, 65, 200, 500])
    def test_it_stops_after_as_many_iterations_as_it_may_do(self, most):
        result = RlsGp(RunConfig(n=100)).run(max_iterations=most)
        assert (result.outcome, result.iterations) == (Outcome.STOPPED, most)

    @pytest.mark.parametrize("most", [0, 10, 30])
    def test_with_no_iterations_left_it_does_nothing(self, most):
        search = RlsGp(RunConfig(n=100))
        search.run(max_iterations=30)
        before = state_of(search)
        assert search.run(max_iterations=most).outcome is Outcome.STOPPED
        assert state_of(search) == before

    def test_it_stops_after_the_step_at_which_it_is_asked_to(self):
        seen: list[int] = []

        def on_step(step: Step) -> bool:
            seen.append(step.iteration)
            return step.iteration == 17

        result = RlsGp(RunConfig(n=50)).run(on_step=on_step)
        assert (result.outcome, result.iterations, seen) == (Outcome.STOPPED, 17, list(range(1, 18)))

    def test_being_asked_to_stop_at_the_solution_is_still_a_solution(self):
        result = RlsGp(RunConfig(n=4)).run(on_step=lambda step: step.error == 0)
        assert result.outcome is Outcome.SOLVED

    def test_a_start_that_is_good_enough_needs_no_iteration(self):
        result = RlsGp(RunConfig(n=3), parse("x1 & x2 & x3")).run()
        assert (result.outcome, result.iterations, result.error) == (Outcome.SOLVED, 0, 0)

    def test_a_solved_run_stays_solved(self):
        search = RlsGp(RunConfig(n=4))
        first = search.run()
        assert search.run() == first


class TestStart:
    def test_a_sampled_run_has_no_error_before_its_first_sample(self):
        config = RunConfig(n=3, fitness="sampled", rows=10)
        assert RlsGp(config, parse("x1 & x2 & x3")).error is None

    def test_a_sampled_run_ends_with_a_sample_though_it_begins_with_the_target(self):
        config = RunConfig(n=3, limit="3", functions="and", fitness="sampled", rows=1000)  # type: ignore[arg-type]
        result = RlsGp(config, parse("x1 & x2 & x3")).run()
        assert (result.outcome, result.iterations) == (Outcome.SOLVED, 1)

    def test_a_variable_beyond_n_is_refused(self):
        with pytest.raises(
            GpvizError, match=r": it uses x5, but with n = 4 the variables go from x1 to x4\.$"
        ):
            RlsGp(RunConfig(n=4), parse("x1 & (x5 | x2)"))

    def test_a_limit_below_the_leaves_of_the_start_is_refused(self):
        with pytest.raises(InvalidValueError, match=r"^limit: '3' is not allowed; it must be at least 4, "):
            RlsGp(RunConfig(n=4, limit="3"), parse("x1 & x2 & x3 & x4"))

    def test_a_start_too_complex_to_count_is_refused_with_a_sentence(self, monkeypatch):
        monkeypatch.setattr(true_row_count, "MAX_CASES", 0)
        with few_implicants(1, products=1), pytest.raises(TooComplexError, match="case distinctions"):
            RlsGp(RunConfig(n=4), parse("(x1 & x2 | x3 & x4) & (x1 & x3 | x2 & x4)"))


class TestEmptyTree:
    def test_every_variable_is_equally_likely_to_be_the_first_leaf(self):
        planted = [
            RlsGp(RunConfig(n=5, seed=seed)).step().tree for seed in range(every_day(600, thorough=3000))
        ]
        labels = [leaf.variable for leaf in planted if isinstance(leaf, Leaf)]
        assert_distribution(labels, dict.fromkeys(range(1, 6), 1 / 5))

    def test_only_an_insertion_plants_it_when_that_is_asked_for(self):
        waits = Counter[int]()
        for seed in range(every_day(600, thorough=3000)):
            search = RlsGp(RunConfig(n=5, empty_tree="insert-only", seed=seed))
            while search.tree is None:
                step = search.step()
            assert step.operation is INS
            waits[search.iteration] += 1
        assert_distribution(waits.elements(), {t: (2 / 3) ** (t - 1) / 3 for t in range(1, 100)})


# The target itself, at its limit: whatever is drawn, nothing else is ever accepted.
FIXED = parse("x1 & (x2 & x3)")
LEAVES, NODES = [2, 4, 5], range(1, 6)


class TestDraws:
    @pytest.mark.parametrize("functions", ["and", "and,or"])
    @pytest.mark.parametrize("deletion", ["leaf", "subtree"])
    @pytest.mark.parametrize("sampling", [{}, {"fitness": "sampled", "rows": 10, "sampler": "counts"}])
    def test_every_mutation_has_the_probability_of_algorithm_2(self, deletion, functions, sampling):
        config = RunConfig(n=3, limit="3", deletion=deletion, functions=functions, seed=8, **sampling)
        names = config.functions
        probabilities: dict[Mutation, float] = {}
        for variable in (1, 2, 3):
            for function in names:
                choice = 1 / 3 / 3 / len(names)
                for node in NODES:
                    for side in Side:
                        probabilities[Mutation(INS, node, variable, function, side)] = choice / 5 / 2
                choices = LEAVES if deletion == "leaf" else NODES
                for node in choices:
                    probabilities[Mutation(DEL, node, variable, function, LEFT)] = choice / len(choices)
                for node in LEAVES:
                    probabilities[Mutation(SUB, node, variable, function, LEFT)] = choice / 3
        assert_distribution(fixed_draws(config, every_day(1200, thorough=5000)), probabilities)

    def test_successive_operations_are_independent(self):
        operations = [
            draw.operation
            for draw in fixed_draws(RunConfig(n=3, limit="3", seed=9), every_day(2000, thorough=10_000))
        ]
        assert_distribution(pairwise(operations), {(a, b): 1 / 9 for a in Operation for b in Operation})

    def test_the_same_iterations_of_neighbouring_seeds_are_independent(self):
        operations = [
            fixed_draw(RunConfig(n=3, limit="3", seed=seed)).operation
            for seed in range(every_day(1000, thorough=4000))
        ]
        assert_distribution(pairwise(operations), {(a, b): 1 / 9 for a in Operation for b in Operation})


def fixed_draws(config: RunConfig, draws: int) -> list[Mutation]:
    if config.is_sampled:  # a sample may be fooled, so every draw has its own run
        return [fixed_draw(config.replaced(seed=seed)) for seed in range(draws)]
    search = RlsGp(config, FIXED)
    drawn = [search.step().mutation for _ in range(draws)]
    assert search.tree is FIXED
    return drawn


def fixed_draw(config: RunConfig) -> Mutation:
    return RlsGp(config, FIXED).step().mutation


class TestFailures:
    """An error in an iteration, here a function too complex to count, leaves the search where it was."""

    CONFIG = RunConfig(n=8, limit="3n", seed=3)

    def undisturbed(self, iterations: int) -> list[tuple[Any, ...]]:
        search = RlsGp(self.CONFIG)
        return [with_labels(search.step()) for _ in range(iterations)]

    def failed(self, monkeypatch: pytest.MonkeyPatch) -> tuple[RlsGp, tuple[Any, ...]]:
        """A search at an iteration it cannot do, and its state before it tried."""
        search = RlsGp(self.CONFIG)
        states: list[tuple[Any, ...]] = []

        def step_on() -> None:
            for _ in range(1000):
                states.append(state_of(search))
                search.step()

        monkeypatch.setattr(true_row_count, "MAX_CASES", 0)
        with pytest.raises(TooComplexError):
            step_on()
        monkeypatch.undo()
        return search, states[-1]

    def test_it_goes_on_as_if_nothing_had_happened(self, monkeypatch):
        with few_implicants(1, products=1):
            search, _ = self.failed(monkeypatch)
            done = search.iteration
            later = [with_labels(search.step()) for _ in range(100)]
            assert later == self.undisturbed(done + 100)[done:]

    def test_a_run_that_failed_can_be_run_again(self, monkeypatch):
        with few_implicants(1, products=1):
            search = RlsGp(self.CONFIG)
            with monkeypatch.context() as patch:
                patch.setattr(true_row_count, "MAX_CASES", 0)
                with pytest.raises(TooComplexError):
                    search.run()
            assert search.run() == RlsGp(self.CONFIG).run()

    def test_an_error_of_the_one_who_looks_on_loses_no_iteration(self):
        def on_step(step: Step) -> None:
            if step.iteration == 7:
                raise KeyboardInterrupt

        search = RlsGp(self.CONFIG)
        with pytest.raises(KeyboardInterrupt):
            search.run(on_step=on_step)
        assert [with_labels(search.step())] == self.undisturbed(8)[7:]


class TestUncountable:
    def test_a_run_on_drawn_rows_goes_on_where_the_true_error_cannot_be_counted(self, monkeypatch):
        with few_implicants(1, products=1):
            monkeypatch.setattr(true_row_count, "MAX_CASES", 0)
            start = parse("(x1 | x2) & (x2 | x3) & (x3 | x1)")
            search = RlsGp(RunConfig(n=4, limit=12, fitness="sampled", rows=20, seed=1), start)
            steps = [search.step() for _ in range(60)]
        assert any(step.verdict in ("improved", "neutral") for step in steps)


class TestImprovements:
    @given(starts(configs()))
    def test_they_are_those_of_the_steps(self, case):
        improvements: list[tuple[int, int]] = []
        steps: list[Step] = []
        RlsGp(*case).run(max_iterations=300, improvements=improvements)
        RlsGp(*case).run(max_iterations=300, on_step=steps.append)
        expected = [(step.iteration, step.error) for step in steps if step.verdict is Verdict.IMPROVED]
        assert improvements == expected


class TestCounts:
    @given(starts(configs()), st.integers(0, 120), st.booleans())
    def test_they_are_those_of_the_steps(self, case, most, is_seen):
        config, _ = case
        search, counts = RlsGp(*case), RunCounts()
        improvements: list[tuple[int, int]] = []
        on_step = (lambda step: False) if is_seen else None
        search.run(max_iterations=most, on_step=on_step, improvements=improvements, counts=counts)
        expected, full_at = RunCounts(), []
        other = RlsGp(*case)
        for _ in range(search.iteration):
            was_full = is_full(other.tree, config)
            step = other.step()
            expected.duplicate_accepted += step.duplicate_accepted
            expected.true_error_grew += step.true_error_grew
            expected.full_iterations += was_full
            if step.verdict is IMPROVED:
                full_at.append((expected.full_iterations, was_full))
        assert counts.duplicate_accepted == expected.duplicate_accepted
        assert counts.true_error_grew == expected.true_error_grew
        assert counts.full_iterations == expected.full_iterations
        assert counts.full_at == full_at
        assert len(full_at) == len(improvements)

    def test_a_sample_lets_the_true_error_grow_more_than_once(self):
        config = RunConfig(n=4, fitness="sampled", rows=1, limit="inf", seed=2)
        start = parse("x1 & x2 & x3 & x4")
        steps: list[Step] = []
        counts = RunCounts()
        search = RlsGp(config, start)
        for _ in range(60):  # a sample of one row is soon right
            one = RunCounts()
            search.run(max_iterations=search.iteration + 1, on_step=steps.append, counts=one)
            counts.true_error_grew += one.true_error_grew
            search.error = None
        assert counts.true_error_grew == sum(step.true_error_grew for step in steps) > 1

    def test_they_begin_where_the_run_is(self):
        search, counts = RlsGp(RunConfig(n=4, limit="2", deletion="leaf"), parse("x1 & x2")), RunCounts()
        search.run(max_iterations=3)  # under this limit it stays full for ever
        search.run(max_iterations=10, counts=counts)
        assert counts.full_iterations == 7


class TestInPython:
    @given(
        starts(configs()), st.integers(0, 5), st.lists(st.sampled_from(sorted(WAYS)), max_size=5), st.data()
    )
    def test_a_copy_goes_on_from_where_the_run_is_at_any_moment(self, case, scripted, ways, data):
        config, start = case
        search = RlsGp(config, start, (ROOT_AND,) * scripted)
        for way in ways:
            WAYS[way](search)
        copied = COPIES[data.draw(st.sampled_from(sorted(COPIES)))]
        made = copied(search)
        assert counters_of(made) == counters_of(search)
        after = [with_labels(search.step()) for _ in range(20)]
        assert [with_labels(made.step()) for _ in range(20)] == after
        assert counters_of(made) == counters_of(search)

    @pytest.mark.parametrize("settings", [{}, {"fitness": "sampled", "rows": 40}], ids=str)
    @pytest.mark.parametrize("start", [None, "x1 & x2 & x3 & x4"], ids=str)
    def test_going_through_a_run_ends_when_it_is_solved(self, start, settings):
        config, tree = RunConfig(n=4, seed=3, **settings), None if start is None else parse(start)
        search = RlsGp(config, tree)
        steps = list(search)
        result = RlsGp(config, tree).run()
        assert (len(steps), search.error) == (result.iterations, 0)

    def test_a_run_says_what_it_is(self):
        search = RlsGp(RunConfig(n=4, seed=3))
        assert repr(search) == "<RLS-GP on AND_4 at iteration 0: the empty tree>"
        leaves = search.run(max_iterations=np.int64(10**6)).leaves
        assert repr(search) == f"<RLS-GP on AND_4 at iteration {search.iteration}: {leaves} leaves, error 0>"

    def test_numbers_may_be_those_of_numpy_and_stay_plain(self):
        search = RlsGp(RunConfig(n=np.uint8(80), limit="inf", seed=np.int64(3)))
        step = search.force(Mutation(INS, np.int64(1), np.int64(79), AND, LEFT))
        assert (type(step.node), type(step.variable), step.tree) == (int, int, Leaf(0, np.int64(79)))
        assert step.tree is not None
        assert step.tree.value == 1 << 78
        result = search.run(max_iterations=np.int64(300))
        assert result.iterations == 300
        assert [type(value) for value in result[1:9]] == [int] * 7 + [type(None)]

    @pytest.mark.parametrize(
        "most", [True, 3.0, np.float64(3), np.True_, -1, None, np.array([1, 2])], ids=repr
    )
    def test_other_numbers_of_iterations_are_refused(self, most):
        with pytest.raises(InvalidValueError, match=r"^max_iterations: .* a whole number from 0 to 2\^62\.$"):
            RlsGp(RunConfig(n=4)).run(max_iterations=most)

    @pytest.mark.parametrize("field", ["node", "variable"])
    @pytest.mark.parametrize("value", [True, 1.0, "1", None], ids=repr)
    def test_a_mutation_has_whole_numbers(self, field, value):
        mutation = ROOT_AND._replace(**{field: value})
        with pytest.raises(InvalidValueError, match=rf"^{field}: .*; it must be a whole number\.$"):
            RlsGp(RunConfig(n=4)).force(mutation)

    def test_the_members_of_a_mutation_may_be_plain_texts(self):
        search = RlsGp(RunConfig(n=4), parse("x1 & x2"))
        step = search.force(Mutation("DEL", 2, 1, "and", "left"))
        assert (step.operation, step.function, step.side) == (Operation.DEL, Function.AND, Side.LEFT)
        assert search.force(Mutation("INS", 1, 3, "or", "right")).mutation == Mutation(
            INS, 1, 3, Function.OR, Side.RIGHT
        )
        assert labels_of(step.tree) == labels_of(parse("x1 & x2"))
        assert step.offspring_leaves == 1

    @pytest.mark.parametrize(
        ("field", "value", "allowed"),
        [
            ("operation", "del", "'INS' or 'DEL' or 'SUB'"),
            ("function", "xor", "'and' or 'or'"),
            ("side", 1, "'left' or 'right'"),
            ("side", [], "'left' or 'right'"),
        ],
    )
    def test_other_texts_in_a_mutation_are_refused(self, field, value, allowed):
        with pytest.raises(InvalidValueError, match=rf"^{field}: .*; it must be {allowed}\.$"):
            RlsGp(RunConfig(n=4)).force(ROOT_AND._replace(**{field: value}))


def counters_of(search: RlsGp) -> tuple[object, ...]:
    return (*(getattr(search, name) for name in COUNTERS), labels_of(search.tree))


def put_where(search: RlsGp, config: RunConfig | None = None) -> RlsGp:
    """Another search that stands where this one does."""
    return RlsGp.at(
        config or search.config,
        search.start,
        iteration=search.iteration,
        tree=search.tree,
        error=search.error,
        accepted=search.accepted,
        improved=search.improved,
        ors_accepted=search.ors_accepted,
        settled_since=search.settled_since,
    )


@given(starts(configs()), st.integers(0, 60))
def test_a_search_put_anywhere_in_a_run_goes_on_as_the_run_does(case, iterations):
    original = RlsGp(*case)
    for _ in range(iterations):
        original.step()
    put = put_where(original)
    assert counters_of(put) == counters_of(original)
    for _ in range(40):
        assert put.step() == original.step()
        assert counters_of(put) == counters_of(original)


@given(starts(configs()), st.sets(st.integers(1, 50)))
def test_forcing_what_would_be_drawn_changes_nothing(case, forced):
    original, other = RlsGp(*case), RlsGp(*case)
    for iteration in range(1, 51):
        expected = original.step()
        step = other.force(expected.mutation) if iteration in forced else other.step()
        assert step == expected
        assert counters_of(other) == counters_of(original)


def test_another_seed_draws_other_mutations_from_the_same_iteration():
    original = RlsGp(RunConfig(n=6, seed=1))
    for _ in range(30):
        original.step()
    other = put_where(original, original.config.replaced(seed=2))
    drawn = [(original.step().mutation, other.step().mutation) for _ in range(20)]
    assert any(one != two for one, two in drawn)
    fresh = put_where(other)
    assert [other.step().mutation for _ in range(20)] == [fresh.step().mutation for _ in range(20)]


def test_a_limit_may_be_below_the_start_once_the_tree_is_small():
    smaller = RlsGp.at(
        RunConfig(n=4, limit="1"), parse("x1 & x2 & x3"), iteration=3, tree=parse("x1"), error=7,
        accepted=3, improved=0, ors_accepted=0, settled_since=3,
    )  # fmt: skip
    assert smaller.step().iteration == 4


def test_what_can_never_be_drawn_leaves_the_run_where_it_was():
    search, other = RlsGp(RunConfig(n=4)), RlsGp(RunConfig(n=4))
    for _ in range(10):
        search.step()
        other.step()
    with pytest.raises(GpvizError, match="variable: 5 is not allowed"):
        search.force(Mutation(INS, 1, 5, AND, Side.LEFT))
    assert counters_of(search) == counters_of(other)
    assert search.step() == other.step()
