"""How the tree is seen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.app.canvas.camera import LARGEST, SMALLEST, WHOLE, Zoom, mixed, near_to
from gpviz.picture.items import Item, Shape
from gpviz.picture.space import Rect

places = st.floats(-2000.0, 2000.0)
TREE, VIEW = Rect(0.0, 0.0, 1000.0, 600.0), Rect(10.0, 10.0, 410.0, 310.0)


@given(st.floats(0.2, 5.0), places, places)
def test_zooming_keeps_the_point_under_the_mouse(factor, x, y):
    zoom = Zoom(1.5, 30.0, -20.0)
    assert zoom.zoomed(factor, x, y).point_at(x, y) == pytest.approx(zoom.point_at(x, y), abs=1e-6)


def test_zooming_has_limits():
    assert WHOLE.zoomed(1e9, 0.0, 0.0).scale == LARGEST
    assert WHOLE.zoomed(1e-9, 0.0, 0.0).scale == SMALLEST


def test_what_is_fixed_does_not_move():
    disc = Item("disc", Shape.DISC, (10.0, 20.0, 5.0), width=2.0)
    assert Zoom(2.0, 1.0, 3.0).of_item(disc) == disc._replace(points=(21.0, 43.0, 10.0), width=4.0)
    fixed = disc._replace(is_fixed=True)
    assert Zoom(2.0, 1.0, 3.0).of_item(fixed) == fixed


def test_a_place_is_seen_in_the_middle_and_nothing_beside_the_tree():
    middle = near_to(Rect(500.0, 300.0, 520.0, 320.0), TREE, VIEW, 3.0)
    assert middle.place(510.0, 310.0) == pytest.approx(VIEW.middle)
    corner = near_to(Rect(0.0, 0.0, 5.0, 5.0), TREE, VIEW, 3.0)
    assert corner.place(0.0, 0.0) == pytest.approx((VIEW.left, VIEW.top))


def test_what_is_in_the_middle_part_of_the_view_stays_where_it_is():
    before = near_to(Rect(500.0, 300.0, 500.0, 300.0), TREE, VIEW, 3.0)
    assert near_to(Rect(520.0, 310.0, 520.0, 310.0), TREE, VIEW, 3.0, before) == before
    far = near_to(Rect(700.0, 310.0, 700.0, 310.0), TREE, VIEW, 3.0, before)
    assert far.x < before.x
    assert far.y == before.y


def test_one_on_its_way_starts_and_ends_exactly():
    start, end = Zoom(1.0, 0.0, 0.0), Zoom(4.0, -300.0, -90.0)
    assert mixed(start, end, 0.0) == start
    assert mixed(start, end, 1.0) == end
    assert 1.0 < mixed(start, end, 0.5).scale < 4.0
