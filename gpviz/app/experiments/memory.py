"""How the experiments window was left: its place, how its parts share it, and whether the plan was seen."""

from PySide6.QtCore import QByteArray, QRect, Qt
from PySide6.QtWidgets import QMainWindow, QSplitter

from gpviz.app.settings import Settings

__all__ = ["WindowMemory", "restore_share"]

_PLACE = "experiments/place"
_PLAN = "experiments/plan"
_LOW_SCREEN = 820
"""On screens lower than this a window that was never seen has all of it."""


class WindowMemory:
    """Reads and writes what is remembered; what was never seen is as large as is pleasant."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @property
    def has_plan(self) -> bool:
        """Whether the plan was seen when the window was left."""
        return self._settings.flag(_PLAN, True)

    def restore_place(self, window: QMainWindow, room: QRect) -> None:
        """Put the window where it was; if there is nothing to remember, in this room for windows."""
        state = self._settings.state(_PLACE)
        if state is not None and window.restoreGeometry(state):
            return
        window.resize(min(1500, room.width()), min(940, round(0.92 * room.height())))
        if room.height() < _LOW_SCREEN:
            window.setWindowState(Qt.WindowState.WindowMaximized)

    def share(self, name: str) -> QByteArray | None:
        """How the parts of a splitter shared it, if that is remembered."""
        return self._settings.state(f"experiments/{name}")

    def keep_share(self, name: str, share: QByteArray | None) -> None:
        """Remember how the parts of a splitter share it, if that is known."""
        if share is not None:
            self._settings.set_state(f"experiments/{name}", share)

    def keep_window(self, window: QMainWindow, *, has_plan: bool) -> None:
        """Remember the window's place."""
        self._settings.set_state(_PLACE, window.saveGeometry())
        self._settings.set_flag(_PLAN, has_plan)


def restore_share(splitter: QSplitter, share: QByteArray | None) -> bool:
    """Let the parts of a splitter share it as they did; whether that is known."""
    handle, is_collapsible = splitter.handleWidth(), splitter.childrenCollapsible()
    is_known = share is not None and splitter.restoreState(share)
    splitter.setHandleWidth(handle)  # these come with the state, and may be of an older gpviz
    splitter.setChildrenCollapsible(is_collapsible)
    return is_known
