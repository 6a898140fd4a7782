"""The actions of the comparison's window: those of the main window that move through a run, for all runs."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence

from gpviz.app.actions import SPECS
from gpviz.app.compare.lanes import Lanes
from gpviz.app.icons import icon
from gpviz.app.panels.speed import faster, slower
from gpviz.app.theme import Theme

__all__ = ["CompareActions"]

_TIPS: Final = {
    "play": "Play or pause all runs",
    "next": "Show the next iteration of all runs; at the end, compute it",
    "next_accepted": "Go on to the next iteration in which a tree changes",
    "previous_accepted": "Go back to the iteration in which a tree changed last",
    "first": "Go to the start of all runs",
    "live_end": "Go to the last iteration that is computed of all runs",
}


class CompareActions:
    """One action for each way to move, with the keys it has in the main window."""

    def __init__(self, lanes: Lanes, parent: QObject) -> None:
        self._lanes = lanes
        handlers: dict[str, Callable[[], None]] = {
            "play": lanes.toggle_playing,
            "play_backwards": lanes.play_backwards,
            "next": lanes.step_forward,
            "previous": lanes.step_back,
            "next_accepted": lanes.go_next_accepted,
            "previous_accepted": lanes.go_previous_accepted,
            "first": lanes.go_first,
            "live_end": lanes.go_live,
            "faster": self._go_faster,
            "slower": self._go_slower,
        }
        self.by_name: dict[str, QAction] = {}
        self._icons: dict[str, str] = {}
        for spec in SPECS:
            if spec.name not in handlers:
                continue
            action = QAction(spec.text, parent)
            action.setObjectName(spec.name)
            action.setShortcuts([QKeySequence(keys) for keys in spec.keys])
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
            shown = QKeySequence(spec.keys[0]).toString(QKeySequence.SequenceFormat.NativeText)
            action.setToolTip(f"{_TIPS.get(spec.name, spec.tip)} ({shown})")
            action.triggered.connect(handlers[spec.name])
            self.by_name[spec.name] = action
            if spec.icon:
                self._icons[spec.name] = spec.icon

    def set_theme(self, theme: Theme) -> None:
        """Icons in the theme's colours."""
        for name, shape in self._icons.items():
            self.by_name[name].setIcon(icon(shape, theme))
        self.show_playing(theme)

    def show_playing(self, theme: Theme) -> None:
        """Play becomes pause while something plays."""
        is_playing = self._lanes.is_playing
        action = self.by_name["play"]
        action.setIcon(icon("pause" if is_playing else "play", theme, theme.colours.accent_text))
        action.setText("&Pause" if is_playing else "&Play")
        action.setToolTip(f"{'Pause' if is_playing else 'Play'} all runs (Space)")

    def show_possible(self) -> None:
        """Only what leads somewhere can be asked for."""
        lanes = self._lanes
        is_at_start = lanes.cursor == 0
        for name in ("first", "previous", "previous_accepted", "play_backwards"):
            self.by_name[name].setEnabled(not is_at_start)
        for name in ("next", "next_accepted"):
            self.by_name[name].setEnabled(not lanes.is_at_end)
        self.by_name["play"].setEnabled(lanes.is_playing or not lanes.is_at_end)
        self.by_name["live_end"].setEnabled(lanes.cursor != lanes.live_end)

    def _go_faster(self) -> None:
        self._lanes.set_speed(faster(self._lanes.speed))

    def _go_slower(self) -> None:
        self._lanes.set_speed(slower(self._lanes.speed))
