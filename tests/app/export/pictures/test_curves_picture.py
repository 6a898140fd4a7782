"""Pictures of the curves: the panel without what only a mouse can use, with text that is text."""

import re

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage

from gpviz.app.plots.curves import CurvesView
from gpviz.app.theme import load_theme
from gpviz.app.widgets.widget_pictures import image_of
from gpviz.export.request import Subject
from gpviz.runs.history import Generalisation
from tests.app.export.pictures.reading import (
    difference,
    painted,
    pdf_text,
    pixels_of,
    rgb_of,
    shown,
    svg_texts,
)
from tests.app.plots.runs import SAMPLED, SHORT, recorded
from tests.export.requests import export, request_of


def count_of(image: QImage, colour: str) -> int:
    wanted = QColor(colour)
    return int((pixels_of(image) == [wanted.red(), wanted.green(), wanted.blue()]).all(axis=2).sum())


@pytest.mark.parametrize("suffix", ["svg", "pdf"])
def test_titles_ticks_limits_and_legend_are_text(tmp_path, stuck_run, suffix):
    path = tmp_path / f"curves.{suffix}"
    export("curves", path, stuck_run, first=0, last=100, stuck_since=81)
    words = " ".join(svg_texts(path)) if suffix == "svg" else pdf_text(path)
    for text in ("iteration t", "leaves", "limit 9", "stuck since t = 81", "127", "improved"):
        assert text in words
    assert "goal 0" in words or "goal0" in words
    assert "whole run" not in words
    assert "log" not in words.split()


def test_what_the_paper_proves_is_in_it_when_it_is_asked_for(tmp_path, stuck_run):
    for has_theory in (False, True):
        path = tmp_path / f"{has_theory}.svg"
        export("curves", path, stuck_run, first=0, last=100, has_theory=has_theory)
        assert ("n²" in svg_texts(path)) == has_theory


def test_all_plots_of_a_sampled_run_have_their_room_at_once(qapp):
    with shown("curves", recorded(SAMPLED, 50), has_theory=True) as view:
        heights = [plot.box.sceneBoundingRect().height() for plot in view.area.plots]
    assert min(heights) > 100


def test_chances_of_a_sampled_run_are_not_worked_out_by_the_window_that_asks():
    request = request_of("curves", "a.png", 50, has_theory=True)
    is_quick = [
        request.format.is_quick(request, Subject(history=recorded(config, 50))) for config in (SHORT, SAMPLED)
    ]
    assert is_quick == [True, False]


def test_a_png_has_the_asked_size_and_the_colours_of_the_theme(tmp_path, stuck_run):
    path = tmp_path / "curves.png"
    export("curves", path, stuck_run, first=0, last=100, width=640, height=360, scale=1.5, theme="dark")
    image = QImage(str(path))
    assert (image.width(), image.height()) == (960, 540)
    colours = load_theme("dark").colours
    assert image.pixelColor(955, 535) == QColor(colours.panel)
    assert count_of(image, colours.curve) > 100


def test_lines_are_as_thick_at_twice_the_scale(qapp, stuck_run):
    size = {"first": 0, "last": 100, "width": 1280, "height": 720}
    once, twice = (painted("curves", stuck_run, scale=scale, **size) for scale in (1, 2))
    colour = load_theme("light").colours.curve
    assert count_of(twice, colour) == pytest.approx(4 * count_of(once, colour), rel=0.25)


def test_there_is_no_cursor_in_it(qapp, stuck_run):
    image = painted("curves", stuck_run, first=0, last=100, width=640, height=360)
    sizes = image.copy(0, 270, 640, 90)  # without the curve of the error, which has the same colour
    assert count_of(sizes, load_theme("light").colours.leaf_border) > 100
    assert count_of(sizes, load_theme("light").colours.accent) == 0


def test_where_the_tree_is_full_the_leaves_and_the_limit_are_both_seen(qapp, stuck_run):
    colours = load_theme("light").colours
    assert all(stuck_run.tree_at(at).leaves == stuck_run.config.max_leaves for at in range(85, 101))
    size = {"width": 2560, "height": 1440}  # thin lines would mix with what is beside them
    image = painted("curves", stuck_run, first=85, last=100, **size)
    sizes = image.copy(0, 1000, 2300, 440)
    assert count_of(sizes, colours.leaf_border) > 1000
    assert count_of(sizes, colours.edge) > 1000


def test_only_the_asked_iterations_are_drawn(tmp_path, stuck_run):
    path = tmp_path / "curves.svg"
    export("curves", path, stuck_run, first=40, last=60)
    words = svg_texts(path)
    assert {"40", "50", "60"} <= set(words)
    assert not {"30", "80", "100"} & set(words)


def test_what_comes_after_the_last_one_does_not_change_the_picture(qapp, stuck_run):
    short = stuck_run.beginning(60)
    of_part = painted("curves", stuck_run, first=20, last=60, width=640, height=360)
    of_whole = painted("curves", short, first=20, last=60, width=640, height=360)
    assert difference(pixels_of(of_part), pixels_of(of_whole)) == 0.0


def test_the_dots_of_a_drawing_are_one_shape_each(tmp_path, stuck_run):
    path = tmp_path / "curves.svg"
    export("curves", path, stuck_run, first=0, last=100, width=640, height=360)
    colour = load_theme("light").colours.worse
    widths = re.findall(rf'stroke="{colour}"[^>]*stroke-width="([^"]*)"', path.read_text())
    assert set(widths) == {"3"}


def test_a_sampled_run_may_have_its_generalisation_error(tmp_path, sampled_run):
    path = tmp_path / "curves.svg"
    known = Generalisation()
    known.extend([(1, 0.5), (10, 0.25), (20, 0.1)])
    export("curves", path, sampled_run, first=0, last=40, generalisation=known)
    assert any("generalisation error" in text for text in svg_texts(path))


def test_a_run_of_no_iterations_has_axes(tmp_path, stuck_run):
    path = tmp_path / "curves.svg"
    export("curves", path, stuck_run.beginning(0), first=0, last=0)
    assert "iteration t" in svg_texts(path)


@pytest.mark.parametrize(("first", "last"), [(90, 91), (0, 100)])
def test_the_axis_is_the_range_however_short_it_is(qapp, stuck_run, first, last):
    with shown("curves", stuck_run, first=first, last=last, width=640, height=360) as view:
        low, high = view.visible_range
        assert low <= first
        assert last <= high
        assert high - low < 1.05 * (last - first)


@pytest.mark.parametrize("at", [0, 81])
def test_a_single_iteration_is_points_in_the_middle(tmp_path, stuck_run, at):
    path = tmp_path / "curves.svg"
    export("curves", path, stuck_run, first=at, last=at)
    assert str(at) in svg_texts(path)
    colours = load_theme("light").colours
    with shown("curves", stuck_run, first=at, last=at, width=640, height=360) as view:
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
    known = Generalisation()
    known.extend([(1, 0.5), (10, 0.25)])
    with shown("curves", sampled_run, first=20, last=20, width=640, height=360, generalisation=known) as view:
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
