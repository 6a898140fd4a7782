"""Turns a tree into a frame in the chosen layout; layouts that take long are computed in another thread."""

from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from gpviz.app.canvas.tree_frame import EMPTY, TIDY_UNIT, Frame, Unit, frame_of
from gpviz.app.tasks import BackgroundTask
from gpviz.engine import GpvizError, Inner, Node
from gpviz.engine.interruption import ShouldStop
from gpviz.explain.step_picture import StepPicture
from gpviz.picture.layout import LAYOUTS, Layout, Positions, TreeGraph, positions_of

DEFAULT_LAYOUT: Final = "tidy"
_OTHER_UNIT: Final[Unit] = (62.0, 62.0)
"""Where neighbours may be in any direction, one unit has to hold the widest face in each."""
_ASIDE: Final = 0.45
_COMES_BACK: Final = 0.8
"""The share of its largest size at which a refused layout suits a tree again."""
_LAYERED: Final = (DEFAULT_LAYOUT, "bfs", "multipartite")


class FrameBuilder(QObject):
    """Knows the layout in use and where the nodes were put last."""

    arranged = Signal(object)
    """A layout that took long is done: the frame."""
    refused = Signal(str)
    """The layout does not suit this tree, for this reason; the tidy one was taken. Told once until it does."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.layout_name = DEFAULT_LAYOUT
        self._picture = StepPicture(None)
        self._tint = ""
        self._collapsed: frozenset[int] = frozenset()
        self._positions: Positions = {}
        self.is_refusing = False
        """Whether the layout does not suit the tree, which is tidy instead."""
        self._is_tidy = True
        self._background = BackgroundTask("gpviz layout", self)
        self._background.finished.connect(self._on_layout_finished)
        self._background.failed.connect(self._on_layout_failed)

    @property
    def is_waiting(self) -> bool:
        """Whether a layout is still being computed."""
        return self._background.is_busy

    @property
    def is_layered(self) -> bool:
        """Whether the levels of the tree are rows, with the root at the top."""
        return self._is_tidy or self.layout_name in _LAYERED

    def set_layout(self, name: str) -> None:
        """Choose a layout; `arrange` uses it."""
        if name not in LAYOUTS:
            raise GpvizError(f"layout: {name!r} is not one of {', '.join(LAYOUTS)}.")
        self.layout_name = name
        self.is_refusing = False

    def arrange(self, picture: StepPicture, collapsed: frozenset[int], tint: str = "accent") -> Frame:
        """The frame of a picture, at once; if its layout takes long, with places to wait in."""
        self._background.cancel()
        self._picture, self._collapsed, self._tint = picture, collapsed, tint
        tree = picture.tree
        if tree is None:
            self._positions = {}
            self.is_refusing = False
            return EMPTY
        graph = picture.graph(collapsed)
        layout = LAYOUTS[self.layout_name]
        if self._is_too_large(layout, len(graph)):
            self._is_tidy = True
            self._positions = positions_of(graph, DEFAULT_LAYOUT)
            self._refuse(layout.refusal_of(len(graph)))
        elif layout.is_slow:
            self._background.ask(partial(_computed, graph, self.layout_name))
            self._positions = self._waiting_places(tree, positions_of(graph, DEFAULT_LAYOUT))
        else:
            self._is_tidy = self.layout_name == DEFAULT_LAYOUT
            self._positions = positions_of(graph, self.layout_name)
            self.is_refusing = False
        return self._frame()

    def _is_too_large(self, layout: Layout, nodes: int) -> bool:
        """A layout that was refused comes back to a clearly smaller tree, or both would take turns."""
        return nodes > layout.most_nodes * (_COMES_BACK if self.is_refusing else 1.0)

    def frame_of_other(self, picture: StepPicture, tint: str) -> Frame:
        """Another picture of the same nodes, at the places of the one arranged last."""
        unit = TIDY_UNIT if self._is_tidy else _OTHER_UNIT
        return frame_of(picture, self._positions, self._collapsed, unit, tint)

    def shut_down(self) -> None:
        """Wait for what is being computed; nothing is told afterwards."""
        self._background.close()

    def _frame(self) -> Frame:
        return self.frame_of_other(self._picture, self._tint)

    def _waiting_places(self, tree: Node, tidy: Positions) -> Positions:
        """Nodes stay where they are and new ones wait beside their parent; a tree not seen before is tidy."""
        old = self._positions
        if self._is_tidy or tree.uid not in old:
            self._is_tidy = True
            return tidy
        places: Positions = {}
        pending: list[tuple[Node, tuple[float, float]]] = [(tree, old[tree.uid])]
        while pending:
            node, waiting = pending.pop()
            if node.uid not in tidy:
                continue
            place = places[node.uid] = old.get(node.uid, waiting)
            if isinstance(node, Inner):
                for child, side in ((node.left, -_ASIDE), (node.right, _ASIDE)):
                    pending.append((child, (place[0] + side, place[1] + _ASIDE)))
        other = self._picture.other
        if other is not None and other.leaf in places:
            x, y = places[other.leaf]
            places[other.uid] = old.get(other.uid, (x + (-_ASIDE if other.is_left else _ASIDE), y))
        return places

    def _refuse(self, reason: str) -> None:
        if not self.is_refusing:
            self.is_refusing = True
            self.refused.emit(reason)

    @Slot(object)
    def _on_layout_finished(self, positions: Positions) -> None:
        self._positions = positions
        self._is_tidy = self.is_refusing = False
        self.arranged.emit(self._frame())

    @Slot(str)
    def _on_layout_failed(self, problem: str) -> None:
        if self._picture.tree is not None:
            self._is_tidy = True
            graph = self._picture.graph(self._collapsed)
            self._positions = positions_of(graph, DEFAULT_LAYOUT)
            self.arranged.emit(self._frame())
        self._refuse(problem)


def _computed(graph: TreeGraph, name: str, _should_stop: ShouldStop) -> Positions:
    return positions_of(graph, name)
