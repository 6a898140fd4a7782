"""Moments for the tests of the canvas, what one does to it, and how two pictures are compared."""

from functools import cache
from random import Random
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from gpviz.analysis.redundant_leaves import Analysis
from gpviz.app.canvas.tree_canvas import TreeCanvas
from gpviz.engine import Function, Node
from gpviz.engine.tree import Leaf, make_inner, nodes_of
from gpviz.explain.moment import moment_at
from tests.picture.moments import CONFIG, previewed, shown, stepped, stuck
from tests.runs.runs import recorded

_STRONG: Final = 48
"""Of 255: a pixel that differs by more looks different."""

__all__ = ["CONFIG", "previewed", "shown", "stepped", "stuck"]


def show_stuck(view: TreeCanvas) -> tuple[Any, Analysis]:
    """Show it, and return both."""
    moment, analysis = stuck()
    view.show_picture(moment, analysis=analysis)
    return moment, analysis


def moment_of(iteration: int) -> Any:
    """An iteration of a real run."""
    return moment_at(_run(), iteration)


@cache
def _run():
    return recorded(CONFIG, 60)[-1]


def chain(levels: int) -> Node:
    """A tree that is as deep as it can be."""
    tree: Node = Leaf(0, 1)
    for level in range(1, levels):
        tree = make_inner(2 * level, Function.AND, tree, Leaf(2 * level - 1, 1 + level % 8))
    return tree


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


LARGE_TREE: Final = large_tree()


def leaf_numbers(tree: Node) -> list[int]:
    """The leaves of a tree, counted among its nodes in preorder."""
    return [number for number, node in enumerate(nodes_of(tree)) if isinstance(node, Leaf)]


def click(canvas: TreeCanvas, place: QPointF) -> None:
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place.toPoint())


def double_click(canvas: TreeCanvas, place: QPointF) -> None:
    QTest.mouseDClick(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place.toPoint())


def card_text(canvas: TreeCanvas) -> str:
    """What the card about a node says, empty when there is none."""
    return "" if canvas.card.isHidden() else canvas.card.text


def difference_of(one: QImage, other: QImage) -> tuple[float, float]:
    """The mean difference of two pictures of the same size, and the share of pixels that look different."""
    difference = np.abs(_pixels(one) - _pixels(other))
    return float(difference.mean()), float((difference.max(axis=2) > _STRONG).mean())


def _pixels(image: QImage) -> npt.NDArray[np.int16]:
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows.reshape(image.height(), image.width(), 4)[:, :, :3].astype(np.int16)
