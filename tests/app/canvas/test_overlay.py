"""What lies over a tree: heat, the values on one row, and the node that pulses."""

from gpviz.explain.moment import Overlay
from tests.app.canvas.pictures import shown

TREE = "(x1 & x2) | (x3 & x4)"  # uids: 0 1 &2, 3 4 &5, |6


def test_an_overlay_comes_and_goes(canvas):
    canvas.show_picture(shown(TREE))
    plain = canvas.grab().toImage()
    canvas.set_overlay(Overlay({0: 0.1, 3: 0.4}, {2: True, 5: False}, title="heat"))
    assert canvas.grab().toImage() != plain
    canvas.set_overlay(None)
    assert canvas.grab().toImage() == plain


def test_an_overlay_of_another_tree_paints_nothing(canvas):
    canvas.show_picture(shown(TREE))
    plain = canvas.grab().toImage()
    canvas.set_overlay(Overlay({99: 1.0}, {98: True}, 97))
    assert canvas.grab().toImage() == plain


def test_the_canvas_pulses_only_while_there_is_something_to_see(canvas, qtbot):
    canvas.show_picture(shown(TREE))
    assert not canvas.is_pulsing
    canvas.set_overlay(Overlay(pulsing=6))
    assert canvas.is_pulsing
    before = canvas.grab().toImage()
    qtbot.waitUntil(lambda: canvas.grab().toImage() != before)
    canvas.hide()
    assert not canvas.is_pulsing
    canvas.show()
    assert canvas.is_pulsing
    canvas.set_overlay(Overlay(pulsing=99))
    assert not canvas.is_pulsing
    canvas.set_overlay(Overlay(pulsing=6))
    canvas.show_picture(shown("x1"))
    assert not canvas.is_pulsing


def test_under_reduced_motion_nothing_pulses(canvas):
    canvas.show_picture(shown(TREE))
    plain = canvas.grab().toImage()
    canvas.set_reduced_motion(True)
    canvas.set_overlay(Overlay(pulsing=6))
    assert not canvas.is_pulsing
    assert canvas.grab().toImage() != plain  # it has its ring all the same
    canvas.set_reduced_motion(False)
    assert canvas.is_pulsing


def test_what_hides_a_node_pulses_for_it_and_has_the_heat_of_all_it_hides(canvas):
    canvas.show_picture(shown(TREE))
    canvas.set_overlay(Overlay({0: 0.25, 1: 0.5, 2: 0.125, 3: 1.0}, pulsing=0))
    canvas.toggle_collapsed(2)
    canvas.finish_motion()
    overlay = canvas.picture.overlay
    assert (overlay.pulsing, overlay.heat[2], overlay.heat[3]) == (2, 0.875, 1.0)
    assert canvas.is_pulsing
    canvas.toggle_collapsed(6)  # of collapsed nodes within each other the topmost counts
    overlay = canvas.picture.overlay
    assert (overlay.pulsing, overlay.heat[6]) == (6, 1.875)
