"""How a verdict looks: its colour, and the badge with its symbol."""

from collections.abc import Iterator, Sequence
from typing import Final

from gpviz.engine import Verdict
from gpviz.picture.items import TEXT_MIDDLE, Enter, Font, Item, Leave, Shape

VERDICT_COLOURS: Final = {
    Verdict.IMPROVED: "improved",
    Verdict.NEUTRAL: "neutral",
    Verdict.UNCHANGED: "unchanged",
    Verdict.WORSE: "worse",
    Verdict.TOO_LARGE: "too_large",
}
"""The names of the colours of the verdicts in a theme."""
OPEN_COLOUR: Final = "accent"
OPEN_SYMBOL: Final = "?"
"""Of a step whose verdict is not told."""

BADGE: Final = 11.0
"""The radius of a badge in the tree, at unit 1."""

_TOO_LARGE: Final = "□"
_IMPROVED: Final = "▲"
_TRIANGLE: Final = (0.0, -0.5, 0.5, 0.375, -0.5, 0.375)
_STROKES: Final = {
    "✕": ((-0.42, -0.42, 0.42, 0.42), (-0.42, 0.42, 0.42, -0.42)),
    _TOO_LARGE: ((-0.336, -0.336, 0.336, 0.336), (-0.336, 0.336, 0.336, -0.336)),
    "=": ((-0.42, -0.24, 0.42, -0.24), (-0.42, 0.24, 0.42, 0.24)),
    "≈": (
        (-0.42, -0.11, -0.168, -0.37, 0.168, -0.11, 0.42, -0.37),
        (-0.42, 0.37, -0.168, 0.11, 0.168, 0.37, 0.42, 0.11),
    ),
}
"""What a symbol is drawn with, in radii from the centre of its badge; other symbols are written."""
_SQUARE: Final = 0.86
_TYPE: Final = 1.4
"""Half the side of the square, and the size of a symbol that is written, in radii."""


def symbol_badge(
    key: str,
    centre: tuple[float, float],
    radius: float,
    symbol: str,
    colour: str,
    *,
    delay: float = 0.0,
    is_fixed: bool = False,
) -> Iterator[Item]:
    """A disc with the symbol of a verdict; what was too large is a hollow square."""
    (x, y), key = centre, f"{key} {symbol}"
    disc = Item(
        key,
        Shape.DISC,
        (x, y, radius),
        colour,
        enter=Enter.GROW,
        leave=Leave.SHRINK,
        delay=delay,
        is_fixed=is_fixed,
    )
    sign = disc._replace(key=f"{key} sign", fill="panel", text=symbol)
    ink = "panel"
    if symbol == _TOO_LARGE:
        side, ink = _SQUARE * radius, colour
        box = (x - side, y - side, 2 * side, 2 * side, 0.25 * radius)
        width = max(0.26 * radius, 1.6)
        yield disc._replace(shape=Shape.BOX, points=box, fill="panel", stroke=colour, width=width)
    else:
        yield disc
    if symbol == _IMPROVED:
        yield sign._replace(shape=Shape.POLYGON, points=_around(centre, radius, _TRIANGLE))
    elif symbol in _STROKES:
        width = max(0.2 * radius, 1.2)
        line = sign._replace(shape=Shape.LINE, fill="", stroke=ink, width=width)
        first, other = (_around(centre, radius, stroke) for stroke in _STROKES[symbol])
        yield line._replace(points=first)
        yield line._replace(key=f"{key} other", points=other, text="")
    else:
        size = _TYPE * radius
        yield sign._replace(shape=Shape.TEXT, points=(x, y + TEXT_MIDDLE * size, size), font=Font.BOLD)


def _around(centre: tuple[float, float], radius: float, offsets: Sequence[float]) -> tuple[float, ...]:
    return tuple(centre[index % 2] + radius * offset for index, offset in enumerate(offsets))
