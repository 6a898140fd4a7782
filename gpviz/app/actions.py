"""Everything a person can do in the window: one action each, with its words, keys and icon."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence

from gpviz import page_list
from gpviz.app.icons import icon
from gpviz.app.theme import Theme

__all__ = ["ActionSpec", "Actions", "action_specs", "key_sections", "page_action"]


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
    is_shared: bool = False
    """Whether it concerns the whole program: then it has its keys in every window."""


_PAGE_ACTIONS: Final = ActionSpec("pages", "Study", "")
"""Stands for the actions of all pages, which follow from the list of pages."""

_SPECS: Final = (
    ActionSpec("play", "Playing", "&Play", ("Space",), "Play or pause the run", "play"),
    ActionSpec(
        "play_backwards",
        "Playing",
        "Play &backwards",
        ("Shift+Space",),
        "Play back to the start",
        "play-backwards",
    ),
    ActionSpec(
        "next", "Playing", "&Next step", ("Right",), "Show the next iteration; at the end, compute it", "next"
    ),
    ActionSpec("previous", "Playing", "P&revious step", ("Left",), "Show the iteration before", "previous"),
    ActionSpec(
        "next_accepted",
        "Playing",
        "Next &accepted",
        ("Shift+Right",),
        "Go on to the next accepted mutation that changes the tree",
        "next-accepted",
    ),
    ActionSpec(
        "previous_accepted",
        "Playing",
        "Previous a&ccepted",
        ("Shift+Left",),
        "Go back to the previous accepted mutation that changed the tree",
        "previous-accepted",
    ),
    ActionSpec("first", "Playing", "&Start of the run", ("Home",), "Go to the start", "first"),
    ActionSpec("live_end", "Playing", "&Live end", ("End",), "Go to the last iteration computed", "live-end"),
    ActionSpec("faster", "Playing", "&Faster", ("+", "="), "Play faster"),
    ActionSpec("slower", "Playing", "Sl&ower", ("-",), "Play slower"),
    ActionSpec("go_to", "Playing", "&Go to iteration …", ("Ctrl+G",), "Type the iteration to go to"),
    ActionSpec(
        "bookmark",
        "Playing",
        "&Bookmark",
        ("B",),
        "Bookmark this iteration, or remove its bookmark",
        "bookmark",
    ),
    ActionSpec("phase_down", "Study", "Next &phase", ("Down",), "Look inside the iteration: the next phase"),
    ActionSpec(
        "phase_up", "Study", "Previous p&hase", ("Up",), "Look inside the iteration: the phase before"
    ),
    ActionSpec(
        "quiz",
        "Study",
        "&Guess first",
        ("Q",),
        "Before each verdict, guess whether the offspring is accepted",
        "",
        True,
    ),
    ActionSpec(
        "undo", "Study", "&Undo", ("Ctrl+Z",), "Go back to before the last branch or change of branch"
    ),
    ActionSpec("redo", "Study", "&Redo", ("Ctrl+Shift+Z", "Ctrl+Y"), "Do again what was undone"),
    _PAGE_ACTIONS,
    ActionSpec(
        "compare",
        "Study",
        "Co&mpare …",
        ("Ctrl+K",),
        "Two to four runs side by side, step by step",
        "compare",
    ),
    ActionSpec(
        "experiments",
        "Study",
        "E&xperiments …",
        ("Ctrl+B",),
        "Thousands of runs, their distributions, and the paper's beside them",
        "experiments",
        is_shared=True,
    ),
    ActionSpec(
        "new_run", "Run", "&New run", ("Ctrl+N",), "Start a run with the settings as typed and the next seed"
    ),
    ActionSpec("restart", "Run", "&Restart same seed", ("Ctrl+R",), "Start again with the same seed"),
    ActionSpec("open", "Run", "&Open …", ("Ctrl+O",), "Open a saved run", "open"),
    ActionSpec("save", "Run", "&Save", ("Ctrl+S",), "Save the run and its bookmarks", "save"),
    ActionSpec("save_as", "Run", "Save &as …", ("Ctrl+Shift+S",), "Save under another name"),
    ActionSpec(
        "export",
        "Run",
        "&Export …",
        ("Ctrl+E",),
        "Take it away: pictures, films, slides, a web page, tables",
        "export",
    ),
    ActionSpec("copy_tree", "Run", "&Copy the tree", ("Ctrl+Shift+C",), "Copy the tree as a picture"),
    ActionSpec("quit", "Run", "&Quit", ("Ctrl+Q",), "Close gpviz", is_shared=True),
    ActionSpec("fit", "Tree", "&Fit the tree", ("0",), "Show the whole tree and keep it in view", "fit"),
    ActionSpec("zoom_in", "Tree", "Zoom &in", ("Ctrl++", "Ctrl+="), "Enlarge the tree", "zoom-in"),
    ActionSpec("zoom_out", "Tree", "Zoom &out", ("Ctrl+-",), "Make the tree smaller", "zoom-out"),
    ActionSpec("collapse", "Tree", "&Collapse or expand", ("C",), "Collapse or expand the chosen subtree"),
    ActionSpec("expand_all", "Tree", "&Expand all", ("Shift+C",), "Expand every collapsed subtree"),
    ActionSpec(
        "redundant",
        "Tree",
        "Shade &redundant leaves",
        ("R",),
        "Shade leaves that could go, perhaps with others",
        "",
        True,
    ),
    ActionSpec(
        "ghosts", "Tree", "Show rejected &offspring", ("G",), "Show rejected offspring on the tree", "", True
    ),
    ActionSpec(
        "reasons", "Tree", "Say &why leaves cannot go", ("W",), "Under each leaf of a stuck tree", "", True
    ),
    ActionSpec("legend", "Tree", "&Legend", (), "Show what the colours mean", "", True),
    ActionSpec("log_scale", "View", "Lo&garithmic error", ("L",), "Logarithmic scale of error + 1", "", True),
    ActionSpec(
        "reset_curves",
        "View",
        "&Whole run in the curves",
        ("Ctrl+0",),
        "Undo zooming into the curves",
    ),
    ActionSpec(
        "setup_panel", "View", "&Settings panel", ("Ctrl+1",), "Show the settings or not", "settings", True
    ),
    ActionSpec("step_panel", "View", "S&tep panel", ("Ctrl+2",), "Show or hide the step in words", "", True),
    ActionSpec(
        "curves_panel", "View", "&Lower panels", ("Ctrl+3",), "Show or hide what is below the tree", "", True
    ),
    ActionSpec(
        "full_screen",
        "View",
        "&Full screen",
        ("Shift+F11",),
        "Fill the screen with this window, or leave it again",
        "",
        True,
    ),
    ActionSpec(
        "reduced_motion", "View", "&Reduced motion", (), "Nothing glides: trees change at once", "", True
    ),
    ActionSpec("larger_type", "View", "L&arger type", ("Ctrl+]",), "Larger type everywhere", is_shared=True),
    ActionSpec(
        "smaller_type", "View", "S&maller type", ("Ctrl+[",), "Smaller type everywhere", is_shared=True
    ),
    ActionSpec(
        "next_theme", "View", "Next t&heme", ("Ctrl+T",), "Light, dark, projector", "theme", is_shared=True
    ),
    ActionSpec(
        "lecture",
        "Lecture",
        "&Lecture mode",
        ("F11",),
        "Fill the screen with the run on show, for an audience",
        "lecture",
    ),
    ActionSpec("present", "Lecture", "&Present", ("F5",), "Give the lecture from its first scene"),
    ActionSpec(
        "rehearse",
        "Lecture",
        "&Rehearse",
        ("Shift+F5",),
        "Give the lecture from the chosen scene, with notes",
    ),
    ActionSpec(
        "capture", "Lecture", "&Capture this view", ("Ctrl+Shift+A",), "Make a scene of what is on show"
    ),
    ActionSpec("new_lecture", "Lecture", "&New lecture", (), "Begin a lecture without scenes"),
    ActionSpec("save_lecture", "Lecture", "&Save the lecture", (), "Save the scenes and their runs"),
    ActionSpec("help", "Help", "&Guide", ("F1",), "Read about what has the keyboard, or anything else"),
    ActionSpec("hint", "Help", "&First steps", (), "The three things to know, in a minute"),
    ActionSpec("keys", "Help", "&Keys", ("?",), "All keys", "keys"),
    ActionSpec("about", "Help", "&About gpviz", (), "Version and licence"),
)


def page_action(page: str) -> str:
    """The name of the action that shows this page."""
    return f"page_{page}"


def action_specs() -> tuple[ActionSpec, ...]:
    """All actions, with one for every page."""
    of_pages = tuple(
        ActionSpec(page_action(info.name), "Study", info.action_text, info.keys, info.action_tip)
        for info in page_list.PAGES
    )
    place = _SPECS.index(_PAGE_ACTIONS)
    return (*_SPECS[:place], *of_pages, *_SPECS[place + 1 :])


class Actions:
    """The actions of one window by their names."""

    def __init__(self, parent: QObject) -> None:
        self._actions: dict[str, QAction] = {}
        for spec in action_specs():
            action = QAction(spec.text, parent)
            action.setObjectName(spec.name)
            action.setShortcuts([QKeySequence(keys) for keys in spec.keys])
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
            action.setCheckable(spec.is_checkable)
            action.setToolTip(_tip(spec))
            action.setStatusTip(spec.tip)
            self._actions[spec.name] = action

    def connect(self, handlers: Mapping[str, Callable[..., object]]) -> None:
        """Say what each action does; views are made of the actions, so this comes when all of them are there."""
        for name, action in self._actions.items():
            if action.isCheckable():
                action.toggled.connect(handlers[name])
            else:
                action.triggered.connect(_without_arguments(handlers[name]))

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def all(self) -> Iterable[QAction]:
        return self._actions.values()

    def by_name(self) -> dict[str, QAction]:
        return dict(self._actions)

    def shared(self) -> list[QAction]:
        """Those that other windows have, too."""
        return [self._actions[spec.name] for spec in action_specs() if spec.is_shared]

    def apply_theme(self, theme: Theme, *, is_playing: bool) -> None:
        """Icons in the theme's colours."""
        for spec in action_specs():
            if spec.icon:
                self._actions[spec.name].setIcon(icon(spec.icon, theme))
        self.show_playing(theme, is_playing=is_playing)

    def show_playing(self, theme: Theme, *, is_playing: bool) -> None:
        """Play becomes pause while something plays."""
        action = self._actions["play"]
        action.setIcon(icon("pause" if is_playing else "play", theme, theme.colours.accent_text))
        action.setText("&Pause" if is_playing else "&Play")
        action.setToolTip(f"{'Pause' if is_playing else 'Play'} (Space)")


def _without_arguments(handler: Callable[[], object]) -> Callable[[], None]:
    """Qt would say whether the action is checked, which a handler might take for something else."""

    def call() -> None:
        handler()

    return call


def key_sections() -> list[tuple[str, list[tuple[str, str]]]]:
    """All keys, in sections, with what they do."""
    sections: dict[str, list[tuple[str, str]]] = {}
    for spec in action_specs():
        if spec.keys:
            shown = ", ".join(
                QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText) for keys in spec.keys
            )
            sections.setdefault(spec.section, []).append((shown, spec.tip))
    sections["Study"] += [
        ("Y, N", "Guess that the offspring is accepted, or rejected"),
        ("Enter", "Show the verdict without a guess"),
    ]
    sections["Tree"] += [
        ("Wheel, drag, double-click", "Zoom, move, fit the tree"),
        ("Alt+arrows", "Choose a node with the keyboard"),
        ("Double-click on a node", "Collapse or expand it"),
    ]
    return list(sections.items())


def _tip(spec: ActionSpec) -> str:
    if not spec.keys:
        return spec.tip
    shown = QKeySequence(spec.keys[0]).toString(QKeySequence.SequenceFormat.NativeText)
    return f"{spec.tip} ({shown})"
