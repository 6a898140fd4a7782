"""The menu bar, and the toolbar, whose buttons lose their texts where it is narrow."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, Slot
from PySide6.QtGui import QAction, QActionGroup, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QMainWindow,
    QMenu,
    QMenuBar,
    QSizePolicy,
    QToolBar,
    QToolButton,
    QWidget,
)

from gpviz import page_list
from gpviz.app.actions import Actions, page_action
from gpviz.app.theme import Theme, icon
from gpviz.app.timers import single_shot
from gpviz.app.widgets.fields import set_role
from gpviz.app.widgets.mac_safe_menu import MacSafeMenu
from gpviz.escaping import menu_text, tooltip_text
from gpviz.files.file_io import shown_path
from gpviz.runs.presets import Preset

_LEAST_FOR_ONE_ROW: Final = 1260
_BESIDE_MENU: Final = 24
_BETWEEN: Final = 24
"""What is free between the menus and the toolbar, in one row."""

_PAGES: Final = "PAGES"
"""Stands for the actions of the pages that the menu offers."""

_MENUS: Final = {
    "&Run": (
        ("new_run", "restart"),
        ("open", "RECENT", "save", "save_as"),
        ("export", "copy_tree"),
        ("close_window", "quit"),
    ),
    "&Play": (
        ("play", "play_backwards"),
        ("next", "previous", "next_accepted", "previous_accepted"),
        ("first", "live_end", "go_to"),
        ("faster", "slower"),
        ("bookmark",),
    ),
    "St&udy": (
        (_PAGES,),
        ("phase_down", "phase_up"),
        ("quiz", "compare", "experiments"),
        ("undo", "redo"),
    ),
    "&Lecture": (
        ("lecture", "present", "rehearse"),
        ("LECTURES", "new_lecture", "save_lecture"),
        (_PAGES, "capture"),
    ),
    "&Tree": (
        ("LAYOUT",),
        ("fit", "zoom_in", "zoom_out", "follow"),
        ("collapse", "expand_all", "fold_resting"),
        ("redundant", "ghosts", "reasons"),
    ),
    "&View": (
        ("setup_panel", "step_panel", "curves_panel", "strip_panel", "fold_settings"),
        ("fill_page", "larger_page", "smaller_page", "next_pane", "previous_pane"),
        ("log_scale", "theory", "neighbour_outlooks", "whole_outlook", "reset_curves"),
        ("THEME", "next_theme", "larger_type", "smaller_type", "reduced_motion"),
        ("full_screen",),
    ),
    "&Help": (("help", "paper", "hint", "marks", "keys"), ("about",)),
}


class ShrinkingToolBar(QToolBar):
    """Keeps all its buttons in sight: where it is narrow, they lose their texts, which stay as tooltips."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self._buttons: tuple[QToolButton, ...] = ()
        self._last: tuple[QToolButton, ...] = ()
        self._width_limit: int | None = None
        self._timer = single_shot(self, self.fit)

    def set_yielding(self, buttons: Sequence[QToolButton], last: Sequence[QToolButton] = ()) -> None:
        """Set the buttons that lose their texts, in this order, and those that do so last."""
        self._buttons = (*buttons, *last)
        self._last = tuple(last)
        self._fit_soon()

    def set_width_limit(self, width: int | None) -> None:
        """Be at most this wide; None to be as wide as the window."""
        self._width_limit = width
        self._fit_soon()

    def least_width(self) -> int:
        """The width without texts, but for those that go last."""
        icon_only, text = Qt.ToolButtonStyle.ToolButtonIconOnly, Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        for button in self._buttons:
            button.setToolButtonStyle(text if button in self._last else icon_only)
        needed = self._needed()
        self.fit()
        return needed

    def event(self, event: QEvent) -> bool:
        is_handled = super().event(event)
        match event.type():
            case QEvent.Type.Show | QEvent.Type.Resize | QEvent.Type.FontChange | QEvent.Type.StyleChange:
                self._fit_soon()
            case QEvent.Type.Hide:
                self._timer.stop()
        return is_handled

    @Slot()
    def fit(self) -> None:
        """Give as many buttons as possible their texts."""
        for button in self._buttons:
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        for button in self._buttons:
            if self._needed() <= (self.width() if self._width_limit is None else self._width_limit):
                break
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        menu_bar = self.parentWidget()
        if self._width_limit is not None and isinstance(
            menu_bar, QMenuBar
        ):  # on its way back it is in the window
            self.resize(self.sizeHint())
            QApplication.sendEvent(
                menu_bar, QResizeEvent(QSize(), QSize())
            )  # it lays out its corner only then
            menu_bar.update()  # Qt leaves menus half painted where the corner was

    def _fit_soon(self) -> None:
        """Once all that changes has changed."""
        if self.isVisible():
            self._timer.start()

    def _needed(self) -> int:
        layout = self.layout()
        assert layout is not None
        layout.invalidate()
        return self.sizeHint().width()


