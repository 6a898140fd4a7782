"""A menu whose actions macOS leaves where they are."""

from typing import Any

from PySide6.QtCore import QEvent
from PySide6.QtGui import QAction, QActionEvent
from PySide6.QtWidgets import QMenu

_GUESSED = QAction.MenuRole.TextHeuristicRole


class MacSafeMenu(QMenu):
    """Keeps macOS from moving an action such as “Settings panel” to the program menu because of its text."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.menuAction().setMenuRole(QAction.MenuRole.NoRole)

    def actionEvent(self, event: QActionEvent) -> None:
        if event.type() == QEvent.Type.ActionAdded and event.action().menuRole() == _GUESSED:
            event.action().setMenuRole(QAction.MenuRole.NoRole)
        super().actionEvent(event)
