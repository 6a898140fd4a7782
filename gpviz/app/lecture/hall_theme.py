"""The theme of a hall: type and lines that grow with the screen, so that the last row can read."""

from dataclasses import replace
from typing import Final

from gpviz.app.theme import PIXELS_PER_INCH, Theme, load_theme

MOST_STEPS: Final = 6
"""How often type can be made larger or smaller."""
_LINES: Final = 33.0
"""So many times the usual type is as high as the screen."""
STEP: Final = 1.12
"""How much larger the type is with each of them."""
_USUAL_HEIGHT: Final = 768.0
_LEAST_PIXELS: Final = 9.0
_POINTS_PER_INCH: Final = 72.0


def hall_theme(name: str, width: int, height: int, steps: int = 0) -> Theme:
    """The theme for a picture of this size, in pixels; each step makes its type larger or smaller."""
    room = min(height, 0.75 * width)
    pixels = max(room / _LINES * STEP**steps, _LEAST_PIXELS)
    theme = load_theme(name)
    return replace(
        theme,
        font_size=pixels * _POINTS_PER_INCH / PIXELS_PER_INCH,
        line_scale=load_theme("projector").line_scale * max(room / _USUAL_HEIGHT, 0.5),
    )


def smaller(theme: Theme, share: float) -> Theme:
    """The theme with smaller type, for what has much to say."""
    return replace(theme, font_size=theme.font_size * share)
