"""What can be laid over a tree: how promising each node is, its value on one row, and which one is chosen."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from gpviz.app.canvas.scene import Frame, Ints
from gpviz.app.canvas.stamps import HEAT_LEVELS
from gpviz.engine import Inner, Node
from gpviz.engine.tree import nodes_of

__all__ = ["Overlay", "folded", "heat_levels", "is_about", "values_in", "without_heat"]


@dataclass(frozen=True)
class Overlay:
    """By uid the chance that a mutation there improves, the value on one row, and the node that pulses.

    Nodes that are not named stay as they are. ``title`` is said at the edge of the canvas.
    """

    heat: Mapping[int, float] = field(default_factory=dict)
    values: Mapping[int, bool] = field(default_factory=dict)
    pulsing: int | None = None
    title: str = ""


def folded(overlay: Overlay, tree: Node | None, collapsed: frozenset[int]) -> Overlay:
    """The overlay for a tree with collapsed nodes: each of them has the heat of all that it hides."""
    if tree is None or not collapsed or not (overlay.heat or overlay.pulsing is not None):
        return overlay
    heat = dict(overlay.heat)
    pulsing = overlay.pulsing
    pending: list[Node] = [tree]
    while pending:
        node = pending.pop()
        if not isinstance(node, Inner):
            continue
        if node.uid not in collapsed:
            pending += (node.left, node.right)
            continue
        hidden = [each.uid for each in nodes_of(node)]
        if overlay.heat:
            heat[node.uid] = sum(overlay.heat.get(uid, 0.0) for uid in hidden)
        if pulsing in hidden:
            pulsing = node.uid
    return replace(overlay, heat=heat, pulsing=pulsing)


def without_heat(overlay: Overlay) -> Overlay:
    """The overlay with nothing in it about how promising a mutation is."""
    return replace(overlay, heat={}, title="") if overlay.heat else overlay


def is_about(overlay: Overlay, frame: Frame) -> bool:
    """Whether a frame has any of the nodes that the overlay names, if it names some."""
    if not overlay.heat and not overlay.values:
        return True
    return any(uid in frame.index for uids in (overlay.heat, overlay.values) for uid in uids)


def heat_levels(overlay: Overlay, frame: Frame) -> Ints:
    """For each node of a frame its heat compared with the strongest one there, from 0 to `HEAT_LEVELS`."""
    heat = np.array([overlay.heat.get(uid, 0.0) for uid in frame.uids.tolist()], dtype=np.float64)
    most = heat.max(initial=0.0)
    if most <= 0.0:
        return np.zeros(len(frame), dtype=np.int64)
    return np.ceil(np.clip(heat, 0.0, None) / most * HEAT_LEVELS - 1e-9).astype(np.int64)


def values_in(overlay: Overlay, frame: Frame) -> Ints:
    """For each node of a frame 1 if it is true, 0 if it is false, -1 if that is not known."""
    values = overlay.values
    return np.array([int(values.get(uid, -1)) for uid in frame.uids.tolist()], dtype=np.int64)
