"""What lies over a tree: heat, the values on one row, and the node that pulses."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from gpviz.app.canvas.camera import Camera
from gpviz.app.canvas.free_space import boxes_of
from gpviz.app.canvas.node_shapes import NodeKind
from gpviz.app.canvas.overlay import (
    _halves,
    folded,
    heat_levels,
    is_about,
    paint_pulse,
    paint_title,
    values_in,
    without_heat,
)
from gpviz.app.canvas.sprite_atlas import HEAT_LEVELS, Atlas, AtlasCache, Blank, Halo, ValueBadge, reach_of
from gpviz.app.canvas.tree_frame import frame_of
from gpviz.app.canvas.tree_painter import Drawing, free_space_of, paint_drawing
from gpviz.app.theme import load_theme
from gpviz.assets import THEME_NAMES
from gpviz.engine import Node, parse
from gpviz.engine.tree import nodes_of
from gpviz.explain.moment import Overlay
from gpviz.layout import graph_of, tidy_layout
from tests.app.canvas.goldens import difference_of
from tests.app.canvas.pictures import chain, shown

TREE = "(x1 & x2) | (x3 & x4)"  # uids: 0 1 &2, 3 4 &5, |6
WIDTH, HEIGHT = 480, 320
HEAT = {0: 0.01, 1: 0.005, 2: 0.0, 6: 0.0001}
VALUES = {0: True, 1: False, 2: False, 3: True, 4: True, 5: True, 6: True}


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


def changed(one: QImage, other: QImage) -> bool:
    return one != other


# Heat


def test_the_strongest_node_is_full_and_the_others_are_relative_to_it():
    frame = drawing_of(parse(TREE), None).frame
    levels = dict(zip(frame.uids.tolist(), heat_levels(Overlay(HEAT), frame).tolist(), strict=True))
    assert levels == {0: HEAT_LEVELS, 1: HEAT_LEVELS // 2, 2: 0, 3: 0, 4: 0, 5: 0, 6: 1}


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


def test_a_stronger_halo_is_larger():
    reaches = [reach_of(Halo(NodeKind.OR, level)) for level in range(1, HEAT_LEVELS + 1)]
    assert reaches == sorted(set(reaches))
    assert reach_of(Blank(NodeKind.AND)) < reaches[0]


@pytest.mark.parametrize("theme", THEME_NAMES)
@pytest.mark.parametrize("has_atlas", [False, True])
def test_heat_is_to_be_seen_around_hot_nodes_only(theme, has_atlas):
    tree = parse(TREE)
    atlases = AtlasCache(load_theme(theme)) if has_atlas else None
    plain = painted(drawing_of(tree, None), theme, atlases)
    hot = painted(drawing_of(tree, Overlay({0: 0.01})), theme, atlases)
    around = free_space_of(drawing_of(tree, None), WIDTH, HEIGHT, load_theme(theme))
    hot_place, cold_place = around.place(0), around.place(4)
    assert hot_place is not None
    assert cold_place is not None
    for place, is_hot in ((hot_place, True), (cold_place, False)):
        box = QRectF(place.x() - 27, place.y() - 27, 54, 54).toRect()
        assert changed(plain.copy(box), hot.copy(box)) is is_hot


@pytest.mark.parametrize("kind", NodeKind)
def test_the_whole_halo_is_kept_in_an_atlas(kind):
    halo = Halo(kind, HEAT_LEVELS)
    atlas = Atlas(load_theme("light"), 2.0, 1.0)
    left, top, width, height = (round(part) for part in atlas.cells([halo])[0].tolist())
    image = atlas.pixmap.toImage().copy(left, top, width, height)
    border = [image.pixelColor(x, y).alpha() for x in range(width) for y in (0, height - 1)]
    border += [image.pixelColor(x, y).alpha() for x in (0, width - 1) for y in range(height)]
    assert max(border) == 0
    assert image.pixelColor(width // 2, height // 2).alpha() > 0


def test_no_heat_changes_nothing():
    tree = parse(TREE)
    assert painted(drawing_of(tree, Overlay({0: 0.0}))) == painted(drawing_of(tree, None))


def test_a_collapsed_node_has_the_heat_of_all_that_it_hides():
    tree = parse(TREE)
    overlay = folded(Overlay({0: 0.25, 1: 0.5, 2: 0.125, 3: 1.0}, pulsing=1), tree, frozenset({2}))
    assert overlay.heat[2] == 0.875
    assert overlay.heat[3] == 1.0
    assert overlay.pulsing == 2


def test_folding_makes_no_heat_where_there_is_none():
    overlay = folded(Overlay(values=VALUES, pulsing=1), parse(TREE), frozenset({2}))
    assert overlay == Overlay(values=VALUES, pulsing=2)


def test_of_collapsed_nodes_within_each_other_the_topmost_counts():
    tree = parse(TREE)
    overlay = folded(Overlay(dict.fromkeys(range(7), 1.0), pulsing=6), tree, frozenset({2, 6}))
    assert overlay.heat[6] == 7.0
    assert overlay.pulsing == 6


def test_without_anything_to_fold_an_overlay_stays_the_same():
    overlay = Overlay(HEAT, VALUES)
    assert folded(overlay, parse(TREE), frozenset()) is overlay
    assert folded(overlay, None, frozenset({2})) is overlay
    values = Overlay(values=VALUES)
    assert folded(values, parse(TREE), frozenset({2})) is values


# Values


def test_values_are_true_false_or_unknown():
    frame = drawing_of(parse(TREE), None).frame
    found = dict(zip(frame.uids.tolist(), values_in(Overlay(values={0: True, 1: False}), frame), strict=True))
    assert (found[0], found[1], found[6]) == (1, 0, -1)


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


def test_at_small_scales_there_is_only_the_dimming():
    tree = parse(TREE)
    overlay = Overlay(values=dict.fromkeys(range(7), True))
    without_edges = replace(drawing_of(tree, overlay, 0.2).frame, edge_opacity=np.zeros(6))
    plain = replace(drawing_of(tree, None, 0.2), frame=without_edges)
    assert painted(replace(plain, overlay=overlay)) == painted(plain)
    larger = replace(plain, camera=replace(plain.camera, scale=0.5))
    assert painted(replace(larger, overlay=overlay)) != painted(larger)
    dimmed = Overlay(values=dict.fromkeys(range(7), False))
    assert painted(replace(plain, overlay=dimmed)) != painted(plain)


def test_an_edge_that_carries_true_is_drawn_stronger():
    tree = parse("x1 & x2")
    drawing = drawing_of(tree, None)
    around = free_space_of(drawing, WIDTH, HEIGHT, load_theme("light"))
    ends = [around.place(node.uid) for node in nodes_of(tree)]
    assert ends[0] is not None
    assert ends[1] is not None
    middle = (ends[0] + ends[1]) / 2
    box = QRectF(middle.x() - 5, middle.y() - 2, 10, 4).toRect()

    def darkness(overlay: Overlay | None) -> int:
        image = painted(replace(drawing, overlay=overlay)).copy(box)
        return sum(
            255 - QColor(image.pixel(x, y)).lightness() for x in range(image.width()) for y in range(4)
        )

    leaf = nodes_uid(tree, 1)
    assert darkness(Overlay(values={leaf: True})) > darkness(None) > darkness(Overlay(values={leaf: False}))


def nodes_uid(tree: Node, number: int) -> int:
    return [node.uid for node in nodes_of(tree)][number]


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


def test_an_overlay_is_about_the_nodes_it_names():
    frame = drawing_of(parse(TREE), None).frame
    assert is_about(Overlay(title="t"), frame)
    assert is_about(Overlay(values={6: True}), frame)
    assert not is_about(Overlay({7: 1.0}), frame)


def test_a_badge_is_as_large_for_both_values():
    assert reach_of(ValueBadge(True)) == reach_of(ValueBadge(False))


# The title


def test_the_title_keeps_clear_of_the_tree_and_of_what_is_taken():
    theme = load_theme("light")
    around = free_space_of(drawing_of(parse(TREE), None), WIDTH, HEIGHT, theme)
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    overlay = Overlay(HEAT, title="heat: up to 1.2 % of all iterations improve here")
    first = paint_title(painter, overlay, around, theme, [])
    second = paint_title(painter, overlay, around, theme, [first])
    long = paint_title(painter, replace(overlay, title="word " * 100), around, theme, [])
    one_word = paint_title(painter, replace(overlay, title="heat"), around, theme, [])
    painter.end()
    assert not first.intersects(second)
    for box in (first, second, long, one_word):
        assert around.view.contains(box)
    assert around.covered_by(boxes_of([first])) == 0.0


def test_a_title_is_divided_between_words():
    assert _halves("heat") == ["heat"]
    assert _halves("heat: up to here") == ["heat: up", "to here"]
    assert _halves("heat 12 %") == ["heat", "12\u00a0%"]


# Pulsing


def rings_of(phase: float | None) -> QImage:
    return painted(drawing_of(parse(TREE), Overlay(pulsing=6), pulse=phase))


def test_the_ring_grows_with_the_phase_and_is_double_at_rest():
    pictures = [rings_of(phase) for phase in (None, 0.1, 0.5, 0.9)]
    assert all(one != other for number, one in enumerate(pictures) for other in pictures[:number])


def test_a_node_that_is_not_there_has_no_ring():
    theme = load_theme("light")
    around = free_space_of(drawing_of(parse(TREE), None), WIDTH, HEIGHT, theme)
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    assert paint_pulse(painter, 99, 0.5, around, theme) is None
    assert paint_pulse(painter, 6, 0.5, around, theme) is not None
    painter.end()


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


def test_the_phase_comes_round(canvas, qtbot):
    canvas.show_picture(shown(TREE))
    canvas.set_overlay(Overlay(pulsing=6))
    seen = [0.0]

    def is_round() -> bool:
        seen.append(canvas.drawing().pulse)
        return seen[-1] < seen[-2]

    qtbot.waitUntil(is_round)
    assert max(seen) < 1.0


def test_under_reduced_motion_nothing_pulses(canvas):
    canvas.show_picture(shown(TREE))
    canvas.set_overlay(Overlay(pulsing=6))
    canvas.set_reduced_motion(True)
    assert canvas.drawing().pulse is None
    assert canvas.drawing().overlay.pulsing == 6
    canvas.set_reduced_motion(False)
    assert canvas.drawing().pulse is not None


def test_a_hidden_node_pulses_on_what_hides_it(canvas):
    canvas.show_picture(shown(TREE))
    canvas.set_overlay(Overlay({0: 1.0, 1: 1.0}, pulsing=0))
    canvas.set_collapsed(frozenset({2}))
    canvas.finish_motion()
    overlay = canvas.drawing().overlay
    assert (overlay.pulsing, overlay.heat[2]) == (2, 2.0)
    assert canvas.drawing().pulse is not None


# The canvas


def test_an_overlay_comes_and_goes(canvas):
    canvas.show_picture(shown(TREE))
    plain = canvas.grab().toImage()
    canvas.set_overlay(Overlay(HEAT, title="heat"))
    assert canvas.grab().toImage() != plain
    canvas.set_overlay(None)
    assert canvas.drawing().overlay is None
    assert canvas.grab().toImage() == plain


def test_the_same_overlay_again_is_no_work(canvas, monkeypatch):
    canvas.show_picture(shown(TREE))
    canvas.set_overlay(Overlay(HEAT, VALUES))
    updates = []
    monkeypatch.setattr(canvas, "update", lambda *_: updates.append(1))
    canvas.set_overlay(Overlay(dict(HEAT), dict(VALUES)))
    assert not updates


def test_heat_would_tell_a_hidden_verdict():
    overlay = Overlay(HEAT, VALUES, 6, "heat: up to 1 %")
    assert without_heat(overlay) == Overlay({}, VALUES, 6, "")
    values = Overlay(values=VALUES, title="row 3")
    assert without_heat(values) is values
