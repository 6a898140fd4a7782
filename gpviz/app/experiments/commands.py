"""The actions and menus of the experiments window, each with its key."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from gpviz.app.experiments.reading import Kept
from gpviz.app.widgets.fields import plain_tip

__all__ = ["Commands"]

_SWITCHES: Final = ("plan_panel", "full_screen")


class _Spec(NamedTuple):
    name: str
    text: str
    key: str
    tip: str


_SPECS: Final = (
    _Spec("start", "&Start", "Ctrl+Return", "Run the plan"),
    _Spec(
        "continue", "Con&tinue", "Ctrl+Shift+Return", "Do the runs of the experiment on show that are missing"
    ),
    _Spec("cancel", "&Cancel", "Ctrl+.", "End the experiment; what is done is kept"),
    _Spec("new", "&New", "Ctrl+N", "Put the experiment on show away, and begin with a plan"),
    _Spec("open", "&Open …", "Ctrl+O", "Show the results of an experiment"),
    _Spec("save_csv", "Save the table as CS&V …", "Ctrl+S", "The cells as a table for other programs"),
    _Spec("save_json", "Save the table as &JSON …", "", "The cells as gpviz experiment --json prints them"),
    _Spec("save_latex", "Save the table as &LaTeX …", "", "The cells as a table for a paper"),
    _Spec("save_runs", "Save all &runs as CSV …", "", "A line for every run, with its seed"),
    _Spec("save_ioh", "Save all runs for &IOHprofiler …", "", "A folder that IOHanalyzer reads"),
    _Spec(
        "close",
        "&Close",
        "Ctrl+W",
        "Close this window; what runs ends, and what is done is kept",
    ),
    _Spec("load_plan", "&Load a plan …", "Ctrl+L", "Load a plan from a TOML file"),
    _Spec("save_plan", "&Save the plan …", "Ctrl+Shift+S", "Save the plan as a TOML file"),
    _Spec("plan_panel", "&Plan", "F9", "Show or hide the plan"),
    _Spec("full_screen", "&Full screen", "Shift+F11", "Fill the screen with this window, or leave it again"),
    _Spec("go_plan", "Go to the p&lan", "Alt+1", "Type in the plan"),
    _Spec("go_cells", "Go to the &cells", "Alt+2", "The table of cells"),
    _Spec("go_charts", "Go to the c&harts", "Alt+3", "The charts"),
    _Spec("go_runs", "Go to all &runs", "Alt+4", "The table of all runs"),
    _Spec("compare", "Co&mpare …\tCtrl+K", "", "Two to four runs side by side, step by step"),
    _Spec("guide", "&Guide", "F1", "Read about experiments, or anything else"),
)
_MENUS: Final = {
    "&Experiment": (
        *("start", "continue", "cancel", "", "new", "open", "RECENT", ""),
        *("save_csv", "save_json", "save_latex", "save_runs", "save_ioh", "", "close"),
    ),
    "&Plan": ("load_plan", "save_plan"),
    "&View": (
        *("plan_panel", "full_screen", "", "go_plan", "go_cells", "go_charts", "go_runs", ""),
        "compare",
    ),
    "&Help": ("guide",),
}


class Commands:
    """Builds the menus once; what can be done follows what happens."""

    def __init__(self, window: QMainWindow, handlers: dict[str, Callable[[], None]]) -> None:
        self.by_name: dict[str, QAction] = {}
        for spec in _SPECS:
            action = self.by_name[spec.name] = QAction(spec.text, window)
            action.setObjectName(spec.name)
            action.setStatusTip(spec.tip)
            action.setToolTip(f"{spec.tip} ({spec.key})" if spec.key else spec.tip)
            if spec.key:
                action.setShortcut(QKeySequence(spec.key))
                action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
            if spec.name in _SWITCHES:
                action.setCheckable(True)
            else:
                action.triggered.connect(handlers[spec.name])
        self.by_name["plan_panel"].setChecked(True)
        self.recent = QMenu("Open &recent", window)
        self.recent.setToolTipsVisible(True)
        for title, names in _MENUS.items():
            menu = window.menuBar().addMenu(title)
            menu.setToolTipsVisible(True)
            for name in names:
                if name == "RECENT":
                    menu.addMenu(self.recent)
                elif name:
                    menu.addAction(self.by_name[name])
                else:
                    menu.addSeparator()

    def __getitem__(self, name: str) -> QAction:
        return self.by_name[name]

    def show_recent(self, kept: Sequence[Kept], open_store: Callable[[Path], None]) -> None:
        """List the experiments that are kept."""
        self.recent.clear()
        for each in kept:
            share = "" if each.is_whole else f", {each.done:,} of {each.total:,} runs"
            action = self.recent.addAction(f"{each.path.stem}{share}".replace("&", "&&"))
            action.setToolTip(plain_tip(f"{each.title}\n{each.path}"))
            action.triggered.connect(partial(_call, open_store, each.path))
        self.recent.setEnabled(bool(kept))


def _call(open_store: Callable[[Path], None], path: Path, _is_checked: bool = False) -> None:
    open_store(path)
