"""The stage: banner, frame, caption and legend around the canvas."""

from dataclasses import replace

import pytest
from PySide6.QtGui import QFontMetricsF

from gpviz.analysis.redundant_leaves import Analysis, analyse
from gpviz.app.canvas.legend import CanvasLegend
from gpviz.app.canvas.node_card import NodeCard
from gpviz.app.canvas.node_shapes import LABEL_SIZE
from gpviz.app.canvas.stage import StateBanner
from gpviz.app.theme import load_theme
from gpviz.assets import THEME_NAMES
from gpviz.engine import Mutation, Node, RunConfig, State, TreeState, parse
from gpviz.engine.enums import Function, Operation, Side
from gpviz.explain.tree_state_text import state_text
from tests.app.canvas.pictures import CONFIG, show_stuck, shown, stuck

# The platform without a screen says so of every window that has a layout.
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)

STEP = Mutation(Operation.SUB, 2, 3, Function.AND, Side.LEFT)
TREE: Node = parse("x1 & x2")


FULL = CONFIG.replaced(limit=2)


def knowing(state: TreeState, config: RunConfig = CONFIG, tree: Node = TREE) -> Analysis:
    return Analysis(tree, config.rules, state)


def test_the_banner_gives_the_reason_in_full(stage):
    stage.resize(1100, 700)
    _, analysis = show_stuck(stage)
    assert stage.banner.isVisible()
    assert stage.banner.lines == [
        "No sequence of accepted mutations improves this tree.",
        "It is full (9/9): every deletion costs rows, and substitutions only lead to trees just as stuck.",
    ]
    assert stage.banner.sentence == state_text(analysis).sentence
    assert stage.banner.accessibleDescription() == stage.banner.sentence
    assert stage.size_badge.isVisible()
    assert stage.size_badge.text == stage.size_badge.accessibleDescription() == "9/9 full"


@pytest.mark.parametrize(
    "state",
    [
        TreeState(State.STUCK, 1, 1234),
        TreeState(State.PLATEAU, 1, 5, (STEP, STEP, STEP)),
        TreeState(State.SOLVED, 0),
        TreeState(State.UNDECIDED, 1, reason="The budget ran out."),
    ],
)
def test_the_claim_of_each_state_is_told_and_only_a_stuck_tree_is_framed(stage, state):
    stage.resize(1600, 600)
    stage.show_picture(shown(TREE, FULL))
    stage.show_analysis(knowing(state, FULL))
    assert stage.banner.lines[0].startswith(state_text(knowing(state, FULL)).claim)
    assert stage.is_framed is (state.state is State.STUCK)


def test_the_word_stuck_is_larger_for_a_hall(stage):
    stage.resize(1900, 1000)
    show_stuck(stage)
    large = stage.banner.height()
    stage.set_banner_scale(1.6)
    assert stage.banner.height() > 1.4 * large


def test_a_climbing_tree_needs_no_banner(stage):
    stage.show_picture(shown(TREE))
    stage.show_analysis(knowing(TreeState(State.CLIMBING, 1)))
    assert not stage.banner.isVisible()
    assert stage.banner.words is None
    assert stage.size_badge.text == "2/9 leaves"


def test_a_tree_without_a_limit_has_no_badge_of_its_size(stage):
    stage.show_picture(shown(TREE, CONFIG.replaced(limit="inf")))
    assert not stage.size_badge.isVisible()


@pytest.mark.parametrize("size", [(1240, 760), (760, 430), (500, 260)])
@pytest.mark.parametrize("name", THEME_NAMES)
def test_the_tree_does_not_move_when_a_banner_comes_or_goes(stage, name, size):
    stage.set_theme(load_theme(name))
    stage.resize(*size)
    stage.canvas.set_reduced_motion(True)
    picture, analysis = stuck()
    full = "((x1 & x5) | (x1 & x5)) & (x8 & (x2 & x6 & x7 & x4))"
    for moment, known in (
        (shown(full), None),
        (picture, analysis),
        (shown(TREE), knowing(TreeState(State.SOLVED, 0))),
        (shown(TREE, FULL), knowing(TreeState(State.PLATEAU, 1, 5, (STEP, STEP)), FULL)),
    ):
        stage.show_picture(moment)
        bare = stage.canvas.camera
        stage.show_analysis(known or analyse(moment.tree, moment.config))
        assert stage.canvas.camera == bare
        stage.show_analysis(None)
        assert stage.canvas.camera == bare


@pytest.mark.parametrize("size", [(1240, 760), (760, 430), (500, 260)])
def test_the_tree_keeps_clear_of_the_banner(stage, size):
    stage.resize(*size)
    picture, _ = show_stuck(stage)
    stage.canvas.finish_motion()
    assert stage.banner.isVisible()
    assert stage.canvas.node_rect(picture.tree.uid).top() > stage.banner.geometry().bottom()
    assert stage.banner.geometry().bottom() < 0.3 * stage.canvas.height()
    if stage.size_badge.isVisible():
        assert not stage.banner.geometry().intersects(stage.size_badge.geometry())


