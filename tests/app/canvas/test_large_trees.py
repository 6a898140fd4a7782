"""Large trees on the canvas: the mutation is followed, what rests is folded, and a minimap shows where one is."""

from random import Random

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtTest import QTest

from gpviz.app.canvas.callout import callout_place
from gpviz.app.canvas.camera import Bounds, Margins, near_to
from gpviz.app.canvas.minimap import is_in_view
from gpviz.app.canvas.mutation_marks import mark_boxes
from gpviz.app.canvas.node_shapes import LABEL_SIZE
from gpviz.app.canvas.tree_canvas import RESTING_ITERATIONS, TreeCanvas
from gpviz.app.canvas.tree_frame import resting_uids
from gpviz.app.canvas.tree_painter import free_space_of
from gpviz.app.theme import load_theme
from gpviz.engine import Function, Leaf, Node, Operation, Verdict
from gpviz.engine.tree import make_inner, nodes_of
from tests.app.canvas.pictures import shown, stepped
from tests.app.mouse import drag_mouse


def large_tree(leaves: int = 100, seed: int = 1) -> Node:
    """A tree as a run makes them, neither a chain nor balanced."""
    random = Random(seed)
    uids = iter(range(2 * leaves))

    def made(leaves: int) -> Node:
        if leaves == 1:
            return Leaf(next(uids), random.randint(1, 8))
        left = random.randint(1, leaves - 1)
        return make_inner(next(uids), random.choice(list(Function)), made(left), made(leaves - left))

    return made(leaves)


READABLE = 10.0
"""In pixels, at the usual size of type."""
TREE = large_tree()
LEAVES = [number for number, node in enumerate(nodes_of(TREE)) if isinstance(node, Leaf)]


@pytest.fixture
def following(canvas) -> TreeCanvas:
    canvas.resize(900, 560)
    canvas.set_reduced_motion(True)
    canvas.set_following(True)
    return canvas


def label_size(canvas: TreeCanvas) -> float:
    return LABEL_SIZE * canvas.camera.scale


def is_whole(canvas: TreeCanvas) -> bool:
    return is_in_view(canvas.drawing().frame, canvas.camera, canvas.width(), canvas.height())


def marked(canvas: TreeCanvas) -> list[QRectF]:
    drawing = canvas.drawing()
    assert drawing.marks is not None
    return mark_boxes(drawing.marks, free_space_of(drawing, canvas.width(), canvas.height(), canvas.theme))


# The camera


def test_nearby_the_view_stays_while_the_place_is_in_its_middle_part():
    bounds = Bounds(0.0, 0.0, 4000.0, 3000.0)
    before = near_to(Bounds(2000.0, 1500.0, 2000.0, 1500.0), bounds, 0.7, 800.0, 500.0, Margins())
    after = near_to(Bounds(2100.0, 1520.0, 2100.0, 1520.0), bounds, 0.7, 800.0, 500.0, Margins(), before)
    assert after == before
    far = near_to(Bounds(2800.0, 1520.0, 2800.0, 1520.0), bounds, 0.7, 800.0, 500.0, Margins(), before)
    assert far.x > before.x
    assert far.y == before.y


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
    followed = following.camera
    assert is_whole(following)
    following.set_following(False)
    assert following.camera == followed


def test_what_can_be_read_depends_on_the_size_of_the_type(following):
    following.set_theme(load_theme("light", 18))
    following.show_picture(stepped(TREE, Operation.SUB, Verdict.WORSE, LEAVES[3]))
    assert label_size(following) >= READABLE * 1.8


def test_without_a_step_the_whole_tree_is_shown(following):
    following.show_picture(stepped(TREE, Operation.SUB, Verdict.WORSE, LEAVES[3]))
    following.show_picture(shown(TREE))
    assert is_whole(following)


@pytest.mark.parametrize("switch", [TreeCanvas.set_hurried, TreeCanvas.set_thumbnail])
def test_in_a_hurry_and_in_a_thumbnail_the_whole_tree_is_shown(following, switch):
    switch(following, True)
    following.show_picture(stepped(TREE, Operation.SUB, Verdict.WORSE, LEAVES[3]))
    assert is_whole(following)
    switch(following, False)
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
    camera = following.camera
    following.show_picture(stepped(TREE, Operation.SUB, Verdict.WORSE, LEAVES[-1]))
    assert following.camera == camera
    following.set_following(True)
    assert all(QRectF(following.rect()).contains(box) for box in marked(following))


