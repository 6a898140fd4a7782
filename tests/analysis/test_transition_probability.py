"""The probability of going from one tree to another, against all mutations one by one, and against runs."""

from collections import Counter
from fractions import Fraction
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.analysis import neighbourhood
from gpviz.analysis.transition_probability import transition_probability
from gpviz.engine import RlsGp, Rules, RunConfig, Verdict, apply, format_formula, parse
from gpviz.engine.tree import Node
from tests.engine.strategies import trees
from tests.thoroughness import every_day

RULES = [
    RunConfig(n=3, limit="4", deletion="leaf"),
    RunConfig(n=3, limit="5", deletion="subtree"),
    RunConfig(n=3, limit="inf", deletion="subtree", functions=("and",)),
]


def written(tree: Node | None) -> str:
    return format_formula(tree)


def enumerated(tree: Node | None, config: RunConfig | Rules) -> dict[str, Fraction]:
    """For each tree that may survive the next iteration its probability, from all mutations one by one."""
    chances: dict[str, Fraction] = {}
    for mutation, probability, verdict, *_ in neighbourhood(tree, config).neighbours:
        is_changed = verdict in (Verdict.IMPROVED, Verdict.NEUTRAL)
        survivor = apply(tree, mutation, (-1, -2)) if is_changed else tree
        chances[written(survivor)] = chances.get(written(survivor), Fraction(0)) + probability
    return chances


@given(trees(3, max_leaves=4), st.sampled_from(RULES))
def test_it_is_what_all_mutations_add_up_to(tree: Node, config: RunConfig):
    chances = enumerated(tree, config)
    assert sum(chances.values()) == 1
    for text, chance in chances.items():
        assert transition_probability(tree, parse(text), config) == chance


@pytest.mark.parametrize("empty_tree", ["any", "insert-only"])
def test_on_the_empty_tree_the_first_leaf_is_any_variable(empty_tree: str):
    config = RunConfig(n=3, empty_tree=empty_tree)
    chances = enumerated(None, config)
    assert transition_probability(None, parse("x2"), config) == chances["x2"]
    assert transition_probability(None, None, config) == chances.get("", 0)
    assert transition_probability(None, parse("x1 & x2"), config) == 0
    assert transition_probability(parse("x1"), None, config) == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x1", "x1 | x2"),  # worse
        ("x1 & x2", "x1 & (x2 & x3) & (x1 & x2)"),  # too large, and too far away
        ("x1 & x2", "x2 & x1"),  # two leaves
        ("x1 & x2", "x1 | x2"),
        ("(x1 & x2) & (x1 & x2)", "x1 & x2"),  # a subtree, under leaf deletion
    ],
)
def test_what_one_iteration_cannot_do_has_probability_zero(one: str, other: str):
    assert transition_probability(parse(one), parse(other), RULES[0]) == 0


def test_sampled_rows_are_refused():
    with pytest.raises(ValueError, match="a matter of chance"):
        transition_probability(None, parse("x1"), RunConfig(n=3, fitness="sampled", rows=4))


def test_runs_go_there_as_often_as_it_says():
    config, runs = RunConfig(n=2, limit="3", deletion="leaf"), every_day(4_000, thorough=10_000)
    seen = Counter[tuple[str, str]]()
    for seed in range(runs):
        search = RlsGp(config.replaced(seed=seed))
        seen[written(search.step().tree), written(search.step().tree)] += 1
    total = Fraction(0)
    for (one, other), count in seen.items():
        first = transition_probability(None, parse(one), config)
        product = first * transition_probability(parse(one), parse(other), config)
        assert abs(count / runs - product) < 4 * sqrt(product * (1 - product) / runs)
        total += product
    assert total == 1  # so many runs have gone every way there is
