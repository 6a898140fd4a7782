"""Large trees on the canvas: the mutation is followed, what rests is folded, and a minimap shows where one is."""

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtTest import QTest

from gpviz.app.canvas.camera import WHOLE
from gpviz.app.canvas.tree_canvas import RESTING_ITERATIONS, TreeCanvas
from gpviz.engine import Operation, Verdict
from gpviz.engine.tree import nodes_of
from gpviz.picture.drawing import LABEL
from tests.app.canvas.pictures import LARGE_TREE as TREE
from tests.app.canvas.pictures import large_tree, leaf_numbers, shown, stepped, stuck
from tests.app.mouse import drag_mouse

READABLE = 10.0
"""In pixels."""
LEAVES = leaf_numbers(TREE)
NODES = list(nodes_of(TREE))


@pytest.fixture
def following(canvas) -> TreeCanvas:
    canvas.resize(900, 560)
    canvas.set_reduced_motion(True)
    canvas.set_following(True)
    return canvas


def label_size(canvas: TreeCanvas) -> float:
    assert canvas.picture is not None
    return LABEL * canvas.picture.scale * canvas.zoom.scale


def is_whole(canvas: TreeCanvas) -> bool:
    return canvas.zoom == WHOLE


def marked(canvas: TreeCanvas) -> list[QRectF]:
    assert canvas.picture is not None
    boxes = [
        canvas.node_rect(change.anchor) for change in canvas.picture.changes if change.anchor is not None
    ]
    return [box for box in boxes if box is not None]


# Following the mutation


