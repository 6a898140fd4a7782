"""The canvas: showing pictures, moving, zooming, folding, hovering, selecting."""

from math import dist

import pytest
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gpviz.analysis.redundant_leaves import analyse
from gpviz.app.canvas.camera import WHOLE
from gpviz.app.canvas.tree_canvas import TreeCanvas
from gpviz.app.theme import load_theme
from gpviz.engine import Operation, Verdict, parse
from gpviz.explain.moment import tree_at
from gpviz.explain.tree_state_text import moment_along
from gpviz.picture.items import Enter
from gpviz.picture.picture import Banner
from gpviz.runs.history import History
from tests.app.canvas.pictures import (
    CONFIG,
    card_text,
    chain,
    click,
    double_click,
    moment_of,
    show_stuck,
    shown,
    stepped,
    stuck,
)
from tests.app.mouse import drag_mouse, move_mouse, turn_wheel

TREE = "(x1 & x2) | (x3 & x4)"  # uids: 0 1 &2, 3 4 &5, |6


def centre(canvas: TreeCanvas, uid: int) -> QPointF:
    rect = canvas.node_rect(uid)
    assert rect is not None
    return rect.center()


def notes(canvas: TreeCanvas) -> list[str]:
    assert canvas.picture is not None
    return [line for note in canvas.picture.notes for line in note.lines]


# Pictures and transitions


def test_without_a_duration_the_picture_is_there_at_once(canvas):
    canvas.show_picture(moment_of(20))
    assert not canvas.is_moving
    assert canvas.drawn_nodes == 2 * moment_of(20).step.leaves - 1


def test_a_transition_ends_at_the_new_picture(canvas, qtbot):
    canvas.show_picture(shown(TREE))
    before = canvas.grab().toImage()
    canvas.show_picture(shown("x1 & x2"), 150)
    assert canvas.is_moving
    qtbot.waitUntil(lambda: not canvas.is_moving)
    moved = canvas.grab().toImage()
    assert moved != before
    canvas.show_picture(shown(TREE))
    assert canvas.grab().toImage() == before  # to and fro it is the same picture
    canvas.show_picture(shown("x1 & x2"))
    assert canvas.grab().toImage() == moved


def test_only_a_step_flashes_and_shakes(canvas):
    canvas.show_picture(shown(TREE))
    canvas.show_picture(stepped(TREE, Operation.INS, Verdict.WORSE), 1000)
    assert any(item.enter in (Enter.FLASH, Enter.SHAKE) for item in canvas._motion._after)
    canvas.finish_motion()
    at_rest = {(item.key, item.shape): item.points for item in canvas._motion.items}
    canvas.zoom_in()
    canvas.fit()
    assert canvas.is_moving
    for share in (0.2, 0.55, 0.6):
        canvas._motion._on_value_changed(share)
        assert {(item.key, item.shape): item.points for item in canvas._motion.items} == at_rest


def test_the_same_picture_again_does_not_move(canvas):
    canvas.show_picture(moment_of(20))
    canvas.show_picture(moment_of(20), 1000)
    assert not canvas.is_moving


def test_what_becomes_known_on_the_way_does_not_end_it(canvas):
    moment, analysis = stuck()
    canvas.show_picture(shown(TREE))
    canvas.show_picture(moment, 10_000)
    canvas.show_analysis(analysis)
    assert canvas.is_moving
    canvas.finish_motion()
    assert canvas.picture.state == "STUCK"


def test_a_banner_may_stand_for_the_one_of_the_moment(canvas):
    kept = Banner("Accepted", "insert ∧ x₃", "improved", "+")
    canvas.show_picture(shown(TREE), banner=kept)
    assert canvas.picture.banner == kept
    canvas.show_picture(moment_of(20))
    assert canvas.picture.banner != kept


def test_under_reduced_motion_nothing_moves(canvas):
    canvas.show_picture(shown(TREE))
    canvas.show_picture(shown("x1"), 1000)
    canvas.set_reduced_motion(True)
    assert not canvas.is_moving
    canvas.show_picture(shown(TREE), 1000)
    assert not canvas.is_moving
    assert canvas.drawn_nodes == 7


