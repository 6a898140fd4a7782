"""The theme in use: chosen or the system's, and told to everybody."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette

from gpviz.app.preferences import FONT_SIZES, Preferences
from gpviz.app.theme import DEFAULT_FONT_SIZE, palette_of, style_sheet
from gpviz.app.theme_manager import SYSTEM, ThemeManager
from gpviz.app.widgets.themed import program_theme
from gpviz.assets import THEME_NAMES


@pytest.fixture
def scheme(monkeypatch):
    """What the system's own theme is, to be set."""
    now = {"is": "light"}
    monkeypatch.setattr("gpviz.app.theme_manager.preferred_theme", lambda: now["is"])
    return now


@pytest.fixture
def preferences(qapp):
    return Preferences()


@pytest.fixture
def theme_manager(preferences, scheme):
    return ThemeManager(preferences)


def test_at_first_the_system_is_followed(theme_manager, scheme, qapp):
    assert (theme_manager.choice, theme_manager.theme.name) == (SYSTEM, "light")
    scheme["is"] = "dark"
    qapp.styleHints().colorSchemeChanged.emit(qapp.styleHints().colorScheme())
    assert theme_manager.theme.name == "dark"
    assert program_theme() is theme_manager.theme


def test_a_wish_for_contrast_is_heard_of(theme_manager, scheme, qapp):
    scheme["is"] = "contrast"
    qapp.styleHints().accessibility().contrastPreferenceChanged.emit(Qt.ContrastPreference.HighContrast)
    assert theme_manager.theme.name == "contrast"


def test_a_chosen_theme_stays_whatever_the_system_does(theme_manager, scheme, qapp):
    theme_manager.choose("projector")
    scheme["is"] = "dark"
    qapp.styleHints().colorSchemeChanged.emit(qapp.styleHints().colorScheme())
    assert theme_manager.theme.name == "projector"


def test_a_choice_is_remembered(theme_manager, preferences):
    theme_manager.choose("dark")
    preferences.sync()
    assert ThemeManager(Preferences()).choice == "dark"
    theme_manager.choose(SYSTEM)
    preferences.sync()
    assert ThemeManager(Preferences()).choice == SYSTEM


def test_the_themes_can_be_gone_round(theme_manager):
    names = []
    for _ in range(len(THEME_NAMES)):
        names.append(theme_manager.theme.name)
        theme_manager.choose_next()
    assert sorted(names) == sorted(THEME_NAMES)
    assert theme_manager.theme.name == names[0]


@pytest.mark.parametrize("name", THEME_NAMES)
def test_the_whole_program_has_the_theme(theme_manager, qapp, name):
    theme_manager.choose(name)
    assert qapp.palette().color(QPalette.ColorRole.Window) == palette_of(theme_manager.theme).color(
        QPalette.ColorRole.Window
    )
    assert qapp.font().family() == theme_manager.theme.font().family()
    assert qapp.font().pointSizeF() == pytest.approx(theme_manager.theme.font_size)
    assert qapp.styleSheet() == style_sheet(theme_manager.theme)


def test_type_grows_and_shrinks_by_steps_and_is_remembered(theme_manager, preferences):
    theme_manager.change_type(1)
    larger = FONT_SIZES[FONT_SIZES.index(DEFAULT_FONT_SIZE) + 1]
    assert (theme_manager.theme.font_size, Preferences().font_size) == (larger, larger)
    theme_manager.change_type(-1)
    assert theme_manager.theme.font_size == DEFAULT_FONT_SIZE
