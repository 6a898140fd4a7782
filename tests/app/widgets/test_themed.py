"""A theme reaches every widget where it is, whenever it was made."""

import pkgutil
from collections.abc import Callable, Iterator
from importlib import import_module
from inspect import Parameter, signature
from typing import Any

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QLabel, QMainWindow, QVBoxLayout, QWidget

import gpviz.app
from gpviz.app.actions import action_specs
from gpviz.app.canvas.legend import Mark
from gpviz.app.compare.lane_view import LaneView
from gpviz.app.experiments.runs_model import RunsModel
from gpviz.app.experiments.runs_table import RunsView
from gpviz.app.lecture.audience_window import AudienceWindow
from gpviz.app.lecture.comparison_view import _LaneTree
from gpviz.app.lecture.hall_theme import hall_theme
from gpviz.app.lecture.presenter_window import PresenterWindow, _SmallSlide
from gpviz.app.lecture.scene_content_view import ContentPreview
from gpviz.app.lecture.scene_list import SceneList, SceneModel
from gpviz.app.pages.neighbours.mutation_table import MutationModel, MutationTable
from gpviz.app.pages.page import Page
from gpviz.app.pane_sizes import Pane
from gpviz.app.theme import Theme, load_theme
from gpviz.app.widgets.themed import Themed, program_theme, set_program_theme
from gpviz.app.window_layout import WindowLayout
from gpviz.experiments.figures.axis_ticks import count_ticks
from gpviz.explain.iteration_phases import Phase
from gpviz.page_list import scene_pages

LIGHT, DARK = load_theme("light"), load_theme("dark")


class Told(Themed, QWidget):
    """Notes what it was told, and when."""

    def __init__(self, parent: QWidget | None = None, diary: list[QWidget] | None = None) -> None:
        super().__init__(parent)
        self.themes: list[Theme] = []
        self.diary = [] if diary is None else diary

    def apply_theme(self, theme: Theme) -> None:
        assert self.theme is theme
        self.themes.append(theme)
        self.diary.append(self)


@pytest.fixture
def window(qtbot) -> Told:
    """A window with a theme of its own."""
    made = Told()
    qtbot.addWidget(made)
    QVBoxLayout(made)
    made.set_theme(LIGHT)
    return made


def test_a_widget_has_the_theme_of_the_program_until_it_is_part_of_what_has_another(qtbot, window):
    set_program_theme(DARK)
    widget = Told()
    qtbot.addWidget(widget)
    assert widget.theme is program_theme() is DARK
    window.layout().addWidget(widget)
    assert widget.theme is LIGHT
    assert widget.themes == [LIGHT]


def test_every_window_without_a_theme_of_its_own_follows_the_program(qtbot, window):
    other, child = Told(), Told(window)
    qtbot.addWidget(other)
    set_program_theme(DARK)
    assert other.themes == [DARK]
    assert (window.theme, child.theme) == (LIGHT, LIGHT)


def test_a_change_is_told_once_to_everything_inside_and_to_the_inner_before_the_outer(window):
    diary = window.diary = []
    outer = Told(window, diary)
    inner = Told(QWidget(outer), diary)
    diary.clear()
    window.set_theme(DARK)
    assert diary == [inner, outer, window]


def test_what_is_inside_a_part_with_a_theme_of_its_own_follows_that_part(window):
    part = Told(window)
    inner = Told(QWidget(part))
    part.set_theme(DARK)
    window.set_theme(load_theme("projector"))
    assert (part.themes, inner.themes) == ([DARK], [DARK])


def test_what_is_put_together_first_is_told_once_as_a_whole(qtbot, window):
    diary: list[QWidget] = []
    outer = Told(diary=diary)
    inner = Told(diary=diary)
    QVBoxLayout(outer).addWidget(inner)
    assert diary == []
    window.layout().addWidget(outer)
    assert diary == [inner, outer]
    window.show()
    assert diary == [inner, outer]


def test_what_was_made_inside_a_window_is_told_before_it_is_seen(window):
    window.show()
    late = Told(window)
    assert late.theme is LIGHT
    late.show()
    assert late.themes == [LIGHT]


def test_what_comes_in_something_plain_is_told_before_it_is_seen(window):
    window.show()
    plain = QWidget()
    late = Told()
    QVBoxLayout(plain).addWidget(late)
    window.layout().addWidget(plain)
    plain.show()
    assert late.themes == [LIGHT]


def test_a_widget_that_moves_to_another_window_is_told_of_its_theme(qtbot, window):
    other = Told()
    qtbot.addWidget(other)
    layout = QVBoxLayout(other)
    other.set_theme(DARK)
    widget = Told()
    window.layout().addWidget(widget)
    layout.addWidget(widget)
    assert widget.themes == [LIGHT, DARK]


