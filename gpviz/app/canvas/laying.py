"""Keeps what lies over the tree on show: the overlay, fitted to what is folded, and the rhythm it pulses in."""

from PySide6.QtCore import QObject

from gpviz.app.canvas.overlay import Overlay, folded, without_heat
from gpviz.app.canvas.pulse import Rhythm
from gpviz.app.canvas.scene import Frame
from gpviz.engine import Node

__all__ = ["OverlayKeeper"]


class OverlayKeeper(QObject):
    """The overlay somebody wishes, and how it is to be painted now."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.overlay: Overlay | None = None
        self.rhythm = Rhythm(self)
        self._folded: tuple[Overlay, Node | None, frozenset[int], Overlay] | None = None

    def shown(self, tree: Node | None, collapsed: frozenset[int], *, is_told: bool = True) -> Overlay | None:
        """What is painted: collapsed nodes stand for what they hide, and a hidden verdict stays so."""
        overlay = self.overlay
        if overlay is None:
            return None
        known = self._folded
        if known is None or known[0] is not overlay or known[1] is not tree or known[2] is not collapsed:
            known = self._folded = (overlay, tree, collapsed, folded(overlay, tree, collapsed))
        return known[3] if is_told else without_heat(known[3])

    def pulsing(self, tree: Node | None, collapsed: frozenset[int], frame: Frame) -> int | None:
        """The node of a frame that pulses."""
        overlay = self.shown(tree, collapsed)
        uid = None if overlay is None else overlay.pulsing
        return uid if uid in frame.index else None
