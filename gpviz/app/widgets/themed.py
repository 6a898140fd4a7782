"""Widgets that show the colours or the type of a theme, and how they come to know which.

A widget has the theme of its nearest ancestor that was given one of its own with `Themed.set_theme`, or else
that of the program. Nobody passes a theme on: a widget looks it up once it is part of what has one.
"""

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QEvent
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QApplication, QWidget

from gpviz.app.theme import Theme, load_theme

if TYPE_CHECKING:
    WidgetMixin = QWidget
else:
    WidgetMixin = object  # Qt's classes allow for one of them among the bases


class Themed(WidgetMixin):
    """Stands before the Qt class among the bases of a widget that shows its theme."""

    _program_theme: ClassVar[Theme] = load_theme("light")
    _own_theme: Theme | None = None
    _has_program_theme = False
    _applied_theme: Theme | None = None

    @property
    def theme(self) -> Theme:
        """The theme in force here."""
        return self._applied_theme or _theme_at(self)

    def set_theme(self, theme: Theme) -> None:
        """Give this widget, and everything in it that has none, a theme of its own."""
        self._own_theme = theme
        self.follow_theme()

    def use_program_theme(self) -> None:
        """Have the theme of the program here, also within what has one of its own."""
        self._has_program_theme = True
        self.follow_theme()

    def apply_theme(self, theme: Theme) -> None:
        """Called with the first theme and with every other; the widgets in this one have it already."""
        self.updateGeometry()
        self.update()

    def follow_theme(self) -> None:
        """Apply the theme in force here to this widget and what is in it, where it is not yet applied."""
        _follow_themes(self)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        # What is still being put together gets its theme as a whole later.
        if event.type() == QEvent.Type.ParentChange and _has_theme(self.parentWidget()):
            self.follow_theme()

    def showEvent(self, event: QShowEvent) -> None:
        if self._applied_theme is not _theme_at(self):
            self.follow_theme()
        super().showEvent(event)


def program_theme() -> Theme:
    """The theme of everything that has none of its own."""
    return Themed._program_theme


def set_program_theme(theme: Theme) -> None:
    """Apply this theme to every window, but where it has one of its own."""
    Themed._program_theme = theme
    for window in QApplication.topLevelWidgets():
        _follow_themes(window)


def _theme_at(widget: QWidget) -> Theme:
    each: QWidget | None = widget
    while each is not None:
        if isinstance(each, Themed) and each._has_program_theme:
            return program_theme()
        if isinstance(each, Themed) and each._own_theme is not None:
            return each._own_theme
        each = each.parentWidget()
    return program_theme()


def _has_theme(widget: QWidget | None) -> bool:
    """Whether what this widget is part of has its theme."""
    while widget is not None and not isinstance(widget, Themed):
        widget = widget.parentWidget()
    return widget is not None and widget._applied_theme is not None


def _follow_themes(root: QWidget) -> None:
    changed: list[Themed] = []
    for widget in (root, *root.findChildren(QWidget)):
        if isinstance(widget, Themed) and widget._applied_theme is not (theme := _theme_at(widget)):
            widget._applied_theme = theme
            changed.append(widget)
    # What is inside first: the size of a widget follows from that of its parts.
    for widget in reversed(changed):
        widget.apply_theme(widget.theme)
