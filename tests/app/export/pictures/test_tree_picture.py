"""Pictures of the tree: of the asked size, as the canvas shows it, with text that is text."""

from collections import Counter
from dataclasses import replace

import pytest
from PySide6.QtGui import QColor, QGuiApplication, QImage

from gpviz.analysis.redundant_leaves import analyse
from gpviz.app.canvas.node_shapes import face_of
from gpviz.app.canvas.stage import Stage
from gpviz.app.export.pictures import copy_tree
from gpviz.app.theme import load_theme, palette_of, style_sheet
from gpviz.engine import Function, GpvizError, Mutation, Operation, RunConfig, Side, State, parse
from gpviz.engine.forced_mutation import judge
from gpviz.engine.mutation import fresh_uids
from gpviz.engine.tree import largest_uid, nodes_of
from gpviz.explain.moment import moment_at
from gpviz.explain.tree_state_text import STUCK_CLAIM, state_text
from gpviz.explain.tree_text import caption_of
from gpviz.export.request import Subject
from gpviz.export.tikz import state_words
from gpviz.runs.history import History
from tests.app.export.pictures.reading import (
    difference,
    painted,
    pdf_page_size,
    pdf_text,
    pixels_of,
    rgb_of,
    svg_texts,
)
from tests.export.requests import export

STUCK_AT = 95


def labels_of(history, at) -> Counter[str]:
    return Counter(face_of(node).label for node in nodes_of(history.tree_at(at)))


def test_a_png_has_the_asked_size_times_its_scale_and_says_its_resolution(tmp_path, stuck_run):
    path = tmp_path / "tree.png"
    export("tree", path, stuck_run, at=40, width=640, height=360, scale=2)
    image = QImage(str(path))
    assert (image.width(), image.height()) == (1280, 720)
    assert image.dotsPerMeterX() == image.dotsPerMeterY() == pytest.approx(2 * 96 / 0.0254, abs=2)
    assert image.text("Software") == "gpviz"


def test_the_picture_is_that_of_a_stage_of_that_size(qtbot, stuck_run):
    stage = Stage()
    qtbot.addWidget(stage)
    stage.resize(900, 500)
    stage.show()
    moment = moment_at(stuck_run, STUCK_AT)
    stage.show_picture(moment)
    stage.show_analysis(analyse(moment.tree, stuck_run.config))
    stage.set_caption(caption_of(stuck_run, STUCK_AT))
    stage.canvas.finish_motion()
    seen = stage.grab().toImage()
    stage.shut_down()
    picture = painted("tree", stuck_run, at=STUCK_AT, width=900, height=500)
    assert difference(pixels_of(picture), pixels_of(seen)) == 0.0


@pytest.mark.parametrize("kind", ["tree", "table", "curves"])
def test_what_the_window_looks_like_does_not_matter(qapp, stuck_run, kind):
    plain = painted(kind, stuck_run, at=STUCK_AT, width=640, height=400)
    dark = load_theme("dark", 16)
    qapp.setPalette(palette_of(dark))
    qapp.setFont(dark.font())
    qapp.setStyleSheet(style_sheet(dark))
    assert painted(kind, stuck_run, at=STUCK_AT, width=640, height=400) == plain


@pytest.mark.parametrize("suffix", ["svg", "pdf"])
def test_a_drawing_has_the_asked_size_and_its_texts_as_text(tmp_path, stuck_run, suffix):
    path = tmp_path / f"tree.{suffix}"
    export("tree", path, stuck_run, at=STUCK_AT, width=960, height=540)
    text = "\n".join(svg_texts(path)) if suffix == "svg" else pdf_text(path)
    for label, times in labels_of(stuck_run, STUCK_AT).items():
        assert text.count(label) >= times
    for words in ("STUCK", STUCK_CLAIM, "9/9 full", "too large", caption_of(stuck_run, STUCK_AT)):
        assert words in text
    content = path.read_bytes()
    if suffix == "svg":
        assert b'font-family="Inter, DejaVu Sans, Verdana, sans-serif"' in content
        assert b'viewBox="0 0 960 540"' in content
    else:
        assert pdf_page_size(path) == (720.0, 405.0)
        assert b"/Subtype /Image" not in content


def one_step(formula, mutation, **settings):
    """A run from this tree that has drawn this mutation."""
    config, tree = RunConfig(n=4, limit="inf", **settings), parse(formula) if formula else None
    history = History(config, tree)
    history.append(judge(config, tree, mutation, 1, fresh_uids(largest_uid(tree) + 1, 1)))
    return history


def test_labels_too_small_to_read_are_in_a_file_that_can_be_enlarged(tmp_path, large_run):
    path = tmp_path / "tree.svg"
    export("tree", path, large_run, at=980, width=640, height=360)
    assert len(list(nodes_of(large_run.tree_at(980)))) > 200
    found = Counter(svg_texts(path))
    for label, times in labels_of(large_run, 980).items():
        assert found[label] >= times


