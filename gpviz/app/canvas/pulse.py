"""The slow rhythm of what pulses on the canvas: a phase that goes round only while somebody can see it."""

from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

__all__ = ["Rhythm"]

_PERIOD_MS: Final = 1100
_TICK_MS: Final = 33


class Rhythm(QObject):
    """A phase from 0 to 1, about once a second. It counts its own ticks, so it never jumps."""

    ticked = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._phase = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._on_timeout)

    @property
    def phase(self) -> float | None:
        """How far the pulse has come; None at rest."""
        return self._phase if self._timer.isActive() else None

    def set_running(self, is_running: bool) -> None:
        """Begin with a new pulse, or rest."""
        if is_running == self._timer.isActive():
            return
        self._phase = 0.0
        if is_running:
            self._timer.start()
        else:
            self._timer.stop()

    @Slot()
    def _on_timeout(self) -> None:
        self._phase = (self._phase + _TICK_MS / _PERIOD_MS) % 1.0
        self.ticked.emit()
