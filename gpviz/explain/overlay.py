"""What is laid over a tree to explain it: heat, values on a row, and the node that is meant; as data."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Overlay:
    """By uid the chance that a mutation there improves, the value on one row, and the node that pulses.

    Nodes that are not named stay as they are. ``title`` is said at the edge of the canvas.
    """

    heat: Mapping[int, float] = field(default_factory=dict)
    values: Mapping[int, bool] = field(default_factory=dict)
    pulsing: int | None = None
    title: str = ""
