"""A theme reaches every widget where it is, whenever it was made."""

import pytest
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from gpviz.app.theme import Theme, load_theme
from gpviz.app.widgets.themed import Themed, program_theme, set_program_theme

LIGHT, DARK = load_theme("light"), load_theme("dark")


class Follower(Themed, QWidget):
    """Records the themes it gets, and when."""

    def __init__(self, parent: QWidget | None = None, diary: list[QWidget] | None = None) -> None:
        super().__init__(parent)
        self.themes: list[Theme] = []
        self.diary = [] if diary is None else diary

    def apply_theme(self, theme: Theme) -> None:
        assert self.theme is theme
        self.themes.append(theme)
        self.diary.append(self)


@pytest.fixture
def window(qtbot) -> Follower:
    """A window with a theme of its own."""
    made = Follower()
    qtbot.addWidget(made)
    QVBoxLayout(made)
    made.set_theme(LIGHT)
    return made


def test_a_widget_has_the_theme_of_the_program_until_it_is_part_of_what_has_another(qtbot, window):
    set_program_theme(DARK)
    widget = Follower()
    qtbot.addWidget(widget)
    assert widget.theme is program_theme() is DARK
    window.layout().addWidget(widget)
    assert widget.theme is LIGHT
    assert widget.themes == [LIGHT]


def test_every_window_without_a_theme_of_its_own_follows_the_program(qtbot, window):
    other, child = Follower(), Follower(window)
    qtbot.addWidget(other)
    set_program_theme(DARK)
    assert other.themes == [DARK]
    assert (window.theme, child.theme) == (LIGHT, LIGHT)


def test_what_is_inside_a_part_with_a_theme_of_its_own_follows_that_part(window):
    part = Follower(window)
    inner = Follower(QWidget(part))
    part.set_theme(DARK)
    window.set_theme(load_theme("projector"))
    assert (part.themes, inner.themes) == ([DARK], [DARK])


def test_what_was_made_inside_a_window_has_its_theme_before_it_is_seen(window):
    window.show()
    late = Follower(window)
    assert late.theme is LIGHT
    late.show()
    assert late.themes == [LIGHT]


def test_a_widget_that_moves_to_another_window_gets_its_theme(qtbot, window):
    other = Follower()
    qtbot.addWidget(other)
    layout = QVBoxLayout(other)
    other.set_theme(DARK)
    widget = Follower()
    window.layout().addWidget(widget)
    layout.addWidget(widget)
    assert widget.themes == [LIGHT, DARK]


def test_a_dialog_has_the_theme_of_its_window(qtbot, window):
    class Dialog(Themed, QDialog):
        pass

    window.set_theme(DARK)
    assert Dialog(window).theme is DARK
