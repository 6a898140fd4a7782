"""The icons: each is there, and can be seen in every theme."""

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon, QImage

from gpviz import assets
from gpviz.app.actions import action_specs
from gpviz.app.theme import icon, load_theme, program_icon
from gpviz.assets import THEME_NAMES

NAMES = sorted(path.stem for path in assets.folder("icons").glob("*.svg"))


def picture(made: QIcon, size: int = 48, mode: QIcon.Mode = QIcon.Mode.Normal) -> QImage:
    return made.pixmap(QSize(size, size), mode).toImage()


def ink(image: QImage) -> list[QColor]:
    """The colours of the pixels that are not transparent."""
    points = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    return [colour for colour in points if colour.alpha() > 0]


def solid_colours(image: QImage) -> set[str]:
    return {colour.name() for colour in ink(image) if colour.alpha() == 255}


def test_every_action_has_an_icon_of_its_own(qapp):
    names = {spec.icon for spec in action_specs() if spec.icon} | {"pause"}
    assert names <= set(NAMES)
    theme = load_theme("light")
    assert len({bytes(picture(icon(name, theme)).constBits()) for name in names}) == len(names)


@pytest.mark.parametrize("name", NAMES)
def test_every_icon_can_be_seen(qapp, name):
    made = icon(name, load_theme("light"))
    for size in (16, 48):
        assert len(ink(picture(made, size))) / size**2 > 0.02, size


@pytest.mark.parametrize("theme_name", THEME_NAMES)
def test_an_icon_has_the_colour_of_the_text_or_another(qapp, theme_name):
    theme = load_theme(theme_name)
    text, accent = QColor(theme.colours.text).name(), QColor(theme.colours.accent).name()
    assert solid_colours(picture(icon("export", theme))) == {text}
    assert solid_colours(picture(icon("export", theme, theme.colours.accent))) == {accent}
    chosen = picture(icon("export", theme, chosen=theme.colours.accent), mode=QIcon.Mode.Selected)
    assert solid_colours(chosen) == {accent}


def test_the_icon_of_the_program_can_be_seen(qapp):
    assert ink(picture(program_icon()))
