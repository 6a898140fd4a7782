"""All commands of all windows: one table with the text, keys and icon of each.

Menus, buttons, the list of commands and the guide's page of keys read it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from gpviz import page_list
from gpviz.app.key_text import free_keys, key_text
from gpviz.app.player.player import Player
from gpviz.app.theme import Theme, icon

MAIN: Final = "main"
GUIDE: Final = "guide"
PAPER: Final = "paper"
COMPARE: Final = "compare"
EXPERIMENTS: Final = "experiments"
EXPORT: Final = "export"
LECTURE: Final = "lecture"
SHOWN_RUN: Final = "shown run"
"""A run before an audience, without a lecture."""

_EVERYWHERE: Final = (GUIDE, PAPER, COMPARE, EXPERIMENTS)
_ALSO_EXPORT: Final = (*_EVERYWHERE, EXPORT)
"""The windows that have, beside the main one, what concerns the whole program."""


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """What is said about an action; ``icon`` is the name of a shape."""

    name: str
    section: str
    text: str
    keys: tuple[str, ...] = ()
    tip: str = ""
    icon: str = ""
    is_checkable: bool = False
    is_on: bool | None = None
    """How a switch is at first that is remembered."""
    also_in: tuple[str, ...] = ()
    """Other windows that have the same action, with the same keys."""
    button: str = ""
    """What its button says, where that is shorter."""
    why_disabled: str = ""
    """What is said while it is disabled."""


class KeySpec(NamedTuple):
    """What is said about keys or moves of the mouse that belong to no action."""

    section: str
    keys: str
    effect: str


def _command(name: str, text: str, keys: str, tip: str, icon: str = "", **more: Any) -> ActionSpec:
    """An action by its keys, each of which does it, and its tip."""
    return ActionSpec(name, "", text, tuple(keys.split()), tip, icon, **more)


def _switch(name: str, text: str, keys: str, tip: str, *, is_on: bool | None = None) -> ActionSpec:
    """An action that switches something on or off."""
    return _command(name, text, keys, tip, is_checkable=True, is_on=is_on)


_PAGE_ACTIONS: Final = _command("pages", "", "", "")
"""Stands for the actions of all pages, which follow from the list of pages."""
_FULL_SCREEN: Final = _switch("full_screen", "Fill the s&creen", "Shift+F11", "Switch full screen on or off")
_AT_START: Final = "This is the start of the run."

_MAIN_ACTIONS: Final = {
    "Run": (
        _command(
            "gallery",
            "Choose from the &gallery",
            "F2",
            "Choose a run worth watching, a lecture, or a file opened recently",
            button="Gallery",
        ),
        _command("settings", "Set up a &new run …", "Ctrl+1", "Choose the settings of a new run"),
        _command(
            "new_run",
            "Start with the ne&xt seed",
            "Ctrl+N",
            "Start a run with these settings and the next seed",
        ),
        _command("restart", "Start aga&in", "Ctrl+R", "Start a run with these settings and the same seed"),
        _command("open", "&Open …", "Ctrl+O", "Open a saved run, lecture or experiment"),
        _command("save", "&Save", "Ctrl+S", "Save the run and its bookmarks"),
        _command("save_as", "Save &as …", "Ctrl+Shift+S", "Save under another name"),
        _command("export", "&Export …", "Ctrl+E", "Export pictures, films, slides, a web page or tables"),
        _command("copy_tree", "Copy the tree", "Ctrl+Shift+C", "Copy the tree as a picture"),
        _command("copy_page", "Copy the page", "", "Copy the page beside the tree as a picture"),
        _command("compare", "&Compare runs …", "Ctrl+K", "Compare two to four runs side by side"),
        _command(
            "experiments",
            "&Do experiments …",
            "Ctrl+B",
            "Do thousands of runs and compare them with the paper",
            also_in=_EVERYWHERE,
        ),
        _command(
            "close_window", "Close the window", "Ctrl+W", "Close this window", also_in=(COMPARE, EXPORT)
        ),
        _command("quit", "&Quit", "Ctrl+Q", "Close gpviz", also_in=_EVERYWHERE),
    ),
    "Play": (
        _command("play", "&Play", "Space", "Play or pause the run", "play"),
        _command("next", "Step &forward", "Right", "Show the next iteration; at the end, compute it", "next"),
        _command(
            "previous",
            "Step &back",
            "Left",
            "Show the previous iteration",
            "previous",
            why_disabled=_AT_START,
        ),
        _command(
            "next_accepted",
            "Go to the &next accepted mutation",
            "Shift+Right",
            "Go to the next accepted mutation that changes the tree",
        ),
        _command(
            "previous_accepted",
            "Go to the p&revious accepted mutation",
            "Shift+Left",
            "Go to the previous accepted mutation that changed the tree",
            why_disabled=_AT_START,
        ),
        _command("first", "Go to the &start", "Home", "Go to the start of the run", why_disabled=_AT_START),
        _command(
            "live_end",
            "Go to the live &end",
            "End",
            "Go to the last computed iteration",
            why_disabled="The last computed iteration is on show.",
        ),
        _command("go_to", "Go to an &iteration …", "Ctrl+G", "Go to an iteration by its number"),
        _command(
            "play_backwards",
            "Play backwards",
            "Shift+Space",
            "Play back to the start",
            why_disabled=_AT_START,
        ),
        _command("faster", "Play faster", "+ =", "Play at a higher speed"),
        _command("slower", "Play slower", "-", "Play at a lower speed"),
        _command(
            "bookmark", "Book&mark this iteration", "B", "Bookmark this iteration, or remove its bookmark"
        ),
        _switch("quiz", "&Guess first", "Q", "Before each verdict, guess whether the offspring is accepted"),
    ),
    "Look closer": (
        _switch(
            "look_closer",
            "&Look closer",
            "F4 Ctrl+3",
            "Show a page beside the tree: why, what next, what to expect",
            is_on=False,
        ),
        _PAGE_ACTIONS,
        _switch(
            "fill_page", "&Fill the window with the page", "F", "Fill the window with the page; Esc returns"
        ),
        _switch("split_page", "Show tw&o pages", "", "Show two pages, one above the other", is_on=False),
        _command("tear_off", "Mo&ve the page to a window", "", "Give the page a window of its own"),
        _command("larger_page", "Widen the page", "Alt++ Alt+=", "Give the page more room"),
        _command("smaller_page", "Narrow the page", "Alt+-", "Give the tree more room"),
        _command("phase_down", "Show the next phase", "Down", "Show the next phase of the iteration"),
        _command("phase_up", "Show the previous phase", "Up", "Show the previous phase of the iteration"),
        _switch(
            "neighbour_outlooks",
            "Show the outlook of each neighbour",
            "Shift+N",
            "List in Neighbours the chance to end stuck after each move",
            is_on=False,
        ),
        _switch(
            "whole_outlook",
            "Show the outlook of the whole run",
            "Shift+O",
            "Show in Outlook the whole run, or the run up to the cursor",
            is_on=True,
        ),
        _command(
            "undo",
            "Undo",
            "Ctrl+Z",
            "Undo the last change to the branches or the lecture",
            why_disabled="There is nothing to undo.",
        ),
        _command(
            "redo",
            "Redo",
            "Ctrl+Shift+Z Ctrl+Y",
            "Redo the change that was undone",
            why_disabled="There is nothing to redo.",
        ),
    ),
    "Present": (
        _command(
            "present",
            "&Present this run",
            "F11 Ctrl+L",
            "Show this run to an audience, full screen",
            button="Present",
        ),
        _command("give_lecture", "&Give the lecture", "F5", "Give the lecture from its first scene"),
        _command(
            "rehearse", "&Rehearse the lecture", "Shift+F5", "Rehearse it from the chosen scene, with notes"
        ),
        _command(
            "capture", "&Capture this view", "Ctrl+Shift+A", "Add the current view to the lecture as a scene"
        ),
        _command("new_lecture", "Begin a new lecture", "", "Begin a lecture without scenes"),
        _command("save_lecture", "Save the lecture", "", "Save the scenes and their runs"),
    ),
    "View": (
        _command("fit", "&Fit the tree", "0", "Show the whole tree and keep it in view"),
        _command("zoom_in", "Zoom in", "Ctrl++ Ctrl+=", "Enlarge the tree"),
        _command("zoom_out", "Zoom out", "Ctrl+-", "Make the tree smaller"),
        _switch(
            "follow", "Follow the &mutation", "T", "Zoom in on each mutation of a large tree", is_on=True
        ),
        _command("collapse", "Collapse or expand", "C", "Collapse or expand the chosen subtree"),
        _command("expand_all", "Expand everything", "Shift+C", "Expand every collapsed subtree"),
        _switch(
            "fold_resting",
            "Fold what has not chan&ged",
            "Ctrl+Shift+F",
            "Fold subtrees that have not changed for 30 iterations",
            is_on=False,
        ),
        _switch(
            "redundant",
            "Shade &redundant leaves",
            "R",
            "Shade leaves that could be removed, alone or with others",
            is_on=True,
        ),
        _switch("ghosts", "Show rejected &offspring", "G", "Show rejected offspring on the tree", is_on=True),
        _switch(
            "reasons",
            "Say &why leaves stay",
            "W",
            "Show under each leaf of a stuck tree what deleting or changing it costs",
            is_on=True,
        ),
        _switch(
            "log_scale",
            "Use a lo&garithmic scale",
            "L",
            "Show the error on a logarithmic scale (of error + 1)",
            is_on=True,
        ),
        _switch(
            "theory",
            "Show &theory in the curves",
            "Shift+L",
            "Show in the curves what the paper proves about the run",
            is_on=False,
        ),
        _command("reset_curves", "Show the whole run", "Ctrl+0", "Show the whole run in the curves"),
        _command(
            "next_theme",
            "Switch to the next theme",
            "Ctrl+T",
            "Go round the themes: light, dark, projector, high contrast",
            also_in=_EVERYWHERE,
        ),
        _command("larger_type", "Enlarge the t&ype", "Ctrl+]", "Larger type everywhere", also_in=_EVERYWHERE),
        _command(
            "smaller_type", "Shrin&k the type", "Ctrl+[", "Smaller type everywhere", also_in=_EVERYWHERE
        ),
        _switch("reduced_motion", "Re&duce motion", "", "No animation: trees change at once", is_on=False),
        _FULL_SCREEN,
        _command(
            "next_pane",
            "Go to the next part of the window",
            "F6",
            "Move the keyboard focus to the next part of the window",
            also_in=_ALSO_EXPORT,
        ),
        _command(
            "previous_pane",
            "Go to the previous part of the window",
            "Shift+F6",
            "Move the keyboard focus to the previous part of the window",
            also_in=_ALSO_EXPORT,
        ),
    ),
    "Help": (
        _command("commands", "&Find a command …", "?", "Find and run any command, and see every key"),
        _command(
            "help",
            "Read the &guide",
            "F1",
            "Read about the part of the window in use",
            also_in=(PAPER, COMPARE, EXPORT),
        ),
        _command(
            "paper",
            "Read the &paper",
            "F3",
            "The paper's statements, with buttons that show each of them",
            also_in=(GUIDE, COMPARE, EXPERIMENTS),
        ),
        _command("marks", "Explain the &marks", "Shift+F1", "Explain the colours, rings, ghosts and crosses"),
        _command("about", "&About gpviz", "", "Show the version and the licence"),
    ),
}

_COMPARE_TIPS: Final = {
    "play": "Play or pause all runs",
    "play_backwards": "",
    "next": "Show the next iteration of all runs; at the end, compute it",
    "previous": "",
    "next_accepted": "Go to the next iteration that changes a tree",
    "previous_accepted": "Go to the previous iteration that changed a tree",
    "first": "Go to the start of all runs",
    "live_end": "Go to the last computed iteration of all runs",
    "faster": "",
    "slower": "",
}
"""What moves through a run moves through all that are compared, with the same tips where no others are given."""

_EXPERIMENTS_ACTIONS: Final = {
    "Experiment": (
        _command("start", "&Start", "Ctrl+Return", "Run the plan"),
        _command("continue", "Con&tinue", "Ctrl+Shift+Return", "Do the missing runs of this experiment"),
        _command("cancel", "C&ancel", "Ctrl+.", "Stop the experiment and keep the finished runs"),
        _command("new", "&New", "Ctrl+N", "Close this experiment and begin with a new plan"),
        _command("open", "&Open …", "Ctrl+O", "Open the results of an experiment"),
        _command(
            "save_csv", "Save the table as CS&V …", "Ctrl+S", "Save the cells as a table for other programs"
        ),
        _command(
            "save_json",
            "Save the table as &JSON …",
            "",
            "Save the cells as gpviz experiment --json prints them",
        ),
        _command("save_latex", "Save the table as &LaTeX …", "", "Save the cells as a table for a paper"),
        _command("save_runs", "Save all r&uns as CSV …", "", "Save a line for every run, with its seed"),
        _command(
            "save_ioh", "Save all runs for &IOHprofiler …", "", "Save a folder that IOHanalyzer can read"
        ),
        _command(
            "close",
            "&Close",
            "Ctrl+W",
            "Close this window; a running experiment stops and keeps its finished runs",
        ),
    ),
    "Plan": (
        _command("load_plan", "&Load a plan …", "Ctrl+L", "Load a plan from a TOML file"),
        _command("save_plan", "&Save the plan …", "Ctrl+Shift+S", "Save the plan as a TOML file"),
    ),
    "View": (
        _switch("plan_panel", "&Plan", "F9", "Show or hide the plan"),
        _FULL_SCREEN,
        _command("go_plan", "Go to the p&lan", "Alt+1", "Edit the plan"),
        _command("go_cells", "Go to the c&ells", "Alt+2", "Go to the table of cells"),
        _command("go_charts", "Go to the c&harts", "Alt+3", "Go to the charts"),
        _command("go_runs", "Go to all &runs", "Alt+4", "Go to the table of all runs"),
        _command("compare", "Co&mpare …\tCtrl+K", "", "Compare two to four runs side by side"),
    ),
    "Help": (_command("guide", "&Guide", "F1", "Help on experiments"),),
}

_MAIN_KEYS: Final = (
    KeySpec("Play", "Y, N", "Guess that it is accepted (Y) or rejected (N)"),
    KeySpec("Play", "Enter", "Show the verdict without a guess"),
    KeySpec("Play", "Click, drag on the time strip", "Go to an iteration"),
    KeySpec("Look closer", "The key of the page on show", "Move the keyboard focus into the page"),
    KeySpec("Look closer", "Double-click on a tab", "Fill the window with its page"),
    KeySpec("View", "Wheel, drag, double-click", "Zoom, move, fit the tree"),
    KeySpec("View", "Alt+arrows", "Choose a node with the keyboard"),
    KeySpec("View", "Shift+Alt+arrows", "Move the view of the tree"),
    KeySpec("View", "Double-click on a node", "Collapse or expand it"),
    KeySpec("View", "Wheel on the time strip", "Zoom in time"),
    KeySpec("View", "Drag an edge", "Resize the pages or the time strip"),
    KeySpec("View", "Double-click on an edge", "Reset its size"),
)
_LECTURE_KEYS: Final = (
    KeySpec("Steps", "Page Down, Right, Space", "Go on one click: a step or the next scene"),
    KeySpec("Steps", "Page Up, Left", "Go back one click"),
    KeySpec("Steps", "Shift+Page Down, Shift+Page Up", "Go to the next or the previous scene"),
    KeySpec("Steps", "Home, End", "Go to the first or the last scene"),
    KeySpec("Steps", "F5", "Restart this scene"),
)
_SHOWN_RUN_KEYS: Final = (
    KeySpec("Steps", "Page Down, Right", "Step forward"),
    KeySpec("Steps", "Page Up, Left", "Step back"),
    KeySpec("Steps", "Space", "Play or pause"),
    KeySpec("Steps", "Shift+Page Down, Shift+Page Up", "Go to the next or the previous accepted mutation"),
    KeySpec("Steps", "Home, End", "Go to the start or the live end"),
)
_PAGES_OF_SCENES: Final = "{pages}"
_AUDIENCE_KEYS: Final = (
    KeySpec("Screen", "B or .", "Turn the screen black; press again or click to return"),
    KeySpec("Screen", "W", "Turn the screen white"),
    KeySpec("Screen", "P or Tab", "Go to the presenter window, or back to the audience"),
    KeySpec("Screen", "F", "Fill the screen, or show a window"),
    KeySpec("Screen", "Ctrl+], Ctrl+[", "Enlarge or shrink the type"),
    KeySpec("Screen", "Ctrl+T", "Switch to the next theme"),
    KeySpec("Screen", "Esc, Ctrl+W", "Leave"),
    KeySpec("Pointing", "L", "Show a laser dot at the mouse"),
    KeySpec("Pointing", "S", "Darken all but a circle around the mouse"),
    KeySpec("Pointing", "+, −, wheel", "Enlarge or shrink the dot or circle"),
    KeySpec("Pointing", "Alt+arrows", "Move the dot or circle by keyboard"),
    KeySpec("View", "1", "Show or hide the caption"),
    KeySpec("View", "2", "Show or hide the time strip"),
    KeySpec("View", "5", f"Show a page: {_PAGES_OF_SCENES}"),
    KeySpec("View", "6", "Show the next page"),
    KeySpec("View", "7", "Show theory in the curves"),
    KeySpec("View", "0", "Show the whole tree; again, a large one around its mutation"),
    KeySpec("View", "F6, Shift+F6", "Move the keyboard focus to the next or the previous part"),
    KeySpec("Guess first", "Q", "Start or stop asking before each verdict"),
    KeySpec("Guess first", "Y, N", "Guess that it is accepted (Y) or rejected (N)"),
    KeySpec("Guess first", "Page Down", "Show the verdict without a guess"),
)

_MENU_ROLES: Final = {"quit": QAction.MenuRole.QuitRole, "about": QAction.MenuRole.AboutRole}
"""What macOS has in the menu of the program; for other actions it would guess that from their texts."""

_KEYS: Final = {
    MAIN: _MAIN_KEYS,
    LECTURE: (*_LECTURE_KEYS, *_AUDIENCE_KEYS),
    SHOWN_RUN: (*_SHOWN_RUN_KEYS, *_AUDIENCE_KEYS),
}
"""Before an audience keys are no actions: a clicker sends what it likes, and what is held down repeats less."""


def page_action(page: str) -> str:
    """The name of the action that shows this page."""
    return f"page_{page}"


def action_specs(window: str = MAIN) -> tuple[ActionSpec, ...]:
    """The actions of a window, in the main one with one for every page."""
    if window == EXPERIMENTS:
        return tuple(_in_sections(_EXPERIMENTS_ACTIONS))
    if window == COMPARE:
        moving = (spec for spec in _in_sections(_MAIN_ACTIONS) if spec.name in _COMPARE_TIPS)
        return tuple(replace(spec, tip=_COMPARE_TIPS[spec.name] or spec.tip) for spec in moving)
    if window != MAIN:
        return ()
    return tuple(_in_sections(_MAIN_ACTIONS))


def _in_sections(actions: Mapping[str, Sequence[ActionSpec]]) -> Iterator[ActionSpec]:
    for section, specs in actions.items():
        for spec in specs:
            yield from _page_actions() if spec is _PAGE_ACTIONS else (replace(spec, section=section),)


def _page_actions() -> Iterator[ActionSpec]:
    for info in page_list.PAGES:
        spec = _command(page_action(info.name), info.action_text, " ".join(info.keys), info.action_tip)
        yield replace(spec, section=info.menu or "Look closer")


def shown_keys(spec: ActionSpec) -> str:
    """The keys of an action as this system writes them."""
    return ", ".join(map(_shown, free_keys(spec.keys)))


def loose_keys(window: str = MAIN) -> list[KeySpec]:
    """The keys of a window that belong to no action."""
    pages = ", ".join(info.title.lower() for info in page_list.scene_pages())
    return [
        KeySpec(section, key_text(keys), effect.replace(_PAGES_OF_SCENES, pages))
        for section, keys, effect in _KEYS.get(window, ())
    ]


class Actions(Mapping[str, QAction]):
    """The actions of one window by their names. The window has them, so that their keys work in it."""

    def __init__(self, window: str, parent: QWidget, *, has_status_tips: bool = True) -> None:
        self._specs = action_specs(window)
        self._played = " all runs" if window == COMPARE else ""
        self._is_playing = False
        self._actions: dict[str, QAction] = {}
        for spec in self._specs:
            action = QAction(spec.text, parent)
            action.setObjectName(spec.name)
            keys = free_keys(spec.keys)
            action.setShortcuts([QKeySequence(each) for each in keys])
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
            action.setCheckable(spec.is_checkable)
            if spec.button:
                action.setIconText(spec.button)
            action.setMenuRole(_MENU_ROLES.get(spec.name, QAction.MenuRole.NoRole))
            action.setToolTip(f"{spec.tip} ({_shown(keys[0])})" if keys else spec.tip)
            if has_status_tips:
                action.setStatusTip(spec.tip)
            self._actions[spec.name] = action
        parent.addActions(list(self._actions.values()))

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._actions)

    def __len__(self) -> int:
        return len(self._actions)

    def spec(self, name: str) -> ActionSpec:
        """What is said about the action of this name."""
        return next(spec for spec in self._specs if spec.name == name)

    def connect(self, handlers: Mapping[str, Callable[..., object]]) -> None:
        """Say what each action does; views are made of the actions, so this comes when all of them are there."""
        for name, handler in handlers.items():
            action = self._actions[name]
            if action.isCheckable():
                action.toggled.connect(handler)
            else:
                action.triggered.connect(_without_arguments(handler))

    @property
    def remembered(self) -> dict[str, bool]:
        """The switches that are remembered, and how they are at first."""
        return {spec.name: spec.is_on for spec in self._specs if spec.is_on is not None}

    def shared_with(self, window: str) -> list[QAction]:
        """Those that another window has, too."""
        return [self._actions[spec.name] for spec in self._specs if window in spec.also_in]

    def apply_theme(self, theme: Theme) -> None:
        """Icons in the theme's colours."""
        for spec in self._specs:
            if spec.icon:
                self._actions[spec.name].setIcon(icon(spec.icon, theme))
        self.show_playing(theme, is_playing=self._is_playing)

    def show_playing(self, theme: Theme, *, is_playing: bool) -> None:
        """Play becomes pause while something plays."""
        self._is_playing = is_playing
        action, word = self._actions["play"], "Pause" if is_playing else "Play"
        action.setIcon(icon(word.lower(), theme, theme.colours.accent_text))
        action.setText(f"&{word}")
        action.setToolTip(f"{word}{self._played} (Space)")


def moving_handlers(player: Player) -> dict[str, Callable[[], object]]:
    """What the actions do that move through the runs of a player."""
    return {
        "play": player.toggle_playing,
        "play_backwards": player.play_backwards,
        "next": player.step_forward,
        "previous": player.step_back,
        "next_accepted": player.go_next_accepted,
        "previous_accepted": player.go_previous_accepted,
        "first": player.go_first,
        "live_end": player.go_live,
        "faster": player.go_faster,
        "slower": player.go_slower,
    }


def _shown(keys: str) -> str:
    return key_text(QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText))


def _without_arguments(handler: Callable[[], object]) -> Callable[[], None]:
    """Qt would say whether the action is checked, which a handler might take for something else."""

    def call() -> None:
        handler()

    return call
