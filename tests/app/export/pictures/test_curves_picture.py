"""Pictures of the curves: the panel without what only a mouse can use, with text that is text."""

import pytest
from PySide6.QtGui import QColor, QImage

from gpviz.app.theme import load_theme
from gpviz.export.request import Subject
from gpviz.runs.history import Generalisation
from tests.app.export.pictures.reading import (
    difference,
    painted,
    pdf_text,
    pixels_of,
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
