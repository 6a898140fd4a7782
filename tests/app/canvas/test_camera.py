"""The camera: fitting, zooming, panning."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpviz.app.canvas.camera import LARGEST_SCALE, SMALLEST_SCALE, Bounds, Camera, Margins, fitted, mixed

sizes = st.floats(1.0, 1e5)


@given(sizes, sizes, st.floats(200.0, 4000.0), st.floats(200.0, 4000.0))
def test_a_fitted_camera_shows_all_inside_the_margins(width, height, view_width, view_height):
    bounds = Bounds(-width, -10.0, width, height)
    margins = Margins(top=50.0)
    camera = fitted(bounds, view_width, view_height, margins, 1.5)
    left, top = camera.to_view(bounds.left, bounds.top, view_width, view_height)
    right, bottom = camera.to_view(bounds.right, bounds.bottom, view_width, view_height)
    reach = 24.0 * camera.scale
    left, top, right, bottom = left - reach, top - reach, right + reach, bottom + reach
    assert left >= margins.left - 1e-6
    assert top >= margins.top - 1e-6
    assert right <= view_width - margins.right + 1e-6
    assert bottom <= view_height - margins.bottom + 1e-6
    assert camera.scale <= 1.5


def test_a_tree_without_an_extent_is_not_stretched():
    camera = fitted(Bounds(5.0, 5.0, 5.0, 5.0), 300.0, 200.0, Margins(), 1.5)
    assert (camera.stretch_x, camera.stretch_y) == (1.0, 1.0)
    assert camera.to_view(5.0, 5.0, 300.0, 200.0) == (150.0, 100.0)


@given(st.floats(0.1, 10.0), st.floats(0.0, 600.0), st.floats(0.0, 400.0))
def test_zooming_keeps_the_point_under_the_mouse(factor, x, y):
    camera = Camera(0.8, 30.0, -20.0, 1.5, 0.9)
    zoomed = camera.zoomed(factor, x, y, 600.0, 400.0)
    assert zoomed.from_view(x, y, 600.0, 400.0) == pytest.approx(camera.from_view(x, y, 600.0, 400.0))


def test_zooming_has_limits():
    assert Camera().zoomed(1e9, 0.0, 0.0, 100.0, 100.0).scale == LARGEST_SCALE
    assert Camera().zoomed(1e-9, 0.0, 0.0, 100.0, 100.0).scale == SMALLEST_SCALE


def test_panning_moves_the_drawing_with_the_mouse():
    camera = Camera(2.0, 5.0, 5.0, 1.25, 1.0).panned(20.0, -10.0)
    assert camera.to_view(5.0, 5.0, 100.0, 100.0) == (70.0, 40.0)


def test_a_camera_on_its_way_starts_and_ends_exactly():
    before, after = Camera(1.0, 0.0, 0.0), Camera(4.0, 8.0, 2.0, 1.5, 0.5)
    assert mixed(before, after, 0.0) == before
    assert mixed(before, after, 0.5) == Camera(2.0, 4.0, 1.0, 1.25, 0.75)
    assert mixed(before, after, 1.0) == after
