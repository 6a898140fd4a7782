"""Previews: what a mutation would do, drawn on the parent, and what is not told while the verdict is hidden."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPointF

from gpviz.engine import Function, Mutation, Operation, Side, Verdict
from gpviz.explain.moment import Moment, Overlay, moment_at, preview_of
from tests.app.canvas.pictures import CONFIG, card_text, previewed, show_stuck, shown, stepped
from tests.app.mouse import move_mouse
from tests.runs.runs import recorded

TREE = "(x1 & x2) | x3"  # uids: x1 0, x2 1, & 2, x3 3, | 4
INS, DEL, SUB = Operation.INS, Operation.DEL, Operation.SUB
TELLING = ("improve", "neutral", "worse", "large", "error", "nothing", "unchanged", "limit", "accepted.")


def made(operation: Operation, verdict: Verdict, node: int = 1, *, is_hidden: bool = False, **more) -> Moment:
    return previewed(stepped(TREE, operation, verdict, node, **more), is_hidden=is_hidden)


@pytest.mark.parametrize("operation", Operation)
def test_all_verdicts_look_the_same_while_they_are_hidden(canvas, operation):
    pictures = []
    for verdict in Verdict:
        canvas.show_picture(made(operation, verdict, 4 if operation is not DEL else 1, is_hidden=True))
        pictures.append(canvas.grab().toImage())
    assert all(picture == pictures[0] for picture in pictures)


def test_a_preview_keeps_tree_analysis_and_selection(canvas):
    moment, _ = show_stuck(canvas)
    uid = moment.tree.uid
    canvas.select(uid)
    stood = canvas.picture
    preview = replace(moment, parent=moment.tree, is_preview=True)
    for each in (preview, replace(preview, is_verdict_hidden=True), moment):
        canvas.show_picture(each, 200)
        assert canvas.selected_uid == uid
    assert canvas.picture == stood


def test_a_preview_moves_no_node_and_goes_again(canvas):
    *_, history = recorded(CONFIG, 30)
    canvas.show_picture(moment_at(history, 29))
    stood = canvas.picture
    canvas.show_picture(preview_of(history, 29, Mutation(INS, 1, 1, Function.AND, Side.LEFT)))
    assert canvas.picture.changes
    assert [(node.x, node.y) for node in canvas.picture.nodes] == [(node.x, node.y) for node in stood.nodes]
    canvas.show_picture(moment_at(history, 29))
    assert canvas.picture == stood


def test_nothing_on_the_canvas_gives_a_hidden_verdict_away(canvas):
    picture, analysis = show_stuck(canvas)
    leaf = next(iter(analysis.reasons))
    canvas.set_overlay(Overlay({leaf: 0.1}, title="heat: up to 10 %"))
    move_mouse(canvas, canvas.node_rect(leaf).center())
    canvas.set_hover_text(leaf, "Without it: error +2")
    assert "error" in card_text(canvas)
    canvas.show_picture(replace(picture, parent=picture.tree, is_preview=True, is_verdict_hidden=True))
    canvas.describe_now()
    drawn = canvas.picture
    assert (drawn.state, drawn.notes, drawn.overlay.heat, drawn.overlay.title) == ("", (), {}, "")
    assert not any(node.is_redundant for node in drawn.nodes)
    assert card_text(canvas)
    assert "\n" not in card_text(canvas)
    canvas.set_hover_extra(leaf, "0.1 % of all mutations here improve")
    assert "\n" not in card_text(canvas)
    assert not any(word in canvas.accessibleDescription() for word in TELLING)
    canvas.show_picture(picture)
    canvas.set_hover_text(leaf, "Without it: error +2")
    assert "error" in card_text(canvas)


def test_the_card_of_the_selected_node_does_not_cover_what_is_proposed_there(canvas):
    picture, _ = show_stuck(canvas)
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
    assert canvas.moment.tree is accepted.parent
    assert [ghost.uid for ghost in canvas.picture.changes[0].ghosts] != []
    assert canvas.drawn_nodes == 5


def test_the_space_for_reasons_is_kept_while_the_verdict_is_hidden(canvas):
    moment, _ = show_stuck(canvas)
    places = [(node.x, node.y) for node in canvas.picture.nodes]
    canvas.show_picture(replace(moment, parent=moment.tree, is_preview=True, is_verdict_hidden=True))
    assert [(node.x, node.y) for node in canvas.picture.nodes] == places


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
