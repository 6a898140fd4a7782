"""Whether the plan is seen: as a person has chosen, or else where there is room for it beside the results."""

from typing import Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

from gpviz.app.settings import Settings

__all__ = ["PlanFold"]

_BY_HAND: Final = "experiments/plan_by_hand"


class PlanFold(QObject):
    """Checks and unchecks the action that shows the plan, until a person does so: from then on it is theirs."""

    def __init__(self, action: QAction, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._action = action
        self._settings = settings
        self._is_by_hand = settings.flag(_BY_HAND, False)
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
        self._settings.set_flag(_BY_HAND, True)