def test_a_hidden_canvas_does_not_move(canvas):
    canvas.hide()
    canvas.show_picture(shown(TREE), 1000)
    assert not canvas.is_moving


def test_the_empty_tree_and_no_run_have_words_of_their_own(canvas):
    nothing = canvas.grab().toImage()
    canvas.show_picture(shown(None))
    assert canvas.grab().toImage() != nothing
    assert canvas.node_at(QPointF(100.0, 100.0)) is None
    canvas.grab()


def test_switches_take_marks_away(canvas):
    show_stuck(canvas)
    assert canvas.picture.changes
    assert canvas.picture.notes
    canvas.set_ghosts_shown(False)
    canvas.set_reasons_shown(False)
    assert (canvas.picture.changes, canvas.picture.notes) == ((), ())
    moment = shown("(x1 & x2) & x1")
    canvas.show_picture(moment, analysis=analyse(moment.tree, moment.rules))
    assert any(node.is_redundant for node in canvas.picture.nodes)
    canvas.set_redundant_shown(False)
    assert not any(node.is_redundant for node in canvas.picture.nodes)


def test_an_analysis_of_another_tree_is_ignored(canvas):
    picture, analysis = stuck()
    canvas.show_picture(shown(TREE))
    canvas.show_analysis(analysis)
    assert not canvas.picture.state
    canvas.show_picture(picture)
    canvas.show_analysis(analysis)
    assert canvas.picture.state == "STUCK"
    canvas.show_picture(shown(TREE))
    assert not canvas.picture.state


def test_the_description_tells_the_step_and_the_formula(canvas):
    canvas.show_picture(stepped(TREE, Operation.SUB, Verdict.WORSE, 2))
    canvas.describe_now()
    text = canvas.accessibleDescription()
    assert "Rejected: change x₁ to x₇, 7 → 15 wrong rows" in text
    assert "(x₁ ∧ x₂) ∨ (x₃ ∧ x₄)" in text
    canvas.show_picture(shown(chain(200)))
    canvas.describe_now()
    assert len(canvas.accessibleDescription()) == 500


# Large and deep trees


