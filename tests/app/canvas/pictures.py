"""Pictures for the tests of the canvas: of real runs, and of single steps put together by hand."""

from functools import cache
from typing import Any

from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from gpviz.analysis.redundant_leaves import Analysis
from gpviz.app.canvas.stage import Stage
from gpviz.app.canvas.tree_canvas import TreeCanvas
from gpviz.engine import Function, Node
from gpviz.engine.tree import Leaf, make_inner
from gpviz.explain.moment import moment_at
from tests.picture.moments import CONFIG, previewed, shown, stepped, stuck
from tests.runs.runs import recorded

__all__ = ["CONFIG", "previewed", "shown", "stepped", "stuck"]


def show_stuck(view: TreeCanvas | Stage) -> tuple[Any, Analysis]:
    """Show it, and return both."""
    picture, analysis = stuck()
    view.show_picture(picture)
    view.show_analysis(analysis)
    return picture, analysis


def picture_of(iteration: int) -> Any:
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


def click(canvas: TreeCanvas, place: QPointF) -> None:
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place.toPoint())


def double_click(canvas: TreeCanvas, place: QPointF) -> None:
    QTest.mouseDClick(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place.toPoint())


def card_text(canvas: TreeCanvas) -> str:
    """What the card about a node says, empty when there is none."""
    return "" if canvas.card.isHidden() else canvas.card.text
