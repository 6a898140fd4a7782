"""Where the fixed parts of a picture are: counter and leaves in the upper corners, the banner below the tree.

Their places depend on the settings of the run and the size of the picture, so nothing moves while a run goes on.
"""

from dataclasses import dataclass
from typing import Final

from gpviz.engine import RunConfig
from gpviz.picture.counter import cells_of
from gpviz.picture.options import Options
from gpviz.picture.space import Rect

MARGIN: Final = 16.0
"""In pixels at unit 1, like all numbers here."""
NUMBER_SIZE: Final = 58.0
COUNTER_TYPE: Final = 18.0
CELLS_TOP: Final = 56.0
"""From the top of the counter to its cells."""
CELL: Final = 12.0
"""From one cell of the rows to the next."""
CELLS_IN_A_ROW: Final = 16
BAR_HEIGHT: Final = 12.0
TICK: Final = 13.0
"""From one leaf to the next among the ticks."""
TICKS_WIDTH: Final = 230.0
BANNER_TYPE: Final = 22.0
STATE_TYPE: Final = 20.0
MORE_TYPE: Final = 16.0
BANNER_HEIGHT: Final = 50.0
_STATE_HEIGHT: Final = 84.0
_NARROW_STATE_HEIGHT: Final = 122.0
_NARROW: Final = 1150.0
"""In a narrower picture the sentences on a state need more lines."""
_BANNER_BELOW: Final = 12.0
_COUNTER_WIDTH: Final = 244.0
_CELLS_AWAY: Final = 8.0
_LEAVES_HEIGHT: Final = 46.0
_MORE_LINE: Final = 20.0
_USUAL_HEIGHT: Final = 720.0
_ASPECT: Final = 0.6
_GROWTH: Final = 0.6
_SMALLEST: Final = 0.58


def unit_of(options: Options) -> float:
    """How large type is in a picture of this size: it grows with the picture, but not as fast."""
    side = min(options.height, _ASPECT * options.width)
    grown: float = (side / _USUAL_HEIGHT) ** _GROWTH
    return max(grown, _SMALLEST) * options.text_scale


def banner_rect(width: float, height: float, unit: float) -> Rect:
    """The place of the banner: that of a state fills it, and that of a verdict is in its lower part."""
    left, low = 1.5 * MARGIN * unit, height - _BANNER_BELOW * unit
    high = _NARROW_STATE_HEIGHT if width < _NARROW * unit else _STATE_HEIGHT
    return Rect(left, low - high * unit, max(width - left, left), low)


@dataclass(frozen=True, slots=True)
class Regions:
    """The rectangles of the counter, the leaves, the banner and the tree; None for what is not shown.

    ``unit`` is how large type and lines are in them.
    """

    unit: float
    counter: Rect | None
    leaves: Rect | None
    banner: Rect | None
    tree: Rect

    @property
    def corners(self) -> tuple[Rect, ...]:
        return tuple(rect for rect in (self.counter, self.leaves) if rect is not None)


def regions_of(config: RunConfig, options: Options) -> Regions:
    """The regions of the pictures of a run."""
    width, height, unit = options.width, options.height, unit_of(options)
    margin = MARGIN * unit
    banner = counter = leaves = None
    bottom = height - margin / 2
    if options.has_banner:
        banner = banner_rect(width, height, unit)
        bottom = banner.top
    if options.has_counter:
        below = CELL * -(-cells_of(config) // CELLS_IN_A_ROW) or BAR_HEIGHT
        more = _MORE_LINE if config.is_sampled else 0.0
        high = (CELLS_TOP + _CELLS_AWAY + below + more) * unit
        counter = Rect(margin, margin, margin + _COUNTER_WIDTH * unit, margin + high)
        right, high = width - margin, (_LEAVES_HEIGHT + 2 * _MORE_LINE) * unit
        leaves = Rect(right - TICKS_WIDTH * unit, margin, right, margin + high)
    return Regions(unit, counter, leaves, banner, Rect(margin / 2, margin / 2, width - margin / 2, bottom))
