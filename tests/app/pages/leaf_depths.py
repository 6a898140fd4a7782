"""A page that asks something, written as the recipe says: how deep the leaves of the tree lie."""

from functools import partial
from typing import Final, NamedTuple

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QPushButton, QWidget

from gpviz.app.pages.page import Page
from gpviz.app.tasks import Working
from gpviz.app.widgets.fields import sentence
from gpviz.app.widgets.layouts import column_in
from gpviz.engine import Leaf, Node
from gpviz.explain.moment import Overlay
from gpviz.number_text import counted
from gpviz.page_list import PageInfo
from gpviz.runs.history import History

LEAF_DEPTHS: Final = PageInfo(
    name="depths",
    title="Depths",
    tip="How deep the leaves lie",
    action_text="&Depths",
    action_tip="Show how deep the leaves lie",
    keys=("Ctrl+Alt+Y",),
    guide_topic="study#by-hand",
    page_class=f"{__name__}:LeafDepthsPage",
    is_for_scenes=True,
)


class Depths(NamedTuple):
    leaves: int
    deepest: Leaf
    depth: int


def depths_of(tree: Node, working: Working) -> Depths | None:
    """What the page asks about a tree; None if nobody wants to know any more."""
    deepest: list[tuple[int, Leaf]] = []
    waiting = [(0, tree)]
    while waiting and not working():
        depth, node = waiting.pop()
        if isinstance(node, Leaf):
            deepest = deepest if deepest and deepest[0][0] >= depth else [(depth, node)]
        else:
            waiting += [(depth + 1, node.left), (depth + 1, node.right)]
    return None if waiting else Depths(tree.leaves, deepest[0][1], deepest[0][0])


class LeafDepthsPage(Page):
    """Says how deep the deepest leaf lies, and marks it on the tree."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: Depths | None = None
        self._question = self.question_about_moment(self._show, remembers=64)
        self.telling = sentence("")
        self.choose_button = QPushButton("Choose the deepest leaf")
        self.choose_button.clicked.connect(self._on_choose)
        column_in(self, self.telling, self.choose_button, None, spacing=6, margins=(8, 6, 8, 6))

    def show_moment(self, history: History, iteration: int) -> None:
        super().show_moment(history, iteration)
        if self.tree is None:
            self._question.cancel()
            self.show_problem("The tree is empty.")
        else:
            self._question.ask(self.tree, None, partial(depths_of, self.tree))

    def overlay_on(self, tree: Node | None) -> Overlay | None:
        return None if self._shown is None else Overlay(pulsing=self._shown.deepest.uid)

    def show_problem(self, problem: str) -> None:
        self._shown = None
        self.telling.setText(problem)

    def _show(self, depths: Depths) -> None:
        self._shown = depths
        self.telling.setText(f"The deepest of {counted(depths.leaves, 'leaf')} lies at depth {depths.depth}.")
        if self._context is not None:
            self._context.refresh_overlay()

    @Slot()
    def _on_choose(self) -> None:
        if self._context is not None and self._shown is not None:
            self._context.select_node(self._shown.deepest.uid)