def test_what_finds_no_room_in_the_banner_is_in_its_tooltip(stage):
    show_stuck(stage)
    stage.resize(520, 260)
    assert "just as stuck" not in " ".join(stage.banner.lines)
    assert "just as stuck" in stage.banner.toolTip()
    stage.resize(1800, 900)
    assert stage.banner.lines[1].endswith("just as stuck.")
    stage.resize(120, 260)
    assert stage.banner.lines == []
    assert "just as stuck" in stage.banner.toolTip()
    stage.grab()


@pytest.mark.parametrize("size", [(250, 420), (250, 600), (320, 500)])
def test_in_a_narrow_lane_the_words_stand_below_the_badge(stage, size):
    stage.set_legend_shown(False)
    stage.resize(*size)
    picture, _ = show_stuck(stage)
    stage.canvas.finish_motion()
    assert " ".join(stage.banner.lines).startswith("No sequence of accepted mutations improves this tree.")
    metrics = QFontMetricsF(stage.theme.font(0.88))
    assert all(metrics.horizontalAdvance(line) <= stage.banner.width() for line in stage.banner.lines)
    assert stage.canvas.node_rect(picture.tree.uid).top() > stage.banner.geometry().bottom()
    stage.grab()


def test_without_a_banner_the_tree_has_its_room(stage):
    stage.canvas.set_reduced_motion(True)
    picture, _ = show_stuck(stage)
    top = stage.canvas.node_rect(picture.tree.uid).top()
    stage.set_banner_shown(False)
    assert stage.banner_height == 0.0
    assert not stage.banner.isVisible()
    assert not stage.size_badge.isVisible()
    assert stage.is_framed
    assert stage.canvas.node_rect(picture.tree.uid).top() < top
    stage.set_banner_shown(True)
    assert stage.banner.isVisible()


@pytest.mark.parametrize("name", THEME_NAMES)
def test_nine_leaves_can_be_read_in_a_small_window(stage, name):
    theme = load_theme(name)
    stage.set_theme(theme)
    stage.resize(530, 312)
    config = RunConfig(n=8, limit="9", deletion="leaf")
    picture = shown("((x3 & (x5 & x7)) | (x3 & (x7 & x5))) & (x2 & (x8 & x4))", config)
    stage.show_picture(picture)
    stage.show_analysis(knowing(TreeState(State.STUCK, 1, 1), config, picture.tree))
    stage.canvas.finish_motion()
    assert stage.is_framed
    assert stage.canvas.camera.scale * LABEL_SIZE >= 12.0


def test_the_card_lies_above_the_banner(stage):
    picture, _ = show_stuck(stage)
    stage.canvas.select(picture.tree.uid)
    stage.canvas.finish_motion()
    children = [child for child in stage.canvas.children() if isinstance(child, NodeCard | StateBanner)]
    assert isinstance(children[-1], NodeCard)


def test_another_tree_takes_the_banner_away_and_another_step_does_not(stage):
    picture, _ = show_stuck(stage)
    stage.show_picture(shown(picture.tree))
    assert stage.is_framed
    stage.show_picture(shown("x1"))
    assert not stage.is_framed
    assert not stage.banner.isVisible()


def test_a_long_caption_is_cut_and_not_wrapped(stage):
    stage.show_picture(shown(TREE))
    height = stage.canvas.height()
    stage.set_caption("wrong on 1 of 256 rows · " * 40)
    assert stage.canvas.height() == height
    assert stage.caption.startswith("wrong")
    stage.grab()


def test_a_low_stage_and_one_without_a_legend_keep_their_height_for_the_tree(stage, qtbot):
    legend = stage.findChild(CanvasLegend)
    stage.resize(640, 300)
    assert not legend.isVisible()
    assert stage._caption.isVisible()
    stage.resize(640, 220)
    assert not stage._caption.isVisible()
    stage.resize(640, 400)
    assert legend.isVisible()
    high = stage.canvas.height()
    stage.set_legend_shown(False)
    qtbot.waitUntil(lambda: stage.canvas.height() > high)
    stage.resize(640, 300)
    stage.resize(640, 400)
    assert not legend.isVisible()


def test_what_is_known_under_some_rules_goes_where_others_hold(stage):
    picture, analysis = show_stuck(stage)
    assert stage.is_framed
    other = replace(picture, next_config=CONFIG.replaced(deletion="subtree"))
    stage.show_picture(other)
    assert not stage.is_framed
    stage.show_analysis(analysis)
    assert not stage.is_framed
    stage.show_picture(picture)
    stage.show_analysis(analysis)
    assert stage.is_framed


def test_the_legend_says_how_the_offspring_of_a_sampled_run_look(stage):
    stage.show_picture(shown("x1 & x2", CONFIG.replaced(fitness="sampled", rows=9)))
    assert stage.findChild(CanvasLegend).words()[0] == "looks better"
    stage.show_picture(shown("x1 & x2"))
    assert stage.findChild(CanvasLegend).words()[0] == "improved"
