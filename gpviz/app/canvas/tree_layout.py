"""Turns a tree into a frame in the chosen layout; layouts that take long are computed in another thread."""

import threading
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from gpviz.app.canvas.tree_frame import EMPTY, TIDY_UNIT, Frame, Unit, frame_of
from gpviz.engine import GpvizError, Inner, Node
from gpviz.layout.graph import TreeGraph, graph_of
from gpviz.layout.layouts import LAYOUTS, positions_of
from gpviz.layout.tidy import Positions

__all__ = ["DEFAULT_LAYOUT", "FrameBuilder", "LayoutWorker"]

# Layouts that take long, computed beside the window's thread; the window looks now and then for the
# outcome.

_LOOK_INTERVAL_MS: Final = 15


class _Job:
    """One layout to compute. The thread that does it knows nothing of Qt, so it may outlive any widget."""

    def __init__(self, key: object, graph: TreeGraph, name: str) -> None:
        self.key = key
        self._graph = graph
        self._name = name
        self.positions: Positions | None = None
        self.problem: GpvizError | None = None
        self.failure: Exception | None = None
        self.thread = threading.Thread(target=self._run, name="gpviz layout", daemon=True)

    def _run(self) -> None:
        try:
            self.positions = positions_of(self._graph, self._name)
        except GpvizError as problem:
            self.problem = problem
        except Exception as failure:  # told in the window's thread, where somebody hears it
            self.failure = failure


class LayoutWorker(QObject):
    """Computes one layout at a time; of those asked for meanwhile only the last one is computed."""

    layout_finished = Signal(object, object)
    """The key it was asked for with, and the positions."""
    layout_failed = Signal(object, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._job: _Job | None = None
        self._next: _Job | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_INTERVAL_MS)
        self._timer.timeout.connect(self._on_timeout)

    @property
    def is_busy(self) -> bool:
        return self._job is not None

    def request(self, key: object, graph: TreeGraph, name: str) -> None:
        """Compute a layout; what was asked for before is forgotten."""
        job = _Job(key, graph, name)
        if self._job is None:
            self._begin(job)
        else:
            self._next = job

    def forget(self) -> None:
        """Nobody waits for what is being computed any more."""
        self._next = None
        if self._job is not None:
            self._job.key = None

    def shut_down(self) -> None:
        """Wait for the thread; nothing is told afterwards."""
        self._timer.stop()
        self._next = None
        if self._job is not None:
            self._job.thread.join()
            self._job = None

    def _begin(self, job: _Job) -> None:
        self._job = job
        job.thread.start()
        self._timer.start()

    @Slot()
    def _on_timeout(self) -> None:
        job = self._job
        if job is None or job.thread.is_alive():
            return
        job.thread.join()
        self._job = None
        self._timer.stop()
        following, self._next = self._next, None
        if following is not None:
            self._begin(following)
        elif job.failure is not None:
            raise job.failure
        elif job.key is not None and job.positions is not None:
            self.layout_finished.emit(job.key, job.positions)
        elif job.key is not None:
            self.layout_failed.emit(job.key, str(job.problem))


DEFAULT_LAYOUT: Final = "tidy"
_OTHER_UNIT: Final[Unit] = (62.0, 62.0)
"""Where neighbours may be in any direction, one unit has to hold the widest face in each."""
_ASIDE: Final = 0.45
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
        self._tree: Node | None = None
        self._collapsed: frozenset[int] = frozenset()
        self._positions: Positions = {}
        self._is_refusing = False
        self._is_tidy = True
        self._worker = LayoutWorker(self)
        self._worker.layout_finished.connect(self._on_layout_finished)
        self._worker.layout_failed.connect(self._on_layout_failed)

    @property
    def is_waiting(self) -> bool:
        """Whether a layout is still being computed."""
        return self._worker.is_busy

    @property
    def is_layered(self) -> bool:
        """Whether the levels of the tree are rows, with the root at the top."""
        return self._is_tidy or self.layout_name in _LAYERED

    def set_layout(self, name: str) -> None:
        """Choose a layout; `arrange` uses it."""
        if name not in LAYOUTS:
            raise GpvizError(f"layout: {name!r} is not one of {', '.join(LAYOUTS)}.")
        self.layout_name = name
        self._is_refusing = False

    def arrange(self, tree: Node | None, collapsed: frozenset[int]) -> Frame:
        """The frame of a tree, at once; if its layout takes long, with places to wait in."""
        self._worker.forget()
        self._tree, self._collapsed = tree, collapsed
        if tree is None:
            self._positions = {}
            return EMPTY
        graph = graph_of(tree, collapsed)
        layout = LAYOUTS[self.layout_name]
        is_slow = layout.is_slow and len(graph) <= layout.most_nodes
        if is_slow:
            self._worker.request(object(), graph, self.layout_name)
            self._positions = self._waiting_places(tree, positions_of(graph, DEFAULT_LAYOUT))
            return self._frame()
        self._is_tidy = self.layout_name == DEFAULT_LAYOUT
        try:
            self._positions = positions_of(graph, self.layout_name)
            self._is_refusing = False
        except GpvizError as problem:
            self._is_tidy = True
            self._positions = positions_of(graph, DEFAULT_LAYOUT)
            self._refuse(str(problem))
        return self._frame()

    def shut_down(self) -> None:
        """Wait for what is being computed; nothing is told afterwards."""
        self._worker.shut_down()

    def _frame(self) -> Frame:
        unit = TIDY_UNIT if self._is_tidy else _OTHER_UNIT
        return frame_of(self._tree, self._positions, self._collapsed, unit)

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
        return places

    def _refuse(self, reason: str) -> None:
        if not self._is_refusing:
            self._is_refusing = True
            self.refused.emit(reason)

    @Slot(object, object)
    def _on_layout_finished(self, _key: object, positions: Positions) -> None:
        self._positions = positions
        self._is_tidy = self._is_refusing = False
        self.arranged.emit(self._frame())

    @Slot(object, str)
    def _on_layout_failed(self, _key: object, reason: str) -> None:
        if self._tree is not None:
            self._is_tidy = True
            self._positions = positions_of(graph_of(self._tree, self._collapsed), DEFAULT_LAYOUT)
            self.arranged.emit(self._frame())
        self._refuse(reason)
