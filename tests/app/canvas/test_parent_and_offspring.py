"""The offspring beside its parent."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from gpviz.app.canvas.mutation_marks import pair_marks_of
from gpviz.app.canvas.parent_and_offspring import pair_of
from gpviz.app.canvas.tree_painter import free_space_of
from gpviz.app.theme import load_theme
from gpviz.assets import THEME_NAMES
from gpviz.engine import Operation, Verdict
from tests.app.canvas.pictures import click, picture_of, previewed, show_stuck, shown, stepped

TREE = "(x1 & x2) | (x3 & x4)"  # uids: 0 1 &2, 3 4 &5, |6
INS, DEL, SUB = Operation.INS, Operation.DEL, Operation.SUB


def ringed(picture, collapsed=frozenset()):
    marks = pair_marks_of(picture, collapsed)
    assert marks is not None
    return marks.ringed


# Both trees


@pytest.mark.parametrize("operation", Operation)
@pytest.mark.parametrize("verdict", [Verdict.IMPROVED, Verdict.WORSE])
def test_both_trees_are_there_and_do_not_overlap(operation, verdict):
    picture = stepped(TREE, operation, verdict, 2)
    pair = pair_of(picture, frozenset())
    parent, offspring = picture.parent, picture.offspring
    assert parent is not None
    assert offspring is not None
    assert len(pair.frame) == parent.size + offspring.size
    assert len(pair.frame.index) == len(pair.frame)
    left, right = pair.frame.x[: parent.size], pair.frame.x[parent.size :]
    assert left.max() + 100.0 < right.min()
    assert pair.frame.y[: parent.size].min() == pair.frame.y[parent.size :].min() == 0.0
    is_own = pair.frame.uids[parent.size :] >= 0
    assert is_own.all() if verdict.is_accepted else not is_own.any()
    assert pair.frame.edge_a[parent.size - 1 :].min() >= parent.size
    assert [heading.text for heading in pair.headings] == ["parent", "offspring"]


def test_collapsed_nodes_are_collapsed_in_both():
    picture = stepped(TREE, SUB, Verdict.WORSE, 5)
    assert len(pair_of(picture, frozenset({2})).frame) == 10


# Rings


def test_the_mutated_place_is_ringed_in_both_trees():
    assert ringed(stepped(TREE, INS, Verdict.WORSE, 1)) == (2, ~7, ~8)
    assert ringed(stepped(TREE, INS, Verdict.IMPROVED, 1)) == (~2, 7, 8)
    assert ringed(stepped(TREE, SUB, Verdict.WORSE, 2)) == (0, ~0)
    assert ringed(stepped(TREE, DEL, Verdict.WORSE, 2)) == (0, ~1)
    assert ringed(previewed(stepped(TREE, DEL, Verdict.NEUTRAL, 2))) == (0, ~1)
    assert ringed(stepped(TREE, SUB, Verdict.WORSE, 2), frozenset({2})) == (2, ~2)


# The canvas


def test_a_step_is_shown_side_by_side_and_alone_again(canvas):
    picture = stepped(TREE, INS, Verdict.WORSE, 1)
    canvas.show_picture(picture)
    alone = canvas.camera
    canvas.set_side_by_side(True)
    canvas.finish_motion()
    assert canvas.drawing().headings
    assert len(canvas.drawing().frame) == 16
    canvas.set_side_by_side(False)
    canvas.finish_motion()
    assert not canvas.drawing().headings
    assert len(canvas.drawing().frame) == 9  # with the ghosts of what was rejected
    assert canvas.camera == alone


def test_a_picture_without_a_step_is_shown_alone(canvas):
    canvas.set_side_by_side(True)
    canvas.show_picture(shown(TREE))
    assert not canvas.drawing().headings
    canvas.show_picture(stepped(TREE, INS, Verdict.IMPROVED, 1))
    assert canvas.drawing().headings
    canvas.show_picture(stepped(None, INS, Verdict.IMPROVED, errors=(None, 3)))
    assert not canvas.drawing().headings  # the parent was empty


@pytest.mark.parametrize("theme", THEME_NAMES)
@pytest.mark.parametrize("iteration", [2, 30, 60])
def test_both_trees_and_their_words_are_in_view(canvas, theme, iteration):
    theme = load_theme(theme)
    canvas.set_theme(theme)
    canvas.set_side_by_side(True)
    canvas.show_picture(picture_of(iteration))
    drawing = canvas.drawing()
    around = free_space_of(drawing, canvas.width(), canvas.height(), theme)
    assert canvas.drawing().headings
    assert around.x.min() > 0.0
    assert around.x.max() < canvas.width()
    assert around.y.max() < canvas.height()
    assert len(around.words) == 2
    for box in around.words:
        assert around.view.contains(box)
    assert not around.words[0].intersects(around.words[1])
    canvas.grab()


def test_the_pair_keeps_the_analysis_of_the_tree(canvas):
    _, analysis = show_stuck(canvas)
    canvas.set_side_by_side(True)
    assert canvas.drawing().redundant == analysis.redundant
    canvas.set_side_by_side(False)
    assert canvas.drawing().redundant == analysis.redundant


def test_the_other_tree_is_only_looked_at(canvas):
    canvas.set_side_by_side(True)
    canvas.show_picture(stepped(TREE, SUB, Verdict.WORSE, 2))
    rect = canvas.node_rect(~3)
    assert rect is not None
    assert canvas.node_at(rect.center()) is None
    click(canvas, QPointF(rect.center()))
    assert [canvas.selected_uid] == [None]
    canvas.select(6)
    QTest.keyClick(canvas, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert canvas.selected_uid == 6
    QTest.keyClick(canvas, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert canvas.selected_uid == 2


def test_a_camera_somebody_chose_comes_back_when_the_pair_goes(canvas):
    canvas.show_picture(stepped(TREE, INS, Verdict.WORSE, 1))
    canvas.zoom_in()
    chosen = canvas.camera
    canvas.set_side_by_side(True)
    canvas.finish_motion()
    around = free_space_of(canvas.drawing(), canvas.width(), canvas.height(), load_theme("light"))
    assert around.x.min() > 0.0
    assert around.x.max() < canvas.width()
    canvas.set_side_by_side(False)
    canvas.finish_motion()
    assert canvas.camera == chosen
    assert not canvas.is_fitted


def test_after_zooming_into_a_pair_the_whole_tree_is_in_view_again(canvas):
    canvas.show_picture(stepped(TREE, INS, Verdict.WORSE, 1))
    alone = canvas.camera
    canvas.set_side_by_side(True)
    canvas.finish_motion()
    canvas.zoom_in()
    assert not canvas.is_fitted
    canvas.set_side_by_side(False)
    canvas.finish_motion()
    assert canvas.is_fitted
    assert canvas.camera == alone


def test_another_step_of_the_same_tree_changes_the_pair(canvas):
    first = stepped(TREE, INS, Verdict.WORSE, 1)
    second = previewed(stepped(TREE, DEL, Verdict.WORSE, 1))
    canvas.set_side_by_side(True)
    canvas.show_picture(first)
    assert len(canvas.drawing().frame) == 16
    canvas.show_picture(second)
    assert len(canvas.drawing().frame) == 10
    canvas.show_picture(second, 100)
    assert not canvas.is_moving


def test_layouts_that_take_long_do_not_disturb_the_pair(canvas, qtbot):
    canvas.show_picture(stepped(TREE, INS, Verdict.WORSE, 1))
    canvas.set_layout("spring")
    canvas.set_side_by_side(True)
    qtbot.waitUntil(lambda: not canvas.is_layout_pending)
    canvas.finish_motion()
    assert len(canvas.drawing().frame) == 16
    assert canvas.drawing().root is None


def test_the_description_says_that_there_are_two_trees(canvas):
    canvas.show_picture(stepped(TREE, INS, Verdict.WORSE, 1))
    canvas.set_side_by_side(True)
    canvas.describe_now()
    assert "beside each other" in canvas.accessibleDescription()
