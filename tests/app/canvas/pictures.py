"""Pictures for the tests of the canvas: of real runs, and of single steps put together by hand."""

from dataclasses import replace
from functools import cache
from typing import Any, Final

from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from gpviz.analysis.redundant_leaves import Analysis, analyse
from gpviz.app.canvas.stage import Stage
from gpviz.app.canvas.tree_canvas import TreeCanvas
from gpviz.engine import Function, Mutation, Node, Operation, RunConfig, Side, Step, Verdict, apply, parse
from gpviz.engine.tree import Leaf, largest_uid, make_inner
from gpviz.explain.moment import Moment, moment_at
from tests.runs.runs import recorded

CONFIG: Final = RunConfig(n=8, limit="n+1", deletion="leaf", seed=298)
"""A run that gets stuck."""


def shown(text: str | Node | None, config: RunConfig = CONFIG) -> Moment:
    """A tree without a step."""
    return Moment(config=config, iteration=0, tree=parse(text) if isinstance(text, str) else text)


def stepped(
    text: str | Node | None,
    operation: Operation,
    verdict: Verdict,
    index: int = 0,
    *,
    variable: int = 7,
    function: Function = Function.OR,
    side: Side = Side.RIGHT,
    errors: tuple[int | None, int | None] = (7, 15),
    config: RunConfig = CONFIG,
) -> Moment:
    """One step from a tree, with the verdict somebody wishes, at the node that so many others come before."""
    parent = parse(text) if isinstance(text, str) else text
    mutation = Mutation(operation, index + 1, variable, function, side)
    uid = largest_uid(parent) + 1
    offspring = apply(parent, mutation, (uid, uid + 1))
    tree = offspring if verdict.is_accepted else parent
    before, after = errors
    step = Step(
        1, *mutation, verdict, offspring.leaves, after, before,
        after if verdict.is_accepted else before, tree, False, parent,
    )  # fmt: skip
    return Moment(config=config, iteration=1, tree=tree, step=step, parent=parent, offspring=offspring)


def previewed(picture: Moment, *, is_hidden: bool = False) -> Moment:
    """The step of a picture as a preview on its parent."""
    return replace(picture, tree=picture.parent, is_preview=True, is_verdict_hidden=is_hidden)


@cache
def stuck() -> tuple[Any, Analysis]:
    """The end of a real run that got stuck, and what is known of its tree."""
    *_, history = recorded(CONFIG, 570)
    picture = moment_at(history, 570)
    return picture, analyse(picture.tree, CONFIG)


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
