"""Which layout a tree is drawn in; layouts that take long are computed in another thread."""

from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from gpviz.app.tasks import BackgroundTask
from gpviz.engine import GpvizError, Inner, Node
from gpviz.engine.interruption import ShouldStop
from gpviz.picture.layout import LAYOUTS, Positions, place

DEFAULT_LAYOUT: Final = "tidy"
_ASIDE: Final = 0.45
"""How far from its parent a new node stands until its position is known, in units of the layout."""
_COMES_BACK: Final = 0.8
"""The share of its largest size at which a refused layout suits a tree again."""


class TreeLayout(QObject):
    """The chosen layout, whether it suits the tree, and the positions of one that takes long."""

    arranged = Signal()
    """Positions that took long are known."""
    refused = Signal(str)
    """The layout does not suit this tree, for this reason; the tidy one is taken. Said once until it does."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.name = DEFAULT_LAYOUT
        self.is_refusing = False
        self._asked: tuple[Node | None, frozenset[int], str] = (None, frozenset(), DEFAULT_LAYOUT)
        self._positions: Positions | None = None
        self._background = BackgroundTask("gpviz layout", self)
        self._background.finished.connect(self._on_finished)
        self._background.failed.connect(self._on_failed)

    @property
    def is_waiting(self) -> bool:
        """Whether positions are still being computed."""
        return self._background.is_busy

    def choose(self, name: str) -> None:
        """Draw trees in the layout of this name."""
        if name not in LAYOUTS:
            raise GpvizError(f"layout: {name!r} is not one of {', '.join(LAYOUTS)}.")
        self.name = name
        self.is_refusing = False
        self._positions = None

    def layout_of(self, tree: Node | None, folded: frozenset[int]) -> tuple[str, Positions | None]:
        """The layout to draw a tree in, and the positions of a slow one; makeshift ones until they are known."""
        layout = LAYOUTS[self.name]
        asked = tree, folded, self.name
        if tree is None or layout.name == DEFAULT_LAYOUT:
            self._forget()
            return DEFAULT_LAYOUT, None
        nodes = _shown_nodes(tree, folded)
        if nodes > layout.most_nodes * (_COMES_BACK if self.is_refusing else 1.0):
            self._forget()
            self._refuse(layout.refusal_of(nodes))
            return DEFAULT_LAYOUT, None
        if not layout.is_slow:
            self._forget()
            self.is_refusing = False
            return layout.name, None
        if asked != self._asked:
            self._asked = asked
            if self._positions is not None:
                self._positions = _waiting(tree, folded, self._positions)
            self._background.ask(partial(_computed, tree, folded, layout.name))
        if self._positions is None:
            return DEFAULT_LAYOUT, None
        return layout.name, self._positions

    def shut_down(self) -> None:
        """Wait for what is being computed; nothing is reported afterwards."""
        self._background.close()

    def _forget(self) -> None:
        self._background.cancel()
        self._positions = None
        self._asked = (None, frozenset(), DEFAULT_LAYOUT)

    def _refuse(self, reason: str) -> None:
        if not self.is_refusing:
            self.is_refusing = True
            self.refused.emit(reason)

    @Slot(object)
    def _on_finished(self, positions: Positions) -> None:
        self._positions = positions
        self.is_refusing = False
        self.arranged.emit()

    @Slot(str)
    def _on_failed(self, problem: str) -> None:
        self._positions = None
        self._refuse(problem)
        self.arranged.emit()


def _computed(tree: Node, folded: frozenset[int], name: str, _should_stop: ShouldStop) -> Positions:
    return place(tree, name, folded)


def _shown_nodes(tree: Node, folded: frozenset[int]) -> int:
    pending, count = [tree], 0
    while pending:
        node = pending.pop()
        count += 1
        if isinstance(node, Inner) and node.uid not in folded:
            pending += (node.left, node.right)
    return count


def _waiting(tree: Node, folded: frozenset[int], old: Positions) -> Positions | None:
    """Nodes stay where they are, and new ones wait beside their parent; a tree not seen before does not wait."""
    if tree.uid not in old:
        return None
    found: Positions = {}
    pending = [(tree, old[tree.uid])]
    while pending:
        node, waiting = pending.pop()
        x, y = found[node.uid] = old.get(node.uid, waiting)
        if isinstance(node, Inner) and node.uid not in folded:
            pending += ((node.left, (x - _ASIDE, y + _ASIDE)), (node.right, (x + _ASIDE, y + _ASIDE)))
    return found