def test_a_dialog_has_the_theme_of_its_window(qtbot, window):
    class Dialog(Themed, QDialog):
        pass

    window.set_theme(DARK)
    assert Dialog(window).theme is DARK


def test_every_widget_of_a_lecture_has_the_theme_of_the_audience(qtbot):
    audience = AudienceWindow(is_lecture=True, is_motion_reduced=True)
    qtbot.addWidget(audience)
    audience.resize(1920, 1080)
    audience.show()
    for count, info in enumerate(scene_pages()):
        audience.next_page()
        assert audience.page_name == info.name
        for _ in range(2):  # first as it was made, and then after a change
            _assert_all_like(audience, least=10 + count)
            audience.choose_next_theme()
    audience.shut_down()


def _assert_all_like(audience: AudienceWindow, least: int) -> None:
    widgets = [widget for widget in audience.findChildren(QWidget) if isinstance(widget, Themed)]
    assert len(widgets) > least
    assert {widget.theme.name for widget in widgets} == {audience.theme.name}
    assert all(widget.theme.font_size > 1.2 * LIGHT.font_size for widget in widgets)


# --- every class ---


def _themed_classes() -> Iterator[type[Themed]]:
    for module in pkgutil.walk_packages(gpviz.app.__path__, "gpviz.app."):
        import_module(module.name)
    waiting = [Themed]
    while waiting:
        found = waiting.pop().__subclasses__()
        waiting += found
        yield from (each for each in found if each.__module__.startswith("gpviz.app."))


_SELF_SIZED = (_SmallSlide, _LaneTree, ContentPreview)
_NOT_ALONE = (QMainWindow, QDialog, AudienceWindow, PresenterWindow, WindowLayout, LaneView, *_SELF_SIZED)
"""Windows and what makes up most of one, and what sizes its type by itself: the tests of the windows have them."""
_PARTS = sorted(
    {each for each in _themed_classes() if each is not Page and not issubclass(each, _NOT_ALONE)},
    key=lambda each: f"{each.__module__}.{each.__qualname__}",
)
_MODELS = {RunsView: RunsModel, SceneList: SceneModel, MutationTable: MutationModel}
_ARGUMENTS: dict[str, Callable[[type[Themed], QWidget], Any]] = {
    "action": lambda _, parent: QAction(parent),
    "actions": lambda _, parent: {spec.name: QAction(parent) for spec in action_specs()},
    "canvas": lambda _, parent: parent,
    "entry": lambda *_: Mark.RING,
    "look_at": lambda *_: print,
    "names": lambda *_: ["tree"],
    "model": lambda widget_class, parent: _MODELS[widget_class](parent=parent),
    "pane": lambda *_: Pane.PAGE,
    "panes": lambda *_: {pane: QLabel() for pane in Pane},
    "parent": lambda _, parent: parent,
    "phase": lambda *_: Phase.DRAW,
    "place": lambda *_: 0,
    "plans": lambda *_: [],
    "steps": lambda *_: [("Play", "Press Space.", None)],
    "window": lambda _, parent: parent,
    **dict.fromkeys(("copy", "save", "export", "look_at"), lambda *_: print),
    **dict.fromkeys(("caption", "sign", "title", "word"), lambda *_: "a word"),
    **dict.fromkeys(("curves", "editor", "launch", "main", "work"), lambda *_: QLabel()),
    **dict.fromkeys(("error_ticks", "size_ticks", "ticks_for", "x_ticks"), lambda *_: count_ticks),
}


@pytest.mark.parametrize("widget_class", _PARTS, ids=lambda each: each.__qualname__)
def test_every_widget_follows_the_theme_of_the_hall_it_comes_to_late(window, monkeypatch, widget_class):
    told: list[tuple[QWidget, Theme]] = []
    apply_theme = widget_class.apply_theme

    def apply_and_note(widget: Themed, theme: Theme) -> None:
        apply_theme(widget, theme)
        told.append((widget, theme))

    monkeypatch.setattr(widget_class, "apply_theme", apply_and_note)
    projector, dark = (hall_theme(name, 1920, 1080) for name in ("projector", "dark"))
    window.set_theme(projector)
    needed = [each for each in signature(widget_class).parameters.values() if each.default is Parameter.empty]
    widget = widget_class(**{each.name: _ARGUMENTS[each.name](widget_class, window) for each in needed})
    if widget.parent() is None:
        window.layout().addWidget(widget)
    window.show()
    widget.show()
    for theme in (projector, dark):
        window.set_theme(theme)
        assert [other for other in told if other[0] is widget][-1] == (widget, theme)
        parts = [part for part in (widget, *widget.findChildren(QWidget)) if isinstance(part, Themed)]
        assert all(part.theme is theme for part in parts)
    if hasattr(widget, "shut_down"):
        widget.shut_down()
