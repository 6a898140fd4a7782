"""Every mutation of a tree with its exact probability, and what they add up to."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import sqrt

import pytest

from gpviz.analysis import neighbourhood
from gpviz.analysis.neighbourhood import Neighbourhood, chance_of_growing_error
from gpviz.engine import Inner, Mutation, Node, RlsGp, RunConfig, Verdict, parse
from gpviz.engine.interruption import Stopped, stoppable
from gpviz.engine.mutation import apply, is_unchanged
from gpviz.engine.target import target_for
from gpviz.engine.tree import nodes_of
from tests.engine.brute_force import as_text, trees
from tests.thoroughness import every_day

CONFIGS = [
    RunConfig(n=3, limit=4, deletion=deletion, functions=functions)
    for deletion in ("leaf", "subtree")
    for functions in ("and,or", "and")
]


def chi_square(observed: Counter[object], expected: dict[object, float]) -> tuple[float, int]:
    """The statistic and its degrees of freedom; what is not expected must not be observed."""
    assert set(observed) <= {key for key, count in expected.items() if count > 0}
    cells = [(observed[key], count) for key, count in expected.items() if count > 0]
    return sum((seen - count) ** 2 / count for seen, count in cells), len(cells) - 1


def is_plausible(statistic: float, degrees: int) -> bool:
    """Whether a chi-square statistic is below about its 0.99999 quantile (Wilson and Hilferty)."""
    spread = 2 / (9 * degrees)
    return bool(statistic < degrees * (1 - spread + 4.27 * spread**0.5) ** 3)


def what_counts(mutation: Mutation) -> object:
    """The mutation without what its operation does not use."""
    used = {"DEL": 2, "SUB": 3, "INS": 5}[mutation.operation]
    return mutation[:used]


def expected_draws(around: Neighbourhood, draws: int) -> dict[object, float]:
    return {what_counts(n.mutation): draws * float(n.probability) for n in around.neighbours}


def expected_verdicts(around: Neighbourhood, draws: int) -> dict[object, float]:
    return {verdict: draws * float(p) for verdict, p in around.probabilities.items()}


@pytest.mark.parametrize("config", CONFIGS)
def test_probabilities_sum_to_one_exactly(config: RunConfig) -> None:
    for leaves in (1, 2, 4):
        for tree in trees(leaves, 3, tuple(config.functions))[::7]:
            around = neighbourhood(parse(as_text(tree)), config)
            assert sum(neighbour.probability for neighbour in around.neighbours) == 1
            assert sum(around.probabilities.values()) == 1


@pytest.mark.parametrize("config", CONFIGS)
def test_every_effect_is_what_applying_the_mutation_gives(config: RunConfig) -> None:
    target = target_for(config.n)
    for leaves in (1, 2, 3, 4):
        for text in map(as_text, trees(leaves, 3, tuple(config.functions))[::11]):
            tree = parse(text)
            for neighbour in neighbourhood(tree, config).neighbours:
                offspring = apply(tree, neighbour.mutation, (100, 101))
                assert neighbour.leaves == offspring.leaves
                if neighbour.verdict is Verdict.TOO_LARGE:
                    assert offspring.leaves > 4
                    assert neighbour.error_change is None
                    continue
                change = target.error(offspring) - target.error(tree)
                assert (neighbour.error, neighbour.error_change) == (target.error(offspring), change)
                if is_unchanged(tree, neighbour.mutation):
                    assert neighbour.verdict is Verdict.UNCHANGED
                else:
                    expected = "improved" if change < 0 else "worse" if change else "neutral"
                    assert neighbour.verdict == expected


@pytest.mark.parametrize("deletion", ["leaf", "subtree"])
def test_draws_from_a_free_tree_agree_with_the_probabilities(deletion: str) -> None:
    tree = parse("x1 & ((x2 | x3) & x1)")
    draws = every_day(4000, thorough=20_000)
    config = RunConfig(n=3, limit=6, deletion=deletion)
    mutations: Counter[object] = Counter()
    verdicts: Counter[object] = Counter()
    for seed in range(draws):
        step = RlsGp(config.replaced(seed=seed), tree).step()
        mutations[what_counts(step.mutation)] += 1
        verdicts[step.verdict] += 1
    around = neighbourhood(tree, config)
    assert is_plausible(*chi_square(mutations, expected_draws(around, draws)))
    assert is_plausible(*chi_square(verdicts, expected_verdicts(around, draws)))


@pytest.mark.parametrize("sampler", ["rows", "counts"])
def test_sampled_verdicts_agree_with_their_chances(sampler: str) -> None:
    tree = parse("x1 & ((x2 | x3) & x1)")
    draws = every_day(2000, thorough=10_000)
    config = RunConfig(n=4, limit=6, fitness="sampled", rows=7, sampler=sampler)
    verdicts: Counter[object] = Counter(
        RlsGp(config.replaced(seed=seed), tree).step().verdict for seed in range(draws)
    )
    around = neighbourhood(tree, config)
    assert float(sum(around.probabilities.values())) == pytest.approx(1)
    assert is_plausible(*chi_square(verdicts, expected_verdicts(around, draws)))


def test_drift_and_wait_of_a_single_leaf_are_those_worked_out_by_hand() -> None:
    # n = 2, tree x1, error 1: only INS with AND and x2 improves, by 1: 1/3 * 1/2 * 1/2.
    around = neighbourhood(parse("x1"), RunConfig(n=2, limit=2))
    assert around.probability("improved") == Fraction(1, 12)
    assert around.drift == Fraction(1, 12)
    assert around.wait_if_unchanged == 12


def test_the_empty_tree_takes_any_first_leaf() -> None:
    around = neighbourhood(None, RunConfig(n=3))
    assert around.probability("improved") == 1
    assert {n.mutation.variable for n in around.neighbours} == {1, 2, 3}
    waiting = neighbourhood(None, RunConfig(n=3, empty_tree="insert-only"))
    assert waiting.probability("improved") == Fraction(1, 3)
    assert waiting.probability("unchanged") == Fraction(2, 3)


def test_all_nodes_appear_under_subtree_deletion_and_only_leaves_under_leaf_deletion() -> None:
    tree = parse("x1 & (x2 | x3)")
    for deletion, nodes in (("subtree", [1, 2, 3, 4, 5]), ("leaf", [2, 4, 5])):
        around = neighbourhood(tree, RunConfig(n=3, deletion=deletion))
        deleted = [n.mutation.node for n in around.neighbours if n.mutation.operation == "DEL"]
        assert deleted == nodes
    assert len(list(nodes_of(tree))) == 5


def is_true(tree: Node, row: int) -> bool:
    """The tree's value where the bits of a row are the variables' values."""
    if not isinstance(tree, Inner):
        return bool(row >> (tree.variable - 1) & 1)
    values = is_true(tree.left, row), is_true(tree.right, row)
    return all(values) if tree.function == "and" else any(values)


def wrong_rows(tree: Node, n: int) -> list[int]:
    return [int(is_true(tree, row) != (row == 2**n - 1)) for row in range(2**n)]


@pytest.mark.parametrize("deletion", ["leaf", "subtree"])
@pytest.mark.parametrize(
    "text", ["x1", "x1 | x1", "x1 & x2", "x1 | x2", "x1 & (x2 | x3)", "(x1 | x2) & x2", "x2 & x1 & x2"]
)
def test_the_chance_of_a_growing_error_is_that_of_all_mutations_on_all_samples(
    text: str, deletion: str
) -> None:
    n, rows = 3, 2
    tree = parse(text, n)
    config = RunConfig(n=n, limit=3, deletion=deletion, fitness="sampled", rows=rows)
    before = wrong_rows(tree, n)
    samples = list(product(range(2**n), repeat=rows))
    chance = Fraction(0)
    for neighbour in neighbourhood(tree, config).neighbours:
        offspring = apply(tree, neighbour.mutation, (100, 101))
        after = wrong_rows(offspring, n)
        if offspring.leaves <= 3 and sum(after) > sum(before):
            accepted = sum(
                sum(after[row] for row in sample) <= sum(before[row] for row in sample) for sample in samples
            )
            chance += neighbour.probability * Fraction(accepted, len(samples))
    assert chance_of_growing_error(tree, config) == pytest.approx(float(chance), rel=1e-12)
    assert chance


def conjunction(variables: int, n: int) -> Node:
    return parse(" & ".join(f"x{variable}" for variable in range(1, variables + 1)), n)


@pytest.mark.parametrize(("variables", "chance"), [(6, 1.23e-8), (8, 0.00159), (10, 0.0625), (12, 0.2235)])
def test_the_chance_of_a_growing_error_soars_as_wrong_rows_leave_the_sample(
    variables: int, chance: float
) -> None:
    config = RunConfig(n=50, limit="inf", fitness="sampled", rows=2000, sampler="counts")
    tree = conjunction(variables, 50)
    assert chance_of_growing_error(tree, config) == pytest.approx(chance, rel=0.005)
    assert chance_of_growing_error(tree, config.replaced(fitness="complete", rows=None)) == 0
    assert chance_of_growing_error(None, config) == 0


@pytest.mark.parametrize("text", ["", "(x1 | x2) & x3 & x4 & (x5 | x6) & x7 & x8 & x9 & x1 & x10"])
def test_errors_grow_as_often_as_the_chance_says(text: str) -> None:
    config = RunConfig(n=50, limit="inf", fitness="sampled", rows=2000, sampler="counts")
    tree = parse(text, 50) if text else conjunction(11, 50)
    draws = every_day(500, thorough=2000)
    grown = sum(RlsGp(config.replaced(seed=seed), tree).step().true_error_grew for seed in range(draws))
    chance = float(chance_of_growing_error(tree, config))
    assert abs(grown / draws - chance) <= 4 * sqrt(chance * (1 - chance) / draws)


@pytest.mark.parametrize("text", ["x1", "x1 & x2", "x1 | (x2 & x3)", "(x1 | x2) & x3 & x1"])
def test_root_ands_contribute_what_inserting_each_of_them_gains(text: str) -> None:
    config = RunConfig(n=4, limit=5)
    tree = parse(text, 4)
    around = neighbourhood(tree, config)
    gains = [sum(wrong_rows(tree, 4)) - sum(wrong_rows(parse(f"({text}) & x{v}", 4), 4)) for v in range(1, 5)]
    expected = Fraction(sum(gains), 3 * tree.size * 4 * 2)
    assert around.totals.root_and_drift == expected
    assert around.totals.root_and_share == expected / around.drift


def test_root_ands_of_full_trees_and_on_the_empty_tree_contribute_nothing() -> None:
    full = neighbourhood(parse("x1 | x2"), RunConfig(n=3, limit=2)).totals
    assert (full.root_and_drift, full.root_and_share) == (0, 0)
    empty = neighbourhood(None, RunConfig(n=3, limit=2)).totals
    assert (empty.root_and_drift, empty.root_and_share) == (0, None)


def test_a_sampled_run_counts_what_is_better_apart_from_what_looks_so() -> None:
    tree = parse("x1 & (x2 | x3)")
    config = RunConfig(n=4, limit="inf", fitness="sampled", rows=3)
    sampled, complete = (
        neighbourhood(tree, each).totals for each in (config, config.replaced(fitness="complete", rows=None))
    )
    assert sampled.is_better == complete.is_better == complete.probabilities[Verdict.IMPROVED]
    assert sampled.probabilities[Verdict.IMPROVED] != pytest.approx(float(sampled.is_better), rel=0.1)
    assert sampled.grows_error == pytest.approx(chance_of_growing_error(tree, config))
    assert complete.grows_error == 0


def test_working_out_the_chance_of_a_growing_error_ends_when_nobody_waits() -> None:
    config = RunConfig(n=50, limit="inf", fitness="sampled", rows=2000, sampler="counts")
    with stoppable(lambda: True), pytest.raises(Stopped):
        chance_of_growing_error(conjunction(3, 50), config)
