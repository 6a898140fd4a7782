"""A run can be put anywhere, and can be told what to draw: it goes on exactly as RLS-GP would."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.engine import GpvizError, Mutation, RlsGp, RunConfig, parse
from gpviz.engine.enums import Function, Operation, Side, Verdict
from tests.engine.strategies import configs, labels_of
from tests.engine.test_search import starts

INS, DEL, SUB = Operation
AND, OR = Function
COUNTERS = ("iteration", "error", "accepted", "improved", "ors_accepted", "settled_since", "first_uid")


def state_of(search: RlsGp) -> tuple[object, ...]:
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
    assert state_of(put) == state_of(original)
    for _ in range(40):
        assert put.step() == original.step()
        assert state_of(put) == state_of(original)


@given(starts(configs()), st.sets(st.integers(1, 50)))
def test_forcing_what_would_be_drawn_changes_nothing(case, forced):
    original, other = RlsGp(*case), RlsGp(*case)
    for iteration in range(1, 51):
        expected = original.step()
        step = other.force(expected.mutation) if iteration in forced else other.step()
        assert step == expected
        assert state_of(other) == state_of(original)


def test_another_seed_draws_other_mutations_from_the_same_place():
    original = RlsGp(RunConfig(n=6, seed=1))
    for _ in range(30):
        original.step()
    other = put_where(original, original.config.replaced(seed=2))
    drawn = [(original.step().mutation, other.step().mutation) for _ in range(20)]
    assert any(one != two for one, two in drawn)
    fresh = put_where(other)
    assert [other.step().mutation for _ in range(20)] == [fresh.step().mutation for _ in range(20)]


def test_a_limit_below_the_tree_is_refused_with_a_sentence():
    search = RlsGp(RunConfig(n=4), parse("x1 & x2 & x3"))
    with pytest.raises(
        GpvizError, match="limit: '2' is not allowed; it must be at least 3, the number of leaves"
    ):
        put_where(search, search.config.replaced(limit="2"))


def test_a_limit_may_be_below_the_start_once_the_tree_is_small():
    smaller = RlsGp.at(
        RunConfig(n=4, limit="1"), parse("x1 & x2 & x3"), iteration=3, tree=parse("x1"), error=7,
        accepted=3, improved=0, ors_accepted=0, settled_since=3,
    )  # fmt: skip
    assert smaller.step().iteration == 4


def test_forcing_counts_as_an_ordinary_iteration():
    search = RlsGp(RunConfig(n=4))
    assert search.force(Mutation(INS, 0, 1, OR, Side.LEFT)).verdict is Verdict.IMPROVED
    assert (search.accepted, search.improved, search.ors_accepted) == (1, 1, 0)
    assert search.force(Mutation(INS, 0, 1, OR, Side.LEFT)).verdict is Verdict.NEUTRAL
    assert (search.accepted, search.improved, search.ors_accepted, search.settled_since) == (2, 1, 1, 2)
    assert search.force(Mutation(DEL, 0, 1, OR, Side.LEFT)).verdict is Verdict.UNCHANGED
    assert (search.accepted, search.ors_accepted, search.settled_since) == (3, 1, 2)
    assert search.force(Mutation(INS, 0, 2, OR, Side.LEFT)).verdict is Verdict.WORSE
    assert (search.iteration, search.accepted, search.ors_accepted, search.settled_since) == (4, 3, 1, 2)


def test_what_can_never_be_drawn_leaves_the_run_where_it_was():
    search, other = RlsGp(RunConfig(n=4)), RlsGp(RunConfig(n=4))
    for _ in range(10):
        search.step()
        other.step()
    with pytest.raises(GpvizError, match="variable: 5 is not allowed"):
        search.force(Mutation(INS, 0, 5, AND, Side.LEFT))
    assert state_of(search) == state_of(other)
    assert search.step() == other.step()
