"""What words over a tree hide, where notes find room, and where the tag goes."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from gpviz.app.canvas.free_space import FreeSpace, boxes_of, crossed, overlapping
from gpviz.app.canvas.leaf_notes import note_height, paint_notes
from gpviz.app.canvas.mutation_marks import _leader, marks_of, paint_tag
from gpviz.app.canvas.node_shapes import contrast
from gpviz.app.canvas.tree_painter import free_space_of
from gpviz.app.theme import THEME_NAMES, load_theme
from gpviz.engine import Operation, Verdict
from tests.app.canvas.pictures import STUCK_TEXT, chain, shown, stepped, stuck

THEME = load_theme("light")
WIDE = "((((x7 & (x1 & x10)) & (x6 & x8)) & x5) & (x7 & x1)) & (x2 & ((x12 & (((x2 & x3) & x3) & x9)) & x9))"


@pytest.fixture
def painter(qapp):
    image = QImage(640, 480, QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    yield painter
    painter.end()


def around(canvas) -> FreeSpace:
    return free_space_of(canvas.drawing(), canvas.width(), canvas.height(), THEME)


def test_a_line_is_crossed_only_where_it_runs_through_a_rectangle():
    boxes = boxes_of([QRectF(10.0, 10.0, 20.0, 10.0), QRectF(100.0, 10.0, 5.0, 5.0)])
    lines = np.array([[0.0, 0.0, 40.0, 30.0], [20.0, 0.0, 20.0, 8.0], [20.0, 0.0, 20.0, 50.0]])
    assert crossed(boxes, lines).tolist() == [[True, False, True], [False, False, False]]


def test_rectangles_overlap_or_not():
    boxes = boxes_of([QRectF(0.0, 0.0, 10.0, 10.0)])
    others = boxes_of([QRectF(5.0, 5.0, 10.0, 10.0), QRectF(11.0, 0.0, 5.0, 5.0)])
    assert overlapping(boxes, others).tolist() == [[True, False]]
    assert overlapping(boxes, boxes_of([])).shape == (1, 0)


def test_notes_are_written_where_they_hide_nothing(canvas, painter):
    canvas.show_picture(shown("x1 & x2"))
    notes = {0: "del +4", 1: "del +2", 99: "nobody"}
    assert paint_notes(painter, notes, around(canvas), THEME) == ["del +4", "del +2"]
    taken = [canvas.node_rect(0).translated(0.0, 20.0)]
    assert paint_notes(painter, notes, around(canvas), THEME, taken) == ["del +2"]


def test_notes_that_find_no_room_are_left_out(canvas, painter):
    canvas.show_picture(shown(chain(60)))
    leaves = dict.fromkeys(canvas.drawing().frame.index, "del +1234567")
    assert len(paint_notes(painter, leaves, around(canvas), THEME)) < 30
    canvas.show_picture(shown(chain(400)))
    leaves = dict.fromkeys(canvas.drawing().frame.index, "del +1")
    assert paint_notes(painter, leaves, around(canvas), THEME) == []


@pytest.mark.parametrize("name", THEME_NAMES)
def test_notes_can_be_read(name):
    theme = load_theme(name)
    assert contrast(QColor(theme.colours.stuck_text), QColor(theme.colours.panel)) >= 4.5
    assert note_height(theme, 0.1) >= 12.0


@pytest.mark.parametrize("node", range(9))
def test_the_tag_hides_no_node_and_is_never_under_the_banner(canvas, painter, node):
    canvas.set_reduced_motion(True)
    canvas.resize(640, 300)
    canvas.set_reserved_top(30.0)
    canvas.show_picture(stepped(STUCK_TEXT, Operation.INS, Verdict.WORSE, node))
    tag = paint_tag(painter, marks_of(canvas.picture), [canvas.node_rect(0)], around(canvas), THEME)
    assert tag.top() > 30.0
    assert QRectF(canvas.rect()).contains(tag)
    rects = [canvas.node_rect(uid) for uid in canvas.drawing().frame.index]
    assert not any(rect.intersects(tag) for rect in rects)


def test_a_tag_in_a_narrow_view_is_cut_off(canvas, painter):
    canvas.resize(100, 480)
    canvas.show_picture(stepped("x1 & x2", Operation.INS, Verdict.WORSE, 0))
    tag = paint_tag(painter, marks_of(canvas.picture), [canvas.node_rect(0)], around(canvas), THEME)
    assert tag.width() <= 110.0


def test_the_line_to_a_far_tag_seldom_runs_through_another_node(canvas, painter):
    canvas.resize(920, 280)
    canvas.show_picture(stepped(WIDE, Operation.INS, Verdict.WORSE, 0))
    frame = canvas.drawing().frame
    count = 0
    for uid in frame.index:
        mark = canvas.node_rect(uid)
        tag = paint_tag(painter, marks_of(canvas.picture), [mark], around(canvas), THEME)
        line = _leader(tag, [mark])
        row = np.array([[line.x1(), line.y1(), line.x2(), line.y2()]])
        others = boxes_of(canvas.node_rect(other) for other in frame.index if other != uid)
        count += int(crossed(others, row).sum())
    assert count <= 1


def test_the_tag_of_a_very_large_tree_is_near_its_mark(canvas, painter):
    canvas.show_picture(shown(chain(700)))
    picture, _ = stuck()
    mark = canvas.node_rect(canvas.picture.tree.uid)
    tag = paint_tag(painter, marks_of(picture), [mark], around(canvas), THEME)
    assert tag.adjusted(-60.0, -60.0, 60.0, 60.0).intersects(mark)
