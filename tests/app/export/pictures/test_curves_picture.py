"""Pictures of the curves: the panel without what only a mouse can use, with text that is text."""

import re

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage

from gpviz.app.export.pictures import _shown_curves, curves_image, write_curves_picture
from gpviz.app.plots.curves import CurvesView
from gpviz.app.theme import load_theme
from gpviz.app.widgets.picture_devices import image_of
from gpviz.engine import InvalidValueError
from tests.app.export.pictures.reading import difference, pdf_text, pixels_of, rgb_of, svg_texts


def count_of(image: QImage, colour: str) -> int:
    wanted = QColor(colour)
    return int((pixels_of(image) == [wanted.red(), wanted.green(), wanted.blue()]).all(axis=2).sum())


@pytest.mark.parametrize("suffix", ["svg", "pdf"])
def test_titles_ticks_limits_and_legend_are_text(tmp_path, stuck_run, suffix):
    path = tmp_path / f"curves.{suffix}"
    write_curves_picture(path, stuck_run, 0, 100, stuck_since=81)
    words = " ".join(svg_texts(path)) if suffix == "svg" else pdf_text(path)
    for text in ("iteration t", "leaves", "limit 9", "stuck since t = 81", "127", "improved"):
        assert text in words
    assert "A = 0" in words or "A=0" in words
    assert "whole run" not in words
    assert "log" not in words.split()


def test_a_png_has_the_asked_size_and_the_colours_of_the_theme(tmp_path, stuck_run):
    path = tmp_path / "curves.png"
    write_curves_picture(path, stuck_run, 0, 100, width=640, height=360, scale=1.5, theme_name="dark")
    image = QImage(str(path))
    assert (image.width(), image.height()) == (960, 540)
    colours = load_theme("dark").colours
    assert image.pixelColor(955, 535) == QColor(colours.panel)
    assert count_of(image, colours.curve) > 100


def test_there_is_no_cursor_in_it(qapp, stuck_run):
    image = curves_image(stuck_run, 0, 100, width=640, height=360)
    sizes = image.copy(0, 270, 640, 90)  # without the curve of the error, which has the same colour
    assert count_of(sizes, load_theme("light").colours.leaf_border) > 100
    assert count_of(sizes, load_theme("light").colours.accent) == 0


def test_only_the_asked_iterations_are_drawn(tmp_path, stuck_run):
    path = tmp_path / "curves.svg"
    write_curves_picture(path, stuck_run, 40, 60)
    words = svg_texts(path)
    assert {"40", "50", "60"} <= set(words)
    assert not {"30", "80", "100"} & set(words)


def test_what_comes_after_the_last_one_does_not_change_the_picture(qapp, stuck_run):
    short = stuck_run.beginning(60)
    of_part = curves_image(stuck_run, 20, 60, width=640, height=360)
    of_whole = curves_image(short, 20, 60, width=640, height=360)
    assert difference(pixels_of(of_part), pixels_of(of_whole)) == 0.0


def test_the_dots_of_a_drawing_are_one_shape_each(tmp_path, stuck_run):
    path = tmp_path / "curves.svg"
    write_curves_picture(path, stuck_run, 0, 100, width=640, height=360)
    colour = load_theme("light").colours.worse
    widths = re.findall(rf'stroke="{colour}"[^>]*stroke-width="([^"]*)"', path.read_text())
    assert set(widths) == {"3"}


def test_the_scale_may_be_linear(tmp_path, stuck_run):
    path = tmp_path / "curves.svg"
    write_curves_picture(path, stuck_run, 0, 100, is_log=False)
    assert {"20", "40", "100", "120"} <= set(svg_texts(path))
    assert "127" not in svg_texts(path)


def test_a_sampled_run_may_have_its_generalisation_error(tmp_path, sampled_run):
    path = tmp_path / "curves.svg"
    shares = np.array([0.5, 0.25, 0.1])
    write_curves_picture(path, sampled_run, 0, 40, generalisation=(np.array([1, 10, 20]), shares))
    assert any("generalisation error" in text for text in svg_texts(path))


def test_a_run_of_no_iterations_has_axes(tmp_path, stuck_run):
    path = tmp_path / "curves.svg"
    write_curves_picture(path, stuck_run.beginning(0), 0, 0)
    assert "iteration t" in svg_texts(path)


def test_a_range_the_run_does_not_have_gets_a_sentence(stuck_run):
    with pytest.raises(InvalidValueError, match="last: 101 is not allowed"):
        curves_image(stuck_run, 0, 101)
    with pytest.raises(InvalidValueError, match="first: 50 is not allowed; it must be at most 40"):
        curves_image(stuck_run, 50, 40)


@pytest.mark.parametrize(("first", "last"), [(18, 20), (90, 91), (40, 60), (0, 100)])
def test_the_axis_is_the_range_however_short_it_is(qapp, stuck_run, first, last):
    with _shown_curves(stuck_run, first, last, "light", 640, 360, None, None, is_log=True) as view:
        low, high = view.visible_range
        assert low <= first
        assert last <= high
        assert high - low < 1.05 * (last - first)


@pytest.mark.parametrize("at", [0, 20, 81, 95])
def test_a_single_iteration_is_points_in_the_middle(tmp_path, stuck_run, at):
    path = tmp_path / "curves.svg"
    write_curves_picture(path, stuck_run, at, at)
    assert str(at) in svg_texts(path)
    colours = load_theme("light").colours
    with _shown_curves(stuck_run, at, at, "light", 640, 360, None, None, is_log=True) as view:
        low, high = view.visible_range
        assert (low, high) == (at - 0.5, at + 0.5)
        image = image_of(view)
        left = view.area.mapFromScene(view.area.top.box.mapViewToScene(QPointF(at, 0.0))).x()
    for colour in (
        colours.or_fill,
        colours.improved if at == 81 else colours.curve if at else colours.or_fill,
    ):
        wanted = rgb_of(colour)
        is_there = (pixels_of(image)[25:] == wanted).all(axis=2)  # below the legend
        columns = is_there.sum(axis=0).nonzero()[0]
        dots = [column for column in columns if abs(column - left) < 6]
        assert len(dots) >= 4, colour


def test_a_single_iteration_of_a_sampled_run_has_both_its_errors(qapp, sampled_run):
    known = np.array([1, 10]), np.array([0.5, 0.25])
    with _shown_curves(sampled_run, 20, 20, "light", 640, 360, known, None, is_log=True) as view:
        assert len(view._points[0].x) == 1
        assert {float(points.x[0]) for points in view._points if len(points.x)} == {20.0}


def test_the_window_still_shows_no_fewer_iterations_than_before(qtbot, stuck_run):
    view = CurvesView()
    qtbot.addWidget(view)
    view.show_history(stuck_run)
    for _ in range(20):
        view._on_zoom_in()
    low, high = view.visible_range
    assert high - low == pytest.approx(8.0)
    assert not view._points
