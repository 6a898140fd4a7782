"""The icons: each is there, and can be seen in every theme."""

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon, QImage

from gpviz import assets
from gpviz.app.actions import action_specs
from gpviz.app.icons import icon, program_icon
from gpviz.app.theme import Theme, load_theme
from gpviz.assets import THEME_NAMES

NAMES = sorted({spec.icon for spec in action_specs() if spec.icon} | {"pause"})
SIZES = (16, 20, 24, 32, 48)


@pytest.fixture(params=THEME_NAMES)
def theme(request, qapp) -> Theme:
    return load_theme(request.param)


def picture(made: QIcon, size: int = 48, mode: QIcon.Mode = QIcon.Mode.Normal) -> QImage:
    return made.pixmap(QSize(size, size), mode).toImage()


def ink(image: QImage) -> list[QColor]:
    """The colours of the points that are not see-through."""
    points = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    return [colour for colour in points if colour.alpha() > 0]


def average_alpha(image: QImage) -> float:
    return sum(colour.alphaF() for colour in ink(image)) / (image.width() * image.height())


def test_there_are_actions_with_icons():
    assert len(NAMES) > 10


@pytest.mark.parametrize("name", NAMES)
def test_every_icon_of_an_action_can_be_seen(theme, name):
    made = icon(name, theme)
    for size in SIZES:
        image = picture(made, size)
        assert (image.width(), image.height()) == (size, size)
        share = len(ink(image)) / size**2
        assert 0.02 < share < 0.98, f"{name} at {size}"


def differs(colour: QColor, wanted: str) -> int:
    """By how much red, green or blue is off; see-through points are stored a little inexactly."""
    other = QColor(wanted)
    return max(
        abs(colour.red() - other.red()),
        abs(colour.green() - other.green()),
        abs(colour.blue() - other.blue()),
    )


@pytest.mark.parametrize("name", NAMES)
def test_an_icon_has_the_colour_of_the_text(theme, name):
    solid = [colour for colour in ink(picture(icon(name, theme))) if colour.alpha() == 255]
    assert solid
    assert max(differs(colour, theme.colours.text) for colour in solid) <= 1


def test_an_icon_can_have_another_colour(theme):
    solid = [
        colour for colour in ink(picture(icon("play", theme, theme.colours.accent))) if colour.alpha() == 255
    ]
    assert max(differs(colour, theme.colours.accent) for colour in solid) <= 1


@pytest.mark.parametrize("name", NAMES)
def test_a_disabled_icon_is_paler(theme, name):
    made = icon(name, theme)
    usual, disabled = picture(made), picture(made, mode=QIcon.Mode.Disabled)
    assert 0 < average_alpha(disabled) < 0.6 * average_alpha(usual)


def test_no_two_icons_look_alike(theme):
    pictures = {bytes(picture(icon(name, theme)).constBits()) for name in NAMES}
    assert len(pictures) == len(NAMES)


def test_an_icon_that_there_is_not_is_an_error(theme):
    with pytest.raises(FileNotFoundError):
        icon("nothing", theme)


def test_the_icon_of_the_program_can_be_seen(qapp):
    assert ink(picture(program_icon()))


@pytest.mark.parametrize("path", sorted(assets.folder("icons").glob("*.svg")), ids=lambda path: path.stem)
def test_every_picture_in_the_folder_can_be_drawn(path, theme):
    assert ink(picture(icon(path.stem, theme)))
