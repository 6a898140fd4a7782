"""The splitters of the experiments window: they remember their sizes, and the plan gives way to results."""

from typing import Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QAction, QFontMetrics
from PySide6.QtWidgets import QFrame, QSplitter, QWidget

from gpviz.app.preferences import Preferences
from gpviz.app.theme import Theme
from gpviz.app.widgets.layouts import NO_LIMIT, column_in
from gpviz.app.widgets.scroll_area import WrappingScrollArea
from gpviz.app.widgets.themed import Themed

_PLAN: Final = "experiments/plan"
_BY_HAND: Final = "experiments/plan_by_hand"
_SIDE_LETTERS: Final = 44
"""The width of the plan, in letters, until somebody changes it."""


class RememberedSplitter(QSplitter):
    """Two parts that keep their sizes while one of them is away, and until the window is opened again."""

    def __init__(self, orientation: Qt.Orientation, preferences: Preferences, name: str) -> None:
        super().__init__(orientation)
        self._preferences = preferences
        self._name = f"experiments/{name}"
        self._remembered = preferences.numbers(self._name)
        self.setHandleWidth(8)

    @property
    def is_remembered(self) -> bool:
        """Whether the sizes are known from before."""
        return self._remembered is not None

    def remember_sizes(self) -> None:
        """Keep the sizes, if both parts are seen."""
        parts = [self.widget(index) for index in range(self.count())]
        if len(parts) == 2 and all(part is not None and part.isVisible() for part in parts):
            self._remembered = self.sizes()

    def restore_sizes(self) -> None:
        """Give both parts the sizes they had, if these are known."""
        sizes = self._remembered
        if sizes is not None and len(sizes) == self.count() and min(sizes) >= 0:
            self.setSizes([min(size, NO_LIMIT) for size in sizes])

    def store(self) -> None:
        """Write the sizes to the preferences."""
        self.remember_sizes()
        if self._remembered is not None:
            self._preferences.set_numbers(self._name, self._remembered)


class PlanSplitter(Themed, RememberedSplitter):
    """The plan at the left, with what starts it below; the rest of the window at the right.

    ``action`` shows the plan. It is checked and unchecked here, until a person does so: from then on it is theirs.
    """

    def __init__(
        self, editor: QWidget, launch: QWidget, main: QWidget, action: QAction, preferences: Preferences
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, preferences, "columns")
        self._action = action
        self._is_by_hand = preferences.flag(_BY_HAND, False)
        self.side = QFrame()
        self.side.setProperty("role", "card")
        left = column_in(self.side, spacing=8, margins=(12, 10, 8, 10))
        left.addWidget(WrappingScrollArea(editor), 1)
        left.addWidget(launch)
        self.addWidget(self.side)
        self.addWidget(main)
        self.setStretchFactor(0, 0)
        self.setStretchFactor(1, 1)
        self.setChildrenCollapsible(False)
        self.restore_sizes()
        action.setChecked(preferences.flag(_PLAN, True))
        self.side.setVisible(action.isChecked())
        action.triggered.connect(self._on_triggered)  # only by a person

    def apply_theme(self, theme: Theme) -> None:
        """Make the plan as wide as it needs in this type, unless a person has said how wide it is."""
        if not self.is_remembered:
            letter = QFontMetrics(theme.font()).averageCharWidth()
            self.setSizes([_SIDE_LETTERS * letter, self.width()])

    def show_plan(self) -> None:
        """The plan is what it is about now."""
        self._action.setChecked(True)

    def give_way(self, *, is_narrow: bool) -> None:
        """Results come on show, or go: where both do not fit, the plan is hidden."""
        if not self._is_by_hand:
            self._action.setChecked(not is_narrow)

    def store(self) -> None:
        super().store()
        self._preferences.set_flag(_PLAN, self._action.isChecked() or not self._is_by_hand)

    @Slot(bool)
    def set_plan_shown(self, is_shown: bool) -> None:
        """Show or hide the plan, as the action says; it comes back as wide as it was."""
        self.remember_sizes()
        self.side.setVisible(is_shown)
        if is_shown:
            self.restore_sizes()

    @Slot()
    def _on_triggered(self) -> None:
        self._is_by_hand = True
        self._preferences.set_flag(_BY_HAND, True)
