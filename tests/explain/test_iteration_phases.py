"""A step opened into its phases: which there are, what they say, and what they show."""

from dataclasses import replace

import pytest
from hypothesis import given

from gpviz.engine import Operation, RunConfig, Verdict, parse
from gpviz.engine.tree import node_at
from gpviz.explain.iteration_phases import (
    PHASES,
    Code,
    Kind,
    Phase,
    PhaseView,
    hidden_preview,
    listings_of,
    phases_of,
)
from gpviz.explain.moment import Moment, moment_at, preview_of
from gpviz.runs.history import History
from tests.runs.runs import Recorded, recorded, recorded_runs

CONFIG = RunConfig(n=5, limit="n", seed=4)
SAMPLED = RunConfig(n=6, fitness="sampled", rows=20, limit="inf", deletion="leaf", seed=9)
ALL = list(PHASES)


def moments(config: RunConfig, iterations: int = 300, start: str = "") -> list[Moment]:
    _, _, history = recorded(config, iterations, parse(start, config.n) if start else None)
    return [moment_at(history, t) for t in range(1, iterations + 1)]


def first(config: RunConfig, operation: str, verdict: str, start: str = "") -> tuple[PhaseView, ...]:
    """The phases of the first step of this kind on a tree with more than one node."""
    for moment in moments(config, start=start):
        step = moment.step
        assert step is not None
        is_wanted = (step.operation, step.verdict) == (operation, verdict) and step.node > 1
        if is_wanted and moment.parent is not None and moment.parent.size > 1:
            return phases_of(moment)
    raise AssertionError(f"no {operation} that is {verdict}")


def names(views: tuple[PhaseView, ...]) -> list[Phase]:
    return [view.phase for view in views]


def test_the_start_has_no_phases():
    assert phases_of(moment_at(History(CONFIG), 0)) == ()


@pytest.mark.parametrize(
    ("operation", "verdict"), [("INS", "improved"), ("SUB", "neutral"), ("DEL", "worse")]
)
def test_a_step_has_all_six_phases_in_their_order(operation, verdict):
    views = first(CONFIG, operation, verdict)
    assert names(views) == ALL
    assert [view.index for view in views] == list(range(6))


def test_what_is_too_large_is_never_evaluated():
    views = first(CONFIG, "INS", "too_large")
    assert names(views) == [Phase.DRAW, Phase.CHOOSE, Phase.BUILD, Phase.SIZE, Phase.VERDICT]
    assert (
        views[3].sentence
        == "The offspring has 6 leaves, more than the limit 5: it is rejected without evaluation."
    )
    assert "without a look at its error" in views[-1].sentence


def test_the_empty_tree_has_no_node_to_choose():
    views = phases_of(moments(CONFIG)[0])
    assert names(views) == [Phase.DRAW, Phase.BUILD, Phase.SIZE, Phase.EVALUATE, Phase.VERDICT]
    assert "becomes its first leaf" in views[1].sentence
    assert "no error to compare with" in views[3].sentence
    assert all(view.pulsing is None for view in views)


def test_where_only_insertions_plant_another_operation_leaves_the_tree_empty():
    config = CONFIG.replaced(empty_tree="insert-only")
    found = next(moment for moment in moments(config) if moment.step and moment.step.tree is None)
    views = phases_of(found)
    assert names(views) == [Phase.DRAW, Phase.BUILD, Phase.VERDICT]
    assert "stays empty" in views[1].sentence
    assert "nothing to" in views[2].sentence


def test_a_deleted_root_and_an_equal_leaf_say_that_nothing_changes():
    root = next(
        moment
        for moment in moments(CONFIG, start="x1 & x2")
        if moment.step and moment.step.operation is Operation.DEL and moment.step.node == 1
    )
    assert "no parent and no sibling" in phases_of(root)[2].sentence
    views = first(CONFIG, "SUB", "unchanged")
    assert "equals its parent" in views[2].sentence
    assert "are equal" in views[4].sentence
    assert "the offspring is the parent" in views[5].sentence


def test_the_evaluation_tells_both_errors():
    for moment in moments(CONFIG):
        step, views = moment.step, phases_of(moment)
        assert step is not None
        if len(views) == len(ALL) and step.verdict is not Verdict.UNCHANGED and step.parent_error:
            wrong = step.offspring_error or "none"
            expected = f"wrong on {wrong} of all 32 rows, its parent on {step.parent_error}."
            assert views[ALL.index(Phase.EVALUATE)].sentence == f"The offspring is {expected}"


