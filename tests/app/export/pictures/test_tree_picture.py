"""Pictures of the tree: of the asked size, as the canvas shows it, with text that is text."""

from collections import Counter

import pytest
from PySide6.QtGui import QColor, QGuiApplication, QImage

from gpviz.analysis.redundant_leaves import analyse
from gpviz.app.canvas.tree_canvas import TreeCanvas
from gpviz.app.export.pictures import copy_tree
from gpviz.app.theme import load_theme, palette_of, style_sheet
from gpviz.engine import GpvizError, Leaf
from gpviz.engine.tree import nodes_of
from gpviz.explain.moment import moment_at
from gpviz.export.request import Subject
from gpviz.picture.nodes import label_of
from tests.app.export.pictures.reading import (
    difference,
    painted,
    pdf_page_size,
    pdf_text,
    pixels_of,
    rgb_of,
)
from tests.export.requests import export

STUCK_AT = 95


def labels_of(history, at) -> Counter[str]:
    leaves = (node for node in nodes_of(history.tree_at(at)) if isinstance(node, Leaf))
    return Counter(map(label_of, leaves))


def test_a_png_has_the_asked_size_times_its_scale_and_says_its_resolution(tmp_path, stuck_run):
    path = tmp_path / "tree.png"
    export("tree", path, stuck_run, at=40, width=640, height=360, scale=2)
    image = QImage(str(path))
    assert (image.width(), image.height()) == (1280, 720)
    assert image.dotsPerMeterX() == image.dotsPerMeterY() == pytest.approx(2 * 96 / 0.0254, abs=2)
    assert image.text("Software") == "gpviz"


def test_the_picture_is_that_of_a_canvas_of_that_size(qtbot, stuck_run):
    canvas = TreeCanvas()
    qtbot.addWidget(canvas)
    canvas.resize(900, 500)
    canvas.show()
    moment = moment_at(stuck_run, STUCK_AT)
    canvas.show_picture(moment, analysis=analyse(moment.tree, stuck_run.config))
    seen = pixels_of(canvas.grab().toImage())
    canvas.shut_down()
    picture = pixels_of(painted("tree", stuck_run, at=STUCK_AT, width=900, height=500))
    assert difference(picture[8:-8, 8:-8], seen[8:-8, 8:-8]) == 0.0  # but for the line around the canvas


@pytest.mark.parametrize("kind", ["tree", "table", "curves"])
def test_what_the_window_looks_like_does_not_matter(qapp, stuck_run, kind):
    plain = painted(kind, stuck_run, at=STUCK_AT, width=640, height=400)
    dark = load_theme("dark", 16)
    qapp.setPalette(palette_of(dark))
    qapp.setFont(dark.font())
    qapp.setStyleSheet(style_sheet(dark))
    assert painted(kind, stuck_run, at=STUCK_AT, width=640, height=400) == plain


def test_a_pdf_has_the_asked_size_and_its_texts_as_text(tmp_path, stuck_run):
    path = tmp_path / "tree.pdf"
    export("tree", path, stuck_run, at=STUCK_AT, width=960, height=540)
    text = pdf_text(path)
    for label, times in labels_of(stuck_run, STUCK_AT).items():
        assert text.count(label) >= times
    assert "STUCK" in text
    assert "9 of 9 leaves" in text
    assert pdf_page_size(path) == (720.0, 405.0)
    assert b"/Subtype /Image" not in path.read_bytes()


def test_a_file_that_cannot_be_written_gets_a_sentence_and_what_was_there_stays(tmp_path, stuck_run):
    with pytest.raises(GpvizError, match="it cannot be written"):
        export("tree", tmp_path / "nowhere" / "tree.png", stuck_run, at=1)
    folder = tmp_path / "tree.png"
    folder.mkdir()
    with pytest.raises(GpvizError, match="it cannot be written"):
        export("tree", folder, stuck_run, at=1)
    assert [path.name for path in tmp_path.iterdir()] == ["tree.png"]


def test_a_copied_tree_is_pixels_shapes_and_text(qtbot, stuck_run):
    canvas = TreeCanvas()
    qtbot.addWidget(canvas)
    canvas.resize(500, 400)
    canvas.show_picture(moment_at(stuck_run, 40))
    copy_tree(canvas)
    canvas.shut_down()
    data = QGuiApplication.clipboard().mimeData()
    banner = None if canvas.picture is None else canvas.picture.banner
    assert banner is not None
    assert data.text() == banner.sentence
    image = data.imageData()
    assert (image.width(), image.height()) == (1000, 800)
    svg = bytes(data.data("image/svg+xml").data()).decode()
    assert "The tree after iteration 40" in svg
    assert banner.head in svg
    QGuiApplication.clipboard().clear()


def test_a_tree_too_tangled_to_count_is_shown_without_its_state(qapp, monkeypatch, stuck_run):
    stuck = QColor(load_theme("light").colours.stuck)
    assert painted("tree", stuck_run, at=STUCK_AT, width=640, height=400).pixelColor(1, 200) == stuck
    monkeypatch.setattr(Subject, "analysis_at", lambda *_: None)
    assert painted("tree", stuck_run, at=STUCK_AT, width=640, height=400).pixelColor(1, 200) != stuck


@pytest.mark.parametrize(("at", "size"), [(2, (640, 480)), (40, (1600, 320)), (STUCK_AT, (320, 900))])
def test_a_bare_tree_is_cropped(qapp, stuck_run, at, size):
    width, height = size
    image = painted("tree", stuck_run, at=at, is_bare=True, width=width, height=height)
    assert image.width() <= width
    assert image.height() <= height
    panel = rgb_of(load_theme("light").colours.panel)
    is_drawn = (pixels_of(image) != panel).any(axis=2)
    rows, columns = is_drawn.any(axis=1).nonzero()[0], is_drawn.any(axis=0).nonzero()[0]
    spare = 0.1 * min(image.width(), image.height())
    assert rows[0] < spare
    assert image.height() - rows[-1] < spare
    assert columns[0] < spare
    assert image.width() - columns[-1] < spare


def test_a_bare_tree_has_nothing_but_its_labels(tmp_path, stuck_run):
    path = tmp_path / "tree.pdf"
    export("tree", path, stuck_run, at=STUCK_AT, is_bare=True, width=640, height=480)
    assert Counter(pdf_text(path).split()) == labels_of(stuck_run, STUCK_AT)
