"""The outlook after each neighbour: which moves are fatal, and that the average is what the tree has now."""

from fractions import Fraction

import pytest

from gpviz.analysis.markov_chain import solved_chain
from gpviz.engine import RunConfig, Verdict, apply, parse
from gpviz.engine.mutation import fresh_uids
from gpviz.engine.tree import largest_uid
from gpviz.explain import neighbour_outlooks
from gpviz.explain.neighbour_outlooks import NeighbourOutlooks, is_move
from gpviz.explain.next_iteration_odds import odds_of

EXACT = RunConfig(n=3, limit="4", deletion="leaf", seed=45)
TRAP = "(x1 & x2) | (x1 & x1)"
"""A full tree with few ways out: what improves it is fatal."""
ESTIMATED = RunConfig(n=6, limit="7", deletion="leaf", seed=3)
LARGER_TRAP = "x3 & x4 & x1 & ((x5 & x1) | (x2 & x5))"


def outlooks_of(formula, config):
    tree = parse(formula, config.n) if formula else None
    return NeighbourOutlooks(odds_of(tree, config), config)


def worked_out(formula, config, most=1000):
    outlooks = outlooks_of(formula, config)
    for _ in range(most):
        job = outlooks.next_job()
        if job is None:
            break
        job.work()
    return outlooks


@pytest.fixture(scope="module")
def trap():
    return worked_out(TRAP, EXACT)


@pytest.fixture(scope="module")
def larger():
    """Roughly known: every kind of neighbour has had its first continuations."""
    outlooks = outlooks_of(LARGER_TRAP, ESTIMATED)
    while not outlooks.is_known:
        outlooks.next_job().work()
    return outlooks


def test_every_accepted_neighbour_has_the_exact_outlook_of_its_tree(trap):
    tree = trap.odds.tree
    chain = solved_chain(EXACT)
    assert chain is not None
    uids = fresh_uids(largest_uid(tree) + 1, 1)
    for one in trap.odds.neighbours:
        after = trap.after(one.mutation)
        if one.verdict in (Verdict.IMPROVED, Verdict.NEUTRAL):
            value = chain.value_of(apply(tree, one.mutation, uids))
            assert value is not None
            assert after.stuck == pytest.approx(value.stuck)
        else:
            assert after is None
            assert trap.text(one) == "–"


@pytest.mark.parametrize("formula", ["", "x1", "x1 | x2", TRAP, "x1 & x2 & x2 & x1", "x1 & x2 & (x3 | x1)"])
def test_averaged_over_the_next_iteration_the_chance_stays_what_it_is(formula):
    outlooks = worked_out(formula, EXACT)
    assert outlooks.mean.stuck == pytest.approx(outlooks.now.stuck, abs=1e-12)


def test_an_estimated_average_agrees_with_the_chance_within_its_error(larger):
    now, mean = larger.now, larger.mean
    assert not mean.is_exact
    assert 0 < mean.stuck_error < 0.1
    assert abs(mean.stuck - now.stuck) < 4 * (mean.stuck_error + now.stuck_error)


def test_fatal_moves_are_those_after_which_every_run_ends_stuck(trap):
    fatal = [one for one in trap.odds.neighbours if trap.is_fatal(one.mutation)]
    assert fatal == [
        one for one in trap.odds.neighbours if is_move(one) and trap.after(one.mutation).stuck == 1
    ]
    assert trap.fatal.moves == len(fatal) == 4
    assert trap.fatal.improving == 4
    assert trap.fatal.probability == sum(one.probability for one in fatal) == Fraction(1, 9)
    assert {trap.text(one) for one in fatal} == {"100 % † fatal ▲"}


def test_no_move_of_a_tree_that_is_stuck_anyway_is_fatal():
    outlooks = worked_out("(x1 & x2) | (x3 & x1)", EXACT)  # which can still improve, but in vain
    assert outlooks.moves == 4
    assert outlooks.now.stuck == 1.0
    assert not outlooks.fatal.moves
    assert outlooks.summary() == "Now 100 %: whatever comes next, the run ends stuck."


def test_of_too_many_moves_some_are_left_out_and_it_is_said(monkeypatch):
    monkeypatch.setattr(neighbour_outlooks, "_MOST_MOVES", 5)
    outlooks = worked_out(TRAP, EXACT)
    left_out = [
        one for one in outlooks.odds.neighbours if is_move(one) and not outlooks.is_awaited(one.mutation)
    ]
    assert len(left_out) == 4
    assert outlooks.text(left_out[0]) == "–"
    assert outlooks.hint(left_out[0]) == "Too many moves to look at all."
    assert outlooks.mean is None
    assert outlooks.summary().startswith("4 of the 5 accepted moves examined are fatal, together 11.1 %")


class TestSummary:
    def test_it_counts_the_fatal_moves_and_compares_now_with_the_average(self, trap):
        assert trap.summary() == (
            "4 of 9 accepted moves are fatal, together 11.1 % of an iteration; all of them improve the error. "
            "Now 34 %, after the next step 34 % on average."
        )


def test_the_tooltip_says_how_a_value_is_known(trap, larger):
    fatal = next(one for one in trap.odds.neighbours if trap.is_fatal(one.mutation))
    assert trap.hint(fatal) == (
        "Fatal, though it improves the error: from the new tree no run reaches the error goal."
    )
    estimated = next(
        one for one in larger.odds.neighbours if is_move(one) and not larger.after(one.mutation).is_exact
    )
    assert larger.hint(estimated).startswith("Estimated from ")
