"""The theme in use: chosen or the system's, and told to everybody."""

import pytest
from PySide6.QtGui import QPalette

from gpviz.app.settings import FONT_SIZES, Settings
from gpviz.app.theme import DEFAULT_FONT_SIZE, THEME_NAMES, Theme, palette_of, style_sheet
from gpviz.app.theme_manager import SYSTEM, Looks


@pytest.fixture(autouse=True)
def _dressed_as_before(qapp):
    """The program looks afterwards as it did before."""
    palette, font, sheet = QPalette(qapp.palette()), qapp.font(), qapp.styleSheet()
    yield
    qapp.setStyleSheet(sheet)
    qapp.setFont(font)
    qapp.setPalette(palette)


@pytest.fixture
def scheme(monkeypatch):
    """What the system's own theme is, to be set."""
    now = {"is": "light"}
    monkeypatch.setattr("gpviz.app.theme_manager._system_theme", lambda: now["is"])
    return now


@pytest.fixture
def settings(qapp):
    return Settings()


@pytest.fixture
def looks(settings, scheme):
    return Looks(settings)


def test_at_first_the_system_is_followed(looks, scheme, qtbot):
    assert (looks.choice, looks.theme.name) == (SYSTEM, "light")
    scheme["is"] = "dark"
    with qtbot.waitSignal(looks.changed) as changed:
        looks._on_scheme_changed()
    assert looks.theme.name == "dark"
    assert changed.args == [looks.theme]


def test_without_knowledge_of_the_system_it_is_light(settings):
    assert Looks(settings).theme.name == "light"


def test_a_change_of_the_system_is_heard_of(looks, scheme, qapp, qtbot):
    scheme["is"] = "dark"
    with qtbot.waitSignal(looks.changed):
        qapp.styleHints().colorSchemeChanged.emit(qapp.styleHints().colorScheme())
    assert looks.theme.name == "dark"


def test_a_chosen_theme_stays_whatever_the_system_does(looks, scheme, qtbot):
    looks.choose("projector")
    scheme["is"] = "dark"
    with qtbot.assertNotEmitted(looks.changed):
        looks._on_scheme_changed()
    assert looks.theme.name == "projector"


def test_a_choice_is_remembered(looks, settings):
    looks.choose("dark")
    settings.sync()
    assert Looks(Settings()).choice == "dark"
    looks.choose(SYSTEM)
    settings.sync()
    assert Looks(Settings()).choice == SYSTEM


def test_a_choice_for_this_time_is_not_remembered(settings):
    settings.theme = "dark"
    looks = Looks(settings, "projector")
    looks.apply()
    assert (looks.choice, looks.theme.name, settings.theme) == ("projector", "projector", "dark")


def test_the_themes_can_be_gone_round(looks):
    names = []
    for _ in range(len(THEME_NAMES)):
        names.append(looks.theme.name)
        looks.choose_next()
    assert sorted(names) == sorted(THEME_NAMES)
    assert looks.theme.name == names[0]


@pytest.mark.parametrize("name", THEME_NAMES)
def test_the_whole_program_is_dressed(looks, qapp, name):
    looks.choose(name)
    assert qapp.palette().color(QPalette.ColorRole.Window) == palette_of(looks.theme).color(
        QPalette.ColorRole.Window
    )
    assert qapp.font().family() == looks.theme.font().family()
    assert qapp.font().pointSizeF() == pytest.approx(looks.theme.font_size)
    assert qapp.styleSheet() == style_sheet(looks.theme)


def test_type_grows_and_shrinks_by_steps_and_is_remembered(looks, settings):
    looks.change_type(1)
    larger = FONT_SIZES[FONT_SIZES.index(DEFAULT_FONT_SIZE) + 1]
    assert (looks.theme.font_size, Settings().font_size) == (larger, larger)
    looks.change_type(-1)
    assert looks.theme.font_size == DEFAULT_FONT_SIZE


def test_type_stays_within_what_can_be_read(looks):
    looks.change_type(100)
    assert looks.theme.font_size == FONT_SIZES[-1]
    looks.change_type(1)
    assert looks.theme.font_size == FONT_SIZES[-1]
    looks.change_type(-100)
    assert looks.theme.font_size == FONT_SIZES[0]


def test_a_size_between_two_steps_goes_on_from_the_nearest(looks, settings):
    settings.font_size = 17
    looks.change_type(-1)
    assert settings.font_size == 14


def test_everybody_is_told_once_of_each_change(looks, qtbot):
    told: list[Theme] = []
    looks.changed.connect(told.append)
    looks.choose("dark")
    looks.change_type(1)
    assert [theme.name for theme in told] == ["dark", "dark"]
    assert told[-1] is looks.theme
