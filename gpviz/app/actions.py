"""All commands of all windows: one table with the text, keys and icon of each.

Menus, toolbars, the list of keys and the guide's page of keys read it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from gpviz import page_list
from gpviz.app.key_text import free_keys, key_text
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
    also_in: tuple[str, ...] = ()
    """Other windows that have the same action, with the same keys."""


class KeySpec(NamedTuple):
    """What is said about keys or moves of the mouse that belong to no action."""

    section: str
    keys: str
    effect: str


_PAGE_ACTIONS: Final = ActionSpec("pages", "Study", "")
"""Stands for the actions of all pages, which follow from the list of pages."""

_MAIN_ACTIONS: Final = (
    ActionSpec("play", "Playing", "&Play", ("Space",), "Play or pause the run", "play"),
    ActionSpec(
        "play_backwards",
        "Playing",
        "Play bac&kwards",
        ("Shift+Space",),
        "Play back to the start",
        "play-backwards",
    ),
    ActionSpec(
        "next", "Playing", "&Next step", ("Right",), "Show the next iteration; at the end, compute it", "next"
    ),
    ActionSpec("previous", "Playing", "P&revious step", ("Left",), "Show the previous iteration", "previous"),
    ActionSpec(
        "next_accepted",
        "Playing",
        "Next &accepted",
        ("Shift+Right",),
        "Go to the next accepted mutation that changes the tree",
        "next-accepted",
    ),
    ActionSpec(
        "previous_accepted",
        "Playing",
        "Previous a&ccepted",
        ("Shift+Left",),
        "Go to the previous accepted mutation that changed the tree",
        "previous-accepted",
    ),
    ActionSpec("first", "Playing", "&Start of the run", ("Home",), "Go to the start", "first"),
    ActionSpec("live_end", "Playing", "&Live end", ("End",), "Go to the last computed iteration", "live-end"),
    ActionSpec("faster", "Playing", "&Faster", ("+", "="), "Play faster"),
    ActionSpec("slower", "Playing", "Sl&ower", ("-",), "Play slower"),
    ActionSpec("go_to", "Playing", "&Go to iteration …", ("Ctrl+G",), "Go to an iteration by its number"),
    ActionSpec(
        "bookmark",
        "Playing",
        "&Bookmark",
        ("B",),
        "Bookmark this iteration, or remove its bookmark",
        "bookmark",
    ),
    ActionSpec("phase_down", "Study", "Next &phase", ("Down",), "Show the next phase of the iteration"),
    ActionSpec("phase_up", "Study", "Previous p&hase", ("Up",), "Show the previous phase of the iteration"),
    ActionSpec(
        "quiz",
        "Study",
        "&Guess first",
        ("Q",),
        "Before each verdict, guess whether the offspring is accepted",
        "",
        True,
    ),
    ActionSpec("undo", "Study", "&Undo", ("Ctrl+Z",), "Undo the last change to the branches"),
    ActionSpec("redo", "Study", "&Redo", ("Ctrl+Shift+Z", "Ctrl+Y"), "Redo the change that was undone"),
    _PAGE_ACTIONS,
    ActionSpec(
        "compare",
        "Study",
        "Co&mpare …",
        ("Ctrl+K",),
        "Compare two to four runs side by side",
        "compare",
    ),
    ActionSpec(
        "experiments",
        "Study",
        "E&xperiments …",
        ("Ctrl+B",),
        "Do thousands of runs and compare them with the paper",
        "experiments",
        also_in=_EVERYWHERE,
    ),
    ActionSpec(
        "new_run", "Run", "&New run", ("Ctrl+N",), "Start a run with these settings and the next seed"
    ),
    ActionSpec(
        "restart",
        "Run",
        "Res&tart same seed",
        ("Ctrl+R",),
        "Start again with these settings and the same seed",
    ),
    ActionSpec("open", "Run", "&Open …", ("Ctrl+O",), "Open a saved run", "open"),
    ActionSpec("save", "Run", "&Save", ("Ctrl+S",), "Save the run and its bookmarks", "save"),
    ActionSpec("save_as", "Run", "Save &as …", ("Ctrl+Shift+S",), "Save under another name"),
    ActionSpec(
        "export",
        "Run",
        "&Export …",
        ("Ctrl+E",),
        "Export pictures, films, slides, a web page or tables",
        "export",
    ),
    ActionSpec("copy_tree", "Run", "&Copy the tree", ("Ctrl+Shift+C",), "Copy the tree as a picture"),
    ActionSpec(
        "close_window",
        "Run",
        "C&lose the window",
        ("Ctrl+W",),
        "Close this window",
        also_in=(COMPARE, EXPORT),
    ),
    ActionSpec("quit", "Run", "&Quit", ("Ctrl+Q",), "Close gpviz", also_in=_EVERYWHERE),
    ActionSpec("fit", "Tree", "&Fit the tree", ("0",), "Show the whole tree and keep it in view", "fit"),
    ActionSpec("zoom_in", "Tree", "Zoom &in", ("Ctrl++", "Ctrl+="), "Enlarge the tree", "zoom-in"),
    ActionSpec("zoom_out", "Tree", "&Zoom out", ("Ctrl+-",), "Make the tree smaller", "zoom-out"),
    ActionSpec(
        "follow",
        "Tree",
        "Follow the &mutation",
        ("T",),
        "Zoom in on each mutation of a large tree",
        "",
        True,
    ),
    ActionSpec(
        "fold_resting",
        "Tree",
        "Fold what has not chan&ged",
        ("Ctrl+Shift+F",),
        "Fold subtrees that have not changed for 30 iterations",
        "",
        True,
    ),
    ActionSpec("collapse", "Tree", "&Collapse or expand", ("C",), "Collapse or expand the chosen subtree"),
    ActionSpec("expand_all", "Tree", "&Expand all", ("Shift+C",), "Expand every collapsed subtree"),
    ActionSpec(
        "redundant",
        "Tree",
        "Shade &redundant leaves",
        ("R",),
        "Shade leaves that could be removed, alone or with others",
        "",
        True,
    ),
    ActionSpec(
        "ghosts", "Tree", "Show rejected &offspring", ("G",), "Show rejected offspring on the tree", "", True
    ),
    ActionSpec(
        "reasons",
        "Tree",
        "Show &why leaves stay",
        ("W",),
        "Show under each leaf of a stuck tree why it cannot be deleted",
        "",
        True,
    ),
    ActionSpec("legend", "Tree", "Lege&nd", (), "Show what the colours and marks mean", "", True),
    ActionSpec(
        "log_scale",
        "View",
        "Lo&garithmic error",
        ("L",),
        "Show the error on a logarithmic scale (of error + 1)",
        "",
        True,
    ),
    ActionSpec(
        "theory",
        "View",
        "Theory in the &curves",
        ("Shift+L",),
        "Show in the curves what the paper proves about the run",
        "",
        True,
    ),
    ActionSpec(
        "neighbour_outlooks",
        "View",
        "Outloo&k of the neighbours",
        ("Shift+N",),
        "List in Neighbours the chance to end stuck after each move",
        "",
        True,
    ),
    ActionSpec(
        "whole_outlook",
        "View",
        "O&utlook of the whole run",
        ("Shift+O",),
        "Show in Outlook the whole run, or the run up to the cursor",
        "",
        True,
    ),
    ActionSpec(
        "reset_curves",
        "View",
        "&Whole run in the curves",
        ("Ctrl+0",),
        "Show the whole run in the curves",
    ),
    ActionSpec(
        "setup_panel", "View", "Settings pa&nel", ("Ctrl+1",), "Show or hide the settings", "settings", True
    ),
    ActionSpec("step_panel", "View", "S&tep panel", ("Ctrl+2",), "Show or hide the step in words", "", True),
    ActionSpec("curves_panel", "View", "&Pages", ("Ctrl+3",), "Show or hide the pages", "", True),
    ActionSpec(
        "strip_panel",
        "View",
        "&Error curve",
        ("Ctrl+4",),
        "Show or hide the error curve under the tree, in a wide window",
        "",
        True,
    ),
    ActionSpec(
        "fold_settings",
        "View",
        "F&old the settings when a run starts",
        (),
        "Fold the settings away when a run starts, to give the tree more room",
        "",
        True,
    ),
    ActionSpec(
        "fill_page",
        "View",
        "F&ill the window with the page",
        ("F",),
        "Fill the window with the page, the tree as a thumbnail; Esc returns",
        "",
        True,
    ),
    ActionSpec("larger_page", "View", "&Larger page", ("Alt++", "Alt+="), "Give the page more room"),
    ActionSpec("smaller_page", "View", "&Smaller page", ("Alt+-",), "Give the tree more room"),
    ActionSpec(
        "next_pane",
        "View",
        "Ne&xt pane",
        ("F6",),
        "Move the keyboard focus to the next pane",
        also_in=_ALSO_EXPORT,
    ),
    ActionSpec(
        "previous_pane",
        "View",
        "Pre&vious pane",
        ("Shift+F6",),
        "Move the keyboard focus to the previous pane",
        also_in=_ALSO_EXPORT,
    ),
    ActionSpec(
        "full_screen",
        "View",
        "&Full screen",
        ("Shift+F11",),
        "Switch full screen on or off",
        "",
        True,
    ),
    ActionSpec(
        "reduced_motion", "View", "&Reduced motion", (), "No animation: trees change at once", "", True
    ),
    ActionSpec(
        "larger_type", "View", "L&arger type", ("Ctrl+]",), "Larger type everywhere", also_in=_EVERYWHERE
    ),
    ActionSpec(
        "smaller_type", "View", "Smaller t&ype", ("Ctrl+[",), "Smaller type everywhere", also_in=_EVERYWHERE
    ),
    ActionSpec(
        "next_theme",
        "View",
        "Next t&heme",
        ("Ctrl+T",),
        "Switch to the next theme: light, dark, projector, high contrast",
        "theme",
        also_in=_EVERYWHERE,
    ),
    ActionSpec(
        "lecture",
        "Lecture",
        "&Lecture mode",
        ("F11", "Ctrl+L"),
        "Show this run to an audience, full screen",
        "lecture",
    ),
    ActionSpec("present", "Lecture", "&Present", ("F5",), "Give the lecture from its first scene"),
    ActionSpec(
        "rehearse",
        "Lecture",
        "&Rehearse",
        ("Shift+F5",),
        "Rehearse the lecture from the chosen scene, with notes",
    ),
    ActionSpec(
        "capture", "Lecture", "&Capture this view", ("Ctrl+Shift+A",), "Add the current view as a scene"
    ),
    ActionSpec("new_lecture", "Lecture", "&New lecture", (), "Begin an empty lecture"),
    ActionSpec("save_lecture", "Lecture", "Sa&ve the lecture", (), "Save the scenes and their runs"),
    ActionSpec(
        "help",
        "Help",
        "&Guide",
        ("F1",),
        "Help on the current panel",
        also_in=(PAPER, COMPARE, EXPORT),
    ),
    ActionSpec(
        "paper",
        "Help",
        "The &paper",
        ("F3",),
        "The paper's statements, with buttons that show each of them",
        also_in=(GUIDE, COMPARE, EXPERIMENTS),
    ),
    ActionSpec("hint", "Help", "&First steps", (), "Learn the three most important things in a minute"),
    ActionSpec(
        "marks",
        "Help",
        "&What the marks mean",
        ("Shift+F1",),
        "Explain the colours, rings, ghosts and crosses",
    ),
    ActionSpec("keys", "Help", "&Keys", ("?",), "All keys", "keys"),
    ActionSpec("about", "Help", "&About gpviz", (), "Show the version and the licence"),
)

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

_EXPERIMENTS_ACTIONS: Final = (
    ActionSpec("start", "Experiment", "&Start", ("Ctrl+Return",), "Run the plan"),
    ActionSpec(
        "continue",
        "Experiment",
        "Con&tinue",
        ("Ctrl+Shift+Return",),
        "Do the missing runs of this experiment",
    ),
    ActionSpec(
        "cancel", "Experiment", "C&ancel", ("Ctrl+.",), "Stop the experiment and keep the finished runs"
    ),
    ActionSpec("new", "Experiment", "&New", ("Ctrl+N",), "Close this experiment and begin with a new plan"),
    ActionSpec("open", "Experiment", "&Open …", ("Ctrl+O",), "Open the results of an experiment"),
    ActionSpec(
        "save_csv",
        "Experiment",
        "Save the table as CS&V …",
        ("Ctrl+S",),
        "Save the cells as a table for other programs",
    ),
    ActionSpec(
        "save_json",
        "Experiment",
        "Save the table as &JSON …",
        (),
        "Save the cells as gpviz experiment --json prints them",
    ),
    ActionSpec(
        "save_latex",
        "Experiment",
        "Save the table as &LaTeX …",
        (),
        "Save the cells as a table for a paper",
    ),
    ActionSpec(
        "save_runs", "Experiment", "Save all r&uns as CSV …", (), "Save a line for every run, with its seed"
    ),
    ActionSpec(
        "save_ioh",
        "Experiment",
        "Save all runs for &IOHprofiler …",
        (),
        "Save a folder that IOHanalyzer can read",
    ),
    ActionSpec(
        "close",
        "Experiment",
        "&Close",
        ("Ctrl+W",),
        "Close this window; a running experiment stops and keeps its finished runs",
    ),
    ActionSpec("load_plan", "Plan", "&Load a plan …", ("Ctrl+L",), "Load a plan from a TOML file"),
    ActionSpec("save_plan", "Plan", "&Save the plan …", ("Ctrl+Shift+S",), "Save the plan as a TOML file"),
    ActionSpec("plan_panel", "View", "&Plan", ("F9",), "Show or hide the plan", is_checkable=True),
    ActionSpec(
        "full_screen",
        "View",
        "&Full screen",
        ("Shift+F11",),
        "Switch full screen on or off",
        is_checkable=True,
    ),
    ActionSpec("go_plan", "View", "Go to the p&lan", ("Alt+1",), "Edit the plan"),
    ActionSpec("go_cells", "View", "Go to the &cells", ("Alt+2",), "Go to the table of cells"),
    ActionSpec("go_charts", "View", "Go to the c&harts", ("Alt+3",), "Go to the charts"),
    ActionSpec("go_runs", "View", "Go to all &runs", ("Alt+4",), "Go to the table of all runs"),
    ActionSpec("compare", "View", "Co&mpare …\tCtrl+K", (), "Compare two to four runs side by side"),
    ActionSpec("guide", "Help", "&Guide", ("F1",), "Help on experiments"),
)

_MAIN_KEYS: Final = (
    KeySpec("Study", "Y, N", "Guess whether the offspring is accepted (Y) or rejected (N)"),
    KeySpec("Study", "Enter", "Show the verdict without a guess"),
    KeySpec("Tree", "Wheel, drag, double-click", "Zoom, move, fit the tree"),
    KeySpec("Tree", "Alt+arrows", "Choose a node with the keyboard"),
    KeySpec("Tree", "Shift+Alt+arrows", "Move the view of the tree"),
    KeySpec("Tree", "Double-click on a node", "Collapse or expand it"),
    KeySpec("View", "The key of the page on show", "Move the keyboard focus into the page"),
    KeySpec("View", "Double-click on a tab", "Fill the window with the page, or restore it"),
    KeySpec("View", "Drag, double-click on a grip", "Resize the panes, or reset their sizes"),
)
_LECTURE_KEYS: Final = (
    KeySpec("Steps", "Page Down, Right, Space", "The next click: a step or the next scene"),
    KeySpec("Steps", "Page Up, Left", "One click back"),
    KeySpec("Steps", "Shift+Page Down, Shift+Page Up", "The next or the previous scene"),
    KeySpec("Steps", "Home, End", "The first or the last scene"),
    KeySpec("Steps", "F5", "Restart this scene"),
)
_SHOWN_RUN_KEYS: Final = (
    KeySpec("Steps", "Page Down, Right", "The next iteration"),
    KeySpec("Steps", "Page Up, Left", "The previous iteration"),
    KeySpec("Steps", "Space", "Play or pause"),
    KeySpec("Steps", "Shift+Page Down, Shift+Page Up", "The next or the previous accepted mutation"),
    KeySpec("Steps", "Home, End", "The start or the live end"),
)
_PAGES_OF_SCENES: Final = "{pages}"
_AUDIENCE_KEYS: Final = (
    KeySpec("Screen", "B or .", "Black screen; press again or click to return"),
    KeySpec("Screen", "W", "White screen"),
    KeySpec("Screen", "P or Tab", "The presenter window, or back to the audience window"),
    KeySpec("Screen", "F", "Full screen or window"),
    KeySpec("Screen", "Ctrl+], Ctrl+[", "Larger or smaller type"),
    KeySpec("Screen", "Ctrl+T", "The next theme"),
    KeySpec("Screen", "Esc, Ctrl+W", "Leave"),
    KeySpec("Pointing", "L", "Laser dot at the mouse"),
    KeySpec("Pointing", "S", "Spotlight: darken all but a circle around the mouse"),
    KeySpec("Pointing", "+, −, wheel", "A larger or smaller dot or circle"),
    KeySpec("Pointing", "Alt+arrows", "Move the dot or circle by keyboard"),
    KeySpec("View", "1", "Caption"),
    KeySpec("View", "2", "Curves"),
    KeySpec("View", "3", "Timeline"),
    KeySpec("View", "4", "Legend"),
    KeySpec("View", "5", f"A study page: {_PAGES_OF_SCENES}"),
    KeySpec("View", "6", "The next study page"),
    KeySpec("View", "7", "Theory in the curves"),
    KeySpec("View", "0", "The whole tree; again, a large one around its mutation"),
    KeySpec("View", "F6, Shift+F6", "Move the keyboard focus to the next or the previous part"),
    KeySpec("Guess first", "Q", "Ask before each verdict, or no longer"),
    KeySpec("Guess first", "Y, N", "Guess whether the offspring is accepted (Y) or rejected (N)"),
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
        return _EXPERIMENTS_ACTIONS
    if window == COMPARE:
        moving = (spec for spec in _MAIN_ACTIONS if spec.name in _COMPARE_TIPS)
        return tuple(replace(spec, tip=_COMPARE_TIPS[spec.name] or spec.tip) for spec in moving)
    if window != MAIN:
        return ()
    of_pages = tuple(
        ActionSpec(page_action(info.name), "Study", info.action_text, info.keys, info.action_tip)
        for info in page_list.PAGES
    )
    index = _MAIN_ACTIONS.index(_PAGE_ACTIONS)
    return (*_MAIN_ACTIONS[:index], *of_pages, *_MAIN_ACTIONS[index + 1 :])


def key_sections(window: str = MAIN) -> list[tuple[str, list[tuple[str, str]]]]:
    """All keys of a window, in sections, with what they do."""
    sections: dict[str, list[tuple[str, str]]] = {}
    for spec in action_specs(window):
        if free := free_keys(spec.keys):
            sections.setdefault(spec.section, []).append((", ".join(map(_shown, free)), spec.tip))
    pages = ", ".join(info.title.lower() for info in page_list.scene_pages())
    for section, keys, effect in _KEYS.get(window, ()):
        row = (key_text(keys), effect.replace(_PAGES_OF_SCENES, pages))
        sections.setdefault(section, []).append(row)
    return list(sections.items())


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

    def connect(self, handlers: Mapping[str, Callable[..., object]]) -> None:
        """Say what each action does; views are made of the actions, so this comes when all of them are there."""
        for name, action in self._actions.items():
            if action.isCheckable():
                action.toggled.connect(handlers[name])
            else:
                action.triggered.connect(_without_arguments(handlers[name]))

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


def _shown(keys: str) -> str:
    return key_text(QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText))


def _without_arguments(handler: Callable[[], object]) -> Callable[[], None]:
    """Qt would say whether the action is checked, which a handler might take for something else."""

    def call() -> None:
        handler()

    return call
