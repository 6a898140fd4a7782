"""Previews: what a mutation would do, drawn on the parent, and what is not told while the verdict is hidden."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPointF

from gpviz.app.canvas.mutation_marks import marks_of
from gpviz.app.canvas.stage import Stage
from gpviz.engine import Function, Mutation, Operation, Side, Verdict
from gpviz.explain.moment import Moment, Overlay, moment_at, preview_of
from tests.app.canvas.pictures import CONFIG, card_text, previewed, show_stuck, shown, stepped, stuck
from tests.app.mouse import move_mouse
from tests.runs.runs import recorded

TREE = "(x1 & x2) | x3"  # uids: x1 0, x2 1, & 2, x3 3, | 4
INS, DEL, SUB = Operation.INS, Operation.DEL, Operation.SUB
TELLING = ("improve", "neutral", "worse", "large", "error", "nothing", "unchanged", "limit", "accepted.")


def made(operation: Operation, verdict: Verdict, node: int = 1, *, is_hidden: bool = False, **more) -> Moment:
    return previewed(stepped(TREE, operation, verdict, node, **more), is_hidden=is_hidden)


# Marks


@pytest.mark.parametrize("verdict", Verdict)
@pytest.mark.parametrize("is_hidden", [False, True])
@pytest.mark.parametrize(("operation", "node"), [(INS, 1), (DEL, 1), (SUB, 2)])
def test_a_preview_shows_what_is_proposed_whatever_the_verdict(verdict, is_hidden, operation, node):
    marks = marks_of(made(operation, verdict, node, is_hidden=is_hidden))
    assert marks is not None
    assert marks.about == {INS: (6, 5), DEL: (2, 0, 1, 4), SUB: (0, -1)}[operation]
    assert marks.verdict is (None if is_hidden else verdict)
    assert bool(marks.crossed) is (not is_hidden and not verdict.is_accepted)


@pytest.mark.parametrize("operation", Operation)
def test_all_verdicts_look_the_same_while_they_are_hidden(operation):
    made_marks = {marks_of(made(operation, verdict, 4, is_hidden=True)) for verdict in Verdict}
    assert len(made_marks) == 1


@pytest.mark.parametrize("is_hidden", [False, True])
def test_planting_into_an_empty_tree_is_previewed(is_hidden, canvas):
    picture = previewed(stepped(None, INS, Verdict.IMPROVED, errors=(None, 127)), is_hidden=is_hidden)
    marks = marks_of(picture)
    assert marks is not None
    words = "accepted?" if is_hidden else "error 127 · would be accepted"
    assert str(marks.callout) == f"First leaf x₇ · {words}"
    canvas.show_picture(picture)
    assert canvas.drawing().frame.ghosts == {1}
    canvas.grab()


# The canvas


def test_a_preview_keeps_tree_analysis_and_selection(stage: Stage):
    picture, analysis = stuck()
    canvas = stage.canvas
    stage.show_picture(picture)
    stage.show_analysis(analysis)
    uid = picture.tree.uid
    canvas.select(uid)
    redundant = canvas.drawing().redundant
    step = replace(picture, parent=picture.tree, is_preview=True)
    for shown_one in (step, replace(step, is_verdict_hidden=True), picture):
        stage.show_picture(shown_one, 100)
        assert canvas.selected_uid == uid
        assert stage.is_framed
    assert canvas.drawing().redundant == redundant
    notes = canvas.drawing().notes
    assert notes is not None
    assert notes.is_shown


def test_a_preview_makes_room_for_itself_and_goes_again(canvas):
    *_, history = recorded(CONFIG, 30)
    canvas.show_picture(moment_at(history, 29))
    frame = canvas.drawing().frame
    mutation = Mutation(INS, 1, 1, Function.AND, Side.LEFT)
    canvas.show_picture(preview_of(history, 29, mutation))
    assert len(canvas.drawing().frame.ghosts) == 2
    canvas.show_picture(moment_at(history, 29))
    assert canvas.drawing().frame.uids.tolist() == frame.uids.tolist()
    assert canvas.drawing().frame.x.tolist() == frame.x.tolist()


def test_nothing_on_the_canvas_gives_a_hidden_verdict_away(canvas):
    picture, analysis = show_stuck(canvas)
    leaf = next(iter(analysis.reasons))
    canvas.set_overlay(Overlay({leaf: 0.1}, title="heat: up to 10 %"))
    move_mouse(canvas, canvas.node_rect(leaf).center())
    canvas.set_hover_text(leaf, "Without it: error +2")
    assert "error" in card_text(canvas)
    canvas.show_picture(replace(picture, parent=picture.tree, is_preview=True, is_verdict_hidden=True))
    canvas.describe_now()
    drawing = canvas.drawing()
    assert (drawing.notes.is_shown, drawing.redundant) == (False, frozenset())
    assert (drawing.overlay.heat, drawing.overlay.title) == ({}, "")
    assert card_text(canvas)
    assert "\n" not in card_text(canvas)
    canvas.set_hover_extra(leaf, "0.1 % of all mutations here improve")
    assert "\n" not in card_text(canvas)
    assert not any(word in canvas.accessibleDescription() for word in TELLING)
    canvas.show_picture(picture)
    assert "error" in card_text(canvas)


def test_the_card_of_the_selected_node_does_not_cover_what_is_proposed_there(canvas):
    picture, _ = stuck()
    canvas.show_picture(picture)
    canvas.select(picture.tree.uid)
    assert card_text(canvas)
    canvas.show_picture(replace(picture, parent=picture.tree, is_preview=True))
    assert (card_text(canvas), canvas.selected_uid) == ("", picture.tree.uid)
    move_mouse(canvas, canvas.node_rect(picture.tree.uid).center())
    assert card_text(canvas)
    move_mouse(canvas, QPointF(2.0, 2.0))
    canvas.show_picture(picture)
    assert card_text(canvas)


def test_a_hidden_verdict_is_not_told_by_the_tree_that_survives(canvas):
    accepted = replace(stepped(TREE, INS, Verdict.IMPROVED, 1), is_verdict_hidden=True)
    canvas.show_picture(accepted)
    assert canvas.picture.tree is accepted.parent
    assert canvas.drawing().frame.ghosts == {5, 6}


def test_the_room_for_reasons_is_kept_while_the_verdict_is_hidden(canvas):
    picture, _ = show_stuck(canvas)
    canvas.finish_motion()
    camera = canvas.camera
    canvas.show_picture(replace(picture, parent=picture.tree, is_preview=True, is_verdict_hidden=True))
    assert canvas.camera == camera


# Asking about nodes


def test_nodes_are_numbered_in_preorder(canvas):
    canvas.show_picture(shown(TREE))
    canvas.toggle_collapsed(2)
    assert [canvas.node_number_of(uid) for uid in (4, 2, 0, 1, 3)] == [1, 2, 3, 4, 5]
    assert canvas.node_number_of(99) is canvas.node_number_of(None) is None


def test_the_card_gets_one_more_line(canvas):
    canvas.show_picture(shown(TREE))
    canvas.select(2)
    title = card_text(canvas)
    canvas.set_hover_extra(2, "12 % of all mutations are here")
    assert card_text(canvas) == f"{title}\n12 % of all mutations are here"
    canvas.set_hover_text(2, "Computes x₁ ∧ x₂")
    assert card_text(canvas) == f"{title}\nComputes x₁ ∧ x₂\n12 % of all mutations are here"
    canvas.set_hover_extra(3, "about another node")
    assert "another" not in card_text(canvas)
    canvas.set_hover_extra(2, "")
    assert card_text(canvas) == f"{title}\nComputes x₁ ∧ x₂"
    canvas.select(3)
    assert "Computes" not in card_text(canvas)