def test_ten_thousand_levels_are_no_problem(canvas):
    canvas.show_picture(shown(chain(10_000)), 200)
    assert not canvas.is_moving
    assert not canvas.grab().isNull()
    QTest.keyClick(canvas, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert canvas.selected_uid == canvas.moment.tree.uid
    canvas.describe_now()
    assert "10000 leaves" in canvas.accessibleDescription()


def test_a_small_tree_is_not_blown_up(canvas):
    canvas.resize(1900, 1000)
    canvas.show_picture(shown("x1 & x2"))
    assert canvas.node_rect(2).height() <= 100.0


# Camera


def test_the_tree_stays_in_view_until_the_user_takes_over(canvas, qtbot):
    canvas.show_picture(shown(TREE))
    before = canvas.node_rect(6)
    canvas.resize(300, 200)
    assert canvas.node_rect(6).width() < before.width()
    canvas.zoom_in()
    assert not canvas.is_fitted
    own = canvas.zoom
    canvas.show_picture(shown(chain(12)))
    canvas.resize(640, 480)
    assert canvas.zoom == own


def test_fitting_again_shows_the_whole_tree(canvas, qtbot):
    canvas.show_picture(shown(TREE))
    canvas.zoom_out()
    canvas.zoom_out()
    canvas.fit()
    assert canvas.is_fitted
    qtbot.waitUntil(lambda: not canvas.is_moving)
    assert canvas.zoom == WHOLE


def test_the_wheel_zooms_about_the_mouse(canvas):
    canvas.show_picture(shown(TREE))
    place = centre(canvas, 3)
    turn_wheel(canvas, 120, place)
    assert (centre(canvas, 3) - place).manhattanLength() < 1e-6
    assert canvas.zoom.scale > 1.0
    scale = canvas.zoom.scale
    turn_wheel(canvas, 0, place)
    assert canvas.zoom.scale == scale


def test_dragging_pans_and_does_not_select(canvas):
    canvas.show_picture(shown(TREE))
    place = centre(canvas, 6)
    drag_mouse(canvas, place, QPointF(40.0, 30.0))
    assert (centre(canvas, 6) - place - QPointF(40.0, 30.0)).manhattanLength() < 1.5
    assert canvas.selected_uid is None
    assert not canvas.is_fitted


def test_a_double_click_on_nothing_fits(canvas):
    canvas.show_picture(shown(TREE))
    canvas.zoom_out()
    double_click(canvas, QPointF(5.0, 5.0))
    assert canvas.is_fitted


def test_other_buttons_do_nothing(canvas):
    canvas.show_picture(shown(TREE))
    place = centre(canvas, 6).toPoint()
    for do in (QTest.mouseClick, QTest.mouseDClick):
        do(canvas, Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier, place)
    assert canvas.selected_uid is None
    assert not canvas.collapsed


def test_a_larger_theme_shows_larger_nodes(canvas):
    canvas.show_picture(shown("x1 & x2"))
    before = canvas.node_rect(2).width()
    canvas.set_theme(load_theme("projector"))
    assert canvas.node_rect(2).width() > before


# Folding


def test_a_double_click_on_an_inner_node_folds_and_unfolds_it(canvas):
    canvas.set_reduced_motion(True)
    canvas.show_picture(shown(TREE))
    double_click(canvas, centre(canvas, 2))
    assert canvas.collapsed == {2}
    assert canvas.drawn_nodes == 5
    canvas.grab()
    double_click(canvas, centre(canvas, 2))
    assert canvas.drawn_nodes == 7
    assert canvas.is_fitted


def test_leaves_do_not_fold(canvas):
    canvas.show_picture(shown(TREE))
    double_click(canvas, centre(canvas, 0))
    canvas.toggle_collapsed(99)
    canvas.toggle_collapsed_selected()
    assert not canvas.collapsed


def test_the_selected_node_folds_by_key_and_everything_unfolds_at_once(canvas, qtbot):
    canvas.set_reduced_motion(True)
    canvas.show_picture(shown(TREE))
    canvas.select(5)
    canvas.toggle_collapsed_selected()
    assert canvas.collapsed == {5}
    canvas.toggle_collapsed(2)
    canvas.toggle_collapsed(5)
    canvas.expand_all()
    assert canvas.drawn_nodes == 7


def test_a_selection_that_is_folded_away_moves_to_what_hides_it(canvas):
    canvas.show_picture(shown(TREE))
    canvas.select(3)
    canvas.toggle_collapsed(5)
    assert canvas.selected_uid == 5


def test_folding_and_selection_stay_where_a_branch_has_other_settings(canvas):
    """Its nodes are numbered through, also where somebody looks at what its rules make of a tree."""
    begun = History(CONFIG, parse(TREE))
    forked = begun.beginning(0, CONFIG.replaced(seed=7))
    canvas.show_picture(tree_at(begun, 0))
    canvas.toggle_collapsed(5)
    canvas.select(2)
    for moment in (tree_at(forked, 0), moment_along(forked, 0, CONFIG.replaced(deletion="subtree"), (), 0)):
        canvas.show_picture(moment)
        assert (canvas.collapsed, canvas.selected_uid) == ({5}, 2)
    canvas.show_picture(tree_at(History(CONFIG, parse(f"({TREE}) & x5")), 0))
    assert (canvas.collapsed, canvas.selected_uid) == (frozenset(), None)


# Hovering and selecting


def test_hovering_shows_a_card_and_says_so(canvas, qtbot):
    canvas.show_picture(shown(TREE))
    with qtbot.waitSignal(canvas.node_hovered) as signal:
        move_mouse(canvas, centre(canvas, 2))
    assert signal.args == [2]
    assert card_text(canvas) == "∧  node 2, 2 leaves"
    canvas.set_hover_text(2, "x₁ ∧ x₂")
    assert card_text(canvas).endswith("\nx₁ ∧ x₂")
    canvas.set_hover_text(3, "of another node")
    assert "another" not in card_text(canvas)
    with qtbot.waitSignal(canvas.node_hovered) as signal:
        QApplication.sendEvent(canvas, QEvent(QEvent.Type.Leave))
    assert signal.args == [None]
    assert card_text(canvas) == ""
    canvas.set_hover_text(2, "too late")
    assert card_text(canvas) == ""


@pytest.mark.parametrize("size", [(640, 480), (260, 190)])
def test_the_card_stays_inside_the_canvas(canvas, size):
    canvas.resize(*size)
    canvas.show_picture(shown(TREE))
    for uid in range(7):
        move_mouse(canvas, centre(canvas, uid))
        canvas.set_hover_text(uid, "a rather long explanation of what this node is good for " * 12)
        assert canvas.rect().contains(canvas.card.geometry())
        canvas.grab()


def test_the_card_hides_no_node_where_there_is_room_beside_the_tree(canvas):
    canvas.resize(900, 400)
    canvas.show_picture(shown(TREE))
    for uid in range(7):
        canvas.select(uid)
        canvas.set_hover_text(uid, "Computes x₁ ∧ x₂\nWithout it: error +28")
        card = QRectF(canvas.card.geometry())
        assert not any(canvas.node_rect(other).intersects(card) for other in range(7))


def test_a_click_selects_and_a_click_on_nothing_deselects(canvas, qtbot):
    canvas.show_picture(shown(TREE))
    with qtbot.waitSignal(canvas.node_selected) as signal:
        click(canvas, centre(canvas, 5))
    assert signal.args == [5]
    with qtbot.waitSignal(canvas.node_selected) as signal:
        click(canvas, QPointF(4.0, 4.0))
    assert signal.args == [None]


def test_alt_and_arrows_walk_through_the_tree(canvas, qtbot):
    canvas.show_picture(shown(TREE))
    canvas.setFocus()
    ways = [Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Up]
    seen = []
    for key in ways:
        with qtbot.waitSignal(canvas.node_hovered):
            QTest.keyClick(canvas, key, Qt.KeyboardModifier.AltModifier)
        seen.append(canvas.selected_uid)
    assert seen == [6, 2, 5, 3, 1, 2]
    assert card_text(canvas).startswith("∧  node 2")
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    assert canvas.selected_uid is None
    assert card_text(canvas) == ""


def test_plain_arrows_are_left_to_others(canvas):
    canvas.show_picture(shown(TREE))
    QTest.keyClick(canvas, Qt.Key.Key_Down)
    unknown = QKeyEvent(QEvent.Type.KeyPress, 0x0200ABCD, Qt.KeyboardModifier.AltModifier)
    QApplication.sendEvent(canvas, unknown)
    assert canvas.selected_uid is None


def test_what_is_hovered_or_selected_is_let_go_with_its_node(canvas, qtbot):
    canvas.show_picture(shown(TREE))
    move_mouse(canvas, centre(canvas, 5))
    canvas.select(5)
    with qtbot.waitSignals([canvas.node_hovered, canvas.node_selected]) as signals:
        canvas.show_picture(shown("x1 & x2"))
    assert [each.args for each in signals] == [[None], [None]]
    assert canvas.selected_uid is None
    assert card_text(canvas) == ""


def test_what_was_told_of_a_node_is_asked_again_when_its_tree_changes(canvas, qtbot):
    canvas.show_picture(shown(TREE))
    canvas.select(6)
    canvas.set_hover_text(6, "seven nodes")
    canvas.show_analysis(None)
    assert "seven nodes" in card_text(canvas)
    with qtbot.waitSignal(canvas.node_hovered) as signal:
        canvas.show_picture(stepped(TREE, Operation.INS, Verdict.IMPROVED, 1))
    assert signal.args == [6]
    assert "seven nodes" not in card_text(canvas)


def test_focus_by_the_tab_key_is_seen(canvas):
    canvas.show_picture(shown(TREE))
    bare = canvas.grab().toImage()
    QApplication.sendEvent(canvas, QFocusEvent(QEvent.Type.FocusIn, Qt.FocusReason.TabFocusReason))
    assert canvas.grab().toImage() != bare
    QApplication.sendEvent(canvas, QFocusEvent(QEvent.Type.FocusOut, Qt.FocusReason.TabFocusReason))
    assert canvas.grab().toImage() == bare


# Layouts


def test_a_slow_layout_arrives_later(canvas, qtbot):
    canvas.set_reduced_motion(True)
    canvas.show_picture(shown(TREE))
    tidy = canvas.picture
    canvas.set_layout("spring")
    assert canvas.is_layout_pending
    assert canvas.picture == tidy
    qtbot.waitUntil(lambda: not canvas.is_layout_pending)
    assert canvas.picture != tidy
    assert canvas.layout_name == "spring"


def distances(canvas: TreeCanvas) -> list[float]:
    """How far the nodes of the first tree are from its root, compared with the first of them."""
    assert canvas.picture is not None
    places = {node.uid: (node.x, node.y) for node in canvas.picture.nodes}
    found = [dist(places[6], places[uid]) for uid in range(6)]
    return [each / found[0] for each in found]


def test_until_a_slow_layout_arrives_nodes_stay_where_they_are(canvas, qtbot):
    canvas.set_reduced_motion(True)
    canvas.show_picture(shown(TREE))
    canvas.set_layout("spring")
    qtbot.waitUntil(lambda: not canvas.is_layout_pending)
    before = distances(canvas)
    canvas.show_picture(stepped(TREE, Operation.INS, Verdict.IMPROVED, 2))
    assert canvas.drawn_nodes == 9
    assert distances(canvas) == pytest.approx(before, abs=0.02)  # nodes stand at whole pixels
    canvas.toggle_collapsed(5)
    assert canvas.drawn_nodes == 7
    qtbot.waitUntil(lambda: not canvas.is_layout_pending)


def test_a_layout_that_refuses_says_why_once_and_the_tree_is_tidy(canvas, qtbot):
    canvas.set_reduced_motion(True)
    canvas.show_picture(shown(chain(30)))
    tidy = canvas.picture
    with qtbot.waitSignal(canvas.layout_refused) as signal:
        canvas.set_layout("planar")
    assert "at most 40 nodes" in signal.args[0]
    assert canvas.is_layout_refused
    assert canvas.picture == tidy
    with qtbot.assertNotEmitted(canvas.layout_refused):
        canvas.show_picture(shown(chain(31)))
    canvas.show_picture(shown(TREE))
    qtbot.waitUntil(lambda: not canvas.is_layout_pending)
    assert not canvas.is_layout_refused
    with qtbot.waitSignal(canvas.layout_refused):
        canvas.show_picture(shown(chain(30)))


def test_a_refused_layout_does_not_take_turns_with_the_tidy_one(canvas, qtbot):
    canvas.set_reduced_motion(True)
    canvas.set_layout("shell")
    canvas.show_picture(shown(chain(26)))  # 51 nodes
    with qtbot.assertNotEmitted(canvas.layout_refused):
        canvas.show_picture(shown(chain(24)))
        assert canvas.is_layout_refused
        canvas.show_picture(shown(chain(25)))
        canvas.show_picture(shown(chain(24)))
    canvas.set_layout("shell")
    assert not canvas.is_layout_refused  # it may be chosen again
    canvas.show_picture(shown(chain(26)))
    canvas.show_picture(shown(chain(18)))
    assert not canvas.is_layout_refused


def test_closing_while_a_layout_is_computed_leaves_nothing_behind(canvas):
    canvas.show_picture(shown(chain(60)))
    canvas.set_layout("spring")
    canvas.show_picture(shown(chain(65)))
    assert canvas.is_layout_pending
    canvas.shut_down()
    assert not canvas.is_layout_pending
    canvas.close()


def test_an_analysis_can_be_taken_away(canvas):
    show_stuck(canvas)
    places = [(node.x, node.y) for node in canvas.picture.nodes]
    assert notes(canvas)
    canvas.show_analysis(None)
    assert not notes(canvas)
    assert [(node.x, node.y) for node in canvas.picture.nodes] == places
