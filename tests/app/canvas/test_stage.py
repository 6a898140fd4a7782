"""The stage: banner, frame, caption and legend around the canvas."""

import pytest
from PySide6.QtGui import QColor

from gpviz.app.canvas.banner import banner_text
from gpviz.app.theme import THEME_NAMES, load_theme
from gpviz.engine import Mutation, Node, State, TreeState, parse
from gpviz.engine.analysis import Analysis
from gpviz.engine.words import Function, Operation, Side
from tests.app.canvas.pictures import shown, stuck

# The platform without a screen says so of every window that has a layout.
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)

STEP = Mutation(Operation.INS, 0, 1, Function.AND, Side.LEFT)
TREE: Node = parse("x1 & x2")


def knowing(state: TreeState) -> Analysis:
    return Analysis(TREE, state)


@pytest.mark.parametrize("name", THEME_NAMES)
def test_a_stuck_tree_gets_a_frame_in_its_exact_colour(stage, name):
    theme = load_theme(name)
    stage.set_theme(theme)
    picture, analysis = stuck()
    stage.show_picture(picture)
    stage.show_analysis(analysis)
    assert stage.is_framed
    image = stage.grab().toImage()
    colour = QColor(theme.colours.stuck)
    middle = image.height() // 2
    width = next(x for x in range(50) if image.pixelColor(x, middle) != colour)
    assert width >= 3 * theme.line_scale - 1
    for place in ((1, middle), (image.width() - 2, middle), (300, 1), (300, image.height() - 2)):
        assert image.pixelColor(*place) == colour


def test_the_banner_tells_the_size_of_the_proof(stage):
    picture, analysis = stuck()
    stage.show_picture(picture)
    stage.show_analysis(analysis)
    assert stage.banner.isVisible()
    assert stage.banner.sentence == (
        "Locally optimal: stuck. No accepted mutation leads to a better tree."
        " 1 kind of tree on this plateau checked, no way out."
    )


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (TreeState(State.STUCK, 1, 1234), "1\u202f234 kinds of trees"),
        (TreeState(State.PLATEAU, 1, 5, (STEP, STEP, STEP)), "but 3 accepted ones in a row do"),
        (TreeState(State.SOLVED, 0), "The tree computes the target."),
        (TreeState(State.UNDECIDED, 1, reason="The budget ran out."), "The budget ran out."),
    ],
)
def test_each_state_has_its_sentence(stage, state, words):
    stage.show_picture(shown(TREE))
    stage.show_analysis(knowing(state))
    assert words in stage.banner.sentence
    assert words in stage.banner.text()
    assert stage.banner.isVisible()
    assert stage.is_framed is (state.state is State.STUCK)
    stage.grab()


def test_a_climbing_tree_needs_no_banner(stage):
    stage.show_picture(shown(TREE))
    stage.show_analysis(knowing(TreeState(State.CLIMBING, 1)))
    assert not stage.banner.isVisible()
    assert banner_text(TreeState(State.CLIMBING, 1)) is None


def test_the_banner_changes_neither_the_size_nor_the_view_of_the_canvas(stage):
    picture, analysis = stuck()
    stage.show_picture(picture)
    size, camera = stage.canvas.size(), stage.canvas.camera
    stage.show_analysis(analysis)
    assert (stage.canvas.size(), stage.canvas.camera) == (size, camera)
    tree = stage.canvas.node_rect(picture.tree.uid)
    assert stage.canvas.mapTo(stage, tree.topLeft()).y() > stage.banner.geometry().bottom()


def test_another_tree_takes_the_banner_away_and_another_step_does_not(stage):
    picture, analysis = stuck()
    stage.show_picture(picture)
    stage.show_analysis(analysis)
    stage.show_picture(shown(picture.tree))
    assert stage.is_framed
    stage.show_picture(shown("x1"))
    assert not stage.is_framed
    assert not stage.banner.isVisible()


def test_an_analysis_of_another_tree_is_ignored(stage):
    _, analysis = stuck()
    stage.show_analysis(analysis)
    stage.show_picture(shown("x1"))
    stage.show_analysis(analysis)
    assert not stage.is_framed


def test_a_long_caption_is_cut_and_not_wrapped(stage):
    stage.show_picture(shown(TREE))
    height = stage.canvas.height()
    stage.set_caption("wrong on 1 of 256 rows · " * 40)
    assert stage.canvas.height() == height
    assert stage.caption.startswith("wrong")
    stage.grab()


def test_the_legend_can_be_hidden_and_wraps_when_it_is_narrow(stage, qtbot):
    high = stage.canvas.height()
    stage.set_legend_shown(False)
    qtbot.waitUntil(lambda: stage.canvas.height() > high)
    legend = stage._legend
    assert legend.heightForWidth(150) > legend.heightForWidth(1500)


@pytest.mark.parametrize("name", THEME_NAMES)
def test_every_theme_paints_without_a_word(stage, name):
    stage.set_theme(load_theme(name))
    picture, analysis = stuck()
    stage.show_picture(picture)
    stage.show_analysis(analysis)
    stage.repaint_now()
    panel = QColor(load_theme(name).colours.panel)
    assert stage.canvas.grab().toImage().pixelColor(2, stage.canvas.height() - 3) == panel
