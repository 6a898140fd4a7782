"""What the next iteration can do, in numbers and words: they agree with the neighbourhood they are made of."""

from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.analysis import neighbourhood
from gpviz.analysis.neighbourhood import Neighbour, neighbours_of
from gpviz.engine import Operation, RunConfig, Side, TooComplexError, Verdict, parse, prime_implicants
from gpviz.engine.mutation import deletion
from gpviz.engine.tree import Node, nodes_of
from gpviz.explain import next_iteration_odds
from gpviz.explain.next_iteration_odds import (
    Bin,
    acceptance,
    bins_of,
    drift_figure,
    drift_text,
    likely_verdict,
    waited_at,
)
from tests.runs.runs import Recorded, parsed_trees, recorded_runs

EXACT = RunConfig(n=6, limit="12")
SAMPLED = RunConfig(n=6, limit="12", fitness="sampled", rows=9)

odds_of = partial(next_iteration_odds.odds_of, most_seconds=inf)
"""However slow the machine is, all mutations are looked at."""


@given(parsed_trees(), st.sampled_from([EXACT, SAMPLED, EXACT.replaced(deletion="leaf", limit="inf")]))
def test_the_totals_are_those_of_the_neighbourhood(tree: Node, config: RunConfig) -> None:
    around, prospects = neighbourhood(tree, config), odds_of(tree, config)
    for verdict in Verdict:
        assert float(prospects.probability(verdict)) == pytest.approx(float(around.probability(verdict)))
        if not config.is_sampled:
            assert prospects.probability(verdict) == around.probability(verdict)
    assert float(prospects.totals.drift) == pytest.approx(float(around.drift))
    assert prospects.count == len(around.neighbours)
    assert prospects.is_complete
    assert sum(one.probability for one in prospects.neighbours) == prospects.covered == 1


@given(parsed_trees(), st.sampled_from([EXACT, SAMPLED]))
def test_merged_sides_are_the_two_sides_together(tree: Node, config: RunConfig) -> None:
    apart = [one for one in neighbours_of(tree, config) if one.mutation.side is Side.LEFT]
    merged = list(neighbours_of(tree, config, are_sides_merged=True))
    for one, both in zip(apart, merged, strict=True):
        factor = 2 if one.mutation.operation is Operation.INS else 1
        assert both == one._replace(probability=factor * one.probability)


