"""The menu bar, and the lists of all commands and of the gallery, in which one searches by typing."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMainWindow, QMenu, QMenuBar

from gpviz import page_list
from gpviz.app.actions import Actions, loose_keys, page_action, shown_keys
from gpviz.app.dialogs.command_finder import Entry
from gpviz.app.widgets.mac_safe_menu import MacSafeMenu
from gpviz.escaping import line_text
from gpviz.files.file_io import shown_path
from gpviz.runs.presets import Preset

_LAYOUT: Final = "LAYOUT"
_THEME: Final = "THEME"


def _menus() -> dict[str, Sequence[Sequence[str]]]:
    """The menus and what is in them, by the names of actions; what is not here is under keys and ``?``."""
    return {
        "&Run": (
            ("gallery", "settings", "new_run", "restart"),
            ("open", "save", "save_as", "export"),
            ("compare", "experiments"),
            ("quit",),
        ),
        "&Play": (
            ("play", "next", "previous"),
            ("next_accepted", "previous_accepted"),
            ("first", "live_end", "go_to"),
            ("bookmark", "quiz"),
        ),
        "&Look closer": (
            ("look_closer",),
            _pages_of("Look closer"),
            ("fill_page", "split_page", "tear_off"),
        ),
        "Pr&esent": (("present",), ("give_lecture", "rehearse"), (*_pages_of("Present"), "capture")),
        "&View": (
            (_LAYOUT, "fit", "follow"),
            ("redundant", "ghosts", "reasons"),
            ("log_scale", "theory"),
            (_THEME, "larger_type", "smaller_type", "reduced_motion", "full_screen"),
        ),
        "&Help": (("commands",), ("help", "paper", "marks"), ("about",)),
    }


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
        menu.setToolTipsVisible(True)
        window.menuBar().addMenu(menu)
        made.append(menu)
        for group in groups:
            if group is not groups[0]:
                menu.addSeparator()
            for name in group:
                if name in submenus:
                    menu.addMenu(submenus[name])
                else:
                    menu.addAction(actions[name])
    return made


class Menus:
    """Builds the menus once, and knows everything that can be found by typing."""

    def __init__(self, window: QMainWindow, actions: Actions) -> None:
        self._window = window
        self.actions = actions
        self._presets: list[Entry] = []
        self._lectures: list[Entry] = []
        self._recent: list[Entry] = []
        self.layouts = MacSafeMenu("&Layout", window)
        self.layouts.setToolTipsVisible(True)
        self.themes = MacSafeMenu("T&heme", window)
        add_menus(window, _menus(), actions, {_LAYOUT: self.layouts, _THEME: self.themes})

    # --- what there is to choose from ---

    def set_presets(self, presets: Sequence[Preset], choose: Callable[[str], object]) -> None:
        """Offer these runs."""
        self._presets = [
            _offer(preset.group, preset.title, line_text(preset.explanation), partial(choose, preset.name))
            for preset in presets
        ]

    def set_lectures(
        self,
        lectures: Sequence[tuple[str, str]],
        choose: Callable[[str], object],
        ask: Callable[[], object],
    ) -> None:
        """Offer the lectures that come with the program, given as names and titles, and any other."""
        section, tip = "Lectures", "Open this lecture; its scenes are on the page Scenes."
        self._lectures = [_offer(section, title, tip, partial(choose, name)) for name, title in lectures]
        self._lectures.append(_offer(section, "Open a lecture …", "Open a lecture of your own.", ask))

    def set_recent(
        self, paths: Sequence[str], choose: Callable[[str], object], forget: Callable[[], object]
    ) -> None:
        """Offer the files opened recently."""
        section, tip = "Opened recently", "Forget which files were opened recently; the files stay."
        self._recent = [
            _offer(section, line_text(shown_path(Path(path).name)), shown_path(path), partial(choose, path))
            for path in paths
        ]
        if paths:
            self._recent.append(_offer(section, "Clear this list", tip, forget))

    def fill_choices(
        self, menu: QMenu, choices: Sequence[tuple[str, str]], choose: Callable[[str], None]
    ) -> dict[str, QAction]:
        """One of several, given as names and titles, in a menu."""
        group = QActionGroup(menu)
        made = {}
        for name, title in choices:
            action = made[name] = menu.addAction(title)
            action.setData(name)
            action.setCheckable(True)
            action.triggered.connect(partial(_choose, choose, name))
            group.addAction(action)
        return made

    # --- what can be found by typing ---

    def commands(self) -> list[Entry]:
        """Everything that can be done, as it is now, menu by menu, and all keys; then what is in the gallery."""
        entries: list[Entry] = []
        for menu in _menus_in(self._window.menuBar()):
            section = _plain(menu.title())
            listed = list(_actions_in(menu, section))
            entries += [self._entry(action, section, place) for action, place in listed]
            shown = {action.objectName() for action, _ in listed}
            entries += [
                self._entry(action, section)
                for name, action in self.actions.items()
                if name not in shown and self.actions.spec(name).section == section
            ]
            entries += [
                Entry(text=effect, section=section, keys=keys)
                for where, keys, effect in loose_keys()
                if where == section
            ]
        return [*entries, *self._presets, *self._lectures, *self._recent]

    def gallery(self) -> list[Entry]:
        """The runs worth watching, the lectures, the files opened recently, and the ways to other runs."""
        other = [self._entry(self.actions[name], "Another run") for name in ("open", "settings")]
        return [*self._presets, *self._lectures, *self._recent, *other]

    def _entry(self, action: QAction, section: str, place: str = "") -> Entry:
        name = action.objectName()
        spec = self.actions.spec(name) if name in self.actions else None
        return Entry(
            text=_plain(action.text()),
            section=section,
            place=place,
            keys="" if spec is None else shown_keys(spec),
            tip=action.statusTip(),
            run=action.trigger,
            is_possible=action.isEnabled(),
            is_on=action.isChecked(),
            problem="" if spec is None else spec.why_disabled,
        )


def _pages_of(menu: str) -> tuple[str, ...]:
    """The actions of the pages that this menu offers."""
    return tuple(page_action(info.name) for info in page_list.PAGES if info.menu == menu)


def _menus_in(container: QMenuBar | QMenu) -> list[QMenu]:
    return [menu for action in container.actions() if isinstance(menu := action.menu(), QMenu)]


def _actions_in(menu: QMenu, place: str) -> Iterator[tuple[QAction, str]]:
    """The actions of a menu and its submenus, as they are when it is opened, and where they are."""
    menu.aboutToShow.emit()
    for action in menu.actions():
        submenu = action.menu()
        if isinstance(submenu, QMenu):
            yield from _actions_in(submenu, f"{place} › {_plain(submenu.title())}")
        elif not action.isSeparator():
            yield action, place


def _offer(section: str, text: str, tip: str, run: Callable[[], object]) -> Entry:
    return Entry(text=text, section=section, place=section, tip=tip, run=run)


def _plain(text: str) -> str:
    return text.replace("&", "")


def _choose(choose: Callable[[str], None], name: str, _is_checked: bool = False) -> None:
    choose(name)
