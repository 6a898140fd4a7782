"""The picture of a step: parent and offspring as one tree."""

from dataclasses import replace

import pytest

from gpviz.engine import Operation, RunConfig, Verdict
from gpviz.engine.tree import Leaf, nodes_of
from gpviz.explain.moment import Moment, moment_at
from gpviz.explain.step_picture import OtherLabel, step_picture
from gpviz.explain.step_text import callout_of
from gpviz.picture.layout import LAYOUTS, positions_of
from tests.app.canvas.pictures import previewed, shown, stepped
from tests.runs.runs import recorded

TREE = "(x1 & x2) | x3"  # uids: x1 0, x2 1, & 2, x3 3, | 4
INS, DEL, SUB = Operation.INS, Operation.DEL, Operation.SUB
IMPROVED, NEUTRAL, WORSE = Verdict.IMPROVED, Verdict.NEUTRAL, Verdict.WORSE


def test_a_tree_without_a_step_is_only_itself():
    picture = step_picture(shown(TREE))
    assert picture.places == ()
    assert not picture.ghosts


def test_an_accepted_insertion_rings_the_new_leaf_and_function():
    picture = step_picture(stepped(TREE, INS, IMPROVED, 1))
    assert picture.ringed == (6, 5)
    assert not picture.ghosts
    assert not picture.is_crossed


def test_a_rejected_insertion_has_a_place_though_the_tree_does_not_have_it():
    moment = stepped(TREE, INS, WORSE, 1)
    picture = step_picture(moment)
    assert picture.tree is moment.offspring
    assert picture.ghosts == {5, 6}
    assert picture.bridges == {5}  # the edge from | to & runs through it
    assert picture.is_crossed


def test_what_an_accepted_deletion_took_stays_as_a_ghost_with_its_function():
    moment = stepped(TREE, DEL, NEUTRAL, 1)
    picture = step_picture(moment)
    assert picture.tree is moment.parent
    assert picture.ghosts == {4, 2, 0, 1}
    assert picture.places == (2, 0, 1, 4)
    assert not picture.ringed  # least of all what survived
    assert not picture.bridges


def test_a_rejected_deletion_marks_the_function_that_would_go_as_well():
    picture = step_picture(stepped(TREE, DEL, WORSE, 2))
    assert picture.leaving == {0, 2}
    assert not picture.ghosts
    assert picture.is_crossed


def test_an_accepted_substitution_keeps_the_old_label_beside_the_new_one():
    picture = step_picture(stepped(TREE, SUB, IMPROVED, 2))
    assert picture.ringed == (0,)
    assert picture.other == OtherLabel(0, 1, is_old=True, is_left=True)
    assert picture.places == (0, -1)


def test_a_rejected_substitution_has_the_new_label_beside_the_old_one():
    picture = step_picture(stepped(TREE, SUB, WORSE, 4))
    assert picture.other == OtherLabel(3, 7, is_old=False, is_left=False)
    assert picture.is_crossed


@pytest.mark.parametrize("operation", Operation)
def test_the_first_leaf_is_new_or_a_ghost(operation):
    assert step_picture(stepped(None, operation, IMPROVED)).ringed == (1,)
    assert step_picture(stepped(None, operation, WORSE)).ghosts == {1}


@pytest.mark.parametrize("verdict", Verdict)
@pytest.mark.parametrize(("operation", "node"), [(INS, 1), (DEL, 1), (SUB, 2)])
def test_a_proposal_does_not_tell_the_verdict(operation, node, verdict):
    moment = stepped(TREE, operation, verdict, node)
    proposals = [
        step_picture(moment, is_proposal=True),
        step_picture(replace(moment, is_verdict_hidden=True)),
        step_picture(stepped(TREE, operation, WORSE, node), is_proposal=True),
    ]
    assert (
        len({(each.ghosts, each.leaving, each.ringed, each.other, each.is_crossed) for each in proposals})
        == 1
    )
    assert not proposals[0].is_crossed


def test_a_preview_says_what_would_become_of_it():
    assert step_picture(previewed(stepped(TREE, INS, IMPROVED, 1))).ghosts == {5, 6}
    assert not step_picture(previewed(stepped(TREE, INS, IMPROVED, 1))).is_crossed
    assert step_picture(previewed(stepped(TREE, INS, WORSE, 1))).is_crossed


def test_what_is_drawn_of_a_run_is_its_tree_and_ghosts():
    *_, history = recorded(RunConfig(n=6, limit="n+1", deletion="subtree", seed=5), 300)
    for iteration in range(1, 301):
        moment = moment_at(history, iteration)
        picture = step_picture(moment)
        drawn = {node.uid for node in nodes_of(picture.tree)}
        assert drawn - picture.ghosts == {node.uid for node in nodes_of(moment.tree)}
        both = {node.uid for tree in (moment.parent, moment.offspring) for node in nodes_of(tree)}
        assert drawn == both
        assert picture.leaving <= drawn
        assert picture.places


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("text", ["x1", "x1 & x2", TREE])
def test_the_other_label_has_a_place_of_its_own_in_every_layout(layout, text):
    moment = stepped(text, SUB, WORSE, 0 if text == "x1" else 2)
    picture = step_picture(moment)
    places = positions_of(picture.graph(), layout)
    assert moment.tree is not None
    assert picture.other is not None
    assert len(set(places.values())) == len(places) == moment.tree.size + 1
    assert picture.other.uid in places


# The words beside it


def words(moment: Moment) -> str:
    return str(callout_of(moment))


def test_a_callout_names_operands_outcome_and_whether_that_is_accepted():
    assert words(stepped("x5 & x2", SUB, IMPROVED, 1, variable=4, errors=(7, 3))) == (
        "SUB x₅ → x₄ · error 7 → 3 · accepted"
    )
    assert words(stepped("(x2 & x3) & x1", DEL, NEUTRAL, 1, errors=(3, 3))) == (
        "DEL x₂ ∧ x₃ · error stays 3 · accepted"
    )
    limited = RunConfig(n=8, limit="3")
    assert words(stepped(TREE, INS, Verdict.TOO_LARGE, 1, variable=8, config=limited)) == (
        "INS ∨ x₈ · 4 leaves > limit 3 · rejected"
    )
    assert words(stepped(TREE, SUB, Verdict.UNCHANGED, 2, variable=1)) == (
        "SUB x₁ → x₁ · changes nothing · accepted"
    )
    assert words(stepped(TREE, DEL, Verdict.UNCHANGED, 0)) == "DEL the root · changes nothing · accepted"
    assert words(stepped(None, INS, IMPROVED, errors=(None, 127))) == "First leaf x₇ · error 127 · accepted"


def test_a_callout_asks_while_the_verdict_is_hidden_and_is_conditional_in_a_preview():
    moment = stepped(TREE, INS, WORSE, 1)
    assert words(replace(moment, is_verdict_hidden=True)) == "INS ∨ x₇ · accepted?"
    assert words(previewed(moment)) == "INS ∨ x₇ · error 7 → 15 · would be rejected"
    assert callout_of(shown(TREE)) is None


def test_every_leaf_of_a_run_that_is_replaced_has_both_its_labels():
    *_, history = recorded(RunConfig(n=6, limit="n+1", seed=5), 200)
    for iteration in range(1, 201):
        moment = moment_at(history, iteration)
        other = step_picture(moment).other
        if other is not None:
            leaf = next(node for node in nodes_of(moment.tree) if node.uid == other.leaf)
            assert isinstance(leaf, Leaf)
            assert leaf.variable != other.variable
