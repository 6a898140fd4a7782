"""What a step did or would have done, as marks."""

from typing import Any

import pytest

from gpviz.app.canvas.mutation_marks import Deleted, Inserted, Planted, Substituted, compact, marks_of
from gpviz.engine import Operation, RunConfig, Side, Verdict
from gpviz.engine.tree import nodes_of
from gpviz.explain.moment import Moment
from tests.app.canvas.pictures import CONFIG, picture_of, shown, stepped

TREE = "(x1 & x2) | x3"  # uids: x1 0, x2 1, & 2, x3 3, | 4
INS, DEL, SUB = Operation.INS, Operation.DEL, Operation.SUB


def marked(picture: Moment | None, collapsed: frozenset[int] = frozenset()) -> Any:
    return marks_of(picture, collapsed)


def test_no_step_has_no_marks():
    assert marked(None) is None
    assert marked(shown(TREE)) is None


@pytest.mark.parametrize("verdict", [Verdict.WORSE, Verdict.TOO_LARGE])
def test_a_rejected_insertion_is_a_ghost_above_the_chosen_node(verdict):
    marks = marked(stepped(TREE, INS, verdict, 1, side=Side.LEFT))
    assert isinstance(marks.ghost, Inserted)
    assert (marks.ghost.uid, marks.ghost.above, marks.ghost.is_left) == (2, 4, True)
    assert (marks.ghost.function.label, marks.ghost.leaf.label) == ("∨", "x₇")
    assert marks.ringed == (2,)


def test_a_rejected_insertion_at_the_root_has_nothing_above():
    assert marked(stepped(TREE, INS, Verdict.WORSE, 0)).ghost.above is None


def test_a_rejected_deletion_strikes_out_the_whole_subtree():
    marks = marked(stepped(TREE, DEL, Verdict.WORSE, 1))
    assert marks.ghost == Deleted(2, (2, 0, 1))


def test_a_rejected_substitution_shows_the_other_leaf():
    marks = marked(stepped(TREE, SUB, Verdict.WORSE, 4))
    assert isinstance(marks.ghost, Substituted)
    assert (marks.ghost.uid, marks.ghost.leaf.label) == (3, "x₇")


@pytest.mark.parametrize("verdict", [Verdict.IMPROVED, Verdict.NEUTRAL])
def test_an_accepted_step_rings_what_it_changed(verdict):
    inserted = marked(stepped(TREE, INS, verdict, 1))
    assert inserted.ringed == (5, 6)
    assert inserted.ghost is None
    assert marked(stepped(TREE, SUB, verdict, 2)).ringed == (0,)


def test_after_an_accepted_deletion_what_moved_up_is_ringed():
    assert marked(stepped(TREE, DEL, Verdict.NEUTRAL, 4)).ringed == (2,)
    assert marked(stepped(TREE, DEL, Verdict.NEUTRAL, 2)).ringed == (1,)


@pytest.mark.parametrize(("operation", "node", "variable"), [(DEL, 0, 7), (SUB, 4, 3)])
def test_a_step_that_changes_nothing_rings_the_chosen_node(operation, node, variable):
    picture = stepped(TREE, operation, Verdict.UNCHANGED, node, variable=variable)
    marks = marked(picture)
    assert marks.ringed == ((4,) if operation is DEL else (3,))
    assert marks.text == "changes nothing"


@pytest.mark.parametrize("operation", Operation)
def test_on_the_empty_tree_every_operation_plants_the_first_leaf(operation):
    marks = marked(stepped(None, operation, Verdict.IMPROVED, errors=(None, 127)))
    assert marks.title == "First leaf"
    assert marks.text == "error 127"
    assert len(marks.ringed) == 1
    rejected = marked(stepped(None, operation, Verdict.WORSE, errors=(None, 127)))
    assert isinstance(rejected.ghost, Planted)


def test_an_offspring_without_a_leaf_is_named():
    picture = stepped(TREE, DEL, Verdict.WORSE, 1, errors=(7, None))
    assert marked(picture).text == "the empty tree"
    gone = Moment(config=CONFIG, iteration=1, tree=None, step=stepped(TREE, SUB, Verdict.NEUTRAL, 2).step)
    assert marked(gone).ringed == ()


def test_the_reason_says_why_the_offspring_lost():
    assert marked(stepped(TREE, INS, Verdict.WORSE)).text == "error 7 → 15"
    limited = RunConfig(n=8, limit="3")
    assert marked(stepped(TREE, INS, Verdict.TOO_LARGE, config=limited)).text == "4 leaves > limit 3"
    sampled = RunConfig(n=8, fitness="sampled", rows=20)
    assert marked(stepped(TREE, INS, Verdict.WORSE, config=sampled)).text == "error 7 → 15 on these rows"
    assert marked(stepped(TREE, INS, Verdict.NEUTRAL, errors=(7, 7))).text == "error stays 7"


def test_errors_that_look_alike_are_told_by_their_difference():
    large = 2**100
    assert marked(stepped(TREE, INS, Verdict.WORSE, errors=(large, large + 2))).text == "error 1.3 × 10³⁰, +2"


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0"), (9_999_999, "9,999,999"), (12_645_678, "1.3 × 10⁷"), (-3, "−3")]
)
def test_large_numbers_are_written_as_powers_of_ten(number, text):
    assert compact(number) == text


def test_what_a_collapsed_node_hides_is_marked_on_that_node():
    collapsed = frozenset({2})
    hidden = marked(stepped(TREE, SUB, Verdict.WORSE, 2), collapsed)
    assert hidden.ringed == (2,)
    assert hidden.ghost is None
    assert marked(stepped(TREE, SUB, Verdict.IMPROVED, 2), collapsed).ringed == (2,)
    assert marked(stepped(TREE, DEL, Verdict.WORSE, 1), collapsed).ghost == Deleted(2, (2,))


def test_every_iteration_of_a_run_marks_nodes_of_its_tree():
    for iteration in range(1, 61):
        picture = picture_of(iteration)
        marks = marked(picture)
        uids = {node.uid for node in nodes_of(picture.tree)}
        assert marks.ringed
        assert set(marks.ringed) <= uids