def test_the_camera_glides_to_the_next_mutation(following, qtbot):
    following.set_reduced_motion(False)
    following.show_picture(stepped(TREE, Operation.SUB, Verdict.WORSE, LEAVES[0]))
    following.finish_motion()
    start = following.camera
    following.show_picture(stepped(TREE, Operation.SUB, Verdict.WORSE, LEAVES[-1]), 800)
    following.hold_motion(0.2)
    middle = following.camera
    following.finish_motion()
    end = following.camera
    assert min(start.x, end.x) < middle.x < max(start.x, end.x)


def test_parent_and_offspring_are_seen_as_a_whole(following):
    following.set_side_by_side(True)
    following.show_picture(stepped(TREE, Operation.SUB, Verdict.WORSE, LEAVES[3]))
    assert following.drawing().headings
    assert is_whole(following)
    assert following.minimap.isHidden()


# Folding what rests


def uids_below(tree: Node, uid: int) -> set[int]:
    found = next(node for node in nodes_of(tree) if node.uid == uid)
    return {node.uid for node in nodes_of(found)}


def test_what_is_as_it_was_and_holds_no_place_of_the_step_rests():
    place = nodes_list(TREE)[LEAVES[40]].uid
    found = resting_uids(TREE, TREE, (place,))
    assert found
    hidden = [uids_below(TREE, uid) for uid in found]
    assert not any(place in below for below in hidden)
    assert sum(map(len, hidden)) == len(set().union(*hidden))  # none is within another
    assert all(len(below) >= 7 for below in hidden)


def test_what_has_changed_does_not_rest():
    step = stepped(TREE, Operation.SUB, Verdict.IMPROVED, LEAVES[10], variable=64)
    assert step.tree is not None
    changed, place = nodes_list(TREE)[LEAVES[10]].uid, nodes_list(TREE)[LEAVES[-1]].uid
    found = resting_uids(step.tree, TREE, (place,))
    assert found
    assert not any(changed in uids_below(step.tree, uid) for uid in found)
    assert not resting_uids(step.tree, None, (place,))
    assert not resting_uids(TREE, TREE, ())


def test_a_tree_made_again_rests_as_well_as_the_same_one():
    place = nodes_list(TREE)[LEAVES[40]].uid
    assert resting_uids(TREE, large_tree(), (place,)) == resting_uids(TREE, TREE, (place,))


def nodes_list(tree: Node) -> list[Node]:
    return list(nodes_of(tree))


def test_what_rests_is_folded_into_a_summary_and_opens_when_the_mutation_enters_it(following):
    following.show_picture(stepped(TREE, Operation.SUB, Verdict.WORSE, LEAVES[40]), earlier=TREE)
    assert following.drawn_nodes < len(nodes_list(TREE)) / 2
    uid = next(iter(following.resting))
    below = uids_below(TREE, uid)
    frame = following.drawing().frame
    leaves = (len(below) + 1) // 2
    assert frame.face_at(frame.index[uid]).label == f"of {leaves} leaves"
    inside = next(number for number in LEAVES if nodes_list(TREE)[number].uid in below)
    following.show_picture(stepped(TREE, Operation.SUB, Verdict.WORSE, inside), earlier=TREE)
    assert uid not in following.resting
    following.show_picture(following.picture)
    assert following.drawn_nodes == len(nodes_list(TREE)) + 1  # and the label beside the leaf


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
    before = canvas.camera
    keys(canvas, key, is_shifted=True)
    after = canvas.camera
    assert (after.x > before.x) - (after.x < before.x) == across
    assert (after.y > before.y) - (after.y < before.y) == down
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
    minimap, before = canvas.minimap, canvas.camera
    QTest.mouseClick(minimap, Qt.MouseButton.LeftButton, pos=QPoint(3, minimap.height() // 2))
    after, bounds = canvas.camera, canvas.drawing().frame.bounds
    assert after.x == pytest.approx(bounds.left)
    assert after.scale == before.scale
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


@pytest.mark.parametrize("size", [10, 14, 18])
def test_a_callout_covers_neither_the_minimap_nor_a_node(following, size):
    following.set_theme(load_theme("light", size))
    for leaf in LEAVES[::12]:
        following.show_picture(stepped(TREE, Operation.SUB, Verdict.WORSE, leaf))
        drawing = following.drawing()
        box = QRectF(following.minimap.geometry())
        assert drawing.covered == (box,)
        boxes = marked(following)
        assert not any(box.intersects(mark) for mark in boxes)
        free = free_space_of(drawing, following.width(), following.height(), following.theme)
        assert drawing.marks is not None
        place = callout_place(drawing.marks.callout, boxes, (), free, following.theme)
        assert place.is_free
        assert not place.box.intersects(box)
