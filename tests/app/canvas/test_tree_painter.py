"""Painting with any painter: the same picture from an atlas and as outlines."""

from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QBuffer, QIODevice, QPoint
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from gpviz.analysis.redundant_leaves import Analysis, LeafReason
from gpviz.app.canvas.camera import Camera
from gpviz.app.canvas.mutation_marks import marks_of
from gpviz.app.canvas.node_descriptions import description_of, node_text, node_title
from gpviz.app.canvas.node_shapes import (
    Face,
    NodeKind,
    draw_face,
    label_opacity,
    leaf_face,
    text_path,
)
from gpviz.app.canvas.sprite_atlas import Atlas, AtlasCache
from gpviz.app.canvas.tree_painter import Drawing, paint_drawing
from gpviz.app.theme import contrast, load_theme, readable_on
from gpviz.assets import THEME_NAMES
from gpviz.engine import Operation, RunConfig, Side, State, TreeState, Verdict, parse
from gpviz.explain.step_text import VERDICT_SYMBOLS
from tests.app.canvas.goldens import difference_of
from tests.app.canvas.pictures import shown, stepped, stuck

WIDTH, HEIGHT = 480, 360
THEME = load_theme("light")
RULES = RunConfig(n=4).rules


def painted(drawing: Drawing, *, has_atlas: bool, ratio: float = 1.0) -> QImage:
    image = QImage(round(WIDTH * ratio), round(HEIGHT * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(QColor(THEME.colours.panel))
    painter = QPainter(image)
    atlases = AtlasCache(THEME) if has_atlas else None
    paint_drawing(painter, drawing, WIDTH, HEIGHT, THEME, atlases, ratio)
    painter.end()
    return image


@pytest.fixture
def stuck_drawing(canvas) -> Drawing:
    picture, analysis = stuck()
    canvas.resize(WIDTH, HEIGHT)
    canvas.show_picture(picture)
    canvas.show_analysis(analysis)
    canvas.select(picture.tree.uid)
    return canvas.drawing()


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_the_atlas_and_the_outlines_give_the_same_picture(stuck_drawing, ratio):
    stuck_drawing = replace(stuck_drawing, marks=None)  # their tag may find another place by a hair's breadth
    copied = painted(stuck_drawing, has_atlas=True, ratio=ratio)
    outlined = painted(stuck_drawing, has_atlas=False, ratio=ratio)
    mean, share = difference_of(copied, outlined)
    assert mean < 2.5  # nodes from an atlas are moved onto whole pixels
    assert share < 0.03


@pytest.mark.parametrize("progress", [0.25, 0.75])
def test_a_tree_on_its_way_looks_the_same_either_way(canvas, progress):
    canvas.resize(WIDTH, HEIGHT)
    canvas.show_picture(shown("(x1 & x2) | x3"))
    canvas.show_picture(stepped("(x1 & x5) | x3", Operation.INS, Verdict.IMPROVED, 4), 1000)
    canvas.hold_motion(progress)
    drawing = replace(canvas.drawing(), marks=None)
    mean, share = difference_of(painted(drawing, has_atlas=True), painted(drawing, has_atlas=False))
    assert mean < 0.5
    assert share < 0.004


def test_edges_join_parents_and_children(canvas):
    canvas.show_picture(shown("(x1 & x2) | x3"))
    image = canvas.grab().toImage()
    edge = QColor(THEME.colours.edge)
    for above, below in ((4, 2), (4, 3), (2, 0), (2, 1)):
        middle = (canvas.node_rect(above).center() + canvas.node_rect(below).center()) / 2
        around = [middle.toPoint() + QPoint(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
        assert any(contrast(QColor(image.pixelColor(place)), edge) < 1.1 for place in around)


def test_a_drawing_can_be_painted_as_vectors(stuck_drawing):
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    painter = QPainter(generator)
    paint_drawing(painter, stuck_drawing, WIDTH, HEIGHT, THEME)
    painter.end()
    assert buffer.data().count(b"<path") > 20


CASES = [
    ("(x1 & x2) | x3", Operation.INS, Verdict.WORSE, 1),
    ("(x1 & x2) | x3", Operation.INS, Verdict.TOO_LARGE, 0),
    ("(x1 & x2) | x3", Operation.INS, Verdict.IMPROVED, 1),
    ("(x1 & x2) | x3", Operation.DEL, Verdict.WORSE, 1),
    ("(x1 & x2) | x3", Operation.DEL, Verdict.WORSE, 4),
    ("(x1 & x2) | x3", Operation.DEL, Verdict.NEUTRAL, 4),
    ("(x1 & x2) | x3", Operation.SUB, Verdict.WORSE, 4),
    ("(x1 & x2) | x3", Operation.SUB, Verdict.IMPROVED, 4),
    (None, Operation.INS, Verdict.WORSE, 0),
]


@pytest.mark.parametrize(("text", "operation", "verdict", "node"), CASES)
@pytest.mark.parametrize("side", Side)
def test_every_step_leaves_a_mark_in_its_verdicts_colour(canvas, text, operation, verdict, node, side):
    canvas.resize(WIDTH, HEIGHT)
    canvas.set_reduced_motion(True)
    canvas.show_picture(stepped(text, operation, verdict, node, side=side))
    marked = canvas.grab().toImage()
    canvas.set_ghosts_shown(False)
    bare = canvas.grab().toImage()
    colour = QColor(THEME.colours.of_verdict(verdict))

    def count(image: QImage) -> int:
        return sum(image.pixelColor(x, y) == colour for x in range(WIDTH) for y in range(0, HEIGHT, 3))

    assert count(bare) == 0
    assert count(marked) > 30


def test_marks_on_nodes_that_are_not_shown_are_left_out():
    for _, operation, verdict, node in CASES[:8]:
        marks = marks_of(stepped("(x1 & x2) | x3", operation, verdict, node))
        empty = Drawing(camera=Camera(), marks=marks)
        bare = Drawing(camera=Camera())
        assert painted(empty, has_atlas=True) == painted(bare, has_atlas=True)


def test_a_tag_is_not_shown_for_a_place_that_is_out_of_view(canvas):
    canvas.show_picture(stepped("x1 & x2", Operation.SUB, Verdict.WORSE, 1))
    far = Drawing(
        camera=Camera(1.0, 9999.0, 9999.0), frame=canvas.drawing().frame, marks=canvas.drawing().marks
    )
    blank = painted(Drawing(camera=far.camera, frame=far.frame), has_atlas=True)
    assert painted(far, has_atlas=True) == blank


def test_labels_vanish_before_they_become_mush():
    assert label_opacity(6.9) == 0.0
    assert 0.0 < label_opacity(7.5) < 1.0
    assert label_opacity(12.0) == 1.0


def test_labels_of_any_variable_fit_their_box():
    atlas = Atlas(THEME, 2.0, 1.0)
    for variable in (1, 12, 128, 1000):
        left, top, width, height = (round(part) for part in atlas.cells([leaf_face(variable)])[0])
        cell = atlas.pixmap.copy(left, top, width, height).toImage()
        text = QColor(THEME.colours.leaf_text)
        columns = [
            x
            for x in range(width)
            if any(cell.pixelColor(x, y) == text for y in range(height // 3, height // 2))
        ]
        assert columns
        assert min(columns) > width * 0.12
        assert max(columns) < width * 0.88


def test_an_atlas_grows_with_its_faces_and_keeps_what_it_has():
    atlas = Atlas(THEME, 2.0, 1.0)
    first = leaf_face(1)
    left, top, width, height = (round(part) for part in atlas.cells([first])[0])
    before = atlas.pixmap.copy(left, top, width, height).toImage()
    atlas.cells([leaf_face(variable) for variable in range(1, 200)])
    assert atlas.pixmap.height() > 64
    assert atlas.pixmap.copy(left, top, width, height).toImage() == before
    assert atlas.cells([]).shape == (0, 4)


def test_atlases_are_kept_by_size_and_not_for_ever():
    cache = AtlasCache(THEME)
    first = cache.at(1.0, 1.0)
    assert cache.at(1.0, 1.0) is first
    assert cache.at(1.0, 2.0) is not first
    moving = cache.at(0.77, 1.0, is_moving=True)
    assert cache.at(0.78, 1.0, is_moving=True) is moving
    for step in range(10):
        cache.at(2.0 + step, 1.0)
    assert cache.at(1.0, 1.0) is not first


@pytest.mark.parametrize("name", THEME_NAMES)
def test_symbols_stand_out_from_their_badges(name):
    theme = load_theme(name)
    for verdict in Verdict:
        colour = QColor(theme.colours.of_verdict(verdict))
        assert contrast(colour, readable_on(colour, theme, is_large=True)) > 4.0


@pytest.mark.parametrize("name", THEME_NAMES)
@pytest.mark.parametrize(("is_redundant", "borders"), [(False, 1), (True, 2)])
def test_a_redundant_leaf_is_known_by_its_second_border(name, is_redundant, borders):
    theme = load_theme(name)
    image = QImage(120, 120, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.colours.panel))
    painter = QPainter(image)
    painter.translate(60, 60)
    painter.scale(2.5, 2.5)
    draw_face(painter, Face(NodeKind.LEAF, "", is_redundant=is_redundant), theme)
    painter.end()
    border = QColor(theme.colours.redundant_border if is_redundant else theme.colours.leaf_border)
    is_border = [contrast(image.pixelColor(x, 60), border) < 1.3 for x in range(60)]
    assert sum(now and not before for before, now in pairwise(is_border)) == borders


def test_all_symbols_are_in_the_font():
    missing, _ = text_path("\U0010fffd")
    for symbol in "".join(VERDICT_SYMBOLS.values()) + "∅→":
        assert text_path(symbol)[0] != missing


def test_a_stack_can_be_painted():
    atlas = Atlas(THEME, 1.0, 1.0)
    kinds = [Face(NodeKind.AND_STACK, "7"), Face(NodeKind.OR_STACK, "1000")]
    assert atlas.cells(kinds).shape == (2, 4)
    assert NodeKind.OR_STACK.is_stack
    assert not NodeKind.OR.is_stack


def test_nodes_are_named_by_their_number_in_the_tree():
    tree = parse("(x1 & x2) | x3")
    assert node_title(tree, 3) == "x₃  leaf 3, node 5"
    assert node_title(tree, 2) == "∧  node 2, 2 leaves"
    assert node_title(tree, 4) == "∨  root, 3 leaves"
    assert node_title(tree, 99) is None


def test_a_redundant_leaf_is_not_said_to_be_deletable_alone():
    tree = parse("x1")
    text = node_text(0, Analysis(tree, RULES, TreeState(State.CLIMBING, 1), redundant=frozenset({0})))
    assert text == "Removable, alone or with others."


def test_a_leaf_that_cannot_be_deleted_gives_no_reason():
    tree = parse("x1")
    state = TreeState(State.STUCK, 1, 1)
    assert node_text(0, Analysis(tree, RULES, state, reasons={0: LeafReason(None, None, None)})) == ""


def test_a_picture_without_a_tree_is_described():
    assert description_of(None) == "There is no tree."
    assert "empty" in description_of(shown(None))
    assert "1 leaf:" in description_of(shown("x1"))


@pytest.mark.parametrize("has_atlas", [True, False])
def test_a_device_with_more_pixels_has_room_for_smaller_labels(canvas, has_atlas):
    picture = shown("x1 & x2")
    canvas.show_picture(picture)
    frame = canvas.drawing().frame
    assert picture.tree is not None
    number = frame.index[picture.tree.uid]
    scale = 0.2
    drawing = Drawing(camera=Camera(scale, float(frame.x[number]), float(frame.y[number])), frame=frame)
    assert (label_opacity(20 * scale), label_opacity(20 * scale * 4)) == (0.0, 1.0)

    def is_labelled(ratio: float) -> bool:
        """Whether there is a symbol in the circle, which is in the middle of the picture."""
        image = painted(drawing, has_atlas=has_atlas, ratio=ratio)
        reach = round(10 * scale * ratio)
        middle_x, middle_y = image.width() // 2, image.height() // 2
        colours = {
            image.pixelColor(middle_x + x, middle_y + y).name()
            for x in range(-reach, reach)
            for y in range(-reach, reach)
        }
        return colours != {THEME.colours.and_fill}

    assert not is_labelled(1.0)
    assert is_labelled(4.0)
