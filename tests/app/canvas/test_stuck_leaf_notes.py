"""Notes below the leaves of a stuck tree: all or none, hiding nothing; and brackets below what could go."""

from dataclasses import replace

import pytest

from gpviz.analysis.redundant_leaves import analyse
from gpviz.app.canvas.free_space import boxes_of, crossed, overlapping
from gpviz.app.canvas.mutation_marks import placed_callout
from gpviz.app.canvas.stuck_leaf_notes import PlacedNotes, placed_notes
from gpviz.app.canvas.tree_painter import free_space_of
from gpviz.app.theme import load_theme
from gpviz.assets import THEME_NAMES
from gpviz.engine import RunConfig, parse
from gpviz.engine.tree import Leaf, nodes_of
from gpviz.explain.moment import moment_at
from gpviz.explain.node_descriptions import notes_text
from tests.app.canvas.pictures import CONFIG, show_stuck, shown
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


def test_what_nobody_asked_for_has_no_room(canvas):
    canvas.set_reduced_motion(True)
    show_stuck(canvas)
    assert canvas.drawing().notes is not None
    assert canvas.notes_height > 0.0
    canvas.set_reasons_shown(False)
    assert canvas.drawing().notes is None
    assert canvas.notes_height == 0.0
    canvas.show_picture(shown("x1 & x2"))
    canvas.set_reasons_shown(True)
    assert canvas.drawing().notes is None


def test_what_stands_on_the_tree_is_told_to_who_does_not_see_it(canvas):
    formula, config = STUCK[0]
    picture = shown(formula, config)
    canvas.show_picture(picture)
    canvas.show_analysis(analyse(picture.tree, config))
    canvas.describe_now()
    words = canvas.accessibleDescription()
    assert "x₃: delete +4, change ≥ +2" in words
    assert "x₃ ∧ x₂ and x₂ ∧ x₃: either half could go as a whole, but not leaf by leaf." in words
    assert notes_text(analyse(parse("x1"), config)) == ""
    canvas.set_reasons_shown(False)
    canvas.describe_now()
    assert "change" not in canvas.accessibleDescription()
