"""The stage: banner, frame, caption and legend around the canvas."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QColor, QFontMetricsF

from gpviz.app.canvas.node_card import NodeCard
from gpviz.app.canvas.node_shapes import LABEL_SIZE
from gpviz.app.canvas.stage import StateBanner, banner_text
from gpviz.app.theme import THEME_NAMES, load_theme
from gpviz.engine import Mutation, Node, RunConfig, State, TreeState, parse
from gpviz.engine.enums import Function, Operation, Side
from gpviz.engine.tree_analysis import Analysis
from tests.app.canvas.pictures import CONFIG, shown, stuck

# The platform without a screen says so of every window that has a layout.
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)

STEP = Mutation(Operation.INS, 0, 1, Function.AND, Side.LEFT)
TREE: Node = parse("x1 & x2")


def knowing(state: TreeState, tree: Node | None = TREE) -> Analysis:
    return Analysis(tree, CONFIG.rules, state)


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
        "Stuck. No accepted mutation leads to a better tree (proven)."
        " 1 tree up to symmetry on this plateau checked: none leads on."
        " Locally optimal: the run stays stuck."
    )


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (TreeState(State.STUCK, 1, 1234), "1\u202f234 trees up to symmetry"),
        (
            TreeState(State.PLATEAU, 1, 5, (STEP, STEP, STEP)),
            "3 accepted mutations in a row improve this tree",
        ),
        (TreeState(State.SOLVED, 0), "The tree computes the target."),
        (TreeState(State.UNDECIDED, 1, reason="The budget ran out."), "The budget ran out."),
    ],
)
def test_each_state_has_its_sentence(stage, state, words):
    stage.resize(1600, 600)
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


def test_the_tree_glides_out_of_the_way_of_the_banner(stage):
    picture, analysis = stuck()
    stage.show_picture(picture)
    size = stage.canvas.size()
    stage.show_analysis(analysis)
    assert stage.canvas.size() == size
    stage.canvas.finish_motion()
    assert stage.canvas.node_rect(picture.tree.uid).top() > stage.banner.geometry().bottom()


def test_the_room_for_the_banner_goes_only_when_it_is_known_that_there_is_none(stage):
    stage.canvas.set_reduced_motion(True)
    stage.show_picture(shown(TREE))
    bare = stage.canvas.camera
    stage.show_analysis(knowing(TreeState(State.SOLVED, 0)))
    with_banner = stage.canvas.camera
    assert with_banner != bare
    stage.show_picture(shown("x1 & x2"))
    assert not stage.banner.isVisible()
    assert stage.canvas.camera == with_banner
    stage.show_picture(shown(TREE))
    stage.show_analysis(knowing(TreeState(State.CLIMBING, 1)))
    assert stage.canvas.camera == bare


@pytest.mark.parametrize("name", THEME_NAMES)
def test_a_banner_says_on_one_line_what_finds_room_and_the_rest_in_its_tooltip(stage, name):
    theme = load_theme(name)
    stage.set_theme(theme)
    stage.show_picture(shown(TREE))
    stage.show_analysis(knowing(TreeState(State.STUCK, 1, 5)))
    stage.resize(640, 480)
    line = QFontMetricsF(theme.font()).height()
    assert stage.banner.height() < 2 * line
    assert "(proven)" in stage.banner.text()
    assert "symmetry" not in stage.banner.text()
    assert "symmetry" in stage.banner.toolTip()
    stage.resize(1800, 480)
    assert "stays stuck" in stage.banner.text()
    assert stage.banner.toolTip() == ""
    stage.resize(260, 480)
    assert stage.banner.height() > line


@pytest.mark.parametrize("name", THEME_NAMES)
def test_nine_leaves_can_be_read_in_a_small_window(stage, name):
    theme = load_theme(name)
    stage.set_theme(theme)
    stage.resize(530, 312)
    config = RunConfig(n=8, limit="9", deletion="leaf")
    picture = shown("((x3 & (x5 & x7)) | (x3 & (x7 & x5))) & (x2 & (x8 & x4))", config)
    stage.show_picture(picture)
    stage.show_analysis(knowing(TreeState(State.STUCK, 1, 1), picture.tree))
    stage.canvas.finish_motion()
    assert stage.canvas.camera.scale * LABEL_SIZE >= 12.0


def test_the_card_lies_above_the_banner(stage):
    picture, analysis = stuck()
    stage.show_picture(picture)
    stage.show_analysis(analysis)
    stage.canvas.select(picture.tree.uid)
    stage.canvas.finish_motion()
    children = [child for child in stage.canvas.children() if isinstance(child, NodeCard | StateBanner)]
    assert isinstance(children[-1], NodeCard)


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


def test_the_legend_can_be_hidden(stage, qtbot):
    legend = stage._legend
    high = stage.canvas.height()
    stage.set_legend_shown(False)
    qtbot.waitUntil(lambda: stage.canvas.height() > high)
    stage.set_legend_shown(True)
    assert legend.isVisible()


def test_a_low_stage_keeps_its_height_for_the_tree(stage):
    stage.resize(640, 300)
    assert not stage._legend.isVisible()
    assert stage._caption.isVisible()
    stage.resize(640, 220)
    assert not stage._caption.isVisible()
    stage.resize(640, 400)
    assert stage._legend.isVisible()
    stage.set_legend_shown(False)
    stage.resize(640, 300)
    stage.resize(640, 400)
    assert not stage._legend.isVisible()


@pytest.mark.parametrize("name", THEME_NAMES)
def test_every_theme_paints_without_a_word(stage, name):
    stage.set_theme(load_theme(name))
    picture, analysis = stuck()
    stage.show_picture(picture)
    stage.show_analysis(analysis)
    stage.canvas.repaint()
    panel = QColor(load_theme(name).colours.panel)
    assert stage.canvas.grab().toImage().pixelColor(2, stage.canvas.height() - 3) == panel


def test_what_is_known_under_some_rules_goes_where_others_hold(stage):
    picture, analysis = stuck()
    stage.show_picture(picture)
    stage.show_analysis(analysis)
    assert stage.is_framed
    other = replace(picture, next_config=CONFIG.replaced(deletion="subtree"))
    stage.show_picture(other)
    assert not stage.is_framed
    stage.show_analysis(analysis)
    assert not stage.is_framed
    stage.show_picture(picture)
    stage.show_analysis(analysis)
    assert stage.is_framed
