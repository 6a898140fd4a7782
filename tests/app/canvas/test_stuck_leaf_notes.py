"""Notes below the leaves of a stuck tree: all or none, hiding nothing; and brackets below what could go."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from gpviz.analysis.redundant_leaves import analyse
from gpviz.app.canvas import stuck_leaf_notes
from gpviz.app.canvas.free_space import FreeSpace, LastFound, boxes_of, crossed, overlapping
from gpviz.app.canvas.mutation_marks import placed_callout
from gpviz.app.canvas.node_descriptions import notes_text
from gpviz.app.canvas.sprite_atlas import AtlasCache
from gpviz.app.canvas.stuck_leaf_notes import Notes, PlacedNotes, paint_notes, placed_notes
from gpviz.app.canvas.tree_painter import free_space_of, paint_drawing
from gpviz.app.theme import contrast, load_theme
from gpviz.assets import THEME_NAMES
from gpviz.engine import RlsGp, RunConfig, parse
from gpviz.engine.tree import Leaf, nodes_of
from gpviz.explain.moment import moment_at
from gpviz.runs.history import History
from gpviz.runs.presets import find_preset
from tests.app.canvas.pictures import CONFIG, chain, shown, stuck
from tests.runs.runs import recorded

STUCK = [
    ("(x3 & x2) | (x2 & x3)", RunConfig(n=4, limit=4, deletion="leaf")),
    ("((x3 & (x5 & x7)) | (x3 & (x7 & x5))) & (x2 & (x8 & x4))", RunConfig(n=8, limit=9, deletion="leaf")),
    ("(x6 & x8) & (((x7 & x1) & ((x4 & x2) | (x2 & x4))) & x5)", RunConfig(n=8, limit=9, deletion="leaf")),
    ("((x1 & x5) | (x1 & x5)) & (x8 & (x2 & x6 & x7 & x4))", RunConfig(n=8, limit=9, deletion="leaf")),
    ("x1 & x2 & x3", RunConfig(n=6, limit=3, deletion="subtree")),
]
SIZES = [(1240, 700), (900, 500), (700, 360), (500, 230)]


def placed_on(canvas) -> PlacedNotes:
    """The notes on what a canvas shows."""
    drawing = canvas.drawing()
    if drawing.notes is None or not drawing.notes.is_shown:
        return PlacedNotes(0.0)
    around = free_space_of(replace(drawing, notes=None), canvas.width(), canvas.height(), canvas.theme)
    return placed_notes(drawing.notes, around, canvas.theme)


def check_nothing_is_hidden(canvas, placed: PlacedNotes) -> None:
    """No note lies over a node, an edge or another note, or out of view."""
    frame = canvas.drawing().frame
    boxes = boxes_of(placed.boxes)
    nodes = boxes_of(canvas.node_rect(uid) for uid in frame.index)
    assert not overlapping(boxes, nodes).any()
    around = free_space_of(canvas.drawing(), canvas.width(), canvas.height(), canvas.theme)
    assert not crossed(boxes, around.lines()).any()
    assert overlapping(boxes, boxes).sum() == len(boxes)
    assert boxes[:, 0].min() >= 0.0
    assert boxes[:, 2].max() <= canvas.width()
    assert boxes[:, 3].max() <= canvas.height()


@pytest.mark.parametrize("name", THEME_NAMES)
@pytest.mark.parametrize(("formula", "config"), STUCK)
def test_every_leaf_has_its_note_or_none_has_and_a_sentence_says_where_to_look(canvas, name, formula, config):
    canvas.set_reduced_motion(True)
    canvas.set_theme(load_theme(name))
    picture = shown(formula, config)
    leaves = {node.uid for node in nodes_of(picture.tree) if isinstance(node, Leaf)}
    seen = set()
    for size in SIZES:
        canvas.resize(*size)
        canvas.show_picture(picture)
        canvas.show_analysis(analyse(picture.tree, config))
        placed = placed_on(canvas)
        seen.add(bool(placed.leaves))
        if placed.leaves:
            assert {text.uid for text in placed.leaves} == leaves
            assert placed.hint is None
        else:
            assert placed.hint is not None
            assert placed.hint.lines == ("Why each leaf stays: see the page Proof",)
            assert not placed.groups
        check_nothing_is_hidden(canvas, placed)
    assert True in seen


def test_a_note_has_both_costs_on_two_lines(canvas):
    formula, config = STUCK[0]
    canvas.set_reduced_motion(True)
    canvas.resize(900, 500)
    picture = shown(formula, config)
    canvas.show_picture(picture)
    canvas.show_analysis(analyse(picture.tree, config))
    placed = placed_on(canvas)
    assert {text.lines for text in placed.leaves} == {("delete +4", "relabel ≥ +2")}
    (group,) = placed.groups
    assert group.lines == ("either half could go as a whole, but not leaf by leaf",)
    assert len(placed.brackets) == 2
    left, right = placed.brackets
    assert left.right < right.left
    assert max(text.box.bottom() for text in placed.leaves) < left.y == right.y < group.box.top()


@pytest.mark.parametrize("name", ["light", "projector"])
def test_a_note_beside_a_leaf_leaves_a_gap(canvas, name):
    formula, config = STUCK[2]
    canvas.set_reduced_motion(True)
    canvas.set_theme(load_theme(name))
    canvas.resize(1000, 600)
    picture = shown(formula, config)
    canvas.show_picture(picture)
    canvas.show_analysis(analyse(picture.tree, config))
    places = [(text.box, canvas.node_rect(text.uid)) for text in placed_on(canvas).leaves]
    beside = [(box, leaf) for box, leaf in places if box.top() < leaf.bottom()]
    assert len(beside) == 2
    for box, leaf in beside:
        assert max(leaf.left() - box.right(), box.left() - leaf.right()) > 6.0


def test_the_callout_of_a_step_and_the_notes_keep_clear_of_each_other(canvas):
    canvas.set_reduced_motion(True)
    *_, history = recorded(CONFIG, 570)
    analysis = None
    noted = 0
    for iteration in range(540, 571):
        canvas.resize(1000 + 10 * (iteration % 7), 620)
        picture = moment_at(history, iteration)
        if analysis is None or analysis.tree is not picture.tree:
            analysis = analyse(picture.tree, CONFIG)
        canvas.show_picture(picture)
        canvas.show_analysis(analysis)
        placed = placed_on(canvas)
        drawing = canvas.drawing()
        if not placed.leaves or drawing.marks is None:
            continue
        noted += 1
        assert len(placed.leaves) == 9
        check_nothing_is_hidden(canvas, placed)
        around = free_space_of(drawing, canvas.width(), canvas.height(), canvas.theme)
        callout = placed_callout(drawing.marks, around, canvas.theme)
        assert callout is not None
        assert not overlapping(boxes_of([callout.place.box]), boxes_of(placed.boxes)).any()
    assert noted > 15


def test_in_the_rings_of_a_step_there_is_no_note(canvas):
    canvas.set_reduced_motion(True)
    canvas.resize(1000, 620)
    picture, analysis = stuck()
    canvas.show_picture(picture)
    canvas.show_analysis(analysis)
    notes = canvas.drawing().notes
    assert notes.marked
    rings = [canvas.node_rect(uid).adjusted(-6.0, -6.0, 6.0, 6.0) for uid in notes.marked]
    placed = placed_on(canvas)
    assert placed.leaves
    assert not any(box.intersects(ring) for box in placed.boxes for ring in rings)


def test_notes_go_with_their_leaves_while_these_move(canvas):
    canvas.resize(1000, 620)
    canvas.set_reduced_motion(True)
    picture, analysis = stuck()
    canvas.show_picture(picture)
    canvas.show_analysis(analysis)
    placed = placed_on(canvas)
    around = free_space_of(canvas.drawing(), 1000, 620, canvas.theme)
    aside = replace(around, x=around.x + 5.0, y=around.y - 3.0)
    moved = placed.moved(around, aside)
    assert [text.box for text in moved.leaves] == [text.box.translated(5.0, -3.0) for text in placed.leaves]
    assert not moved.brackets


@pytest.fixture
def searches(monkeypatch) -> list[FreeSpace]:
    """Where places for notes are looked for from now on."""
    found: list[FreeSpace] = []
    look = stuck_leaf_notes._placed

    def counted(shown, notes, around, sizes):
        found.append(around)
        return look(shown, notes, around, sizes)

    monkeypatch.setattr(stuck_leaf_notes, "_placed", counted)
    monkeypatch.setattr(stuck_leaf_notes, "_last_notes", LastFound())
    return found


def test_places_for_notes_are_looked_for_once_however_often_they_are_painted(canvas, searches):
    canvas.resize(1000, 620)
    canvas.set_reduced_motion(True)
    picture, analysis = stuck()
    canvas.show_picture(picture)
    canvas.show_analysis(analysis)
    drawing = replace(canvas.drawing(), top_margin=1.0)  # which it has not been looked at with
    searches.clear()
    before = replace(drawing, is_moving=True, goal=(drawing.frame, drawing.camera))
    image = QImage(1000, 620, QImage.Format.Format_RGB32)
    # Nodes at rest are put on real pixels, and moving ones are not.
    moments = [drawing, *(replace(before, camera=replace(drawing.camera, x=x)) for x in (1.3, 2.6)), drawing]
    for moment in moments:
        with QPainter(image) as painter:
            paint_drawing(painter, moment, 1000, 620, canvas.theme, AtlasCache(canvas.theme), 1.5)
    assert len(searches) == 1


def test_places_for_notes_are_looked_for_anew_where_something_has_changed(canvas, searches):
    canvas.set_reduced_motion(True)
    picture, analysis = stuck()
    canvas.show_picture(picture)
    canvas.show_analysis(analysis)
    notes = canvas.drawing().notes
    around = free_space_of(replace(canvas.drawing(), notes=None), 1000, 620, canvas.theme)
    x = around.x.copy()
    x[len(x) // 2] += 1.0
    word = QRectF(0.0, 0.0, 10.0, 10.0)
    searches.clear()
    for place in (around, replace(around, x=x), replace(around, words=(word,)), around):
        placed_notes(notes, place, canvas.theme)
    placed_notes(replace(notes, marked=frozenset()), around, canvas.theme)
    placed_notes(notes, around, load_theme("light", 20))
    assert len(searches) == 5


def test_a_very_large_tree_has_the_sentence_alone(canvas):
    canvas.show_picture(shown(chain(700)))
    leaves = dict.fromkeys(canvas.drawing().frame.index, ("delete +1", "relabel ≥ +1"))
    around = free_space_of(canvas.drawing(), canvas.width(), canvas.height(), canvas.theme)
    assert not placed_notes(Notes(leaves, hint="See Proof"), around, canvas.theme).leaves


def test_what_nobody_asked_for_has_no_room(canvas):
    canvas.set_reduced_motion(True)
    picture, analysis = stuck()
    canvas.show_picture(picture)
    canvas.show_analysis(analysis)
    assert canvas.drawing().notes is not None
    assert canvas.notes_height > 0.0
    canvas.set_reasons_shown(False)
    assert canvas.drawing().notes is None
    assert canvas.notes_height == 0.0
    canvas.show_picture(shown("x1 & x2"))
    canvas.set_reasons_shown(True)
    assert canvas.drawing().notes is None


@pytest.mark.parametrize(
    ("formula", "limit", "has_room"),
    [
        ("x1 & x2 & x3", 3, False),
        ("x1 & x2 & x1", 3, True),
        ("(x1 & x2) | x3", 3, True),
        ("x1 & x2", 3, False),
    ],
)
def test_room_for_notes_is_kept_where_a_tree_is_full_and_has_an_error(canvas, formula, limit, has_room):
    canvas.show_picture(shown(formula, RunConfig(n=3, limit=limit, deletion="leaf")))
    assert (canvas.notes_height > 0.0) is has_room


@pytest.mark.parametrize("name", THEME_NAMES)
def test_notes_and_brackets_can_be_read(canvas, name):
    theme = load_theme(name)
    panel = QColor(theme.colours.panel)
    assert contrast(QColor(theme.colours.stuck_text), panel) >= 4.5
    assert contrast(QColor(theme.colours.redundant_border), panel) >= 4.5
    assert theme.colours.redundant_border not in (theme.colours.worse, theme.colours.stuck)
    formula, config = STUCK[0]
    canvas.set_theme(theme)
    canvas.set_reduced_motion(True)
    canvas.resize(900, 500)
    canvas.show_picture(shown(formula, config))
    canvas.show_analysis(analyse(canvas.picture.tree, config))
    placed = placed_on(canvas)
    image = QImage(900, 500, QImage.Format.Format_RGB32)
    image.fill(panel)
    with QPainter(image) as painter:
        paint_notes(painter, placed, theme)
    bracket = placed.brackets[0]
    middle = round((bracket.left + bracket.right) / 2)
    column = {image.pixelColor(middle, round(bracket.y) + away).name() for away in (-1, 0, 1)}
    assert theme.colours.redundant_border in column


def test_what_stands_on_the_tree_is_told_to_who_does_not_see_it(canvas):
    formula, config = STUCK[0]
    picture = shown(formula, config)
    canvas.show_picture(picture)
    canvas.show_analysis(analyse(picture.tree, config))
    canvas.describe_now()
    words = canvas.accessibleDescription()
    assert "x₃: delete +4, relabel ≥ +2" in words
    assert "x₃ ∧ x₂ and x₂ ∧ x₃: either half could go as a whole, but not leaf by leaf." in words
    assert notes_text(analyse(parse("x1"), config)) == ""
    canvas.set_reasons_shown(False)
    canvas.describe_now()
    assert "relabel" not in canvas.accessibleDescription()


@pytest.mark.parametrize("name", THEME_NAMES)
def test_the_callout_of_a_step_into_a_stuck_tree_hides_nothing_in_a_small_window(canvas, name):
    preset = find_preset("theorem-1-played")
    search = RlsGp(preset.config, None, preset.script)
    history = History(preset.config, None, preset.script)
    history.extend([search.step() for _ in range(8)])
    picture = moment_at(history, 8)
    analysis = analyse(picture.tree, preset.config)
    canvas.set_reduced_motion(True)
    canvas.set_theme(load_theme(name))
    canvas.set_reserved_top(65.0)
    for size in ((686, 349), (686, 400), (800, 349), (1000, 560)):
        canvas.resize(*size)
        canvas.show_picture(picture)
        canvas.show_analysis(analysis)
        assert len(placed_on(canvas).leaves) == 8
        drawing = canvas.drawing()
        around = free_space_of(drawing, canvas.width(), canvas.height(), canvas.theme)
        callout = placed_callout(drawing.marks, around, canvas.theme)
        assert callout is not None
        assert callout.place.is_free, f"the callout hides something in a view of {size}"


def test_a_tree_becomes_much_smaller_only_for_notes_that_are_shown_then(canvas):
    preset = find_preset("decisive-improvement")
    history = History(preset.config, None)
    search = RlsGp(preset.config)
    history.extend([search.step() for _ in range(92)])
    canvas.set_reduced_motion(True)
    canvas.set_theme(load_theme("projector"))
    canvas.set_reserved_top(65.0)
    canvas.resize(534, 324)
    shares = []
    for iteration in range(66, 92):
        picture = moment_at(history, iteration)
        canvas.show_picture(picture)
        canvas.show_analysis(analyse(picture.tree, preset.config))
        with_words = canvas.camera.scale
        has_notes = bool(placed_on(canvas).leaves)
        canvas.set_reasons_shown(False)
        canvas.set_ghosts_shown(False)
        shares.append((has_notes, with_words / canvas.camera.scale))
        canvas.set_reasons_shown(True)
        canvas.set_ghosts_shown(True)
    assert min(share for has_notes, share in shares if not has_notes) > 0.55
    assert min(share for _, share in shares) > 0.4
