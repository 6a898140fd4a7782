"""The colours of a picture: they are those of the theme, and all that is written can be read."""

from collections.abc import Iterator, Mapping, Sequence

import pytest
from PySide6.QtGui import QColor

from gpviz.analysis.redundant_leaves import analyse
from gpviz.app.theme import contrast
from gpviz.assets import THEME_NAMES, theme_data
from gpviz.picture.colours import colour_of
from gpviz.picture.compose import picture_of
from gpviz.picture.drawing import items_of
from gpviz.picture.items import Enter, Item, Shape
from gpviz.picture.options import Options
from gpviz.picture.space import Rect
from tests.picture.moments import stuck
from tests.picture.random_moments import random_moments
from tests.picture.test_nothing_is_covered import rect_of

COLOURS = {"panel": "#ffffff", "improved": "#008040"}


@pytest.mark.parametrize(
    ("name", "colour"),
    [
        ("improved", "#008040"),
        ("improved/100", "#008040"),
        ("improved/50", "#80c0a0"),
        ("improved/0", "#ffffff"),
        ("panel/20", "#ffffff"),
    ],
)
def test_a_colour_is_one_of_the_theme_or_a_share_of_it_over_the_panel(name: str, colour: str) -> None:
    assert colour_of(name, COLOURS) == colour


def test_another_theme_gives_the_same_name_another_colour() -> None:
    dark = COLOURS | {"panel": "#000000"}
    assert colour_of("improved/50", dark) != colour_of("improved/50", COLOURS)


def ground_of(item: Item, below: Sequence[Item]) -> str:
    """The name of the colour that a text or a sign stands on."""
    middle = rect_of(item).middle
    for other in reversed(below):
        is_filled = other.shape in (Shape.DISC, Shape.BOX, Shape.POLYGON) and other.fill
        if is_filled and rect_of(other).holds(Rect(*middle, *middle)):
            return other.fill
    return "panel"


def unreadable(items: Sequence[Item], colours: Mapping[str, str]) -> Iterator[str]:
    """What is written or drawn as a sign and does not stand out from what is behind it."""
    for place, item in enumerate(items):
        ink, ground = item.fill or item.stroke, ground_of(item, items[:place])
        least = 4.5 if item.shape is Shape.TEXT or item.key.startswith("label ") else 3.0
        if item.text and contrast(*(QColor(colour_of(name, colours)) for name in (ink, ground))) < least:
            yield f"{item.text} in {ink} on {ground}"


@pytest.mark.parametrize("theme", THEME_NAMES)
def test_everything_that_is_written_in_a_picture_can_be_read(theme: str) -> None:
    for moment in (stuck()[0], *(moment for _, moment in random_moments(100, seed=3))):
        picture = picture_of(moment, Options(), analyse(moment.tree, moment.rules))
        items = [item for item in items_of(picture) if item.enter is not Enter.FLASH]
        assert list(unreadable(items, theme_data(theme)["colours"])) == []