def test_chances_are_the_same_where_there_are_too_many_implicants(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "(x1 | x2) & (x3 | x4) & (x5 | x6)"
    listed = list(neighbours_of(parse(text), SAMPLED))
    caches = [prime_implicants.disjoin, prime_implicants._with_fixed, prime_implicants._conjoin_factored]
    for cache in caches:
        cache.cache_clear()
    monkeypatch.setattr(prime_implicants, "MAX_IMPLICANTS", 3)
    exploded = list(neighbours_of(parse(text), SAMPLED))
    for cache in caches:
        cache.cache_clear()
    assert exploded == listed


@given(parsed_trees(), st.sampled_from([EXACT, SAMPLED]))
def test_the_nodes_shares_are_those_of_the_neighbourhood(tree: Node, config: RunConfig) -> None:
    around, prospects = neighbourhood(tree, config), odds_of(tree, config)
    for number, node in enumerate(nodes_of(tree), start=1):
        at_node = around.at_node(number)
        share = prospects.shares[node.uid]
        assert share.improving == pytest.approx(float(at_node[Verdict.IMPROVED]))
        assert share.here == pytest.approx(float(sum(at_node.values())))
    assert sum(share.here for share in prospects.shares.values()) == pytest.approx(1)


@given(parsed_trees())
def test_the_changes_have_the_probability_of_all_that_is_evaluated(tree: Node) -> None:
    prospects = odds_of(tree, EXACT)
    evaluated = 1 - prospects.probability(Verdict.TOO_LARGE)
    assert sum(prospects.changes.values()) == pytest.approx(float(evaluated))
    improving = sum(weight for change, weight in prospects.changes.items() if change < 0)
    assert improving == pytest.approx(float(prospects.probability(Verdict.IMPROVED)))


@given(
    st.dictionaries(st.integers(-(2**70), 2**70) | st.integers(-40, 40), st.floats(1e-9, 1), max_size=30),
    st.integers(4, 12),
)
def test_bins_hold_every_change_once_and_stay_few(changes: dict[int, float], most: int) -> None:
    bins = bins_of(changes, most)
    for before, after in pairwise(bins):
        assert after.first > before.last
    for part in bins:
        if part.probability:  # both ends occur
            assert {part.first, part.last} <= changes.keys()
    for change, weight in changes.items():
        (holding,) = [part for part in bins if part.first <= change <= part.last]
        assert holding.probability >= weight
    assert sum(part.probability for part in bins) == pytest.approx(sum(changes.values()))
    assert sum(1 for part in bins if part.first > 0) <= most
    assert sum(1 for part in bins if part.last < 0) <= most
    assert any(part.first == part.last == 0 for part in bins)


def test_few_changes_have_a_bin_each_with_its_true_value() -> None:
    assert bins_of({-8: 0.25, 0: 0.5, 8: 0.125, 16: 0.125}) == [
        Bin(-8, -8, 0.25),
        Bin(0, 0, 0.5),
        Bin(8, 8, 0.125),
        Bin(16, 16, 0.125),
    ]
    assert bins_of({1000: 1.0}) == [Bin(-1, -1, 0.0), Bin(0, 0, 0.0), Bin(1000, 1000, 1.0)]


def test_more_time_than_there_is_ends_the_list_with_a_sentence_and_what_is_known() -> None:
    ticks = iter(range(1000))
    tree = parse("x1 & x2 & x3 & x4")
    prospects = odds_of(tree, EXACT, most_seconds=0.5, clock=lambda: next(ticks))
    assert prospects.problem == "Too many to list within 0.5 seconds."
    assert 0 < prospects.covered < 1
    assert sum(prospects.totals.probabilities.values()) == prospects.covered
    assert prospects.share_text(tree.uid) == ""
    assert prospects.count == len(neighbourhood(tree, EXACT).neighbours)


def test_more_mutations_than_may_be_listed_end_the_list() -> None:
    prospects = odds_of(parse("x1 & x2"), EXACT, most_listed=5)
    assert prospects.problem == "Too many to list: more than 5."
    assert len(prospects.neighbours) == 5
    assert drift_figure(prospects).startswith("≥ +")
    assert "at least" in drift_text(prospects)
    assert prospects.at_least == "≥ "


def test_an_effect_that_takes_too_long_to_find_out_leaves_what_is_known(monkeypatch) -> None:
    def failing(*_args, **_options):
        yield Neighbour(deletion(1), Fraction(1, 3), Verdict.UNCHANGED, 1, 31, 0)
        raise TooComplexError("It has too many products.")

    monkeypatch.setattr(next_iteration_odds, "neighbours_of", failing)
    prospects = odds_of(parse("x1"), EXACT)
    assert prospects.problem.endswith("It has too many products.")
    assert prospects.covered == Fraction(1, 3)


def test_in_a_sampled_run_the_most_likely_verdict_counts() -> None:
    one = Neighbour(deletion(2), Fraction(1, 3), Verdict.WORSE, 1, 5, 2, (0.1, 0.7, 0.2))
    assert likely_verdict(one) is Verdict.NEUTRAL
    assert acceptance(one) == pytest.approx(0.8)
    exact = one._replace(chances=None)
    assert (likely_verdict(exact), acceptance(exact)) == (Verdict.WORSE, 0.0)


@given(recorded_runs(), st.integers(0, 150))
def test_the_wait_so_far_is_that_since_the_last_improvement(run: Recorded, visit: int) -> None:
    _, steps, history = run
    iteration = min(visit, len(history))
    improved = [step.iteration for step in steps[:iteration] if step.verdict is Verdict.IMPROVED]
    assert waited_at(history, iteration) == iteration - max(improved, default=0)
