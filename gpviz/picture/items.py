"""What a picture is drawn with: discs, boxes, polygons, lines and texts, in the order in which they are painted.

A printer needs to know nothing else. Coordinates are pixels from the upper left corner, y downwards. An item keeps
its key from picture to picture: what has the same key and shape in two pictures moves from one to the other.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final, NamedTuple

LEAST_LABEL: Final = 9.0
"""In pixels on the screen: nobody can read smaller labels, so they are left out."""
TEXT_MIDDLE: Final = 0.36
"""How far above its baseline the middle of a text is, of the size of its type."""


class Shape(StrEnum):
    """What ``points`` of an item hold."""

    DISC = "disc"
    """The centre and the radius: x, y, r."""
    BOX = "box"
    """The upper left corner, the size, and the radius of its corners: x, y, width, height, r."""
    POLYGON = "polygon"
    """The corners: x, y, x, y, ..."""
    LINE = "line"
    """The points along it, with round ends and joins; it is never filled: x, y, x, y, ..."""
    TEXT = "text"
    """The end or the middle of its baseline, by its anchor, and the size of its type: x, y, size."""


class Font(StrEnum):
    """A humanist sans for words, and a serif for mathematics."""

    WORDS = "words"
    BOLD = "bold"
    MATHS = "maths"


class Enter(StrEnum):
    """How an item comes that the picture before does not have, and what a kept one does besides moving."""

    FADE = "fade"
    GROW = "grow"
    """From nothing, about its own middle."""
    SHAKE = "shake"
    """It fades in and then shakes once."""
    FLASH = "flash"
    """It comes and goes while the picture moves; at rest it is not to be seen."""
    ROLL = "roll"
    """Its text is a number, and counts from the one before."""
    SWITCH = "switch"
    """As a whole, in one moment: words that fade cannot be read, and one reads them while the tree moves."""


class Leave(StrEnum):
    """How an item goes that the next picture does not have."""

    FADE = "fade"
    SHRINK = "shrink"
    """To nothing, about its own middle."""
    FALL = "fall"
    """Down, as what is rejected does."""
    SWITCH = "switch"
    """In the same moment in which what comes like this comes."""


class Item(NamedTuple):
    """One thing to draw. Colours are names of a theme; ``improved/20`` is 20 % of one over the panel.

    A text has its colour in ``fill``. ``width`` is that of the stroke. What is ``fixed`` does not move when
    somebody zooms into the tree. ``is_label`` marks the text of a node, which is left out where it is too small.
    """

    key: str
    shape: Shape
    points: tuple[float, ...]
    fill: str = ""
    stroke: str = ""
    width: float = 0.0
    is_dashed: bool = False
    opacity: float = 1.0
    text: str = ""
    font: Font = Font.WORDS
    anchor: str = "middle"
    is_fixed: bool = False
    is_label: bool = False
    enter: Enter = Enter.FADE
    leave: Leave = Leave.FADE
    delay: float = 0.0
    """When it enters, as a share of the motion's time."""


DASH: Final = (5.0, 4.0)
"""How long a dash and a gap are, for each pixel of the stroke's width divided by two."""


def at_rest(items: Iterable[Item]) -> Iterator[Item]:
    """What is to be seen of these in a picture that does not move."""
    for item in items:
        is_too_small = item.is_label and item.shape is Shape.TEXT and item.points[2] < LEAST_LABEL
        if item.enter is not Enter.FLASH and item.opacity > 0 and not is_too_small:
            yield item


def shifted(item: Item, dx: float, dy: float) -> Item:
    """The item so much further to the right and down."""
    points = item.points
    if item.shape in (Shape.POLYGON, Shape.LINE):
        moved = [value + (dy if index % 2 else dx) for index, value in enumerate(points)]
        return item._replace(points=tuple(moved))
    return item._replace(points=(points[0] + dx, points[1] + dy, *points[2:]))
