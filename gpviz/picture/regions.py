"""Where the fixed parts of a picture are: counter and leaves in the upper corners, the banner below the tree.

Their places depend on the settings of the run and the size of the picture, so nothing moves while a run goes on.
"""

from dataclasses import dataclass
from typing import Final

from gpviz.engine import RunConfig
from gpviz.picture.options import Options
from gpviz.picture.space import Rect

MARGIN: Final = 16.0
"""In pixels at unit 1, like all numbers here."""
NUMBER_SIZE: Final = 58.0
COUNTER_TYPE: Final = 18.0
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
"""In a narrower picture, in pixels at unit 1, the sentences on a state need more lines."""
_BANNER_BELOW: Final = 12.0
_COUNTER_WIDTH: Final = 244.0
_COUNTER_LINES: Final = 64.0
_LEAVES_HEIGHT: Final = 46.0
_MORE_LINE: Final = 20.0
_USUAL_HEIGHT: Final = 720.0
_ASPECT: Final = 0.6
_GROWTH: Final = 0.6
_SMALLEST: Final = 0.58
MOST_CELLS: Final = 64
"""More rows than that are a bar."""


def unit_of(options: Options) -> float:
    """How large type is in a picture of this size: it grows with the picture, but not as fast."""
    side = min(options.height, _ASPECT * options.width)
    grown: float = (side / _USUAL_HEIGHT) ** _GROWTH
    return max(grown, _SMALLEST) * options.text_scale


def state_height(width: float, unit: float) -> float:
    """How high the banner of a state is; the verdict's is in the middle of the same space."""
    return (_NARROW_STATE_HEIGHT if width < _NARROW * unit else _STATE_HEIGHT) * unit


@dataclass(frozen=True, slots=True)
class Regions:
    """The rectangles of the counter, the leaves, the banner and the tree; None for what is not shown."""

    counter: Rect | None
    leaves: Rect | None
    banner: Rect | None
    tree: Rect

    @property
    def corners(self) -> tuple[Rect, ...]:
        return tuple(rect for rect in (self.counter, self.leaves) if rect is not None)


def regions_of(config: RunConfig, options: Options, unit: float) -> Regions:
    """The regions of the pictures of a run."""
    width, height, margin = options.width, options.height, MARGIN * unit
    bottom = height - margin / 2
    banner = None
    if options.has_banner:
        low = height - _BANNER_BELOW * unit
        banner = Rect(1.5 * margin, low - state_height(width, unit), width - 1.5 * margin, low)
        bottom = banner.top
    counter = leaves = None
    if options.has_counter:
        rows = config.rows or (2**config.n if config.n < 30 else MOST_CELLS + 1)
        below = BAR_HEIGHT if rows > MOST_CELLS else CELL * -(-rows // CELLS_IN_A_ROW)
        high = (_COUNTER_LINES + below + (_MORE_LINE if config.is_sampled else 0.0)) * unit
        counter = Rect(margin, margin, margin + _COUNTER_WIDTH * unit, margin + high)
        right = width - margin
        high = (_LEAVES_HEIGHT + 2 * _MORE_LINE) * unit
        leaves = Rect(right - TICKS_WIDTH * unit, margin, right, margin + high)
    return Regions(counter, leaves, banner, Rect(margin / 2, margin / 2, width - margin / 2, bottom))
