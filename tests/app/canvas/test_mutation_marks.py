"""What a step did or would have done, as marks on the nodes on show."""

from gpviz.app.canvas.mutation_marks import Marks, marks_of
from gpviz.engine import Operation, Verdict
from gpviz.engine.tree import nodes_of
from gpviz.explain.moment import Moment
from tests.app.canvas.pictures import picture_of, shown, stepped

TREE = "(x1 & x2) | x3"  # uids: x1 0, x2 1, & 2, x3 3, | 4
INS, DEL, SUB = Operation.INS, Operation.DEL, Operation.SUB


def marked(picture: Moment, collapsed: frozenset[int] = frozenset()) -> Marks:
    marks = marks_of(picture, collapsed)
    assert marks is not None
    return marks


def test_no_step_has_no_marks():
    assert marks_of(None) is None
    assert marks_of(shown(TREE)) is None


def test_what_is_rejected_is_crossed_out_and_what_is_accepted_is_not():
    assert marked(stepped(TREE, INS, Verdict.WORSE, 1)).crossed == (6, 5)
    assert marked(stepped(TREE, DEL, Verdict.WORSE, 2)).crossed == (0, 2)
    assert marked(stepped(TREE, SUB, Verdict.WORSE, 2)).crossed == (-1,)
    for operation, node in ((INS, 1), (DEL, 2), (SUB, 2)):
        assert not marked(stepped(TREE, operation, Verdict.NEUTRAL, node)).crossed


def test_a_rejected_deletion_has_dashes_around_what_stays():
    marks = marked(stepped(TREE, DEL, Verdict.WORSE, 1))
    assert marks.dashed == (2, 0, 1, 4)
    assert not marks.ringed


def test_an_arrow_goes_from_the_old_label_to_the_new_one():
    assert marked(stepped(TREE, SUB, Verdict.IMPROVED, 2)).arrow == (-1, 0)
    assert marked(stepped(TREE, SUB, Verdict.WORSE, 2)).arrow == (0, -1)


def test_of_a_large_part_not_every_node_is_crossed_out():
    large = " & ".join(f"x{number}" for number in range(1, 30))
    marks = marked(stepped(f"x30 | ({large})", DEL, Verdict.WORSE, 2))
    assert len(marks.dashed) > len(marks.crossed) == 12


def test_what_a_collapsed_node_hides_is_marked_on_that_node():
    collapsed = frozenset({2})
    hidden = marked(stepped(TREE, SUB, Verdict.WORSE, 2), collapsed)
    assert hidden.ringed == hidden.about == (2,)
    assert not hidden.crossed
    assert marked(stepped(TREE, SUB, Verdict.IMPROVED, 2), collapsed).ringed == (2,)


def test_a_proposal_has_room_for_what_will_be_said():
    picture = stepped(TREE, INS, Verdict.WORSE, 1)
    proposal = marks_of(picture, is_proposal=True)
    assert proposal is not None
    assert str(proposal.callout) == "INS ∨ x₇"
    assert proposal.full_callout == marked(picture).callout


def test_every_iteration_of_a_run_has_marks():
    for iteration in range(1, 61):
        picture = picture_of(iteration)
        marks = marked(picture)
        assert marks.about
        assert set(marks.ringed) | set(marks.dashed) <= {node.uid for node in nodes_of(picture.tree)}
