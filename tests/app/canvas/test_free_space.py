"""What words over a tree hide, and where the callout goes."""

from random import Random

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainterPath, QTransform

from gpviz.app.canvas.callout import callout_place
from gpviz.app.canvas.free_space import FreeSpace, boxes_of, crossed, overlapping
from gpviz.app.canvas.mutation_marks import mark_boxes
from gpviz.app.canvas.node_shapes import outline_of
from gpviz.app.canvas.tree_painter import free_space_of
from gpviz.app.theme import load_theme
from gpviz.engine import Function, Leaf, Node, Operation, Side, Verdict
from gpviz.engine.tree import make_inner, make_leaf, nodes_of
from gpviz.explain.moment import Moment
from gpviz.picture.layout import LAYOUTS
from tests.app.canvas.pictures import stepped

THEME = load_theme("light")


def around(canvas) -> FreeSpace:
    return free_space_of(canvas.drawing(), canvas.width(), canvas.height(), THEME)


def test_a_line_is_crossed_only_where_it_runs_through_a_rectangle():
    boxes = boxes_of([QRectF(10.0, 10.0, 20.0, 10.0), QRectF(100.0, 10.0, 5.0, 5.0)])
    lines = np.array([[0.0, 0.0, 40.0, 30.0], [20.0, 0.0, 20.0, 8.0], [20.0, 0.0, 20.0, 50.0]])
    assert crossed(boxes, lines).tolist() == [[True, False, True], [False, False, False]]


def test_rectangles_overlap_or_not():
    boxes = boxes_of([QRectF(0.0, 0.0, 10.0, 10.0)])
    others = boxes_of([QRectF(5.0, 5.0, 10.0, 10.0), QRectF(11.0, 0.0, 5.0, 5.0)])
    assert overlapping(boxes, others).tolist() == [[True, False]]
    assert overlapping(boxes, boxes_of([])).shape == (1, 0)


def callout(canvas) -> QRectF:
    """Where the callout of the step on show stands."""
    marks = canvas.drawing().marks
    return callout_place(marks.callout, mark_boxes(marks, around(canvas)), (), around(canvas), THEME).box


def test_a_callout_in_a_narrow_view_is_cut_off(canvas):
    canvas.resize(100, 480)
    canvas.show_picture(stepped("x1 & x2", Operation.INS, Verdict.WORSE, 0))
    assert callout(canvas).width() <= 100.0
    canvas.grab()


STEPS = 40
SLOW_STEPS = 8
"""A canvas of each layout and size of type shows this many, which are more than 2,000 in all."""
CASES = [
    (operation, verdict)
    for operation in Operation
    for verdict in (Verdict.IMPROVED, Verdict.NEUTRAL, Verdict.WORSE, Verdict.TOO_LARGE)
]


def random_tree(random: Random, leaves: int) -> Node:
    """A tree of any shape."""
    nodes: list[Node] = [make_leaf(number, random.randint(1, 12)) for number in range(leaves)]
    while len(nodes) > 1:
        one, other = (nodes.pop(random.randrange(len(nodes))) for _ in range(2))
        uid = max(node.uid for node in (*nodes, one, other)) + 1 + leaves
        nodes.append(make_inner(uid, random.choice(list(Function)), one, other))
    return nodes[0]


def touching(free: FreeSpace) -> list[tuple[int, int]]:
    """The pairs of nodes whose shapes overlap."""

    def shape(number: int) -> QPainterPath:
        place = QTransform.fromTranslate(float(free.x[number]), float(free.y[number]))
        return place.scale(free.scale, free.scale).map(outline_of(free.frame.face_at(number).kind))

    pairs = np.argwhere(np.triu(overlapping(free.extents(), free.extents()), 1)).tolist()
    return [(one, other) for one, other in pairs if shape(one).intersects(shape(other))]


def random_step(random: Random, number: int, most_leaves: int) -> Moment | None:
    """Any step on a tree of any shape; None where the operation has nothing to choose."""
    sizes = [leaves for leaves in (1, 2, 3, 5, 8, 12, 20, 30, 50) if leaves <= most_leaves]
    tree = random_tree(random, random.choice(sizes))
    operation, verdict = CASES[number % len(CASES)]
    choices = [
        place
        for place, node in enumerate(nodes_of(tree))
        if operation is Operation.INS or (place and operation is Operation.DEL) or isinstance(node, Leaf)
    ]
    if not choices:
        return None
    return stepped(
        tree, operation, verdict, random.choice(choices), variable=random.randint(1, 12),
        function=random.choice(list(Function)), side=random.choice(list(Side)),
    )  # fmt: skip


@pytest.mark.parametrize("size", [10, 14, 18])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_in_random_steps_nothing_covers_anything(canvas, qtbot, layout, size):
    theme = load_theme("light", size)
    canvas.set_theme(theme)
    canvas.resize(900, 640)
    canvas.set_reduced_motion(True)
    canvas.set_reserved_top(30.0)
    canvas.set_layout(layout)
    random = Random(f"{layout} {size}")
    # What the layout is not offered for is drawn as a tidy tree.
    most_leaves = LAYOUTS[layout].most_nodes // 2
    for number in range(SLOW_STEPS if LAYOUTS[layout].is_slow else STEPS):
        picture = random_step(random, number, most_leaves)
        if picture is None:
            continue
        canvas.show_picture(picture)
        qtbot.waitUntil(lambda: not canvas.is_layout_pending)
        drawing = canvas.drawing()
        free = free_space_of(drawing, canvas.width(), canvas.height(), theme)
        assert not touching(free), f"nodes cover each other: {picture.step}"
        place = callout_place(drawing.marks.callout, mark_boxes(drawing.marks, free), (), free, theme)
        is_covering = overlapping(boxes_of([place.box]), free.extents()).any()
        assert not is_covering, f"the callout covers a node: {picture.step}"
        assert free.room.contains(place.box)
        assert place.box.top() > 30.0