def test_the_empty_tree_says_that_it_is_empty(tmp_path, stuck_run):
    path = tmp_path / "tree.svg"
    export("tree", path, stuck_run, at=0)
    assert "The tree is empty" in svg_texts(path)


def test_a_file_that_cannot_be_written_gets_a_sentence_and_what_was_there_stays(tmp_path, stuck_run):
    with pytest.raises(GpvizError, match="it cannot be written"):
        export("tree", tmp_path / "nowhere" / "tree.png", stuck_run, at=1)
    folder = tmp_path / "tree.svg"
    folder.mkdir()
    with pytest.raises(GpvizError, match="it cannot be written"):
        export("tree", folder, stuck_run, at=1)
    assert [path.name for path in tmp_path.iterdir()] == ["tree.svg"]


def test_a_copied_tree_is_pixels_shapes_and_text(qtbot, stuck_run):
    stage = Stage()
    qtbot.addWidget(stage)
    stage.resize(500, 400)
    stage.show()
    stage.show_picture(moment_at(stuck_run, 40))
    stage.set_caption("The text below.")
    copy_tree(stage)
    stage.shut_down()
    data = QGuiApplication.clipboard().mimeData()
    assert data.text() == "The text below."
    image = data.imageData()
    assert (image.width(), image.height()) == (1000, 800)
    svg = bytes(data.data("image/svg+xml").data()).decode()
    assert "The tree after iteration 40" in svg
    assert "The text below." in svg
    QGuiApplication.clipboard().clear()


def test_a_tree_too_tangled_to_count_is_shown_without_its_state(qapp, monkeypatch, stuck_run):
    monkeypatch.setattr(Subject, "analysis_at", lambda *_: None)
    image = painted("tree", stuck_run, at=STUCK_AT, width=640, height=400)
    assert image.pixelColor(1, 200) != QColor(load_theme("light").colours.stuck)


@pytest.mark.parametrize(("at", "size"), [(2, (640, 480)), (40, (1600, 320)), (STUCK_AT, (320, 900))])
def test_a_bare_tree_fills_one_side_of_its_picture_and_is_cropped_on_the_other(qapp, stuck_run, at, size):
    width, height = size
    image = painted("tree", stuck_run, at=at, is_bare=True, width=width, height=height)
    assert image.width() <= width
    assert image.height() <= height
    assert image.width() == width or image.height() == height
    panel = rgb_of(load_theme("light").colours.panel)
    is_drawn = (pixels_of(image) != panel).any(axis=2)
    rows, columns = is_drawn.any(axis=1).nonzero()[0], is_drawn.any(axis=0).nonzero()[0]
    spare = 0.1 * min(image.width(), image.height())
    assert rows[0] < spare
    assert image.height() - rows[-1] < spare
    assert columns[0] < spare
    assert image.width() - columns[-1] < spare


def test_a_bare_tree_has_nothing_but_its_labels(tmp_path, stuck_run):
    path = tmp_path / "tree.svg"
    export("tree", path, stuck_run, at=STUCK_AT, is_bare=True, width=640, height=480)
    assert Counter(svg_texts(path)) == labels_of(stuck_run, STUCK_AT)
    colours = load_theme("light").colours
    content = path.read_text()
    for colour in (
        colours.stuck,
        colours.redundant_fill,
        colours.redundant_border,
        colours.worse,
        colours.border,
    ):
        assert colour not in content
    export("tree", tmp_path / "tree.pdf", stuck_run, at=STUCK_AT, is_bare=True, width=640, height=480)
    across, down = pdf_page_size(tmp_path / "tree.pdf")
    assert (across < 480.0, down) == (True, 360.0)


@pytest.mark.parametrize("operation", Operation)
def test_a_bare_tree_has_no_ghosts(tmp_path, operation):
    mutation = Mutation(operation, 7, 2, Function.OR, Side.LEFT)
    history = one_step("(x1 & x2) & (x3 & x2)", mutation)
    path = tmp_path / "tree.svg"
    export("tree", path, history, at=1, is_bare=True, width=640, height=480)
    assert Counter(svg_texts(path)) == labels_of(history, 1)
    assert "stroke-dasharray" not in path.read_text()


@pytest.mark.parametrize("formula", ["x1 & x2 & x3", "(x1 & x2) | (x1 & x3)"])
def test_tikz_says_of_a_state_what_the_banner_says(formula):
    for config in (RunConfig(n=3, limit="4"), RunConfig(n=3, limit="4", deletion="leaf")):
        analysis = analyse(parse(formula), config)
        state = analysis.state
        for kind in (State.STUCK, State.SOLVED):
            judged = replace(state, state=kind)
            text = state_text(replace(analysis, state=judged))
            assert state_words(judged) == (f"{text.badge.capitalize()}.", text.claim)
