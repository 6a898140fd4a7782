"""How large a picture has to be so that a tree looks neither lost nor squeezed in it."""

from collections.abc import Collection
from typing import Final

from gpviz.engine import Node
from gpviz.picture.layout import place

_UNIT: Final = (84.0, 84.0)
"""How far neighbours and levels are apart where there is enough space, in pixels at scale 1."""
_EDGES: Final = 90.0


def natural_size(tree: Node | None, scale: float, folded: Collection[int] = ()) -> tuple[float, float]:
    """The width and the height that a tree takes with nodes of this scale."""
    if tree is None:
        return _EDGES * scale, 2 * _EDGES * scale
    positions = place(tree, folded=frozenset(folded)).values()
    xs, ys = [x for x, _ in positions], [y for _, y in positions]
    across, down = _UNIT
    return ((max(xs) - min(xs)) * across + _EDGES) * scale, ((max(ys) - min(ys)) * down + _EDGES) * scale
