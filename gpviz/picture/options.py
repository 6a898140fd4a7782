"""What a picture depends on besides its moment: its size, the layout, and what is to be seen."""

from dataclasses import dataclass
from typing import Final

from gpviz.explain.moment import Overlay
from gpviz.picture.layout import Positions
from gpviz.picture.picture import Banner

_NOTHING: Final = Overlay()


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a moment is to be drawn; sizes are in pixels.

    ``text_scale`` and ``line_scale`` make type and lines larger for a hall. ``positions`` are those of a layout
    that takes long, worked out before. ``has_frame`` is off where somebody else draws the frame of a state.
    """

    width: float = 1280.0
    height: float = 720.0
    layout: str = "tidy"
    positions: Positions | None = None
    text_scale: float = 1.0
    line_scale: float = 1.0
    zoom: float = 1.0
    """How much nearer than as a whole the tree is looked at; so much smaller is what is drawn beside it."""
    folded: frozenset[int] = frozenset()
    has_counter: bool = True
    has_banner: bool = True
    banner: Banner | None = None
    """What the banner keeps saying while trees come too fast to tell of each."""
    has_marks: bool = True
    """Whether the step is to be seen in the tree."""
    has_reasons: bool = True
    """Whether the leaves of a stuck tree say why they stay."""
    has_redundant: bool = True
    has_frame: bool = True
    selected: int | None = None
    overlay: Overlay = _NOTHING