def test_deletions_choose_among_leaves_where_they_are_leaf_only():
    config = RunConfig(n=6, limit="inf", deletion="leaf", seed=9)
    assert "leaves, all equally likely" in first(config, "DEL", "worse")[1].sentence
    assert "nodes, all equally likely" in first(config, "INS", "worse")[1].sentence
    assert "nodes, all equally likely" in first(CONFIG, "DEL", "worse")[1].sentence


def test_while_the_verdict_is_hidden_so_is_all_that_gives_it_away():
    moment = hidden_preview(moments(CONFIG)[20])
    assert names(phases_of(moment)) == [Phase.DRAW, Phase.CHOOSE, Phase.BUILD]


def test_a_preview_has_phases_too():
    history = History(CONFIG, parse("x1 & x2", 5))
    mutation = moments(CONFIG, start="x1 & x2")[0].step
    assert mutation is not None
    assert names(phases_of(preview_of(history, 0, mutation.mutation)))[0] is Phase.DRAW


@given(recorded_runs(max_iterations=40))
def test_every_phase_shows_what_is_known_then_and_no_more(run: Recorded):
    _, _, history = run
    listings = {listing.code: listing for listing in listings_of(history.config)}
    for iteration in range(1, len(history) + 1):
        moment = moment_at(history, iteration)
        step, parent = moment.step, moment.parent
        assert step is not None
        views = phases_of(moment)
        known: set[str] = set()
        for view in views:
            assert view.iteration == iteration
            assert view.sentence.endswith(".")
            assert known <= set(view.values)
            known = set(view.values)
            assert any(mark.is_current for mark in view.marks)
            assert all(listings[mark.code].line(mark.key) for mark in view.marks)
            assert {(mark.code, mark.key) for mark in view.marks} <= view.reached
            if view.phase is Phase.VERDICT:
                assert view.moment is moment
                continue
            assert view.moment.tree is parent
            assert not any(value.kind is Kind.VERDICT for value in view.values.values())
            if view.phase in (Phase.DRAW, Phase.CHOOSE):
                assert view.moment.step is None
            else:
                assert view.moment == replace(moment, tree=parent, is_preview=True, is_verdict_hidden=True)
            if view.phase is not Phase.DRAW and parent is not None:
                assert view.pulsing == node_at(parent, step.node).uid


@given(recorded_runs(max_iterations=40))
def test_the_verdict_marks_the_line_that_was_carried_out(run: Recorded):
    _, steps, history = run
    for step in steps:
        last = phases_of(moment_at(history, step.iteration))[-1]
        assert [mark.key for mark in last.marks] == ["accept" if step.is_accepted else "reject"]
        assert last.values["accepted" if step.is_accepted else "rejected"].verdict is step.verdict


def test_the_values_are_those_that_were_drawn():
    views = first(CONFIG, "DEL", "worse")
    values = views[-1].values
    step = views[-1].moment.step
    assert step is not None
    assert step.verdict is Verdict.WORSE
    assert values["operation"].text == "DEL"
    assert values["t"].text == str(step.iteration)
    assert values["leaves"].text == str(step.offspring_leaves)
    assert (values["offspring"].text, values["parent"].text) == (
        str(step.offspring_error),
        str(step.parent_error),
    )
    assert values["node"].text.endswith("node")
    assert {"sibling", "above"} <= set(values)
    assert "side" in first(CONFIG, "INS", "worse")[-1].values


def test_the_algorithms_are_fitted_to_the_settings():
    search, mutation = listings_of(CONFIG)
    assert (search.code, mutation.code) == (Code.SEARCH, Code.MUTATION)
    assert (search.remark, mutation.remark) == ("at most 5 leaves", "subtree deletion")
    assert text(search, "start") == "X ← the empty tree"
    assert text(search, "size") == "if leaves (X′) ≤ 5"
    assert text(search, "errors") == "and error (X′) ≤ error (X)"
    assert text(mutation, "del_choose") == "choose a node x"
    assert text(mutation, "function") == "draw f from ∧, ∨"
    assert text(mutation, "plant") == "X ← the leaf l"
    assert search.line("rows") is None
    config = SAMPLED.replaced(functions="and", empty_tree="insert-only", n=2)
    search, mutation = listings_of(config, has_start=True)
    assert (search.remark, mutation.remark) == ("no limit", "leaf-only deletion")
    assert text(search, "start") == "X ← the given tree"
    assert text(search, "rows") == "draw 20 rows afresh"
    assert text(search, "errors") == "if error (X′) ≤ error (X)"
    assert text(mutation, "del_choose") == "choose a leaf x"
    assert text(mutation, "leaf") == "draw l from x₁, x₂"
    assert text(mutation, "function") == "draw f from ∧"
    assert text(mutation, "plant") == "if op = INS then X ← the leaf l"


def text(listing, key):
    line = listing.line(key)
    assert line is not None
    return line.text
