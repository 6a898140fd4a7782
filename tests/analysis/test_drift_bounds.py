"""The paper's bound on the drift: against exact chains, and against the drift of random trees."""

from fractions import Fraction
from functools import lru_cache
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.analysis.drift_bounds import (
    drift_bound,
    leaves_removed_bound,
    paper_bound,
    stage_bounds,
    stage_of,
)
from gpviz.analysis.neighbourhood import neighbours_of, totals_of
from gpviz.engine.config import RunConfig
from gpviz.engine.formula import parse
from gpviz.engine.mutation import apply
from gpviz.engine.target import target_for
from gpviz.engine.tree import Node
from tests.analysis import independent_chain
from tests.engine import brute_force
from tests.engine.strategies import table_of_tree, trees


def careful_bound(error: int, n: int, limit: int) -> float:
    """The least expected relative gain from this error that the paper's argument gives, in full.

    A row on which the tree is wrong becomes right when one of the variables false in it is put under an AND at the
    root. With fewer leaves than the limit there are at most 2 ℓ - 3 nodes, so each variable has a probability of
    at least 1 / (6 n (2 ℓ - 3)) for that. The wrong rows have the fewest variables false when they are those with
    one, then those with two, and so on.
    """
    nodes = max(1, 2 * limit - 3)
    return float(Fraction(least_false(error, n), error) / (6 * n * nodes))


@lru_cache(maxsize=4096)
def least_false(rows: int, n: int) -> int:
    """The fewest variables that are false in so many different rows, all but the all-true one, taken together."""
    total = 0
    choices = 1  # the ways to choose the false variables, which is the number of rows that have so many
    for count in range(1, n + 1):
        choices = choices * (n - count + 1) // count
        taken = min(rows, choices)
        total += taken * count
        rows -= taken
        if not rows:
            break
    return total


@given(
    trees(n=5, max_leaves=9),
    st.sampled_from(["leaf", "subtree"]),
    st.integers(0, 6),
    st.sampled_from(["and", "and,or"]),
)
def test_the_bound_holds_for_random_trees_that_are_not_full(
    tree: Node, deletion: str, spare: int, functions: str
) -> None:
    config = RunConfig(
        n=5, limit=max(5, tree.leaves + spare), deletion=deletion, functions=tuple(functions.split(","))
    )
    error = (table_of_tree(tree, 5) ^ 1 << 31).bit_count()
    drift = totals_of(neighbours_of(tree, config)).drift
    bound = drift_bound(tree, error, config)
    assert drift >= 0
    if bound is None:
        assert not error or tree.leaves == config.max_leaves
    else:
        assert drift > bound > 0
        assert drift >= error * careful_bound(error, 5, config.max_leaves) * (1 - 1e-12)


@pytest.mark.parametrize(
    ("formula", "settings"),
    [
        ("x1 & x2 & x3 & x4", {"limit": "n"}),  # right
        ("x1 & x2 & (x3 | x4)", {"limit": "n"}),  # full
        ("x1 & x2", {"limit": "inf"}),
        ("x1 & x2", {"limit": 3}),
        ("x1 & x2", {"limit": "n", "fitness": "sampled", "rows": 10}),
    ],
)
def test_no_bound_is_given_where_the_paper_has_none(formula: str, settings: dict[str, object]) -> None:
    tree = parse(formula)
    config = RunConfig(n=4, **settings)
    assert drift_bound(tree, target_for(4).error(tree), config) is None
    assert drift_bound(None, None, config) is None


@pytest.mark.parametrize("deletion", ["leaf", "subtree"])
@pytest.mark.parametrize(("n", "limit"), [(2, 2), (2, 4), (3, 3), (3, 4)])
def test_the_bounds_hold_for_every_tree_that_is_not_full(n, limit, deletion):
    moves = independent_chain.moves_of(independent_chain.Cell(n, limit, deletion))
    checked = 0
    for tree, chances in moves.items():
        error = 0 if tree is None else independent_chain.error(tree, n)
        if not error or independent_chain.leaf_count(tree) >= limit:
            continue
        drift = sum(
            chance * (error - independent_chain.error(other, n)) / error for other, chance in chances.items()
        )
        assert drift >= careful_bound(error, n, limit) > paper_bound(error, n, limit) > 0
        checked += 1
    assert checked