def add_menus(
    window: QMainWindow,
    menus: Mapping[str, Sequence[Sequence[str]]],
    actions: Mapping[str, QAction],
    submenus: Mapping[str, QMenu],
) -> list[QMenu]:
    """Give a window its menus by the names of actions and submenus, in groups between which there are lines."""
    made: list[QMenu] = []
    for title, groups in menus.items():
        menu = MacSafeMenu(title, window)
        window.menuBar().addMenu(menu)
        made.append(menu)
        for group in groups:
            if group is not groups[0]:
                menu.addSeparator()
            for name in group:
                if name == _PAGES:
                    menu.addActions([actions[page_action(info.name)] for info in _pages_of(title)])
                elif name in submenus:
                    menu.addMenu(submenus[name])
                else:
                    menu.addAction(actions[name])
    return made


class Menus:
    """Builds the menus once; recent files and marks follow what happens."""

    def __init__(self, window: QMainWindow, actions: Actions) -> None:
        self._window = window
        self.presets = MacSafeMenu("Pre&sets", window)
        self.presets.setToolTipsVisible(True)
        self.recent = MacSafeMenu("Open &recent", window)
        self.layouts = MacSafeMenu("&Layout", window)
        self.themes = MacSafeMenu("The&me", window)
        self.lectures = MacSafeMenu("&Open a lecture", window)
        special = {
            "RECENT": self.recent,
            "LAYOUT": self.layouts,
            "THEME": self.themes,
            "LECTURES": self.lectures,
        }
        menus = add_menus(window, _MENUS, actions, special)
        window.menuBar().insertMenu(menus[1].menuAction(), self.presets)
        self._build_toolbar(actions)

    def fill_presets(self, presets: Sequence[Preset], choose: Callable[[str], None]) -> None:
        """Offer the presets under the headings of their groups."""
        group = ""
        for preset in presets:
            if preset.group != group:
                if group:
                    self.presets.addSeparator()
                group = preset.group
                heading = self.presets.addAction(group)
                heading.setEnabled(False)
            _offer(self.presets, menu_text(preset.title), preset.name, choose, preset.explanation)

    def fill_recent(
        self, paths: Sequence[str], choose: Callable[[str], None], forget: Callable[[], None]
    ) -> None:
        """Offer the files of late."""
        self.recent.clear()
        self.recent.setEnabled(bool(paths))
        for path in paths:
            _offer(self.recent, menu_text(shown_path(Path(path).name)), path, choose, shown_path(path))
        if paths:
            self.recent.addSeparator()
            self.recent.addAction("&Clear this list").triggered.connect(forget)

    def fill_lectures(
        self, lectures: Sequence[tuple[str, str]], choose: Callable[[str], None], ask: Callable[[], None]
    ) -> None:
        """Offer the lectures that come with the program, given as names and titles, and any other."""
        for name, title in lectures:
            _offer(self.lectures, menu_text(title), name, choose)
        self.lectures.addSeparator()
        self.lectures.addAction("&Open …").triggered.connect(ask)

    def fill_choices(
        self, menu: QMenu, choices: Sequence[tuple[str, str]], choose: Callable[[str], None]
    ) -> dict[str, QAction]:
        """One of several, given as names and titles, in a menu."""
        group = QActionGroup(menu)
        made = {}
        for name, title in choices:
            action = made[name] = _offer(menu, title, name, choose)
            action.setCheckable(True)
            group.addAction(action)
        return made

    def fit_rows(self, width: int) -> None:
        """Put the toolbar beside the menus where both fit in one row, which leaves the tree more height."""
        bar, menu_bar = self._toolbar, self._window.menuBar()
        metrics = menu_bar.fontMetrics()
        titles = [action.text().replace("&", "") for action in menu_bar.actions()]
        menus = sum(metrics.horizontalAdvance(title) + _BESIDE_MENU for title in titles) + _BETWEEN
        # Where the menus are at the top of the screen nothing can be beside them.
        is_there = not menu_bar.isNativeMenuBar()
        has_one_row = is_there and bar.least_width() + menus <= width >= _LEAST_FOR_ONE_ROW
        if has_one_row != (bar.parentWidget() is menu_bar):
            focus = self._window.focusWidget()
            if has_one_row:
                self._window.removeToolBar(bar)
                menu_bar.setCornerWidget(bar)
            else:
                menu_bar.setCornerWidget(None)  # type: ignore[arg-type]  # Qt's way to take it away
                self._window.addToolBar(bar)
            set_role(menu_bar, "with toolbar" if has_one_row else "")
            bar.show()
            if focus is not None:
                focus.setFocus()
        bar.set_width_limit(width - menus if has_one_row else None)

    def apply_theme(self, theme: Theme) -> None:
        self.presets_button.setIcon(icon("presets", theme))
        self._layout_button.setIcon(icon("layout", theme))
        side = round(theme.font_size * 1.7)
        self._toolbar.setIconSize(QSize(side, side))

    def _build_toolbar(self, actions: Actions) -> None:
        bar = ShrinkingToolBar("Toolbar", self._window)
        bar.setObjectName("toolbar")
        bar.setMovable(False)
        bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._toolbar = bar
        self.presets_button = _menu_button("Presets", "Open a run worth watching", self.presets)
        self._layout_button = _menu_button("Layout", "Choose how the tree is drawn", self.layouts)
        bar.addWidget(self.presets_button)
        for name in ("setup_panel", "open", "save", "bookmark"):
            bar.addAction(actions[name])
        bar.addSeparator()
        bar.addWidget(self._layout_button)
        self._add_small(actions, "fit", "zoom_out", "zoom_in")
        space = QWidget()
        space.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        bar.addWidget(space)
        for name in ("compare", "experiments", "lecture", "export"):
            bar.addAction(actions[name])
        self._add_small(actions, "next_theme", "keys")
        actions["lecture"].setIconText("Lecture")
        actions["next_theme"].setIconText("Theme")
        actions["setup_panel"].setIconText("Settings")
        for action in bar.actions():
            widget = bar.widgetForAction(action)
            if isinstance(widget, QToolButton):
                widget.setFocusPolicy(Qt.FocusPolicy.TabFocus)
                widget.setAccessibleName(action.text().replace("&", "") or widget.text())
        names = ("bookmark", "save", "open", "setup_panel", "experiments", "compare", "export", "lecture")
        buttons = [bar.widgetForAction(actions[name]) for name in names]
        yielding = [button for button in buttons if isinstance(button, QToolButton)]
        bar.set_yielding(yielding, [self._layout_button, self.presets_button])
        self._window.addToolBar(bar)

    def _add_small(self, actions: Actions, *names: str) -> None:
        """Add actions as icons only; their texts are tooltips."""
        for name in names:
            self._toolbar.addAction(actions[name])
            button = self._toolbar.widgetForAction(actions[name])
            assert isinstance(button, QToolButton)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)


def _pages_of(menu: str) -> list[page_list.PageInfo]:
    """The pages that this menu offers."""
    return [info for info in page_list.PAGES if info.menu == menu.replace("&", "")]


def _menu_button(text: str, tip: str, menu: QMenu) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setToolTip(tip)
    button.setMenu(menu)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    return button


def _offer(menu: QMenu, text: str, name: str, choose: Callable[[str], None], tip: str = "") -> QAction:
    """Add an action that chooses what has this name."""
    action = menu.addAction(text)
    if tip:
        action.setToolTip(tooltip_text(tip))
        action.setStatusTip(tip)
    action.setData(name)
    action.triggered.connect(partial(_choose, choose, name))
    return action


def _choose(choose: Callable[[str], None], name: str, _is_checked: bool = False) -> None:
    choose(name)