def test_a_mutation_of_a_large_tree_is_seen_from_nearby(following):
    for node in (LEAVES[0], LEAVES[len(LEAVES) // 2], LEAVES[-1]):
        following.show_picture(stepped(TREE, Operation.SUB, Verdict.WORSE, node))
        assert label_size(following) >= READABLE
        assert not is_whole(following)
        view = QRectF(following.rect())
        assert all(view.contains(box) for box in marked(following))


def test_a_tree_that_can_be_read_as_a_whole_is_not_touched(following):
    following.show_picture(stepped(large_tree(20), Operation.INS, Verdict.IMPROVED, 3))
    assert is_whole(following)


def test_without_a_step_the_whole_tree_is_shown(following):
    following.show_picture(stepped(TREE, Operation.SUB, Verdict.WORSE, LEAVES[3]))
    following.show_picture(shown(TREE))
    assert is_whole(following)


def test_in_a_hurry_the_whole_tree_is_shown(following):
    following.set_hurried(True)
    following.show_picture(stepped(TREE, Operation.SUB, Verdict.WORSE, LEAVES[3]))
    assert is_whole(following)
    following.set_hurried(False)
    assert not is_whole(following)


def test_fit_shows_the_whole_tree_until_the_mutation_is_followed_again(following, qtbot):
    following.show_picture(stepped(TREE, Operation.SUB, Verdict.WORSE, LEAVES[3]))
    with qtbot.waitSignal(following.following_changed) as signal:
        following.fit()
    assert signal.args == [False]
    assert is_whole(following)
    following.show_picture(stepped(TREE, Operation.SUB, Verdict.WORSE, LEAVES[9]))
    assert is_whole(following)
    following.set_following(True)
    assert not is_whole(following)


def test_fitting_a_small_tree_does_not_end_the_following(following):
    following.show_picture(stepped(large_tree(20), Operation.INS, Verdict.IMPROVED, 3))
    following.zoom_in()
    following.fit()
    assert following.is_following


@pytest.mark.parametrize("is_dragged", [False, True])
def test_whoever_zooms_or_drags_takes_over_until_the_mutation_is_followed_again(following, is_dragged):
    following.show_picture(stepped(TREE, Operation.SUB, Verdict.WORSE, LEAVES[3]))
    if is_dragged:
        drag_mouse(following, QPointF(5.0, 550.0), QPointF(90.0, -60.0))
    else:
        following.zoom_in()
    assert not following.is_following
    zoom = following.zoom
    following.show_picture(stepped(TREE, Operation.SUB, Verdict.WORSE, LEAVES[-1]))
    assert following.zoom == zoom
    following.set_following(True)
    assert all(QRectF(following.rect()).contains(box) for box in marked(following))


def test_the_camera_glides_to_the_next_mutation(following, qtbot):
    following.set_reduced_motion(False)
    following.show_picture(stepped(TREE, Operation.SUB, Verdict.WORSE, LEAVES[0]))
    following.finish_motion()
    start = following.zoom
    following.show_picture(stepped(TREE, Operation.SUB, Verdict.WORSE, LEAVES[-1]), 800)
    qtbot.waitUntil(lambda: following.zoom != start)
    assert following.is_moving
    qtbot.waitUntil(lambda: not following.is_moving)
    assert following.zoom != start


@pytest.mark.parametrize("is_following", [True, False])
def test_a_tree_that_is_known_to_be_stuck_is_shown_as_a_whole(following, is_following):
    following.resize(420, 300)
    moment, analysis = stuck()
    following.set_following(is_following)
    following.show_picture(moment, analysis=analysis)
    assert is_whole(following)


# Folding what rests


def test_what_rests_is_folded_into_a_summary_and_opens_when_the_mutation_enters_it(following):
    following.show_picture(stepped(TREE, Operation.SUB, Verdict.WORSE, LEAVES[40]), earlier=TREE)
    assert following.drawn_nodes < len(NODES) / 2
    uid = next(iter(following.resting))
    folded = next(node for node in NODES if node.uid == uid)
    drawn = next(node for node in following.picture.nodes if node.uid == uid)
    assert drawn.label == str(folded.leaves)
    below = {node.uid for node in nodes_of(folded)}
    inside = next(number for number in LEAVES if NODES[number].uid in below)
    following.show_picture(stepped(TREE, Operation.SUB, Verdict.WORSE, inside), earlier=TREE)
    assert uid not in following.resting
    following.show_picture(following.moment)
    assert following.drawn_nodes == len(NODES)


def test_what_is_folded_by_hand_stays_so_and_what_is_opened_by_hand_stays_open(following):
    first = stepped(TREE, Operation.SUB, Verdict.WORSE, LEAVES[40])
    following.show_picture(first, earlier=TREE)
    opened, *_ = following.resting
    following.toggle_collapsed(opened)
    assert opened not in following.resting
    assert not following.collapsed
    collapsed = TREE.uid
    following.toggle_collapsed(collapsed)
    assert following.collapsed == {collapsed}
    following.show_picture(stepped(TREE, Operation.SUB, Verdict.WORSE, LEAVES[41]), earlier=TREE)
    assert following.collapsed == {collapsed}
    assert opened not in following.resting
    following.expand_all()
    assert not following.collapsed
    assert not following.resting


def test_how_much_is_folded_is_said(following):
    following.show_picture(stepped(TREE, Operation.SUB, Verdict.WORSE, LEAVES[40]), earlier=TREE)
    following.describe_now()
    count = len(following.resting)
    wanted = f"Folded because unchanged for {RESTING_ITERATIONS} iterations: {count}."
    assert wanted in following.accessibleDescription()


# Keys


def keys(canvas: TreeCanvas, key: Qt.Key, *, is_shifted: bool = False) -> None:
    modifiers = Qt.KeyboardModifier.AltModifier
    if is_shifted:
        modifiers |= Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(canvas, key, modifiers)


@pytest.mark.parametrize(
    ("key", "across", "down"),
    [
        (Qt.Key.Key_Left, -1, 0),
        (Qt.Key.Key_Right, 1, 0),
        (Qt.Key.Key_Up, 0, -1),
        (Qt.Key.Key_Down, 0, 1),
    ],
)
def test_keys_move_the_view_of_a_zoomed_tree(canvas, key, across, down):
    canvas.show_picture(shown(TREE))
    canvas.zoom_in()
    before = canvas.zoom
    keys(canvas, key, is_shifted=True)
    after = canvas.zoom
    assert (after.x < before.x) - (after.x > before.x) == across
    assert (after.y < before.y) - (after.y > before.y) == down
    assert after.scale == before.scale
    assert canvas.selected_uid is None


@pytest.mark.parametrize("is_following", [False, True])
def test_a_node_chosen_by_keys_comes_into_view(following, is_following):
    following.set_following(is_following)
    following.show_picture(stepped(TREE, Operation.SUB, Verdict.WORSE, LEAVES[-1]))
    if not is_following:
        for _ in range(12):
            following.zoom_in()
    keys(following, Qt.Key.Key_Down)  # the root
    for _ in range(5):
        keys(following, Qt.Key.Key_Down)
        assert following.selected_uid is not None
        rect = following.node_rect(following.selected_uid)
        assert rect is not None
        assert QRectF(following.rect()).contains(rect)
        assert not rect.intersects(QRectF(following.minimap.geometry()))
    assert following.is_following is is_following


def test_after_looking_at_a_node_the_next_mutation_is_followed_again(following):
    following.show_picture(stepped(TREE, Operation.SUB, Verdict.WORSE, LEAVES[-1]))
    keys(following, Qt.Key.Key_Down)
    following.show_picture(stepped(TREE, Operation.SUB, Verdict.WORSE, LEAVES[-2]))
    assert all(QRectF(following.rect()).contains(box) for box in marked(following))


# Minimap


def test_the_minimap_is_there_while_the_tree_is_not_all_in_view(canvas):
    canvas.show_picture(shown(TREE))
    assert canvas.minimap.isHidden()
    canvas.zoom_in()
    canvas.zoom_in()
    assert not canvas.minimap.isHidden()
    canvas.set_reduced_motion(True)
    canvas.fit()
    assert canvas.minimap.isHidden()


def test_a_small_canvas_has_no_minimap(canvas):
    canvas.resize(300, 220)
    canvas.show_picture(shown(TREE))
    for _ in range(4):
        canvas.zoom_in()
    assert canvas.minimap.isHidden()
    canvas.resize(640, 480)
    assert not canvas.minimap.isHidden()


def test_a_click_on_the_minimap_moves_the_view(canvas):
    canvas.show_picture(shown(TREE))
    for _ in range(5):
        canvas.zoom_in()
    minimap, before = canvas.minimap, canvas.zoom
    QTest.mouseClick(minimap, Qt.MouseButton.LeftButton, pos=QPoint(3, minimap.height() // 2))
    left = canvas.picture.tree_bounds[0]
    assert canvas.zoom.place(left, 0.0)[0] == pytest.approx(canvas.width() / 2, abs=1.0)
    assert canvas.zoom.scale == before.scale
    QTest.mousePress(minimap, Qt.MouseButton.LeftButton, pos=QPoint(3, 20))
    QTest.mouseMove(minimap, QPoint(minimap.width() - 3, 20))
    QTest.mouseRelease(minimap, Qt.MouseButton.LeftButton, pos=QPoint(minimap.width() - 3, 20))
    assert canvas.selected_uid is None


def test_the_minimap_says_how_much_is_in_view_and_whether_the_step_is(canvas):
    canvas.show_picture(stepped(TREE, Operation.SUB, Verdict.WORSE, LEAVES[0]))
    for _ in range(8):
        canvas.zoom_in()
    canvas.describe_now()
    text = canvas.minimap.accessibleDescription()
    assert f"of {canvas.drawn_nodes} nodes are in view" in text
    assert "The step is out of view." in text
    canvas.set_reduced_motion(True)
    canvas.set_following(True)
    canvas.describe_now()
    assert "The step is in view." in canvas.minimap.accessibleDescription()
    assert canvas.minimap.accessibleName() == "Minimap"
