"""The icons: each is there, and can be seen in every theme."""

import numpy as np
import numpy.typing as npt
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

Pixels = npt.NDArray[np.uint8]


@pytest.fixture(params=THEME_NAMES)
def theme(request, qapp) -> Theme:
    return load_theme(request.param)


def pixels(made: QIcon, size: int = 48, mode: QIcon.Mode = QIcon.Mode.Normal) -> Pixels:
    """Red, green, blue and opacity of every point."""
    image = made.pixmap(QSize(size, size), mode).toImage().convertToFormat(QImage.Format.Format_RGBA8888)
    assert (image.width(), image.height()) == (size, size)
    return np.frombuffer(bytes(image.constBits()), np.uint8).reshape(size, size, 4)


def are_solid_points_of_colour(image: Pixels, colour: str) -> bool:
    """Whether all points that cannot be seen through have it; it is stored a little inexactly."""
    wanted = QColor(colour)
    solid = image[image[:, :, 3] == 255].astype(int)
    return len(solid) > 0 and np.abs(solid[:, :3] - [wanted.red(), wanted.green(), wanted.blue()]).max() <= 1


def test_there_are_actions_with_icons():
    assert len(NAMES) > 10


def test_every_icon_of_an_action_can_be_seen(theme):
    for name in NAMES:
        for size in SIZES:
            assert 0.02 < (pixels(icon(name, theme), size)[:, :, 3] > 0).mean() < 0.98, (name, size)


def test_an_icon_has_the_colour_of_the_text(theme):
    for name in NAMES:
        assert are_solid_points_of_colour(pixels(icon(name, theme)), theme.colours.text), name


def test_an_icon_can_have_another_colour(theme):
    accent = theme.colours.accent
    assert are_solid_points_of_colour(pixels(icon("play", theme, accent)), accent)


def test_a_disabled_icon_is_paler(theme):
    for name in NAMES:
        usual, disabled = (
            pixels(icon(name, theme), mode=mode)[:, :, 3].mean()
            for mode in (QIcon.Mode.Normal, QIcon.Mode.Disabled)
        )
        assert 0 < disabled < 0.6 * usual, name


def test_no_two_icons_look_alike(theme):
    pictures = {pixels(icon(name, theme)).tobytes() for name in NAMES}
    assert len(pictures) == len(NAMES)


def test_an_icon_that_there_is_not_is_an_error(theme):
    with pytest.raises(FileNotFoundError):
        icon("nothing", theme)


def test_the_icon_of_the_program_can_be_seen(qapp):
    assert pixels(program_icon())[:, :, 3].any()


def test_every_picture_in_the_folder_can_be_drawn(theme):
    for path in assets.folder("icons").glob("*.svg"):
        assert pixels(icon(path.stem, theme))[:, :, 3].any(), path.stem
