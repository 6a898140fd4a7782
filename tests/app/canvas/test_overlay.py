"""What lies over a tree: heat, the values on one row, and the node that pulses."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from gpviz.app.canvas.camera import Camera
from gpviz.app.canvas.overlay import heat_levels
from gpviz.app.canvas.sprite_atlas import HEAT_LEVELS, AtlasCache
from gpviz.app.canvas.tree_frame import frame_of
from gpviz.app.canvas.tree_painter import Drawing, free_space_of, paint_drawing
from gpviz.app.theme import load_theme
from gpviz.assets import THEME_NAMES
from gpviz.engine import Node, parse
from gpviz.engine.tree import nodes_of
from gpviz.explain.moment import Overlay
from gpviz.picture.layout import graph_of, tidy_layout
from tests.app.canvas.goldens import difference_of
from tests.app.canvas.pictures import chain, shown

TREE = "(x1 & x2) | (x3 & x4)"  # uids: 0 1 &2, 3 4 &5, |6
WIDTH, HEIGHT = 480, 320
HEAT = {0: 0.01, 1: 0.005, 2: 0.0, 6: 0.0001}


def drawing_of(tree: Node | None, overlay: Overlay | None, scale: float = 1.0, **more) -> Drawing:
    places = {} if tree is None else tidy_layout(graph_of(tree))
    frame = frame_of(tree, places, unit=(58.0, 56.0))
    bounds = frame.bounds
    camera = Camera(scale, (bounds.left + bounds.right) / 2, (bounds.top + bounds.bottom) / 2)
    return Drawing(camera=camera, frame=frame, overlay=overlay, **more)


def painted(drawing: Drawing, theme_name: str = "light", atlases: AtlasCache | None = None) -> QImage:
    theme = load_theme(theme_name)
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.colours.panel))
    painter = QPainter(image)
    paint_drawing(painter, drawing, WIDTH, HEIGHT, theme, atlases)
    painter.end()
    return image


# Heat


@given(st.dictionaries(st.integers(0, 6), st.floats(0.0, 1.0)))
def test_heat_of_any_size_has_levels_in_the_same_order(heat):
    frame = drawing_of(parse(TREE), None).frame
    levels = heat_levels(Overlay(heat), frame)
    assert levels.min() >= 0
    assert levels.max() == (HEAT_LEVELS if any(heat.values()) else 0)
    by_uid = dict(zip(frame.uids.tolist(), levels.tolist(), strict=True))
    for one, other in zip(heat, list(heat)[1:], strict=False):
        if heat[one] <= heat[other]:
            assert by_uid[one] <= by_uid[other]


# Values


@pytest.mark.parametrize("theme", THEME_NAMES)
def test_true_and_false_nodes_are_told_apart_without_their_colour(theme):
    tree = parse("x1 & x1")  # the same face twice
    uids = [node.uid for node in nodes_of(tree)]
    drawing = drawing_of(tree, Overlay(values={uids[1]: True, uids[2]: False}))
    image = painted(drawing, theme).convertToFormat(QImage.Format.Format_Grayscale8)
    around = free_space_of(drawing, WIDTH, HEIGHT, load_theme(theme))
    copies = []
    for uid in uids[1:]:
        place = around.place(uid)
        assert place is not None
        # Only the badge, which lies beside the face.
        badge = QRectF(place.x() + 8, place.y() - 26, 18, 18).toRect()
        copies.append(image.copy(badge).convertToFormat(QImage.Format.Format_RGB32))
    mean, _ = difference_of(*copies)
    assert mean > 10.0


@pytest.mark.parametrize("theme", THEME_NAMES)
@pytest.mark.parametrize("leaves", [2, 100])
def test_everything_at_once_can_be_painted(theme, leaves):
    tree = chain(leaves)
    uids = [node.uid for node in nodes_of(tree)]
    overlay = Overlay(
        {uid: uid / 10 for uid in uids}, {uid: uid % 3 == 0 for uid in uids}, uids[0], "a title"
    )
    for scale in (0.02, 0.4, 2.0):
        for atlases in (None, AtlasCache(load_theme(theme))):
            drawing = drawing_of(tree, overlay, scale, pulse=0.5)
            assert painted(drawing, theme, atlases) != painted(replace(drawing, overlay=None), theme, atlases)


def test_an_overlay_of_another_tree_paints_nothing():
    tree = parse(TREE)
    overlay = Overlay({99: 1.0}, {98: True}, 97, "heat: up to 1 %")
    assert painted(drawing_of(tree, overlay)) == painted(drawing_of(tree, None))
    empty = drawing_of(None, overlay)
    assert painted(empty) == painted(replace(empty, overlay=None))


# Pulsing


def test_the_canvas_pulses_only_while_there_is_something_to_see(canvas, qtbot):
    canvas.show_picture(shown(TREE))
    assert canvas.drawing().pulse is None
    canvas.set_overlay(Overlay(pulsing=6))
    assert canvas.drawing().pulse == 0.0
    qtbot.waitUntil(lambda: (canvas.drawing().pulse or 0.0) > 0.0)
    canvas.hide()
    assert canvas.drawing().pulse is None
    canvas.show()
    assert canvas.drawing().pulse is not None
    canvas.set_overlay(Overlay(pulsing=99))
    assert canvas.drawing().pulse is None
    canvas.set_overlay(Overlay(pulsing=6))
    canvas.show_picture(shown("x1"))
    assert canvas.drawing().pulse is None


def test_under_reduced_motion_nothing_pulses(canvas):
    canvas.show_picture(shown(TREE))
    canvas.set_overlay(Overlay(pulsing=6))
    canvas.set_reduced_motion(True)
    assert canvas.drawing().pulse is None
    assert canvas.drawing().overlay.pulsing == 6
    canvas.set_reduced_motion(False)
    assert canvas.drawing().pulse is not None


def test_what_hides_a_node_pulses_for_it_and_has_the_heat_of_all_it_hides(canvas):
    canvas.show_picture(shown(TREE))
    canvas.set_overlay(Overlay({0: 0.25, 1: 0.5, 2: 0.125, 3: 1.0}, pulsing=0))
    canvas.toggle_collapsed(2)
    canvas.finish_motion()
    overlay = canvas.drawing().overlay
    assert (overlay.pulsing, overlay.heat[2], overlay.heat[3]) == (2, 0.875, 1.0)
    assert canvas.drawing().pulse is not None
    canvas.toggle_collapsed(6)  # of collapsed nodes within each other the topmost counts
    overlay = canvas.drawing().overlay
    assert (overlay.pulsing, overlay.heat[6]) == (6, 1.875)


# The canvas


def test_an_overlay_comes_and_goes(canvas):
    canvas.show_picture(shown(TREE))
    plain = canvas.grab().toImage()
    canvas.set_overlay(Overlay(HEAT, title="heat"))
    assert canvas.grab().toImage() != plain
    canvas.set_overlay(None)
    assert canvas.drawing().overlay is None
    assert canvas.grab().toImage() == plain
