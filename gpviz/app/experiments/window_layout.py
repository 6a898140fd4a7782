"""The two columns of the experiments window: the plan, which can be hidden, and what it came to."""

from typing import Final

from PySide6.QtCore import QObject, QRect, Qt, Slot
from PySide6.QtGui import QAction, QFontMetrics
from PySide6.QtWidgets import QFrame, QMainWindow, QSplitter, QWidget

from gpviz.app.preferences import Preferences
from gpviz.app.theme import Theme
from gpviz.app.widgets.layouts import NO_LIMIT, column_in
from gpviz.app.widgets.scroll_area import WrappingScrollArea
from gpviz.app.widgets.themed import Themed

_PLACE = "experiments/place"
_PLAN = "experiments/plan"
_LOW_SCREEN = 820
"""On screens lower than this a window that was never seen has all of it."""

_SIDE_LETTERS: Final = 44
_BY_HAND: Final = "experiments/plan_by_hand"


class WindowState:
    """Reads and writes what is remembered; what was never seen is as large as is pleasant."""

    def __init__(self, preferences: Preferences) -> None:
        self._preferences = preferences

    @property
    def has_plan(self) -> bool:
        """Whether the plan was seen when the window was left."""
        return self._preferences.flag(_PLAN, True)

    def restore_geometry(self, window: QMainWindow, room: QRect) -> None:
        """Put the window where it was; if there is nothing to remember, in this room for windows."""
        if self._preferences.restore_geometry(_PLACE, window):
            return
        window.resize(min(1500, room.width()), min(940, round(0.92 * room.height())))
        if room.height() < _LOW_SCREEN:
            window.setWindowState(Qt.WindowState.WindowMaximized)

    def share(self, name: str) -> list[int] | None:
        """How the parts of a splitter shared it, if that is remembered."""
        return self._preferences.numbers(f"experiments/{name}")

    def keep_share(self, name: str, share: list[int] | None) -> None:
        """Remember how the parts of a splitter share it, if that is known."""
        if share is not None:
            self._preferences.set_numbers(f"experiments/{name}", share)

    def keep_window(self, window: QMainWindow, *, has_plan: bool) -> None:
        """Remember the window's place."""
        self._preferences.store_geometry(_PLACE, window)
        self._preferences.set_flag(_PLAN, has_plan)


def restore_share(splitter: QSplitter, share: list[int] | None) -> bool:
    """Let the parts of a splitter share it as they did; whether that is known."""
    if share is None or len(share) != splitter.count() or min(share) < 0:
        return False
    splitter.setSizes([min(size, NO_LIMIT) for size in share])
    return True


class PlanSplitter(Themed, QSplitter):
    """The plan at the left, with what starts it below; the rest of the window at the right."""

    def __init__(
        self, editor: QWidget, launch: QWidget, main: QWidget, parent: QWidget | None = None
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._share: list[int] | None = None
        self.side = QFrame()
        self.side.setProperty("role", "card")
        left = column_in(self.side, spacing=8, margins=(12, 10, 8, 10))
        left.addWidget(WrappingScrollArea(editor), 1)
        left.addWidget(launch)
        self.setHandleWidth(8)
        self.addWidget(self.side)
        self.addWidget(main)
        self.setStretchFactor(0, 0)
        self.setStretchFactor(1, 1)
        self.setChildrenCollapsible(False)

    def share(self) -> list[int] | None:
        """How the two share the window, or did when the plan was last seen; None if nobody has seen it yet."""
        if self.side.isVisible():
            self._share = self.sizes()
        return self._share

    def set_share(self, share: list[int] | None) -> None:
        """Let the two share the window like this."""
        self._share = share
        restore_share(self, share)

    def apply_theme(self, theme: Theme) -> None:
        """Give the plan the room it needs in this type, unless a person has said how much it gets."""
        if self._share is None:
            letter = QFontMetrics(theme.font()).averageCharWidth()
            self.setSizes([_SIDE_LETTERS * letter, self.width()])

    @Slot(bool)
    def show_plan(self, is_shown: bool) -> None:
        """Show or hide the plan; it comes back as wide as it was."""
        share = self.share()
        self.side.setVisible(is_shown)
        if is_shown:
            restore_share(self, share)


class PlanVisibility(QObject):
    """Checks and unchecks the action that shows the plan, until a person does so: from then on it is theirs."""

    def __init__(self, action: QAction, preferences: Preferences, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._action = action
        self._preferences = preferences
        self._is_by_hand = preferences.flag(_BY_HAND, False)
        action.triggered.connect(self._on_triggered)  # only by a person, not by what follows here

    @property
    def has_plan(self) -> bool:
        """Whether the plan is to be seen when the window is opened again."""
        return self._action.isChecked() or not self._is_by_hand

    def show(self) -> None:
        """The plan is what it is about now."""
        self._action.setChecked(True)

    def make_room(self, *, is_scarce: bool) -> None:
        """Results come on show: where there is too little room for both, the plan gives way."""
        if not self._is_by_hand:
            self._action.setChecked(not is_scarce)

    def give_room_back(self) -> None:
        """There are no results on show any more."""
        self.make_room(is_scarce=False)

    @Slot()
    def _on_triggered(self) -> None:
        self._is_by_hand = True
        self._preferences.set_flag(_BY_HAND, True)
