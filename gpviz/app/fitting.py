"""A toolbar that fits: where it is narrow, buttons give up their words, which stay as tooltips."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, Qt, QTimer, Slot
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QToolBar, QToolButton, QWidget

__all__ = ["FittingToolBar"]

_TYPE_CHANGES: Final = frozenset({QEvent.Type.FontChange, QEvent.Type.StyleChange})


class FittingToolBar(QToolBar):
    """Keeps all its buttons in sight, at the cost of their words."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self._buttons: tuple[QToolButton, ...] = ()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.fit)

    def set_yielding(self, buttons: Sequence[QToolButton]) -> None:
        """Those that may lose their words, in the order in which they do."""
        self._buttons = tuple(buttons)
        self._fit_soon()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit_soon()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_soon()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in _TYPE_CHANGES:
            self._fit_soon()

    @Slot()
    def fit(self) -> None:
        """Give words to as many buttons as there is room for."""
        for button in self._buttons:
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        for button in self._buttons:
            if self._needed() <= self.width():
                return
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)

    def _fit_soon(self) -> None:
        """Once all that changes has changed."""
        if self.isVisible():
            self._timer.start(0)

    def _needed(self) -> int:
        layout = self.layout()
        assert layout is not None
        layout.invalidate()
        return self.sizeHint().width()
