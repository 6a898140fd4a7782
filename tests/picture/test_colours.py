"""The colours of a picture."""

import pytest

from gpviz.picture.colours import colour_of

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