def test_the_careful_bound_is_reached_by_a_leaf_that_one_more_may_join():
    chances = independent_chain.moves_of(independent_chain.Cell(2, 2, "leaf"))[1]
    drift = sum(float(chance) * (1 - independent_chain.error(other, 2)) for other, chance in chances.items())
    assert careful_bound(1, 2, 2) == pytest.approx(drift) == 1 / 12


@pytest.mark.parametrize("n", [1, 3, 4])
def test_the_fewest_false_variables_are_found_by_trying_all_rows(n):
    false = [n - row.bit_count() for row in range(2**n - 1)]
    for rows in range(1, min(2**n, 6)):
        assert least_false(rows, n) == min(map(sum, combinations(false, rows)))
    assert least_false(2**n - 1, n) == sum(false)


@pytest.mark.parametrize(
    ("n", "bounds"),
    [
        (1, (1,)),
        (2, (1, 2)),
        (4, (1, 4)),
        (5, (1, 5, 25)),
        (16, (1, 16, 256)),
        (64, (1, 64, 64**2, 64**4, 64**8)),
    ],
)
def test_the_stages_square_the_error_up_to_that_of_the_worst_tree(n: int, bounds: tuple[int, ...]) -> None:
    assert stage_bounds(n) == bounds
    assert [stage_of(bound, n) for bound in bounds] == list(range(len(bounds)))
    assert [stage_of(bound - 1, n) for bound in bounds[1:]] == list(range(len(bounds) - 1))
    assert stage_of((1 << n) - 1, n) == len(bounds) - 1


@pytest.mark.parametrize(
    ("n", "limit", "least"), [(2, 2, 2), (2, 3, 2), (2, 4, 2), (3, 3, 2), (3, 4, Fraction(3, 2))]
)
def test_every_full_tree_loses_as_many_leaves_as_the_paper_guarantees(
    n: int, limit: int, least: Fraction
) -> None:
    config = RunConfig(n=n, limit=limit)
    ratios = []
    for shape in set(map(brute_force.sorted_tree, brute_force.trees(limit, n, ("and", "or")))):
        tree = parse(brute_force.as_text(shape), n)
        bound = leaves_removed_bound(tree, brute_force.error(shape, n), config)
        if bound is None:
            assert not brute_force.error(shape, n)
            continue
        assert bound == Fraction(limit - n + 1, 3 * (2 * limit - 1))
        removed = Fraction(0)
        neighbours = list(neighbours_of(tree, config, are_sides_merged=True))
        for neighbour in neighbours:
            if neighbour.mutation.operation == "DEL":
                after = apply(tree, neighbour.mutation, (100, 101))
                is_accepted = target_for(n).error(after) <= brute_force.error(shape, n)
                removed += neighbour.probability * (limit - after.leaves) * is_accepted
        assert totals_of(neighbours, tree).leaves_removed == removed
        ratios.append(removed / bound)
    assert min(ratios) == least


@pytest.mark.parametrize(
    ("formula", "settings"),
    [
        ("x1 & x2 & x3 & x4", {"limit": "n"}),  # right
        ("x1 & x2", {"limit": "n"}),  # not full
        ("(x1 & x2) | (x1 & x2)", {"limit": "n", "deletion": "leaf"}),
        ("x1 & x2", {"limit": "inf"}),
        ("x1 & x2", {"limit": 2}),
        ("x1 & x2 & x3 & x3", {"limit": "n", "fitness": "sampled", "rows": 10}),
    ],
)
def test_no_leaves_are_guaranteed_to_go_where_the_paper_says_nothing(
    formula: str, settings: dict[str, object]
) -> None:
    tree = parse(formula)
    config = RunConfig(n=4, **settings)
    assert leaves_removed_bound(tree, target_for(4).error(tree), config) is None
    assert leaves_removed_bound(None, None, config) is None
